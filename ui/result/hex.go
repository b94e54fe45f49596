package result

import (
	"bytes"
	"encoding/hex"
	"sort"
	"strings"

	"perch/inspect/hexview"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/excerpt"
	"perch/ui/find"
	"perch/ui/list"
	"perch/ui/syntax"
	"perch/ui/words"
)

// inHex is bytes in hexadecimal in place of what a tab shows.
type inHex struct {
	what  string
	data  []byte
	taken Taken           // what a copy takes
	marks []hexview.Range // of what is selected
	rows  *list.List
	head  cell.Line
	w     int
	look  *cell.Look
}

// openHex shows the bytes of what is selected: of a block its own, of a value
// the line in which it stands, with the value marked.
func (p *Pane) openHex() bool {
	t, ok := p.Taken()
	if !ok {
		return false
	}
	h := &inHex{what: t.What, data: t.Value, taken: t, rows: list.New(nil)}
	if v := p.selectedValue(t); p.tab != Model && len(v) == 2 {
		h.what, h.data = "the answer as it came", t.Line
		if v[1]-v[0] < len(t.Line) {
			h.marks = []hexview.Range{{From: int64(v[0]), To: int64(v[1])}}
		}
	}
	p.find.Close()
	p.hex = h
	return true
}

// HasBytes reports whether there is something to be shown in hexadecimal.
func (p *Pane) HasBytes() bool {
	if p.hex != nil || p.opened != nil || p.tab != Table {
		return true
	}
	if p.sheet.view == nil {
		return false
	}
	_, ok := p.takenCell()
	return ok
}

// selectedValue is where the selected value stands in its line.
func (p *Pane) selectedValue(t Taken) []int {
	if !t.Placed || len(t.Line) == 0 || p.doc == nil || p.doc.JSON() == nil {
		return nil
	}
	v := p.doc.JSON().Root().At(t.Pointer)
	if v.IsZero() {
		return nil
	}
	return []int{v.Start(), v.End()}
}

// doHex does the commands of the bytes.
func (p *Pane) doHex(id string) bool {
	switch {
	case id == "content.next" && p.hex == nil:
		return p.openHex()
	case id == "content.next", id == "nav.left" && (p.hex != nil || p.opened != nil):
		return p.leave()
	}
	return false
}

// viewHex draws the bytes.
func (p *Pane) viewHex(k *cell.Look, w, h int, focused bool) cell.Block {
	x := p.hex
	if x.w != w || x.look != k {
		at := int64(-1)
		if x.view() != nil {
			at = x.offset()
		}
		body, head, first := excerpt.Hex(k, excerpt.Bytes(x.data), 0, x.marks, w-2)
		x.rows.SetSource(body)
		x.head, x.w, x.look = head, w, k
		if at >= 0 {
			first = x.row(at)
		}
		x.rows.Select(first)
		p.searchAnew(p.tab)
	}
	var l cell.Line
	l.Blank(1).Own(cell.Fg(themes.Muted), x.what).Blank(2).Own(cell.Fg(themes.Muted), words.Bytes(len(x.data))+" · v back")
	out := cell.Block{k.Row(l, w), k.Row(x.head, w)}
	out = out[:max(min(len(out), h-2), 0)]
	p.top = len(out)
	return append(out, x.rows.View(k, w, h-p.top, focused)...)
}

// view is the rows of bytes as they are cut now.
func (x *inHex) view() *hexview.View {
	if rows, ok := x.rows.Source().(syntax.HexRows); ok {
		return rows.View
	}
	return nil
}

// offset is the first byte of the selected row.
func (x *inHex) offset() int64 {
	v := x.view()
	if i, ok := x.rows.Selected(); ok && v != nil {
		return v.Row(i).Start
	}
	return 0
}

// row is the row of a byte.
func (x *inHex) row(at int64) int {
	if v := x.view(); v != nil {
		return v.LineAt(at)
	}
	return 0
}

// bytesOf makes the search one for bytes where the text is 0x and digits.
func (x *inHex) bytesOf(f *find.Finder) {
	if f.Bar == nil || f.Matcher == nil {
		return
	}
	digits, is := strings.CutPrefix(f.Bar.Text(), "0x")
	b, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
	if !is || err != nil || len(b) == 0 {
		return
	}
	f.Matcher = func(in []byte) (int, int) {
		at := bytes.Index(in, b)
		return at, at + len(b)
	}
}

// matching are the rows in which what is looked for begins.
func (x *inHex) matching(f *find.Finder) (int, func(int) bool) {
	v := x.view()
	if v == nil {
		return 0, nil
	}
	var starts []int64
	for _, at := range places(string(x.data), f) {
		starts = append(starts, int64(at[0]))
	}
	return v.Len(), func(i int) bool {
		r := v.Row(i)
		k := sort.Search(len(starts), func(k int) bool { return starts[k] >= r.Start })
		return !r.Marks && k < len(starts) && starts[k] < r.Start+int64(len(r.Bytes))
	}
}
