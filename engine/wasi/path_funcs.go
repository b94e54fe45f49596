package wasi

import (
	"fmt"
	"strings"

	"perch/engine/event"
)

// The functions on paths, but for path_open.

// lookupFollow is the one flag of lookupflags.
const lookupFollow = 1

// target is a path argument with its folder: what most functions begin with.
type target struct {
	fd    uint32
	dir   *dir
	path  string
	guest string
}

// target reads a path argument: the descriptor is argument fd, the path's
// pointer argument at.
func (c *call) target(fd, at int, path *string) (target, Errno) {
	t := target{fd: c.u32(fd)}
	var e, bad Errno
	t.dir, e = c.p.getDir(t.fd)
	t.path, bad = c.readPath(c.u32(at), c.u32(at+1))
	*path = t.path
	if e != Success {
		return t, e
	}
	t.guest = t.dir.guestPath(t.path)
	return t, bad
}

// fail reports a refused attempt.
func (c *call) fail(t target, err error) Errno {
	return c.refused(t.guest, "", t.fd, errnoOf(err), whyOf(err))
}

// writable is the first check of whatever changes a mount.
func (t target) writable() error {
	if t.dir.mount.readOnly {
		return &refusal{EPERM, readOnlyWhy(t.dir.mount)}
	}
	return nil
}

// create runs make, which makes a new file, folder or link, against the
// budget.
func (p *Process) create(make func() error) error {
	budget := p.cfg.Budget
	if !budget.Create() {
		return &refusal{EDQUOT, filesWhy(budget)}
	}
	err := make()
	if err != nil {
		budget.Uncreate()
	}
	return err
}

// in finds the place of path and runs act on it.
func (d *dir) in(path string, follow bool, act func(*place) error) error {
	pl, err := d.find(path, follow)
	if err != nil {
		return err
	}
	defer pl.release()
	return act(pl)
}

func (c *call) pathCreateDirectory() Errno {
	return c.change(event.FileMkdir, func(pl *place, _ bool) error {
		if !pl.missing() {
			return EEXIST
		}
		return c.p.create(func() error { return pl.mkdir(pl.base) })
	})
}

// absolute keeps the slash of a path that is nothing else.
func absolute(path string) string {
	if strings.Trim(path, "/") == "" {
		return "/"
	}
	return ""
}

// noLink finds a place without following a link at its end, be there a slash
// after it or not; slash tells.
func (t target) noLink(act func(pl *place, slash bool) error) error {
	bare := strings.TrimRight(t.path, "/") + absolute(t.path)
	return t.dir.in(bare, false, func(pl *place) error {
		return act(pl, bare != t.path)
	})
}

func (c *call) pathUnlinkFile() Errno {
	return c.change(event.FileRemove, func(pl *place, slash bool) error {
		switch {
		case pl.err != nil:
			return pl.err
		case pl.stat.kind == kindDir:
			return EISDIR
		case slash:
			return ENOTDIR
		}
		return pl.unlink(pl.base)
	})
}

func (c *call) pathRemoveDirectory() Errno {
	return c.change(event.FileRmdir, func(pl *place, _ bool) error {
		switch {
		case pl.err != nil:
			return pl.err
		case pl.stat.kind != kindDir:
			return ENOTDIR
		case pl.base == ".":
			return EINVAL
		}
		return pl.rmdir(pl.base)
	})
}

// change runs a function that changes what is at one path. A link there is
// meant itself.
func (c *call) change(op event.FileOp, act func(pl *place, slash bool) error) Errno {
	t, e := c.target(0, 1, &c.path)
	if e != Success {
		return c.refused(t.guest, "", t.fd, e, "")
	}
	err := t.writable()
	if err == nil {
		err = t.noLink(act)
	}
	if err != nil {
		return c.fail(t, err)
	}
	c.p.file(event.FileEffect{Op: op, Path: t.guest, FD: t.fd})
	return Success
}

func (c *call) pathFilestatGet() Errno {
	if c.u32(1) > lookupFollow {
		return EINVAL
	}
	t, e := c.target(0, 2, &c.path)
	if e != Success {
		return e
	}
	var st stat
	err := t.dir.in(t.path, c.u32(1) == lookupFollow, func(pl *place) error {
		st = pl.stat
		return pl.look()
	})
	if err != nil {
		return c.looked(t, err)
	}
	c.putFilestat(4, 1, st.id(), &st)
	return Success
}

// look is the error of a function that wants something to be there.
func (pl *place) look() error {
	if pl.err == nil && pl.slash && pl.stat.kind != kindDir {
		return ENOTDIR
	}
	return pl.err
}

// looked is the end of a function that only looks: what is not there is no
// event, an attempt to get out is.
func (c *call) looked(t target, err error) Errno {
	if whyOf(err) != "" {
		return c.fail(t, err)
	}
	return errnoOf(err)
}

func (c *call) pathFilestatSetTimes() Errno {
	flags := c.u32(6)
	if c.u32(1) > lookupFollow || badTimes(c.args[4], c.args[5], flags) {
		return EINVAL
	}
	t, e := c.target(0, 2, &c.path)
	if e != Success {
		return c.refused(t.guest, "", t.fd, e, "")
	}
	err := t.writable()
	if err == nil {
		err = t.dir.in(t.path, c.u32(1) == lookupFollow, func(pl *place) error {
			if err := pl.look(); err != nil {
				return err
			}
			a, m := c.times(c.args[4], c.args[5], flags)
			return pl.setTimes(pl.base, &pl.stat, a, m)
		})
	}
	if err != nil {
		return c.fail(t, err)
	}
	c.p.file(event.FileEffect{Op: event.FileTimes, Path: t.guest, FD: t.fd})
	return Success
}

