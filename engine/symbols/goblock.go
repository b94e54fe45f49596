package symbols

// goPlace is a PC of Go that was found for a code offset.
type goPlace struct {
	pc   uint32 // low half of the PC: relative to the function's entry
	call bool   // the instruction is a call, and pc is its return address
	// guess: the place is the head of the loop through which every jump of the
	// function goes, so where it goes on is not known; pc is that of its
	// tightest loop.
	guess bool
}

// line is the pc to look a line up at: of a call, the call's own.
func (p goPlace) line() uint32 {
	if p.call && p.pc > 0 {
		return p.pc - 1
	}
	return p.pc
}

// Opcodes that findGoPlace looks at.
const (
	opBlock, opLoop, opIf, opEnd    = 0x02, 0x03, 0x04, 0x0b
	opBr, opBrIf, opBrTable         = 0x0c, 0x0d, 0x0e
	opCall, opCallIndirect          = 0x10, 0x11
	opLocalSet, opGlobalSet         = 0x21, 0x24
	opI32Const, opI64Const, opMisc  = 0x41, 0x42, 0xfc
	firstMemoryOp, lastMemoryOp     = 0x28, 0x3e
	opSelectTyped, opTableSet       = 0x1c, 0x26
	firstNumericOp, lastNumericOp   = 0x45, 0xc4
	opUnreachable, opDrop, opSelect = 0x00, 0x1a, 0x1b
)

// goWalk follows the code of a Go function as the Go compiler lays it out
// (cmd/internal/obj/wasm): an optional block to unwind from, an optional loop
// around everything, one block for each resume point, a br_table on the resume
// point to go to, then the code, where the end of each of those blocks begins
// the code of the next resume point.
type goWalk struct {
	entry    uint32   // function index without imports
	starts   []uint32 // pc at which each resume point begins, of the br_table
	loopAt   int      // offset of the loop around everything, -1: none
	codeAt   int      // offset where the code begins
	block    int      // resume point that the walk is in
	depth    int      // blocks open in its code
	pc       uint32
	pending  int64 // return address stored for the call that follows, -1: none
	constant int64 // of the i32.const before, -1: none
	target   int64 // resume point that a jump goes to, -1: none

	tightest int // distance of the tightest backward jump, in bytes
	loopPC   uint32
	startOf  map[uint32]int // where the code of a pc begins
}

// findGoPlace finds the place of offset at in the body of a Go function. Both
// are relative to the code section. Not ok: the code is not laid out as
// expected up to there.
func findGoPlace(code []byte, body span, entry uint32, at int) (place goPlace, ok bool) {
	r := reader{b: code[:body.to], at: body.from}
	for n := r.uint(); n > 0 && r.more(); n-- { // locals
		r.uint()
		r.byte()
	}
	w := goWalk{entry: entry, loopAt: -1, codeAt: r.at, pending: -1, constant: -1, target: -1, startOf: map[uint32]int{}}
	if at < r.at || at >= body.to {
		return goPlace{}, false
	}
	w.dispatch(&r)
	if at < w.codeAt && (w.loopAt < 0 || at < w.loopAt) {
		return goPlace{}, true
	}
	dispatching := at < w.codeAt
	w.startOf[0] = w.codeAt
	for r.more() {
		here := r.at
		if here >= at && !dispatching {
			break
		}
		if !w.step(&r) {
			return goPlace{}, false
		}
	}
	if dispatching {
		return goPlace{pc: w.loopPC, guess: true}, !r.bad
	}
	if op := code[at]; (op == opCall || op == opCallIndirect) && w.pending >= 0 {
		return goPlace{pc: uint32(w.pending), call: true}, true
	}
	return goPlace{pc: w.pc}, !r.bad
}

// dispatch reads what stands before the code. Without resume points there is
// no br_table, and the code begins at once.
func (w *goWalk) dispatch(r *reader) {
	from := *r
	for r.more() {
		here := r.at
		switch op := r.byte(); op {
		case opBlock:
			r.byte()
		case opLoop:
			r.byte()
			w.loopAt = here
		case 0x20, opLocalSet, 0x23: // local.get, local.set, global.get
			r.uint()
		case opBrTable:
			w.readTable(r)
			if r.byte() == opEnd {
				w.codeAt = r.at
				return
			}
			*r = from
			return
		default:
			*r = from
			w.loopAt = -1
			return
		}
	}
	*r = from
}

// readTable reads the br_table: for each pc the resume point it belongs to.
func (w *goWalk) readTable(r *reader) {
	const maxPC = 1 << 16 // the low half of a PC
	n := r.uint() + 1
	for pc := uint64(0); pc < n && pc <= maxPC && r.more(); pc++ {
		if point := r.uint(); point == uint64(len(w.starts)) {
			w.starts = append(w.starts, uint32(pc))
		}
	}
}

// step reads one instruction of the code. False: one that Go does not emit.
func (w *goWalk) step(r *reader) bool {
	here, constant, target := r.at, w.constant, w.target
	w.constant, w.target = -1, -1
	op := r.byte()
	switch op {
	case opBlock, opLoop, opIf:
		r.int()
		w.depth++
	case opEnd:
		w.end(r.at)
	case opI32Const:
		w.constant = r.int()
	case opI64Const:
		if v := r.int(); v>>16 == int64(w.entry)+goFuncBase {
			w.pending = v & 0xffff
		}
	case opLocalSet:
		if r.uint() == 0 {
			w.target = constant
		}
	case opBr:
		r.uint()
		w.jump(here, target)
	case opGlobalSet:
		if r.uint() == 0 && w.block == 0 && w.pc == 0 && w.pending < 0 {
			w.pc = 1 // SP was lowered: the end of the prologue
		}
	case opCall, opCallIndirect:
		r.uint()
		if op == opCallIndirect {
			r.uint()
		}
		if w.pending >= 0 {
			w.pc, w.pending = uint32(w.pending), -1
		}
	default:
		return skipImmediates(r, op)
	}
	return true
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

// skipImmediates moves over what follows op.
func skipImmediates(r *reader, op byte) bool {
	switch {
	case op == opBrTable:
		for n := r.uint() + 1; n > 0 && r.more(); n-- {
			r.uint()
		}
	case op == opBrIf, op >= 0x20 && op <= opTableSet: // an index
		r.uint()
	case op >= firstMemoryOp && op <= lastMemoryOp: // alignment, offset
		r.uint()
		r.uint()
	case op == 0x3f, op == 0x40: // memory.size, memory.grow
		r.byte()
	case op == 0x43:
		r.take(4)
	case op == 0x44:
		r.take(8)
	case op == opMisc:
		return skipMisc(r)
	case op == 0x01, op == 0x05, op == 0x0f, op == opUnreachable, op == opDrop, op == opSelect,
		op >= firstNumericOp && op <= lastNumericOp: // none
	default:
		return false
	}
	return true
}

// skipMisc moves over a saturating conversion, memory.copy or memory.fill.
func skipMisc(r *reader) bool {
	switch sub := r.uint(); {
	case sub <= 7:
	case sub == 10:
		r.take(2)
	case sub == 11:
		r.byte()
	default:
		return false
	}
	return true
}
