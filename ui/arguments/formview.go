package arguments

import (
	"strconv"
	"strings"

	"perch/inspect/form"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/prose"
	"perch/ui/words"
)

// shown is what was drawn of the form last, for the mouse and the cursor.
type shown struct {
	rows  []int // of each line, from the first of the form: its row, -1 for none
	from  int   // the line of the first row
	value int   // the column of values
	menu  int   // the column from which a click opens the menu
	x, y  int   // the caret, or the selected row
	ok    bool
}

// column is where values begin, worked out once for each change.
type column struct {
	revision, w int
	at          int // of values
	base        int // cells before a label, for the sign of a fold
}

// columns are those of the form in w cells.
func (d *draft) columns(k *cell.Look, w int) column {
	f := d.fields()
	if c := d.column; c.revision == f.Revision() && c.w == w && c.at > 0 {
		return c
	}
	c := column{revision: f.Revision(), w: w}
	widest := 0
	for i := range min(f.Len(), 300) {
		r := f.Row(i)
		if r.Kind != form.Field {
			continue
		}
		if r.Group && r.Depth == 0 {
			c.base = 1
		}
		n := 2*r.Depth + k.Measure(cutText(labelOf(r), 64)) + 1
		if r.Required {
			n += 2
		}
		widest = max(widest, n)
	}
	c.at = min(max(widest+1+c.base, 6), max(w*2/5, 8))
	d.column = c
	return c
}

// labelOf is the name of a field; the empty one is a name too.
func labelOf(r form.Row) string {
	if r.Label == "" {
		return `""`
	}
	return r.Label
}

// cutText is the beginning of a text of at most so many bytes, for measuring.
func cutText(s string, most int) string {
	if len(s) > most {
		return s[:most]
	}
	return s
}

// viewForm draws the rows of the form in h lines.
func (p *Pane) viewForm(k *cell.Look, w, h int, focused bool) cell.Block {
	d := p.now
	f := d.fields()
	p.shown = shown{rows: make([]int, 0, h), menu: w - 4}
	var head []cell.Line
	if about := f.About(); about != "" && h > 8 {
		head = prose.Text(k, themes.Muted, about, w-1)
		head = head[:min(len(head), 2)]
	}
	if n := f.Len(); n > 0 && h > 4 && d.filter == nil {
		if r := f.Row(0); r.Kind == form.AddKey && r.Depth == 0 {
			head = append(head, prose.Own(k, themes.Muted, "No arguments are named; any key may be sent.", w-1)...)
		}
	}
	if d.filter != nil {
		head = append(head, p.filterLine(k, w))
	}
	p.shown.from = len(head)
	h = max(h-len(head), 0)
	n := f.Len()
	if n == 0 {
		text := "No fields: the tool takes no arguments."
		if d.filter != nil && !d.filter.Empty() {
			text = "No field fits. esc shows all."
		}
		p.caret(head)
		body := prose.Own(k, themes.Muted, text, w-1)
		return k.Lines(append(head, body...), w, len(head)+h)
	}
	at := d.find()
	p.shown.value = d.columns(k, w).at
	lines := func(i int) []cell.Line { return p.rowLines(k, i, w, i == at && !p.onRun, focused) }
	if !d.loose {
		d.settle(at, h, lines)
	}
	d.top = min(d.top, n-1)
	skip := d.skip
	var body []cell.Line
	for i := d.top; i < n && len(body) < h; i++ {
		for j, l := range lines(i) {
			if skip > 0 {
				skip--
				continue
			}
			if len(body) == h {
				break
			}
			if i == at && j == 0 {
				p.shown.y, p.shown.ok = len(head)+len(body), !p.onRun
			}
			body = append(body, l)
			p.shown.rows = append(p.shown.rows, i)
		}
	}
	p.caret(head)
	return k.Lines(append(head, body...), w, len(head)+h)
}

// caret works out where the caret stands.
func (p *Pane) caret(head []cell.Line) {
	switch {
	case p.search && len(head) > 0:
		x, _ := p.now.filter.Cursor()
		p.shown.x, p.shown.y, p.shown.ok = 3+x, len(head)-1, true
	case p.typing && p.field != nil:
		x, y := p.field.Cursor()
		p.shown.x = p.shown.value + x
		p.shown.y += y
		if p.now.kind == form.AddKey {
			p.shown.x = p.shown.x - p.shown.value + p.keyColumn()
		}
	}
}

