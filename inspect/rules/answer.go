package rules

import (
	"fmt"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/engine/wire"
	"perch/inspect/schema"
)

// Known is what a check of a run stands on beside the run's own events.
type Known struct {
	// Tools are those that the package's upload run listed; a call is held
	// against the output schema of its tool.
	Tools []wire.Tool
	// Schemas are those that were read before; nil: none are kept.
	Schemas *schema.Cache
}

// whole reads a line as deep as it goes, as the engine's judge does.
var whole = jsonread.Options{MaxDepth: -1}

// heard is a line on stdout as the record has it.
type heard struct {
	seq     uint64 // of the event
	message event.Message
	raw     []byte
	doc     *jsonread.Doc
	request *event.Request // that it answers, nil: none
}

// answer is a good answer as the engine's judge took it.
func (h heard) answer() *wire.Answer {
	r := h.request
	return &wire.Answer{Request: wire.Request{Bytes: r.Bytes, ID: r.ID, Method: r.Method},
		Line: h.message.Line, Offset: h.message.Offset, Raw: h.raw, Result: h.doc.Root().Get("result")}
}

// where is the place of a value of the line, the whole line for one that is
// not there.
func (h heard) where(v jsonread.Value) event.Where {
	w := event.Where{Stream: event.Stdout, Line: h.message.Line, Offset: h.message.Offset, End: h.message.Offset + int64(len(h.raw))}
	if v.IsZero() {
		return w
	}
	w.Offset, w.End = h.message.Offset+int64(v.Start()), h.message.Offset+int64(v.End())
	if w.Pointer = v.Pointer(); len(w.Pointer) > maxPointer {
		w.Pointer = ""
	}
	return w
}

// maxPointer is how long a path is carried around in a finding, in bytes.
const maxPointer = 1 << 10

// line names the line in a list of places.
func (h heard) line() string { return fmt.Sprintf("line %d", h.message.Line) }

// name is how a sentence calls the line.
func (h heard) name() string { return fmt.Sprintf("line %d on stdout", h.message.Line) }

// message looks at a line that Subako reads; evidence is shown, not judged.
func (c *Checker) message(e event.Event, m event.Message) {
	if m.Evidence || m.Kind == event.NotMessage {
		return
	}
	h := heard{seq: e.Seq, message: m, doc: m.Doc}
	if h.doc == nil { // the event comes from a record
		doc, err := whole.Parse(c.run.Stream(event.Stdout).Bytes(m.Offset, m.Len))
		if err != nil {
			return // the engine's judge said so
		}
		h.doc = doc
	}
	h.raw = h.doc.Source()
	if m.Answers > 0 {
		h.request = c.requests[m.Answers]
	}
	c.line(h)
	if m.Kind != event.Result || h.request == nil {
		return
	}
	switch h.request.Method {
	case abi.MethodDiscover:
		c.discover(h)
	case abi.MethodList:
		c.page(h)
	case abi.MethodCall:
		c.result(h)
		c.structured(h)
	}
}
