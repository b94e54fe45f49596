package edit

import (
	"strings"

	"perch/engine/jsonread"
)

// Suggestion is something that may stand at the caret.
type Suggestion struct {
	// Text is a member's name as it is, or a value as JSON.
	Text string
	Note string // told beside it
	// Value, of a name, is the JSON that goes in behind the colon; "" leaves
	// that to the caret. The caret goes into "", [] and {}.
	Value string
}

// Suggester knows what may stand where.
type Suggester interface {
	// Suggest says what fits: with key the names of the object at a JSON
	// pointer, else the values of what the pointer means. prefix is what stands
	// before the caret, without its quote; see Fitting. It is called for every
	// key that is typed and must not take long.
	Suggest(pointer string, key bool, prefix string) []Suggestion
}

// SuggestFunc is a function as a Suggester.
type SuggestFunc func(pointer string, key bool, prefix string) []Suggestion

// Suggest calls the function.
func (f SuggestFunc) Suggest(pointer string, key bool, prefix string) []Suggestion {
	return f(pointer, key, prefix)
}

// Fitting are those suggestions that fit a prefix, whatever its case: those
// that begin with it first, then those that hold it.
func Fitting(all []Suggestion, prefix string) []Suggestion {
	if prefix == "" {
		return all
	}
	low := strings.ToLower(prefix)
	var begin, hold []Suggestion
	for _, s := range all {
		switch text := strings.ToLower(strings.TrimPrefix(s.Text, `"`)); {
		case strings.HasPrefix(text, low):
			begin = append(begin, s)
		case strings.Contains(text, low):
			hold = append(hold, s)
		}
	}
	return append(begin, hold...)
}

// suggestions is the list at the caret.
type suggestions struct {
	from     Suggester
	open     bool
	refused  Pos  // where the list was closed by hand: it stays closed there
	isClosed bool // refused is set

	at       int // the revision that the rest belongs to, -1: it must be made anew
	spot     spot
	items    []Suggestion
	of       int // how many there were without the prefix
	selected int
	top      int

	shown listArea // where it was drawn last
}

// SuggestFrom says who knows what may stand where; nil: nobody.
func (e *Editor) SuggestFrom(s Suggester) { e.list = suggestions{from: s, at: -1} }

// OpenSuggestions opens the list of what may stand at the caret, or selects the
// next row of it. It reports whether there is anything to suggest.
func (e *Editor) OpenSuggestions() bool {
	if e.Suggesting() {
		e.list.move(1)
		return true
	}
	e.list.isClosed = false
	return e.suggest()
}

// Suggesting reports whether the list is open.
func (e *Editor) Suggesting() bool { return e.list.open && len(e.list.items) > 0 }

// Suggestions are the rows of the list and which of them is selected.
func (e *Editor) Suggestions() (items []Suggestion, selected int) {
	if !e.Suggesting() {
		return nil, 0
	}
	return e.list.items, e.list.selected
}

// Dismiss closes the list, for as long as the caret is in the same token, and
// reports whether it was open.
func (e *Editor) Dismiss() bool {
	if !e.Suggesting() {
		e.list.close()
		return false
	}
	e.list.refused, e.list.isClosed = e.list.spot.from, true
	e.list.close()
	return true
}

func (l *suggestions) close() { l.open, l.items = false, nil }

func (l *suggestions) move(n int) {
	if len(l.items) > 0 {
		l.selected = (l.selected + n + len(l.items)) % len(l.items)
	}
}

// suggest makes the list for the place of the caret.
func (e *Editor) suggest() bool {
	l := &e.list
	wasOpen, was := l.open, l.spot
	l.close()
	if l.from == nil || !e.json || e.anchor != e.caret {
		return false
	}
	s, ok := e.spotAt(e.caret)
	if !ok || l.isClosed && l.refused == s.from {
		return false
	}
	l.isClosed = false
	items := l.from.Suggest(s.pointer, s.key, s.prefix)
	of := len(items)
	if s.prefix != "" {
		of = len(l.from.Suggest(s.pointer, s.key, ""))
	}
	if s.key && len(items) > 0 {
		has := e.names(s)
		left := make([]Suggestion, 0, len(items))
		for _, it := range items {
			if !has[it.Text] {
				left = append(left, it)
			}
		}
		items = left
	}
	if len(items) == 0 {
		return false
	}
	if !wasOpen || was.from != s.from || was.prefix != s.prefix {
		l.selected, l.top = 0, 0
	}
	l.open, l.items, l.of, l.spot, l.at = true, items, max(of, len(items)), s, e.revision
	return true
}

// typed follows what was typed: the list opens with a word or a quote.
func (e *Editor) typed(text string) {
	if e.list.from == nil || text == "" {
		return
	}
	last := text[len(text)-1]
	if e.list.open || last == '"' || last == '_' || last >= 'a' && last <= 'z' || last >= 'A' && last <= 'Z' {
		e.suggest()
	}
}

// erased follows what was deleted.
func (e *Editor) erased() {
	if e.list.open {
		e.suggest()
	}
}

// listKey does what a key means while the list is open.
func (e *Editor) listKey(name string) bool {
	if name == "ctrl+n" && e.list.from != nil {
		return e.OpenSuggestions()
	}
	if !e.Suggesting() {
		return false
	}
	switch name {
	case "up":
		e.list.move(-1)
	case "down":
		e.list.move(1)
	default:
		return false
	}
	return true
}

// Accept puts the selected suggestion in, with the quotes, the colon and the
// commas that it needs, as one change. It reports whether the list was open.
func (e *Editor) Accept() bool {
	if !e.Suggesting() || e.list.at != e.revision {
		e.list.close()
		return false
	}
	it, s := e.list.items[e.list.selected], e.list.spot
	e.list.close()
	_, next, more := e.behind(s.to)
	named := s.key && more && next == ':' // the name of a member that is there
	lead, body, value := "", it.Text, it.Text
	if s.key {
		body, value = string(jsonread.AppendQuote(nil, it.Text)), it.Value
		if !named {
			body += e.colon(s) + value
		}
	}
	caret := len(body)
	if !named && (value == `""` || value == "[]" || value == "{}") {
		caret-- // between
	}
	if more && s.level.c != 0 && strings.IndexByte(",:}]", next) < 0 {
		body += ","
	}
	from := s.from
	if s.comma {
		lead, from = ","+e.slice(s.after, s.from), s.after
	}
	e.replace(from, s.to, lead+body, other)
	at := e.after(from, lead+body[:caret])
	e.stand(at, at)
	if s.key && !named && value == "" {
		e.suggest()
	}
	return true
}

// colon is a colon as the text around writes it: with a blank, unless the one
// before has none.
func (e *Editor) colon(s spot) string {
	line := e.lines[s.from.Line][:s.from.Byte]
	if i := strings.LastIndex(line, `":`); i >= 0 && i+2 < len(line) && line[i+2] != ' ' {
		return ":"
	}
	return ": "
}