// keyColumn is where the name of a new key is typed.
func (p *Pane) keyColumn() int {
	r, _ := p.now.selected()
	return 1 + p.now.column.base + 2*r.Depth + 2
}

// settle scrolls so that the selected row is in sight.
func (d *draft) settle(at, h int, lines func(int) []cell.Line) {
	if at < d.top || at == d.top && d.skip > 0 {
		d.top, d.skip = at, 0
		return
	}
	n := -d.skip
	for i := d.top; i <= at && n <= h; i++ {
		n += len(lines(i))
	}
	if n <= h {
		return
	}
	d.skip, d.top = 0, at
	for n = len(lines(at)); d.top > 0; d.top-- {
		if n += len(lines(d.top - 1)); n > h {
			return
		}
	}
}

// filterLine is the bar of the filter.
func (p *Pane) filterLine(k *cell.Look, w int) cell.Line {
	var l cell.Line
	count := words.Plural(p.now.form.Len(), "row")
	room := max(w-4-k.Measure(count)-2, 4)
	row := p.now.filter.View(k, room, 1, p.search)
	l.Own(cell.Fg(themes.Accent), " / ").Drawn(row[0], room)
	return *l.Gap().Own(cell.Fg(themes.Muted), count).Blank(1)
}

// rowLines are the lines of one row of the form: the field itself, and what is
// told below it.
func (p *Pane) rowLines(k *cell.Look, i, w int, selected, focused bool) []cell.Line {
	d := p.now
	r := d.form.Row(i)
	l := p.start(r, selected, focused)
	if r.Kind != form.Field {
		p.addTail(k, &l, r, w, selected)
		return []cell.Line{l}
	}
	c := d.columns(k, w)
	lead := 1 + c.base + 2*r.Depth
	st := cell.Fg(themes.Key)
	if r.Extra {
		st = cell.Fg(themes.Muted)
	}
	room := max(c.at-lead-1, 4)
	label := cell.Line{}
	label.Text(st, labelOf(r))
	star := ""
	if r.Required {
		star, room = " *", max(room-2, 3)
	}
	if k.Width(label) > room {
		label = cell.Line{}
		label.TextIn(st, r.Label, room, cell.CutEnd)
	}
	l.Add(label)
	if star != "" {
		l.Own(cell.Fg(themes.Accent).With(themes.Bold), star)
	}
	l.Blank(max(c.at-k.Width(l), 0))
	typing := selected && p.typing && p.field != nil
	side := (w - c.at) / 2
	if r.State == form.LeftOut && !typing && len(r.Branches) < 2 {
		side = max(side, w-c.at-len("· left out")-3) // the words need no more
	}
	right := p.right(k, r, side)
	room = max(w-c.at-k.Width(right)-2, 4)
	out := []cell.Line{l}
	if typing {
		rows := p.field.ViewRows(k, room, p.fieldRows(), true)
		out[0].Drawn(rows[0], room)
		for _, row := range rows[1:] {
			var more cell.Line
			out = append(out, *more.Blank(c.at).Drawn(row, room))
		}
	} else {
		p.addValue(k, &out[0], r, room)
	}
	out[0].Gap().Add(right).Blank(1)
	return append(out, p.below(k, r, c.at, w, selected)...)
}

// mostRows is how many rows the input of a field grows to.
const mostRows = 8

// fieldRows is how many rows the input of a field has: those of its text.
func (p *Pane) fieldRows() int { return p.field.RowCount(max(min(mostRows, p.edH-3), 1)) }

// start is the beginning of a row: the mark of the selected one, the indent,
// the sign of a fold.
func (p *Pane) start(r form.Row, selected, focused bool) cell.Line {
	var l cell.Line
	typing := p.typing && selected
	switch {
	case selected && focused:
		l.Own(cell.Fg(themes.BorderFocus), "❯")
		if !typing {
			l.Fill = cell.Style{Fg: themes.Text, Bg: themes.Selection}
		}
	case selected:
		l.Own(cell.Fg(themes.Muted), "›")
		l.Fill = cell.Style{Fg: themes.Text, Bg: themes.SelectionQuiet}
	default:
		l.Blank(1)
	}
	l.Blank(2 * r.Depth)
	if p.now.column.base == 0 && !r.Group {
		return l
	}
	switch {
	case r.Group && r.Open:
		l.Own(cell.Fg(themes.Muted), "▾")
	case r.Group:
		l.Own(cell.Fg(themes.Accent), "▸")
	case p.now.column.base > 0:
		l.Blank(1)
	}
	return l
}

