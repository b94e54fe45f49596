package stream_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/ui/stream"
)

// hostile is text that would do something to a terminal, or to a row.
func hostile(rng *rand.Rand) string {
	bits := []string{"\x1b]52;c;AAAA\x07", "\x1b[2J", "\u202egnp.exe", "\xff\xfe", "日本語", "e\u0301\u0301\u0301", "👨‍👩‍👧", "\a", "\r", "\x00", "\t", "\u200b",
		"plain", strings.Repeat("x", 400), `{"a":1}`, `"`, "/", "\u2028", "🇯", "\x9b31m"}
	var b strings.Builder
	for range rng.IntN(6) {
		b.WriteString(bits[rng.IntN(len(bits))])
	}
	return b.String()
}

// mischief is a run that fills every field with hostile text.
func mischief(rng *rand.Rand) *tape {
	t := newTape()
	h := func() string { return hostile(rng) }
	b := begin(event.Call, h())
	b.Arguments = []byte(h())
	t.at(0, b)
	kinds := []event.MessageKind{event.Result, event.ErrorAnswer, event.Notification, event.ServerReq, event.NotMessage}
	for i := range 60 {
		ms := float64(i * i)
		switch rng.IntN(9) {
		case 0:
			t.request(ms, h(), h(), `{"method":"`+h()+`"}`)
		case 1:
			line := strings.ReplaceAll(h(), "\n", "")
			t.write(ms, event.Stdout, line+"\n", event.Message{Kind: kinds[rng.IntN(5)], ID: h(), Method: h(), What: h(), Evidence: rng.IntN(2) == 0},
				event.Breach{Rule: abi.FrameJSON, Detail: h(), Fix: h(), Where: event.Where{Stream: event.Stdout, Line: rng.IntN(5), Offset: int64(rng.IntN(900)) - 10, End: int64(rng.IntN(900))},
					Stack: []event.Frame{{Name: h(), File: h(), Line: 3}}})
		case 2:
			t.write(ms, event.Stderr, h()+"\n"+h())
		case 3:
			t.at(ms, event.WASI{Func: h(), Args: []uint64{1, 2}, Errno: uint16(rng.IntN(99)), Path: h(), NewPath: h(), Count: uint64(rng.IntN(3)), Out: []uint64{9}})
		case 4:
			ops := []event.FileOp{event.FileOpen, event.FileCreate, event.FileWrite, event.FileRemove, event.FileRename, event.FileRefused, event.FileLink, event.FileSymlink, event.FileMkdir, event.FileOp(h())}
			t.at(ms, event.FileEffect{Op: ops[rng.IntN(len(ops))], Path: h(), NewPath: h(), Note: h(), Data: []byte(h()), Bytes: 3, Errno: 63, Written: abi.WriteBudget})
		case 5:
			id := rng.IntN(4)
			t.at(ms, event.HTTPRequest{ID: id, Raw: []byte(h()), Method: h(), URL: h(), Headers: []event.Header{header(h(), h())}, Dropped: []event.Header{header(h(), h())}, Output: h()})
			t.at(ms, event.HTTPHop{ID: id, Hop: 1, URL: h(), Status: rng.IntN(600), Location: h(), Dropped: []string{h()}, Headers: []event.Header{header("content-type", h())},
				Decisions: []event.Decision{{Check: h(), What: h(), Source: h()}}})
			t.at(ms, event.HTTPAnswer{ID: id, Kind: abi.ErrHostNotAllowed, Message: h(), Raw: []byte(h()), Body: []byte(h())})
		case 6:
			t.at(ms, event.Verdict{Outcome: event.Broken, Rule: abi.FrameJSON})
			t.at(ms, event.Link{URI: h(), Path: h(), Problem: h(), Type: h()})
		case 7:
			t.at(ms, event.HTTPRead{Func: h(), Return: -2})
			t.at(ms, event.Exit{Trap: h(), Stack: []event.Frame{{Name: h(), File: h()}}})
		default:
			t.at(ms, event.Safepoint{Why: h()})
			t.at(ms, event.Memory{From: 1, To: 1 << 40, Refused: true, Limit: 1 << 30})
		}
	}
	return t
}

