package stream

import (
	"perch/inspect/record"
)

// groupReach is how far from an event the events of its host call are looked
// for.
const groupReach = 512

// momentOf is the moment of an event: with it belong the events of the same
// call of the host. A host call's own event comes last, as it returns.
func momentOf(run *record.Run, seq uint64) (Moment, bool) {
	var heads []record.Head
	start := uint64(0)
	if seq > groupReach {
		start = seq - groupReach
	}
	_ = run.Heads(start, func(h record.Head) bool {
		heads = append(heads, h)
		return h.Seq < seq || h.Seq < seq+groupReach && h.Kind != record.KindWASI
	})
	at := -1
	for i, h := range heads {
		if h.Seq == seq {
			at = i
		}
	}
	if at < 0 {
		return Moment{}, false
	}
	from, to := at, at
	for from > 0 && !starts(heads[from].Kind) && heads[from-1].Kind != record.KindWASI {
		from--
	}
	for to+1 < len(heads) && heads[to].Kind != record.KindWASI && !starts(heads[to+1].Kind) {
		to++
	}
	return Moment{Run: run.ID(), Seq: seq, Time: heads[at].Time,
		From: heads[from].Seq, To: heads[to].Seq, Since: heads[from].Time, Until: heads[to].Time}, true
}

// starts reports whether such an event is the first of a call of the host, or
// stands alone.
func starts(k record.Kind) bool {
	switch k {
	case record.KindBegin, record.KindOutput, record.KindHTTPRequest, record.KindHTTPRead,
		record.KindMemory, record.KindSafepoint, record.KindExit, record.KindEnd:
		return true
	}
	return false
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
