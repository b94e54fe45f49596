package record

import (
	"bytes"
	"encoding/binary"
	"io"
	"sort"
	"sync"
	"time"
)

// lineStep is how many lines share one checkpoint of the line index.
const lineStep = 64

// Line is a line of a stream.
type Line struct {
	Number  int64         // from 1
	Offset  int64         // of its first byte in the stream
	Len     int64         // without the newline
	Time    time.Duration // when its first byte came
	Newline bool          // false: the stream ends, or stands, within it
}

// Stream is a byte stream of a run: stdin, stdout or stderr. It is safe for
// one writer and several readers.
type Stream struct {
	mu    sync.RWMutex
	data  *spill
	index *spill       // a line's length and the time since the line before, as varints
	marks []checkpoint // one for each lineStep lines
	lines int64        // whole lines

	lineStart int64 // offset of the line that is not whole yet
	lineTime  time.Duration
	lastTime  time.Duration // of the last whole line
	max       int64         // longest line seen, in bytes
}

type checkpoint struct {
	data  int64 // offset of the line
	index int64
	time  time.Duration // of the line before
}

func newStream(memLimit, fileLimit int64) *Stream {
	return &Stream{data: newSpill(memLimit, fileLimit), index: newSpill(memLimit/4, fileLimit)}
}

func (s *Stream) append(b []byte, at time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	off := s.data.size
	s.data.append(b)
	for len(b) > 0 {
		if off == s.lineStart {
			s.lineTime = at
		}
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			break
		}
		off += int64(i) + 1
		s.endLine(off)
		b = b[i+1:]
	}
}

func (s *Stream) endLine(next int64) {
	if s.lines%lineStep == 0 {
		s.marks = append(s.marks, checkpoint{s.lineStart, s.index.size, s.lastTime})
	}
	n := next - s.lineStart
	s.max = max(s.max, n-1)
	var buf [2 * binary.MaxVarintLen64]byte
	k := binary.PutUvarint(buf[:], uint64(n))
	k += binary.PutUvarint(buf[k:], uint64(max(0, s.lineTime-s.lastTime)))
	s.index.append(buf[:k])
	s.lines++
	s.lastTime = s.lineTime
	s.lineStart = next
}

// Len is the number of bytes that came, dropped ones included.
func (s *Stream) Len() int64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.data.size
}

// Lines is the number of lines that came, one that is not whole yet included.
func (s *Stream) Lines() int64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.data.size > s.lineStart {
		return s.lines + 1
	}
	return s.lines
}

// Dropped says how many of the oldest lines and bytes are no longer kept. A
// line that is kept in part counts as dropped.
func (s *Stream) Dropped() (lines, size int64) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.droppedLines(), s.data.start
}

func (s *Stream) droppedLines() int64 {
	if s.data.start == 0 {
		return 0
	}
	first := sort.Search(len(s.marks), func(i int) bool { return s.marks[i].data >= s.data.start })
	return min(int64(first)*lineStep, s.lines)
}

// ReadAt implements io.ReaderAt over the bytes that are kept.
func (s *Stream) ReadAt(p []byte, off int64) (int, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.data.ReadAt(p, off)
}

// Bytes returns a copy of the kept bytes from off, at most n.
func (s *Stream) Bytes(off int64, n int) []byte {
	s.mu.RLock()
	defer s.mu.RUnlock()
	off = max(off, s.data.start)
	n = int(max(0, min(int64(n), s.data.size-off)))
	p := make([]byte, n)
	m, _ := s.data.ReadAt(p, off)
	return p[:m]
}

// Tail returns a copy of the last n bytes.
func (s *Stream) Tail(n int) []byte { return s.Bytes(max(0, s.Len()-int64(n)), n) }

// Line returns the line with this number, from 1. It is false when there is no
// such line or it is no longer kept.
func (s *Stream) Line(number int64) (Line, bool) {
	var l Line
	ok := false
	s.Range(number, func(x Line) bool { l, ok = x, true; return false })
	return l, ok
}

// Range calls f for each kept line from the one with this number on, until f
// returns false.
func (s *Stream) Range(number int64, f func(Line) bool) {
	for {
		batch := s.batch(number)
		for _, l := range batch {
			if !f(l) {
				return
			}
		}
		if len(batch) == 0 || !batch[len(batch)-1].Newline {
			return
		}
		number = batch[len(batch)-1].Number + 1
	}
}

// batch returns the lines from number to the end of its checkpoint.
func (s *Stream) batch(number int64) []Line {
	s.mu.Lock()
	defer s.mu.Unlock()
	number = max(number, s.droppedLines()+1, 1)
	if number > s.lines {
		if number == s.lines+1 && s.data.size > s.lineStart {
			return []Line{{number, s.lineStart, s.data.size - s.lineStart, s.lineTime, false}}
		}
		return nil
	}
	step := (number - 1) / lineStep
	mark := s.marks[step]
	buf := make([]byte, min(2*binary.MaxVarintLen64*lineStep, s.index.size-mark.index))
	if n, err := s.index.ReadAt(buf, mark.index); err != nil && err != io.EOF {
		buf = buf[:n]
	}
	var lines []Line
	off, at := mark.data, mark.time
	for i := step*lineStep + 1; i <= min(s.lines, (step+1)*lineStep); i++ {
		n, k := binary.Uvarint(buf)
		d, k2 := binary.Uvarint(buf[max(k, 0):])
		if k <= 0 || k2 <= 0 {
			break
		}
		buf = buf[k+k2:]
		at += time.Duration(d)
		if i >= number {
			lines = append(lines, Line{i, off, int64(n) - 1, at, true})
		}
		off += int64(n)
	}
	return lines
}

// LineAt returns the number of the line that holds the byte at off.
func (s *Stream) LineAt(off int64) int64 {
	s.mu.RLock()
	lo := sort.Search(len(s.marks), func(i int) bool { return s.marks[i].data > off })
	s.mu.RUnlock()
	found := int64(1)
	s.Range(int64(max(lo-1, 0))*lineStep+1, func(l Line) bool {
		if l.Offset > off {
			return false
		}
		found = l.Number
		return true
	})
	return found
}

func (s *Stream) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.data.close()
	if e := s.index.close(); err == nil {
		err = e
	}
	return err
}
