package ui

import (
	tea "charm.land/bubbletea/v2"

	"perch/ui/gallery"
	"perch/ui/layout"
	"perch/ui/memory"
	"perch/ui/sheet"
)

// cancelOrQuit is ctrl+c: it ends the run that lives and nothing else; with
// none, the second one quits.
func (a *App) cancelOrQuit() tea.Cmd {
	switch {
	case a.result.StopFilter(): // it is ended with the next look at it
	case a.session != nil && a.session.live != nil:
		a.session.live.cancel()
		a.session.series.stop()
		return a.say(toast{text: endingCall})
	case a.session != nil && a.session.probes != nil:
		a.session.probes.cancel()
		return a.say(toast{text: "ending the probes"})
	case a.opening != nil:
		a.stopOpening()
		if a.session == nil {
			a.at = inOpen
		}
		return a.say(toast{text: "the package was not opened"})
	case a.session != nil && a.session.reload.judging:
		a.session.reload.stop()
		return a.say(toast{text: "ending the upload run of the rebuilt package"})
	case a.session != nil && a.session.building():
		a.session.reload.build.cancel()
		return a.say(toast{text: "ending the build"})
	case a.session != nil && a.session.phase != rested && a.at == inExplore:
		a.leave()
		a.at = inOpen
		return a.say(toast{text: "the package was not looked at to the end"})
	case a.armed:
		return a.end()
	default:
		return a.arm()
	}
	return nil
}

// endingCall is said until the call has ended.
const endingCall = "ending the call"

// quit is q: it asks while a run lives.
func (a *App) quit() tea.Cmd {
	if a.session == nil || a.session.live == nil {
		return a.end()
	}
	a.ask(question{
		title: "Quit while a call runs?",
		text:  a.session.live.tool + " has run for " + seconds(a.elapsed()) + ". Quitting stops it.",
		answers: []answer{
			{"n", "stay", nil},
			{"s", "stop it and quit", (*App).end},
			{"w", "wait for it, then quit", func(a *App) tea.Cmd {
				a.quits = true
				return a.say(toast{text: "quits when the call has ended"})
			}},
		},
	})
	return nil
}

// askOpen opens a package; while a call runs only after it was asked.
func (a *App) askOpen(name string) tea.Cmd {
	if a.session == nil || a.session.live == nil {
		return a.openPackage(name)
	}
	a.ask(question{
		title: "Open another package while a call runs?",
		text:  a.session.live.tool + " has run for " + seconds(a.elapsed()) + ". Opening another package stops it.",
		answers: []answer{
			{"n", "stay", nil},
			{"s", "stop it and open the other", func(a *App) tea.Cmd { return a.openPackage(name) }},
		},
	})
	return nil
}

func (a *App) redraw() tea.Cmd { return tea.Sequence(a.forgetPictures(), tea.ClearScreen) }

// out is esc: it undoes the latest step in, always exactly one.
func (a *App) out() tea.Cmd {
	switch {
	case len(a.over) > 0:
		return a.overClose()
	case a.mark != nil:
		a.mark = nil
		return nil
	case a.laying:
		return a.endLayout()
	case a.page != nil:
		if !a.page.Out() {
			a.page = nil
		}
		return nil
	case a.at == inOpen:
		if a.open.Out() {
			return nil
		}
		if a.session != nil && a.session.bench != nil {
			a.toSession()
			return nil
		}
		return a.outermost()
	case a.at == inCheck:
		if a.check.Out() {
			return nil
		}
		return a.openGallery()
	}
	return a.outOfPane()
}

func (a *App) outermost() tea.Cmd {
	return a.say(toast{text: "outermost place · " + a.keyNamed("app.quit", "q") + " quits", brief: true})
}

func (a *App) outOfPane() tea.Cmd {
	inner := false
	switch a.focus {
	case paneTools:
		inner = a.tools.Out()
		a.showTool()
	case paneArguments:
		inner = a.args.Out()
	case paneResult:
		inner = a.result.Out()
	default:
		inner = a.pane().Out()
	}
	switch {
	case inner:
	case a.zoom:
		a.zoom = false
	case a.focus >= paneWire && a.detail:
		a.detail = false
	case a.focus >= paneWire:
		a.focus = a.upper
	case a.focus == paneResult:
		a.setFocus(paneArguments)
	case a.focus == paneArguments:
		a.setFocus(paneTools)
	default:
		return a.outermost()
	}
	return nil
}

// toSession shows the package that is open.
func (a *App) toSession() {
	a.at = inExplore
	if s := a.session; s.known && s.upload.Run == nil && a.check != nil {
		a.at = inCheck
	}
}

