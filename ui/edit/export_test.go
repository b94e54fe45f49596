package edit

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Sound holds all that an editor knows of its text against the text itself.
func (e *Editor) Sound() error {
	text := e.Text()
	if e.size != len(text) {
		return fmt.Errorf("the size is %d, it has %d bytes", e.size, len(text))
	}
	at := 0
	for i, l := range e.lines {
		if got := e.start(i); got != at {
			return fmt.Errorf("line %d begins at %d, not at %d", i, got, at)
		}
		at += len(l) + 1
		if err := e.soundLine(i); err != nil {
			return err
		}
	}
	for _, p := range []Pos{e.caret, e.anchor} {
		if p.Line < 0 || p.Line >= len(e.lines) || p.Byte < 0 || p.Byte > len(e.lines[p.Line]) {
			return fmt.Errorf("the place %+v is not in the text", p)
		}
	}
	for _, p := range e.problems.all {
		for _, at := range []Pos{p.from, p.to} {
			if at.Line >= len(e.lines) || at.Byte > len(e.lines[at.Line]) {
				return fmt.Errorf("the problem at %+v is not in the text", at)
			}
		}
	}
	if e.finder.m != nil && e.finder.complete {
		if want, _ := e.finder.m.all(e.lines); !slices.Equal(want, e.finder.matches) {
			return fmt.Errorf("matches %v, want %v", e.finder.matches, want)
		}
	}
	if e.json {
		return e.soundBrackets()
	}
	return nil
}

func (e *Editor) soundLine(i int) error {
	line, s := e.lines[i], e.shapes[i]
	if e.json {
		if got, want := e.sumOfLine(i), sumOf(line, outside); got != want {
			return fmt.Errorf("line %d is said to be %+v, it is %+v: %.200q", i, got, want, line)
		}
	}
	if (s.long != nil) != (len(line) > longLine) {
		return fmt.Errorf("a line of %d bytes has pieces: %v", len(line), s.long != nil)
	}
	if s.long == nil {
		return nil
	}
	n := 0
	for _, p := range s.long.all {
		if p.bytes <= 0 || p.bytes > 4*pieceSize {
			return fmt.Errorf("a piece of %d bytes", p.bytes)
		}
		n += p.bytes
	}
	if n != len(line) {
		return fmt.Errorf("pieces hold %d bytes of %d", n, len(line))
	}
	for _, m := range []int{0, 1, characters} {
		if got, want := e.measured(m, i, len(line)), measure(m, line); got != want {
			return fmt.Errorf("measure %d of line %d is %d, not %d", m, i, got, want)
		}
	}
	return nil
}

// soundBrackets finds all pairs by reading the whole text.
func (e *Editor) soundBrackets() error {
	pairs := map[Pos]Pos{}
	var open []Pos
	for i, line := range e.lines {
		for _, m := range marksOf(nil, line, outside, 0) {
			switch m.c {
			case '{', '[':
				open = append(open, Pos{i, m.at})
			case '}', ']':
				if n := len(open); n > 0 {
					pairs[open[n-1]], pairs[Pos{i, m.at}] = Pos{i, m.at}, open[n-1]
					open = open[:n-1]
				}
			}
		}
	}
	if p := e.pairAtCaret(); p.found {
		want, ok := pairs[p.at]
		if ok != p.matched || ok && want != p.partner {
			return fmt.Errorf("the bracket at %+v goes with %+v (%v), want %+v (%v)", p.at, p.partner, p.matched, want, ok)
		}
	}
	before := Pos{-1, 0}
	for _, f := range e.folds.all {
		if f.at.Line <= before.Line {
			return fmt.Errorf("folds are not in order: %+v", e.folds.all)
		}
		before = f.at
		if end, ok := pairs[f.at]; !ok || end.Line != f.end || f.end < f.at.Line+2 {
			return fmt.Errorf("the fold %+v closes at %+v", f, end)
		}
	}
	if _, hidden := e.rangeOf(e.caret.Line); hidden {
		return fmt.Errorf("the caret is folded away")
	}
	return e.soundRows()
}

func (e *Editor) soundRows() error {
	var want []int
	for i := range e.lines {
		if !slices.ContainsFunc(e.folds.all, func(f fold) bool { return f.at.Line < i && i < f.end }) {
			want = append(want, i)
		}
	}
	var got []int
	for row := range e.Rows() {
		got = append(got, e.lineOf(row))
		if e.rowOf(got[row]) != row {
			return fmt.Errorf("line %d is row %d, not %d", got[row], e.rowOf(got[row]), row)
		}
	}
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf("rows are the lines %v, want %v", got, want)
	}
	return nil
}

// LongLine is a line of JSON that is held in pieces.
func LongLine(item string) string { return strings.Repeat(item, 2*longLine/len(item)+2) }
