package ui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"perch/engine/abi"
	"perch/engine/clock"
	"perch/engine/event"
	"perch/inspect/probe"
	"perch/inspect/rules"
	"perch/ui/uitest"
)

// plainRows is what is drawn, without colours.
func plainRows(a *App) string { return ansi.Strip(strings.Join(a.rows(), "\n")) }

// TestFindingsPane walks from a broken call to its bytes, its rule and back.
func TestFindingsPane(t *testing.T) {
	d, a := start(t, "sample:mischief", 120, 40)
	accepted(d)
	d.Press("r")
	d.WaitForText("✗ broken", "0 Findings ✗1")
	d.Press("0")
	d.WaitForText("[0 Findings ✗1]", "✗ error    frame/json", "so    Subako: breaks the call", "package ready v1.2␊")
	d.Press("enter") // to its bytes
	d.WaitForText("[4 Wire 3]", "❯package ready v1.2␊")
	s := d.Screen()
	x, y, ok := s.Find("❯package ready")
	if !ok || s.At(x+1, y+1).Text != "^" {
		t.Errorf("no ^ stands below the bytes:\n%s", s.Framed())
	}
	d.Press("v") // as hexadecimal
	d.WaitForText("Text [Hex]", "70 61 63 6b", "^^ ^^ ^^ ^^")
	d.Press("?")
	d.WaitForText("[Rules] Keys", "❯ ✗ frame/json", "why   ", "bad   ", "good  ")
	d.Press("]")
	d.WaitForText("Rules [Keys]", "The rule of this finding")
	d.Press("esc")
	d.WaitForText("[4 Wire 3]", "Text [Hex]")
	d.Press("0", "y")
	d.WaitForText("copied")
	if text, ok := d.Clipboard(); !ok || !strings.Contains(text, "error[frame/json]") || !strings.Contains(text, "^^^^") {
		t.Errorf("the clipboard holds %q", text)
	}
	d.Press("d")
	d.WaitForText("this perch has no debugger")
	d.Press("Y", "a")
	d.WaitForText("copied")
	d.Press("q")
	if _, err := d.WaitForEnd(); err != nil {
		t.Error(err)
	}
	if a.focus != paneFindings {
		t.Errorf("the focus is on %d", a.focus)
	}
}

// TestFindingsWhileACallRuns: they are there before the call has ended.
func TestFindingsWhileACallRuns(t *testing.T) {
	a := quietApp(t, 120, 40)
	openNow(t, a, "sample:greeter")
	s := a.session
	rec := s.bench.Record
	put := func(seq uint64, b event.Body) {
		rec.Append(event.Event{Run: 77, Seq: seq, Time: time.Duration(seq), Body: b})
	}
	put(0, event.Begin{Kind: event.Call, Tool: "greet"})
	s.live = &liveRun{tool: "greet", before: rec.Runs()[0].ID(), cancel: func() {}}
	a.syncStreams()
	if s.live.run == nil || s.live.run.ID() != 77 {
		t.Fatal("the call that goes on is not shown")
	}
	if n, _ := a.paneAt(paneFindings).Facts(); n != "" {
		t.Errorf("the title says %q of a run without a finding so far", n)
	}
	x := s.found[77]
	x.now.Own = []rules.Finding{rules.Of(event.Breach{Rule: abi.HTTPUnread, Detail: "read too late"})}
	x.now.Version++
	a.syncStreams()
	if n, _ := a.paneAt(paneFindings).Facts(); n != "◇1" {
		t.Errorf("the title says %q", n)
	}
	s.live = nil
	put(1, event.End{Outcome: event.OK})
	a.syncStreams()
	if got := a.foundIn(rec.Run(77)); len(got.Own) != 0 {
		t.Errorf("when it has ended the findings are %+v", got.Own)
	}
}

// TestLiveFindingsOfARealCall: a call that goes on for ever already shows what
// it did wrong, and ends by ctrl+c.
func TestLiveFindingsOfARealCall(t *testing.T) {
	d, _ := start(t, "sample:mischief", 120, 40, machine)
	accepted(d)
	d.Press("/")
	d.Type("spin")
	d.Press("enter", "enter", "enter")
	d.WaitForText("» running")
	d.Press("0")
	d.WaitForText("Nothing found so far.")
	d.Press("ctrl+c")
	d.WaitForText("stopped by you")
}

