package ui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

// TestEveryInputTakesEveryLetter walks over all inputs: what is a command
// without a caret is text with one.
func TestEveryInputTakesEveryLetter(t *testing.T) {
	const text = "quit?/:j k"
	a := quietApp(t, 120, 40)
	a.o.Memory = t.TempDir() // presets are kept there
	try := func(name string, open ...string) {
		t.Helper()
		for _, k := range open {
			a.Update(keyMsg(k))
		}
		ed := a.input()
		if ed == nil {
			t.Errorf("%s: there is no caret after %v", name, open)
			return
		}
		if c := a.draw().Cursor; c == nil || c.Shape != tea.CursorBar {
			t.Errorf("%s: the caret is not to be seen", name)
		}
		before := ed.Text()
		at := ed.Offset()
		for _, r := range text {
			key := string(r)
			if key == " " {
				key = "space"
			}
			a.Update(keyMsg(key))
		}
		if now := a.input(); now != ed {
			t.Errorf("%s: the caret went away", name)
		} else if want := before[:at] + text + before[at:]; ed.Text() != want {
			t.Errorf("%s holds %q, want %q", name, ed.Text(), want)
		}
		if c := a.draw().Cursor; c == nil || c.Shape != tea.CursorBar {
			t.Errorf("%s: the caret is not to be seen behind the text", name)
		}
		a.Update(keyMsg("esc"))
		if a.input() == ed {
			t.Errorf("%s: esc leaves the caret there", name)
		}
		for range 5 {
			a.Update(keyMsg("esc"))
		}
	}
	try("the path", "P")
	try("the filter of Open", "/")
	for _, name := range []string{"?", ":", "T"} {
		try("the box "+name, name)
	}
	openNow(t, a, "sample:orders")
	a.tools.Do("nav.down")
	a.showTool()
	settle(t, a, a.call(), func() bool { return a.session.live == nil && a.result.Answered() })
	try("the filter of Tools", "1", "/")
	try("the filter of the arguments", "2", "/")
	try("the name of a preset", "2", "S")
	try("the arguments as JSON", "2", "ctrl+f", "enter")
	try("the find bar of Result", "3", "/")
	try("the filter by jq", "3", "|")
	for _, digit := range []string{"4", "5", "6", "7", "8", "9", "0"} {
		try("the find bar of stream "+digit, digit, "/")
	}
	try("the note of a marker", "4", "m")
	try("the number of runs", "R", "n")
	try("the file for the volume", "7", "a")
	try("the mock", "6", "=")
	try("the filter of the history", "H", "/")
	try("the filter of the settings", ",", "/")
	a.openRules()
	try("the filter of the rules", "/")
	openNow(t, a, "sample:greeter")
	try("a field of the arguments", "1", "enter")
}

func TestPasteGoesToTheCaretOnly(t *testing.T) {
	a := quietApp(t, 120, 40)
	openNow(t, a, "sample:greeter")
	a.Update(tea.PasteMsg{Content: "qqq"})
	if a.status.now == nil || a.status.now.text != "nothing takes text here" {
		t.Errorf("a paste without a caret says %v", a.status.now)
	}
	a.Update(keyMsg("enter"))
	a.Update(keyMsg("ctrl+f"))
	a.args.Fill("{}")
	a.input().MoveTo(1)
	a.Update(tea.PasteMsg{Content: "\"name\":\r\"q\""})
	if got := a.args.Text(); got != "{\"name\":\n\"q\"}" {
		t.Errorf("the draft is %q", got)
	}
	a.Update(keyMsg("ctrl+z"))
	if got := a.args.Text(); got != "{}" {
		t.Errorf("one undo leaves %q", got)
	}
}
