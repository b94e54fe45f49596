package stream

import (
	"time"

	"perch/inspect/record"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/edit"
	"perch/ui/find"
	"perch/ui/list"
	"perch/ui/prose"
	"perch/ui/words"
)

// panel is what all panes have in common: the list with its follow, search and
// marks, and the detail. It implements Pane around a content.
type panel struct {
	*shared
	c           content
	digit       int
	name, short string

	rows     *list.List
	shown    *list.Index      // rows that the sieve or the filter lets through
	shownOK  bool             // all rows were looked at
	marks    map[markKey]bool // of this run
	allMarks map[*record.Run]map[markKey]bool
	markers  []Marker       // of this run, as they were taken over
	noted    map[int]string // their rows here
	other    Moment         // the moment of another pane
	linked   [2]int         // its rows here
	det      detail

	ownRow   int // the row that shared.own belongs to
	ownStamp uint64
	pending  bool
	stays    bool // the person does not want to follow: runs begin at their start
	top      int  // rows above the list when it was drawn last
	height   int  // rows of the list
	barY     int  // row of the bar, -1: none
}

func newPanel(s *shared, c content, digit int, name, short string) *panel {
	p := &panel{shared: s, c: c, digit: digit, name: name, short: short, barY: -1, ownRow: -1}
	p.rows = list.New(rowsOf{p})
	_, p.find.Whole = c.(painter)
	return p
}

// rowsOf is a panel's rows as a list takes them.
type rowsOf struct{ p *panel }

func (r rowsOf) Len() int { return r.p.c.Len() }

func (r rowsOf) Row(i, w int) cell.Line { return r.p.c.Row(i, w) }

func (r rowsOf) First() int {
	if d, ok := r.p.c.(dropper); ok {
		return d.first()
	}
	return 0
}

func (r rowsOf) Newest() int {
	if n, ok := r.p.c.(newest); ok {
		return n.newestRow()
	}
	return r.p.c.Len() - 1
}

// markRoom is how many cells ◆ takes from the end of a row: what must not be
// cut there makes room for it.
func (p *panel) markRoom(row int) int {
	if (rowsOf{p}).Mark(row)&list.Linked != 0 {
		return 2
	}
	return 0
}

func (p *panel) Digit() int                   { return p.digit }
func (p *panel) Name() string                 { return p.name }
func (p *panel) Short() string                { return p.short }
func (p *panel) Facts() (string, themes.Role) { return p.c.facts() }
func (p *panel) Empty() string                { return p.c.empty() }
func (p *panel) Pending() bool                { return p.run != nil && (p.pending || p.unfinished() || p.lags()) }
func (p *panel) Following() bool              { return p.rows.Following() }

// SetRun implements Pane.
func (p *panel) SetRun(r *record.Run) {
	if r == p.run {
		return
	}
	tab, look := p.det.tab, p.look
	p.find.Close()
	find := p.find
	*p.shared = shared{Options: p.Options, run: r, look: look, find: find}
	p.other, p.linked, p.shown, p.shownOK = Moment{}, [2]int{}, nil, false
	p.marks, p.markers, p.noted = p.marksOf(r), nil, nil
	p.ownRow, p.ownStamp = -1, 0
	p.det = detail{tab: tab}
	p.c.reset(r)
	p.rows.SetSource(rowsOf{p})
	if _, is := p.c.(still); !is && !p.stays {
		p.rows.Follow()
	}
	p.refilter()
	p.Sync()
}

// Sync implements Pane.
func (p *panel) Sync() bool {
	if p.run == nil {
		p.pending = false
		return false
	}
	p.book.sync(p.run)
	changed, pending := p.c.sync()
	if p.search() {
		changed = true
	}
	if changed {
		p.relink()
	}
	p.remarked(changed)
	p.pending = pending
	return changed
}

// relink looks for the rows of the other pane's moment anew.
func (p *panel) relink() {
	if p.other.Run != 0 {
		p.linked[0], p.linked[1] = p.c.rowsOf(p.other)
	}
}

func (p *panel) unfinished() bool {
	return p.shown != nil && !p.shownOK || p.find.Index != nil && !p.find.Done
}

// frameRows is how many rows a sieve that looks at kinds alone may take in one
// frame.
const frameRows = 50_000

// search goes on with the search and the filter, and reports whether either
// found something.
func (p *panel) search() bool {
	before := p.found()
	src := rowsOf{p}
	if p.find.Matcher != nil && p.find.Index == nil {
		p.find.Index = list.NewIndex(p.matches)
		p.rows.Search(p.find.Index)
	}
	budget := p.c.budget()
	if p.find.Index != nil {
		p.find.Done = p.find.Index.Step(src, budget)
	}
	if p.shown != nil {
		if p.find.Matcher == nil || !p.find.Filter {
			budget = frameRows
		}
		p.shownOK = p.shown.Step(src, budget)
	}
	if p.find.Jump && p.find.Index != nil && (p.find.Index.Len() > 0 || p.find.Done) {
		p.jumpToMatch()
	}
	return p.found() != before
}

