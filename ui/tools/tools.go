// Package tools is the pane of a package's tools: the list with its filter,
// and below it what the selected one says of itself and how much of the upload
// limits it uses. It knows nothing of runs, keys or the rest of the screen.
package tools

import (
	"slices"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/wire"
	"perch/inspect/rules"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/edit"
	"perch/ui/findings"
	"perch/ui/list"
	"perch/ui/prose"
	"perch/ui/words"
)

// Pane is the state of the pane. Use New.
type Pane struct {
	tools   []wire.Tool
	marks   map[int]Mark             // what was found about tools, by their index
	last    map[string]event.Outcome // of the last call of a tool, by its name
	budgets []rules.Budget           // of all tools together
	rows    *list.List
	bar     *edit.Editor // the filter, nil: none
	typing  bool
	top     int // rows above the list when it was drawn last
	height  int // rows of the list when it was drawn last
	info    infoCache
	none    string // what an empty list says
	// signs tell what became of tools when the package was built again, by their
	// index; foot stands below all.
	signs map[int]string
	foot  []cell.Line
}

// New is a pane without tools.
func New() *Pane {
	p := &Pane{}
	p.rows = list.New(p)
	return p
}

// Mark is what was found about a tool: the worst severity, and how many there
// are of it.
type Mark struct {
	Severity abi.Severity
	Count    int
}

// Marks counts what was found about each tool: by the place in the answer that
// lists it, else by its name.
func Marks(tools []wire.Tool, all []rules.Finding) map[int]Mark {
	out := map[int]Mark{}
	for _, f := range all {
		if f.Follows || f.Severity == abi.Info {
			continue
		}
		for _, t := range tools {
			if about(f, t) {
				m := out[t.Index]
				switch worst := worse(f.Severity, m.Severity); {
				case worst == m.Severity && worst != f.Severity:
				case worst == m.Severity:
					m.Count++
				default:
					m = Mark{f.Severity, 1}
				}
				out[t.Index] = m
				break
			}
		}
	}
	return out
}

func about(f rules.Finding, t wire.Tool) bool {
	within := func(w event.Where) bool {
		return w.Stream == t.Where.Stream && w.Line == t.Where.Line && w.Offset >= t.Where.Offset && w.Offset < t.Where.End
	}
	return within(f.Where) || slices.ContainsFunc(f.Also, within) ||
		t.Name != "" && (f.Tool == t.Name || slices.Contains(f.Tools, t.Name))
}

// worse is the worse of two severities.
func worse(a, b abi.Severity) abi.Severity {
	for _, s := range []abi.Severity{abi.Error, abi.Warning, abi.Notice} {
		if a == s || b == s {
			return s
		}
	}
	return abi.Info
}

// Mark shows what was found about tools.
func (p *Pane) Mark(marks map[int]Mark) { p.marks, p.info = marks, infoCache{} }

// Called shows how the last call of a tool went.
func (p *Pane) Called(tool string, o event.Outcome) {
	p.last[tool], p.info = o, infoCache{}
}

// Set shows these tools. The selected one stays, by its name.
func (p *Pane) Set(tools []wire.Tool) {
	name := ""
	if t, ok := p.Selected(); ok {
		name = t.Name
	}
	p.tools, p.info = tools, infoCache{}
	p.signs = nil
	p.marks, p.last, p.budgets = nil, map[string]event.Outcome{}, rules.PackageBudgets(tools)
	p.rows.SetSource(p)
	p.filter()
	p.Select(name)
}

// Select selects a tool by its name.
func (p *Pane) Select(name string) bool {
	for i, t := range p.tools {
		if t.Name == name {
			p.rows.Select(i)
			return true
		}
	}
	return false
}

// Selected is the selected tool.
func (p *Pane) Selected() (wire.Tool, bool) {
	i, ok := p.rows.Selected()
	if !ok || i >= len(p.tools) {
		return wire.Tool{}, false
	}
	return p.tools[i], true
}

// Empty says what stands in place of tools.
func (p *Pane) Empty(text string) { p.none = text }

// Len implements list.Source.
func (p *Pane) Len() int { return len(p.tools) }

// Row implements list.Source.
func (p *Pane) Row(i, w int) cell.Line {
	t := p.tools[i]
	var l cell.Line
	if t.Name == "" {
		l.Own(cell.Fg(themes.Faint), "(no name)")
	} else {
		l.TextIn(cell.Fg(themes.Text), t.Name, max(w-p.markWidth(), 1), cell.CutEnd)
	}
	l.Gap()
	p.addSign(&l, t.Index)
	m := p.marks[t.Index]
	switch {
	case m.Count > 0:
		sign, _, role := findings.Severity(m.Severity)
		l.Own(cell.Fg(role), sign+words.Count(m.Count))
	case t.Bad:
		l.Own(cell.Fg(themes.Error), "✗")
	default:
		l.Own(cell.Fg(themes.OK), "✓")
	}
	if len(p.last) == 0 {
		return l
	}
	sign, role := " ", themes.Muted
	if o, ok := p.last[t.Name]; ok {
		sign, role = signOf(o), findings.OutcomeRole(o)
	}
	l.Blank(1).OwnIn(cell.Fg(role), sign, 1)
	return l
}

// markWidth is how many cells the signs behind a name take.
func (p *Pane) markWidth() int {
	n := 2
	for _, m := range p.marks {
		n = max(n, 2+len(words.Count(m.Count)))
	}
	if len(p.last) > 0 {
		n += 2
	}
	if len(p.signs) > 0 {
		n += 2
	}
	return n
}

// signOf is the glyph of an outcome.
func signOf(o event.Outcome) string {
	sign, _, _ := strings.Cut(words.Outcome(o), " ")
	return sign
}

