package volume

import "sync"

// maxHistory is how many bytes of files all snapshots of a History hold
// together, about.
const maxHistory = 64 << 20

// maxRuns is how many runs a History keeps at most.
const maxRuns = 256

// History is the folder before and after each of some runs. It may be used from
// several goroutines; the runs themselves take turns. The zero value holds
// none.
type History struct {
	mu    sync.Mutex
	runs  map[uint32]around
	order []uint32
	bytes int64
	begun *Snapshot // before the run that goes on, nil: none does
	last  *Snapshot
	looks uint64
}

type around struct{ before, after *Snapshot }

// Begin keeps what a folder holds before a run.
func (h *History) Begin(dir string) {
	h.mu.Lock()
	last := h.last
	h.mu.Unlock()
	s := Take(dir, last)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.begun, h.last = s, s
	h.looks++
}

// End keeps what it holds after that run, under the run's number; 0: nothing
// was run.
func (h *History) End(run uint32, dir string) {
	h.mu.Lock()
	begun := h.begun
	h.begun = nil
	h.mu.Unlock()
	if run == 0 || begun == nil {
		return
	}
	after := Take(dir, begun)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.runs == nil {
		h.runs = map[uint32]around{}
	}
	h.runs[run] = around{begun, after}
	h.order = append(h.order, run)
	h.last = after
	h.looks++
	h.bytes += begun.fresh + after.fresh
	for len(h.order) > 1 && (h.bytes > maxHistory || len(h.order) > maxRuns) {
		old := h.runs[h.order[0]]
		h.bytes -= old.before.fresh + old.after.fresh
		delete(h.runs, h.order[0])
		h.order = h.order[1:]
	}
}

// Around is the folder before and after a run. Of one that goes on after is nil;
// false when nothing is kept of it.
func (h *History) Around(run uint32) (before, after *Snapshot, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if a, ok := h.runs[run]; ok {
		return a.before, a.after, true
	}
	if h.begun != nil && (len(h.order) == 0 || run > h.order[len(h.order)-1]) {
		return h.begun, nil, true
	}
	return nil, nil, false
}

// Look keeps what a folder holds now, between runs.
func (h *History) Look(dir string) {
	h.mu.Lock()
	last := h.last
	h.mu.Unlock()
	s := Take(dir, last)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last = s
	h.looks++
}

// Now is the folder as it was seen last, nil before that, and a number that
// changes with it.
func (h *History) Now() (s *Snapshot, seen uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.last, h.looks
}
