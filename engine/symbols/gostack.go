package symbols

import (
	"encoding/binary"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
)

// Go unwinds the WebAssembly stack when it switches goroutines and rebuilds it
// one call at a time, so a frame that the engine sees need not have its caller
// below it: the loop wasm_pc_f_loop stands there. The goroutine's own stack in
// linear memory has all callers, as return addresses.

// goStack names the frames of calls up to the loop, then goes on along the
// goroutine's stack. It does so without the loop too: the engine may hand over
// no more than its innermost frames.
func (t *Table) goStack(g *goTable, calls []event.Frame, live Live) []event.Frame {
	var frames []event.Frame
	for i, c := range calls {
		if isGoLoop(t.Func(c.Func)) && i > 0 {
			calls = calls[:i]
			break
		}
		if frames = append(frames, t.Frame(c.Func, c.Offset)...); len(frames) >= abi.StackDepth {
			return frames
		}
	}
	if len(calls) == 0 {
		return nil
	}
	walk := goWalker{t: t, g: g, memory: live.Memory, g0: live.G}
	return append(frames, walk.beyond(calls, live.SP, abi.StackDepth-len(frames))...)
}

// isGoLoop says whether a function is the loop that calls Go functions: what
// lies below it is not of the goroutine.
func isGoLoop(name string) bool { return strings.HasPrefix(name, "wasm_pc_f_loop") }

// goCall is a call on a goroutine's stack.
type goCall struct {
	fn uint32 // that is returned to, its index without imports
	pc uint32 // return address, relative to fn
}

// goWalker follows return addresses through the linear memory of a Go module.
// Nothing that it reads there is trusted.
type goWalker struct {
	t      *Table
	g      *goTable
	memory Memory
	g0     uint64 // the running goroutine's g, 0: not known
}

// Search widths of what should be near.
const (
	goHelpers  = 3  // calls at the top that keep no return address of their own
	goTailCall = 4  // callers that jumped on and so are on the engine's stack alone
	goMatch    = 64 // calls of the goroutine's stack that the engine's lacks
)

// beyond returns the frames that the goroutine's stack holds beyond calls,
// which is not empty, at most limit of them.
func (w *goWalker) beyond(calls []event.Frame, sp uint32, limit int) []event.Frame {
	if w.memory == nil {
		return nil
	}
	chain := w.chain(calls, sp)
	known := 0 // calls of the chain that the engine's stack had
	for _, c := range calls[1:] {
		fn, at, ok := w.place(c)
		if !ok {
			continue
		}
		for i := known; i < min(len(chain), known+goMatch); i++ {
			if chain[i].fn == fn && (!at.call || chain[i].pc == at.pc) {
				known = i + 1
				break
			}
		}
	}
	var frames []event.Frame
	for _, c := range chain[known:] {
		f, ok := w.g.find(c.fn)
		if !ok || len(frames) >= limit {
			break
		}
		line := goPlace{pc: c.pc, call: true}.line()
		frames = append(frames, w.g.unfold(f, line, w.imports()+c.fn, 0)...)
	}
	return frames
}

func (w *goWalker) imports() uint32 { return w.t.layout().imports() }

// place is where in its Go function a frame of the engine's stack is.
func (w *goWalker) place(c event.Frame) (fn uint32, at goPlace, ok bool) {
	if c.Func < w.imports() {
		return 0, goPlace{}, false
	}
	fn = c.Func - w.imports()
	at, ok = w.t.layout().goPlace(c.Func, c.Offset)
	return fn, at, ok
}

// chain follows the return addresses from sp, innermost first, without the
// functions that stand at the top of every stack.
func (w *goWalker) chain(calls []event.Frame, sp uint32) []goCall {
	addr, ok := w.first(calls, sp)
	var chain []goCall
	for switches := 0; ok && len(chain) < abi.StackDepth; {
		var c goCall
		c, ok = w.returnAddress(addr)
		if !ok {
			break
		}
		f, _ := w.g.find(c.fn)
		if f.topFrame() {
			if switches++; switches > 1 {
				break
			}
			c, addr, ok = w.userStack()
			if !ok {
				break
			}
			if c.pc == 0 { // systemstack was called: its return address is next
				continue
			}
			f, _ = w.g.find(c.fn)
		} else {
			addr += 8
		}
		chain = append(chain, c)
		size, known := w.g.frameSize(f, c.pc)
		ok = known && addr+size >= addr
		addr += size
	}
	return chain
}

