package cell

import (
	"perch/inspect/safe"
	"perch/themes"
)

// Tab is one word of a title that can be chosen.
type Tab struct {
	Name    string // 4 Wire
	Short   string // for narrow titles, "" when there is none: 5 Err
	Count   string // stands after the name, "" for none: 14, ✗1
	Role    themes.Role
	Current bool
}

// Spacing says how far tabs stand apart.
type Spacing uint8

// The spacings.
const (
	Tabs  Spacing = iota // [Form] JSON  Schema
	Strip                // [4 Wire 3]  5 Stderr 14  6 HTTP 3
	Tight                // [2 Args] 3 Result 4 Wire 2
)

// Title is the rule on top of a pane.
type Title struct {
	Focused bool
	Name    Line // may be empty
	Tabs    []Tab
	Spacing Spacing
	Facts   Line // stand at the right, go first when room gets short
	Keep    bool // the facts stay: tabs that are not the current one go before

	only bool // the current tab alone
}

// Extent is where something stands in a row: cells From to To, exclusive.
type Extent struct{ From, To int }

// Title draws a title rule in exactly w cells and says where its tabs are. A
// tab that is out of sight has an empty extent. When room gets short, facts go
// first, then double blanks, then long names; what still does not fit is cut.
func (k *Look) Title(t Title, w int) (string, []Extent) {
	if w <= 0 {
		return "", make([]Extent, len(t.Tabs))
	}
	rule, role := "─", themes.Border
	if t.Focused {
		rule, role = "━", themes.BorderFocus
	}
	// A rule on both sides with a blank each, and one cell of rule between.
	const frame = 5
	facts := width(k.flatten(t.Facts.Spans, w+2))
	names, extents := k.names(t, t.Spacing, false)
	size := func() int { return width(k.flatten(names.Spans, 4*w+16)) }
	if t.Keep && facts > 0 && size()+facts+frame+1 > w {
		t.only = true
		names, extents = k.names(t, t.Spacing, false)
	}
	if facts > 0 && size()+facts+frame+1 > w {
		t.Facts, facts = Line{}, 0
	}
	if size()+frame-1 > w {
		names, extents = k.names(t, Tight, false)
	}
	if size()+frame-1 > w {
		names, extents = k.names(t, Tight, true)
	}
	var l Line
	ruled := Fg(role)
	l.Own(ruled, rule)
	if n := min(size(), w-frame+1); n > 0 {
		l.Own(ruled, " ")
		l.Spans = append(l.Spans, k.pieceSpans(k.cutTo(names, n))...)
		l.Own(ruled, " ")
		for i := range extents {
			extents[i].From, extents[i].To = min(extents[i].From+2, n+2), min(extents[i].To+2, n+2)
		}
	} else {
		clear(extents)
	}
	used := width(k.flatten(l.Spans, w+2))
	tail := 0
	if facts > 0 {
		tail = facts + 3
	}
	for ; used < w-tail; used++ {
		l.Own(ruled, rule)
	}
	if facts > 0 {
		l.Own(ruled, " ").Add(t.Facts).Own(ruled, " ").Own(ruled, rule)
	}
	return k.Row(l, w), extents
}

// cutTo is a line's pieces in at most n cells.
func (k *Look) cutTo(l Line, n int) []piece {
	pieces := k.flatten(l.Spans, n+2)
	if width(pieces) > n {
		return k.cut(pieces, n)
	}
	return pieces
}

// pieceSpans turns pieces back into spans. They are safe already, and stay as
// they are when they are made safe again.
func (k *Look) pieceSpans(pieces []piece) []Span {
	var spans []Span
	for _, p := range pieces {
		spans = append(spans, Span{Text: p.text, Style: p.style})
	}
	return spans
}

// names are the name and the tabs of a title, and where the tabs stand in it.
func (k *Look) names(t Title, sp Spacing, short bool) (Line, []Extent) {
	var l Line
	role, attr := themes.Muted, themes.Attr(0)
	if t.Focused {
		role, attr = themes.Text, themes.Bold
	}
	for _, s := range t.Name.Spans {
		if s.Style.Fg == themes.None {
			s.Style = Fg(role).With(attr)
		}
		l.Spans = append(l.Spans, s)
	}
	col := width(k.flatten(l.Spans, 1<<16))
	extents := make([]Extent, len(t.Tabs))
	for i, tab := range t.Tabs {
		if t.only && !tab.Current {
			continue
		}
		n := gapBefore(t.Tabs, i, sp, len(t.Name.Spans) > 0)
		l.Blank(n)
		col += n
		from := len(l.Spans)
		k.addTab(&l, tab, short)
		size := width(k.flatten(l.Spans[from:], 1<<16))
		extents[i] = Extent{col, col + size}
		col += size
	}
	return l, extents
}

func (k *Look) addTab(l *Line, tab Tab, short bool) {
	name := tab.Name
	if short && tab.Short != "" {
		name = tab.Short
	}
	st := Fg(themes.Muted)
	if tab.Current {
		st = Fg(themes.Accent).With(themes.Bold)
		l.Own(st, "[")
	}
	l.Own(st, name)
	if tab.Count != "" {
		count := st
		if tab.Role != themes.None {
			count.Fg = tab.Role
		}
		l.Own(count, " "+tab.Count)
	}
	if tab.Current {
		l.Own(st, "]")
	}
}

// gapBefore is the number of blanks in front of tab i.
func gapBefore(tabs []Tab, i int, sp Spacing, named bool) int {
	switch {
	case i == 0 && !named:
		return 0
	case i == 0 && sp != Tight:
		return 2
	case i == 0, sp == Tight:
		return 1
	case sp == Strip:
		return 2
	case tabs[i].Current || tabs[i-1].Current:
		return 1 // the brackets take the place of a blank
	}
	return 2
}

// TabLine is tabs without a rule, for a detail's first row.
func (k *Look) TabLine(tabs []Tab, sp Spacing) (Line, []Extent) {
	return k.names(Title{Tabs: tabs}, sp, false)
}

// Width is the number of cells of a line, as long as it is.
func (k *Look) Width(l Line) int { return width(k.flatten(l.Spans, 1<<30)) }

// Measure is the number of cells that text which is not ours takes.
func (k *Look) Measure(s string) int {
	if safe.IsPlain(s) {
		return len(s)
	}
	return safe.Width(k.Text.Line(s))
}
