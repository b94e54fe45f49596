package list

import (
	"perch/themes"
	"perch/ui/cell"
)

// Frame is what a list takes of a row beside text that wraps: a cell for the
// sign, one of air, the scroll bar and the last blank.
const Frame = 4

// View draws the list in exactly h rows of w cells: the sign of the selected
// row in the first cell, a blank in the last, before it the scroll bar where
// there is more than fits.
func (l *List) View(k *cell.Look, w, h int, focused bool) cell.Block {
	l.width, l.height = w, h
	l.drawn = l.drawn[:0]
	if w <= 0 || h <= 0 {
		return k.Blank(w, h)
	}
	if l.count() == 0 {
		l.top, l.scroll = place{}, 0
		return k.Blank(w, h)
	}
	p := painter{List: l, k: k, w: w, h: h, focused: focused, n: l.count()}
	p.bar, p.plain = p.n > h && w >= 6, w < 3
	p.settle()
	return p.paint()
}

// painter is one drawing of a list.
type painter struct {
	*List
	k       *cell.Look
	w, h    int
	n       int // rows that can be shown
	bar     bool
	plain   bool // too narrow for signs
	focused bool
	heights map[int]int // of wrapped rows, by position
}

// room is the number of cells for a row's text.
func (p *painter) room() int {
	if p.plain {
		return p.w
	}
	room := p.w - 2
	if p.bar {
		room--
	}
	return room
}

// wrapRoom is the number of cells for the text of a row that wraps: beside the
// scroll bar a cell stays free, and all rows of a line leave room for ◆.
func (p *painter) wrapRoom(linked bool) int {
	room := p.room()
	if p.bar && room > 8 {
		room--
	}
	if linked {
		room -= 2
	}
	return room
}

// linked reports whether ◆ stands at the end of a row.
func (p *painter) linked(number int) bool {
	m, ok := p.src.(Marker)
	return ok && m.Mark(number)&Linked != 0 && p.room() > 4
}

// tall is how many rows the row at a position takes.
func (p *painter) tall(pos int) int {
	if !p.wrap {
		return 1
	}
	if n, ok := p.heights[pos]; ok {
		return n
	}
	if p.heights == nil {
		p.heights = map[int]int{}
	}
	number := p.row(pos)
	n := p.k.WrapHeight(p.src.Row(number, p.room()), p.wrapRoom(p.linked(number)))
	p.heights[pos] = n
	return n
}

// settle decides what is at the top.
func (p *painter) settle() {
	if p.follow {
		p.top = p.back(place{p.n - 1, p.tall(p.n-1) - 1}, p.h-1).at(p)
		return
	}
	top := place{row: p.clampPos(p.top.row)}
	if p.row(top.row) == p.top.row { // else the row is gone, and so is its place
		top.sub = min(p.top.sub, p.tall(top.row)-1)
	}
	if p.scroll != 0 {
		if p.scroll < 0 {
			top = p.back(top, -p.scroll)
		} else {
			top = p.forth(top, p.scroll)
		}
		p.scroll = 0
	}
	if p.reveal {
		top = p.show(top, p.Position())
		if at := (place{row: p.Position()}); p.jump && p.forth(top, 2*p.h/3).before(at) {
			top = p.back(at, p.h/3)
		}
		p.reveal, p.jump = false, false
	}
	// No blank rows at the end while there is something above.
	if last := p.back(place{p.n - 1, p.tall(p.n-1) - 1}, p.h-1); last.before(top) {
		top = last
	}
	p.top = top.at(p)
}

// at turns a place that counts positions into one that names its row.
func (a place) at(p *painter) place { return place{p.row(a.row), a.sub} }

func (a place) before(b place) bool { return a.row < b.row || a.row == b.row && a.sub < b.sub }

// back is the place n rows above another.
func (p *painter) back(a place, n int) place {
	for n > 0 {
		if a.sub >= n {
			return place{a.row, a.sub - n}
		}
		n -= a.sub
		if a.row == 0 {
			return place{}
		}
		if !p.wrap {
			return place{row: max(a.row-n, 0)}
		}
		a = place{a.row - 1, p.tall(a.row-1) - 1}
		n--
	}
	return a
}

// forth is the place n rows below another.
func (p *painter) forth(a place, n int) place {
	if !p.wrap {
		return place{row: min(a.row+n, p.n-1)}
	}
	for ; n > 0; n-- {
		if a.sub+1 < p.tall(a.row) {
			a.sub++
		} else if a.row+1 < p.n {
			a = place{row: a.row + 1}
		} else {
			break
		}
	}
	return a
}