// first finds where the innermost return address is. SP is exact, but how much
// the innermost function had lowered it is known only from the place in its
// code, which may be a guess; and some functions are called without a return
// address. The engine's stack says who must be returned to.
func (w *goWalker) first(calls []event.Frame, sp uint32) (addr uint32, ok bool) {
	for i := 0; i < min(goHelpers, len(calls)); i++ {
		fn, at, ok := w.place(calls[i])
		f, found := w.g.find(fn)
		if !ok || !found {
			continue
		}
		size, known := w.g.frameSize(f, at.pc)
		sizes := []uint32{size}
		if at.guess || !known {
			sizes = []uint32{size, 0}
		}
		callers := calls[i+1 : min(len(calls), i+1+goTailCall)]
		for _, size := range sizes {
			c, ok := w.returnAddress(sp + size)
			if ok && (len(callers) == 0 || w.isOneOf(c.fn, callers)) {
				return sp + size, true
			}
		}
	}
	return 0, false
}

func (w *goWalker) isOneOf(fn uint32, calls []event.Frame) bool {
	for _, c := range calls {
		if c.Func == fn+w.imports() {
			return true
		}
	}
	return false
}

// returnAddress reads the return address at addr; not ok when it is none.
func (w *goWalker) returnAddress(addr uint32) (goCall, bool) {
	v, ok := w.word(uint64(addr))
	if !ok {
		return goCall{}, false
	}
	return w.goPC(v)
}

// goPC takes a PC apart; not ok when it is in no function.
func (w *goWalker) goPC(v uint64) (goCall, bool) {
	fn := v>>16 - goFuncBase
	if fn >= uint64(len(w.t.layout().Code)) {
		return goCall{}, false
	}
	_, ok := w.g.find(uint32(fn))
	return goCall{uint32(fn), uint32(v & 0xffff)}, ok
}

func (w *goWalker) word(addr uint64) (uint64, bool) {
	if addr > abi.MaxMemory-8 {
		return 0, false
	}
	b, ok := w.memory.Read(uint32(addr), 8)
	if !ok || len(b) < 8 {
		return 0, false
	}
	return binary.LittleEndian.Uint64(b), true
}

// userStack finds where the goroutine stopped that runs on the scheduler's
// stack now (systemstack, morestack, mcall): m.curg.sched. The offsets differ
// between versions of Go, so they are found by what must hold: g0.m.g0 is g0,
// and a g's sched has its sp, its pc and the g itself, in this order, after m.
// The call's pc is 0 when the return address is the next thing on the stack.
func (w *goWalker) userStack() (c goCall, sp uint32, ok bool) {
	const gWords, mWords = 16, 64
	for off := uint64(0); off < 8*gWords; off += 8 {
		m, _ := w.word(w.g0 + off)
		if m == 0 || w.g0 == 0 {
			continue
		}
		if back, ok := w.word(m); !ok || back != w.g0 {
			continue
		}
		for i := uint64(1); i < mWords; i++ {
			g, _ := w.word(m + 8*i)
			if g == 0 || g == w.g0 {
				continue
			}
			its, ok1 := w.word(g + off)
			sp, ok2 := w.word(g + off + 8)
			pc, ok3 := w.word(g + off + 16)
			self, ok4 := w.word(g + off + 24)
			if !ok1 || !ok2 || !ok3 || !ok4 || its != m || self != g || sp == 0 || sp >= abi.MaxMemory {
				continue
			}
			if c, ok = w.goPC(pc); ok {
				return c, uint32(sp), true
			}
		}
	}
	return goCall{}, 0, false
}
