package ui

import (
	"runtime"

	tea "charm.land/bubbletea/v2"
)

// resumedMsg says that the app is on the screen again after a stop. stopped is
// false when the system did not stop it.
type resumedMsg struct{ stopped bool }

// suspend gives the terminal back to the shell until it says fg.
func (a *App) suspend() tea.Cmd {
	stop := a.stop
	return a.whenQuiet(func() tea.Cmd { return guard(a, func() tea.Msg { return resumedMsg{stop()} }) })
}

// whyNoSuspend says why the app cannot be stopped.
func (a *App) whyNoSuspend() string {
	switch {
	case a.stop == nil && runtime.GOOS == "windows":
		return "this system has no jobs that fg takes back"
	case a.stop == nil:
		return "there is no shell here that takes perch back"
	}
	return ""
}

// resumed draws the screen anew.
func (a *App) resumed(m resumedMsg) tea.Cmd {
	if m.stopped {
		return tea.ClearScreen
	}
	return tea.Batch(tea.ClearScreen, a.say(toast{text: "there is no shell here that takes perch back, so it was not stopped"}))
}
