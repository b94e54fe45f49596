package ui

import (
	"os"
	"runtime/debug"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// What is done so that the first frame is there at once.

// startGC is how far the heap may grow, in percent, until there is something
// to do: a start makes little that lives on, and each collection would hold up
// its frame.
const startGC = 800

// restGC is the same afterwards. Nearly all that is kept is bytes of runs, in
// which a collection has nothing to follow: it takes 2 ms of 1,000,000 lines,
// and half as much garbage is held beside them.
const restGC = 50

// warm makes what the renderer would make before its first byte: a table of the
// widths of all characters. Until that byte is a whole tick of the renderer,
// which has nothing else to do.
func warm() tea.Msg {
	ansi.StringWidthWc("─")
	return nil
}

// spareGC puts collections off until settled is called. What GOGC says counts
// more. The process is as before after restore.
func spareGC(getenv func(string) string) (settled, restore func()) {
	if getenv("GOGC") != "" {
		return func() {}, func() {}
	}
	before := debug.SetGCPercent(startGC)
	return func() { debug.SetGCPercent(restGC) }, func() { debug.SetGCPercent(before) }
}

// size gives the app the size of the terminal before it is told of it: the first
// frame that is sent is a whole one.
func (a *App) size(t Terminal) {
	out := t.Out
	if out == nil {
		out = os.Stdout
	}
	f, ok := out.(term.File)
	if !ok {
		return
	}
	if w, h, err := term.GetSize(f.Fd()); err == nil && w > 0 && h > 0 {
		a.Update(tea.WindowSizeMsg{Width: w, Height: h})
	}
}

// started says that the start is over.
func (a *App) started() {
	if a.settled != nil {
		a.settled()
		a.settled = nil
	}
}
