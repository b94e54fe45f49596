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
		e.Offset = m.constExpr(c)
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
			m.constExpr(c)
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

// constExpr reads a constant expression up to its end and returns its span.
func (m *Module) constExpr(c *cursor) Span {
	start := c.pos
	d := decoder{cursor: *c}
	defer func() { *c = d.cursor }()
	var in Instr
	for d.next(&in) {
		switch in.Op {
		case opEnd:
			return Span{start, d.pos}
		case opGlobalGet:
			if in.X >= uint64(len(m.Globals)) {
				d.failAt(in.At.Start, "global %d is not there: %s", in.X, there(len(m.Globals)))
			}
		case opRefFunc:
			if in.X >= uint64(len(m.Funcs)) {
				d.failAt(in.At.Start, "function %d is not there: %s", in.X, there(len(m.Funcs)))
			}
		case opI32Const, opI64Const, opF32Const, opF64Const, opV128Const, opRefNull:
		case opI32Add, opI32Sub, opI32Add + 2, opI64Add, opI64Add + 1, opI64Add + 2:
			d.features.add(FeatExtendedConst, in.At.Start, in.info.name)
		default:
			if in.info.feature != FeatGC { // GC has constant instructions of its own
				d.failAt(in.At.Start, "%s has no place in a constant expression", in.info.name)
			}
		}
	}
	if d.fault == nil {
		d.failAt(d.pos, "the bytes end within a constant expression")
	}
	return Span{start, d.pos}
}
