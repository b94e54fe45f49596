package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"perch/themes"
	"perch/ui/cell"
	"perch/ui/prose"
)

// hint is a key and what it does, for the footer.
type hint struct {
	key, text string
	rank      int
	id        string
}

// footer is the last row: what the keys do now, and what was just said.
func (a *App) footer() string {
	var l cell.Line
	l.Fill = cell.Style{Fg: themes.Text, Bg: themes.Surface}
	t := a.status.now
	if t != nil && t.whole {
		prose.Mixed(l.Blank(1), cell.Fg(toastRole(*t)), t.text)
		return a.look.Row(l, a.w)
	}
	if t == nil && len(a.over) == 0 && a.tour != nil && a.tour.begun && a.bodyHeight() == a.h {
		return a.look.Row(a.tourLine(a.w), a.w)
	}
	room := a.w - 2
	tail := a.footerTail()
	if t != nil {
		var said cell.Line
		prose.Mixed(&said, cell.Fg(toastRole(*t)), t.text)
		if a.look.Width(said) > a.w/2-2 {
			l.Blank(1).Add(said)
			return a.look.Row(l, a.w)
		}
		tail = said
	}
	if n := a.look.Width(tail); n > 0 && n+20 < room {
		room -= n + 3
	} else {
		tail = cell.Line{}
	}
	l.Blank(1)
	a.addHints(&l, room)
	if len(tail.Spans) > 0 {
		l.Gap().Add(tail).Blank(1)
	}
	return a.look.Row(l, a.w)
}

func toastRole(t toast) themes.Role {
	switch {
	case t.bad:
		return themes.Error
	case t.brief:
		return themes.Notice
	}
	return themes.Text
}

// addHints adds the keys that help most as far as there is room, each a place
// to click.
func (a *App) addHints(l *cell.Line, room int) {
	x := 1
	if a.input() != nil && len(a.over) == 0 {
		l.Own(cell.Fg(themes.Accent).With(themes.Bold), "typing").Blank(3)
		x, room = x+9, room-9
	}
	gap := 3
	if a.w < 100 {
		gap = 2
	}
	for i, h := range a.fitting(room, gap) {
		part := h.line()
		n := a.look.Width(part)
		if i > 0 {
			l.Blank(gap)
		}
		l.Add(part)
		a.hits.add(spot{at: rect{X: x, Y: a.h - 1, W: n, H: 1}, click: func(a *App, _, _ int, _ bool) tea.Cmd {
			return a.do(h.id)
		}})
		x += n + gap
	}
}

func (h hint) line() cell.Line {
	var l cell.Line
	l.Own(cell.Fg(themes.Accent), h.key).Own(cell.Fg(themes.Muted), " "+h.text)
	return l
}

// fitting are the hints that there is room for, by rank, in their own order.
func (a *App) fitting(room, gap int) []hint {
	all := a.hints()
	ranked := append([]hint(nil), all...)
	slices.SortStableFunc(ranked, func(p, q hint) int { return q.rank - p.rank })
	fits := map[string]bool{}
	for _, h := range ranked {
		if n := a.look.Width(h.line()) + gap; n <= room+gap {
			fits[h.id], room = true, room-n
		}
	}
	return slices.DeleteFunc(all, func(h hint) bool { return !fits[h.id] })
}

