package wasi

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"perch/engine/event"
	"perch/engine/quote"
)

// Reading and writing.

// firstBuffer returns the first non-empty buffer of a list: fd_read, fd_write
// and their kin use no other, as wasmtime does, so that a guest which ignores
// the returned count is found out.
func (c *call) firstBuffer(list, n uint32) (ptr, length uint32) {
	for i := range uint64(n) {
		at := c.at(list, i*8)
		aligned(at, 4)
		b := c.mem.Read(at, 8)
		if length = binary.LittleEndian.Uint32(b[4:]); length > 0 {
			return binary.LittleEndian.Uint32(b), length
		}
		if i%4096 == 4095 {
			c.p.checkStop()
		}
	}
	return 0, 0
}

func (c *call) fdRead() Errno {
	ptr, n := c.firstBuffer(c.u32(1), c.u32(2))
	switch d := c.p.get(c.u32(0)).(type) {
	case *file:
		got, e := c.readFile(d, ptr, n, d.pos)
		if e != Success {
			return e
		}
		d.pos += int64(got)
		c.out32(3, got)
		return Success
	case *stdio:
		if d.write != nil {
			break
		}
		got, e := c.readStdin(ptr, n)
		if e != Success {
			return e
		}
		c.out32(3, got)
		return Success
	}
	return EBADF
}

func (c *call) readStdin(ptr, n uint32) (uint32, Errno) {
	if n == 0 {
		return 0, Success
	}
	got, e := c.p.cfg.Stdin.Read(c.mem.Read(ptr, n))
	if e != Success {
		return 0, e
	}
	c.mem.Wrote(ptr, uint32(got))
	return uint32(got), Success
}

func (c *call) fdPread() Errno {
	ptr, n := c.firstBuffer(c.u32(1), c.u32(2))
	switch d := c.p.get(c.u32(0)).(type) {
	case *file:
		if c.args[3] > math.MaxInt64 {
			return EINVAL
		}
		got, e := c.readFile(d, ptr, n, int64(c.args[3]))
		if e != Success {
			return e
		}
		c.out32(4, got)
		return Success
	case *stdio:
		if d.write == nil {
			return ESPIPE
		}
	}
	return EBADF
}

// readFile reads at an offset into guest memory, piece by piece.
func (c *call) readFile(f *file, ptr, n uint32, off int64) (uint32, Errno) {
	if !f.read {
		return 0, EBADF
	}
	all := c.mem.Read(ptr, n)
	got := 0
	for got < len(all) {
		part := all[got:min(got+piece, len(all))]
		if off > math.MaxInt64-int64(len(all)) {
			break // past any file
		}
		m, err := f.f.ReadAt(part, off+int64(got))
		got += m
		if err != nil && !errors.Is(err, io.EOF) && got == 0 {
			return 0, errnoOf(err)
		}
		if m < len(part) {
			break
		}
		c.p.checkStop()
	}
	c.mem.Wrote(ptr, uint32(got))
	c.p.file(event.FileEffect{Op: event.FileRead, Path: f.guest, FD: c.u32(0), Offset: off, Bytes: int64(got)})
	return uint32(got), Success
}

func (c *call) fdWrite() Errno {
	ptr, n := c.firstBuffer(c.u32(1), c.u32(2))
	switch d := c.p.get(c.u32(0)).(type) {
	case *stdio:
		if d.write == nil {
			break
		}
		c.writeStream(d, ptr, n)
		c.out32(3, n)
		return Success
	case *file:
		off, e := c.writeOffset(d, d.pos)
		if e != Success {
			return e
		}
		put, e := c.writeFile(d, c.mem.Read(ptr, n), off)
		if e != Success {
			return e
		}
		d.pos = off + int64(put)
		c.out32(3, uint32(put))
		return Success
	}
	return EBADF
}

func (c *call) writeStream(d *stdio, ptr, n uint32) {
	for b := c.mem.Read(ptr, n); len(b) > 0; {
		part := b[:min(len(b), piece)]
		d.write(part)
		if b = b[len(part):]; len(b) > 0 {
			c.p.checkStop()
		}
	}
}

func (c *call) fdPwrite() Errno {
	ptr, n := c.firstBuffer(c.u32(1), c.u32(2))
	switch d := c.p.get(c.u32(0)).(type) {
	case *stdio:
		if d.write != nil {
			return ESPIPE
		}
	case *file:
		if c.args[3] > math.MaxInt64 {
			return EINVAL
		}
		off, e := c.writeOffset(d, int64(c.args[3]))
		if e != Success {
			return e
		}
		put, e := c.writeFile(d, c.mem.Read(ptr, n), off)
		if e != Success {
			return e
		}
		c.out32(4, uint32(put))
		return Success
	}
	return EBADF
}

// writeOffset is where a write goes: to the end in append mode, fd_pwrite's
// too, as wasmtime does.
func (c *call) writeOffset(f *file, off int64) (int64, Errno) {
	if f.flags&fdAppend == 0 {
		return off, Success
	}
	st, err := statFile(f)
	if err != nil {
		return 0, errnoOf(err)
	}
	f.end = int64(st.size)
	return f.end, Success
}

// writeFile writes b at an offset, piece by piece. All of it is charged
// before, so that a write that would cross the budget is refused whole.
func (c *call) writeFile(f *file, b []byte, off int64) (int, Errno) {
	if !f.write {
		return 0, EBADF
	}
	if len(b) == 0 {
		return 0, Success
	}
	if off > math.MaxInt64-int64(len(b)) {
		return 0, EFBIG
	}
	gap, e := f.gap(off)
	if e != Success {
		return 0, e
	}
	budget := c.p.cfg.Budget
	charged := gap + int64(len(b))
	if charged < 0 || !budget.Charge(charged) {
		return 0, c.refused(f.guest, "", c.u32(0), EDQUOT, budgetWhy(budget))
	}
	put := 0
	// A panic in an observer or at Stop leaves by here too.
	defer func() {
		unused := int64(len(b) - put)
		if put == 0 {
			unused += gap
		}
		budget.Refund(unused)
	}()
	for put < len(b) {
		part := b[put:min(put+piece, len(b))]
		m, err := f.f.WriteAt(part, off+int64(put))
		if m > 0 {
			c.wrote(f, part[:m], off+int64(put))
			put += m
			f.end = max(f.end, off+int64(put))
		}
		if err != nil {
			if put > 0 {
				break
			}
			return 0, c.refused(f.guest, "", c.u32(0), errnoOf(err), "")
		}
		c.p.checkStop()
	}
	return put, Success
}

func (c *call) wrote(f *file, b []byte, off int64) {
	if c.p.cfg.Observer == nil {
		return
	}
	c.p.file(event.FileEffect{
		Op: event.FileWrite, Path: f.guest, FD: c.u32(0), Offset: off, Bytes: int64(len(b)),
		Data: append([]byte(nil), b...),
	})
}

// gap is how far a write at off would lie past the end of the file: bytes that
// the file grows by without being written.
func (f *file) gap(off int64) (int64, Errno) {
	if off <= f.end {
		return 0, Success
	}
	st, err := statFile(f)
	if err != nil {
		return 0, errnoOf(err)
	}
	f.end = int64(st.size)
	return max(off-f.end, 0), Success
}

func budgetWhy(b *Budget) string {
	return fmt.Sprintf("the write budget is %s bytes, %s are written", quote.Count(b.Limit()), quote.Count(b.Written()))
}

func filesWhy(b *Budget) string {
	return fmt.Sprintf("%s files, folders and links were created"+notedFiles, quote.Count(b.Created()))
}
