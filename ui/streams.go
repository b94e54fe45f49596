package ui

import (
	tea "charm.land/bubbletea/v2"

	"perch/engine/event"
	"perch/inspect/record"
	"perch/ui/result"
	"perch/ui/stream"
)

// pane is the stream in sight.
func (a *App) pane() stream.Pane { return a.paneAt(a.stream) }

// paneAt is the stream with a number.
func (a *App) paneAt(digit int) stream.Pane {
	for _, p := range a.streams {
		if p.Digit() == digit {
			return p
		}
	}
	return a.streams[0]
}

// keyOf is the digit that a person presses for a pane.
func keyOf(digit int) int { return digit % 10 }

// syncStreams takes what came since the last frame.
func (a *App) syncStreams() {
	s := a.session
	if s == nil || s.bench == nil {
		return
	}
	last := s.bench.Record.Last()
	if l := s.live; l != nil && l.run == nil && last != nil && last.ID() > l.before {
		if l.run = a.begun(l.before); l.run != nil && !s.older {
			a.showRun(l.run)
		}
	}
	if s.shown == nil && last != nil {
		a.showRun(last)
	}
	for _, p := range a.streams {
		p.Sync()
	}
	if s.shown != nil && a.result.Shown().Run == s.shown {
		if c := a.result.Shown(); !c.Ended && !a.live(s.shown) {
			a.result.Show(a.knownCall(s.shown))
		}
	}
	a.result.Sync(a.elapsed())
}

// showRun shows a run in the streams, and a call in the result.
func (a *App) showRun(r *record.Run) {
	s := a.session
	s.shown = r
	for _, p := range a.streams {
		p.SetRun(r)
	}
	if r.Begin().Kind == event.Call || a.result.Shown().Run != nil || s.older {
		a.result.Show(a.knownCall(r))
	}
}

// begun is the first call that began after a run: others may go on beside it.
func (a *App) begun(before uint32) *record.Run {
	for _, r := range a.session.bench.Record.Runs() {
		if r.ID() > before && r.Begin().Kind == event.Call {
			return r
		}
	}
	return nil
}

// pending reports whether the streams have more to take.
func (a *App) pending() bool {
	for _, p := range a.streams {
		if p.Pending() {
			return true
		}
	}
	return false
}

// showMoment goes to the row of an event: in Wire, else in the first stream
// that has one.
func (a *App) showMoment(r *record.Run, seq uint64) {
	if a.session.shown != r {
		a.showRun(r)
	}
	e, ok := r.Event(seq)
	if !ok {
		return
	}
	m := stream.Moment{Run: r.ID(), Seq: seq, Time: e.Time, From: seq, To: seq, Since: e.Time, Until: e.Time}
	for _, p := range a.streams {
		p.Sync()
		if p.Digit() != paneFindings && p.Goto(m) {
			a.setFocus(p.Digit())
			a.link()
			return
		}
	}
}

// runs are those of the session, and the place of the one that is shown. A
// probe's run is among them while it is shown.
func (a *App) runs() ([]*record.Run, int) {
	if a.session == nil || a.session.bench == nil {
		return nil, -1
	}
	var all []*record.Run
	at := -1
	for _, r := range a.session.bench.Record.Runs() {
		if r == a.session.shown {
			at = len(all)
		}
		all = append(all, r)
	}
	if shown := a.session.shown; at < 0 && shown != nil && shown.Begin().Kind == event.Probe {
		return append(all, shown), len(all) // behind those that Subako makes
	}
	return all, at
}

func (a *App) whyNoOlder() string {
	if _, i := a.runs(); i <= 0 {
		return "this is the first run"
	}
	return ""
}

func (a *App) whyNoNewer() string {
	if all, i := a.runs(); i < 0 || i == len(all)-1 {
		return "this is the newest run"
	}
	return ""
}

func (a *App) olderRun() tea.Cmd { return a.stepRun(-1) }
func (a *App) newerRun() tea.Cmd { return a.stepRun(1) }

func (a *App) stepRun(n int) tea.Cmd {
	all, i := a.runs()
	i += n
	if i < 0 || i >= len(all) {
		return nil
	}
	a.session.older = i < len(all)-1
	a.session.shown = all[i]
	for _, p := range a.streams {
		p.SetRun(all[i])
		p.Sync()
	}
	a.result.Show(a.knownCall(all[i]))
	return a.catchUp()
}

// shownCall is the call that the result shows.
func (a *App) shownCall() result.Call { return a.result.Shown() }
