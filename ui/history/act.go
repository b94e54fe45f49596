package history

import (
	"perch/ui/edit"
	"perch/ui/list"
)

// Do implements the app's page.
func (v *View) Do(id string) bool {
	switch id {
	case "nav.next", "nav.prev":
		v.inside = !v.inside
	case "nav.right":
		if v.inside {
			return v.unfold(true)
		}
		v.inside = true
	case "nav.left":
		if v.inside && v.unfold(false) {
			return true
		}
		was := v.inside
		v.inside = false
		return was
	case "nav.in": // a place in a stream is gone to by the app
		return v.inside && v.toggle()
	case "nav.toggle":
		if v.inside {
			return v.toggle()
		}
		return v.mark()
	case "tab.prev", "tab.next", "compare.next", "compare.prev":
		return v.doPair(id)
	case "find.open":
		v.inside, v.typing = false, true
		if v.bar == nil {
			v.bar = edit.NewLine("")
		}
	case "type.accept":
		v.typing = false
		if v.bar != nil && v.bar.Empty() {
			v.closeBar()
		}
	case "type.up", "type.down":
		if v.typing {
			v.list.Move(map[string]int{"type.up": -1, "type.down": 1}[id])
		}
		return v.typing
	default:
		l := v.current()
		return l != nil && l.Do(id, false)
	}
	return true
}

// doPair does what is done with a comparison.
func (v *View) doPair(id string) bool {
	if v.pair == nil || v.pair.diff == nil {
		return false
	}
	v.inside = true
	switch id {
	case "tab.prev":
		v.pair.diff.setTab(v.pair.diff.tab - 1)
	case "tab.next":
		v.pair.diff.setTab(v.pair.diff.tab + 1)
	case "compare.next":
		return v.pair.diff.walk(1)
	case "compare.prev":
		return v.pair.diff.walk(-1)
	}
	return true
}

func (v *View) toggle() bool {
	return v.pair != nil && v.pair.diff != nil && v.pair.diff.toggle()
}

func (v *View) unfold(on bool) bool {
	return v.pair != nil && v.pair.diff != nil && v.pair.diff.unfold(on)
}

// current is the list that has the focus.
func (v *View) current() *list.List {
	switch {
	case !v.inside:
		return v.list
	case v.pair == nil:
		return v.about
	case v.pair.diff == nil:
		return nil
	}
	return v.pair.diff.list
}

// Enters implements the app's page: enter shows a run, or unfolds a difference.
func (v *View) Enters() bool {
	if v.inside {
		_, goes := v.Target()
		return goes || v.Unfolds()
	}
	_, ok := v.Selected()
	return ok
}

// Target is the place in a stream that the selected difference is about, false
// where there is none.
func (v *View) Target() (Target, bool) {
	if !v.inside || v.pair == nil || v.pair.diff == nil {
		return Target{}, false
	}
	return v.pair.diff.target(v.pair.a.ID, v.pair.b.ID)
}

// Unfolds reports whether the selected difference has more than its row tells.
func (v *View) Unfolds() bool {
	return v.inside && v.pair != nil && v.pair.diff != nil && v.pair.diff.unfolds()
}

// Filters implements the app's page.
func (v *View) Filters() bool { return true }

// closeBar takes the filter away; the selected run stays.
func (v *View) closeBar() {
	e, ok := v.Selected()
	v.bar, v.typing = nil, false
	v.fill()
	if ok {
		v.Select(e.ID)
	}
}

// Out implements the app's page.
func (v *View) Out() bool {
	switch {
	case v.typing:
		v.typing = false
		if v.bar.Empty() {
			v.closeBar()
		}
	case v.inside && v.pair != nil:
		v.inside, v.pair = false, nil
	case v.inside:
		v.inside = false
	case v.pair != nil:
		v.pair = nil
	case v.bar != nil:
		v.closeBar()
	case v.marked != 0:
		v.marked = 0
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
	e, ok := v.Selected()
	v.fill()
	v.list.Select(0)
	if ok {
		v.Select(e.ID)
	}
}

// SetTab implements the app's page, whose title has no tabs.
func (v *View) SetTab(int) {}

// Click implements the app's page.
func (v *View) Click(x, y int) bool {
	if x >= v.split || v.inside && v.w < beside {
		v.inside = true
		return v.clickBeside(x-min(v.split, v.w)-1, y)
	}
	if v.bar != nil && y == 0 {
		v.typing = true
		return false
	}
	v.inside = false
	return y >= v.top && v.list.Click(y-v.top)
}

func (v *View) clickBeside(x, y int) bool {
	if v.w < beside {
		x = x + v.split + 1
	}
	switch {
	case v.pair == nil:
		return false
	case y == 0:
		for i, e := range v.tabs {
			if v.pair.diff != nil && x >= e.From && x < e.To {
				v.pair.diff.setTab(i)
			}
		}
		return false
	case v.pair.diff == nil:
		return false
	}
	return v.pair.diff.list.Click(y - 1)
}

// Wheel scrolls what is at a column.
func (v *View) Wheel(x, dy int) {
	l := v.list
	if x >= v.split || v.inside && v.w < beside {
		was := v.inside
		v.inside = true
		l = v.current()
		v.inside = was
	}
	if l != nil {
		l.Scroll(dy)
	}
}

// Cursor is the place of the caret, or of the selected row.
func (v *View) Cursor() (x, y int, ok bool) {
	if v.typing && v.bar != nil {
		x, _ = v.bar.Cursor()
		return x + len(label), 0, true
	}
	l := v.current()
	if l == nil {
		return 0, 0, false
	}
	y, ok = l.SelectedY()
	switch {
	case !v.inside:
		y += v.top
	case v.w >= beside:
		x = v.split + 1
	}
	if v.inside && v.pair != nil {
		y++
	}
	return x, y, ok
}

// Copy is the selected run's arguments as they were sent, or what the selected
// difference says.
func (v *View) Copy() (string, bool) {
	if v.inside && v.pair != nil {
		if v.pair.diff == nil {
			return "", false
		}
		return v.pair.diff.copy()
	}
	e, ok := v.Selected()
	return string(e.Args), ok && e.N > 0
}
