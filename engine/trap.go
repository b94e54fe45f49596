package engine

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tetratelabs/wazero/api"

	"perch/engine/event"
)

// hint says of a trap what is behind it, where that shows, and what to do.
func (r *run) hint(e *event.Exit) (why, fix string) {
	if why := r.shadowStack(e.Trap); why != "" {
		return why, fixShadowStack
	}
	if len(e.Stack) == 0 {
		return "", ""
	}
	// Names of functions that wasm-ld makes, which do nothing but trap.
	if name, is := strings.CutPrefix(e.Stack[0].Name, "signature_mismatch:"); is {
		return fmt.Sprintf("The linker put this in the place of %s: it is defined with another type than it is called with", name),
			fmt.Sprintf("Look for wasm-ld's warning \"function signature mismatch: %s\", and make both types the same.", name)
	}
	if name, is := strings.CutPrefix(e.Stack[0].Name, "undefined_weak:"); is {
		return fmt.Sprintf("The linker put this in the place of %s, which nothing defines", name),
			fmt.Sprintf("Define %s, or link the library that does.", name)
	}
	return "", ""
}

// shadowStack tells a trap that comes of a full C stack: compilers that use
// LLVM keep the stack of C, C++, Rust or Zig in linear memory, and its pointer
// in the module's first global. Nothing guards its end: where it lies at the
// bottom of memory, as linkers put it today, the pointer falls below 0. Empty
// for any other trap.
func (r *run) shadowStack(trap string) string {
	globals := r.module.inst.Globals
	if !strings.HasPrefix(trap, "out of bounds memory access") || r.instance == nil || len(globals) == 0 || globals[0] == "" {
		return ""
	}
	g := r.instance.ExportedGlobal(globals[0])
	if g == nil || g.Type() != api.ValueTypeI32 {
		return ""
	}
	pointer := int32(uint32(g.Get()))
	if pointer >= 0 {
		return ""
	}
	return fmt.Sprintf("The stack pointer, global 0, is %d: the stack of linear memory ran over its end", pointer)
}

// fixShadowStack is what to do about that.
const fixShadowStack = "Put less on the stack (large arrays, deep recursion), or link with a larger one: -z stack-size=1048576; in Rust -C link-arg=-zstack-size=1048576."

// statusOfGo is how Go's runtime exits after a panic or a fatal error, which
// it tells on stderr.
const statusOfGo = 2

// wordsOfGo adds to the breach of an exit what Go's runtime said of it.
func (r *run) wordsOfGo(b event.Breach, code uint32) event.Breach {
	if code != statusOfGo || !r.module.Symbols.IsGo() {
		return b
	}
	for line := range bytes.Lines(r.tail.b) {
		if !bytes.HasPrefix(line, []byte("panic: ")) && !bytes.HasPrefix(line, []byte("fatal error: ")) {
			continue
		}
		said := strings.TrimSpace(strings.ToValidUTF8(string(line), "\uFFFD"))
		b.Detail += ". Go's runtime says: " + said
		if strings.Contains(said, "all goroutines are asleep") {
			b.Fix = "A module has one thread and no sockets, and a read of stdin holds all of it: wait for nothing that another goroutine cannot bring."
		}
		return b
	}
	return b
}
