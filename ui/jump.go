package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"perch/themes"
	"perch/ui/cell"
)

// jump is jump mode: a letter on everything in reach.
type jump struct {
	spots []spot
}

const jumpLetters = "abcdefghijklmnopqrstuvwxyz"

// openJump puts letters on what was drawn last, in reading order.
func (a *App) openJump() tea.Cmd {
	j := &jump{}
	for _, s := range a.hits.spots {
		if s.jump && s.click != nil {
			j.spots = append(j.spots, s)
		}
	}
	slices.SortStableFunc(j.spots, func(p, q spot) int {
		if p.at.Y != q.at.Y {
			return p.at.Y - q.at.Y
		}
		return p.at.X - q.at.X
	})
	j.spots = j.spots[:min(len(j.spots), len(jumpLetters))]
	if len(j.spots) > 0 {
		a.jump = j
	}
	return nil
}

// jumpKey is a key in jump mode: a letter goes there, all others end it.
func (a *App) jumpKey(name string) tea.Cmd {
	j := a.jump
	a.jump = nil
	for i, s := range j.spots {
		if name == jumpLetters[i:i+1] {
			return s.click(a, 0, 0, false)
		}
	}
	if name == "ctrl+c" {
		return a.do("run.cancel")
	}
	return nil
}

// drawJump draws the letters over the rows.
func (a *App) drawJump(rows cell.Block) cell.Block {
	for i, s := range a.jump.spots {
		var l cell.Line
		l.Own(cell.Style{Fg: themes.Match, Attr: themes.Bold | themes.Reverse}, jumpLetters[i:i+1])
		x := s.at.X
		if s.tab && x > 0 {
			x--
		}
		rows = cell.Overlay(rows, cell.Block{a.look.Row(l, 1)}, x, s.at.Y)
	}
	a.cursor = cursor{}
	return rows
}