// Title is the pane's title.
func (p *Pane) Title(focused bool) cell.Title {
	t := cell.Title{Focused: focused, Name: cell.Own(themes.None, "1 Tools")}
	count := words.Count(len(p.tools))
	if p.rows.Filtered() {
		count = words.Count(p.rows.Len()) + " of " + count
	}
	if p.typing {
		count = "typing"
	}
	if len(p.tools) > 0 || p.typing {
		t.Facts = cell.Own(themes.Muted, count)
	}
	return t
}

// View draws the pane below its title.
func (p *Pane) View(k *cell.Look, w, h int, focused bool) cell.Block {
	var out cell.Block
	p.top = 0
	if p.bar != nil && h > 1 {
		out = append(out, p.viewBar(k, w))
		h--
		p.top = 1
	}
	full := h
	if h >= 12 && len(p.foot) > 0 {
		h -= len(p.foot)
	}
	n := h
	var info []cell.Line
	if t, ok := p.Selected(); ok {
		info = p.describe(k, t, w)
	}
	if len(info) > 0 && h >= 8 {
		n = min(max(p.rows.Len(), 1), max(h-len(info)-1, h/2, 3))
	}
	p.height = n
	if p.rows.Len() == 0 {
		out = append(out, p.empty(k, w, n)...)
	} else {
		out = append(out, p.rows.View(k, w, n, focused)...)
	}
	if n < h {
		out = append(out, k.Blank(w, 1)...)
		out = append(out, p.fit(k, info, w, h-n-1)...)
	}
	out = k.Fill(out, w, h+p.top)
	return append(out, k.Lines(p.foot, w, full-h)...)
}

func (p *Pane) viewBar(k *cell.Look, w int) string {
	const label = " filter "
	if w < len(label)+4 {
		return p.bar.View(k, w, 1, p.typing)[0]
	}
	row := k.Row(cell.Own(themes.Muted, label), len(label))
	return row + p.bar.View(k, w-len(label), 1, p.typing)[0]
}

func (p *Pane) empty(k *cell.Look, w, h int) cell.Block {
	text := p.none
	if p.rows.Filtered() && p.bar != nil {
		text = "Nothing matches " + p.bar.Text() + ". esc shows all " + words.Count(len(p.tools)) + "."
	}
	return k.Lines(prose.Text(k, themes.Muted, text, w-1), w, h)
}

// Do does what a command means here.
func (p *Pane) Do(id string) bool {
	switch id {
	case "nav.up":
		p.rows.Move(-1)
	case "nav.down":
		p.rows.Move(1)
	case "nav.top":
		p.rows.Top()
	case "nav.bottom":
		p.rows.Bottom(false)
	case "nav.page_up":
		p.rows.Page(-1)
	case "nav.page_down":
		p.rows.Page(1)
	case "nav.half_up":
		p.rows.HalfPage(-1)
	case "nav.half_down":
		p.rows.HalfPage(1)
	case "find.open":
		p.openBar()
	case "type.accept":
		p.typing = false
		if p.bar != nil && p.bar.Empty() {
			p.closeBar()
		}
	case "type.up", "type.down":
		if !p.typing {
			return false
		}
		p.rows.Move(map[string]int{"type.up": -1, "type.down": 1}[id])
	default:
		return false
	}
	return true
}

// Out undoes the latest step in and reports whether there was one.
func (p *Pane) Out() bool {
	if p.bar == nil {
		return false
	}
	p.closeBar()
	return true
}

func (p *Pane) openBar() {
	if p.bar == nil {
		p.bar = edit.NewLine("")
	}
	p.typing = true
}

func (p *Pane) closeBar() {
	p.bar, p.typing = nil, false
	p.rows.Filter(nil)
}

// Input is where the caret is, nil when there is none.
func (p *Pane) Input() *edit.Editor {
	if !p.typing {
		return nil
	}
	return p.bar
}

// Changed takes what was typed. The tool whose name fits best is selected: the
// filter looks at descriptions too.
func (p *Pane) Changed() {
	p.filter()
	if p.bar == nil {
		return
	}
	want := strings.ToLower(strings.TrimSpace(p.bar.Text()))
	best, rank := -1, words.NoMatch
	for i, t := range p.tools {
		if r := words.Match(strings.ToLower(t.Name), want); r < rank {
			best, rank = i, r
		}
	}
	if best >= 0 {
		p.rows.Select(best)
	}
}

func (p *Pane) filter() {
	if p.bar == nil {
		return
	}
	want := strings.Fields(strings.ToLower(p.bar.Text()))
	if len(want) == 0 {
		p.rows.Filter(nil)
		return
	}
	x := list.NewIndex(func(i int) bool {
		text := strings.ToLower(p.tools[i].Name + "\n" + p.tools[i].Description)
		for _, word := range want {
			if !strings.Contains(text, word) {
				return false
			}
		}
		return true
	})
	x.Step(p, len(p.tools))
	p.rows.Filter(x)
}

// Click selects what is at a place; it reports whether that is a tool.
func (p *Pane) Click(x, y int) bool {
	if p.bar != nil && y == 0 {
		p.typing = true
		return false
	}
	if y-p.top >= p.height {
		return false
	}
	return p.rows.Click(y - p.top)
}

// Wheel scrolls the list.
func (p *Pane) Wheel(_, dy int) { p.rows.Scroll(dy) }

// Cursor is the place of the caret, or of the selected row.
func (p *Pane) Cursor() (x, y int, ok bool) {
	if p.typing && p.bar != nil {
		x, _ = p.bar.Cursor()
		return x + len(" filter "), 0, true
	}
	y, ok = p.rows.SelectedY()
	return 0, y + p.top, ok
}
