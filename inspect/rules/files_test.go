package rules_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/wasi"
	"perch/inspect/record"
	"perch/inspect/rules"
)

// recorded is a record of one run with these events.
func recorded(t *testing.T, bodies ...event.Body) *record.Run {
	t.Helper()
	rec := record.New(record.DefaultLimits())
	t.Cleanup(func() {
		if err := rec.Close(); err != nil {
			t.Error(err)
		}
	})
	for i, b := range bodies {
		rec.Append(event.Event{Run: 1, Seq: uint64(i), Body: b})
	}
	return rec.Run(1)
}

func begin(kind event.RunKind) event.Begin {
	b := event.Begin{Kind: kind, Mounts: []event.Mount{{FD: 3, Guest: "/volume/tmp"}, {FD: 4, Guest: "/package", ReadOnly: true}, {FD: 5, Guest: "/skills", ReadOnly: true}}}
	if kind == event.Upload {
		b.Mounts = []event.Mount{{FD: 3, Guest: "/package", ReadOnly: true}}
	}
	return b
}

func named(fd uint64) event.Body {
	return event.WASI{Func: "fd_prestat_dir_name", Args: []uint64{fd, 1024, 11}}
}

func open(fd uint32, path string, errno wasi.Errno) event.WASI {
	return event.WASI{Func: "path_open", Args: []uint64{uint64(fd), 1, 0, uint64(len(path)), 0, 0, 0, 0, 0}, Path: path, Errno: uint16(errno)}
}

func refused(path string, errno wasi.Errno, note string) event.Body {
	return event.FileEffect{Op: event.FileRefused, Path: path, Errno: uint16(errno), Note: note}
}

