// Package timeline is a run as a waterfall: what went in and out, what the
// module did on its own and what it waited for, HTTP with its phases, files,
// stderr, memory and findings, each in a lane. An index is built once, and goes
// on while a run lives; what it costs to draw a window of time depends on the
// cells of the window and not on how much happened in it.
//
// The package knows events and times, and nothing of glyphs, colours or keys.
package timeline

import (
	"time"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/record"
	"perch/inspect/rules"
)

// Lane is one kind of what happens.
type Lane byte

// The lanes, from top to bottom.
const (
	Stdin Lane = iota
	Module
	HTTP
	Files
	WASI
	Stderr
	Stdout
	Memory
	Findings
	lanes
)

// Lanes are all lanes in their order.
func Lanes() []Lane {
	all := make([]Lane, lanes)
	for i := range all {
		all[i] = Lane(i)
	}
	return all
}

// String names the lane.
func (l Lane) String() string {
	return [...]string{"stdin", "module", "http", "files", "wasi", "stderr", "stdout", "memory", "findings"}[l]
}

// Kinds says what is among the events of a cell.
type Kinds uint16

// What can be among them. The first ones are of WASI calls, by what they are
// about.
const (
	Descriptors Kinds = 1 << iota // fd_read, fd_write and their like
	Paths
	Clocks // clocks and random bytes
	Sleeps
	Others   // arguments, environment, sockets, exit
	Errnos   // a call that did not succeed
	Changes  // a file was written, made, renamed or removed
	Refusals // of a file or of a growth of memory
	Answers
	Notes  // notifications and what is no answer
	Errors // findings by their severity
	Warnings
	Notices
	Infos
)

// Index is a run's timeline. It is for one goroutine at a time.
type Index struct {
	run       *record.Run
	next      uint64 // the first event that was not read
	end       time.Duration
	tracks    [lanes]track
	waits     track // time in which the module does not compute
	memory    steps
	exchanges []Exchange
	open      map[int]int // exchanges without an answer, by their id
	items     []Item
	dropped   int // items past maxItems
	totals    Totals
	repeated  *repeated
	found     bool // Findings were given: breaches are not taken from the events
}

// repeated is the newest WASI call, which can still happen once more.
type repeated struct {
	seq  uint64
	n    uint64
	last time.Duration
}

// Totals say where the time of a run went.
type Totals struct {
	HTTP  time.Duration // from a request to its answer
	Sleep time.Duration // in poll_oneoff
	WASI  time.Duration // in other WASI calls
	Files time.Duration // of that, in calls on paths
}

// Bounds of an index; all are our own.
const (
	maxMarks     = 1 << 16
	maxExchanges = 20_000
	maxItems     = 20_000
)

// New returns the timeline of a run; Sync reads its events.
func New(run *record.Run) *Index {
	x := &Index{run: run, open: map[int]int{}}
	return x
}

// Run is the run that it is of.
func (x *Index) Run() *record.Run { return x.run }

// Sync reads about so many events that came since the last time. pending says
// that there are more.
func (x *Index) Sync(most int) (pending bool) {
	x.again()
	read := 0
	_ = x.run.Range(x.next, func(e event.Event) bool {
		x.take(e)
		x.next = e.Seq + 1
		read++
		return read < most
	})
	return x.next < x.run.Len()
}

// again takes what the newest WASI call was repeated since it was read.
func (x *Index) again() {
	if x.repeated == nil {
		return
	}
	e, ok := x.run.Event(x.repeated.seq)
	w, is := e.Body.(event.WASI)
	if ok && is && w.Count > x.repeated.n {
		more := w.Count - x.repeated.n
		took := min(time.Duration(more)*w.Took, w.Last-x.repeated.last)
		x.tracks[WASI].extend(w.Last, more, int64(took))
		x.waits.extend(w.Last, 0, int64(took))
		x.spent(w, took)
		x.end = max(x.end, w.Last)
		x.repeated.n, x.repeated.last = w.Count, w.Last
	}
}

func (x *Index) take(e event.Event) {
	x.end = max(x.end, e.Time)
	x.repeated = nil
	switch b := e.Body.(type) {
	case event.WASI:
		x.wasi(e, b)
	case event.Output:
		lane := Stderr
		if b.Stream == event.Stdout {
			lane = Stdout
		}
		x.tracks[lane].add(mark{from: e.Time, to: e.Time, seq: e.Seq}, 1, int64(b.Len), 0)
	case event.FileEffect:
		x.file(e, b)
	case event.HTTPRequest, event.HTTPHop, event.HTTPAnswer:
		x.http(e)
	case event.Memory:
		x.grow(e, b)
	case event.Breach:
		if !x.found {
			x.finding(e.Time, e.Seq, abi.RuleOf(b.Rule).Severity())
		}
	default:
		x.life(e)
	}
}

