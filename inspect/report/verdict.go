package report

import (
	"fmt"
	"slices"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/rules"
	"perch/inspect/safe"
)

// Verdicts writes what Subako would do with a package, and what MCP says of it,
// in a line each.
func (s Style) Verdicts(c Check) string {
	subako, mcp := c.verdicts()
	return s.sides(subako, mcp)
}

// verdicts are what either side says of a package.
func (c Check) verdicts() (subako, mcp string) {
	subako = "would refuse it"
	if c.Accepted {
		subako = "would accept it"
	}
	subako += fmt.Sprintf(": %s, %s", amount(len(c.Tools), "tool"), tally(c.Findings, onSubakoSide))
	mcp = "not judged: the module was not run"
	if c.Ran {
		mcp = tally(c.Findings, rules.Finding.Departs)
	}
	if c.Ran && mcp == Counts(nil) && rules.Broke(c.Findings) {
		mcp = rules.CutShort
	}
	return subako, mcp
}

// CallVerdicts writes what either side says of a call, in one line where that
// is wide enough.
func (s Style) CallVerdicts(outcome event.Outcome, all []rules.Finding) string {
	subako, mcp := rules.Verdicts(outcome, all)
	parts := []string{"Subako: " + subako.Text, nameOfMCP + ": " + mcp.Text}
	if n := len(all) - len(rules.NotAccepted(all)); n > 0 {
		parts = append(parts, fmt.Sprintf("%d accepted", n))
	}
	if row := s.Row(parts...); safe.Width(row) <= s.width() {
		return row
	}
	for i, p := range parts {
		parts[i] = s.line(p)
	}
	return strings.Join(parts, "\n")
}

// nameOfMCP is how MCP is named where its verdict stands.
const nameOfMCP = "MCP " + abi.ProtocolVersion

// sides writes what either side says, one below the other.
func (s Style) sides(subako, mcp string) string {
	var b strings.Builder
	for _, side := range [][2]string{{"Subako", subako}, {nameOfMCP, mcp}} {
		s.wrappedAt(&b, fmt.Sprintf("%-*s  ", len(nameOfMCP), side[0]), len(nameOfMCP)+2, side[1])
	}
	return b.String()
}

// onSubakoSide reports whether a finding counts in what is said of Subako: what
// the ABI page says, and what our reading adds to it.
func onSubakoSide(f rules.Finding) bool { return f.Class != abi.ClassM }

// unused tells of acceptances that no finding needed.
func (s Style) unused(all []rules.Acceptance) string {
	var b strings.Builder
	for _, a := range all {
		s.wrappedAt(&b, "accepted, but not found: ", noteIndent, acceptedRule(a)+inParens(a.From))
	}
	return b.String()
}

// acceptedRule names what was accepted as the settings do.
func acceptedRule(a rules.Acceptance) string {
	if a.Tool == "" {
		return string(a.Rule)
	}
	return string(a.Rule) + ":" + a.Tool
}

// Sum counts what became of several packages.
type Sum struct{ accepted, refused, failed, unchecked int }

// Add counts a package.
func (s *Sum) Add(c Check) {
	switch {
	case c.Problem != "":
		s.unchecked++
	case !c.Accepted:
		s.refused++
	case c.Failed():
		s.failed++
	default:
		s.accepted++
	}
}

// String tells the sum in a line.
func (s *Sum) String() string {
	parts := []string{fmt.Sprintf("%d accepted", s.accepted)}
	for _, p := range []struct {
		n    int
		what string
	}{{s.failed, "accepted by Subako alone"}, {s.refused, "refused"}, {s.unchecked, "not checked"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	return amount(s.accepted+s.refused+s.failed+s.unchecked, "package") + ": " + strings.Join(parts, ", ")
}

// toTell are the findings of a check as a person is told of them. Of what is
// only shown the first line is enough, once the module could be run.
func toTell(c Check) []rules.Finding {
	all := slices.Clone(c.Findings)
	for i, f := range all {
		if f.Severity == abi.Info && c.Ran {
			all[i].Detail, all[i].Fix, all[i].Where = f.Title, "", event.Where{}
		}
	}
	return all
}

// Check writes the report of a check for a person.
func (s Style) Check(c Check) string {
	var b strings.Builder
	heading := c.Package.Heading()
	if !strings.HasSuffix(strings.TrimSuffix(c.Path, "/"), c.Package.Name) {
		heading = slices.Insert(heading, 1, c.Path) // its name alone does not tell which it is
	}
	row := s.Row(heading...)
	if safe.Width(row) > s.width() {
		row = s.Row(heading[:len(heading)-1]...) // without the sum
	}
	s.wrappedAt(&b, "", 0, row)
	b.WriteByte('\n')
	b.WriteString(s.Findings(toTell(c), c.Source))
	b.WriteString(s.Verdicts(c))
	if c.Incomplete != "" {
		s.wrappedAt(&b, "", noteIndent, c.Incomplete)
	}
	b.WriteString(s.unused(c.Unused))
	for _, f := range c.Findings {
		if f.Severity != abi.Info {
			s.wrappedAt(&b, "", noteIndent, "More on a rule: perch rules "+string(f.Rule))
			break
		}
	}
	return b.String()
}
