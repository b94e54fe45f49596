package wasi

import (
	"errors"
	"io/fs"
	"os"

	"perch/engine/event"
)

// Flags of path_open.
const (
	openCreate    = 1 << 0
	openDirectory = 1 << 1
	openExclusive = 1 << 2
	openTruncate  = 1 << 3
	allOflags     = 1<<4 - 1
)

// opening is how a file is to be opened.
type opening struct {
	create, exclusive, directory, truncate bool
	read, write, follow                    bool
	flags                                  uint16
}

// opening reads the flags of path_open: as wasmtime, creating and truncating
// open for writing, and what is not opened for writing is opened for reading.
func (c *call) opening() (opening, Errno) {
	lookup, oflags, fdflags := c.u32(1), c.u32(4), c.u32(7)
	if lookup > lookupFollow || oflags > allOflags || fdflags > allFdflags {
		return opening{}, EINVAL
	}
	o := opening{
		create:    oflags&openCreate != 0,
		exclusive: oflags&openExclusive != 0,
		directory: oflags&openDirectory != 0,
		truncate:  oflags&openTruncate != 0,
		follow:    lookup == lookupFollow,
		flags:     uint16(fdflags),
	}
	wantWrite := c.args[5]&rightWrite != 0
	o.read = c.args[5]&rightRead != 0 || !wantWrite
	o.write = wantWrite || o.create || o.truncate
	return o, Success
}

func (c *call) pathOpen() Errno {
	o, bad := c.opening()
	if bad != Success {
		return bad
	}
	t := target{fd: c.u32(0)}
	t.path, bad = c.readPath(c.u32(2), c.u32(3))
	c.path = t.path
	switch d := c.p.get(t.fd).(type) {
	case *dir:
		t.dir, t.guest = d, d.guestPath(t.path)
	case *file:
		return c.refused(t.path, "", t.fd, ENOTDIR, "")
	default:
		return c.refused(t.path, "", t.fd, EBADF, "")
	}
	if bad != Success {
		return c.refused(t.guest, "", t.fd, bad, "")
	}
	d, effect, err := c.open(t, o)
	if err != nil {
		return c.fail(t, err)
	}
	fd := c.p.add(d)
	effect.Path, effect.FD = t.guest, fd
	c.p.file(effect)
	if f, ok := d.(*file); ok && o.truncate && effect.Op == event.FileOpen {
		c.p.file(event.FileEffect{Op: event.FileTruncate, Path: f.guest, FD: fd})
	}
	c.out32(8, fd)
	return Success
}

// open opens what t names and says what that did.
func (c *call) open(t target, o opening) (descriptor, event.FileEffect, error) {
	opened := event.FileEffect{Op: event.FileOpen}
	switch {
	case o.flags&(fdDsync|fdRsync|fdSync) != 0:
		return nil, opened, ENOTSUP
	case o.directory && (o.create || o.exclusive || o.truncate):
		return nil, opened, EINVAL
	case c.p.full():
		return nil, opened, EMFILE
	}
	if o.write {
		if err := t.writable(); err != nil {
			return nil, opened, err
		}
	}
	pl, err := t.dir.find(t.path, o.follow && !(o.create && o.exclusive))
	if err != nil {
		return nil, opened, err
	}
	defer pl.release()
	if pl.missing() {
		if !o.create {
			return nil, opened, pl.err
		}
		if pl.slash {
			return nil, opened, EISDIR
		}
		f, err := c.createFile(t, pl, o)
		if err == nil || !errors.Is(err, fs.ErrExist) || o.exclusive {
			opened.Op = event.FileCreate
			return f, opened, err
		}
		// Something came into being meanwhile: look again.
		if pl.stat, pl.err = pl.lstat(pl.base); pl.err != nil {
			return nil, opened, pl.err
		}
	}
	d, err := t.openExisting(pl, o)
	return d, opened, err
}

func (c *call) createFile(t target, pl *place, o opening) (descriptor, error) {
	var f *os.File
	err := c.p.create(func() (err error) {
		f, err = pl.create(pl.base, o.read, o.write)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &file{f: f, mount: t.dir.mount, guest: t.guest, read: o.read, write: o.write, flags: o.flags}, nil
}

// openExisting opens what was seen at pl: a folder or a regular file, nothing
// else.
func (t target) openExisting(pl *place, o opening) (descriptor, error) {
	switch k := pl.stat.kind; {
	case o.create && o.exclusive:
		return nil, EEXIST
	case k == kindLink:
		return nil, ELOOP
	case k == kindDir && o.write:
		return nil, EISDIR
	case k == kindDir:
		fo, err := pl.openFolder(pl.base, pl.stat)
		if err != nil {
			return nil, err
		}
		return &dir{folder: fo, mount: t.dir.mount, guest: t.guest}, nil
	case o.directory || pl.slash:
		return nil, ENOTDIR
	case k != kindFile:
		return nil, special(k)
	}
	f, err := pl.openFile(o.read, o.write, o.truncate)
	if err != nil {
		return nil, err
	}
	return &file{f: f, mount: t.dir.mount, guest: t.guest, read: o.read, write: o.write, flags: o.flags}, nil
}

// openFile opens a file and makes sure that it is a regular one.
func (pl *place) openFile(read, write, truncate bool) (*os.File, error) {
	f, err := pl.spot.open(pl.base, read, write)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = special(kindOfMode(info.Mode()))
	}
	if err == nil && truncate {
		err = f.Truncate(0)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// special is the answer to the opening of a file that could block or do
// something: our choice (wasmtime opens it).
func special(k kind) error {
	return &refusal{EPERM, "it is " + k.String() + "; only files and folders are opened"}
}
