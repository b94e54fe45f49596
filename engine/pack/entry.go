package pack

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"perch/engine/abi"
	"perch/engine/disk"
)

// fault is what an archive's entry, or the archive itself, breaks.
type fault struct {
	entry string // as the archive writes it
	no    int    // of the entry, from 1; 0: the archive itself
	what  string
	do    string
}

func (f *fault) text() string {
	if f.no == 0 {
		return f.what
	}
	return fmt.Sprintf("entry %d, %s, %s", f.no, quoteName(f.entry), f.what)
}

// quoteName shows a name that may hold anything: control bytes, bytes that are
// not UTF-8 and characters that are not printed are written as escapes.
func quoteName(name string) string {
	const most = 200
	if len(name) > most {
		return strconv.Quote(name[:most]) + "…"
	}
	return strconv.Quote(name)
}

// tree is what the entries of an archive add up to: files by clean path, and
// each path, folders between included, once.
type tree struct {
	files map[string][]byte
	seen  map[string]place // by folded path
	count int              // entries so far
	bytes int64            // of files so far
}

// place is what stands at a path.
type place struct {
	path  string // as it is spelled
	entry int
	dir   bool
	named bool // by an entry of its own, not only by what lies below it
}

func newTree() *tree {
	return &tree{files: map[string][]byte{}, seen: map[string]place{}}
}

// next counts an entry and checks its name against all before it. It returns
// the clean path, "" for the root itself.
func (t *tree) next(name string, dir bool) (string, *fault) {
	t.count++
	f := &fault{entry: name, no: t.count}
	if t.count > abi.MaxPackageFiles {
		f.what = fmt.Sprintf("is one more than the %d entries that a package may have (local limit)", abi.MaxPackageFiles)
		return "", f
	}
	path, what, do := cleanName(name, dir)
	switch {
	case what != "":
	case path != "":
		what, do = t.claim(path, dir)
	case !dir:
		what = "is a file without a name"
	}
	if what != "" {
		f.what, f.do = what, do
		return "", f
	}
	return path, nil
}

// room is how many bytes the next file may have.
func (t *tree) room() int64 { return abi.MaxPackageBytes - t.bytes }

// claim takes path, and the folders above it, for the present entry.
func (t *tree) claim(path string, dir bool) (what, do string) {
	for i := 0; i < len(path); i++ {
		if path[i] != '/' {
			continue
		}
		if what, do := t.put(place{path[:i], t.count, true, false}); what != "" {
			return what, do
		}
	}
	return t.put(place{path, t.count, dir, true})
}

func (t *tree) put(p place) (what, do string) {
	key := fold(p.path)
	old, ok := t.seen[key]
	switch {
	case !ok:
		t.seen[key] = p
	case old.path != p.path:
		return fmt.Sprintf("%s is the same path as %s of entry %d where case does not count", quoteName(p.path), quoteName(old.path), old.entry),
			"Give the two different names"
	case old.dir != p.dir:
		return fmt.Sprintf("makes %s a file and a folder; entry %d has it first", quoteName(p.path), old.entry), "Give the two different names"
	case old.named && p.named:
		return fmt.Sprintf("is the same path as entry %d", old.entry), "Pack it with each file once"
	case p.named:
		old.named = true
		t.seen[key] = old
	}
	return "", ""
}

// fold is a path as a disk sees it where neither case nor the way an accent is
// written makes a difference.
func fold(path string) string {
	if strings.IndexFunc(path, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return strings.ToUpper(path) // as below, and nearly always enough
	}
	return strings.Map(func(r rune) rune {
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return least
	}, norm.NFC.String(path))
}

// What to do about an archive. A text that begins with doPack is completed by
// the command that packs it.
const (
	doPack    = "Pack it"
	doInside  = "Pack it from inside its folder"
	doRegular = "Pack it with regular files alone"
)

// cleanName returns the path of an entry below the package's root, without "."
// and doubled slashes, or what is wrong with its name.
func cleanName(name string, dir bool) (path, what, do string) {
	switch {
	case name == "":
		return "", "has no name", ""
	case len(name) > abi.MaxEntryName:
		return "", fmt.Sprintf("has a name of %d bytes; at most %d (local limit)", len(name), abi.MaxEntryName), ""
	case !utf8.ValidString(name):
		return "", "has a name that is not UTF-8", "Rename the file in UTF-8"
	case strings.IndexFunc(name, unicode.IsControl) >= 0:
		return "", "has a control character in its name", "Rename the file"
	case strings.ContainsRune(name, '\\'):
		return "", `has a backslash in its name`, "Join folders and names with /"
	case name[0] == '/':
		return "", "is an absolute path", doInside
	case len(name) >= 2 && name[1] == ':' && isLetter(name[0]):
		return "", "begins with a drive letter", doInside
	case !dir && strings.HasSuffix(name, "/"):
		return "", "is a file whose name ends in a slash", ""
	}
	return cleanParts(name)
}

func cleanParts(name string) (path, what, do string) {
	var parts []string
	depth, up := 0, false
	for part := range strings.SplitSeq(name, "/") {
		switch part {
		case "", ".":
			continue
		case "..":
			up = true
			if depth--; depth < 0 {
				return "", "points outside the package", doInside
			}
			continue
		}
		if len(part) > 255 {
			return "", fmt.Sprintf("has a part of %d bytes in its name; at most 255", len(part)), "Rename the file"
		}
		depth++
		parts = append(parts, part)
	}
	if up {
		return "", `has ".." in its path`, doInside
	}
	return strings.Join(parts, "/"), "", ""
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

// tooLarge is the fault of an archive that unpacks to too much.
func tooLarge() string {
	return "brings the package over " + disk.Size(abi.MaxPackageBytes) + " unpacked (local limit)"
}
