package bench_test

import (
	"testing"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/bench"
	"perch/inspect/rules"
)

// TestFindingsWhileARunGoesOn: what was found so far can be asked for from
// another goroutine, and is forgotten when the run has ended.
func TestFindingsWhileARunGoesOn(t *testing.T) {
	b := open(t, "sample:mischief")
	if _, err := b.Upload(t.Context()); err != nil {
		t.Fatal(err)
	}
	ended := make(chan bench.Call, 1)
	go func() {
		defer close(ended)
		c, err := b.Call(t.Context(), "log_line", []byte("{}"))
		if err != nil {
			t.Error(err)
		}
		ended <- c
	}()
	var last uint64
	var seen []rules.Finding
	for {
		select {
		case c := <-ended:
			if len(c.Findings) == 0 || c.Findings[0].Rule != abi.FrameJSON || c.Result.Outcome != event.Broken {
				t.Fatalf("the call ended with %+v", c)
			}
			if len(seen) > len(c.Findings) {
				t.Errorf("%d findings on the way, %d at the end", len(seen), len(c.Findings))
			}
			if _, _, ok := b.Watching(c.Run.ID(), 0); ok {
				t.Error("a run that has ended is still watched")
			}
			return
		default:
		}
		r := b.Record.Last()
		if r == nil {
			continue
		}
		if found, now, ok := b.Watching(r.ID(), last); ok {
			if now <= last {
				t.Errorf("%d after %d", now, last)
			}
			last, seen = now, found
		}
	}
}
