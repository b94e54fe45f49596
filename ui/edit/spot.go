package edit

import "strings"

// spot is what a text of JSON can go on with at the caret.
type spot struct {
	key     bool   // a member's name, else a value
	pointer string // of the object that the name is for, or of the value
	prefix  string // what of it stands before the caret, without its quote
	// What a suggestion replaces: from a quote or the first character, to the
	// end of what belongs to it.
	from, to Pos
	comma    bool // one is missing before it
	after    Pos  // then: where
	level    level
}

// spotAt is the spot at a place; false where neither a name nor a value can
// stand, and where too much is open to say which it would be.
func (e *Editor) spotAt(p Pos) (spot, bool) {
	s := spot{from: p, to: p}
	line := e.lines[p.Line]
	if e.stateAt(p) != outside {
		open, ok := e.opensString(p)
		if !ok {
			return s, false
		}
		if s.from.Byte = open; p.Byte-open > maxCharacter {
			return s, false
		}
		s.prefix = line[open+1 : p.Byte]
		s.to.Byte = restOfString(line, p.Byte)
	} else {
		for s.from.Byte > 0 && !isBlank(line[s.from.Byte-1]) && strings.IndexByte("{}[]:,\"", line[s.from.Byte-1]) < 0 {
			s.from.Byte--
			if p.Byte-s.from.Byte > maxCharacter {
				return s, false
			}
		}
		s.prefix = line[s.from.Byte:p.Byte]
		s.to.Byte = wordEnd(line, p.Byte)
	}
	at, c, some := e.before(s.from)
	levels, ok := e.levels(s.from)
	if !ok {
		return s, false
	}
	if len(levels) == 0 {
		return s, !some // a value that is the whole text
	}
	s.level = levels[0]
	object := s.level.c == '{'
	s.after = Pos{at.Line, at.Byte + 1}
	switch c {
	case '{', '[', ',':
		s.key = object
	case ':':
		if !object {
			return s, false
		}
	default: // behind a value, or a name without its colon
		if object && !s.level.colon || s.after == s.from {
			return s, false
		}
		s.key, s.comma = object, true
	}
	s.pointer = e.spotPointer(levels, s)
	return s, true
}

// spotPointer is the pointer of the spot's object or value.
func (e *Editor) spotPointer(levels []level, s spot) string {
	var b strings.Builder
	for i := len(levels) - 1; i >= 0; i-- {
		l := levels[i]
		if i == 0 && s.key {
			break
		}
		if i == 0 && s.comma {
			l.commas++
		}
		token, _ := e.token(l)
		b.WriteByte('/')
		b.WriteString(escapeToken(token))
	}
	return b.String()
}

// restOfString is where a string ends in which the caret is: behind its quote
// when all up to it looks like one word, else at the caret. A string that is
// just being written has no end yet, and the next quote is that of another.
func restOfString(line string, at int) int {
	for i := at; i < len(line) && i-at < maxCharacter; i++ {
		switch c := line[i]; {
		case c == '"':
			rest := strings.TrimLeft(line[i+1:min(len(line), i+1+maxCharacter)], " \t\r")
			if rest == "" || strings.IndexByte(":,}]", rest[0]) >= 0 {
				return i + 1
			}
			return at
		case isBlank(c) || strings.IndexByte("{}[]:,\\", c) >= 0:
			return at
		}
	}
	return at
}

// maxNames is how many bytes of an object are looked at for the names that it
// has.
const maxNames = 16 << 10

// names are those that stand in the object of a spot already, as far as it is
// read; the one at the spot is left out.
func (e *Editor) names(s spot) map[string]bool {
	out := map[string]bool{}
	depth, left := 0, maxNames
	var name string
	begin := Pos{-1, 0} // of the string that was passed last
	first := Pos{s.level.at.Line, s.level.at.Byte + 1}
	for line := first.Line; line < len(e.lines) && left > 0; line++ {
		text, from := e.lines[line], 0
		if line == first.Line {
			from = first.Byte
		}
		to := min(len(text), from+left)
		left -= to - from + 1
		for _, m := range marksOf(nil, text[from:to], outside, from) {
			switch m.c {
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth < 0 {
					return out
				}
			case '"':
				if m.open {
					begin = Pos{line, m.at}
				} else if depth == 0 {
					name = text[begin.Byte : m.at+1]
				}
			case ':':
				if depth == 0 && name != "" && begin != s.from {
					out[decoded(name)] = true
				}
				name = ""
			}
		}
	}
	return out
}
