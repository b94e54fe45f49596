package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"perch/ui/edit"
	"perch/ui/gallery"
)

// scope is where a command's keys count.
type scope string

// The contexts, from the widest to the narrowest.
const (
	ctxAny       scope = "any"    // always
	ctxWork      scope = "work"   // no overlay
	ctxBrowse    scope = "browse" // no caret
	ctxType      scope = "type"   // a caret
	ctxOpen      scope = "open"
	ctxExplore   scope = "explore"
	ctxCheck     scope = "check"
	ctxTools     scope = "tools"
	ctxArguments scope = "arguments"
	ctxResult    scope = "result"
	ctxStream    scope = "stream"
	ctxHTTP      scope = "http"
	ctxEvents    scope = "events"
	ctxFiles     scope = "files"
	ctxTimeline  scope = "timeline"
	ctxFindings  scope = "findings"
	ctxFinding   scope = "finding"  // the selected row is about a finding
	ctxPage      scope = "page"     // a page lies over the view
	ctxHistory   scope = "history"  // the page History lies over the view
	ctxPinned    scope = "pinned"   // a search is pinned in the pane
	ctxEditor    scope = "editor"   // the caret is in the JSON editor
	ctxField     scope = "field"    // the caret is in a field of the form
	ctxBar       scope = "bar"      // the caret is in a find bar
	ctxMock      scope = "mock"     // the page of a mock lies over the view
	ctxBarMenu   scope = "bar menu" // the menu of a find bar
	ctxPath      scope = "path"     // the caret is in the path of Open
	ctxMenu      scope = "menu"     // a box lies over the panes
	ctxLayout    scope = "layout"   // edges are being moved
	ctxTour      scope = "tour"     // the tour goes on, or is offered
)

// contexts are those that count now, the narrowest first.
func (a *App) contexts() []scope {
	if len(a.over) > 0 {
		return []scope{ctxMenu, ctxAny}
	}
	if a.laying {
		return []scope{ctxLayout, ctxExplore, ctxWork, ctxAny}
	}
	if a.input() != nil {
		return append(a.typingContexts(), ctxType, ctxWork, ctxAny)
	}
	var out []scope
	if a.historyPage() != nil {
		return []scope{ctxHistory, ctxPage, ctxBrowse, ctxWork, ctxAny}
	}
	if a.page != nil {
		return []scope{ctxPage, ctxBrowse, ctxWork, ctxAny}
	}
	if _, ok := a.selectedFinding(); ok {
		out = append(out, ctxFinding)
	}
	switch a.at {
	case inOpen:
		out = append(out, ctxOpen)
	case inCheck:
		out = append(out, ctxCheck)
	default:
		out = append(out, a.paneContexts()...)
		out = append(out, ctxExplore)
	}
	if a.touring() {
		out = append(out, ctxTour)
	}
	return append(out, ctxBrowse, ctxWork, ctxAny)
}

func (a *App) typingContexts() []scope {
	switch {
	case a.mockPage() != nil:
		return []scope{ctxMock}
	case a.page != nil:
	case a.at == inOpen && a.open.Completing():
		return []scope{ctxPath}
	case a.at == inExplore && a.focus == paneArguments:
		if a.args.InField() {
			return []scope{ctxField}
		}
		return []scope{ctxEditor}
	case a.finding():
		return []scope{ctxBar}
	}
	return nil
}

func (a *App) paneContexts() []scope {
	switch a.focus {
	case paneTools:
		return []scope{ctxTools}
	case paneArguments:
		return []scope{ctxArguments}
	case paneResult:
		if a.result.Searching() {
			return []scope{ctxPinned, ctxResult}
		}
		return []scope{ctxResult}
	}
	var out []scope
	p := a.pane()
	if p.Searching() {
		out = append(out, ctxPinned)
	}
	switch p.Digit() {
	case paneHTTP:
		out = append(out, ctxHTTP)
	case paneFiles:
		out = append(out, ctxFiles)
	case paneEvents:
		out = append(out, ctxEvents)
	case paneTimeline:
		out = append(out, ctxTimeline)
	case paneFindings:
		out = append(out, ctxFindings)
	}
	return append(out, ctxStream)
}

// indexKeys finds commands by context quickly.
func indexKeys(table []command) map[scope][]int {
	out := map[scope][]int{}
	for i, c := range table {
		out[c.ctx] = append(out[c.ctx], i)
	}
	return out
}

// lookup is the command of a key as things stand.
func (a *App) lookup(key string) (command, bool) {
	for _, ctx := range a.contexts() {
		for _, i := range a.byKey[ctx] {
			for _, k := range a.table[i].keys {
				if k == key {
					return a.table[i], true
				}
			}
		}
	}
	return command{}, false
}

