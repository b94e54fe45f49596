// Package gallery is the view Open: a path to type, the samples inside perch,
// and the packages that were opened before. It knows nothing of packages
// beyond what it is told of them.
package gallery

import (
	"strings"
	"time"

	"perch/themes"
	"perch/ui/cell"
	"perch/ui/edit"
	"perch/ui/memory"
	"perch/ui/prose"
	"perch/ui/words"
)

// Sample is a package inside perch, as the view shows it.
type Sample struct {
	Name        string // greeter
	Open        string // sample:greeter
	Language    string
	Size        int64 // of its module, 0: not known yet
	Description string
	Build       string
	Tools       []string // with arguments at hand
}

// View is the state of the view. Use New.
type View struct {
	samples []Sample
	recent  []memory.Recent
	gone    map[string]bool // recent paths where nothing is any more
	now     func() time.Time
	tour    bool // the first sample begins a tour

	selected int // 0: the path; then the samples, then the recent ones, as filtered
	path     *edit.Editor
	filter   *edit.Editor
	typing   *edit.Editor // path or filter, nil: no caret
	pick     picker       // how the path could go on

	rows []int // entry of each row drawn, -1: none
	top  int
	at   struct{ x, y int }
	atOK bool
}

// New is the view with these samples and packages.
func New(samples []Sample, recent []memory.Recent, now func() time.Time) *View {
	return &View{samples: samples, recent: recent, now: now, path: edit.NewLine(""), pick: picker{picked: -1}, selected: 1}
}

// OfferTour says whether opening the first sample begins a tour.
func (v *View) OfferTour(on bool) { v.tour = on }

// SetSamples takes what became known of the samples.
func (v *View) SetSamples(s []Sample) { v.samples = s }

// SetRecent takes other packages, and which of them are gone.
func (v *View) SetRecent(r []memory.Recent, gone map[string]bool) { v.recent, v.gone = r, gone }

// entry is one row that can be chosen.
type entry struct {
	sample *Sample
	recent *memory.Recent
}

// entries are the rows that can be chosen after the path.
func (v *View) entries() []entry {
	var out []entry
	want := ""
	if v.filter != nil {
		want = strings.ToLower(strings.TrimSpace(v.filter.Text()))
	}
	fits := func(texts ...string) bool {
		return want == "" || strings.Contains(strings.ToLower(strings.Join(texts, "\n")), want)
	}
	for i := range v.samples {
		s := &v.samples[i]
		if fits(s.Name, s.Language, s.Description) {
			out = append(out, entry{sample: s})
		}
	}
	for i := range v.recent {
		r := &v.recent[i]
		if fits(r.Name, r.Path, r.Toolchain, r.Outcome) {
			out = append(out, entry{recent: r})
		}
	}
	return out
}

// Chosen is what enter opens: a path or a sample's name, "" for nothing.
func (v *View) Chosen() string {
	if v.Completing() && v.pick.picked >= 0 {
		return v.pick.listing.Offers[v.pick.picked].Path
	}
	if v.typing == v.path || v.selected == 0 {
		return v.path.Text()
	}
	all := v.entries()
	if v.selected-1 >= len(all) {
		return ""
	}
	if e := all[v.selected-1]; e.sample != nil {
		return e.sample.Open
	} else {
		return e.recent.Path
	}
}

// OnPath reports whether the path is selected.
func (v *View) OnPath() bool { return v.selected == 0 }

// TypePath puts the caret into the path.
func (v *View) TypePath() { v.selected, v.typing = 0, v.path }

// Input is where the caret is, nil when there is none.
func (v *View) Input() *edit.Editor { return v.typing }

// Path is what stands in the path.
func (v *View) Path() string { return v.path.Text() }

// Completing reports whether the caret is in the path.
func (v *View) Completing() bool { return v.typing != nil && v.typing == v.path }

// Changed takes what was typed.
func (v *View) Changed() {
	if v.Completing() {
		v.pick = picker{listing: v.pick.listing, picked: -1} // the old one stays in sight until the new one is there
	}
	if v.typing == v.filter && v.filter != nil {
		v.selected = v.bestMatch()
		v.top = 0
	}
}

