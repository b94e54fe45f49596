package edit

import (
	"slices"
	"sort"
	"strconv"

	"perch/themes"
	"perch/ui/cell"
)

// Problem is something wrong that is not about JSON itself.
type Problem struct {
	// Pointer is the JSON pointer of the value, for a problem without Bytes.
	// One that leads nowhere means the innermost value on its way that is
	// there.
	Pointer string
	// Bytes says that Start and End are bytes of the text, End exclusive.
	Bytes      bool
	Start, End int
	Text       string // what is said of it
}

// placed is a problem in the text.
type placed struct {
	from, to Pos
	text     string
	json     bool // it is the fault of JSON itself
}

// problems are in the order of their places.
type problems struct{ all []placed }

// maxProblems is how many problems are kept.
const maxProblems = 1_000

// SetProblems says what is wrong with the text as it is now, all of it at once.
// A problem stays on its text while that changes, until it is set anew. The
// fault of a text that is no JSON is known without being told.
func (e *Editor) SetProblems(all []Problem) {
	e.problems.all = nil
	for _, p := range all[:min(len(all), maxProblems)] {
		from, to := e.At(p.Start), e.At(p.End)
		if !p.Bytes {
			from, to = e.nearest(p.Pointer)
		}
		from.Byte, to.Byte = e.boundary(from), e.boundary(to)
		e.problems.all = append(e.problems.all, placed{from: from, to: to, text: p.Text})
	}
	slices.SortStableFunc(e.problems.all, func(a, b placed) int {
		switch {
		case a.from.before(b.from):
			return -1
		case b.from.before(a.from):
			return 1
		}
		return 0
	})
}

// nearest is where a pointer leads, or the innermost value on its way that is
// there. Of a list or object it is the bracket: what is wrong with it as a
// whole is not wrong with each line of it.
func (e *Editor) nearest(pointer string) (from, to Pos) {
	for {
		if from, to, ok := e.locate(pointer); ok {
			if isBracket(e.lines[from.Line][from.Byte]) {
				to = Pos{from.Line, from.Byte + 1}
			}
			return from, to
		}
		if pointer == "" {
			return Pos{}, Pos{}
		}
		i := len(pointer) - 1
		for i > 0 && pointer[i] != '/' {
			i--
		}
		pointer = pointer[:i]
	}
}

// Mark puts the sign ✗ beside the lines that hold these bytes of the text.
// The line of a fault of JSON has it without being told.
func (e *Editor) Mark(offsets []int) {
	all := make([]Problem, len(offsets))
	for i, o := range offsets {
		all[i] = Problem{Bytes: true, Start: o, End: o}
	}
	e.SetProblems(all)
}

func (p *problems) moved(from, to, end Pos) {
	for i := range p.all {
		pl := &p.all[i]
		pl.from, pl.to = along(pl.from, from, to, end), along(pl.to, from, to, end)
	}
}

// all are the problems with the fault of JSON among them.
func (e *Editor) allProblems() []placed {
	if !e.due.wrong {
		return e.problems.all
	}
	fault := placed{from: e.due.at, to: e.due.at, text: e.due.fault.Text, json: true}
	i := sort.Search(len(e.problems.all), func(i int) bool { return fault.from.before(e.problems.all[i].from) })
	return slices.Insert(slices.Clone(e.problems.all), i, fault)
}

// Problems is how many problems there are, that of JSON itself included.
func (e *Editor) Problems() int {
	n := len(e.problems.all)
	if e.due.wrong {
		n++
	}
	return n
}

// NextProblem puts the caret at the next problem, around the end of the text,
// and reports whether there is one.
func (e *Editor) NextProblem() bool {
	all := e.allProblems()
	for _, p := range all {
		if e.caret.before(p.from) {
			e.place(p.from)
			return true
		}
	}
	return e.toProblem(all, 0)
}

// PrevProblem puts the caret at the problem before.
func (e *Editor) PrevProblem() bool {
	all := e.allProblems()
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].from.before(e.caret) {
			e.place(all[i].from)
			return true
		}
	}
	return e.toProblem(all, len(all)-1)
}

func (e *Editor) toProblem(all []placed, i int) bool {
	if i < 0 || i >= len(all) {
		return false
	}
	e.place(all[i].from)
	return true
}

// Status is what there is to be said of the problem at the caret.
type Status struct {
	Text         string // what is wrong; "" when nothing is
	Line, Column int    // where: a line from 1, a column from 0 in characters
	Here         bool   // it is on the caret's line
	JSON         bool   // the text is no JSON
	Count        int    // of all problems
}

// Status is about the problem of the caret's line that is next to the caret.
// Without one it is about the fault of JSON, else about the next problem.
func (e *Editor) Status() Status {
	all := e.allProblems()
	best, distance := -1, 0
	for i, p := range all {
		if p.from.Line > e.caret.Line || p.to.Line < e.caret.Line {
			continue
		}
		d := 0
		switch {
		case e.caret.before(p.from):
			d = p.from.Byte - e.caret.Byte
		case p.to.before(e.caret):
			d = e.caret.Byte - p.to.Byte
		}
		if best < 0 || d < distance {
			best, distance = i, d
		}
	}
	out := Status{Count: len(all), Here: best >= 0}
	if best < 0 {
		best = slices.IndexFunc(all, func(p placed) bool { return p.json })
	}
	if best < 0 {
		best = slices.IndexFunc(all, func(p placed) bool { return e.caret.before(p.from) })
	}
	if best < 0 && len(all) > 0 {
		best = 0
	}
	if best >= 0 {
		p := all[best]
		out.Text, out.JSON = p.text, p.json
		out.Line, out.Column = e.told(p.from)
	}
	return out
}

// StatusLine is Status as a line of w cells: "✗ 11:13 ends inside a string   3
// problems, ctrl+g". next is the key that leads to the next problem. It is
// empty when nothing is wrong.
func (e *Editor) StatusLine(k *cell.Look, w int, next string) cell.Line {
	var l cell.Line
	s := e.Status()
	if s.Count == 0 {
		return l
	}
	l.Own(cell.Fg(themes.Error), "✗ "+strconv.Itoa(s.Line)+":"+strconv.Itoa(s.Column)+" ")
	l.Text(cell.Fg(themes.Error), s.Text)
	if s.Count == 1 && s.Here {
		return l
	}
	what := " problems, "
	if s.Count == 1 {
		what = " problem, "
	}
	what = strconv.Itoa(s.Count) + what + next
	if k.Width(l)+3+k.Measure(what) <= w {
		l.Blank(3)
	} else {
		l.Gap() // the count stays, the text is cut
	}
	return *l.Own(cell.Fg(themes.Muted), what)
}

// problemsOn reports whether a problem is told beside a line: where it begins.
// Of a line that stands for some that are folded away theirs count too.
func (e *Editor) problemsOn(line int) bool {
	last := line
	if hidden, ok := e.FoldedAt(line); ok {
		last += hidden
	}
	if e.due.wrong && e.due.at.Line >= line && e.due.at.Line <= last {
		return true
	}
	i := sort.Search(len(e.problems.all), func(i int) bool { return e.problems.all[i].from.Line >= line })
	return i < len(e.problems.all) && e.problems.all[i].from.Line <= last
}
