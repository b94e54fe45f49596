package ui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/record"
	"perch/inspect/rules"
	"perch/ui/findings"
	"perch/ui/stream"
	"perch/ui/words"
)

// foundRun is what was found in a run so far.
type foundRun struct {
	now    stream.Found
	final  bool          // the run has ended, and no more comes
	facts  int           // of the session, when it was taken
	live   uint64        // what the bench called it while the run went on
	looked time.Duration // when it was taken last while the run went on
}

// How often what is found in a run that goes on is taken: each frame while it
// is little, less often when it is much.
const (
	littleFound = 100
	lookPause   = tickPause
)

// foundIn is what was found in a run; it costs nothing when nothing is new.
func (a *App) foundIn(r *record.Run) stream.Found {
	s := a.session
	if s == nil || r == nil || s.bench == nil {
		return stream.Found{}
	}
	x := s.found[r.ID()]
	if x == nil {
		x = &foundRun{}
		s.found[r.ID()] = x
	}
	upload := r.Begin().Kind == event.Upload
	switch {
	case x.final && x.facts == s.facts:
	case a.live(r) || upload && !s.known:
		a.lookLive(r, x)
	default:
		a.settleFound(r, x)
	}
	return x.now
}

// lookLive takes what was found since the last look at a run that goes on.
func (a *App) lookLive(r *record.Run, x *foundRun) {
	now := a.clock.Mono()
	if len(x.now.Own) > littleFound && now-x.looked < lookPause {
		return
	}
	all, live, ok := a.session.bench.Watching(r.ID(), x.live)
	if !ok && x.now.Version > 0 {
		return
	}
	if ok {
		x.live, x.looked = live, now
	}
	if r.Begin().Kind == event.Upload {
		all = rules.Sort(append(a.session.bench.Findings(), all...))
	}
	subako, mcp := rules.Verdicts("", all)
	x.now = stream.Found{Own: all, Beside: a.beside(r), Subako: subako, MCP: mcp, Version: x.now.Version + 1}
}

// settleFound takes what was found in a run that has ended.
func (a *App) settleFound(r *record.Run, x *foundRun) {
	s := a.session
	f := stream.Found{Beside: a.beside(r), Version: x.now.Version + 1}
	switch r.Begin().Kind {
	case event.Upload:
		up := s.uploadOf(r)
		f.Own = up.Findings
		f.Subako, f.MCP = rules.PackageVerdicts(up.Accepted(), f.Own)
	case event.Probe:
		f.Own = a.probedIn(r)
	default:
		f.Own = a.knownCall(r).Findings
		end, _ := r.End()
		f.Subako, f.MCP = rules.Verdicts(end.Outcome, f.Own)
	}
	x.now, x.final, x.facts = f, true, s.facts
}

// probedIn is what probes found in their run: its own breaches are what a probe
// provokes, and no findings.
func (a *App) probedIn(r *record.Run) []rules.Finding {
	var out []rules.Finding
	for _, f := range append(a.session.probed[:len(a.session.probed):len(a.session.probed)], a.session.upload.Findings...) {
		if f.RunID == r.ID() {
			out = append(out, f)
		}
	}
	return out
}

// beside are the findings that are shown below those of a run.
func (a *App) beside(r *record.Run) []stream.Group {
	s := a.session
	var out []stream.Group
	if r.Begin().Kind != event.Upload && s.known && len(s.upload.Findings) > 0 {
		out = append(out, stream.Group{Title: "of the upload run", All: s.upload.Findings,
			Note: "What was found in the package and in its upload run. It decides nothing of this run."})
	}
	if r.Begin().Kind != event.Probe && s.probeRuns > 0 {
		soFar := ""
		if s.probes != nil {
			soFar = "so far "
		}
		out = append(out, stream.Group{Title: "of probes · not what Subako does at upload", All: s.probed,
			None: "probes: nothing found " + soFar + "in " + words.Plural(s.probeRuns, "run"),
			Note: "Probes send a module what Subako never sends at upload. What they find stands beside the verdict and changes nothing of it."})
	}
	return out
}

// runOf is a run of the session by its number, those of probes included.
func (a *App) runOf(id uint32) *record.Run {
	if a.session == nil || a.session.bench == nil {
		return nil
	}
	return a.session.bench.Run(id)
}

// fileOf is a file of the package by its name in a finding.
func (a *App) fileOf(name string) []byte {
	if a.session == nil || a.session.bench == nil {
		return nil
	}
	p := a.session.bench.Package
	switch {
	case name == abi.ManifestFile:
		return p.ManifestRaw
	case name == abi.ModuleFile || name == p.ModuleFile:
		return p.Module
	}
	return nil
}

// selectedFinding is the finding that the selected row is about.
func (a *App) selectedFinding() (rules.Finding, bool) {
	switch {
	case a.at == inCheck:
		return a.check.Finding()
	case a.at != inExplore:
		return rules.Finding{}, false
	case a.focus == paneResult:
		return a.result.Finding()
	case a.focus >= paneWire:
		return a.pane().Finding()
	}
	return rules.Finding{}, false
}

