// Package table shows a list of objects as a table that is walked by the cell:
// rows are drawn when they are in sight, columns scroll sideways whole, one is
// sorted by. What is missing, null and "" look different.
//
// The package knows cells of a table, and nothing of where it comes from or what
// keys do.
package table

import (
	"fmt"
	"strconv"

	"perch/inspect/table"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/list"
	"perch/ui/words"
)

// gap is the number of blanks between columns.
const gap = 2

// order is how a column is sorted.
type order uint8

const (
	asItCame order = iota
	up
	down
	orders
)

// View is a table on the screen. It is for one goroutine.
type View struct {
	table *table.Table
	list  *list.List
	col   int // the selected column
	first int // the first one in sight, after the number
	by    int // the column that is sorted by
	order order

	room    int   // of the last drawing, for a row's text
	extents []int // where the columns in sight begin, in a row's text
}

// New shows a table from its start.
func New(t *table.Table) *View {
	v := &View{table: t}
	v.list = list.New(v)
	return v
}

// Table is what is shown.
func (v *View) Table() *table.Table { return v.table }

// Len implements list.Source.
func (v *View) Len() int { return v.table.Len() }

// digits is the width of the number of a row.
func (v *View) digits() int { return max(len(strconv.Itoa(v.table.Len()-1)), 1) }

// width is what a column takes: the sign of the sort needs room.
func (v *View) width(col int) int {
	c := v.table.Columns()[col]
	if v.order != asItCame && v.by == col {
		return c.Width + 2
	}
	return c.Width
}

// Row implements list.Source.
func (v *View) Row(i, w int) cell.Line {
	v.settle(w)
	selected, ok := v.list.Selected()
	row := v.table.Row(i)
	var l cell.Line
	l.NumberIn(cell.Fg(themes.Faint), strconv.Itoa(v.table.Index(i)), v.digits())
	used := v.digits()
	for col := v.first; col < len(row) && used < w; col++ {
		st := style(row[col].State)
		if ok && i == selected && col == v.col {
			st = st.With(themes.Reverse)
		}
		l.Blank(gap)
		v.put(&l, row[col], st, col)
		used += gap + v.width(col)
	}
	return l
}

// put adds a cell in its column.
func (v *View) put(l *cell.Line, c table.Cell, st cell.Style, col int) {
	sp := cell.Span{Text: c.Text, Style: st, Width: v.width(col), Right: v.table.Columns()[col].Right}
	switch c.State {
	case table.Missing:
		sp.Text, sp.Ours = "·", true
	case table.Null: // told from the text "null" without colour too
		sp.Text, sp.Ours = "∅", true
	}
	l.Spans = append(l.Spans, sp)
}

func style(s table.State) cell.Style {
	switch s {
	case table.Missing:
		return cell.Fg(themes.Faint)
	case table.Null, table.Bool:
		return cell.Fg(themes.Keyword)
	case table.Number:
		return cell.Fg(themes.Number)
	case table.Text:
		return cell.Fg(themes.String)
	}
	return cell.Fg(themes.Muted)
}

// settle brings the selected column into sight, moving as little as it takes.
func (v *View) settle(w int) {
	if v.room == w && len(v.extents) > 0 {
		return
	}
	v.room, v.extents = w, v.extents[:0]
	v.col = max(min(v.col, len(v.table.Columns())-1), 0)
	v.first = min(v.first, v.col)
	for v.first < v.col && v.end(v.col) > w {
		v.first++
	}
	at := v.digits() + gap
	for col := v.first; col < len(v.table.Columns()) && at < w; col++ {
		v.extents = append(v.extents, at)
		at += v.width(col) + gap
	}
}

// end is where a column ends in a row's text.
func (v *View) end(col int) int {
	at := v.digits()
	for c := v.first; c <= col; c++ {
		at += gap + v.width(c)
	}
	return at
}