// pair reads the two paths of path_link and path_rename.
func (c *call) pair(fd, at, newFD, newAt int) (from, to target, e Errno) {
	from, e = c.target(fd, at, &c.path)
	to, bad := c.target(newFD, newAt, &c.newPath)
	if e == Success {
		e = bad
	}
	return from, to, e
}

func (c *call) failPair(from, to target, err error) Errno {
	why := whyOf(err)
	if errnoOf(err) == EXDEV {
		why = crossWhy(from.dir.mount, to.dir.mount)
	}
	return c.refused(from.guest, to.guest, from.fd, errnoOf(err), why)
}

func crossWhy(a, b *mount) string {
	if portable {
		return fmt.Sprintf("%s and %s are two mounts", a.guest, b.guest)
	}
	return fmt.Sprintf("%s and %s lie on two file systems", a.guest, b.guest)
}

// both runs act on the places of both paths.
func both(from, to target, act func(a, b *place, slashA, slashB bool) error) error {
	if err := from.writable(); err != nil {
		return err
	}
	if err := to.writable(); err != nil {
		return err
	}
	return from.noLink(func(a *place, slashA bool) error {
		return to.noLink(func(b *place, slashB bool) error { return act(a, b, slashA, slashB) })
	})
}

func (c *call) pathLink() Errno {
	if c.u32(1) > lookupFollow {
		return EINVAL
	}
	from, to, e := c.pair(0, 2, 4, 5)
	if e != Success {
		return c.refused(from.guest, to.guest, from.fd, e, "")
	}
	err := both(from, to, func(a, b *place, slashA, slashB bool) error {
		switch {
		case c.u32(1) == lookupFollow:
			return EINVAL // as wasmtime
		case a.err != nil:
			return a.err
		case a.stat.kind == kindDir:
			return EPERM
		case slashA:
			return ENOTDIR
		case !b.missing():
			return EEXIST
		case slashB:
			return ENOENT
		}
		return c.p.create(func() error { return link(a.spot, a.base, b.spot, b.base) })
	})
	if err != nil {
		return c.failPair(from, to, err)
	}
	c.p.file(event.FileEffect{Op: event.FileLink, Path: from.guest, NewPath: to.guest, FD: from.fd})
	return Success
}

func (c *call) pathRename() Errno {
	from, to, e := c.pair(0, 1, 3, 4)
	if e != Success {
		return c.refused(from.guest, to.guest, from.fd, e, "")
	}
	err := both(from, to, func(a, b *place, slashA, slashB bool) error {
		switch {
		case a.err != nil:
			return a.err
		case a.base == "." || b.base == ".":
			return EBUSY
		case (slashA || slashB) && a.stat.kind != kindDir:
			return ENOTDIR
		case slashB && !b.missing() && b.stat.kind != kindDir:
			return ENOTDIR
		}
		return rename(a.spot, a.base, b.spot, b.base)
	})
	if err != nil {
		return c.failPair(from, to, err)
	}
	c.p.renamed(from.guest, to.guest)
	c.p.file(event.FileEffect{Op: event.FileRename, Path: from.guest, NewPath: to.guest, FD: from.fd})
	return Success
}

// renamed keeps the names of open descriptors right.
func (p *Process) renamed(from, to string) {
	moved := func(name string) string {
		if name == from {
			return to
		}
		if rest, ok := strings.CutPrefix(name, from+"/"); ok {
			return to + "/" + rest
		}
		return name
	}
	for _, d := range p.fds {
		switch d := d.(type) {
		case *file:
			d.guest = moved(d.guest)
		case *dir:
			d.guest = moved(d.guest)
		}
	}
}

func (c *call) pathSymlink() Errno {
	content, bad := c.readPath(c.u32(0), c.u32(1))
	c.path = content
	t, e := c.target(2, 3, &c.newPath)
	if e == Success {
		e = bad
	}
	if e != Success {
		return c.refused(t.guest, content, t.fd, e, "")
	}
	err := t.writable()
	if err == nil && strings.HasPrefix(content, "/") {
		// As wasmtime: such a link would lead out wherever it is followed.
		err = escape("a link to an absolute path leads out of " + t.dir.mount.guest)
	}
	if err == nil {
		err = t.noLink(func(pl *place, slash bool) error {
			switch {
			case !pl.missing() && slash && pl.stat.kind != kindDir:
				return ENOTDIR
			case !pl.missing():
				return EEXIST
			case slash:
				return ENOENT
			}
			return c.p.create(func() error { return pl.symlink(content, pl.base) })
		})
	}
	if err != nil {
		return c.refused(t.guest, content, t.fd, errnoOf(err), whyOf(err))
	}
	c.p.file(event.FileEffect{Op: event.FileSymlink, Path: t.guest, NewPath: content, FD: t.fd})
	return Success
}

func (c *call) pathReadlink() Errno {
	t, e := c.target(0, 1, &c.path)
	if e != Success {
		return e
	}
	var content string
	err := t.dir.in(t.path, false, func(pl *place) (err error) {
		if err := pl.look(); err != nil {
			return err
		}
		if pl.stat.kind != kindLink {
			return EINVAL
		}
		content, err = pl.readlink(pl.base)
		return err
	})
	if err == nil && strings.HasPrefix(content, "/") {
		// As wasmtime: the guest learns nothing of the host's folders.
		err = escape("the link holds an absolute path of the host")
	}
	if err != nil {
		return c.looked(t, err)
	}
	n := min(len(content), int(c.u32(4)))
	c.mem.Write(c.u32(3), []byte(content[:n]))
	c.out32(5, uint32(n))
	return Success
}
