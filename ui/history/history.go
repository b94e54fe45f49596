// Package history is the page of a session's runs: which calls were made, with
// what, and what came of each; and of two of them, how they differ. It knows
// runs by what it is told of them and differences as package compare gives
// them; what is done with a run is the app's business.
package history

import (
	"strconv"
	"strings"
	"time"

	"perch/engine/event"
	"perch/inspect/compare"
	"perch/ui/cell"
	"perch/ui/edit"
	"perch/ui/list"
	"perch/ui/words"
)

// Entry is what the page knows of a run.
type Entry struct {
	ID      uint32 // of the run
	N       int    // of the call in this session, from 1; 0 is the upload run
	Tool    string // of a call: not ours
	Args    []byte // of a call, as they were sent
	When    time.Time
	Live    bool
	Outcome event.Outcome
	Usage   event.Usage
	Found   cell.Line // how many findings, empty for none

	short string // the arguments in a row, made when they are drawn
}

// name is how a run is called in a sentence.
func (e Entry) name() string {
	if e.N == 0 {
		return "the upload run"
	}
	return "call " + words.Count(e.N)
}

// outcome is the outcome in a column.
func (e Entry) outcome() string {
	switch {
	case e.Live:
		return "» running"
	case e.Outcome == event.Cancelled:
		return "· stopped"
	case e.N == 0 && e.Outcome == event.OK:
		return "✓ accepted"
	}
	return words.Outcome(e.Outcome)
}

// View is the state of the page. Use New.
type View struct {
	name   string // of the package: not ours
	all    []Entry
	rows   []int // of all, those that are listed
	list   *list.List
	marked uint32 // run, 0: none
	bar    *edit.Editor
	typing bool

	pair   *pair // what is compared, nil: nothing
	inside bool  // what stands beside the list has the focus
	about  *list.List
	made   made // what about was made for

	w, h, split int // of what was drawn last
	top         int // rows above the list
	tabs        []cell.Extent
}

// made is what the text beside the list was made for.
type made struct {
	id      uint32
	live    bool
	partner uint32
	w       int
	look    *cell.Look
}

// pair are two runs that are compared.
type pair struct {
	a, b Entry
	diff *diff // nil as long as it is not known
}

// New is the page without runs. The name is that of the package.
func New(name string) *View {
	v := &View{name: name}
	v.list = list.New(v)
	return v
}

// Set takes the runs as they are now, the newest first.
func (v *View) Set(all []Entry) {
	keep, had := v.Selected()
	newest := had && len(v.rows) > 0 && v.list.Position() == 0
	for i := range all {
		if old, ok := v.entry(all[i].ID); ok && old.short != "" {
			all[i].short = old.short
		}
	}
	grew := len(all) != len(v.all)
	v.all = all
	v.fill()
	switch {
	case !had || newest && grew:
		v.list.Select(0)
	case grew:
		v.Select(keep.ID)
	}
	if _, ok := v.entry(v.marked); !ok {
		v.marked = 0
	}
}

// entry is a run by its number.
func (v *View) entry(id uint32) (Entry, bool) {
	for _, e := range v.all {
		if e.ID == id {
			return e, true
		}
	}
	return Entry{}, false
}

// fill lists the runs that the filter fits.
func (v *View) fill() {
	query := ""
	if v.bar != nil {
		query = v.bar.Text()
	}
	v.rows = v.rows[:0]
	for i := range v.all {
		if v.all[i].fits(strings.Fields(strings.ToLower(query))) {
			v.rows = append(v.rows, i)
		}
	}
}

// maxRead is how much of the arguments a filter looks at.
const maxRead = 64 << 10

// fits reports whether a run has all words in what is told of it.
func (e Entry) fits(all []string) bool {
	if len(all) == 0 {
		return true
	}
	text := strings.ToLower(e.name() + " " + e.Tool + " " + string(e.Args[:min(len(e.Args), maxRead)]) + " " + e.outcome())
	for _, word := range all {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// Select selects a run, when it is listed.
func (v *View) Select(id uint32) {
	for i, at := range v.rows {
		if v.all[at].ID == id {
			v.list.Select(i)
		}
	}
}

// Selected is the selected run.
func (v *View) Selected() (Entry, bool) {
	i, ok := v.list.Selected()
	if !ok || i >= len(v.rows) {
		return Entry{}, false
	}
	return v.all[v.rows[i]], true
}

// Inside reports whether what stands beside the list has the focus.
func (v *View) Inside() bool { return v.inside }

// Comparing reports whether two runs are compared.
func (v *View) Comparing() bool { return v.pair != nil }

// Marks reports whether the selected run is marked.
func (v *View) Marks() bool {
	e, ok := v.Selected()
	return ok && v.marked == e.ID
}

// Partner is the run that the selected one is compared with, the marked one or
// the call before of its tool; else why there is none.
func (v *View) Partner() (a, b Entry, why string) {
	b, ok := v.Selected()
	switch {
	case !ok:
		return a, b, "no run is selected"
	case b.N == 0:
		return a, b, "the upload run asks for the tools; only calls are compared"
	case b.Live:
		return a, b, "this call still runs"
	}
	if m, ok := v.entry(v.marked); ok && m.ID != b.ID {
		if m.Live {
			return a, b, "the marked call still runs"
		}
		if m.ID > b.ID {
			return b, m, "" // the older one stands first
		}
		return m, b, ""
	}
	for _, e := range v.all {
		if e.ID < b.ID && e.N > 0 && e.Tool == b.Tool && !e.Live {
			return e, b, ""
		}
	}
	return a, b, "it is the first call of this tool; space marks another one to compare with"
}

// Compare shows that two runs are compared, and gives what will come the focus.
func (v *View) Compare(a, b Entry) {
	v.pair = &pair{a: a, b: b}
	v.inside = true
}

// Compared takes how the two runs differ, where they are still the ones that
// are looked at.
func (v *View) Compared(a, b uint32, all []compare.Section) {
	if v.pair != nil && v.pair.a.ID == a && v.pair.b.ID == b {
		v.pair.diff = newDiff(all)
	}
}

// Removed forgets a run that is no longer there.
func (v *View) Removed(id uint32) {
	if v.pair != nil && (v.pair.a.ID == id || v.pair.b.ID == id) {
		v.pair, v.inside = nil, false
	}
}

// mark marks the selected run, or takes its mark away.
func (v *View) mark() bool {
	e, ok := v.Selected()
	if !ok || e.N == 0 {
		return false
	}
	if v.marked == e.ID {
		v.marked = 0
	} else {
		v.marked = e.ID
	}
	return true
}

// numberWidth is how wide the column of numbers is.
func (v *View) numberWidth() int {
	n := 0
	for _, e := range v.all {
		n = max(n, e.N)
	}
	return len(strconv.Itoa(n))
}
