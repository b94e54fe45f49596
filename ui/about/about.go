// Package about is the page of the package: what the model is given of its
// tools, how much of the page's limits they use, and what is in the module. It
// knows nothing of runs.
package about

import (
	"strings"

	"perch/engine/jsonread"
	"perch/engine/wasm"
	"perch/engine/wire"
	"perch/inspect/jsonview"
	"perch/inspect/model"
	"perch/inspect/rules"
	"perch/themes"
	"perch/ui/budget"
	"perch/ui/cell"
	"perch/ui/edit"
	"perch/ui/list"
	"perch/ui/module"
	"perch/ui/prose"
	"perch/ui/syntax"
	"perch/ui/words"
)

// Subject is what the page is about.
type Subject struct {
	Name   string // of the package; not ours
	Tools  []wire.Tool
	Module *wasm.Report // nil: there is none
	Extra  []Extra      // tabs behind those of the page
}

// Extra is a tab whose lines somebody else makes.
type Extra struct {
	Name    string
	Lines   func(k *cell.Look, w int) []cell.Line
	Version func() int // of the lines: they are made anew when it is another
}

// The tabs.
const (
	modelTab = iota
	limitsTab
	moduleTab
	tabs
)

// View is the state of the page. Use New.
type View struct {
	s      Subject
	offer  model.Offer
	tab    int
	parts  []part // of the tab Model
	starts []int  // first rows of the parts
	n      int    // rows of the tab Model
	model  *list.List
	other  *list.List // of the other tabs
	width  int
	look   *cell.Look
	made   int // the tab that other was made for
	// version is that of the lines in other.
	version int
}

func (v *View) tabs() int { return tabs + len(v.s.Extra) }

// Show chooses an extra tab by its name.
func (v *View) Show(name string) {
	for i, x := range v.s.Extra {
		if x.Name == name {
			v.tab = tabs + i
		}
	}
}

// part is some rows of the tab Model: lines, or a schema that folds.
type part struct {
	lines []cell.Line
	doc   *jsonview.Doc
	tool  int // it is of, -1: none
}

func (p part) rows() int {
	if p.doc != nil {
		return p.doc.Len()
	}
	return len(p.lines)
}

// New is the page of a package.
func New(s Subject) *View { return &View{s: s, made: -1} }

// Title implements the app's page.
func (v *View) Title() cell.Title {
	t := cell.Title{Focused: true}
	names := []string{"Model", "Limits", "Module"}
	for _, x := range v.s.Extra {
		names = append(names, x.Name)
	}
	for i, name := range names {
		t.Tabs = append(t.Tabs, cell.Tab{Name: name, Current: i == v.tab})
	}
	t.Facts = cell.Text(themes.Muted, v.s.Name)
	return t
}

// SetTab chooses a tab.
func (v *View) SetTab(i int) {
	if i >= 0 && i < v.tabs() {
		v.tab = i
	}
}

// Draw implements the app's page.
func (v *View) Draw(k *cell.Look, w, h int) cell.Block {
	if v.width != w || v.look != k {
		v.width, v.look, v.made = w, k, -1
		v.build(k, w-list.Frame)
	}
	return v.current().View(k, w, h, true)
}

// current is the list of the tab in sight.
func (v *View) current() *list.List {
	if v.tab == modelTab {
		return v.model
	}
	version := 0
	if v.tab >= tabs && v.s.Extra[v.tab-tabs].Version != nil {
		version = v.s.Extra[v.tab-tabs].Version()
	}
	if v.made == v.tab && v.version == version {
		return v.other
	}
	at, same := 0, v.made == v.tab
	if same {
		at, _ = v.other.Selected()
	}
	v.made, v.version = v.tab, version
	var lines []cell.Line
	switch v.tab {
	case limitsTab:
		lines = v.limits(v.width - 3)
	case moduleTab:
		lines = v.module(v.width - 3)
	default:
		lines = v.s.Extra[v.tab-tabs].Lines(v.look, v.width-3)
	}
	v.other = list.New(list.Lines(lines))
	if same {
		v.other.Select(at)
	}
	return v.other
}