// bestMatch is the entry whose name fits the filter best, else the first one.
func (v *View) bestMatch() int {
	all := v.entries()
	best, rank := min(1, len(all)), words.NoMatch
	want := strings.ToLower(strings.TrimSpace(v.filter.Text()))
	for i, e := range all {
		name := ""
		if e.sample != nil {
			name = e.sample.Name
		} else {
			name = e.recent.Name
		}
		if r := words.Match(strings.ToLower(name), want); r < rank {
			best, rank = i+1, r
		}
	}
	return best
}

// Out undoes the latest step in and reports whether there was one.
func (v *View) Out() bool {
	switch {
	case v.typing == v.path && v.typing != nil:
		v.typing, v.pick = nil, picker{picked: -1}
	case v.filter != nil:
		v.filter, v.typing = nil, nil
		v.move(0)
	default:
		return false
	}
	return true
}

// Rest ends typing and empties the path: another view was shown since.
func (v *View) Rest() {
	v.typing, v.filter = nil, nil
	v.retype("")
	v.selected = max(min(v.selected, len(v.entries())), 1)
}

// Do does what a command means here.
func (v *View) Do(id string) bool {
	if v.Completing() && v.doPath(id) {
		return true
	}
	switch id {
	case "nav.up", "type.up":
		v.move(-1)
	case "nav.down", "type.down":
		v.move(1)
	case "nav.top":
		v.move(-v.selected + 1)
	case "nav.bottom":
		v.move(len(v.entries()))
	case "nav.page_up":
		v.move(-8)
	case "nav.page_down":
		v.move(8)
	case "find.open":
		if v.filter == nil {
			v.filter = edit.NewLine("")
		}
		v.typing = v.filter
	case "nav.next", "nav.prev":
		v.nextPart(id == "nav.prev")
	default:
		return false
	}
	return true
}

// doPath walks the offers while the path is typed.
func (v *View) doPath(id string) bool {
	switch id {
	case "type.up":
		v.movePick(-1)
	case "type.down":
		v.movePick(1)
	default:
		return false
	}
	return true
}

func (v *View) move(n int) {
	v.selected = min(max(v.selected+n, 0), len(v.entries()))
}

// nextPart goes to the path, the first sample, the first recent package.
func (v *View) nextPart(back bool) {
	all := v.entries()
	starts := []int{0}
	for i, e := range all {
		if i == 0 || e.recent != nil && all[i-1].recent == nil {
			starts = append(starts, i+1)
		}
	}
	part := 0
	for i, s := range starts {
		if v.selected >= s {
			part = i
		}
	}
	step := 1
	if back {
		step = len(starts) - 1
	}
	v.typing = nil
	v.selected = starts[(part+step)%len(starts)]
}

// Click selects the row at a place and reports whether there is one.
func (v *View) Click(_, y int) bool {
	if y < 0 || y >= len(v.rows) || v.rows[y] < 0 {
		return false
	}
	if v.rows[y] == 0 {
		v.TypePath()
		return false
	}
	if v.Completing() {
		v.pick.picked = v.rows[y] - 1
		return true
	}
	v.typing = nil
	v.selected = v.rows[y]
	return true
}

// Wheel moves the selection: everything is in sight most of the time.
func (v *View) Wheel(_, dy int) {
	if v.Completing() {
		v.movePick(dy)
		return
	}
	v.move(dy)
}

// Cursor is the place of the caret or of the selected row.
func (v *View) Cursor() (x, y int, ok bool) { return v.at.x, v.at.y, v.atOK }

// Title is the view's title.
func (v *View) Title() cell.Title {
	t := cell.Title{Focused: true, Name: cell.Own(themes.None, "Open a package")}
	if v.typing != nil {
		t.Facts = cell.Own(themes.Accent, "typing")
	}
	return t
}

