package stream_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/record"
	"perch/inspect/rules"
	"perch/ui/stream"
)

// view draws a pane beside its detail as it is in the app at 120 cells.
func view(t *testing.T, p stream.Pane, h int) string {
	t.Helper()
	return both(t, p, look(t, "dusk", false), h, true)
}

// contains holds that a drawing has all of these texts.
func contains(t *testing.T, got string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(got, w) {
			t.Errorf("%q is not in\n%s", w, got)
		}
	}
}

// finding is a finding of run 1.
func finding(rule abi.RuleID, w event.Where, seq uint64) rules.Finding {
	f := rules.Of(event.Breach{Rule: rule, Where: w, Detail: "what happened at " + string(rule)})
	f.RunID, f.Event = 1, seq
	return f
}

func TestFindingsBelowTheirCause(t *testing.T) {
	tape := broken()
	own := []rules.Finding{finding(abi.FrameJSON, event.Where{Stream: event.Stdout, Line: 2, Offset: 86, End: 99}, 8)}
	follow := finding(abi.LifeEarlyExit, event.Where{Stream: event.Stdin, Line: 1}, 10)
	follow.Follows = true
	own = append(own, follow)
	package1 := rules.Of(event.Breach{Rule: abi.PackageManifestName, Where: event.Where{Stream: event.File, File: abi.ManifestFile, Offset: 2, End: 8}, Detail: "name is missing"})
	now := stream.Found{Own: own, Version: 1,
		Beside: []stream.Group{{Title: "of the upload run", Note: "Beside this call.", All: []rules.Finding{package1}}}}
	p := stream.NewFindings(stream.Options{
		Findings: func(*record.Run) stream.Found { return now },
		File:     func(string) []byte { return []byte("{\n  \"abi\": 1\n}\n") },
	})
	p.SetRun(tape.Run(1))
	contains(t, view(t, p, 12), "▾✗ error", "└ then", "life/early-exit", "▾ of the upload run  1", "◇ notice", "manifest", "out 2:0")
	if text, _ := p.Facts(); text != "✗1" {
		t.Errorf("the title counts %q", text)
	}

	if !p.Do("nav.toggle", false) || strings.Contains(view(t, p, 12), "life/early-exit") {
		t.Error("what follows does not fold")
	}
	if p.Do("nav.in", false) {
		t.Error("enter on a finding is the app's")
	}
	p.Do("nav.down", false)
	contains(t, view(t, p, 12), "Beside this call.")
	if _, ok := p.Finding(); ok {
		t.Error("a heading is a finding")
	}
	p.Do("nav.down", false)
	if f, ok := p.Finding(); !ok || f.Rule != abi.PackageManifestName {
		t.Errorf("the row is about %+v", f)
	}
	got := view(t, p, 16)
	contains(t, got, `"abi": 1`, "^")
	if _, ok := p.Selected(); ok {
		t.Error("what was found in a file belongs to a moment of the run")
	}

	// Another finding comes in front: the selected one stays selected.
	now.Own = append([]rules.Finding{finding(abi.RPCVersion, event.Where{Stream: event.Stdout, Line: 1}, 5)}, own...)
	now.Version++
	p.Sync()
	if f, ok := p.Finding(); !ok || f.Rule != abi.PackageManifestName {
		t.Errorf("after another finding came the row is about %+v", f)
	}
	if p.Sync() {
		t.Error("the same again is something new")
	}
}

func TestTheWholeStack(t *testing.T) {
	p := stream.NewFindings(stream.Options{})
	p.SetRun(broken().Run(1))
	got := view(t, p, 20)
	contains(t, got, "▸ main.bar at main.go:69", "(+2")
	if strings.Contains(got, "syscall.Write") {
		t.Error("the whole stack is shown unasked")
	}
	if !p.Do("nav.right", true) {
		t.Fatal("the stack does not unfold")
	}
	contains(t, view(t, p, 20), "3 frames", "syscall.Write", "fs_wasip1.go:900")
	if !p.Do("nav.left", true) || strings.Contains(view(t, p, 20), "syscall.Write") {
		t.Error("it does not fold again")
	}
}

