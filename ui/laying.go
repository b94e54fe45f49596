package ui

import (
	"fmt"
	"path/filepath"
	"slices"

	tea "charm.land/bubbletea/v2"

	"perch/ui/gallery"
	"perch/ui/layout"
	"perch/ui/memory"
)

// layingOut are the commands while edges are moved.
func layingOut() []command {
	return []command{
		{id: "pane.layout", ctx: ctxBrowse, keys: keys("Z"), title: "Layout: move edges, hide and show panes", why: (*App).whyNoLayout, run: on((*App).startLayout)},
		{id: "layout.left", ctx: ctxLayout, keys: keys("left", "h"), title: "Move the edge to the left", run: edge(-2, 0)},
		{id: "layout.right", ctx: ctxLayout, keys: keys("right", "l"), title: "Move the edge to the right", run: edge(2, 0)},
		{id: "layout.up", ctx: ctxLayout, keys: keys("up", "k"), title: "Move the edge up", run: edge(0, -1)},
		{id: "layout.down", ctx: ctxLayout, keys: keys("down", "j"), title: "Move the edge down", run: edge(0, 1)},
		{id: "layout.hide", ctx: ctxLayout, keys: keys("x"), title: "Hide the pane", run: on((*App).hidePane)},
		{id: "layout.show", ctx: ctxLayout, keys: keys("u"), title: "Show all panes", run: on((*App).showPanes)},
		{id: "layout.reset", ctx: ctxLayout, keys: keys("="), title: "All as it comes", run: on((*App).resetLayout)},
		{id: "layout.done", ctx: ctxLayout, keys: keys("enter", "Z", "q"), title: "Done", run: on((*App).endLayout)},
	}
}

// edge is a command that moves an edge of the pane in focus.
func edge(dx, dy int) func(*App, string) tea.Cmd {
	return func(a *App, _ string) tea.Cmd { return a.moveEdge(dx, dy) }
}

func (a *App) whyNoLayout() string {
	switch {
	case a.at != inExplore || a.page != nil:
		return "panes are laid out in Explore, once a package is open"
	case a.class() <= layout.Narrow:
		return "one pane has all the room here; edges are moved from 100x28 on"
	}
	return ""
}

func (a *App) startLayout() tea.Cmd {
	a.zoom, a.laying = false, true
	return nil
}

func (a *App) endLayout() tea.Cmd {
	a.laying = false
	return a.keepView()
}

// layoutState is what decides the layout beside the size.
func (a *App) layoutState() layout.State {
	return layout.State{Pane: a.focus, Upper: a.upper, Zoom: a.zoom, Detail: a.detail, Edges: a.edges}
}

// moveEdge moves the edge of the pane in focus that lies in a direction's axis:
// its right one or its lower one, where it has none the other.
func (a *App) moveEdge(dx, dy int) tea.Cmd {
	which := a.edgeOf(dx != 0)
	if which == layout.NoEdge || !a.shift(which, dx+dy) {
		return a.say(toast{text: "there is no room to move that edge", brief: true})
	}
	return nil
}

// shift moves an edge and reports whether anything moved.
func (a *App) shift(which layout.Edge, by int) bool {
	before := layout.ForExplore(a.w, a.bodyHeight(), a.layoutState())
	was := a.edges
	a.edges = a.edges.Moved(which, by)
	if layout.ForExplore(a.w, a.bodyHeight(), a.layoutState()) == before {
		a.edges = was
		return false
	}
	return true
}

// edgeOf is the edge of the pane in focus that moves sideways, or up and down.
func (a *App) edgeOf(sideways bool) layout.Edge {
	has := layout.ForExplore(a.w, a.bodyHeight(), a.layoutState()).Handles
	var order []layout.Edge
	switch {
	case !sideways:
		order = []layout.Edge{layout.Lower}
	case a.focus == paneTools:
		order = []layout.Edge{layout.First}
	case a.focus < paneWire:
		order = []layout.Edge{layout.Second, layout.First}
	case a.detail:
		order = []layout.Edge{layout.Dock, layout.List}
	default:
		order = []layout.Edge{layout.List, layout.Dock}
	}
	for _, e := range order {
		if has.Has(e) {
			return e
		}
	}
	return layout.NoEdge
}

// hidden is the bit of a pane.
func hiddenBit(digit int) int {
	switch digit {
	case paneTools:
		return layout.HideFirst
	case paneArguments:
		return layout.HideSecond
	case paneResult:
		return layout.HideThird
	}
	return layout.HideStream
}

