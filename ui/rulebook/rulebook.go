// Package rulebook is the page of the rules: all of them by phase, with a
// filter, and of the selected one what it asks for, why, how to keep it, and an
// example of either kind. Its second tab has the keys of the place where it was
// opened. It knows nothing of what was found.
package rulebook

import (
	"strings"

	"perch/engine/abi"
	"perch/inspect/rules"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/edit"
	"perch/ui/findings"
	"perch/ui/list"
	"perch/ui/prose"
	"perch/ui/words"
)

// Key is a line of the tab of keys.
type Key struct {
	Text string // the keys and what they do, or a heading
	Head bool
	Why  string // why it cannot be done now
}

// View is the state of the page. Use New.
type View struct {
	rules  []abi.Rule
	rows   []row
	list   *list.List
	detail *list.List
	shown  shown // what detail was made for
	keys   *list.List

	onKeys bool
	inside bool // the detail has the focus
	direct bool // the page was opened at its rule: no list lies behind it
	bar    *edit.Editor
	typing bool

	w, h, split int // of what was drawn last
	top         int // rows above the list
}

// row is a rule, or the heading of a phase.
type row struct {
	phase string
	rule  *abi.Rule
	count int
}

type shown struct {
	id   abi.RuleID
	w    int
	look *cell.Look
}

// New is the page with a rule selected, and where there is room for one of
// them only, what is said of it; "" selects the first rule of the list.
func New(at abi.RuleID, keys []Key) *View {
	v := &View{rules: abi.Rules(), keys: list.New(keyRows(keys)), direct: at != ""}
	v.list = list.New(v)
	v.fill("")
	v.selectRule(at)
	return v
}

// fill makes the rows of the rules that a query fits.
func (v *View) fill(query string) {
	v.rows = v.rows[:0]
	all := strings.Fields(strings.ToLower(query))
	head := -1
	for i := range v.rules {
		r := &v.rules[i]
		if !fits(*r, all) {
			continue
		}
		if head < 0 || v.rows[head].phase != r.Phase {
			head = len(v.rows)
			v.rows = append(v.rows, row{phase: r.Phase})
		}
		v.rows[head].count++
		v.rows = append(v.rows, row{phase: r.Phase, rule: r})
	}
	v.list.SetSource(v)
	v.selectRule("")
}

