package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// filterResult runs the filter over the answer, if there is one to be run; one
// that still runs is ended.
func (a *App) filterResult() tea.Cmd {
	f, ok := a.result.Filtering()
	if !ok {
		return nil
	}
	if a.unjq != nil {
		a.unjq()
	}
	ctx, cancel := context.WithCancel(a.ctx)
	a.unjq = cancel
	return a.once(func() tea.Msg {
		defer cancel()
		return filteredMsg{f.Run(ctx)}
	})
}

func (a *App) whyNoAnswer() string {
	if !a.result.Answered() {
		return "there is no answer that is JSON"
	}
	return ""
}

func (a *App) saysJQ() string {
	if a.result.Folds() {
		return "jq"
	}
	return ""
}
