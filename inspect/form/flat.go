package form

import (
	"slices"
	"strconv"
	"strings"

	"perch/engine/jsonread"
	"perch/inspect/schema"
)

// flat are all schemas that apply to one value: those that were written for it,
// what they refer to, their allOf, and the branches that are chosen.
type flat struct {
	parts   []schema.Part
	notes   []schema.Part // of these titles, descriptions and defaults alone count
	either  []schema.Part // of conditions that cannot be told: both ways, nothing required
	consts  []schema.Part // branches that are one value each
	choices []choice
	conds   []condition
	also    []string // members that are required because another one is there
	lost    []string // references that are not followed, as they are written
	null    bool     // a branch takes null
	never   bool
	shape   *shape // once it was asked for
}

// choice is a branch picker: of an anyOf or oneOf with several branches.
type choice struct {
	key      string // in state.picks, without the path
	branches []schema.Part
	at       int
}

// condition is an if with the way that the value takes.
type condition struct {
	then, els schema.Part
	taken     schema.Answer
}

// flatten collects the schemas that apply to the value at path. An absent value
// is looked at as an empty object by conditions.
func (f *Form) flatten(path string, start []schema.Part, v jsonread.Value) *flat {
	if len(start) == 1 {
		if x := f.static[start[0]]; x != nil {
			return x
		}
	}
	x := &flat{}
	todo := slices.Clip(start) // it belongs to someone else
	moves := false             // depends on the place or the value
	for i := 0; i < len(todo) && len(x.parts) < maxParts; i++ {
		p := todo[i]
		if p.ID() < 0 || slices.Contains(x.parts, p) || slices.Contains(x.notes, p) {
			continue
		}
		x.never = x.never || p.Never()
		refs, lost := p.Refs()
		x.lost = append(x.lost, lost...)
		todo = append(todo, refs...)
		if p.Alone() {
			x.notes = append(x.notes, p)
			continue
		}
		x.parts = append(x.parts, p)
		todo = append(todo, p.AllOf()...)
		todo = append(todo, x.branches(f, path, p, "anyOf", p.AnyOf(), v)...)
		todo = append(todo, x.branches(f, path, p, "oneOf", p.OneOf(), v)...)
		todo = append(todo, x.conditions(p, v)...)
		moves = moves || len(p.Dependents()) > 0
	}
	if len(start) == 1 && !moves && len(x.choices) == 0 && len(x.conds) == 0 {
		f.static[start[0]] = x
	}
	return x
}

// branches are the schemas that an anyOf or oneOf brings: those of the branch
// that is chosen. A branch that takes null alone is no branch to choose.
func (x *flat) branches(f *Form, path string, p schema.Part, keyword string, all []schema.Part, v jsonread.Value) []schema.Part {
	if len(all) == 0 {
		return nil
	}
	list := make([]schema.Part, 0, len(all))
	consts := true
	for _, b := range all {
		if onlyNull(b) {
			x.null = true
			continue
		}
		list = append(list, b)
		consts = consts && isConst(b)
	}
	switch {
	case len(list) == 0:
		return all[:1]
	case len(list) == 1:
		return list
	case consts:
		x.consts = append(x.consts, list...)
		return nil
	}
	c := choice{key: choiceKey(p, keyword), branches: list}
	c.at = f.chosen(path+c.key, list, v)
	x.choices = append(x.choices, c)
	return list[c.at : c.at+1]
}

// choiceKey is how the choice of a keyword is kept, behind its place.
func choiceKey(p schema.Part, keyword string) string {
	return ofBranch + strconv.Itoa(p.ID()) + keyword
}

// conditions are the schemas that if, then, else and members that are there
// bring.
func (x *flat) conditions(p schema.Part, v jsonread.Value) []schema.Part {
	var list []schema.Part
	if if_, then, els, ok := p.Condition(); ok {
		c := condition{then: then, els: els, taken: if_.Fits(orEmpty(v))}
		switch c.taken {
		case schema.Yes:
			list = append(list, then)
		case schema.No:
			list = append(list, els)
		default:
			x.either = append(x.either, then, els)
		}
		x.conds = append(x.conds, c)
	}
	for _, d := range p.Dependents() {
		if v.Get(d.Name).IsZero() {
			continue
		}
		x.also = append(x.also, d.Required...)
		if d.HasPart {
			list = append(list, d.Schema)
		}
	}
	return list
}

// orEmpty is a value, or an empty object for one that is not there.
func orEmpty(v jsonread.Value) jsonread.Value {
	if v.IsZero() {
		return parsed("{}")
	}
	return v
}

// parsed is the value of a text that is JSON.
func parsed(text string) jsonread.Value {
	doc, err := jsonread.Parse([]byte(text))
	if err != nil {
		return jsonread.Value{}
	}
	return doc.Root()
}

func onlyNull(p schema.Part) bool {
	t := p.Types()
	return len(t) == 1 && t[0] == "null" || p.Const().Kind() == jsonread.Null
}

// isConst reports whether a branch is one value with a title.
func isConst(p schema.Part) bool {
	if p.IsObject() || p.IsList() {
		return false
	}
	return !p.Const().IsZero() || p.Enum().Len() == 1
}

// constOf is the one value that a part takes, absent when it takes more.
func constOf(p schema.Part) jsonread.Value {
	if c := p.Const(); !c.IsZero() {
		return c
	}
	if e := p.Enum(); e.Len() == 1 {
		return e.Index(0)
	}
	return jsonread.Value{}
}

// key tells shapes apart: the parts that they are made of.
func (x *flat) key() string {
	var b strings.Builder
	for _, list := range [][]schema.Part{x.parts, x.notes, x.either, x.consts} {
		for _, p := range list {
			b.WriteString(strconv.Itoa(p.ID()))
			b.WriteByte(' ')
		}
		b.WriteByte(';')
	}
	if x.null {
		b.WriteByte('n')
	}
	return b.String()
}
