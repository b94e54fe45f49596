package engine

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/units"
	"perch/engine/wasi"
	"perch/engine/wire"
)

// links resolves the volume links of the answer, after the exit: the page's
// "the image file at /volume/tmp/chart.png, read after the module exits".
func (r *run) links() {
	if r.kind != event.Call || r.answer == nil {
		return
	}
	room := int64(abi.MaxLinkBytes)
	for _, l := range wire.VolumeLinks(r.answer) {
		e := event.Link{Block: l.Block, URI: l.URI, Path: l.Path, Problem: l.Problem, Where: l.Where}
		if e.Problem == "" {
			r.readLink(&e, room)
			room -= int64(len(e.Data))
		}
		r.emit.emit(e)
	}
}

// readLink reads the file of a link, room bytes at most: a thousand links may
// name one file.
func (r *run) readLink(l *event.Link, room int64) {
	root, rel, ok := r.locate(l.Path)
	if !ok && r.mounted(l.Path) {
		l.Problem = problem(l.Path, errNotRegular)
		return
	}
	if !ok {
		l.Problem = l.Path + " lies in no volume of this call"
		return
	}
	f, err := openRegular(root, rel)
	if err != nil {
		l.Problem = problem(l.Path, err)
		return
	}
	defer f.Close()
	data, err := readSome(f, room+1)
	if err != nil {
		l.Problem = problem(l.Path, err)
		return
	}
	if l.Size = int64(len(data)); l.Size > room {
		l.Problem = fmt.Sprintf("%s is over %s (our limit)", l.Path, units.Limit(abi.MaxLinkBytes))
		if room < abi.MaxLinkBytes {
			l.Problem = fmt.Sprintf("%s is not read: the files that this answer links are over %s (our limit)", l.Path, units.Limit(abi.MaxLinkBytes))
		}
		return
	}
	if l.Type = wire.ImageType(data); l.Type == "" {
		l.Problem = l.Path + " is empty"
		if len(data) > 0 {
			name, _ := wire.LooksLike(data)
			l.Problem = fmt.Sprintf("%s holds %s, not a PNG, JPEG, GIF or WebP image", l.Path, name)
		}
		return
	}
	l.Data = data
}

// readSome reads a file, most bytes at most, into memory of its size.
func readSome(f *os.File, most int64) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.Grow(int(min(info.Size(), most)) + bytes.MinRead)
	_, err = b.ReadFrom(io.LimitReader(f, most))
	return b.Bytes(), err
}

// locate finds the mount that a path lies in.
func (r *run) locate(path string) (*os.Root, string, bool) {
	for _, m := range r.mounts {
		if strings.HasPrefix(path, m.Guest()+"/") && strings.HasPrefix(m.Guest(), abi.VolumeRoot+"/") {
			return m.Root(), path[len(m.Guest())+1:], true
		}
	}
	return nil, "", false
}

// mounted reports whether a path is that of a mount itself, or of the folder
// that the volume's mounts lie in.
func (r *run) mounted(path string) bool {
	return path == abi.VolumeRoot || slices.ContainsFunc(r.mounts, func(m *wasi.Opened) bool { return path == m.Guest() })
}

// openRegular opens a regular file: anything else could wait for ever.
func openRegular(root *os.Root, name string) (*os.File, error) {
	info, err := root.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	return root.Open(name)
}

var errNotRegular = errors.New("it is not a regular file")

func problem(path string, err error) string {
	var p *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return path + " is not there after the exit"
	case errors.As(err, &p):
		return fmt.Sprintf("%s: %v", path, p.Err)
	}
	return fmt.Sprintf("%s: %v", path, err)
}
