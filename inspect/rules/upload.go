package rules

// discover looks at the answer to server/discover.
func (c *Checker) discover(h heard) {}

// page looks at one page of tools/list.
func (c *Checker) page(h heard) {
	c.schemas(h)
}
