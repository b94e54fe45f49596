package rules

import (
	"perch/engine/abi"
	"perch/engine/event"
)

// Lines is an index of findings by the lines that they are about: what a view
// of many lines asks for each row, at no cost. It does not change, and may be
// read by several goroutines.
type Lines struct{ at map[lineKey]*lineFindings }

type lineKey struct {
	run    uint32
	stream event.Stream
	line   int
}

type lineFindings struct {
	all         []Finding
	subako, mcp Verdict
}

// Index makes an index of findings, of one run or of several.
func Index(all []Finding) *Lines {
	l := &Lines{at: make(map[lineKey]*lineFindings)}
	for _, f := range all {
		l.add(f, f.Where)
		for _, w := range f.Also {
			l.add(f, w)
		}
	}
	for _, here := range l.at {
		here.subako, here.mcp = judgeSubako(here.all), judgeMCP(here.all)
	}
	return l
}

func (l *Lines) add(f Finding, w event.Where) {
	if w.Line == 0 || w.Stream == "" || w.Stream == event.File {
		return
	}
	key := lineKey{f.RunID, w.Stream, w.Line}
	here := l.at[key]
	if here == nil {
		here = &lineFindings{}
		l.at[key] = here
	}
	if n := len(here.all); n > 0 && here.all[n-1].Event == f.Event && here.all[n-1].Rule == f.Rule && here.all[n-1].Where == f.Where {
		return // it stands in this line at several places
	}
	here.all = append(here.all, f)
}

// Findings are those about a line of a stream of a run, in their order. They
// must not be changed.
func (l *Lines) Findings(run uint32, stream event.Stream, line int) []Finding {
	if here := l.at[lineKey{run, stream, line}]; here != nil {
		return here.all
	}
	return nil
}

// Verdicts are the two verdicts on a line of a stream of a run, by its findings
// alone: neither is judged where there are none.
func (l *Lines) Verdicts(run uint32, stream event.Stream, line int) (subako, mcp Verdict) {
	here := l.at[lineKey{run, stream, line}]
	if here == nil {
		return Verdict{}, Verdict{}
	}
	return here.subako, here.mcp
}

// Message are the two verdicts on a line of stdout. Subako reads answers,
// ignores notifications, and reads nothing after its verdict.
func (l *Lines) Message(run uint32, m event.Message) (subako, mcp Verdict) {
	here := l.at[lineKey{run, event.Stdout, m.Line}]
	if m.Evidence {
		return Verdict{Text: "not read"}, Verdict{Text: "not judged"}
	}
	subako, mcp = Verdict{Judged: true}, Verdict{Judged: true, Text: "nothing found"}
	if here != nil {
		subako, mcp = here.subako, here.mcp
	}
	switch {
	case subako.Rule != "" && abi.RuleOf(subako.Rule).Effect() == abi.Refuses:
		subako.Text = "refused: " + string(subako.Rule)
	case subako.Rule != "":
		subako.Text = "broken: " + string(subako.Rule)
	case m.Kind == event.Notification && subako.Severity == "":
		return Verdict{Text: "ignored"}, mcp
	case m.Kind == event.Notification:
		subako.Text = "ignored" + with(here.all, countsForSubako)
	case here != nil:
		subako.Text = "accepted" + with(here.all, countsForSubako)
	default:
		subako.Text = "accepted"
	}
	return subako, mcp
}

// LineVerdicts are the two verdicts on one line of a stream of a run. For many
// lines make an Index.
func LineVerdicts(all []Finding, run uint32, stream event.Stream, line int) (subako, mcp Verdict) {
	return Index(all).Verdicts(run, stream, line)
}
