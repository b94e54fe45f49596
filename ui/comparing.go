package ui

import (
	tea "charm.land/bubbletea/v2"

	"perch/inspect/compare"
	"perch/inspect/record"
	"perch/ui/history"
	"perch/ui/stream"
)

// goesToRow reports whether the selected difference has a row in a stream.
func (a *App) goesToRow(h *history.View) bool {
	_, ok := h.Target()
	return ok
}

// goToRow leaves a comparison for the row that the selected difference is about,
// in the streams of its run. The comparison stays as it is until the history is
// opened again.
func (a *App) goToRow(h *history.View) tea.Cmd {
	t, _ := h.Target()
	r := a.session.bench.Record.Run(t.Run)
	if r == nil {
		return a.say(toast{text: "that run is no longer there", brief: true})
	}
	h.Select(t.Run)
	show := a.showSelectedRun()
	a.session.left = h
	if a.session.shown != r { // a filter of the history hides it
		a.showRun(r)
	}
	digit := map[compare.Part]int{compare.HTTP: paneHTTP, compare.Files: paneFiles}[t.Part]
	if digit == 0 || !a.goIn(digit, r, t.Event) {
		a.showMoment(r, t.Event)
	}
	return tea.Batch(show, a.say(toast{text: a.keyNamed("history.open", "H") + " leads back to the comparison", brief: true}))
}

// goIn goes to the row of an event in one stream, false when it has none.
func (a *App) goIn(digit int, r *record.Run, seq uint64) bool {
	m, ok := stream.MomentOf(r, seq)
	if !ok {
		return false
	}
	p := a.paneAt(digit)
	p.Sync()
	if !p.Goto(m) {
		return false
	}
	a.setFocus(digit)
	a.link()
	return true
}
