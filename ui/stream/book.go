package stream

import (
	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/record"
	"perch/inspect/rules"
)

// Found is what was found in a run.
type Found struct {
	// Own are the findings of the run; those of the package stand among the
	// ones of its upload run.
	Own []rules.Finding
	// Beside are findings that decide nothing of this run.
	Beside []Group
	// Subako and MCP are the two verdicts on the run.
	Subako, MCP rules.Verdict
	// Version changes when anything of it does.
	Version uint64
}

// Progress is how far something is; Total is 0 when nothing goes on.
type Progress struct {
	Done, Total int
	Name        string // what is being done
}

// Group is findings below a heading.
type Group struct {
	Title string // "of the upload run"
	Note  string // what they are, in a sentence
	None  string // what is said where there are none; "" leaves the heading out
	All   []rules.Finding
}

// book is what all panes of an app share: what was found in the run that they
// show, indexed by line and made anew once when something changed, and how they
// write times.
type book struct {
	found func(*record.Run) Found // nil: by the record alone
	run   *record.Run
	now   Found
	have  bool
	lines *rules.Lines
	host  []rules.Finding // about HTTP and files, in their order
	stamp uint64          // grows with each change

	checker *rules.Checker // when found is nil

	times Times // how all panes write times
}

// maxHost is how many findings about HTTP and files are told of at their rows.
const maxHost = 2_000

// sync takes what was found since the last time; the same run again costs
// nothing when nothing was.
func (b *book) sync(run *record.Run) {
	if run == nil {
		return
	}
	if run != b.run {
		b.run, b.have, b.checker = run, false, nil
	}
	now := b.look(run)
	if b.have && now.Version == b.now.Version {
		return
	}
	b.now, b.have = now, true
	b.lines = rules.Index(now.Own)
	b.host = nil
	for _, f := range now.Own {
		if g := f.Rule.Group(); f.RunID == run.ID() && (g == "http" || g == "files") && len(b.host) < maxHost {
			b.host = append(b.host, f)
		}
	}
	b.stamp++
}

func (b *book) look(run *record.Run) Found {
	if b.found != nil {
		return b.found(run)
	}
	if b.checker == nil {
		b.checker = rules.NewChecker(run, rules.Known{})
	}
	f := Found{Own: b.checker.Findings(), Version: b.checker.Changes() + 1}
	end, _ := run.End()
	f.Subako, f.MCP = rules.Verdicts(end.Outcome, f.Own)
	return f
}

// of are the findings about a line of the run.
func (b *book) of(s event.Stream, line int) []rules.Finding {
	if b.lines == nil {
		return nil
	}
	return b.lines.Findings(b.run.ID(), s, line)
}

// message are the two verdicts on a line of stdout.
func (b *book) message(m event.Message) (subako, mcp rules.Verdict) {
	if b.lines == nil {
		return rules.Verdict{}, rules.Verdict{}
	}
	return b.lines.Message(b.run.ID(), m)
}

// first is the first finding of a rule.
func (b *book) first(rule abi.RuleID) (rules.Finding, bool) {
	for _, f := range b.now.Own {
		if f.Rule == rule {
			return f, true
		}
	}
	return rules.Finding{}, false
}
