package ui

import (
	tea "charm.land/bubbletea/v2"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/bench"
	"perch/inspect/compare"
	"perch/inspect/model"
	"perch/inspect/record"
	"perch/inspect/rules"
	"perch/ui/cell"
	"perch/ui/findings"
	"perch/ui/history"
	"perch/ui/words"
)

// comparedMsg is how two runs differ.
type comparedMsg struct {
	session int
	a, b    uint32
	all     []compare.Section
}

// recalling are the commands of the history.
func recalling() []command {
	return []command{
		{id: "history.open", ctx: ctxBrowse, keys: keys("H"), title: "History of this session's calls, and compare two", why: (*App).whyNoHistory, run: on((*App).openHistory)},
		{id: "nav.in", ctx: ctxHistory, keys: keys("enter"), title: "Show the run in the streams and the result; of a difference its row there; unfold it", foot: "show it", says: (*App).saysHistory, rank: 9, run: on((*App).enter)},
		{id: "nav.toggle", ctx: ctxHistory, keys: keys("space"), title: "Mark the call to compare with", foot: "mark", says: (*App).saysMark, rank: 6, run: on((*App).toggleRow)},
		{id: "history.compare", ctx: ctxHistory, keys: keys("c"), title: "Compare with the marked call, or the one before of its tool", foot: "compare", rank: 8, why: (*App).whyNoPartner, run: on((*App).comparePartner)},
		{id: "compare.next", ctx: ctxHistory, keys: keys("n"), title: "Next difference by value", foot: "next", rank: 8, why: (*App).whyNoDiff, run: on((*App).nextDiff)},
		{id: "compare.prev", ctx: ctxHistory, keys: keys("N"), title: "Difference before it", why: (*App).whyNoDiff, run: on((*App).prevDiff)},
		{id: "tab.prev", ctx: ctxHistory, keys: keys("["), title: "Part of the comparison before it", why: (*App).whyNoDiff, run: here("tab.prev")},
		{id: "tab.next", ctx: ctxHistory, keys: keys("]"), title: "Next part of the comparison", foot: "part", rank: 6, why: (*App).whyNoDiff, run: here("tab.next")},
		{id: "history.edit", ctx: ctxHistory, keys: keys("e"), title: "Put its arguments into the form, to edit and send again", foot: "edit and send again", rank: 7, why: (*App).whyNoRecall, run: on((*App).editAgain)},
		{id: "history.remove", ctx: ctxHistory, keys: keys("x"), title: "Remove it from the list (asks)", foot: "remove", rank: 4, why: (*App).whyNoRemove, run: on((*App).removeRun)},
		{id: "record.save", ctx: ctxHistory, keys: keys("S"), title: "Save the run as a record", why: (*App).whyNoRecord, run: on((*App).redraw)},
		{id: "result.compare", ctx: ctxResult, keys: keys("c"), title: "Compare with the call before of this tool", foot: "compare", says: (*App).saysCompare, rank: 4, why: (*App).whyNoCompare, run: on((*App).compareShown)},
	}
}

// historyPage is the page History, nil when it is not open.
func (a *App) historyPage() *history.View {
	h, _ := a.page.(*history.View)
	return h
}

func (a *App) whyNoHistory() string {
	if a.session == nil || a.session.bench == nil || a.session.bench.Record.Last() == nil {
		return "nothing was run yet"
	}
	return ""
}

func (a *App) openHistory() tea.Cmd {
	if h := a.session.left; h != nil { // a comparison was left for a row of a stream
		a.session.left = nil
		h.Set(a.entries())
		return a.openPage(h)
	}
	h := history.New(a.look.Text.Cut(a.look.Text.Line(a.session.bench.Package.Name), 40))
	h.Set(a.entries())
	if s := a.session.shown; s != nil {
		h.Select(s.ID())
	}
	return a.openPage(h)
}

// entries are the runs of the session, the newest first.
func (a *App) entries() []history.Entry {
	s := a.session
	if s == nil || s.bench == nil {
		return nil
	}
	runs := s.bench.Record.Runs()
	out := make([]history.Entry, len(runs))
	n := 0
	for i, r := range runs {
		e, known := s.entries[r.ID()]
		if !known {
			e = a.entryOf(r)
		}
		if e.N = 0; r.Begin().Kind == event.Call {
			n++
			e.N = n
		}
		out[len(runs)-1-i] = e
	}
	return out
}

