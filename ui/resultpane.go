package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// filterResult runs the filter over the answer, if there is one to be run; one
// that still runs is ended.
func (a *App) filterResult() tea.Cmd {
	f, ok := a.result.Filtering()
	if a.unjq != nil && (ok || !a.result.Filters()) {
		a.unjq()
		a.unjq = nil
	}
	if !ok {
		return nil
	}
	ctx, cancel := context.WithCancel(a.ctx)
	a.unjq = cancel
	run := a.once(func() tea.Msg {
		defer cancel()
		return filteredMsg{f.Run(ctx)}
	})
	return tea.Batch(run, a.after(tickPause, slowFilterMsg{f.Serial()}))
}

// slowFilterMsg says that a filter has run for a while.
type slowFilterMsg struct{ serial int }

func (a *App) whyNoAnswer() string {
	if !a.result.Answered() {
		return "there is no answer that is JSON"
	}
	return ""
}

// whyNoRowFilter says why rows cannot be hidden here: a result is one text.
func (a *App) whyNoRowFilter() string {
	if a.at == inExplore && a.page == nil && a.focus == paneResult {
		return "the result keeps all its rows: " + a.keyFor("find.open") + " finds in them, " + a.keyFor("result.jq") + " filters JSON"
	}
	return ""
}

func (a *App) saysJQ() string {
	if a.result.Folds() {
		return "jq"
	}
	return ""
}

// finding reports whether the caret is in a find bar of a pane.
func (a *App) finding() bool {
	if a.at != inExplore || a.page != nil || a.input() == nil {
		return false
	}
	return a.focus >= paneWire || a.focus == paneResult && a.result.InFind()
}

// saysMode is what tab does in a find bar: the result is never filtered by it.
func (a *App) saysMode() string {
	if a.focus == paneResult {
		return ""
	}
	return "find or filter"
}

// saysHex is what v does in the result, and with the bodies of HTTP.
func (a *App) saysHex() string {
	switch {
	case a.focus >= paneWire:
		return a.pane().NextWay()
	case a.focus != paneResult || !a.result.Ended() || !a.result.HasBytes():
		return ""
	case a.result.InHex():
		return "back"
	case !a.result.HasHex():
		return ""
	}
	return "hex"
}
