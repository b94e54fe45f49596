package stream

import "perch/inspect/rules"

// Point implements Pane.
func (p *panel) Point(f rules.Finding) bool {
	c, is := p.c.(pointer)
	if !is || p.run == nil {
		return false
	}
	p.complete()
	row, ok := c.rowOf(f)
	if !ok {
		return false
	}
	if p.shown != nil && !p.shown.Has(row) && p.find.Filter { // what is filtered out is shown again
		p.find.Filter = false
		p.refilter()
	}
	p.point = &f
	p.rows.Select(row)
	p.det.show(row)
	return true
}

// show chooses the tab that shows bytes, until another row is selected.
func (d *detail) show(row int) {
	if !d.lent {
		d.back = d.tab
	}
	d.lent, d.lentRow, d.made = true, row, false
	if d.tab != "Hex" {
		d.tab = "Raw"
	}
}

// settle gives the tab back that the person had chosen, once another row is
// selected.
func (d *detail) settle(row int) {
	if d.lent && row != d.lentRow {
		d.lent, d.tab = false, d.back
	}
}

// Finding implements Pane.
func (p *panel) Finding() (rules.Finding, bool) {
	c, is := p.c.(pointer)
	if !is || p.run == nil {
		return rules.Finding{}, false
	}
	row, ok := p.rows.Selected()
	if !ok {
		return rules.Finding{}, false
	}
	if p.point != nil && p.det.lent && p.det.lentRow == row {
		return *p.point, true
	}
	return c.finding(row)
}
