package report

import (
	"fmt"
	"slices"
	"strings"

	"perch/engine/abi"
	"perch/inspect/rules"
)

// group is findings that have one cause, and what follows from them.
type group struct {
	cause    string // in words; empty where there is one finding
	findings []rules.Finding
	then     []rules.Finding
}

// groupsOf puts sorted findings together by their causes, in their order. What
// follows from another stands with the one that has its cause, else with the
// first of its run.
func groupsOf(all []rules.Finding) []group {
	var groups []group
	byCause, byRun := make(map[string]int), make(map[uint32]int)
	for _, f := range all {
		if f.Follows {
			at, ok := byCause[causeKey(f)]
			if !ok || f.Cause == "" {
				at, ok = byRun[f.RunID]
			}
			if ok {
				groups[at].then = append(groups[at].then, f)
				continue
			}
		}
		key := causeKey(f)
		at, ok := byCause[key]
		if !ok || f.Cause == "" {
			at = len(groups)
			groups = append(groups, group{})
			byCause[key] = at
		}
		groups[at].findings = append(groups[at].findings, f)
		if _, ok := byRun[f.RunID]; !ok {
			byRun[f.RunID] = at
		}
	}
	for i, g := range groups {
		if len(g.findings) > 1 {
			groups[i].cause = causeInWords(g.findings)
		}
	}
	return groups
}

// causeKey tells the causes of one run from those of another.
func causeKey(f rules.Finding) string { return fmt.Sprint(f.RunID, " ", f.Cause) }

// causeInWords is what findings with one cause are told to have in common. Some
// causes are keys: a rule, or one word.
func causeInWords(all []rules.Finding) string {
	text := fmt.Sprintf("%d findings with one cause", len(all))
	if cause := all[0].Cause; strings.Contains(cause, " ") {
		text += ": " + cause
	}
	return text
}

// told is what was told of each rule in one text.
type told map[abi.RuleID]int

// mostFull is how many findings of one rule are told in full; of the others the
// first lines.
const mostFull = 5

// find writes a finding that next follows, which may be nil.
func (s Style) find(t told, f rules.Finding, then []rules.Finding, next *rules.Finding, src Source) string {
	t[f.Rule]++
	same := next != nil && next.Rule == f.Rule && next.Fix == f.Fix && whose(*next) == whose(f)
	if t[f.Rule] <= mostFull {
		return s.one(f, then, src, same && t[f.Rule] < mostFull)
	}
	var b strings.Builder
	s.head(&b, f)
	s.place(&b, f)
	s.note(&b, "accepted", f.Accepted)
	return b.String()
}

// group writes findings with one cause. What neighbours all say the last says.
func (s Style) group(t told, g group, next *rules.Finding, src Source) string {
	if len(g.findings) == 1 {
		return s.find(t, g.findings[0], g.then, next, src)
	}
	var b strings.Builder
	s.wrappedAt(&b, "", 2, g.cause)
	const indent = "  "
	in := s
	in.Width = s.width() - len(indent)
	for i, f := range g.findings {
		then, next := g.then, (*rules.Finding)(nil)
		if i > 0 {
			then = nil
		}
		if i+1 < len(g.findings) {
			next = &g.findings[i+1]
		}
		for line := range strings.Lines(in.find(t, f, then, next, src)) {
			b.WriteString(indent + line)
		}
	}
	return b.String()
}

// Findings writes all findings, those with one cause together, a line free
// behind each.
func (s Style) Findings(all []rules.Finding, src Source) string {
	var b strings.Builder
	t, groups := make(told), groupsOf(all)
	for i, g := range groups {
		var next *rules.Finding
		if i+1 < len(groups) && len(groups[i+1].findings) == 1 {
			next = &groups[i+1].findings[0]
		}
		b.WriteString(s.group(t, g, next, src))
		b.WriteByte('\n')
	}
	return b.String()
}

// Counts writes how many findings there are of each severity.
func Counts(all []rules.Finding) string {
	var parts []string
	for _, s := range []abi.Severity{abi.Error, abi.Warning, abi.Notice} {
		if n := rules.Count(all, s); n > 0 {
			parts = append(parts, amount(n, string(s)))
		}
	}
	if len(parts) == 0 {
		return "nothing found"
	}
	return strings.Join(parts, ", ")
}

func amount(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// tally writes how many findings of one side there are, and how many of them
// are accepted. What follows from an earlier fault does not count.
func tally(all []rules.Finding, counts func(rules.Finding) bool) string {
	mine := slices.DeleteFunc(slices.Clone(all), func(f rules.Finding) bool {
		return f.Follows || f.Severity == abi.Info || !counts(f)
	})
	open := rules.NotAccepted(mine)
	if n := len(mine) - len(open); n > 0 && len(open) == 0 {
		return fmt.Sprintf("%d accepted", n)
	} else if n > 0 {
		return fmt.Sprintf("%s, %d accepted", Counts(open), n)
	}
	return Counts(open)
}
