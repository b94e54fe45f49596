package schema

import (
	"net/url"
	"strings"

	"perch/engine/abi"
	"perch/engine/jsonread"
	"perch/engine/quote"
)

// identify reads what gives a schema a name: its id and its anchors.
func (c *compiler) identify(n *node) {
	idName := "$id"
	if n.res.dialect == Draft4 {
		idName = "id"
	}
	old := n.res.dialect <= Draft7
	if old && n.at.Get("$ref").Kind() == jsonread.String && n != c.s.root {
		return // beside $ref nothing counts
	}
	if v := n.at.Get(idName); v.Kind() == jsonread.String {
		id, fragment, _ := strings.Cut(v.String(), "#")
		if id != "" {
			c.resource(n, v, id)
		}
		switch {
		case fragment == "":
		case old:
			c.anchor(n, fragment, false)
		default:
			c.bad(n, v, "is "+quote.Text(v.String())+"; since 2019-09 $id has no fragment", "Write $anchor for the name behind #.")
		}
	} else if s := n.at.Get("$schema"); n != c.s.root && s.Kind() == jsonread.String && !s.Is(c.s.root.at.Get("$schema").String()) {
		if d, _ := dialectOf(s.String()); d != n.res.dialect {
			c.issue(abi.SchemaDialect, s, "is "+quote.Text(s.String())+" inside of a schema without $id, where it does not count; "+n.res.dialect.String()+" does",
				"Leave it out, or give the schema an $id.")
		}
	}
	if old {
		return
	}
	for _, a := range []struct {
		name    string
		dynamic bool
	}{{"$anchor", false}, {"$dynamicAnchor", true}} {
		if v := n.at.Get(a.name); v.Kind() == jsonread.String && (!a.dynamic || n.res.dialect == Draft2020) {
			c.anchor(n, v.String(), a.dynamic)
		}
	}
	if n.res.dialect == Draft2019 && n.at.Get("$recursiveAnchor").Kind() == jsonread.True && n == n.res.root {
		n.res.recursive = true
	}
}

// resource makes a schema with an id one of its own; the root has its own
// already.
func (c *compiler) resource(n *node, at jsonread.Value, id string) {
	u, err := url.Parse(id)
	if err != nil {
		c.bad(n, at, "is "+quote.Text(at.String())+", which is no URI reference", "Write a URI, or leave it out.")
		return
	}
	base := n.res.base
	if n != c.s.root {
		d := n.res.dialect
		if s := n.at.Get("$schema"); !s.IsZero() {
			if own := c.dialect(s, d); own != 0 {
				d = own
			}
		}
		c.several = true
		n.res = &resource{root: n, dialect: d, anchors: make(map[string]anchor)}
	}
	n.res.base = absolute(base, u)
	name := n.res.base.String()
	if c.s.resources[name] == nil {
		c.s.resources[name] = n.res
	}
}

// absolute resolves a URI reference; without a base it stands for itself.
func absolute(base, u *url.URL) *url.URL {
	if base == nil {
		base = &url.URL{}
	}
	return base.ResolveReference(u)
}

// anchor names a schema within its resource; of equal names the first counts.
func (c *compiler) anchor(n *node, name string, dynamic bool) {
	if _, ok := n.res.anchors[name]; !ok {
		n.res.anchors[name] = anchor{n, dynamic}
	}
}