// hints are the keys that help now, in the order in which they are told.
func (a *App) hints() []hint {
	if len(a.over) > 0 {
		return []hint{{"enter", "choose", 9, "menu.do"}, {"esc", "close", 8, "nav.out"}}
	}
	if a.jump != nil {
		return []hint{{"a–z", "go there", 9, ""}, {"esc", "stay", 8, "nav.out"}}
	}
	if a.laying {
		return []hint{{"arrows", "move its edges · " + a.saysLayout(), 9, ""}, {a.keyFor("layout.hide"), "hide", 8, "layout.hide"}, {a.keyFor("layout.show"), "show all", 7, "layout.show"},
			{a.keyFor("layout.reset"), "as at first", 6, "layout.reset"}, {"esc", "done", 8, "nav.out"}}
	}
	var out []hint
	seen, taken := map[string]bool{}, map[string]bool{}
	for _, ctx := range a.contexts() {
		for _, i := range a.byKey[ctx] {
			c := a.table[i]
			foot := c.foot
			if foot != "" && c.says != nil {
				foot = c.says(a)
			}
			if foot == "" || seen[c.id] || len(c.keys) == 0 || len(freeKeys(c.keys[:1], taken)) == 0 || c.why != nil && c.why(a) != "" {
				continue
			}
			seen[c.id] = true
			out = append(out, hint{c.keys[0], foot, c.rank, c.id})
		}
		for _, i := range a.byKey[ctx] {
			for _, k := range a.table[i].keys {
				taken[k] = true
			}
		}
	}
	return append(out, a.moreHints()...)
}

// moreHints stand behind those of the place.
func (a *App) moreHints() []hint {
	switch {
	case a.input() != nil:
		var out []hint
		if a.at == inExplore && a.page == nil && a.whyNoCall() == "" {
			out = append(out, hint{a.keyFor("run.call"), "run", 7, "run.call"})
		}
		if a.at == inExplore && a.focus >= paneWire && a.page == nil {
			out = append(out, hint{a.keyFor("row.menu"), "regex, case", 6, "row.menu"})
		}
		if a.at == inExplore && a.focus == paneArguments && a.page == nil {
			out = append(out, hint{a.keyFor("row.menu"), "row", 4, "row.menu"}, hint{a.keyFor("nav.problem"), "problem", 3, "nav.problem"})
		}
		return append(out, hint{a.keyFor("nav.out"), a.saysEscape(), 6, "nav.out"}, hint{a.keyFor("app.help"), "help", 5, "app.help"})
	case a.at == inOpen && a.page == nil:
		return []hint{{a.keyFor("package.open"), "path", 6, "package.open"}, {a.keyFor("theme.pick"), "theme", 3, "theme.pick"},
			{a.keyFor("app.palette"), "commands", 4, "app.palette"}, {a.keyFor("app.help"), "help", 8, "app.help"}}
	}
	if a.page != nil {
		return []hint{{a.keyFor("nav.out"), "close", 7, "nav.out"}, {a.keyFor("app.palette"), "commands", 4, "app.palette"}}
	}
	out := []hint{{"0–9", "panes", 4, "nav.jump"}}
	if a.at == inCheck {
		out = []hint{{a.keyFor("package.open"), "open", 6, "package.open"}}
	}
	return append(out, hint{a.keyFor("app.palette"), "commands", 5, "app.palette"}, hint{a.keyFor("app.help"), "help", 8, "app.help"})
}

// footerTail is what stands at the right: whose the mouse is, and what ctrl+c
// does. On the narrowest screens the keys of the place need the room more,
// unless a run lives.
func (a *App) footerTail() cell.Line {
	var l cell.Line
	live := a.session != nil && (a.session.live != nil || a.session.probes != nil)
	if a.w < 60 && !live {
		return l
	}
	if a.w >= 100 {
		state := "mouse off"
		if a.mouse {
			state = "mouse on"
		}
		if key := a.keyFor("mouse.toggle"); key != noKey { // while typing it is text
			l.Own(cell.Fg(themes.Accent), key).Blank(1)
		}
		l.Own(cell.Fg(themes.Muted), state).Blank(3)
	}
	key, text := "ctrl+c×2", " quit"
	switch {
	case live && a.session.live == nil:
		key, text = "ctrl+c", " end the probes"
	case live:
		key, text = "ctrl+c", " end the call"
	}
	return *l.Own(cell.Fg(themes.Accent), key).Own(cell.Fg(themes.Muted), text)
}
