package bench

import (
	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/wire"
	"perch/inspect/rules"
)

// Add adds what all probes found, and marks what is accepted.
func (b *Bench) Add(u *Upload, found []rules.Finding) {
	u.Probed = true
	b.AddSome(u, found)
}

// AddSome is Add where not all probes were made.
func (b *Bench) AddSome(u *Upload, found []rules.Finding) {
	u.Findings = rules.Sort(append(u.Findings[:len(u.Findings):len(u.Findings)], found...))
	b.accept(u)
}

// accept says of each finding which tool it is about, and marks those that the
// settings accept.
func (b *Bench) accept(u *Upload) {
	for i, f := range u.Findings {
		if f.Tool == "" && len(f.Also) == 0 && f.Run == event.Upload {
			u.Findings[i].Tool = toolAt(u.Tools, f.Where)
		}
	}
	u.Unused = nil
	for _, a := range rules.Accept(u.Findings, b.acceptances()) {
		if rules.InCheck(abi.RuleOf(a.Rule), u.Run != nil, u.Probed) {
			u.Unused = append(u.Unused, a)
		}
	}
}

// acceptCall is accept for the findings of a call.
func (b *Bench) acceptCall(all []rules.Finding, tool string) {
	for i := range all {
		all[i].Tool = tool
	}
	rules.Accept(all, b.acceptances())
}

func (b *Bench) acceptances() []rules.Acceptance {
	list := make([]rules.Acceptance, len(b.Settings.Accept))
	for i, a := range b.Settings.Accept {
		list[i] = rules.Acceptance(a)
	}
	return list
}

// toolAt is the name of the tool whose bytes on stdout hold a place; empty when
// none does.
func toolAt(tools []wire.Tool, w event.Where) string {
	if w.Stream != event.Stdout {
		return ""
	}
	for _, t := range tools {
		if w.Offset >= t.Where.Offset && w.Offset < t.Where.End {
			return t.Name
		}
	}
	return ""
}
