// Package timeline draws a run as a waterfall: an axis, a lane for each kind of
// what happens, and the moment as a dotted line through all of them. It zooms,
// and is walked by lane and by what happened.
//
// The package knows lanes and cells, and nothing of streams or keys.
package timeline

import (
	"time"

	"perch/inspect/timeline"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/words"
)

// Cells around the lanes.
const (
	wideNames   = 11 // sign, blank, name, blank
	narrowNames = 6
	wideFrom    = 24 // cells of the whole from which names are whole
	margin      = 3  // a blank, ◆ and a blank
)

// Extra is what other parts of the app know about the moments of a run.
type Extra struct {
	// Touched are the lanes that the moment of another stream has something in.
	Touched []timeline.Lane
	// Markers are the times of markers, in their order.
	Markers []time.Duration
	// Found is how many matches of a search there are before a time; nil: there
	// is no search.
	Found func(before time.Duration) int
	// Says writes the time of the moment; nil: since the start.
	Says func(time.Duration) string
}

// View is a timeline on the screen. It is for one goroutine.
type View struct {
	x      *timeline.Index
	window timeline.Window
	zoomed bool // else the window is all of the run, as long as it grows
	lane   timeline.Lane
	at     time.Duration // the moment
	seq    uint64        // its event
	has    bool          // there is a moment
	anchor time.Duration // the moment before lanes were walked
	extra  Extra

	lanes []timeline.Lane // in sight, of the last drawing
	names int             // cells of a lane's name
	cells int             // of the lanes
}

// New shows a run from its start to its end.
func New(x *timeline.Index) *View { return &View{x: x} }

// Index is what is shown.
func (v *View) Index() *timeline.Index { return v.x }

// Moment is the event that is selected, false as long as there is none.
func (v *View) Moment() (seq uint64, at time.Duration, ok bool) { return v.seq, v.at, v.has }

// SetMoment selects the event of another stream, and brings it into sight.
func (v *View) SetMoment(seq uint64, at time.Duration) {
	v.seq, v.at, v.has, v.anchor = seq, at, true, at
	if v.zoomed {
		v.window = v.window.Show(at, v.x.End())
	}
}

// Lane is the selected lane.
func (v *View) Lane() timeline.Lane { return v.lane }

// SetLane selects a lane.
func (v *View) SetLane(l timeline.Lane) { v.lane = l }

// SetExtra says what is drawn beside what happened.
func (v *View) SetExtra(e Extra) { v.extra = e }

// SelectedY is the row of the selected lane in the last drawing; false when it
// has none.
func (v *View) SelectedY() (int, bool) {
	for i, l := range v.lanes {
		if l == v.lane {
			return i + 1, true // below the axis
		}
	}
	return 0, false
}

// MoveLane selects the lane n further down; false at the edge.
func (v *View) MoveLane(n int) bool {
	all := v.lanes
	if len(all) == 0 {
		all = timeline.Lanes()
	}
	i := 0
	for k, l := range all {
		if l == v.lane {
			i = k
		}
	}
	to := max(min(i+n, len(all)-1), 0)
	if all[to] == v.lane {
		return false
	}
	v.lane = all[to]
	v.settle()
	return true
}

// settle selects what is nearest in the lane to the moment that was chosen by
// going along a lane, or came from another stream.
func (v *View) settle() {
	if !v.has || v.lane == timeline.Module {
		return
	}
	if seq, ok := v.x.At(v.lane, v.anchor); ok {
		v.seq, v.at = seq, v.time(seq, v.anchor)
		if v.zoomed {
			v.window = v.window.Show(v.at, v.x.End())
		}
	}
}

// frame is the window as things stand.
func (v *View) frame() timeline.Window {
	if !v.zoomed {
		v.window = timeline.Whole(v.x.End())
	}
	return v.window
}

// Zoom makes the window half as long n times, or longer when n is negative. The
// moment stays where it is; without one the middle does. It reports whether
// that is another window: the nearest one is as short as can be told apart.
func (v *View) Zoom(n int) bool {
	before := v.frame()
	w := before
	around := w.From + (w.To-w.From)/2
	if v.has && v.at >= w.From && v.at <= w.To {
		around = v.at
	}
	for ; n > 0; n-- {
		w = w.Zoom(around, 0.5, v.x.End())
	}
	for ; n < 0; n++ {
		w = w.Zoom(around, 2, v.x.End())
	}
	v.window, v.zoomed = w, w.To-w.From < timeline.Whole(v.x.End()).To
	return w != before
}

// Fit shows all of the run again.
func (v *View) Fit() { v.zoomed = false }

// Zoomed reports whether a part of the run is shown.
func (v *View) Zoomed() bool { return v.zoomed }

