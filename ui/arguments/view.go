package arguments

import (
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/edit"
	"perch/ui/prose"
	"perch/ui/syntax"
)

// View draws the pane below its title.
func (p *Pane) View(k *cell.Look, w, h int, focused bool) cell.Block {
	p.h, p.edH, p.runY = h, 0, -1
	if !p.has || p.now == nil {
		return k.Lines(prose.Own(k, themes.Muted, p.none, w-1), w, h)
	}
	if p.tab == Schema {
		return p.viewSchema(k, w, h, focused)
	}
	problem := p.problem(k, w)
	foot := []cell.Line{p.out(w), p.run(k, w, focused)}
	switch {
	case h < 4:
		foot = nil
	case h >= 7:
		foot = append(problem[:min(len(problem), h-5)], foot...)
	}
	p.edH = h - len(foot)
	p.now.ed.Select(edit.Selected(!p.OnRun(), focused))
	block := p.now.ed.View(k, w, p.edH, p.typing)
	if len(foot) > 0 {
		p.runY = h - 1
	}
	return append(block[:len(block):len(block)], k.Lines(foot, w, len(foot))...)
}

func (p *Pane) viewSchema(k *cell.Look, w, h int, focused bool) cell.Block {
	if p.tool.InputSchema.IsZero() {
		return k.Lines(prose.Own(k, themes.Muted, "The tool has no inputSchema.", w-1), w, h)
	}
	return p.schemaRows().View(k, w, h, focused)
}

// Do does what a command means here.
func (p *Pane) Do(id string) bool {
	if p.now == nil {
		return false
	}
	switch id {
	case "tab.prev", "tab.next":
		p.SetTab(1 - int(p.tab))
		return true
	}
	if p.tab == Schema {
		return syntax.Fold(p.schemaRows(), p.now.schema, id)
	}
	if p.typing {
		return p.doTyping(id)
	}
	return p.doBrowse(id)
}

// doTyping does what a command means while the caret is in the draft.
func (p *Pane) doTyping(id string) bool {
	ed := p.now.ed
	switch id {
	case "type.newline", "type.accept":
		ed.Newline()
	case "edit.accept":
		ed.Indent()
	case "edit.outdent":
		ed.Outdent()
	case "type.undo":
		ed.Undo()
	case "type.redo":
		ed.Redo()
	default:
		return false
	}
	return true
}

// doBrowse does what a command means without a caret: lines are rows.
func (p *Pane) doBrowse(id string) bool {
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
	case "type.undo":
		return ed.Undo()
	case "type.redo":
		return ed.Redo()
	default:
		return false
	}
	return true
}

// Changed takes what was typed.
func (p *Pane) Changed() { p.onRun = false }

// Click selects what is at a place: a line, whose second click types there, or
// the row Run, which it reports.
func (p *Pane) Click(k *cell.Look, x, y int) (run bool) {
	if p.now == nil {
		return false
	}
	switch {
	case p.tab == Schema:
		p.schemaRows().Click(y)
	case y == p.runY:
		p.SelectRun()
		return true
	case y < p.edH:
		p.now.ed.Click(k, x, y)
		p.Type()
	}
	return false
}

// Wheel scrolls what is in sight.
func (p *Pane) Wheel(_, dy int) {
	switch {
	case p.now == nil:
	case p.tab == Schema:
		p.schemaRows().Scroll(dy)
	default:
		p.now.ed.Scroll(dy)
	}
}

// Cursor is the place of the caret, or of the selected row.
func (p *Pane) Cursor() (x, y int, ok bool) {
	switch {
	case p.now == nil:
		return 0, 0, false
	case p.tab == Schema:
		y, ok = p.schemaRows().SelectedY()
		return 0, y, ok
	case p.OnRun():
		return 0, p.runY, p.runY >= 0
	case p.typing:
		x, y = p.now.ed.Cursor()
		return x, y, y < p.edH
	}
	_, y = p.now.ed.Cursor()
	return 0, y, y < p.edH
}

// Copy is what the command copy takes: what is sent, or the schema.
func (p *Pane) Copy() string {
	if p.now == nil {
		return ""
	}
	if p.tab == Schema {
		return string(p.tool.InputSchema.Raw())
	}
	return p.now.ed.Text()
}
