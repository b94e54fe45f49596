package rules

import (
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

// Verdict is what one side says of a package, a run, an exchange or a line.
type Verdict struct {
	Severity abi.Severity // the worst; empty: nothing is wrong
	Count    int          // findings that count on this side
	Text     string       // "accepted, with 2 notices"; "3 warnings"
}

// Verdicts are the two verdicts on a package or a run by its findings.
func Verdicts(outcome event.Outcome, all []Finding) (subako, mcp Verdict) {
	return verdictOf(outcome, all, SubakoSays), verdictOf(outcome, all, MCPSays)
}

// LineVerdicts are the two verdicts on one line of a stream of a run.
func LineVerdicts(all []Finding, run uint32, stream event.Stream, line int) (subako, mcp Verdict) {
	var here []Finding
	for _, f := range all {
		if f.RunID == run && f.Where.Stream == stream && f.Where.Line == line {
			here = append(here, f)
		}
	}
	return Verdicts("", here)
}

func verdictOf(outcome event.Outcome, all []Finding, side Side) Verdict {
	v := Verdict{}
	for _, f := range all {
		if f.Side() == side {
			v.Count++
			if v.Severity == "" || severityOrder(f.Severity) < severityOrder(v.Severity) {
				v.Severity = f.Severity
			}
		}
	}
	return v
}

// Side is whose word the finding's rule stands on.
func (f Finding) Side() Side {
	if f.Class == abi.ClassM {
		return MCPSays
	}
	if f.Class == abi.ClassH {
		return SubakoSays
	}
	return OurReading
}
