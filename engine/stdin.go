package engine

import (
	"bytes"
	"fmt"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/wasi"
	"perch/engine/wire"
)

// stdin is the module's standard input. Nothing ever waits on it: what the
// module may read was put there by the answer before, or never comes.
type stdin struct {
	pending []byte
	size    int64 // of all that was put
	lines   int
	closed  bool
	pieces  []int // how much reads get, one after the other; empty: all
	left    int   // of the first of them
}

// cut says in which pieces the bytes come that are put next.
func (s *stdin) cut(pieces []int) {
	s.pieces = pieces
	if len(pieces) > 0 {
		s.left = pieces[0]
	}
}

// ready is how many bytes a read can get.
func (s *stdin) ready() int {
	if len(s.pieces) == 0 {
		return len(s.pending)
	}
	return min(len(s.pending), s.left)
}

// take fills p with what is ready.
func (s *stdin) take(p []byte) int {
	n := copy(p, s.pending[:s.ready()])
	s.pending = s.pending[n:]
	if s.left -= n; s.left <= 0 && len(s.pieces) > 0 {
		if len(s.pieces) > 1 {
			s.pieces = s.pieces[1:]
		}
		s.left = s.pieces[0]
	}
	return n
}

func (s *stdin) put(line []byte) {
	s.pending = append(s.pending, line...)
	s.size += int64(len(line))
	s.lines++
}

// Read implements wasi.Stdin. 0 bytes are the end of input.
func (r *run) Read(p []byte) (int, wasi.Errno) {
	r.PollOnly()
	if len(r.in.pending) == 0 {
		r.eofReads++
		return 0, 0
	}
	return r.in.take(p), 0
}

// Ready implements wasi.Stdin.
func (r *run) Ready() (n uint64, eof bool) {
	return uint64(r.in.ready()), r.in.closed && len(r.in.pending) == 0
}

// PollOnly implements wasi.Stdin: the module waits for nothing but stdin.
func (r *run) PollOnly() {
	switch {
	case len(r.in.pending) > 0 || r.in.closed:
	case r.script != nil && r.request == nil && r.verdict == nil:
		r.advance() // it took a line that wants no answer
	default:
		r.stall()
	}
}

// closeStdin is what Subako does after the last answer. As an experiment it is
// what we do at a stall, to see what the module was about to say.
func (r *run) closeStdin(experiment bool) {
	if r.in.closed {
		return
	}
	r.in.closed = true
	r.eofAt = r.now()
	r.emit.emit(event.StdinClosed{Experiment: experiment})
}

// stall is called when the module waits for input that cannot come: a request
// is unanswered and no byte is left. Subako would wait until its time limit; we
// say so at once. Then stdin is closed as an experiment (our reading).
func (r *run) stall() {
	if r.verdict == nil {
		r.breach(r.stallBreach())
	} else {
		// After the verdict the module may go on until it waits on stdin.
		panic(&stopped{stopVerdict})
	}
	r.closeStdin(true)
}

func (r *run) stallBreach() event.Breach {
	asked := r.request
	where := r.openRequest()
	stack := r.stack()
	if b, ok := r.judge.Unfinished(); ok {
		b.Stack = stack
		return b
	}
	if at, ok := r.pendingAnswer(asked.ID); ok {
		return event.Breach{Rule: abi.LifeBuffered, Where: where, Stack: stack,
			Detail: fmt.Sprintf("The answer to request %s was written to a buffer and not flushed: the module reads stdin while the answer is in its memory, at 0x%x.", asked.ID, at),
			Fix:    fixFlush}
	}
	detail := fmt.Sprintf("The module reads stdin while request %s waits for its answer", asked.ID)
	if r.stdout > 0 {
		detail += ". It wants another line before it answers this one"
	} else {
		detail += ". Nothing was written to stdout, and no answer is in its memory: it wants another line, or the end of input, before it answers"
	}
	fix := "Answer each line as it arrives: stdin stays open until the last request is answered."
	if last := wire.LastLine(r.ending.b); last != "" {
		detail += ". The last line on stderr: " + last
		fix += " If it passed over this one, stderr may say why."
	}
	return event.Breach{Rule: abi.LifeStall, Where: where, Stack: stack, Detail: detail + ".", Fix: fix}
}

// fixFlush is what to do about an answer that stays in a buffer.
const fixFlush = "Flush after each line. C: fflush(stdout). C++: std::flush. Rust: stdout().flush(). Go: call Flush on the bufio.Writer."

// lateAnswer explains a stall by the answer that came when stdin was closed.
func (r *run) lateAnswer(line int) event.Breach {
	return event.Breach{Rule: abi.LifeBuffered, Where: r.broke.Where, Stack: r.broke.Stack,
		Detail: fmt.Sprintf("The answer came only after stdin closed, as line %d on stdout. We closed it to see that; Subako keeps stdin open until the answer is there. Before, no answer was in its memory: it reads the next line, or to the end of input, before it answers.", line),
		Fix:    "Answer each line as it arrives: read no line ahead, and not to the end. Where the answer is made at once, flush it. " + fixFlush}
}

// pendingAnswer looks for an answer to this id in the module's memory. It
// tells a missing flush from a true stall: from outside both look the same.
func (r *run) pendingAnswer(id string) (at int, ok bool) {
	if r.instance == nil || r.instance.Memory() == nil {
		return 0, false
	}
	mem, _ := r.instance.Memory().Read(0, r.instance.Memory().Size())
	for _, member := range []string{`"id":` + id, `"id": ` + id} {
		if at, ok := answerWith(mem, []byte(member)); ok {
			return at, true
		}
	}
	return 0, false
}

// maxCandidates is how many places of an id in memory are looked at: a hostile
// module could fill its memory with them.
const maxCandidates = 256

// answerWith finds an answer that has this member.
func answerWith(mem, member []byte) (start int, ok bool) {
	from := 0
	for range maxCandidates {
		i := bytes.Index(mem[from:], member)
		if i < 0 {
			break
		}
		i += from
		from = i + len(member)
		if from < len(mem) && mem[from] >= '0' && mem[from] <= '9' {
			continue // a longer number
		}
		if start, ok := answerAround(mem, i, from); ok {
			return start, true
		}
	}
	return 0, false
}

// answerWindow is how far around an id we look for the rest of its answer.
const answerWindow = 64 << 10

// answerAround reports whether the member id at from..to is that of an answer:
// in an object that has a member "result" or "error" near by and is no request.
func answerAround(mem []byte, from, to int) (start int, ok bool) {
	// A line, or a C string, ends where the answer ends.
	lo := max(0, from-answerWindow)
	if end := bytes.LastIndexAny(mem[lo:from], "\n\x00"); end >= 0 {
		lo += end + 1
	}
	hi := min(len(mem), to+answerWindow)
	if end := bytes.IndexAny(mem[to:hi], "\n\x00"); end >= 0 {
		hi = to + end
	}
	line := mem[lo:hi]
	if bytes.Contains(line, []byte(`"method":"`)) { // the request itself
		return 0, false
	}
	return lo, bytes.Contains(line, []byte(`"result"`)) || bytes.Contains(line, []byte(`"error"`))
}
