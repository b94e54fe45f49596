package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"perch/engine/event"
	"perch/ui/stream"
)

// pressNow presses keys on an app without a terminal, with a frame after each.
func pressNow(a *App, names ...string) {
	for _, name := range names {
		a.Update(keyMsg(name))
		a.View()
	}
}

// caughtUpNow lets the streams read to the end.
func caughtUpNow(a *App) {
	for a.syncStreams(); a.pending(); a.syncStreams() {
	}
}

// TestMomentIsOneInAllStreams chooses a row and looks at the others.
func TestMomentIsOneInAllStreams(t *testing.T) {
	a := quietApp(t, 120, 40)
	openNow(t, a, "sample:greeter")
	pressNow(a, "9") // it reads once it is in sight
	caughtUpNow(a)
	pressNow(a, "4", "g", "down")
	want, ok := a.pane().Selected()
	if !ok {
		t.Fatal("no row of Wire is selected")
	}
	for _, digit := range []int{paneEvents, paneTimeline} {
		if m, ok := a.paneAt(digit).Selected(); !ok || m.Seq != want.Seq {
			t.Errorf("%s stands at event %d, Wire at %d", a.paneAt(digit).Name(), m.Seq, want.Seq)
		}
	}
	pressNow(a, "8")
	if got := plainRows(a); !strings.Contains(got, "◆") {
		t.Errorf("no row of Events is marked:\n%s", got)
	}
	pressNow(a, "up") // the moment comes from here now
	if got := plainRows(a); strings.Contains(got, "◆") {
		t.Errorf("the stream in focus marks its own moment:\n%s", got)
	}
	pressNow(a, "9")
	if got := plainRows(a); !strings.Contains(got, "◆") || !strings.Contains(got, "┆") {
		t.Errorf("the timeline has not the moment:\n%s", got)
	}
}

// TestFindingsAndResultLead: a row of Findings, and one of Result, is a moment.
func TestFindingsAndResultLead(t *testing.T) {
	a := quietApp(t, 120, 40)
	openNow(t, a, "sample:mischief")
	callNow(t, a)
	caughtUpNow(a)
	for _, from := range []string{"0", "3"} {
		pressNow(a, "4", "g", from, "down", "up")
		pressNow(a, "4")
		row, _ := a.pane().Selected()
		e, _ := a.session.shown.Event(row.Seq)
		if m, is := e.Body.(event.Message); !is || m.Kind != event.NotMessage {
			t.Errorf("from %s it leads to event %d, %T", from, row.Seq, e.Body)
		}
	}
}

// TestTimelineIsWalked goes along lanes and zooms.
func TestTimelineIsWalked(t *testing.T) {
	d, _ := start(t, "sample:mischief", 120, 40)
	accepted(d)
	d.Press("r")
	d.WaitForText("✗ broken")
	d.Press("9")
	d.WaitForText("[9 Timeline]", "❯ stdin", "of the run", "module")
	d.Press("down", "+", "+")
	d.WaitForText("❯ module", " of 0.", "- zooms out", "- zoom out")
	d.Press("d")
	d.WaitForText("this perch has no debugger")
	d.Press("-", "-")
	d.WaitForNo("zooms out")
	d.Press("/")
	d.Type("package ready")
	d.Press("enter")
	d.WaitForText("  found ", "1 of ", "n N next, previous · esc")
	d.Press("esc")
	d.WaitForNo("  found ")
}

