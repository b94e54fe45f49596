package schema

import (
	"slices"
	"strings"
	"sync"

	"perch/engine/near"
)

// maxSlips is how many different unknown keywords of a schema are looked at for
// one that was meant.
const maxSlips = 64

// slip is the keyword that an unknown one is most likely a slip of, and that
// its schema lacks; empty for others, which may mean something to somebody.
func (c *compiler) slip(n *node, name string) string {
	right, seen := c.slips[name]
	if !seen && len(c.slips) < maxSlips {
		right = slipOf(name)
		if c.slips == nil {
			c.slips = make(map[string]string)
		}
		c.slips[name] = right
	}
	if right == "" || !c.member(n.at, right).IsZero() {
		return ""
	}
	if k := keywords()[right]; n.res.dialect < k.from || n.res.dialect > k.to {
		return ""
	}
	return right
}

// slipOf is the keyword of about the same length that a name is a slip of.
func slipOf(name string) string {
	const shortest, longest = 4, 32
	if len(name) < shortest || len(name) > longest || strings.HasPrefix(name, "x-") || strings.HasPrefix(name, "x_") || name == "example" {
		return ""
	}
	var like []string
	for _, word := range slipWords() {
		if d := len(word) - len(name); d >= -1 && d <= 1 || len(name)-strings.Count(name, "_") == len(word) {
			like = append(like, word)
		}
	}
	return near.Word(name, like)
}

// slipWords are the keywords that a name may be a slip of: those that say
// something of a value or to a model, and that no plain word is near to.
var slipWords = sync.OnceValue(func() []string {
	var all []string
	for name, k := range keywords() {
		if k.quiet || k.instead != "" || strings.HasPrefix(name, "$") {
			continue
		}
		switch name {
		case "not", "if", "then", "else", "items", "const":
			continue
		}
		all = append(all, name)
	}
	slices.Sort(all)
	return all
})
