package ui

import (
	"cmp"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"perch/inspect/record"
	"perch/ui/box"
	"perch/ui/cell"
	"perch/ui/layout"
	"perch/ui/stream"
	"perch/ui/words"
)

// link makes the selected row of the stream in focus the moment: the rows that
// belong to it are marked and selected in the others.
func (a *App) link() {
	m, ok := a.pane().Selected()
	if !ok {
		m = stream.Moment{}
	}
	a.spread(m, a.stream)
}

// linkResult makes what the selected row of Result is about the moment: its
// finding, else the answer that is shown.
func (a *App) linkResult() {
	if a.session == nil || a.session.shown == nil {
		return
	}
	r := a.session.shown
	if f, ok := a.result.Finding(); ok {
		if f.RunID == r.ID() {
			a.spreadEvent(r, f.Event)
		}
		return
	}
	if a.result.Shown().Run != r || !a.result.Answered() {
		return
	}
	if all := r.Of(record.KindMessage); len(all) > 0 {
		a.spreadEvent(r, uint64(all[len(all)-1]))
	}
}

func (a *App) spreadEvent(r *record.Run, seq uint64) {
	if m, ok := stream.MomentOf(r, seq); ok {
		a.spread(m, 0)
	}
}

// spread tells the streams of the moment; the one that it comes from has no
// marks of its own.
func (a *App) spread(m stream.Moment, from int) {
	for _, p := range a.streams {
		if p.Digit() == from {
			p.SelectMoment(stream.Moment{})
		} else {
			p.SelectMoment(m)
		}
	}
}

// nextTimes goes on to another way to write times, in all streams.
func (a *App) nextTimes() tea.Cmd {
	p := a.pane()
	p.SetTimes(p.Times().Next())
	for _, p := range a.streams {
		p.SetTimes(p.Times())
	}
	return a.say(toast{text: "times " + p.Times().String(), brief: true})
}

// maxMarkers is how many markers a run can have.
const maxMarkers = 1_000

// markersOf are the markers of a run, in the order of their events.
func (a *App) markersOf(r *record.Run) []stream.Marker {
	if a.session == nil || r == nil {
		return nil
	}
	return a.session.markers[r.ID()]
}

func (a *App) whyNoMoment() string {
	if _, ok := a.pane().Selected(); !ok {
		return "no moment is selected: choose a row in a stream"
	}
	return ""
}

func (a *App) whyNoMarker() string {
	if a.session == nil || a.session.shown == nil || len(a.places()) == 0 {
		return "no marker in this run: " + a.keyNamed("marker.set", "m") + " sets one, " + a.keyNamed("nav.toggle", "space") + " marks a row"
	}
	return ""
}

// setMarker asks for the note of a marker at the moment.
func (a *App) setMarker() tea.Cmd {
	r := a.session.shown
	m, _ := a.pane().Selected()
	at, has := slices.BinarySearchFunc(a.markersOf(r), m.Seq, bySeq)
	label := fmt.Sprintf("set it at event %s, %s", words.Count(m.Seq), words.Moment(m.Time))
	b := &box.Box{Title: "Marker", Sign: "m", Prompt: "note", Width: 56, Foot: "enter sets it   esc",
		Items: func(query string) []box.Item {
			items := []box.Item{{Label: label, Value: query}}
			if has {
				items = append(items, box.Item{Label: "take it away"})
			}
			return items
		}}
	if has {
		b.Input().SetText(a.markersOf(r)[at].Note)
	}
	a.push(&overlay{box: b, choose: func(a *App, it box.Item) tea.Cmd {
		note, set := it.Value.(string)
		return a.keepMarker(r, stream.Marker{Seq: m.Seq, Note: note}, set)
	}})
	return nil
}

func bySeq(m stream.Marker, seq uint64) int { return cmp.Compare(m.Seq, seq) }

// keepMarker sets a marker, or takes the one of its event away.
func (a *App) keepMarker(r *record.Run, m stream.Marker, set bool) tea.Cmd {
	s := a.session
	if s.markers == nil {
		s.markers = map[uint32][]stream.Marker{}
	}
	all := s.markers[r.ID()]
	i, has := slices.BinarySearchFunc(all, m.Seq, bySeq)
	var text string
	switch {
	case has && set:
		all[i] = m
		text = "the marker has another note"
	case has:
		all = slices.Delete(all, i, i+1)
		text = "the marker is gone"
	case len(all) >= maxMarkers:
		return a.say(toast{text: fmt.Sprintf("a run has at most %s markers", words.Count(maxMarkers)), bad: true})
	default:
		all = slices.Insert(all, i, m)
		text = "marker set · ' and \" walk them"
	}
	s.markers[r.ID()] = all
	a.syncStreams()
	return a.say(toast{text: text})
}