// TestMarkers sets one, walks to it from elsewhere and takes it away; marked
// rows are walked too.
func TestMarkers(t *testing.T) {
	a := quietApp(t, 120, 40)
	openNow(t, a, "sample:greeter")
	pressNow(a, "'")
	if a.status.now == nil || !strings.Contains(a.status.now.text, "no marker in this run") {
		t.Errorf("without a marker ' says %+v", a.status.now)
	}
	pressNow(a, "8", "g", "down", "down", "m")
	for _, r := range "quit?" {
		pressNow(a, string(r))
	}
	pressNow(a, "enter", "down")
	if got := plainRows(a); !strings.Contains(got, "▼") {
		t.Errorf("no row has a marker:\n%s", got)
	}
	pressNow(a, "G", "space", "g", "'")
	at, _ := a.pane().Selected()
	if at.Seq != 2 || a.status.now.text != "1 of 2 · marker: quit?" {
		t.Errorf("event %d, it says %q", at.Seq, a.status.now.text)
	}
	if got := plainRows(a); !strings.Contains(got, "▼ marker  quit?") {
		t.Errorf("the detail has no note:\n%s", got)
	}
	pressNow(a, "'")
	if at, _ = a.pane().Selected(); at.Seq+1 != a.session.shown.Len() {
		t.Errorf("the marked row is event %d", at.Seq)
	}
	pressNow(a, "'", "m", "down", "enter") // around the end, and take it away
	if got := plainRows(a); strings.Contains(got, "▼ marker") || len(a.markersOf(a.session.shown)) != 0 {
		t.Errorf("it is still there:\n%s", got)
	}
}

// TestTimesAreThoseOfAllStreams: t in one of them is t in all.
func TestTimesAreThoseOfAllStreams(t *testing.T) {
	a := quietApp(t, 120, 40)
	openNow(t, a, "sample:greeter")
	pressNow(a, "4", "t", "t", "8")
	for _, p := range a.streams {
		if p.Times() != stream.Clock {
			t.Errorf("%s writes times %s", p.Name(), p.Times())
		}
	}
	if got := plainRows(a); !strings.Contains(got, a.session.shown.Begin().Started.Format("15:04:05")) {
		t.Errorf("no time by the clock:\n%s", got)
	}
}

// TestFindBarChoosesRegexAndCase by ctrl+x, and says what cannot be read.
func TestFindBarChoosesRegexAndCase(t *testing.T) {
	d, _ := start(t, "sample:greeter", 120, 40)
	accepted(d)
	d.WaitForText("upload run")
	d.Press("4", "/")
	d.Type("TOOLS/[a-z]")
	d.Press("ctrl+x", "r")
	d.WaitForText("regex · 1 · ")
	d.Press("ctrl+x", "c")
	d.WaitForText("regex · case · 0")
	d.Press("enter", "n")
	d.WaitForText("nothing matches · esc ends the search")
	d.Press("/", "up")
	d.Type("[")
	d.WaitForText("✗ not a regular expression")
	d.Press("ctrl+u")
	d.Type("tools/[a-z]")
	d.Press("enter")
	d.WaitForText("tools/[a-z]   1 of 1")
	d.Press("esc", "/", "up")
	d.WaitForText("find ▏tools/[a-z]")
}

// TestContentIsPicked from a list.
func TestContentIsPicked(t *testing.T) {
	d, _ := start(t, "sample:greeter", 80, 24)
	accepted(d)
	d.Press("4", "V")
	d.WaitForText("Show it as", "● Pretty")
	d.Press("3")
	d.WaitForText("[Hex]", "7b 22")
	d.Press("1", "V")
	d.WaitForText("there is one way to show this")
}

