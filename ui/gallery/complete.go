package gallery

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	"perch/engine/abi"
)

// Limits of a listing: how many names of a folder are read, and how many are
// shown.
const (
	maxNames  = 50_000
	maxOffers = 400
)

// Kind is what a name in a folder is to someone who looks for a package.
type Kind uint8

// The kinds, in the order in which they are listed.
const (
	Package Kind = iota // a file whose name says so, or a folder that holds a module
	Folder
	Other // nothing that is opened
)

// Offer is a name that a path could go on with.
type Offer struct {
	Name string
	Path string // as it is typed; that of a folder ends with a separator
	Kind Kind
	Dir  bool
	Size int64 // of a file that is a package
}

// Listing is how a path could go on.
type Listing struct {
	Text   string // the path
	Dir    string // the folder that was read, as it is typed
	Offers []Offer
	More   int    // fit as well, and are not listed
	Hidden int    // begin with a dot, and were not asked for
	Why    string // nothing could be read, and why
	// Package says that the path is a folder that holds a module.
	Package bool
}

// List lists how a path could go on: packages, then folders, then what is no
// package. It reads the disk: not for the goroutine that draws.
func List(text string) Listing {
	path, prefix := Expand(text), text
	if text == "~" {
		path, prefix = path+string(filepath.Separator), "~"+string(filepath.Separator)
	}
	dir, start := filepath.Split(path)
	prefix = prefix[:len(prefix)-len(start)]
	out := Listing{Text: text, Dir: prefix}
	if dir == "" {
		dir = "."
		out.Dir, _ = os.Getwd()
	}
	names, err := namesIn(dir)
	if err != nil {
		out.Why = whyNotListed(err)
		return out
	}
	if start == "" && prefix != "" {
		info, err := os.Stat(filepath.Join(dir, abi.ModuleFile))
		out.Package = err == nil && info.Mode().IsRegular()
	}
	fits := fitting(names, start, strings.HasPrefix)
	if len(fits) == 0 { // the case may be wrong
		fits = fitting(names, strings.ToLower(start), func(name, start string) bool {
			return strings.HasPrefix(strings.ToLower(name), start)
		})
	}
	for _, e := range fits {
		if start == "" && strings.HasPrefix(e.Name(), ".") {
			out.Hidden++
			continue
		}
		out.Offers = append(out.Offers, offer(dir, prefix, e))
	}
	byKind(out.Offers)
	if n := len(out.Offers) - maxOffers; n > 0 {
		out.Offers, out.More = out.Offers[:maxOffers], n
	}
	for i := range out.Offers {
		out.Offers[i].measure(dir)
	}
	// Folders that turned out to hold a package go to the front.
	byKind(out.Offers)
	return out
}

func byKind(all []Offer) {
	slices.SortFunc(all, func(a, b Offer) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Name, b.Name))
	})
}

// namesIn reads the names in a folder, sorted.
func namesIn(dir string) ([]os.DirEntry, error) {
	info, err := os.Stat(dir) // opening what is no folder could wait
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, syscall.ENOTDIR
	}
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.ReadDir(maxNames)
	if len(names) == 0 && err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	slices.SortFunc(names, func(a, b os.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return names, nil
}

func whyNotListed(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "there is no such folder"
	case errors.Is(err, syscall.ENOTDIR):
		return "that is a file, not a folder"
	case errors.Is(err, fs.ErrPermission):
		return "this folder may not be read"
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return err.Error()
}

func fitting(names []os.DirEntry, start string, has func(name, start string) bool) []os.DirEntry {
	var out []os.DirEntry
	for _, e := range names {
		if has(e.Name(), start) {
			out = append(out, e)
		}
	}
	return out
}

func offer(dir, prefix string, e os.DirEntry) Offer {
	o := Offer{Name: e.Name(), Path: prefix + e.Name(), Kind: Other, Dir: e.IsDir()}
	if e.Type()&os.ModeSymlink != 0 {
		info, err := os.Stat(filepath.Join(dir, e.Name()))
		if err != nil {
			return o
		}
		o.Dir = info.IsDir()
	}
	switch {
	case !typable(o.Name):
	case o.Dir:
		o.Kind, o.Path = Folder, o.Path+string(filepath.Separator)
	case IsPackageFile(o.Name):
		o.Kind = Package
	}
	return o
}

// measure looks whether a folder holds a package, and how big a file is.
func (o *Offer) measure(dir string) {
	switch {
	case o.Kind == Folder:
		if info, err := os.Stat(filepath.Join(dir, o.Name, abi.ModuleFile)); err == nil && info.Mode().IsRegular() {
			o.Kind = Package
		}
	case o.Kind == Package:
		info, err := os.Stat(filepath.Join(dir, o.Name))
		if err != nil || !info.Mode().IsRegular() {
			o.Kind = Other
			return
		}
		o.Size = info.Size()
	}
}

// typable reports whether a name can stand in a line of text.
func typable(name string) bool {
	return utf8.ValidString(name) && !strings.ContainsFunc(name, unicode.IsControl)
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

// Dropped is a path as it was meant that was pasted, or dropped on the
// terminal: terminals quote paths as a shell wants them, or give an address.
func Dropped(text string) string {
	text = strings.TrimRight(strings.TrimLeft(text, " \t"), " \t\r\n")
	if rest, is := strings.CutPrefix(text, "file://"); is {
		if path, err := url.PathUnescape(rest[max(strings.IndexByte(rest, '/'), 0):]); err == nil {
			return path
		}
	}
	if n := len(text); n >= 2 && (text[0] == '\'' || text[0] == '"') && text[n-1] == text[0] {
		return text[1 : n-1]
	}
	if filepath.Separator != '/' || !strings.Contains(text, `\`) {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			i++
		}
		out.WriteByte(text[i])
	}
	return out.String()
}
