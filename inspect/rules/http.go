package rules

import (
	"fmt"

	"perch/engine/event"
)

// httpPlace names the call of subako_http that was made last, for a finding
// that stands in several: a module asks in a loop more often than not.
type httpPlace struct {
	misuses int
	place   string
}

func (p *httpPlace) take(body event.Body) {
	switch b := body.(type) {
	case event.HTTPRequest:
		p.place = fmt.Sprintf("request %d", b.ID)
	case event.HTTPRead:
		if b.Return < 0 {
			p.misuses++
			p.place = fmt.Sprintf("misuse %d", p.misuses)
		}
	}
}
