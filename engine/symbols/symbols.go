// Package symbols says what a place in a module's code is called in its source:
// from a function index and a code offset to names, files and lines, for DWARF
// (C, C++, Rust, Zig, TinyGo and others) and for Go, whose modules carry the
// runtime's own table instead.
//
// A module is hostile, its debug information too: nothing here panics or runs
// longer than a bounded amount of work, and what cannot be found out is left
// out. Names and files are the guest's own bytes; whoever shows them makes them
// safe.
//
// The package must not know how a module is run, nor whether it may be: it takes
// bytes, numbers and a view of linear memory.
package symbols

import (
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/ianlancetaylor/demangle"

	"perch/engine/abi"
	"perch/engine/event"
)

// maxName is the length in bytes past which a name is not demangled and, where
// it ends with a NUL, not read.
const maxName = 16 << 10

// place is an instruction: the function, and the offset in the code section.
type place struct {
	fn     uint32
	offset uint64
}

// Table is the symbols of one module. It reads nothing until it is asked, reads
// each part once, and may be asked by several goroutines at once.
type Table struct {
	layout func() *layout
	goTab  func() *goTable // nil: the module is not of Go

	mu        sync.Mutex // held while DWARF is read and while frames are looked up
	dwarf     *lines     // nil until opened, and when there is none
	dwarfOpen bool
	frames    map[place][]event.Frame
}

// New makes the table of a module, which must not change afterwards. It takes
// any bytes: of what is no module, nothing has a name.
func New(module []byte) *Table {
	t := &Table{frames: map[place][]event.Frame{}}
	t.layout = sync.OnceValue(func() *layout { return readLayout(module) })
	t.goTab = sync.OnceValue(func() *goTable { return findGoTable(t.layout()) })
	return t
}

// Memory is the linear memory of a running instance, between two instructions
// of it. Read returns a view of n bytes, not ok past its end.
type Memory interface {
	Read(offset, n uint32) ([]byte, bool)
}

// Live is the state of a running instance that belongs to a stack. Only modules
// of Go make use of it, and only where goroutines were switched.
type Live struct {
	Memory Memory
	SP     uint32 // global 0 of a Go module, its stack pointer
	G      uint64 // global 2 of a Go module, the running goroutine; 0: not known
}

// IsGo says whether the module has the symbol table of the Go toolchain.
func (t *Table) IsGo() bool { return t.goTab() != nil }

// Func is the name of a function, demangled: as the source has it where that
// can be found, "module.name" for an import, else "func[12]".
func (t *Table) Func(fn uint32) string {
	l := t.layout()
	if fn < l.imports() {
		return l.importName(fn)
	}
	if g := t.goTab(); g != nil {
		if name := g.funcName(fn - l.imports()); name != "" {
			return name
		}
	}
	if name := l.FuncName(fn); name != "" {
		return demangled(name)
	}
	if body, ok := l.body(fn); ok {
		if name := t.dwarfName(body.from); name != "" {
			return name
		}
	}
	return numbered(fn)
}

// numbered stands in for the name of a function that has none.
func numbered(fn uint32) string {
	return "func[" + strconv.FormatUint(uint64(fn), 10) + "]"
}

// Frame is what one frame of the engine's stack stands for: the calls that the
// compiler inlined there, the innermost first, then the function itself. It
// never is empty. File is as the compiler wrote it, empty when not known; Line
// counts from 1, 0 when not known.
//
// The offset is that of the instruction that runs or calls, from the start of
// the code section's contents, in the module as it was given to New; 0: not
// known.
//
// At the head of the loop that Go's compiler puts around a function, where it
// goes on is not known: the line is then that of the function's tightest loop.
func (t *Table) Frame(fn uint32, offset uint64) []event.Frame {
	const maxKept = 4096 // a deep recursion has few places
	key := place{fn, offset}
	t.mu.Lock()
	kept := t.frames[key]
	t.mu.Unlock()
	if kept != nil {
		return append([]event.Frame(nil), kept...)
	}
	frames := t.frame(key)
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.frames) < maxKept {
		t.frames[key] = append([]event.Frame(nil), frames...)
	}
	return frames
}

func (t *Table) frame(c place) []event.Frame {
	l := t.layout()
	plain := event.Frame{Func: c.fn, Name: t.Func(c.fn), Offset: c.offset}
	if !l.holds(c.fn, c.offset) {
		return []event.Frame{plain}
	}
	if g := t.goTab(); g != nil {
		return t.goFrame(g, c, plain)
	}
	frames := t.dwarfFrames(c.offset)
	if len(frames) == 0 {
		return []event.Frame{plain}
	}
	for i := range frames {
		frames[i].Func, frames[i].Offset = c.fn, c.offset
		if frames[i].Name == "" { // an inlined call without a name
			frames[i].Name = plain.Name
		}
	}
	frames[len(frames)-1].Name = plain.Name
	return frames
}

func (t *Table) goFrame(g *goTable, c place, plain event.Frame) []event.Frame {
	l := t.layout()
	f, ok := g.find(c.fn - l.imports())
	if !ok {
		return []event.Frame{plain}
	}
	at, ok := l.goPlace(c.fn, c.offset)
	if !ok { // the line of the declaration is better than none
		plain.File, _ = g.position(f, 0)
		plain.Line = int(f.startLine)
		return []event.Frame{plain}
	}
	return g.unfold(f, at.line(), c.fn, c.offset)
}

// Stack names a stack, innermost first, of which Func and Offset are set as in
// Frame. Of a module of Go it goes on along the goroutine's stack in linear
// memory, where the engine's stack was unwound by a switch or is not whole;
// frames that come from there have the offset 0. There are at most
// abi.StackDepth frames and those that the last one unfolds to.
func (t *Table) Stack(stack []event.Frame, live Live) []event.Frame {
	if g := t.goTab(); g != nil {
		return t.goStack(g, stack, live)
	}
	frames := make([]event.Frame, 0, len(stack))
	for _, f := range stack[:min(len(stack), abi.StackDepth)] {
		frames = append(frames, t.Frame(f.Func, f.Offset)...)
	}
	return frames
}

// demangled is a symbol as the source has it: Rust (both forms) and C++
// (Itanium). Any other name is returned as it is.
func demangled(name string) (out string) {
	const log2MaxOut = 14
	if len(name) > maxName || !utf8.ValidString(name) {
		return name
	}
	mangled := strings.TrimPrefix(name, "\x01")
	defer func() {
		if recover() != nil { // the demangler is not ours
			out = name
		}
	}()
	return demangle.Filter(mangled, demangle.MaxLength(log2MaxOut))
}
