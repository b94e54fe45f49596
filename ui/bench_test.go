package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"perch/engine/event"
	"perch/inspect/bench"
	"perch/inspect/record"
	"perch/samples/mischief"
	"perch/ui/result"
)

// flooded is an app that shows a run with n lines of stderr.
func flooded(tb testing.TB, n int) *App {
	tb.Helper()
	a := New(tb.Context(), Options{Clock: still(), Getenv: func(string) string { return "" }, Bench: bench.Options{CacheDir: cacheDir(), Clock: quick()}})
	tb.Cleanup(func() {
		if err := a.Close(); err != nil {
			tb.Error(err)
		}
	})
	a.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	var msg tea.Msg
	for _, c := range a.openPackage("sample:greeter")().(tea.BatchMsg)[:1] {
		msg = c()
	}
	a.Update(msg)
	for a.session.phase != rested {
		u, err := a.session.bench.Upload(tb.Context())
		if err != nil {
			tb.Fatal(err)
		}
		a.Update(uploadedMsg{session: a.session.id, upload: u})
	}
	rec := a.session.bench.Record
	seq := uint64(0)
	put := func(b event.Body) {
		rec.Append(event.Event{Run: 99, Seq: seq, Time: time.Duration(seq) * time.Microsecond, Body: b})
		seq++
	}
	put(event.Begin{Kind: event.Call, Tool: "greet", Timeout: time.Minute, Memory: 1 << 28, Budget: 1 << 30})
	offset := int64(0)
	for i := range n {
		line := fmt.Appendf(nil, "line %d of a flood that a module writes without end\n", i)
		put(event.Output{Stream: event.Stderr, Offset: offset, Bytes: line, Len: len(line)})
		offset += int64(len(line))
	}
	a.showRun(rec.Run(99))
	a.goTo(5)
	for {
		a.syncStreams()
		if !a.pending() {
			return a
		}
	}
}

// BenchmarkFrame is a whole frame of 120x40 with 1,000,000 lines of stderr in
// sight, drawn anew.
func BenchmarkFrame(b *testing.B) {
	a := flooded(b, 1_000_000)
	for b.Loop() {
		a.dirty = true
		a.View()
	}
}

// BenchmarkKey is a key that moves the selection, and the frame after it.
func BenchmarkKey(b *testing.B) {
	a := flooded(b, 1_000_000)
	up := keyMsg("up")
	for b.Loop() {
		a.Update(up)
		a.View()
	}
}

// BenchmarkKeyInFlood is a key of those that people press in a stream, and the
// frame after it, while 20,000 lines a second come: as many as come between two
// ticks of a screen are there before each key.
func BenchmarkKeyInFlood(b *testing.B) {
	a := flooded(b, 100_000)
	f := flood{rec: a.session.bench.Record, seq: 100_001}
	id := a.session.id
	keys := []string{"up", "up", "down", "pgup", "pgdown", "home", "end", "]", "[", "left", "right", "enter", "esc", "/", "c", "a", "esc", "f", "4", "5"}
	var key, nudge []time.Duration
	for i := 0; b.Loop(); i++ {
		f.put(20_000 / 60)
		began := time.Now()
		a.Update(nudgeMsg{id})
		a.View()
		woken := time.Now()
		a.Update(keyMsg(keys[i%len(keys)]))
		a.View()
		nudge, key = append(nudge, woken.Sub(began)), append(key, time.Since(woken))
		a.session.catching = false // what it waits for does not come here
	}
	tell(b, key, "key")
	tell(b, nudge, "lines")
}

// flood puts more lines of stderr into the run that flooded made.
type flood struct {
	rec    *record.Record
	seq    uint64
	offset int64
}

func (f *flood) put(n int) {
	for range n {
		line := fmt.Appendf(nil, "line %d of a flood that a module writes without end\n", f.seq)
		f.rec.Append(event.Event{Run: 99, Seq: f.seq, Time: time.Duration(f.seq) * time.Microsecond,
			Body: event.Output{Stream: event.Stderr, Offset: f.offset, Bytes: line, Len: len(line)}})
		f.seq++
		f.offset += int64(len(line))
	}
}

