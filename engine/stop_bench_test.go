package engine_test

import (
	"context"
	"testing"
	"time"

	"perch/engine"
	"perch/engine/event"
)

// BenchmarkStop measures the time from a cancel to the end of the run, for
// guests that would go on for ever: the mean as ns/op of all, the worst apart.
func BenchmarkStop(b *testing.B) {
	for name, script := range map[string]string{
		"spins":         "call err 'x' spin",
		"grows":         "call err 'x' repeat 0 ( grow 1 )",
		"writes":        "call err 'x' open '/volume/tmp/a' wct repeat 0 ( write '0123456789abcdef' )",
		"floods":        "call repeat 0 ( err 'x\\n' )",
		"sleeps":        "call err 'x' sleep 3600000",
		"makes folders": "call err 'x' repeat 0 ( mkdir '/volume/tmp/d' remove '/volume/tmp/d' )",
	} {
		b.Run(name, func(b *testing.B) {
			s := session(b, script, engine.Config{}, engine.Options{})
			if _, err := s.Ready(b.Context()); err != nil {
				b.Fatal(err)
			}
			var sum, worst time.Duration
			for b.Loop() {
				ctx, cancel := context.WithCancel(b.Context())
				var at time.Time
				sink := &events{on: func(e event.Event) {
					if _, ok := e.Body.(event.Output); ok && at.IsZero() {
						at = time.Now()
						cancel()
					}
				}}
				r := s.call(ctx, sink)
				took := time.Since(at)
				sum, worst = sum+took, max(worst, took)
				cancel()
				if r.Outcome != event.Cancelled {
					b.Fatalf("the outcome is %s", r.Outcome)
				}
			}
			b.ReportMetric(float64(sum.Microseconds())/float64(b.N), "µs/stop")
			b.ReportMetric(float64(worst.Microseconds()), "µs-worst")
		})
	}
}
