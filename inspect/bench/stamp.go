package bench

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"perch/engine/abi"
	"perch/engine/pack"
)

// Stamp is what the files of a package look like from outside: their names,
// sizes and times. It is cheap, and another one when the package was built
// again.
type Stamp struct {
	Sum [sha256.Size]byte
	// Dirs are the folders whose changes could change it; those that are there.
	Dirs []string
	path string
}

// mostWatched is how many folders of assets or sources are looked into.
const mostWatched = 512

// StampOf looks at the package at a path.
func StampOf(path string) Stamp {
	s := Stamp{path: filepath.Clean(path)}
	l := looker{}
	l.dir(filepath.Dir(s.path))
	info, err := os.Stat(s.path)
	switch {
	case err != nil:
	case !info.IsDir():
		l.file(s.path)
		l.file(filepath.Join(filepath.Dir(s.path), pack.SettingsFile))
	default:
		l.packageDir(s.path)
	}
	s.Sum, s.Dirs = sha256.Sum256([]byte(l.text.String())), l.dirs
	return s
}

// Counts reports whether a change of a file could be one of the package: others
// lie in the same folders.
func (s Stamp) Counts(file string) bool {
	file = filepath.Clean(file)
	if file == s.path {
		return true
	}
	switch filepath.Base(file) {
	case pack.PresetsFile, pack.MocksFile:
		return false
	case pack.SettingsFile:
		return true
	}
	return strings.HasPrefix(file, s.path+string(filepath.Separator))
}

// looker writes down what it looks at.
type looker struct {
	text strings.Builder
	dirs []string
	seen int
}

func (l *looker) dir(name string) bool {
	if len(l.dirs) >= mostWatched {
		return false
	}
	l.dirs = append(l.dirs, name)
	return true
}

func (l *looker) file(name string) {
	if info, err := os.Stat(name); err == nil {
		l.seen++
		fmt.Fprintf(&l.text, "%q %d %d %v\n", name, info.Size(), info.ModTime().UnixNano(), info.Mode().Type())
	}
}

// packageDir looks at the parts of a folder, or of the one folder in it.
func (l *looker) packageDir(path string) {
	l.dir(path)
	for _, name := range []string{abi.ModuleFile, abi.ManifestFile, pack.SettingsFile} {
		l.file(filepath.Join(path, name))
	}
	l.tree(filepath.Join(path, "assets"))
	have, err := os.ReadDir(path)
	if err != nil {
		return
	}
	only := ""
	for _, e := range have {
		switch {
		case strings.HasPrefix(e.Name(), "."), !e.IsDir() && isOurs(e.Name()):
		case only != "" || !e.IsDir():
			return
		default:
			only = e.Name()
		}
	}
	if only != "" && only != "assets" && l.dir(filepath.Join(path, only)) {
		for _, name := range []string{abi.ModuleFile, abi.ManifestFile} {
			l.file(filepath.Join(path, only, name))
		}
		l.tree(filepath.Join(path, only, "assets"))
	}
}

func isOurs(name string) bool {
	return name == pack.SettingsFile || name == pack.PresetsFile || name == pack.MocksFile
}

// tree looks at all files below a folder, hidden ones aside, without following
// links.
func (l *looker) tree(root string) {
	_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // it went meanwhile
		case l.seen > abi.MaxPackageFiles:
			return fs.SkipAll
		case name != root && strings.HasPrefix(d.Name(), ".") && d.IsDir():
			return fs.SkipDir
		case d.IsDir():
			if !l.dir(name) {
				return fs.SkipDir
			}
		case d.Type().IsRegular():
			l.file(name)
		}
		return nil
	})
}
