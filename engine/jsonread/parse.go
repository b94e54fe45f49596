package jsonread

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"perch/engine/abi"
)

// Options of a parse.
type Options struct {
	// MaxDepth is how deep arrays and objects may nest; 0 is abi.MaxDepthJSON,
	// a negative number is no limit.
	MaxDepth int
}

// Parse reads a text that holds exactly one value, with white space around it
// allowed. The source must be shorter than 512 MiB and must not be changed
// afterwards.
func Parse(src []byte) (*Doc, *Error) { return Options{}.Parse(src) }

// ParsePrefix reads the first value of a text and says where it ends; what
// follows is not looked at.
func ParsePrefix(src []byte) (doc *Doc, rest int, err *Error) {
	return Options{}.ParsePrefix(src)
}

// Parse is the package's Parse with these options.
func (o Options) Parse(src []byte) (*Doc, *Error) {
	p, err := o.read(src)
	if err != nil {
		return nil, err
	}
	p.space()
	if p.pos < len(p.src) {
		return nil, p.trailing()
	}
	return p.doc(), nil
}

// ParsePrefix is the package's ParsePrefix with these options.
func (o Options) ParsePrefix(src []byte) (doc *Doc, rest int, err *Error) {
	p, err := o.read(src)
	if err != nil {
		return nil, 0, err
	}
	return p.doc(), p.pos, nil
}

func (o Options) read(src []byte) (*parser, *Error) {
	p := &parser{src: src, max: o.MaxDepth, open: none, nodes: make([]node, room(src))}
	switch {
	case p.max == 0:
		p.max = abi.MaxDepthJSON
	case p.max < 0:
		p.max = len(src)
	}
	if err := p.mark(); err != nil {
		return nil, err
	}
	if err := p.run(); err != nil {
		err.Pointer = p.pointer()
		return nil, err
	}
	return p, nil
}

// room is how many nodes to make room for at first: texts of people have one for
// each eight bytes or so.
func room(src []byte) int { return min(len(src)/4+8, 1<<12) }

// grow makes room for as many nodes as the text will have when it goes on as it
// began, so a long text is copied once or twice. Texts differ too much to guess
// at their first byte, and to count what parts their values takes longer. A whole
// text has no more nodes than bytes.
func (p *parser) grow() {
	wanted := int(float64(p.n) * float64(len(p.src)) / float64(p.pos+1) * 1.05)
	nodes := make([]node, max(min(wanted, len(p.src))+8, p.n+p.n/2))
	copy(nodes, p.nodes[:p.n])
	p.nodes = nodes
}

// parser reads one value. The open containers are a list through the parents
// of the nodes, so nothing recurses and no stack is needed.
type parser struct {
	src        []byte
	pos        int
	nodes      []node
	n          int    // nodes that were made; behind them is room
	open       uint32 // the innermost open container
	max, depth int
	about      about
}

func (p *parser) doc() *Doc { return &Doc{p.src, p.nodes[:p.n:p.n], p.about} }

// mark refuses a byte order mark.
func (p *parser) mark() *Error {
	for _, m := range []struct {
		bytes, text string
	}{
		{"\xef\xbb\xbf", "begins with a byte order mark (EF BB BF)"},
		{"\xff\xfe", "begins with a UTF-16 byte order mark (FF FE)"},
		{"\xfe\xff", "begins with a UTF-16 byte order mark (FE FF)"},
	} {
		if bytes.HasPrefix(p.src, []byte(m.bytes)) {
			return &Error{Offset: 0, End: len(m.bytes), Kind: BOM, Text: m.text}
		}
	}
	return nil
}

// run reads values until the first one is whole.
func (p *parser) run() *Error {
	for {
		if p.opens() || !p.quick() {
			opened, err := p.value()
			if err != nil {
				return err
			}
			if opened {
				continue
			}
		}
		for { // a value is whole: what follows belongs to the open container
			if p.open == none {
				return nil
			}
			more, err := p.after()
			if err != nil {
				return err
			}
			if more {
				break
			}
		}
	}
}

