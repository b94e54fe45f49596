package edit

import (
	"sort"
	"strings"

	"perch/engine/jsonread"
)

// How to find brackets, names and places in a text without reading what lies
// between, whether it is JSON or not.

// maxWalk is how many lines are gone over in search of one thing. What lies
// further away is not found, and nothing is said of it.
const maxWalk = 100_000

// mark is a byte outside of strings that gives a text its structure, or a quote.
type mark struct {
	at   int // in its line
	c    byte
	open bool // of a quote: it begins a string
}

// marksOf adds the marks of a piece of a line, which begins in a state at a
// byte.
func marksOf(dst []mark, text string, st lexState, at int) []mark {
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case st == escaped:
			st = inString
		case st == inString:
			switch c {
			case '\\':
				st = escaped
			case '"':
				st = outside
				dst = append(dst, mark{at: at + i, c: c})
			}
		case c == '"':
			st = inString
			dst = append(dst, mark{at: at + i, c: c, open: true})
		case c == '{' || c == '[' || c == '}' || c == ']' || c == ',' || c == ':':
			dst = append(dst, mark{at: at + i, c: c})
		}
	}
	return dst
}

// unit is a line, or a piece of a long one.
type unit struct {
	from, to int // bytes of the line
	st       lexState
	sum      sum
}

// units is the number of units of a line.
func (e *Editor) units(i int) int {
	long := e.shapes[i].long
	if long == nil {
		return 1
	}
	long.read(e.lines[i])
	return len(long.all)
}

func (e *Editor) unit(i, n int) unit {
	long := e.shapes[i].long
	if long == nil {
		return unit{0, len(e.lines[i]), outside, e.shapes[i].sum}
	}
	p, from, st := &long.all[n], long.starts[n], long.states[n]
	return unit{from, from + p.bytes, st, p.sums[st]}
}

// unitOf is the unit that a byte of a line belongs to; the end of a line to the
// last one.
func (e *Editor) unitOf(p Pos) int {
	n := e.units(p.Line)
	if n == 1 {
		return 0
	}
	return sort.SearchInts(e.shapes[p.Line].long.starts, p.Byte+1) - 1
}

// stateAt is the state before a byte of a line.
func (e *Editor) stateAt(p Pos) lexState {
	u := e.unit(p.Line, e.unitOf(p))
	return sumOf(e.lines[p.Line][u.from:p.Byte], u.st).end
}

// closing is where the bracket closes that opens right before a place.
func (e *Editor) closing(p Pos) (Pos, bool) {
	depth := int32(1)
	var buf [64]mark
	first := e.unitOf(p)
	for i := p.Line; i < len(e.lines) && i-p.Line < maxWalk; i++ {
		if i > p.Line {
			if s := e.sumOfLine(i); s.down < depth {
				depth += s.up - s.down
				continue
			}
		}
		for n := first; n < e.units(i); n++ {
			u := e.unit(i, n)
			switch {
			case i == p.Line && u.from < p.Byte:
				u.from, u.st = p.Byte, outside
			case u.sum.down < depth:
				depth += u.sum.up - u.sum.down
				continue
			}
			for _, m := range marksOf(buf[:0], e.lines[i][u.from:u.to], u.st, u.from) {
				switch m.c {
				case '{', '[':
					depth++
				case '}', ']':
					if depth--; depth == 0 {
						return Pos{i, m.at}, true
					}
				}
			}
		}
		first = 0
	}
	return Pos{}, false
}

// opening is where the innermost bracket opens that is still open before a
// place outside of strings.
func (e *Editor) opening(p Pos) (Pos, bool) {
	w := walk{e: e}
	ok := w.back(p)
	return w.level.at, ok
}

// level is a list or object that is open at a place.
type level struct {
	at     Pos  // of its bracket
	c      byte // { or [
	commas int  // of its own before the place
	colon  bool // the last of its own marks is a colon
	mark   Pos  // that colon
}

// walk goes from a place outwards, level by level.
type walk struct {
	e     *Editor
	level level // the one that was found last

	rel   int32 // brackets that closed and whose opening was not passed yet
	now   level // what is known of the next one
	seen  bool  // a comma or colon of its own was passed
	first int   // the line where it began
	cut   bool  // it gave up
	line  int
	unit  int    // units of the line that were not passed
	marks []mark // those of the unit that were not passed
	begun bool
}

// back finds the next level outwards; the first time, from a place.
func (w *walk) back(p Pos) bool {
	if !w.begun {
		w.begun = true
		w.first, w.line, w.unit = p.Line, p.Line, w.e.unitOf(p)
		u := w.e.unit(p.Line, w.unit)
		w.marks = marksOf(w.marks[:0], w.e.lines[p.Line][u.from:p.Byte], u.st, u.from)
	}
	for {
		if w.pass() {
			return true
		}
		if !w.load() {
			return false
		}
	}
}

// pass goes over the marks at hand and reports whether a level was found.
func (w *walk) pass() bool {
	for len(w.marks) > 0 {
		m := w.marks[len(w.marks)-1]
		w.marks = w.marks[:len(w.marks)-1]
		switch m.c {
		case '}', ']':
			w.rel++
		case '{', '[':
			if w.rel > 0 {
				w.rel--
				continue
			}
			w.now.at, w.now.c = Pos{w.line, m.at}, m.c
			w.level, w.now, w.seen = w.now, level{}, false
			return true
		case ',', ':':
			if w.rel > 0 {
				continue
			}
			if m.c == ',' {
				w.now.commas++
			}
			if !w.seen {
				w.seen = true
				w.now.colon, w.now.mark = m.c == ':', Pos{w.line, m.at}
			}
		}
	}
	return false
}

