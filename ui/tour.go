package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"perch/engine/event"
	"perch/inspect/bench"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/layout"
)

// tourSample is the package that the tour is made with.
const tourSample = bench.SamplePrefix + "greeter"

// tourSteps is how many steps the tour has.
const tourSteps = 6

// The steps of the tour, by what the person does in them.
const (
	tourTool   = 1 + iota // goes into the arguments of a tool
	tourType              // types
	tourRun               // runs the call
	tourResult            // reads the result, and makes the tool fail
	tourWire              // opens a row of the wire
	tourBroken            // breaks a call, and goes to what was found
)

// tour goes on by what the person does. It never holds a key, and nothing has
// to be closed: what it says stands in a row above the footer.
type tour struct {
	step   int
	begun  bool   // its package is open
	text   string // of the arguments when the step of typing began
	seen   bool   // the result was looked at
	called bool   // a call ended
	failed bool   // one with isError
	broke  bool   // one that was broken
}

// tourMinHeight is the least height at which the tour has a row of its own;
// below, it stands in the footer.
const tourMinHeight = 14

// bodyHeight is the height of the screen without the row of the tour.
func (a *App) bodyHeight() int {
	if a.tour != nil && a.tour.begun && a.h >= tourMinHeight {
		return a.h - 1
	}
	return a.h
}

// toursFirst reports whether opening the first sample begins the tour.
func (a *App) toursFirst() bool { return !a.memory.TourDone && a.tour == nil }

// whyNoTour says why there is nothing to skip.
func (a *App) whyNoTour() string {
	if !a.touring() {
		return "no tour goes on"
	}
	return ""
}

// touring reports whether there is a tour to skip: one goes on, or one is
// offered.
func (a *App) touring() bool {
	return a.tour != nil && a.tour.begun || a.at == inOpen && a.toursFirst()
}

// startTour opens the sample of the tour, or begins the tour in it.
func (a *App) startTour() tea.Cmd {
	a.tour = &tour{step: tourTool}
	if s := a.session; s != nil && s.name == tourSample && a.opening == nil {
		a.page = nil
		a.toSession()
		a.setFocus(paneTools)
		return nil
	}
	a.page = nil
	return a.openPackage(tourSample)
}

// skipTour ends the tour, or the offer of one, for ever.
func (a *App) skipTour() tea.Cmd {
	a.tour = nil
	a.memory.TourDone = true
	return tea.Batch(a.saveMemory(), a.say(toast{text: "no tour · Tour in the palette begins one", brief: true}))
}

// tourCalled takes how a call ended.
func (a *App) tourCalled(o event.Outcome) {
	if t := a.tour; t != nil && t.begun {
		t.called = true
		t.failed = t.failed || o == event.ToolError
		t.broke = t.broke || o == event.Broken
	}
}

// goOnWithTour takes what the person did: each step ends by the act that it
// asks for, and one that was done before its turn is not asked for.
func (a *App) goOnWithTour() tea.Cmd {
	t := a.tour
	a.open.OfferTour(a.toursFirst())
	if t == nil {
		return nil
	}
	s := a.session
	switch on := s != nil && s.name == tourSample; {
	case !on && a.opening == nil && (s == nil || t.step < tourBroken):
		a.tour = nil // another package was opened: the tour is offered again
		return nil
	case on && s.known:
		t.begun = true
	}
	for t.begun && a.tourStepDone() {
		if t.step == tourBroken {
			a.tour = nil
			a.memory.TourDone = true
			return tea.Batch(a.saveMemory(), a.say(toast{text: "end of the tour · " + a.anyKey("app.help") + " shows the keys of each place"}))
		}
		t.step++
		t.text = a.args.Text()
	}
	return nil
}

// tourStepDone reports whether the act of this step was done.
func (a *App) tourStepDone() bool {
	t := a.tour
	inArguments := a.at == inExplore && a.focus == paneArguments && a.page == nil
	switch t.step {
	case tourTool:
		return t.called || inArguments && a.input() != nil
	case tourType:
		return t.called || a.args.Text() != t.text
	case tourRun:
		return t.called
	case tourResult:
		t.seen = t.seen || a.at == inExplore && a.focus == paneResult
		return t.failed
	case tourWire:
		return a.at == inExplore && a.focus == paneWire && a.detail
	}
	return t.broke && a.at == inExplore && a.focus == paneFindings
}

// tourWords say what to do in this step, at length and in short. They follow
// where the person is, so that the keys they name do what they say.
func (a *App) tourWords() (long, short string) {
	k := a.anyKey
	enter, esc := k("nav.in"), k("nav.out")
	typing := a.input() != nil
	if t := a.tour; t.step < tourBroken && (a.at == inOpen || a.page != nil) {
		return esc + " goes back to where the tour is", esc + ": back to the tour"
	}
	switch a.tour.step {
	case tourTool:
		if a.focus != paneTools {
			return fmt.Sprintf("%s goes to the tools, %s to the arguments of one", k("pane.first"), enter), k("pane.first") + " " + enter + ": arguments"
		}
		return fmt.Sprintf("this is a tool. %s goes into its arguments", enter), enter + ": its arguments"
	case tourType:
		if !typing {
			return fmt.Sprintf("%s %s puts the caret into the field", k("pane.second"), enter), k("pane.second") + " " + enter + ": the caret"
		}
		return fmt.Sprintf("type a name: with a caret letters are text, until %s", esc), "type a name"
	case tourRun:
		return fmt.Sprintf("%s runs the call, from anywhere", k("run.call")), k("run.call") + " runs the call"
	case tourResult:
		return a.tourOfResult(typing)
	case tourWire:
		return a.tourOfWire(typing)
	}
	return a.tourOfBroken()
}

