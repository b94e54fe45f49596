package engine

import (
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

// trapFix is what to do about a trap that no crash explains, by its text.
func trapFix(trap string) string {
	switch {
	case trap == trapUnreachable:
		return "Compilers put this behind abort, a panic, a failed check and what cannot be reached. Print why to stderr before it, check first, and answer with isError."
	case strings.HasPrefix(trap, "out of bounds memory access"):
		return "An index or a pointer leads past the end of memory: check indexes that come from arguments. C and C++: a build for your machine with -fsanitize=address finds it."
	case strings.HasPrefix(trap, "integer divide by zero"):
		return "Check the divisor, and answer with isError when it is 0."
	case strings.HasPrefix(trap, "integer overflow"), strings.HasPrefix(trap, "invalid conversion to integer"):
		return "A number does not fit the integer that it is made into: check its range first."
	case strings.HasPrefix(trap, "indirect call type mismatch"):
		return "A function is called by a pointer of another type than its own: make the types the same. C: -Wincompatible-function-pointer-types shows casts."
	case strings.HasPrefix(trap, "invalid table access"):
		return "A function pointer is null or damaged: check it before the call."
	}
	return ""
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
