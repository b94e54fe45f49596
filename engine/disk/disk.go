// Package disk is the one place that opens host files: packages, settings,
// mocks, certificates and arguments are read through it, and samples, caches
// and unpacked assets are written through it.
//
// It reads regular files alone (a named pipe would wait for ever, a device can
// act when it is opened), counts bytes while reading rather than believing a
// stated size, and writes so that others cannot read and readers never see half
// a file. It knows nothing of packages or settings: who calls it gives the
// limits.
package disk

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Error says what stood in the way at a path, and what to do about it.
type Error struct {
	Path string // as it was given
	What string // "there is no such file"
	Do   string // may be empty
	Err  error  // the cause, may be nil
}

// Error implements error: path, what happened, what to do.
func (e *Error) Error() string {
	text := e.Path + ": " + e.What
	if e.Do != "" {
		text += ". " + e.Do
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// ErrTooLarge is the cause of an Error for a file past the caller's limit.
var ErrTooLarge = errors.New("larger than the limit")

// ErrNotRegular is the cause of an Error for what is no regular file.
var ErrNotRegular = errors.New("not a regular file")

// ReadFile returns the bytes of the regular file at path, which may be a link
// to one. It is an *Error when there are more than max bytes.
func ReadFile(path string, max int64) ([]byte, error) {
	info, err := os.Stat(path) // before opening: opening a device can act
	if err != nil {
		return nil, wrap(path, err)
	}
	if !info.Mode().IsRegular() {
		return nil, notRegular(path, info.Mode())
	}
	f, err := os.OpenFile(path, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, wrap(path, err)
	}
	defer f.Close()
	return readAll(f, path, max)
}

// ReadIn returns the bytes of the regular file name below root. A link is not
// followed, not even one that stays inside. The error's path is root's name
// joined with name.
func ReadIn(root *os.Root, name string, max int64) ([]byte, error) {
	path := filepath.Join(root.Name(), filepath.FromSlash(name))
	before, err := root.Lstat(name)
	if err != nil {
		return nil, wrap(path, err)
	}
	if !before.Mode().IsRegular() {
		return nil, notRegular(path, before.Mode())
	}
	f, err := root.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, wrap(path, err)
	}
	defer f.Close()
	after, err := f.Stat()
	if err != nil {
		return nil, wrap(path, err)
	}
	if !os.SameFile(before, after) {
		return nil, &Error{Path: path, What: "was replaced while it was opened", Do: "Try again"}
	}
	return readAll(f, path, max)
}

func readAll(f *os.File, path string, max int64) ([]byte, error) {
	info, err := f.Stat() // again: the name may lead elsewhere by now
	if err != nil {
		return nil, wrap(path, err)
	}
	if !info.Mode().IsRegular() {
		return nil, notRegular(path, info.Mode())
	}
	var b bytes.Buffer
	n := info.Size()
	if n <= max { // the stated size may refuse, but only the count may accept
		b.Grow(int(n) + bytes.MinRead)
		if n, err = b.ReadFrom(io.LimitReader(f, max+1)); err != nil {
			return nil, wrap(path, err)
		}
	}
	if n > max {
		return nil, &Error{Path: path, What: "is larger than " + Size(max) + ", the most that is read here", Err: ErrTooLarge}
	}
	return b.Bytes(), nil
}

// WriteFile puts data at path, for the owner alone (0600), whole or not at all:
// into a new file beside it that then takes its name. A link at path stays and
// its target is written. The folder must exist.
func WriteFile(path string, data []byte) (err error) {
	target := path
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if target, err = filepath.EvalSymlinks(path); err != nil {
			return wrap(path, err)
		}
	}
	if info, err := os.Stat(target); err == nil && !info.Mode().IsRegular() {
		return notRegular(path, info.Mode())
	}
	f, err := os.CreateTemp(filepath.Dir(target), ".perch-*") // 0600
	if err != nil {
		return wrap(path, err)
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		return wrap(path, err)
	}
	if err = os.Rename(f.Name(), target); err != nil {
		return wrap(path, err)
	}
	return nil
}

// MkdirPrivate makes the folder at path, and those above it that are missing,
// for the owner alone (0700).
func MkdirPrivate(path string) error {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return wrap(path, err)
	}
	return nil
}

// OpenRoot opens the folder at path, which may be a link to one, as the root
// that nothing below it leaves.
func OpenRoot(path string) (*os.Root, error) {
	info, err := os.Stat(path) // opening a named pipe would wait
	if err != nil {
		return nil, wrap(path, err)
	}
	if !info.IsDir() {
		return nil, &Error{Path: path, What: "is " + Kind(info.Mode()) + ", not a folder", Err: ErrNotRegular}
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, wrap(path, err)
	}
	return root, nil
}

// WriteTree writes files, named by slash-joined paths, below the folder dir, in
// the order of their names. It makes dir when it is missing. Nothing that is
// there already is overwritten, and no name leads out of dir. At an error, what
// was written before it stays.
func WriteTree(dir string, files map[string][]byte) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return wrap(dir, err)
	}
	root, err := OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	made := map[string]bool{".": true} // folders, so that each is made once
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := writeNew(root, filepath.FromSlash(name), files[name], made); err != nil {
			return wrap(filepath.Join(dir, filepath.FromSlash(name)), err)
		}
	}
	return nil
}

func writeNew(root *os.Root, name string, data []byte, made map[string]bool) error {
	if parent := filepath.Dir(name); !made[parent] {
		if err := root.MkdirAll(parent, 0o755); err != nil {
			return err
		}
		made[parent] = true
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// Kind names what a file mode stands for: "a folder", "a named pipe".
func Kind(m fs.FileMode) string {
	switch {
	case m.IsRegular():
		return "a file"
	case m.IsDir():
		return "a folder"
	case m&fs.ModeSymlink != 0:
		return "a link"
	case m&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "a special file"
}

// Size writes a number of bytes as people read it: exact multiples of MiB and
// KiB in these units, else bytes.
func Size(n int64) string {
	switch {
	case n >= 1<<30 && n%(1<<30) == 0:
		return fmt.Sprintf("%d GiB", n>>30)
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	case n == 1:
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}

func notRegular(path string, m fs.FileMode) *Error {
	return &Error{Path: path, What: "is " + Kind(m) + ", not a regular file", Err: ErrNotRegular}
}

// wrap words the errors of the operating system.
func wrap(path string, err error) error {
	var already *Error
	if errors.As(err, &already) {
		return err
	}
	what := ""
	switch {
	case errors.Is(err, fs.ErrNotExist):
		what = "there is no such file or folder"
	case errors.Is(err, fs.ErrPermission):
		what = "may not be read or written by this user"
	case errors.Is(err, fs.ErrExist):
		what = "is there already and is not overwritten"
	default:
		what = err.Error()
		var p *fs.PathError // its text names the path again
		if errors.As(err, &p) {
			what = p.Op + ": " + p.Err.Error()
		}
	}
	return &Error{Path: path, What: what, Err: err}
}

// RemoveAllIn removes all that lies in a folder, and leaves the folder.
func RemoveAllIn(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return wrap(dir, err)
	}
	for _, e := range entries {
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			return wrap(dir, err)
		}
	}
	return nil
}