// opens reports whether an array or object begins at the current byte.
func (p *parser) opens() bool {
	return p.pos < len(p.src) && (p.src[p.pos] == '[' || p.src[p.pos] == '{')
}

// value reads a scalar, an empty container, or the opening of a container that
// holds something; then opened is true and its first value comes next.
func (p *parser) value() (opened bool, err *Error) {
	p.space()
	if p.pos == len(p.src) {
		return false, p.missing()
	}
	switch c := p.src[p.pos]; {
	case c == '"':
		return false, p.str()
	case c == '{' || c == '[':
		return p.container(c)
	case c == '-' || c >= '0' && c <= '9':
		return false, p.number()
	default:
		return false, p.word()
	}
}

// add makes the node of a scalar that ends at the current byte.
func (p *parser) add(start int, flags uint32) {
	if p.n == len(p.nodes) {
		p.grow()
	}
	p.nodes[p.n] = node{uint32(start), uint32(p.pos), p.open<<flagBits | flags}
	p.n++
}

// begin makes the nodes of an array or object that opens at the current byte.
func (p *parser) begin() {
	if p.n+containerWidth > len(p.nodes) {
		p.grow()
	}
	n := p.n
	p.n += containerWidth
	p.nodes[n] = node{uint32(p.pos), uint32(p.pos + 1), p.open << flagBits}
	p.nodes[n+1] = bounds(uint32(p.n), 0)
	p.open = uint32(n)
	p.depth++
	p.about.depth = max(p.about.depth, p.depth)
	p.pos++
}

func (p *parser) container(c byte) (opened bool, err *Error) {
	if p.depth == p.max {
		return false, p.fail(p.pos, p.pos+1, Depth, fmt.Sprintf("is nested deeper than %d", p.max))
	}
	p.begin()
	if p.pos < len(p.src) && p.src[p.pos] == c+2 { // [] and {} at once
		p.close()
		return false, nil
	}
	p.space()
	if p.pos < len(p.src) && p.src[p.pos] == c+2 { // ] and } stand two behind [ and {
		p.close()
		return false, nil
	}
	if c == '{' {
		return true, p.name(false)
	}
	return true, nil
}

// close ends the innermost open container at the current byte.
func (p *parser) close() {
	p.pos++
	n, b := &p.nodes[p.open], &p.nodes[p.open+1]
	n.end = uint32(p.pos)
	b.start = uint32(p.n)
	if b.start > p.open+containerWidth {
		b.end++ // the value that has no comma behind it
	}
	if b.end > 1 && p.src[n.start] == '{' {
		p.about.crowded++
	}
	p.open = n.parent()
	p.depth--
}

// after reads what follows a value in a container: a comma, and in an object
// the next name, or the end of the container.
func (p *parser) after() (more bool, err *Error) {
	p.space()
	n := &p.nodes[p.open]
	if p.pos == len(p.src) {
		return false, p.fail(p.pos, p.pos, EOF, "ends inside "+kindAt(p.src, n).String())
	}
	object := p.src[n.start] == '{'
	closing := p.src[n.start] + 2
	switch c := p.src[p.pos]; {
	case c == closing:
		p.close()
		return false, nil
	case c == ',':
		p.nodes[p.open+1].end++
		p.pos++
		if object {
			return true, p.name(true)
		}
		p.space()
		if p.pos < len(p.src) && p.src[p.pos] == ']' {
			return false, p.fail(p.pos-1, p.pos, TrailingComma, "has a comma before ]")
		}
		return true, nil
	case c == '"' || c == '{' || c == '[' || c == '-' || c >= '0' && c <= '9':
		return false, p.fail(p.pos, p.pos+1, MissingComma, "lacks a comma before "+p.shown())
	default:
		return false, p.odd(fmt.Sprintf("has %s where , or %c belongs", p.shown(), closing))
	}
}

