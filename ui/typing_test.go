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
	type input struct {
		name string
		open []string
	}
	try := func(in input) {
		t.Helper()
		for _, k := range in.open {
			a.Update(keyMsg(k))
		}
		ed := a.input()
		if ed == nil {
			t.Errorf("%s: there is no caret after %v", in.name, in.open)
			return
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
			t.Errorf("%s: the caret went away", in.name)
		} else if want := before[:at] + text + before[at:]; ed.Text() != want {
			t.Errorf("%s holds %q, want %q", in.name, ed.Text(), want)
		}
		for range 4 {
			a.Update(keyMsg("esc"))
		}
	}
	try(input{"the path", []string{"P"}})
	try(input{"the filter of Open", []string{"/"}})
	for _, name := range []string{"?", ":", "T"} {
		try(input{"the box " + name, []string{name}})
	}
	openNow(t, a, "sample:greeter")
	try(input{"the filter of Tools", []string{"1", "/"}})
	try(input{"a field of the arguments", []string{"1", "enter"}})
	try(input{"the filter of the arguments", []string{"2", "/"}})
	try(input{"the arguments as JSON", []string{"2", "ctrl+f", "enter"}})
	for _, digit := range []string{"4", "5", "8"} {
		try(input{"the find bar of stream " + digit, []string{digit, "/"}})
	}
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
