package wasm

import (
	"fmt"
)

// bodyWriter rewrites one function body after the other.
type bodyWriter struct {
	*rewriter
	out   []byte
	edges []edge
	shape shape

	labels []label
	height int    // labels open in the output
	loops  int    // loops met so far
	tmp    uint32 // an i32 local of ours, when the body has bulk instructions
}

// label is a block of the original that is open.
type label struct {
	at    int  // its label in the output, counted from the function's
	twice bool // a loop that became two
}

// shape is what the first pass over a body finds out.
type shape struct {
	calls, bulk bool
	ticks       int32   // of an entry
	loopTicks   []int32 // of each loop's turn, in their order
	probe       bool
	open        []int // loops open, as indices in bytes
	bytes       []int // code of each loop without those inside it
	blocks      []int // for each open block: its loop's index, -1: no loop
}

// measure walks a body once, for the weights of its probes.
func (s *shape) measure(m *Module, body *Code) error {
	*s = shape{loopTicks: s.loopTicks[:0], open: s.open[:0], bytes: s.bytes[:0], blocks: s.blocks[:0]}
	outside := 0
	d := decoder{cursor{b: m.Bytes[:body.Expr.End], pos: body.Expr.Start}}
	var in Instr
	for d.next(&in) {
		size := in.At.Len()
		switch in.Op {
		case opLoop:
			s.open = append(s.open, len(s.bytes))
			s.blocks = append(s.blocks, len(s.bytes))
			s.bytes = append(s.bytes, 0)
		case opBlock, opIf:
			s.blocks = append(s.blocks, -1)
		case opEnd:
			if n := len(s.blocks); n > 0 {
				if s.blocks[n-1] >= 0 {
					s.open = s.open[:len(s.open)-1]
				}
				s.blocks = s.blocks[:n-1]
			}
		case opCall, opCallIndirect:
			s.calls = true
			size += callBytes
		case opRefFunc:
			size += refBytes
		case opMemoryGrow, opTableGrow, opTableInit, opTableCopy, opTableFill, opMemoryInit, opMemoryCopy, opMemoryFill:
			s.bulk = true
			size += callBytes
		}
		if n := len(s.open); n > 0 {
			s.bytes[s.open[n-1]] += size
		} else {
			outside += size
		}
	}
	if d.fault != nil {
		return d.fault
	}
	for _, n := range s.bytes {
		s.loopTicks = append(s.loopTicks, int32(1+n/tickBytes))
	}
	s.ticks = int32(1 + outside/tickBytes)
	s.probe = s.calls || s.bulk || len(s.bytes) > 0 || outside > smallBody
	return nil
}

// rewrite leaves the new body of function fn in out, and its edges.
func (w *bodyWriter) rewrite(fn uint32) error {
	body := w.m.Body(fn)
	w.out, w.edges = w.out[:0], w.edges[:0]
	if err := w.shape.measure(w.m, body); err != nil {
		return fmt.Errorf("function %d: %w", fn, err)
	}
	t, ok := w.m.FuncType(fn)
	if !ok {
		return fmt.Errorf("function %d has no type", fn)
	}
	w.locals(fn, t, body)
	w.labels = append(w.labels[:0], label{})
	w.height, w.loops = 1, 0
	if w.shape.probe {
		w.inserted(body.Expr.Start)
		w.entry(t)
	}
	d := decoder{cursor{b: w.m.Bytes[:body.Expr.End], pos: body.Expr.Start}}
	var in Instr
	for d.next(&in) {
		if len(w.labels) == 0 {
			return fmt.Errorf("function %d: instructions behind its end", fn)
		}
		if err := w.instr(&in); err != nil {
			return fmt.Errorf("function %d: %w", fn, err)
		}
	}
	if d.fault != nil {
		return fmt.Errorf("function %d: %w", fn, d.fault)
	}
	if len(w.labels) != 0 {
		return fmt.Errorf("function %d: its end is missing", fn)
	}
	return nil
}

// locals copies the declarations, with one more when we need a place.
func (w *bodyWriter) locals(fn uint32, t FuncType, body *Code) {
	w.copied(body.Locals.Start)
	if !w.shape.bulk {
		w.out = append(w.out, w.m.Bytes[body.Locals.Start:body.Locals.End]...)
		return
	}
	groups := w.m.Locals(fn)
	w.tmp = uint32(len(t.Params))
	for _, g := range groups {
		w.tmp += g.Count
	}
	c := cursor{b: w.m.Bytes[:body.Locals.End], pos: body.Locals.Start}
	n := c.u32("the number of groups")
	w.out = appendULEB(w.out, uint64(n)+1)
	w.out = append(w.out, w.m.Bytes[c.pos:body.Locals.End]...)
	w.out = append(w.out, 1, byte(I32))
}