func (x *Index) wasi(e event.Event, w event.WASI) {
	k := kindOf(w.Func)
	if w.Errno != 0 {
		k |= Errnos
	}
	n := max(w.Count, 1)
	m := mark{from: max(e.Time-w.Took, 0), to: max(e.Time, w.Last), seq: e.Seq}
	took := min(time.Duration(n)*w.Took, m.to-m.from)
	x.end = max(x.end, m.to)
	x.tracks[WASI].add(m, n, int64(took), k)
	x.waits.add(m, 1, int64(took), k)
	x.spent(w, took)
	x.repeated = &repeated{e.Seq, n, w.Last}
}

func (x *Index) spent(w event.WASI, took time.Duration) {
	switch k := kindOf(w.Func); k {
	case Sleeps:
		x.totals.Sleep += took
	default:
		x.totals.WASI += took
		if k == Paths {
			x.totals.Files += took
		}
	}
}

// kindOf says what a WASI function is about, by its name.
func kindOf(name string) Kinds {
	prefix := func(p string) bool { return len(name) >= len(p) && name[:len(p)] == p }
	switch {
	case prefix("fd_"):
		return Descriptors
	case prefix("path_"):
		return Paths
	case prefix("clock_"), prefix("random_"):
		return Clocks
	case prefix("poll_"), prefix("sched_"):
		return Sleeps
	}
	return Others
}

func (x *Index) file(e event.Event, f event.FileEffect) {
	k := Changes
	switch f.Op {
	case event.FileOpen, event.FileRead:
		return
	case event.FileRefused:
		k = Refusals
	}
	x.tracks[Files].add(mark{from: e.Time, to: e.Time, seq: e.Seq}, 1, f.Bytes, k)
}

func (x *Index) grow(e event.Event, m event.Memory) {
	k := Kinds(0)
	if m.Refused {
		k = Refusals
	}
	x.tracks[Memory].add(mark{from: e.Time, to: e.Time, seq: e.Seq}, 1, 0, k)
	size := m.To
	if m.Refused {
		size = m.From
	}
	x.memory.add(e.Time, m.From, size)
	if m.Refused {
		x.item(Item{Lane: Memory, Time: e.Time, Seq: e.Seq, What: Refused, Bytes: int64(m.To)})
	}
}

func (x *Index) finding(at time.Duration, seq uint64, s abi.Severity) {
	k := map[abi.Severity]Kinds{abi.Error: Errors, abi.Warning: Warnings, abi.Notice: Notices}[s]
	if k == 0 {
		k = Infos
	}
	x.tracks[Findings].add(mark{from: at, to: at, seq: seq}, 1, 0, k)
}

// SetFindings puts the findings of the run in the place of those that the
// engine reported as it went. They may come again, with others.
func (x *Index) SetFindings(all []rules.Finding) {
	x.found = true
	x.tracks[Findings] = track{}
	// A finding stands at the time of its event; events are in the order of time.
	sorted := make([]rules.Finding, 0, len(all))
	for _, f := range all {
		if f.RunID == x.run.ID() && !f.Follows {
			sorted = append(sorted, f)
		}
	}
	sortByEvent(sorted)
	for _, f := range sorted {
		if e, ok := x.run.Event(f.Event); ok {
			x.finding(e.Time, f.Event, f.Severity)
		}
	}
}

func (x *Index) life(e event.Event) {
	put := func(l Lane, k Kinds) {
		x.tracks[l].add(mark{from: e.Time, to: e.Time, seq: e.Seq}, 1, 0, k)
	}
	i := Item{Time: e.Time, Seq: e.Seq}
	switch b := e.Body.(type) {
	case event.Request:
		put(Stdin, Answers)
		i.Lane, i.What, i.Line, i.Bytes = Stdin, Asked, b.Line, int64(len(b.Bytes))
	case event.StdinClosed:
		put(Stdin, Notes)
		i.Lane, i.What = Stdin, Closed
	case event.Message:
		k := Notes
		if b.Answers > 0 {
			k = Answers
		}
		x.tracks[Stdout].note(e.Time, k)
		i.Lane, i.What, i.Line, i.Bytes, i.Message = Stdout, Said, b.Line, int64(b.Len), b.Kind
	case event.Verdict:
		i.Lane, i.What, i.Outcome = Stdout, Judged, b.Outcome
	case event.Exit:
		i.Lane, i.What = Module, Exited
		if b.Trap != "" {
			i.What = Trapped
		} else if b.Stopped != "" {
			i.What = Stopped
		}
	case event.End:
		x.memory.constant(b.Usage.MemoryPeak)
		return
	default:
		return
	}
	x.item(i)
}

func (x *Index) item(i Item) {
	if len(x.items) >= maxItems {
		x.dropped++
		return
	}
	x.items = append(x.items, i)
}

// End is the time of the newest event.
func (x *Index) End() time.Duration { return x.end }

// Totals say where the time of the run went so far.
func (x *Index) Totals() Totals { return x.totals }

// Alone is the time in which the module computed: what is not spent in HTTP,
// sleep or WASI calls.
func (x *Index) Alone() time.Duration {
	return max(0, x.end-x.totals.HTTP-x.totals.Sleep-x.totals.WASI)
}
