// Package find is the find bar of a list: what is typed into it, what it looks
// for, what it found, and how all of that is told in one row. It looks for bytes
// in rows; which rows there are, and what becomes of those found, is the business
// of the pane that it belongs to. It knows nothing of keys.
package find

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"perch/themes"
	"perch/ui/cell"
	"perch/ui/edit"
	"perch/ui/list"
	"perch/ui/words"
)

// Most is how many bytes of a row a search looks at.
const Most = 1 << 20

// maxHistory is how many earlier searches are kept.
const maxHistory = 50

// Finder is the search of a pane: its bar, what it looks for and what it found.
type Finder struct {
	Bar     *edit.Editor // nil: no search
	Typing  bool
	Filter  bool // matching rows only
	Regex   bool
	Exact   bool   // upper and lower case differ
	Wrong   string // why the text cannot be looked for, "" when it can
	Matcher func([]byte) (from, to int)
	Index   *list.Index
	Done    bool // all rows were looked at
	Jump    bool // the next match is to be selected once it is known
	history []string
	Whole   bool // the pane shows all its rows: there is no filter
	past    int  // place in history while going through it
}

// Open puts the caret into the bar.
func (f *Finder) Open(filter bool) {
	if f.Bar == nil {
		f.Bar = edit.NewLine("")
		f.Filter = filter
	}
	f.Typing = true
	f.past = len(f.history)
}

// Close ends the search; what was chosen of it stays for the next one.
func (f *Finder) Close() {
	*f = Finder{Regex: f.Regex, Exact: f.Exact, Whole: f.Whole, history: f.history}
}

// Changed takes what was typed.
func (f *Finder) Changed() {
	f.Matcher, f.Index, f.Done, f.Wrong = nil, nil, false, ""
	if f.Bar == nil || f.Bar.Empty() {
		return
	}
	f.Matcher, f.Wrong = matcher(f.Bar.Text(), f.Regex, f.Exact)
}

// Remember keeps what was searched for.
func (f *Finder) Remember() {
	text := f.Bar.Text()
	if n := len(f.history); n > 0 && f.history[n-1] == text {
		return
	}
	f.history = append(f.history, text)
	if len(f.history) > maxHistory {
		f.history = f.history[1:]
	}
}

// Earlier shows an earlier search, or a later one.
func (f *Finder) Earlier(n int) {
	to := f.past + n
	if to < 0 || to > len(f.history) || len(f.history) == 0 {
		return
	}
	f.past = to
	text := ""
	if to < len(f.history) {
		text = f.history[to]
	}
	f.Bar.SetText(text)
	f.Changed()
}

