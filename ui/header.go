package ui

import (
	"time"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/report"
	"perch/inspect/rules"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/findings"
	"perch/ui/layout"
	"perch/ui/words"
)

// outcomeNow is the word for how things stand, for the header.
func (a *App) outcomeNow() (text string, outcome event.Outcome, live bool) {
	s := a.session
	if o := a.opening; o != nil {
		return waiting("opening", a.clock.Mono()-o.since), "", true
	}
	if s == nil || a.at == inOpen && s.live == nil { // the gallery has no outcome
		return "ready", "", false
	}
	wait := a.clock.Mono() - s.since
	switch {
	case s.live != nil:
		return a.runningWords(), "", true
	case s.probes != nil:
		return s.probes.words(), "", true
	case s.phase == compiling:
		return waiting("compiling", wait), "", true
	case s.phase == uploading:
		return waiting("uploading", wait), "", true
	case s.seriesWas() != nil:
		return s.series.words(), s.series.worst(), false
	case s.last != "":
		text = words.Outcome(s.last)
		if s.last == event.OK || s.last == event.ToolError {
			text += " " + words.Duration(s.took)
		}
		return text, s.last, false
	case s.upload.Outcome == event.Refused:
		return words.Outcome(event.Refused), event.Refused, false
	}
	return "ready", "", false
}

// waiting says what is waited for; how long is told from 0.3 s on.
func waiting(word string, d time.Duration) string {
	if d < 300*time.Millisecond {
		return word
	}
	return word + " " + seconds(d)
}

// headerPlan is how much the header tells of the package.
type headerPlan struct {
	perch bool // the product's name in front
	name  int  // cells of the package's name at most
	facts int  // of ABI, language and size; all three, size alone, none
	words bool // the verdict in a word beside its sign
	mcp   bool // MCP's verdict beside Subako's
}

// headerPlans are the plans for a width, the fullest first. A package names
// itself: however long its name is, the verdict and how things stand stay
// whole.
func headerPlans(w int) []headerPlan {
	name := max(w/4, 12)
	switch {
	case w < 60:
		return []headerPlan{{name: name}, {name: 8}}
	case w < 100:
		return []headerPlan{{name: name, mcp: true}, {name: 12, mcp: true}, {name: 12}, {name: 8}}
	}
	return []headerPlan{
		{true, name, 3, true, true}, {true, name, 1, true, true}, {true, 20, 1, true, true},
		{true, 20, 0, true, true}, {true, 12, 0, true, true}, {false, 12, 0, true, true}, {false, 12, 0, false, false},
	}
}

// header is the first row: the package, the verdict of its upload, how things
// stand.
func (a *App) header() string {
	state := a.headerState()
	room := a.w - a.look.Width(state) - 2
	var l cell.Line
	for _, plan := range headerPlans(a.w) {
		l = a.headerSubject(plan)
		if a.look.Width(l) <= room {
			break
		}
	}
	l.Fill = cell.Style{Fg: themes.Text, Bg: themes.Surface}
	return a.look.Row(*l.Gap().Add(state), a.w)
}

// headerSubject is the left part: what is open.
func (a *App) headerSubject(plan headerPlan) cell.Line {
	var l cell.Line
	l.Blank(1)
	if a.opening == nil && a.session != nil && a.at != inOpen {
		a.headerPackage(&l, plan)
		return l
	}
	l.Own(cell.Fg(themes.Accent).With(themes.Bold), "perch")
	if a.opening != nil {
		l.Blank(2).Text(cell.Fg(themes.Text), a.look.Text.CutPath(a.look.Text.Line(a.opening.name), max(a.w-40, 12)))
	}
	return l
}

