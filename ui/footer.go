package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"perch/themes"
	"perch/ui/cell"
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
		l.Blank(1).Text(cell.Fg(toastRole(*t)), t.text)
		return a.look.Row(l, a.w)
	}
	room := a.w - 2
	tail := a.footerTail()
	if t != nil {
		var said cell.Line
		said.Text(cell.Fg(toastRole(*t)), t.text)
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

// addHints adds as many keys as there is room for, each a place to click.
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
	for _, h := range a.hints() {
		var part cell.Line
		part.Own(cell.Fg(themes.Accent), h.key).Own(cell.Fg(themes.Muted), " "+h.text)
		n := a.look.Width(part)
		if n > room {
			continue
		}
		l.Add(part).Blank(gap)
		a.hits.add(spot{at: rect{X: x, Y: a.h - 1, W: n, H: 1}, click: func(a *App, _, _ int, _ bool) tea.Cmd {
			return a.do(h.id)
		}})
		x, room = x+n+gap, room-n-gap
	}
}

// hints are the keys that help most now, the first to be told first.
func (a *App) hints() []hint {
	var out []hint
	typing := a.input() != nil && len(a.over) == 0
	seen := map[string]bool{}
	for _, ctx := range a.contexts() {
		for _, i := range a.byKey[ctx] {
			c := a.table[i]
			if c.foot == "" || seen[c.id] || c.why != nil && c.why(a) != "" {
				continue
			}
			seen[c.id] = true
			out = append(out, hint{c.keys[0], c.foot, c.rank, c.id})
		}
	}
	switch {
	case len(a.over) > 0:
		out = []hint{{"enter", "choose", 9, "menu.do"}, {"esc", "close", 8, "nav.out"}}
	case typing:
		if a.at == inExplore && a.whyNoCall() == "" {
			out = append(out, hint{"ctrl+r", "run", 7, "run.call"})
		}
		out = append(out, hint{"esc", "commands", 6, "nav.out"}, hint{"f1", "help", 5, "app.help"})
	default:
		out = append(out, hint{":", "commands", 4, "app.palette"})
		if a.at != inOpen {
			out = append(out, hint{"P", "open", 1, "package.open"})
		}
		if a.at == inOpen {
			out = append(out, hint{"P", "path", 6, "package.open"}, hint{"T", "theme", 3, "theme.pick"})
		}
	}
	slices.SortStableFunc(out, func(p, q hint) int { return q.rank - p.rank })
	return out
}

// footerTail is what always stands at the right: whose the mouse is, and what
// ctrl+c does.
func (a *App) footerTail() cell.Line {
	var l cell.Line
	if a.w >= 100 {
		state := "mouse off"
		if a.mouse {
			state = "mouse on"
		}
		l.Own(cell.Fg(themes.Accent), "M").Own(cell.Fg(themes.Muted), " "+state).Blank(3)
	}
	key, text := "ctrl+c×2", " quit"
	if a.session != nil && a.session.live != nil {
		key, text = "ctrl+c", " end the call"
	}
	return *l.Own(cell.Fg(themes.Accent), key).Own(cell.Fg(themes.Muted), text)
}
