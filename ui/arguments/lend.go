package arguments

import (
	"perch/inspect/form"
	"perch/ui/edit"
)

// Lent is what was given to another editor: the whole text of a tool's
// arguments, or that of one of its fields.
type Lent struct {
	tool  string
	field bool
	path  string
	text  edit.Lent
}

// Text is what goes into the other editor's file, byte for byte.
func (l Lent) Text() []byte { return l.text.Text }

// File is what its file is called.
func (l Lent) File() string {
	if l.field {
		return "text.txt"
	}
	return "arguments.json"
}

// Lend gives the draft to another editor; in the form a field of text alone,
// as the text that it is.
func (p *Pane) Lend() Lent {
	d := p.now
	if d == nil {
		return Lent{}
	}
	p.stop()
	if d.tab == Form && !p.onRun {
		if r, ok := d.selected(); ok && r.Kind == form.Field && r.Type == form.String && !r.Foreign {
			text, _ := d.form.Value(r.Path)
			return Lent{tool: d.tool.Name, field: true, path: r.Path, text: edit.Lent{Text: []byte(text)}}
		}
	}
	if !d.raw {
		d.ed.Become(Pretty([]byte(d.ed.Text())))
	}
	return Lent{tool: d.tool.Name, text: d.ed.Lend()}
}

// TakeBack puts in what another editor left, and reports whether it is another
// text now. failed is why the editor went wrong: then nothing is put in.
func (p *Pane) TakeBack(l Lent, text []byte, failed error) bool {
	d := p.drafts[l.tool]
	switch {
	case d == nil || failed != nil:
		return false
	case l.field:
		return p.takeField(d, l, l.text.Back(text))
	case !d.ed.TakeBack(l.text, text, nil):
		return false
	}
	d.raw = true
	d.fields()
	return true
}

func (p *Pane) takeField(d *draft, l Lent, text string) bool {
	f := d.fields()
	if now, _ := f.Value(l.path); now == text {
		return false
	}
	if err := f.SetValue(l.path, text); err != nil {
		p.said = err.Error()
		return false
	}
	f.Settle()
	d.wrote()
	return true
}
