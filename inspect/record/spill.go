package record

import (
	"fmt"
	"io"
	"os"
)

const chunkSize = 1 << 20 // of a spill's memory

// spill is an append-only store of bytes: in memory up to memLimit, then in a
// private temporary file up to fileLimit, then the oldest bytes go, counted.
// The caller serialises access.
type spill struct {
	memLimit  int64
	fileLimit int64

	chunks [][]byte // the newest bytes, each of chunkSize but the last
	base   int64    // offset of chunks[0]
	size   int64    // offset of the next byte
	start  int64    // offset of the oldest byte kept

	file    *os.File
	failed  error // the file could not be written: what would go there is dropped
	newFile func() (*os.File, error)
}

func newSpill(memLimit, fileLimit int64) *spill {
	return &spill{memLimit: memLimit, fileLimit: fileLimit, newFile: privateFile}
}

// privateFile returns a temporary file that only this user can open. It is
// removed from its folder at once where the system allows that.
func privateFile() (*os.File, error) {
	f, err := os.CreateTemp("", "perch-record-*")
	if err != nil {
		return nil, fmt.Errorf("make a private file for the record: %w", err)
	}
	_ = os.Remove(f.Name()) // fails on Windows, where close removes it
	return f, nil
}

func (s *spill) append(b []byte) {
	for len(b) > 0 {
		last := len(s.chunks) - 1
		if last < 0 || len(s.chunks[last]) == chunkSize {
			s.makeRoom()
			// The first chunk grows as it is used: most streams are short.
			var c []byte
			if len(s.chunks) > 0 {
				c = make([]byte, 0, chunkSize)
			}
			s.chunks = append(s.chunks, c)
			last = len(s.chunks) - 1
		}
		n := min(len(b), chunkSize-len(s.chunks[last]))
		s.chunks[last] = append(s.chunks[last], b[:n]...)
		s.size += int64(n)
		b = b[n:]
	}
}

// makeRoom moves the oldest full chunk to the file when memory is full.
func (s *spill) makeRoom() {
	if int64(len(s.chunks)+1)*chunkSize <= s.memLimit || len(s.chunks) == 0 {
		return
	}
	c := s.chunks[0]
	if s.write(c) {
		s.start = max(s.start, s.base+int64(len(c))-s.ring())
	} else {
		s.start = s.base + int64(len(c))
	}
	s.base += int64(len(c))
	s.chunks[0] = nil
	s.chunks = s.chunks[1:]
}

// write puts a chunk into the file, which is a ring of fileLimit bytes.
func (s *spill) write(c []byte) bool {
	if s.failed != nil || s.ring() == 0 {
		return false
	}
	if s.file == nil {
		s.file, s.failed = s.newFile()
		if s.failed != nil {
			return false
		}
	}
	_, err := s.file.WriteAt(c, s.base%s.ring())
	if err != nil {
		s.failed = fmt.Errorf("write the record's private file: %w", err)
		return false
	}
	return true
}

// ring is the file's size: a whole number of chunks, so that none wraps.
func (s *spill) ring() int64 { return s.fileLimit / chunkSize * chunkSize }

// ReadAt implements io.ReaderAt. Bytes that are no longer kept are io.ErrUnexpectedEOF.
func (s *spill) ReadAt(p []byte, off int64) (int, error) {
	n := 0
	for n < len(p) {
		at := off + int64(n)
		switch {
		case at >= s.size:
			return n, io.EOF
		case at < s.start:
			return n, io.ErrUnexpectedEOF
		case at >= s.base:
			i := (at - s.base) / chunkSize
			n += copy(p[n:], s.chunks[i][(at-s.base)%chunkSize:])
		default:
			inChunk := min(int64(len(p)-n), chunkSize-at%chunkSize, s.base-at)
			m, err := s.file.ReadAt(p[n:n+int(inChunk)], at%s.ring())
			n += m
			if err != nil {
				return n, fmt.Errorf("read the record's private file: %w", err)
			}
		}
	}
	return n, nil
}

func (s *spill) close() error {
	if s.file == nil {
		return nil
	}
	name := s.file.Name()
	err := s.file.Close()
	_ = os.Remove(name) // already gone where removing an open file is allowed
	s.file = nil
	return err
}