// head names the columns; the selected one is the current.
func (v *View) head(w int) cell.Line {
	v.settle(w)
	var l cell.Line
	l.Blank(1).NumberIn(cell.Fg(themes.Faint), "#", v.digits())
	columns := v.table.Columns()
	for i := range v.extents {
		col := v.first + i
		st := cell.Fg(themes.Muted)
		if col == v.col {
			st = cell.Fg(themes.Accent).With(themes.Bold | themes.Underline)
		}
		title := cell.Span{Text: columns[col].Title, Style: st, Ours: columns[col].Whole, Width: columns[col].Width, Right: columns[col].Right}
		l.Blank(gap)
		l.Spans = append(l.Spans, title)
		if v.order != asItCame && v.by == col {
			l.Own(st, map[order]string{up: " ↑", down: " ↓"}[v.order])
		}
	}
	return l
}

// View draws the table in exactly h rows of w cells: the names of the columns,
// then the rows.
func (v *View) View(k *cell.Look, w, h int, focused bool) cell.Block {
	if w <= 0 || h <= 0 {
		return k.Blank(w, h)
	}
	v.extents = v.extents[:0]
	if h == 1 {
		return v.list.View(k, w, h, focused)
	}
	rows := v.list.View(k, w, h-1, focused)
	room := v.room
	if v.table.Len() == 0 || room == 0 {
		room = w - 2
	}
	return append(cell.Block{k.Row(v.head(room), w)}, rows...)
}

// Facts are what a title says of the table: 50 rows · 4 columns · by n ↓.
func (v *View) Facts() string {
	text := words.Plural(v.table.Len(), "row") + " · " + words.Plural(len(v.table.Columns()), "column")
	if n := v.table.Hidden(); n > 0 {
		text += fmt.Sprintf(" and %s more", words.Count(n))
	}
	switch v.order {
	case up:
		text += " · by " + v.table.Columns()[v.by].Title + " ↑"
	case down:
		text += " · by " + v.table.Columns()[v.by].Title + " ↓"
	}
	return text
}

// List moves the selected row: up, down, pages, search.
func (v *View) List() *list.List { return v.list }

// Move moves the selected cell by columns; false at the edge.
func (v *View) Move(n int) bool {
	to := max(min(v.col+n, len(v.table.Columns())-1), 0)
	moved := to != v.col
	v.col, v.extents = to, v.extents[:0]
	return moved
}

// Sideways moves the selected cell by n halves of the columns in sight.
func (v *View) Sideways(n int) bool { return v.Move(n * max(len(v.extents)/2, 1)) }

// Click selects the cell at a place of the last drawing; the row of names sorts
// by that column.
func (v *View) Click(x, y int) bool {
	col, ok := v.at(x - 1) // the row's sign
	if y == 0 {
		if !ok {
			return false
		}
		v.Move(col - v.col)
		v.Sort()
		return true
	}
	if ok {
		v.Move(col - v.col)
	}
	return v.list.Click(y - 1)
}

// at is the column at a cell of a row's text.
func (v *View) at(x int) (col int, ok bool) {
	for i, from := range v.extents {
		if x >= from && x < from+v.width(v.first+i) {
			return v.first + i, true
		}
	}
	return 0, false
}

// Sort sorts by the selected column: the first time upwards, then downwards,
// then as it came. The selected row stays selected.
func (v *View) Sort() {
	if len(v.table.Columns()) == 0 {
		return
	}
	if v.by != v.col {
		v.by, v.order = v.col, asItCame
	}
	v.order = (v.order + 1) % orders
	selected, ok := v.list.Selected()
	index := 0
	if ok {
		index = v.table.Index(selected)
	}
	if v.order == asItCame {
		v.table.Unsort()
	} else {
		v.table.Sort(v.by, v.order == down)
	}
	v.extents = v.extents[:0]
	for i := range v.table.Len() {
		if ok && v.table.Index(i) == index {
			v.list.Select(i)
			return
		}
	}
}

// Selected is the selected cell: the index of its element in the list, its
// column, and what stands there. It is false for a table without rows.
func (v *View) Selected() (index int, column table.Column, c table.Cell, ok bool) {
	row, ok := v.list.Selected()
	if !ok || len(v.table.Columns()) == 0 {
		return 0, table.Column{}, table.Cell{}, false
	}
	col := max(min(v.col, len(v.table.Columns())-1), 0)
	return v.table.Index(row), v.table.Columns()[col], v.table.Row(row)[col], true
}
