package wasi

import (
	"fmt"
	"io"
	"os"
	"strings"

	"perch/engine/event"
)

// PathError says why subako_http cannot use a path of a request. errors.Is
// with an Errno tells the kinds apart: EDQUOT is the budget, any other one a
// bad path.
type PathError struct {
	Path  string
	Errno Errno
	Why   string // in words
}

// Error implements error.
func (e *PathError) Error() string { return e.Path + ": " + e.Why }

// Unwrap returns the errno.
func (e *PathError) Unwrap() error { return e.Errno }

// Output is a file that subako_http writes an answer's body to. A Write is
// charged to the budget, whole or not at all: then its error is a PathError
// with EDQUOT. After a stop it is ErrStopped.
type Output interface {
	io.WriteCloser
	// Path is the file's clean absolute name in the guest.
	Path() string
}

// OpenBody opens a regular file of a mount for the body of HTTP exchange id
// and returns its size in bytes. The path is absolute; it is resolved as the
// guest's own paths are. Errors are PathErrors. Call it on the guest's
// goroutine.
func (p *Process) OpenBody(path string, id int) (io.ReadCloser, int64, error) {
	d, rest, err := p.mountOf(path)
	if err != nil {
		return nil, 0, p.badPath(path, id, err)
	}
	var f *os.File
	var size int64
	err = d.in(rest, true, func(pl *place) (err error) {
		if err := pl.wantFile(); err != nil {
			return err
		}
		if f, err = pl.openFile(true, false, false); err != nil {
			return err
		}
		info, err := f.Stat()
		if err == nil {
			size = info.Size()
		}
		return err
	})
	if err != nil {
		if f != nil {
			f.Close()
		}
		return nil, 0, p.badPath(path, id, err)
	}
	p.file(event.FileEffect{Op: event.FileOpen, Path: d.guestPath(rest), Bytes: size, HTTP: id})
	return f, size, nil
}

// wantFile is the error of what must be a regular file that is there.
func (pl *place) wantFile() error {
	switch {
	case pl.err != nil:
		return pl.err
	case pl.stat.kind == kindDir:
		return EISDIR
	case pl.slash:
		return ENOTDIR
	case pl.stat.kind != kindFile:
		return special(pl.stat.kind)
	}
	return nil
}

// CreateOutput opens a file of a mount for the body of the answer of HTTP
// exchange id: a new one, its folders made, or an old one, emptied. Errors are
// PathErrors. Call it, and use the Output, on the guest's goroutine.
func (p *Process) CreateOutput(path string, id int) (Output, error) {
	d, rest, err := p.mountOf(path)
	if err == nil && d.mount.readOnly {
		err = &refusal{EPERM, readOnlyWhy(d.mount)}
	}
	if err == nil {
		err = p.makeFolders(d, rest, id)
	}
	if err != nil {
		return nil, p.badPath(path, id, err)
	}
	out := &output{p: p, path: d.guestPath(rest), id: id}
	op := event.FileTruncate
	err = d.in(rest, true, func(pl *place) (err error) {
		if pl.missing() && !pl.slash {
			op = event.FileCreate
			return p.create(func() error {
				out.f, err = pl.create(pl.base, false, true)
				return err
			})
		}
		if err := pl.wantFile(); err != nil {
			return err
		}
		out.f, err = pl.openFile(false, true, true)
		return err
	})
	if err != nil {
		return nil, p.badPath(path, id, err)
	}
	p.file(event.FileEffect{Op: op, Path: out.path, HTTP: id})
	return out, nil
}

// makeFolders makes the folders above path that are missing.
func (p *Process) makeFolders(d *dir, path string, id int) error {
	up, _, _ := split(path)
	for i := 0; i <= len(up); i++ {
		if i < len(up) && up[i] != '/' || i == 0 {
			continue
		}
		part := up[:i]
		err := d.in(part, true, func(pl *place) error {
			if !pl.missing() {
				return nil
			}
			if err := p.create(func() error { return pl.mkdir(pl.base) }); err != nil {
				return err
			}
			p.file(event.FileEffect{Op: event.FileMkdir, Path: d.guestPath(part), HTTP: id})
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// mountOf finds the mount of an absolute path, the deepest one, and the rest
// of the path below it.
func (p *Process) mountOf(path string) (*dir, string, error) {
	if err := checkPath(path); err != Success {
		return nil, "", err
	}
	var best *mount
	var rest string
	for _, m := range p.mounts {
		below, ok := m.below(path)
		if ok && (best == nil || len(m.guest) > len(best.guest)) {
			best, rest = m, below
		}
	}
	if best == nil {
		return nil, "", &refusal{ENOENT, "it is not below " + p.mountNames()}
	}
	return &dir{folder: best.folder, mount: best, guest: best.guest, borrowed: true}, rest, nil
}

// below returns the way to an absolute path from the mount.
func (m *mount) below(path string) (string, bool) {
	rest, ok := strings.CutPrefix(path, m.guest)
	if !ok || rest != "" && rest[0] != '/' && m.guest != "/" {
		return "", false
	}
	if rest = strings.TrimLeft(rest, "/"); rest == "" {
		rest = "."
	}
	return rest, true
}

func (p *Process) mountNames() string {
	var names []string
	for _, m := range p.mounts {
		names = append(names, m.guest)
	}
	if len(names) == 0 {
		return "a mount: there is none"
	}
	return strings.Join(names, ", ")
}

// badPath reports and returns the error of a path of a request.
func (p *Process) badPath(path string, id int, err error) error {
	bad := &PathError{path, errnoOf(err), whyOf(err)}
	if bad.Why == "" {
		bad.Why = words(bad.Errno)
	}
	p.file(event.FileEffect{Op: event.FileRefused, Path: path, Errno: uint16(bad.Errno), Note: bad.Why, HTTP: id})
	return bad
}

// words says what an errno means for a path.
func words(e Errno) string {
	switch e {
	case ENOENT:
		return "there is no such file"
	case ENOTDIR:
		return "a part of it is no folder"
	case EISDIR:
		return "it is a folder"
	case EACCES:
		return "the system gives no access to it"
	case ELOOP:
		return "too many links"
	case ENAMETOOLONG:
		return "it is too long"
	case EILSEQ, EINVAL:
		return "it is no path: it must be UTF-8 without NUL"
	case ENOSPC:
		return "the disk is full"
	}
	return fmt.Sprintf("the system answers %s", e)
}

// output is an Output.
type output struct {
	p    *Process
	f    *os.File
	path string
	id   int
	off  int64
}

func (o *output) Path() string { return o.path }

func (o *output) Close() error { return o.f.Close() }

func (o *output) Write(b []byte) (int, error) {
	select {
	case <-o.p.cfg.Stop:
		return 0, ErrStopped
	default:
	}
	budget := o.p.cfg.Budget
	if !budget.Charge(int64(len(b))) {
		why := budgetWhy(budget)
		o.p.file(event.FileEffect{Op: event.FileRefused, Path: o.path, Errno: uint16(EDQUOT), Note: why, HTTP: o.id})
		return 0, &PathError{o.path, EDQUOT, why}
	}
	n, err := o.f.Write(b)
	budget.Refund(int64(len(b) - n))
	if n > 0 && o.p.cfg.Observer != nil {
		o.p.file(event.FileEffect{
			Op: event.FileWrite, Path: o.path, Offset: o.off, Bytes: int64(n),
			Data: append([]byte(nil), b[:n]...), HTTP: o.id,
		})
	}
	o.off += int64(n)
	if err != nil {
		err = &PathError{o.path, errnoOf(err), words(errnoOf(err))}
	}
	return n, err
}