// unfolded is how many lines of a schema are shown before folding begins.
const unfolded = 60

// build makes the tab Model: of each tool its name, its description and its
// inputSchema, and nothing else.
func (v *View) build(k *cell.Look, w int) {
	if v.offer.Tools == nil {
		v.offer = model.Package(v.s.Tools)
	}
	v.parts = nil
	intro := "Of each tool the model is given its name, its description and its inputSchema, and nothing else: all other members are for people. " +
		words.Plural(len(v.offer.Tools), "tool") + ", " + words.Bytes(v.offer.Bytes) + " in all, as sent. How Subako puts them together is not published."
	if len(v.offer.Tools) == 0 {
		intro = "No tools are known, so there is nothing that the model could be given. The tab Module shows what the module is made of."
	}
	v.parts = append(v.parts, part{lines: append(wrapped(k, themes.Muted, intro, w), cell.Line{}), tool: -1})
	for i, g := range v.offer.Tools {
		v.addTool(k, i, g, w)
	}
	v.count()
	at := 0
	if v.model != nil {
		at, _ = v.model.Selected()
	}
	v.model = list.New(v)
	v.model.Select(at)
}

func (v *View) addTool(k *cell.Look, i int, g model.Given, w int) {
	var head cell.Line
	size := words.Bytes(g.Bytes)
	if g.Bytes < g.Sent {
		size += " of " + words.Bytes(g.Sent)
	}
	name := g.Name.String()
	if name == "" {
		head.Own(cell.Fg(themes.Faint), "(no name)")
	}
	head.TextIn(cell.Fg(themes.Key).With(themes.Bold), name, max(min(w-len(size)-2, k.Measure(name)), 0), cell.CutEnd)
	head.Gap().Own(cell.Fg(themes.Faint), size).Blank(1)
	lines := []cell.Line{head}
	if g.Description.Kind() == jsonread.String {
		lines = append(lines, wrapped(k, themes.Text, cut(g.Description.String()), w)...)
	} else {
		lines = append(lines, cell.Own(themes.Faint, "no description"))
	}
	v.parts = append(v.parts, part{lines: lines, tool: i})
	if raw := g.InputSchema.Raw(); len(raw) > 0 {
		doc := jsonview.New(raw)
		doc.Fit(unfolded)
		v.parts = append(v.parts, part{doc: doc, tool: i})
	} else {
		v.parts = append(v.parts, part{lines: []cell.Line{cell.Own(themes.Faint, "no inputSchema")}, tool: i})
	}
	rest := []cell.Line{{}}
	if len(g.LeftOut) > 0 {
		rest = append(wrapped(k, themes.Faint, "not given: "+strings.Join(g.LeftOut, ", "), w), cell.Line{})
	}
	v.parts = append(v.parts, part{lines: rest, tool: i})
}

// maxText is how many bytes of a description are shown.
const maxText = 16 << 10

func cut(s string) string {
	if len(s) <= maxText {
		return s
	}
	n := maxText
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}

func wrapped(k *cell.Look, role themes.Role, text string, w int) []cell.Line {
	return prose.Hanging(k, cell.Line{}, 0, role, text, w)
}

// count finds the first row of each part.
func (v *View) count() {
	v.starts, v.n = v.starts[:0], 0
	for _, p := range v.parts {
		v.starts = append(v.starts, v.n)
		v.n += p.rows()
	}
}

// at is the part that a row belongs to, and the row within it.
func (v *View) at(row int) (part, int) {
	lo, hi := 0, len(v.starts)
	for lo+1 < hi {
		if mid := (lo + hi) / 2; v.starts[mid] <= row {
			lo = mid
		} else {
			hi = mid
		}
	}
	return v.parts[lo], row - v.starts[lo]
}

// Len implements list.Source.
func (v *View) Len() int { return v.n }