// Sideways moves the window by n halves.
func (v *View) Sideways(n int) {
	if v.zoomed {
		v.window = v.window.Move(float64(n)/2, v.x.End())
	}
}

// Step selects what happens next in the lane, or before when n is negative. It
// is false when there is nothing more.
func (v *View) Step(n int) bool {
	if n == 0 || v.cells == 0 {
		return false
	}
	way := 1
	if n < 0 {
		way, n = -1, -n
	}
	moved := false
	for range n {
		if !v.step(way) {
			break
		}
		moved = true
	}
	return moved
}

func (v *View) step(way int) bool {
	w := v.frame()
	at := -1
	if way < 0 {
		at = v.cells
	}
	if v.has {
		w = w.Show(v.at, v.x.End())
		p := v.x.Slice(w, v.cells)
		at = p.Cell(v.at)
		// There may be more in the moment's own cell.
		within := timeline.Window{From: p.Time(at), To: p.Time(at + 1)}
		if fine := v.x.Slice(within, v.cells); v.lane != timeline.Module && v.find(fine, fine.Cell(v.at), way) {
			v.window = w
			return true
		}
	}
	for {
		if v.find(v.x.Slice(w, v.cells), at, way) {
			v.window = w
			return true
		}
		next := w.Move(float64(way), v.x.End())
		if next == w {
			return false
		}
		// The part that both have in common is passed again, and holds nothing.
		at = -1
		if way < 0 {
			at = v.cells
		}
		w = next
	}
}

// find selects what happens in the nearest cell of a picture behind one, or
// before it.
func (v *View) find(p timeline.Picture, at, way int) bool {
	for i := at + way; i >= 0 && i < p.Cells; i += way {
		if seq, when, ok := v.there(p, i); ok && (!v.has || seq != v.seq) {
			v.seq, v.at, v.has, v.anchor = seq, when, true, when
			return true
		}
	}
	return false
}

// there is what happens in a cell of the lane.
func (v *View) there(p timeline.Picture, i int) (seq uint64, at time.Duration, ok bool) {
	c := p.Strips[v.lane].Cells[i]
	if v.lane == timeline.Module {
		seq, ok = v.x.At(v.lane, p.Time(i))
		return seq, p.Time(i), ok && c.Alive
	}
	if v.lane == timeline.HTTP { // where exchanges begin, not where they last
		for _, b := range p.Bars {
			if q := v.x.Exchange(b.Exchange); p.Cell(q.From) == i {
				return q.First, q.From, true
			}
		}
		return 0, 0, false
	}
	if !c.Has || c.N == 0 {
		return 0, 0, false
	}
	return c.First, v.time(c.First, p.Time(i)), true
}

// time is when an event was; where it is no longer kept, about then.
func (v *View) time(seq uint64, about time.Duration) time.Duration {
	if e, ok := v.x.Run().Event(seq); ok {
		return e.Time
	}
	return about
}

// Click selects the lane and the moment at a cell of the last drawing.
func (v *View) Click(x, y int) bool {
	i := y - 1 // below the axis
	if i < 0 || i >= len(v.lanes) {
		return false
	}
	v.lane = v.lanes[i]
	column := x - v.names
	if column < 0 || column >= v.cells {
		return true
	}
	p := v.x.Slice(v.frame(), v.cells)
	if seq, ok := v.x.At(v.lane, p.Time(column)); ok {
		v.seq, v.at, v.has = seq, v.time(seq, p.Time(column)), true
		v.anchor = v.at
	}
	return true
}

// Facts are what a title says: 158 ms, or which part of it.
func (v *View) Facts() string {
	if !v.zoomed {
		return words.Duration(v.x.End())
	}
	return words.Moment(v.window.From) + "–" + words.Moment(v.window.To) + " of " + words.Moment(v.x.End())
}

// View draws the timeline in exactly h rows of w cells.
func (v *View) View(k *cell.Look, w, h int, focused bool) cell.Block {
	v.names = wideNames
	if w < wideFrom {
		v.names = narrowNames
	}
	v.cells = w - v.names - margin
	if v.cells < 1 || h < 2 {
		v.cells, v.lanes = 0, nil
		return k.Blank(w, h)
	}
	p := v.x.Slice(v.frame(), v.cells)
	foot := 0
	moment := -1
	if v.has {
		moment = p.Cell(v.at)
	}
	if h > 2 {
		foot = 1
	}
	room := h - 1 - foot
	searching := v.extra.Found != nil && room > 3
	if searching {
		room--
	}
	v.lanes = v.inSight(room)
	out := cell.Block{k.Row(v.axis(p), w)}
	for _, l := range v.lanes {
		out = append(out, k.Row(v.row(k, p, l, moment, focused), w))
	}
	if searching {
		out = append(out, k.Row(v.foundRow(p, moment), w))
	}
	if foot > 0 {
		out = append(out, k.Row(v.foot(p, moment), w))
	}
	return k.Fill(out, w, h)
}

