package rulebook

import (
	"strings"

	"perch/inspect/rules"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/edit"
	"perch/ui/findings"
	"perch/ui/list"
)

// keyRows are the rows of the tab of keys.
func keyRows(keys []Key) list.Lines {
	var out list.Lines
	for i, key := range keys {
		var l cell.Line
		switch {
		case key.Head && i > 0:
			out = append(out, cell.Line{})
			fallthrough
		case key.Head:
			l.Own(cell.Fg(themes.Muted).With(themes.Bold), key.Text)
		case key.Why != "":
			l.Blank(2).Own(cell.Fg(themes.Faint), key.Text+"  · "+key.Why)
		default:
			l.Blank(2).Own(cell.Fg(themes.Text), key.Text)
		}
		out = append(out, l)
	}
	return out
}

// current is the list that has the focus.
func (v *View) current() *list.List {
	switch {
	case v.onKeys:
		return v.keys
	case v.inside && v.detail != nil:
		return v.detail
	}
	return v.list
}

// Do implements the app's page.
func (v *View) Do(id string) bool {
	switch id {
	case "tab.prev", "tab.next":
		v.onKeys = !v.onKeys
	case "nav.next", "nav.prev":
		v.inside, v.direct = !v.inside && !v.onKeys, false
	case "nav.in", "nav.right":
		return v.enter()
	case "nav.left":
		if !v.inside {
			return false
		}
		v.inside, v.direct = false, false
	case "find.open":
		v.onKeys, v.inside, v.direct, v.typing = false, false, false, true
		if v.bar == nil {
			v.bar = edit.NewLine("")
		}
	case "type.accept":
		v.typing = false
		if v.bar != nil && v.bar.Empty() {
			v.close()
		}
	case "type.up", "type.down":
		if v.typing {
			v.list.Move(map[string]int{"type.up": -1, "type.down": 1}[id])
		}
		return v.typing
	default:
		return v.current().Do(id, false)
	}
	return true
}

// Enters reports whether there is a rule to read.
func (v *View) Enters() bool {
	_, ok := v.selected()
	return ok && !v.onKeys && !v.inside
}

// Filters implements the app's page.
func (v *View) Filters() bool { return true }

// enter gives what is said of a rule the focus.
func (v *View) enter() bool {
	if !v.Enters() {
		return false
	}
	v.inside = true
	return true
}

// close takes the filter away; the selected rule stays.
func (v *View) close() {
	r, ok := v.selected()
	v.bar, v.typing = nil, false
	v.fill("")
	if ok {
		v.selectRule(r.ID)
	}
}

// Out implements the app's page.
func (v *View) Out() bool {
	switch {
	case v.typing:
		v.typing = false
		if v.bar.Empty() {
			v.close()
		}
	case v.direct:
		return false
	case v.inside:
		v.inside = false
	case v.bar != nil:
		v.close()
	default:
		return false
	}
	return true
}

// Input is where the caret is, nil when there is none.
func (v *View) Input() *edit.Editor {
	if !v.typing {
		return nil
	}
	return v.bar
}

// Changed takes what was typed.
func (v *View) Changed() {
	if v.bar != nil {
		v.fill(v.bar.Text())
	}
}

// Click implements the app's page.
func (v *View) Click(x, y int) bool {
	switch {
	case v.onKeys:
		return v.keys.Click(y)
	case x >= v.split && v.detail != nil || v.inside && v.w < beside:
		v.inside = true
		return v.detail.Click(y)
	case v.bar != nil && y < v.top:
		v.typing = true
		return false
	}
	v.inside = false
	return v.list.Click(y - v.top)
}

// Wheel scrolls what is at a column.
func (v *View) Wheel(x, dy int) {
	switch {
	case v.onKeys:
		v.keys.Scroll(dy)
	case (x >= v.split || v.inside && v.w < beside) && v.detail != nil:
		v.detail.Scroll(dy)
	default:
		v.list.Scroll(dy)
	}
}

// Cursor is the place of the caret, or of the selected row.
func (v *View) Cursor() (x, y int, ok bool) {
	if v.typing && v.bar != nil {
		x, _ = v.bar.Cursor()
		return x + len(" filter "), 0, true
	}
	y, ok = v.current().SelectedY()
	switch {
	case v.onKeys:
	case !v.inside:
		y += v.top
	case v.w >= beside:
		x = v.split + 1
	}
	return x, y, ok
}

// Copy is what is said of the selected rule, as text.
func (v *View) Copy() (string, bool) {
	r, ok := v.selected()
	if !ok || v.onKeys {
		return "", false
	}
	about, _ := rules.WordsOf(r.ID)
	return strings.TrimSpace(findings.RuleText(r, about)) + "\n", true
}
