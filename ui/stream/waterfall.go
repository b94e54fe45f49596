package stream

import (
	"fmt"
	"slices"
	"sort"
	"time"

	"perch/engine/event"
	"perch/inspect/record"
	"perch/inspect/timeline"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/list"
	uitimeline "perch/ui/timeline"
	"perch/ui/words"
)

// NewTimeline is the pane of a run as a waterfall. Its rows are the events of
// the run, as in Events: the selected one is the moment, a search looks at all
// of them, and the waterfall is how they are drawn.
func NewTimeline(o Options) Pane {
	c := &waterfall{events: events{shared: &shared{Options: o.ready()}}}
	c.panel = newPanel(c.shared, c, 9, "Timeline", "Time")
	return c.panel
}

// waterfall is the events of a run in lanes.
type waterfall struct {
	events
	x       *timeline.Index
	view    *uitimeline.View // nil: there is no run
	asked   bool             // it was in sight: from then on it is kept up to date
	behind  bool             // the index has not read all
	stampOf uint64
	drawn   uint64 // the event that the view was told of, one more; 0: none
	top     int    // rows above the waterfall
}

// frameIndexed is how many events the index reads in one frame.
const frameIndexed = 5_000

// reset shows another run.
func (c *waterfall) reset(run *record.Run) {
	asked := c.asked
	c.events.reset(run)
	*c = waterfall{events: c.events, asked: asked}
	if run != nil {
		c.x = timeline.New(run)
		c.view = uitimeline.New(c.x)
		c.behind = true
	}
}

// show says that it comes into sight.
func (c *waterfall) show() { c.asked = true }

// more implements lazy.
func (c *waterfall) more() bool { return c.asked && c.behind }

func (c *waterfall) sync() (changed, pending bool) {
	changed, _ = c.events.sync()
	if !c.asked {
		return changed, false
	}
	if c.behind || changed {
		c.behind = c.x.Sync(frameIndexed)
		changed = true
	}
	if c.stampOf != c.book.stamp {
		c.stampOf = c.book.stamp
		c.x.SetFindings(c.book.now.Own)
		changed = true
	}
	return changed, c.behind
}

func (c *waterfall) facts() (string, themes.Role) { return "", themes.None }

func (c *waterfall) columns(int) []cell.Line { return nil }

// losses say which part of the run is in sight, where it is not all.
func (c *waterfall) losses() []cell.Line {
	var out []cell.Line
	line := func(role themes.Role, text string) {
		var l cell.Line
		out = append(out, *l.Blank(1).Own(cell.Fg(role), text))
	}
	if c.gone > 0 {
		line(themes.Warning, words.Count(c.gone)+" oldest events dropped")
	}
	switch {
	case c.behind:
		line(themes.Muted, fmt.Sprintf("read up to %s so far", words.Moment(c.x.End())))
	case c.zoomed():
		line(themes.Muted, c.view.Facts()+" · - zooms out")
	}
	return out
}

func (c *waterfall) empty() string {
	return "No run yet. A run stands here as a waterfall: requests, HTTP, files, logs and memory by time."
}

// paint implements painter.
func (c *waterfall) paint(v View) cell.Block {
	c.tell()
	return c.view.View(v.Look, v.W, v.H, v.Focused)
}

// tell tells the view of the moment, of the one of another stream, of markers
// and of a search.
func (c *waterfall) tell() {
	if row, ok := c.panel.rows.Selected(); ok && uint64(row)+1 != c.drawn {
		if h, ok := c.head(uint64(row)); ok {
			c.drawn = uint64(row) + 1
			c.view.SetMoment(uint64(row), h.Time)
		}
	}
	x := uitimeline.Extra{Says: c.says}
	if c.panel.linked[0] < c.panel.linked[1] {
		x.Touched = c.x.Touched(c.panel.other.Since, c.panel.other.Until)
	}
	for _, row := range c.panel.notedRows() {
		if h, ok := c.head(uint64(row)); ok {
			x.Markers = append(x.Markers, h.Time)
		}
	}
	slices.Sort(x.Markers)
	if ix := c.panel.find.Index; ix != nil {
		x.Found = func(before time.Duration) int { return ix.Seek(int(c.run.At(before))) }
	}
	c.view.SetExtra(x)
}

// says is the time of the moment as the person wants times.
func (c *waterfall) says(at time.Duration) string {
	row, _ := c.panel.rows.Selected()
	return c.moments(at, sinceRow(c.timeOf, row))
}