func (a *App) tourOfResult(typing bool) (long, short string) {
	k := a.anyKey
	inSight := a.class() >= layout.Normal && !a.zoom && !a.isHidden(paneResult)
	way := fmt.Sprintf("%s %s", k("type.cut_start"), k("run.call"))
	switch {
	case !a.tour.seen && !inSight && typing:
		return fmt.Sprintf("it answered. %s, then %s: Result, all that the model reads", k("nav.out"), k("pane.third")), k("nav.out") + " " + k("pane.third") + ": what the model reads"
	case !a.tour.seen && !inSight:
		return k("pane.third") + " is Result, all that the model reads of the answer", k("pane.third") + ": what the model reads"
	case !typing:
		way = fmt.Sprintf("%s %s %s", k("pane.second"), k("nav.in"), way)
	}
	what := "all that the model reads"
	if inSight {
		what = k("pane.third") + " Result is " + what
	}
	return what + ". Now an empty name: " + way, "an empty name: " + way
}

func (a *App) tourOfWire(typing bool) (long, short string) {
	k := a.anyKey
	wire, enter := k("pane.wire"), k("nav.in")
	switch {
	case typing:
		return fmt.Sprintf("isError: the tool says no, nothing broke. %s %s is the wire", k("nav.out"), wire), k("nav.out") + " " + wire + ": the wire"
	case a.focus != paneWire:
		return fmt.Sprintf("isError: the tool says no, nothing broke. %s is the wire", wire), wire + ": the wire"
	}
	return fmt.Sprintf("every line in and out. %s opens a row, %s shows it as hex", enter, k("content.next")), enter + " opens a row"
}

func (a *App) tourOfBroken() (long, short string) {
	k := a.anyKey
	mischief := a.session != nil && a.session.name == bench.SamplePrefix+"mischief"
	switch {
	case a.tour.broke:
		return fmt.Sprintf("broken. %s says which rule, at which byte, and what to do", k("pane.findings")), k("pane.findings") + ": which rule, where"
	case a.at == inOpen:
		return fmt.Sprintf("choose mischief, %s: each of its tools breaks one rule", k("nav.in")), "choose mischief, " + k("nav.in")
	case mischief:
		return fmt.Sprintf("%s runs a tool that breaks a rule", k("run.call")), k("run.call") + " breaks a rule"
	}
	return fmt.Sprintf("%s opens packages. Take mischief: its tools break rules", k("package.open")), k("package.open") + ": open mischief"
}

// tourLine is the row of the tour, in w cells.
func (a *App) tourLine(w int) cell.Line {
	long, short := a.tourWords()
	var l cell.Line
	l.Fill = cell.Style{Fg: themes.Text, Bg: themes.Surface}
	l.Own(cell.Fg(themes.Notice).With(themes.Bold), fmt.Sprintf(" tour %d/%d", a.tour.step, tourSteps)).Blank(2)
	skip := ""
	if key := a.keyFor("tour.skip"); key != noKey {
		skip = key + " skip"
	}
	switch room := w - a.look.Width(l) - 1; {
	case a.look.Measure(long)+a.look.Measure(skip)+2 <= room:
	case a.look.Measure(long) <= room:
		skip = ""
	default:
		long, skip = short, ""
	}
	l.Own(cell.Fg(themes.Text), long)
	if skip != "" {
		l.Gap().Own(cell.Fg(themes.Muted), skip+" ")
	}
	return l
}

// drawTour is the row of the tour; nil where it has none.
func (a *App) drawTour() cell.Block {
	if a.bodyHeight() == a.h {
		return nil
	}
	a.hits.add(spot{at: rect{X: a.w - 8, Y: a.h - 2, W: 8, H: 1}, click: func(a *App, _, _ int, _ bool) tea.Cmd {
		if a.keyFor("tour.skip") == noKey {
			return nil
		}
		return a.skipTour()
	}})
	return cell.Block{a.look.Row(a.tourLine(a.w), a.w)}
}

// anyKey is the first key of a command, wherever it counts.
func (a *App) anyKey(id string) string {
	for _, c := range a.table {
		if c.id == id && len(c.keys) > 0 {
			return c.keys[0]
		}
	}
	return noKey
}

// tourCommands are the commands of the tour.
func tourCommands() []command {
	return []command{
		{id: "tour.skip", ctx: ctxTour, keys: keys("x"), title: "No tour, for ever", why: (*App).whyNoTour, run: on((*App).skipTour)},
		{id: "tour.start", ctx: ctxBrowse, title: "Tour: six steps with the sample greeter", run: on((*App).startTour)},
	}
}
