// Package verdict is the view Check: a package whose module cannot be run, with
// everything that an upload would name, grouped by cause, and the imports and
// features of the module. It knows nothing of how the module was checked.
package verdict

import (
	"fmt"

	"perch/engine/wasm"
	"perch/inspect/report"
	"perch/inspect/rules"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/findings"
	"perch/ui/list"
	"perch/ui/prose"
	"perch/ui/words"
)

// View is the state of the view. Use New.
type View struct {
	found  []rules.Finding
	module *wasm.Report // nil: there is none
	rows   *list.List
	items  []item
	folded map[string]bool
	width  int
	look   *cell.Look
	side   *list.List
	sideW  int
	beside bool // the imports have focus
	groups int
}

type item struct {
	line    cell.Line
	cause   string // of a heading
	finding *rules.Finding
}

const refusal = "Subako would refuse this upload. What it would name:"

// New shows what was found.
func New(found []rules.Finding, module *wasm.Report) *View {
	v := &View{found: found, module: module, folded: map[string]bool{}}
	v.rows = list.New(v)
	return v
}

// Len implements list.Source.
func (v *View) Len() int { return len(v.items) }

// Row implements list.Source.
func (v *View) Row(i, _ int) cell.Line { return v.items[i].line }

// Title is the view's title.
func (v *View) Title(focused bool) cell.Title {
	facts := findings.Counts(v.found)
	if v.groups > 0 {
		facts.Blank(2).Own(cell.Fg(themes.Muted), words.Plural(v.groups, "cause"))
	}
	return cell.Title{Focused: focused && !v.beside, Name: cell.Own(themes.None, "Upload check"), Facts: facts}
}

// Draw draws the findings below their title.
func (v *View) Draw(k *cell.Look, w, h int, focused bool) cell.Block {
	if v.width != w || v.look != k || v.items == nil {
		v.width, v.look = w, k
		v.build(k, w-3)
	}
	head := prose.Own(k, themes.Text, refusal, w-1)
	foot := v.foot(k, w)
	if h < 10 {
		head, foot = nil, nil
	}
	out := k.Lines(head, w, len(head))
	room := h - len(head) - len(foot)
	if len(head) > 0 {
		out = append(out, k.Blank(w, 1)...)
		room--
	}
	out = append(out, v.rows.View(k, w, room, focused && !v.beside)...)
	return append(out, k.Lines(foot, w, len(foot))...)
}

// readable reports whether there is a module whose parts are known: of bytes
// that are none, nothing is said.
func (v *View) readable() bool {
	return v.module != nil && len(v.module.Sections)+len(v.module.Imports)+len(v.module.Exports) > 0
}

func (v *View) foot(k *cell.Look, w int) []cell.Line {
	if !v.readable() {
		return nil
	}
	var l cell.Line
	good, bad := 0, 0
	for _, imp := range v.module.Imports {
		if imp.Allowed {
			good++
		} else {
			bad++
		}
	}
	l.Blank(1).Own(cell.Fg(themes.Muted), fmt.Sprintf("Imports %s: ", words.Count(good+bad))).
		Own(cell.Fg(themes.OK), words.Count(good)+" ✓").Blank(2)
	if bad > 0 {
		l.Own(cell.Fg(themes.Error), words.Count(bad)+" ✗").Blank(2)
	}
	l.Blank(2).Own(cell.Fg(themes.Muted), "Features: ")
	wrong := 0
	for _, f := range v.module.Features {
		if !f.Allowed {
			wrong++
		}
	}
	if wrong == 0 {
		l.Own(cell.Fg(themes.OK), "WebAssembly 2.0 ✓")
	} else {
		l.Own(cell.Fg(themes.Error), words.Count(wrong)+" ✗").Own(cell.Fg(themes.Muted), " beyond WebAssembly 2.0")
	}
	return []cell.Line{{}, l}
}

