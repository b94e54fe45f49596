package stream

import (
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/list"
)

// detail is the state of what is told of the selected row.
type detail struct {
	tab  string // chosen by the person, "" for the first of each row
	doc  document
	rows *list.List
	key  detailKey
	made bool

	// A jump to bytes chose the tab, for one row; back is the one before.
	lent    bool
	lentRow int
	back    string

	tabs   []cell.Extent // of the tabs when they were drawn last
	tabsY  int
	top    int
	height int
}

// detailKey says for what a document was made.
type detailKey struct {
	row   int
	stamp uint64
	tab   string
	w     int
	look  *cell.Look
}

// choose chooses a tab.
func (d *detail) choose(i int) {
	d.tab, d.lent = d.doc.tabs[i], false
}

// Detail implements Pane.
func (p *panel) Detail(v View) cell.Block {
	p.look = v.Look
	d := &p.det
	d.tabs, d.top, d.height = nil, 0, 0
	if v.W <= 0 || v.H <= 0 {
		return v.Look.Blank(v.W, v.H)
	}
	row, ok := p.rows.Selected()
	if !ok || p.run == nil {
		d.made, d.rows, d.doc = false, nil, document{}
		return v.Look.Blank(v.W, v.H)
	}
	p.make(row, v)
	return d.draw(v)
}

// make makes the document of a row, unless it is there.
func (p *panel) make(row int, v View) {
	d := &p.det
	d.settle(row)
	if !d.lent {
		p.point = nil
	}
	key := detailKey{row, p.c.stamp(row), d.tab, v.W, v.Look}
	if d.made && d.key == key {
		return
	}
	same := d.made && d.key.row == row && d.key.tab == key.tab && d.rows != nil
	at, wrap := 0, false
	if same {
		at, _ = d.rows.Selected()
		wrap = d.rows.Wrapping()
	}
	d.doc = p.c.about(row, ask{v.Look, v.W, d.tab})
	d.doc.head = append(p.noteOf(row), d.doc.head...)
	d.key, d.made, d.rows = key, true, nil
	if d.doc.body == nil {
		return
	}
	d.rows = list.New(d.doc.body)
	d.rows.Wrap(wrap)
	switch {
	case same && at > 0:
		d.rows.Select(at)
	case d.doc.reveal > 0:
		d.rows.Jump(d.doc.reveal)
	}
}

// draw draws the document below its title rule.
func (d *detail) draw(v View) cell.Block {
	k := v.Look
	var out cell.Block
	out = append(out, d.titleRow(v))
	if d.doc.apart && !v.Titled && v.H > 2 {
		out = append(out, d.tabRow(v))
	}
	if v.H >= 5 {
		room := v.H - len(out) - 2
		for i := 0; i < len(d.doc.head) && i < room; i++ {
			out = append(out, k.Row(d.doc.head[i], v.W))
		}
	}
	d.top = len(out)
	d.height = max(v.H-d.top, 0)
	if d.rows == nil || d.height == 0 {
		return k.Fill(out, v.W, v.H)
	}
	d.rows.Bare(!v.Focused)
	return k.Fill(append(out, d.rows.View(k, v.W, d.height, v.Focused)...), v.W, v.H)
}

func (d *detail) tabList() []cell.Tab {
	tabs := make([]cell.Tab, len(d.doc.tabs))
	for i, name := range d.doc.tabs {
		tabs[i] = cell.Tab{Name: name, Current: i == d.doc.tab}
	}
	return tabs
}