// Row implements list.Source.
func (v *View) Row(i, _ int) cell.Line {
	p, row := v.at(i)
	if p.doc == nil {
		return p.lines[row]
	}
	return prose.Indent(syntax.JSONLine(p.doc.Line(row)), 2)
}

// limits are the budgets of the package and of each tool.
func (v *View) limits(w int) []cell.Line {
	w = min(w, 64)
	out := []cell.Line{cell.Own(themes.Muted, "All tools together")}
	for _, b := range rules.PackageBudgets(v.s.Tools) {
		out = append(out, budget.Lines(b, w)...)
	}
	for _, t := range v.s.Tools {
		var l cell.Line
		l.TextIn(cell.Fg(themes.Key), t.Name, max(min(w, v.look.Measure(t.Name)), 0), cell.CutEnd)
		out = append(out, cell.Line{}, l)
		for _, b := range rules.ToolBudgets(t) {
			out = append(out, budget.Lines(b, w)...)
		}
	}
	return out
}

// module are the parts of the module.
func (v *View) module(w int) []cell.Line {
	if !module.Readable(v.s.Module) {
		return wrapped(v.look, themes.Muted, "There is no module that can be read.", w)
	}
	return append(append(module.Table(v.s.Module, w), cell.Line{}), module.Sections(v.s.Module, w)...)
}

// Do implements the app's page.
func (v *View) Do(id string) bool {
	switch id {
	case "tab.prev":
		v.tab = (v.tab + v.tabs() - 1) % v.tabs()
		return true
	case "tab.next":
		v.tab = (v.tab + 1) % v.tabs()
		return true
	case "nav.next", "nav.prev":
		return true
	}
	if v.look == nil {
		return false
	}
	rows := v.current()
	if v.tab == modelTab && v.fold(id) {
		return true
	}
	return rows.Do(id, false)
}

// fold folds the schema at the selected row.
func (v *View) fold(id string) bool {
	i, ok := v.model.Selected()
	if !ok {
		return false
	}
	p, row := v.at(i)
	if p.doc == nil {
		return false
	}
	start, did := i-row, false
	switch id {
	case "nav.in", "nav.toggle":
		_, did = p.doc.Toggle(row)
	case "nav.right":
		did = p.doc.Fold(row, false)
	case "nav.left":
		if did = p.doc.Fold(row, true); !did {
			up := p.doc.Parent(row)
			v.model.Select(start + up)
			return up != row
		}
	}
	if did {
		v.count()
		v.model.Select(i)
	}
	return did
}

// Enters implements the app's page: enter folds schemas alone.
func (v *View) Enters() bool {
	if v.tab != modelTab || v.model == nil {
		return false
	}
	i, ok := v.model.Selected()
	if !ok {
		return false
	}
	p, row := v.at(i)
	return p.doc != nil && p.doc.Line(row).Fold != jsonview.Leaf
}

// Filters implements the app's page: nothing is filtered here.
func (v *View) Filters() bool { return false }

// Out implements the app's page.
func (v *View) Out() bool { return false }

// Input implements the app's page: nothing is typed here.
func (v *View) Input() *edit.Editor { return nil }

// Changed implements the app's page.
func (v *View) Changed() {}

// Click selects the row at a place.
func (v *View) Click(_, y int) bool { return v.look != nil && v.current().Click(y) }

// Wheel scrolls.
func (v *View) Wheel(_, dy int) {
	if v.look != nil {
		v.current().Scroll(dy)
	}
}

// Cursor is the place of the selected row.
func (v *View) Cursor() (x, y int, ok bool) {
	if v.look == nil {
		return 0, 0, false
	}
	y, ok = v.current().SelectedY()
	return 0, y, ok
}

// Copy is what the model is given of the selected tool, as it was sent.
func (v *View) Copy() (string, bool) {
	if v.tab != modelTab || v.model == nil {
		return "", false
	}
	i, ok := v.model.Selected()
	if !ok {
		return "", false
	}
	p, _ := v.at(i)
	if p.tool < 0 {
		return "", false
	}
	return string(v.offer.Tools[p.tool].JSON()), true
}