// TestExactWidth holds the law of the screen for whatever a module does.
func TestExactWidth(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	acts := []string{"nav.up", "nav.down", "nav.top", "nav.bottom", "nav.page_up", "nav.page_down", "nav.half_up", "nav.half_down", "text.wrap", "text.left", "text.right",
		"stream.follow", "stream.time", "tab.next", "tab.prev", "content.next", "nav.toggle", "nav.left", "nav.right", "nav.in", "find.next", "find.prev",
		"find.filter", "find.regex", "find.case", "type.accept", "type.up", "events.kinds", "result.fold", "result.unfold"}
	sizes := [][2]int{{1, 1}, {10, 3}, {40, 10}, {80, 24}, {200, 60}, {3, 40}, {55, 5}}
	looks := []struct {
		theme string
		ascii bool
	}{{"dusk", false}, {"mono", true}}
	for round := range 6 {
		tape := mischief(rng)
		for _, p := range stream.New(stream.Options{ReadFile: func(uint32, string, int64) ([]byte, int64, error) {
			if rng.IntN(2) == 0 {
				return nil, 0, errors.New(hostile(rng))
			}
			return []byte(hostile(rng)), 99, nil
		}}) {
			p.SetRun(tape.Run(1))
			for range 60 {
				id := acts[rng.IntN(len(acts))]
				inDetail := rng.IntN(3) == 0
				p.Do(id, inDetail)
				if rng.IntN(12) == 0 && p.Do("find.open", false) {
					p.Input().SetText([]string{"e", "x+", "[", "日"}[rng.IntN(4)])
					p.Changed()
				}
				if rng.IntN(9) == 0 {
					p.Out()
				}
				p.Click(rng.IntN(60), rng.IntN(20), inDetail)
				p.Wheel(rng.IntN(3)-1, rng.IntN(9)-4, inDetail)
				p.SetTab(rng.IntN(6) - 1)
				p.Sync()
				size, l := sizes[rng.IntN(len(sizes))], looks[round%2]
				k := look(t, l.theme, l.ascii)
				v := stream.View{Look: k, W: size[0], H: size[1], Focused: inDetail, Titled: rng.IntN(2) == 0}
				text(t, p.List(v), v.W, v.H)
				text(t, p.Detail(v), v.W, v.H)
				row, _ := k.Title(p.DetailTitle(true), v.W)
				text(t, []string{row}, v.W, 1)
				if m, ok := p.Selected(); ok {
					p.SelectMoment(m)
				}
				if s, _, ok := p.Copy(); ok && strings.ContainsAny(s, "\x1b\a\x00\u202e") {
					t.Fatalf("%s copies text that is not safe: %q", p.Name(), s)
				}
			}
		}
	}
}

func TestFollow(t *testing.T) {
	tape := newTape()
	tape.at(0, begin(event.Call, "log"))
	p := stream.NewStderr(stream.Options{})
	p.SetRun(tape.Run(1))
	k := look(t, "dusk", false)
	draw := func() string { return text(t, p.List(stream.View{Look: k, W: 60, H: 8, Focused: true}), 60, 8) }
	log := func(n int) {
		for i := range n {
			tape.write(float64(i), event.Stderr, fmt.Sprintf("line %d\n", i))
		}
		if !p.Sync() {
			t.Error("nothing new was seen")
		}
	}
	if !strings.Contains(draw(), "Nothing on stderr") {
		t.Error("an empty pane says nothing")
	}
	log(20)
	if !p.Following() || !strings.Contains(draw(), "❯ 0.019  line 19") {
		t.Errorf("the end is not followed:\n%s", draw())
	}
	p.Do("nav.up", false)
	log(30)
	if p.Following() {
		t.Error("a move up did not end following")
	}
	if got := draw(); !strings.Contains(got, "❯ 0.018  line 18") || !strings.Contains(got, "follow off · ▼ 30 new · G follows again") {
		t.Errorf("got\n%s", got)
	}
	p.Do("nav.bottom", false)
	if !p.Following() || strings.Contains(draw(), "follow off") {
		t.Error("G does not follow again")
	}
	p.Wheel(0, -3, false)
	if p.Following() {
		t.Error("the wheel did not end following")
	}
	p.Do("stream.follow", false)
	if !p.Following() {
		t.Error("f does not follow again")
	}
	tape.write(99, event.Stderr, "half a line")
	p.Sync()
	if got := draw(); !strings.Contains(got, "half a line  11 B, no newline yet") {
		t.Errorf("got\n%s", got)
	}
	tape.at(100, event.End{Outcome: event.OK})
	p.Sync()
	p.Do("nav.up", false)
	if got := draw(); strings.Contains(got, "follow off") || strings.Contains(got, "yet") {
		t.Errorf("a run that is over is followed:\n%s", got)
	}
}

