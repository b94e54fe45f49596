package history

import (
	"fmt"
	"strings"

	"perch/inspect/compare"
	"perch/inspect/safe"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/list"
	"perch/ui/prose"
	"perch/ui/words"
)

// group is a tab of a comparison, and the parts in it.
type group struct {
	name  string
	parts []compare.Part
}

func groups() []group {
	return []group{
		{"All", nil},
		{"Arguments", []compare.Part{compare.Arguments}},
		{"Result", []compare.Part{compare.Outcome, compare.Result, compare.Model, compare.Findings}},
		{"Wire", []compare.Part{compare.Wire}},
		{"HTTP", []compare.Part{compare.HTTP}},
		{"Files", []compare.Part{compare.Files}},
		{"Stderr", []compare.Part{compare.Stderr}},
	}
}

// diff is how two runs differ, and how that is shown.
type diff struct {
	all    []compare.Section
	tab    int
	opened map[at]bool
	texts  map[at]*compare.Text
	rows   []row
	list   *list.List
	for_   drawnFor
	where  int // cells of the places, in columns
}

// at is a difference: its section and its row there.
type at struct{ section, row int }

// drawnFor is what the rows were made for.
type drawnFor struct {
	tab, w  int
	look    *cell.Look
	stacked bool
}

// row is a row of a comparison.
type row struct {
	at     at
	on     bool // it belongs to a difference
	first  bool // the first row of that
	real   bool // which is one by value
	side   byte // a or b: the value of that side; t: a line of its text; 0: the whole
	line   int  // of the text
	header cell.Line
}

func newDiff(all []compare.Section) *diff {
	return &diff{all: all, opened: map[at]bool{}, texts: map[at]*compare.Text{}, list: list.New(list.Lines{})}
}

// setTab chooses a tab, around the ends.
func (d *diff) setTab(i int) {
	n := len(groups())
	d.tab = (i + n) % n
	d.for_ = drawnFor{}
}

// sections are those of the tab.
func (d *diff) sections() []int {
	parts := groups()[d.tab].parts
	var out []int
	for i, s := range d.all {
		if parts == nil {
			out = append(out, i)
		}
		for _, p := range parts {
			if p == s.Part {
				out = append(out, i)
			}
		}
	}
	return out
}

// lay makes the rows for a width, where they are not made yet.
func (d *diff) lay(k *cell.Look, w int, stacked bool) {
	if now := (drawnFor{d.tab, w, k, stacked}); d.for_ != now {
		selected, had := d.selected()
		fresh := d.for_.tab != d.tab || d.for_.look == nil
		d.for_ = now
		d.make(k, w, stacked)
		d.list.SetSource(d)
		if had && !fresh {
			d.selectDiff(selected.at)
		} else {
			d.list.Select(0)
		}
	}
}

// make makes the rows: what differs by value, what differs in every call, what
// is written in another way, and what is the same.
func (d *diff) make(k *cell.Look, w int, stacked bool) {
	d.rows, d.where = d.rows[:0], 8
	sections := d.sections()
	if !d.addKinds(sections, stacked, "", compare.Kind.Real) {
		for _, row := range safe.Wrap("No difference by value"+d.inWhat()+".", max(w-2, 1)) {
			d.say(cell.Own(themes.OK, row))
		}
	}
	d.addKinds(sections, stacked, "Ids and times, which differ in every call", func(x compare.Kind) bool { return x == compare.Moving })
	d.addKinds(sections, stacked, "The same by value, written in another way", func(x compare.Kind) bool {
		return x == compare.Respelled || x == compare.Reordered
	})
	var same, none []string
	for _, i := range sections {
		s := d.all[i]
		switch {
		case s.More > 0:
			d.say(cell.Own(themes.Muted, fmt.Sprintf("%s of %s, not listed", words.Plural(s.More, "more difference"), s.Part)))
		case s.None:
			none = append(none, string(s.Part))
		case len(s.Rows) == 0:
			same = append(same, sameName(s.Part))
		}
	}
	d.say(cell.Line{})
	tell := func(text string) {
		for _, l := range prose.Own(k, themes.Muted, text, w) {
			d.say(l)
		}
	}
	if len(same) > 0 {
		tell("same: " + strings.Join(same, ", "))
	}
	if len(none) > 0 {
		tell("in neither call: " + strings.Join(none, ", "))
	}
	for _, i := range sections {
		if s := d.all[i]; s.Note != "" {
			tell(string(s.Part) + ": " + s.Note)
		}
	}
	tell("by value: member order and white space do not count")
}

// inWhat says where there is no difference.
func (d *diff) inWhat() string {
	if d.tab == 0 {
		return " in anything that is compared"
	}
	var names []string
	for _, p := range groups()[d.tab].parts {
		names = append(names, string(p))
	}
	return " in " + strings.Join(names, ", ")
}

func (d *diff) say(l cell.Line) {
	d.rows = append(d.rows, row{header: l})
}

