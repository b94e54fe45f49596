package schema

import (
	"strings"

	"perch/engine/jsonread"
)

// Part is one schema within a Schema, for those who make something else of it
// than a verdict: a form. It is small, passed by value, and two Parts are equal
// when they are the same schema. The zero Part takes every value.
type Part struct {
	s *Schema
	n *node
}

// Answer is what a schema says of a value.
type Answer int8

// The answers. Unsure: something could not be checked.
const (
	No Answer = iota
	Unsure
	Yes
)

// maxFitSteps bounds one look at whether a value fits a part.
const maxFitSteps = 20_000

// Root is the whole schema as a Part.
func (s *Schema) Root() Part {
	if s.root == nil {
		return Part{}
	}
	return Part{s, s.root}
}

// ID tells the parts of one schema apart; -1 for the zero Part.
func (p Part) ID() int {
	if p.n == nil {
		return -1
	}
	return p.n.id
}

// Text is the part as it was written; absent for the zero Part.
func (p Part) Text() jsonread.Value {
	if p.n == nil {
		return jsonread.Value{}
	}
	return p.n.at
}

// Never reports whether no value is taken: the schema false.
func (p Part) Never() bool { return p.n != nil && p.n.fixed == never }

// Alone reports whether nothing beside a $ref counts here, as drafts 4 to 7
// have it. Titles and other notes may still be read.
func (p Part) Alone() bool { return p.n != nil && p.n.alone }

// Fits holds a value against the part, for a bounded number of steps.
func (p Part) Fits(v jsonread.Value) Answer {
	if p.n == nil {
		return Yes
	}
	return Answer(p.s.run(maxFitSteps).hold(p.n, v, nil))
}

// Faults are the places where a value does not fit the part, at most as many as
// Validate tells; their pointers are those from the value.
func (p Part) Faults(v jsonread.Value) []Fault {
	if p.n == nil {
		return nil
	}
	r := p.s.run(maxFitSteps)
	r.told = &told{seen: make(map[pair]bool), base: len(v.Pointer())}
	r.hold(p.n, v, nil)
	return r.told.faults
}

// Refs are the schemas that the part refers to. lost are the references that
// lead nowhere, as they were written. A dynamic one leads where it does when
// nothing on the way says otherwise.
func (p Part) Refs() (to []Part, lost []string) {
	if p.n == nil {
		return nil, nil
	}
	for _, r := range p.n.refs {
		if r.to == nil {
			lost = append(lost, r.at.String())
			continue
		}
		to = append(to, Part{p.s, r.to})
	}
	return to, lost
}

// External reports whether a reference, as it was written, leads out of the
// schema's own text.
func External(ref string) bool { return !strings.HasPrefix(ref, "#") }

func (p Part) parts(nodes []*node) []Part {
	if len(nodes) == 0 {
		return nil
	}
	list := make([]Part, len(nodes))
	for i, n := range nodes {
		list[i] = Part{p.s, n}
	}
	return list
}

func (p Part) part(n *node) (Part, bool) {
	if n == nil {
		return Part{}, false
	}
	return Part{p.s, n}, true
}

// AllOf are the branches of allOf.
func (p Part) AllOf() []Part {
	if p.n == nil || p.n.logic == nil {
		return nil
	}
	return p.parts(p.n.logic.all)
}

// AnyOf are the branches of anyOf.
func (p Part) AnyOf() []Part {
	if p.n == nil || p.n.logic == nil {
		return nil
	}
	return p.parts(p.n.logic.any)
}

// OneOf are the branches of oneOf.
func (p Part) OneOf() []Part {
	if p.n == nil || p.n.logic == nil {
		return nil
	}
	return p.parts(p.n.logic.one)
}

// Condition is if with what follows from it. ok is false where there is no if,
// or neither then nor else; a missing one of these takes every value.
func (p Part) Condition() (if_, then, els Part, ok bool) {
	if p.n == nil || p.n.logic == nil || p.n.logic.if_ == nil || p.n.logic.then == nil && p.n.logic.els_ == nil {
		return Part{}, Part{}, Part{}, false
	}
	l := p.n.logic
	then, _ = p.part(l.then)
	els, _ = p.part(l.els_)
	return Part{p.s, l.if_}, then, els, true
}

// Types are the types that the part names, as JSON Schema calls them, in the
// order they were written; nil for any.
func (p Part) Types() []string {
	if p.n == nil || p.n.types == 0 {
		return nil
	}
	t := p.n.at.Get("type")
	if name, ok := t.Text(); ok {
		return []string{name}
	}
	list := make([]string, 0, t.Len())
	for _, e := range t.Elements() {
		list = append(list, e.String())
	}
	return list
}

// Enum is the list of the values that are taken, absent for any.
func (p Part) Enum() jsonread.Value {
	if p.n == nil || p.n.values == nil {
		return jsonread.Value{}
	}
	return p.n.values.enum
}

// Const is the one value that is taken, absent for any.
func (p Part) Const() jsonread.Value {
	if p.n == nil || p.n.values == nil {
		return jsonread.Value{}
	}
	return p.n.values.constant
}

// Default is the value of default, absent where there is none.
func (p Part) Default() jsonread.Value {
	if p.n == nil {
		return jsonread.Value{}
	}
	return p.n.def
}

// Examples is the list of examples, absent where there is none.
func (p Part) Examples() jsonread.Value {
	if p.n == nil {
		return jsonread.Value{}
	}
	return p.n.examples
}

// Bounds are the limits of a number, absent where there are none. open says
// that the limit itself is outside.
func (p Part) Bounds() (low, high jsonread.Value, openLow, openHigh bool) {
	if p.n == nil || p.n.numbers == nil {
		return
	}
	x := p.n.numbers
	low, high, openLow, openHigh = x.min, x.max, x.openMin && !x.min.IsZero(), x.openMax && !x.max.IsZero()
	if !x.above.IsZero() && (low.IsZero() || jsonread.CompareNumbers(x.above, low) >= 0) {
		low, openLow = x.above, true
	}
	if !x.below.IsZero() && (high.IsZero() || jsonread.CompareNumbers(x.below, high) <= 0) {
		high, openHigh = x.below, true
	}
	return
}

// Multiple is the number that numbers are multiples of, absent where none is.
func (p Part) Multiple() jsonread.Value {
	if p.n == nil || p.n.numbers == nil {
		return jsonread.Value{}
	}
	return p.n.numbers.multiple
}

// Lengths are the limits of a text in characters, absent where there are none.
func (p Part) Lengths() (least, most jsonread.Value) {
	if p.n == nil || p.n.strings == nil {
		return
	}
	return p.n.strings.min, p.n.strings.max
}

// Pattern is the regular expression of a text, "" for none, and why it is not
// checked here, "" when it is.
func (p Part) Pattern() (text, unchecked string) {
	if p.n == nil || p.n.strings == nil || p.n.strings.pattern == nil {
		return "", ""
	}
	return p.n.strings.pattern.text, p.n.strings.pattern.unchecked
}
