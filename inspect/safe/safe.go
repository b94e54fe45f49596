package safe

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// Mode says what the terminal can show. The zero Mode is a terminal that shows
// Unicode and counts a joined emoji as one character.
type Mode struct {
	// ASCII is for a locale that is not UTF-8: every character outside ASCII
	// is shown by its number, and the signs are \x1b <E9> <U+202E>.
	ASCII bool
	// Split is for a terminal that counts the parts of a joined character one
	// by one (no mode 2027). A character on whose width such a terminal would
	// disagree with Width is shown in its parts, the joiners as signs.
	Split bool
}

// Unit is one character as a person counts them, as it is shown.
type Unit struct {
	Text   string // what to show: printable, never a control character
	Start  int    // first byte in the source
	End    int    // byte after the last in the source
	Width  int    // cells, at least 1
	Hidden bool   // Text is a sign for something that would not show
}

// Units yields s character by character, in order and without gaps.
func (m Mode) Units(s string) iter.Seq[Unit] {
	return func(yield func(Unit) bool) {
		for pos := 0; pos < len(s); {
			if c := s[pos]; printable(c) && (pos+1 == len(s) || s[pos+1] < utf8.RuneSelf) {
				if !yield(Unit{Text: s[pos : pos+1], Start: pos, End: pos + 1, Width: 1}) {
					return
				}
				pos++
				continue
			}
			n, ok := m.cluster(s, pos, yield)
			if !ok {
				return
			}
			pos += n
		}
	}
}

// Span is a run of shown text that is hidden or is not.
type Span struct {
	Text   string
	Start  int // first byte in the source
	End    int // byte after the last in the source
	Width  int // cells
	Hidden bool
}

// Spans appends to dst the text of s as it is shown, neighbours of one kind
// together. Printable ASCII is returned as it is, without a copy.
func (m Mode) Spans(dst []Span, s string) []Span { return m.SpansTo(dst, s, len(s)*8+1) }

// SpansTo is Spans that stops when it has come to that many cells: its cost
// does not grow with what is out of sight. The last character may stand across
// the edge.
func (m Mode) SpansTo(dst []Span, s string, cells int) []Span {
	if s == "" || cells <= 0 {
		return dst
	}
	if head := s[:min(cells, len(s))]; IsPlain(head) && (len(head) == len(s) || s[len(head)] < utf8.RuneSelf) {
		return append(dst, Span{Text: head, End: len(head), Width: len(head)})
	}
	cur := Span{End: -1} // what is being gathered; shown text is always a piece of s
	var signs strings.Builder
	flush := func() {
		if cur.End > cur.Start {
			if cur.Text = s[cur.Start:cur.End]; cur.Hidden {
				cur.Text = signs.String()
				signs = strings.Builder{}
			}
			dst = append(dst, cur)
		}
	}
	add := func(u Unit) bool {
		if u.Hidden != cur.Hidden || cur.End < 0 {
			flush()
			cur = Span{Start: u.Start, Hidden: u.Hidden}
		}
		cur.End = u.End
		cur.Width += u.Width
		if u.Hidden {
			signs.WriteString(u.Text)
		}
		return true
	}
	total := 0
	count := func(u Unit) bool {
		total += u.Width
		return add(u) && total < cells
	}
	for pos := 0; pos < len(s) && total < cells; {
		if n := plainPrefix(s[pos:min(len(s), pos+cells-total+1)]); n > 0 { // taken whole
			n = min(n, cells-total)
			count(Unit{Start: pos, End: pos + n, Width: n})
			pos += n
			continue
		}
		n, _ := m.cluster(s, pos, count)
		pos += n
	}
	flush()
	return dst
}

// Columns says which cells the bytes from start to end of s take on a line:
// from is the first of them, to the one after the last. Bytes in the middle of
// a character take all of it; a range without bytes takes one cell.
func (m Mode) Columns(s string, start, end int) (from, to int) {
	from, to = -1, 0
	col := 0
	for u := range m.Units(s) {
		if u.End > start && from < 0 {
			from = col
		}
		if u.Start >= end && u.Start > start {
			break
		}
		col += u.Width
		to = col
	}
	if from < 0 {
		return col, col + 1
	}
	if start >= end {
		to = from + 1
	}
	return from, to
}

// Line returns s as one line that is safe to show: line breaks and tabs are
// signs too. The result is s itself when nothing had to change.
func (m Mode) Line(s string) string { return m.text(s, false) }

// Text returns s as text that is safe to show; line feeds and tabs stay.
func (m Mode) Text(s string) string { return m.text(s, true) }

// Line is Mode.Line for a Unicode terminal.
func Line(s string) string { return Mode{}.Line(s) }

// Text is Mode.Text for a Unicode terminal.
func Text(s string) string { return Mode{}.Text(s) }

func (m Mode) text(s string, keep bool) string {
	if IsPlain(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/8)
	for u := range m.Units(s) {
		if src := s[u.Start:u.End]; keep && (src == "\n" || src == "\t") {
			b.WriteString(src)
			continue
		}
		b.WriteString(u.Text)
	}
	return b.String()
}

// Hidden counts the characters of s that are shown as a sign.
func (m Mode) Hidden(s string) int {
	if IsPlain(s) {
		return 0
	}
	n := 0
	for u := range m.Units(s) {
		if u.Hidden {
			n++
		}
	}
	return n
}

// IsPlain reports whether s is printable ASCII only.
func IsPlain(s string) bool { return plainPrefix(s) == len(s) }

// plainPrefix is the length of the leading printable ASCII of s that no
// combining mark can follow.
func plainPrefix(s string) int {
	for i := 0; i < len(s); i++ {
		if printable(s[i]) {
			continue
		}
		if s[i] >= utf8.RuneSelf && i > 0 {
			return i - 1
		}
		return i
	}
	return len(s)
}

func printable(c byte) bool { return c >= ' ' && c < 0x7f }