// Draw draws the view below its title.
func (v *View) Draw(k *cell.Look, w, h int) cell.Block {
	v.atOK = false
	out := k.Blank(w, 0)
	out = append(out, v.inputRow(k, " path ", v.path, "a folder, .wasm, .tar.gz, .zip; "+k.Key("path.complete", "tab")+" completes", w, 0))
	v.rows = append(v.rows[:0], 0)
	if v.filter != nil {
		out = append(out, v.inputRow(k, " filter ", v.filter, k.Key("type.accept", "enter")+" opens · "+k.Key("nav.out", "esc")+" shows all again", w, len(out)))
		v.rows = append(v.rows, -1)
	}
	if h > 12 {
		out = append(out, k.Row(cell.Line{}, w))
		v.rows = append(v.rows, -1)
	}
	foot := v.foot(k, w)
	lines, entryOf := v.lines(k, w)
	if v.Completing() {
		lines, entryOf = v.offerLines(k, w)
		for i := range entryOf {
			if entryOf[i] == 0 {
				entryOf[i] = -1
			}
		}
		foot = nil
	}
	if h < len(out)+len(lines)+len(foot)+1 {
		foot = nil
	}
	room := max(h-len(out)-len(foot), 0)
	top := v.scroll(entryOf, len(lines), room)
	for i := top; i < len(lines) && i < top+room; i++ {
		if entryOf[i] == v.selected && v.typing == nil && entryOf[i] > 0 && !v.atOK {
			v.at.x, v.at.y, v.atOK = 0, len(out), true
		}
		out = append(out, k.Row(lines[i], w))
		v.rows = append(v.rows, entryOf[i])
	}
	out = k.Fill(out, w, h-len(foot))
	for len(v.rows) < h {
		v.rows = append(v.rows, -1)
	}
	return k.Fill(append(out, k.Lines(foot, w, len(foot))...), w, h)
}

// scroll keeps the selected row in sight and returns the first row to show.
func (v *View) scroll(entryOf []int, n, room int) int {
	top, selected := &v.top, v.selected
	if v.Completing() {
		top, selected = &v.pick.top, v.pick.picked+1
	}
	for i, e := range entryOf {
		if e == selected && e > 0 {
			*top = max(min(*top, max(i-1, 0)), i-room+1)
		}
	}
	if selected <= 1 {
		*top = 0
	}
	*top = max(min(*top, n-room), 0)
	return *top
}

func (v *View) inputRow(k *cell.Look, label string, ed *edit.Editor, hint string, w, y int) string {
	typing := v.typing == ed
	lead := cell.Own(themes.Muted, label)
	if ed == v.path && v.selected == 0 && !typing {
		lead = cell.Own(themes.BorderFocus, "❯path ")
	}
	n := k.Width(lead)
	field := w - n - k.Measure(hint) - 3
	if field < 20 { // a hint that would be cut helps nobody
		hint, field = "", w-n-1
	}
	row := k.Row(lead, min(n, w)) + ed.View(k, max(min(field, w-n), 0), 1, typing)[0]
	if typing {
		x, _ := ed.Cursor()
		v.at.x, v.at.y, v.atOK = n+x, y, n+x < w
	} else if ed == v.path && v.selected == 0 {
		v.at.x, v.at.y, v.atOK = 0, y, true
	}
	rest := w - n - max(min(field, w-n), 0)
	var l cell.Line
	if hint != "" {
		l.Blank(2).Own(cell.Fg(themes.Faint), hint)
	}
	return row + k.Row(l, rest)
}

// foot says what to do, where there is room.
func (v *View) foot(k *cell.Look, w int) []cell.Line {
	said := "`perch greet.wasm` opens a package at once."
	if !v.tour {
		return prose.Own(k, themes.Muted, said, w-1)
	}
	out := prose.Own(k, themes.Muted, "First time here: "+k.Key("nav.in", "enter")+" opens greeter with a tour of 6 steps.", w-1)
	return append(out, prose.Own(k, themes.Muted, k.Key("tour.skip", "x")+" skips the tour, for ever.  "+said, w-1)...)
}