// show moves the top as little as is needed to have a position in sight.
func (p *painter) show(top place, pos int) place {
	start, end := place{row: pos}, place{pos, p.tall(pos) - 1}
	if low := p.back(end, p.h-1); top.before(low) {
		// More than a screen away: a little of what comes before helps.
		if p.forth(top, 2*p.h).before(start) {
			low = p.back(start, p.h/3)
		}
		top = low
	}
	if start.before(top) {
		if p.forth(start, 2*p.h).before(top) {
			return p.back(start, p.h/3)
		}
		return start
	}
	return top
}

// paint draws from the top on.
func (p *painter) paint() cell.Block {
	out := make(cell.Block, 0, p.h)
	sel, ok := p.Selected()
	if !ok || p.bare {
		sel = -1
	}
	at := place{p.clampPos(p.top.row), p.top.sub}
	for len(out) < p.h && at.row < p.n {
		number := p.row(at.row)
		line := p.src.Row(number, p.room())
		tall := p.tall(at.row)
		for sub := at.sub; sub < tall && len(out) < p.h; sub++ {
			out = append(out, p.paintRow(line, number, sub, number == sel, len(out)))
			p.drawn = append(p.drawn, number)
		}
		at = place{row: at.row + 1}
	}
	for len(out) < p.h {
		out = append(out, p.edge(nil, cell.Style{}, len(out), p.w))
		p.drawn = append(p.drawn, -1)
	}
	return out
}

func (p *painter) paintRow(line cell.Line, number, sub int, selected bool, y int) string {
	fill := styleOf(selected, p.focused)
	if line.Fill.Fg == themes.None {
		line.Fill.Fg = fill.Fg
	}
	if selected || line.Fill.Bg == themes.None {
		line.Fill.Bg = fill.Bg
	}
	var mark Mark
	if m, ok := p.src.(Marker); ok {
		mark = m.Mark(number)
	}
	var row []byte
	if !p.plain {
		row = p.k.AppendRow(nil, p.sign(mark, selected, sub, line.Fill), 1)
	}
	room, linked := p.room(), p.linked(number)
	if linked {
		room -= 2
	}
	if p.wrap {
		text := p.wrapRoom(linked)
		row = p.k.AppendWrapped(row, line, sub, text)
		row = p.k.AppendRow(row, cell.Line{Fill: line.Fill}, room-text)
	} else {
		row = p.k.AppendRowFrom(row, line, p.x, room)
	}
	switch {
	case linked && sub > 0:
		row = p.k.AppendRow(row, cell.Line{Fill: line.Fill}, 2)
	case linked:
		moment := cell.Own(themes.Accent, " ◆")
		moment.Fill = line.Fill
		row = p.k.AppendRow(row, moment, 2)
	}
	if p.plain {
		return string(row)
	}
	return p.edge(row, line.Fill, y, p.w-1-p.room())
}

// sign is the first cell of a row.
func (p *painter) sign(mark Mark, selected bool, sub int, fill cell.Style) cell.Line {
	var l cell.Line
	switch {
	case sub > 0:
	case selected && p.focused:
		l = cell.Own(themes.BorderFocus, "❯")
	case selected:
		l = cell.Own(themes.Muted, "›")
	case mark&Noted != 0:
		l = cell.Own(themes.Accent, "▼")
	case mark&Marked != 0:
		l = cell.Own(themes.Accent, "•")
	}
	l.Fill = fill
	return l
}

// edge ends a row with the scroll bar and the last blank, n cells in all.
func (p *painter) edge(row []byte, fill cell.Style, y, n int) string {
	var l cell.Line
	l.Fill = fill
	if !p.bar || n < 2 {
		return string(p.k.AppendRow(row, l, n))
	}
	l.Blank(n - 2)
	if from, to := p.thumb(); y >= from && y < to {
		l.Own(cell.Fg(themes.Border), "█")
	} else {
		l.Own(cell.Fg(themes.Border), "░")
	}
	return string(p.k.AppendRow(row, l, n))
}

// thumb is the part of the scroll bar that stands for what is in sight.
func (p *painter) thumb() (from, to int) {
	size := max(p.h*p.h/p.n, 1)
	last := p.n - p.h
	pos := min(p.clampPos(p.top.row), last)
	if p.follow {
		pos = last
	}
	from = 0
	if last > 0 {
		from = (p.h - size) * pos / last
	}
	return from, from + size
}
