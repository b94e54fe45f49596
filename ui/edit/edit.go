// Package edit is the text editor of the product: many lines for JSON with line
// numbers, colours and the place of the first fault, or one line for an input.
// It moves by characters as people count them, undoes and redoes, and never
// loses or changes text that it did not ask to change.
//
// The package knows text and its caret. What the text is for, when it is sent
// and which keys lead away from it are the business of who uses it.
package edit

import (
	"strings"

	"perch/engine/jsonread"
)

// Pos is a place in the text: a line from 0, and a byte in it from 0.
type Pos struct{ Line, Byte int }

func (p Pos) before(q Pos) bool { return p.Line < q.Line || p.Line == q.Line && p.Byte < q.Byte }

// Editor is a text with a caret. Use New or NewLine.
type Editor struct {
	lines []string // without line feeds; in a single line they are kept
	one   bool
	json  bool

	caret Pos
	goal  int // the cell that up and down aim at, -1: the caret's own

	top, left     int // the first line and cell in sight
	width, height int // of the text, when it was drawn last
	gutter        int
	x, y          int // of the caret, when it was drawn last

	undo, redo []change
	kept       int // bytes in undo

	revision int // grows with every change
	checked  int // the revision that fault belongs to
	fault    *jsonread.Error
	doc      *jsonread.Doc

	marks  map[int]bool // lines with a problem, by who uses the editor
	chosen Selection    // how the caret's line is told without a caret
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
	e := &Editor{json: true, goal: -1, checked: -1}
	e.lines = strings.Split(text, "\n")
	return e
}

// NewLine is an input of one line, with the caret at its end. Line breaks in it
// are kept and shown as ⏎.
func NewLine(text string) *Editor {
	e := &Editor{one: true, goal: -1, checked: -1, lines: []string{text}}
	e.caret.Byte = len(text)
	return e
}

// Text is the whole text.
func (e *Editor) Text() string { return strings.Join(e.lines, "\n") }

// SetText replaces the whole text in one edit that can be undone; the caret
// goes to its start, in a single line to its end.
func (e *Editor) SetText(text string) {
	if text == e.Text() {
		return
	}
	e.replace(Pos{}, e.end(), text, other)
	if e.one {
		return
	}
	e.caret = Pos{}
}

// Revision grows with every change of the text.
func (e *Editor) Revision() int { return e.revision }

// Lines is the number of lines.
func (e *Editor) Lines() int { return len(e.lines) }

// Empty reports whether there is no text.
func (e *Editor) Empty() bool { return len(e.lines) == 1 && e.lines[0] == "" }

// Caret is where the caret is.
func (e *Editor) Caret() Pos { return e.caret }

// Offset is the caret's byte in the text, from 0.
func (e *Editor) Offset() int { return e.offset(e.caret) }

func (e *Editor) offset(p Pos) int {
	n := p.Byte
	for _, l := range e.lines[:p.Line] {
		n += len(l) + 1
	}
	return n
}

// At is the place of a byte of the text; places past the end are the end.
func (e *Editor) At(offset int) Pos {
	for i, l := range e.lines {
		if offset <= len(l) {
			return Pos{i, max(offset, 0)}
		}
		offset -= len(l) + 1
	}
	return e.end()
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

// Check reads the text as JSON, once for each revision. One of the results is
// nil.
func (e *Editor) Check() (*jsonread.Doc, *jsonread.Error) {
	if e.checked != e.revision {
		e.checked = e.revision
		e.doc, e.fault = jsonread.Parse([]byte(e.Text()))
	}
	return e.doc, e.fault
}

// Where is the place of a byte of the text as people are told it: a line from
// 1 and a column from 0, in characters.
func (e *Editor) Where(offset int) (line, column int) {
	p := e.At(offset)
	n := 0
	for u := range plainMode.Units(e.lines[p.Line]) {
		if u.End > p.Byte {
			break
		}
		n++
	}
	return p.Line + 1, n
}

// Mark puts the sign ✗ beside the lines that hold these bytes of the text.
// The line of a fault of JSON has it without being told.
func (e *Editor) Mark(offsets []int) {
	e.marks = nil
	for _, o := range offsets {
		if e.marks == nil {
			e.marks = map[int]bool{}
		}
		e.marks[e.At(o).Line] = true
	}
}
