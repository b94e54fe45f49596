package rules

import (
	"fmt"
	"strconv"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/wasi"
)

// filesCheck follows what a run does to files.
type filesCheck struct {
	preopens map[uint32]string  // that are open, and their names
	named    map[uint32]bool    // those whose name the module asked for
	refused  []event.FileEffect // by the call that is going on
}

func newFilesCheck() filesCheck {
	return filesCheck{preopens: make(map[uint32]string), named: make(map[uint32]bool)}
}

func (f *filesCheck) begin(b event.Begin) {
	for _, m := range b.Mounts {
		f.preopens[m.FD] = m.Guest
	}
}

// effect keeps a refusal until its call is there, which says how it was asked
// for. What HTTP could not write has rules of its own.
func (f *filesCheck) effect(b event.FileEffect) {
	if b.Op == event.FileRefused && b.HTTP == 0 {
		f.refused = append(f.refused, b)
	}
}

func (f *filesCheck) call(c *Checker, e event.Event, w event.WASI) {
	told := false
	switch {
	case w.Func == "fd_allocate" && w.Errno == uint16(wasi.ENOTSUP):
		c.add(e, event.Breach{Rule: abi.FilesAllocate, Detail: "fd_allocate answered ENOTSUP, as Subako's does",
			Fix: "Write the bytes, or set the size with ftruncate."}, w.Func)
	case strings.HasPrefix(w.Func, "sock_"):
		c.add(e, event.Breach{Rule: abi.FilesSocket, Detail: w.Func + " never gets a socket",
			Fix: "HTTP goes through " + abi.ModuleHTTP + "."}, w.Func)
	case strings.HasPrefix(w.Func, "path_"):
		told = f.paths(c, e, w)
	case w.Errno == 0:
		f.descriptors(w)
	}
	if !told {
		f.refusals(c, e, w)
	}
	f.refused = f.refused[:0]
}

// descriptors follows what becomes of the preopens' descriptors.
func (f *filesCheck) descriptors(w event.WASI) {
	switch w.Func {
	case "fd_prestat_dir_name":
		f.named[argument(w, 0)] = true
	case "fd_close":
		f.forget(argument(w, 0))
	case "fd_renumber":
		from, to := argument(w, 0), argument(w, 1)
		guest, is := f.preopens[from]
		asked := f.named[from]
		if from == to {
			return
		}
		f.forget(from)
		f.forget(to)
		if is {
			f.preopens[to], f.named[to] = guest, asked
		}
	}
}

func (f *filesCheck) forget(fd uint32) {
	delete(f.preopens, fd)
	delete(f.named, fd)
}

// given is a path that a call took, with the descriptor it is relative to.
type given struct {
	fd   uint32
	path string
}

// paths are the paths of a call. The first argument of path_symlink is what the
// link will say: no path that is walked.
func pathsOf(w event.WASI) []given {
	fd := func(i int) uint32 { return argument(w, i) }
	switch w.Func {
	case "path_symlink":
		return []given{{fd(2), w.NewPath}}
	case "path_link":
		return []given{{fd(0), w.Path}, {fd(4), w.NewPath}}
	case "path_rename":
		return []given{{fd(0), w.Path}, {fd(3), w.NewPath}}
	}
	return []given{{fd(0), w.Path}}
}

// argument is an argument of a call as a descriptor; 0 where a record has none.
func argument(w event.WASI, i int) uint32 {
	if i >= len(w.Args) {
		return 0
	}
	return uint32(w.Args[i])
}

// noDescriptor is what a runtime passes that found no preopen for a path: Go
// does.
const noDescriptor = 1<<32 - 1

const (
	fixAbsolute = "Open paths by their absolute names, as libc, Go and Rust do: they ask each preopen for its name (fd_prestat_dir_name)."
	fixInside   = "Use paths below the mounts alone."
)

// paths looks at how the paths of a call were given: below a preopen whose name
// was asked for, and not by an absolute path. It reports whether that explains
// what became of the call.
func (f *filesCheck) paths(c *Checker, e event.Event, w event.WASI) (told bool) {
	unopened := w.Errno == uint16(wasi.EBADF)
	for _, g := range pathsOf(w) {
		guest, preopen := f.preopens[g.fd]
		switch {
		case unopened && c.run.Begin().Kind == event.Upload:
			c.add(e, event.Breach{Rule: abi.ListSandbox,
				Detail: fmt.Sprintf("%s of %s in the upload run, which mounts %s alone", w.Func, quotePath(g.path), abi.PackageDir),
				Fix:    "Open files when a tool is called, not while tools are listed."}, g.path)
		case unopened && g.fd == noDescriptor:
			c.add(e, event.Breach{Rule: abi.FilesEscape,
				Detail: fmt.Sprintf("%s of %s: no mount holds it. The module passed no descriptor (fd -1) and got EBADF", w.Func, quotePath(g.path)),
				Fix:    fixInside}, g.path)
		case strings.HasPrefix(g.path, "/"):
			c.add(e, event.Breach{Rule: abi.FilesRelative,
				Detail: fmt.Sprintf("%s got the absolute path %s on fd %d; a path is relative to its descriptor", w.Func, quotePath(g.path), g.fd),
				Fix:    fixAbsolute}, g.path)
		case preopen && !f.named[g.fd]:
			c.add(e, event.Breach{Rule: abi.FilesRelative,
				Detail: fmt.Sprintf("%s used fd %d without asking for its name: it is %s here, and another folder in another run", w.Func, g.fd, guest),
				Fix:    fixAbsolute}, fmt.Sprint(g.fd))
			continue // what became of it is another matter
		default:
			continue
		}
		told = true
	}
	return told
}

// refusals tells of our own refusals, not of those that any file system has.
func (f *filesCheck) refusals(c *Checker, e event.Event, w event.WASI) {
	for _, b := range f.refused {
		what := w.Func + " of " + quotePath(b.Path)
		if b.NewPath != "" {
			what += " and " + quotePath(b.NewPath)
		}
		breach, about := event.Breach{}, b.Path
		switch wasi.RefusalOf(b) {
		case wasi.BytesRefusal:
			breach, about = event.Breach{Rule: abi.FilesBudget, Detail: what + " answered EDQUOT: " + b.Note,
				Fix: "Write less in one call; what is written counts, also when it is written again."}, "bytes"
		case wasi.FilesRefusal:
			breach, about = event.Breach{Rule: abi.FilesBudget, Detail: what + " answered EDQUOT: " + b.Note + " (our reading: they fill a disk as well)",
				Fix: "Put many small things into one file."}, "files"
		case wasi.ReadOnlyRefusal:
			breach = event.Breach{Rule: abi.FilesReadOnly, Detail: what + " answered EPERM: " + b.Note + " (our reading)",
				Fix: "Write below " + abi.VolumeTmp + ", or " + abi.VolumeData + "."}
		case wasi.EscapeRefusal:
			breach = event.Breach{Rule: abi.FilesEscape, Detail: what + " " + b.Note + ". The module got EPERM", Fix: fixInside}
			if asked := w.Path; strings.Contains(asked, "..") {
				breach.Detail = w.Func + " of " + quotePath(asked) + " " + b.Note + ". The module got EPERM"
			}
		default:
			continue
		}
		c.add(e, breach, about)
	}
}

// longestPath is how much of a path a sentence quotes, in bytes.
const longestPath = 200

// quotePath shows a path of the module's in a sentence.
func quotePath(path string) string {
	if len(path) > longestPath {
		return strconv.Quote(path[:longestPath]) + "…"
	}
	return strconv.Quote(path)
}
