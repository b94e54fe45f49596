package settings

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// buildLines is what was read of the table [build].
type buildLines struct {
	Build
	commandAt, watchAt uint32
	watches            []string // as they are written
	given              bool
}

// build takes a line of the table [build].
func (f *file) build(name []string, at uint32, value *unstable.Node) {
	if len(name) != 2 {
		f.fault(at, "build is a table of command and watch", `Write command = ["make"] below [build]`)
		return
	}
	line, _ := position(f.data, at)
	switch key := name[1]; key {
	case "command":
		words, ok := f.list("build.command", at, value, `Write the program and its arguments as a list: ["make", "module.wasm"]`)
		if ok {
			f.builds.Command, f.builds.commandAt, f.builds.From = words, at, f.from(line)
		}
	case "watch":
		paths, ok := f.list("build.watch", at, value, `Write files, folders or patterns as a list: ["src", "*.c"]`)
		if ok {
			f.watch(at, paths)
		}
	default:
		f.fault(at, "unknown key "+quote(key)+" in [build]", "Known are command and watch")
	}
	f.builds.given = true
}

// list takes a list of texts that are not empty.
func (f *file) list(what string, key uint32, value *unstable.Node, do string) ([]string, bool) {
	if value.Kind != unstable.Array {
		f.fault(f.at(value, key), what+" is a list of texts, not "+kindName(value.Kind), do)
		return nil, false
	}
	var out []string
	for it := value.Children(); it.Next(); {
		one := it.Node()
		switch {
		case one.Kind == unstable.Comment:
		case one.Kind != unstable.String:
			f.fault(f.at(one, key), what+" holds "+kindName(one.Kind)+", not texts alone", do)
			return nil, false
		case strings.ContainsRune(string(one.Data), 0):
			f.fault(f.at(one, key), what+" holds a NUL byte", "")
			return nil, false
		default:
			out = append(out, string(one.Data))
		}
	}
	if len(out) == 0 || out[0] == "" {
		f.fault(f.at(value, key), what+" is empty", do)
		return nil, false
	}
	return out, true
}

// watch takes what is watched, below the file's folder or wherever it says.
func (f *file) watch(at uint32, paths []string) {
	f.builds.watchAt, f.builds.watches = at, paths
	f.builds.Watch = nil
	for _, p := range paths {
		full := filepath.FromSlash(p)
		if !filepath.IsAbs(full) {
			full = filepath.Join(f.dir, full)
		}
		if _, err := filepath.Match(full, ""); p == "" || err != nil {
			f.fault(at, "build.watch holds "+quote(p)+", which is no path and no pattern", "Write a file, a folder, or a pattern such as *.c")
			continue
		}
		f.builds.Watch = append(f.builds.Watch, full)
	}
}

// endBuild takes the table when all of it was read. Without trust it is left
// out: what it would run is shown whole.
func (f *file) endBuild() {
	b := &f.builds
	if !b.given || len(f.b.errs) > 0 {
		return
	}
	if b.Command == nil {
		f.fault(b.watchAt, "[build] has no command", `Write command = ["make"] below [build]`)
		return
	}
	b.Dir = f.dir
	if f.b.trusted {
		f.b.s.Build = b.Build
		return
	}
	line, _ := position(f.data, b.commandAt)
	f.b.leaveOut("build.command", strings.Join(quoted(b.Command), " "), origin{from: f.from(line)})
	if len(b.watches) > 0 {
		line, _ = position(f.data, b.watchAt)
		for _, w := range b.watches {
			f.b.leaveOut("build.watch", w, origin{from: f.from(line)})
		}
	}
}

// quoted are words that hold more than letters and signs, in quotes.
func quoted(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		if out[i] = w; w == "" || strings.ContainsAny(w, " \t\n\"'\\") {
			out[i] = strconv.Quote(w) // whole: what is not shown cannot be agreed to
		}
	}
	return out
}
