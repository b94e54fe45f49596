package record_test

import (
	"testing"
	"time"

	"perch/engine/event"
	"perch/inspect/record"
)

// TestHeads holds that heads tell the same as the events, wherever one begins.
func TestHeads(t *testing.T) {
	r := record.New(record.DefaultLimits())
	const n = 200
	for i := range n {
		var b event.Body = event.WASI{Func: "fd_write", Count: 1}
		if i%3 == 0 {
			b = event.Memory{From: uint64(i), To: uint64(i + 1)}
		}
		r.Append(event.Event{Run: 1, Seq: uint64(i), Time: time.Duration(i/2) * time.Millisecond, Tick: uint64(7 * i), Body: b})
	}
	run := r.Run(1)
	for _, from := range []uint64{0, 1, 63, 64, 128, n - 1, n, n + 5} {
		seq := from
		if err := run.Heads(from, func(h record.Head) bool {
			e, ok := run.Event(seq)
			if !ok || h.Seq != seq || h.Time != e.Time || h.Tick != e.Tick || h.Kind != record.KindOf(e.Body) {
				t.Fatalf("head %+v, event %+v", h, e)
			}
			seq++
			return true
		}); err != nil {
			t.Fatal(err)
		}
		if seq != max(from, n) {
			t.Errorf("from %d the heads end at %d", from, seq)
		}
	}
	for at, want := range map[time.Duration]uint64{0: 0, time.Millisecond: 2, 31 * time.Millisecond: 62, 32 * time.Millisecond: 64,
		31*time.Millisecond + 1: 64, 99 * time.Millisecond: 198, time.Hour: n} {
		if got := run.At(at); got != want {
			t.Errorf("event %d is the first at %v, want %d", got, at, want)
		}
	}
}