// tell gives the 99th percentile and the longest of some times.
func tell(b *testing.B, took []time.Duration, what string) {
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "ms-"+what+"-p99")
	b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "ms-"+what+"-max")
}

// TestFrameDoesNotGrow: what a frame allocates does not depend on how much
// there is.
func TestFrameDoesNotGrow(t *testing.T) {
	draw := func(a *App) float64 {
		return testing.AllocsPerRun(20, func() {
			a.dirty = true
			a.View()
		})
	}
	few, many := draw(flooded(t, 1_000)), draw(flooded(t, 100_000))
	if many > 2*few+50 {
		t.Errorf("a frame makes %.0f allocations with 1,000 lines and %.0f with 100,000", few, many)
	}
}

// scrolled runs a script's tool in a new app and gives the app with a pane in
// focus.
func scrolled(b *testing.B, script string, call bool, focus int) *App {
	b.Helper()
	dir := b.TempDir()
	for name, data := range map[string][]byte{
		"module.wasm":         mischief.Build(script),
		"subako-package.json": []byte(`{"abi":1,"name":"scrolled","description":"A package of a benchmark."}`),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	a := New(b.Context(), Options{Clock: still(), Getenv: func(string) string { return "" }, Bench: bench.Options{CacheDir: cacheDir(), Clock: quick()}})
	b.Cleanup(func() { _ = a.Close() })
	a.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	a.Update(a.openPackage(dir)().(tea.BatchMsg)[0]())
	u, err := a.session.bench.Upload(b.Context())
	if err != nil || len(u.Tools) == 0 {
		b.Fatalf("%d tools, %v, %v", len(u.Tools), u.Findings, err)
	}
	a.Update(uploadedMsg{session: a.session.id, upload: u})
	if call {
		c, err := a.session.bench.Call(b.Context(), u.Tools[0].Name, []byte("{}"))
		if err != nil {
			b.Fatal(err)
		}
		a.Update(calledMsg{session: a.session.id, tool: u.Tools[0].Name, call: result.Call{Run: c.Run, Ended: true, Model: c.Model, Findings: c.Findings}})
	}
	a.goTo(focus)
	return a
}

// BenchmarkScroll is a key that scrolls, and the frame after it: in a log of
// 1,000,000 lines, a result of nearly 1 MiB in each of its views, and a form of
// 100 fields. 60 frames a second leave 16.7 ms.
func BenchmarkScroll(b *testing.B) {
	scroll := func(b *testing.B, a *App) {
		var took []time.Duration
		keys := []string{"down", "pgdown", "down", "pgdown", "pgdown", "up", "pgup"}
		for i := 0; b.Loop(); i++ {
			began := time.Now()
			a.Update(keyMsg(keys[i%len(keys)]))
			a.View()
			took = append(took, time.Since(began))
		}
		tell(b, took, "frame")
	}
	b.Run("log", func(b *testing.B) { scroll(b, flooded(b, 1_000_000)) })

	row := `{"id":1204,"name":"tea","shelf":[1,2,3],"cold":true,"note":"trying again and again"}`
	answer := scrolled(b, `call result '{"resultType":"complete","content":[{"type":"text","text":"rows"}],"structuredContent":{"rows":[${11000:`+row+`,}0]}}'`, true, paneResult)
	for _, view := range []string{"model", "json", "raw"} {
		b.Run("result "+view, func(b *testing.B) { scroll(b, answer) })
		answer.Update(keyMsg("]"))
	}
	var fields []string
	for i := range 100 {
		fields = append(fields, fmt.Sprintf(`"field_%d":{"type":"string","description":"Field %d of many."}`, i, i))
	}
	form := scrolled(b, `list result '{"resultType":"complete","tools":[{"name":"many","description":"A tool.","inputSchema":{"type":"object","properties":{`+strings.Join(fields, ",")+`}}}]}'`, false, paneArguments)
	b.Run("form", func(b *testing.B) { scroll(b, form) })
}
