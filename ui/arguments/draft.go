package arguments

import (
	"bytes"
	"encoding/json"

	"perch/engine/wire"
	"perch/inspect/form"
	"perch/inspect/jsonview"
	"perch/inspect/schema"
	"perch/ui/edit"
	"perch/ui/list"
)

// draft is what is being written for one tool. The text in the editor is the
// one that is sent; the form follows it, and changes it place by place.
type draft struct {
	tool    wire.Tool
	ed      *edit.Editor
	first   string // what it began with
	tab     Tab
	sends   sends
	typed   bool // the caret was in the editor
	entered bool // the caret was in the form
	raw     bool // the text was written in the editor: it stays as it is

	form   *form.Form
	synced int // revision of the editor's text that the form has
	told   int // revision of the form whose problems the editor has

	schema *jsonview.Doc
	rows   *list.List

	at     string          // place of the selected row
	kind   form.RowKind    // of the selected row
	row    int             // its index when it was looked for last
	top    int             // the first row in sight
	skip   int             // lines of it above the screen
	loose  bool            // the wheel was used: the selected row may be out of sight
	wide   map[string]bool // rows whose description is shown whole
	filter *edit.Editor
	column column
	lost   lost
}

// longest is the size of a text up to which the form follows each key in the
// editor; a longer one is read when it is left.
const longest = 64 << 10

func newDraft(t wire.Tool, text string) *draft {
	return &draft{tool: t, ed: edit.New(text), first: text, synced: -1, told: -1, wide: map[string]bool{}}
}

// take takes the tool as it is now. Where its schema is another one the form
// keeps the text, what was not sent, and the steps that can be undone.
func (d *draft) take(t wire.Tool) {
	if !bytes.Equal(d.tool.Raw, t.Raw) {
		d.schema, d.rows, d.told = nil, nil, -1
		if d.form != nil {
			d.form.Reload(schema.Compile(t.InputSchema))
		}
	}
	d.tool = t
}

// fields is the form, up to date with the text.
func (d *draft) fields() *form.Form {
	if d.form == nil {
		d.form = form.New(schema.Compile(d.tool.InputSchema))
		d.ed.SuggestFrom(edit.SuggestFunc(d.suggest))
	}
	if d.synced != d.ed.Revision() {
		d.synced = d.ed.Revision()
		if text := d.ed.Text(); text != d.form.Text() {
			d.form.SetText(text)
		}
	}
	return d.form
}

// wrote takes what the form changed over into the text.
func (d *draft) wrote() {
	d.ed.Become(d.form.Text())
	d.synced = d.ed.Revision()
}

// tell gives the editor the problems that the form knows.
func (d *draft) tell() {
	if d.ed.Size() > longest && d.form != nil && d.synced != d.ed.Revision() {
		return
	}
	f := d.fields()
	if d.told == f.Revision() {
		return
	}
	d.told = f.Revision()
	if _, err := f.Fault(); err != nil {
		d.ed.SetProblems(nil)
		return
	}
	var all []edit.Problem
	for _, p := range f.Problems() {
		if p.Level != form.Note {
			all = append(all, edit.Problem{Bytes: true, Start: p.Start, End: p.End, Text: p.Text})
		}
	}
	d.ed.SetProblems(all)
}

// suggest says what may stand at a place of the text.
func (d *draft) suggest(pointer string, key bool, prefix string) []edit.Suggestion {
	var out []edit.Suggestion
	if !key {
		for _, s := range d.form.Values(pointer) {
			out = append(out, edit.Suggestion{Text: s.JSON, Note: s.About})
		}
		return edit.Fitting(out, prefix)
	}
	for _, s := range d.form.Keys(pointer) {
		var name string
		if json.Unmarshal([]byte(s.JSON), &name) != nil {
			continue
		}
		note := s.About
		if s.Required {
			note = "* " + note
		}
		out = append(out, edit.Suggestion{Text: name, Note: note})
	}
	return edit.Fitting(out, prefix)
}

// wrong are the problems of the arguments that are more than notes.
func (d *draft) wrong() []form.Problem {
	f := d.fields()
	if _, err := f.Fault(); err != nil {
		return nil
	}
	var out []form.Problem
	for _, p := range f.Problems() {
		if p.Level != form.Note {
			out = append(out, p)
		}
	}
	return out
}

// find is the index of the selected row; -1 without rows.
func (d *draft) find() int {
	f := d.fields()
	n := f.Len()
	if n == 0 {
		return -1
	}
	if d.kind == form.Field {
		if i := f.Find(d.at); i >= 0 {
			d.row = i
			return i
		}
		d.row = min(max(d.row, 0), n-1)
		return d.row
	}
	for step := range n { // near where it was, for a row that no field is
		for _, i := range []int{d.row - step, d.row + step} {
			if i < 0 || i >= n {
				continue
			}
			if r := f.Row(i); r.Kind == d.kind && r.Path == d.at {
				d.row = i
				return i
			}
		}
		if step > 64 {
			break
		}
	}
	d.row = min(max(d.row, 0), n-1)
	return d.row
}

// selected is the selected row.
func (d *draft) selected() (form.Row, bool) {
	i := d.find()
	if i < 0 {
		return form.Row{}, false
	}
	return d.form.Row(i), true
}

// pick selects a row by its index.
func (d *draft) pick(i int) {
	f := d.fields()
	if n := f.Len(); n > 0 {
		i = min(max(i, 0), n-1)
		r := f.Row(i)
		d.at, d.kind, d.row = r.Path, r.Kind, i
	}
	d.loose = false
}

// choose selects the row of a place, unfolding what is around it.
func (d *draft) choose(path string) {
	d.fields().Show(path)
	d.at, d.kind, d.loose = path, form.Field, false
}
