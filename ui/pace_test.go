package ui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

func TestPaceSpreadsFrames(t *testing.T) {
	begin := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var p pace
	if wait := p.hold(begin); wait != 0 {
		t.Errorf("the first frame waits %s", wait)
	}
	p.drawn = begin
	if wait := p.hold(begin.Add(time.Millisecond)); wait != frameTime || !p.held {
		t.Errorf("a frame right after another waits %s, held %v", wait, p.held)
	}
	if wait := p.hold(begin.Add(2 * time.Millisecond)); wait != 0 || !p.held {
		t.Errorf("the next message asks for %s more, held %v", wait, p.held)
	}
	p.passed()
	if wait := p.hold(begin.Add(frameTime)); wait != 0 || p.held {
		t.Errorf("a frame after %s waits %s, held %v", frameTime, wait, p.held)
	}
}

func TestPaceKnowsAHurry(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var p pace
	for i, step := range []struct {
		after time.Duration
		drawn bool // a slow frame was drawn in between
		fast  bool
	}{{0, false, false}, {time.Millisecond, false, true}, {50 * time.Millisecond, true, true}, {hurry, false, false}, {80 * time.Millisecond, true, false}} {
		now = now.Add(step.after)
		if step.drawn {
			p.worked(now)
		}
		if got := p.key(now); got != step.fast {
			t.Errorf("key %d is fast: %v, want %v", i, got, step.fast)
		}
	}
	p.fast, p.drawn = true, now
	if wait := p.hold(now); wait != pasteTime {
		t.Errorf("a frame of a paste waits %s", wait)
	}
}

// TestPasteWithoutBrackets: keys that come faster than anyone types are taken
// as they are, and undone together.
func TestPasteWithoutBrackets(t *testing.T) {
	a := quietApp(t, 120, 40)
	openNow(t, a, "sample:greeter")
	a.Update(keyMsg("enter"))
	a.Update(keyMsg("ctrl+f"))
	a.args.Fill("1")
	a.input().MoveTo(0)
	a.Update(keyMsg("delete"))
	a.hurried = true
	for _, k := range []string{"{", "enter", "tab", "tab", "[", "ctrl+j", "space", "space", "}", "enter", "]"} {
		a.Update(keyMsg(k))
	}
	if got, want := a.args.Text(), "{\n\t\t[\n  }\n]"; got != want {
		t.Errorf("the draft is %q, want %q", got, want)
	}
	a.hurried = false
	a.Update(keyMsg("ctrl+z"))
	if got := a.args.Text(); got != "" {
		t.Errorf("one undo leaves %q", got)
	}
	a.Update(keyMsg("ctrl+y"))
	if got, want := a.args.Text(), "{\n\t\t[\n  }\n]"; got != want {
		t.Errorf("redo gives %q, want %q", got, want)
	}
}

// TestGuardedHoldsFrames: a message right after a frame shows in a later one.
func TestGuardedHoldsFrames(t *testing.T) {
	a := quietApp(t, 80, 24)
	g := &guarded{App: a, quit: func() {}}
	first := g.View().Content
	g.pace.drawn = time.Now().Add(time.Hour) // as if it had been drawn just now, on any machine
	g.Update(keyMsg("down"))
	if g.View().Content != first {
		t.Error("the frame was not held back")
	}
	g.Update(frameMsg{})
	if g.View().Content == first {
		t.Error("the frame was not drawn when its time had come")
	}
	if _, cmd := g.Update(tea.WindowSizeMsg{Width: 80, Height: 24}); cmd != nil {
		t.Error("a message that changes nothing asks for a frame")
	}
}