// copied and inserted mark how offsets map from here on.
func (w *bodyWriter) copied(orig int) {
	if n := len(w.edges); n > 0 && w.edges[n-1].copied &&
		uint32(orig)-w.edges[n-1].orig == uint32(len(w.out))-w.edges[n-1].at {
		return
	}
	w.mark(orig, true)
}

func (w *bodyWriter) inserted(orig int) { w.mark(orig, false) }

func (w *bodyWriter) mark(orig int, copied bool) {
	e := edge{uint32(len(w.out)), uint32(orig), copied}
	if n := len(w.edges); n > 0 && w.edges[n-1].at == e.at {
		w.edges[n-1] = e
		return
	}
	w.edges = append(w.edges, e)
}

func (w *bodyWriter) instr(in *Instr) error {
	switch in.Op {
	case opBlock, opIf:
		w.labels = append(w.labels, label{at: w.height})
		w.height++
	case opLoop:
		w.loop(in)
		return nil
	case opEnd:
		w.end(in)
		return nil
	case opBr, opBrIf:
		return w.branch(in)
	case opBrTable:
		return w.brTable(in)
	case opReturn:
		if w.shape.calls { // to the block that wraps the body
			w.inserted(in.At.Start)
			w.out = append(w.out, byte(opBr))
			w.out = appendULEB(w.out, uint64(w.height-1-w.labels[0].at))
			return nil
		}
	case opCall, opRefFunc:
		w.copied(in.At.Start)
		w.out = append(w.out, byte(in.Op))
		w.index(uint64(w.fn(uint32(in.X))), in.At.End-in.Imms)
		return nil
	case opMemoryGrow, opTableGrow, opTableInit, opTableCopy, opTableFill, opMemoryInit, opMemoryCopy, opMemoryFill:
		if w.bulk(in) {
			return nil
		}
	}
	w.copy(in)
	return nil
}

func (w *bodyWriter) copy(in *Instr) {
	w.copied(in.At.Start)
	w.out = append(w.out, w.m.Bytes[in.At.Start:in.At.End]...)
}

// index writes an index in at least as many bytes as it had, so that offsets
// keep running together.
func (w *bodyWriter) index(x uint64, width int) {
	from := len(w.out)
	w.out = appendULEB(w.out, x)
	for len(w.out)-from < width {
		w.out[len(w.out)-1] |= 0x80
		w.out = append(w.out, 0)
	}
}

func (w *bodyWriter) branch(in *Instr) error {
	x, err := w.target(in.X)
	if err != nil {
		return err
	}
	w.copied(in.At.Start)
	w.out = append(w.out, byte(in.Op))
	w.index(x, in.At.End-in.Imms)
	return nil
}

// target is the new number of a label.
func (w *bodyWriter) target(x uint64) (uint64, error) {
	if x >= uint64(len(w.labels)) {
		return 0, fmt.Errorf("a branch to block %d, %d are open", x, len(w.labels))
	}
	return uint64(w.height - 1 - w.labels[len(w.labels)-1-int(x)].at), nil
}

func (w *bodyWriter) brTable(in *Instr) error {
	w.inserted(in.At.Start)
	c := cursor{b: w.m.Bytes[:in.At.End], pos: in.Imms}
	n := c.u32("the number of labels")
	w.out = append(w.out, byte(opBrTable))
	w.out = appendULEB(w.out, uint64(n))
	for range uint64(n) + 1 {
		x, err := w.target(uint64(c.u32("a label")))
		if err != nil {
			return err
		}
		w.out = appendULEB(w.out, x)
	}
	return nil
}

// end closes what the block became.
func (w *bodyWriter) end(in *Instr) {
	w.copied(in.At.Start)
	w.op(opEnd)
	top := w.labels[len(w.labels)-1]
	w.labels = w.labels[:len(w.labels)-1]
	w.height--
	if top.twice {
		w.inserted(in.At.Start)
		w.op(opEnd)
		w.height--
	}
	if len(w.labels) == 0 && w.shape.calls {
		w.inserted(in.At.Start)
		w.add(w.depth, 1)
		w.op(opEnd)
	}
}

// loop writes two loops for one. The outer one calls the safepoint; the inner
// one leaves for it when the fuel is used up. So the turns of the inner one
// have no call in them, whose clobbered registers would slow them down.
func (w *bodyWriter) loop(in *Instr) {
	w.inserted(in.At.Start)
	head := w.m.Bytes[in.At.Start:in.At.End]
	w.out = append(w.out, head...)
	w.height++
	w.op(opGlobalGet, uint64(w.fuel))
	w.i32(0)
	w.op(opI32LeS)
	w.op(opIf, emptyBlock)
	w.i32(int32(ReasonFuel))
	w.op(opCall, uint64(w.safepoint))
	w.op(opEnd)

	w.out = append(w.out, head...)
	w.labels = append(w.labels, label{w.height, true})
	w.height++
	w.op(opGlobalGet, uint64(w.fuel))
	w.i32(0)
	w.op(opI32LeS)
	w.op(opBrIf, 1)
	w.add(w.fuel, -w.shape.loopTicks[w.loops])
	w.loops++
}

