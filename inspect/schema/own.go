package schema

import (
	"perch/engine/abi"
	"perch/engine/jsonread"
	"perch/engine/quote"
)

// ownValues holds the values that a schema carries against it: default, the
// values of enum, const and examples. Where that would take too many steps it
// ends, and says nothing.
func (c *compiler) ownValues() {
	steps := maxOwnSteps
	for _, n := range c.s.nodes {
		if n.fixed != looks || n.alone {
			continue
		}
		var own []jsonread.Value
		if !n.def.IsZero() {
			own = append(own, n.def)
		}
		for _, e := range n.examples.Elements() {
			own = append(own, e)
		}
		if x := n.values; x != nil {
			if !x.constant.IsZero() {
				own = append(own, x.constant)
			}
			for _, e := range x.enum.Elements() {
				own = append(own, e)
			}
		}
		for _, v := range own {
			if steps <= 0 || c.full(abi.SchemaDefault) {
				return
			}
			steps = c.ownValue(n, v, steps)
		}
	}
}

// ownValue holds one value of a schema against it, and returns the steps left.
func (c *compiler) ownValue(n *node, v jsonread.Value, steps int) int {
	r := c.s.run(steps)
	if v != n.def {
		r.skip, r.skipValue = n, v // it is in its own enum
	}
	if r.hold(n, v, nil) != no {
		return r.left - 1
	}
	tell := c.s.run(steps)
	tell.skip, tell.skipValue = r.skip, r.skipValue
	tell.told = &told{seen: make(map[pair]bool), base: len(v.Pointer())}
	tell.hold(n, v, nil)
	text := "does not fit its own schema"
	if faults := tell.told.faults; len(faults) > 0 {
		f := faults[0]
		text += ": "
		if f.Pointer != "" {
			text += "at " + quote.Pointer(f.Pointer) + ", "
		}
		text += f.Text
	}
	c.issue(abi.SchemaDefault, v, text, "Write a value that fits, or mend the schema.")
	return min(r.left, tell.left) - 1
}
