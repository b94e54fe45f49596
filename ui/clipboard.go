package ui

import (
	"fmt"
	"os"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"perch/ui/words"
)

// maxClipboard is how much is sent to a terminal's clipboard: some take no
// more than this (74,994 bytes of text in xterm's default, 100 KB elsewhere).
const maxClipboard = 100_000

// outDir is where larger copies are saved.
const outDir = "perch-out"

// copyValue copies what is selected.
func (a *App) copyValue() tea.Cmd {
	switch {
	case a.page != nil:
		if text, ok := a.page.Copy(); ok {
			return a.copyText(a.safe(text), len(text))
		}
		return a.say(toast{text: "nothing to copy here", brief: true})
	case a.at == inOpen:
		name := a.open.Chosen()
		return a.copyText(name, len(name))
	case a.at == inCheck:
		if text, ok := a.check.Copy(); ok {
			return a.copyText(a.safe(text), len(text))
		}
		return a.say(toast{text: "nothing to copy here", brief: true})
	}
	switch a.focus {
	case paneTools:
		if t, ok := a.tools.Selected(); ok {
			return a.copyText(a.safe(string(t.Raw)), len(t.Raw))
		}
	case paneArguments:
		if text := a.args.Copy(); text != "" {
			return a.copyText(text, len(text))
		}
	case paneResult:
		if text, ok := a.result.Copy(); ok {
			return a.copyBytes(a.safe(text), []byte(text))
		}
	default:
		if text, raw, ok := a.pane().Copy(); ok {
			return a.copyBytes(text, raw)
		}
	}
	return a.say(toast{text: "nothing to copy here", brief: true})
}

// safe is text of a module as it may stand in another program's clipboard
// without doing anything there.
func (a *App) safe(text string) string { return a.look.Text.Text(text) }

func (a *App) copyText(text string, size int) tea.Cmd {
	return a.copyBytes(text, []byte(text)[:min(size, len(text))])
}

// copyBytes copies text by the terminal; what is too much for it goes to a
// file, with the bytes unchanged.
func (a *App) copyBytes(text string, raw []byte) tea.Cmd {
	if len(text) > maxClipboard {
		return a.saveCopy(raw)
	}
	note := fmt.Sprintf("copied %s: sent to the terminal (OSC 52), not confirmed", words.Size(len(text)))
	if hidden := a.look.Text.Hidden(string(raw)); hidden > 0 {
		note += fmt.Sprintf("; %s shown as signs", words.Plural(hidden, "hidden byte"))
	}
	return tea.Batch(tea.SetClipboard(text), a.say(toast{text: note}))
}

func (a *App) saveCopy(raw []byte) tea.Cmd {
	a.copies++
	dir := a.o.Out
	if dir == "" {
		dir = outDir
	}
	name := filepath.Join(dir, fmt.Sprintf("copy-%d.json", a.copies))
	return a.once(func() tea.Msg {
		err := os.MkdirAll(dir, 0o755)
		if err == nil {
			err = os.WriteFile(name, raw, 0o644)
		}
		return savedMsg{name, len(raw), err}
	})
}

func (a *App) saved(m savedMsg) tea.Cmd {
	if m.err != nil {
		return a.say(toast{text: "the copy was not saved: " + m.err.Error(), bad: true})
	}
	return a.say(toast{text: fmt.Sprintf("%s is too much for the terminal. Saved to %s", words.Size(m.size), m.path)})
}
