// Package edit is the text editor of the product: many lines for JSON with line
// numbers, colours, folds, suggestions and the places of what is wrong, or one
// line for an input. It moves by characters as people count them, undoes and
// redoes, and never loses or changes text that it did not ask to change.
//
// A key costs what it changes and what is in sight, not what the whole text
// holds: see shape and Job.
//
// The package knows text and its caret. What the text is for, what fits where,
// when it is sent and which keys lead away from it are the business of who uses
// it.
package edit

import (
	"sort"
	"strings"

	"perch/engine/jsonread"
)

// Pos is a place in the text: a line from 0, and a byte in it from 0.
type Pos struct{ Line, Byte int }

func (p Pos) before(q Pos) bool { return p.Line < q.Line || p.Line == q.Line && p.Byte < q.Byte }

// Editor is a text with a caret. Use New or NewLine.
type Editor struct {
	lines  []string // without line feeds; in a single line they are kept
	shapes []shape  // of the lines
	starts []int    // the lines' first bytes, as far as they are known
	size   int      // bytes
	one    bool
	json   bool

	caret  Pos
	anchor Pos // where the selection began; the caret is its other end
	goal   int // the cell that up and down aim at, -1: the caret's own

	top, left     int // the first line and cell in sight
	width, height int // of the text, when it was drawn last
	gutter        int
	x, y          int // of the caret, when it was drawn last

	undo, redo []change
	kept       int // bytes in undo

	revision int // grows with every change
	folds    folds
	pair     pair
	finder   finder
	problems problems
	list     suggestions
	due      due
	tall     tall

	chosen Selection // how the caret's line is told without a caret
}

// Selection is how the caret's line is told while nobody types: lines are rows
// then, of which one is selected.
type Selection uint8

// The selections.
const (
	Quiet  Selection = iota // the selected row of a pane that has not the focus
	Strong                  // that of the pane in focus
	None                    // another row is selected
)

// Selected is the selection of a pane whose selected row is here, or not.
func Selected(here, focused bool) Selection {
	switch {
	case !here:
		return None
	case focused:
		return Strong
	}
	return Quiet
}

// Select says how the caret's line is told.
func (e *Editor) Select(s Selection) { e.chosen = s }

// New is an editor of many lines of JSON.
func New(text string) *Editor {
	e := &Editor{json: true, goal: -1, lines: strings.Split(text, "\n"), size: len(text)}
	e.due.checked = -1
	e.shapes = make([]shape, len(e.lines))
	for i, l := range e.lines {
		e.shapes[i] = e.shapeOf(l, nil, 0, nil, 0)
	}
	return e
}

// NewLine is an input of one line, with the caret at its end. Line breaks in it
// are kept and shown as ⏎.
func NewLine(text string) *Editor {
	e := &Editor{one: true, goal: -1, lines: []string{text}, size: len(text)}
	e.due.checked = -1
	e.shapes = []shape{e.shapeOf(text, nil, 0, nil, 0)}
	e.caret.Byte = len(text)
	e.anchor = e.caret
	return e
}

// Text is the whole text.
func (e *Editor) Text() string { return strings.Join(e.lines, "\n") }

// Size is the number of bytes in the text.
func (e *Editor) Size() int { return e.size }

// SetText replaces the whole text in one edit that can be undone; the caret
// goes to its start, in a single line to its end.
func (e *Editor) SetText(text string) {
	if len(text) == e.size && text == e.Text() {
		return
	}
	e.replace(Pos{}, e.end(), text, other)
	if e.one {
		return
	}
	e.caret = Pos{}
	e.anchor = e.caret
}

// Revision grows with every change of the text.
func (e *Editor) Revision() int { return e.revision }

// Lines is the number of lines.
func (e *Editor) Lines() int { return len(e.lines) }

// Empty reports whether there is no text.
func (e *Editor) Empty() bool { return e.size == 0 }

// Caret is where the caret is.
func (e *Editor) Caret() Pos { return e.caret }

// Offset is the caret's byte in the text, from 0.
func (e *Editor) Offset() int { return e.offset(e.caret) }

func (e *Editor) offset(p Pos) int { return e.start(p.Line) + p.Byte }

// start is the first byte of a line.
func (e *Editor) start(line int) int {
	if len(e.starts) == 0 {
		e.starts = append(e.starts, 0)
	}
	for n := len(e.starts); n <= line; n++ {
		e.starts = append(e.starts, e.starts[n-1]+len(e.lines[n-1])+1)
	}
	return e.starts[line]
}

// At is the place of a byte of the text; places past the end are the end.
func (e *Editor) At(offset int) Pos {
	switch {
	case offset <= 0:
		return Pos{}
	case offset >= e.size:
		return e.end()
	}
	if known := len(e.starts); known == 0 || e.starts[known-1] <= offset {
		e.start(len(e.lines) - 1)
	}
	line := sort.SearchInts(e.starts, offset+1) - 1
	return Pos{line, offset - e.starts[line]}
}

// MoveTo puts the caret before the byte at an offset.
func (e *Editor) MoveTo(offset int) {
	p := e.At(offset)
	e.place(Pos{p.Line, e.boundary(p)})
}

func (e *Editor) end() Pos {
	last := len(e.lines) - 1
	return Pos{last, len(e.lines[last])}
}

// eol is the byte at which a line ends for the caret: before the carriage
// return of a line that ends in both.
func (e *Editor) eol(line int) int {
	n := len(e.lines[line])
	if !e.one && n > 0 && line+1 < len(e.lines) && e.lines[line][n-1] == '\r' {
		n--
	}
	return n
}

// Check reads the text as JSON, once for each revision. One of the results is
// nil. It reads all of the text: where it may be long, see Checked.
func (e *Editor) Check() (*jsonread.Doc, *jsonread.Error) {
	if e.due.checked != e.revision {
		doc, err := jsonread.Parse([]byte(e.Text()))
		e.takeCheck(doc, err)
	}
	return e.due.doc, e.due.fault
}

// Where is the place of a byte of the text as people are told it: a line from
// 1 and a column from 0, in characters.
func (e *Editor) Where(offset int) (line, column int) { return e.told(e.At(offset)) }

func (e *Editor) told(p Pos) (line, column int) {
	return p.Line + 1, e.measured(characters, p.Line, p.Byte)
}
