package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"perch/ui/cell"
)

// spot is a place on the screen that answers to the mouse, and to jump mode.
type spot struct {
	at    rect
	jump  bool // gets a letter
	tab   bool // the letter stands in the blank before it
	row   bool // has rows: a right click opens their commands
	click func(a *App, x, y int, double bool) tea.Cmd
	wheel func(a *App, dx, dy int)
}

// hits are the spots of the frame that was drawn last.
type hits struct {
	spots []spot
	over  rect // the box on top
}

func (h *hits) reset() { h.spots, h.over = h.spots[:0], rect{} }

func (h *hits) add(s spot) { h.spots = append(h.spots, s) }

// tabs makes the tabs of a title answer.
func (h *hits) tabs(r rect, at []cell.Extent, choose func(*App, int)) {
	for i, e := range at {
		if e.To > e.From {
			h.add(spot{at: rect{X: r.X + e.From, Y: r.Y, W: e.To - e.From, H: 1}, jump: true, tab: true,
				click: func(a *App, _, _ int, _ bool) tea.Cmd {
					choose(a, i)
					return nil
				}})
		}
	}
}

// find is the topmost spot at a place that does something.
func (h *hits) find(x, y int, does func(spot) bool) (spot, bool) {
	for i := len(h.spots) - 1; i >= 0; i-- {
		if h.spots[i].at.Has(x, y) && does(h.spots[i]) {
			return h.spots[i], true
		}
	}
	return spot{}, false
}

// clicks tell a double click.
type clicks struct {
	x, y int
	when time.Duration
	any  bool
}

// doubleClick is the longest time between two clicks that are one.
const doubleClick = 400 * time.Millisecond

func (c *clicks) double(x, y int, now time.Duration) bool {
	twice := c.any && c.x == x && c.y == y && now-c.when <= doubleClick
	*c = clicks{x, y, now, !twice}
	return twice
}

// click works a mouse button off.
func (a *App) click(m tea.Mouse) tea.Cmd {
	a.inputs++
	a.disarm(-1)
	a.status.touch()
	a.jump = nil
	double := m.Button == tea.MouseLeft && a.clicks.double(m.X, m.Y, a.clock.Mono())
	if len(a.over) > 0 {
		return a.clickOver(m, double)
	}
	if m.Button != tea.MouseLeft && m.Button != tea.MouseRight {
		return nil
	}
	s, ok := a.hits.find(m.X, m.Y, func(s spot) bool { return s.click != nil })
	if m.Button == tea.MouseLeft && a.press(m.X, m.Y, s, ok) || !ok {
		return nil
	}
	cmd := s.click(a, m.X-s.at.X, m.Y-s.at.Y, double)
	if m.Button == tea.MouseRight && s.row {
		return tea.Batch(cmd, a.openRowMenu())
	}
	return cmd
}

// clickOver is a click while a box is open: on a row it chooses, outside it
// closes the box.
func (a *App) clickOver(m tea.Mouse, double bool) tea.Cmd {
	if !a.hits.over.Has(m.X, m.Y) {
		return a.overClose()
	}
	top := a.over[len(a.over)-1]
	it, ok := top.box.At(m.X-a.hits.over.X, m.Y-a.hits.over.Y)
	if !ok {
		return nil
	}
	top.look(a)
	if double || top.box.Input() == nil {
		return a.overChoose(it)
	}
	return nil
}

// wheelRows is how many rows a step of the wheel is.
const wheelRows = 3

// wheel scrolls what is under the pointer; the focus stays.
func (a *App) wheel(m tea.Mouse) tea.Cmd {
	dx, dy := 0, 0
	switch m.Button {
	case tea.MouseWheelUp:
		dy = -wheelRows
	case tea.MouseWheelDown:
		dy = wheelRows
	case tea.MouseWheelLeft:
		dx = -1
	case tea.MouseWheelRight:
		dx = 1
	}
	if m.Mod.Contains(tea.ModShift) {
		dx, dy = dy/wheelRows, 0
	}
	if len(a.over) > 0 {
		if top := a.over[len(a.over)-1]; top.box.ScrollText(dy) {
			return nil
		}
		return a.overMove(dy / wheelRows)
	}
	if s, ok := a.hits.find(m.X, m.Y, func(s spot) bool { return s.wheel != nil }); ok {
		s.wheel(a, dx, dy)
	}
	return nil
}
