package wasm

// Instructions visits the instructions of function i in their order, until
// visit reports false. It returns the fault that ended the walk early, nil when
// the body was read to its end or is not there.
func (m *Module) Instructions(i uint32, visit func(*Instr) bool) *Fault {
	body := m.Body(i)
	if body == nil {
		return nil
	}
	d := decoder{cursor{b: m.Bytes[:body.Expr.End], pos: body.Expr.Start}}
	var in Instr
	for d.next(&in) {
		if !visit(&in) {
			return nil
		}
	}
	if d.fault != nil {
		d.fault.Section, d.fault.Func = SecCode.String(), int(i)
	}
	return d.fault
}

// Locals lists the declared locals of function i, behind its parameters.
func (m *Module) Locals(i uint32) []LocalGroup {
	body := m.Body(i)
	if body == nil {
		return nil
	}
	c := cursor{b: m.Bytes[:body.Locals.End], pos: body.Locals.Start}
	n := c.count(maxLocals, "groups of locals")
	groups := make([]LocalGroup, 0, n)
	for range n {
		g := LocalGroup{Count: c.u32("a number of locals"), Type: c.valType()}
		if c.fault != nil {
			break
		}
		groups = append(groups, g)
	}
	return groups
}

// Name is the instruction's name in the text format.
func (in *Instr) Name() string { return in.info.name }