// name reads a member name and its colon.
func (p *parser) name(comma bool) *Error {
	p.space()
	if p.pos == len(p.src) {
		return p.fail(p.pos, p.pos, EOF, "ends inside an object")
	}
	switch c := p.src[p.pos]; {
	case c == '"':
		if err := p.str(); err != nil {
			return err
		}
	case c == '}' && comma:
		return p.fail(p.pos, p.pos+1, TrailingComma, "has a comma before }")
	case letter(c):
		end := p.wordEnd()
		return p.fail(p.pos, end, BareName, "has a member name without quotes, "+string(clip(p.src[p.pos:end])))
	default:
		return p.odd("has " + p.shown() + " where a member name belongs")
	}
	p.space()
	if p.pos == len(p.src) {
		return p.fail(p.pos, p.pos, EOF, "ends inside an object")
	}
	if p.src[p.pos] != ':' {
		return p.odd("has " + p.shown() + " where : belongs")
	}
	p.pos++
	return nil
}

// space passes over white space and counts it.
func (p *parser) space() {
	start := p.pos
	for p.pos < len(p.src) && (p.src[p.pos] == ' ' || p.src[p.pos] == '\t' || p.src[p.pos] == '\n' || p.src[p.pos] == '\r') {
		p.pos++
	}
	if n := p.pos - start; n > 0 {
		if p.about.blanks == 0 {
			p.about.firstBlank = start
		}
		p.about.blanks += n
	}
}

// str reads a string from its opening quote.
func (p *parser) str() *Error {
	start := p.pos
	src := p.src
	i := p.pos + 1
	var flags uint32
	for {
		for i < len(src) && plain(src[i]) {
			i++
		}
		if i >= len(src) {
			break
		}
		c := src[i]
		switch {
		case c == '"':
			p.pos = i + 1
			if flags&flagOdd != 0 {
				p.about.odd++
			}
			p.add(start, flags)
			return nil
		case c == '\\':
			flags |= flagEscaped
			n, lone, err := p.escape(i)
			if err != nil {
				return err
			}
			if lone {
				flags |= flagOdd
			}
			i += n
		case c < 0x20:
			p.pos = i
			return p.fail(i, i+1, ControlChar, fmt.Sprintf("has a raw %s in a string", charName(c)))
		default:
			r, n := utf8.DecodeRune(src[i:])
			if r == utf8.RuneError && n == 1 {
				if !utf8.FullRune(src[i:]) {
					i = len(src) // cut inside a character
					break
				}
				p.pos = i
				return p.notUTF8()
			}
			i += n
		}
	}
	p.pos = len(src)
	return p.fail(len(src), len(src), UnterminatedString, "ends inside a string")
}

// plain says that a byte of a string is ASCII and means itself.
func plain(c byte) bool { return c >= 0x20 && c < utf8.RuneSelf && c != '"' && c != '\\' }

// escape reads the escape at i: its length, and whether it is a lone surrogate.
func (p *parser) escape(i int) (n int, lone bool, err *Error) {
	src := p.src
	if i+1 == len(src) {
		return 0, false, p.fail(len(src), len(src), UnterminatedString, "ends inside a string")
	}
	switch src[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2, false, nil
	case 'u':
	default:
		return 0, false, p.fail(i, i+2, BadEscape, "has the escape "+shownEscape(src[i+1:])+", which JSON does not know")
	}
	r, ok := hex4(src[i+2:])
	if !ok {
		if len(src) < i+6 && hexOnly(src[i+2:]) {
			return 0, false, p.fail(len(src), len(src), UnterminatedString, "ends inside a string")
		}
		return 0, false, p.fail(i, min(i+6, len(src)), BadEscape, `has \u without four hex digits`)
	}
	if r < 0xd800 || r > 0xdfff {
		return 6, false, nil
	}
	if low, ok := pair(r, src[i+6:]); ok && low != 0 {
		return 12, false, nil
	}
	return 6, true, nil
}

