package edit

import (
	"unicode/utf8"

	"perch/inspect/safe"
)

// What must be known of a text to walk over it without reading it: for every
// line how many brackets it leaves open and closes, and of lines that are long
// the same for each piece of them. A key then costs what its own piece costs,
// not what the whole text does.

// lexState is where in a token of JSON a place lies. A line begins outside of
// any: no string of JSON goes on over a line break.
type lexState uint8

const (
	outside lexState = iota
	inString
	escaped // in a string, behind a backslash
	lexStates
)

// sum is what a piece of text does to the brackets around it, whatever their
// kinds: it closes so many, then opens so many. commas and colons are those
// that stand at its lowest level, between the two.
type sum struct {
	down, up, commas, colons int32
	end                      lexState // behind the piece
}

// then is the sum of a piece and the one behind it.
func (a sum) then(b sum) sum {
	switch {
	case b.down > a.up:
		return sum{a.down + b.down - a.up, b.up, b.commas, b.colons, b.end}
	case b.down == a.up:
		return sum{a.down, b.up, a.commas + b.commas, a.colons + b.colons, b.end}
	}
	return sum{a.down, a.up - b.down + b.up, a.commas, a.colons, b.end}
}

// sumOf reads a piece of text that begins in a state.
func sumOf(text string, st lexState) sum {
	var s sum
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
			}
		case c == '"':
			st = inString
		case c == '{' || c == '[':
			s.up++
		case c == '}' || c == ']':
			if s.up > 0 {
				s.up--
			} else {
				s.down++
				s.commas, s.colons = 0, 0
			}
		case c == ',' && s.up == 0:
			s.commas++
		case c == ':' && s.up == 0:
			s.colons++
		}
	}
	s.end = st
	return s
}

// Lines that are longer are held in pieces.
const (
	longLine  = 4 << 10
	pieceSize = 1 << 10 // about
)

// shape is what is known of a line. The sum of a long line is that of its
// pieces.
type shape struct {
	sum  sum
	long *pieces
}

// Measures of a piece: its cells in each mode of inspect/safe, and its
// characters.
const (
	characters = 4
	measures   = 5
)

// piece is a part of a long line, between two characters.
type piece struct {
	bytes    int
	measured [measures]int32 // one more than what was measured; 0: not yet
	sums     [lexStates]sum
	summed   [lexStates]bool
}

type pieces struct {
	all []piece

	known  bool // what follows is
	sum    sum
	starts []int      // the first byte of each piece
	states []lexState // before each piece
}

// read finds out what is known of a long line as a whole.
func (l *pieces) read(line string) {
	if l.known {
		return
	}
	l.known = true
	l.starts, l.states = make([]int, len(l.all)), make([]lexState, len(l.all))
	at := 0
	for i := range l.all {
		p := &l.all[i]
		l.starts[i], l.states[i] = at, l.sum.end
		l.sum = l.sum.then(p.sum(line[at:at+p.bytes], l.sum.end))
		at += p.bytes
	}
}

func (p *piece) sum(text string, st lexState) sum {
	if !p.summed[st] {
		p.sums[st], p.summed[st] = sumOf(text, st), true
	}
	return p.sums[st]
}

func (p *piece) measure(m int, text string) int {
	if p.measured[m] == 0 {
		p.measured[m] = int32(measure(m, text)) + 1
	}
	return int(p.measured[m] - 1)
}

// measure counts a text: in characters, or in cells of a mode.
func measure(m int, text string) int {
	if safe.IsPlain(text) {
		return len(text)
	}
	n := 0
	for u := range modeOf(m).Units(text) {
		if m == characters {
			n++
		} else {
			n += u.Width
		}
	}
	return n
}

// measureIn is the measure of cells in a mode.
func measureIn(m safe.Mode) int {
	n := 0
	if m.ASCII {
		n++
	}
	if m.Split {
		n += 2
	}
	return n
}

func modeOf(m int) safe.Mode { return safe.Mode{ASCII: m&1 != 0, Split: m&2 != 0} }

// shapeOf reads a line. What is known of pieces at its start and end, which
// hold that many bytes, is taken over.
func (e *Editor) shapeOf(line string, head []piece, headBytes int, tail []piece, tailBytes int) shape {
	if len(line) <= longLine {
		if !e.json {
			return shape{}
		}
		return shape{sum: sumOf(line, outside)}
	}
	p := &pieces{all: make([]piece, 0, len(head)+len(tail)+(len(line)-headBytes-tailBytes)/pieceSize+2)}
	p.all = append(p.all, head...)
	for at, end := headBytes, len(line)-tailBytes; at < end; {
		to := cutPiece(line, at, end)
		p.all = append(p.all, piece{bytes: to - at})
		at = to
	}
	p.all = append(p.all, tail...)
	return shape{long: p}
}