// rowAt implements exact.
func (c *events) rowAt(seq uint64) (int, bool) { return int(seq), seq >= c.gone && seq < c.n }

func (c *waterfall) zoomed() bool { return c.view != nil && c.view.Zoomed() }

// cursorY implements painter.
func (c *waterfall) cursorY() (int, bool) {
	if c.view == nil {
		return 0, false
	}
	return c.view.SelectedY()
}

// clickAt implements painter.
func (c *waterfall) clickAt(x, y int) bool {
	if c.view == nil || !c.view.Click(x, y) {
		return false
	}
	c.take()
	return true
}

// wheel implements painter: up and down zoom.
func (c *waterfall) wheel(dx, dy int) {
	switch {
	case c.view == nil: // there is no run
	case dx != 0:
		c.view.Sideways(dx)
	case dy < 0:
		c.view.Zoom(1)
	case dy > 0:
		c.view.Zoom(-1)
	}
}

// take selects the event that the view chose.
func (c *waterfall) take() {
	if seq, _, ok := c.view.Moment(); ok {
		c.panel.rows.Select(int(seq))
		c.drawn = seq + 1
	}
}

// aim chooses the lane of a moment that comes from elsewhere, unless the one
// that is selected has something of it.
func (c *waterfall) aim(m Moment) {
	if c.view == nil || slices.Contains(c.x.Touched(m.Since, m.Until), c.view.Lane()) {
		return
	}
	if e, ok := c.run.Event(m.Seq); ok {
		c.view.SetLane(laneOf(e))
	}
}

// laneOf is the lane in which an event stands.
func laneOf(e event.Event) timeline.Lane {
	switch b := e.Body.(type) {
	case event.Request, event.StdinClosed:
		return timeline.Stdin
	case event.HTTPRequest, event.HTTPHop, event.HTTPAnswer, event.HTTPRead:
		return timeline.HTTP
	case event.FileEffect:
		return timeline.Files
	case event.WASI:
		return timeline.WASI
	case event.Memory:
		return timeline.Memory
	case event.Message, event.Verdict:
		return timeline.Stdout
	case event.Breach:
		return timeline.Findings
	case event.Output:
		if b.Stream == event.Stderr {
			return timeline.Stderr
		}
		return timeline.Stdout
	}
	return timeline.Module
}

// steps is how many happenings of a lane a page is.
const steps = 10

func (c *waterfall) do(id string, _ int) bool {
	if c.view == nil {
		return false
	}
	switch id {
	case "nav.up":
		if c.view.MoveLane(-1) {
			c.take()
		}
	case "nav.down":
		if c.view.MoveLane(1) {
			c.take()
		}
	case "nav.left", "nav.right", "nav.page_up", "nav.page_down", "nav.half_up", "nav.half_down":
		n := map[string]int{"nav.left": -1, "nav.right": 1, "nav.page_up": -steps, "nav.page_down": steps,
			"nav.half_up": -steps / 2, "nav.half_down": steps / 2}[id]
		if c.view.Step(n) {
			c.take()
		}
	case "timeline.in":
		return c.view.Zoom(1)
	case "timeline.out":
		if !c.view.Zoomed() {
			return false
		}
		c.view.Zoom(-1)
	case "text.left", "text.right":
		if !c.view.Zoomed() {
			return false
		}
		c.view.Sideways(map[string]int{"text.left": -1, "text.right": 1}[id])
	default:
		return false
	}
	return true
}

// stamp: while the run goes on, what is told of the whole changes.
func (c *waterfall) stamp(row int) uint64 {
	if c.behind || c.live() {
		return uint64(c.x.End()) ^ c.n<<40
	}
	return c.events.stamp(row) ^ uint64(c.book.times)<<60
}

// about tells of the moment, and where the time of the run went.
func (c *waterfall) about(row int, a ask) document {
	e, ok := c.run.Event(uint64(row))
	if !ok {
		return document{title: cell.Own(themes.Faint, "this event is no longer kept")}
	}
	r := describe(c.run, e)
	w := a.w - 3
	d := document{of: "event " + words.Count(e.Seq)}
	var lines []cell.Line
	if i := c.x.ExchangeAt(e.Seq); i >= 0 {
		lines = c.exchangeLines(&d, c.x.Exchange(i), a.look, w)
	} else {
		d.title.TextIn(cell.Fg(r.role), r.kind, min(a.look.Measure(r.kind), 10), cell.CutEnd).Blank(1)
		addWhat(&d.title, r, r.what, &c.find)
		lines = c.eventLines(e, a.look, w)
	}
	lines = append(lines, cell.Line{})
	lines = append(lines, label(a.look, "of the run", themes.Text, a.look.Sign(c.view.TotalsText()), w)...)
	lines = append(lines, c.view.TotalsBar(min(w, 60)), cell.Line{})
	lines = append(lines, sentences(a.look, themes.Muted, "←→ what is next in the lane   ↑↓ lane   +- zoom   <> sideways", w)...)
	d.body = list.Lines(lines)
	return d
}