// inSight are the lanes that there is room for: the calls one by one go first,
// then those in which nothing happens.
func (v *View) inSight(room int) []timeline.Lane {
	all := timeline.Lanes()
	drop := func(l timeline.Lane) {
		for i, other := range all {
			if other == l && l != v.lane && len(all) > room {
				all = append(all[:i], all[i+1:]...)
				return
			}
		}
	}
	drop(timeline.WASI)
	for _, l := range timeline.Lanes() {
		if v.idle(l) {
			drop(l)
		}
	}
	if len(all) <= room {
		return all
	}
	at := 0 // of the selected one, which must be in sight
	for i, l := range all {
		if l == v.lane {
			at = i
		}
	}
	from := max(min(at-room/2, len(all)-room), 0)
	return all[from : from+room]
}

// idle reports whether nothing happened in a lane in all of the run.
func (v *View) idle(l timeline.Lane) bool {
	if l == timeline.Module {
		return false
	}
	_, ok := v.x.At(l, 0)
	return !ok
}

// axis has the times.
func (v *View) axis(p timeline.Picture) cell.Line {
	var l cell.Line
	at := v.names
	l.Blank(at)
	for _, t := range p.Ticks {
		start := v.names + t.Cell
		size := len([]rune(t.Text))
		if start < at || start+size > v.names+v.cells+margin {
			continue
		}
		l.Blank(start-at).Own(cell.Fg(themes.Muted), t.Text)
		at = start + size
	}
	return l
}

// foot has the time of the moment, and the markers.
func (v *View) foot(p timeline.Picture, moment int) cell.Line {
	boxes := make([]box, v.cells+margin)
	for _, at := range v.extra.Markers {
		if i := p.Cell(at); i >= 0 && i < v.cells {
			boxes[i] = box{"▼", themes.Accent}
		}
	}
	if moment >= 0 && moment < v.cells {
		text := words.Moment(v.at)
		if v.extra.Says != nil {
			text = v.extra.Says(v.at)
		}
		at := moment
		word := "┆ " + text
		if moment+2+len(text) > len(boxes) { // to the left of its sign
			word = text + " ┆"
			at = max(moment-len(text)-1, 0)
		}
		for _, r := range word { // all of it is ours, and each a cell
			if at < len(boxes) {
				boxes[at] = box{string(r), themes.Accent}
			}
			at++
		}
	}
	var l cell.Line
	l.Blank(v.names)
	addBoxes(&l, boxes)
	return l
}

// foundRow is where the matches of a search are.
func (v *View) foundRow(p timeline.Picture, moment int) cell.Line {
	boxes := make([]box, v.cells)
	before := v.extra.Found(p.From)
	for i := range boxes {
		until := p.Time(i + 1)
		if i == len(boxes)-1 {
			until = p.To + 1
		}
		n := v.extra.Found(until)
		if n > before {
			boxes[i] = box{"▪", themes.Match}
		} else if i == moment {
			boxes[i] = box{"┆", themes.Accent}
		}
		before = n
	}
	var l cell.Line
	l.Blank(2).OwnIn(cell.Fg(themes.Match), "found", v.names-3).Blank(1)
	addBoxes(&l, boxes)
	return l
}

// TotalsText says where the time of the run went.
func (v *View) TotalsText() string {
	t := v.x.Totals()
	text := ""
	part := func(name string, d time.Duration) {
		if d > 0 {
			text += name + " " + words.Duration(d) + " · "
		}
	}
	part("http", t.HTTP)
	part("sleep", t.Sleep)
	part("files", t.Files)
	part("other calls", t.WASI-t.Files)
	return text + "module " + words.Duration(v.x.Alone())
}

// TotalsBar is the same as a bar of w cells; empty as long as no time passed.
func (v *View) TotalsBar(w int) cell.Line {
	var bar cell.Line
	t, end := v.x.Totals(), v.x.End()
	if end <= 0 || w < 1 {
		return bar
	}
	used, sum := 0, time.Duration(0)
	for _, s := range []struct {
		d    time.Duration
		role themes.Role
		sign string
	}{{t.HTTP, themes.HTTP, "█"}, {t.Sleep, themes.Faint, "░"}, {t.WASI, themes.File, "▌"}} {
		sum += s.d
		to := min(int(float64(w)*float64(sum)/float64(end)+0.5), w)
		bar.Own(cell.Fg(s.role), repeat(s.sign, to-used))
		used = max(used, to)
	}
	return *bar.Own(cell.Fg(themes.Border), repeat("░", w-used))
}
