package engine

import (
	"fmt"
	"time"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/units"
	"perch/engine/wire"
)

// wroteStderr takes what one call wrote to stderr: free for logs, judged by
// nothing. It comes in pieces, because who keeps them counts their lines.
func (r *run) wroteStderr(b []byte) {
	for len(b) > 0 {
		piece := b[:min(len(b), abi.BulkStep)]
		b = b[len(piece):]
		r.emit.emit(event.Output{Stream: event.Stderr, Offset: r.stderr, Bytes: piece, Len: len(piece)})
		r.stderr += int64(len(piece))
		r.tail.write(piece)
		r.ending.write(piece)
		if len(b) > 0 {
			r.check()
		}
	}
}

// wroteStdout takes what one call wrote to stdout, and judges it at once:
// Subako's side moves here.
func (r *run) wroteStdout(b []byte) {
	r.emit.emit(event.Output{Stream: event.Stdout, Offset: r.stdout, Bytes: b, Len: len(b)})
	r.stdout += int64(len(b))
	for _, item := range r.judge.Write(b) {
		r.item(item)
	}
}

// item takes one thing that the judge found in stdout.
func (r *run) item(i wire.Item) {
	if i.Message != nil {
		m := *i.Message
		m.Evidence = m.Evidence || r.verdict != nil
		r.emit.emit(m)
	}
	for _, b := range i.Breaches {
		if b.Stack == nil {
			b.Stack = r.stack()
		}
		fallen := r.verdict != nil
		r.breach(b)
		r.judged = r.judged || !fallen && r.verdict != nil
	}
	if i.Answer != nil && r.verdict == nil && r.request != nil {
		r.next(i.Answer)
	}
}

// openRequest is where the request that waits for its answer stands.
func (r *run) openRequest() event.Where {
	if r.request == nil {
		return event.Where{Stream: event.Stdin}
	}
	return event.Where{Stream: event.Stdin, Line: r.request.Line, Offset: r.request.Offset,
		End: r.request.Offset + int64(len(r.request.Bytes))}
}

// lastLine is where the last answer stands.
func (r *run) lastLine() event.Where {
	if r.answer == nil {
		return event.Where{Stream: event.Stdout, Offset: r.stdout, End: r.stdout}
	}
	return event.Where{Stream: event.Stdout, Line: r.answer.Line, Offset: r.answer.Offset,
		End: r.answer.Offset + int64(len(r.answer.Raw))}
}

// tail keeps the end of a stream.
type tail struct{ b []byte }

func (t *tail) write(b []byte) {
	if len(b) >= abi.StderrTail {
		t.b = append(t.b[:0], b[len(b)-abi.StderrTail:]...)
		return
	}
	t.b = append(t.b, b...)
	if over := len(t.b) - abi.StderrTail; over > 0 {
		t.b = append(t.b[:0], t.b[over:]...)
	}
}

// plural is "1 read", "48 reads".
func plural(n uint64, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// ms writes a duration for a sentence: whole seconds without a decimal.
func ms(d time.Duration) string {
	if d >= time.Second && d%time.Second == 0 {
		return fmt.Sprintf("%d s", d/time.Second)
	}
	return units.Duration(d)
}

// place names where a stack stands: the innermost frame with a source line
// that is no library's, and what it called, or the innermost one.
func place(stack []event.Frame) string {
	if len(stack) == 0 {
		return ""
	}
	i := own(stack)
	f := stack[i]
	text := f.Name + at(f)
	if i > 0 && library(stack[0]) {
		return stack[0].Name + ", from " + text
	}
	return text
}
