package bench

import (
	"sync"

	"perch/engine/event"
	"perch/inspect/record"
	"perch/inspect/rules"
)

// watched is a sink that records a run and checks it on the way: reading a
// run of millions of events again would keep a person waiting.
type watched struct {
	*record.Record
	known rules.Known
	done  func() // takes it out of the bench's list

	mu      sync.Mutex
	run     uint32
	checker *rules.Checker
	mocked  int // exchanges that a mock answered
}

// watch is a sink for one run.
func (b *Bench) watch() *watched {
	w := &watched{Record: b.Record, known: b.Known()}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.watching = append(b.watching, w)
	w.done = func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for i, x := range b.watching {
			if x == w {
				b.watching = append(b.watching[:i:i], b.watching[i+1:]...)
				return
			}
		}
	}
	return w
}

// Append implements event.Sink.
func (w *watched) Append(e event.Event) {
	w.Record.Append(e)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.checker == nil {
		w.run, w.checker = e.Run, rules.NewChecker(w.Run(e.Run), w.known)
	}
	if a, ok := e.Body.(event.HTTPAnswer); ok && a.Mock != "" {
		w.mocked++
	}
	w.checker.Take(e)
}

// Mocked is how many exchanges of the run a mock answered.
func (w *watched) Mocked() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.mocked
}

// Findings are those of the run; it has ended.
func (w *watched) Findings() []rules.Finding {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.checker == nil {
		return nil
	}
	return w.checker.Findings()
}

// Watching returns what was found so far in a run that goes on, and a number
// that grows when more is. It is false when there is nothing newer than since,
// when the run has ended, and while an event is being looked at: it never waits
// for the run.
func (b *Bench) Watching(run uint32, since uint64) (found []rules.Finding, now uint64, ok bool) {
	b.mu.Lock()
	watching := b.watching
	b.mu.Unlock()
	for _, w := range watching {
		if !w.mu.TryLock() {
			continue
		}
		if w.checker != nil && w.run == run {
			if now = w.checker.Changes(); now > since {
				found, ok = w.checker.Found(), true
			}
		}
		w.mu.Unlock()
	}
	return found, now, ok
}
