// Package rules is what is found wrong with a package or a run: each rule's
// check on the record, and the finding in words. Findings are a pure function
// of a package's breaches and a run's events: the same when a record is read
// again. The package knows the events and the ledger, and nothing of terminals.
package rules

import (
	"cmp"
	"slices"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
)

// Finding is a rule that was not kept, in words.
type Finding struct {
	Rule     abi.RuleID
	Class    abi.Class
	Severity abi.Severity
	Title    string // one sentence: what happened
	Detail   string // all of it, the title included
	Fix      string // what to do, empty when there is nothing
	Where    event.Where
	Run      event.RunKind // the run in which it was found; empty: before any
	Cause    string        // findings with the same cause fold into one
	Follows  bool          // it follows from the first finding of its run
	Stack    []event.Frame
	Event    uint64 // number of the event that it is about
	RunID    uint32 // number of that run in its record; 0: none
	// AlsoMCP says of a finding on Subako's word that MCP 2026-07-28 asks for
	// the same.
	AlsoMCP bool
	// Also are further places of the same fault, at most maxAlso.
	Also []event.Where
	// Tool is the tool that it is about; empty where it is about none, or about
	// several: these are Tools, at most maxAlso.
	Tool  string
	Tools []string
	// Accepted is why somebody accepts it as it is; empty: nobody does.
	Accepted string
}

// Of makes the finding of a breach.
func Of(b event.Breach) Finding {
	r := abi.RuleOf(b.Rule)
	f := Finding{Rule: b.Rule, Class: r.Class, Severity: r.Severity(), Detail: b.Detail, Fix: b.Fix,
		Where: b.Where, Cause: b.Cause, Follows: b.Follow, Stack: b.Stack}
	if f.Detail == "" {
		f.Detail = r.Statement
	}
	f.Title = firstSentence(f.Detail)
	return f
}

// firstSentence is what stands before the first full stop or line end. What a
// module wrote stands in double quotes: no sentence ends in there. A full stop
// behind a blank is a character that is spoken of.
func firstSentence(s string) string {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\n':
			return withoutStop(s[:i])
		case quoted && s[i] == '\\':
			i++
		case s[i] == '"':
			quoted = !quoted
		case !quoted && s[i] == '.' && i > 0 && s[i-1] != ' ' && i+2 < len(s) && s[i+1] == ' ' && s[i+2] >= 'A' && s[i+2] <= 'Z':
			return s[:i]
		}
	}
	return withoutStop(s)
}

// withoutStop takes the full stop off a sentence, not the dots of a name.
func withoutStop(s string) string {
	if bare := strings.TrimSuffix(s, "."); !strings.HasSuffix(bare, ".") && !strings.HasSuffix(bare, " ") {
		return bare
	}
	return s
}

// Package makes the findings of a package and its module. The rules of
// package/* are notices for a bare module (our reading: exploring comes first).
func Package(breaches []event.Breach, bare bool) []Finding {
	var all []Finding
	for _, f := range foldImports(breaches) {
		if bare && f.Rule.Group() == "package" {
			f.Severity = abi.Notice
		}
		all = append(all, f)
	}
	return Sort(all)
}

// Refuses reports whether a finding refuses the package at upload.
func (f Finding) Refuses() bool {
	return f.Severity == abi.Error && abi.RuleOf(f.Rule).Effect() == abi.Refuses
}

// Sort orders findings by cause, then by place: what follows from another
// stands behind it, errors come first.
func Sort(all []Finding) []Finding {
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(
			boolOrder(a.Follows, b.Follows),
			cmp.Compare(severityOrder(a.Severity), severityOrder(b.Severity)),
			cmp.Compare(runOrder(a.Run), runOrder(b.Run)),
			cmp.Compare(streamOrder(a.Where.Stream), streamOrder(b.Where.Stream)),
			cmp.Compare(a.Where.Offset, b.Where.Offset),
			cmp.Compare(a.Event, b.Event),
		)
	})
	return all
}

func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func runOrder(k event.RunKind) int {
	return slices.Index([]event.RunKind{"", event.Upload, event.Call, event.Probe}, k)
}

func severityOrder(s abi.Severity) int {
	return slices.Index([]abi.Severity{abi.Error, abi.Warning, abi.Notice, abi.Info}, s)
}

func streamOrder(s event.Stream) int {
	return slices.Index([]event.Stream{event.File, event.Stdout, event.Stdin, event.Stderr, ""}, s)
}

// Worst is the worst severity among findings; empty when there are none.
func Worst(all []Finding) abi.Severity {
	worst := abi.Severity("")
	for _, f := range all {
		if worst == "" || severityOrder(f.Severity) < severityOrder(worst) {
			worst = f.Severity
		}
	}
	return worst
}

// Count returns the number of findings of a severity.
func Count(all []Finding, s abi.Severity) int {
	n := 0
	for _, f := range all {
		if f.Severity == s {
			n++
		}
	}
	return n
}