// TestWalkingFindings: } and { go through the findings of the run, ctrl+g
// through the problems, each to its bytes.
func TestWalkingFindings(t *testing.T) {
	a := quietApp(t, 120, 40)
	openNow(t, a, "sample:greeter")
	said := func() string {
		if a.status.now == nil {
			return ""
		}
		return a.status.now.text
	}
	n := 0
	for _, f := range a.session.upload.Findings {
		if f.Severity != abi.Info {
			n++
		}
	}
	if n < 2 {
		t.Fatalf("greeter has %d findings; it is to leave out what MCP asks for", n)
	}
	for i := range n {
		a.Update(keyMsg("ctrl+g"))
		if want := fmt.Sprintf("finding %d of %d: ", i+1, n); !strings.HasPrefix(said(), want) {
			t.Errorf("step %d says %q", i, said())
		}
		if a.focus != paneWire || !a.detail {
			t.Errorf("step %d leads to pane %d", i, a.focus)
		}
	}
	a.Update(keyMsg("ctrl+g"))
	if !strings.HasPrefix(said(), "finding 1 of ") {
		t.Errorf("around the end it says %q", said())
	}
	a.Update(keyMsg("}"))
	a.Update(keyMsg("{"))
	if !strings.HasPrefix(said(), "finding 1 of ") {
		t.Errorf("} and { lead to %q", said())
	}
	a.goTo(paneFindings)
	a.Update(keyMsg("}"))
	if a.focus != paneFindings {
		t.Error("} in Findings leads out of it")
	}
	// What is in a file has its bytes in the detail.
	for _, f := range a.session.upload.Findings {
		if f.Where.Stream == event.File {
			a.goTo(paneTools)
			a.goToFinding(f)
			if got, _ := a.selectedFinding(); a.focus != paneFindings || !a.detail || got.Rule != f.Rule {
				t.Errorf("%s leads to pane %d", f.Rule, a.focus)
			}
		}
	}
}

func TestFindingOfAnotherRun(t *testing.T) {
	a := quietApp(t, 120, 40)
	openNow(t, a, "sample:greeter")
	upload := a.session.shown
	callNow(t, a)
	if a.session.shown == upload {
		t.Fatal("the call is not shown")
	}
	a.goTo(paneFindings)
	if got := plainRows(a); !strings.Contains(got, "▾ of the upload run") {
		t.Fatalf("the findings of the upload are not there:\n%s", got)
	}
	a.Update(keyMsg("G"))
	for range 9 {
		if f, ok := a.selectedFinding(); ok && f.RunID == upload.ID() {
			break
		}
		a.Update(keyMsg("up"))
	}
	a.Update(keyMsg("enter"))
	if a.session.shown != upload || a.focus != paneWire {
		t.Errorf("enter leads to run %d, pane %d", a.session.shown.ID(), a.focus)
	}
}

func TestPages(t *testing.T) {
	a := quietApp(t, 120, 40)
	palette := func(text string) {
		a.Update(keyMsg(":"))
		for _, r := range text {
			a.Update(keyMsg(string(r)))
		}
		a.Update(keyMsg("enter"))
	}
	palette("rules: all")
	if got := plainRows(a); a.page == nil || !strings.Contains(got, "[Rules] Keys") || !strings.Contains(got, "package/manifest-missing") {
		t.Fatalf("the palette does not open the rules:\n%s", got)
	}
	a.Update(keyMsg("/"))
	for _, r := range "quit?/:j k" { // letters are text
		a.Update(keyMsg(string(r)))
	}
	if ed := a.input(); ed == nil || ed.Text() != "quit?/:j k" {
		t.Fatal("the filter does not take every letter")
	}
	a.Update(keyMsg("ctrl+u"))
	for _, r := range "stall" {
		a.Update(keyMsg(string(r)))
	}
	a.Update(keyMsg("enter"))
	if got := plainRows(a); !strings.Contains(got, "❯ ✗ life/stall") || strings.Contains(got, "frame/utf8") {
		t.Errorf("filtered:\n%s", got)
	}
	for _, k := range []string{"esc", "esc"} {
		a.Update(keyMsg(k))
	}
	if a.page != nil {
		t.Error("esc does not close the page")
	}
	a.Update(keyMsg("i"))
	if a.page != nil || a.status.now == nil || a.status.now.text != "open a package first" {
		t.Error("i says nothing without a package")
	}
	openNow(t, a, "sample:greeter")
	a.Update(keyMsg("i"))
	if got := plainRows(a); a.page == nil || !strings.Contains(got, "[Model] Limits  Module") || !strings.Contains(got, "Greet someone by name.") {
		t.Fatalf("i does not open the page of the package:\n%s", got)
	}
	exact(t, a, "the page of the package")
	a.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	a.Update(keyMsg("esc"))
	if a.page != nil || a.at != inExplore {
		t.Error("esc does not lead back")
	}
}

