package result

import (
	"sort"
	"strings"

	"perch/inspect/jsonview"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/find"
	"perch/ui/list"
	"perch/ui/syntax"
)

// maxRows is how many rows of JSON are looked through as they are shown. Of more
// the line itself is looked through, in which nothing stands between a name and
// its value.
const maxRows = 100_000

// turn chooses a tab. What is looked for stays.
func (p *Pane) turn(to Tab) {
	if p.tab != to {
		p.hex, p.opened = nil, nil
	}
	p.tab = to
	p.searchAnew(to)
}

// searchAnew looks through a tab, if it is the one in sight: all of it is at
// hand. A match is a row; of JSON it is a row of the document with nothing
// folded.
func (p *Pane) searchAnew(tab Tab) {
	f := &p.find
	if f.Whole = true; tab != p.tab {
		return
	}
	f.Index, f.Done = nil, true
	if p.hex != nil {
		p.hex.bytesOf(f)
	}
	for _, b := range p.bodies() {
		b.search(f)
	}
	n, match := p.matching()
	if f.Matcher == nil || match == nil {
		return
	}
	f.Index = list.NewIndex(match)
	f.Index.Step(list.Func{N: n}, n)
	if rows := p.current(); rows != nil && f.Jump {
		f.Jump = false
		p.toMatch(func(ix *list.Index, row int) (int, bool) { return ix.Next(row - 1) })
	}
}

// bodies are the texts of the tab in sight.
func (p *Pane) bodies() []*body {
	var out []*body
	switch {
	case p.hex != nil:
	case p.opened != nil:
		if p.opened.body != nil {
			out = append(out, p.opened.body)
		}
	case p.tab == Model:
		for _, it := range p.items {
			if it.body != nil {
				out = append(out, it.body)
			}
		}
	case p.tab == Raw && p.whole != nil:
		out = append(out, p.whole)
	}
	return out
}

// matching is the number of rows of the tab in sight, and which of them match.
func (p *Pane) matching() (n int, match func(row int) bool) {
	f := &p.find
	in := func(b []byte) bool {
		from, _ := f.Matcher(b[:min(len(b), find.Most)])
		return from >= 0
	}
	switch {
	case p.current() == nil || f.Matcher == nil:
		return 0, nil
	case p.hex != nil:
		return p.hex.matching(f)
	case p.opened != nil:
		return len(p.opened.body.rows), p.opened.body.begins
	case p.tab == Model:
		return p.Len(), func(row int) bool {
			it, sub := p.item(row)
			if it.body == nil {
				return in([]byte(lineText(it.line)))
			}
			return it.body.begins(sub)
		}
	case p.tab == Raw && p.whole != nil:
		return len(p.whole.rows), p.whole.begins
	case p.tab == JSON:
		return p.matchingJSON(in)
	case p.tab == Table:
		t := p.table().Table()
		return t.Len(), func(row int) bool {
			for _, c := range t.Row(row) {
				if in([]byte(c.Text)) {
					return true
				}
			}
			return false
		}
	}
	return 0, nil
}

// begins reports whether a match begins in a row.
func (b *body) begins(row int) bool {
	from, to := b.part(row)
	i := sort.Search(len(b.all), func(i int) bool { return int(b.all[i][0]) >= from })
	return i < len(b.all) && int(b.all[i][0]) < to
}

func (p *Pane) matchingJSON(in func([]byte) bool) (int, func(int) bool) {
	d := p.shownDoc()
	if d.Rows() <= maxRows {
		return d.Rows(), func(row int) bool { return in([]byte(d.RowText(row))) }
	}
	found := map[int]bool{}
	for _, at := range places(d.Source(), &p.find) {
		found[d.RowAt(int(at[0]))] = true
	}
	return d.Rows(), func(row int) bool { return found[row] }
}

func lineText(l cell.Line) string {
	var b strings.Builder
	for _, s := range l.Spans {
		b.WriteString(s.Text)
	}
	return b.String()
}

