package stream

import (
	"fmt"
	"strings"

	"perch/engine/event"
	"perch/engine/wasi"
	"perch/inspect/record"
	"perch/inspect/rules"
	"perch/themes"
	"perch/ui/words"
)

// maxWhat is how many bytes of a module's text a row of Events holds.
const maxWhat = 512

// describe puts an event into the words of a row.
func describe(run *record.Run, e event.Event) eventRow {
	switch b := e.Body.(type) {
	case event.Begin:
		text := string(b.Kind) + " run"
		if b.Tool != "" {
			text = "call of " + headOf(b.Tool, 100)
		}
		return eventRow{kind: "begin", role: themes.Muted, what: text}
	case event.Request:
		return eventRow{kind: fmt.Sprintf("in %d", b.Line), role: themes.ToModule, what: b.Method + "  id " + b.ID}
	case event.StdinClosed:
		return eventRow{kind: "stdin", role: themes.ToModule, what: "closed"}
	case event.Output:
		return describeOutput(run, b)
	case event.Message:
		return describeMessage(run, b)
	case event.WASI:
		return describeWASI(b)
	case event.FileEffect:
		return describeFile(b)
	case event.Memory:
		text := fmt.Sprintf("%s → %s", words.Size(b.From), words.Size(b.To))
		if b.Refused {
			return eventRow{kind: "memory", role: themes.Memory, what: text, own: true, then: fmt.Sprintf(" refused, limit %s", words.Limit(int64(b.Limit))), bad: themes.Error}
		}
		return eventRow{kind: "memory", role: themes.Memory, what: text, own: true}
	case event.HTTPRequest, event.HTTPHop, event.HTTPAnswer, event.HTTPRead:
		return describeHTTP(e.Body)
	}
	return describeLife(e.Body)
}

func describeOutput(run *record.Run, b event.Output) eventRow {
	role := themes.FromModule
	if b.Stream == event.Stderr {
		role = themes.Stderr
	}
	text := string(run.Stream(b.Stream).Bytes(b.Offset, min(b.Len, maxWhat)))
	return eventRow{kind: string(b.Stream), role: role, what: strings.TrimSuffix(text, "\n")}
}

func describeMessage(run *record.Run, m event.Message) eventRow {
	r := eventRow{kind: fmt.Sprintf("out %d", m.Line), role: themes.FromModule}
	switch m.Kind {
	case event.NotMessage:
		r.sign, r.what = "✗ ", string(run.Stream(event.Stdout).Bytes(m.Offset, min(m.Len, maxWhat)))
	case event.Notification:
		r.what = "notification " + headOf(m.Method, 100) + ", ignored"
	case event.ServerReq:
		r.what = "request " + headOf(m.Method, 100)
	default:
		r.what = string(m.Kind) + "  id " + headOf(m.ID, 100)
	}
	if m.Evidence {
		r.then, r.bad = ", not read", themes.Muted
	}
	return r
}

// describeWASI is a call in short: its descriptors, paths and sizes.
func describeWASI(w event.WASI) eventRow {
	r := eventRow{kind: "wasi", role: themes.WASI, what: w.Func, count: w.Count, bad: themes.OK}
	var args []string
	f := wasi.Lookup(w.Func)
	if f != nil {
		for i, p := range f.Params {
			if p.Kind == wasi.Handle && i < len(w.Args) {
				args = append(args, fmt.Sprint(uint32(w.Args[i])))
			}
		}
	}
	if w.Path != "" {
		args = append(args, quoted(w.Path))
	}
	if w.NewPath != "" {
		args = append(args, quoted(w.NewPath))
	}
	if !isReturning(f) && len(w.Args) > 0 {
		args = append(args, fmt.Sprint(uint32(w.Args[0])))
	}
	if len(args) > 0 {
		r.what += "(" + strings.Join(args, ", ") + ")"
	}
	r.what += moved(f, w)
	switch {
	case !isReturning(f):
	case w.Errno != 0:
		r.then, r.bad = " → "+wasi.Errno(w.Errno).String(), themes.Warning
	case w.Func == "path_open" && len(w.Out) > 0:
		r.then = fmt.Sprintf(" → fd %d", w.Out[0])
	default:
		r.then = " → ok"
	}
	if w.Count > 1 {
		r.then += " ×" + words.Count(w.Count)
	}
	return r
}

