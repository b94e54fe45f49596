package bench

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"perch/engine/pack"
)

// SourcesOf looks at the files that a build is made from: files, folders with all
// below them, and patterns such as *.go in a folder. The package's own files do
// not count, as a build writes them.
func SourcesOf(watched []string, path string) Stamp {
	s := Stamp{path: filepath.Clean(path)}
	l := looker{}
	for _, w := range watched {
		if info, err := os.Stat(w); err == nil && info.IsDir() {
			l.tree(w)
			continue
		}
		l.dir(filepath.Dir(w))
		all, err := filepath.Glob(w)
		if err != nil {
			continue // the settings said so
		}
		for _, name := range all {
			l.file(name)
		}
	}
	lines := strings.Split(l.text.String(), "\n")
	lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" || s.builds(line) })
	slices.Sort(lines)
	s.Sum = sha256.Sum256([]byte(strings.Join(slices.Compact(lines), "\n")))
	slices.Sort(l.dirs)
	s.Dirs = slices.Compact(l.dirs)
	return s
}

// builds reports whether a line of a looker is of the package's own module.
func (s Stamp) builds(line string) bool {
	name, _, _ := strings.Cut(line, "\" ")
	name = strings.TrimPrefix(name, "\"")
	switch base := filepath.Base(name); {
	case base == pack.PresetsFile, base == pack.MocksFile:
		return true
	case strings.HasSuffix(base, ".wasm"), name == s.path:
		return true
	}
	return false
}
