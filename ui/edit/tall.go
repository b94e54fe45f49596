package edit

import (
	"strings"

	"perch/themes"
	"perch/ui/cell"
)

// An input keeps its line breaks in one line, shown as ⏎. Where there is room
// it is shown in rows instead: what follows are its rows, which are parts of
// that one line, and moving among them.

// longRow is the size of a row above which an input stays in one line.
const longRow = 64 << 10

// tall is what was drawn of the rows last.
type tall struct {
	top, left int // the first row and cell in sight
	on        bool
	goal      int // the cell that up and down aim at
	moved     Pos // where the caret stood when goal was set
}

// RowCount is how many rows an input has, counted up to most.
func (e *Editor) RowCount(most int) int {
	n, text := 1, e.lines[0]
	for n < most {
		i := strings.IndexByte(text, '\n')
		if i < 0 {
			break
		}
		text = text[i+1:]
		n++
	}
	return n
}

// rowAt is the row of a byte: where it begins and ends, without its line break.
func (e *Editor) rowAt(at int) (from, to int) {
	text := e.lines[0]
	from = strings.LastIndexByte(text[:at], '\n') + 1
	if to = strings.IndexByte(text[at:], '\n'); to < 0 {
		return from, len(text)
	}
	return from, at + to
}

// ViewRows draws an input in h rows of w cells, each line of its text in one.
func (e *Editor) ViewRows(k *cell.Look, w, h int, typing bool) cell.Block {
	text := e.lines[0]
	from, to := e.rowAt(e.caret.Byte)
	if h < 2 || w < 4 || to-from > longRow {
		e.tall.on = false
		return e.View(k, w, h, typing)
	}
	e.gutter, e.width, e.height, e.tall.on = 1, w-1, h, true
	here := strings.Count(text[:from], "\n")
	count := here + strings.Count(text[to:], "\n") + 1
	e.tall.top = max(min(e.tall.top, here, count-h), here-h+1, 0)

	row := e.rowEditor(from, to)
	row.width, row.height, row.left = e.width, 1, e.tall.left
	row.settle(k.Text)
	e.tall.left, e.x, e.y = row.left, e.gutter+row.x-row.gutter, here-e.tall.top

	at := 0
	for range e.tall.top {
		at += strings.IndexByte(text[at:], '\n') + 1
	}
	var rows cell.Block
	for range min(h, count-e.tall.top) {
		from, to := e.rowAt(at)
		cut := min(to, from+longRow)
		r := e.rowEditor(from, cut)
		r.gutter, r.width, r.left = 1, e.width, e.tall.left
		p := r.painter(k)
		rows = append(rows, r.row(k, &p, 0, w, typing))
		at = to + 1
	}
	return e.fillRows(k, rows, w, h, typing)
}

// fillRows puts empty rows of the input below those of its text.
func (e *Editor) fillRows(k *cell.Look, rows cell.Block, w, h int, typing bool) cell.Block {
	for len(rows) < h {
		var l cell.Line
		edge := themes.Border
		if typing {
			l.Fill.Bg, edge = themes.Field, themes.Caret
		}
		rows = append(rows, string(k.AppendRow(nil, *l.Own(cell.Fg(edge), "▏"), w)))
	}
	return rows
}

// rowEditor is an input of some bytes of the text alone, with the caret and the
// selection as far as they are in them.
func (e *Editor) rowEditor(from, to int) *Editor {
	r := NewLine(e.lines[0][from:to])
	in := func(b int) Pos { return Pos{0, min(max(b-from, 0), to-from)} }
	r.caret, r.anchor = in(e.caret.Byte), in(e.anchor.Byte)
	return r
}

// RowUp moves the caret to the row before and reports whether there is one;
// RowDown moves it to the next.
func (e *Editor) RowUp() bool {
	from, _ := e.rowAt(e.caret.Byte)
	if !e.tall.on || from == 0 {
		return false
	}
	before, end := e.rowAt(from - 1)
	e.toRow(from, before, end)
	return true
}

// RowDown moves the caret to the next row.
func (e *Editor) RowDown() bool {
	from, to := e.rowAt(e.caret.Byte)
	if !e.tall.on || to == len(e.lines[0]) {
		return false
	}
	next, end := e.rowAt(to + 1)
	e.toRow(from, next, end)
	return true
}

// toRow puts the caret into another row, in the cell in which it was.
func (e *Editor) toRow(was, from, to int) {
	if e.tall.moved != e.caret {
		row := e.rowEditor(was, e.caret.Byte)
		e.tall.goal = row.measured(0, 0, len(row.lines[0]))
	}
	row := e.rowEditor(from, min(to, from+longRow))
	b, _ := row.byteAt(0, 0, e.tall.goal)
	e.place(Pos{0, from + b})
	e.tall.moved = e.caret
}

// ClickRow puts the caret where a click in the rows drawn last points.
func (e *Editor) ClickRow(k *cell.Look, x, y int) {
	if !e.tall.on {
		e.Click(k, x, 0)
		return
	}
	at := 0
	for range e.tall.top + y {
		i := strings.IndexByte(e.lines[0][at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
	}
	from, to := e.rowAt(at)
	row := e.rowEditor(from, min(to, from+longRow))
	b, _ := row.byteAt(measureIn(k.Text), 0, max(x-e.gutter+e.tall.left, 0))
	e.place(Pos{0, from + b})
}
