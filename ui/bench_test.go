package ui

import (
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"perch/engine/event"
	"perch/inspect/bench"
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
