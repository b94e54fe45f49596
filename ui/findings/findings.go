// Package findings puts findings into lines for panes: the title, where it is,
// whose word it stands on, and what to do. It knows nothing of where they are
// shown.
package findings

import (
	"fmt"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/report"
	"perch/inspect/rules"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/prose"
)

// Severity is a severity's glyph, its word, and its colour.
func Severity(s abi.Severity) (sign, word string, role themes.Role) {
	switch s {
	case abi.Error:
		return "✗", "error", themes.Error
	case abi.Warning:
		return "▲", "warning", themes.Warning
	case abi.Notice:
		return "◇", "notice", themes.Notice
	}
	return "·", "info", themes.Info
}

// OutcomeRole is the colour of an outcome.
func OutcomeRole(o event.Outcome) themes.Role {
	switch o {
	case event.OK:
		return themes.OK
	case event.ToolError:
		return themes.Warning
	case event.Broken, event.Refused:
		return themes.Error
	}
	return themes.Info
}

// Rest is what a finding's detail says beyond its title.
func Rest(f rules.Finding) string {
	rest := strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(f.Detail, f.Title), "."))
	if strings.Trim(rest, ". ") == "" {
		return ""
	}
	return rest
}

// maxFrames is how many frames of a stack are told.
const maxFrames = 3

// Lines are a finding for a room of w cells, the title first. What follows from
// another finding is its title alone.
func Lines(k *cell.Look, f rules.Finding, w int) []cell.Line {
	sign, _, role := Severity(f.Severity)
	var label cell.Line
	if f.Follows {
		label.Own(cell.Fg(themes.Muted), "└ then ")
		return prose.Hanging(k, label, 7, themes.Muted, f.Title, w)
	}
	label.Own(cell.Fg(role).With(themes.Bold), sign+" ")
	out := prose.Hanging(k, label, 2, themes.Text, f.Title, w)
	if rest := Rest(f); rest != "" {
		out = append(out, prose.Hanging(k, cell.Line{}, 2, themes.Muted, rest, w)...)
	}
	out = append(out, rule(k, f, w)...)
	for i, frame := range f.Stack {
		if i == maxFrames {
			break
		}
		var l cell.Line
		l.Blank(2).Own(cell.Fg(themes.Faint), "in ").Text(cell.Fg(themes.Muted), frame.Name)
		if frame.File != "" {
			l.Blank(2).Text(cell.Fg(themes.Muted), fmt.Sprintf("%s:%d", frame.File, frame.Line))
		}
		out = append(out, l)
	}
	out = append(out, prose.Hanging(k, cell.Line{}, 2, themes.Faint, report.Whose(f), w)...)
	if f.Fix != "" {
		var fix cell.Line
		fix.Blank(2).Own(cell.Fg(themes.OK), "fix ")
		out = append(out, prose.Hanging(k, fix, 6, themes.Text, f.Fix, w)...)
	}
	return out
}

// Counts is how many findings there are, the worst first: ✗ 1 error  ◇ 1 notice.
func Counts(all []rules.Finding) cell.Line {
	var l cell.Line
	for _, s := range []abi.Severity{abi.Error, abi.Warning, abi.Notice} {
		n := rules.Count(all, s)
		if n == 0 {
			continue
		}
		if len(l.Spans) > 0 {
			l.Blank(2)
		}
		sign, word, role := Severity(s)
		text := fmt.Sprintf("%s %d %s", sign, n, word)
		if n > 1 {
			text += "s"
		}
		l.Own(cell.Fg(role), text)
	}
	return l
}

// rule names the rule and the place, beside each other where both fit.
func rule(k *cell.Look, f rules.Finding, w int) []cell.Line {
	var l cell.Line
	l.Blank(2).Own(cell.Fg(themes.Accent), string(f.Rule))
	place := report.Place(f)
	if at := len(f.Rule) + 4; at+k.Measure(place) <= w {
		l.Blank(2).Text(cell.Fg(themes.Muted), place)
		return []cell.Line{l}
	}
	return append([]cell.Line{l}, prose.Hanging(k, cell.Line{}, 2, themes.Muted, place, w)...)
}
