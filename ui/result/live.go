package result

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/record"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/prose"
	"perch/ui/words"
)

// live is what a run that goes on did so far. It looks at a few events a frame,
// however many there are.
type live struct {
	last    event.Event // the newest one
	any     bool
	closed  bool   // stdin
	verdict string // that fell already
	memory  uint64
	grown   int
	refused bool
	files   int
	written int64
	http    int
	pending string // request that waits for its answer
}

func (l *live) sync(r *record.Run) {
	if n := r.Len(); n > 0 {
		l.last, l.any = r.Event(n - 1)
	}
	l.closed = len(r.Of(record.KindStdinClosed)) > 0
	if e, ok := newest(r, record.KindMemory); ok {
		m, _ := e.Body.(event.Memory)
		l.memory, l.refused = m.To, m.Refused
		if m.Refused {
			l.memory = m.From
		}
		l.grown = len(r.Of(record.KindMemory))
	}
	l.files = len(r.Of(record.KindFile))
	if e, ok := newest(r, record.KindFile); ok {
		if f, is := e.Body.(event.FileEffect); is {
			l.written = max(l.written, f.Written)
		}
	}
	l.http, l.pending = len(r.Of(record.KindHTTPRequest)), ""
	if e, ok := newest(r, record.KindHTTPRequest); ok && len(r.Of(record.KindHTTPAnswer)) < l.http {
		if q, is := e.Body.(event.HTTPRequest); is {
			l.pending = q.Method + " " + q.URL
		}
	}
	if e, ok := newest(r, record.KindVerdict); ok {
		if v, is := e.Body.(event.Verdict); is && v.Outcome != event.OK {
			l.verdict = words.Outcome(v.Outcome)
		}
	}
}

func newest(r *record.Run, kind record.Kind) (event.Event, bool) {
	seqs := r.Of(kind)
	if len(seqs) == 0 {
		return event.Event{}, false
	}
	return r.Event(uint64(seqs[len(seqs)-1]))
}

// viewLive says what the module is doing.
func (p *Pane) viewLive(k *cell.Look, w, h int) []cell.Line {
	run, begin := p.call.Run, p.call.Run.Begin()
	limit, whose := begin.Timeout, "local setting"
	if begin.Kind == event.Upload {
		limit, whose = abi.UploadTime, "to list the tools"
	}
	var out []cell.Line
	var head cell.Line
	head.Blank(1).Own(cell.Fg(themes.Notice).With(themes.Bold), "» running").
		Own(cell.Fg(themes.Text), "  "+words.Elapsed(p.elapsed)).
		Own(cell.Fg(themes.Muted), " of "+words.Whole(limit))
	if whose = " (" + whose + ")"; k.Width(head)+k.Measure(whose) < w {
		head.Own(cell.Fg(themes.Muted), whose)
	}
	out = append(out, head, bar(p.elapsed, limit, w-2), cell.Line{})
	out = append(out, p.doing(k, w)...)
	out = append(out, cell.Line{})
	state := "still open"
	if p.live.closed {
		state = "closed"
	}
	add := func(name, text string) { out = append(out, fact(k, name, text, w)...) }
	add("stdin", words.Plural(int(run.Stream(event.Stdin).Lines()), "line")+" in, "+state)
	add("stdout", written(run.Stream(event.Stdout)))
	out = append(out, p.stderrFacts(k, run, w)...)
	add("files", p.filesFact(begin))
	add("http", countOr(p.live.http, "request", "none"))
	add("memory", p.memoryFact(begin))
	if h > len(out)+2 {
		out = append(out, cell.Line{})
		add("ctrl+c", "cancels this call")
	}
	return out
}

func (p *Pane) doing(k *cell.Look, w int) []cell.Line {
	text := "The module computes; it has called nothing yet."
	switch {
	case p.live.verdict != "":
		text = p.live.verdict + ": the verdict fell. What comes now is evidence."
	case p.live.pending != "":
		text = "The module waits in subako_http: " + p.live.pending
	case p.live.any:
		since := max(p.elapsed-p.live.last.Time, 0)
		if b, ok := p.live.last.Body.(event.WASI); ok {
			since = max(p.elapsed-max(p.live.last.Time, b.Last), 0)
			text = fmt.Sprintf("Its last call was %s, %s. It computes, or waits in the next.", b.Func, ago(since))
		} else if since > 300*time.Millisecond {
			text = "Nothing was heard of it for " + words.Elapsed(since) + "."
		} else {
			text = "The module runs."
		}
	}
	return prose.Text(k, themes.Text, text, w-1)
}

