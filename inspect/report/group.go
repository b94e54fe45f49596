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
// follows from the first finding of its run stands with that.
func groupsOf(all []rules.Finding) []group {
	var groups []group
	byCause, byRun := make(map[string]int), make(map[uint32]int)
	for _, f := range all {
		if f.Follows {
			if at, ok := byRun[f.RunID]; ok {
				groups[at].then = append(groups[at].then, f)
				continue
			}
		}
		key := fmt.Sprint(f.RunID, " ", f.Cause)
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

// causeInWords is what findings with one cause are told to have in common. Some
// causes are keys: a rule, or one word.
func causeInWords(all []rules.Finding) string {
	text := fmt.Sprintf("%d findings with one cause", len(all))
	if cause := all[0].Cause; strings.Contains(cause, " ") {
		text += ": " + cause
	}
	return text
}

// group writes findings with one cause. What they all say is said once.
func (s Style) group(g group, src Source) string {
	if len(g.findings) == 1 {
		return s.one(g.findings[0], g.then, src)
	}
	var b strings.Builder
	s.wrappedAt(&b, "", noteIndent, g.cause)
	const indent = "  "
	in := s
	in.Width = s.width() - len(indent)
	for i, f := range g.findings {
		if i+1 < len(g.findings) && g.findings[i+1].Fix == f.Fix {
			f.Fix = "" // the last of them says it
		}
		then := g.then
		if i > 0 {
			then = nil
		}
		for line := range strings.Lines(in.one(f, then, src)) {
			b.WriteString(indent + line)
		}
	}
	return b.String()
}

// Findings writes all findings, those with one cause together, a line free
// behind each.
func (s Style) Findings(all []rules.Finding, src Source) string {
	var b strings.Builder
	for _, g := range groupsOf(all) {
		b.WriteString(s.group(g, src))
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
