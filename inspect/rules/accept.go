package rules

import (
	"cmp"

	"perch/engine/abi"
)

// Acceptance says that findings of a rule are known and stay as they are.
type Acceptance struct {
	Rule   abi.RuleID
	Tool   string // findings about this tool alone; empty: all of the rule
	Reason string
	From   string // where it was said, "perch.toml:7"
}

// Accept marks what is accepted among findings and returns the acceptances that
// none of them needed, in their order. One about a tool goes before one about
// the whole rule. What Subako does about a finding it does not change.
func Accept(all []Finding, accepted []Acceptance) (unused []Acceptance) {
	used := make([]bool, len(accepted))
	for i := range all {
		if at := acceptanceOf(all[i], accepted); at >= 0 {
			all[i].Accepted, used[at] = accepted[at].Reason, true
		}
	}
	for i, a := range accepted {
		if !used[i] && !amongSeveral(all, a) {
			unused = append(unused, a)
		}
	}
	return unused
}

// amongSeveral reports whether a finding of the rule is about several tools at
// once: the accepted one may be one of them.
func amongSeveral(all []Finding, a Acceptance) bool {
	for _, f := range all {
		if a.Tool != "" && f.Rule == a.Rule && f.Tool == "" && len(f.Also) > 0 {
			return true
		}
	}
	return false
}

func acceptanceOf(f Finding, accepted []Acceptance) int {
	best := -1
	for i, a := range accepted {
		switch {
		case a.Rule != f.Rule || a.Tool != "" && a.Tool != f.Tool:
		case a.Tool != "":
			return i
		case best < 0:
			best = i
		}
	}
	return best
}

// NotAccepted are the findings that nobody accepted.
func NotAccepted(all []Finding) []Finding {
	var open []Finding
	for _, f := range all {
		if f.Accepted == "" {
			open = append(open, f)
		}
	}
	return open
}

// AtLeast reports whether a severity is as bad as another, or worse.
func AtLeast(s, least abi.Severity) bool { return severityOrder(s) <= severityOrder(least) }

// InCheck reports whether the upload check can find a rule: whether the module
// was run for it, and whether it was probed, counts. What calls alone can break
// it cannot.
func InCheck(r abi.Rule, ran, probed bool) bool {
	switch r.Phase {
	case "package", "module":
		return true
	case "wire", "discover", "list", "life":
		return ran
	case "probe":
		return probed
	}
	return false
}

// Gate says which findings fail a check, beside what Subako would refuse.
type Gate struct {
	Least  abi.Severity // the least severity that fails; empty: error
	Strict bool         // what departs from MCP fails, whatever its severity
}

// Fails reports whether a finding fails the check. One that is accepted does
// not.
func (g Gate) Fails(f Finding) bool {
	if f.Accepted != "" {
		return false
	}
	return AtLeast(f.Severity, cmp.Or(g.Least, abi.Error)) || g.Strict && f.Class == abi.ClassM
}

// Failing are the findings that fail the check.
func (g Gate) Failing(all []Finding) []Finding {
	var failing []Finding
	for _, f := range all {
		if g.Fails(f) {
			failing = append(failing, f)
		}
	}
	return failing
}
