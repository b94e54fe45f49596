package wasi

import (
	"errors"
	"io/fs"
	gopath "path"
	"strings"
	"unicode/utf8"
)

// Limits of a path: what Linux takes.
const (
	maxPath  = 4096
	maxLinks = 40
)

// place is where the last component of a path is: a folder that the walk
// reached and a name in it, "." for the folder itself.
type place struct {
	spot
	base  string
	slash bool   // the path ended in a slash: only a folder will do
	guest string // clean absolute name in the guest, links not resolved
	stat  stat   // of what is there
	err   error  // why there is no stat
}

// missing reports whether nothing is there.
func (pl *place) missing() bool { return errors.Is(pl.err, fs.ErrNotExist) }

// readPath takes the path at ptr from guest memory.
func (c *call) readPath(ptr, n uint32) (string, Errno) {
	b := c.mem.Read(ptr, n)
	if n > maxPath {
		return strings.ToValidUTF8(string(b[:maxPath]), "\uFFFD"), ENAMETOOLONG
	}
	s := string(b)
	return s, checkPath(s)
}

func checkPath(s string) Errno {
	switch {
	case !utf8.ValidString(s):
		return EILSEQ
	case strings.IndexByte(s, 0) >= 0:
		return EINVAL
	case s == "":
		return ENOENT
	case len(s) > maxPath:
		return ENAMETOOLONG
	}
	return Success
}

// guestPath is the clean absolute name that path has below d.
func (d *dir) guestPath(path string) string {
	if strings.HasPrefix(path, "/") {
		return gopath.Clean(path)
	}
	return gopath.Join(d.guest, path)
}

// split cuts path before its last component. A path that ends in "." or ".."
// names a folder: it is walked whole and its base is ".".
func split(path string) (dir, base string, slash bool) {
	trimmed := strings.TrimRight(path, "/")
	slash = trimmed != path
	i := strings.LastIndexByte(trimmed, '/')
	dir, base = trimmed[:i+1], trimmed[i+1:]
	if base == "." || base == ".." {
		return trimmed, ".", true
	}
	return strings.TrimRight(dir, "/"), base, slash
}

// find walks path from d. The last component's link is followed when follow is
// set or a slash comes after it; the links before it always are. The error is
// of the walk; whether something is there is the place's matter. The caller
// releases the place.
func (d *dir) find(path string, follow bool) (*place, error) {
	pl, asked := &place{guest: d.guestPath(path)}, path
	for range maxLinks {
		if strings.HasPrefix(path, "/") {
			return nil, d.outside(asked)
		}
		if len(path) > maxPath {
			return nil, ENAMETOOLONG
		}
		if err := checkName(path); err != nil {
			return nil, err
		}
		up, base, slash := split(path)
		s, err := d.walk(up)
		if err != nil {
			if isEscape(err) {
				return nil, d.outside(asked)
			}
			return nil, err
		}
		pl.spot, pl.base, pl.slash = s, base, slash
		pl.stat, pl.err = s.lstat(base)
		if pl.err != nil && !pl.missing() {
			s.release()
			return nil, pl.err
		}
		if pl.err != nil || pl.stat.kind != kindLink || !follow && !slash {
			return pl, nil
		}
		target, err := s.readlink(base)
		s.release()
		if err != nil {
			return nil, err
		}
		path = follows(up, target, slash)
	}
	return nil, ELOOP
}

// follows is the path after its last component, a link, was replaced by what
// the link says.
func follows(up, target string, slash bool) string {
	if slash {
		target += "/"
	}
	if up == "" || strings.HasPrefix(target, "/") {
		return target
	}
	return up + "/" + target
}

// outside makes the error of a path that leads out of d, as it was asked for.
func (d *dir) outside(path string) error {
	switch {
	case strings.HasPrefix(path, "/"):
		return escape("the path begins with /; a path is relative to its descriptor, " + d.guest)
	case strings.HasPrefix(gopath.Clean(path), ".."):
		return escape(".. leads out of " + d.guest)
	}
	return escape("a link points out of " + d.guest)
}

// whyOf is the note on a refusal.
func whyOf(err error) string {
	var no *refusal
	switch {
	case errors.As(err, &no):
		return no.why
	case isEscape(err): // seen by os.Root alone: something was swapped meanwhile
		return notedEscape + "a link points out of its mount"
	}
	return ""
}
