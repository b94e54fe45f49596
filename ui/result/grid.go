package result

import (
	"strconv"

	"perch/engine/jsonread"
	"perch/inspect/model"
	"perch/inspect/table"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/prose"
	grid "perch/ui/table"
)

// sheet is the tab Table: the first list of objects of the answer, or of a text
// that the model reads.
type sheet struct {
	looked bool
	view   *grid.View // nil: there is none
	where  string     // the list, by its pointer or its block
	own    bool       // it is a part of the answer, not of a text in it
}

// noTable is why there is no table.
const noTable = "No table: the answer has no list of objects, neither in structuredContent nor in a text that is JSON. JSON and Raw show it all."

// table is the list as a table, nil when there is none. It is looked for once.
func (p *Pane) table() *grid.View {
	s := &p.sheet
	if s.looked || p.answerRows() == nil {
		return s.view
	}
	s.looked = true
	if doc := p.doc.JSON(); doc != nil {
		if v := doc.Root().At("/result/structuredContent"); s.take(table.Find(v), true, "") {
			return s.view
		}
	}
	for i, b := range p.call.Model {
		if b.Type != model.Text {
			continue
		}
		doc, err := jsonread.Parse([]byte(b.Text))
		if err == nil && s.take(table.Find(doc.Root()), false, "block "+strconv.Itoa(i+1)) {
			return s.view
		}
	}
	return nil
}

// take takes a list.
func (s *sheet) take(v jsonread.Value, own bool, in string) bool {
	if v.IsZero() {
		return false
	}
	t, ok := table.New(v)
	if !ok {
		return false
	}
	s.view, s.own, s.where = grid.New(t), own, in
	switch p := v.Pointer(); {
	case in == "":
		s.where = p
	case p != "":
		s.where += " " + p
	}
	return true
}

// viewTable draws the table and which list it is, or why there is none.
func (p *Pane) viewTable(k *cell.Look, w, h int, focused bool) cell.Block {
	v := p.table()
	if v == nil {
		return k.Lines(prose.Own(k, themes.Muted, noTable, w-1), w, h)
	}
	if h < 5 {
		p.top = 0
		return v.View(k, w, h, focused)
	}
	p.top = 1
	var l cell.Line
	facts := v.Facts()
	room := max(w-4-k.Measure(facts), 8) // the numbers are whole, the place gives way
	l.Blank(1).TextIn(cell.Fg(themes.Key), p.sheet.where, min(k.Measure(p.sheet.where), room), cell.CutMiddle).
		Blank(2).Text(cell.Fg(themes.Muted), facts)
	return append(cell.Block{k.Row(l, w)}, v.View(k, w, h-1, focused)...)
}

// doTable does what a command means in the table.
func (p *Pane) doTable(id string) bool {
	v := p.table()
	if v == nil {
		return false
	}
	switch id {
	case "nav.left":
		return v.Move(-1)
	case "nav.right":
		return v.Move(1)
	case "text.left":
		return v.Sideways(-1)
	case "text.right":
		return v.Sideways(1)
	case "nav.toggle":
		v.Sort()
		return true
	case "nav.in":
		return p.cellInJSON()
	}
	return v.List().Do(id, false)
}

// cellInJSON shows the selected cell where it stands in the answer.
func (p *Pane) cellInJSON() bool {
	_, _, c, ok := p.sheet.view.Selected()
	if !ok || !p.sheet.own || c.Value.IsZero() {
		return false
	}
	p.dropFilter()
	p.turn(JSON)
	p.docRows.Select(p.doc.Reveal(c.Value.Start()))
	return true
}

// takenCell is the selected cell.
func (p *Pane) takenCell() (Taken, bool) {
	_, col, c, ok := p.sheet.view.Selected()
	if !ok || c.Value.IsZero() {
		return Taken{}, false
	}
	t := p.takenValue("the selected cell", c.Value)
	if !col.Whole {
		t.What = "the selected cell of " + col.Title
	}
	if !p.sheet.own {
		t.Pointer, t.Placed, t.Line = "", false, nil
	}
	return t, true
}
