package wasm

func (m *Module) readElements(c *cursor) {
	items := 0
	for range c.count(maxElems, "element segments") {
		e := m.element(c)
		if c.fault != nil {
			return
		}
		if items += int(e.Count); items > maxItems {
			c.failAt(e.At.Start, "more than %d elements", maxItems)
			return
		}
		m.Elems = append(m.Elems, e)
	}
}

// Flags of an element segment.
const (
	elemNotActive = 1 // passive or declarative
	elemExplicit  = 2 // a table index; of one that is not active: declarative
	elemExprs     = 4
)

func (m *Module) element(c *cursor) Elem {
	start := c.pos
	e := Elem{Type: FuncRef, Flags: c.u32("the flags of an element segment")}
	if e.Flags > 7 {
		c.failAt(start, "the flags of an element segment are 0 to 7, not %d", e.Flags)
		return e
	}
	e.Exprs = e.Flags&elemExprs != 0
	switch {
	case e.Flags&elemNotActive == 0:
		if e.Flags&elemExplicit != 0 {
			e.Table = c.index(len(m.Tables), "table")
			c.features.add(FeatReferenceTypes, start, "an element segment with a table index")
		} else if len(m.Tables) == 0 && c.fault == nil {
			c.failAt(start, "an active element segment needs a table: there are none")
		}
		e.Offset = m.constExpr(c, I32, "an element segment's offset")
	case e.Flags&elemExplicit != 0:
		e.Mode = Declarative
		c.features.add(FeatReferenceTypes, start, "a declarative element segment")
	default:
		e.Mode = Passive
		c.features.add(FeatBulkMemory, start, "a passive element segment")
	}
	if e.Flags&(elemNotActive|elemExplicit) != 0 {
		e.Type = c.elemType(e.Exprs)
	}
	n := c.count(maxItems, "elements")
	e.Count = uint32(n)
	from := c.pos
	for range n {
		if c.fault != nil {
			break
		}
		if e.Exprs {
			m.constExpr(c, e.Type, "an element")
		} else {
			c.index(len(m.Funcs), "function")
		}
	}
	if e.Exprs {
		e.Items = Span{from, c.pos}
	} else {
		e.Funcs = Span{from, c.pos}
	}
	e.At = Span{start, c.pos}
	return e
}

// elemType reads the kind or the type of a segment's elements.
func (c *cursor) elemType(exprs bool) ValType {
	start := c.pos
	if !exprs {
		if kind := c.byte("the kind of elements"); kind != 0 {
			c.failAt(start, "the kind of elements is 0, not %d", kind)
		}
		return FuncRef
	}
	t := c.valType()
	if c.fault == nil && !isRef(t) {
		c.failAt(start, "elements are references, not %s", t)
	}
	return t
}

// constExpr reads a constant expression up to its end and returns its span. Its
// value must be of the wanted type, which what names; of an expression beyond
// 2.0 the type is not looked at.
func (m *Module) constExpr(c *cursor, want ValType, what string) Span {
	start := c.pos
	d := decoder{cursor: *c}
	values, beyond, have := 0, false, ValType(0)
	var in Instr
	for d.next(&in) {
		if in.Op == opEnd {
			break
		}
		values++
		t, later := m.constInstr(&d, &in)
		have, beyond = t, beyond || later
	}
	switch {
	case d.fault != nil:
	case in.Op != opEnd:
		d.failAt(d.pos, "the bytes end within a constant expression")
	case beyond:
	case values != 1:
		d.failAt(start, "a constant expression is one value, this one is %d", values)
	case have != want && isPlain(want) && !m.is64(want, have):
		d.failAt(start, "%s is of type %s, the constant expression of type %s", what, want, have)
	}
	*c = d.cursor
	return Span{start, d.pos}
}

// isPlain reports whether a type is one of 2.0.
func isPlain(t ValType) bool {
	switch t {
	case I32, I64, F32, F64, V128, FuncRef, ExternRef:
		return true
	}
	return false
}

// is64 reports whether an offset may be an i64 for a memory or table that is
// refused as 64-bit.
func (m *Module) is64(want, have ValType) bool {
	return want == I32 && have == I64 && m.uses.count[FeatMemory64] > 0
}

// constInstr is the type of what a constant instruction pushes, and whether it
// comes from a proposal beyond 2.0.
func (m *Module) constInstr(d *decoder, in *Instr) (t ValType, beyond bool) {
	switch in.Op {
	case opI32Const:
		return I32, false
	case opI64Const:
		return I64, false
	case opF32Const:
		return F32, false
	case opF64Const:
		return F64, false
	case opV128Const:
		return V128, false
	case opRefNull:
		t = ValType(in.X)
		return t & 0xff, t != FuncRef|heapAbstract && t != ExternRef|heapAbstract
	case opRefFunc:
		if in.X >= uint64(len(m.Funcs)) && !d.lenient {
			d.failAt(in.At.Start, "function %d is not there: %s", in.X, there(len(m.Funcs)))
		}
		return FuncRef, m.uses.count[FeatFunctionReferences] > 0
	case opGlobalGet:
		return m.constGlobal(d, in)
	case opI32Add, opI32Sub, opI32Mul, opI64Add, opI64Sub, opI64Mul:
		d.features.add(FeatExtendedConst, in.At.Start, in.info.name)
		return 0, true
	}
	if in.info.feature != FeatGC { // GC has constant instructions of its own
		d.failAt(in.At.Start, "%s has no place in a constant expression", in.info.name)
	}
	return 0, true
}

func (m *Module) constGlobal(d *decoder, in *Instr) (t ValType, beyond bool) {
	if in.X >= uint64(len(m.Globals)) {
		if !d.lenient {
			d.failAt(in.At.Start, "global %d is not there: %s", in.X, there(len(m.Globals)))
		}
		return 0, true
	}
	g := m.Globals[in.X]
	if g.Mutable {
		d.failAt(in.At.Start, "a constant expression reads global %d, which is mutable", in.X)
	}
	if in.X >= uint64(m.ImportedGlobals()) {
		d.features.add(FeatGC, in.At.Start, "a constant expression that reads a global of the module")
		return g.Type, true
	}
	return g.Type, !isPlain(g.Type)
}