func TestFiles(t *testing.T) {
	const noFD = 1<<32 - 1
	calls := []struct {
		name   string
		kind   event.RunKind // call, when empty
		events []event.Body
		rule   abi.RuleID // empty: nothing is found
		says   string
	}{
		{name: "a path below a preopen that was asked for", events: []event.Body{named(3), open(3, "a.txt", 0)}},
		{name: "a fixed fd", events: []event.Body{open(3, "a.txt", 0)},
			rule: abi.FilesRelative, says: "path_open used fd 3 without asking for its name: it is /volume/tmp here"},
		{name: "a name that was asked for in vain", events: []event.Body{
			event.WASI{Func: "fd_prestat_dir_name", Args: []uint64{3, 1024, 2}, Errno: uint16(wasi.ENAMETOOLONG)}, open(3, "a.txt", 0)},
			rule: abi.FilesRelative},
		{name: "a folder below a preopen", events: []event.Body{named(3), open(3, "d", 0), open(6, "a.txt", 0)}},
		{name: "a preopen that was closed, its number used again", events: []event.Body{
			named(3), event.WASI{Func: "fd_close", Args: []uint64{3}}, open(3, "a.txt", 0)}},
		{name: "a preopen under another number", events: []event.Body{
			named(3), event.WASI{Func: "fd_renumber", Args: []uint64{3, 9}}, open(9, "a.txt", 0)}},
		{name: "a preopen under another number, not asked for", events: []event.Body{
			event.WASI{Func: "fd_renumber", Args: []uint64{3, 9}}, open(9, "a.txt", 0)}, rule: abi.FilesRelative, says: "fd 9"},
		{name: "a preopen renumbered to itself", events: []event.Body{
			named(3), event.WASI{Func: "fd_renumber", Args: []uint64{3, 3}}, open(3, "a.txt", 0)}},
		{name: "an absolute path", events: []event.Body{named(3),
			refused("/volume/tmp/x", wasi.EPERM, "stayed inside: the path begins with /; a path is relative to its descriptor, /volume/tmp"), open(3, "/volume/tmp/x", wasi.EPERM)},
			rule: abi.FilesRelative, says: `got the absolute path "/volume/tmp/x" on fd 3`},
		{name: "a link to an absolute path names no path", events: []event.Body{named(3),
			event.WASI{Func: "path_symlink", Args: []uint64{1024, 1, 3, 1028, 1}, Path: "/x", NewPath: "l"}}},
		{name: "a link made on a fixed fd", events: []event.Body{
			event.WASI{Func: "path_symlink", Args: []uint64{1024, 1, 3, 1028, 1}, Path: "x", NewPath: "l"}}, rule: abi.FilesRelative, says: "path_symlink used fd 3"},
		{name: "the second folder of a rename", events: []event.Body{named(3),
			event.WASI{Func: "path_rename", Args: []uint64{3, 0, 1, 4, 2, 1}, Path: "a", NewPath: "b"}}, rule: abi.FilesRelative, says: "fd 4"},
		{name: "the second folder of a hard link", events: []event.Body{named(3),
			event.WASI{Func: "path_link", Args: []uint64{3, 0, 0, 1, 5, 2, 1}, Path: "a", NewPath: "b"}}, rule: abi.FilesRelative, says: "fd 5"},
		{name: "Go, of a path that no mount holds", events: []event.Body{named(3),
			refused("/etc/passwd", wasi.EBADF, ""), open(noFD, "/etc/passwd", wasi.EBADF)},
			rule: abi.FilesEscape, says: `path_open of "/etc/passwd": no mount holds it`},
		{name: "a way out", events: []event.Body{named(3),
			refused("/etc/passwd", wasi.EPERM, "stayed inside: .. leads out of /volume/tmp"), open(3, "../../etc/passwd", wasi.EPERM)},
			rule: abi.FilesEscape, says: `path_open of "../../etc/passwd" stayed inside: .. leads out of /volume/tmp. The module got EPERM`},
		{name: "a link out of a mount that is read-only", events: []event.Body{named(4),
			refused("/package/out", wasi.EPERM, "stayed inside: a link points out of /package"), open(4, "out", wasi.EPERM)},
			rule: abi.FilesEscape},
		{name: "a write below /package", events: []event.Body{named(4),
			refused("/package/x", wasi.EPERM, "/package is read-only"), open(4, "x", wasi.EPERM)},
			rule: abi.FilesReadOnly, says: "/package is read-only (our reading)"},
		{name: "a file that is not there, below /package", events: []event.Body{named(4),
			refused("/package/x", wasi.ENOENT, ""), open(4, "x", wasi.ENOENT)}},
		{name: "a pipe", events: []event.Body{named(3),
			refused("/volume/tmp/p", wasi.EPERM, "it is a pipe; only files and folders are opened"), open(3, "p", wasi.EPERM)}},
		{name: "bytes past the budget", events: []event.Body{
			refused("/volume/tmp/a", wasi.EDQUOT, "the write budget is 1,073,741,824 bytes, 1,073,741,824 are written"),
			event.WASI{Func: "fd_write", Args: []uint64{6, 0, 1, 8}, Errno: uint16(wasi.EDQUOT)}},
			rule: abi.FilesBudget, says: `fd_write of "/volume/tmp/a" answered EDQUOT: the write budget is 1,073,741,824 bytes`},
		{name: "files past the budget", events: []event.Body{named(3),
			refused("/volume/tmp/a", wasi.EDQUOT, "65536 files, folders and links were created; no call may create more"), open(3, "a", wasi.EDQUOT)},
			rule: abi.FilesBudget, says: "65536 files, folders and links were created; no call may create more (our reading"},
		{name: "the disk's own quota", events: []event.Body{
			refused("/volume/tmp/a", wasi.EDQUOT, ""), event.WASI{Func: "fd_write", Args: []uint64{6, 0, 1, 8}, Errno: uint16(wasi.EDQUOT)}}},
		{name: "what HTTP could not save", events: []event.Body{
			event.FileEffect{Op: event.FileRefused, Path: "/volume/tmp/a", Errno: uint16(wasi.EDQUOT), Note: "the write budget is 1 bytes, 1 are written", HTTP: 1}}},
		{name: "fd_allocate", events: []event.Body{event.WASI{Func: "fd_allocate", Args: []uint64{6, 0, 1}, Errno: uint16(wasi.ENOTSUP)}},
			rule: abi.FilesAllocate},
		{name: "fd_allocate of nothing", events: []event.Body{event.WASI{Func: "fd_allocate", Args: []uint64{99, 0, 1}, Errno: uint16(wasi.EBADF)}}},
		{name: "a socket", events: []event.Body{event.WASI{Func: "sock_accept", Args: []uint64{3, 0, 0}, Errno: uint16(wasi.ENOTSOCK)}},
			rule: abi.FilesSocket, says: "sock_accept never gets a socket"},
		{name: "an upload run that reads its assets", kind: event.Upload, events: []event.Body{named(3), open(3, "a.txt", 0)}},
		{name: "an upload run of Go that opens the volume", kind: event.Upload, events: []event.Body{named(3), open(noFD, "/volume/tmp/x", wasi.EBADF)},
			rule: abi.ListSandbox, says: `path_open of "/volume/tmp/x" in the upload run`},
		{name: "an upload run that takes fd 4 for a folder", kind: event.Upload, events: []event.Body{named(3), open(4, "x", wasi.EBADF)},
			rule: abi.ListSandbox},
		{name: "an upload run that looks for a file in vain", kind: event.Upload, events: []event.Body{named(3), refused("/package/x", wasi.ENOENT, ""), open(3, "x", wasi.ENOENT)}},
	}
	for _, c := range calls {
		t.Run(c.name, func(t *testing.T) {
			kind := c.kind
			if kind == "" {
				kind = event.Call
			}
			run := recorded(t, append([]event.Body{begin(kind)}, c.events...)...)
			found := rules.Run(run, rules.Known{})
			if c.rule == "" {
				if len(found) > 0 {
					t.Fatalf("found %s: %s", found[0].Rule, found[0].Detail)
				}
				return
			}
			if len(found) != 1 || found[0].Rule != c.rule {
				t.Fatalf("found %+v, want %s alone", found, c.rule)
			}
			f := found[0]
			if !strings.Contains(f.Detail, c.says) || f.Fix == "" {
				t.Errorf("it says %q (fix %q), want %q in it", f.Detail, f.Fix, c.says)
			}
			if f.Run != kind || f.RunID != 1 || f.Event != uint64(len(c.events)) {
				t.Errorf("it is of event %d of the %s run %d", f.Event, f.Run, f.RunID)
			}
		})
	}
}

// TestManyOfARuleAreCounted: a module can try a million paths.
func TestManyOfARuleAreCounted(t *testing.T) {
	bodies := []event.Body{begin(event.Call), named(3)}
	for i := range 1_000 {
		path := "../" + strconv.Itoa(i)
		bodies = append(bodies, refused("/volume/"+path[3:], wasi.EPERM, "stayed inside: .. leads out of /volume/tmp"), open(3, path, wasi.EPERM))
	}
	found := rules.Run(recorded(t, bodies...), rules.Known{})
	if len(found) != 20 {
		t.Fatalf("%d findings", len(found))
	}
	if last := found[19].Detail; !strings.HasSuffix(last, "980 more like it are not listed") {
		t.Errorf("the last says %q", last)
	}
	if slices.ContainsFunc(found[:19], func(f rules.Finding) bool { return strings.Contains(f.Detail, "not listed") }) {
		t.Error("another one counts too")
	}
}