// Matcher finds text in bytes: from is -1 when it is not there. wrong says why
// there can be none.
func matcher(text string, regex, exact bool) (m func([]byte) (from, to int), wrong string) {
	if !regex {
		if exact {
			return func(b []byte) (int, int) {
				i := bytes.Index(b, []byte(text))
				return i, i + len(text)
			}, ""
		}
		if isASCII(text) {
			low := strings.ToLower(text)
			return func(b []byte) (int, int) {
				i := indexFold(b, low)
				return i, i + len(low)
			}, ""
		}
		text = regexp.QuoteMeta(text)
	}
	if !exact {
		text = "(?i)" + text
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, "not a regular expression: " + strings.TrimPrefix(err.Error(), "error parsing regexp: ")
	}
	return func(b []byte) (int, int) {
		at := re.FindIndex(b)
		if at == nil || at[0] == at[1] {
			return -1, -1
		}
		return at[0], at[1]
	}, ""
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// indexFold is the place of low, which is lower-case ASCII, in b.
func indexFold(b []byte, low string) int {
	for i := 0; i+len(low) <= len(b); i++ {
		k := 0
		for k < len(low) && lower(b[i+k]) == low[k] {
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

// Add adds text that is not ours to a line, with what is searched for in it
// marked.
func (f *Finder) Add(l *cell.Line, st cell.Style, s string) {
	const most = 64
	if f.Matcher == nil {
		l.Text(st, s)
		return
	}
	var at [][2]int
	for pos := 0; pos < len(s) && len(at) < most; {
		from, to := f.Matcher([]byte(s[pos:]))
		if from < 0 {
			break
		}
		at = append(at, [2]int{pos + from, pos + to})
		pos += to
	}
	l.Marked(st, s, at, cell.Fg(themes.Match).With(themes.Reverse))
}

// Line is the bar, for w cells, with row at selected of so many rows; the editor stands in it when it is typed into.
func (f *Finder) Line(k *cell.Look, w, at, of int) string {
	label := " find "
	if f.Filter {
		label = " filter "
	}
	info := f.info(at, of)
	if f.Typing {
		info = f.typingInfo(of)
	} else if k.Measure(f.Bar.Text())+len(label)+4+k.Measure(info) > w { // the keys stand in the footer too
		info, _, _ = strings.Cut(info, " · ")
	}
	var head, tail cell.Line
	head.Own(cell.Fg(themes.Muted), label)
	tail.Blank(2).Own(cell.Fg(themes.Muted), info)
	if f.Wrong != "" {
		tail = cell.Line{}
		tail.Blank(2).Own(cell.Fg(themes.Error), "✗ ").Text(cell.Fg(themes.Error), f.Wrong)
	}
	if w <= len(label)+2 {
		return f.Bar.View(k, w, 1, f.Typing)[0]
	}
	if !f.Typing {
		text := f.Bar.Text()
		head.Own(cell.Fg(themes.Border), "▏").TextIn(cell.Fg(themes.Text), text, min(k.Measure(text), max(w/2, 4)), cell.CutEnd)
		return k.Row(*head.Blank(1).Add(tail), w)
	}
	room := min(max(k.Measure(f.Bar.Text())+3, 8), w-len(label))
	row := k.Row(head, len(label)) + f.Bar.View(k, room, 1, f.Typing)[0]
	return row + k.Row(tail, w-len(label)-room)
}

// info is what the search found: which of how many, and the keys.
func (f *Finder) info(at, of int) string {
	if f.Index == nil {
		return "esc"
	}
	n := f.Index.Len()
	count := words.Count(n)
	if !f.Done {
		count += f.soFar(of)
	}
	switch {
	case n == 0 && f.Done:
		return "nothing matches · esc"
	case f.Filter && f.Done:
		return count + " rows · & all rows · esc"
	case f.Filter:
		return words.Count(n) + " rows" + f.soFar(of) + " · & all rows · esc"
	}
	if f.Index.Has(at) {
		count = words.Count(f.Index.Seek(at)+1) + " of " + count
	}
	if f.Whole {
		return count + " · n N next, previous · esc"
	}
	return count + " · n N next, previous · & filter · esc"
}

// soFar says how much of the rows was looked at.
func (f *Finder) soFar(of int) string {
	if of <= 0 {
		return " so far"
	}
	return fmt.Sprintf(" so far, %d %%", min(f.Index.Looked()*100/of, 99))
}

func (f *Finder) typingInfo(of int) string {
	var text string
	if f.Regex {
		text = "regex · "
	}
	if f.Exact {
		text += "case · "
	}
	if f.Index != nil {
		text += words.Count(f.Index.Len())
		if !f.Done {
			text += f.soFar(of)
		}
		text += " · "
	}
	other := "filter"
	if f.Filter {
		other = "find"
	}
	text += "enter keep · "
	if !f.Whole {
		text += "tab " + other + " · "
	}
	return text + "esc"
}

// Cursor is the cell of the caret in the bar.
func (f *Finder) Cursor() int {
	x, _ := f.Bar.Cursor()
	if f.Filter {
		return x + len(" filter ")
	}
	return x + len(" find ")
}