func TestCheckLeadsToBytesAndRules(t *testing.T) {
	d, _ := start(t, "sample:mischief:import_emscripten", 80, 24)
	d.WaitForText("✗ refused", "module/import-module", "MCP · not judged")
	d.Press("enter")
	d.WaitForText("[Finding]", "6e 76 1f 65", "^^ ^^")
	d.Press("]")
	d.WaitForText("[Bytes]", "module.wasm · bytes")
	d.Press("esc")
	d.WaitForText("Upload check")
	d.Press("?")
	d.WaitForText("[Rules] Keys", "module/import-module  Subako")
	d.Press("esc", "i")
	d.WaitForText("[Model] Limits")
}

// TestProbes: they go on with a bar and a count, can be ended, and what they
// find stands apart.
func TestProbes(t *testing.T) {
	d, a := start(t, "sample:greeter", 120, 40, machine)
	accepted(d)
	d.WaitForText("upload run")
	d.Press(":")
	d.Type("probe the")
	d.Press("enter")
	d.WaitForText("[0 Findings", "not what Subako does at upload")
	d.WaitFor("the end of the probes", func(s uitest.Screen) bool { return !s.Contains("» probing") })
	d.Press("r")
	d.WaitForText("Hello, Ada!")
	d.WaitForNo("» running")
	d.Press("q")
	if _, err := d.WaitForEnd(); err != nil {
		t.Error(err)
	}
	if a.session.probes != nil {
		t.Error("the probes go on")
	}
}

