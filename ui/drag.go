package ui

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"perch/themes"
	"perch/ui/cell"
	"perch/ui/layout"
	"perch/ui/words"
)

// drag is the left button held down.
type drag struct {
	edge layout.Edge
	rows bool // the edge moves up and down
	x, y int  // where it is, or where a mark began
	in   rect // that a mark stays in
	able bool
}

// mark is text on the screen that was marked by the mouse.
type mark struct {
	x0, y0, x1, y1 int // cells, the first and the last
	in             rect
	text           string
}

// press takes the left button going down: on an edge that can be moved, or
// where text can be marked.
func (a *App) press(x, y int, on spot, hit bool) (taken bool) {
	a.drag, a.mark = drag{}, nil
	if a.at == inExplore && a.page == nil && (!hit || !on.tab) {
		for _, h := range a.handles.All() {
			if h.At.Has(x, y) && !a.zoom {
				a.drag = drag{edge: h.Edge, rows: h.Rows, x: x, y: y, able: true}
				return true
			}
		}
	}
	if hit && !on.tab && on.at.H > 1 {
		a.drag = drag{x: x, y: y, in: on.at, able: true}
	}
	return false
}

// motion is the mouse moving while the left button is down.
func (a *App) motion(m tea.Mouse) bool {
	d := &a.drag
	if !d.able || m.Button != tea.MouseLeft || len(a.over) > 0 {
		return false
	}
	if d.edge != layout.NoEdge {
		by := m.X - d.x
		if d.rows {
			by = m.Y - d.y
		}
		if by == 0 || !a.shift(d.edge, by) {
			return false
		}
		d.x, d.y = m.X, m.Y
		return true
	}
	if m.X == d.x && m.Y == d.y && a.mark == nil {
		return false
	}
	in := d.in
	x := min(max(m.X, in.X), in.X+in.W-1)
	y := min(max(m.Y, in.Y), in.Y+in.H-1)
	k := &mark{d.x, d.y, x, y, in, ""}
	if y < d.y || y == d.y && x < d.x {
		k.x0, k.y0, k.x1, k.y1 = x, y, d.x, d.y
	}
	a.mark = k
	return true
}

// released is the left button going up.
func (a *App) released() tea.Cmd {
	d := a.drag
	a.drag = drag{}
	switch {
	case !d.able:
		return nil
	case d.edge != layout.NoEdge:
		return a.keepView()
	case a.mark == nil:
		return nil
	}
	a.mark.text = a.markedText()
	if strings.TrimSpace(a.mark.text) == "" {
		a.mark = nil
		return nil
	}
	n, key := utf8.RuneCountInString(a.mark.text), a.keyFor("copy.value")
	if key == noKey { // with a caret the letter is text
		key = a.keyFor("row.menu") + " " + a.keyNamed("copy.value", "y")
	}
	return a.say(toast{text: "marked " + words.Plural(n, "character") + " as they stand here · " + key + " copies · esc lets go", brief: true})
}

// span is the part of a row that is marked, in cells.
func (k *mark) span(y int) (from, to int) {
	from, to = k.in.X, k.in.X+k.in.W
	if y == k.y0 {
		from = k.x0
	}
	if y == k.y1 {
		to = k.x1 + 1
	}
	return from, to
}

// markedText is the text that is marked, as it stands on the screen.
func (a *App) markedText() string {
	k := a.mark
	var lines []string
	for y := k.y0; y <= k.y1 && y < len(a.plainRows); y++ {
		from, to := k.span(y)
		lines = append(lines, strings.TrimRight(ansi.Strip(ansi.Cut(a.plainRows[y], from, to)), " "))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// drawMark shows what is marked.
func (a *App) drawMark(rows cell.Block) cell.Block {
	k := a.mark
	for y := k.y0; y <= k.y1 && y < len(rows)-1; y++ {
		from, to := k.span(y)
		text := ansi.Strip(ansi.Cut(rows[y], from, to))
		n := to - from
		if y != k.y1 { // to the end of what is written
			text = strings.TrimRight(text, " ")
			n = max(ansi.StringWidth(text), 1)
		}
		var l cell.Line
		l.Text(cell.Style{Fg: themes.Match, Attr: themes.Reverse}, text)
		l.Fill = cell.Style{Fg: themes.Match, Attr: themes.Reverse}
		rows = cell.Overlay(rows, cell.Block{a.look.Row(l, n)}, from, y)
	}
	return rows
}
