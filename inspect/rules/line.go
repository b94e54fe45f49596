package rules

// line looks at a message by itself: JSON, JSON-RPC and the members of MCP that
// each message has.
func (c *Checker) line(h heard) {}