// TestPoint: a finding leads to its line, and its own bytes are the ones that
// are marked and seen first.
func TestPoint(t *testing.T) {
	tape := newTape()
	tape.at(0, begin(event.Call, "x"))
	tape.request(0, "tools/call", "1", `{"id":1}`)
	const line = `{"jsonrpc":"2.0","id":1,"result":{"a":1,"b":2}}`
	tape.write(2, event.Stdout, line+"\n", event.Message{Kind: event.Result, ID: "1", Answers: 1})
	tape.write(3, event.Stderr, "one\ntwo three\nfour\n")
	tape.at(4, event.End{Outcome: event.OK})
	at := func(s event.Stream, n int, text, all string, base int) event.Where {
		i := strings.Index(all, text)
		return event.Where{Stream: s, Line: n, Offset: int64(base + i), End: int64(base + i + len(text))}
	}
	a := finding(abi.ResultMeta, at(event.Stdout, 1, `"a":1`, line, 0), 3)
	b := finding(abi.CallEmpty, at(event.Stdout, 1, `"b":2`, line, 0), 3)
	three := finding(abi.LifeStderrTail, at(event.Stderr, 2, "three", "one\ntwo three\nfour\n", 0), 5)
	found := func(*record.Run) stream.Found {
		return stream.Found{Own: []rules.Finding{a, b, three}, Version: 1}
	}
	wire, stderr := stream.NewWire(stream.Options{Findings: found}), stream.NewStderr(stream.Options{Findings: found})
	for _, p := range []stream.Pane{wire, stderr} {
		p.SetRun(tape.Run(1))
	}
	for _, c := range []struct {
		pane stream.Pane
		f    rules.Finding
		ok   bool
		mark string // the row of ^ stands below this text
	}{{wire, a, true, `"a":1`}, {wire, b, true, `"b":2`}, {wire, three, false, ""}, {stderr, three, true, "three"}, {stderr, a, false, ""}} {
		if got := c.pane.Point(c.f); got != c.ok {
			t.Errorf("%s: %s is here: %v", c.pane.Name(), c.f.Rule, got)
		}
		if !c.ok {
			continue
		}
		rows := strings.Split(view(t, c.pane, 14), "\n")
		for i, row := range rows {
			_, detail, _ := strings.Cut(row, "│")
			if !strings.Contains(detail, "^") {
				continue
			}
			_, above, _ := strings.Cut(rows[i-1], "│")
			from := strings.Index(detail, "^")
			if got := above[from : from+len(c.mark)]; got != c.mark {
				t.Errorf("%s: ^ stands below %q, want %q", c.pane.Name(), got, c.mark)
			}
			break
		}
		if f, ok := c.pane.Finding(); !ok || f.Rule != c.f.Rule {
			t.Errorf("%s: the row is about %s", c.pane.Name(), f.Rule)
		}
	}
	// Another row has the tab back that it had before.
	wire.Do("nav.top", false)
	contains(t, view(t, wire, 14), "[Pretty]")
	gone := a
	gone.Where.Line = 9
	if wire.Point(gone) {
		t.Error("a line that is not there was gone to")
	}
}

// TestFoundNothing: probes that found nothing leave word of it, and a run that
// was stopped is judged by nobody.
func TestFoundNothing(t *testing.T) {
	tape := newTape()
	tape.at(0, begin(event.Call, "x"))
	tape.at(1, event.End{Outcome: event.Cancelled})
	now := stream.Found{Version: 1, Beside: []stream.Group{{Title: "of probes", Note: "They decide nothing.", None: "nothing found in 12 runs"}, {Title: "of nobody"}}}
	now.Subako, now.MCP = rules.Verdicts(event.Cancelled, nil)
	p := stream.NewFindings(stream.Options{Findings: func(*record.Run) stream.Found { return now }})
	p.SetRun(tape.Run(1))
	p.Do("nav.bottom", false)
	got := view(t, p, 12)
	contains(t, got, "nothing found in 12 runs", "They decide nothing.", "Subako   · not judged: the run was stopped", "MCP      · not judged")
	if strings.Contains(got, "✓") || strings.Contains(got, "of nobody") {
		t.Errorf("got\n%s", got)
	}
}

// TestManyFindings: however many faults a run has, what is drawn costs the
// same, and hostile texts stay text.
func TestManyFindings(t *testing.T) {
	tape := newTape()
	tape.at(0, begin(event.Call, "x"))
	ids := abi.Rules()
	for i := range 20_000 {
		tape.at(float64(i)/1000, event.Breach{Rule: ids[i%len(ids)].ID, Detail: fmt.Sprintf("\x1b]0;owned\a %d \u202egnp. And more\n\x1b[2J", i),
			Fix: "\x1b[31m", Cause: "\x1b[3J", Where: event.Where{Stream: event.Stdout, Line: i}})
	}
	p := stream.NewFindings(stream.Options{})
	p.SetRun(tape.Run(1))
	k := look(t, "mono", false)
	draw := func() {
		text(t, p.List(stream.View{Look: k, W: 64, H: 20, Focused: true}), 64, 20)
		text(t, p.Detail(stream.View{Look: k, W: 55, H: 20}), 55, 20)
	}
	draw()
	began := time.Now()
	for range 200 {
		p.Do("nav.down", false)
		p.Sync()
		draw()
	}
	if took := time.Since(began) / 200; took > 500*time.Millisecond {
		t.Errorf("a frame takes %v", took)
	}
	p.Do("nav.bottom", false)
	draw()
	for _, tab := range []string{"tab.next", "findings.kinds", "find.open"} {
		p.Do(tab, false)
		draw()
	}
}

func TestFoundSizes(t *testing.T) {
	p := stream.NewFindings(stream.Options{})
	p.SetRun(broken().Run(1))
	for _, ascii := range []bool{false, true} {
		k := look(t, "dusk", ascii)
		for _, w := range []int{0, 1, 2, 5, 10, 18, 30, 48, 64, 107, 200} {
			for _, h := range []int{0, 1, 2, 3, 8, 30} {
				text(t, p.List(stream.View{Look: k, W: w, H: h, Focused: true}), w, h)
				text(t, p.Detail(stream.View{Look: k, W: w, H: h}), w, h)
			}
		}
	}
}
