package arguments

import (
	"perch/inspect/form"
	"perch/ui/edit"
	"perch/ui/syntax"
)

// Do does what a command means here.
func (p *Pane) Do(id string) bool {
	d := p.now
	if d == nil {
		return false
	}
	switch id {
	case "tab.prev":
		p.SetTab((int(d.tab) + int(tabs) - 1) % int(tabs))
		return true
	case "tab.next":
		p.SetTab((int(d.tab) + 1) % int(tabs))
		return true
	case "args.form_json":
		if d.tab == Form {
			p.SetTab(int(JSON))
		} else {
			p.SetTab(int(Form))
		}
		return true
	}
	switch d.tab {
	case Schema:
		return syntax.Fold(p.schemaRows(), d.schema, id)
	case JSON:
		if p.typing {
			return p.doTyping(id)
		}
		return p.doText(id)
	}
	if p.typing || p.search {
		if p.doField(id) {
			return true
		}
	}
	return p.doForm(id)
}

// doTyping does what a command means while the caret is in the text.
func (p *Pane) doTyping(id string) bool {
	ed := p.now.ed
	switch id {
	case "type.newline", "type.accept":
		ed.Newline()
	case "edit.accept":
		ed.Tab()
	case "edit.outdent":
		ed.Outdent()
	case "type.undo":
		ed.Undo()
	case "type.redo":
		ed.Redo()
	case "type.suggest":
		p.now.fields()
		if !ed.OpenSuggestions() {
			p.said = "the schema suggests nothing here"
		}
	case "type.up":
		if !ed.Key("up", "") {
			ed.Up(1)
		}
	case "type.down":
		if !ed.Key("down", "") {
			ed.Down(1)
		}
	case "args.default", "args.leave_out", "args.null", "args.empty", "args.add", "args.duplicate", "args.move_up", "args.move_down":
		p.said = "that is done in the form · ctrl+f"
		return true
	default:
		return false
	}
	p.Changed()
	return true
}

// doText does what a command means on the text without a caret: lines are
// rows.
func (p *Pane) doText(id string) bool {
	ed := p.now.ed
	page := max(p.edH-1, 1)
	switch id {
	case "nav.up":
		if p.onRun {
			p.onRun = false
		} else {
			ed.Up(1)
		}
	case "nav.down":
		if ed.Caret().Line == ed.Lines()-1 {
			p.onRun = true
		} else {
			ed.Down(1)
		}
	case "nav.top":
		p.onRun = false
		ed.MoveTo(0)
	case "nav.bottom":
		ed.MoveTo(len(ed.Text()))
		p.onRun = true
	case "nav.page_up":
		p.onRun = false
		ed.Up(page)
	case "nav.page_down":
		ed.Down(page)
	case "nav.half_up":
		p.onRun = false
		ed.Up(max(page/2, 1))
	case "nav.half_down":
		ed.Down(max(page/2, 1))
	case "nav.toggle":
		return ed.ToggleFold()
	case "type.undo":
		return p.told(ed.Undo(), "nothing to undo")
	case "type.redo":
		return p.told(ed.Redo(), "nothing to do again")
	case "args.default", "args.leave_out", "args.null", "args.empty", "args.add", "args.duplicate", "args.move_up", "args.move_down":
		p.said = "that is done in the form · ctrl+f"
	default:
		return false
	}
	return true
}

// told says a text where something was not done. The command has a meaning
// here all the same.
func (p *Pane) told(done bool, text string) bool {
	if !done {
		p.said = text
	} else {
		p.now.tell()
	}
	return true
}

// doField does what a command means while the caret is in a line.
func (p *Pane) doField(id string) bool {
	if p.search {
		switch id {
		case "type.up", "type.down":
			p.stop()
			return false
		}
		return id == "type.next_field" || id == "type.prev_field"
	}
	switch id {
	case "type.down":
		if !p.field.RowDown() {
			p.nextField(1)
		}
	case "type.up":
		if !p.field.RowUp() {
			p.nextField(-1)
		}
	case "type.next_field":
		p.nextField(1)
	case "type.prev_field":
		p.nextField(-1)
	default:
		return false
	}
	return true
}

// doForm does what a command means in the form.
func (p *Pane) doForm(id string) bool {
	if p.walkRows(id) || p.fold(id) {
		return true
	}
	d := p.now
	switch id {
	case "find.open":
		p.stop()
		if d.filter == nil {
			d.filter = edit.NewLine("")
		}
		p.search, p.onRun = true, false
		return true
	case "type.undo":
		path, ok := d.fields().Undo()
		return p.undone(path, ok, "nothing to undo")
	case "type.redo":
		path, ok := d.fields().Redo()
		return p.undone(path, ok, "nothing to do again")
	}
	r, ok := d.selected()
	if !ok || p.OnRun() {
		if isEdit(id) {
			p.said = "no field is selected"
			return true
		}
		return false
	}
	return p.edit(id, r)
}