// addKinds adds the differences of some kinds below a head, and reports whether
// there are any.
func (d *diff) addKinds(sections []int, stacked bool, head string, is func(compare.Kind) bool) bool {
	any := false
	for _, i := range sections {
		for n, r := range d.all[i].Rows {
			if !is(r.Kind) {
				continue
			}
			if !any && head != "" {
				d.say(cell.Line{})
				d.say(cell.Line{Spans: []cell.Span{{Text: head, Style: cell.Fg(themes.Muted).With(themes.Bold), Ours: true}}})
			}
			any = true
			d.where = max(d.where, min(len([]rune(r.Where)), 40))
			d.add(at{i, n}, r, stacked)
		}
	}
	return any
}

// maxLines is how many lines of a text are unfolded.
const maxLines = 2_000

// sameName names a part among those that are the same. The content of a result
// is compared as the model reads it, under that name.
func sameName(part compare.Part) string {
	if part == compare.Result {
		return "result beside its content"
	}
	return string(part)
}

// around is how many same lines stand around what differs.
const around = 3

// add adds a difference.
func (d *diff) add(x at, r compare.Row, stacked bool) {
	one := row{at: x, on: true, real: r.Kind.Real()}
	first := one
	first.first = true
	d.rows = append(d.rows, first)
	t := d.text(x, r)
	if stacked && (t == nil || !d.opened[x]) || !stacked && t == nil && d.opened[x] {
		for _, side := range []byte{'a', 'b'} {
			if side == 'a' && r.A == "" || side == 'b' && r.B == "" {
				continue
			}
			one.side = side
			d.rows = append(d.rows, one)
		}
	}
	if t == nil || !d.opened[x] {
		return
	}
	one.side = 't'
	for i := range min(t.Len(), maxLines) {
		one.line = i
		d.rows = append(d.rows, one)
	}
	if more := t.Len() - maxLines; more > 0 {
		d.say(cell.Own(themes.Muted, "… "+words.Plural(more, "more line")))
	}
}

// text is a difference line by line, made when it is unfolded first; nil where
// there is none.
func (d *diff) text(x at, r compare.Row) *compare.Text {
	if t, ok := d.texts[x]; ok || !d.opened[x] {
		return t
	}
	t := r.Text()
	if t != nil {
		t = t.Folded(around)
	}
	d.texts[x] = t
	return t
}

func (d *diff) selected() (row, bool) {
	i, ok := d.list.Selected()
	if !ok || i >= len(d.rows) {
		return row{}, false
	}
	return d.rows[i], true
}

// selectDiff selects the first row of a difference.
func (d *diff) selectDiff(x at) {
	for i, r := range d.rows {
		if r.on && r.first && r.at == x {
			d.list.Select(i)
			return
		}
	}
	d.list.Select(0)
}

// walk selects the next difference by value, around the ends; false when there
// is none.
func (d *diff) walk(step int) bool {
	i, ok := d.list.Selected()
	if !ok {
		return false
	}
	n := len(d.rows)
	for range n {
		i = (i + step + n) % n
		if d.rows[i].first && d.rows[i].real {
			d.list.Jump(i)
			return true
		}
	}
	return false
}

// unfolds reports whether enter does something on the selected row.
func (d *diff) unfolds() bool {
	r, ok := d.selected()
	return ok && r.on && (!d.for_.stacked || d.all[r.at.section].Rows[r.at.row].HasText())
}

// Target is a place in a run that a difference is about.
type Target struct {
	Run   uint32
	Event uint64
	Part  compare.Part
}

// target is the place of the selected difference: on the side that is selected,
// else on the newer one that has it.
func (d *diff) target(a, b uint32) (Target, bool) {
	r, ok := d.selected()
	if !ok || !r.on {
		return Target{}, false
	}
	x := d.all[r.at.section].Rows[r.at.row]
	first := r.side == 'a' || r.side == 't' && d.texts[r.at].Row(r.line).Kind == compare.Removed
	part := d.all[r.at.section].Part
	switch {
	case x.HasA && (first || !x.HasB):
		return Target{a, x.EventA, part}, true
	case x.HasB:
		return Target{b, x.EventB, part}, true
	}
	return Target{}, false
}

// toggle unfolds or folds the selected difference.
func (d *diff) toggle() bool {
	r, _ := d.selected()
	if !d.unfolds() {
		return false
	}
	return d.open(r.at, !d.opened[r.at])
}

// unfold unfolds the selected difference, or folds it; false when it is so.
func (d *diff) unfold(on bool) bool {
	r, _ := d.selected()
	return d.unfolds() && d.opened[r.at] != on && d.open(r.at, on)
}

func (d *diff) open(x at, on bool) bool {
	d.opened[x] = on
	now := d.for_
	d.for_.w = -1 // the same tab: what is selected stays
	d.lay(now.look, now.w, now.stacked)
	return true
}

// copy is what the selected difference says.
func (d *diff) copy() (string, bool) {
	r, ok := d.selected()
	if !ok || !r.on {
		return "", false
	}
	x := d.all[r.at.section].Rows[r.at.row]
	switch r.side {
	case 'a':
		return x.A, true
	case 'b':
		return x.B, true
	case 't':
		return d.texts[r.at].Row(r.line).Text, true
	}
	return fmt.Sprintf("%s %s: %s -> %s", d.all[r.at.section].Part, x.Where, orNone(x.A), orNone(x.B)), true
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