// addTail adds what a row says that is no field.
func (p *Pane) addTail(k *cell.Look, l *cell.Line, r form.Row, w int, selected bool) {
	key := "a"
	if p.typing {
		key = "ctrl+x a"
	}
	switch r.Kind {
	case form.AddRow:
		l.Own(cell.Fg(themes.Accent), "+ add a row").Gap().Own(cell.Fg(themes.Muted), key).Blank(1)
	case form.AddKey:
		if selected && p.typing && p.field != nil {
			room := max(w-k.Width(*l)-2-12, 4)
			l.Own(cell.Fg(themes.Accent), "+ ").Drawn(p.field.View(k, room, 1, true)[0], room)
			l.Gap().Own(cell.Fg(themes.Muted), "its name").Blank(1)
			return
		}
		l.Own(cell.Fg(themes.Accent), "+ add a key").Gap().Own(cell.Fg(themes.Muted), key).Blank(1)
	case form.Picker:
		p.addBranches(k, l, r, max(w-k.Width(*l)-10, 4))
		l.Gap().Own(cell.Fg(themes.Muted), branchCount(r)).Blank(1)
	case form.More:
		l.Own(cell.Fg(themes.Muted), "… "+words.Count(r.More)+" more, in the JSON tab")
	}
}

func branchCount(r form.Row) string {
	return strconv.Itoa(r.Branch+1) + " of " + strconv.Itoa(len(r.Branches))
}

// addBranches adds the branches of a choice, the taken one in brackets.
func (p *Pane) addBranches(k *cell.Look, l *cell.Line, r form.Row, room int) {
	var all cell.Line
	for i, name := range r.Branches {
		if i > 0 {
			all.Own(cell.Fg(themes.Faint), " · ")
		}
		if i != r.Branch {
			all.Text(cell.Fg(themes.Muted), name)
			continue
		}
		all.Own(cell.Fg(themes.Accent).With(themes.Bold), "[").Text(cell.Fg(themes.Accent).With(themes.Bold), name).
			Own(cell.Fg(themes.Accent).With(themes.Bold), "]")
	}
	if k.Width(all) > room && r.Branch < len(r.Branches) {
		all = cell.Line{}
		name := r.Branches[r.Branch]
		all.Own(cell.Fg(themes.Accent).With(themes.Bold), "[").
			TextIn(cell.Fg(themes.Accent).With(themes.Bold), name, min(max(room-2, 1), max(k.Measure(name), 1)), cell.CutEnd).
			Own(cell.Fg(themes.Accent).With(themes.Bold), "]")
	}
	l.Add(all)
}

// right is what stands at the right of a field: what may be in it, or its
// default while it is left out, and the sign of a menu.
func (p *Pane) right(k *cell.Look, r form.Row, room int) cell.Line {
	var l cell.Line
	sign := ""
	if hasMenu(r) {
		sign = " ▾"
		room -= 2
	}
	own, text := "", r.Words
	switch {
	case len(r.Branches) > 1:
		l.Own(cell.Fg(themes.Muted), branchCount(r))
		return l
	case r.State == form.LeftOut && r.Default != "":
		own, text = "default ", r.Default
		if both := r.Words + " · default " + cutText(text, 4*max(room, 1)); r.Type != form.Choice && k.Measure(both) <= room {
			own, text = "", both
		}
	case r.Type == form.Choice && len(r.Options) == 1:
		own = "only "
	case r.Type == form.Choice:
		text = ""
	}
	if room < 6 {
		return l
	}
	l.Own(cell.Fg(themes.Muted), own)
	if left := room - k.Measure(own); text != "" && left > 0 {
		shown := cutText(text, 4*room)
		if k.Measure(shown) > left {
			l.TextIn(cell.Fg(themes.Muted), shown, left, cell.CutEnd)
		} else {
			l.Text(cell.Fg(themes.Muted), shown)
		}
	}
	return *l.Own(cell.Fg(themes.Accent), sign)
}