// find is a command by its id, as things stand: ids stand in several contexts.
func (a *App) find(id string) (command, bool) {
	for _, ctx := range a.contexts() {
		for _, i := range a.byKey[ctx] {
			if a.table[i].id == id {
				return a.table[i], true
			}
		}
	}
	for _, c := range a.table {
		if c.id == id {
			return c, true
		}
	}
	return command{}, false
}

// key works a key off.
func (a *App) key(m tea.KeyPressMsg) tea.Cmd {
	name := m.String()
	a.inputs++
	if a.armed && name != "ctrl+c" {
		a.disarm(-1)
	}
	if a.class() == 0 {
		return a.tinyKey(name)
	}
	if a.jump != nil {
		return a.jumpKey(name)
	}
	if len(a.over) > 0 {
		return a.overKey(name, m.Key().Text)
	}
	a.status.touch()
	if a.mark != nil && name != "esc" && name != "y" && name != a.keyFor("copy.value") && name != a.keyFor("row.menu") {
		a.mark = nil
	}
	input := a.input()
	if a.laying {
		input = nil
	}
	if text := m.Key().Text; input != nil && text != "" {
		if a.hurried {
			input.Put(text)
		} else {
			input.Key(name, text)
		}
		return a.changed()
	}
	if c, ok := a.lookup(name); ok {
		return a.run(c, name)
	}
	if input != nil {
		if input.Key(name, "") {
			return a.changed()
		}
		return a.nothing(name)
	}
	return a.nothing(name)
}

// tinyKey is a key on a screen that is too small for anything.
func (a *App) tinyKey(name string) tea.Cmd {
	switch name {
	case "q":
		return a.end()
	case "ctrl+c":
		return a.do("run.cancel")
	}
	return nil
}

// nothing says that a key has no meaning here.
func (a *App) nothing(name string) tea.Cmd {
	return a.say(toast{text: name + " does nothing here · " + a.keyFor("app.help") + " keys", brief: true})
}

// run does a command, or says why it cannot be done. key is "" when no key
// brought it.
func (a *App) run(c command, key string) tea.Cmd {
	if c.why != nil {
		if why := c.why(a); why != "" {
			return a.say(toast{text: why, brief: true})
		}
	}
	if c.run == nil {
		return a.nothing(key)
	}
	return c.run(a, key)
}

// do does a command by its id.
func (a *App) do(id string) tea.Cmd {
	c, ok := a.find(id)
	if !ok {
		return nil
	}
	return a.run(c, "")
}

// input is where the caret is, nil when there is none.
func (a *App) input() *edit.Editor {
	switch {
	case len(a.over) > 0:
		return a.over[len(a.over)-1].box.Input()
	case a.page != nil:
		return a.page.Input()
	case a.at == inOpen:
		return a.open.Input()
	case a.at == inCheck:
		return nil
	}
	switch a.focus {
	case paneTools:
		return a.tools.Input()
	case paneArguments:
		return a.args.Input()
	case paneResult:
		return a.result.Input()
	}
	return a.pane().Input()
}

// changed tells whoever has the caret that its text changed.
func (a *App) changed() tea.Cmd {
	switch {
	case len(a.over) > 0:
		top := a.over[len(a.over)-1]
		top.box.Changed()
		top.look(a)
		if top.typed != nil {
			return top.typed(a)
		}
	case a.page != nil:
		a.page.Changed()
	case a.at == inOpen:
		a.open.Changed()
	case a.focus == paneTools:
		a.tools.Changed()
		a.showTool()
	case a.focus == paneArguments:
		a.args.Changed()
		return a.argsSaid()
	case a.focus == paneResult:
		a.result.Changed()
		return a.filterResult()
	case a.focus >= paneWire:
		a.pane().Changed()
	}
	return nil
}

// paste puts text in at the caret.
func (a *App) paste(text string) tea.Cmd {
	a.inputs++
	a.disarm(-1)
	a.status.touch()
	ed := a.input()
	if ed == nil {
		return a.say(toast{text: "nothing takes text here", brief: true})
	}
	if a.at == inOpen && a.page == nil && len(a.over) == 0 && a.open.Completing() {
		text = gallery.Dropped(text)
	}
	pairs := ed.Paste(text)
	cmd := a.changed()
	a.askLineEnds(ed, text, pairs)
	return cmd
}

// disarm takes back that ctrl+c quits. A timer that armed at another input
// does nothing; -1 always counts.
func (a *App) disarm(input int) bool {
	if !a.armed || input >= 0 && input != a.inputs {
		return false
	}
	a.armed = false
	a.status.clear()
	return true
}

// arm lets the next ctrl+c quit, for two seconds.
func (a *App) arm() tea.Cmd {
	a.armed = true
	a.status.set(toast{text: "ctrl+c again quits; drafts are kept", whole: true})
	return a.after(2*time.Second, disarmMsg{a.inputs})
}
