package edit

import "strings"

// kind says what made a change: changes of one kind that go on where the last
// one ended are undone together.
type kind uint8

const (
	other kind = iota
	typing
	erasing
	pasting // key by key
)

// change is one edit: at a place, some text was replaced by other text.
type change struct {
	at            Pos
	removed       string
	inserted      string
	before, after Pos // the caret
	kind          kind
	grown         []byte // what was pasted after inserted, key by key
}

// whole puts all that was inserted into inserted.
func (c *change) whole() {
	if len(c.grown) > 0 {
		c.inserted += string(c.grown)
		c.grown = nil
	}
}

// Limits of what can be undone.
const (
	maxChanges = 2_000
	maxKept    = 16 << 20 // bytes
)

// replace is the one way in which text changes.
func (e *Editor) replace(from, to Pos, text string, k kind) {
	if from == to && text == "" {
		return
	}
	c := change{at: from, removed: e.slice(from, to), inserted: text, before: e.caret, kind: k}
	e.caret = e.splice(from, to, text)
	c.after = e.caret
	e.redo = nil
	if e.extend(c) {
		return
	}
	e.undo = append(e.undo, c)
	e.kept += len(c.removed) + len(c.inserted)
	for len(e.undo) > 1 && (len(e.undo) > maxChanges || e.kept > maxKept) {
		e.kept -= len(e.undo[0].removed) + len(e.undo[0].inserted) + len(e.undo[0].grown)
		e.undo = e.undo[1:]
	}
}

// extend joins a change to the last one where a person would undo them
// together: a word that is typed, characters that are erased one by one.
func (e *Editor) extend(c change) bool {
	if len(e.undo) == 0 || c.kind == other {
		return false
	}
	last := &e.undo[len(e.undo)-1]
	if last.kind != c.kind || last.after != c.before {
		return false
	}
	switch c.kind {
	case pasting:
		if c.removed != "" {
			return false
		}
		last.grown = append(last.grown, c.inserted...)
	case typing:
		if c.removed != "" || strings.HasSuffix(last.inserted, " ") && !strings.HasPrefix(c.inserted, " ") {
			return false
		}
		last.inserted += c.inserted
	case erasing:
		switch {
		case c.at == last.at: // forwards
			last.removed += c.removed
		case c.after == c.at:
			last.removed, last.at = c.removed+last.removed, c.at
		}
	}
	last.after = c.after
	e.kept += len(c.removed) + len(c.inserted)
	return true
}

// slice is the text between two places.
func (e *Editor) slice(from, to Pos) string {
	if from.Line == to.Line {
		return e.lines[from.Line][from.Byte:to.Byte]
	}
	var b strings.Builder
	b.WriteString(e.lines[from.Line][from.Byte:])
	for i := from.Line + 1; i < to.Line; i++ {
		b.WriteByte('\n')
		b.WriteString(e.lines[i])
	}
	b.WriteByte('\n')
	b.WriteString(e.lines[to.Line][:to.Byte])
	return b.String()
}

// splice puts text in place of what is between two places, and returns where
// it ends.
func (e *Editor) splice(from, to Pos, text string) Pos {
	e.revision++
	e.goal = -1
	head, tail := e.lines[from.Line][:from.Byte], e.lines[to.Line][to.Byte:]
	var parts []string
	if e.one {
		parts = []string{text}
	} else {
		parts = strings.Split(text, "\n")
	}
	last := len(parts) - 1
	end := Pos{from.Line + last, len(parts[last])}
	if last == 0 {
		end.Byte += len(head)
	}
	parts[0] = head + parts[0]
	parts[last] += tail
	if gone := to.Line - from.Line; gone == last { // as many lines as before
		copy(e.lines[from.Line:], parts)
		return end
	}
	lines := make([]string, 0, len(e.lines)+last-(to.Line-from.Line))
	lines = append(lines, e.lines[:from.Line]...)
	lines = append(lines, parts...)
	e.lines = append(lines, e.lines[to.Line+1:]...)
	return end
}

// Undo takes back the last change and puts the caret where it was. It reports
// whether there was one.
func (e *Editor) Undo() bool {
	if len(e.undo) == 0 {
		return false
	}
	c := e.undo[len(e.undo)-1]
	c.whole()
	e.undo = e.undo[:len(e.undo)-1]
	e.kept -= len(c.removed) + len(c.inserted)
	e.splice(c.at, e.after(c.at, c.inserted), c.removed)
	e.caret = c.before
	e.redo = append(e.redo, c)
	return true
}

// Redo makes the change that was undone last again.
func (e *Editor) Redo() bool {
	if len(e.redo) == 0 {
		return false
	}
	c := e.redo[len(e.redo)-1]
	e.redo = e.redo[:len(e.redo)-1]
	e.splice(c.at, e.after(c.at, c.removed), c.inserted)
	e.caret = c.after
	c.kind = other // what is typed next is a change of its own
	e.undo = append(e.undo, c)
	e.kept += len(c.removed) + len(c.inserted)
	return true
}

// after is where text that begins at a place ends.
func (e *Editor) after(at Pos, text string) Pos {
	if e.one {
		return Pos{0, at.Byte + len(text)}
	}
	n := strings.Count(text, "\n")
	if n == 0 {
		return Pos{at.Line, at.Byte + len(text)}
	}
	return Pos{at.Line + n, len(text) - strings.LastIndexByte(text, '\n') - 1}
}
