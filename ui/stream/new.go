package stream

// New makes the panes in the order of their digits.
func New(o Options) []Pane {
	o = o.ready()
	return []Pane{NewWire(o), NewStderr(o), NewHTTP(o), NewFiles(o), NewEvents(o), NewTimeline(o), NewFindings(o)}
}