// isReturning reports whether a function returns an error number: proc_exit
// does not return.
func isReturning(f *wasi.Func) bool { return f == nil || f.Errno }

// moved is how many bytes a read or a write moved.
func moved(f *wasi.Func, w event.WASI) string {
	if f == nil || w.Errno != 0 {
		return ""
	}
	for i, name := range f.Outs {
		if i < len(w.Out) && (name == "nread" || name == "nwritten") {
			return " " + words.Bytes(w.Out[i])
		}
	}
	return ""
}

// quoted is a path of the module in a row.
func quoted(s string) string { return `"` + headOf(s, maxWhat) + `"` }

func describeFile(f event.FileEffect) eventRow {
	r := eventRow{kind: "file", role: themes.File, what: string(f.Op) + " " + headOf(f.Path, maxWhat)}
	if f.NewPath != "" {
		r.what += " to " + headOf(f.NewPath, maxWhat)
	}
	switch f.Op {
	case event.FileWrite, event.FileRead, event.FileTruncate:
		r.then, r.bad = "  "+words.Bytes(f.Bytes), themes.Muted
	case event.FileRefused:
		r.then, r.bad = " → "+wasi.Errno(f.Errno).String(), themes.Warning
	}
	return r
}

func describeHTTP(body event.Body) eventRow {
	r := eventRow{role: themes.HTTP}
	switch b := body.(type) {
	case event.HTTPRequest:
		r.kind, r.what = fmt.Sprintf("http %d", b.ID), "request "+headOf(b.Method, 16)+" "+headOf(b.URL, maxWhat)
	case event.HTTPHop:
		r.kind, r.what = fmt.Sprintf("http %d", b.ID), fmt.Sprintf("hop %d %s", b.Hop, headOf(b.URL, maxWhat))
		r.then, r.bad = fmt.Sprintf(" → %d", b.Status), themes.OK
		for _, d := range b.Decisions {
			if !d.OK {
				r.then, r.bad = " ✗ "+d.Check, themes.Error
			}
		}
	case event.HTTPAnswer:
		r.kind, r.what = fmt.Sprintf("http %d", b.ID), "answer"
		r.then, r.bad = fmt.Sprintf(" %d, %s", b.Status, words.Bytes(b.Bytes)), themes.OK
		if b.Kind != "" {
			r.then, r.bad = " "+string(b.Kind), themes.Error
		}
	case event.HTTPRead:
		r.kind, r.what = fmt.Sprintf("http %d", b.ID), b.Func
		r.then, r.bad = fmt.Sprintf(" → %d", b.Return), themes.Muted
		if b.Return < 0 {
			r.bad = themes.Error
		}
	}
	return r
}

// describeLife is for the events of a run's life and its judgement.
func describeLife(body event.Body) eventRow {
	switch b := body.(type) {
	case event.Breach:
		return eventRow{kind: "breach", role: themes.Error, what: string(b.Rule) + "  " + headOf(rules.Of(b).Title, maxWhat)}
	case event.Verdict:
		text := string(b.Outcome)
		if b.Rule != "" {
			text += "  " + string(b.Rule)
		}
		return eventRow{kind: "verdict", role: themes.Notice, what: text}
	case event.Link:
		return eventRow{kind: "link", role: themes.File, what: fmt.Sprintf("block %d %s", b.Block+1, headOf(b.URI, maxWhat))}
	case event.Safepoint:
		return eventRow{kind: "stop", role: themes.Notice, what: b.Why}
	case event.Exit:
		return eventRow{kind: "exit", role: themes.Muted, what: exitWords(b)}
	case event.End:
		return eventRow{kind: "end", role: themes.Muted, what: strings.TrimLeft(words.Outcome(b.Outcome), "✓▲✗· ") + ", " + words.Duration(b.Usage.Time)}
	}
	return eventRow{kind: "event", role: themes.Muted}
}

func exitWords(x event.Exit) string {
	switch {
	case x.Code != nil:
		return fmt.Sprintf("status %d", *x.Code)
	case x.Trap != "":
		return "trap: " + headOf(x.Trap, maxWhat)
	}
	return "stopped: " + x.Stopped
}