func TestProbesShowHowFarTheyAre(t *testing.T) {
	a := quietApp(t, 120, 40)
	openNow(t, a, "sample:greeter")
	p := &probes{cancel: func() {}}
	a.session.probes = p
	p.tell(probe.State{Done: 3, Total: 12, Next: "a request without \x1b]0;_meta\a"})
	a.goTo(paneFindings)
	got := plainRows(a)
	for _, want := range []string{"» probing 3 of 12", "██████░░", "probe 4 of 12", "ctrl+c end the probes", "Probes are not what Subako does at upload"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if a.whyNoCall() != "probes go on · ctrl+c ends them" {
		t.Errorf("a call says %q", a.whyNoCall())
	}
	exact(t, a, "probes")
	f := rules.Of(event.Breach{Rule: abi.ProbeMeta, Detail: "a request without _meta was answered with a result"})
	f.Run = event.Probe
	a.Update(probedMsg{session: a.session.id, found: []rules.Finding{f}, done: 12})
	a.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	if got := plainRows(a); !strings.Contains(got, "of probes · not what Subako does at upload  1") || !strings.Contains(got, "probe/meta") ||
		!strings.Contains(got, "Probes: 1 finding in 12 runs") {
		t.Errorf("got\n%s", got)
	}
	if a.session.upload.Outcome != event.OK {
		t.Error("a probe changed the verdict")
	}
}

// TestProbesFindOneByOne: what a probe found is there when it has ended, while
// the others go on; and it goes when they are made anew.
func TestProbesFindOneByOne(t *testing.T) {
	a := quietApp(t, 120, 40)
	openNow(t, a, "sample:greeter")
	p := &probes{cancel: func() {}}
	a.session.probes = p
	a.goTo(paneFindings)
	shows := func(now probe.State, want ...string) {
		t.Helper()
		p.tell(now)
		a.Update(tickMsg{a.session.id})
		got := plainRows(a)
		for _, text := range append(want, "» probing") {
			if !strings.Contains(got, text) {
				t.Errorf("after %d probes %q is not in\n%s", now.Done, text, got)
			}
		}
	}
	meta := rules.Of(event.Breach{Rule: abi.ProbeMeta, Detail: "a request without _meta was answered with a result"})
	other := rules.Of(event.Breach{Rule: abi.ProbeMethod, Detail: "an unknown method was answered with a result"})
	shows(probe.State{Done: 1, Total: 12, Next: "the second"}, "probes: nothing found so far in 1 run")
	shows(probe.State{Done: 2, Total: 12, Next: "the third", Found: []rules.Finding{meta}}, "not what Subako does at upload  1", "probe/meta")
	shows(probe.State{Done: 4, Total: 12, Next: "the fifth", Found: []rules.Finding{meta, other}}, "not what Subako does at upload  2", "probe/meta", "probe/method")
	a.Update(probedMsg{session: a.session.id, found: []rules.Finding{meta, other}, done: 5, err: context.Canceled})
	if got := plainRows(a); !strings.Contains(got, "Probes: 2 findings in 5 runs, then ended by you") || strings.Contains(got, "» probing") {
		t.Errorf("ended, it shows\n%s", got)
	}
}

func TestProbesAreEndedByCtrlC(t *testing.T) {
	a := quietApp(t, 120, 40)
	openNow(t, a, "sample:greeter")
	ended := false
	a.session.probes = &probes{cancel: func() { ended = true }}
	a.Update(keyMsg("ctrl+c"))
	if !ended || a.armed {
		t.Errorf("ctrl+c ended them: %v, and arms: %v", ended, a.armed)
	}
}

// TestTwoListings: tools that a second run lists in another order are a notice
// of the package.
func TestTwoListings(t *testing.T) {
	a := quietApp(t, 120, 40)
	openNow(t, a, "sample:greeter")
	f := rules.Of(event.Breach{Rule: abi.ListStable, Detail: "another order"})
	before := a.foundIn(a.session.shown)
	a.Update(stableMsg{session: a.session.id, of: a.session.hold, found: []rules.Finding{f}})
	after := a.foundIn(a.session.shown)
	if len(after.Own) != len(before.Own)+1 || after.Version <= before.Version {
		t.Errorf("%d findings, %d before", len(after.Own), len(before.Own))
	}
}

// TestFramesWithManyFindings: what a frame allocates does not depend on how
// many faults a run has.
func TestFramesWithManyFindings(t *testing.T) {
	faulty := func(n int) *App {
		a := quietApp(t, 120, 40)
		openNow(t, a, "sample:greeter")
		rec := a.session.bench.Record
		rec.Append(event.Event{Run: 99, Body: event.Begin{Kind: event.Call, Tool: "greet"}})
		for i := range n {
			rec.Append(event.Event{Run: 99, Seq: uint64(i + 1), Body: event.Breach{Rule: abi.Rules()[i%100].ID, Detail: fmt.Sprintf("fault %d", i),
				Where: event.Where{Stream: event.Stdout, Line: i + 1}}})
		}
		rec.Append(event.Event{Run: 99, Seq: uint64(n + 1), Body: event.End{Outcome: event.Broken}})
		a.showRun(rec.Run(99))
		for a.syncStreams(); a.pending(); a.syncStreams() {
		}
		a.goTo(paneFindings)
		return a
	}
	draw := func(a *App) float64 {
		return testing.AllocsPerRun(20, func() {
			a.syncStreams()
			a.dirty = true
			a.View()
		})
	}
	few, many := draw(faulty(60)), draw(faulty(100_000))
	if many > 2*few+200 {
		t.Errorf("a frame makes %.0f allocations with 60 faults and %.0f with 100,000", few, many)
	}
}

// TestLookingAtMuch: while a run goes on, what was found is taken each frame
// while it is little and less often when it is much.
func TestLookingAtMuch(t *testing.T) {
	a := quietApp(t, 120, 40)
	openNow(t, a, "sample:greeter")
	x := &foundRun{}
	x.now.Own = make([]rules.Finding, littleFound+1)
	x.now.Version, x.looked = 7, a.clock.Mono()
	a.lookLive(a.session.shown, x)
	if x.now.Version != 7 {
		t.Error("it was looked at again in the same moment")
	}
	a.clock.(*clock.Manual).Advance(lookPause)
	a.lookLive(a.session.shown, x)
	if x.now.Version != 7 { // nothing is newer
		t.Error("what is not newer was taken")
	}
}
