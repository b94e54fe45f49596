package pack

import (
	"io/fs"
	"os"
	"path/filepath"

	"perch/engine/near"
)

// mostNeighbours is how many names of a folder are looked at for one that was
// meant.
const mostNeighbours = 10_000

// missing words that nothing lies at a path: how far it leads, and what was
// meant.
func missing(path string, err error) *Error {
	e := &Error{Path: path, What: "there is no such file or folder", Err: err}
	if path == "" {
		e.Path, e.What = "PACKAGE", "is empty"
		e.Do = "Name a folder, a .wasm, a .tar, a .tar.gz or a .zip, or sample:greeter"
		return e
	}
	dir, name := filepath.Split(filepath.Clean(path))
	for parent := filepath.Clean(orHere(dir)); ; parent = filepath.Dir(parent) {
		info, err := os.Stat(parent)
		switch {
		case err == nil && !info.IsDir():
			e.What = parent + " is a file, not a folder"
		case err == nil:
			e.Folder = parent
			if meant := neighbour(parent, name); meant != "" {
				e.Meant = filepath.Join(dir, meant)
				e.Do = "Did you mean " + e.Meant + "?"
			}
		default:
			name = filepath.Base(parent)
			if next := filepath.Dir(parent); next != parent {
				e.What = "there is no such file or folder, and no folder " + parent
				dir = withSlash(next)
				continue
			}
		}
		return e
	}
}

func orHere(dir string) string {
	if dir == "" {
		return "."
	}
	return dir
}

func withSlash(dir string) string {
	if dir == "." {
		return ""
	}
	return dir + string(filepath.Separator)
}

// neighbour is the name in a folder that was most likely meant.
func neighbour(dir, name string) string {
	f, err := os.Open(dir)
	if err != nil {
		return ""
	}
	defer f.Close()
	entries, _ := f.ReadDir(mostNeighbours)
	var names []string
	for _, e := range entries {
		if e.IsDir() || e.Type()&fs.ModeSymlink != 0 || e.Type().IsRegular() && baseName(e.Name()) != e.Name() {
			names = append(names, e.Name())
		}
	}
	return near.Word(name, names)
}
