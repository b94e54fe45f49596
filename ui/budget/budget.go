// Package budget shows how much of a limit of the ABI page is used: a name, the
// use and the limit, and a bar where it gets tight. It knows nothing of what
// the limits are.
package budget

import (
	"strings"

	"perch/inspect/rules"
	"perch/themes"
	"perch/ui/cell"
)

// Role is the colour of a budget: faint while there is room.
func Role(b rules.Budget) themes.Role {
	switch {
	case b.Over():
		return themes.Error
	case b.Share() >= rules.Tight:
		return themes.Warning
	}
	return themes.Faint
}

// Tight reports whether a budget has a bar.
func Tight(b rules.Budget) bool { return b.Share() >= rules.Tight }

// Lines are a budget in w cells: its name at the left, what is used of the
// limit at the right, and a bar below from rules.Tight on. Numbers are never
// cut: where there is no room for both the name gets short, then the limit
// goes.
func Lines(b rules.Budget, w int) []cell.Line {
	name, text := b.Name, b.Text()
	if short := map[string]string{"inputSchema": "input", "outputSchema": "output", "all tools": "all", "description": "descr"}[name]; short != "" && len(name)+len(text)+3 > w {
		name = short
	}
	if len(name)+len(text)+3 > w {
		text, _, _ = strings.Cut(text, "/")
	}
	var l cell.Line
	l.Blank(1).Own(cell.Fg(themes.Faint), name).NumberIn(cell.Fg(Role(b)), text, max(w-2-len(name), len(text)))
	out := []cell.Line{l}
	if Tight(b) {
		out = append(out, bar(b, w-2))
	}
	return out
}

// bar is a bar of the share, in w cells behind a blank.
func bar(b rules.Budget, w int) cell.Line {
	var l cell.Line
	l.Blank(1)
	tail := ""
	if b.Over() {
		tail = " past it"
	}
	room := max(w-len(tail), 1)
	half := int(min(b.Share(), 1) * float64(2*room))
	l.Own(cell.Fg(Role(b)), strings.Repeat("█", half/2)+strings.Repeat("▌", half%2))
	l.Own(cell.Fg(themes.Border), strings.Repeat("░", room-half/2-half%2))
	return *l.Own(cell.Fg(Role(b)), tail)
}