func (p *panel) found() int {
	n := 0
	if p.find.Index != nil {
		n += p.find.Index.Len() + 1
	}
	if p.shown != nil {
		n += p.shown.Len() + 1
	}
	return n
}

// jumpToMatch selects the first match from the selected row on.
func (p *panel) jumpToMatch() {
	row, ok := p.rows.Selected()
	ix := p.find.Index
	k := 0
	if ok {
		k = ix.Seek(row)
	}
	switch {
	case k < ix.Len():
		p.rows.Select(ix.At(k))
	case !p.find.Done:
		return // what matches may be further on
	case ix.Len() > 0:
		p.rows.Select(ix.At(0))
	}
	p.find.Jump = false
}

func (p *panel) matches(row int) bool {
	if p.find.Matcher == nil {
		return false
	}
	b := p.c.text(row)
	from, _ := p.find.Matcher(b[:min(len(b), find.Most)])
	return from >= 0
}

// refilter makes the list show what the sieve and the filter let through.
func (p *panel) refilter() {
	sv, _ := p.c.(sieve)
	sieving := sv != nil && sv.sieved()
	filtering := p.find.Filter && p.find.Matcher != nil
	p.shown, p.shownOK = nil, false
	if sieving || filtering {
		p.shown = list.NewIndex(func(row int) bool {
			return (!sieving || sv.lets(row)) && (!filtering || p.matches(row))
		})
	}
	p.rows.Filter(p.shown)
}

// renumbered says that all rows are others now.
func (p *panel) renumbered() {
	p.find.Index = nil
	p.rows.Search(nil)
	p.ownRow = -1
	p.det.made = false
	p.refilter()
	p.relink()
	p.remarked(true)
}

// Selected implements Pane.
func (p *panel) Selected() (Moment, bool) {
	row, ok := p.rows.Selected()
	if !ok || p.run == nil {
		return Moment{}, false
	}
	if stamp := p.c.stamp(row); row != p.ownRow || stamp != p.ownStamp || p.own.Run == 0 || p.live() {
		p.own, ok = p.c.moment(row)
		p.ownRow, p.ownStamp = row, stamp
		if !ok {
			p.own = Moment{}
		}
	}
	return p.own, p.own.Run != 0
}

// Goto implements Pane.
func (p *panel) Goto(m Moment) bool {
	if p.run == nil || m.Run != p.run.ID() {
		return false
	}
	p.complete()
	from, to := p.c.rowsOf(m)
	if from >= to { // what belongs to the event may be a row
		if wide, ok := momentOf(p.run, m.Seq); ok {
			from, to = p.c.rowsOf(wide)
		}
	}
	if from >= to {
		return false
	}
	row := from
	for i := from; i < min(to, from+maxSteps); i++ {
		// The event itself, or what it is about: that came before it.
		if own, ok := p.c.moment(i); ok && own.Seq <= m.Seq {
			row = i
		}
	}
	p.rows.Select(row)
	return true
}

// maxSteps is how many rows of a moment are looked at one by one.
const maxSteps = 256

// Input implements Pane.
func (p *panel) Input() *edit.Editor {
	if !p.find.Typing {
		return nil
	}
	return p.find.Bar
}

// Changed implements Pane.
func (p *panel) Changed() {
	p.find.Changed()
	p.rows.Search(nil)
	p.refilter()
	p.search()
}

// Searching implements Pane.
func (p *panel) Searching() bool { return p.find.Bar != nil && !p.find.Typing }

// Out implements Pane.
func (p *panel) Out() bool {
	switch {
	case p.find.Bar != nil && p.find.Filter && !p.find.Typing:
		p.find.Filter = false
	case p.find.Bar != nil:
		p.find.Close()
		p.rows.Search(nil)
	default:
		a, ok := p.c.(asker)
		return ok && a.dismiss()
	}
	p.refilter()
	p.search()
	return true
}

// Copy implements Pane.
func (p *panel) Copy() (string, []byte, bool) {
	row, ok := p.rows.Selected()
	if !ok || p.run == nil {
		return "", nil, false
	}
	return p.c.copyRow(row)
}

// Cursor implements Pane.
func (p *panel) Cursor(inDetail bool) (x, y int, ok bool) {
	if p.find.Typing && p.barY >= 0 {
		return p.find.Cursor(), p.barY, true
	}
	if inDetail {
		return p.det.cursor()
	}
	if own, is := p.c.(painter); is {
		y, ok = own.cursorY()
	} else {
		y, ok = p.rows.SelectedY()
	}
	return 0, y + p.top, ok
}