// build makes the rows: findings of one cause stand below it.
func (v *View) build(k *cell.Look, w int) {
	v.items, v.groups = make([]item, 0, 4*len(v.found)+1), 0
	for i := 0; i < len(v.found); {
		n := i + 1
		cause := v.found[i].Cause
		for n < len(v.found) && cause != "" && v.found[n].Cause == cause {
			n++
		}
		in := 0
		if cause != "" && n-i > 1 {
			v.groups++
			v.items = append(v.items, v.heading(k, cause, n-i, w)...)
			if v.folded[cause] {
				i = n
				continue
			}
			in = 2
		}
		for j := i; j < n; j++ {
			f := &v.found[j]
			if j > i && !f.Follows {
				v.items = append(v.items, item{})
			}
			for _, l := range findings.Lines(k, *f, w-in) {
				v.items = append(v.items, item{line: prose.Indent(l, in), finding: f})
			}
		}
		if i = n; i < len(v.found) {
			v.items = append(v.items, item{})
		}
	}
	if len(v.found) == 0 {
		v.items = append(v.items, item{line: cell.Own(themes.Muted, "Nothing was found.")})
	}
}

func (v *View) heading(k *cell.Look, cause string, n, w int) []item {
	sign := "▾ "
	if v.folded[cause] {
		sign = "▸ "
	}
	var label cell.Line
	label.Own(cell.Fg(themes.Muted), sign).Own(cell.Fg(themes.Notice).With(themes.Bold), "one cause").
		Own(cell.Fg(themes.Muted), fmt.Sprintf(" of %d  ", n))
	var out []item
	for _, l := range prose.Hanging(k, label, k.Width(label), themes.Text, cause, w) {
		out = append(out, item{line: l, cause: cause})
	}
	return out
}

// Do does what a command means here.
func (v *View) Do(id string) bool {
	rows := v.rows
	if v.beside && v.side != nil {
		rows = v.side
	}
	switch id {
	case "nav.toggle", "nav.in":
		v.toggle()
	case "nav.left":
		v.fold(true)
	case "nav.right":
		v.fold(false)
	case "nav.next", "nav.prev":
		v.beside = !v.beside && v.side != nil
	default:
		return rows.Do(id, false)
	}
	return true
}

func (v *View) at() (item, int) {
	i, ok := v.rows.Selected()
	if !ok || i >= len(v.items) {
		return item{}, -1
	}
	return v.items[i], i
}

func (v *View) toggle() {
	if it, _ := v.at(); it.cause != "" {
		v.fold(!v.folded[it.cause])
	}
}

func (v *View) fold(on bool) {
	it, i := v.at()
	cause := it.cause
	if cause == "" && it.finding != nil && on {
		cause = it.finding.Cause
		for i > 0 && v.items[i].cause != cause {
			i--
		}
		if v.items[i].cause != cause {
			return
		}
	}
	if cause == "" || v.folded[cause] == on {
		return
	}
	v.folded[cause] = on
	v.items = nil
	v.build(v.look, v.width-3)
	v.rows.Select(i)
}

// Click selects the row at a place.
func (v *View) Click(_, y int) bool {
	v.beside = false
	head := v.headRows()
	return v.rows.Click(y - head)
}

// headRows is how many rows stand above the list.
func (v *View) headRows() int {
	if v.look == nil {
		return 0
	}
	return len(prose.Own(v.look, themes.Text, refusal, v.width-1)) + 1
}

// Wheel scrolls.
func (v *View) Wheel(_, dy int, beside bool) {
	if beside && v.side != nil {
		v.side.Scroll(dy)
		return
	}
	v.rows.Scroll(dy)
}

// Cursor is the place of the selected row.
func (v *View) Cursor() (x, y int, ok bool) {
	y, ok = v.rows.SelectedY()
	return 0, y + v.headRows(), ok && !v.beside
}

// Copy is the selected finding as text.
func (v *View) Copy() (string, bool) {
	it, _ := v.at()
	if it.finding == nil {
		return it.cause, it.cause != ""
	}
	return report.Style{}.Finding(*it.finding, nil), true
}

// Foldable reports whether there is anything to fold.
func (v *View) Foldable() bool { return v.groups > 0 }