func TestPartialLineOfStdout(t *testing.T) {
	tape := newTape()
	tape.at(0, begin(event.Call, "x"))
	tape.request(0, "tools/call", "1", `{"id":1}`)
	tape.write(2, event.Stdout, `{"jsonrpc":`)
	p := stream.NewWire(stream.Options{})
	p.SetRun(tape.Run(1))
	k := look(t, "dusk", false)
	v := stream.View{Look: k, W: 80, H: 6, Focused: true}
	if got := text(t, p.List(v), 80, 6); !strings.Contains(got, `11 B, no newline yet  {"jsonrpc":`) {
		t.Errorf("got\n%s", got)
	}
	if got := text(t, p.Detail(v), 80, 6); !strings.Contains(got, "line 1 on stdout · 11 B, no newline") {
		t.Errorf("got\n%s", got)
	}
	if raw := func() []byte { _, b, _ := p.Copy(); return b }(); string(raw) != `{"jsonrpc":` {
		t.Errorf("copied %q", raw)
	}
}

func TestWhatCameAfterTheBreakIsNotRead(t *testing.T) {
	tape := broken()
	tape.write(6, event.Stdout, `{"jsonrpc":"2.0","id":"call-7be2","result":{"content":[]}}`+"\n", event.Message{Kind: event.Result, ID: `"call-7be2"`, Answers: 1, Evidence: true})
	p := stream.NewWire(stream.Options{})
	p.SetRun(tape.Run(1))
	v := stream.View{Look: look(t, "dusk", false), W: 80, H: 9, Focused: true}
	got := text(t, p.List(v), 80, 9)
	if !strings.Contains(got, "← out 3  · ·") || !strings.Contains(got, "not read: result") || !strings.Contains(got, "❯ 0.004  ← out 2") {
		t.Errorf("got\n%s", got)
	}
	if n, _ := p.Facts(); n != "4" {
		t.Errorf("%s lines", n)
	}
}

func TestFind(t *testing.T) {
	tape := newTape()
	tape.at(0, begin(event.Call, "log"))
	for i := range 3000 {
		word := "tea"
		if i%100 == 7 {
			word = "RETRY"
		}
		tape.write(float64(i), event.Stderr, fmt.Sprintf("%s %d\n", word, i))
	}
	tape.at(4000, event.End{Outcome: event.OK})
	for _, p := range []stream.Pane{stream.NewStderr(stream.Options{}), stream.NewEvents(stream.Options{})} {
		p.SetRun(tape.Run(1))
		k := look(t, "dusk", false)
		v := stream.View{Look: k, W: 80, H: 6, Focused: true}
		draw := func() string { return text(t, p.List(v), 80, 6) }
		draw()
		p.Do("nav.top", false)
		p.Do("find.open", false)
		p.Input().Insert("retry")
		p.Changed()
		draw()
		if _, y, ok := p.Cursor(false); !ok || y != 5 {
			t.Errorf("the caret is on row %d, %v", y, ok)
		}
		p.Do("type.accept", false)
		for p.Pending() {
			p.Sync()
		}
		if p.Input() != nil || !p.Searching() {
			t.Error("enter does not pin the search")
		}
		if got := draw(); !strings.Contains(got, "RETRY 7") || !strings.Contains(got, "find ▏retry   1 of 30 · n N next, previous · & filter · esc") {
			t.Errorf("got\n%s", got)
		}
		p.Do("find.next", false)
		if got := draw(); !strings.Contains(got, "RETRY 107") || !strings.Contains(got, "2 of 30") {
			t.Errorf("got\n%s", got)
		}
		p.Do("find.prev", false)
		p.Do("find.prev", false)
		if got := draw(); !strings.Contains(got, "RETRY 2907") {
			t.Errorf("the matches do not go round:\n%s", got)
		}
		p.Do("find.filter", false)
		for p.Pending() {
			p.Sync()
		}
		if got := draw(); strings.Contains(got, "tea") || !strings.Contains(got, "30 rows · & all rows") {
			t.Errorf("got\n%s", got)
		}
		if !p.Out() || !p.Searching() || !strings.Contains(draw(), "tea") {
			t.Error("the first step out is not the filter")
		}
		if !p.Out() || p.Searching() || p.Out() {
			t.Error("the second step out is not the search")
		}
	}
}