// List implements Pane.
func (p *panel) List(v View) cell.Block {
	if v.W <= 0 || v.H <= 0 {
		return v.Look.Blank(v.W, v.H)
	}
	p.look = v.Look
	foot := p.foot(v)
	var out cell.Block
	columns := p.c.columns(v.W)
	if h := v.H - len(foot); h >= 3 && p.c.Len() > 0 {
		for _, l := range columns {
			out = append(out, v.Look.Row(l, v.W))
		}
	}
	p.top = len(out)
	room := v.H - len(foot) - p.top
	p.height = room
	var notes []cell.Line
	if p.c.Len() > 0 {
		notes = p.c.notes(v.W)
	}
	n := p.rows.Len()
	if p.rows.Wrapping() || n == 0 || n+len(notes)+1 > room {
		notes = nil
	}
	own, is := p.c.(painter)
	switch {
	case n == 0:
		out = append(out, p.nothing(v, room)...)
	case is:
		out = append(out, own.paint(View{Look: v.Look, W: v.W, H: room, Focused: v.Focused})...)
	default:
		p.height = room - len(notes)
		if len(notes) > 0 {
			p.height = n + 1
		}
		out = append(out, p.rows.View(v.Look, v.W, p.height, v.Focused)...)
		for _, l := range notes {
			out = append(out, v.Look.Row(l, v.W))
		}
	}
	out = v.Look.Fill(out, v.W, v.H-len(foot))
	if p.barY >= 0 {
		p.barY += len(out)
	}
	return v.Look.Fill(append(out, foot...), v.W, v.H)
}

// foot is what stands at the lower edge: a question, the bar, losses, follow.
func (p *panel) foot(v View) cell.Block {
	p.barY = -1
	var out cell.Block
	if a, ok := p.c.(asker); ok && v.H >= 8 {
		for _, l := range a.question(v.Look, v.W) {
			out = append(out, v.Look.Row(l, v.W))
		}
		if len(out) > v.H/2 {
			out = out[:v.H/2]
		}
	}
	if p.find.Bar != nil && v.H >= 2 {
		at, _ := p.rows.Selected()
		p.barY = len(out)
		out = append(out, p.find.Line(v.Look, v.W, at, p.c.Len()))
	}
	if v.H < 6 {
		return out
	}
	for _, l := range p.c.losses() {
		out = append(out, v.Look.Row(l, v.W))
	}
	if p.live() && !p.rows.Following() && p.rows.Len() > 0 {
		if _, is := p.c.(still); !is {
			out = append(out, v.Look.Row(p.followLine(), v.W))
		}
	}
	return out
}

func (p *panel) followLine() cell.Line {
	var l cell.Line
	l.Blank(1).Own(cell.Fg(themes.Muted), "follow off")
	if n := p.rows.New(); n > 0 {
		l.Own(cell.Fg(themes.Muted), " · ").Own(cell.Fg(themes.Accent), "▼ "+words.Count(n)+" new")
	}
	l.Own(cell.Fg(themes.Muted), " · "+p.look.Key("nav.bottom", "G")+" follows again")
	return l
}

// nothing says why there are no rows.
func (p *panel) nothing(v View, h int) cell.Block {
	text := p.c.empty()
	if n := p.c.Len(); n > 0 {
		text := "No row is of the kinds that are shown. " + v.Look.Key("events.kinds", "K") + " shows others."
		switch {
		case p.find.Matcher != nil && p.find.Filter && !p.shownOK:
			text = "Looking through " + words.Count(n) + " rows."
		case p.find.Matcher != nil && p.find.Filter:
			text = "Nothing matches " + p.find.Bar.Text() + ". esc shows all " + words.Count(n) + "."
		}
		return v.Look.Lines(prose.Text(v.Look, themes.Muted, text, v.W-1), v.W, h)
	}
	return v.Look.Lines(prose.Own(v.Look, themes.Muted, text+p.fills(v.Look), v.W-1), v.W, h)
}

// fills says which key fills the pane, "" while a run may.
func (p *panel) fills(k *cell.Look) string {
	if p.live() {
		return ""
	}
	switch p.c.(type) {
	case *web, *files:
		return " " + k.Key("package.open", "P") + " opens it."
	case *stderr, *wire, *events:
		return " " + k.Key("run.call", "ctrl+r") + " runs a call."
	}
	return ""
}

// sinceRow is the time between two rows, for the time column.
func sinceRow(at func(int) (time.Duration, bool), row int) func() (time.Duration, bool) {
	return func() (time.Duration, bool) {
		if row <= 0 {
			return 0, false
		}
		return at(row - 1)
	}
}
