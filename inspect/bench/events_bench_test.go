package bench_test

import (
	"fmt"
	"testing"

	"perch/engine/event"
	"perch/inspect/bench"
	"perch/samples/mischief"
)

// BenchmarkEvents measures how many events a second go from the engine into the
// record and are checked on the way: a flood of stderr, a call and its output
// for each line.
func BenchmarkEvents(b *testing.B) {
	const lines = 200_000
	dir := folder(b, fmt.Sprintf(`call repeat %d ( err 'tea: 1204 of 5000, shelf 14 of 20, cache cold, trying again\n' ) ok`, lines), nil)
	p, err := bench.Open(b.Context(), dir, bench.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	if _, err := p.Session.Ready(b.Context()); err != nil {
		b.Fatal(err)
	}
	events := uint64(0)
	for b.Loop() {
		c, err := p.Call(b.Context(), mischief.ActTool, []byte("{}"))
		if err != nil || c.Result.Outcome != event.OK {
			b.Fatalf("%s, %v", c.Result.Outcome, err)
		}
		events += c.Run.Len()
		if err := p.Record.Remove(c.Run.ID()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(float64(b.N)*lines/b.Elapsed().Seconds(), "lines/s")
}
