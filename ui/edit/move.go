package edit

import (
	"unicode"
	"unicode/utf8"

	"perch/inspect/safe"
)

// plainMode counts characters; how they are shown does not matter for it.
var plainMode = safe.Mode{}

func (e *Editor) place(p Pos) {
	e.caret, e.goal = p, -1
	e.seal()
}

// seal ends the group of changes that are undone together.
func (e *Editor) seal() {
	if n := len(e.undo); n > 0 {
		e.undo[n-1].kind = other
	}
}

// Left, Right, Home and End move the caret by a character, and to the ends of
// its line.
func (e *Editor) Left() { e.place(e.prev(e.caret)) }

// Right moves to the next character.
func (e *Editor) Right() { e.place(e.next(e.caret)) }

// Home moves to the start of the line; from there to its first word, and back.
func (e *Editor) Home() {
	line := e.lines[e.caret.Line]
	at := 0
	if e.caret.Byte == 0 && !e.one {
		for at < len(line) && (line[at] == ' ' || line[at] == '\t') {
			at++
		}
	}
	e.place(Pos{e.caret.Line, at})
}

// End moves to the end of the line.
func (e *Editor) End() { e.place(Pos{e.caret.Line, len(e.lines[e.caret.Line])}) }

// WordLeft moves to the start of the word before the caret.
func (e *Editor) WordLeft() { e.place(e.wordLeft(e.caret)) }

// WordRight moves behind the next word.
func (e *Editor) WordRight() { e.place(e.wordRight(e.caret)) }

// Up moves n lines up, and Down n lines down; the caret stays in its column as
// far as lines are long enough. Beyond the first and last line it goes to the
// text's end.
func (e *Editor) Up(n int) { e.vertical(-n) }

// Down moves n lines down.
func (e *Editor) Down(n int) { e.vertical(n) }

func (e *Editor) vertical(n int) {
	goal := e.goal
	if goal < 0 {
		goal = cells(plainMode, e.lines[e.caret.Line], e.caret.Byte)
	}
	to := e.caret.Line + n
	switch {
	case to < 0 && e.caret.Line == 0:
		e.place(Pos{})
		return
	case to >= len(e.lines) && e.caret.Line == len(e.lines)-1:
		e.place(e.end())
		return
	}
	to = max(min(to, len(e.lines)-1), 0)
	e.place(Pos{to, byteAt(plainMode, e.lines[to], goal)})
	e.goal = goal
}

// prev is the place one character before another.
func (e *Editor) prev(p Pos) Pos {
	if p.Byte == 0 {
		if p.Line == 0 {
			return p
		}
		return Pos{p.Line - 1, len(e.lines[p.Line-1])}
	}
	line := e.lines[p.Line]
	start := safeStart(line, p.Byte-1)
	at := start
	for u := range plainMode.Units(line[start:p.Byte]) {
		at = start + u.Start
	}
	return Pos{p.Line, at}
}

// next is the place one character after another.
func (e *Editor) next(p Pos) Pos {
	line := e.lines[p.Line]
	if p.Byte >= len(line) {
		if p.Line+1 >= len(e.lines) {
			return p
		}
		return Pos{p.Line + 1, 0}
	}
	for u := range plainMode.Units(line[p.Byte:]) {
		return Pos{p.Line, p.Byte + u.End}
	}
	return p
}

// boundary is the start of the character that holds a place's byte.
func (e *Editor) boundary(p Pos) int {
	line := e.lines[p.Line]
	start := safeStart(line, p.Byte)
	for u := range plainMode.Units(line[start:]) {
		if start+u.End > p.Byte {
			return start + u.Start
		}
	}
	return len(line)
}

// safeStart is a byte at or before i where a character certainly begins.
func safeStart(line string, i int) int {
	for i > 0 && (i >= len(line) || line[i] >= utf8.RuneSelf || line[i-1] >= utf8.RuneSelf) {
		i--
	}
	return i
}

func (e *Editor) wordLeft(p Pos) Pos {
	if p.Byte == 0 {
		return e.prev(p)
	}
	line := e.lines[p.Line][:p.Byte]
	at := len(line)
	seen := false
	for at > 0 {
		r, n := utf8.DecodeLastRuneInString(line[:at])
		if isWord(r) {
			seen = true
		} else if seen {
			break
		}
		at -= n
	}
	return Pos{p.Line, at}
}

func (e *Editor) wordRight(p Pos) Pos {
	line := e.lines[p.Line]
	if p.Byte >= len(line) {
		return e.next(p)
	}
	at, seen := p.Byte, false
	for at < len(line) {
		r, n := utf8.DecodeRuneInString(line[at:])
		if isWord(r) {
			seen = true
		} else if seen {
			break
		}
		at += n
	}
	return Pos{p.Line, at}
}

func isWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r)
}

// cells is how many cells the start of a line takes, up to a byte.
func cells(m safe.Mode, line string, upTo int) int {
	if head := line[:upTo]; safe.IsPlain(head) {
		return upTo
	}
	n := 0
	for u := range m.Units(line) {
		if u.End > upTo {
			break
		}
		n += u.Width
	}
	return n
}

// byteAt is the start of the character at a cell of a line, or the line's end.
func byteAt(m safe.Mode, line string, cell int) int {
	n := 0
	for u := range m.Units(line) {
		if n+u.Width > cell {
			return u.Start
		}
		n += u.Width
	}
	return len(line)
}
