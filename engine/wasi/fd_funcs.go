package wasi

import (
	"encoding/binary"
	"math"
	"time"

	"perch/engine/event"
)

// The functions on open descriptors, but for reading and writing.

// Flags of a descriptor.
const (
	fdAppend   = 1 << 0
	fdDsync    = 1 << 1
	fdNonblock = 1 << 2
	fdRsync    = 1 << 3
	fdSync     = 1 << 4
	allFdflags = 1<<5 - 1
)

// Rights. They are shown as wasmtime shows them and enforced by how a file was
// opened alone.
const (
	rightRead             = 1 << 1
	rightSeek             = 1 << 2
	rightWrite            = 1 << 6
	rightReaddir          = 1 << 14
	rightPathSetSize      = 1 << 19
	rightSetSize          = 1 << 22
	rightPoll             = 1 << 27
	allRights             = 1<<30 - 1
	rightsOfPreopen       = (1<<27 - 1<<9) &^ (rightPathSetSize | rightSetSize)
	rightsOfFiles         = 1<<9 - 1 | rightSetSize | rightPoll
	rightsPreopenInherits = rightsOfPreopen | rightsOfFiles
)

// lastAdvice is the highest number of the advice enum.
const lastAdvice = 5

func (c *call) fdAdvise() Errno {
	if c.u32(3) > lastAdvice {
		return EINVAL
	}
	if _, e := c.p.getFile(c.u32(0)); e != Success {
		return e
	}
	if c.args[1] > math.MaxInt64 || c.args[2] > math.MaxInt64-c.args[1] {
		return EINVAL
	}
	return Success
}

// fdAllocate answers ENOTSUP (ABI page, Files) and leaves the file as it is.
func (c *call) fdAllocate() Errno {
	if _, e := c.p.getFile(c.u32(0)); e != Success {
		return e
	}
	return ENOTSUP
}

func (c *call) fdClose() Errno {
	fd := c.u32(0)
	if c.p.get(fd) == nil {
		return EBADF
	}
	return errnoOf(c.p.free(fd))
}

// fdSync answers at once: nothing of a run must outlive the machine.
func (c *call) fdSync() Errno {
	_, e := c.p.getFile(c.u32(0))
	return e
}

func (c *call) fdFdstatGet() Errno {
	var k kind
	var base, inherit uint64
	var flags uint16
	switch d := c.p.get(c.u32(0)).(type) {
	case *stdio:
		base = rightRead
		if d.write != nil {
			base = rightWrite
		}
		inherit = base
	case *dir:
		k, base, inherit = kindDir, rightsOfPreopen, rightsPreopenInherits
		if !d.preopen {
			base = allRights &^ rightSeek &^ rightSetSize &^ rightPathSetSize &^ rightWrite
			inherit = base
		}
	case *file:
		k, base, flags = kindFile, allRights, d.flags
		if !d.read {
			base &^= rightRead | rightReaddir
		}
		if !d.write {
			base &^= rightWrite
		}
		inherit = base
	default:
		return EBADF
	}
	var b [24]byte
	b[0] = byte(k)
	binary.LittleEndian.PutUint16(b[2:], flags)
	binary.LittleEndian.PutUint64(b[8:], base)
	binary.LittleEndian.PutUint64(b[16:], inherit)
	c.record(1, 8, b[:])
	c.outs = append(c.outs, uint64(k), uint64(flags), base, inherit)
	return Success
}

// record writes a record through the pointer in argument i.
func (c *call) record(i int, align uint32, b []byte) {
	aligned(c.u32(i), align)
	c.mem.Write(c.u32(i), b)
}

func (c *call) fdFdstatSetFlags() Errno {
	flags := c.u32(1)
	if flags > allFdflags {
		return EINVAL
	}
	f, e := c.p.getFile(c.u32(0))
	if e != Success {
		return e
	}
	if flags&(fdDsync|fdRsync|fdSync) != 0 {
		return EINVAL
	}
	f.flags = uint16(flags)
	return Success
}

func (c *call) fdFdstatSetRights() Errno {
	switch c.p.get(c.u32(0)).(type) {
	case *dir, *file:
		return ENOTSUP
	}
	return EBADF
}

func (c *call) fdFilestatGet() Errno {
	var st stat
	var err error
	switch d := c.p.get(c.u32(0)).(type) {
	case *stdio:
		c.putFilestat(1, 0, 0, &st)
		return Success
	case *dir:
		st, err = d.stat()
	case *file:
		st, err = statFile(d)
	default:
		return EBADF
	}
	if err != nil {
		return errnoOf(err)
	}
	c.putFilestat(1, 1, st.id(), &st)
	return Success
}

// putFilestat writes a filestat record through the pointer in argument i.
func (c *call) putFilestat(i int, dev, ino uint64, st *stat) {
	var b [64]byte
	values := [8]uint64{
		dev, ino, uint64(st.kind), st.nlink, st.size,
		uint64(max(st.atim, 0)), uint64(max(st.mtim, 0)), uint64(max(st.ctim, 0)),
	}
	for j, v := range values {
		binary.LittleEndian.PutUint64(b[8*j:], v)
	}
	c.record(i, 8, b[:])
	c.outs = append(c.outs, values[:]...)
}

func (c *call) fdFilestatSetSize() Errno {
	f, e := c.p.getFile(c.u32(0))
	if e != Success {
		return e
	}
	errno, why := c.setSize(f, c.args[1])
	if errno != Success {
		c.refused(f.guest, "", c.u32(0), errno, why)
	}
	return errno
}

