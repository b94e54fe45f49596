package edit

import (
	"unicode"
	"unicode/utf8"

	"perch/inspect/safe"
)

// plainMode counts characters; how they are shown does not matter for it.
var plainMode = safe.Mode{}

// place puts the caret somewhere; nothing is selected then.
func (e *Editor) place(p Pos) {
	p.Byte = min(p.Byte, max(e.eol(p.Line), 0))
	e.caret, e.anchor, e.goal = p, p, -1
	e.reveal(p.Line)
	e.seal()
	e.list.close()
}

// Left, Right, Home and End move the caret by a character, and to the ends of
// its line. With something selected, left and right go to its ends.
func (e *Editor) Left() {
	if from, _, ok := e.Selection(); ok {
		e.place(from)
		return
	}
	e.place(e.seenBefore(e.prev(e.caret)))
}

// Right moves to the next character.
func (e *Editor) Right() {
	if _, to, ok := e.Selection(); ok {
		e.place(to)
		return
	}
	e.place(e.seenAfter(e.next(e.caret)))
}

// Home moves to the start of the line; from there to its first word, and back.
func (e *Editor) Home() {
	line := e.lines[e.caret.Line]
	at := 0
	if e.one {
		at, _ = e.rowAt(e.caret.Byte)
	}
	if e.caret.Byte == 0 && !e.one {
		for at < len(line) && (line[at] == ' ' || line[at] == '\t') {
			at++
		}
	}
	e.place(Pos{e.caret.Line, at})
}

// End moves to the end of the line.
func (e *Editor) End() {
	to := e.eol(e.caret.Line)
	if e.one {
		_, to = e.rowAt(e.caret.Byte)
	}
	e.place(Pos{e.caret.Line, to})
}

// WordLeft moves to the start of the word before the caret.
func (e *Editor) WordLeft() { e.place(e.seenBefore(e.wordLeft(e.caret))) }

// WordRight moves behind the next word.
func (e *Editor) WordRight() { e.place(e.seenAfter(e.wordRight(e.caret))) }

// Up moves n lines up, and Down n lines down; the caret stays in its column as
// far as lines are long enough. Beyond the first and last line it goes to the
// text's end. Lines that are folded away do not count.
func (e *Editor) Up(n int) { e.vertical(-n) }

// Down moves n lines down.
func (e *Editor) Down(n int) { e.vertical(n) }

func (e *Editor) vertical(n int) {
	goal := e.goal
	if goal < 0 {
		goal = e.measured(0, e.caret.Line, e.caret.Byte)
	}
	row, rows := e.rowOf(e.caret.Line), e.Rows()
	to := row + n
	switch {
	case to < 0 && row == 0:
		e.place(Pos{})
		return
	case to >= rows && row == rows-1:
		e.place(e.end())
		return
	}
	line := e.lineOf(max(min(to, rows-1), 0))
	b, _ := e.byteAt(0, line, goal)
	e.place(Pos{line, b})
	e.goal = goal
}

// prev is the place one character before another.
func (e *Editor) prev(p Pos) Pos {
	if p.Byte == 0 {
		if p.Line == 0 {
			return p
		}
		return Pos{p.Line - 1, e.eol(p.Line - 1)}
	}
	line := e.lines[p.Line]
	start := e.startBefore(Pos{p.Line, p.Byte - 1})
	at := start
	for u := range plainMode.Units(line[start:p.Byte]) {
		at = start + u.Start
	}
	return Pos{p.Line, at}
}

// next is the place one character after another.
func (e *Editor) next(p Pos) Pos {
	line := e.lines[p.Line]
	if p.Byte >= e.eol(p.Line) {
		if p.Line+1 >= len(e.lines) {
			return Pos{p.Line, max(p.Byte, len(line))}
		}
		return Pos{p.Line + 1, 0}
	}
	for u := range plainMode.Units(line[p.Byte:min(len(line), p.Byte+maxCharacter)]) {
		return Pos{p.Line, p.Byte + u.End}
	}
	return p
}

// boundary is the start of the character that holds a place's byte.
func (e *Editor) boundary(p Pos) int {
	line := e.lines[p.Line]
	if p.Byte >= len(line) || parted(line, p.Byte) {
		return min(p.Byte, len(line))
	}
	start := e.startBefore(p)
	for u := range plainMode.Units(line[start:min(len(line), p.Byte+maxCharacter)]) {
		if start+u.End > p.Byte {
			return start + u.Start
		}
	}
	return len(line)
}

// maxWord is how many bytes of a line are looked at for the end of a word.
const maxWord = 64 << 10

func (e *Editor) wordLeft(p Pos) Pos {
	if p.Byte == 0 {
		return e.prev(p)
	}
	line := e.lines[p.Line][:p.Byte]
	at := len(line)
	seen := false
	for at > 0 && len(line)-at < maxWord {
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
	line := e.lines[p.Line][:e.eol(p.Line)]
	if p.Byte >= len(line) {
		return e.next(p)
	}
	at, seen := p.Byte, false
	for at < len(line) && at-p.Byte < maxWord {
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
