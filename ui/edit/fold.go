package edit

import (
	"slices"
	"sort"
)

// fold is a list or object of which only the first and last line are shown.
type fold struct {
	at  Pos // its bracket
	end int // the line where it closes
}

// folds are in the order of their places.
type folds struct {
	all []fold

	known    bool // hidden and count are those of all
	hidden   []lineRange
	foldable struct { // whether a line can be folded
		known          bool
		revision, line int
		is             bool
	}
}

// lineRange are the lines that are folded away next to each other.
type lineRange struct {
	first, last int
	before      int // how many are folded away above
}

func (f *folds) changed() { f.known = false }

// ranges are the lines that are folded away.
func (f *folds) ranges() []lineRange {
	if f.known {
		return f.hidden
	}
	f.known = true
	f.hidden = f.hidden[:0]
	n := 0
	for _, fd := range f.all {
		first, last := fd.at.Line+1, fd.end-1
		if k := len(f.hidden) - 1; k >= 0 && first <= f.hidden[k].last+1 {
			if last > f.hidden[k].last {
				n += last - f.hidden[k].last
				f.hidden[k].last = last
			}
			continue
		}
		f.hidden = append(f.hidden, lineRange{first, last, n})
		n += last - first + 1
	}
	return f.hidden
}

// Rows is how many lines are not folded away.
func (e *Editor) Rows() int {
	r := e.folds.ranges()
	if len(r) == 0 {
		return len(e.lines)
	}
	last := r[len(r)-1]
	return len(e.lines) - last.before - (last.last - last.first + 1)
}

// rangeOf is the range that a line is folded away in.
func (e *Editor) rangeOf(line int) (lineRange, bool) {
	r := e.folds.ranges()
	i := sort.Search(len(r), func(i int) bool { return r[i].first > line }) - 1
	if i < 0 || r[i].last < line {
		return lineRange{}, false
	}
	return r[i], true
}

// rowOf is the row of a line; of one that is folded away that above it.
func (e *Editor) rowOf(line int) int {
	r := e.folds.ranges()
	i := sort.Search(len(r), func(i int) bool { return r[i].first > line }) - 1
	if i < 0 {
		return line
	}
	if line <= r[i].last {
		return r[i].first - 1 - r[i].before
	}
	return line - r[i].before - (r[i].last - r[i].first + 1)
}

// lineOf is the line of a row.
func (e *Editor) lineOf(row int) int {
	r := e.folds.ranges()
	i := sort.Search(len(r), func(i int) bool { return r[i].first-r[i].before > row }) - 1
	if i < 0 {
		return row
	}
	return row + r[i].before + (r[i].last - r[i].first + 1)
}

// seenAfter is a place, or where it is folded away the next one that is not.
func (e *Editor) seenAfter(p Pos) Pos {
	if r, ok := e.rangeOf(p.Line); ok {
		return Pos{r.last + 1, 0}
	}
	return p
}

func (e *Editor) seenBefore(p Pos) Pos {
	if r, ok := e.rangeOf(p.Line); ok {
		return Pos{r.first - 1, e.eol(r.first - 1)}
	}
	return p
}

// reveal unfolds what hides a line.
func (e *Editor) reveal(line int) {
	if _, hidden := e.rangeOf(line); hidden {
		e.folds.all = slices.DeleteFunc(e.folds.all, func(f fold) bool { return f.at.Line < line && line < f.end })
		e.folds.changed()
	}
}

// moved keeps folds on their brackets. One whose text was changed opens.
func (f *folds) moved(e *Editor, from, to, end Pos) {
	if len(f.all) == 0 {
		return
	}
	f.changed()
	lines := end.Line - to.Line
	f.all = slices.DeleteFunc(f.all, func(fd fold) bool {
		return from.Line < fd.end && to.Line > fd.at.Line // within, or across an edge
	})
	for i := range f.all {
		fd := &f.all[i]
		if to.Line <= fd.at.Line {
			fd.at = along(fd.at, from, to, end)
		}
		if to.Line <= fd.end {
			fd.end += lines
		}
	}
	kept := f.all[:0]
	for _, fd := range f.all {
		if fd.at.Line >= from.Line && fd.at.Line <= end.Line || fd.end >= from.Line && fd.end <= end.Line || fd.end == from.Line+lines {
			var ok bool
			if fd, ok = e.held(fd, lines); !ok {
				continue
			}
		}
		kept = append(kept, fd)
	}
	f.all = kept
}

// held is a fold whose first or last line was changed: its bracket must still
// be there and close on the line where it did, which may have gone down by so
// many lines or not.
func (e *Editor) held(f fold, lines int) (fold, bool) {
	line := e.lines[f.at.Line]
	if f.at.Byte >= len(line) || line[f.at.Byte] != '{' && line[f.at.Byte] != '[' || e.stateAt(f.at) != outside {
		return f, false
	}
	end, ok := e.closing(Pos{f.at.Line, f.at.Byte + 1})
	if !ok || end.Line != f.end && end.Line != f.end-lines || end.Line <= f.at.Line+1 {
		return f, false
	}
	f.end = end.Line
	return f, true
}