// Doing is what the module of a run that goes on is doing, in a few words; ""
// where that is not known. A call of the host is heard of when it returns.
func Doing(r *record.Run, elapsed time.Duration) string {
	var l live
	l.sync(r)
	switch {
	case l.verdict != "":
		return l.verdict
	case l.pending != "":
		return "waits for " + hostOf(l.pending)
	case !l.any:
		return "computes"
	}
	b, ok := l.last.Body.(event.WASI)
	if !ok || elapsed-max(l.last.Time, b.Last) > 300*time.Millisecond {
		return "computes or waits"
	}
	switch b.Func {
	case "fd_write", "fd_pwrite":
		return "writes"
	case "fd_read", "fd_pread":
		return "reads"
	case "poll_oneoff":
		return "waits"
	}
	return "computes"
}

// hostOf is the host in the method and the address of a request.
func hostOf(request string) string {
	_, address, _ := strings.Cut(request, " ")
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return u.Host
	}
	return "an answer"
}

// ago says how long something is past.
func ago(d time.Duration) string {
	if d < 100*time.Millisecond {
		return "just now"
	}
	return words.Elapsed(d) + " ago"
}

func (p *Pane) stderrFacts(k *cell.Look, run *record.Run, w int) []cell.Line {
	s := run.Stream(event.Stderr)
	if s.Len() == 0 {
		return fact(k, "stderr", "nothing yet", w)
	}
	line, ok := s.Line(s.Lines())
	if !ok {
		return fact(k, "stderr", words.Plural(int(s.Lines()), "line"), w)
	}
	out := fact(k, "stderr", fmt.Sprintf("%s, the last %s:", words.Plural(int(s.Lines()), "line"), ago(p.elapsed-line.Time)), w)
	var l cell.Line
	l.Blank(13).Text(cell.Fg(themes.Stderr), strings.TrimSuffix(string(s.Bytes(line.Offset, int(min(line.Len, 400)))), "\n"))
	return append(out, l)
}

func (p *Pane) filesFact(begin event.Begin) string {
	if p.live.files == 0 {
		return "none touched"
	}
	text := words.Plural(p.live.files, "effect")
	if p.live.written > 0 {
		text += ", " + words.Size(p.live.written) + " of " + words.Limit(int64(begin.Budget)) + " written"
	}
	return text
}

func (p *Pane) memoryFact(begin event.Begin) string {
	if p.live.memory == 0 {
		return "as it began, of " + words.Limit(int64(begin.Memory))
	}
	text := fmt.Sprintf("%s of %s, grew %s", words.Size(p.live.memory), words.Limit(int64(begin.Memory)), words.Plural(p.live.grown, "time"))
	if p.live.refused {
		text += "; the last growth was refused"
	}
	return text
}

func written(s *record.Stream) string {
	if s.Len() == 0 {
		return "nothing yet"
	}
	return words.Plural(int(s.Lines()), "line") + ", " + words.Bytes(s.Len())
}

func countOr(n int, word, none string) string {
	if n == 0 {
		return none
	}
	return words.Plural(n, word)
}

// fact is a name and what is known of it, in as many rows of w cells as it
// takes.
func fact(k *cell.Look, name, text string, w int) []cell.Line {
	var l cell.Line
	l.Blank(1).OwnIn(cell.Fg(themes.Muted), name, 9)
	return prose.Hanging(k, l, 10, themes.Text, text, w-1)
}

// bar is how much of a limit is used.
func bar(n, of time.Duration, w int) cell.Line {
	w = max(w, 1)
	done := 0
	if of > 0 {
		done = min(int(int64(w)*int64(n)/int64(of)), w)
	}
	var l cell.Line
	l.Blank(1).Own(cell.Fg(themes.Notice), strings.Repeat("█", done)).
		Own(cell.Fg(themes.Border), strings.Repeat("░", w-done))
	return l
}
