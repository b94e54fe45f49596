package ui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"perch/themes"
	"perch/ui/cell"
	"perch/ui/layout"
)

type rect = layout.Rect

// cursor is where the terminal's cursor stands: a bar where text is typed, an
// underline on the selected row elsewhere, which screen readers follow.
type cursor struct {
	x, y int
	bar  bool
	ok   bool
}

// View implements tea.Model. It draws only when something changed: Bubble Tea
// asks after every message.
func (a *App) View() tea.View {
	if a.dirty {
		a.dirty = false
		a.frame = a.draw()
	}
	return a.frame
}

// draw makes a frame.
func (a *App) draw() tea.View {
	a.hits.reset()
	a.cursor = cursor{}
	rows := a.rows()
	v := tea.NewView(cell.Join(rows))
	v.AltScreen = true
	v.WindowTitle = a.windowTitle()
	if a.mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	if a.cursor.ok && a.cursor.x < a.w && a.cursor.y < a.h {
		c := tea.NewCursor(a.cursor.x, a.cursor.y)
		c.Shape, c.Blink = tea.CursorUnderline, false
		if a.cursor.bar {
			c.Shape = tea.CursorBar
		}
		v.Cursor = c
	}
	return v
}

// rows are the rows of the frame: exactly as many as the terminal has, each as
// wide as it is.
func (a *App) rows() cell.Block {
	if a.w <= 0 || a.h <= 0 {
		return nil
	}
	if a.class() == layout.None {
		return a.tiny()
	}
	rows := make(cell.Block, 0, a.h)
	rows = append(rows, a.header())
	switch {
	case a.page != nil:
		rows = append(rows, a.drawPage()...)
	case a.at == inOpen:
		rows = append(rows, a.drawOpen()...)
	case a.at == inCheck:
		rows = append(rows, a.drawCheck()...)
	default:
		rows = append(rows, a.drawExplore()...)
	}
	rows = append(a.look.Fill(rows, a.w, a.bodyHeight()-1), a.drawTour()...)
	rows = append(rows, a.footer())
	a.plainRows = rows
	if a.mark != nil {
		rows = a.drawMark(slices.Clone(rows))
	}
	if a.input() != nil {
		a.cursor.bar = true
	}
	switch {
	case len(a.over) > 0:
		over, x, y, ok := a.drawOver(rows)
		rows, a.cursor = over, cursor{x, y, a.input() != nil, ok}
	case a.jump != nil:
		rows = a.drawJump(rows)
	}
	return rows
}

// tiny is what a screen shows that is too small for anything.
func (a *App) tiny() cell.Block {
	text := fmt.Sprintf("need at least %dx%d, this is %dx%d · state is kept · q", layout.MinWidth, layout.MinHeight, a.w, a.h)
	if a.armed {
		text = "ctrl+c again quits"
	}
	return a.look.Lines([]cell.Line{cell.Own(themes.Text, text)}, a.w, a.h)
}

// windowTitle is the terminal's title: a package names itself, so its name is
// made safe and short.
func (a *App) windowTitle() string {
	if a.session == nil || a.session.bench == nil {
		return "perch"
	}
	name := a.session.bench.Package.Name
	return "perch " + a.look.Sign("·") + " " + a.look.Text.Cut(a.look.Text.Line(name), 40)
}

// place puts the cursor of a pane on the screen.
func (a *App) place(r rect, x, y int, ok bool) {
	if ok && r.Has(r.X+x, r.Y+y) {
		a.cursor = cursor{x: r.X + x, y: r.Y + y, ok: true}
	}
}

// drawOpen draws the view Open.
func (a *App) drawOpen() cell.Block {
	l := layout.ForOpen(a.w, a.bodyHeight())
	title, _ := a.look.Title(a.open.Title(), l.List.W)
	inner := rect{X: l.List.X, Y: l.List.Y + 1, W: l.List.W, H: l.List.H - 1}
	block := append(cell.Block{title}, a.open.Draw(a.look, inner.W, inner.H)...)
	x, y, ok := a.open.Cursor()
	a.place(inner, x, y, ok)
	a.hits.add(spot{at: inner, jump: true, row: true,
		click: func(a *App, x, y int, double bool) tea.Cmd {
			if a.open.Click(x, y) && double {
				return a.enter()
			}
			return nil
		},
		wheel: func(a *App, dx, dy int) { a.open.Wheel(dx, dy) }})
	if l.Beside.Empty() {
		return block
	}
	side, _ := a.look.Title(a.open.BesideTitle(), l.Beside.W)
	beside := append(cell.Block{side}, a.open.Beside(a.look, l.Beside.W, l.Beside.H-1)...)
	return a.look.Beside("┬", block, beside)
}

// drawCheck draws the view Check.
func (a *App) drawCheck() cell.Block {
	l := layout.ForCheck(a.w, a.bodyHeight())
	alone := l.Imports.Empty()
	if alone && a.check.Beside() {
		return a.drawCheckSide(l.Findings)
	}
	inner := rect{X: l.Findings.X, Y: l.Findings.Y + 1, W: l.Findings.W, H: l.Findings.H - 1}
	body := a.check.Draw(a.look, inner.W, inner.H, alone)
	title, _ := a.look.Title(a.check.Title(true), inner.W)
	block := append(cell.Block{title}, body...)
	if !a.check.Beside() {
		x, y, ok := a.check.Cursor()
		a.place(inner, x, y, ok)
	}
	a.hits.add(spot{at: inner, jump: true, row: true,
		click: func(a *App, x, y int, double bool) tea.Cmd {
			if a.check.Click(x, y) && double {
				return a.enter()
			}
			return nil
		},
		wheel: func(a *App, dx, dy int) { a.check.Wheel(dx, dy, false) }})
	if alone {
		return block
	}
	return a.look.Beside("┬", block, a.drawCheckSide(l.Imports))
}

// drawCheckSide draws what stands beside the findings of the view Check.
func (a *App) drawCheckSide(r rect) cell.Block {
	inner := rect{X: r.X, Y: r.Y + 1, W: r.W, H: r.H - 1}
	body := a.check.DrawSide(a.look, inner.W, inner.H)
	title, tabs := a.look.Title(a.check.SideTitle(), r.W)
	if a.check.Beside() {
		x, y, ok := a.check.Cursor()
		a.place(inner, x, y, ok)
	}
	a.hits.add(spot{at: inner, jump: true,
		click: func(a *App, x, y int, _ bool) tea.Cmd {
			a.check.ClickSide(x, y)
			return nil
		},
		wheel: func(a *App, dx, dy int) { a.check.Wheel(dx, dy, true) }})
	a.hits.tabs(rect{X: r.X, Y: r.Y, W: r.W, H: 1}, tabs, func(a *App, i int) { a.check.SetTab(i) })
	return append(cell.Block{title}, body...)
}
