package engine

import (
	"fmt"
	"slices"
	"strings"

	"perch/engine/event"
	"perch/engine/symbols"
	"perch/engine/units"
	"perch/engine/wire"
)

// trapUnreachable is the trap of the instruction that compilers put where
// nothing may come: behind abort, panic and failed checks.
const trapUnreachable = "unreachable"

// ending keeps the end of stderr for what a runtime says when it gives up: more
// than the model is told, because stacks of many goroutines may follow it.
type ending struct{ b []byte }

// mostEnding is how much of the end is kept at least.
const mostEnding = 64 << 10

func (e *ending) write(b []byte) {
	if len(b) > mostEnding {
		b = b[len(b)-mostEnding:]
	}
	if len(e.b)+len(b) > 2*mostEnding { // each byte is moved once
		e.b = append(e.b[:0], e.b[len(e.b)-mostEnding:]...)
	}
	e.b = append(e.b, b...)
}

// crashOf is the crash that stderr tells of, if the module ended by it: in a
// trap where code is nil, else in that status.
func (r *run) crashOf(code *uint32) (wire.Crash, bool) {
	if code != nil && *code == 0 {
		return wire.Crash{}, false
	}
	c, told := wire.CrashIn(r.ending.b)
	if !told || code == nil && !c.Trapped() || code != nil && !c.Exited(*code) {
		return wire.Crash{}, false
	}
	return c, true
}

// crashPlace is where a crash was, for behind its text: the source line of the
// stack, else what the text names.
func crashPlace(stack []event.Frame, c wire.Crash) string {
	if i := own(stack); i >= 0 && stack[i].File != "" && !library(stack[i]) {
		return fmt.Sprintf(", in %s%s", stack[i].Name, at(stack[i]))
	}
	if c.At != "" {
		return ", at " + c.At
	}
	if i := own(stack); i >= 0 && !library(stack[i]) {
		return ", in " + stack[i].Name
	}
	return ""
}

// own is the frame where whoever looks for a fault begins: the innermost one of
// the module's own source, else the innermost that is no library's by its name,
// else the innermost with a source line. -1 for an empty stack.
func own(stack []event.Frame) int {
	if len(stack) == 0 {
		return -1
	}
	at := slices.IndexFunc(stack, func(f event.Frame) bool { return f.File != "" && !library(f) })
	if at < 0 {
		at = slices.IndexFunc(stack, func(f event.Frame) bool { return !library(f) && f.Name != "_start" })
	}
	if at < 0 {
		at = max(0, slices.IndexFunc(stack, func(f event.Frame) bool { return f.File != "" }))
	}
	return at
}

// library reports whether a frame is of a runtime or a standard library: by its
// file, or by its name where debug information is left out, as a release build
// of Rust does.
func library(f event.Frame) bool {
	if f.File != "" {
		return symbols.Library(f)
	}
	name := strings.TrimLeft(f.Name, "<&")
	for _, begin := range []string{
		"std::", "core::", "alloc::", "panic_abort::", "dlmalloc::", "compiler_builtins::", "rust_", "__rust_", "__rg_", "__rdl_",
		"__assert", "__cxa", "__cxx", "__wasi_", "__wasilibc", "__imported_wasi", "wasi_snapshot_preview1.", "runtime.",
	} {
		if strings.HasPrefix(name, begin) {
			return true
		}
	}
	return slices.Contains([]string{"abort", "_Exit", "exit", "_exit", "memcpy", "memset", "memmove", "memcmp", "strlen", "malloc", "free", "realloc", "calloc", "proc_exit"}, name)
}

// folded names the functions that fill the stack.
func folded(stack []event.Frame) string {
	if len(stack) == 0 {
		return ""
	}
	const few = 4
	var ring []event.Frame
	for _, f := range stack {
		if !slices.ContainsFunc(ring, func(g event.Frame) bool { return g.Name == f.Name }) {
			ring = append(ring, f)
		}
	}
	switch {
	case len(ring) == 1: // the innermost call is at its entry, the next at its own call
		return fmt.Sprintf(", %s calls itself%s", ring[0].Name, at(stack[min(1, len(stack)-1)]))
	case len(ring) <= few && len(stack) > few*few:
		names := make([]string, len(ring))
		for i, f := range ring {
			names[i] = f.Name
		}
		return fmt.Sprintf(", %s call each other%s", strings.Join(names, ", "), at(stack[1+own(stack[1:])]))
	}
	return ", in " + place(stack)
}

// at is a frame's source line behind its function's name.
func at(f event.Frame) string {
	switch {
	case f.File == "":
		return ""
	case f.Line == 0: // what the compiler added, or moved together
		return " in " + f.File
	}
	return fmt.Sprintf(" at %s:%d", f.File, f.Line)
}

// outOfMemory tells a run out of memory from other ends: a growth was refused,
// and the language, where it says what went wrong, says nothing else.
func (r *run) outOfMemory(c wire.Crash, crashed bool) bool {
	return r.alloc.refused > 0 && !(crashed && c.Language() && !c.OfMemory())
}

func (r *run) refusedGrowth() string {
	return fmt.Sprintf("Memory grew to %s, and a growth to %s was refused (limit %s, our setting, --memory)",
		units.Limit(r.alloc.peak), units.Limit(r.alloc.refused), units.Limit(r.alloc.limit))
}

const fixMemory = "Use less memory, or raise the limit with --memory to see how much it takes."

// codeOf is the place in the code of a stack: of its frame that counts.
func (r *run) codeOf(stack []event.Frame) event.Where {
	if len(stack) == 0 {
		return event.Where{Stream: event.File, File: r.session.pkg.ModuleFile, Section: "code", Func: -1}
	}
	f := stack[own(stack)]
	if f.Offset == 0 { // one of Go's that was read from memory: the engine's stands for it
		f = stack[0]
	}
	at := r.module.inst.CodeStart() + int64(f.Offset)
	return event.Where{Stream: event.File, File: r.session.pkg.ModuleFile, Section: "code",
		Offset: at, End: at, Func: int(f.Func), Name: f.Name}
}
