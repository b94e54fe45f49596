package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"perch/engine/abi"
	"perch/engine/event"
)

// eventStep is how many events share one checkpoint.
const eventStep = 64

// Limits of what a record keeps of one run, in bytes. Past them the oldest goes.
type Limits struct {
	StreamMemory, StreamFile int64
	EventMemory, EventFile   int64
}

// DefaultLimits are our own (the ABI page says nothing of what a tool keeps).
func DefaultLimits() Limits {
	return Limits{abi.StderrMemory, abi.StderrFile, abi.StderrMemory, abi.StderrFile}
}

// Record holds runs. It implements event.Sink and is safe for several runs at
// once and any number of readers.
type Record struct {
	limits Limits

	mu      sync.RWMutex
	runs    map[uint32]*Run
	order   []uint32
	changed chan struct{}
}

// New returns an empty record.
func New(l Limits) *Record {
	return &Record{limits: l, runs: make(map[uint32]*Run), changed: make(chan struct{}, 1)}
}

// Changed gets a value when something came since it was last read. It is a
// nudge: one value stands for any number of events.
func (r *Record) Changed() <-chan struct{} { return r.changed }

// Append implements event.Sink.
func (r *Record) Append(e event.Event) {
	r.mu.RLock()
	run := r.runs[e.Run]
	r.mu.RUnlock()
	if run == nil {
		run = newRun(e.Run, r.limits)
		r.mu.Lock()
		r.runs[e.Run] = run
		r.order = append(r.order, e.Run)
		r.mu.Unlock()
	}
	run.append(e)
	r.nudge()
}

// Repeat implements event.Sink. It speaks of the newest run.
func (r *Record) Repeat(run uint32, at time.Duration, tick uint64) {
	r.mu.RLock()
	x := r.runs[run]
	r.mu.RUnlock()
	if x != nil {
		x.repeat(at, tick)
		r.nudge()
	}
}

func (r *Record) nudge() {
	select {
	case r.changed <- struct{}{}:
	default:
	}
}

// Runs returns the runs in the order in which they began.
func (r *Record) Runs() []*Run {
	r.mu.RLock()
	defer r.mu.RUnlock()
	runs := make([]*Run, len(r.order))
	for i, id := range r.order {
		runs[i] = r.runs[id]
	}
	return runs
}

// Run returns the run with this number, or nil.
func (r *Record) Run(id uint32) *Run {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.runs[id]
}

// Last returns the newest run, or nil.
func (r *Record) Last() *Run {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if len(r.order) == 0 {
		return nil
	}
	return r.runs[r.order[len(r.order)-1]]
}

// Remove forgets a run and releases its files. It must have ended.
func (r *Record) Remove(id uint32) error {
	r.mu.Lock()
	run := r.runs[id]
	delete(r.runs, id)
	for i, x := range r.order {
		if x == id {
			r.order = append(r.order[:i:i], r.order[i+1:]...)
			break
		}
	}
	r.mu.Unlock()
	if run == nil {
		return nil
	}
	return run.close()
}

// Close releases the private files of all runs.
func (r *Record) Close() error {
	var errs []error
	for _, run := range r.Runs() {
		errs = append(errs, run.close())
	}
	return errors.Join(errs...)
}

// Run is what is known of one run. It is safe for one writer and several readers.
type Run struct {
	id                    uint32
	stdin, stdout, stderr *Stream

	mu     sync.RWMutex
	log    *spill
	marks  []eventMark
	count  uint64
	last   event.Event // not encoded yet: it may be repeated
	prev   eventMark   // of the newest encoded event
	by     [kinds][]uint32
	begin  event.Begin
	end    *event.End
	closed bool
	buf    []byte
}

type eventMark struct {
	off  int64
	time time.Duration // of the event before
	tick uint64
}

func newRun(id uint32, l Limits) *Run {
	return &Run{
		id:     id,
		stdin:  newStream(l.StreamMemory, l.StreamFile),
		stdout: newStream(l.StreamMemory, l.StreamFile),
		stderr: newStream(l.StreamMemory, l.StreamFile),
		log:    newSpill(l.EventMemory, l.EventFile),
	}
}

func (r *Run) append(e event.Event) {
	switch b := e.Body.(type) {
	case event.Begin:
		r.setBegin(b)
	case event.End:
		r.setEnd(b)
	case event.Request:
		r.stdin.append(b.Bytes, e.Time)
	case event.Output:
		b.Len = len(b.Bytes)
		r.Stream(b.Stream).append(b.Bytes, e.Time)
		b.Bytes = nil
		e.Body = b
	case event.Message:
		b.Doc = nil // the stream has the line
		e.Body = b
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	r.flush()
	e.Seq = r.count
	r.last = e
	if k := KindOf(e.Body); k != KindWASI && k != KindOutput {
		r.by[k] = append(r.by[k], uint32(r.count))
	}
	r.count++
}

func (r *Run) setBegin(b event.Begin) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begin = b
}

func (r *Run) setEnd(b event.End) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.end = &b
}

func (r *Run) repeat(at time.Duration, tick uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if w, ok := r.last.Body.(event.WASI); ok && r.count > 0 {
		w.Count++
		w.Last = at
		r.last.Body = w
	}
}

