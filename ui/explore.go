package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"perch/engine/event"
	"perch/inspect/record"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/findings"
	"perch/ui/layout"
	"perch/ui/stream"
	"perch/ui/words"
)

// drawExplore draws the view Explore.
func (a *App) drawExplore() cell.Block {
	l := layout.ForExplore(a.w, a.bodyHeight(), a.layoutState())
	a.handles = l.Handles
	a.sayEmpty()
	var out cell.Block
	if !l.Strip.Empty() {
		out = append(out, a.strip(l.Strip))
	}
	var upper []cell.Block
	for i, r := range []rect{l.First, l.Second, l.Third} {
		if !r.Empty() {
			upper = append(upper, a.drawPane(i+1, r, l.First.Empty()))
		}
	}
	if len(upper) > 0 {
		out = append(out, a.look.Beside("┬", upper...)...)
	}
	if !l.Stream.Title.Empty() {
		out = append(out, a.drawStreams(l)...)
	}
	return out
}

// sayEmpty tells the panes what to say where there are no tools.
func (a *App) sayEmpty() {
	list, args := "No tools were listed: "+a.keyNamed("pane.findings", "0")+" says why.", "No tool is chosen. "+a.keyNamed("nav.in", "enter")+" on a tool, or "+a.keyNamed("pane.first", "1")+", goes there."
	rest := "No tools were listed, so there is nothing to call. Wire and the other streams show the upload run."
	const notYet = "Not known yet."
	switch s := a.session; {
	case s == nil:
		list, args, rest = notYet, notYet, "The package is being opened."
	case s.phase == compiling:
		list, args, rest = notYet, notYet, "The module is being compiled. Then Subako's upload is made: server/discover, tools/list."
	case s.phase == uploading:
		list, args, rest = notYet, notYet, "The upload run asks the module for its tools."
	case len(s.upload.Tools) == 0:
		args = "There is no tool to write arguments for."
	default:
		rest = "No tool is chosen, so there is nothing to call."
	}
	a.tools.Empty(list)
	a.args.Empty(args)
	a.result.Empty(rest)
}

// drawPane draws one pane of the view with its title.
func (a *App) drawPane(digit int, r rect, alone bool) cell.Block {
	focused := a.focus == digit
	inner := rect{X: r.X, Y: r.Y + 1, W: r.W, H: r.H - 1}
	var title cell.Title
	var body cell.Block
	s := spot{at: inner, jump: true, row: true}
	setTab := func(*App, int) {}
	var x, y int
	var ok bool
	switch digit {
	case paneTools:
		title = a.tools.Title(focused)
		body = a.tools.View(a.look, inner.W, inner.H, focused)
		x, y, ok = a.tools.Cursor()
		s.click = clickTools
		s.wheel = func(a *App, dx, dy int) { a.tools.Wheel(dx, dy) }
	case paneArguments:
		a.args.Disable(a.whyNoCall())
		title = a.args.Title(focused, alone)
		body = a.args.View(a.look, inner.W, inner.H, focused)
		x, y, ok = a.args.Cursor()
		s.click = clickArguments
		s.wheel = func(a *App, dx, dy int) { a.args.Wheel(dx, dy) }
		setTab = func(a *App, i int) { a.args.SetTab(i) }
	default:
		title = a.result.Title(focused)
		body = a.result.View(a.look, inner.W, inner.H, focused)
		x, y, ok = a.result.Cursor()
		s.click = clickResult
		s.wheel = func(a *App, dx, dy int) { a.result.Wheel(dx, dy) }
		setTab = func(a *App, i int) { a.result.SetTab(i) }
	}
	row, tabs := a.look.Title(title, r.W)
	if focused {
		a.place(inner, x, y, ok)
	}
	a.hits.add(s)
	a.hits.add(spot{at: rect{X: r.X, Y: r.Y, W: r.W, H: 1}, click: func(a *App, _, _ int, _ bool) tea.Cmd {
		a.setFocus(digit)
		return nil
	}})
	a.hits.tabs(rect{X: r.X, Y: r.Y, W: r.W, H: 1}, tabs, func(a *App, i int) {
		a.setFocus(digit)
		setTab(a, i)
	})
	return append(cell.Block{row}, body...)
}

func clickTools(a *App, x, y int, double bool) tea.Cmd {
	a.setFocus(paneTools)
	hit := a.tools.Click(x, y)
	a.showTool()
	if hit && double {
		return a.enter()
	}
	return nil
}

func clickArguments(a *App, x, y int, _ bool) tea.Cmd {
	a.setFocus(paneArguments)
	return a.asked(a.args.Click(a.look, x, y))
}

func clickResult(a *App, x, y int, double bool) tea.Cmd {
	a.setFocus(paneResult)
	hit := a.result.Click(x, y)
	a.linkResult()
	if hit && double {
		return a.enter()
	}
	return nil
}

