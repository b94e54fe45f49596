package cell

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"perch/themes"
)

// Block is a pane's rows, all of one width.
type Block []string

// Blank is a block of h empty rows of w cells.
func (k *Look) Blank(w, h int) Block {
	row := k.Row(Line{}, w)
	b := make(Block, max(h, 0))
	for i := range b {
		b[i] = row
	}
	return b
}

// Fill brings a block to exactly h rows of w cells each: missing rows are
// blank, those that are too many go.
func (k *Look) Fill(b Block, w, h int) Block {
	h = max(h, 0)
	if len(b) > h {
		return b[:h]
	}
	if len(b) < h {
		row := k.Row(Line{}, w)
		for len(b) < h {
			b = append(b, row)
		}
	}
	return b
}

// Lines draws lines as a block of exactly h rows.
func (k *Look) Lines(lines []Line, w, h int) Block {
	b := make(Block, 0, max(h, 0))
	for i := 0; i < len(lines) && i < h; i++ {
		b = append(b, k.Row(lines[i], w))
	}
	return k.Fill(b, w, h)
}

// Beside puts blocks of equal height side by side with a separator of one cell
// between them. The joint, if there is one, takes its place in the first row,
// where title rules meet: ┬.
func (k *Look) Beside(joint string, blocks ...Block) Block {
	if len(blocks) == 0 {
		return nil
	}
	sep := k.Row(Own(themes.Border, "│"), 1)
	first := sep
	if joint != "" {
		first = k.Row(Own(themes.Border, joint), 1)
	}
	out := make(Block, len(blocks[0]))
	var b strings.Builder
	for y := range out {
		b.Reset()
		for i, block := range blocks {
			if i > 0 && y == 0 {
				b.WriteString(first)
			} else if i > 0 {
				b.WriteString(sep)
			}
			if y < len(block) {
				b.WriteString(block[y])
			}
		}
		out[y] = b.String()
	}
	return out
}

// Join is the text of a frame: its rows one below the other.
func Join(rows Block) string {
	n := 0
	for _, r := range rows {
		n += len(r) + 1
	}
	var b strings.Builder
	b.Grow(n)
	for i, r := range rows {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(r)
	}
	return b.String()
}

// Box is a rounded box of w cells on the overlay ground: a title at the left of
// its upper edge, a key or sign at the right, one blank on both sides within.
func (k *Look) Box(title, right Line, lines []Line, w int) Block {
	if w < 4 {
		return nil
	}
	ground := Style{Fg: themes.Text, Bg: themes.Overlay}
	edge := Style{Fg: themes.Border, Bg: themes.Overlay}
	out := make(Block, 0, len(lines)+2)
	out = append(out, k.boxTop(title, right, edge, w))
	for _, l := range lines {
		row := append([]byte(nil), k.Row(Line{Spans: []Span{{Text: "│", Style: edge, Ours: true}, {Text: " ", Style: ground, Ours: true}}}, 2)...)
		l.Fill = l.Fill.over(ground)
		row = k.AppendRow(row, l, w-4)
		row = append(row, k.Row(Line{Spans: []Span{{Text: " ", Style: ground, Ours: true}, {Text: "│", Style: edge, Ours: true}}}, 2)...)
		out = append(out, string(row))
	}
	bottom := "╰" + strings.Repeat("─", w-2) + "╯"
	return append(out, k.Row(Line{Spans: []Span{{Text: bottom, Style: edge, Ours: true}}}, w))
}

func (k *Look) boxTop(title, right Line, edge Style, w int) string {
	var l Line
	l.Fill = Style{Fg: themes.Text, Bg: themes.Overlay}
	l.Own(edge, "╭─")
	room := w - 4
	tail := k.Width(right)
	if tail > 0 {
		tail += 2
	}
	if n := k.Width(title); n > 0 && room-tail > 3 {
		cut := k.cutTo(title, room-tail-2)
		l.Own(edge, " ")
		for _, s := range k.pieceSpans(cut) {
			if s.Style.Fg == themes.None {
				s.Style = s.Style.With(themes.Bold)
			}
			l.Spans = append(l.Spans, s)
		}
		l.Own(edge, " ")
		room -= width(cut) + 2
	}
	if tail > room {
		tail = 0
	}
	l.Own(edge, strings.Repeat("─", max(room-tail, 0)))
	if tail > 0 {
		l.Own(edge, " ").Add(right).Own(edge, " ")
	}
	l.Own(edge, "─╮")
	return k.Row(l, w)
}

// Overlay lays a block over rows at a place, in cells from the upper left. The
// rows keep their width; what of the block lies outside of them is not drawn.
// It cuts drawn rows, which costs more than drawing: it is for boxes that are
// open now and then.
func Overlay(rows, over Block, x, y int) Block {
	out := append(Block(nil), rows...)
	for i, line := range over {
		at := y + i
		if at < 0 || at >= len(out) {
			continue
		}
		out[at] = overlayRow(out[at], line, x)
	}
	return out
}

func overlayRow(row, over string, x int) string {
	total, w := ansi.StringWidth(row), ansi.StringWidth(over)
	from := max(-x, 0)
	to := min(w, total-x)
	if from >= to {
		return row
	}
	if from > 0 || to < w {
		over = cutDrawn(over, from, to)
	}
	return cutDrawn(row, 0, x+from) + over + cutDrawn(row, x+to, total)
}

// cutDrawn takes the cells from and to of a drawn row, with their styles.
// Halves of wide characters become blanks.
func cutDrawn(s string, from, to int) string {
	if from >= to {
		return ""
	}
	var b strings.Builder
	var state byte
	for col := 0; len(s) > 0 && col < to; {
		seq, w, n, next := ansi.DecodeSequence(s, state, nil)
		s, state = s[n:], next
		end := col + w
		switch {
		case w == 0:
			b.WriteString(seq)
		case col >= from && end <= to:
			b.WriteString(seq)
		case end > from:
			b.WriteString(blanks(min(end, to) - max(col, from)))
		}
		col = end
	}
	b.WriteString(reset)
	return b.String()
}
