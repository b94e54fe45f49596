package tools

import (
	"perch/engine/event"
	"perch/engine/wire"
	"perch/themes"
	"perch/ui/cell"
)

// Renew shows the tools of a package that was built again. What is known of
// calls stays. signs tell what became of tools, by their index: + new, ~
// changed.
func (p *Pane) Renew(tools []wire.Tool, signs map[int]string) {
	last := map[string]event.Outcome{}
	for _, t := range tools {
		if o, ok := p.last[t.Name]; ok {
			last[t.Name] = o
		}
	}
	p.Set(tools)
	p.last, p.signs = last, signs
}

// Foot says what stands below everything else.
func (p *Pane) Foot(lines []cell.Line) { p.foot = lines }

// addSign adds the sign of what became of a tool; where one has a sign, all have
// room for it.
func (p *Pane) addSign(l *cell.Line, index int) {
	if len(p.signs) == 0 {
		return
	}
	role := themes.Changed
	if p.signs[index] == "+" {
		role = themes.OK
	}
	l.OwnIn(cell.Fg(role), p.signs[index], 1).Blank(1)
}
