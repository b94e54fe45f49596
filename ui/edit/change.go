package edit

import (
	"slices"
	"strings"
)

// kind says what made a change: changes of one kind that go on where the last
// one ended are undone together.
type kind uint8

const (
	other kind = iota
	typing
	erasing
	pasting // key by key
)

// place is a caret with the other end of its selection.
type place struct{ caret, anchor Pos }

// change is one edit: at a place, some text was replaced by other text.
type change struct {
	at            Pos
	removed       string
	inserted      string
	before, after place
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

func (e *Editor) here() place { return place{e.caret, e.anchor} }

// replace is the one way in which text changes. What was selected is selected
// no more.
func (e *Editor) replace(from, to Pos, text string, k kind) {
	if from == to && text == "" {
		return
	}
	c := change{at: from, removed: e.slice(from, to), inserted: text, before: e.here(), kind: k}
	e.caret = e.splice(from, to, text)
	e.anchor = e.caret
	e.reveal(e.caret.Line)
	c.after = e.here()
	e.redo = nil
	if e.extend(c) {
		return
	}
	e.undo = append(e.undo, c)
	e.kept += len(c.removed) + len(c.inserted)
	for len(e.undo) > 1 && (len(e.undo) > maxChanges || e.kept > maxKept) {
		e.kept -= len(e.undo[0].removed) + len(e.undo[0].inserted) + len(e.undo[0].grown)
		e.undo[0] = change{}
		e.undo = e.undo[1:]
	}
}

// stand puts the caret and the other end of the selection where the change that
// was just made wants them.
func (e *Editor) stand(caret, anchor Pos) {
	e.caret, e.anchor = caret, anchor
	e.reveal(caret.Line)
	e.undo[len(e.undo)-1].after = e.here()
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
		case c.after.caret == c.at:
			last.removed, last.at = c.removed+last.removed, c.at
		}
	}
	last.after = c.after
	e.kept += len(c.removed) + len(c.inserted)
	return true
}

// seal ends the group of changes that are undone together.
func (e *Editor) seal() {
	if n := len(e.undo); n > 0 {
		e.undo[n-1].kind = other
	}
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
// it ends. All that is bound to places of the text moves along.
func (e *Editor) splice(from, to Pos, text string) Pos {
	head, tail := e.lines[from.Line][:from.Byte], e.lines[to.Line][to.Byte:]
	parts := []string{text}
	if !e.one {
		parts = strings.Split(text, "\n")
	}
	last := len(parts) - 1
	end := Pos{from.Line + last, len(parts[last])}
	if last == 0 {
		end.Byte += len(head)
	}
	e.size += len(text) - e.span(from, to)
	parts[0] = head + parts[0]
	parts[last] += tail

	before, headBytes := e.shapes[from.Line].headPieces(from.Byte)
	after, tailBytes := e.shapes[to.Line].tailPieces(len(e.lines[to.Line]), to.Byte)
	shapes := make([]shape, len(parts))
	for i, p := range parts {
		var head, tail []piece
		var headN, tailN int
		if i == 0 {
			head, headN = before, headBytes
		}
		if i == last {
			tail, tailN = after, tailBytes
		}
		shapes[i] = e.shapeOf(p, head, headN, tail, tailN)
	}
	if to.Line-from.Line == last { // as many lines as before
		copy(e.lines[from.Line:], parts)
		copy(e.shapes[from.Line:], shapes)
	} else {
		e.lines = slices.Replace(e.lines, from.Line, to.Line+1, parts...)
		e.shapes = slices.Replace(e.shapes, from.Line, to.Line+1, shapes...)
	}
	e.moved(from, to, end)
	return end
}

// span is how many bytes are between two places.
func (e *Editor) span(from, to Pos) int {
	n := to.Byte - from.Byte
	for i := from.Line; i < to.Line; i++ {
		n += len(e.lines[i]) + 1
	}
	return n
}

// moved tells all that is bound to places that the text between two of them was
// replaced by one that ends at a third.
func (e *Editor) moved(from, to, end Pos) {
	e.revision++
	e.goal = -1
	e.starts = e.starts[:min(len(e.starts), from.Line+1)]
	e.top = min(e.top, len(e.lines)-1)
	e.folds.moved(e, from, to, end)
	e.problems.moved(from, to, end)
	e.due.at = along(e.due.at, from, to, end)
	e.finder.moved(e, from, to, end)
	e.list.at = -1
}

// along is where a place is after the text between two others was replaced; one
// within that text is where its replacement ends.
func along(p, from, to, end Pos) Pos {
	switch {
	case p.before(from) || p == from && p != to:
		return p
	case p.before(to):
		return end
	case p.Line == to.Line:
		return Pos{end.Line, end.Byte + p.Byte - to.Byte}
	}
	return Pos{p.Line + end.Line - to.Line, p.Byte}
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
	e.stay(c.before)
	e.seal() // what is typed next is a change of its own
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
	e.stay(c.after)
	c.kind = other // what is typed next is a change of its own
	e.undo = append(e.undo, c)
	e.kept += len(c.removed) + len(c.inserted)
	return true
}

func (e *Editor) stay(p place) {
	e.caret, e.anchor = p.caret, p.anchor
	e.reveal(e.caret.Line)
	e.list.close()
}

// CanUndo reports whether there is a change to take back, CanRedo whether there
// is one to make again.
func (e *Editor) CanUndo() bool { return len(e.undo) > 0 }

// CanRedo reports whether there is a change to make again.
func (e *Editor) CanRedo() bool { return len(e.redo) > 0 }

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