// load goes over units and lines until one must be read, and reads its marks.
func (w *walk) load() bool {
	for {
		for w.unit > 0 {
			w.unit--
			u := w.e.unit(w.line, w.unit)
			if w.skip(u.sum) {
				continue
			}
			w.marks = marksOf(w.marks[:0], w.e.lines[w.line][u.from:u.to], u.st, u.from)
			return true
		}
		if w.line == 0 || w.cut {
			return false
		}
		w.line--
		for w.line > 0 && !w.cut && w.e.shapes[w.line].long == nil && w.skip(w.e.shapes[w.line].sum) {
			w.line--
			w.cut = w.first-w.line >= maxWalk
		}
		if w.e.shapes[w.line].long == nil || !w.skip(w.e.sumOfLine(w.line)) {
			w.unit = w.e.units(w.line)
		}
	}
}

// skip goes over a piece without reading it, if that can be done.
func (w *walk) skip(s sum) bool {
	switch {
	case s.up > w.rel, s.up == w.rel && !w.seen && s.commas+s.colons > 0:
		return false
	case s.up == w.rel:
		w.now.commas += int(s.commas)
	}
	w.rel += s.down - s.up
	return true
}

// Bracket pairs at the caret, found once for each place of it.
type pair struct {
	known    bool
	revision int
	caret    Pos
	found    bool // there is a bracket at the caret
	at       Pos
	partner  Pos
	ok       bool // it has a partner of its kind
	matched  bool // it has one
}

// Bracket is the bracket at the caret, the one before it first, and its
// partner. fits says that there is one and that it is of the same kind.
func (e *Editor) Bracket() (at, partner Pos, fits, ok bool) {
	p := e.pairAtCaret()
	return p.at, p.partner, p.ok, p.found
}

func (e *Editor) pairAtCaret() pair {
	if !e.json {
		return pair{}
	}
	if e.pair.known && e.pair.revision == e.revision && e.pair.caret == e.caret {
		return e.pair
	}
	e.pair = pair{known: true, revision: e.revision, caret: e.caret}
	line := e.lines[e.caret.Line]
	for _, at := range []int{e.caret.Byte - 1, e.caret.Byte} {
		if at < 0 || at >= len(line) || !isBracket(line[at]) || e.stateAt(Pos{e.caret.Line, at}) != outside {
			continue
		}
		e.pair.found, e.pair.at = true, Pos{e.caret.Line, at}
		e.pair.partner, e.pair.matched = e.partner(e.pair.at)
		e.pair.ok = e.pair.matched && fits(line[at], e.lines[e.pair.partner.Line][e.pair.partner.Byte])
		if !e.pair.matched && len(e.lines) > maxWalk {
			e.pair.found = false
		}
		break
	}
	return e.pair
}

// partner is the other bracket of one that stands outside of strings.
func (e *Editor) partner(p Pos) (Pos, bool) {
	if c := e.lines[p.Line][p.Byte]; c == '{' || c == '[' {
		return e.closing(Pos{p.Line, p.Byte + 1})
	}
	return e.opening(p)
}

func isBracket(c byte) bool { return c == '{' || c == '}' || c == '[' || c == ']' }

func fits(a, b byte) bool {
	switch string([]byte{a, b}) {
	case "{}", "}{", "[]", "][":
		return true
	}
	return false
}

// before is the last byte before a place that is no blank.
func (e *Editor) before(p Pos) (Pos, byte, bool) {
	for line := p.Line; line >= 0 && p.Line-line < maxWalk; line-- {
		text := e.lines[line]
		if line == p.Line {
			text = text[:p.Byte]
		}
		for i := len(text) - 1; i >= 0; i-- {
			if !isBlank(text[i]) {
				return Pos{line, i}, text[i], true
			}
		}
	}
	return Pos{}, 0, false
}

// behind is the first byte at or behind a place that is no blank.
func (e *Editor) behind(p Pos) (Pos, byte, bool) {
	for line := p.Line; line < len(e.lines) && line-p.Line < maxWalk; line++ {
		i := 0
		if line == p.Line {
			i = p.Byte
		}
		for ; i < len(e.lines[line]); i++ {
			if c := e.lines[line][i]; !isBlank(c) {
				return Pos{line, i}, c, true
			}
		}
	}
	return Pos{}, 0, false
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// nameBefore is the text of the member name in front of a colon, and where it
// stands.
func (e *Editor) nameBefore(colon Pos) (name string, from, to Pos, ok bool) {
	at, c, ok := e.before(colon)
	if !ok || c != '"' {
		return "", Pos{}, Pos{}, false
	}
	open, ok := e.opensString(at)
	if !ok {
		return "", Pos{}, Pos{}, false
	}
	from, to = Pos{at.Line, open}, Pos{at.Line, at.Byte + 1}
	return decoded(e.lines[at.Line][open : at.Byte+1]), from, to, true
}

// opensString is where the string begins that is open before a place.
func (e *Editor) opensString(p Pos) (int, bool) {
	for n := e.unitOf(p); n >= 0; n-- {
		u := e.unit(p.Line, n)
		text := e.lines[p.Line][u.from:min(u.to, p.Byte)]
		if u.st != outside && strings.IndexByte(text, '"') < 0 {
			continue
		}
		ms := marksOf(nil, text, u.st, u.from)
		for i := len(ms) - 1; i >= 0; i-- {
			if ms[i].c == '"' {
				return ms[i].at, ms[i].open
			}
		}
		if u.st == outside {
			return 0, false
		}
	}
	return 0, false
}

// decoded is what a string of JSON says; of one that is no JSON its bytes.
func decoded(raw string) string {
	if doc, err := jsonread.Parse([]byte(raw)); err == nil {
		return doc.Root().String()
	}
	if len(raw) >= 2 {
		return raw[1 : len(raw)-1]
	}
	return raw
}
