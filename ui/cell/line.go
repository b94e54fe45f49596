package cell

import "perch/themes"

// Cutting says where text is cut when it does not fit.
type Cutting uint8

// The ways of cutting.
const (
	CutEnd    Cutting = iota // greeti…
	CutMiddle                // call…f5c4
	CutPath                  // /volume/…/chart.png
)

// Span is a piece of a line.
type Span struct {
	Text  string
	Style Style
	// Ours are the product's own words and signs: where only ASCII can be
	// shown they are spelled anew. All other text is shown sign by sign.
	Ours bool
	// Width, when it is not 0, is the number of cells that the span takes:
	// longer text is cut, shorter text padded.
	Width int
	Right bool // padding goes in front
	Cut   Cutting
	// Gap takes all the room that is left, so that what follows stands at the
	// right edge. Text is then ignored. A line has at most one.
	Gap bool
	// Drawn is Text that is cells already, escape sequences among them, exactly
	// Width of them: a row of a picture. It is shown whole or, where there is
	// no room for all of it, as blanks.
	Drawn bool
}

// Line is styled text of any length. The zero Line is empty and ready to use;
// its methods add at the end.
type Line struct {
	Spans []Span
	// Pin is the number of spans at the start that stay in their place when
	// the line is scrolled sideways, and that wrapped rows stand clear of: the
	// time, the line number.
	Pin int
	// Fill is the style of the whole row: what spans leave open is taken from
	// it, and the room after the text shows it.
	Fill Style
}

// Own adds words or signs of the product.
func (l *Line) Own(st Style, s string) *Line {
	l.Spans = append(l.Spans, Span{Text: s, Style: st, Ours: true})
	return l
}

// Text adds text that is not ours: of a module, a file, a server.
func (l *Line) Text(st Style, s string) *Line {
	l.Spans = append(l.Spans, Span{Text: s, Style: st})
	return l
}

// OwnIn adds words of the product in a column of w cells.
func (l *Line) OwnIn(st Style, s string, w int) *Line {
	l.Spans = append(l.Spans, Span{Text: s, Style: st, Ours: true, Width: max(w, 0)})
	return l.dropEmptyColumn(w)
}

// TextIn adds text that is not ours in a column of w cells.
func (l *Line) TextIn(st Style, s string, w int, cut Cutting) *Line {
	l.Spans = append(l.Spans, Span{Text: s, Style: st, Width: max(w, 0), Cut: cut})
	return l.dropEmptyColumn(w)
}

// NumberIn adds words of the product at the right of a column of w cells.
func (l *Line) NumberIn(st Style, s string, w int) *Line {
	l.Spans = append(l.Spans, Span{Text: s, Style: st, Ours: true, Width: max(w, 0), Right: true})
	return l.dropEmptyColumn(w)
}

// dropEmptyColumn takes back a column without room, whose Width would mean
// "as wide as the text".
func (l *Line) dropEmptyColumn(w int) *Line {
	if w <= 0 {
		l.Spans = l.Spans[:len(l.Spans)-1]
	}
	return l
}

// Drawn adds a row of w cells that is drawn already. It begins and ends without
// a style of its own making.
func (l *Line) Drawn(row string, w int) *Line {
	l.Spans = append(l.Spans, Span{Text: row, Width: max(w, 0), Drawn: true})
	return l.dropEmptyColumn(w)
}

// Pinned makes the spans so far stay in their place.
func (l *Line) Pinned() *Line {
	l.Pin = len(l.Spans)
	return l
}

// Gap lets what follows stand at the right edge.
func (l *Line) Gap() *Line {
	l.Spans = append(l.Spans, Span{Gap: true})
	return l
}

// Blank adds n blanks.
func (l *Line) Blank(n int) *Line {
	if n <= 0 {
		return l
	}
	l.Spans = append(l.Spans, Span{Ours: true, Width: n})
	return l
}

// Add adds the spans of another line.
func (l *Line) Add(m Line) *Line {
	l.Spans = append(l.Spans, m.Spans...)
	return l
}

// Marked adds text that is not ours, with the given ranges of its bytes in
// another style. The ranges are in order and do not overlap; what is outside
// of s is ignored.
func (l *Line) Marked(st Style, s string, ranges [][2]int, mark Style) *Line {
	pos := 0
	for _, r := range ranges {
		from, to := max(r[0], pos), min(r[1], len(s))
		from, to = roundDown(s, from), roundUp(s, to)
		if from >= to || from < pos {
			continue
		}
		if from > pos {
			l.Text(st, s[pos:from])
		}
		l.Text(mark, s[from:to])
		pos = to
	}
	if pos < len(s) {
		l.Text(st, s[pos:])
	}
	return l
}

// Own is a line of one span in the product's words.
func Own(r themes.Role, s string) Line {
	var l Line
	l.Own(Fg(r), s)
	return l
}

// Text is a line of one span of text that is not ours.
func Text(r themes.Role, s string) Line {
	var l Line
	l.Text(Fg(r), s)
	return l
}

// Filled returns the line on another ground.
func (l Line) Filled(st Style) Line {
	l.Fill = st
	return l
}
