package gallery

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxOffers is how many completions are looked for.
const maxOffers = 200

// Complete lists the folders and packages that a path could go on to. It reads
// the disk: not for the goroutine that draws.
func Complete(text string) []string {
	path := text
	home, err := os.UserHomeDir()
	if rest, is := strings.CutPrefix(path, "~"); is && err == nil && (rest == "" || os.IsPathSeparator(rest[0])) {
		path = home + rest
	}
	dir, start := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	entries, err := f.ReadDir(4096)
	if err != nil {
		return nil
	}
	prefix := text[:len(text)-len(start)]
	var out []string
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, start) || start == "" && strings.HasPrefix(name, ".") || len(out) == maxOffers {
			continue
		}
		if isDir(dir, e) {
			out = append(out, prefix+name+string(filepath.Separator))
		} else if IsPackageFile(name) {
			out = append(out, prefix+name)
		}
	}
	slices.Sort(out)
	return out
}

func isDir(dir string, e os.DirEntry) bool {
	if e.Type()&os.ModeSymlink == 0 {
		return e.IsDir()
	}
	info, err := os.Stat(filepath.Join(dir, e.Name()))
	return err == nil && info.IsDir()
}

// IsPackageFile reports whether a file's name says that it is a package.
func IsPackageFile(name string) bool {
	for _, ext := range []string{".wasm", ".tar", ".tar.gz", ".tgz", ".zip"} {
		if strings.HasSuffix(strings.ToLower(name), ext) {
			return true
		}
	}
	return false
}

// Expand is a typed path as it is opened: ~ is the home folder.
func Expand(path string) string {
	rest, is := strings.CutPrefix(path, "~")
	home, err := os.UserHomeDir()
	if is && err == nil && (rest == "" || os.IsPathSeparator(rest[0])) {
		return home + rest
	}
	return path
}
