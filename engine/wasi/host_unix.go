//go:build (linux || darwin || freebsd) && !portable

package wasi

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// portable is whether os.Root does all of the work.
const portable = false

// folder is an open folder: root walks below it, f is what the *at calls get.
type folder struct {
	root *os.Root
	f    *os.File
}

// newFolder takes root over.
func newFolder(root *os.Root) (*folder, error) {
	f, err := root.OpenFile(".", os.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		root.Close()
		return nil, err
	}
	return &folder{root, f}, nil
}

func (fo *folder) close() error {
	err := fo.f.Close()
	if e := fo.root.Close(); err == nil {
		err = e
	}
	return err
}

func (fo *folder) stat() (stat, error) { return fileStat(fo.f) }

// entries opens the folder for reading its entries from the start.
func (fo *folder) entries() (*os.File, error) {
	return fo.root.OpenFile(".", os.O_RDONLY|unix.O_DIRECTORY, 0)
}

// spot is a folder that a walk reached.
type spot struct {
	fo  *folder
	dir string // the way to it from fo, "" for fo itself
	f   *os.File
}

// walk follows dir, links included, staying below fo.
func (fo *folder) walk(dir string) (spot, error) {
	if dir == "" || dir == "." {
		return spot{fo, "", fo.f}, nil
	}
	f, err := fo.root.OpenFile(dir, os.O_RDONLY|unix.O_DIRECTORY, 0)
	return spot{fo, dir, f}, err
}

func (s spot) release() {
	if s.f != s.fo.f {
		s.f.Close()
	}
}

func (s spot) fd() int { return int(s.f.Fd()) }

func (s spot) lstat(base string) (stat, error) {
	var st unix.Stat_t
	err := retry(func() error { return unix.Fstatat(s.fd(), base, &st, unix.AT_SYMLINK_NOFOLLOW) })
	return statOf(&st), err
}

func (s spot) readlink(base string) (string, error) {
	b := make([]byte, maxPath)
	var n int
	err := retry(func() (err error) { n, err = unix.Readlinkat(s.fd(), base, b); return err })
	if err != nil {
		return "", err
	}
	return string(b[:n]), nil
}

// open opens what was a regular file when it was looked at. O_NONBLOCK keeps a
// FIFO that took its place from blocking us; the caller looks again.
func (s spot) open(base string, read, write bool) (*os.File, error) {
	return s.openat(base, accessMode(read, write)|unix.O_NONBLOCK, 0)
}

// create makes a new file: whatever took its place is not opened.
func (s spot) create(base string, read, write bool) (*os.File, error) {
	return s.openat(base, accessMode(read, write)|unix.O_CREAT|unix.O_EXCL, 0o666)
}

func (s spot) openat(base string, flags int, mode uint32) (*os.File, error) {
	var fd int
	err := retry(func() (err error) {
		fd, err = unix.Openat(s.fd(), base, flags|unix.O_NOFOLLOW|unix.O_CLOEXEC, mode)
		return err
	})
	if err != nil {
		return nil, err
	}
	if flags&unix.O_NONBLOCK != 0 {
		// Nothing waits on a regular file, and os would poll one that says so.
		if err := unix.SetNonblock(fd, false); err != nil {
			unix.Close(fd)
			return nil, err
		}
	}
	return os.NewFile(uintptr(fd), base), nil
}

func accessMode(read, write bool) int {
	switch {
	case read && write:
		return unix.O_RDWR
	case write:
		return unix.O_WRONLY
	}
	return unix.O_RDONLY
}

// openFolder opens a folder that was seen at base. The "." at the end makes
// the walk open base as a folder and nothing else.
func (s spot) openFolder(base string, seen stat) (*folder, error) {
	way := base + "/."
	if s.dir != "" {
		way = s.dir + "/" + way
	}
	root, err := s.fo.root.OpenRoot(way)
	if err != nil {
		return nil, err
	}
	fo, err := newFolder(root)
	if err != nil {
		return nil, err
	}
	if st, err := fo.stat(); err != nil || st.dev != seen.dev || st.ino != seen.ino {
		fo.close()
		return nil, EAGAIN
	}
	return fo, nil
}

func (s spot) mkdir(base string) error {
	return retry(func() error { return unix.Mkdirat(s.fd(), base, 0o777) })
}

func (s spot) unlink(base string) error {
	return retry(func() error { return unix.Unlinkat(s.fd(), base, 0) })
}

func (s spot) rmdir(base string) error {
	return retry(func() error { return unix.Unlinkat(s.fd(), base, unix.AT_REMOVEDIR) })
}

func (s spot) symlink(target, base string) error {
	return retry(func() error { return unix.Symlinkat(target, s.fd(), base) })
}

// setTimes sets the times of what is at base, seen as st; of a link itself.
func (s spot) setTimes(base string, st *stat, atim, mtim time.Time) error {
	ts := timespecs(st, atim, mtim)
	return retry(func() error { return unix.UtimesNanoAt(s.fd(), base, ts, unix.AT_SYMLINK_NOFOLLOW) })
}

// timespecs are the times to set on what was seen as st: a zero time stays as
// it is.
func timespecs(st *stat, atim, mtim time.Time) []unix.Timespec {
	a, m := st.atim, st.mtim
	if !atim.IsZero() {
		a = atim.UnixNano()
	}
	if !mtim.IsZero() {
		m = mtim.UnixNano()
	}
	return []unix.Timespec{unix.NsecToTimespec(a), unix.NsecToTimespec(m)}
}

// link gives what is at base, a link itself included, a second name.
func link(s spot, base string, to spot, newBase string) error {
	return retry(func() error { return unix.Linkat(s.fd(), base, to.fd(), newBase, 0) })
}

func rename(s spot, base string, to spot, newBase string) error {
	return retry(func() error { return unix.Renameat(s.fd(), base, to.fd(), newBase) })
}

// setFileTimes sets the times of an open file.
func setFileTimes(f *file, atim, mtim time.Time) error {
	return setTimesOf(f.f, atim, mtim)
}

// setFolderTimes sets the times of an open folder.
func setFolderTimes(fo *folder, atim, mtim time.Time) error {
	return setTimesOf(fo.f, atim, mtim)
}

func setTimesOf(f *os.File, atim, mtim time.Time) error {
	st, err := fileStat(f)
	if err != nil {
		return err
	}
	return futimens(int(f.Fd()), timespecs(&st, atim, mtim))
}

// statFile is fileStat for an open file of a mount.
func statFile(f *file) (stat, error) { return fileStat(f.f) }

func fileStat(f *os.File) (stat, error) {
	var st unix.Stat_t
	err := retry(func() error { return unix.Fstat(int(f.Fd()), &st) })
	return statOf(&st), err
}

func statOf(st *unix.Stat_t) stat {
	s := stat{
		dev: uint64(st.Dev), ino: uint64(st.Ino), nlink: uint64(st.Nlink), size: uint64(st.Size),
		atim: st.Atim.Nano(), mtim: st.Mtim.Nano(), ctim: st.Ctim.Nano(),
	}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		s.kind = kindFile
	case unix.S_IFDIR:
		s.kind = kindDir
	case unix.S_IFLNK:
		s.kind = kindLink
	case unix.S_IFCHR:
		s.kind = kindChar
	case unix.S_IFBLK:
		s.kind = kindBlock
	case unix.S_IFSOCK:
		s.kind = kindSocket
	}
	return s
}

// checkName refuses names that mean something else to the system than to the
// guest: none on Unix.
func checkName(string) error { return nil }

func retry(f func() error) error {
	for {
		if err := f(); err != unix.EINTR {
			return err
		}
	}
}
