package rules

import (
	"fmt"

	"perch/engine/abi"
	"perch/engine/event"
)

// httpRequest looks at what the engine leaves alone: that an upload run calls
// out at all.
func (c *Checker) httpRequest(e event.Event, b event.HTTPRequest) {
	if c.run.Begin().Kind == event.Upload {
		c.add(e, event.Breach{Rule: abi.ListSandbox, Detail: fmt.Sprintf("called subako_http for %s in the upload run, which has no network", b.URL),
			Fix: "Call out when a tool is called, not when tools are listed."}, "http "+b.URL)
	}
}
