package arguments

import (
	"perch/inspect/form"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/edit"
	"perch/ui/prose"
)

// View draws the pane below its title.
func (p *Pane) View(k *cell.Look, w, h int, focused bool) cell.Block {
	p.h, p.edH, p.runY = h, 0, -1
	if !p.has || p.now == nil {
		return k.Lines(prose.Own(k, themes.Muted, p.none, w-1), w, h)
	}
	if p.now.tab == Schema {
		return p.viewSchema(k, w, h, focused)
	}
	if p.now.tab == JSON {
		p.now.tell()
	}
	problem := append(p.problem(k, w), p.goneLine(k, w)...)
	foot := []cell.Line{p.out(w), p.run(k, w, focused)}
	switch {
	case h < 4:
		foot = nil
	case h >= 7:
		foot = append(problem[:min(len(problem), h-5)], foot...)
	}
	p.edH = h - len(foot)
	var block cell.Block
	if p.now.tab == Form {
		block = p.viewForm(k, w, p.edH, focused)
	} else {
		block = p.viewText(k, w, p.edH, focused)
	}
	if len(foot) > 0 {
		p.runY = h - 1
	}
	return append(block[:len(block):len(block)], k.Lines(foot, w, len(foot))...)
}

// viewText draws the text, with the suggestions over it.
func (p *Pane) viewText(k *cell.Look, w, h int, focused bool) cell.Block {
	ed := p.now.ed
	ed.Select(edit.Selected(!p.OnRun(), focused))
	block := ed.View(k, w, h, p.typing)
	if !p.typing {
		return block
	}
	if box, x, y, ok := ed.SuggestionBox(k, w, h); ok {
		return cell.Overlay(block, box, x, y)
	}
	return block
}

func (p *Pane) viewSchema(k *cell.Look, w, h int, focused bool) cell.Block {
	if p.tool.InputSchema.IsZero() {
		return k.Lines(prose.Own(k, themes.Muted, "The tool has no inputSchema.", w-1), w, h)
	}
	return p.schemaRows().View(k, w, h, focused)
}

// Click selects what is at a place: a row, whose value it types into, a sign of
// a fold or of a menu, or the row Run, and says what is to be done.
func (p *Pane) Click(k *cell.Look, x, y int) Ask {
	d := p.now
	switch {
	case d == nil:
	case d.tab == Schema:
		p.schemaRows().Click(y)
	case y == p.runY:
		p.SelectRun()
		return Run
	case y >= p.edH:
	case d.tab == JSON:
		if p.typing && d.ed.SuggestionClick(x, y) {
			p.Changed()
			return Nothing
		}
		d.ed.Click(k, x, y)
		p.Type()
	default:
		return p.clickForm(k, x, y)
	}
	return Nothing
}

func (p *Pane) clickForm(k *cell.Look, x, y int) Ask {
	d := p.now
	y -= p.shown.from
	if y < 0 {
		if d.filter != nil {
			p.stop()
			p.search, p.onRun = true, false
		}
		return Nothing
	}
	if y >= len(p.shown.rows) {
		return Nothing
	}
	i := p.shown.rows[y]
	first := y == 0 || p.shown.rows[y-1] != i
	was := d.find()
	if was == i && p.clickField(k, x, y) {
		return Nothing
	}
	p.stop()
	p.onRun = false
	d.pick(i)
	r, ok := d.selected()
	switch {
	case !ok || !first:
		return Nothing
	case r.Group && x < p.shown.value:
		d.form.Fold(r.Path, !r.Open)
	case hasMenu(r) && (!typable(r) || x >= p.shown.menu):
		return Choose
	case x >= p.shown.value || was == i || r.Kind != form.Field:
		ask := p.Enter()
		if p.typing && p.field != nil && r.Kind == form.Field && x >= p.shown.value {
			p.field.MoveTo(0) // what was in sight began with its first cell
			p.field.View(k, max(p.shown.menu, 1), 1, true)
			p.field.Click(k, x-p.shown.value, 0)
		}
		return ask
	}
	return Nothing
}

// clickField puts the caret into the input that is being typed into, and
// reports whether the click was in it.
func (p *Pane) clickField(k *cell.Look, x, y int) bool {
	if !p.typing || p.field == nil || p.now.kind != form.Field || x < p.shown.value || x >= p.shown.menu {
		return false
	}
	top := y
	for top > 0 && p.shown.rows[top-1] == p.shown.rows[y] {
		top--
	}
	if y-top >= p.fieldRows() {
		return false
	}
	p.field.ClickRow(k, x-p.shown.value, y-top)
	return true
}

// Wheel scrolls what is in sight.
func (p *Pane) Wheel(_, dy int) {
	switch d := p.now; {
	case d == nil:
	case d.tab == Schema:
		p.schemaRows().Scroll(dy)
	case d.tab == JSON:
		d.ed.Scroll(dy)
	default:
		p.scroll(dy)
	}
}

// scroll moves what is in sight of the form by so many rows of it.
func (p *Pane) scroll(dy int) {
	d := p.now
	n := d.fields().Len()
	if dy > 0 && len(p.shown.rows) > 0 && p.shown.rows[len(p.shown.rows)-1] == n-1 && len(p.shown.rows) < p.edH-p.shown.from {
		return
	}
	d.loose, d.skip = true, 0
	d.top = min(max(d.top+dy, 0), max(n-1, 0))
}

// Cursor is the place of the caret, or of the selected row.
func (p *Pane) Cursor() (x, y int, ok bool) {
	d := p.now
	switch {
	case d == nil:
		return 0, 0, false
	case d.tab == Schema:
		y, ok = p.schemaRows().SelectedY()
		return 0, y, ok
	case p.OnRun():
		return 0, p.runY, p.runY >= 0
	case d.tab == Form:
		return p.shown.x, p.shown.y, p.shown.ok
	case p.typing:
		x, y = d.ed.Cursor()
		return x, y, y < p.edH
	}
	_, y = d.ed.Cursor()
	return 0, y, y < p.edH
}

// Copy is what the command copy takes: the value of the selected field, else
// what is written, or the schema.
func (p *Pane) Copy() string {
	switch d := p.now; {
	case d == nil:
		return ""
	case d.tab == Schema:
		return string(p.tool.InputSchema.Raw())
	case d.tab == Form && !p.OnRun():
		if r, ok := d.selected(); ok && r.Kind == form.Field {
			if raw := d.form.Raw(r.Path); raw != nil {
				return string(raw)
			}
		}
	}
	return p.now.ed.Text()
}
