package symbols

import "perch/engine/wasm"

// goPlace is a PC of Go that was found for a code offset.
type goPlace struct {
	pc   uint32 // low half of the PC: relative to the function's entry
	call bool   // the instruction is a call, and pc is its return address
	// guess: the place is before the code of the function, where every jump in
	// it goes through, so where it goes on is not known; pc is that of the
	// function's tightest loop.
	guess bool
}

// line is the pc to look a line up at: of a call, the call's own.
func (p goPlace) line() uint32 {
	if p.call && p.pc > 0 {
		return p.pc - 1
	}
	return p.pc
}

// Instructions that goWalk looks at.
const (
	opBlock, opLoop, opIf, opEnd            wasm.Op = 0x02, 0x03, 0x04, 0x0b
	opBr, opBrTable, opCall, opCallIndirect wasm.Op = 0x0c, 0x0e, 0x10, 0x11
	opLocalGet, opLocalSet                  wasm.Op = 0x20, 0x21
	opGlobalGet, opGlobalSet                wasm.Op = 0x23, 0x24
	opI32Const, opI64Const                  wasm.Op = 0x41, 0x42
)

// goWalk follows the code of a Go function as the Go compiler lays it out
// (cmd/internal/obj/wasm): an optional block to unwind from, an optional loop
// around everything, one block for each resume point, a br_table on the resume
// point to go to, then the code, where the end of each of those blocks begins
// the code of the next resume point.
type goWalk struct {
	l     *layout
	entry uint32 // function index without imports
	at    int    // what is looked for, in the module

	loopAt int      // where the loop begins, -1: none
	codeAt int      // where the code begins, -1: not reached
	starts []uint32 // the pc at which the code of each resume point begins

	block    int    // resume point that the walk is in
	depth    int    // blocks open in its code
	pc       uint32 // that the walk has come to
	pending  int64  // return address stored for the call that follows, -1: none
	constant int64  // of the i32.const just before, -1: none
	target   int64  // pc that a br just after goes to, -1: none

	startOf  map[uint32]int // where the code of a pc begins
	tightest int            // bytes in the tightest loop, 0: none
	loopPC   uint32         // where that loop begins

	place goPlace
	found bool
}

// goPlace finds the PC of Go at an offset in function fn. Not ok: the code is
// not laid out as expected up to there.
func (l *layout) goPlace(fn uint32, offset uint64) (goPlace, bool) {
	if !l.holds(fn, offset) {
		return goPlace{}, false
	}
	w := goWalk{
		l: l, entry: fn - l.imports(), at: l.code.Start + int(offset),
		loopAt: -1, codeAt: -1, pending: -1, constant: -1, target: -1, startOf: map[uint32]int{},
	}
	fault := l.Instructions(fn, w.visit)
	switch {
	case w.found:
		return w.place, true
	case fault != nil:
		return goPlace{}, false
	case w.loopAt >= 0 && w.at >= w.loopAt && w.at < w.codeAt:
		return goPlace{pc: w.loopPC, guess: true}, true
	}
	return goPlace{}, w.at < w.codeAt || w.codeAt < 0
}

// visit takes the next instruction; false when the place was found.
func (w *goWalk) visit(in *wasm.Instr) bool {
	if w.codeAt < 0 && w.before(in) {
		return true
	}
	if in.At.Start >= w.at && w.at >= w.codeAt {
		w.found = true
		w.place = goPlace{pc: w.pc}
		if (in.Op == opCall || in.Op == opCallIndirect) && w.pending >= 0 {
			w.place = goPlace{pc: uint32(w.pending), call: true}
		}
		return false
	}
	w.step(in)
	return true
}

// before takes an instruction that stands before the code, and says whether in
// was one.
func (w *goWalk) before(in *wasm.Instr) bool {
	switch in.Op {
	case opLoop:
		w.loopAt = in.At.Start
		return true
	case opBlock, opLocalGet, opLocalSet, opGlobalGet:
		return true
	case opBrTable:
		w.readTable(in)
		return true
	}
	ends := in.Op == opEnd && len(w.starts) > 0
	if w.codeAt = in.At.Start; ends {
		w.codeAt = in.At.End
	}
	w.startOf[0] = w.codeAt
	return ends
}

// readTable reads the br_table: for each pc the resume point it belongs to, the
// last of them for all that follow.
func (w *goWalk) readTable(in *wasm.Instr) {
	const maxPC = 1 << 16 // the low half of a PC
	r := reader{b: w.l.Bytes[in.Targets.Start:in.Targets.End]}
	pc := uint32(0)
	for ; pc < maxPC && r.more(); pc++ {
		if r.uint() == uint64(len(w.starts)) {
			w.starts = append(w.starts, pc)
		}
	}
	if in.X == uint64(len(w.starts)) {
		w.starts = append(w.starts, pc)
	}
}

// step follows one instruction of the code.
func (w *goWalk) step(in *wasm.Instr) {
	constant, target := w.constant, w.target
	w.constant, w.target = -1, -1
	switch in.Op {
	case opBlock, opLoop, opIf:
		w.depth++
	case opEnd:
		w.end(in.At.End)
	case opI32Const:
		w.constant = int64(int32(in.X))
	case opI64Const:
		if in.X>>16 == uint64(w.entry)+goFuncBase {
			w.pending = int64(in.X & 0xffff)
		}
	case opLocalSet:
		if in.X == 0 { // the resume point to go to
			w.target = constant
		}
	case opBr:
		w.jump(in.At.Start, target)
	case opGlobalSet:
		if in.X == 0 && w.block == 0 && w.pc == 0 && w.pending < 0 {
			w.pc = 1 // SP was lowered: the end of the prologue
		}
	case opCall, opCallIndirect:
		if w.pending >= 0 {
			w.pc, w.pending = uint32(w.pending), -1
		}
	}
}

// end closes a block of the code, or begins the next resume point.
func (w *goWalk) end(next int) {
	if w.depth > 0 {
		w.depth--
		return
	}
	w.block++
	if w.block < len(w.starts) {
		w.pc, w.pending = w.starts[w.block], -1
		w.startOf[w.pc] = next
	}
}

// jump notes a jump back to a resume point.
func (w *goWalk) jump(here int, target int64) {
	if target < 0 || target > int64(w.pc) {
		return
	}
	start, ok := w.startOf[uint32(target)]
	if distance := here - start; ok && (w.tightest == 0 || distance < w.tightest) {
		w.tightest, w.loopPC = distance, uint32(target)
	}
}
