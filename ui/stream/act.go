package stream

import "strings"

// Do implements Pane.
func (p *panel) Do(id string, inDetail bool) bool {
	if p.run == nil {
		return false
	}
	switch id {
	case "tab.prev", "tab.next":
		return p.turn(id)
	case "content.next":
		return p.c.do(id, -1) || p.turn(id)
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
	if p.stays = p.rows.Following(); p.stays {
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
		f.Open(f.Filter)
		return true
	case "find.filter":
		if f.Bar == nil {
			f.Open(!f.Whole)
			return true
		}
		if f.Whole {
			return false
		}
		f.Filter = !f.Filter
	case "find.mode":
		if f.Bar == nil || f.Whole {
			return false
		}
		f.Filter = !f.Filter
	case "find.regex", "find.case":
		if f.Bar == nil {
			return false
		}
		if id == "find.regex" {
			f.Regex = !f.Regex
		} else {
			f.Exact = !f.Exact
		}
		p.Changed()
		return true
	case "find.next":
		return f.Bar != nil && p.rows.NextMatch()
	case "find.prev":
		return f.Bar != nil && p.rows.PrevMatch()
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
	if !f.Typing {
		return false
	}
	switch id {
	case "type.up", "type.down":
		f.Earlier(map[string]int{"type.up": -1, "type.down": 1}[id])
		p.rows.Search(nil)
		p.refilter()
		p.search()
		return true
	}
	if f.Bar.Empty() || f.Wrong != "" {
		if f.Wrong == "" {
			p.Out()
		}
		return true
	}
	f.Remember()
	f.Typing, f.Jump = false, true
	p.search()
	return true
}

// NextWay implements Pane.
func (p *panel) NextWay() string {
	if n, ok := p.det.doc.nextWay(); ok && p.run != nil {
		return n.String()
	}
	return ""
}

// Redraw implements Pane.
func (p *panel) Redraw() { p.det.made = false }

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
	if y == p.barY && p.find.Bar != nil {
		p.find.Typing = true
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
