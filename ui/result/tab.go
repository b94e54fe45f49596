package result

// Tab is the tab in sight.
func (p *Pane) Tab() int { return int(p.tab) }