// openGallery shows the view Open; the package that is open stays so.
func (a *App) openGallery() tea.Cmd {
	if a.at == inOpen && a.page == nil {
		a.open.TypePath()
		return nil
	}
	a.keepSession()
	a.at, a.page = inOpen, nil
	a.open.Rest()
	return a.readRecent()
}

// setFocus gives a pane the focus.
func (a *App) setFocus(digit int) {
	a.focus = digit
	if digit < paneWire {
		a.upper = digit
		return
	}
	if digit != a.stream {
		a.dock, a.stream = a.stream, digit
		a.detail = false
	}
	a.pane().Show()
}

// goTo is a digit. A pane that was hidden is shown.
func (a *App) goTo(digit int) tea.Cmd {
	a.edges.Hidden &^= hiddenBit(digit)
	a.setFocus(digit)
	return nil
}

// walk is the order of tab: the panes in reading order.
func (a *App) walk(step int) tea.Cmd {
	id := "nav.next"
	if step < 0 {
		id = "nav.prev"
	}
	if a.page != nil {
		a.page.Do(id)
		return nil
	}
	if a.at == inOpen {
		a.open.Do(id)
		return nil
	}
	if a.at == inCheck {
		a.check.Do("nav.next")
		return nil
	}
	const detail = 5 // after three panes and the list
	stops, at := detail, a.focus
	if a.focus >= paneWire {
		at = 4
		if a.detail {
			at = detail
		}
	}
	for range stops {
		at = (at-1+step+stops)%stops + 1
		if !a.isHidden(at) {
			break
		}
	}
	switch at {
	case 4, detail:
		a.focus, a.detail = a.stream, at == detail
	default:
		a.setFocus(at)
	}
	return nil
}

func (a *App) nextPane() tea.Cmd { return a.walk(1) }
func (a *App) prevPane() tea.Cmd { return a.walk(-1) }

// here hands a command to what has the focus.
func (a *App) here(id, key string) tea.Cmd {
	done := false
	switch {
	case a.page != nil:
		done = a.page.Do(id)
	case a.at == inOpen:
		done = a.open.Do(id)
	case a.at == inCheck:
		done = a.check.Do(id)
	case a.focus == paneTools:
		done = a.tools.Do(id)
		a.showTool()
	case a.focus == paneArguments:
		if done = a.args.Do(id); done {
			return a.argsSaid()
		}
	case a.focus == paneResult:
		if done = a.result.Do(id); done {
			a.linkResult()
			return a.filterResult()
		}
	default:
		done = a.pane().Do(id, a.detail)
		a.link()
		if done {
			return a.catchUp()
		}
	}
	if done || isMove(id) {
		return nil
	}
	if id == "find.next" || id == "find.prev" {
		return a.say(toast{text: "nothing matches · " + a.keyNamed("nav.out", "esc") + " ends the search", brief: true})
	}
	if key == "" {
		key = a.titleOf(id)
	}
	return a.nothing(key)
}

// titleOf is a command's title by its id.
func (a *App) titleOf(id string) string {
	c, _ := a.find(id)
	return c.title
}

// isMove reports whether a command walks rows: where there are none it does
// nothing, and need not say so.
func isMove(id string) bool {
	switch id {
	case "nav.up", "nav.down", "nav.top", "nav.bottom", "nav.page_up", "nav.page_down", "type.up", "type.down":
		return true
	}
	return false
}

// typeKey hands a key to the text with the caret.
func (a *App) typeKey(key string) tea.Cmd {
	ed := a.input()
	switch {
	case ed == nil:
		return a.nothing(key)
	case a.hurried && key == "ctrl+j":
		ed.Put("\n")
		return a.changed()
	case ed.Key(key, ""):
		return a.changed()
	}
	return a.nothing(key)
}

// plainly is a command of the editor that a key of a paste without brackets
// does as it is: such a paste brings its own indents.
func plainly(id, text string) func(*App, string) tea.Cmd {
	return func(a *App, key string) tea.Cmd {
		if ed := a.input(); a.hurried && ed != nil {
			ed.Put(text)
			return a.changed()
		}
		return a.here(id, key)
	}
}

// accept is enter in an input.
func (a *App) accept() tea.Cmd {
	if a.at == inOpen && a.page == nil {
		return a.enter()
	}
	if a.onArguments() && a.args.InField() {
		return a.asked(a.args.Accept())
	}
	return a.here("type.accept", "enter")
}

