//go:build wasip1

package main

// JSON as it stands in the text: each value knows its own bytes, so an id or a
// large number goes out exactly as it came in. Not encoding/json, which would
// double the size of the module.

// value is a JSON value; its zero value is an absent one.
type value struct {
	raw     string // as written; empty when absent
	text    string // of a string, escapes resolved
	list    []value
	members []member
}

type member struct {
	name  string
	value value
}

func (v value) kind() byte {
	if v.raw == "" {
		return 0
	}
	return v.raw[0]
}

func (v value) isText() bool   { return v.kind() == '"' }
func (v value) isList() bool   { return v.kind() == '[' }
func (v value) isObject() bool { return v.kind() == '{' }
func (v value) isNull() bool   { return v.raw == "null" }

// get is an object's member; of members with one name the last counts.
func (v value) get(name string) value {
	for i := len(v.members) - 1; i >= 0; i-- {
		if v.members[i].name == name {
			return v.members[i].value
		}
	}
	return value{}
}

// maxDepth is how deep values may nest.
const maxDepth = 1000

// parse reads the one value that the text holds.
func parse(text string) (value, bool) {
	p := parser{text: text}
	v, ok := p.value(0)
	p.space()
	return v, ok && p.at == len(text)
}

type parser struct {
	text string
	at   int
}

func (p *parser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *parser) eat(c byte) bool {
	if p.peek() != c || p.at == len(p.text) {
		return false
	}
	p.at++
	return true
}

func (p *parser) space() {
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\t' || p.text[p.at] == '\n' || p.text[p.at] == '\r') {
		p.at++
	}
}

func (p *parser) value(depth int) (v value, ok bool) {
	if depth > maxDepth {
		return v, false
	}
	p.space()
	from := p.at
	switch p.peek() {
	case '{':
		v.members, ok = p.object(depth)
	case '[':
		v.list, ok = p.array(depth)
	case '"':
		v.text, ok = p.string()
	case 't':
		ok = p.word("true")
	case 'f':
		ok = p.word("false")
	case 'n':
		ok = p.word("null")
	default:
		ok = p.number()
	}
	v.raw = p.text[from:p.at]
	return v, ok
}

func (p *parser) word(w string) bool {
	if len(p.text)-p.at < len(w) || p.text[p.at:p.at+len(w)] != w {
		return false
	}
	p.at += len(w)
	return true
}

func (p *parser) digits() bool {
	from := p.at
	for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
		p.at++
	}
	return p.at > from
}

func (p *parser) number() bool {
	p.eat('-')
	if !p.eat('0') && !p.digits() {
		return false
	}
	if p.eat('.') && !p.digits() {
		return false
	}
	if p.eat('e') || p.eat('E') {
		_ = p.eat('+') || p.eat('-')
		return p.digits()
	}
	return true
}

func (p *parser) array(depth int) (list []value, ok bool) {
	p.eat('[')
	p.space()
	if p.eat(']') {
		return nil, true
	}
	for {
		v, ok := p.value(depth + 1)
		if !ok {
			return nil, false
		}
		list = append(list, v)
		p.space()
		if p.eat(']') {
			return list, true
		}
		if !p.eat(',') {
			return nil, false
		}
	}
}

func (p *parser) object(depth int) (members []member, ok bool) {
	p.eat('{')
	p.space()
	if p.eat('}') {
		return nil, true
	}
	for {
		p.space()
		name, ok := p.string()
		p.space()
		if !ok || !p.eat(':') {
			return nil, false
		}
		v, ok := p.value(depth + 1)
		if !ok {
			return nil, false
		}
		members = append(members, member{name, v})
		p.space()
		if p.eat('}') {
			return members, true
		}
		if !p.eat(',') {
			return nil, false
		}
	}
}

func (p *parser) string() (string, bool) {
	if !p.eat('"') {
		return "", false
	}
	var out []byte
	for p.at < len(p.text) {
		c := p.text[p.at]
		p.at++
		switch {
		case c == '"':
			return string(out), true
		case c < ' ':
			return "", false
		case c != '\\':
			out = append(out, c)
		default:
			r, ok := p.escape()
			if !ok {
				return "", false
			}
			out = append(out, string(r)...)
		}
	}
	return "", false
}

func (p *parser) escape() (rune, bool) {
	c := p.peek()
	p.at++
	switch c {
	case '"', '\\', '/':
		return rune(c), true
	case 'b':
		return '\b', true
	case 'f':
		return '\f', true
	case 'n':
		return '\n', true
	case 'r':
		return '\r', true
	case 't':
		return '\t', true
	case 'u':
		return p.unicode()
	}
	return 0, false
}

// unicode is a \u escape, with its second half where it has one. A lone
// surrogate becomes U+FFFD when it is turned into a string.
func (p *parser) unicode() (rune, bool) {
	first, ok := p.hex()
	if !ok || first < 0xD800 || first >= 0xDC00 {
		return first, ok
	}
	back := p.at
	if p.eat('\\') && p.eat('u') {
		if second, ok := p.hex(); ok && second >= 0xDC00 && second < 0xE000 {
			return 0x10000 + (first-0xD800)<<10 + (second - 0xDC00), true
		}
	}
	p.at = back
	return first, true
}

func (p *parser) hex() (code rune, ok bool) {
	for range 4 {
		c := p.peek()
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		code = code<<4 | rune(c)
		p.at++
	}
	return code, true
}

// quote writes a text as a JSON string.
func quote(text string) string {
	const hex = "0123456789abcdef"
	out := []byte{'"'}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c == '\n':
			out = append(out, '\\', 'n')
		case c < ' ':
			out = append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			out = append(out, c)
		}
	}
	return string(append(out, '"'))
}