// titleRow is the first row: what it is of, and at its right the tabs.
func (d *detail) titleRow(v View) string {
	k := v.Look
	var l cell.Line
	l.Blank(1).Add(d.doc.title)
	if d.doc.apart || v.Titled || len(d.doc.tabs) < 2 {
		return k.Row(l, v.W)
	}
	tabs := d.tabList()
	line, extents := k.TabLine(tabs, cell.Tabs)
	for k.Width(l)+k.Width(line)+2 > v.W && len(tabs) > 2 && !tabs[len(tabs)-1].Current {
		tabs = tabs[:len(tabs)-1] // the next key leads to it all the same
		line, extents = k.TabLine(tabs, cell.Tabs)
	}
	width := k.Width(line)
	if width+12 > v.W {
		return k.Row(l, v.W)
	}
	l.Gap().Add(line).Blank(1)
	d.placeTabs(extents, v.W-1-width, 0, v.W)
	return k.Row(l, v.W)
}

// tabRow is the tabs in a row of their own.
func (d *detail) tabRow(v View) string {
	line, extents := v.Look.TabLine(d.tabList(), cell.Tabs)
	var l cell.Line
	l.Blank(1).Add(line)
	if n := v.Look.Width(d.doc.right); n > 0 && v.Look.Width(l)+n+2 <= v.W {
		l.Gap().Add(d.doc.right).Blank(1)
	}
	d.placeTabs(extents, 1, 1, v.W)
	return v.Look.Row(l, v.W)
}

func (d *detail) placeTabs(extents []cell.Extent, x, y, w int) {
	d.tabsY = y
	d.tabs = make([]cell.Extent, len(extents))
	for i, e := range extents {
		d.tabs[i] = cell.Extent{From: min(e.From+x, w), To: min(e.To+x, w)}
	}
}

// DetailTitle implements Pane.
func (p *panel) DetailTitle(focused bool) cell.Title {
	t := cell.Title{Focused: focused, Name: cell.Own(themes.None, "Detail")}
	if row, ok := p.rows.Selected(); ok && p.run != nil {
		if k := p.det.key; k.look != nil {
			p.make(row, View{Look: k.look, W: k.w})
		}
		t.Tabs = p.det.tabList()
		t.Facts = cell.Text(themes.Muted, p.det.doc.of)
	}
	return t
}

func (d *detail) cursor() (x, y int, ok bool) {
	if d.rows == nil {
		return 0, 0, false
	}
	y, ok = d.rows.SelectedY()
	return 0, y + d.top, ok
}

// click reports the tab that was hit, -1 for none, and whether anything was.
func (d *detail) click(x, y int) (tab int, hit bool) {
	if y == d.tabsY {
		for i, e := range d.tabs {
			if x >= e.From && x < e.To {
				return i, true
			}
		}
	}
	if d.rows == nil || y < d.top || y-d.top >= d.height {
		return -1, false
	}
	return -1, d.rows.Click(y - d.top)
}

// do does what a command means in the detail.
func (d *detail) do(id string) bool {
	if d.rows == nil {
		return false
	}
	if (d.doc.json != nil || d.doc.docAt != nil) && d.fold(id) {
		return true
	}
	if i, ok := d.rows.Selected(); ok && d.doc.folds != nil && d.doc.folds(id, i) {
		return true
	}
	if id == "text.wrap" && d.doc.hex {
		return false
	}
	return d.rows.Do(id, false)
}

// fold does the commands of a document that can be folded.
func (d *detail) fold(id string) bool {
	i, ok := d.rows.Selected()
	if !ok {
		return false
	}
	doc, base := d.doc.json, 0
	if d.doc.docAt != nil {
		doc, base = d.doc.docAt(i)
	}
	if doc == nil {
		return false
	}
	i -= base
	switch id {
	case "nav.in", "nav.toggle":
		line, ok := doc.Toggle(i)
		if ok {
			d.rows.Select(base + line)
		}
		return ok
	case "nav.right":
		return doc.Fold(i, false)
	case "nav.left":
		if doc.Fold(i, true) {
			return true
		}
		up := doc.Parent(i)
		d.rows.Select(base + up)
		return up != i
	case "result.fold":
		doc.FoldAll()
		d.rows.Select(base)
	case "result.unfold":
		doc.UnfoldAll()
	default:
		return false
	}
	return true
}
