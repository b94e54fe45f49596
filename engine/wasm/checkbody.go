package wasm

import "fmt"

// bodies walks every function: it counts the features in them and notes what is
// not well formed. One fault a function.
func (c *checker) bodies() {
	m := c.m
	sound := len(m.Faults) == 0 // else an index that is out of range says nothing
	v := bodyChecker{m: m, sound: sound}
	m.uses.section = SecCode.String()
	faults := 0
	for i := range m.Code {
		fn := m.ImportedFuncs() + i
		m.uses.fn = fn
		if m.Code[i].broken {
			continue
		}
		if f := v.check(fn, &m.Code[i]); f != nil {
			f.Func = fn
			if faults++; faults <= faultsMax {
				m.addFault(SecCode.String(), f)
			}
		}
	}
	m.uses.fn = -1
}

// bodyChecker checks the structure of function bodies: blocks, labels, indices.
// Types are for the second opinion.
type bodyChecker struct {
	m      *Module
	sound  bool
	blocks []Op // that are open, by their opcode; else and catch take their place
	locals uint64
}

func (v *bodyChecker) check(fn int, body *Code) *Fault {
	v.locals = 0
	c := cursor{b: v.m.Bytes[:body.Locals.End], pos: body.Locals.Start, features: &v.m.uses}
	for range c.count(maxLocals, "groups of locals") {
		v.locals += uint64(c.u32("a number of locals"))
		c.valType()
	}
	if t, ok := v.m.FuncType(uint32(fn)); ok {
		v.locals += uint64(len(t.Params))
	} else {
		v.locals = 1 << 32 // nothing is known of its parameters
	}
	v.blocks = append(v.blocks[:0], opBlock)
	d := decoder{cursor{b: v.m.Bytes[:body.Expr.End], pos: body.Expr.Start, features: &v.m.uses}}
	var in Instr
	for d.next(&in) {
		if len(v.blocks) == 0 {
			return &Fault{Offset: in.At.Start, Text: fmt.Sprintf("%d bytes stand behind the function's end", body.Expr.End-in.At.Start)}
		}
		if text := v.instr(&in); text != "" {
			return &Fault{Offset: in.At.Start, Text: in.info.name + ": " + text}
		}
	}
	if d.fault != nil {
		return d.fault
	}
	if len(v.blocks) > 0 {
		return &Fault{Offset: body.Expr.End, Text: fmt.Sprintf("the body ends with %s open", blocksText(len(v.blocks)))}
	}
	return nil
}

func blocksText(n int) string {
	if n == 1 {
		return "the function itself"
	}
	return fmt.Sprintf("%d blocks", n-1)
}

// instr checks one instruction and says what is wrong with it.
func (v *bodyChecker) instr(in *Instr) string {
	if text, done := v.structure(in); done {
		return text
	}
	if !v.sound {
		return ""
	}
	m := v.m
	switch in.info.imm {
	case immBlock, immTry, immTryTable:
		return v.blockType(in)
	case immFunc:
		return within(in.X, len(m.Funcs), "function")
	case immIndirect:
		return either(within(in.X, len(m.Types), "type"), within(in.Y, len(m.Tables), "table"))
	case immLocal:
		if in.X >= v.locals {
			return within(in.X, int(v.locals), "local")
		}
	case immGlobal:
		return within(in.X, len(m.Globals), "global")
	case immTable:
		return within(in.X, len(m.Tables), "table")
	case immTableTable:
		return either(within(in.X, len(m.Tables), "table"), within(in.Y, len(m.Tables), "table"))
	case immMem, immMemarg, immMemargLane:
		return either(within(in.X, len(m.Memories), "memory"), v.offset(in))
	case immMemMem:
		return either(within(in.X, len(m.Memories), "memory"), within(in.Y, len(m.Memories), "memory"))
	case immDataMem:
		return either(v.data(in.X), within(in.Y, len(m.Memories), "memory"))
	case immData:
		return v.data(in.X)
	case immElemTable:
		return either(within(in.X, len(m.Elems), "element segment"), within(in.Y, len(m.Tables), "table"))
	case immElem:
		return within(in.X, len(m.Elems), "element segment")
	case immTag:
		return within(in.X, len(m.Tags), "tag")
	}
	return ""
}

// structure keeps the blocks that are open; done is false for what is none.
func (v *bodyChecker) structure(in *Instr) (text string, done bool) {
	top := v.blocks[len(v.blocks)-1]
	switch in.Op {
	case opBlock, opLoop, opIf, opTry, opTryTable:
		if len(v.blocks) >= maxNesting {
			return fmt.Sprintf("blocks are nested deeper than %d", maxNesting), true
		}
		v.blocks = append(v.blocks, in.Op)
		return "", false
	case opElse:
		if top != opIf {
			return "it stands in no if", true
		}
		v.blocks[len(v.blocks)-1] = opElse
		return "", true
	case opCatch, opCatchAll:
		if top != opTry && top != opCatch {
			return "it stands in no try", true
		}
		v.blocks[len(v.blocks)-1] = in.Op
		return "", false
	case opDelegate:
		if top != opTry {
			return "it stands in no try", true
		}
		v.blocks = v.blocks[:len(v.blocks)-1]
		return "", true
	case opEnd:
		v.blocks = v.blocks[:len(v.blocks)-1]
		return "", true
	case opBrTable:
		return v.labels(in), true
	}
	if in.info.imm == immLabel || in.info.imm == immBrCast {
		return within(in.X, len(v.blocks), "block"), true
	}
	return "", false
}

func (v *bodyChecker) labels(in *Instr) string {
	c := cursor{b: v.m.Bytes[:in.At.End], pos: in.Targets.Start}
	for c.pos < in.At.End && c.fault == nil {
		if text := within(uint64(c.u32("a label")), len(v.blocks), "block"); text != "" {
			return text
		}
	}
	return ""
}

func (v *bodyChecker) blockType(in *Instr) string {
	if !in.Block.HasType {
		return ""
	}
	if text := within(uint64(in.Block.Index), len(v.m.Types), "type"); text != "" {
		return text
	}
	if v.m.Types[in.Block.Index].Kind != TypeFunc {
		return fmt.Sprintf("type %d is no function type", in.Block.Index)
	}
	return ""
}

func (v *bodyChecker) offset(in *Instr) string {
	if in.Y > 1<<32-1 && in.X < uint64(len(v.m.Memories)) && !v.m.Memories[in.X].Limits.Is64 {
		return fmt.Sprintf("the offset %d does not fit in 32 bits", in.Y)
	}
	return ""
}

func (v *bodyChecker) data(segment uint64) string {
	if v.m.DataCount < 0 {
		return "it needs a data count section, there is none"
	}
	return within(segment, v.m.DataCount, "data segment")
}

func within(i uint64, n int, what string) string {
	if i < uint64(n) {
		return ""
	}
	return fmt.Sprintf("%s %d is not there: %s", what, i, there(n))
}

func either(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
