package stream

import "strings"

// Do implements Pane.
func (p *panel) Do(id string, inDetail bool) bool {
	if p.run == nil {
		return false
	}
	switch id {
	case "tab.prev", "tab.next", "content.next":
		return p.turn(id)
	case "stream.follow":
		return p.toggleFollow()
	case "stream.time":
		p.book.times = p.book.times.Next()
		p.det.made = false
		return true
	}
	if p.doFind(id) {
		return true
	}
	if inDetail && !strings.HasSuffix(id, ".kinds") {
		return p.det.do(id)
	}
	row, ok := p.rows.Selected()
	if !ok {
		row = -1
	}
	if p.c.do(id, row) {
		p.refilter()
		p.search()
		return true
	}
	if id == "nav.toggle" && ok {
		p.toggleMark(row)
		return true
	}
	return p.rows.Do(id, !isStill(p.c))
}

func isStill(c content) bool {
	_, is := c.(still)
	return is
}

func (p *panel) toggleFollow() bool {
	if isStill(p.c) {
		return false
	}
	if p.rows.Following() {
		p.rows.Unfollow()
	} else {
		p.rows.Follow()
	}
	return true
}

// doFind does the commands of the search.
func (p *panel) doFind(id string) bool {
	f := &p.find
	switch id {
	case "find.open":
		f.open(f.filter)
		return true
	case "find.filter":
		if f.bar == nil {
			f.open(!f.whole)
			return true
		}
		if f.whole {
			return false
		}
		f.filter = !f.filter
	case "find.mode":
		if f.bar == nil || f.whole {
			return false
		}
		f.filter = !f.filter
	case "find.regex", "find.case":
		if f.bar == nil {
			return false
		}
		if id == "find.regex" {
			f.regex = !f.regex
		} else {
			f.exact = !f.exact
		}
		p.Changed()
		return true
	case "find.next":
		return f.bar != nil && p.rows.NextMatch()
	case "find.prev":
		return f.bar != nil && p.rows.PrevMatch()
	case "type.accept", "type.up", "type.down":
		return p.doBar(id)
	default:
		return false
	}
	p.refilter()
	p.search()
	return true
}

func (p *panel) doBar(id string) bool {
	f := &p.find
	if !f.typing {
		return false
	}
	switch id {
	case "type.up", "type.down":
		f.earlier(map[string]int{"type.up": -1, "type.down": 1}[id])
		p.rows.Search(nil)
		p.refilter()
		p.search()
		return true
	}
	if f.bar.Empty() || f.wrong != "" {
		if f.wrong == "" {
			p.Out()
		}
		return true
	}
	f.remember()
	f.typing, f.jump = false, true
	p.search()
	return true
}

// turn goes through the tabs of the detail.
func (p *panel) turn(id string) bool {
	n := len(p.det.doc.tabs)
	if n < 2 {
		return false
	}
	step := 1
	if id == "tab.prev" {
		step = n - 1
	}
	p.SetTab((p.det.doc.tab + step) % n)
	return true
}

// SetTab implements Pane.
func (p *panel) SetTab(i int) {
	if i < 0 || i >= len(p.det.doc.tabs) {
		return
	}
	p.det.choose(i)
}

// Click implements Pane.
func (p *panel) Click(x, y int, inDetail bool) bool {
	if inDetail {
		tab, hit := p.det.click(x, y)
		if tab >= 0 {
			p.SetTab(tab)
		}
		return hit
	}
	if y == p.barY && p.find.bar != nil {
		p.find.typing = true
		return true
	}
	if y < p.top || y-p.top >= p.height {
		return false
	}
	if own, is := p.c.(painter); is {
		return own.clickAt(x, y-p.top)
	}
	return p.rows.Click(y - p.top)
}

// Wheel implements Pane.
func (p *panel) Wheel(dx, dy int, inDetail bool) {
	rows := p.rows
	if inDetail {
		rows = p.det.rows
	}
	if own, is := p.c.(painter); is && !inDetail {
		if p.rows.Len() > 0 {
			own.wheel(dx, dy)
		}
		return
	}
	if rows == nil {
		return
	}
	rows.Scroll(dy)
	if dx != 0 {
		rows.Sideways(dx)
	}
}

// RefusedHost implements Pane.
func (p *panel) RefusedHost() string {
	if c, ok := p.c.(interface{ refusedHost() string }); ok {
		return c.refusedHost()
	}
	return ""
}
