package rules

import (
	"fmt"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
)

// Side is whose word a finding stands on. They are never mixed.
type Side byte

// The sides.
const (
	OurReading Side = iota // perch's own: a choice where the page is silent, a should
	SubakoSays             // a sentence of the ABI page
	MCPSays                // MCP 2026-07-28
)

// String is how the side is named to people: "Subako", "MCP", "our reading".
func (s Side) String() string {
	switch s {
	case SubakoSays:
		return "Subako"
	case MCPSays:
		return "MCP"
	}
	return "our reading"
}

// Side is whose word the finding's rule stands on.
func (f Finding) Side() Side {
	r := abi.RuleOf(f.Rule)
	if f.Class != r.Class {
		return OurReading // a part of the rule that is only a should
	}
	return sideOf(r)
}

// Departs reports whether what was found departs from MCP 2026-07-28, be it
// that MCP alone asks for it or that Subako does too.
func (f Finding) Departs() bool { return f.Class == abi.ClassM || f.AlsoMCP }

// Verdict is what one side says of a package, a run or a line.
type Verdict struct {
	// Severity is the worst that counts on this side; empty: nothing is wrong.
	Severity abi.Severity
	// Count is how many findings count on this side. What follows from an
	// earlier fault does not, nor what is only shown or was accepted; but what
	// Subako does about a fault nobody can accept away.
	Count int
	// Rule decided it, when it broke a run, or a line by MCP; else empty.
	Rule abi.RuleID
	// Judged is false where this side has nothing to say: of a request, of a
	// notification, of what came after the verdict.
	Judged bool
	// Text is the verdict in words: "accepted, with 2 notices"; "broken:
	// frame/pretty"; "nothing found"; "3 warnings".
	Text string
}

// PackageVerdicts are the two verdicts on a package, by the findings of the
// package, its module and its upload run. Subako's says what Subako would do;
// the notices that it counts are our reading and change nothing.
func PackageVerdicts(accepted bool, all []Finding) (subako, mcp Verdict) {
	subako, mcp = judgeSubako(all), judgeMCP(all)
	subako.Rule = ""
	if accepted {
		subako.Text = "accepted" + with(all, countsForSubako)
		return subako, mcp
	}
	if Broke(all) {
		mcp.cutShort()
	}
	subako.Text = "refused"
	if n := counted(all, countsForSubako)[abi.Error]; n > 0 {
		subako.Text += ": " + amount(n, abi.Error)
	}
	return subako, mcp
}

// Verdicts are the two verdicts on a call by its outcome and its findings. Of a
// call that has not ended the outcome is empty.
func Verdicts(outcome event.Outcome, all []Finding) (subako, mcp Verdict) {
	subako, mcp = judgeSubako(all), judgeMCP(all)
	switch outcome {
	case event.Broken, event.Refused:
		subako.Text = string(outcome)
		if subako.Rule != "" {
			subako.Text += ": " + string(subako.Rule)
		}
		if Broke(all) {
			mcp.cutShort()
		}
		return subako, mcp
	case event.OK, event.ToolError, event.Cancelled:
		subako.Rule = ""
		subako.Text = strings.ReplaceAll(string(outcome), "_", " ") + with(all, countsForSubako)
	case "":
		subako.Text = amounts(counted(all, countsForSubako))
	}
	return subako, mcp
}

// Broke reports whether findings are of a run that ended too early, by how the
// module lives and not by what it wrote.
func Broke(all []Finding) bool {
	for _, f := range all {
		if f.Follows || f.Severity != abi.Error {
			continue
		}
		if f.Rule.Group() == "life" || f.Rule == abi.ListTime || f.Rule == abi.FrameStdoutSize {
			return true
		}
	}
	return false
}

// CutShort is the verdict of MCP on a run that ended too early, where nothing
// was found: of a module that answered nothing that is not much.
const CutShort = "nothing found before it broke"

func (v *Verdict) cutShort() {
	if v.Text == nothing {
		v.Text = CutShort
	}
}

// countsForSubako says which findings stand in Subako's verdict: those of the
// ABI page, and the notices that are our reading.
func countsForSubako(f Finding) bool {
	return !f.Follows && f.Class != abi.ClassM && f.Severity != abi.Info && (f.Accepted == "" || f.Severity == abi.Error)
}

func countsForMCP(f Finding) bool {
	return !f.Follows && f.Departs() && (f.Accepted == "" || f.Severity == abi.Error)
}

func judgeSubako(all []Finding) Verdict {
	v := tally(all, countsForSubako)
	for _, f := range all {
		if countsForSubako(f) && f.Severity == abi.Error {
			v.Rule = f.Rule
			break
		}
	}
	return v
}

// judgeMCP is MCP's verdict. What breaks the protocol itself is no matter of
// counting: the run, or the line, is broken.
func judgeMCP(all []Finding) Verdict {
	v := tally(all, countsForMCP)
	for _, f := range all {
		if countsForMCP(f) && f.Severity == abi.Error && abi.RuleOf(f.Rule).Effect() == abi.Breaks {
			v.Rule = f.Rule
			break
		}
	}
	if v.Rule == "" {
		v.Text = amounts(counted(all, countsForMCP))
		return v
	}
	v.Text = "broken: " + string(v.Rule)
	rest := counted(all, countsForMCP)
	delete(rest, abi.Error)
	if len(rest) > 0 {
		v.Text += ", with " + amounts(rest)
	}
	return v
}

func tally(all []Finding, counts func(Finding) bool) Verdict {
	v := Verdict{Judged: true}
	for _, f := range all {
		if !counts(f) {
			continue
		}
		v.Count++
		if v.Severity == "" || severityOrder(f.Severity) < severityOrder(v.Severity) {
			v.Severity = f.Severity
		}
	}
	return v
}

func counted(all []Finding, counts func(Finding) bool) map[abi.Severity]int {
	n := make(map[abi.Severity]int)
	for _, f := range all {
		if counts(f) {
			n[f.Severity]++
		}
	}
	return n
}

// with is what stands behind a good outcome.
func with(all []Finding, counts func(Finding) bool) string {
	n := counted(all, counts)
	if len(n) == 0 {
		return ""
	}
	return ", with " + amounts(n)
}

const nothing = "nothing found"

// amounts writes "1 error, 2 warnings and 1 notice".
func amounts(n map[abi.Severity]int) string {
	var parts []string
	for _, s := range []abi.Severity{abi.Error, abi.Warning, abi.Notice} {
		if n[s] > 0 {
			parts = append(parts, amount(n[s], s))
		}
	}
	switch len(parts) {
	case 0:
		return nothing
	case 1:
		return parts[0]
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

func amount(n int, s abi.Severity) string {
	if n == 1 {
		return "1 " + string(s)
	}
	return fmt.Sprintf("%d %ss", n, s)
}
