package history

import (
	"strconv"

	"perch/inspect/compare"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/words"
)

// narrow is the width below which the two sides stand one below another.
const narrow = 56

// drawPair draws how two runs differ.
func (v *View) drawPair(k *cell.Look, w, h int, focused bool) cell.Block {
	head := v.pairHead(k, w, focused)
	if v.pair.diff == nil {
		return append(cell.Block{head}, k.Lines([]cell.Line{cell.Own(themes.Muted, " The two calls are being compared.")}, w, max(h-1, 0))...)
	}
	d := v.pair.diff
	d.lay(k, max(w-3, 1), w < narrow || v.w < beside)
	return append(cell.Block{head}, d.list.View(k, w, max(h-1, 0), focused)...)
}

// pairHead names the two runs, and the tabs.
func (v *View) pairHead(k *cell.Look, w int, focused bool) string {
	var tabs []cell.Tab
	for i, g := range groups() {
		tabs = append(tabs, cell.Tab{Name: g.name, Current: v.pair.diff != nil && v.pair.diff.tab == i})
	}
	if v.pair.diff == nil {
		tabs = nil
	}
	st := cell.Fg(themes.Muted)
	if focused {
		st = cell.Fg(themes.Text).With(themes.Bold)
	}
	var name cell.Line
	name.Own(st, "call "+words.Count(v.pair.a.N)+" ↔ "+words.Count(v.pair.b.N))
	line, at := k.TabLine(tabs, cell.Tabs)
	if k.Width(name)+k.Width(line)+4 > w {
		line, at = k.TabLine(tabs, cell.Tight)
	}
	var l cell.Line
	x := 1
	l.Blank(1)
	if k.Width(name)+k.Width(line)+2 <= w {
		l.Add(name).Blank(2)
		x += k.Width(name) + 2
	}
	v.tabs = v.tabs[:0]
	for _, e := range at {
		v.tabs = append(v.tabs, cell.Extent{From: e.From + x, To: e.To + x})
	}
	return k.Row(*l.Add(line), w)
}

// Len implements list.Source.
func (d *diff) Len() int { return len(d.rows) }

// Row implements list.Source.
func (d *diff) Row(i, w int) cell.Line {
	r := d.rows[i]
	if !r.on {
		return r.header
	}
	x := d.all[r.at.section].Rows[r.at.row]
	switch r.side {
	case 'a', 'b':
		return d.valueRow(x, r.side)
	case 't':
		return textRow(d.texts[r.at].Row(r.line))
	}
	var l cell.Line
	sign, role := signOf(x.Kind)
	l.Own(cell.Fg(role).With(themes.Bold), sign).Blank(1)
	part := string(d.all[r.at.section].Part)
	if x.Where == part {
		x.Where = "" // there is one text alone
	}
	if d.for_.stacked {
		l.Own(cell.Fg(themes.Muted), part).Blank(1)
		where(&l, x.Where, max(w-len(part)-3, 1))
		return l
	}
	// part  place  a → b
	const partW, arrow = 9, 3
	wide := max(min(d.where, (w-partW-4)*2/5), 6)
	left := max((w-2-partW-1-wide-1-arrow)/2, 1)
	l.OwnIn(cell.Fg(themes.Muted), part, partW).Blank(1)
	where(&l, x.Where, wide)
	l.Blank(1)
	side(&l, x.A, left, missing(part), themes.DiffDel, x.Kind)
	l.Own(cell.Fg(themes.Muted), " → ")
	side(&l, x.B, max(w-2-partW-1-wide-1-arrow-left, 1), missing(part), themes.DiffAdd, x.Kind)
	return l
}

func where(l *cell.Line, text string, w int) {
	if text == "" {
		l.OwnIn(cell.Fg(themes.Muted), "all of it", w)
		return
	}
	l.TextIn(cell.Fg(themes.Key), text, w, cell.CutMiddle)
}

// side is a value in its column; where there is none, that.
func side(l *cell.Line, text string, w int, none string, role themes.Role, kind compare.Kind) {
	switch {
	case text == "":
		l.OwnIn(cell.Fg(themes.Muted), none, w)
	case !kind.Real():
		l.TextIn(cell.Fg(themes.Muted), text, w, cell.CutEnd)
	default:
		l.TextIn(cell.Fg(role), text, w, cell.CutEnd)
	}
}

// missing is what stands for a value that is not there.
func missing(part string) string {
	if part == string(compare.Arguments) {
		return "left out"
	}
	return "none"
}

// valueRow is the value of a side in a row of its own.
func (d *diff) valueRow(x compare.Row, which byte) cell.Line {
	sign, text, role := "-", x.A, themes.DiffDel
	if which == 'b' {
		sign, text, role = "+", x.B, themes.DiffAdd
	}
	if !x.Kind.Real() {
		role = themes.Muted
	}
	var l cell.Line
	return *l.Blank(2).Own(cell.Fg(role), sign).Blank(1).Text(cell.Fg(role), text)
}

// signOf says without colour how two values differ.
func signOf(k compare.Kind) (string, themes.Role) {
	switch k {
	case compare.Removed:
		return "-", themes.DiffDel
	case compare.Added:
		return "+", themes.DiffAdd
	case compare.Changed:
		return "~", themes.Changed
	case compare.Moving:
		return "·", themes.Muted
	}
	return "=", themes.Muted
}

// textRow is a line of a text that differs.
func textRow(t compare.Line) cell.Line {
	var l cell.Line
	l.Blank(2)
	if t.Gap > 0 {
		return *l.Own(cell.Fg(themes.Faint), "      "+words.Plural(t.Gap, "same line"))
	}
	sign, role := " ", themes.Text
	switch t.Kind {
	case compare.Removed:
		sign, role = "-", themes.DiffDel
	case compare.Added:
		sign, role = "+", themes.DiffAdd
	}
	n := t.B
	if n == 0 {
		n = t.A
	}
	l.NumberIn(cell.Fg(themes.Faint), strconv.Itoa(n), 4).Own(cell.Fg(role), " "+sign+" ").Pinned()
	return *l.Text(cell.Fg(role), t.Text)
}
