package schema

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// White space of ECMA-262 as ranges of a class, and all else.
const (
	ecmaSpace    = `\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
	ecmaNotSpace = `\x{0}-\x{8}\x{e}-\x{1f}!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`
)

// translator puts a regular expression of ECMA-262 into Go's words. What Go's
// engine cannot do stands there as an empty group, so that the rest can still
// be read for its faults.
type translator struct {
	in     string
	pos    int
	out    strings.Builder
	beyond string // what Go's engine cannot do
	broken string
}

func translate(text string) *translator {
	t := &translator{in: text}
	for t.pos < len(t.in) && t.broken == "" {
		t.step()
	}
	return t
}

// step takes what stands next outside of a class.
func (t *translator) step() {
	switch c := t.in[t.pos]; c {
	case '\\':
		t.escape(false)
	case '[':
		t.class()
	case '.':
		t.pos++
		t.out.WriteString(`[^\n\r\x{2028}\x{2029}]`)
	case '(':
		t.group()
	default:
		t.copyRune()
	}
}

func (t *translator) copyRune() {
	_, n := utf8.DecodeRuneInString(t.in[t.pos:])
	t.out.WriteString(t.in[t.pos : t.pos+n])
	t.pos += n
}

// group takes the beginning of a group.
func (t *translator) group() {
	rest := t.in[t.pos:]
	for _, g := range []struct{ begin, what string }{
		{"(?=", "look-ahead"}, {"(?!", "look-ahead"}, {"(?<=", "look-behind"}, {"(?<!", "look-behind"}, {"(?>", "an atomic group"},
	} {
		if strings.HasPrefix(rest, g.begin) {
			t.cannot(g.what)
			t.out.WriteString("(?:")
			t.pos += len(g.begin)
			return
		}
	}
	t.out.WriteByte('(')
	t.pos++
}

func (t *translator) cannot(what string) {
	if t.beyond == "" {
		t.beyond = what + " is not supported here"
	}
}

// class takes a class: [abc], [^a-z].
func (t *translator) class() {
	t.pos++
	rest := t.in[t.pos:]
	switch {
	case strings.HasPrefix(rest, "^]"):
		t.out.WriteString(`(?s:.)`)
		t.pos += 2
		return
	case strings.HasPrefix(rest, "]"):
		t.out.WriteString(`[^\x{0}-\x{10ffff}]`)
		t.pos++
		return
	}
	t.out.WriteByte('[')
	if strings.HasPrefix(rest, "^") {
		t.out.WriteByte('^')
		t.pos++
	}
	for t.pos < len(t.in) {
		switch c := t.in[t.pos]; c {
		case ']':
			t.out.WriteByte(']')
			t.pos++
			return
		case '[': // Go would read [: as the name of a class
			t.out.WriteString(`\[`)
			t.pos++
		case '\\':
			t.escape(true)
		default:
			t.copyRune()
		}
	}
	t.broken = "a [ is not closed"
}

// escape takes a backslash and what belongs to it.
func (t *translator) escape(inClass bool) {
	if t.pos+1 == len(t.in) {
		t.broken = `it ends in a \`
		return
	}
	c := t.in[t.pos+1]
	t.pos += 2
	switch {
	case c == 's' || c == 'S':
		t.space(c, inClass)
	case c == 'b' && inClass:
		t.out.WriteString(`\x08`)
	case c == 'c' && t.pos < len(t.in) && letter(t.in[t.pos]):
		t.rune(rune(t.in[t.pos] % 32))
		t.pos++
	case c == 'u':
		t.unicode()
	case c == 'p' || c == 'P':
		t.property(c)
	case c == '0' && (t.pos == len(t.in) || t.in[t.pos] < '0' || t.in[t.pos] > '9'):
		t.rune(0)
	case c >= '1' && c <= '9':
		t.cannot("a back reference")
		for t.pos < len(t.in) && t.in[t.pos] >= '0' && t.in[t.pos] <= '9' {
			t.pos++
		}
		t.nothing(inClass)
	case c == 'k' && strings.HasPrefix(t.in[t.pos:], "<") && strings.Contains(t.in[t.pos:], ">"):
		t.cannot("a back reference")
		t.pos += strings.IndexByte(t.in[t.pos:], '>') + 1
		t.nothing(inClass)
	case c >= utf8.RuneSelf:
		t.pos--
		t.copyRune()
	default: // what both know, and what Go's parser shall judge
		t.out.WriteByte('\\')
		t.out.WriteByte(c)
	}
}

// nothing stands for what was taken out.
func (t *translator) nothing(inClass bool) {
	if !inClass {
		t.out.WriteString("(?:)")
	}
}

func (t *translator) space(c byte, inClass bool) {
	ranges := ecmaSpace
	if c == 'S' {
		ranges = ecmaNotSpace
	}
	if inClass {
		t.out.WriteString(ranges)
		return
	}
	t.out.WriteString("[" + ranges + "]")
}

func (t *translator) rune(r rune) { fmt.Fprintf(&t.out, `\x{%x}`, r) }

// unicode takes what follows \u: four digits, two halves of four, or {…}.
func (t *translator) unicode() {
	rest := t.in[t.pos:]
	if strings.HasPrefix(rest, "{") {
		if end := strings.IndexByte(rest, '}'); end > 0 {
			if n, err := strconv.ParseUint(rest[1:end], 16, 32); err == nil && n <= utf8.MaxRune {
				t.rune(rune(n))
				t.pos += end + 1
				return
			}
		}
	}
	high, ok := hex4(rest)
	if !ok {
		t.broken = `\u is not followed by four hexadecimal digits`
		return
	}
	t.pos += 4
	if high >= 0xd800 && high < 0xdc00 && strings.HasPrefix(rest[4:], `\u`) {
		if low, ok := hex4(rest[6:]); ok && low >= 0xdc00 && low < 0xe000 {
			t.pos += 6
			t.rune((high-0xd800)<<10 + (low - 0xdc00) + 0x10000)
			return
		}
	}
	t.rune(high)
}

func hex4(s string) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(s[:4], 16, 16)
	return rune(n), err == nil
}

// property takes what follows \p: Go knows the names of categories and scripts
// without their kind.
func (t *translator) property(c byte) {
	rest := t.in[t.pos:]
	end := strings.IndexByte(rest, '}')
	if !strings.HasPrefix(rest, "{") || end < 0 {
		t.out.WriteByte('\\')
		t.out.WriteByte(c)
		return
	}
	name := rest[1:end]
	if kind, value, ok := strings.Cut(name, "="); ok {
		switch kind {
		case "Script", "sc", "Script_Extensions", "scx", "General_Category", "gc":
			name = value
		}
	}
	t.out.WriteString(`\` + string(c) + "{" + name + "}")
	t.pos += end + 1
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
