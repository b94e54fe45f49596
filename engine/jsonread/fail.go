package jsonread

import (
	"fmt"
	"strconv"
	"unicode"
	"unicode/utf8"

	"perch/engine/abi"
)

func (p *parser) fail(offset, end int, kind ErrorKind, text string) *Error {
	return &Error{Offset: offset, End: end, Kind: kind, Text: text}
}

// odd names a character that cannot stand at the current byte, the well-known
// slips first.
func (p *parser) odd(text string) *Error {
	c := p.src[p.pos]
	switch {
	case c == '\'':
		return p.fail(p.pos, p.pos+1, SingleQuote, "has a single quote; JSON quotes with \"")
	case c == '/' && p.pos+1 < len(p.src) && (p.src[p.pos+1] == '/' || p.src[p.pos+1] == '*'):
		return p.fail(p.pos, p.pos+2, Comment, "has a comment; JSON has none")
	case c >= utf8.RuneSelf && p.badRune():
		return p.notUTF8()
	}
	return p.fail(p.pos, p.tokenEnd(p.pos+1), Unexpected, text)
}

func (p *parser) badRune() bool {
	r, n := utf8.DecodeRune(p.src[p.pos:])
	return r == utf8.RuneError && n == 1
}

func (p *parser) notUTF8() *Error {
	return p.fail(p.pos, p.pos+1, UTF8, fmt.Sprintf("has the byte %02X, which is not UTF-8", p.src[p.pos]))
}

// trailing is the error for what stands behind a whole value.
func (p *parser) trailing() *Error {
	err := p.fail(p.pos, len(p.src), TrailingData, "has "+p.shown()+" behind the value")
	if p.src[p.pos] >= utf8.RuneSelf && p.badRune() {
		err = p.notUTF8()
	}
	return err
}

// pointer is the path of what was being read when an error came up: the last
// name or index of each open container; empty where it is
// deeper than abi.MaxDepthJSON: a text of brackets must not cost more than others.
func (p *parser) pointer() string {
	if p.depth > abi.MaxDepthJSON {
		return ""
	}
	var tokens []string
	child := none
	for open := p.open; open != none; open = p.nodes[open].parent() {
		switch {
		case p.src[p.nodes[open].start] == '[':
			tokens = append(tokens, strconv.Itoa(int(p.nodes[open+1].children())))
		case child != none:
			tokens = append(tokens, escapeToken(p.nameBefore(child)))
		case p.named(open):
			tokens = append(tokens, escapeToken(p.nameBefore(uint32(p.n))))
		}
		child = open
	}
	var out []byte
	for i := len(tokens) - 1; i >= 0; i-- {
		out = append(append(out, '/'), tokens[i]...)
	}
	return string(out)
}

// named reports whether the innermost object has a name whose value is not
// there yet. Its direct children are names and values in turn.
func (p *parser) named(object uint32) bool {
	d := Doc{src: p.src, nodes: p.nodes[:p.n]}
	n := 0
	for i := object + containerWidth; i < uint32(p.n); i = d.next(i) {
		n++
	}
	return n%2 == 1
}

// nameBefore is the member name right before node i, whose value i is.
func (p *parser) nameBefore(i uint32) string {
	d := Doc{src: p.src, nodes: p.nodes[:p.n]}
	return Value{&d, i - 1}.String()
}

// wordEnd is the end of the letters, digits and signs at the current byte.
func (p *parser) wordEnd() int { return p.wordFrom(p.pos) }

func (p *parser) wordFrom(i int) int {
	for i < len(p.src) && (letter(p.src[i]) || p.src[i] >= '0' && p.src[i] <= '9') {
		i++
	}
	return i
}

// tokenEnd is the end of what belongs together from i on.
func (p *parser) tokenEnd(i int) int {
	for i < len(p.src) && (letter(p.src[i]) || p.src[i] >= '0' && p.src[i] <= '9' || p.src[i] == '.' || p.src[i] >= utf8.RuneSelf) {
		i++
	}
	return min(i, len(p.src))
}

func letter(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '$'
}

// shown is the character at the current byte, made fit for a sentence.
func (p *parser) shown() string { return show(p.src[p.pos:]) }

func show(b []byte) string {
	r, n := utf8.DecodeRune(b)
	switch {
	case r == utf8.RuneError && n <= 1:
		return fmt.Sprintf("the byte %02X", b[0])
	case r == 0x1b:
		return "an " + charName(byte(r))
	case r < 0x20 || r == 0x7f:
		return "a " + charName(byte(r))
	case !unicode.IsPrint(r):
		return fmt.Sprintf("U+%04X", r)
	case unicode.IsLetter(r) || unicode.IsDigit(r):
		return `"` + string(r) + `"` // else it reads as a word
	}
	return string(r)
}

// shownEscape is a backslash and what stands behind it.
func shownEscape(b []byte) string {
	if r, _ := utf8.DecodeRune(b); r != utf8.RuneError && unicode.IsPrint(r) {
		return "\\" + string(r)
	}
	return "\\ and " + show(b)
}

func charName(c byte) string {
	switch c {
	case '\n':
		return "line break"
	case '\r':
		return "carriage return"
	case '\t':
		return "tab"
	case 0x1b:
		return "escape character (1B)"
	}
	return fmt.Sprintf("control character (%02X)", c)
}

// clip keeps a word short in a sentence; it holds ASCII letters and digits
// alone, so nothing in it needs an escape.
func clip(b []byte) []byte {
	const most = 40
	if len(b) > most {
		return append(append([]byte{}, b[:most]...), "…"...)
	}
	return b
}
