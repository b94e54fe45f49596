// Package sheet is a page of short rows under headings, with what is told of
// the selected one below them: the settings, and the messages of the app. It
// knows nothing of what its rows are about.
package sheet

import (
	"strings"

	"perch/themes"
	"perch/ui/cell"
	"perch/ui/edit"
	"perch/ui/list"
	"perch/ui/prose"
	"perch/ui/words"
)

// Row is a row of the page.
type Row struct {
	Head  bool
	Label string
	Value string      // may be not ours
	Role  themes.Role // of the value; None is that of text
	From  string      // at the right; may be not ours
	About string      // told below when it is selected
	Act   string      // the command that enter does, "" for none
	Says  string      // what it does, for the footer
}

// View is the state of the page. Use New.
type View struct {
	title  string
	noun   string // what a row is called when they are counted
	none   string // what an empty page says
	all    []Row
	shown  []Row
	list   *list.List
	bar    *edit.Editor
	typing bool
	top    int
	labels int // cells of the widest label
}

// New is the page of some rows.
func New(title, noun, none string, rows []Row) *View {
	v := &View{title: title, noun: noun, none: none}
	v.list = list.New(v)
	v.Set(rows)
	return v
}

// Set shows other rows; the selected one stays so by its label.
func (v *View) Set(rows []Row) {
	at, had := v.Selected()
	v.all = rows
	v.fill()
	if had {
		for i, r := range v.shown {
			if !r.Head && r.Label == at.Label {
				v.list.Select(i)
				return
			}
		}
	}
}

// Last selects the last row.
func (v *View) Last() { v.list.Bottom(false) }

// fill makes the rows that the filter fits.
func (v *View) fill() {
	var query []string
	if v.bar != nil {
		query = strings.Fields(strings.ToLower(v.bar.Text()))
	}
	v.shown, v.labels = nil, 0
	head := -1
	for i, r := range v.all {
		if r.Head {
			head = i
			continue
		}
		text := strings.ToLower(r.Label + " " + r.Value + " " + r.From + " " + r.About)
		if !hasAll(text, query) {
			continue
		}
		if head >= 0 {
			v.shown = append(v.shown, v.all[head])
			head = -1
		}
		v.shown = append(v.shown, r)
		v.labels = max(v.labels, len(r.Label))
	}
	v.list.SetSource(v)
	if len(v.shown) > 1 && v.shown[0].Head {
		v.list.Select(1)
	}
}