// row is the selected row as the search counts it.
func (p *Pane) row() int {
	rows := p.current()
	if rows == nil {
		return 0
	}
	i, ok := rows.Selected()
	if ok && p.tab == JSON && p.hex == nil {
		return p.shownDoc().RowOf(i)
	}
	return i
}

// toMatch goes to a match; false when there is none.
func (p *Pane) toMatch(step func(*list.Index, int) (int, bool)) bool {
	rows := p.current()
	if rows == nil || p.find.Index == nil {
		return false
	}
	row, ok := step(p.find.Index, p.row())
	if !ok {
		return false
	}
	if p.tab == JSON && p.hex == nil {
		row = p.shownDoc().RevealRow(row)
	}
	rows.Select(row)
	return true
}

// doFind does the commands of the search.
func (p *Pane) doFind(id string) bool {
	f := &p.find
	switch id {
	case "find.open":
		if p.current() == nil {
			return false
		}
		f.Whole = true
		f.Open(false)
	case "find.regex", "find.case":
		if f.Bar == nil {
			return false
		}
		if id == "find.regex" {
			f.Regex = !f.Regex
		} else {
			f.Exact = !f.Exact
		}
		f.Changed()
		p.searchAnew(p.tab)
	case "find.next":
		p.toMatch((*list.Index).Next)
	case "find.prev":
		p.toMatch((*list.Index).Prev)
	case "type.up", "type.down":
		if !f.Typing {
			return false
		}
		f.Earlier(map[string]int{"type.up": -1, "type.down": 1}[id])
		p.searchAnew(p.tab)
	case "type.accept":
		if !f.Typing {
			return false
		}
		p.pin()
	default:
		return false
	}
	return true
}

// pin keeps what is looked for, and goes to the match that is next.
func (p *Pane) pin() {
	f := &p.find
	switch {
	case f.Wrong != "":
	case f.Bar.Empty():
		p.Out()
	default:
		f.Remember()
		f.Typing, f.Jump = false, true
		p.searchAnew(p.tab)
	}
}

// Searching reports whether a pinned search owns n and N.
func (p *Pane) Searching() bool { return p.find.Bar != nil && !p.find.Typing && p.current() != nil }

// InFind reports whether the caret is in the find bar.
func (p *Pane) InFind() bool { return p.find.Typing }

// bar draws the find bar.
func (p *Pane) bar(k *cell.Look, w int) string {
	if p.current() == nil {
		return k.Row(cell.Own(themes.Muted, " nothing to look through · esc"), w)
	}
	n := 0
	if p.find.Index != nil {
		n = p.find.Index.Looked()
	}
	return p.find.Line(k, w, p.row(), n)
}

// jsonRows is a document as the rows of a list, with what is looked for marked.
type jsonRows struct {
	p   *Pane
	doc *jsonview.Doc
}

// Len implements list.Source.
func (r jsonRows) Len() int { return r.doc.Len() }

// Row implements list.Source.
func (r jsonRows) Row(i, _ int) cell.Line {
	l := syntax.JSONLine(r.doc.Line(i))
	f := &r.p.find
	if f.Matcher == nil {
		return l
	}
	out := l
	out.Spans = nil
	for _, s := range l.Spans {
		if s.Ours || s.Text == "" {
			out.Spans = append(out.Spans, s)
			continue
		}
		f.Add(&out, s.Style, s.Text[:min(len(s.Text), find.Most)])
	}
	return out
}

// Ended reports whether a run is shown that has ended.
func (p *Pane) Ended() bool { return p.call.Run != nil && !p.running() }

// Searches reports whether there is text to look through.
func (p *Pane) Searches() bool { return p.Ended() && p.current() != nil }

// HasHex reports whether something is selected that has bytes to show.
func (p *Pane) HasHex() bool {
	if !p.Ended() || p.current() == nil && p.opened == nil {
		return false
	}
	if p.tab == Table && p.opened == nil {
		_, _, c, ok := p.sheet.view.Selected()
		return ok && !c.Value.IsZero()
	}
	return true
}

// InHex reports whether bytes are shown in hexadecimal.
func (p *Pane) InHex() bool { return p.hex != nil }
