package form

import (
	"slices"

	"perch/engine/jsonread"
	"perch/engine/quote"
)

// Suggestion is something that can be written at a place of the text.
type Suggestion struct {
	JSON     string // as it is written: a name in quotes, or a value
	About    string // type or title, description: what a person chooses by
	Required bool
	Set      bool // of a name: it is there already
	Default  bool // of a value: it is the default
}

// maxSuggested is how many suggestions are made.
const maxSuggested = 500

// Keys are the names that an object may have: what is required first, then in
// the order of the schema. It is empty where the pointer leads to no object that
// the schema knows.
func (f *Form) Keys(path string) []Suggestion {
	chain, ok := f.locate(path)
	if !ok {
		return nil
	}
	p := &chain[len(chain)-1]
	if f.kindOf(p) != Object {
		return nil
	}
	var list []Suggestion
	for _, name := range p.shape.order[:min(len(p.shape.order), maxSuggested)] {
		c := p.member(name, p.value.Get(name))
		f.resolve(&c)
		if f.kindOf(&c) == Never {
			continue
		}
		about := f.wordsOf(&c)
		if text := c.shape.title; text != "" {
			about += " · " + text
		}
		list = append(list, Suggestion{
			JSON: string(jsonread.AppendQuote(nil, name)), About: about,
			Required: c.required, Set: !c.value.IsZero(),
		})
	}
	slices.SortStableFunc(list, func(a, b Suggestion) int {
		switch {
		case a.Required == b.Required:
			return 0
		case a.Required:
			return -1
		}
		return 1
	})
	return list
}

// Values are values that a place may have: its options, true and false, its
// default and its examples, null, and the brackets of a list or an object.
func (f *Form) Values(path string) []Suggestion {
	chain, ok := f.locate(path)
	if !ok {
		return nil
	}
	p := &chain[len(chain)-1]
	s := p.shape
	var list []Suggestion
	add := func(raw, about string) {
		if raw == "" || len(list) == maxSuggested || slices.ContainsFunc(list, func(x Suggestion) bool { return x.JSON == raw }) {
			return
		}
		list = append(list, Suggestion{JSON: raw, About: about, Default: !s.def.IsZero() && raw == compact(s.def.Raw())})
	}
	k := f.kindOf(p)
	if k == Never {
		return nil
	}
	for _, o := range s.options {
		about, _ := brief(o.Title, 2*quote.Longest)
		add(o.Raw, about)
	}
	if k == Boolean {
		add("true", "")
		add("false", "")
	}
	if !s.def.IsZero() {
		add(compact(s.def.Raw()), "default")
	}
	for _, e := range s.examples {
		add(compact(e.Raw()), "example")
	}
	switch k {
	case Object:
		add("{}", "object")
	case List:
		add("[]", "array")
	case String:
		add(`""`, f.wordsOf(p))
	}
	if s.null {
		add("null", "")
	}
	return list
}