func isEdit(id string) bool {
	switch id {
	case "args.leave_out", "args.null", "args.empty", "args.default", "args.add", "args.duplicate", "args.move_up", "args.move_down":
		return true
	}
	return false
}

func (p *Pane) undone(path string, ok bool, text string) bool {
	if ok {
		p.now.wrote()
		if path != "" {
			p.now.choose(path)
		}
		p.retype()
		return true
	}
	p.said = text
	return true
}

// edit changes a row.
func (p *Pane) edit(id string, r form.Row) bool {
	d := p.now
	f := d.fields()
	var err error
	to := r.Path
	switch id {
	case "args.leave_out":
		p.LeaveOut(r.Path)
		return true
	case "args.null":
		err = f.SetNull(r.Path)
	case "args.empty":
		err = f.SetEmpty(r.Path)
	case "args.default":
		err = f.FillDefault(r.Path)
	case "args.duplicate":
		to, err = f.Duplicate(r.Path)
	case "args.move_up":
		to, err = f.Move(r.Path, -1)
	case "args.move_down":
		to, err = f.Move(r.Path, 1)
	case "args.add":
		if r.Kind == form.AddKey {
			p.typeHere()
		} else {
			p.add(r.Path)
		}
		return true
	default:
		return false
	}
	p.act(err)
	if err == nil {
		if to != r.Path {
			d.choose(to)
		}
		p.retype()
	}
	return true
}

// walkRows moves the selection.
func (p *Pane) walkRows(id string) bool {
	d := p.now
	f := d.fields()
	n, at, page := f.Len(), d.find(), max((p.edH-1)/2, 1)
	step := 0
	switch id {
	case "nav.up":
		if p.onRun {
			p.onRun = false
			if n > 0 {
				d.pick(n - 1)
			}
			return true
		}
		step = -1
	case "nav.down":
		if at >= n-1 {
			p.onRun = true
			return true
		}
		step = 1
	case "nav.top":
		p.onRun = false
		d.pick(0)
		return true
	case "nav.bottom":
		p.onRun = true
		return true
	case "nav.page_up":
		step = -page
	case "nav.page_down":
		step = page
	case "nav.half_up":
		step = -max(page/2, 1)
	case "nav.half_down":
		step = max(page/2, 1)
	default:
		return false
	}
	if step < 0 && p.onRun {
		p.onRun = false
		at = n
	}
	if !p.onRun {
		d.pick(at + step)
	}
	return true
}

// fold folds and unfolds, and goes out of and into groups.
func (p *Pane) fold(id string) bool {
	d := p.now
	switch id {
	case "nav.left", "nav.right":
	default:
		return false
	}
	r, ok := d.selected()
	if !ok || p.OnRun() {
		return false
	}
	switch {
	case id == "nav.right" && r.Group && !r.Open:
		d.form.Fold(r.Path, true)
	case id == "nav.right" && r.Group:
		d.pick(d.find() + 1)
	case id == "nav.left" && r.Group && r.Open:
		d.form.Fold(r.Path, false)
	case id == "nav.left":
		for i := d.find() - 1; i >= 0; i-- {
			if d.form.Row(i).Depth < r.Depth {
				d.pick(i)
				return true
			}
		}
		return false
	default:
		return false
	}
	return true
}

// NextProblem goes to the next problem of the arguments, and reports whether
// there is one behind the selected place; around puts the end before the
// start.
func (p *Pane) NextProblem(around bool) bool {
	d := p.now
	if d == nil {
		return false
	}
	if d.sends.of(d.ed).err != nil {
		p.ToFault()
		p.Type()
		return true
	}
	if d.tab == JSON {
		p.stop()
		d.tell()
		before := d.ed.Offset()
		if !d.ed.NextProblem() {
			return false
		}
		if !around && d.ed.Offset() <= before {
			d.ed.MoveTo(before)
			return false
		}
		p.Type()
		return true
	}
	f := d.fields()
	from := d.at
	if p.onRun || d.kind != form.Field {
		from = ""
	}
	next, ok := f.NextProblem(from)
	if !ok || next == "" {
		return false
	}
	if !around && from != "" && f.Find(next) <= d.find() && next != from {
		return false
	}
	if next == from && !around {
		return false
	}
	d.tab, p.onRun = Form, false
	p.stop()
	d.choose(next)
	p.typeHere()
	return true
}
