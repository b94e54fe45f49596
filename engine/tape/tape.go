// Package tape keeps what the host told a guest: each host call's result and
// the bytes that it put into guest memory. A run repeated on its tape touches
// no clock, network or volume. The package knows nothing of what the calls mean.
package tape

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// memoryLimit is how much of a tape stays in memory, in bytes (our own limit).
const memoryLimit = 32 << 20

// fileLimit is how much goes to the private file; past it the tape is cut.
const fileLimit = 1 << 30

// callLimit is how much one call may put into guest memory; past it the tape is
// cut. It is held in memory until the call's result is known.
const callLimit = 64 << 20

// Tape is written by one goroutine; read it after the run ended.
type Tape struct {
	mem     []byte
	file    *os.File
	out     *bufio.Writer
	size    int64 // of the file
	calls   uint64
	pending []byte // writes of the call that is going on
	writes  uint64
	cut     error // why the tape ends before the run did
}

// New returns an empty tape.
func New() *Tape { return &Tape{} }

// Wrote notes that the host put b at ptr during the call that is going on.
func (t *Tape) Wrote(ptr uint32, b []byte) {
	if t.cut == nil && len(t.pending)+len(b) > callLimit {
		t.cut = fmt.Errorf("one call put over %d bytes into memory", callLimit)
		t.pending = nil
	}
	if t.cut != nil {
		return
	}
	t.pending = binary.AppendUvarint(t.pending, uint64(ptr))
	t.pending = binary.AppendUvarint(t.pending, uint64(len(b)))
	t.pending = append(t.pending, b...)
	t.writes++
}

// Call ends the call that is going on: function fn of the import table gave
// this result.
func (t *Tape) Call(fn uint32, result uint64) {
	if t.cut == nil {
		head := make([]byte, 0, 3*binary.MaxVarintLen64)
		head = binary.AppendUvarint(head, uint64(fn))
		head = binary.AppendUvarint(head, result)
		head = binary.AppendUvarint(head, t.writes)
		t.put(head)
		t.put(t.pending)
		t.calls++
	}
	t.pending, t.writes = t.pending[:0], 0
}

func (t *Tape) put(b []byte) {
	if t.cut != nil {
		return
	}
	if t.out == nil && len(t.mem)+len(b) <= memoryLimit {
		t.mem = append(t.mem, b...)
		return
	}
	if t.out == nil {
		t.spill()
	}
	if t.cut == nil && t.size+int64(len(b)) > fileLimit {
		t.cut = fmt.Errorf("the tape is over %d bytes", fileLimit)
	}
	if t.cut != nil {
		return
	}
	if _, err := t.out.Write(b); err != nil {
		t.cut = fmt.Errorf("write the tape's private file: %w", err)
	}
	t.size += int64(len(b))
}

func (t *Tape) spill() {
	f, err := os.CreateTemp("", "perch-tape-*")
	if err != nil {
		t.cut = fmt.Errorf("make a private file for the tape: %w", err)
		return
	}
	_ = os.Remove(f.Name()) // fails on Windows, where Close removes it
	t.file, t.out = f, bufio.NewWriterSize(f, 1<<16)
}

// Calls is the number of calls on the tape.
func (t *Tape) Calls() uint64 { return t.calls }

// Cut says why the tape ends before its run did, or nil.
func (t *Tape) Cut() error { return t.cut }

// Close releases the tape's file.
func (t *Tape) Close() error {
	if t.file == nil {
		return nil
	}
	name := t.file.Name()
	err := t.file.Close()
	_ = os.Remove(name)
	t.file, t.out = nil, nil
	return err
}

// Write is something that the host put into guest memory.
type Write struct {
	Ptr   uint32
	Bytes []byte
}

// Call is one call on a tape.
type Call struct {
	Func   uint32
	Result uint64
	Writes []Write
}

// ErrEnd says that the tape has no further call.
var ErrEnd = errors.New("the tape ends here")

// Reader reads a tape from its beginning.
type Reader struct {
	t *Tape
	r *bufio.Reader
}

// Reader returns a reader at the first call. Several can be used, one after
// the other or at once.
func (t *Tape) Reader() (*Reader, error) {
	parts := []io.Reader{&sliceReader{t.mem}}
	if t.out != nil {
		if err := t.out.Flush(); err != nil {
			return nil, fmt.Errorf("write the tape's private file: %w", err)
		}
		parts = append(parts, io.NewSectionReader(t.file, 0, t.size))
	}
	return &Reader{t, bufio.NewReader(io.MultiReader(parts...))}, nil
}

type sliceReader struct{ b []byte }

func (s *sliceReader) Read(p []byte) (int, error) {
	if len(s.b) == 0 {
		return 0, io.EOF
	}
	n := copy(p, s.b)
	s.b = s.b[n:]
	return n, nil
}

// Next returns the next call, or ErrEnd.
func (r *Reader) Next() (Call, error) {
	fn, err := binary.ReadUvarint(r.r)
	if errors.Is(err, io.EOF) {
		return Call{}, ErrEnd
	}
	var head [2]uint64
	for i := range head {
		if err == nil {
			head[i], err = binary.ReadUvarint(r.r)
		}
	}
	c := Call{Func: uint32(fn), Result: head[0]}
	for range head[1] {
		if err != nil {
			break
		}
		var w Write
		w, err = r.write()
		c.Writes = append(c.Writes, w)
	}
	if err != nil {
		return Call{}, fmt.Errorf("read the tape: %w", err)
	}
	return c, nil
}

func (r *Reader) write() (Write, error) {
	ptr, err := binary.ReadUvarint(r.r)
	if err != nil {
		return Write{}, err
	}
	n, err := binary.ReadUvarint(r.r)
	if err != nil {
		return Write{}, err
	}
	b := make([]byte, n)
	_, err = io.ReadFull(r.r, b)
	return Write{uint32(ptr), b}, err
}
