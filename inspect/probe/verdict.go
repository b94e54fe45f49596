package probe

import (
	"fmt"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/engine/quote"
	"perch/inspect/record"
)

// fault is what is wrong with what came of a probe.
type fault struct {
	name  string // what was sent
	came  string // what came back: with the name a sentence without its full stop
	more  string // further sentences
	fix   string // what to do, where it is not what the rule says
	where event.Where
	stack []event.Frame
	run   *record.Run
	seq   uint64 // of the event that it is about
	sent  []byte // the line
	got   []byte // the line that came back, nil: none
	slow  bool   // it took all its time
}

func (f fault) title() string { return f.name + " " + f.came }

// exchange shows what was sent and what came back.
func (f fault) exchange() string {
	got := "nothing on stdout"
	if f.got != nil {
		got = excerpt(f.got)
	}
	return "Sent: " + excerpt(f.sent) + "\nCame back: " + got
}

// longestExcerpt is how much of a line is shown, in characters.
const longestExcerpt = 400

// excerpt is a line as it can be shown: what is long is cut in its middle.
func excerpt(line []byte) string {
	line = line[:len(line)-lineEnd(line)]
	if len(line) > longestExcerpt*2 {
		head, tail := line[:longestExcerpt/2], line[len(line)-longestExcerpt/2:]
		return visible(head) + fmt.Sprintf(" … (%s) … ", quote.Plural(len(line), "byte")) + visible(tail)
	}
	return visible(line)
}

func lineEnd(line []byte) int {
	if n := len(line); n > 0 && line[n-1] == '\n' {
		return 1
	}
	return 0
}

func visible(b []byte) string {
	var s strings.Builder
	n := 0
	for _, r := range string(b) {
		if n++; n > longestExcerpt {
			s.WriteString("…")
			break
		}
		s.WriteString(quote.Rune(r))
	}
	return s.String()
}

// request is the line on stdin with this number.
func (h heard) request(line int) event.Request {
	if line > len(h.requests) {
		return event.Request{}
	}
	return h.requests[line-1]
}

// whereSent is the place of a request.
func (h heard) whereSent(line int) event.Where {
	q := h.request(line)
	return event.Where{Stream: event.Stdin, Line: q.Line, Offset: q.Offset, End: q.Offset + int64(len(q.Bytes))}
}

// broke is the fault of a run that was broken: the title begins with what was
// tried.
func (h heard) broke(name string, line int) *fault {
	b := h.fault
	f := &fault{name: name, came: manner(b.Rule, h.answers[line] != nil), more: sentence(b.Detail),
		where: b.Where, stack: b.Stack, run: h.run, seq: h.seq, sent: h.request(line).Bytes, slow: b.Rule == abi.LifeTime}
	if b.Where.Stream == "" {
		f.where = h.whereSent(line)
	}
	f.got = h.firstLine()
	return f
}

// firstLine is the first line on stdout, nil when there is none.
func (h heard) firstLine() []byte {
	out := h.run.Stream(event.Stdout)
	l, ok := out.Line(1)
	if !ok || l.Len == 0 {
		return nil
	}
	return out.Bytes(l.Offset, int(min(l.Len, abi.MaxShownLine)))
}

// manner says in what way a run was broken.
func manner(rule abi.RuleID, answered bool) string {
	switch rule {
	case abi.LifeTrap:
		return "ends in a trap"
	case abi.LifeMemory:
		return "runs out of memory"
	case abi.LifeTime:
		return "is not answered in time"
	case abi.LifeStall, abi.LifeBuffered:
		return "is not answered: the module waits for more"
	case abi.LifeEarlyExit:
		return "is not answered: the module exits"
	case abi.LifeExitCode:
		return "ends with an exit status that is not 0"
	case abi.LifeExitLate:
		return "is answered, but the module does not exit"
	case abi.RPCIDEcho, abi.RPCIDUnasked, abi.RPCIDType:
		if !answered {
			return "is answered with another id"
		}
	}
	return "is answered by what breaks a run"
}

// sentence ends a text with a full stop and begins it with a capital.
func sentence(text string) string {
	text = strings.TrimSuffix(text, ".")
	if text == "" {
		return ""
	}
	if c := text[0]; c >= 'a' && c <= 'z' {
		text = string(c-'a'+'A') + text[1:]
	}
	return text + "."
}

// wrongAnswer is the fault of an answer that is not the one that was wanted.
func (h heard) wrongAnswer(name string, line int, a *answer, wanted string) *fault {
	at := a.error
	if at.IsZero() {
		at = a.result
	}
	return &fault{name: name, came: fmt.Sprintf("is answered with %s; %s", a.words(), wanted), where: a.at(at),
		run: h.run, seq: a.seq, sent: h.request(line).Bytes, got: a.raw}
}

// words are what an answer is.
func (a *answer) words() string {
	switch {
	case a.error.IsZero() && a.isError():
		return "a result with isError"
	case a.error.IsZero():
		return "a result"
	}
	said := "an error without a code"
	if code := a.error.Get("code"); code.Kind() == jsonread.Number {
		said = "error " + quote.Number(code)
	}
	if text, ok := a.error.Get("message").Text(); ok && text != "" {
		said += ", " + quote.Text(text)
	}
	return said
}

// none is the fault of a run that ended well without an answer to this line.
func (h heard) none(name string, line int) *fault {
	return &fault{name: name, came: "is not answered", where: h.whereSent(line), run: h.run,
		sent: h.request(line).Bytes, got: h.firstLine()}
}

// wantResult wants a result for each of these lines.
func (h heard) wantResult(name string, lines ...int) *fault {
	for _, line := range lines {
		a := h.answers[line]
		switch {
		case a != nil && a.error.IsZero():
		case a != nil:
			return h.wrongAnswer(name, line, a, "a result is wanted")
		case h.fault != nil:
			return h.broke(name, line)
		default:
			return h.none(name, line)
		}
	}
	if h.fault != nil {
		return h.broke(name, lines[len(lines)-1])
	}
	return nil
}

// wantError wants an error with this code. What a module does after it is its
// own affair.
func (h heard) wantError(name string, line int, code int64) *fault {
	a := h.answers[line]
	switch {
	case a == nil && h.fault != nil:
		return h.broke(name, line)
	case a == nil:
		return h.none(name, line)
	}
	if got, ok := a.code(); ok && got == code {
		return nil
	}
	return h.wrongAnswer(name, line, a, fmt.Sprintf("MCP asks for error %d", code))
}

// wantRefusal wants an error or a result with isError.
func (h heard) wantRefusal(name string, line int) *fault {
	a := h.answers[line]
	switch {
	case a == nil && h.fault != nil:
		return h.broke(name, line)
	case a == nil:
		return h.none(name, line)
	case a.error.IsZero() && !a.isError():
		return h.wrongAnswer(name, line, a, "it should be refused")
	}
	return nil
}

// wantToolError wants a result with isError.
func (h heard) wantToolError(name string, line int) *fault {
	a := h.answers[line]
	switch {
	case a == nil && h.fault != nil:
		return h.broke(name, line)
	case a == nil:
		return h.none(name, line)
	case !a.error.IsZero():
		return h.wrongAnswer(name, line, a, "to Subako that breaks the call, and the model reads nothing of it")
	case !a.isError():
		return h.wrongAnswer(name, line, a, "the model is not told that they are wrong")
	case h.fault != nil:
		return h.broke(name, line)
	}
	return nil
}