// TestFindNothing follows a search that finds nothing, the one before it, and
// one that cannot be read.
func TestFindNothing(t *testing.T) {
	tape := newTape()
	tape.at(0, begin(event.Call, "log"))
	tape.write(1, event.Stderr, "tea\nretry\n")
	p := stream.NewStderr(stream.Options{})
	p.SetRun(tape.Run(1))
	k := look(t, "dusk", false)
	draw := func() string { return text(t, p.List(stream.View{Look: k, W: 80, H: 6}), 80, 6) }
	find := func(what string) {
		p.Do("find.filter", false)
		p.Input().SetText(what)
		p.Changed()
		for p.Pending() {
			p.Sync()
		}
	}
	find("retry")
	p.Do("type.accept", false)
	p.Out()
	p.Out()
	find("no such thing")
	if got := draw(); !strings.Contains(got, "Nothing matches no such thing. esc shows all 2.") {
		t.Errorf("got\n%s", got)
	}
	p.Do("type.up", false)
	if p.Input().Text() != "retry" {
		t.Errorf("the earlier search is %q", p.Input().Text())
	}
	p.Do("find.regex", false)
	p.Input().SetText("retry [0-9")
	p.Changed()
	if got := draw(); !strings.Contains(got, "✗ not a regular expression") {
		t.Errorf("got\n%s", got)
	}
}

func TestMoments(t *testing.T) {
	tape := broken()
	panes := stream.New(stream.Options{})
	k := look(t, "dusk", false)
	for _, p := range panes {
		p.SetRun(tape.Run(1))
		p.List(stream.View{Look: k, W: 64, H: 20})
	}
	wire, stderr, events := panes[0], panes[1], panes[4]
	m, ok := wire.Selected()
	if !ok || m.Seq != 12 || m.From != 10 || m.To != 14 {
		t.Fatalf("the broken line is event %d, with events %d to %d", m.Seq, m.From, m.To)
	}
	if stderr.SelectMoment(m) {
		t.Error("nothing was written to stderr then")
	}
	if !events.SelectMoment(m) {
		t.Fatal("the events of the moment are not there")
	}
	got := text(t, events.List(stream.View{Look: k, W: 64, H: 20}), 64, 20)
	if n := strings.Count(got, "◆"); n != 5 {
		t.Errorf("%d rows are marked:\n%s", n, got)
	}
	stderr.Do("nav.top", false)
	m, ok = stderr.Selected()
	if !ok || m.Seq != 4 || m.From != 3 || m.To != 4 || m.Time != time.Millisecond {
		t.Errorf("the first log line is %+v", m)
	}
	if !events.Goto(m) {
		t.Error("there is no way to the event")
	}
	if at, _ := events.Selected(); at.Seq != 4 {
		t.Errorf("event %d is selected", at.Seq)
	}
	breach := stream.Moment{Run: 1, Seq: 13, From: 13, To: 13}
	wire.Do("nav.top", false)
	if !wire.Goto(breach) {
		t.Error("there is no way from the breach to its line")
	}
	if at, _ := wire.Selected(); at.Seq != 12 {
		t.Errorf("event %d is selected", at.Seq)
	}
	m.Run = 2
	if wire.SelectMoment(m) || wire.Goto(m) {
		t.Error("a moment of another run is shown")
	}
	web := stream.NewHTTP(stream.Options{})
	web.SetRun(fetched().Run(1))
	web.Do("nav.top", false)
	if m, _ = web.Selected(); m.From != 1 || m.To != 4 || m.Since != 12*time.Millisecond || m.Until != 87*time.Millisecond {
		t.Errorf("the first exchange is %+v", m)
	}
}

