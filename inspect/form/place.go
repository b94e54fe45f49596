package form

import (
	"perch/engine/jsonread"
	"perch/inspect/schema"
)

// RowKind is what a row of the form is.
type RowKind uint8

// The kinds of rows.
const (
	Field  RowKind = iota // a value, or the place for one
	Picker                // a branch picker that has no field's row for itself
	AddRow                // adds an element to a list
	AddKey                // adds a member to an object
	More                  // stands for rows that are not listed
)

// place is a value, or the place for one: what a row is made of.
type place struct {
	kind     RowKind
	path     string
	name     string // of a member
	index    int    // of an element, -1 for a member
	depth    int
	parent   int // the row of the group around it, -1
	start    []schema.Part
	shape    *shape
	value    jsonread.Value
	required bool
	optional bool // by a condition that cannot be told
	extra    bool // a member that no property names
	refused  bool
	choice   int // of a Picker
	more     int // of More: rows that are not listed
	open     bool
	beside   []string // members that are required beside this one
}

// resolve works out what the schemas of a place say.
func (f *Form) resolve(p *place) {
	p.shape = f.shapeOf(f.flatten(p.path, p.start, p.value))
}

// rootPlace is that of the arguments themselves.
func (f *Form) rootPlace() place {
	if c := &f.top; c.doc != f.doc || c.maps != f.now.maps {
		p := place{path: "", index: -1, depth: -1, parent: -1, start: f.root, value: f.doc.Root(), required: true, open: true}
		f.resolve(&p)
		*c = top{f.doc, f.now.maps, p}
	}
	return f.top.place
}

// top is the place of the arguments, for as long as nothing changes.
type top struct {
	doc   *jsonread.Doc
	maps  int
	place place
}

// kindOf is what a place is for now: its type may have been chosen, or follow
// from its value.
func (f *Form) kindOf(p *place) Kind {
	s := p.shape
	switch {
	case s.never || p.refused:
		return Never
	case len(s.flat.lost) > 0:
		return Raw
	case s.options != nil:
		return Choice
	case p.path == "":
		return Object
	case len(s.types) == 0 && s.null:
		return Null
	case len(s.types) == 0:
		return Raw
	}
	return kindNamed(s.types[f.typeAt(p)])
}

// typeAt is which of the types of a place is shown.
func (f *Form) typeAt(p *place) int {
	types := p.shape.types
	if len(types) < 2 {
		return 0
	}
	kept, picked := f.now.picks[typeKey(p.path)]
	at := -1
	for i, t := range types {
		if picked && t == kept.name {
			at = i
		}
	}
	null := p.value.IsZero() || p.value.Kind() == jsonread.Null
	if at >= 0 && (!kept.soft || null || isOf(p.value, types[at])) {
		return at
	}
	for i, t := range types {
		if isOf(p.value, t) {
			return i
		}
	}
	return max(at, 0)
}

// isGroup reports whether a place has rows within.
func (f *Form) isGroup(p *place) bool {
	switch k := f.kindOf(p); p.value.Kind() {
	case jsonread.Absent, jsonread.Null:
		return k == Object || k == List
	case jsonread.Object:
		return k == Object
	case jsonread.Array:
		return k == List
	}
	return false
}

// locate finds the place of a pointer, whether it has a row or not, with all
// those around it: the first is that of the arguments, the last its own. ok is
// false where no group can have such a place.
func (f *Form) locate(path string) (chain []place, ok bool) {
	chain = []place{f.rootPlace()}
	for end := 0; end < len(path); {
		next := end + 1
		for next < len(path) && path[next] != '/' {
			next++
		}
		up := &chain[len(chain)-1]
		token := path[end+1 : next]
		if path[end] != '/' || !f.isGroup(up) || len(chain) > 4*maxParts {
			return nil, false
		}
		var p place
		if f.kindOf(up) == List {
			i := index(token)
			if i < 0 {
				return nil, false
			}
			p = up.element(i, up.value.Index(i))
		} else {
			name := unescape(token)
			p = up.member(name, up.value.Get(name))
		}
		p.parent = len(chain) - 1
		f.resolve(&p)
		chain = append(chain, p)
		end = next
	}
	return chain, true
}

// member is the place of a member.
func (p *place) member(name string, v jsonread.Value) place {
	in := p.shape.member(name)
	return place{
		path: member(p.path, name), name: name, index: -1, depth: p.depth + 1, start: in.start, value: v,
		required: p.shape.isRequired(name) && !in.optional, optional: in.optional, extra: !in.declared, refused: in.refused,
		beside: p.shape.beside[name],
	}
}

// element is the place of an element.
func (p *place) element(i int, v jsonread.Value) place {
	return place{
		path: element(p.path, i), index: i, depth: p.depth + 1, start: p.shape.item(i), value: v,
		refused: i >= len(p.shape.prefix) && p.shape.restNever,
	}
}