// goToFinding goes to the bytes that a finding points at, in the stream that
// has them; else to the event that it is about, and else to what is told of it.
func (a *App) goToFinding(f rules.Finding) {
	if r := a.runOf(f.RunID); r != nil {
		if a.session.shown != r {
			a.session.older = true
			a.showRun(r)
		}
		for _, p := range a.streams {
			if p.Digit() != paneFindings && p.Point(f) {
				a.arrive(p)
				return
			}
		}
		if f.Where.Stream != event.File && a.showEvent(r, f) {
			return
		}
	}
	p := a.paneAt(paneFindings)
	p.Point(f)
	a.setFocus(paneFindings)
	a.detail = true
	a.link()
}

// arrive gives a pane the focus whose detail has the bytes that were asked for.
func (a *App) arrive(p stream.Pane) {
	a.setFocus(p.Digit())
	a.detail = true
	a.link()
}

// showEvent goes to the event of a finding in the stream that fits its rule.
func (a *App) showEvent(r *record.Run, f rules.Finding) bool {
	e, ok := r.Event(f.Event)
	if !ok {
		return false
	}
	m := stream.Moment{Run: r.ID(), Seq: f.Event, Time: e.Time, From: f.Event, To: f.Event, Since: e.Time, Until: e.Time}
	order := []int{paneEvents}
	switch f.Rule.Group() {
	case "http":
		order = []int{paneHTTP, paneEvents}
	case "files":
		order = []int{paneFiles, paneEvents}
	}
	for _, digit := range order {
		if p := a.paneAt(digit); p.Goto(m) {
			a.setFocus(digit)
			a.link()
			return true
		}
	}
	return false
}

// nextProblem goes through what is wrong with the arguments, then through the
// findings of the run that is shown.
func (a *App) nextProblem() tea.Cmd {
	if a.focus != paneFindings && a.args.NextProblem(a.focus != paneArguments) {
		a.setFocus(paneArguments)
		return a.argsSaid()
	}
	if len(a.problemsFound()) == 0 && a.args.NextProblem(true) {
		a.setFocus(paneArguments)
		return a.argsSaid()
	}
	return a.walkFindings(1, true)
}

// problemsFound are the findings of the run that is shown that are problems.
func (a *App) problemsFound() []rules.Finding {
	if a.session == nil || a.session.shown == nil {
		return nil
	}
	var all []rules.Finding
	for _, n := range findings.Tree(a.foundIn(a.session.shown).Own, nil) {
		if f := n.Finding; f != nil && f.Severity != abi.Info && !f.Follows {
			all = append(all, *f)
		}
	}
	return all
}

func (a *App) nextFinding() tea.Cmd { return a.walkFindings(1, false) }
func (a *App) prevFinding() tea.Cmd { return a.walkFindings(-1, false) }

// walkFindings goes to the next finding of the run that is shown, or to the one
// before; around the end. Problems are those that are no notes and follow from
// nothing.
func (a *App) walkFindings(step int, problems bool) tea.Cmd {
	s := a.session
	if s == nil || s.shown == nil {
		return a.say(toast{text: "no run yet, so nothing was found", brief: true})
	}
	var all []rules.Finding
	for _, n := range findings.Tree(a.foundIn(s.shown).Own, nil) {
		if f := n.Finding; f != nil && !(problems && (f.Severity == abi.Info || f.Follows)) {
			all = append(all, *f)
		}
	}
	if len(all) == 0 {
		text := "nothing found in this run"
		if problems {
			text = "no problem in the arguments, and nothing found in this run"
		}
		return a.say(toast{text: text, brief: true})
	}
	at := a.walkFrom(all)
	switch {
	case at >= 0:
		at = (at + step + len(all)) % len(all)
	case step < 0:
		at = len(all) - 1
	default:
		at = 0
	}
	f := all[at]
	s.walked = walk{f.RunID, f.Rule, f.Where, f.Event}
	a.paneAt(paneFindings).Point(f)
	if a.focus != paneFindings {
		a.goToFinding(f)
	}
	return a.say(toast{text: fmt.Sprintf("finding %d of %d: %s", at+1, len(all), a.look.Text.Line(f.Title)), brief: true})
}

// walk is the finding that was gone to last.
type walk struct {
	run   uint32
	rule  abi.RuleID
	where event.Where
	event uint64
}

// walkFrom is the place of the finding from which to go on: the one that is
// selected, else the one that was gone to last; -1 for none.
func (a *App) walkFrom(all []rules.Finding) int {
	from := a.session.walked
	if f, ok := a.selectedFinding(); ok && a.focus == paneFindings {
		from = walk{f.RunID, f.Rule, f.Where, f.Event}
	}
	for i, f := range all {
		if from == (walk{f.RunID, f.Rule, f.Where, f.Event}) {
			return i
		}
	}
	return -1
}
