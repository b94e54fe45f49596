package jsonread

// Number is the place of the value among those of its text, by which Nth finds
// it again: 0 of the root. The value of a member comes right behind its name.
func (v Value) Number() uint32 { return v.i }

// Nth is the value of a number that Number gave.
func (d *Doc) Nth(number uint32) Value { return Value{d, number} }

// Parent is the list or object that the value stands in; absent for the root.
func (v Value) Parent() Value {
	if v.doc == nil || v.node().parent() == none {
		return Value{}
	}
	return Value{v.doc, v.node().parent()}
}

// Last reports whether no sibling follows the value.
func (v Value) Last() bool {
	p := v.Parent()
	return p.IsZero() || v.doc.next(v.i) == v.doc.nodes[p.i+1].behind()
}

// Walk visits the root and all within it in their order, members by their
// values; depth is 0 for the root. Of a list or object visit says whether to go
// into it: then it is visited again, closed, behind all that it holds. However
// deep the text nests, nothing recurses.
func (d *Doc) Walk(visit func(v Value, depth int, closed bool) (within bool)) {
	open, depth := none, 0
	for i := uint32(0); ; {
		for open != none && i == d.nodes[open+1].behind() {
			depth--
			visit(Value{d, open}, depth, true)
			open = d.nodes[open].parent()
		}
		if open == none && i > 0 {
			return
		}
		if open != none && d.src[d.nodes[open].start] == '{' {
			i++ // the name
		}
		within := visit(Value{d, i}, depth, false)
		if c := d.src[d.nodes[i].start]; within && (c == '{' || c == '[') {
			open = i
			depth++
			i += containerWidth
			continue
		}
		i = d.next(i)
	}
}
