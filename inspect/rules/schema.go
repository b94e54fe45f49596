package rules

// schemas looks at the schemas of the tools of one page.
func (c *Checker) schemas(h heard) {}

// structured holds a call's structuredContent against its tool's outputSchema.
func (c *Checker) structured(h heard) {}
