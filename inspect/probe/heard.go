package probe

import (
	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/inspect/record"
)

// heard is what the record of a run says.
type heard struct {
	run      *record.Run
	requests []event.Request
	answers  map[int]*answer // by the line on stdin
	fault    *event.Breach   // that broke the run, as well as it is explained; nil: none did
	seq      uint64          // of its event
	writes   bool            // it wrote files, or may have
}

// answer is a good answer, a result or an error.
type answer struct {
	seq    uint64
	where  event.Where // of the line
	raw    []byte      // the line
	result jsonread.Value
	error  jsonread.Value // one of both is there
}

// Limits of what is read of a run: it is as long as the module makes it.
const (
	maxMessages = 1_000
	maxEffects  = 256
)

// whole reads a line as deep as it goes, as the engine's judge does.
var whole = jsonread.Options{MaxDepth: -1}

func hear(run *record.Run) heard {
	h := heard{run: run, answers: make(map[int]*answer)}
	if run == nil {
		return h
	}
	broken := make(map[int]bool) // lines on stdout
	for _, seq := range run.Of(record.KindBreach) {
		e, ok := run.Event(uint64(seq))
		if b, is := e.Body.(event.Breach); ok && is {
			h.breach(b, e.Seq, broken)
		}
	}
	for _, seq := range run.Of(record.KindRequest) {
		e, ok := run.Event(uint64(seq))
		if q, is := e.Body.(event.Request); ok && is {
			h.requests = append(h.requests, q)
		}
	}
	messages := run.Of(record.KindMessage)
	for _, seq := range messages[:min(len(messages), maxMessages)] {
		e, ok := run.Event(uint64(seq))
		if m, is := e.Body.(event.Message); ok && is {
			h.message(m, e.Seq, broken)
		}
	}
	h.files(run)
	return h
}

func (h *heard) breach(b event.Breach, seq uint64, broken map[int]bool) {
	if abi.RuleOf(b.Rule).Effect() == abi.NoEffect {
		return
	}
	if b.Where.Stream == event.Stdout && b.Rule.Group() != "life" { // that points at the answer which is lost
		broken[b.Where.Line] = true
	}
	if h.fault == nil && !b.Follow || b.Instead != "" && h.fault != nil && b.Instead == h.fault.Rule {
		h.fault, h.seq = &b, seq
	}
}

func (h *heard) message(m event.Message, seq uint64, broken map[int]bool) {
	if m.Evidence || broken[m.Line] || m.Answers == 0 || m.Kind != event.Result && m.Kind != event.ErrorAnswer {
		return
	}
	a := &answer{seq: seq, raw: h.run.Stream(event.Stdout).Bytes(m.Offset, m.Len),
		where: event.Where{Stream: event.Stdout, Line: m.Line, Offset: m.Offset, End: m.Offset + int64(m.Len)}}
	doc, err := whole.Parse(a.raw)
	if err != nil {
		return
	}
	a.result, a.error = doc.Root().Get("result"), doc.Root().Get("error")
	h.answers[m.Answers] = a
}

// files looks whether the run changed its volume.
func (h *heard) files(run *record.Run) {
	effects := run.Of(record.KindFile)
	for _, seq := range effects[:min(len(effects), maxEffects)] {
		e, ok := run.Event(uint64(seq))
		f, is := e.Body.(event.FileEffect)
		if !ok || !is {
			continue
		}
		switch f.Op {
		case event.FileOpen, event.FileRead, event.FileRefused:
		default:
			h.writes = true
			return
		}
	}
	h.writes = len(effects) > maxEffects
}

// at is the place of a value of the answer on stdout.
func (a *answer) at(v jsonread.Value) event.Where {
	if v.IsZero() {
		return a.where
	}
	w := a.where
	w.Offset, w.End, w.Pointer = a.where.Offset+int64(v.Start()), a.where.Offset+int64(v.End()), v.Pointer()
	return w
}

// isError reports whether the answer is a tool's failure.
func (a *answer) isError() bool { return a.result.Get("isError").Kind() == jsonread.True }

// code is the code of an error; false when there is none, or none that is an
// integer.
func (a *answer) code() (int64, bool) { return a.error.Get("code").Int() }