// setSize makes f so long; growth is charged like bytes written.
func (c *call) setSize(f *file, size uint64) (Errno, string) {
	if f.mount.readOnly {
		return EPERM, readOnlyWhy(f.mount)
	}
	if !f.write || size > math.MaxInt64 {
		return EINVAL, ""
	}
	st, err := statFile(f)
	if err != nil {
		return errnoOf(err), ""
	}
	grow := max(int64(size)-int64(st.size), 0)
	budget := c.p.cfg.Budget
	if !budget.Charge(grow) {
		return EDQUOT, budgetWhy(budget)
	}
	if err := f.f.Truncate(int64(size)); err != nil {
		budget.Refund(grow)
		return errnoOf(err), ""
	}
	f.end = int64(size)
	c.p.file(event.FileEffect{Op: event.FileTruncate, Path: f.guest, FD: c.u32(0), Bytes: int64(size)})
	return Success, ""
}

// Flags of the functions that set times.
const (
	setAtim    = 1 << 0
	setAtimNow = 1 << 1
	setMtim    = 1 << 2
	setMtimNow = 1 << 3
	allFst     = 1<<4 - 1
)

// badTimes reports whether the flags contradict each other or a time is none
// that fits 63 bits.
func badTimes(atim, mtim uint64, flags uint32) bool {
	return flags > allFst ||
		flags&setAtim != 0 && atim > math.MaxInt64 ||
		flags&setMtim != 0 && mtim > math.MaxInt64 ||
		flags&(setAtim|setAtimNow) == setAtim|setAtimNow ||
		flags&(setMtim|setMtimNow) == setMtim|setMtimNow
}

// times are the two times to set; a zero time stays as it is.
func (c *call) times(atim, mtim uint64, flags uint32) (a, m time.Time) {
	pick := func(set uint64, to, now uint32) time.Time {
		switch {
		case flags&to != 0:
			return time.Unix(int64(set/1e9), int64(set%1e9))
		case flags&now != 0:
			return c.p.cfg.Clock.Now()
		}
		return time.Time{}
	}
	return pick(atim, setAtim, setAtimNow), pick(mtim, setMtim, setMtimNow)
}

func (c *call) fdFilestatSetTimes() Errno {
	fd, flags := c.u32(0), c.u32(3)
	if badTimes(c.args[1], c.args[2], flags) {
		return EINVAL
	}
	var name string
	var m *mount
	var set func(a, m time.Time) error
	switch d := c.p.get(fd).(type) {
	case *dir:
		name, m = d.guest, d.mount
		set = func(a, m time.Time) error { return setFolderTimes(d.folder, a, m) }
	case *file:
		name, m = d.guest, d.mount
		set = func(a, m time.Time) error { return setFileTimes(d, a, m) }
	default:
		return EBADF
	}
	if m.readOnly {
		return c.refused(name, "", fd, EPERM, readOnlyWhy(m))
	}
	if err := set(c.times(c.args[1], c.args[2], flags)); err != nil {
		return c.refused(name, "", fd, errnoOf(err), "")
	}
	c.p.file(event.FileEffect{Op: event.FileTimes, Path: name, FD: fd})
	return Success
}

func (c *call) fdPrestatGet() Errno {
	d, e := c.p.getDir(c.u32(0))
	if e != Success || !d.preopen {
		return EBADF
	}
	var b [8]byte
	binary.LittleEndian.PutUint32(b[4:], uint32(len(d.guest)))
	c.record(1, 4, b[:])
	c.outs = append(c.outs, uint64(len(d.guest)))
	return Success
}

func (c *call) fdPrestatDirName() Errno {
	switch d := c.p.get(c.u32(0)).(type) {
	case nil:
		return EBADF
	case *dir:
		if !d.preopen {
			break
		}
		if uint64(len(d.mount.guest)) > uint64(c.u32(2)) {
			return ENAMETOOLONG
		}
		c.mem.Write(c.u32(1), []byte(d.mount.guest))
		c.path = d.mount.guest
		return Success
	}
	return ENOTDIR
}

func (c *call) fdRenumber() Errno {
	from, to := c.u32(0), c.u32(1)
	if c.p.get(from) == nil || c.p.get(to) == nil {
		return EBADF
	}
	if from == to {
		return Success
	}
	errno := errnoOf(c.p.free(to))
	c.p.fds[to], c.p.fds[from] = c.p.fds[from], nil
	return errno
}

// Whence of fd_seek.
const (
	whenceSet = 0
	whenceCur = 1
	whenceEnd = 2
)

func (c *call) fdSeek() Errno {
	if c.u32(2) > whenceEnd {
		return EINVAL
	}
	f, e := c.seekable(c.u32(0))
	if e != Success {
		return e
	}
	var from int64
	switch c.u32(2) {
	case whenceCur:
		from = f.pos
	case whenceEnd:
		st, err := statFile(f)
		if err != nil {
			return errnoOf(err)
		}
		from = int64(st.size)
	}
	by := int64(c.args[1])
	if by > 0 && from > math.MaxInt64-by || from+by < 0 {
		return EINVAL
	}
	f.pos = from + by
	c.out64(3, uint64(f.pos))
	return Success
}

func (c *call) fdTell() Errno {
	f, e := c.seekable(c.u32(0))
	if e != Success {
		return e
	}
	c.out64(1, uint64(f.pos))
	return Success
}

func (c *call) seekable(fd uint32) (*file, Errno) {
	if _, ok := c.p.get(fd).(*stdio); ok {
		return nil, ESPIPE
	}
	return c.p.getFile(fd)
}

// refused reports a failed attempt on a file and returns its errno.
func (c *call) refused(path, newPath string, fd uint32, errno Errno, why string) Errno {
	c.p.file(event.FileEffect{
		Op: event.FileRefused, Path: path, NewPath: newPath, FD: fd, Errno: uint16(errno), Note: why,
	})
	return errno
}

func readOnlyWhy(m *mount) string { return m.guest + notedReadOnly }