// strip is the row of digits above a single pane.
func (a *App) strip(r rect) string {
	var tabs []cell.Tab
	for i, name := range []string{"Tools", "Args", "Result"} {
		t := cell.Tab{Name: fmt.Sprintf("%d %s", i+1, name), Current: a.focus == i+1}
		if n := a.args.Problems(); i == 1 && n > 0 {
			t.Count, t.Role = "▲"+words.Count(n), themes.Warning
			if a.args.Wrong() {
				t.Count, t.Role = "✗"+words.Count(n), themes.Error
			}
		}
		tabs = append(tabs, t)
	}
	for _, p := range a.streams {
		count, role := p.Facts()
		tabs = append(tabs, cell.Tab{Name: fmt.Sprintf("%d %s", keyOf(p.Digit()), p.Short()), Count: count, Role: role, Current: a.focus == p.Digit()})
	}
	line, at := a.look.TabLine(tabs, cell.Tight)
	for _, shorten := range []func(*cell.Tab){
		func(t *cell.Tab) {
			if t.Count == "0" {
				t.Count = ""
			}
		},
		func(t *cell.Tab) {
			if t.Count != "" && t.Role != themes.None { // its count tells which it is
				t.Name, _, _ = strings.Cut(t.Name, " ")
			}
		},
		func(t *cell.Tab) {
			if t.Role == themes.None {
				t.Count = ""
			}
		},
		func(t *cell.Tab) { t.Count = "" },
		func(t *cell.Tab) { t.Name, _, _ = strings.Cut(t.Name, " ") },
	} {
		if a.look.Width(line)+2 <= r.W {
			break
		}
		for i := range tabs {
			if !tabs[i].Current {
				shorten(&tabs[i])
			}
		}
		line, at = a.look.TabLine(tabs, cell.Tight)
	}
	var l cell.Line
	l.Blank(1).Add(line)
	for i := range at {
		at[i].From, at[i].To = at[i].From+1, at[i].To+1
	}
	a.hits.tabs(r, at, func(a *App, i int) {
		if i++; i >= paneWire {
			i = a.streams[i-paneWire].Digit()
		}
		a.setFocus(i)
	})
	return a.look.Row(l, r.W)
}

// drawStreams draws the stream in sight: its title, list and detail, and the
// one beside it.
func (a *App) drawStreams(l layout.Explore) cell.Block {
	s := l.Stream
	left := append(cell.Block{a.streamTitle(l)}, a.drawStream(s)...)
	if s.Dock.Empty() {
		return left
	}
	dock := a.docked()
	p := a.paneAt(dock)
	count, role := p.Facts()
	t := cell.Title{Name: cell.Own(themes.None, fmt.Sprintf("Docked  %d %s", keyOf(p.Digit()), p.Name())), Facts: cell.Own(role, count)}
	title, _ := a.look.Title(t, s.DockTitle.W)
	right := append(cell.Block{title}, a.streamBody(p, stream.View{Look: a.look, W: s.Dock.W, H: s.Dock.H}, false)...)
	a.hits.add(spot{at: s.Dock,
		click: func(a *App, x, y int, _ bool) tea.Cmd {
			a.setFocus(dock)
			return nil
		},
		wheel: func(_ *App, dx, dy int) { p.Wheel(dx, dy, false) }})
	return a.look.Beside("┬", left, right)
}

// streamBody is a pane's list, or its detail; what would fill it where it is
// empty.
func (a *App) streamBody(p stream.Pane, v stream.View, detail bool) cell.Block {
	if detail {
		return p.Detail(v)
	}
	return p.List(v)
}

// streamTitle is the row that names all streams.
func (a *App) streamTitle(l layout.Explore) string {
	focused := a.focus >= paneWire
	r := l.Stream.Title
	if l.Stream.Instead && a.detail {
		t := a.pane().DetailTitle(focused)
		name := cell.Own(themes.None, a.pane().Name()+" › ")
		t.Name = *name.Add(t.Name)
		row, at := a.look.Title(t, r.W)
		a.hits.tabs(r, at, func(a *App, i int) { a.pane().SetTab(i) })
		return row
	}
	t := cell.Title{Focused: focused, Spacing: cell.Strip}
	if l.Class < layout.Normal {
		p := a.pane()
		count, role := p.Facts()
		t.Name = cell.Own(themes.None, fmt.Sprintf("%d %s", keyOf(p.Digit()), p.Name()))
		if count != "" {
			t.Name.Own(cell.Fg(role), " "+count)
		}
		t.Facts = a.runFacts(r.W - a.look.Width(t.Name) - titleFrame)
		row, _ := a.look.Title(t, r.W)
		return row
	}
	for _, p := range a.streams {
		count, role := p.Facts()
		t.Tabs = append(t.Tabs, cell.Tab{Name: fmt.Sprintf("%d %s", keyOf(p.Digit()), p.Name()),
			Short: fmt.Sprintf("%d %s", keyOf(p.Digit()), p.Short()), Count: count, Role: role, Current: p.Digit() == a.stream})
	}
	line, _ := a.look.TabLine(t.Tabs, t.Spacing)
	t.Facts = a.runFacts(r.W - a.look.Width(line) - titleFrame)
	row, at := a.look.Title(t, r.W)
	a.hits.tabs(r, at, func(a *App, i int) { a.setFocus(a.streams[i].Digit()) })
	return row
}

