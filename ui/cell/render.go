package cell

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"perch/inspect/safe"
	"perch/themes"
)

// piece is text that is safe, measured and ready to draw.
type piece struct {
	text  string
	width int
	style Style
	drawn bool // text is cells already
}

// blanked is what stands for a part of cells that cannot be cut.
func blanked(w int) piece { return piece{text: blanks(w), width: w} }

// Row draws a line in exactly w cells. What does not fit is cut with an
// ellipsis; text right of a gap goes last.
func (k *Look) Row(l Line, w int) string { return string(k.AppendRow(nil, l, w)) }

// AppendRow is Row that appends to dst.
func (k *Look) AppendRow(dst []byte, l Line, w int) []byte {
	if w <= 0 {
		return dst
	}
	left, right := k.sides(l, w)
	rightWidth := width(right)
	room := w
	if rightWidth > 0 {
		if rightWidth >= w {
			right, rightWidth = k.cut(right, w), 0
			rightWidth = width(right)
		}
		room = max(w-rightWidth-1, 0)
	}
	if width(left) > room {
		left = k.cut(left, room)
	}
	return k.draw(dst, l.Fill, left, w-width(left)-rightWidth, right)
}

// RowFrom draws the cells from x on in exactly w cells: a line scrolled
// sideways. Gaps close.
func (k *Look) RowFrom(l Line, x, w int) string { return string(k.AppendRowFrom(nil, l, x, w)) }

// AppendRowFrom is RowFrom that appends to dst.
func (k *Look) AppendRowFrom(dst []byte, l Line, x, w int) []byte {
	if x <= 0 {
		return k.AppendRow(dst, l, w)
	}
	if w <= 0 {
		return dst
	}
	pinned, rest, room := k.pinned(l, w)
	pieces := k.flatten(rest, x+room+2)
	pieces = append(pinned, k.slice(pieces, x, room, true)...)
	return k.draw(dst, l.Fill, pieces, w-width(pieces), nil)
}

// pinned splits off the spans that stay in their place, unless they leave no
// room worth having, and says how many cells are left.
func (k *Look) pinned(l Line, w int) (pinned []piece, rest []Span, room int) {
	if l.Pin <= 0 || l.Pin > len(l.Spans) {
		return nil, l.Spans, w
	}
	pinned = k.flatten(l.Spans[:l.Pin], w+2)
	if room = w - width(pinned); room < 8 {
		return nil, l.Spans, w
	}
	return pinned, l.Spans[l.Pin:], room
}

// WrapHeight is the number of rows of w cells that a line takes, at least 1 and
// at most MaxWrap.
func (k *Look) WrapHeight(l Line, w int) int {
	if w <= 0 {
		return 1
	}
	_, rest, room := k.pinned(l, w)
	return min(len(k.breaks(k.flatten(rest, room*MaxWrap+2), room)), MaxWrap)
}

// MaxWrap is how many rows one line takes at most when it is wrapped. What is
// longer is cut with an ellipsis: a line of 64 MiB is to be read elsewhere.
const MaxWrap = 500

// AppendWrapped draws the given row of a line that is wrapped at w cells.
func (k *Look) AppendWrapped(dst []byte, l Line, row, w int) []byte {
	if w <= 0 {
		return dst
	}
	pinned, rest, room := k.pinned(l, w)
	pieces := k.flatten(rest, (row+2)*room+2)
	at := k.breaks(pieces, room)
	if row >= len(at) {
		return k.draw(dst, l.Fill, nil, w, nil)
	}
	switch {
	case row == MaxWrap-1:
		pieces = k.slice(pieces, at[row], room+1, false)
		if width(pieces) > room {
			pieces = k.cut(pieces, room)
		}
	case row+1 < len(at): // a wide character may not fit at all
		pieces = k.slice(pieces, at[row], min(room, at[row+1]-at[row]), false)
	default:
		pieces = k.slice(pieces, at[row], room, false)
	}
	if row == 0 {
		pieces = append(pinned, pieces...)
	} else if room < w {
		pieces = append([]piece{{text: blanks(w - room), width: w - room}}, pieces...)
	}
	return k.draw(dst, l.Fill, pieces, w-width(pieces), nil)
}