func TestRefusedHost(t *testing.T) {
	p := stream.NewHTTP(stream.Options{})
	p.SetRun(fetched().Run(1))
	if got := p.RefusedHost(); got != "rates.example.net" {
		t.Errorf("the question is about %q", got)
	}
	if !p.Out() || p.RefusedHost() != "" || p.Out() {
		t.Error("esc does not leave it refused, once")
	}
}

func TestTimes(t *testing.T) {
	p := stream.NewStderr(stream.Options{})
	p.SetRun(broken().Run(1))
	v := stream.View{Look: look(t, "dusk", false), W: 60, H: 3}
	for _, want := range []string{" 0.003  charts: theme", " +0.002  charts: theme", "14:03:07.003  charts: theme"} {
		if got := text(t, p.List(v), 60, 3); !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
		p.Do("stream.time", false)
	}
}

func TestFolds(t *testing.T) {
	p := stream.NewWire(stream.Options{})
	p.SetRun(uploaded().Run(1))
	v := stream.View{Look: look(t, "dusk", false), W: 60, H: 20, Focused: true}
	draw := func() string { return text(t, p.Detail(v), 60, 20) }
	draw()
	for _, id := range []string{"result.fold", "nav.down"} {
		if !p.Do(id, true) {
			t.Errorf("%s does nothing", id)
		}
	}
	if got := draw(); strings.Contains(got, "greet") {
		t.Errorf("not folded:\n%s", got)
	}
	p.Do("result.unfold", true)
	if got := draw(); !strings.Contains(got, `"name": "greet"`) {
		t.Errorf("not unfolded:\n%s", got)
	}
	p.Do("content.next", true)
	if got := draw(); !strings.Contains(got, `{"jsonrpc":"2.0","id":41,"result":`) {
		t.Errorf("not raw:\n%s", got)
	}
}

func TestLongLines(t *testing.T) {
	tape := newTape()
	tape.at(0, begin(event.Call, "x"))
	line := strings.Repeat("x", 900_000) + "WRONG" + strings.Repeat("y", 90_000)
	tape.write(1, event.Stdout, line+"\n", event.Message{Kind: event.NotMessage, What: "plain text"},
		event.Breach{Rule: abi.FrameJSON, Detail: "here it breaks", Where: event.Where{Stream: event.Stdout, Line: 1, Offset: 900_000, End: 900_005}})
	p := stream.NewWire(stream.Options{})
	p.SetRun(tape.Run(1))
	v := stream.View{Look: look(t, "dusk", false), W: 80, H: 12}
	p.List(v)
	got := text(t, p.Detail(v), 80, 12)
	if !strings.Contains(got, "WRONG") || !strings.Contains(got, "^^^^^") || !strings.Contains(got, "here it breaks") {
		t.Errorf("what is wrong is out of sight:\n%s", got)
	}
	p.Do("nav.top", true)
	if got := text(t, p.Detail(v), 80, 12); !strings.Contains(got, "… 899,744 B before this") {
		t.Errorf("it does not say what is left out:\n%s", got)
	}
	_, raw, _ := p.Copy()
	if !bytes.Equal(raw, []byte(line)) {
		t.Errorf("%d bytes are copied", len(raw))
	}
}

func TestAnotherRun(t *testing.T) {
	p := stream.NewWire(stream.Options{})
	p.SetRun(broken().Run(1))
	p.SetRun(uploaded().Run(1))
	v := stream.View{Look: look(t, "dusk", false), W: 80, H: 9}
	if got := text(t, p.List(v), 80, 9); strings.Contains(got, "broken") || !strings.Contains(got, "2 tools") {
		t.Errorf("got\n%s", got)
	}
	p.SetRun(nil)
	if got := text(t, p.List(v), 80, 9); !strings.Contains(got, "No run yet") {
		t.Errorf("got\n%s", got)
	}
	if got := text(t, p.Detail(v), 80, 9); strings.TrimSpace(got) != "" {
		t.Errorf("there is a detail of nothing:\n%s", got)
	}
}