// marked is a place that markers are walked to.
type marked struct {
	stream.Moment
	text string // what it is
}

// places are the markers of the run that is shown and the marked rows of the
// stream in focus, in their order.
func (a *App) places() []marked {
	r := a.session.shown
	var out []marked
	for _, m := range a.markersOf(r) {
		e, ok := r.Event(m.Seq)
		if !ok {
			continue
		}
		text := "marker"
		if m.Note != "" {
			text += ": " + a.look.Text.Line(m.Note)
		}
		out = append(out, marked{stream.Moment{Run: r.ID(), Seq: m.Seq, Time: e.Time, From: m.Seq, To: m.Seq, Since: e.Time, Until: e.Time}, text})
	}
	if a.focus >= paneWire {
		for _, m := range a.pane().Marked() {
			if !slices.ContainsFunc(out, func(o marked) bool { return o.Seq == m.Seq }) {
				out = append(out, marked{m, "marked row"})
			}
		}
	}
	slices.SortStableFunc(out, func(p, q marked) int { return cmp.Compare(p.Seq, q.Seq) })
	return out
}

func (a *App) nextMarker() tea.Cmd { return a.walkMarkers(1) }
func (a *App) prevMarker() tea.Cmd { return a.walkMarkers(-1) }

// walkMarkers goes to the next marker or marked row, or to the one before;
// around the end.
func (a *App) walkMarkers(step int) tea.Cmd {
	s := a.session
	all := a.places()
	at := s.atMarker
	now, _ := a.pane().Selected()
	if at.run != s.shown.ID() || at.digit != a.stream || at.row != now.Seq {
		at.seq = now.Seq // the person went elsewhere since
	}
	i, on := slices.BinarySearchFunc(all, at.seq, func(m marked, seq uint64) int { return cmp.Compare(m.Seq, seq) })
	switch {
	case step < 0:
		i--
	case on:
		i++
	}
	i = (i + len(all)) % len(all)
	to := all[i]
	if a.focus < paneWire || !a.pane().Goto(to.Moment) {
		a.showMoment(s.shown, to.Seq)
	}
	a.link()
	now, _ = a.pane().Selected()
	s.atMarker = atMarker{s.shown.ID(), to.Seq, a.stream, now.Seq}
	return a.say(toast{text: fmt.Sprintf("%d of %d · %s", i+1, len(all), to.text), brief: true})
}

// atMarker is the marker that was gone to last, and the row that was selected
// for it: not each stream has a row of its event.
type atMarker struct {
	run   uint32
	seq   uint64
	digit int
	row   uint64
}

// tabs are the ways to show what the pane in focus shows.
func (a *App) tabs() (all []cell.Tab, set func(int)) {
	switch {
	case a.focus == paneArguments:
		return a.args.Title(true, false).Tabs, a.args.SetTab
	case a.focus == paneResult:
		return a.result.Title(true).Tabs, a.result.SetTab
	case a.focus >= paneWire:
		return a.pane().DetailTitle(true).Tabs, a.pane().SetTab
	}
	return nil, nil
}

func (a *App) whyNoTabs() string {
	if all, _ := a.tabs(); len(all) < 2 {
		return "there is one way to show this"
	}
	return ""
}

// openContents lists the ways to show what the pane in focus shows.
func (a *App) openContents() tea.Cmd {
	all, set := a.tabs()
	var items []box.Item
	for i, t := range all {
		mark := "○ "
		if t.Current {
			mark = "● "
		}
		items = append(items, box.Item{Letter: fmt.Sprint(i + 1), Mark: mark, Label: t.Name, Value: i})
	}
	b := &box.Box{Title: "Show it as", Sign: "V", Width: 36, Foot: "the number, or enter   esc",
		Items: func(string) []box.Item { return items }}
	for i, t := range all {
		if t.Current {
			b.Select(i)
		}
	}
	a.push(&overlay{box: b, choose: func(a *App, it box.Item) tea.Cmd {
		i, _ := it.Value.(int)
		set(i)
		if a.focus >= paneWire && a.class() == layout.Narrow {
			a.detail = true // else what was chosen is out of sight
		}
		return nil
	}})
	return nil
}
