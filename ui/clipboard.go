package ui

import (
	tea "charm.land/bubbletea/v2"

	"perch/inspect/export"
	"perch/ui/clip"
)

// copyValue copies what is selected.
func (a *App) copyValue() tea.Cmd {
	if k := a.mark; k != nil && k.text != "" {
		a.mark = nil
		return a.copyText(k.text)
	}
	t, ok := a.taken()
	if !ok {
		return a.say(toast{text: "nothing to copy here", brief: true})
	}
	return a.copyOut(func() clip.Copy { return t.copy() })
}

// copyText copies text of ours that may name things that are not.
func (a *App) copyText(text string) tea.Cmd {
	return a.copyOut(func() clip.Copy { return plainCopy([]byte(text), "txt") })
}

// plainCopy is bytes as a copy: made safe for the clipboard, unchanged for a
// file.
func plainCopy(raw []byte, ext string) clip.Copy {
	text, hidden := export.Clipboard(raw)
	return clip.Copy{Text: text, Raw: raw, Ext: ext, Hidden: hidden}
}

// copyOut copies what is made, away from the screen: both may take a while.
func (a *App) copyOut(build func() clip.Copy) tea.Cmd {
	return a.once(func() tea.Msg {
		x := build()
		return copiedMsg{x.Text, a.clip.Copy(a.ctx, x)}
	})
}

// saveOut saves what is made into a new file.
func (a *App) saveOut(build func() clip.Copy) tea.Cmd {
	return a.once(func() tea.Msg { return copiedMsg{result: a.clip.Save(build())} })
}

// copied says what came of a copy. What only the terminal can take is sent to
// it.
func (a *App) copied(m copiedMsg) tea.Cmd {
	said := a.say(toast{text: m.result.Note, bad: m.result.Failed})
	if m.result.Terminal {
		return tea.Batch(tea.SetClipboard(m.text), said)
	}
	return said
}