// titleFrame is what a title rule takes beside its names and facts.
const titleFrame = 6

// runFacts say which run the streams show, as fully as there is room for.
func (a *App) runFacts(room int) cell.Line {
	var l cell.Line
	for plan := range 3 {
		if l = a.runWords(plan); a.look.Width(l) <= room {
			break
		}
	}
	return l
}

// runWords say which run the streams show: all of it, without how long it took,
// or its number and outcome alone.
func (a *App) runWords(plan int) cell.Line {
	var l cell.Line
	all, at := a.runs()
	if at < 0 {
		return cell.Own(themes.Muted, "no run yet")
	}
	r := all[at]
	if a.session.older && at < len(all)-1 {
		l.Own(cell.Fg(themes.Notice), "newer: )").Own(cell.Fg(themes.Muted), " · ")
	}
	begin := r.Begin()
	switch begin.Kind {
	case event.Upload:
		l.Own(cell.Fg(themes.Muted), "upload run")
	case event.Probe:
		l.Own(cell.Fg(themes.Notice), "probe").Text(cell.Fg(themes.Muted), " "+a.look.Text.Cut(a.look.Text.Line(begin.Probe), 40-12*plan))
		return l
	default:
		a.addCall(&l, all[:at+1], begin.Tool, plan)
	}
	end, _ := r.End()
	if end.Outcome == event.Cancelled {
		l.Blank(1) // its sign is the dot
	} else {
		l.Own(cell.Fg(themes.Muted), " · ")
	}
	if a.live(r) {
		l.Own(cell.Fg(themes.Notice), "» running "+seconds(a.elapsed()))
		return l
	}
	l.Own(cell.Fg(findings.OutcomeRole(end.Outcome)), words.Outcome(end.Outcome))
	if a.mockedNow() > 0 {
		mark := " ≠ mocked"
		if plan > 0 {
			mark = " ≠" // HTTP and the header say it whole
		}
		l.Own(cell.Fg(themes.Changed), mark)
	}
	if (end.Outcome == event.OK || end.Outcome == event.ToolError) && plan == 0 {
		l.Own(cell.Fg(themes.Muted), " "+words.Duration(end.Usage.Time))
	}
	return l
}

// addCall names a call by its number among the calls so far, and its tool.
func (a *App) addCall(l *cell.Line, runs []*record.Run, tool string, plan int) {
	n := 0
	for _, r := range runs {
		if r.Begin().Kind == event.Call {
			n++
		}
	}
	l.Own(cell.Fg(themes.Muted), fmt.Sprintf("call %d", n))
	if plan < 2 {
		l.Own(cell.Fg(themes.Muted), " of ").Text(cell.Fg(themes.Muted), a.look.Text.Cut(a.look.Text.Line(tool), 24-8*plan))
	}
}

// drawStream draws list and detail of the stream in sight, below its title.
func (a *App) drawStream(s layout.Stream) cell.Block {
	p := a.pane()
	focused := a.focus >= paneWire
	var list, detail cell.Block
	if !s.List.Empty() {
		list = a.streamBody(p, stream.View{Look: a.look, W: s.List.W, H: s.List.H, Focused: focused && !a.detail}, false)
		a.streamSpot(s.List, false)
		if focused && !a.detail {
			x, y, ok := p.Cursor(false)
			a.place(s.List, x, y, ok)
		}
	}
	if !s.Detail.Empty() {
		titled := s.Below || s.Instead
		detail = a.streamBody(p, stream.View{Look: a.look, W: s.Detail.W, H: s.Detail.H, Focused: focused && a.detail, Titled: titled}, true)
		a.streamSpot(s.Detail, true)
		if focused && a.detail {
			x, y, ok := p.Cursor(true)
			a.place(s.Detail, x, y, ok)
		}
	}
	switch {
	case s.Below:
		r := rect{X: s.Detail.X, Y: s.Detail.Y - 1, W: s.Detail.W, H: 1}
		row, at := a.look.Title(p.DetailTitle(focused && a.detail), r.W)
		a.hits.tabs(r, at, func(a *App, i int) {
			a.focus, a.detail = a.stream, true
			a.pane().SetTab(i)
		})
		return append(append(list, row), detail...)
	case s.List.Empty():
		return detail
	case s.Detail.Empty():
		return list
	}
	return a.look.Beside("", list, detail)
}

// streamSpot makes a list or a detail answer to the mouse.
func (a *App) streamSpot(r rect, detail bool) {
	a.hits.add(spot{at: r, jump: true, row: true,
		click: func(a *App, x, y int, double bool) tea.Cmd {
			a.focus, a.detail = a.stream, detail
			hit := a.pane().Click(x, y, detail)
			a.link()
			if hit && double {
				return a.enter()
			}
			return nil
		},
		wheel: func(a *App, dx, dy int) { a.pane().Wheel(dx, dy, detail) }})
}
