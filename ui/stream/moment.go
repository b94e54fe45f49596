package stream

import (
	"perch/inspect/record"
)

// How far from an event the events of its host call are looked for: most are
// near, and reading the others takes time.
const (
	nearReach  = 32
	groupReach = 512
)

// momentOf is the moment of an event: with it belong the events of the same
// call of the host.
func momentOf(run *record.Run, seq uint64) (Moment, bool) {
	m, ok := momentWithin(run, seq, nearReach)
	if ok && (seq >= nearReach && m.From <= seq-nearReach || m.To >= seq+nearReach) {
		return momentWithin(run, seq, groupReach)
	}
	return m, ok
}

// momentWithin is momentOf among the events that are so near.
func momentWithin(run *record.Run, seq, reach uint64) (Moment, bool) {
	var heads []record.Head
	start := uint64(0)
	if seq > reach {
		start = seq - reach
	}
	at := -1
	_ = run.Heads(start, func(h record.Head) bool {
		if h.Seq > seq && at >= 0 && apart(heads[len(heads)-1].Kind, h.Kind) {
			return false
		}
		if h.Seq == seq {
			at = len(heads)
		}
		heads = append(heads, h)
		return h.Seq < seq+groupReach
	})
	if at < 0 {
		return Moment{}, false
	}
	from, to := at, len(heads)-1
	for from > 0 && !apart(heads[from-1].Kind, heads[from].Kind) {
		from--
	}
	return Moment{Run: run.ID(), Seq: seq, Time: heads[at].Time,
		From: heads[from].Seq, To: heads[to].Seq, Since: heads[from].Time, Until: heads[to].Time}, true
}

// apart reports whether of two events in a row the second belongs to another
// call of the host. What a call does to files comes before the event of the
// call; what was written to a stream, and what Subako makes of it, after it.
func apart(before, k record.Kind) bool {
	switch k {
	case record.KindMessage, record.KindBreach, record.KindVerdict, record.KindRequest, record.KindStdinClosed,
		record.KindHTTPHop, record.KindHTTPAnswer:
		return false
	case record.KindOutput:
		return before != record.KindWASI
	case record.KindWASI:
		return before != record.KindFile
	case record.KindFile:
		return before != record.KindFile && before != record.KindHTTPRequest && before != record.KindHTTPHop
	}
	return true
}

// span is the moment of several events: of an exchange, from its request to
// its answer.
func span(run *record.Run, seq, from, to uint64) (Moment, bool) {
	m, ok := momentOf(run, seq)
	if !ok {
		return m, false
	}
	m.From, m.To = from, to
	if e, ok := run.Event(from); ok {
		m.Since = e.Time
	}
	if e, ok := run.Event(to); ok {
		m.Until = e.Time
	}
	return m, true
}

// MomentOf is the moment of an event of a run; false when the event is not
// there.
func MomentOf(run *record.Run, seq uint64) (Moment, bool) { return momentOf(run, seq) }