// addValue adds what is in a field, in at most room cells.
func (p *Pane) addValue(k *cell.Look, l *cell.Line, r form.Row, room int) {
	if len(r.Branches) > 1 && (r.Group || r.State == form.LeftOut) && r.State != form.IsNull {
		if r.State == form.LeftOut {
			before := k.Width(*l)
			l.Own(cell.Fg(themes.Faint), "· left out  ")
			if room -= k.Width(*l) - before; room < 8 {
				return
			}
		}
		p.addBranches(k, l, r, room)
		return
	}
	switch r.State {
	case form.LeftOut:
		l.Own(cell.Fg(themes.Faint), "· left out")
	case form.IsNull:
		l.Own(cell.Fg(themes.Keyword), "∅ null")
	default:
		if r.Group {
			addGroup(l, r, room)
			return
		}
		l.Own(cell.Fg(themes.Border), "▏")
		addTyped(l, cell.Fg(valueRole(r)), r.Text, max(room-1, 1))
	}
}

// addGroup says what a group holds.
func addGroup(l *cell.Line, r form.Row, room int) {
	switch {
	case !r.Open:
		l.TextIn(cell.Fg(themes.Muted), r.Text, room, cell.CutEnd)
	case r.Type == form.List:
		l.Own(cell.Fg(themes.Muted), words.Plural(r.Count, "row"))
	}
	if r.Inside > 0 && !r.Open {
		l.Own(cell.Fg(themes.Error), " ✗"+strconv.Itoa(r.Inside))
	}
}

// addTyped adds a text in one line: its line breaks are signs.
func addTyped(l *cell.Line, st cell.Style, text string, room int) {
	text = cutText(text, 4*room+4)
	if !strings.Contains(text, "\n") {
		l.TextIn(st, text, room, cell.CutEnd)
		return
	}
	l.TextIn(st, strings.ReplaceAll(text, "\n", "⏎"), room, cell.CutEnd)
}

func valueRole(r form.Row) themes.Role {
	if r.Foreign {
		return themes.Error
	}
	switch r.Type {
	case form.Number, form.Integer:
		return themes.Number
	case form.Boolean:
		return themes.Keyword
	}
	return themes.Text
}

// below are the lines below a field: what it is for, hints, and what is wrong
// with it.
func (p *Pane) below(k *cell.Look, r form.Row, at, w int, selected bool) []cell.Line {
	var out []cell.Line
	about := r.Description
	if about == "" && !r.Group {
		about = r.Title
	}
	if about == "" && r.Type == form.Choice && len(r.Options) > 1 {
		about = r.Words
	}
	at = max(min(at, w-12), 1)
	add := func(role themes.Role, sign, text string, most int) {
		label := cell.Own(role, sign)
		lines := prose.Hanging(k, label, k.Width(label), role, cutText(text, 4*w*(most+1)), w-at-1)
		for i, l := range lines[:min(len(lines), most)] {
			if i == most-1 && len(lines) > most {
				l.Own(cell.Fg(role), "…")
				if selected && !p.typing && role == themes.Muted && most < 20 {
					l.Gap().Own(cell.Fg(themes.Accent), "space: more").Blank(1)
				}
			}
			out = append(out, prose.Indent(l, at))
		}
	}
	most := 2
	if p.now.wide[r.Path] {
		most = 20
	}
	if about != "" {
		add(themes.Muted, "", about, most)
	}
	for _, note := range r.Notes[:min(len(r.Notes), most)] {
		add(themes.Info, "· ", note, most)
	}
	if r.Misfit {
		add(themes.Notice, "◇ ", "the default does not fit its own schema", most)
	}
	for i, pr := range r.Problems {
		if i == 3 {
			break
		}
		sign, role := "✗ ", themes.Error
		switch pr.Level {
		case form.Missing:
			if r.State == form.LeftOut {
				continue // the star says it, and the foot
			}
		case form.Doubt:
			sign, role = "▲ ", themes.Warning
		case form.Note:
			sign, role = "· ", themes.Muted
		}
		text := pr.Text
		if pr.Fix != "" {
			text += " · did you mean " + pr.Fix + "?"
		}
		add(role, sign, text, 3)
	}
	return out
}
