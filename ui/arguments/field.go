package arguments

import (
	"perch/inspect/form"
	"perch/ui/edit"
)

// typable reports whether a caret can stand in a row.
func typable(r form.Row) bool {
	switch r.Kind {
	case form.AddKey:
		return true
	case form.Field:
		return !r.Group && r.Type != form.Never && r.Type != form.Null
	}
	return false
}

// typeHere puts the caret into the selected row and reports whether it can
// stand there.
func (p *Pane) typeHere() bool {
	d := p.now
	r, ok := d.selected()
	if !ok {
		return false
	}
	if _, err := d.form.Fault(); err != nil {
		p.said = "the text is not a JSON object, so the form waits · ctrl+f goes to it"
		return true
	}
	if !typable(r) {
		return false
	}
	text := ""
	if r.Kind == form.Field {
		text, _ = d.form.Value(r.Path)
	}
	p.stop()
	d.form.Settle()
	p.field, p.typing, p.fresh, p.onRun, d.loose = edit.NewLine(text), true, true, false, false
	return true
}

// retype gives the input the text that the field has now.
func (p *Pane) retype() {
	if !p.typing || p.now.tab != Form {
		return
	}
	r, ok := p.now.selected()
	if !ok || !typable(r) {
		p.stop()
		return
	}
	text := ""
	if r.Kind == form.Field {
		text, _ = p.now.form.Value(r.Path)
	}
	if p.field.Text() != text {
		p.field, p.fresh = edit.NewLine(text), true
	}
}

// Changed takes what was typed.
func (p *Pane) Changed() {
	p.onRun = false
	d := p.now
	switch {
	case d == nil:
	case p.search:
		d.fields().SetFilter(d.filter.Text())
		d.pick(0)
	case !p.typing:
	case d.tab == JSON:
		d.raw = true
		d.tell()
	default:
		p.fresh, d.loose = false, false
		r, ok := d.selected()
		if !ok || r.Kind != form.Field {
			return
		}
		if text, has := d.form.Value(r.Path); has && text == p.field.Text() || !has && p.field.Empty() {
			return // the caret moved
		}
		p.act(d.form.SetValue(r.Path, p.field.Text()))
	}
}

// act takes what came of an act on the form.
func (p *Pane) act(err error) {
	if err != nil {
		p.said = err.Error()
		return
	}
	p.now.wrote()
	p.now.loose = false
}

// nextField puts the caret into the next field, or the one before. Behind the
// last one is the row Run.
func (p *Pane) nextField(step int) {
	d := p.now
	f := d.fields()
	for i := d.find() + step; i >= 0 && i < f.Len(); i += step {
		if r := f.Row(i); r.Kind == form.Field && typable(r) {
			d.pick(i)
			p.typeHere()
			return
		}
	}
	if step > 0 {
		p.SelectRun()
	}
}

// Accept is enter while typing in a line: the next field, or the menu of a
// field that has values to choose from and none yet.
func (p *Pane) Accept() Ask {
	d := p.now
	if d == nil {
		return Nothing
	}
	if p.search {
		p.stop()
		return Nothing
	}
	r, ok := d.selected()
	if !ok {
		p.stop()
		return Nothing
	}
	if r.Kind == form.AddKey {
		name := p.field.Text()
		if name == "" {
			p.nextField(1)
			return Nothing
		}
		added, err := d.form.AddKey(r.Path, name)
		p.act(err)
		if err == nil {
			d.choose(added)
			if !p.typeHere() {
				p.stop()
			}
		}
		return Nothing
	}
	if r.Type == form.Choice && p.fresh && r.State == form.LeftOut {
		return Choose
	}
	p.nextField(1)
	return Nothing
}

// Enter is enter without a caret on the selected row.
func (p *Pane) Enter() Ask {
	d := p.now
	switch {
	case d == nil:
		return Nothing
	case p.OnRun():
		return Run
	case d.tab != Form:
		p.Type()
		return Nothing
	}
	r, ok := d.selected()
	if !ok {
		p.SelectRun()
		return Nothing
	}
	switch {
	case r.Kind == form.AddRow:
		p.add(r.Path)
	case r.Kind == form.Picker, r.Type == form.Choice && r.Kind == form.Field:
		return Choose
	case r.Kind == form.Field && r.Type == form.Boolean:
		p.act(d.form.Toggle(r.Path))
	case r.Group && (len(r.Branches) > 1 || len(r.Items) > 0):
		return Choose
	case r.Group:
		d.form.Fold(r.Path, !r.Open)
	default:
		p.typeHere()
	}
	return Nothing
}

// Toggle is space without a caret: it ticks, folds, or opens the choice; on
// any other field it shows the description whole.
func (p *Pane) Toggle() Ask {
	d := p.now
	if d == nil || d.tab != Form || p.OnRun() {
		return Nothing
	}
	r, ok := d.selected()
	switch {
	case !ok:
	case r.Kind == form.Field && r.Type == form.Boolean:
		p.act(d.form.Toggle(r.Path))
	case r.Group:
		d.form.Fold(r.Path, !r.Open)
	case hasMenu(r):
		return Choose
	case r.Kind == form.Field:
		d.wide[r.Path] = !d.wide[r.Path]
	}
	return Nothing
}

// add makes room for something at a place and goes there.
func (p *Pane) add(path string) {
	d := p.now
	added, err := d.form.Add(path)
	p.act(err)
	if err != nil {
		return
	}
	d.choose(added)
	if r, ok := d.selected(); ok && typable(r) && r.Type != form.Choice && r.Type != form.Boolean {
		p.typeHere()
		if r.State == form.IsNull {
			p.fresh = true
		}
	}
}