// outer is what can be folded on a line: the outermost list or object that
// begins on it and goes on for more than the next line.
func (e *Editor) outer(line int) (fold, bool) {
	s := e.sumOfLine(line)
	if !e.json || s.up == 0 {
		return fold{}, false
	}
	// The outermost one is the first that stays open.
	depth := int32(0)
	for n := range e.units(line) {
		u := e.unit(line, n)
		for _, m := range marksOf(nil, e.lines[line][u.from:u.to], u.st, u.from) {
			switch m.c {
			case '}', ']':
				depth = max(depth-1, 0)
			case '{', '[':
				if depth++; depth != 1 {
					continue
				}
				if end, ok := e.closing(Pos{line, m.at + 1}); ok && end.Line > line+1 {
					return fold{Pos{line, m.at}, end.Line}, true
				} else if !ok {
					return fold{}, false
				}
			}
		}
	}
	return fold{}, false
}

// Foldable reports whether a list or object begins on a line that can be
// folded.
func (e *Editor) Foldable(line int) bool {
	f := &e.folds.foldable
	if !f.known || f.revision != e.revision || f.line != line {
		_, is := e.outer(line)
		f.known, f.revision, f.line, f.is = true, e.revision, line, is
	}
	return f.is
}

// FoldedAt reports whether what begins on a line is folded, and how many lines
// are folded away.
func (e *Editor) FoldedAt(line int) (hidden int, ok bool) {
	i, ok := e.foldOn(line)
	if !ok {
		return 0, false
	}
	return e.folds.all[i].end - line - 1, true
}

func (e *Editor) foldOn(line int) (int, bool) {
	i := sort.Search(len(e.folds.all), func(i int) bool { return e.folds.all[i].at.Line >= line })
	return i, i < len(e.folds.all) && e.folds.all[i].at.Line == line
}

// ToggleFold unfolds what is folded on the caret's line, or folds what begins
// on it, or else the list or object around it. The caret goes along to its
// first line. It reports whether there was anything to fold.
func (e *Editor) ToggleFold() bool { return e.toggleFold(e.caret.Line) }

func (e *Editor) toggleFold(line int) bool {
	if i, ok := e.foldOn(line); ok {
		e.folds.all = slices.Delete(e.folds.all, i, i+1)
		e.folds.changed()
		return true
	}
	f, ok := e.outer(line)
	for p := (Pos{line, 0}); !ok; {
		open, more := e.opening(p)
		if !more || !e.json {
			return false
		}
		if end, closed := e.closing(Pos{open.Line, open.Byte + 1}); closed && end.Line > open.Line+1 {
			f, ok = fold{open, end.Line}, true
		}
		p = open
	}
	e.fold(f)
	return true
}

func (e *Editor) fold(f fold) {
	i, folded := e.foldOn(f.at.Line)
	if folded {
		e.folds.all[i] = f
	} else {
		e.folds.all = slices.Insert(e.folds.all, i, f)
	}
	e.folds.changed()
	e.comeOut()
}

// comeOut moves the caret out of what is folded away, to the line above, and
// ends a selection that would end there.
func (e *Editor) comeOut() {
	goal := e.goal
	if _, hidden := e.rangeOf(e.anchor.Line); hidden {
		e.anchor = e.caret
	}
	r, hidden := e.rangeOf(e.caret.Line)
	if !hidden {
		return
	}
	at := Pos{r.first - 1, e.eol(r.first - 1)}
	if i, ok := e.foldOn(at.Line); ok {
		at.Byte = e.folds.all[i].at.Byte + 1
	}
	e.place(at)
	e.goal = goal
}

// FoldAll folds all lists and objects but the outermost. It reads all lines
// that have brackets.
func (e *Editor) FoldAll() {
	if !e.json {
		return
	}
	var open, all []fold // of an open one end is its place in all
	e.folds.all = nil
	var buf [64]mark
	for line := range e.lines {
		if s := e.sumOfLine(line); s.up == 0 && s.down == 0 {
			continue
		}
		for n := range e.units(line) {
			u := e.unit(line, n)
			if u.sum.up == 0 && u.sum.down == 0 {
				continue
			}
			for _, m := range marksOf(buf[:0], e.lines[line][u.from:u.to], u.st, u.from) {
				switch m.c {
				case '{', '[':
					open = append(open, fold{at: Pos{line, m.at}})
				case '}', ']':
					if len(open) == 0 {
						continue
					}
					f := open[len(open)-1]
					open = open[:len(open)-1]
					if f.end = line; f.end > f.at.Line+1 && len(open) > 0 {
						all = append(all, f)
					}
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b fold) int {
		if a.at.Line != b.at.Line {
			return a.at.Line - b.at.Line
		}
		return a.at.Byte - b.at.Byte
	})
	// Of what begins on one line the outermost folds.
	all = slices.CompactFunc(all, func(a, b fold) bool { return a.at.Line == b.at.Line })
	e.folds.all = all
	e.folds.changed()
	e.comeOut()
}

// UnfoldAll unfolds everything.
func (e *Editor) UnfoldAll() {
	e.folds.all = nil
	e.folds.changed()
}

// Folded are the lines on which something is folded, to be remembered.
func (e *Editor) Folded() []int {
	lines := make([]int, len(e.folds.all))
	for i, f := range e.folds.all {
		lines[i] = f.at.Line
	}
	return lines
}

// FoldLines folds what begins on such lines, as far as there is something.
func (e *Editor) FoldLines(lines []int) {
	for _, line := range lines {
		if line < 0 || line >= len(e.lines) {
			continue
		}
		if f, ok := e.outer(line); ok {
			e.fold(f)
		}
	}
}
