package edit

import (
	"strings"

	"perch/ui/cell"
)

// Selection is what is selected, from one place to another; false when nothing
// is.
func (e *Editor) Selection() (from, to Pos, ok bool) {
	from, to = e.anchor, e.caret
	if to.before(from) {
		from, to = to, from
	}
	return from, to, from != to
}

// SelectAll selects the whole text.
func (e *Editor) SelectAll() {
	e.place(e.end())
	e.anchor = Pos{}
}

// SelectRange selects the text between two bytes, the caret at its end.
func (e *Editor) SelectRange(from, to int) {
	e.MoveTo(from)
	anchor := e.caret
	e.MoveTo(to)
	e.anchor = anchor
}

// Unselect ends the selection and leaves the caret where it is. It reports
// whether anything was selected.
func (e *Editor) Unselect() bool {
	had := e.anchor != e.caret
	e.anchor = e.caret
	return had
}

// Copy is the selected text, "" when nothing is selected.
func (e *Editor) Copy() string {
	from, to, ok := e.Selection()
	if !ok {
		return ""
	}
	return e.slice(from, to)
}

// Cut takes the selected text out and returns it.
func (e *Editor) Cut() string {
	text := e.Copy()
	e.erase(other)
	return text
}

// erase deletes what is selected and reports whether anything was.
func (e *Editor) erase(k kind) bool {
	from, to, ok := e.Selection()
	if ok {
		e.replace(from, to, "", k)
	}
	return ok
}

// put puts text in place of what is selected, or in at the caret.
func (e *Editor) put(text string, k kind) {
	from, to, _ := e.Selection()
	e.replace(from, to, text, k)
}

// SelectWord selects the word at the caret: for a double click. Between words
// it selects the characters up to them.
func (e *Editor) SelectWord() {
	line := e.lines[e.caret.Line]
	at := e.caret.Byte
	from, to := at, at
	if back := e.wordLeft(e.caret); back.Line == e.caret.Line {
		if end := e.wordRight(back); end.Line == back.Line && end.Byte >= at {
			from, to = back.Byte, end.Byte
		}
	}
	if from == to && at < len(line) {
		to = e.next(e.caret).Byte
	}
	if end := e.wordRight(Pos{e.caret.Line, from}); end.Line == e.caret.Line && end.Byte > to && from < to {
		to = end.Byte
	}
	e.place(Pos{e.caret.Line, to})
	e.anchor = Pos{e.caret.Line, from}
}

// SelectLine selects the line of the caret with its break: for a triple click.
func (e *Editor) SelectLine() {
	from := Pos{e.caret.Line, 0}
	to := e.end()
	if from.Line+1 < len(e.lines) {
		to = Pos{from.Line + 1, 0}
	}
	e.place(e.seenAfter(to))
	e.anchor = from
}

// extendBy does a move of the caret that selects what it passes.
func (e *Editor) extendBy(move func() bool) bool {
	anchor, goal := e.anchor, e.goal
	e.anchor = e.caret // left and right move on, though something is selected
	e.goal = goal
	ok := move()
	e.anchor = anchor
	return ok
}

// Drag selects up to where the pointer is in what was drawn last, from where it
// was pressed. Beyond the edge the text scrolls by one row.
func (e *Editor) Drag(k *cell.Look, x, y int) {
	anchor := e.anchor
	row := e.rowOf(e.top) + y
	e.place(e.pointed(k, x, max(min(row, e.Rows()-1), 0)))
	e.anchor = anchor
}

// spanned are the lines that an act on whole lines means: those of the
// selection, or the caret's.
func (e *Editor) spanned() (first, last int) {
	from, to, ok := e.Selection()
	if ok && to.Byte == 0 && to.Line > from.Line {
		to.Line--
	}
	return from.Line, to.Line
}

// shift puts one step of indent before each line of the selection, or takes one
// away. It is one change, and the selection stays on its text.
func (e *Editor) shift(out bool) {
	first, last := e.spanned()
	if out {
		for first < last && leading(e.lines[first]) == 0 {
			first++
		}
	}
	caret, anchor := e.caret, e.anchor
	var b strings.Builder
	changed := false
	end := Pos{last, 0}
	for i := first; i <= last; i++ {
		line := e.lines[i]
		n := 0
		switch {
		case out:
			n = -leading(line)
		case strings.TrimRight(line, "\r") != "":
			n = len(indent)
			b.WriteString(indent)
		}
		if i < last {
			b.WriteString(line[max(-n, 0):])
			b.WriteByte('\n')
		} else {
			end.Byte = max(-n, 0)
		}
		changed = changed || n != 0
		caret, anchor = shifted(caret, i, n), shifted(anchor, i, n)
	}
	if !changed {
		return
	}
	e.replace(Pos{first, 0}, end, b.String(), other)
	e.stand(caret, anchor)
}

// leading is how many bytes one step of indent at the start of a line has.
func leading(line string) int {
	if strings.HasPrefix(line, "\t") {
		return 1
	}
	return min(len(line)-len(strings.TrimLeft(line, " ")), len(indent))
}

func shifted(p Pos, line, n int) Pos {
	if p.Line == line && (p.Byte > 0 || n < 0) {
		p.Byte = max(p.Byte+n, 0)
	}
	return p
}
