package wasi

import (
	"fmt"
	"io"
	"math"

	"perch/engine/abi"
	"perch/engine/guest"
)

// The functions on arguments, environment, clocks, random bytes, exit and
// sockets.

func (c *call) argsGet() Errno         { return c.putStrings(c.p.cfg.Args) }
func (c *call) environGet() Errno      { return c.putStrings(c.p.cfg.Env) }
func (c *call) argsSizesGet() Errno    { return c.putSizes(c.p.cfg.Args) }
func (c *call) environSizesGet() Errno { return c.putSizes(c.p.cfg.Env) }

// putStrings writes pointers to argument 0 and the strings, each with a NUL,
// to argument 1.
func (c *call) putStrings(all []string) Errno {
	list, buf := c.u32(0), c.u32(1)
	for i, s := range all {
		c.mem.PutUint32(c.at(list, uint64(i)*4), buf)
		c.mem.Write(buf, append([]byte(s), 0))
		buf = c.at(buf, uint64(len(s))+1)
	}
	return Success
}

func (c *call) putSizes(all []string) Errno {
	total := 0
	for _, s := range all {
		total += len(s) + 1
	}
	c.out32(0, uint32(len(all)))
	c.out32(1, uint32(total))
	return Success
}

// at returns the address n bytes after ptr; past 32 bits it traps.
func (c *call) at(ptr uint32, n uint64) uint32 {
	sum := uint64(ptr) + n
	if sum > math.MaxUint32 {
		panic(&guest.Trap{Text: fmt.Sprintf("out of bounds memory access: 0x%x bytes after 0x%x", n, ptr)})
	}
	return uint32(sum)
}

// aligned traps when the pointer to a record is misaligned.
func aligned(ptr, to uint32) {
	if ptr%to != 0 {
		panic(&guest.Trap{Text: fmt.Sprintf("misaligned pointer 0x%x, a multiple of %d is needed", ptr, to)})
	}
}

// Clock ids.
const (
	clockRealtime  = 0
	clockMonotonic = 1
	clockThread    = 3 // the last; 2 and 3 count processor time
)

func clockErrno(id uint32) Errno {
	switch {
	case id == clockRealtime, id == clockMonotonic:
		return Success
	case id <= clockThread:
		return EBADF
	}
	return EINVAL
}

func (c *call) clockResGet() Errno {
	if e := clockErrno(c.u32(0)); e != Success {
		return e
	}
	c.out64(1, 1)
	return Success
}

func (c *call) clockTimeGet() Errno {
	if e := clockErrno(c.u32(0)); e != Success {
		return e
	}
	if c.u32(0) == clockRealtime {
		c.out64(2, uint64(c.p.cfg.Clock.Now().UnixNano()))
	} else {
		c.out64(2, uint64(c.p.cfg.Clock.Mono()))
	}
	return Success
}

// randomPiece is how much is made at once, between two looks at Stop.
const randomPiece = 64 << 10

func (c *call) randomGet() Errno {
	ptr, n := c.u32(0), c.u32(1)
	all := c.mem.Read(ptr, n)
	for b := all; len(b) > 0; {
		piece := b[:min(len(b), randomPiece)]
		if _, err := io.ReadFull(c.p.cfg.Random, piece); err != nil {
			return EIO
		}
		b = b[len(piece):]
		c.p.checkStop()
	}
	c.mem.Wrote(ptr, n)
	return Success
}

func (c *call) procExit() Errno {
	c.exit = &ExitError{c.u32(0)}
	return Success
}

// lastSignal is the highest number of the signal enum.
const lastSignal = 30

func (c *call) procRaise() Errno {
	if c.u32(0) > lastSignal {
		return EINVAL
	}
	return ENOTSUP
}

func (c *call) schedYield() Errno { return Success }

// Sockets do not exist (ABI page, Files): an open descriptor is none, another
// is not open.

func (c *call) sockAccept() Errno   { return c.notSocket(c.u32(1) > allFdflags) }
func (c *call) sockRecv() Errno     { return c.notSocket(c.u32(3) > 3) }
func (c *call) sockSend() Errno     { return c.notSocket(c.u32(3) > math.MaxUint16) }
func (c *call) sockShutdown() Errno { return c.notSocket(c.u32(1) > 3) }

func (c *call) notSocket(badFlags bool) Errno {
	if badFlags {
		return EINVAL
	}
	if c.p.get(c.u32(0)) == nil {
		return EBADF
	}
	return ENOTSOCK
}

// piece is how many bytes are moved at once, between two looks at Stop.
const piece = abi.BulkStep
