//go:build portable || !(linux || darwin || freebsd)

package wasi

import (
	"errors"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// portable is whether os.Root does all of the work.
const portable = true

// folder is an open folder: root walks below it. top is the root of its mount
// and way how it was reached from there, for what acts on two folders.
type folder struct {
	root, top *os.Root
	way       string
}

// newFolder takes root over.
func newFolder(root *os.Root) (*folder, error) { return &folder{root, root, "."}, nil }

func (fo *folder) close() error { return fo.root.Close() }

func (fo *folder) stat() (stat, error) { return statIn(fo.root, ".", fo.root.Stat) }

// entries opens the folder for reading its entries from the start.
func (fo *folder) entries() (*os.File, error) { return fo.root.Open(".") }

// spot is a folder that a walk reached: the walk is made again by each use.
type spot struct {
	fo  *folder
	dir string
}

// walk follows dir, links included, staying below fo.
func (fo *folder) walk(dir string) (spot, error) {
	if dir == "" {
		return spot{fo, "."}, nil
	}
	info, err := fo.root.Stat(dir)
	if err == nil && !info.IsDir() {
		err = ENOTDIR
	}
	return spot{fo, dir}, err
}

func (s spot) release() {}

func (s spot) path(base string) string { return s.dir + "/" + base }

func (s spot) lstat(base string) (stat, error) {
	return statIn(s.fo.root, s.path(base), s.fo.root.Lstat)
}

func (s spot) readlink(base string) (string, error) {
	target, err := s.fo.root.Readlink(s.path(base))
	return filepath.ToSlash(target), err
}

func (s spot) open(base string, read, write bool) (*os.File, error) {
	return s.fo.root.OpenFile(s.path(base), accessMode(read, write), 0)
}

// create makes a new file: whatever took its place is not opened.
func (s spot) create(base string, read, write bool) (*os.File, error) {
	return s.fo.root.OpenFile(s.path(base), accessMode(read, write)|os.O_CREATE|os.O_EXCL, 0o666)
}

func accessMode(read, write bool) int {
	switch {
	case read && write:
		return os.O_RDWR
	case write:
		return os.O_WRONLY
	}
	return os.O_RDONLY
}

// openFolder opens a folder that was seen at base. The "." at the end makes
// the walk open base as a folder and nothing else.
func (s spot) openFolder(base string, _ stat) (*folder, error) {
	root, err := s.fo.root.OpenRoot(s.path(base) + "/.")
	if err != nil {
		return nil, err
	}
	return &folder{root, s.fo.top, s.fo.way + "/" + s.path(base)}, nil
}

func (s spot) mkdir(base string) error { return s.fo.root.Mkdir(s.path(base), 0o777) }

// unlink removes what was seen not to be a folder.
func (s spot) unlink(base string) error { return s.fo.root.Remove(s.path(base)) }

// rmdir removes what was seen to be a folder.
func (s spot) rmdir(base string) error { return s.fo.root.Remove(s.path(base)) }

func (s spot) symlink(target, base string) error { return s.fo.root.Symlink(target, s.path(base)) }

// setTimes sets the times of what is at base; a zero time stays as it is.
func (s spot) setTimes(base string, st *stat, atim, mtim time.Time) error {
	if st.kind == kindLink {
		return &refusal{ENOTSUP, "the times of a link cannot be set on this system"}
	}
	return s.fo.root.Chtimes(s.path(base), atim, mtim)
}

// link gives what is at base, a link itself included, a second name.
func link(s spot, base string, to spot, newBase string) error {
	root, from, into, err := common(s, base, to, newBase)
	if err != nil {
		return err
	}
	return root.Link(from, into)
}

func rename(s spot, base string, to spot, newBase string) error {
	root, from, into, err := common(s, base, to, newBase)
	if err != nil {
		return err
	}
	old, err := root.Lstat(from)
	if err != nil {
		return err
	}
	over, err := root.Lstat(into)
	if err != nil || os.SameFile(old, over) {
		return root.Rename(from, into)
	}
	switch {
	case old.IsDir() && over.IsDir():
		return renameOver(root, from, into)
	case over.IsDir():
		return EISDIR
	case old.IsDir():
		return ENOTDIR
	}
	return root.Rename(from, into)
}

// renameOver renames a folder to the name of an empty one, which os.Root
// refuses and WASI allows.
func renameOver(root *os.Root, from, into string) error {
	if err := root.Remove(into); err != nil {
		return err
	}
	err := root.Rename(from, into)
	if err != nil {
		return errors.Join(err, root.Mkdir(into, 0o777))
	}
	return nil
}

// common finds a root below which both paths are. Two folders that were opened
// apart meet at the root of their mount, if they are still where they were.
func common(s spot, base string, to spot, newBase string) (root *os.Root, from, into string, err error) {
	if s.fo == to.fo {
		return s.fo.root, s.path(base), to.path(newBase), nil
	}
	if s.fo.top != to.fo.top || !s.fo.unmoved() || !to.fo.unmoved() {
		return nil, "", "", EXDEV
	}
	return s.fo.top, s.fo.way + "/" + s.path(base), to.fo.way + "/" + to.path(newBase), nil
}

func (fo *folder) unmoved() bool {
	there, err := fo.top.Stat(fo.way)
	if err != nil {
		return false
	}
	here, err := fo.root.Stat(".")
	return err == nil && os.SameFile(there, here)
}

// setFileTimes sets the times of an open file, by its name, if that still
// leads to it.
func setFileTimes(f *file, atim, mtim time.Time) error {
	way, ok := f.mount.below(f.guest)
	if !ok {
		return ENOTSUP
	}
	here, err := f.f.Stat()
	if err != nil {
		return err
	}
	there, err := f.mount.root.Stat(way)
	if err != nil || !os.SameFile(there, here) {
		return &refusal{ENOTSUP, "the times of a file that lost its name cannot be set on this system"}
	}
	return f.mount.root.Chtimes(way, atim, mtim)
}

// setFolderTimes sets the times of an open folder.
func setFolderTimes(fo *folder, atim, mtim time.Time) error {
	return fo.root.Chtimes(".", atim, mtim)
}

// statFile is the stat of an open file.
func statFile(f *file) (stat, error) {
	info, err := f.f.Stat()
	if err != nil {
		return stat{}, err
	}
	return statOf(f.f.Name(), info), nil
}

func statIn(root *os.Root, name string, look func(string) (fs.FileInfo, error)) (stat, error) {
	info, err := look(name)
	if err != nil {
		return stat{}, err
	}
	return statOf(filepath.Join(root.Name(), name), info), nil
}

// statOf makes a stat of what is known: a hash of the path stands for the
// inode.
func statOf(path string, info fs.FileInfo) stat {
	h := fnv.New64a()
	h.Write([]byte(filepath.Clean(path)))
	t := info.ModTime().UnixNano()
	return stat{
		ino: h.Sum64(), nlink: 1, size: uint64(info.Size()), kind: kindOfMode(info.Mode()),
		atim: t, mtim: t, ctim: t,
	}
}

// checkName refuses names that mean something else to Windows than to the
// guest: a backslash parts names there, a colon names a stream.
func checkName(path string) error {
	if runtime.GOOS == "windows" && strings.ContainsAny(path, `\:`) {
		return EINVAL
	}
	return nil
}