// fits reports whether a rule has all words in what is said of it in a row.
func fits(r abi.Rule, all []string) bool {
	if len(all) == 0 {
		return true
	}
	text := strings.ToLower(string(r.ID) + " " + string(r.Severity()) + " " + effect(r) + " " + r.Phase)
	if about, ok := rules.WordsOf(r.ID); ok {
		text += strings.ToLower(" " + about.Rule + " " + about.Side.String() + " " + about.Why)
	}
	for _, word := range all {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// selectRule selects a rule; one that is not listed, the first.
func (v *View) selectRule(id abi.RuleID) {
	first := -1
	for i, r := range v.rows {
		if r.rule == nil {
			continue
		}
		if first < 0 {
			first = i
		}
		if r.rule.ID == id {
			v.list.Select(i)
			return
		}
	}
	v.list.Select(max(first, 0))
}

// selected is the rule of the selected row; of a heading, the next one.
func (v *View) selected() (abi.Rule, bool) {
	i, ok := v.list.Selected()
	for ; ok && i < len(v.rows); i++ {
		if v.rows[i].rule != nil {
			return *v.rows[i].rule, true
		}
	}
	return abi.Rule{}, false
}

// effect is what a finding of a rule does, in a word or two.
func effect(r abi.Rule) string {
	switch r.Effect() {
	case abi.Refuses:
		return "refuses"
	case abi.Breaks:
		return "breaks"
	}
	return ""
}

// Len implements list.Source.
func (v *View) Len() int { return len(v.rows) }

// Row implements list.Source.
func (v *View) Row(i, w int) cell.Line {
	var l cell.Line
	r := v.rows[i]
	if r.rule == nil {
		l.Own(cell.Fg(themes.Muted).With(themes.Bold), r.phase).Own(cell.Fg(themes.Faint), "  "+words.Count(r.count))
		return l
	}
	sign, word, role := findings.Severity(r.rule.Severity())
	l.Blank(1).Own(cell.Fg(role), sign).Blank(1)
	id := string(r.rule.ID)
	const most = 26
	if w < most+16 {
		l.OwnIn(cell.Fg(themes.Accent), id, max(w-3, 1))
		return l
	}
	if len(id) > most {
		id = id[:most-1] + "…"
	}
	l.OwnIn(cell.Fg(themes.Accent), id, most).Blank(1)
	if w >= most+40 {
		if e := effect(*r.rule); e != "" {
			word = e
		}
		l.OwnIn(cell.Fg(role), word, 8).Blank(1)
	}
	if about, ok := rules.WordsOf(r.rule.ID); ok {
		l.Own(cell.Fg(themes.Text), about.Rule)
	}
	return l
}

// Title implements the app's page.
func (v *View) Title() cell.Title {
	t := cell.Title{Focused: true, Tabs: []cell.Tab{{Name: "Rules", Current: !v.onKeys}, {Name: "Keys", Current: v.onKeys}}}
	if v.onKeys {
		return t
	}
	n := 0
	for _, r := range v.rows {
		if r.rule != nil {
			n++
		}
	}
	text := words.Plural(len(v.rules), "rule")
	if n != len(v.rules) {
		text = words.Count(n) + " of " + text
	}
	if v.typing {
		text = "typing   " + text
	}
	t.Facts = cell.Own(themes.Muted, text)
	return t
}

// SetTab chooses a tab.
func (v *View) SetTab(i int) { v.onKeys = i == 1 }

// beside is the width from which list and detail stand side by side.
const beside = 100

// Draw implements the app's page.
func (v *View) Draw(k *cell.Look, w, h int) cell.Block {
	if i, ok := v.list.Selected(); ok && h != v.h {
		v.list.Select(i) // it stays in sight
	}
	v.w, v.h, v.top = w, h, 0
	if v.onKeys {
		v.keys.Bare(false)
		return v.keys.View(k, w, h, true)
	}
	v.split = w
	if w >= beside {
		v.split, v.direct = w*46/100, false
	}
	if v.direct {
		v.inside = true
	}
	right := w - v.split - 1
	switch {
	case w < beside && v.inside:
		return v.drawDetail(k, w, h, true)
	case w < beside:
		return v.drawList(k, w, h)
	}
	return k.Beside("", v.drawList(k, v.split, h), v.drawDetail(k, right, h, v.inside))
}

func (v *View) drawList(k *cell.Look, w, h int) cell.Block {
	var out cell.Block
	if v.bar != nil && h > 1 {
		const label = " filter "
		row := k.Row(cell.Own(themes.Muted, label), min(len(label), w))
		out = append(out, row+v.bar.View(k, w-len(label), 1, v.typing)[0])
		v.top, h = 1, h-1
	}
	if len(v.rows) == 0 {
		text := "No rule has these words: " + v.bar.Text() + ". esc shows all."
		return append(out, k.Lines(prose.Text(k, themes.Muted, text, w-1), w, h)...)
	}
	return append(out, v.list.View(k, w, h, !v.inside)...)
}

func (v *View) drawDetail(k *cell.Look, w, h int, focused bool) cell.Block {
	r, ok := v.selected()
	if !ok {
		v.detail, v.shown = nil, shown{}
		return k.Blank(w, h)
	}
	if key := (shown{r.ID, w, k}); v.detail == nil || v.shown != key {
		v.detail, v.shown = list.New(list.Lines(v.explain(k, r, w-list.Frame))), key
	}
	v.detail.Bare(!focused)
	return v.detail.View(k, w, h, focused)
}

// explain is what is said of a rule.
func (v *View) explain(k *cell.Look, r abi.Rule, w int) []cell.Line {
	about, _ := rules.WordsOf(r.ID)
	out := []cell.Line{findings.RuleHead(r, about), {}}
	return append(out, findings.RuleLines(k, about, w, true)...)
}