// flush encodes the newest event.
func (r *Run) flush() {
	if r.count == 0 {
		return
	}
	if r.last.Seq%eventStep == 0 {
		r.marks = append(r.marks, eventMark{r.log.size, r.prev.time, r.prev.tick})
	}
	e := r.last
	body := appendBody(r.buf[:0], e.Body)
	var head [1 + 3*binary.MaxVarintLen64]byte
	head[0] = byte(KindOf(e.Body))
	n := 1 + binary.PutVarint(head[1:], int64(e.Time-r.prev.time))
	n += binary.PutVarint(head[n:], int64(e.Tick-r.prev.tick))
	n += binary.PutUvarint(head[n:], uint64(len(body)))
	r.log.append(head[:n])
	r.log.append(body)
	r.prev = eventMark{time: e.Time, tick: e.Tick}
	if cap(body) <= chunkSize {
		r.buf = body[:0]
	}
}

// ID is the run's number, from 1.
func (r *Run) ID() uint32 { return r.id }

// Begin returns the run's first event.
func (r *Run) Begin() event.Begin {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.begin
}

// End returns the run's last event; false while it lives.
func (r *Run) End() (event.End, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.end == nil {
		return event.End{}, false
	}
	return *r.end, true
}

// Stream returns a stream of the run.
func (r *Run) Stream(s event.Stream) *Stream {
	switch s {
	case event.Stdin:
		return r.stdin
	case event.Stderr:
		return r.stderr
	}
	return r.stdout
}

// Len is the number of events that came.
func (r *Run) Len() uint64 {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.count
}

// Dropped is the number of the oldest events that are no longer kept.
func (r *Run) Dropped() uint64 {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.dropped()
}

func (r *Run) dropped() uint64 {
	if r.log.start == 0 {
		return 0
	}
	lo, hi := 0, len(r.marks)
	for lo < hi {
		mid := (lo + hi) / 2
		if r.marks[mid].off < r.log.start {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return min(uint64(lo)*eventStep, r.count-1)
}

// Of returns the numbers of all events of these kinds in their order. WASI
// calls and outputs are not indexed.
func (r *Run) Of(ks ...Kind) []uint32 {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if len(ks) == 1 {
		seqs := r.by[ks[0]]
		return seqs[:len(seqs):len(seqs)]
	}
	var all []uint32
	for _, k := range ks {
		all = append(all, r.by[k]...)
	}
	slices.Sort(all)
	return all
}

// Event returns the event with this number. It is false when there is no such
// event or it is no longer kept.
func (r *Run) Event(seq uint64) (event.Event, bool) { return r.one(seq) }

// Range calls f for each kept event from seq on until f returns false. It
// holds no lock while f runs.
func (r *Run) Range(seq uint64, f func(event.Event) bool) error {
	for {
		batch, err := r.batch(seq)
		if err != nil {
			return fmt.Errorf("read event %d of run %d: %w", seq, r.id, err)
		}
		if len(batch) == 0 {
			return nil
		}
		for _, e := range batch {
			if !f(e) {
				return nil
			}
		}
		seq = batch[len(batch)-1].Seq + 1
	}
}

// batch decodes the events from seq to the end of its checkpoint.
func (r *Run) batch(seq uint64) ([]event.Event, error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	seq = max(seq, r.dropped())
	if seq >= r.count {
		return nil, nil
	}
	if seq == r.count-1 {
		return []event.Event{r.last}, nil
	}
	step := int(seq / eventStep)
	mark := r.marks[step]
	end := r.log.size
	if step+1 < len(r.marks) {
		end = r.marks[step+1].off
	}
	buf := make([]byte, end-mark.off)
	if _, err := r.log.ReadAt(buf, mark.off); err != nil {
		return nil, err
	}
	events, err := r.decode(buf, mark, uint64(step)*eventStep, seq)
	if err == nil && len(events) > 0 && events[len(events)-1].Seq+1 == r.count-1 {
		events = append(events, r.last)
	}
	return events, err
}

func (r *Run) decode(buf []byte, mark eventMark, first, from uint64) ([]event.Event, error) {
	var events []event.Event
	at, tick := mark.time, mark.tick
	for seq := first; len(buf) > 0; seq++ {
		k := Kind(buf[0])
		dt, n := binary.Varint(buf[1:])
		dk, m := binary.Varint(buf[1+max(n, 0):])
		if n <= 0 || m <= 0 {
			return events, fmt.Errorf("an event's head ends early")
		}
		rest := reader{b: buf[1+n+m:]}
		body := rest.bytes()
		if rest.bad {
			return events, rest.err()
		}
		at += time.Duration(dt)
		tick += uint64(dk)
		buf = rest.b
		if seq < from {
			continue
		}
		b, err := decodeBody(k, body)
		if err != nil {
			return events, err
		}
		events = append(events, event.Event{Run: r.id, Seq: seq, Time: at, Tick: tick, Body: b})
	}
	return events, nil
}

func (r *Run) close() error {
	r.mu.Lock()
	r.closed = true
	err := r.log.close()
	r.mu.Unlock()
	return errors.Join(err, r.stdin.close(), r.stdout.close(), r.stderr.close())
}