// entryOf is what the history tells of a run; of one that has ended it is kept.
func (a *App) entryOf(r *record.Run) history.Entry {
	begin := r.Begin()
	e := history.Entry{ID: r.ID(), Tool: begin.Tool, Args: begin.Arguments, When: begin.Started, Live: a.live(r)}
	if e.Live || begin.Kind == event.Upload && !a.session.known {
		e.Live = true
		return e
	}
	end, _ := r.End()
	e.Outcome, e.Usage = end.Outcome, end.Usage
	found := a.knownCall(r).Findings
	if begin.Kind == event.Upload {
		up := a.session.uploadOf(r)
		found, e.Outcome = up.Findings, up.Outcome
	}
	e.Found = fewFindings(found)
	a.session.entries[r.ID()] = e
	return e
}

// fewFindings is how many findings there are, in a few cells: ✗1 ▲2.
func fewFindings(all []rules.Finding) cell.Line {
	var l cell.Line
	for _, severity := range []abi.Severity{abi.Error, abi.Warning, abi.Notice} {
		n := rules.Count(all, severity)
		if n == 0 {
			continue
		}
		sign, _, role := findings.Severity(severity)
		if len(l.Spans) > 0 {
			l.Blank(1)
		}
		l.Own(cell.Fg(role), sign+words.Count(n))
	}
	return l
}

// syncHistory tells the page what was run since.
func (a *App) syncHistory() {
	if h := a.historyPage(); h != nil {
		h.Set(a.entries())
	}
}

func (a *App) saysHistory() string {
	h := a.historyPage()
	switch {
	case !h.Enters():
		return ""
	case h.Inside():
		if _, goes := h.Target(); goes {
			return "go to it"
		}
		return "unfold"
	}
	return "show it"
}

func (a *App) saysMark() string {
	h := a.historyPage()
	if h.Unfolds() {
		if _, goes := h.Target(); goes {
			return "unfold"
		}
	}
	if e, ok := h.Selected(); !ok || e.N == 0 || h.Inside() {
		return ""
	}
	if h.Marks() {
		return "unmark"
	}
	return "mark"
}

// selectedRun is the selected run of the history.
func (a *App) selectedRun() *record.Run {
	if h := a.historyPage(); h != nil {
		if e, ok := h.Selected(); ok {
			return a.session.bench.Record.Run(e.ID)
		}
	}
	return nil
}

// showSelectedRun shows the selected run in the streams and the result.
func (a *App) showSelectedRun() tea.Cmd {
	r := a.selectedRun()
	if r == nil {
		return nil
	}
	a.page = nil
	last := a.session.bench.Record.Last()
	a.session.older = last != nil && r.ID() != last.ID()
	a.at = inExplore
	a.showRun(r)
	if r.Begin().Kind == event.Call {
		a.setFocus(paneResult)
		a.tools.Select(r.Begin().Tool)
		a.showTool()
	} else {
		a.setFocus(paneWire)
	}
	a.syncStreams()
	return a.catchUp()
}

func (a *App) whyNoPartner() string {
	if h := a.historyPage(); h != nil {
		_, _, why := h.Partner()
		return why
	}
	return "it belongs to History"
}

func (a *App) comparePartner() tea.Cmd {
	h := a.historyPage()
	x, y, _ := h.Partner()
	s := a.session
	rx, ry := s.bench.Record.Run(x.ID), s.bench.Record.Run(y.ID)
	if rx == nil || ry == nil {
		return a.say(toast{text: "that run is no longer there", brief: true})
	}
	h.Compare(x, y)
	p, q := a.toCompare(rx), a.toCompare(ry)
	return a.use(s, func(_ *bench.Bench) tea.Msg {
		return comparedMsg{s.id, x.ID, y.ID, compare.Calls(p(), q())}
	})
}

// toCompare is a call to be compared. What is not known of it any more is found
// again, which is not done while drawing.
func (a *App) toCompare(r *record.Run) func() compare.Call {
	c, known := a.session.calls[r.ID()]
	b := a.session.bench
	return func() compare.Call {
		if known {
			return compare.Call{Run: r, Model: c.Model, Findings: c.Findings}
		}
		return compare.Call{Run: r, Model: model.Blocks(r), Findings: rules.Run(r, b.Known())}
	}
}

func (a *App) compared(m comparedMsg) bool {
	h := a.historyPage()
	if !a.current(m.session) || h == nil {
		return false
	}
	h.Compared(m.a, m.b, m.all)
	return true
}

func (a *App) whyNoDiff() string {
	if h := a.historyPage(); h == nil || !h.Comparing() {
		return "nothing is compared; " + a.keyNamed("history.compare", "c") + " compares"
	}
	return ""
}