// isHidden reports whether a pane was hidden by hand.
func (a *App) isHidden(digit int) bool {
	return a.class() >= layout.Normal && a.edges.Hidden&hiddenBit(digit) != 0
}

// hidePane hides the pane in focus; the next one has it then.
func (a *App) hidePane() tea.Cmd {
	if a.class() < layout.Normal {
		return a.say(toast{text: "panes are hidden from 100x28 on", brief: true})
	}
	now := a.edges.Hidden | hiddenBit(a.focus)
	order := []int{paneTools, paneArguments, paneResult, a.stream}
	at := slices.IndexFunc(order, func(d int) bool { return hiddenBit(d) == hiddenBit(a.focus) })
	for i := 1; i < len(order); i++ {
		next := order[(at+i)%len(order)]
		if now&hiddenBit(next) == 0 {
			a.edges.Hidden = now
			a.setFocus(next)
			return a.say(toast{text: "hidden · " + a.keyFor("layout.show") + " shows all, its digit this one", brief: true})
		}
	}
	return a.say(toast{text: "it is the last pane, so it stays", brief: true})
}

func (a *App) showPanes() tea.Cmd {
	if a.edges.Hidden == 0 {
		return a.say(toast{text: "no pane is hidden", brief: true})
	}
	a.edges.Hidden = 0
	return nil
}

func (a *App) resetLayout() tea.Cmd {
	if a.edges == (layout.Edges{}) {
		return a.say(toast{text: "all is as it comes", brief: true})
	}
	a.edges = layout.Edges{}
	return nil
}

// saysLayout is what the footer says of the pane in focus while edges move.
func (a *App) saysLayout() string {
	l := layout.ForExplore(a.w, a.bodyHeight(), a.layoutState())
	r := map[int]rect{paneTools: l.First, paneArguments: l.Second, paneResult: l.Third}[a.focus]
	if a.focus >= paneWire {
		r = rect{W: l.Stream.Title.W, H: l.Stream.Title.H + max(l.Stream.List.H, l.Stream.Detail.H)}
	}
	return fmt.Sprintf("layout %dx%d", r.W, r.H)
}

// packageKey is the name under which a package's view is remembered.
func (a *App) packageKey() string {
	s := a.session
	if s == nil || s.bench == nil {
		return ""
	}
	if s.bench.Sample() {
		return s.name
	}
	return absolute(s.name)
}

// viewNow is how the package on the screen is looked at.
func (a *App) viewNow() memory.View {
	return memory.View{Edges: a.edges.By[:], Hidden: a.edges.Hidden, Stream: a.stream, Dock: a.pin, ResultTab: int(a.result.Tab()),
		Times: int(a.pane().Times()), Unfollowed: a.unfollowed(), Args: a.argsNow()}
}

// keepView remembers how the package on the screen is looked at.
func (a *App) keepView() tea.Cmd {
	if !a.rememberView() {
		return nil
	}
	return a.saveMemory()
}

// rememberView puts the view into the memory, and reports whether there is one.
func (a *App) rememberView() bool {
	key := a.packageKey()
	if key == "" {
		return false
	}
	a.memory = a.memory.WithView(key, a.viewNow(), a.clock.Now())
	return true
}

// putView brings back how this package was looked at before.
func (a *App) putView() {
	v, known := a.memory.Views[a.packageKey()]
	a.edges, a.pin, a.laying = layout.Edges{}, 0, false
	if !known {
		a.putWays(memory.View{Times: int(a.pane().Times())})
		return
	}
	copy(a.edges.By[:], v.Edges)
	a.edges.Hidden = v.Hidden
	if a.hasStream(v.Stream) {
		a.stream = v.Stream
	}
	if a.hasStream(v.Dock) {
		a.pin = v.Dock
	}
	a.pane().Show() // they are in sight from the start, and read what comes
	a.paneAt(a.docked()).Show()
	a.result.SetTab(v.ResultTab)
	a.putWays(v)
	if a.isHidden(a.focus) {
		a.walk(1)
	}
}

// hasStream reports whether there is a stream of this digit.
func (a *App) hasStream(digit int) bool {
	for _, p := range a.streams {
		if p.Digit() == digit {
			return true
		}
	}
	return false
}

// absolute is where a package lies, "" when that cannot be told.
func absolute(name string) string {
	path, err := filepath.Abs(gallery.Expand(name))
	if err != nil {
		return ""
	}
	return path
}

// saysPageTab is what ] does on a page, "" where there is no other tab.
func (a *App) saysPageTab() string {
	if len(a.page.Title().Tabs) < 2 {
		return ""
	}
	return "tab"
}
