package engine

import (
	"slices"
	"time"

	"perch/engine/event"
)

// emitter numbers and times the events of one run and hands them to its sink.
// Only the run's goroutine uses it.
type emitter struct {
	run  uint32
	sink event.Sink
	now  func() time.Duration
	tick func() uint64

	seq  uint64
	last event.WASI // of the event emitted last, if it was a WASI call
	wasi bool
}

func (e *emitter) emit(b event.Body) {
	e.wasi = false
	e.put(b)
}

func (e *emitter) put(b event.Body) {
	e.sink.Append(event.Event{Run: e.run, Seq: e.seq, Time: e.now(), Tick: e.tick(), Body: b})
	e.seq++
}

// call emits a WASI call; equal calls in a row are one event with a count. The
// call's slices are valid until it returns: what is kept is a copy.
func (e *emitter) call(w event.WASI) {
	w.Count, w.Last = 1, e.now()
	if e.wasi && equalCall(e.last, w) {
		e.sink.Repeat(e.run, w.Last, e.tick())
		return
	}
	w.Args, w.Out = slices.Clone(w.Args), slices.Clone(w.Out)
	e.last, e.wasi = w, true
	e.put(w)
}

func equalCall(a, b event.WASI) bool {
	return a.Func == b.Func && a.Errno == b.Errno && a.Path == b.Path && a.NewPath == b.NewPath &&
		slices.Equal(a.Args, b.Args) && slices.Equal(a.Out, b.Out)
}
