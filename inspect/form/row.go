package form

import (
	"strings"

	"perch/engine/jsonread"
	"perch/engine/quote"
)

// State is what becomes of a field.
type State uint8

// The states of a field.
const (
	LeftOut State = iota // not sent
	IsNull               // null is sent
	IsSet                // a value is sent
)

// Row is one row of the form, as it is shown. All that a module wrote is as it
// wrote it: who shows it makes it safe.
type Row struct {
	Kind  RowKind
	Path  string // JSON pointer of the value; of AddRow, AddKey, More and Picker that of the group
	Depth int
	Label string // the member's name, or the element's number from 1
	Index int    // of an element from 0; -1 for a member
	Type  Kind
	State State

	Required bool
	Extra    bool // no property names it
	Group    bool // has rows within
	Open     bool // they are shown
	Count    int  // of a group: its members or elements
	Foreign  bool // the value is not of the kind that the field is for

	Text    string // what is in the field; of a folded group what it holds; cut at 4 KiB
	Cut     bool   // Text is not all
	Lines   int    // of a text, at least 1
	Words   string // what may be in it: "string | null", "integer ≥ 1", "plain · warm · formal"
	Default string // "" for none
	Misfit  bool   // the default does not fit its own schema
	Notes   []string

	Title, Description string
	Examples           []string
	Options            []Option // of a Choice
	Picked             int      // the option that is set, -1
	Items              []Option // of a List, the values that its elements may have
	Branches           []string // names of the branches, of a choice
	Branch             int
	Types              []string // that may be chosen, when there are several
	TypeAt             int
	Null               bool // null may be chosen
	More               int  // of More: rows that are not listed

	Problems []Problem // of the field itself
	Inside   int       // problems within, of a group
}

// Row makes a row for showing. It takes time for itself alone.
func (f *Form) Row(i int) Row {
	f.arrange()
	p := &f.rows[i]
	r := Row{Kind: p.kind, Path: p.path, Depth: p.depth, Index: p.index, Picked: -1, More: p.more}
	switch p.kind {
	case Picker:
		f.picker(&r, p, p.choice)
		r.Type = f.kindOf(p)
		return r
	case AddRow, AddKey, More:
		r.Type = f.kindOf(p)
		return r
	}
	r.Label = p.name
	if p.index >= 0 {
		r.Label = quote.Count(p.index + 1)
	}
	s := p.shape
	r.Type, r.Required, r.Extra, r.Null = f.kindOf(p), p.required, p.extra, s.null
	r.Title, r.Description = s.title, s.description
	r.Group, r.Open = f.isGroup(p), p.open
	f.fill(&r, p)
	r.Words = f.wordsOf(p)
	if !s.def.IsZero() {
		r.Default, _ = brief(compact(s.def.Raw()), maxShown)
		r.Misfit = s.misfits()
	}
	for _, e := range s.examples {
		text, _ := brief(compact(e.Raw()), maxShown)
		r.Examples = append(r.Examples, text)
	}
	r.Options, r.Items = s.options, s.itemOptions
	if len(s.types) > 1 && s.options == nil {
		r.Types, r.TypeAt = s.types, f.typeAt(p)
	}
	if len(s.flat.choices) > 0 {
		f.picker(&r, p, 0)
	}
	r.Notes = f.notesOf(p)
	r.Problems = f.problemsAt(p.path)
	if r.Group {
		r.Inside = f.problemsWithin(p.path)
	}
	return r
}

// RowAt is the row of a place; ok is false when it is folded away or gone.
func (f *Form) RowAt(path string) (r Row, ok bool) {
	i := f.Find(path)
	if i < 0 || f.rows[i].path != path {
		return Row{}, false
	}
	return f.Row(i), true
}

func (f *Form) picker(r *Row, p *place, i int) {
	c := p.shape.flat.choices[i]
	r.Branches, r.Branch = f.labels(c), c.at
}

// fill says what is in a field.
func (f *Form) fill(r *Row, p *place) {
	v := p.value
	switch v.Kind() {
	case jsonread.Absent:
		r.State = LeftOut
		return
	case jsonread.Null:
		r.State = IsNull
		r.Foreign = r.Type != Raw && r.Type != Null && r.Type != Choice && !p.shape.null
		return
	}
	r.State = IsSet
	if r.Group {
		r.Count = v.Len()
		if !r.Open {
			r.Text = summary(v, 80)
		}
		return
	}
	r.Picked = p.shape.optionAt(v)
	r.Foreign = !fitsKind(r.Type, v) || r.Type == Choice && r.Picked < 0 || r.Extra && r.Type == Never
	text := typed(r.Type, v)
	r.Lines = 1 + strings.Count(text, "\n")
	r.Text, r.Cut = brief(text, maxShown)
}

// fitsKind reports whether a value is of the kind that a field is for.
func fitsKind(k Kind, v jsonread.Value) bool {
	switch k {
	case String:
		return v.Kind() == jsonread.String
	case Number:
		return v.Kind() == jsonread.Number
	case Integer:
		return v.Kind() == jsonread.Number && v.IsInteger()
	case Boolean:
		return v.Kind() == jsonread.True || v.Kind() == jsonread.False
	case Object:
		return v.Kind() == jsonread.Object
	case List:
		return v.Kind() == jsonread.Array
	case Null, Never:
		return false
	}
	return true
}

// brief is the beginning of a text, whole characters of at most so many bytes.
func brief(s string, most int) (text string, isCut bool) {
	if len(s) <= most {
		return s, false
	}
	for most > 0 && s[most]&0xc0 == 0x80 {
		most--
	}
	return s[:most], true
}

// Value is the whole text in a field, as it is typed; ok is false where it has
// none: left out, null, or a group.
func (f *Form) Value(path string) (text string, ok bool) {
	chain, found := f.locate(path)
	if !found {
		return "", false
	}
	p := &chain[len(chain)-1]
	if p.value.IsZero() || p.value.Kind() == jsonread.Null || f.isGroup(p) {
		return "", false
	}
	return typed(f.kindOf(p), p.value), true
}

// Raw is the JSON of a place as it stands in the text, nil when it is left out.
func (f *Form) Raw(path string) []byte {
	v := f.doc.Root().At(path)
	return v.Raw()
}

// FirstToFill is the first field in sight that must be there and is not; ok is
// false when there is none.
func (f *Form) FirstToFill() (path string, ok bool) {
	f.arrange()
	for i := range f.rows {
		p := &f.rows[i]
		if p.kind == Field && p.required && p.value.IsZero() && !f.isGroup(p) {
			return p.path, true
		}
	}
	return "", false
}
