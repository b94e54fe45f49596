package compare

import (
	"sort"
	"strings"

	"perch/engine/jsonread"
)

// Text is two texts line by line. Rows are made when they are asked for.
type Text struct {
	a, b         []string // lines, their line feeds included
	spans        []span
	rows         []int // the first row of each span, and behind the last
	Coarse       bool  // too much differs to find what the texts have in common
	CutA, CutB   int   // bytes past MaxText, which are not compared
	removed, add int
}

// span is lines in a row of one kind; of Same, from a and from b.
type span struct {
	kind Kind
	a, b int // from 0
	n    int
	gap  bool // n same lines in one row
}

// Line is a row of a Text.
type Line struct {
	Kind Kind // Same, Removed or Added
	A, B int  // line numbers from 1; 0: not on that side
	Text string
	// NoNewline says that the text ends here without a line feed.
	NoNewline bool
	// Gap is how many same lines stand in this row and are not shown; Text is
	// empty then.
	Gap int
}

// Lines compares two texts line by line.
func Lines(a, b string) *Text {
	t := &Text{}
	a, t.CutA = head(a)
	b, t.CutB = head(b)
	t.a, t.b = split(a), split(b)
	known := make(map[string]uint64)
	ids := func(lines []string) []uint64 {
		all := make([]uint64, len(lines))
		for i, l := range lines {
			id, ok := known[l]
			if !ok {
				id = uint64(len(known)) + 1
				known[l] = id
			}
			all[i] = id
		}
		return all
	}
	matches, whole := align(ids(t.a), ids(t.b), maxEdits)
	t.Coarse = !whole
	doneA, doneB := 0, 0
	gap := func(toA, toB int) {
		t.put(span{kind: Removed, a: doneA, n: toA - doneA})
		t.put(span{kind: Added, b: doneB, n: toB - doneB})
		t.removed += toA - doneA
		t.add += toB - doneB
	}
	for _, m := range matches {
		gap(m.a, m.b)
		t.put(span{kind: Same, a: m.a, b: m.b, n: m.n})
		doneA, doneB = m.a+m.n, m.b+m.n
	}
	gap(len(t.a), len(t.b))
	t.count()
	return t
}

func head(s string) (string, int) {
	if len(s) <= MaxText {
		return s, 0
	}
	return s[:MaxText], len(s) - MaxText
}

func split(s string) []string {
	lines := make([]string, 0, strings.Count(s, "\n")+1)
	for s != "" {
		i := strings.IndexByte(s, '\n') + 1
		if i == 0 {
			i = len(s)
		}
		lines = append(lines, s[:i])
		s = s[i:]
	}
	return lines
}

func (t *Text) put(s span) {
	if s.n > 0 {
		t.spans = append(t.spans, s)
	}
}

func (t *Text) count() {
	t.rows = make([]int, 1, len(t.spans)+1)
	for _, s := range t.spans {
		n := s.n
		if s.gap {
			n = 1
		}
		t.rows = append(t.rows, t.rows[len(t.rows)-1]+n)
	}
}

// Folded is the same text with at most so many same lines around each
// difference; the others stand in one row as a gap.
func (t *Text) Folded(context int) *Text {
	f := *t
	f.spans = nil
	for i, s := range t.spans {
		if s.kind != Same {
			f.spans = append(f.spans, s)
			continue
		}
		before, after := context, context
		if i == 0 {
			before = 0
		}
		if i == len(t.spans)-1 {
			after = 0
		}
		if s.n <= before+after+1 {
			f.spans = append(f.spans, s)
			continue
		}
		f.put(span{kind: Same, a: s.a, b: s.b, n: before})
		f.put(span{kind: Same, a: s.a + before, b: s.b + before, n: s.n - before - after, gap: true})
		f.put(span{kind: Same, a: s.a + s.n - after, b: s.b + s.n - after, n: after})
	}
	f.count()
	return &f
}

// Len is the number of rows.
func (t *Text) Len() int { return t.rows[len(t.rows)-1] }

// Removed and Added are how many lines only one of the texts has.
func (t *Text) Removed() int { return t.removed }

// Added is the number of lines that only the second text has.
func (t *Text) Added() int { return t.add }

// Row is row i, from 0.
func (t *Text) Row(i int) Line {
	at := sort.SearchInts(t.rows, i+1) - 1
	s := t.spans[at]
	if s.gap {
		return Line{Kind: Same, A: s.a + 1, B: s.b + 1, Gap: s.n}
	}
	i -= t.rows[at]
	l := Line{Kind: s.kind}
	text := ""
	if s.kind != Added {
		l.A, text = s.a+i+1, t.a[s.a+i]
	}
	if s.kind != Removed {
		l.B, text = s.b+i+1, t.b[s.b+i]
	}
	l.Text = strings.TrimSuffix(text, "\n")
	l.NoNewline = len(l.Text) == len(text)
	return l
}

// Next is the first row of the next difference behind row i, or of the one
// before it; -1 when there is none.
func (t *Text) Next(i int, back bool) int {
	found := -1
	for k, s := range t.spans {
		if s.kind == Same || k > 0 && t.spans[k-1].kind != Same {
			continue
		}
		switch at := t.rows[k]; {
		case back && at < i:
			found = at
		case !back && at > i:
			return at
		}
	}
	return found
}

// indented is a JSON text with a line for each value, to be compared line by
// line; another text as it is.
func indented(b []byte) string {
	doc, err := jsonread.Parse(b)
	if err != nil {
		return string(b)
	}
	return string(jsonread.Indent(make([]byte, 0, 2*len(b)), doc.Root().Raw()))
}
