package engine

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/wire"
)

// links resolves the volume links of the answer, after the exit: the page's
// "the image file at /volume/tmp/chart.png, read after the module exits".
func (r *run) links() {
	if r.kind != event.Call || r.answer == nil {
		return
	}
	for _, l := range wire.VolumeLinks(r.answer) {
		e := event.Link{Block: l.Block, URI: l.URI, Path: l.Path, Problem: l.Problem, Where: l.Where}
		if e.Problem == "" {
			r.readLink(&e)
		}
		r.emit.emit(e)
	}
}

func (r *run) readLink(l *event.Link) {
	root, rel, ok := r.locate(l.Path)
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
	data, err := io.ReadAll(io.LimitReader(f, abi.MaxLinkBytes+1))
	if err != nil {
		l.Problem = problem(l.Path, err)
		return
	}
	l.Size = int64(len(data))
	if l.Size > abi.MaxLinkBytes {
		l.Problem = fmt.Sprintf("%s is over %s (our limit)", l.Path, size(abi.MaxLinkBytes))
		return
	}
	if l.Type = wire.ImageType(data); l.Type == "" {
		l.Problem = l.Path + " is not a PNG, JPEG, GIF or WebP image" + looksLike(data)
		return
	}
	l.Data = data
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

// looksLike says what bytes are that are no image.
func looksLike(b []byte) string {
	switch {
	case len(b) == 0:
		return ", it is empty"
	case bytes.HasPrefix(bytes.TrimSpace(b), []byte("<svg")), bytes.HasPrefix(b, []byte("<?xml")):
		return ", it looks like SVG or XML"
	case bytes.IndexByte(b, 0) < 0:
		return ", it looks like text"
	}
	return ""
}
