package stream

import (
	"bytes"
	"strconv"
	"strings"

	"perch/themes"
	"perch/ui/cell"
)

// hasColours reports whether a text switches colours.
func hasColours(b []byte) bool {
	for {
		i := bytes.Index(b, []byte("\x1b["))
		if i < 0 {
			return false
		}
		b = b[i+2:]
		if _, n := sgr(string(b[:min(len(b), maxSGR)])); n > 0 {
			return true
		}
	}
}

// maxSGR is how many bytes a sequence may have to be taken for one.
const maxSGR = 64

// inColours is a text cut where its colours change, each part with its style.
// The sequences that chose them are left out; all else of it stays, and is shown
// as any text of a module is. Each line begins without a colour: what the lines
// before left behind is not known here.
func inColours(k *cell.Look, text string, st cell.Style, add func(part string, st cell.Style)) {
	p := pen{}
	for text != "" {
		i := strings.Index(text, "\x1b[")
		for i >= 0 {
			rest := text[i+2:]
			if codes, n := sgr(rest[:min(len(rest), maxSGR)]); n > 0 {
				if i > 0 {
					add(text[:i], p.style(k, st))
				}
				p.take(codes)
				text = rest[n:]
				break
			}
			next := strings.Index(rest, "\x1b[")
			if next < 0 {
				i = -1
				break
			}
			i += 2 + next
		}
		if i < 0 {
			add(text, p.style(k, st))
			return
		}
	}
}

// sgr are the parameters of the sequence that begins a text behind its ESC [,
// and how many bytes it has; 0 when it is another one.
func sgr(s string) (codes []int, n int) {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9', c == ';', c == ':':
		case c == 'm':
			for one := range strings.SplitSeq(strings.ReplaceAll(s[:i], ":", ";"), ";") {
				v, _ := strconv.Atoi(one) // an empty one is 0
				codes = append(codes, min(v, 999))
			}
			return codes, i + 1
		default:
			return nil, 0
		}
	}
	return nil, 0
}

// pen is how text looks from here on.
type pen struct {
	ink, ground themes.Color
	attr        themes.Attr
}

// take takes over the parameters of a sequence. What hides text or makes it
// blink is left out.
func (p *pen) take(codes []int) {
	for i := 0; i < len(codes); i++ {
		switch c := codes[i]; {
		case c == 0:
			*p = pen{}
		case c == 1:
			p.attr |= themes.Bold
		case c == 2:
			p.attr |= themes.Dim
		case c == 3:
			p.attr |= themes.Italic
		case c == 4:
			p.attr |= themes.Underline
		case c == 7:
			p.attr |= themes.Reverse
		case c == 22:
			p.attr &^= themes.Bold | themes.Dim
		case c == 23:
			p.attr &^= themes.Italic
		case c == 24:
			p.attr &^= themes.Underline
		case c == 27:
			p.attr &^= themes.Reverse
		case c >= 30 && c <= 37, c >= 90 && c <= 97:
			p.ink = named(c%10 + c/90*8)
		case c >= 40 && c <= 47, c >= 100 && c <= 107:
			p.ground = named(c%10 + c/100*8)
		case c == 39:
			p.ink = themes.Color{}
		case c == 49:
			p.ground = themes.Color{}
		case c == 38 || c == 48:
			colour, n := colourOf(codes[i+1:])
			if i += n; n > 0 && c == 38 {
				p.ink = colour
			} else if n > 0 {
				p.ground = colour
			}
		}
	}
}

func named(i int) themes.Color { return themes.Color{Kind: themes.Named, Index: uint8(i)} }

// colourOf is the colour that parameters behind 38 or 48 name, and how many of
// them do.
func colourOf(codes []int) (c themes.Color, n int) {
	switch {
	case len(codes) >= 2 && codes[0] == 5:
		return themes.Of256(uint8(min(codes[1], 255))), 2
	case len(codes) >= 4 && codes[0] == 2:
		return themes.Color{Kind: themes.RGB, R: uint8(min(codes[1], 255)), G: uint8(min(codes[2], 255)), B: uint8(min(codes[3], 255))}, 4
	}
	return c, 0
}

// style is a style in the pen's colours. Colours that would hide the text are
// left out: nothing of a line may be out of sight.
func (p pen) style(k *cell.Look, st cell.Style) cell.Style {
	st.Attr |= p.attr
	st.Ink, st.Ground = p.ink, p.ground
	ink, ground := p.ink, p.ground
	if ink == (themes.Color{}) {
		ink = k.Theme.Tints[st.Fg].Color
	}
	for _, behind := range []themes.Role{themes.Bg, themes.Selection} {
		if p.ground == (themes.Color{}) {
			ground = k.Theme.Tints[behind].Color
		}
		if (p.ink != themes.Color{} || p.ground != themes.Color{}) && !themes.Apart(ink, ground) {
			st.Ink, st.Ground = themes.Color{}, themes.Color{}
		}
	}
	return st
}

// wrapped are spans of text in rows of w cells. Characters are never split.
func wrapped(k *cell.Look, l cell.Line, w int) []cell.Line {
	w = max(w, 2)
	var out []cell.Line
	var row cell.Line
	cells := 0
	for _, s := range l.Spans {
		from := 0
		for u := range k.Text.Units(s.Text) {
			if cells+u.Width > w && cells > 0 {
				row.Text(s.Style, s.Text[from:u.Start])
				out, row, from, cells = append(out, row), cell.Line{}, u.Start, 0
			}
			cells += u.Width
		}
		row.Text(s.Style, s.Text[from:])
	}
	return append(out, row)
}
