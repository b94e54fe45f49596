package record

import (
	"encoding/binary"
	"fmt"
	"sort"
	"time"

	"perch/engine/event"
)

// Head is what can be told of an event without decoding its body.
type Head struct {
	Seq  uint64
	Time time.Duration
	Tick uint64
	Kind Kind
}

// Heads calls f for each kept event from seq on until f returns false, as
// Range does, at a small part of its cost. It holds no lock while f runs.
func (r *Run) Heads(seq uint64, f func(Head) bool) error {
	var heads [eventStep + 1]Head
	for {
		n, err := r.heads(seq, &heads)
		if err != nil {
			return fmt.Errorf("read the head of event %d of run %d: %w", seq, r.id, err)
		}
		if n == 0 {
			return nil
		}
		for _, h := range heads[:n] {
			if !f(h) {
				return nil
			}
		}
		seq = heads[n-1].Seq + 1
	}
}

// heads reads the heads of the events from seq to the end of its checkpoint.
func (r *Run) heads(seq uint64, out *[eventStep + 1]Head) (int, error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	seq = max(seq, r.dropped())
	if seq >= r.count {
		return 0, nil
	}
	n := 0
	last := r.count - 1
	if seq < last {
		err := r.walk(seq, func(h Head, _ []byte) bool {
			out[n] = h
			n++
			return true
		})
		if err != nil || n == 0 || out[n-1].Seq+1 != last {
			return n, err
		}
	}
	out[n] = Head{last, r.last.Time, r.last.Tick, KindOf(r.last.Body)}
	return n + 1, nil
}

// walk goes through the encoded events from seq to the end of its checkpoint.
// The caller holds the lock; bodies are valid until f returns.
func (r *Run) walk(seq uint64, f func(h Head, body []byte) bool) error {
	step := int(seq / eventStep)
	mark := r.marks[step]
	end := r.log.size
	if step+1 < len(r.marks) {
		end = r.marks[step+1].off
	}
	buf := make([]byte, end-mark.off)
	if _, err := r.log.ReadAt(buf, mark.off); err != nil {
		return err
	}
	h := Head{Seq: uint64(step) * eventStep, Time: mark.time, Tick: mark.tick}
	for ; len(buf) > 0; h.Seq++ {
		h.Kind = Kind(buf[0])
		dt, n := binary.Varint(buf[1:])
		dk, m := binary.Varint(buf[1+max(n, 0):])
		if n <= 0 || m <= 0 {
			return fmt.Errorf("an event's head ends early")
		}
		rest := reader{b: buf[1+n+m:]}
		body := rest.bytes()
		if rest.bad {
			return rest.err()
		}
		h.Time += time.Duration(dt)
		h.Tick += uint64(dk)
		buf = rest.b
		if h.Seq >= seq && !f(h, body) {
			return nil
		}
	}
	return nil
}

// one decodes a single event.
func (r *Run) one(seq uint64) (e event.Event, ok bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if seq >= r.count || seq < r.dropped() {
		return e, false
	}
	if seq == r.count-1 {
		return r.last, true
	}
	err := r.walk(seq, func(h Head, body []byte) bool {
		b, err := decodeBody(h.Kind, body)
		e, ok = event.Event{Run: r.id, Seq: h.Seq, Time: h.Time, Tick: h.Tick, Body: b}, err == nil
		return false
	})
	return e, ok && err == nil
}

// At is the number of the first kept event at or after a time since the start
// of the run; Len when there is none.
func (r *Run) At(t time.Duration) uint64 {
	r.mu.RLock()
	// A checkpoint holds the time of the event before it.
	step := sort.Search(len(r.marks), func(i int) bool { return r.marks[i].time >= t }) - 1
	found := r.count
	r.mu.RUnlock()
	_ = r.Heads(uint64(max(step, 0))*eventStep, func(h Head) bool {
		if h.Time >= t {
			found = h.Seq
		}
		return h.Time < t
	})
	return found
}
