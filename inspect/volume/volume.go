// Package volume keeps what files a folder held at one time, so that the
// content before a run can be held against that after it. It reads a folder
// that a module filled: links are not followed, and count, sizes and depth are
// bounded. It knows nothing of runs and of where the folder comes from.
package volume

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// Limits of one snapshot. They are our own: past them a file is known by its
// size alone, or not at all.
const (
	MaxFiles = 4096
	MaxFile  = 1 << 20  // bytes of one file that are kept
	MaxBytes = 16 << 20 // bytes of all files that are kept
	maxDepth = 64
)

// File is a regular file as it was.
type File struct {
	Size int64
	Data []byte // its content; nil when it was not kept, see Kept
	Kept bool
}

// Snapshot is the regular files of a folder at one time. The zero value holds
// none.
type Snapshot struct {
	files map[string]File
	// Partial says that there were more files than are known.
	Partial bool
	fresh   int64 // bytes that are no other snapshot's
	kept    int64
}

// File is a file by its name below the folder, with slashes.
func (s *Snapshot) File(name string) (File, bool) {
	if s == nil {
		return File{}, false
	}
	f, ok := s.files[path.Clean(name)]
	return f, ok
}

// Names are the files below a folder of the snapshot in their order, at most n
// of them, and how many there are.
func (s *Snapshot) Names(below string, n int) (names []string, all int) {
	if s == nil {
		return nil, 0
	}
	for name := range s.files {
		if below == "." || strings.HasPrefix(name, below+"/") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names[:min(n, len(names))], len(names)
}

// Fresh is how many bytes the snapshot holds that the one before it did not.
func (s *Snapshot) Fresh() int64 { return s.fresh }

// Take reads a folder. Content that is as it was in another snapshot is shared
// with it; nil: there is none. What cannot be read is left out.
func Take(dir string, before *Snapshot) *Snapshot {
	s := &Snapshot{files: map[string]File{}}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return s
	}
	defer root.Close()
	s.folder(root, ".", before, 0)
	return s
}

// folder reads the files in a folder, then those in the folders in it.
func (s *Snapshot) folder(root *os.Root, name string, before *Snapshot, depth int) {
	if depth > maxDepth {
		s.Partial = true
		return
	}
	f, err := root.Open(name)
	if err != nil {
		return
	}
	entries, err := f.ReadDir(MaxFiles + 1)
	_ = f.Close()
	if err != nil && len(entries) == 0 {
		return
	}
	for _, e := range entries {
		if len(s.files) >= MaxFiles {
			s.Partial = true
			return
		}
		switch full := path.Join(name, e.Name()); {
		case e.IsDir():
			s.folder(root, full, before, depth+1)
		case e.Type().IsRegular():
			s.add(root, full, before)
		}
	}
}

func (s *Snapshot) add(root *os.Root, name string, before *Snapshot) {
	info, err := root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	file := File{Size: info.Size()}
	if file.Size <= MaxFile && s.kept+file.Size <= MaxBytes {
		file.Data, file.Kept = read(root, name, info)
	}
	if file.Kept {
		file.Size = int64(len(file.Data))
		s.kept += file.Size
		if was, ok := before.File(name); ok && was.Kept && bytes.Equal(was.Data, file.Data) {
			file.Data = was.Data
		} else {
			s.fresh += file.Size
		}
	}
	s.files[name] = file
}

// read reads a file that was looked at; another one in its place is not.
func read(root *os.Root, name string, seen fs.FileInfo) ([]byte, bool) {
	f, err := root.Open(name)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !os.SameFile(info, seen) {
		return nil, false
	}
	b, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	return b, err == nil && len(b) <= MaxFile
}