// breaks are the cells at which the rows of wrapped pieces begin.
func (k *Look) breaks(pieces []piece, w int) []int {
	at := []int{0}
	col, start := 0, 0
	for _, p := range pieces {
		if p.drawn {
			if col+p.width-start > w && col > start {
				start = col
				at = append(at, start)
			}
			col += p.width
			continue
		}
		if safe.IsPlain(p.text) {
			for col+p.width-start > w { // every cell is a character
				n := w - (col - start)
				col += n
				start = col
				p.width -= n
				at = append(at, start)
			}
			col += p.width
			continue
		}
		for u := range (safe.Mode{}).Units(p.text) {
			if col+u.Width-start > w && col > start {
				start = col
				at = append(at, start)
			}
			col += u.Width
		}
	}
	return at
}

// sides splits a line at its gap. What is out of sight is not looked at.
func (k *Look) sides(l Line, w int) (left, right []piece) {
	for i, sp := range l.Spans {
		if sp.Gap {
			return k.flatten(l.Spans[:i], w+2), k.flatten(l.Spans[i+1:], w+2)
		}
	}
	return k.flatten(l.Spans, w+2), nil
}

// flatten makes spans safe and measures them, up to a number of cells.
func (k *Look) flatten(spans []Span, limit int) []piece {
	out := make([]piece, 0, len(spans)+2)
	var buf [4]safe.Span
	total := 0
	for _, sp := range spans {
		if total >= limit {
			break
		}
		if sp.Gap {
			continue
		}
		if sp.Drawn {
			out = append(out, piece{text: sp.Text, width: sp.Width, drawn: true})
			total += sp.Width
			continue
		}
		first := len(out)
		if sp.Text != "" {
			mode, text := k.Text, sp.Text
			if sp.Ours {
				mode, text = safe.Mode{}, k.own(sp.Text)
			}
			room := limit - total
			if sp.Width > 0 && sp.Cut == CutEnd {
				room = min(room, sp.Width+2)
			} else if sp.Width > 0 {
				room = len(text) * 8
			}
			for _, part := range mode.SpansTo(buf[:0], text, room) {
				st := sp.Style
				if part.Hidden {
					st.Fg = themes.Hidden
				}
				out = append(out, piece{text: part.Text, width: part.Width, style: st})
			}
		}
		if sp.Width > 0 {
			out = k.fit(out, first, sp)
		}
		total += width(out[first:])
	}
	return out
}

// fit brings the pieces from first on to the width of their span.
func (k *Look) fit(out []piece, first int, sp Span) []piece {
	got := width(out[first:])
	switch {
	case got > sp.Width && sp.Cut != CutEnd:
		var text strings.Builder
		for _, p := range out[first:] {
			text.WriteString(p.text)
		}
		cut := k.Text.CutMiddle
		if sp.Cut == CutPath {
			cut = k.Text.CutPath
		}
		short := cut(text.String(), sp.Width)
		out = append(out[:first], piece{text: short, width: safe.Width(short), style: sp.Style})
	case got > sp.Width:
		out = append(out[:first], k.cut(out[first:], sp.Width)...)
	}
	pad := sp.Width - width(out[first:])
	if pad <= 0 {
		return out
	}
	blank := piece{text: blanks(pad), width: pad, style: sp.Style}
	if !sp.Right {
		return append(out, blank)
	}
	out = append(out, piece{})
	copy(out[first+1:], out[first:])
	out[first] = blank
	return out
}

// cut shortens pieces to w cells, the last of which is an ellipsis.
func (k *Look) cut(pieces []piece, w int) []piece {
	if w <= 0 {
		return nil
	}
	var out []piece
	left := w - 1
	for _, p := range pieces {
		if p.width > left && p.drawn {
			return append(out, blanked(left+1))
		}
		if p.width > left {
			head, n := safe.Head(p.text, left)
			return append(out, piece{text: head + k.Text.Ellipsis(), width: n + 1, style: p.style})
		}
		out = append(out, p)
		left -= p.width
	}
	return out
}