// entry writes the probe of a function's entry, and opens the block that wraps
// the body when the depth is counted: a function without calls only ends a
// chain of them.
func (w *bodyWriter) entry(t FuncType) {
	ticks := w.shape.ticks
	w.add(w.fuel, -ticks)
	w.op(opGlobalGet, uint64(w.fuel))
	if w.shape.calls {
		w.add(w.depth, -1)
		w.op(opGlobalGet, uint64(w.depth))
		w.op(opI32Or)
	}
	w.i32(0)
	w.op(opI32LtS)
	w.op(opIf, emptyBlock)
	w.add(w.fuel, ticks)
	if w.shape.calls {
		w.op(opGlobalGet, uint64(w.depth))
		w.i32(31)
		w.op(opI32ShrU) // its sign: ReasonDepth when it is below zero
	} else {
		w.i32(int32(ReasonFuel))
	}
	w.op(opCall, uint64(w.safepoint))
	w.add(w.fuel, -ticks)
	w.op(opEnd)
	if w.shape.calls {
		w.op(opBlock)
		w.resultType(t.Results)
		w.labels[0].at = w.height
		w.height++
	}
}

// resultType writes the type of a block that yields a function's results.
func (w *bodyWriter) resultType(results []ValType) {
	switch len(results) {
	case 0:
		w.out = append(w.out, emptyBlock)
	case 1:
		w.out = append(w.out, byte(results[0]))
	default:
		w.out = appendSLEB(w.out, int64(w.typeFor(FuncType{Results: results})))
	}
}

// bulk writes a bulk instruction so that it costs fuel by its size and, above
// abi.BulkStep, goes in steps. It reports false when it may stay as it is.
func (w *bodyWriter) bulk(in *Instr) bool {
	if in.Op == opMemoryGrow {
		w.inserted(in.At.Start)
		w.add(w.fuel, -growTicks)
		return false
	}
	if in.Op == opMemoryInit && in.X >= uint64(len(w.m.Data)) {
		return false // not a module; whoever compiles it says so
	}
	key, split := w.helperFor(in)
	if in.Op == opMemoryInit && !split && w.m.Data[in.X].Bytes.Len() < bulkFast {
		return false // what is longer traps before it moves anything
	}
	w.inserted(in.At.Start)
	if in.Op == opTableGrow {
		w.add(w.fuel, -growTicks)
	}
	w.op(opLocalTee, uint64(w.tmp))
	if isTableOp(in.Op) {
		w.i32(bulkFast >> entryBytesLog)
	} else {
		w.i32(bulkFast)
	}
	w.op(opI32GeU)
	plain := w.m.Bytes[in.At.Start:in.At.End]
	if !split {
		w.op(opIf, emptyBlock)
		w.op(opLocalGet, uint64(w.tmp))
		if isTableOp(in.Op) {
			w.i32(entryBytesLog)
			w.op(opI32Shl)
		}
		w.op(opCall, uint64(w.helper(helperKey{kind: helperCharge})))
		w.op(opEnd)
		w.op(opLocalGet, uint64(w.tmp))
		w.out = append(w.out, plain...)
		return true
	}
	w.op(opIf)
	w.out = appendSLEB(w.out, int64(w.typeFor(FuncType{Params: []ValType{I32, I32}})))
	w.op(opLocalGet, uint64(w.tmp))
	w.op(opCall, uint64(w.helper(key)))
	w.op(opElse)
	w.op(opLocalGet, uint64(w.tmp))
	w.out = append(w.out, plain...)
	w.op(opEnd)
	return true
}

// entryBytesLog is the log2 of the bytes of a table's entry in the engine.
const entryBytesLog = 3

func isTableOp(op Op) bool {
	return op == opTableGrow || op == opTableInit || op == opTableCopy || op == opTableFill
}

// helperFor says which helper splits the instruction. Tables hold no more than
// abi.MaxTableEntries, less than one step: their instructions are not split.
func (w *bodyWriter) helperFor(in *Instr) (helperKey, bool) {
	switch in.Op {
	case opMemoryCopy:
		return helperKey{kind: helperCopy}, true
	case opMemoryFill:
		return helperKey{kind: helperFill}, true
	case opMemoryInit:
		return helperKey{helperInit, uint32(in.X)}, w.m.Data[in.X].Bytes.Len() > bulkStep
	}
	return helperKey{}, false
}
