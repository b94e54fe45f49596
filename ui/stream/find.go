package stream

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

// maxFind is how many bytes of a row a search looks at.
const maxFind = 1 << 20

// maxHistory is how many earlier searches are kept.
const maxHistory = 50

// finder is the search of a pane: its bar, what it looks for and what it found.
type finder struct {
	bar     *edit.Editor // nil: no search
	typing  bool
	filter  bool // matching rows only
	regex   bool
	exact   bool // upper and lower case differ
	wrong   string
	matcher func([]byte) (from, to int)
	index   *list.Index
	done    bool // all rows were looked at
	jump    bool // the next match is to be selected once it is known
	history []string
	whole   bool // the pane shows all its rows: there is no filter
	past    int  // place in history while going through it
}

// open puts the caret into the bar.
func (f *finder) open(filter bool) {
	if f.bar == nil {
		f.bar = edit.NewLine("")
		f.filter = filter
	}
	f.typing = true
	f.past = len(f.history)
}

// close ends the search; what was chosen of it stays for the next one.
func (f *finder) close() {
	*f = finder{regex: f.regex, exact: f.exact, whole: f.whole, history: f.history}
}

// changed takes what was typed.
func (f *finder) changed() {
	f.matcher, f.index, f.done, f.wrong = nil, nil, false, ""
	if f.bar == nil || f.bar.Empty() {
		return
	}
	f.matcher, f.wrong = matcher(f.bar.Text(), f.regex, f.exact)
}

// remember keeps what was searched for.
func (f *finder) remember() {
	text := f.bar.Text()
	if n := len(f.history); n > 0 && f.history[n-1] == text {
		return
	}
	f.history = append(f.history, text)
	if len(f.history) > maxHistory {
		f.history = f.history[1:]
	}
}

// earlier shows an earlier search, or a later one.
func (f *finder) earlier(n int) {
	to := f.past + n
	if to < 0 || to > len(f.history) || len(f.history) == 0 {
		return
	}
	f.past = to
	text := ""
	if to < len(f.history) {
		text = f.history[to]
	}
	f.bar.SetText(text)
	f.changed()
}

// matcher finds text in bytes: from is -1 when it is not there. wrong says why
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

// add adds text that is not ours to a line, with what is searched for in it
// marked.
func (f *finder) add(l *cell.Line, st cell.Style, s string) {
	const most = 64
	if f.matcher == nil {
		l.Text(st, s)
		return
	}
	var at [][2]int
	for pos := 0; pos < len(s) && len(at) < most; {
		from, to := f.matcher([]byte(s[pos:]))
		if from < 0 {
			break
		}
		at = append(at, [2]int{pos + from, pos + to})
		pos += to
	}
	l.Marked(st, s, at, cell.Fg(themes.Match).With(themes.Reverse))
}

// line is the bar, for w cells, with row at selected of so many rows; the editor stands in it when it is typed into.
func (f *finder) line(k *cell.Look, w, at, of int) string {
	label := " find "
	if f.filter {
		label = " filter "
	}
	info := f.info(at, of)
	if f.typing {
		info = f.typingInfo(of)
	}
	var head, tail cell.Line
	head.Own(cell.Fg(themes.Muted), label)
	tail.Blank(2).Own(cell.Fg(themes.Muted), info)
	if f.wrong != "" {
		tail = cell.Line{}
		tail.Blank(2).Own(cell.Fg(themes.Error), "✗ ").Text(cell.Fg(themes.Error), f.wrong)
	}
	if w <= len(label)+2 {
		return f.bar.View(k, w, 1, f.typing)[0]
	}
	if !f.typing {
		text := f.bar.Text()
		head.Own(cell.Fg(themes.Border), "▏").TextIn(cell.Fg(themes.Text), text, min(k.Measure(text), max(w/2, 4)), cell.CutEnd)
		return k.Row(*head.Blank(1).Add(tail), w)
	}
	room := min(max(k.Measure(f.bar.Text())+3, 8), w-len(label))
	row := k.Row(head, len(label)) + f.bar.View(k, room, 1, f.typing)[0]
	return row + k.Row(tail, w-len(label)-room)
}

// info is what the search found: which of how many, and the keys.
func (f *finder) info(at, of int) string {
	if f.index == nil {
		return "esc"
	}
	n := f.index.Len()
	count := words.Count(n)
	if !f.done {
		count += f.soFar(of)
	}
	switch {
	case n == 0 && f.done:
		return "nothing matches · esc"
	case f.filter && f.done:
		return count + " rows · & all rows · esc"
	case f.filter:
		return words.Count(n) + " rows" + f.soFar(of) + " · & all rows · esc"
	}
	if f.index.Has(at) {
		count = words.Count(f.index.Seek(at)+1) + " of " + count
	}
	if f.whole {
		return count + " · n N next, previous · esc"
	}
	return count + " · n N next, previous · & filter · esc"
}

// soFar says how much of the rows was looked at.
func (f *finder) soFar(of int) string {
	if of <= 0 {
		return " so far"
	}
	return fmt.Sprintf(" so far, %d %%", min(f.index.Looked()*100/of, 99))
}

func (f *finder) typingInfo(of int) string {
	var text string
	if f.regex {
		text = "regex · "
	}
	if f.exact {
		text += "case · "
	}
	if f.index != nil {
		text += words.Count(f.index.Len())
		if !f.done {
			text += f.soFar(of)
		}
		text += " · "
	}
	other := "filter"
	if f.filter {
		other = "find"
	}
	text += "enter keep · "
	if !f.whole {
		text += "tab " + other + " · "
	}
	return text + "esc · ctrl+x regex, case"
}

// cursor is the cell of the caret in the bar.
func (f *finder) cursor() int {
	x, _ := f.bar.Cursor()
	if f.filter {
		return x + len(" filter ")
	}
	return x + len(" find ")
}
