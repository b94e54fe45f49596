package stream

import (
	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/record"
)

// Bounds of what is kept of breaches: a module can break a rule in each line.
const (
	maxBreaches = 4_096
	maxOfLine   = 8
)

// breachBook is the breaches of a run by the line they point at.
type breachBook struct {
	taken int // of the run's breaches
	all   []event.Breach
	lines map[lineKey][]int
}

type lineKey struct {
	stream event.Stream
	line   int
}

// read takes up to most breaches that came.
func (x *breachBook) read(run *record.Run, most int) (n int, more bool) {
	seqs := run.Of(record.KindBreach)[x.taken:]
	for _, seq := range seqs[:min(len(seqs), most)] {
		x.taken++
		n++
		e, ok := run.Event(uint64(seq))
		b, is := e.Body.(event.Breach)
		if ok && is {
			x.add(b)
		}
	}
	return n, n < len(seqs)
}

func (x *breachBook) add(b event.Breach) {
	if x.lines == nil {
		x.lines = map[lineKey][]int{}
	}
	if b.Instead != "" { // it explains another one better
		for i := range x.all {
			if x.all[i].Rule == b.Instead && !x.all[i].Follow {
				x.drop(i)
				break
			}
		}
	}
	if len(x.all) >= maxBreaches {
		return
	}
	key := lineKey{b.Where.Stream, b.Where.Line}
	if len(x.lines[key]) >= maxOfLine {
		return
	}
	x.lines[key] = append(x.lines[key], len(x.all))
	x.all = append(x.all, b)
}

// drop takes a breach from its line. It stays the one that decided.
func (x *breachBook) drop(i int) {
	key := lineKey{x.all[i].Where.Stream, x.all[i].Where.Line}
	for j, at := range x.lines[key] {
		if at == i {
			x.lines[key] = append(x.lines[key][:j:j], x.lines[key][j+1:]...)
			return
		}
	}
}

// of are the breaches that point at a line.
func (x *breachBook) of(s event.Stream, line int) []event.Breach {
	var out []event.Breach
	for _, i := range x.lines[lineKey{s, line}] {
		out = append(out, x.all[i])
	}
	return out
}

// first is the first breach of a rule.
func (x *breachBook) first(rule abi.RuleID) (event.Breach, bool) {
	for _, b := range x.all {
		if b.Rule == rule {
			return b, true
		}
	}
	return event.Breach{}, false
}
