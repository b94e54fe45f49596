// Package excerpt draws bytes that something points at: as text, with a row of
// ^ below the bytes that are meant, or in hexadecimal with ^^ below them; with
// colour they are reversed too. It knows nothing of why they are pointed at.
package excerpt

import (
	"bytes"
	"slices"
	"strings"

	"perch/inspect/hexview"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/list"
	"perch/ui/prose"
	"perch/ui/syntax"
	"perch/ui/words"
)

// Window is how much of a text is shown around what is pointed at, in bytes,
// and lead how much of that stands before it.
const (
	Window = 64 << 10
	lead   = 256
)

// Mark is a place in a text that something points at, in bytes of the text. A
// mark without bytes is a point between two of them.
type Mark struct {
	From, To int
	Caption  string // stands behind the ^, where there is room
	more     bool   // it goes on behind To
}

// markedRows is how many rows of a long mark are marked.
const markedRows = 1

// maxMarks is how many marks are drawn of one text: each has a row of its own.
const maxMarks = 32

// Text is a text in as many rows as it takes at a width, with a row of ^ below
// what is pointed at.
type Text struct {
	Look  *cell.Look
	Role  themes.Role
	W     int // cells of a row; a caption may take one more
	Marks []Mark
	// Add adds a part without marks to a line; nil: in the role, as it is.
	Add func(l *cell.Line, st cell.Style, part string)
}

// Rows breaks text. Characters are never split. newline says that a line feed
// ends it, which is shown. Of a mark that is long the first rows are marked.
func (t Text) Rows(text string, newline bool) []cell.Line {
	w := max(t.W, 2)
	t.Marks = slices.Clone(t.Marks[:min(len(t.Marks), maxMarks)])
	for i, m := range t.Marks {
		if t.Marks[i].more = m.To-m.From > markedRows*w; t.Marks[i].more {
			t.Marks[i].To = m.From + markedRows*w
		}
	}
	var out []cell.Line
	start, cells := 0, 0
	flush := func(end int, last bool) {
		out = append(out, t.row(text, start, end, last && newline)...)
		start, cells = end, 0
	}
	for u := range t.Look.Text.Units(text) {
		if cells+u.Width > w && u.Start > start {
			flush(u.Start, false)
		}
		cells += u.Width
	}
	flush(len(text), true)
	return out
}

// row is the text from start to end, and the marks below it.
func (t Text) row(text string, start, end int, newline bool) []cell.Line {
	var l cell.Line
	part := text[start:end]
	if ranges := t.ranges(start, end); len(ranges) > 0 {
		l.Marked(cell.Fg(t.Role), part, ranges, cell.Fg(themes.Error).With(themes.Reverse))
	} else if t.Add != nil {
		t.Add(&l, cell.Fg(t.Role), part)
	} else {
		l.Text(cell.Fg(t.Role), part)
	}
	if newline {
		l.Own(cell.Fg(themes.Hidden), "␊")
	}
	out := []cell.Line{l}
	for _, m := range t.Marks {
		if line, ok := t.carets(part, start, end, m, newline); ok {
			out = append(out, line)
		}
	}
	return out
}

// ranges are the marked bytes from start to end, counted from start, in order
// and apart.
func (t Text) ranges(start, end int) [][2]int {
	var all [][2]int
	for _, m := range t.Marks {
		if from, to := max(m.From, start), min(m.To, end); from < to {
			all = append(all, [2]int{from - start, to - start})
		}
	}
	slices.SortFunc(all, func(a, b [2]int) int { return a[0] - b[0] })
	out := all[:0]
	for _, r := range all {
		if n := len(out); n > 0 && r[0] <= out[n-1][1] {
			out[n-1][1] = max(out[n-1][1], r[1])
			continue
		}
		out = append(out, r)
	}
	return out
}

// carets is the row of ^ for one mark, with its caption behind its last part.
func (t Text) carets(part string, start, end int, m Mark, newline bool) (cell.Line, bool) {
	from, to := max(m.From, start)-start, min(m.To, end)-start
	inside := from < to
	point := m.From >= m.To && m.From >= start && (m.From < end || m.From == end && newline)
	past := m.From >= end && newline && m.From <= end+1 // at the line's end
	if !inside && !point && !past {
		return cell.Line{}, false
	}
	a, b := t.Look.Text.Columns(part, from, max(to, from))
	var l cell.Line
	l.Blank(a).Own(cell.Fg(themes.Error), strings.Repeat("^", min(max(b-a, 1), max(t.W-a, 1))))
	if m.more && m.To <= end {
		l.Own(cell.Fg(themes.Error), "…")
	}
	if m.To <= end || !inside {
		gap := max(14-b, 2)
		if b+gap+len(m.Caption) > t.W+1 {
			gap = 2
		}
		if b+gap+t.Look.Measure(m.Caption) <= t.W+1 {
			l.Blank(gap).Text(cell.Fg(themes.Muted), m.Caption)
		}
	}
	return l, true
}

// CaretRow is the first row of ^ in lines, 0 when there is none.
func CaretRow(lines []cell.Line) int {
	for i, l := range lines {
		for _, s := range l.Spans {
			if strings.HasPrefix(s.Text, "^") && s.Ours {
				return i
			}
		}
	}
	return 0
}

// Part is the part of a text of n bytes that is shown when it is too long:
// from is where it begins. What is pointed at begins at first.
func Part(n, first int64) (from, to int64) {
	if n <= Window {
		return 0, n
	}
	from = max(first-lead, 0)
	from = max(min(from, n-Window), 0)
	return from, from + Window
}

// Before and After say what of a text is not shown.
func Before(from int64) []cell.Line {
	if from == 0 {
		return nil
	}
	return []cell.Line{cell.Own(themes.Faint, "… "+words.Bytes(from)+" before this")}
}

// After is what is not shown of a text of n bytes behind its part.
func After(n, to int64) []cell.Line {
	if to >= n {
		return nil
	}
	return []cell.Line{cell.Own(themes.Faint, "… "+words.Bytes(n-to)+" more; Hex has them all")}
}

// Hex is bytes in hexadecimal for a pane of w cells, with marks below those
// that are pointed at: the rows, the row above them, and the first row that
// has a mark. base is the offset of the first byte.
func Hex(k *cell.Look, src hexview.Source, base int64, marks []hexview.Range, w int) (body list.Source, head cell.Line, first int) {
	v := hexview.New(src, base)
	v.SetWidth(w - 1)
	v.Mark(marks)
	rows := syntax.HexRows{View: v, ASCII: k.ASCII}
	if len(marks) > 0 && v.Len() > 0 {
		first = v.LineAt(marks[0].From)
	}
	return rows, prose.Indent(rows.Head(), 1), first
}

// Bytes is bytes as a source for Hex.
func Bytes(b []byte) hexview.Source { return bytes.NewReader(b) }