// slice takes w cells from cell x on. With marks, text that is cut off shows
// ‹ in the first cell and an ellipsis in the last. A character across an edge
// becomes blanks.
func (k *Look) slice(pieces []piece, x, w int, marks bool) []piece {
	var out []piece
	col, end := 0, x+w
	for i, p := range pieces {
		from, to := col, col+p.width
		col = to
		if to <= x {
			continue
		}
		if from >= end {
			if marks && len(out) > 0 && strings.TrimSpace(restText(pieces[i:])) != "" {
				return k.sideMarks(k.cut(append(out, p), w), true)
			}
			break
		}
		if p.drawn && (from < x || to > end) {
			p = blanked(min(to, end) - max(from, x))
			from, to = max(from, x), min(to, end)
		}
		text, n := p.text, p.width
		if from < x {
			text = safe.Tail(text, to-x)
			got := safe.Width(text)
			text, n = blanks(to-x-got)+text, to-x
		}
		if to > end {
			if marks {
				out = append(out, piece{text: text, width: n, style: p.style, drawn: p.drawn})
				return k.sideMarks(k.cut(out, w), true)
			}
			head, got := safe.Head(text, n-(to-end))
			text, n = head+blanks(n-(to-end)-got), n-(to-end)
		}
		out = append(out, piece{text: text, width: n, style: p.style, drawn: p.drawn})
	}
	return k.sideMarks(out, marks)
}

func restText(pieces []piece) string {
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(p.text)
	}
	return b.String()
}

// sideMarks puts ‹ into the first cell.
func (k *Look) sideMarks(pieces []piece, marks bool) []piece {
	if !marks || len(pieces) == 0 {
		return pieces
	}
	first := pieces[0]
	if first.drawn {
		first = blanked(first.width)
	}
	rest := safe.Tail(first.text, first.width-1)
	pad := first.width - 1 - safe.Width(rest)
	mark := piece{text: k.own("‹"), width: 1, style: Style{Fg: themes.Faint, Bg: first.style.Bg}}
	out := append(make([]piece, 0, len(pieces)+1), mark, piece{text: blanks(pad) + rest, width: first.width - 1, style: first.style})
	return append(out, pieces[1:]...)
}

// draw appends left, pad blanks and right.
func (k *Look) draw(dst []byte, fill Style, left []piece, pad int, right []piece) []byte {
	cur, set := Style{}, false
	put := func(text string, st Style, drawn bool) {
		if text == "" {
			return
		}
		if drawn {
			dst = append(append(append(dst, reset...), text...), reset...)
			set = false
			return
		}
		// Two characters of neighbouring pieces must not become one.
		meet := text[0] >= utf8.RuneSelf && len(dst) > 0 && dst[len(dst)-1] >= utf8.RuneSelf
		if st = st.over(fill); !set || st != cur || meet {
			dst = k.appendSGR(dst, st)
			cur, set = st, true
		}
		dst = append(dst, text...)
	}
	for _, p := range left {
		put(p.text, p.style, p.drawn)
	}
	if pad > 0 {
		put(blanks(pad), Style{}, false)
	}
	for _, p := range right {
		put(p.text, p.style, p.drawn)
	}
	return append(dst, reset...)
}

func width(pieces []piece) int {
	w := 0
	for _, p := range pieces {
		w += p.width
	}
	return w
}

const blank128 = "                                                                                                                                "

func blanks(n int) string {
	switch {
	case n <= 0:
		return ""
	case n <= len(blank128):
		return blank128[:n]
	}
	return strings.Repeat(" ", n)
}

// roundDown and roundUp bring a byte position to the edge of a character.
func roundDown(s string, i int) int {
	for i > 0 && i < len(s) && joined(s, i) {
		i--
	}
	return i
}

func roundUp(s string, i int) int {
	for i > 0 && i < len(s) && joined(s, i) {
		i++
	}
	return i
}

// joined reports whether the byte at i belongs to the character before it.
func joined(s string, i int) bool {
	if !utf8.RuneStart(s[i]) {
		return true
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	return size > 1 && (unicode.Is(unicode.M, r) || r == 0x200d || r >= 0x1f3fb && r <= 0x1f3ff) && s[i-1] >= ' '
}
