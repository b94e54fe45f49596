package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"perch/ui/box"
	"perch/ui/layout"
)

// docked is the stream that stands beside the one in sight at wide sizes: the
// one that was chosen for that place, else the one that was in sight before.
func (a *App) docked() int {
	if a.pin != 0 && a.pin != a.stream {
		return a.pin
	}
	return a.dock
}

func (a *App) whyNoDock() string {
	switch {
	case a.at != inExplore:
		return "streams are docked in Explore, once a package is open"
	case a.class() != layout.Wide:
		return fmt.Sprintf("a second stream is docked from %dx%d on; this is %dx%d", layout.WideWidth, layout.WideHeight, a.w, a.h)
	}
	return ""
}

// openDock asks which stream is to stand beside the one in sight.
func (a *App) openDock() tea.Cmd {
	mark := func(on bool) string {
		if on {
			return "● "
		}
		return "○ "
	}
	var items []box.Item
	for _, p := range a.streams {
		it := box.Item{Letter: fmt.Sprint(keyOf(p.Digit())), Label: p.Name(), Mark: mark(a.pin == p.Digit()), Value: p.Digit()}
		if p.Digit() == a.stream {
			it.Label += ", the one in sight"
		}
		items = append(items, it)
	}
	items = append(items, box.Item{Letter: "x", Label: "whichever was in sight before", Mark: mark(a.pin == 0), Value: 0})
	b := &box.Box{Title: "Dock beside the streams", Width: 48, Foot: "the letter, or enter   esc",
		Items: func(string) []box.Item { return items }}
	b.Select(a.pin)
	a.push(&overlay{box: b, choose: func(a *App, it box.Item) tea.Cmd {
		digit, _ := it.Value.(int)
		return a.pinDock(digit)
	}})
	return nil
}

// pinDock lets a stream stay beside the others; 0 lets go. The one in sight
// makes room for the one beside it.
func (a *App) pinDock(digit int) tea.Cmd {
	a.zoom = false
	if digit == a.stream {
		beside := a.docked()
		a.setFocus(beside)
	}
	a.pin = digit
	a.paneAt(a.docked()).Show()
	if digit == 0 {
		return a.say(toast{text: "the stream that was in sight before is docked"})
	}
	return a.say(toast{text: a.paneAt(digit).Name() + " stays docked"})
}
