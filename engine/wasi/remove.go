package wasi

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strconv"
)

// RemoveAll removes a folder that a guest filled. A guest can nest folders
// deeper than os.RemoveAll has descriptors for; here a folder within a folder
// moves up to the top before its parent goes, so that no path is ever deeper
// than two names. A folder that is not there is no error.
func RemoveAll(dir string) error {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	r := remover{root: root}
	err = r.empty(".")
	if e := root.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Remove(dir)
}

// remover empties a folder.
type remover struct {
	root *os.Root
	next int // the next name for a folder that moves up
}

// empty removes what is in a folder: the top, ".", or one in it.
func (r *remover) empty(name string) error {
	for {
		entries, err := r.list(name)
		if err != nil || len(entries) == 0 {
			return err
		}
		for _, e := range entries {
			if err := r.remove(name, e); err != nil {
				return err
			}
		}
	}
}

// list reads some entries of a folder.
func (r *remover) list(name string) ([]fs.DirEntry, error) {
	f, err := r.root.Open(name)
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

func (r *remover) remove(folder string, e fs.DirEntry) error {
	name := folder + "/" + e.Name()
	switch {
	case !e.IsDir():
		return r.root.Remove(name)
	case folder != ".":
		return r.moveUp(name)
	}
	if err := r.empty(name); err != nil {
		return err
	}
	return r.root.Remove(name)
}

// moveUp gives a folder a new name at the top.
func (r *remover) moveUp(name string) error {
	for {
		to := strconv.Itoa(r.next)
		r.next++
		if _, err := r.root.Lstat(to); errors.Is(err, fs.ErrNotExist) {
			return r.root.Rename(name, to)
		} else if err != nil {
			return err
		}
	}
}
