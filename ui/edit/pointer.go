package edit

import (
	"strconv"
	"strings"
)

// maxLevels is how many levels of nesting a pointer is worked out for.
const maxLevels = 1_000

// Pointer is the JSON pointer (RFC 6901) of the value at the caret, or of the
// member whose name the caret is in; "" is the whole text. It needs no text
// that is JSON as a whole, only brackets that fit before the caret. ok is false
// where the nesting is deeper than 1,000.
func (e *Editor) Pointer() (pointer string, ok bool) {
	p, text := e.caret, Pos{-1, 0} // text is where the string begins that is at the caret
	if e.stateAt(p) != outside {
		p.Byte, _ = e.opensString(p)
		text = p
	} else if at, c, ok := e.before(p); ok && c == '"' && at.Line == p.Line {
		if open, ok := e.opensString(at); ok {
			p.Byte = open
			text = p
		}
	} else if at, c, ok := e.behind(p); ok && c == '"' {
		text = at
	}
	levels, ok := e.levels(p)
	if !ok {
		return "", false
	}
	var b strings.Builder
	for i := len(levels) - 1; i >= 0; i-- {
		token, ok := e.token(levels[i])
		switch {
		case i > 0:
		case levels[0].c == '[':
			ok = !e.emptyList(levels[0])
		case !ok && text.Line >= 0:
			token, ok = e.stringAt(text), true
		}
		if ok {
			b.WriteByte('/')
			b.WriteString(escapeToken(token))
		}
	}
	return b.String(), true
}

// emptyList reports whether a list has nothing in it.
func (e *Editor) emptyList(l level) bool {
	_, c, ok := e.behind(Pos{l.at.Line, l.at.Byte + 1})
	return ok && c == ']'
}

// levels are the lists and objects around a place outside of strings, the
// innermost first; false when there are too many.
func (e *Editor) levels(p Pos) ([]level, bool) {
	var out []level
	w := walk{e: e}
	for w.back(p) {
		if len(out) == maxLevels {
			return nil, false
		}
		out = append(out, w.level)
	}
	return out, !w.cut
}

// token is the name or index of a level's value, false where there is none.
func (e *Editor) token(l level) (string, bool) {
	switch {
	case l.c == '[':
		return strconv.Itoa(l.commas), true
	case !l.colon:
		return "", false
	}
	name, _, _, ok := e.nameBefore(l.mark)
	return name, ok
}

// stringAt is what the string says that begins at a place. One that does not
// end goes to the end of its line.
func (e *Editor) stringAt(p Pos) string {
	return decoded(e.lines[p.Line][p.Byte:e.stringEnd(p)])
}

// stringEnd is the byte behind the string that begins at a place.
func (e *Editor) stringEnd(p Pos) int {
	line := e.lines[p.Line]
	for i := p.Byte + 1; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(line)
}

// MoveToPointer puts the caret at the start of the value that a JSON pointer
// means, and reports whether there is one.
func (e *Editor) MoveToPointer(pointer string) bool {
	from, _, ok := e.locate(pointer)
	if ok {
		e.place(from)
	}
	return ok
}

// locate finds the value of a pointer. Where the text is known to be JSON what
// is known helps; else brackets and names are followed as far as they lead.
func (e *Editor) locate(pointer string) (from, to Pos, ok bool) {
	if e.json && !e.waits() {
		e.Check()
	}
	if doc, fault, current := e.Checked(); current && fault == nil && doc != nil {
		v := doc.Root().At(pointer)
		if v.IsZero() {
			return Pos{}, Pos{}, false
		}
		return e.At(v.Start()), e.At(v.End()), true
	}
	at, _, ok := e.behind(Pos{})
	for ok && pointer != "" {
		if pointer[0] != '/' {
			return Pos{}, Pos{}, false
		}
		token, rest, _ := strings.Cut(pointer[1:], "/")
		if pointer = ""; rest != "" || strings.HasSuffix(token, "/") {
			pointer = "/" + rest
		}
		at, ok = e.child(at, unescapeToken(token))
	}
	if !ok {
		return Pos{}, Pos{}, false
	}
	to, ok = e.valueEnd(at)
	return at, to, ok
}

// maxSiblings is how many values are passed in search of one in text that is no
// JSON.
const maxSiblings = 100_000

// child is where the value begins that has a name or index in the value at a
// place.
func (e *Editor) child(p Pos, token string) (Pos, bool) {
	open := e.lines[p.Line][p.Byte]
	if open != '{' && open != '[' {
		return Pos{}, false
	}
	p.Byte++
	for n := range maxSiblings {
		at, c, ok := e.behind(p)
		if !ok || c == '}' || c == ']' {
			return Pos{}, false
		}
		mine := open == '[' && strconv.Itoa(n) == token
		if open == '{' {
			if c != '"' {
				return Pos{}, false
			}
			mine = e.stringAt(at) == token
			colon, c, ok := e.behind(Pos{at.Line, e.stringEnd(at)})
			if !ok || c != ':' {
				return Pos{}, false
			}
			if at, _, ok = e.behind(Pos{colon.Line, colon.Byte + 1}); !ok {
				return Pos{}, false
			}
		}
		if mine {
			return at, true
		}
		end, ok := e.valueEnd(at)
		if !ok {
			return Pos{}, false
		}
		comma, c, ok := e.behind(end)
		if !ok || c != ',' {
			return Pos{}, false
		}
		p = Pos{comma.Line, comma.Byte + 1}
	}
	return Pos{}, false
}

// valueEnd is the place behind the value that begins at another.
func (e *Editor) valueEnd(p Pos) (Pos, bool) {
	line := e.lines[p.Line]
	switch c := line[p.Byte]; c {
	case '{', '[':
		end, ok := e.closing(Pos{p.Line, p.Byte + 1})
		return Pos{end.Line, end.Byte + 1}, ok
	case '"':
		return Pos{p.Line, e.stringEnd(p)}, true
	}
	to := wordEnd(line, p.Byte)
	return Pos{p.Line, to}, to > p.Byte
}

// wordEnd is where a number or word ends that is no string.
func wordEnd(line string, i int) int {
	for i < len(line) && !isBlank(line[i]) && strings.IndexByte("{}[]:,\"", line[i]) < 0 {
		i++
	}
	return i
}

func escapeToken(s string) string {
	if !strings.ContainsAny(s, "~/") {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "~", "~0"), "/", "~1")
}

func unescapeToken(s string) string {
	if !strings.Contains(s, "~") {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "~1", "/"), "~0", "~")
}