// eventLines tell of an event that is no part of an exchange.
func (c *waterfall) eventLines(e event.Event, k *cell.Look, w int) []cell.Line {
	add := func(out []cell.Line, name, text string) []cell.Line {
		return append(out, label(k, name, themes.Text, k.Sign(text), w)...)
	}
	r := describe(c.run, e)
	out := add(nil, "at", c.when(e.Time)+share(" · ", e.Time, c.x.End()))
	text := words.Count(e.Seq) + " of " + words.Count(c.n)
	if m, ok := momentOf(c.run, e.Seq); ok && m.To > m.From {
		text += fmt.Sprintf(" · one call of the host with %s–%s", words.Count(m.From), words.Count(m.To))
	}
	out = add(out, "event", text)
	if r.then != "" {
		var l cell.Line
		l.Own(cell.Fg(themes.Muted), "came of it").Blank(2).Text(cell.Fg(r.bad), r.then)
		out = append(out, l)
	}
	if b, ok := e.Body.(event.WASI); ok && b.Took > 0 {
		out = add(out, "took", words.Duration(b.Took)+share(" of ", b.Took, c.x.End()))
	}
	return out
}

// share is a part of a run in words.
func share(before string, d, of time.Duration) string {
	if of <= 0 {
		return ""
	}
	return fmt.Sprintf("%s%s (%d %%)", before, words.Duration(of), int(float64(d)/float64(of)*100+0.5))
}

// exchangeLines tell of an exchange.
func (c *waterfall) exchangeLines(d *document, q timeline.Exchange, k *cell.Look, w int) []cell.Line {
	var out []cell.Line
	add := func(name string, role themes.Role, text string) { out = append(out, label(k, name, role, text, w)...) }
	where := ""
	if e, ok := c.run.Event(q.First); ok {
		switch b := e.Body.(type) {
		case event.HTTPRequest:
			where = headOf(b.URL, 2048)
		case event.HTTPHop:
			where = headOf(b.URL, 2048)
		}
	}
	d.title.Text(cell.Fg(themes.HTTP), q.Method).Blank(1).Text(cell.Fg(themes.Text), where)
	d.of = fmt.Sprintf("request %d", q.ID)
	add("request", themes.Text, "event "+words.Count(q.First)+" at "+c.when(q.From))
	add("waits", themes.Text, words.Duration(q.To-q.From)+share(" of ", q.To-q.From, c.x.End()))
	for i, h := range q.Hops {
		if text := phases(h); text != "" {
			add(fmt.Sprintf("hop %d", i+1), themes.Muted, k.Sign(text))
		}
	}
	switch {
	case !q.Done:
		add("answer", themes.Muted, "none yet")
	case q.Kind != "":
		add("answer", themes.Error, k.Sign("✗ ")+string(q.Kind)+", event "+words.Count(q.Last)+" at "+c.when(q.To))
	default:
		add("answer", themes.Text, fmt.Sprintf("%d, event %s at %s", q.Status, words.Count(q.Last), c.when(q.To)))
	}
	return out
}

// phases are the parts of a hop that took time.
func phases(h timeline.Hop) string {
	text := ""
	for _, p := range []struct {
		name string
		d    time.Duration
	}{{"dns", h.DNS}, {"connect", h.Connect}, {"tls", h.TLS}, {"first byte", h.FirstByte}, {"body", h.Body}} {
		if p.d <= 0 {
			continue
		}
		if text != "" {
			text += " · "
		}
		text += p.name + " " + words.Duration(p.d)
	}
	return text
}

// notedRows are the rows with a marker or a mark, in their order.
func (p *panel) notedRows() []int {
	var out []int
	for row := range p.noted {
		out = append(out, row)
	}
	for k, on := range p.marks {
		if on && k.name == "" {
			out = append(out, k.row)
		}
	}
	sort.Ints(out)
	return out
}