// headerState is the right part: the view, and how things stand.
func (a *App) headerState() cell.Line {
	text, outcome, live := a.outcomeNow()
	role := themes.Muted
	if outcome != "" {
		role = findings.OutcomeRole(outcome)
	} else if live {
		role = themes.Notice
	}
	var l cell.Line
	if a.w >= layout.MinWidth {
		name := map[place]string{inOpen: "Open", inExplore: "Explore", inCheck: "Check"}[a.at]
		if a.w >= 60 {
			name = "[" + name + "]"
		}
		l.Own(cell.Fg(themes.Accent).With(themes.Bold), name).Blank(2)
		if a.w >= 100 {
			l.Blank(1)
		}
	}
	if s := a.session; s != nil && s.reload.rerun && a.at != inOpen && a.w >= 60 {
		l.Own(cell.Fg(themes.Notice), "re-run").Blank(2)
	}
	l.Own(cell.Fg(role).With(themes.Bold), text)
	if s := a.session; s != nil && s.mocks.last > 0 && outcome != "" && s.last == outcome {
		l.Own(cell.Fg(themes.Changed).With(themes.Bold), " ≠ mocked")
	}
	return *l.Blank(1)
}

func (a *App) headerPackage(l *cell.Line, plan headerPlan) {
	s := a.session
	about := s.bench.About()
	if plan.perch {
		l.Own(cell.Fg(themes.Accent).With(themes.Bold), "perch").Blank(2)
	}
	name := about.Name
	if name == "" {
		name = s.name
	}
	l.Text(cell.Fg(themes.Text).With(themes.Bold), a.look.Text.Cut(a.look.Text.Line(name), plan.name))
	a.headerFacts(l, about, plan.facts)
	if !s.known {
		return
	}
	sign, word, role := "✓", "accepted", themes.OK
	if !s.upload.Accepted() {
		sign, word, role = "✗", "refused", themes.Error
		if n := rules.Count(s.upload.Findings, abi.Error); n > 0 && plan.mcp {
			word += ", " + words.Plural(n, "error")
		}
	}
	if a.w < 60 {
		l.Own(cell.Fg(role), " "+sign)
		return
	}
	if plan.words {
		sign += " " + word
	}
	l.Blank(3).Own(cell.Fg(themes.Muted), "Subako ").Own(cell.Fg(role), sign)
	if plan.mcp {
		a.headerMCP(l, plan.words)
	}
}

// headerFacts adds what is known of the module.
func (a *App) headerFacts(l *cell.Line, about report.Package, n int) {
	if n == 0 {
		return
	}
	l.Blank(2)
	dot := ""
	if n > 1 && about.ABI != "" {
		l.Own(cell.Fg(themes.Muted), "ABI ").Text(cell.Fg(themes.Muted), a.look.Text.Cut(a.look.Text.Line(about.ABI), 8))
		dot = " · "
	}
	if n > 1 && about.Made() != "" {
		l.Own(cell.Fg(themes.Muted), dot).Text(cell.Fg(themes.Muted), a.look.Text.Cut(a.look.Text.Line(about.Made()), 24))
		dot = " · "
	}
	l.Own(cell.Fg(themes.Muted), dot+words.Size(about.Bytes))
}

// headerMCP is the other verdict: how much departs from MCP.
func (a *App) headerMCP(l *cell.Line, wide bool) {
	_, mcp := rules.PackageVerdicts(a.session.upload.Accepted(), a.session.upload.Findings)
	if a.session.upload.Run == nil {
		return // nothing was run, so there is nothing to judge
	}
	l.Blank(3).Own(cell.Fg(themes.Muted), "MCP ")
	sign, role, text := "✓", themes.OK, "fits"
	switch {
	case mcp.Rule != "" || mcp.Severity == abi.Error:
		sign, role, text = "✗", themes.Error, words.Plural(mcp.Count, "finding")
	case mcp.Severity == abi.Warning:
		sign, role, text = "▲", themes.Warning, words.Plural(mcp.Count, "warning")
	case mcp.Severity == abi.Notice:
		sign, role, text = "◇", themes.Notice, words.Plural(mcp.Count, "notice")
	}
	switch {
	case wide:
		text = sign + " " + text
	case mcp.Count > 0:
		text = sign + " " + words.Count(mcp.Count)
	default:
		text = sign
	}
	l.Own(cell.Fg(role), text)
}
