package bench_test

import (
	"slices"
	"testing"
	"time"

	"perch/engine/event"
	"perch/inspect/bench"
	"perch/inspect/record"
	"perch/inspect/rules"
	"perch/samples"
)

// BenchmarkShare measures what checking the record of a run costs beside the run
// itself: the upload run of each package, and a call of each of its tools. A
// tenth of the run, or 2 ms if that is more, is what it may take; share is what
// it takes of that, at most 1. Each run is checked as often as it is made: both
// are medians.
func BenchmarkShare(b *testing.B) {
	for _, name := range []string{"greeter", "orders", "charts", "notebook", "mischief",
		"mischief:no_hints", "mischief:tool_slip", "mischief:type_typo", "mischief:doubled_member", "mischief:deep"} {
		b.Run(name, func(b *testing.B) {
			p, err := bench.Open(b.Context(), bench.SamplePrefix+name, bench.Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer p.Close()
			if _, err := p.Session.Ready(b.Context()); err != nil {
				b.Fatal(err)
			}
			share(b, "upload", p, func() (*record.Run, error) {
				u, err := p.Upload(b.Context())
				return u.Run, err
			})
			sets := map[string][]samples.Arguments{"act": {{Value: []byte("{}")}}}
			if name == "mischief" {
				sets = map[string][]samples.Arguments{"half_emoji": {{Value: []byte("{}")}}, "block_unknown": {{Value: []byte("{}")}}}
			} else if own := p.Arguments(); len(own) > 0 {
				sets = own
			}
			for tool, set := range sets {
				share(b, tool, p, func() (*record.Run, error) {
					c, err := p.Call(b.Context(), tool, set[0].Value)
					return c.Run, err
				})
			}
		})
	}
}

func share(b *testing.B, what string, p *bench.Bench, run func() (*record.Run, error)) {
	b.Run(what, func(b *testing.B) {
		var ran, checked []time.Duration
		for b.Loop() {
			start := time.Now()
			r, err := run()
			if err != nil || r == nil {
				b.Fatalf("no run: %v", err)
			}
			ran = append(ran, time.Since(start))
			if end, ok := r.End(); !ok || end.Outcome == event.Cancelled {
				b.Fatalf("the run is %s", end.Outcome)
			}
			start = time.Now()
			rules.Run(r, p.Known())
			checked = append(checked, time.Since(start))
			if err := p.Record.Remove(r.ID()); err != nil {
				b.Fatal(err)
			}
		}
		slices.Sort(ran)
		slices.Sort(checked)
		r, c := ran[len(ran)/2], checked[len(checked)/2]
		b.ReportMetric(r.Seconds()*1e3, "run-ms")
		b.ReportMetric(c.Seconds()*1e3, "check-ms")
		b.ReportMetric(float64(c)/float64(max(r/10, 2*time.Millisecond)), "share")
	})
}