func BenchmarkFrame(b *testing.B) {
	tape := newTape()
	tape.at(0, begin(event.Call, "log"))
	var chunk strings.Builder
	for n := 0; n < 1_000_000; {
		chunk.Reset()
		for range 100 {
			fmt.Fprintf(&chunk, "tea: %d of 5000, and a shelf that goes on for a while\n", n)
			n++
		}
		tape.write(float64(n)/1000, event.Stderr, chunk.String())
	}
	k := look(b, "dusk", false)
	for _, make := range []func(stream.Options) stream.Pane{stream.NewStderr, stream.NewEvents} {
		p := make(stream.Options{})
		p.SetRun(tape.Run(1))
		p.Sync()
		for _, what := range []string{"follow", "middle"} {
			if what == "middle" {
				p.Do("nav.top", false)
				p.Do("nav.page_down", false)
			}
			b.Run(p.Name()+"/"+what, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					p.Do("nav.down", false)
					p.Sync()
					p.List(stream.View{Look: k, W: 120, H: 40, Focused: true})
					p.Detail(stream.View{Look: k, W: 80, H: 40})
					p.Selected()
				}
			})
		}
	}
}

func TestFilesOfAMoment(t *testing.T) {
	tape := newTape()
	tape.at(0, begin(event.Call, "move"))
	for _, name := range []string{"a", "b", "c"} {
		tape.at(1, event.FileEffect{Op: event.FileCreate, Path: "/volume/tmp/" + name, FD: 5})
		tape.at(1, event.WASI{Func: "path_open", Args: []uint64{3}, Count: 1})
	}
	tape.at(2, event.FileEffect{Op: event.FileRename, Path: "/volume/tmp/a", NewPath: "/volume/tmp/c", FD: 3})
	tape.at(2, event.WASI{Func: "path_rename", Args: []uint64{3}, Count: 1})
	p, events := stream.NewFiles(stream.Options{}), stream.NewEvents(stream.Options{})
	p.SetRun(tape.Run(1))
	events.SetRun(tape.Run(1))
	m, ok := events.Selected()
	if !ok || m.From != 7 || m.To != 8 {
		t.Fatalf("the rename is events %d to %d", m.From, m.To)
	}
	if !p.SelectMoment(m) {
		t.Fatal("the moment has no files")
	}
	got := text(t, p.List(stream.View{Look: look(t, "dusk", false), W: 64, H: 9}), 64, 9)
	for name, want := range map[string]bool{"- a": true, "+ b": false, "+ c": true} {
		for _, row := range strings.Split(got, "\n") {
			if strings.Contains(row, name+" ") && strings.Contains(row, "◆") != want {
				t.Errorf("%q is marked: %v", name, !want)
			}
		}
	}
	if !strings.Contains(got, "was /volume") || !strings.Contains(got, "gone again") {
		t.Errorf("got\n%s", got)
	}
}

// TestWhileItRuns draws while a run writes, as the app does.
func TestWhileItRuns(t *testing.T) {
	tape := newTape()
	tape.at(0, begin(event.Call, "busy"))
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 2000 {
			ms := float64(i)
			tape.write(ms, event.Stderr, "log\n")
			tape.write(ms, event.Stdout, `{"jsonrpc":"2.0","method":"x"}`+"\n", event.Message{Kind: event.Notification, Method: "x"})
			tape.at(ms, event.FileEffect{Op: event.FileWrite, Path: fmt.Sprintf("/volume/tmp/%d", i%7), FD: 5, Bytes: 3, Offset: int64(i) * 3})
			tape.at(ms, event.HTTPRequest{ID: i + 1, Method: "GET", URL: "https://a.example/"})
		}
		tape.at(2000, event.End{Outcome: event.OK})
	}()
	panes := stream.New(stream.Options{})
	for _, p := range panes {
		p.SetRun(tape.Run(1))
	}
	k := look(t, "dusk", false)
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		for _, p := range panes {
			p.Sync()
			text(t, p.List(stream.View{Look: k, W: 64, H: 20}), 64, 20)
			text(t, p.Detail(stream.View{Look: k, W: 55, H: 20}), 55, 20)
			if m, ok := p.Selected(); ok {
				panes[4].SelectMoment(m)
			}
		}
	}
	want := []string{"2,000", "2,000", "2,000", "7", "14,002", "", "✓"}
	for i, p := range panes {
		p.Sync()
		for p.Pending() {
			p.Sync()
		}
		if got, _ := p.Facts(); got != want[i] {
			t.Errorf("%s counts %s, want %s", p.Name(), got, want[i])
		}
	}
}
