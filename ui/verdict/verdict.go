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
	"perch/ui/module"
	"perch/ui/prose"
	"perch/ui/words"
)

// View is the state of the view. Use New.
type View struct {
	found  []rules.Finding
	module *wasm.Report // nil: there is none
	file   func(name string) []byte
	rows   *list.List
	items  []item
	folded map[string]bool
	width  int
	look   *cell.Look
	groups int
	head   int // rows above the list when it was drawn last

	side   side
	beside bool // the pane beside has the focus
	alone  bool // there was room for one pane only
}

type item struct {
	line    cell.Line
	key     string // of a heading
	cause   string // the same in words
	finding *rules.Finding
}

const refusal = "Subako would refuse this upload. What it would name:"

// New shows what was found. file is the bytes of a file of the package by its
// name in a finding, nil when they are not at hand.
func New(found []rules.Finding, module *wasm.Report, file func(name string) []byte) *View {
	v := &View{found: found, module: module, file: file, folded: map[string]bool{}}
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

// Draw draws the findings below their title; alone says that the pane beside
// has no room of its own, so that it stands here when it has the focus.
func (v *View) Draw(k *cell.Look, w, h int, alone bool) cell.Block {
	v.alone = alone
	if v.width != w || v.look != k || v.items == nil {
		v.width, v.look = w, k
		v.build(k, w-list.Frame)
	}
	head := append(prose.Own(k, themes.Text, refusal, w-1), v.verdicts(k, w)...)
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
	v.head = len(out)
	out = append(out, v.rows.View(k, w, room, !v.beside)...)
	return append(out, k.Lines(foot, w, len(foot))...)
}

// verdicts are what either side says, in one row where there is room.
func (v *View) verdicts(k *cell.Look, w int) []cell.Line {
	subako, _ := rules.PackageVerdicts(false, v.found)
	var a, b cell.Line
	a.Blank(1).Own(cell.Fg(themes.Muted), "Subako ").Own(cell.Fg(themes.Error), "✗ "+subako.Text)
	b.Own(cell.Fg(themes.Muted), "MCP ").Own(cell.Fg(themes.Muted), "· not judged: nothing was run")
	if k.Width(a)+3+k.Width(b) > w {
		return []cell.Line{a, prose.Indent(b, 1)}
	}
	return []cell.Line{*a.Blank(3).Add(b)}
}

func (v *View) foot(k *cell.Look, w int) []cell.Line {
	if !module.Readable(v.module) {
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
	for i, n := range findings.Tree(v.found, v.folded) {
		if i > 0 && (n.Depth == 0 || n.Finding != nil && !n.Finding.Follows) {
			v.items = append(v.items, item{})
		}
		if n.Finding == nil {
			v.groups++
			v.items = append(v.items, v.heading(k, n, w)...)
			continue
		}
		for _, l := range findings.Lines(k, *n.Finding, w-2*n.Depth) {
			v.items = append(v.items, item{line: prose.Indent(l, 2*n.Depth), finding: n.Finding})
		}
	}
	if len(v.found) == 0 {
		v.items = append(v.items, item{line: cell.Own(themes.Muted, "Nothing was found.")})
	}
}

func (v *View) heading(k *cell.Look, n findings.Node, w int) []item {
	sign := "▾ "
	if v.folded[n.Key] {
		sign = "▸ "
	}
	var label cell.Line
	label.Own(cell.Fg(themes.Muted), sign).Own(cell.Fg(themes.Notice).With(themes.Bold), "one cause").
		Own(cell.Fg(themes.Muted), fmt.Sprintf(" of %d  ", n.Below))
	var out []item
	for _, l := range prose.Hanging(k, label, k.Width(label), themes.Text, n.Cause, w) {
		out = append(out, item{line: l, key: n.Key, cause: n.Cause})
	}
	return out
}

// Do does what a command means here.
func (v *View) Do(id string) bool {
	switch id {
	case "tab.prev", "tab.next":
		return v.turn(id)
	case "nav.next", "nav.prev":
		v.beside = !v.beside
		return true
	case "nav.in":
		return v.enter()
	}
	if v.beside {
		if id == "nav.left" {
			v.beside = false
			return true
		}
		return v.side.do(id)
	}
	switch id {
	case "nav.toggle":
		v.toggle()
	case "nav.left":
		v.fold(true)
	case "nav.right":
		if it, _ := v.at(); it.key == "" {
			return v.enter()
		}
		v.fold(false)
	default:
		return v.rows.Do(id, false)
	}
	return true
}

// enter shows the bytes that the selected finding points at; on a heading it
// folds.
func (v *View) enter() bool {
	it, _ := v.at()
	switch {
	case v.beside:
		return v.side.do("nav.toggle")
	case it.finding != nil:
		if v.side.tab == importsTab {
			v.side.tab = findingTab
		}
		v.beside = true
		return true
	case it.key != "":
		v.toggle()
		return true
	}
	return false
}

// Out undoes the latest step in, and reports whether there was one.
func (v *View) Out() bool {
	was := v.beside
	v.beside = false
	return was
}

// Finding is the finding of the selected row.
func (v *View) Finding() (rules.Finding, bool) {
	it, _ := v.at()
	if it.finding == nil {
		return rules.Finding{}, false
	}
	return *it.finding, true
}

func (v *View) at() (item, int) {
	i, ok := v.rows.Selected()
	if !ok || i >= len(v.items) {
		return item{}, -1
	}
	return v.items[i], i
}

func (v *View) toggle() {
	if it, _ := v.at(); it.key != "" {
		v.fold(!v.folded[it.key])
	}
}

func (v *View) fold(on bool) {
	it, i := v.at()
	key := it.key
	if key == "" && it.finding != nil && on {
		for i > 0 && v.items[i].key == "" {
			i--
		}
		if key = v.items[i].key; v.items[i].cause != it.finding.Cause {
			return
		}
	}
	if key == "" || v.folded[key] == on {
		return
	}
	v.folded[key] = on
	v.items = nil
	v.build(v.look, v.width-list.Frame)
	v.rows.Select(i)
}

// Click selects the row at a place.
func (v *View) Click(_, y int) bool {
	v.beside = false
	return v.rows.Click(y - v.head)
}

// ClickSide selects the row at a place of the pane beside.
func (v *View) ClickSide(_, y int) bool {
	v.beside = true
	return v.side.rows != nil && v.side.rows.Click(y-v.side.top)
}

// Wheel scrolls.
func (v *View) Wheel(_, dy int, beside bool) {
	if !beside {
		v.rows.Scroll(dy)
	} else if v.side.rows != nil {
		v.side.rows.Scroll(dy)
	}
}

// Beside reports whether the pane beside has the focus.
func (v *View) Beside() bool { return v.beside }

// Cursor is the place of the selected row, in the pane that has the focus.
func (v *View) Cursor() (x, y int, ok bool) {
	if v.beside {
		if v.side.rows == nil {
			return 0, 0, false
		}
		y, ok = v.side.rows.SelectedY()
		return 0, y + v.side.top, ok
	}
	y, ok = v.rows.SelectedY()
	return 0, y + v.head, ok
}

// Copy is the selected finding as text, with its bytes.
func (v *View) Copy() (string, bool) {
	it, _ := v.at()
	if it.finding == nil {
		return it.cause, it.cause != ""
	}
	return report.Style{}.Finding(*it.finding, func(f rules.Finding) (line []byte, at int64, ok bool) {
		b, ok := findings.At(f, nil, v.file)
		if !ok || b.Binary {
			return nil, 0, false
		}
		return b.Part()
	}), true
}

// Foldable reports whether there is anything to fold.
func (v *View) Foldable() bool { return v.groups > 0 }