// cutPiece is where a piece that begins at a byte ends: between two characters.
func cutPiece(line string, at, end int) int {
	to := at + pieceSize
	if end-to < pieceSize/2 {
		return end
	}
	for i := to; i < to+pieceSize/4; i++ {
		if parted(line, i) {
			return i
		}
	}
	// No place is certain: the characters are counted from the piece's start.
	for u := range plainMode.Units(line[at:min(end, to+maxCharacter)]) {
		if at+u.End >= to {
			return at + u.End
		}
	}
	return end
}

// headPieces are the pieces before a byte that a change there leaves as they
// are, and how many bytes they hold.
func (s shape) headPieces(b int) (head []piece, bytes int) {
	if s.long == nil {
		return nil, 0
	}
	n := 0
	for n < len(s.long.all) && bytes+s.long.all[n].bytes <= b {
		bytes += s.long.all[n].bytes
		n++
	}
	if n > 0 { // the last one may become one character with what comes behind it
		n--
		bytes -= s.long.all[n].bytes
	}
	return s.long.all[:n], bytes
}

// tailPieces are those behind a byte of a line of so many bytes.
func (s shape) tailPieces(length, b int) (tail []piece, bytes int) {
	if s.long == nil {
		return nil, 0
	}
	n := len(s.long.all)
	for n > 0 && length-bytes-s.long.all[n-1].bytes >= b {
		n--
		bytes += s.long.all[n].bytes
	}
	if n < len(s.long.all) {
		bytes -= s.long.all[n].bytes
		n++
	}
	return s.long.all[n:], bytes
}

// sumOfLine is what a line does to the brackets around it.
func (e *Editor) sumOfLine(i int) sum {
	s := &e.shapes[i]
	if s.long == nil {
		return s.sum
	}
	s.long.read(e.lines[i])
	return s.long.sum
}

// measured is the measure of the start of a line, up to a byte.
func (e *Editor) measured(m, i, upTo int) int {
	line := e.lines[i]
	n, at := 0, 0
	if long := e.shapes[i].long; long != nil {
		for j := range long.all {
			p := &long.all[j]
			if at+p.bytes > upTo {
				break
			}
			n += p.measure(m, line[at:at+p.bytes])
			at += p.bytes
		}
	}
	if head := line[at:upTo]; safe.IsPlain(head) {
		if upTo == len(line) || line[upTo] < utf8.RuneSelf {
			return n + len(head)
		}
	}
	for u := range modeOf(m).Units(line[at:min(len(line), upTo+maxCharacter)]) {
		if at+u.End > upTo {
			break
		}
		if m == characters {
			n++
		} else {
			n += u.Width
		}
	}
	return n
}

// byteAt is the start of the character at a cell of a line, or the line's end;
// and the cell where it begins.
func (e *Editor) byteAt(m, i, cell int) (b, begins int) {
	line := e.lines[i]
	n, at := 0, 0
	if long := e.shapes[i].long; long != nil {
		for j := range long.all {
			p := &long.all[j]
			w := p.measure(m, line[at:at+p.bytes])
			if n+w > cell {
				break
			}
			n += w
			at += p.bytes
		}
	}
	for u := range modeOf(m).Units(line[at:]) {
		if n+u.Width > cell {
			return at + u.Start, n
		}
		n += u.Width
	}
	return len(line), n
}

// maxCharacter is how many bytes are looked at to find where a character
// begins or ends. Longer ones are no text: they are taken apart.
const maxCharacter = 512

// parted reports whether a character certainly ends before byte i of a line
// and another one begins there.
func parted(line string, i int) bool {
	if i <= 0 || i >= len(line) {
		return true
	}
	a, b := line[i-1], line[i]
	if a < utf8.RuneSelf && b < utf8.RuneSelf {
		return a != '\r' || b != '\n'
	}
	if !utf8.RuneStart(b) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(line[:i])
	after, _ := utf8.DecodeRuneInString(line[i:])
	return standsAlone(before) && standsAlone(after)
}

// standsAlone reports whether a rune joins no rune of its like: the ones that
// most texts are made of.
func standsAlone(r rune) bool {
	switch {
	case r < 0x20 || r == 0x7f || r == 0xad || r == utf8.RuneError:
		return false
	case r < 0x300 && (r < 0x80 || r >= 0xa0):
		return r != 0xa9 && r != 0xae
	}
	return r >= 0x370 && r <= 0x482 || r >= 0x48a && r <= 0x590 || // Greek, Cyrillic, Armenian
		r >= 0x3041 && r <= 0x3096 || r >= 0x30a1 && r <= 0x30ff || // Kana
		r >= 0x3400 && r <= 0x4dbf || r >= 0x4e00 && r <= 0x9fff || r >= 0xac00 && r <= 0xd7a3
}

// startBefore is a byte at or before that of a place where a character begins.
func (e *Editor) startBefore(p Pos) int {
	line, least := e.lines[p.Line], 0
	if long := e.shapes[p.Line].long; long != nil {
		for j := range long.all {
			if least+long.all[j].bytes > p.Byte {
				break
			}
			least += long.all[j].bytes
		}
	}
	for at := min(p.Byte, len(line)-1); at > least; at-- {
		if parted(line, at) {
			return at
		}
	}
	return least
}
