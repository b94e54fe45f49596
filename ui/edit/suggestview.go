package edit

import (
	"strconv"
	"strings"

	"perch/themes"
	"perch/ui/cell"
)

// listArea is where the list was drawn last: its first row, and how many.
type listArea struct{ x, y, w, rows int }

// maxListRows is how many suggestions are in sight at once.
const maxListRows = 8

// SuggestionBox draws the list, to be laid over what View drew last: x and y
// are its place there, in cells from the upper left. w and h are the room that
// it may take from there: at least that of the editor. ok is false when the
// list is closed or has no room.
func (e *Editor) SuggestionBox(k *cell.Look, w, h int) (box cell.Block, x, y int, ok bool) {
	e.list.shown = listArea{}
	if !e.Suggesting() {
		return nil, 0, 0, false
	}
	caretY := e.y
	below, above := h-caretY-1, caretY
	room := below
	if below < min(len(e.list.items), maxListRows)+2 && above > below {
		room = above
	}
	rows := min(len(e.list.items), maxListRows, room-2)
	if rows < 1 || w < 12 || caretY >= h {
		return nil, 0, 0, false
	}
	if y = caretY + 1; room == above && room != below {
		y = caretY - rows - 2
	}
	l := &e.list
	l.top = max(min(l.top, l.selected, len(l.items)-rows), l.selected-rows+1, 0)
	inner := min(e.listWidth(k), w-3)
	m := measureIn(k.Text)
	x = e.gutter + e.measured(m, l.spot.from.Line, l.spot.from.Byte) - e.left - 2
	x = max(min(x, w-inner-3), 0)
	box = e.drawList(k, rows, inner)
	l.shown = listArea{x, y + 1, inner + 2, rows}
	return box, x, y, true
}

// listWidth is how many cells the list has within its edges.
func (e *Editor) listWidth(k *cell.Look) int {
	n := k.Measure(e.listFoot()) + 1
	names := e.nameWidth(k)
	for _, it := range e.list.items {
		w := 1 + names
		if it.Note != "" {
			w += 2 + k.Measure(it.Note)
		}
		n = max(n, w)
	}
	return n
}

// maxName is how many cells a suggestion takes at most, without its note.
const maxName = 40

func (e *Editor) nameWidth(k *cell.Look) int {
	n := 0
	for _, it := range e.list.items {
		n = max(n, k.Measure(it.shown(e.list.spot.key)))
	}
	return min(n, maxName)
}

// shown is a suggestion as it will stand in the text.
func (s Suggestion) shown(key bool) string {
	if key {
		return `"` + s.Text + `"`
	}
	return s.Text
}

func (e *Editor) listFoot() string {
	l := &e.list
	text := "tab takes it"
	if len(l.items) > 1 {
		text += " · ↓ next · " + strconv.Itoa(len(l.items)) + " of " + strconv.Itoa(l.of)
	}
	return text
}

func (e *Editor) drawList(k *cell.Look, rows, inner int) cell.Block {
	l := &e.list
	edge := cell.Style{Fg: themes.Border, Bg: themes.Overlay}
	names := e.nameWidth(k)
	rule := func(s string, n int) string { return strings.Repeat(s, max(n, 0)) }
	var top cell.Line
	top.Own(edge, "╭"+rule("─", inner)+"╮")
	out := cell.Block{k.Row(top, inner+2)}
	for i := l.top; i < l.top+rows; i++ {
		it := l.items[i]
		var row, left, right cell.Line
		row.Fill = cell.Style{Fg: themes.Text, Bg: themes.Overlay}
		sign := cell.Fg(themes.None)
		if i == l.selected {
			row.Fill = cell.Style{Fg: themes.Text, Bg: themes.Selection}
			sign = cell.Fg(themes.BorderFocus)
			row.Own(sign, "❯")
		} else {
			row.Blank(1)
		}
		row.TextIn(cell.Style{}, it.shown(l.spot.key), min(names, inner-1), cell.CutEnd)
		if it.Note != "" {
			row.Blank(2).Text(cell.Fg(themes.Muted), it.Note)
		}
		left.Own(edge, "│")
		right.Own(edge, "│")
		b := k.AppendRow(nil, left, 1)
		b = k.AppendRow(b, row, inner)
		out = append(out, string(k.AppendRow(b, right, 1)))
	}
	foot := e.listFoot()
	var bottom cell.Line
	bottom.Fill = cell.Style{Fg: themes.Text, Bg: themes.Overlay}
	if n := k.Measure(foot) + 1; n <= inner {
		bottom.Own(edge, "╰ ").Own(cell.Fg(themes.Muted), foot).Own(edge, rule("─", inner-n)+"╯")
	} else {
		bottom.Own(edge, "╰"+rule("─", inner)+"╯")
	}
	return append(out, k.Row(bottom, inner+2))
}

// SuggestionClick takes a click at a place of what View drew last. It reports
// whether the list is there: the row that was clicked is taken.
func (e *Editor) SuggestionClick(x, y int) bool {
	a := e.list.shown
	if !e.Suggesting() || a.rows == 0 || x < a.x || x >= a.x+a.w || y < a.y-1 || y > a.y+a.rows {
		return false
	}
	if i := e.list.top + y - a.y; y >= a.y && y < a.y+a.rows && i < len(e.list.items) {
		e.list.selected = i
		e.Accept()
	}
	return true
}

// SuggestionWheel moves the selected row by n and reports whether the list is
// at the place.
func (e *Editor) SuggestionWheel(x, y, n int) bool {
	a := e.list.shown
	if !e.Suggesting() || a.rows == 0 || x < a.x || x >= a.x+a.w || y < a.y-1 || y > a.y+a.rows {
		return false
	}
	e.list.selected = max(min(e.list.selected+n, len(e.list.items)-1), 0)
	return true
}
