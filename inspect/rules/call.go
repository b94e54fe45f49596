package rules

// result looks at the result of a call and at its content blocks.
func (c *Checker) result(h heard) {}