// pair reads the low half that follows the high surrogate r.
func pair(r rune, rest []byte) (rune, bool) {
	if r >= 0xdc00 || len(rest) < 6 || rest[0] != '\\' || rest[1] != 'u' {
		return 0, false
	}
	low, ok := hex4(rest[2:])
	if !ok || low < 0xdc00 || low > 0xdfff {
		return 0, false
	}
	return 0x10000 + (r-0xd800)<<10 + (low - 0xdc00), true
}

// sureDigits is the longest number without an exponent that a double holds
// whatever its digits are, and sureNumber the longest of all.
const (
	sureDigits = 15
	sureNumber = 4
)

// number reads -? int frac? exp?.
func (p *parser) number() *Error {
	start, i := p.pos, p.pos
	at := func() byte {
		if i < len(p.src) {
			return p.src[i]
		}
		return 0
	}
	digits := func() bool {
		from := i
		for c := at(); c >= '0' && c <= '9'; c = at() {
			i++
		}
		return i > from
	}
	bad := func(text string) *Error {
		if i == len(p.src) {
			return p.fail(i, i, EOF, "ends inside a number")
		}
		return p.fail(start, p.tokenEnd(i), BadNumber, text)
	}
	if at() == '-' {
		i++
	}
	switch {
	case at() == '0':
		i++
		if c := at(); c >= '0' && c <= '9' {
			return bad("has a number with a leading zero")
		}
		if c := at(); c == 'x' || c == 'X' {
			return bad("has a number in hex")
		}
	case i > start && letter(at()):
		end := p.wordFrom(i)
		return p.fail(start, end, Constant, string(clip(p.src[start:end]))+" is not JSON")
	case !digits():
		return bad("has a number without digits")
	}
	if at() == '.' {
		i++
		if !digits() {
			return bad("has a number without digits behind its point")
		}
	}
	var flags uint32
	if c := at(); c == 'e' || c == 'E' {
		flags = flagOdd
		i++
		if c := at(); c == '+' || c == '-' {
			i++
		}
		if !digits() {
			return bad("has a number without digits in its exponent")
		}
	}
	switch n := i - start; {
	case n <= sureNumber:
		flags = 0
	case n > sureDigits:
		flags = flagOdd
	}
	if flags != 0 {
		p.about.odd++
	}
	p.pos = i
	p.add(start, flags)
	return nil
}

// word reads true, false and null, and names everything else that may stand
// where a value belongs.
func (p *parser) word() *Error {
	start := p.pos
	end := p.wordEnd()
	switch string(p.src[start:end]) {
	case "true", "false", "null":
		p.pos = end
		p.add(start, 0)
		return nil
	}
	word := string(p.src[start:end])
	for _, w := range [...]string{"true", "false", "null"} {
		if end == len(p.src) && word != "" && strings.HasPrefix(w, word) {
			return p.fail(end, end, EOF, "ends inside "+w)
		}
	}
	switch word {
	case "NaN", "nan", "Infinity", "inf", "undefined", "None", "True", "False", "nil", "NULL", "TRUE", "FALSE":
		return p.fail(start, end, Constant, word+" is not JSON")
	}
	switch c := p.src[start]; {
	case c == ']' || c == '}':
		return p.fail(start, start+1, Unexpected, fmt.Sprintf("has %c where a value belongs", c))
	case c == '.' || c == '+':
		return p.fail(start, p.tokenEnd(start+1), BadNumber, fmt.Sprintf("has a number that begins with %c", c))
	}
	return p.odd("has " + p.shown() + " where a value belongs")
}

// missing is the error at the end of the text where a value belongs.
func (p *parser) missing() *Error {
	if p.open == none {
		return p.fail(p.pos, p.pos, Empty, "is empty")
	}
	return p.fail(p.pos, p.pos, EOF, "ends inside "+kindAt(p.src, &p.nodes[p.open]).String())
}