func hasAll(text string, all []string) bool {
	for _, w := range all {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// Selected is the selected row; of a heading, the next one.
func (v *View) Selected() (Row, bool) {
	i, ok := v.list.Selected()
	for ; ok && i < len(v.shown); i++ {
		if !v.shown[i].Head {
			return v.shown[i], true
		}
	}
	return Row{}, false
}

// Len implements list.Source.
func (v *View) Len() int { return len(v.shown) }

// Row implements list.Source.
func (v *View) Row(i, w int) cell.Line {
	var l cell.Line
	r := v.shown[i]
	if r.Head {
		return *l.Own(cell.Fg(themes.Muted).With(themes.Bold), r.Label)
	}
	role := r.Role
	if role == themes.None {
		role = themes.Text
	}
	if r.Label != "" {
		l.Blank(1).OwnIn(cell.Fg(themes.Accent), r.Label, min(v.labels, max(w/3, 8))).Blank(2)
	}
	from := r.From
	room := w - 2 - min(v.labels, max(w/3, 8)) - 2
	if len(from)+12 > room {
		from = ""
	}
	if from != "" {
		l.TextIn(cell.Fg(role), r.Value, room-len(from)-3, cell.CutEnd).Gap().Text(cell.Fg(themes.Muted), from).Blank(1)
		return l
	}
	return *l.Text(cell.Fg(role), r.Value)
}

// Title implements the app's page.
func (v *View) Title() cell.Title {
	t := cell.Title{Focused: true, Name: cell.Own(themes.None, v.title)}
	n, all := 0, 0
	for _, r := range v.shown {
		if !r.Head {
			n++
		}
	}
	for _, r := range v.all {
		if !r.Head {
			all++
		}
	}
	text := words.Plural(all, v.noun)
	if n != all {
		text = words.Count(n) + " of " + text
	}
	if v.typing {
		text = "typing   " + text
	}
	t.Facts = cell.Own(themes.Muted, text)
	return t
}

// SetTab implements the app's page, which has one tab.
func (v *View) SetTab(int) {}

// detail is how many rows are kept for what is told of the selected row.
const detail = 6

// Draw implements the app's page.
func (v *View) Draw(k *cell.Look, w, h int) cell.Block {
	var out cell.Block
	v.top = 0
	if v.bar != nil && h > 1 {
		const label = " filter "
		row := k.Row(cell.Own(themes.Muted, label), min(len(label), w))
		out = append(out, row+v.bar.View(k, max(w-len(label), 1), 1, v.typing)[0])
		v.top, h = 1, h-1
	}
	if len(v.shown) == 0 {
		text := v.none
		if v.bar != nil && len(v.all) > 0 {
			text = "Nothing has these words: " + v.bar.Text() + ". esc shows all."
		}
		return append(out, k.Lines(prose.Text(k, themes.Muted, text, w-1), w, h)...)
	}
	under := 0
	if h >= 2*detail {
		under = detail
	}
	out = append(out, v.list.View(k, w, h-under, true)...)
	if under == 0 {
		return out
	}
	lines := []cell.Line{{}}
	if r, ok := v.Selected(); ok {
		about := r.About
		if about == "" {
			about = r.Value
		}
		for _, p := range strings.Split(about, "\n") {
			lines = append(lines, prose.Text(k, themes.Muted, p, w-1)...)
		}
	}
	return append(out, k.Lines(lines[:min(len(lines), under)], w, under)...)
}

// Enters reports whether enter does something on the selected row.
func (v *View) Enters() bool {
	r, ok := v.Selected()
	return ok && r.Act != ""
}

// Filters implements the app's page.
func (v *View) Filters() bool { return true }

// Do implements the app's page. What enter does is the app's business.
func (v *View) Do(id string) bool {
	switch id {
	case "find.open":
		v.typing = true
		if v.bar == nil {
			v.bar = edit.NewLine("")
		}
	case "type.accept":
		v.typing = false
		if v.bar != nil && v.bar.Empty() {
			v.close()
		}
	case "type.up", "type.down":
		if v.typing {
			v.list.Move(map[string]int{"type.up": -1, "type.down": 1}[id])
		}
		return v.typing
	case "nav.up", "nav.down":
		v.list.Do(id, false)
		v.skipHead(map[string]int{"nav.up": -1, "nav.down": 1}[id])
	default:
		return v.list.Do(id, false)
	}
	return true
}

// skipHead moves on from a heading.
func (v *View) skipHead(step int) {
	if i, ok := v.list.Selected(); ok && v.shown[i].Head && i+step >= 0 {
		v.list.Move(step)
	}
}

// close takes the filter away; the selected row stays.
func (v *View) close() {
	v.bar, v.typing = nil, false
	v.Set(v.all)
}

// Out implements the app's page.
func (v *View) Out() bool {
	switch {
	case v.typing:
		v.typing = false
		if v.bar.Empty() {
			v.close()
		}
	case v.bar != nil:
		v.close()
	default:
		return false
	}
	return true
}

// Input is where the caret is, nil when there is none.
func (v *View) Input() *edit.Editor {
	if !v.typing {
		return nil
	}
	return v.bar
}

// Changed takes what was typed.
func (v *View) Changed() { v.fill() }

// Click implements the app's page.
func (v *View) Click(_, y int) bool {
	if v.bar != nil && y < v.top {
		v.typing = true
		return false
	}
	return v.list.Click(y - v.top)
}

// Wheel implements the app's page.
func (v *View) Wheel(_, dy int) { v.list.Scroll(dy) }

// Cursor is the place of the caret, or of the selected row.
func (v *View) Cursor() (x, y int, ok bool) {
	if v.typing && v.bar != nil {
		x, _ = v.bar.Cursor()
		return x + len(" filter "), 0, true
	}
	y, ok = v.list.SelectedY()
	return 0, y + v.top, ok
}

// Copy is the selected row as text.
func (v *View) Copy() (string, bool) {
	r, ok := v.Selected()
	if !ok {
		return "", false
	}
	var parts []string
	for _, s := range []string{r.Label, r.Value, r.From} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "  "), true
}