// enter goes in.
func (a *App) enter() tea.Cmd {
	switch h := a.historyPage(); {
	case h != nil && !h.Inside():
		return a.showSelectedRun()
	case h != nil && a.goesToRow(h):
		return a.goToRow(h)
	case a.page != nil:
		if p, ok := a.page.(*sheet.View); ok {
			if r, ok := p.Selected(); ok && r.Act != "" {
				return a.do(r.Act)
			}
		}
		return a.here("nav.in", "enter")
	case a.at == inOpen && a.open.GoIn():
		return nil
	case a.at == inOpen:
		name := a.open.Chosen()
		if name == "" {
			if a.open.OnPath() && a.open.Input() == nil {
				a.open.TypePath()
				return nil
			}
			return a.say(toast{text: "type a path, or choose a row", brief: true})
		}
		if name == tourSample && a.toursFirst() {
			a.tour = &tour{step: tourTool}
		}
		return a.askOpen(name)
	case a.at == inCheck:
		a.check.Do("nav.in")
		return nil
	case a.focus == paneTools:
		return a.enterTool()
	case a.focus == paneArguments:
		if a.args.Reads() {
			return a.here("nav.in", "enter")
		}
		return a.asked(a.args.Enter())
	case a.focus == paneResult:
		if f, ok := a.result.Finding(); ok {
			a.goToFinding(f)
			return nil
		}
		return a.here("nav.in", "enter")
	case a.focus == paneFindings:
		if f, ok := a.pane().Finding(); ok {
			a.goToFinding(f)
			return nil
		}
	}
	if a.detail {
		return a.here("nav.in", "enter")
	}
	if !a.pane().Do("nav.in", false) {
		a.detail = true
	}
	return nil
}

// enterTool goes from a tool to its arguments: to the caret, or to the row Run
// where there is nothing to write.
func (a *App) enterTool() tea.Cmd {
	if _, ok := a.tools.Selected(); !ok {
		return nil
	}
	a.showTool()
	a.setFocus(paneArguments)
	a.args.TypeFirst()
	return a.argsSaid()
}

func (a *App) left() tea.Cmd {
	if a.page == nil && a.at == inExplore && a.focus >= paneWire && a.detail {
		if !a.pane().Do("nav.left", true) {
			a.detail = false
		}
		return nil
	}
	return a.here("nav.left", "←")
}

func (a *App) right() tea.Cmd {
	switch {
	case a.page != nil:
	case a.at == inOpen:
		return a.nothing("→")
	case a.at == inExplore && a.focus == paneTools:
		return a.enterTool()
	case a.at == inExplore && a.focus >= paneWire && !a.detail:
		if !a.pane().Do("nav.right", false) {
			a.detail = true
		}
		return nil
	}
	return a.here("nav.right", "→")
}

// toggleFollow is f: at the end of a run that has ended nothing moves, so it is
// said.
func (a *App) toggleFollow() tea.Cmd {
	cmd := a.here("stream.follow", "f")
	if a.saysFollow() == "" {
		return cmd
	}
	text := "follow off: the selected row stays in sight · " + a.keyNamed("stream.follow", "f") + " follows the end"
	if a.pane().Following() {
		text = "follows the end: new rows come into sight"
	}
	return tea.Batch(cmd, a.say(toast{text: text, brief: true}))
}

func (a *App) whyNotExplore() string {
	if a.at != inExplore {
		return "problems are walked in Explore, once a package is open"
	}
	return ""
}

func (a *App) toggleZoom() tea.Cmd {
	if c := a.class(); c == layout.Narrow {
		return a.say(toast{text: "one pane has all the room already", brief: true})
	}
	a.zoom = !a.zoom
	return nil
}

func (a *App) toggleMouse() tea.Cmd {
	a.mouse = !a.mouse
	a.memory.MouseOff = !a.mouse
	a.refreshSettings()
	text := "the mouse is the terminal's: mark and copy as anywhere · " + a.keyNamed("mouse.toggle", "M") + " takes it back"
	if a.mouse {
		text = "the mouse is perch's: click, wheel, double click · M gives it back"
	}
	return tea.Batch(a.say(toast{text: text}), a.saveMemory())
}

// complete is tab in the path.
func (a *App) complete() tea.Cmd {
	a.open.Complete()
	return nil
}

// listPath lists how the path could go on, when that is not known: the disk is
// read elsewhere.
func (a *App) listPath() tea.Cmd {
	if a.at != inOpen || a.page != nil {
		return nil
	}
	text, ok := a.open.Ask()
	if !ok {
		return nil
	}
	return a.once(func() tea.Msg { return listedMsg{gallery.List(text)} })
}

// readRecent looks which of the recent packages are still there.
func (a *App) readRecent() tea.Cmd {
	all := append([]memory.Recent(nil), a.memory.Recent...)
	return a.once(func() tea.Msg { return recentMsg{goneOf(all)} })
}