func (a *App) nextDiff() tea.Cmd { return a.stepDiff("compare.next") }
func (a *App) prevDiff() tea.Cmd { return a.stepDiff("compare.prev") }

func (a *App) stepDiff(id string) tea.Cmd {
	if !a.historyPage().Do(id) {
		return a.say(toast{text: "nothing differs by value here", brief: true})
	}
	return nil
}

// whyNoRecall says why the selected run gives no arguments.
func (a *App) whyNoRecall() string {
	r := a.selectedRun()
	switch {
	case r == nil:
		return "no run is selected"
	case r.Begin().Kind != event.Call:
		return "the upload run has no arguments"
	}
	for _, t := range a.session.upload.Tools {
		if t.Name == r.Begin().Tool {
			return ""
		}
	}
	return "its tool is no longer listed"
}

// editAgain puts the arguments of an earlier call into the form; nothing is
// sent until the person runs it.
func (a *App) editAgain() tea.Cmd {
	begin := a.selectedRun().Begin()
	if !a.tools.Select(begin.Tool) {
		a.tools.Out() // the filter hides it
		a.tools.Select(begin.Tool)
	}
	a.page, a.at = nil, inExplore
	a.showTool()
	a.setFocus(paneArguments)
	a.args.Fill(string(begin.Arguments))
	return a.say(toast{text: "as they were sent; " + a.keyNamed("run.call", "r") + " sends them, " + a.keyNamed("type.undo", "ctrl+z") + " brings back the draft", brief: true})
}

// runSelected makes the selected call again.
func (a *App) runSelected() tea.Cmd {
	begin := a.selectedRun().Begin()
	a.session.older = false
	return a.callWith(begin.Tool, begin.Arguments, nil)
}

func (a *App) whyNoRemove() string {
	r := a.selectedRun()
	switch {
	case r == nil:
		return "no run is selected"
	case r.Begin().Kind != event.Call:
		return "the upload run stays: the verdict stands on it"
	case a.live(r):
		return "this call still runs · ctrl+c ends it"
	}
	return ""
}

func (a *App) removeRun() tea.Cmd {
	r := a.selectedRun()
	e, _ := a.historyPage().Selected()
	a.ask(question{
		title: "Remove this call from the list?",
		text:  "Call " + words.Count(e.N) + " of " + e.Tool + " and all that was recorded of it are forgotten. What it wrote into the volume stays.",
		answers: []answer{
			{"n", "keep it", nil},
			{"x", "remove it", func(a *App) tea.Cmd { return a.forget(r) }},
		},
	})
	return nil
}

// forget drops a run that has ended.
func (a *App) forget(r *record.Run) tea.Cmd {
	s := a.session
	if s == nil || s.bench == nil || s.bench.Record.Run(r.ID()) != r || a.live(r) {
		return nil
	}
	all, _ := a.runs()
	at := -1
	for i, x := range all {
		if x == r {
			at = i
		}
	}
	if s.shown == r {
		next := all[max(at-1, 0)]
		if at == 0 && len(all) > 1 {
			next = all[1]
		}
		s.older = false
		a.showRun(next)
	}
	if err := s.bench.Record.Remove(r.ID()); err != nil {
		return a.say(toast{text: err.Error(), bad: true})
	}
	delete(s.calls, r.ID())
	delete(s.found, r.ID())
	delete(s.entries, r.ID())
	if h := a.historyPage(); h != nil {
		h.Removed(r.ID())
	}
	a.syncHistory()
	return a.say(toast{text: "the call was removed from the list", brief: true})
}

func (a *App) whyNoRecord() string {
	return "this perch keeps no records of runs; Y in the result saves a report of the call"
}

// whyNoCompare says why the call that the result shows cannot be compared.
func (a *App) whyNoCompare() string {
	c := a.result.Shown()
	switch {
	case c.Run == nil || c.Run.Begin().Kind != event.Call:
		return "no call is shown"
	case !c.Ended:
		return "this call still runs"
	}
	for _, r := range a.session.bench.Record.Runs() {
		if b := r.Begin(); r.ID() < c.Run.ID() && b.Kind == event.Call && b.Tool == c.Run.Begin().Tool {
			return ""
		}
	}
	return "it is the first call of this tool"
}

func (a *App) saysCompare() string { return "compare" }

// compareShown compares the call that the result shows with the one before of
// its tool.
func (a *App) compareShown() tea.Cmd {
	r := a.result.Shown().Run
	open := a.openHistory()
	a.historyPage().Select(r.ID())
	return tea.Batch(open, a.comparePartner())
}
