package rules

import (
	"fmt"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/wasi"
)

// filesCheck follows what a run does to files.
type filesCheck struct {
	named map[uint32]bool // preopens whose name the module asked for
}

func newFilesCheck() filesCheck { return filesCheck{named: make(map[uint32]bool)} }

func (f *filesCheck) call(c *Checker, e event.Event, w event.WASI) {
	switch {
	case w.Func == "fd_prestat_dir_name" && w.Errno == 0:
		f.named[uint32(w.Args[0])] = true
	case w.Func == "fd_allocate":
		c.add(e, event.Breach{Rule: abi.FilesAllocate, Detail: "fd_allocate answered ENOTSUP, as Subako's does",
			Fix: "Write the bytes, or set the size with ftruncate."}, "fd_allocate")
	case strings.HasPrefix(w.Func, "sock_"):
		c.add(e, event.Breach{Rule: abi.FilesSocket, Detail: w.Func + " never gets a socket",
			Fix: "HTTP goes through subako_http."}, w.Func)
	case w.Errno == uint16(wasi.EDQUOT):
		f.quota(c, e, w)
	case strings.HasPrefix(w.Func, "path_"):
		f.path(c, e, w)
	}
}

func (f *filesCheck) quota(c *Checker, e event.Event, w event.WASI) {
	c.add(e, event.Breach{Rule: abi.FilesBudget,
		Detail: fmt.Sprintf("%s answered EDQUOT: the call's write budget of %d B, or its %d new files, is used up", w.Func, c.run.Begin().Budget, abi.MaxNewFiles),
		Fix:    "Write less in one call; what is written counts, also when it is written again."}, w.Func)
}

// path looks at how a path was opened: below a preopen whose name was asked
// for, and not by an absolute path.
func (f *filesCheck) path(c *Checker, e event.Event, w event.WASI) {
	fd := uint32(w.Args[0])
	if c.run.Begin().Kind == event.Upload && !f.mounted(c, fd) {
		c.add(e, event.Breach{Rule: abi.ListSandbox, Detail: fmt.Sprintf("%s of %q in the upload run, which mounts /package alone", w.Func, w.Path),
			Fix: "Open files when a tool is called, not when tools are listed."}, w.Path)
		return
	}
	const fix = "Open paths by their absolute names: find the preopen with fd_prestat_dir_name, as wasi-libc, Go and Rust do."
	switch {
	case strings.HasPrefix(w.Path, "/"):
		c.add(e, event.Breach{Rule: abi.FilesRelative, Detail: fmt.Sprintf("%s got the absolute path %q on fd %d; a path is relative to its fd", w.Func, w.Path, fd), Fix: fix}, w.Func+w.Path)
	case f.preopen(c, fd) && !f.named[fd]:
		c.add(e, event.Breach{Rule: abi.FilesRelative, Detail: fmt.Sprintf("%s used fd %d without asking for its name: it is %s here, and another folder in another run", w.Func, fd, f.name(c, fd)), Fix: fix}, fmt.Sprint(fd))
	}
}

func (f *filesCheck) preopen(c *Checker, fd uint32) bool { return f.name(c, fd) != "" }

func (f *filesCheck) name(c *Checker, fd uint32) string {
	for _, m := range c.run.Begin().Mounts {
		if m.FD == fd {
			return m.Guest
		}
	}
	return ""
}

// mounted reports whether an fd can belong to the upload run's one mount.
func (f *filesCheck) mounted(c *Checker, fd uint32) bool {
	return len(c.run.Begin().Mounts) > 0 && fd >= 3 && fd < 1<<31
}

func (f *filesCheck) effect(c *Checker, e event.Event, b event.FileEffect) {
	if b.Op != event.FileRefused {
		return
	}
	switch {
	case b.Errno == uint16(wasi.EDQUOT) && b.HTTP == 0:
		// The call itself tells it.
	case readOnly(b.Path) || readOnly(b.NewPath):
		c.add(e, event.Breach{Rule: abi.FilesReadOnly, Detail: fmt.Sprintf("a write to %s answered EPERM: /package and /skills are read-only (our reading)", b.Path),
			Fix: "Write below /volume/tmp, or /volume/data."}, b.Path)
	case b.Errno == uint16(wasi.EPERM) || b.Errno == uint16(wasi.ENOTCAPABLE):
		c.add(e, event.Breach{Rule: abi.FilesEscape, Detail: fmt.Sprintf("%s: stayed inside, EPERM. %s", b.Path, b.Note),
			Fix: "Use paths below the mounts alone."}, b.Path)
	}
}

func readOnly(path string) bool {
	for _, d := range []string{abi.PackageDir, abi.SkillsDir} {
		if path == d || strings.HasPrefix(path, d+"/") {
			return true
		}
	}
	return false
}
