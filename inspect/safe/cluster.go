package safe

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// maxMarks is how many combining marks one character may carry. No script
// stacks more; more than that are drawn over the rows above and below.
const maxMarks = 6

// maxCluster is how many bytes are looked at for one character. None that people
// write takes a tenth of it.
const maxCluster = 1 << 10

// cluster yields the units of the character at pos and returns how many bytes
// it took, and whether to go on.
func (m Mode) cluster(s string, pos int, yield func(Unit) bool) (int, bool) {
	r, size := utf8.DecodeRuneInString(s[pos:])
	if lone(r) {
		text, width := m.sign(r)
		return size, yield(Unit{Text: text, Start: pos, End: pos + size, Width: width, Hidden: true})
	}
	if width := letter(r); width > 0 && (!m.ASCII || size == 1) && apart(s[pos+size:]) {
		return size, yield(Unit{Text: s[pos : pos+size], Start: pos, End: pos + size, Width: width})
	}
	return m.long(s, pos, yield)
}

// long is cluster for any character.
func (m Mode) long(s string, pos int, yield func(Unit) bool) (int, bool) {
	r, size := utf8.DecodeRuneInString(s[pos:])
	if r == utf8.RuneError && size == 1 {
		return 1, yield(m.byteSign(s[pos], pos))
	}
	text, width := ansi.FirstGraphemeCluster(s[pos:min(pos+maxCluster, len(s))], ansi.GraphemeWidth)
	if len(text) == 0 { // the segmenter has no word for it: take the rune
		text, width = s[pos:pos+size], 0
	}
	if m.whole(s, pos, text, width) {
		return len(text), yield(Unit{Text: text, Start: pos, End: pos + len(text), Width: width})
	}
	return len(text), m.parts(s, pos, text, yield)
}

// whole reports whether a character can be shown as it is.
func (m Mode) whole(s string, pos int, text string, width int) bool {
	if width == 0 || m.ASCII && len(text) > 1 {
		return false
	}
	marks := 0
	prev := rune(-1)
	for i, r := range text {
		next := runeAt(s, pos+i+utf8.RuneLen(r))
		if r == utf8.RuneError && !validAt(text, i) || !shown(prev, r, next) {
			return false
		}
		if unicode.Is(unicode.M, r) {
			if marks++; marks > maxMarks || prev < 0 {
				return false
			}
		}
		prev = r
	}
	return !m.Split || ansi.WcWidth.StringWidth(text) == width
}

// parts yields a character rune by rune, each as a sign unless it can stand on
// its own.
func (m Mode) parts(s string, pos int, text string, yield func(Unit) bool) bool {
	alone := true // a base may stand here: what was shown before is a sign, or nothing
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		u := Unit{Start: pos + i, End: pos + i + size, Hidden: true}
		switch {
		case r == utf8.RuneError && size == 1:
			u = m.byteSign(text[i], pos+i)
		case alone && m.standsAlone(r):
			u.Text, u.Hidden = text[i:i+size], false
			u.Width = Width(u.Text)
		default:
			u.Text, u.Width = m.sign(r)
		}
		alone = u.Hidden
		if !yield(u) {
			return false
		}
		i += size
	}
	return true
}

// standsAlone reports whether a rune has a width of its own and joins nothing.
func (m Mode) standsAlone(r rune) bool {
	if m.ASCII && r >= utf8.RuneSelf {
		return false
	}
	if r >= 0x300 && r < 0x370 || unicode.Is(unicode.M, r) || isModifier(r) || !shown(-1, r, -1) {
		return false
	}
	width := ansi.GraphemeWidth.StringWidth(string(r))
	return width > 0 && (!m.Split || width == ansi.WcWidth.StringWidth(string(r)))
}

// shown reports whether r, between prev and next (-1: none), is visible or
// needed there.
func shown(prev, r, next rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return false
	case r < 0x300:
		return r != 0xad // the soft hyphen
	case r == zwj:
		return isPictograph(base(prev)) && isPictograph(next) || joins(prev) && joins(next)
	case r == zwnj:
		return joins(prev) && joins(next)
	case r == vs15, r == vs16:
		return takesEmojiStyle(prev)
	case r >= 0xfe00 && r <= 0xfe0d, r >= 0xe0100 && r <= 0xe01ef:
		return unicode.Is(unicode.Han, prev)
	case r >= 0x180b && r <= 0x180f:
		return r != 0x180e && unicode.Is(unicode.Mongolian, prev)
	case r == 0x34f, r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0, r == 0x17b4, r == 0x17b5:
		return false // fillers and joiners that show nothing
	case r == 0x2800: // the blank of braille is a picture of nothing, on purpose
		return true
	}
	return unicode.IsGraphic(r) && !unicode.Is(unicode.Zl, r) && !unicode.Is(unicode.Zp, r)
}

const (
	zwnj = 0x200c
	zwj  = 0x200d
	vs15 = 0xfe0e
	vs16 = 0xfe0f
)

