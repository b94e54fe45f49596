package ui

import (
	"errors"
	"io/fs"

	tea "charm.land/bubbletea/v2"
)

// unsavedMsg says that what is remembered could not be written.
type unsavedMsg struct{ err error }

// saveMemory writes what is remembered, away from the screen.
func (a *App) saveMemory() tea.Cmd {
	m := a.memory
	return a.once(func() tea.Msg {
		if err := a.store.Save(m); err != nil {
			return unsavedMsg{err}
		}
		return nil
	})
}

// unsaved says once that nothing is remembered: all else works, and it would be
// said again after each call.
func (a *App) unsaved(m unsavedMsg) tea.Cmd {
	if a.forgets {
		return nil
	}
	a.forgets = true
	return a.say(toast{text: "not remembered: " + whyNotKept(m.err) + " · all else works", bad: true})
}

// whyNotKept is the cause of an error of the system, without the names it goes
// through.
func whyNotKept(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Op + " " + p.Path + ": " + p.Err.Error()
	}
	return err.Error()
}
