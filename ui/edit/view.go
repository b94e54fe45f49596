package edit

import (
	"strconv"

	"perch/inspect/safe"
	"perch/themes"
	"perch/ui/cell"
)

// View draws the editor in exactly h rows of w cells. typing says that the
// caret is in it: a single line then stands on the ground of a field.
//
// Many lines have a gutter: ❯ on the caret's line, ✗ on lines with a problem,
// the line's number, ▸ on a line that stands for what is folded away, ▾ where
// the caret's line can be folded.
func (e *Editor) View(k *cell.Look, w, h int, typing bool) cell.Block {
	if w <= 0 || h <= 0 {
		return k.Blank(w, h)
	}
	e.gutter = 1
	if !e.one {
		e.gutter = 3 + max(len(strconv.Itoa(len(e.lines))), 2)
	}
	e.width, e.height = max(w-e.gutter-1, 1), h
	if e.one {
		e.width = max(w-e.gutter, 1)
	}
	e.settle(k.Text)
	e.settleDue()
	p := e.painter(k)
	rows := make(cell.Block, 0, h)
	for row, n := e.rowOf(e.top), e.Rows(); row < n && len(rows) < h; row++ {
		rows = append(rows, e.row(k, &p, e.lineOf(row), w, typing))
	}
	return k.Fill(rows, w, h)
}

// settle scrolls so that the caret is in sight.
func (e *Editor) settle(m safe.Mode) {
	line, mode := e.lines[e.caret.Line], measureIn(m)
	at := e.measured(mode, e.caret.Line, e.caret.Byte)
	wide := 1
	for u := range m.Units(line[e.caret.Byte:min(len(line), e.caret.Byte+maxCharacter)]) {
		wide = u.Width
		break
	}
	// The first cell shows ‹ when scrolled, the last one … when there is more.
	all := e.measured(mode, e.caret.Line, len(line))
	switch margin := min(4, e.width/4, all-at); {
	case at <= e.left:
		e.left = max(at-margin-1, 0)
	case at+min(wide, 2) >= e.left+e.width:
		e.left = at + min(wide, 2) - e.width + 1 + margin
	}
	if at < e.width-1 && e.left > 0 && all < e.width {
		e.left = 0
	}
	row, top := e.rowOf(e.caret.Line), e.rowOf(e.top)
	top = max(min(top, row), row-e.height+1, 0)
	if last := e.Rows() - e.height; top > last {
		top = max(last, 0)
	}
	e.top = e.lineOf(top)
	e.x, e.y = e.gutter+at-e.left, row-top
}

// Cursor is the caret's place in what was drawn last, in cells from its upper
// left.
func (e *Editor) Cursor() (x, y int) { return e.x, e.y }

// Gutter is how many cells stand before the text in what was drawn last.
func (e *Editor) Gutter() int { return e.gutter }

// Click puts the caret where a click in what was drawn last points; on the sign
// of a fold it unfolds or folds. What Drag selects afterwards begins there.
func (e *Editor) Click(k *cell.Look, x, y int) {
	row := max(min(e.rowOf(e.top)+y, e.Rows()-1), 0)
	line := e.lineOf(row)
	if _, folded := e.FoldedAt(line); !e.one && x == e.gutter-1 && (folded || e.outerOn(line)) {
		e.place(Pos{line, 0})
		e.toggleFold(line)
		return
	}
	e.place(e.pointed(k, x, row))
}

func (e *Editor) outerOn(line int) bool {
	_, ok := e.outer(line)
	return ok
}

// pointed is the place at a cell of a row.
func (e *Editor) pointed(k *cell.Look, x, row int) Pos {
	line := e.lineOf(row)
	b, _ := e.byteAt(measureIn(k.Text), line, max(x-e.gutter+e.left, 0))
	return Pos{line, b}
}

// Scroll moves what is in sight by n rows; the caret comes along when it
// would be out of sight.
func (e *Editor) Scroll(n int) {
	top := max(min(e.rowOf(e.top)+n, e.Rows()-e.height), 0)
	e.top = e.lineOf(top)
	row := e.rowOf(e.caret.Line)
	to := min(max(min(row, top+e.height-1), top), e.Rows()-1)
	if to == row {
		return
	}
	e.list.close()
	line := e.lineOf(to)
	e.caret = Pos{line, min(e.caret.Byte, e.eol(line))}
	e.caret.Byte = e.boundary(e.caret)
	e.anchor = e.caret
	e.goal = -1
}

func (e *Editor) row(k *cell.Look, p *painter, i, w int, typing bool) string {
	var gutter, text cell.Line
	var from int
	if e.one {
		edge := themes.Border
		if typing {
			gutter.Fill.Bg, text.Fill.Bg, edge = themes.Field, themes.Field, themes.Caret
		}
		gutter.Own(cell.Fg(edge), "▏")
	} else {
		e.addGutter(&gutter, i, typing)
	}
	from = p.line(&text, i, e.left, e.width)
	if hidden, ok := e.FoldedAt(i); ok {
		note := " … " + strconv.Itoa(hidden) + " lines"
		if hidden == 1 {
			note = " … 1 line"
		}
		text.Own(cell.Fg(themes.Muted), note)
	}
	if !e.one && !typing && i == e.caret.Line && e.chosen == Strong {
		gutter.Fill = cell.Style{Fg: themes.Text, Bg: themes.Selection}
		text.Fill = gutter.Fill
	}
	out := k.AppendRow(nil, gutter, min(e.gutter, w))
	out = k.AppendRowFrom(out, text, from, min(e.width, w-e.gutter))
	return string(k.AppendRow(out, cell.Line{}, w-e.gutter-e.width))
}

func (e *Editor) addGutter(l *cell.Line, i int, typing bool) {
	here := i == e.caret.Line
	switch {
	case here && (typing || e.chosen == Strong):
		l.Own(cell.Fg(themes.BorderFocus), "❯")
	case here && e.chosen == Quiet:
		l.Own(cell.Fg(themes.Muted), "›")
	default:
		l.Blank(1)
	}
	if e.problemsOn(i) {
		l.Own(cell.Fg(themes.Error), "✗")
	} else {
		l.Blank(1)
	}
	number := themes.Faint
	if here {
		number = themes.Muted
	}
	l.NumberIn(cell.Fg(number), strconv.Itoa(i+1), e.gutter-3)
	_, folded := e.FoldedAt(i)
	switch {
	case folded:
		l.Own(cell.Fg(themes.Accent), "▸")
	case here && i > 0 && e.Foldable(i):
		l.Own(cell.Fg(themes.Muted), "▾")
	default:
		l.Blank(1)
	}
}