// base says what a joiner follows: an emoji may end in a variation selector or
// a skin tone, which shown has already judged.
func base(prev rune) rune {
	if prev == vs16 || isModifier(prev) {
		return 0x1f468
	}
	return prev
}

func isModifier(r rune) bool { return r >= 0x1f3fb && r <= 0x1f3ff }

// isPictograph holds the blocks that joined emoji are made of.
func isPictograph(r rune) bool {
	return r >= 0x1f300 && r <= 0x1faff || r >= 0x2190 && r <= 0x2bff && unicode.Is(unicode.S, r)
}

func takesEmojiStyle(r rune) bool {
	switch {
	case r < 0:
		return false
	case r >= '0' && r <= '9', r == '#', r == '*', r == 0x203c, r == 0x2049, r == 0x3030:
		return true
	}
	return unicode.Is(unicode.So, r) || unicode.Is(unicode.Sm, r)
}

// joins reports whether r is of a script whose spelling uses ZWJ and ZWNJ.
func joins(r rune) bool {
	return r >= 0x600 && unicode.In(r,
		unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mandaic, unicode.Mongolian,
		unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya,
		unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala,
		unicode.Khmer, unicode.Myanmar, unicode.Tibetan)
}

// sign is what is shown in place of r, and its cells.
func (m Mode) sign(r rune) (text string, width int) {
	switch {
	case m.ASCII:
		text = asciiSign(r)
		return text, len(text)
	case r < 0x20:
		return string(0x2400 + r), 1
	case r == 0x7f:
		return "␡", 1
	}
	const first, each = 0x2028, len("⟨U+2028⟩")
	const all = "⟨U+2028⟩⟨U+2029⟩⟨U+202A⟩⟨U+202B⟩⟨U+202C⟩⟨U+202D⟩⟨U+202E⟩"
	if i := int(r) - first; i >= 0 && (i+1)*each <= len(all) {
		return all[i*each : (i+1)*each], 8
	}
	if r == 0x200b {
		return "⟨U+200B⟩", 8
	}
	text = numbered("⟨U+", r, "⟩")
	return text, len(text) - len("⟨⟩") + 2
}

func asciiSign(r rune) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r < 0x20 || r == 0x7f:
		return fmt.Sprintf(`\x%02x`, r)
	}
	return numbered("<U+", r, ">")
}

// numbered is a character by its number in hexadecimal, of four digits or more.
func numbered(before string, r rune, after string) string {
	const digits = "0123456789ABCDEF"
	var b [24]byte
	out := append(b[:0], before...)
	top := 12
	for r>>(top+4) > 0 {
		top += 4
	}
	for ; top >= 0; top -= 4 {
		out = append(out, digits[r>>top&15])
	}
	return string(append(out, after...))
}

// lone reports whether a character is one that shows nothing and joins none:
// texts that hide something are full of them. The others of their kind come the
// long way to the same signs.
func lone(r rune) bool {
	switch {
	case r < 0x200b:
		return r < ' ' && r != '\r' || r == 0x7f
	case r == 0x200b, r == 0x200e, r == 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r == 0xfeff:
		return true
	}
	return false
}

// letter is the width of a character that most texts are made of, and that only
// a mark or a joiner behind it can change; 0 of all others, which come the long
// way to the same units.
func letter(r rune) int {
	switch {
	case r >= ' ' && r < 0x7f, r >= 0xc0 && r <= 0x24f, r >= 0x391 && r <= 0x3a1, r >= 0x3a3 && r <= 0x3c9,
		r >= 0x400 && r <= 0x481, r >= 0x48a && r <= 0x52f:
		return 1
	case r >= 0x3041 && r <= 0x3096, r >= 0x30a1 && r <= 0x30fa, r >= 0x3400 && r <= 0x4dbf,
		r >= 0x4e00 && r <= 0x9fff, r >= 0xac00 && r <= 0xd7a3:
		return 2
	}
	return 0
}

// apart reports whether a text begins with what joins nothing before it.
func apart(s string) bool {
	if s == "" || s[0] < utf8.RuneSelf {
		return true
	}
	r, _ := utf8.DecodeRuneInString(s)
	return letter(r) > 0 || lone(r)
}

// byteSign is what is shown for a byte that is not UTF-8.
func (m Mode) byteSign(c byte, pos int) Unit {
	text := fmt.Sprintf("⟨%02X⟩", c)
	if m.ASCII {
		text = fmt.Sprintf("<%02X>", c)
	}
	return Unit{Text: text, Start: pos, End: pos + 1, Width: 4, Hidden: true}
}

// runeAt returns the rune at byte i, or -1 past the end or where there is none.
func runeAt(s string, i int) rune {
	if i >= len(s) {
		return -1
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	if r == utf8.RuneError && size == 1 {
		return -1
	}
	return r
}

func validAt(s string, i int) bool {
	_, size := utf8.DecodeRuneInString(s[i:])
	return size > 1
}
