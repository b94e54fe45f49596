package wasi

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strconv"
)

// removeDepth is how deep RemoveAll goes before it moves a folder up: each
// level holds a descriptor.
const removeDepth = 64

// RemoveAll removes a folder that a guest filled. A guest can nest folders
// deeper than os.RemoveAll has descriptors for; here a folder that lies too
// deep moves up to the top before its parent goes. A folder that is not there
// is no error.
func RemoveAll(dir string) error {
	err := EmptyDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return os.Remove(dir)
}

// EmptyDir removes all that is in a folder, as RemoveAll does; the folder
// stays.
func EmptyDir(dir string) error {
	top, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	r := remover{top: top}
	err = r.empty(top, "", 0)
	if e := top.Close(); err == nil {
		err = e
	}
	return err
}

// remover empties a folder.
type remover struct {
	top  *os.Root
	next int // the next name for a folder that moves up
}

// empty removes what is in a folder, which lies so deep at way below the top.
func (r *remover) empty(root *os.Root, way string, depth int) error {
	for {
		entries, err := list(root)
		if err != nil || len(entries) == 0 {
			return err
		}
		for _, e := range entries {
			if err := r.remove(root, way, depth, e); err != nil {
				return err
			}
		}
	}
}

// list reads some entries of a folder.
func list(root *os.Root) ([]fs.DirEntry, error) {
	f, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(listPiece)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return entries, err
}

func (r *remover) remove(root *os.Root, way string, depth int, e fs.DirEntry) error {
	name := e.Name()
	switch {
	case !e.IsDir():
		return root.Remove(name)
	case depth == removeDepth:
		return r.moveUp(way + name)
	}
	sub, err := root.OpenRoot(name)
	if err != nil {
		return err
	}
	err = r.empty(sub, way+name+"/", depth+1)
	if e := sub.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return root.Remove(name)
}

// moveUp gives a folder a new name at the top.
func (r *remover) moveUp(way string) error {
	for {
		to := strconv.Itoa(r.next)
		r.next++
		if _, err := r.top.Lstat(to); errors.Is(err, fs.ErrNotExist) {
			return r.top.Rename(way, to)
		} else if err != nil {
			return err
		}
	}
}
