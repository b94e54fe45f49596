package edit

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// Query is what is searched for.
type Query struct {
	Text  string
	Regex bool
	Case  bool // upper and lower case differ
}

// Found is what a search found.
type Found struct {
	At    int  // the match at the caret, from 1; 0: the caret is at none
	Count int  // matches
	More  bool // there are more than are counted
	Busy  bool // the text is still being searched: see Due
}

// maxMatches is how many matches are kept.
const maxMatches = 100_000

// match is a place that a search found, within one line.
type match struct{ line, from, to int }

// finder is the search in a text. Matches never go over a line break.
type finder struct {
	query    Query
	m        *matcher
	search   int // grows with each query
	matches  []match
	more     bool
	complete bool // matches are those of the text as it is
	wish     int  // where to go once the matches are known: 1 next, -1 previous
}

// matcher finds text in a line: the places of at most so many matches.
type matcher struct {
	in func(dst [][2]int, line string, most int) [][2]int
}

// Find searches the text from now on, until EndFind. The error says why a
// regular expression is none; the search is then ended.
func (e *Editor) Find(q Query) error {
	f := &e.finder
	if f.m != nil && f.query == q {
		return nil
	}
	*f = finder{query: q, search: f.search + 1}
	if q.Text == "" {
		return nil
	}
	m, err := newMatcher(q)
	if err != nil {
		return err
	}
	f.m = m
	if !e.waits() {
		f.finish(e)
	}
	return nil
}

// EndFind ends the search.
func (e *Editor) EndFind() { e.finder = finder{search: e.finder.search + 1} }

// Found says how many matches there are and which one the caret is at.
func (e *Editor) Found() Found {
	f := &e.finder
	if f.m != nil && !e.waits() {
		f.finish(e)
	}
	out := Found{Count: len(f.matches), More: f.more, Busy: f.m != nil && !f.complete}
	if i := f.from(e.caret); i < len(f.matches) && f.matches[i].at() == e.caret {
		out.At = i + 1
	}
	return out
}

// FindHere puts the caret at the first match at or behind a byte of the text,
// for a search that goes on while its words are typed, and reports whether
// there is one.
func (e *Editor) FindHere(offset int) bool {
	e.settleDue()
	f := &e.finder
	if len(f.matches) == 0 {
		return false
	}
	e.place(f.matches[f.from(e.At(offset))%len(f.matches)].at())
	return true
}

// FindNext puts the caret at the next match, around the end of the text, and
// reports whether there is one. While a long text is still being searched it
// does so when that is done.
func (e *Editor) FindNext() bool { return e.find(1) }

// FindPrev puts the caret at the match before.
func (e *Editor) FindPrev() bool { return e.find(-1) }

func (e *Editor) find(step int) bool {
	f := &e.finder
	if f.m == nil {
		return false
	}
	if !f.complete {
		if e.waits() {
			f.wish = step
			return false
		}
		f.finish(e)
	}
	n := len(f.matches)
	if n == 0 {
		return false
	}
	i := f.from(e.caret)
	switch {
	case step < 0:
		i--
	case i < n && f.matches[i].at() == e.caret:
		i++
	}
	e.place(f.matches[(i+n)%n].at())
	return true
}

func (m match) at() Pos { return Pos{m.line, m.from} }

// from is the first match at or behind a place.
func (f *finder) from(p Pos) int {
	return sort.Search(len(f.matches), func(i int) bool { return !f.matches[i].at().before(p) })
}

// behind is the first match that ends behind a byte of a line.
func (f *finder) behind(line, at int) int {
	return sort.Search(len(f.matches), func(i int) bool {
		m := f.matches[i]
		return m.line > line || m.line == line && m.to > at
	})
}

// finish searches the whole text.
func (f *finder) finish(e *Editor) {
	if f.m == nil || f.complete {
		return
	}
	matches, more := f.m.all(e.lines)
	f.take(e, matches, more)
}

func (f *finder) take(e *Editor, matches []match, more bool) {
	f.matches, f.more, f.complete = matches, more, true
	if step := f.wish; step != 0 {
		f.wish = 0
		e.find(step)
	}
}

// moved keeps matches on their text and searches the lines that were changed.
func (f *finder) moved(e *Editor, from, to, end Pos) {
	if f.m == nil {
		return
	}
	first := sort.Search(len(f.matches), func(i int) bool { return f.matches[i].line >= from.Line })
	last := sort.Search(len(f.matches), func(i int) bool { return f.matches[i].line > to.Line })
	if by := end.Line - to.Line; by != 0 {
		for i := last; i < len(f.matches); i++ {
			f.matches[i].line += by
		}
	}
	var fresh []match
	bytes := 0
	for i := from.Line; i <= end.Line && f.complete; i++ {
		if bytes += len(e.lines[i]); bytes > soon || f.more {
			f.complete = false
			break
		}
		fresh = f.m.add(fresh, e.lines[i], i)
	}
	f.matches = slices.Replace(f.matches, first, last, fresh...)
	if len(f.matches) > maxMatches {
		f.matches, f.more = f.matches[:maxMatches], true
	}
}

// all finds everything in some lines.
func (m *matcher) all(lines []string) (matches []match, more bool) {
	for i, line := range lines {
		if matches = m.add(matches, line, i); len(matches) > maxMatches {
			return matches[:maxMatches], true
		}
	}
	return matches, false
}

// add finds all in a line.
func (m *matcher) add(dst []match, line string, i int) []match {
	var buf [16][2]int
	for _, at := range m.in(buf[:0], strings.TrimSuffix(line, "\r"), maxMatches+1-min(len(dst), maxMatches)) {
		if at[1] > at[0] {
			dst = append(dst, match{i, at[0], at[1]})
		}
	}
	return dst
}

func newMatcher(q Query) (*matcher, error) {
	text := q.Text
	switch {
	case !q.Regex && q.Case:
		return literal(text, func(line string, from int) int {
			if i := strings.Index(line[from:], text); i >= 0 {
				return from + i
			}
			return -1
		}), nil
	case !q.Regex && isASCII(text):
		low := strings.ToLower(text)
		return literal(text, func(line string, from int) int { return indexFold(line, low, from) }), nil
	case !q.Regex:
		text = regexp.QuoteMeta(text)
	}
	if !q.Case {
		text = "(?i)" + text
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, fmt.Errorf("not a regular expression: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	return &matcher{func(dst [][2]int, line string, most int) [][2]int {
		for _, at := range re.FindAllStringIndex(line, most) {
			dst = append(dst, [2]int{at[0], at[1]})
		}
		return dst
	}}, nil
}

// literal finds a text by the place of its next one from a byte on.
func literal(text string, next func(line string, from int) int) *matcher {
	return &matcher{func(dst [][2]int, line string, most int) [][2]int {
		for from := 0; most > 0; most-- {
			at := next(line, from)
			if at < 0 {
				break
			}
			from = at + len(text)
			dst = append(dst, [2]int{at, from})
		}
		return dst
	}}
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// indexFold is the place of low, which is lower-case ASCII, from a byte on, or
// -1.
func indexFold(line, low string, from int) int {
	for i := from; i+len(low) <= len(line); i++ {
		k := 0
		for k < len(low) && lower(line[i+k]) == low[k] {
			k++
		}
		if k == len(low) {
			return i
		}
	}
	return -1
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