// TestDockIsChosen: it stays while others are looked at, and makes room for
// itself.
func TestDockIsChosen(t *testing.T) {
	a := quietApp(t, 200, 60)
	openNow(t, a, "sample:greeter")
	docked := func() string {
		for _, row := range strings.Split(plainRows(a), "\n") {
			if _, name, ok := strings.Cut(row, "Docked  "); ok {
				return name[:strings.Index(name, " ─")]
			}
		}
		return ""
	}
	pressNow(a, "4")
	a.do("stream.dock")
	pressNow(a, "9")
	for _, c := range [][2]string{{"4", "9 Timeline"}, {"8", "9 Timeline"}, {"9", "8 Events"}, {"7", "9 Timeline"}} {
		pressNow(a, c[0])
		if got := docked(); !strings.HasPrefix(got, c[1]) {
			t.Errorf("with %s in sight %q is docked, not %s", c[0], got, c[1])
		}
	}
	a.do("stream.dock")
	pressNow(a, "7") // the one in sight
	if got := docked(); !strings.HasPrefix(got, "7 Files") || a.stream == paneFiles {
		t.Errorf("%q is docked and %d in sight", got, a.stream)
	}
	a.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	a.do("stream.dock")
	if a.status.now == nil || !strings.Contains(a.status.now.text, "from 160x40 on") {
		t.Errorf("a small screen says %+v", a.status.now)
	}
}

// TestFollowYields to a move, a search and a moment that comes from elsewhere,
// and says how much came since.
func TestFollowYields(t *testing.T) {
	a := quietApp(t, 120, 40)
	openNow(t, a, "sample:greeter")
	rec, seq, off := a.session.bench.Record, uint64(0), int64(0)
	put := func(b event.Body) {
		rec.Append(event.Event{Run: 88, Seq: seq, Time: time.Duration(seq) * time.Microsecond, Body: b})
		seq++
	}
	logs := func(n int) {
		for i := range n {
			line := fmt.Appendf(nil, "tea %d\n", i)
			put(event.Output{Stream: event.Stderr, Offset: off, Bytes: line, Len: len(line)})
			off += int64(len(line))
		}
		a.syncStreams()
	}
	put(event.Begin{Kind: event.Call, Tool: "greet"})
	a.session.live = &liveRun{tool: "greet", before: rec.Runs()[0].ID(), cancel: func() {}}
	a.syncStreams()
	logs(300)
	pressNow(a, "5")
	for name, yields := range map[string]func(){
		"a move":   func() { pressNow(a, "up") },
		"a search": func() { pressNow(a, "/", "t", "e", "a", " ", "7", "enter") },
		"a wheel": func() {
			x, y := 10, 30
			a.rows()
			a.Update(tea.MouseWheelMsg{X: x, Y: y, Button: tea.MouseWheelUp})
		},
		"a moment": func() { pressNow(a, "8", "g", "down", "down", "5", "up") },
	} {
		pressNow(a, "esc", "5", "G")
		if !a.pane().Following() {
			t.Fatal("G does not follow")
		}
		yields()
		if a.pane().Following() {
			t.Errorf("%s does not end following", name)
		}
		logs(24)
		if got := plainRows(a); !strings.Contains(got, "follow off · ▼ 24 new · G follows again") {
			t.Errorf("%s: it does not count what came:\n%s", name, got)
		}
	}
	a.session.live = nil
}

// TestFindInAMillionLines: no key and no frame waits for the search, and it says
// how far it is.
func TestFindInAMillionLines(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes 1,000,000 lines")
	}
	a := flooded(t, 1_000_000)
	pressNow(a, "/", "9", "9", "9", "9")
	if got := plainRows(a); !strings.Contains(got, " so far, ") {
		t.Errorf("it does not say how far it is:\n%s", got)
	}
	frames := 0
	for ; a.pending(); frames++ {
		a.syncStreams()
	}
	if got := plainRows(a); frames < 10 || !strings.Contains(got, " 280 ·") {
		t.Errorf("after %d frames:\n%s", frames, got)
	}
}

// TestTimelineScreens holds the waterfall in each layout.
func TestTimelineScreens(t *testing.T) {
	d, _ := start(t, "sample:mischief", 200, 60)
	accepted(d)
	d.Press("r")
	d.WaitForText("✗ broken")
	d.Press("9", "down", "down")
	d.WaitForText("[9 Timeline]", "of the run")
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		d.Resize(size[0], size[1])
		d.Golden(fmt.Sprintf("timeline-%dx%d", size[0], size[1]))
	}
}
