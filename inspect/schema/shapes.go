package schema

import (
	"fmt"

	"perch/engine/abi"
	"perch/engine/jsonread"
	"perch/engine/quote"
)

// The methods of this file read what keywords take, and tell where a value is
// not what its dialect asks for. The keyword is then read as absent.

// kind reports whether a keyword's value is of its kind.
func (c *compiler) kind(n *node, v jsonread.Value, want jsonread.Kind) bool {
	if v.Kind() == want {
		return true
	}
	fix := "Leave it out where it says nothing."
	if want == jsonread.Object && v.Kind() == jsonread.Array {
		fix = "Write {} for an empty one: some languages write their empty map as []."
	}
	c.bad(n, v, fmt.Sprintf("is %s; %s is %s", quote.Value(v), c.key, want), fix)
	return false
}

func (c *compiler) text(n *node, v jsonread.Value) bool { return c.kind(n, v, jsonread.String) }

func (c *compiler) number(n *node, v jsonread.Value) bool {
	if v.Kind() == jsonread.Number {
		return true
	}
	c.bad(n, v, "is "+quote.Value(v)+"; "+c.key+" is a number", "Write a number without quotes, or leave it out.")
	return false
}

func (c *compiler) flag(n *node, v jsonread.Value) bool {
	if v.Kind() == jsonread.True || v.Kind() == jsonread.False {
		return true
	}
	c.bad(n, v, "is "+quote.Value(v)+"; "+c.key+" is true or false", "Write true or false without quotes, or leave it out.")
	return false
}

// exclusive reads exclusiveMinimum and exclusiveMaximum, which were a flag
// beside the bound in draft 4 and are the bound since. One that is written the
// other way is told and understood.
func (c *compiler) exclusive(n *node, v jsonread.Value, bound string, limit *jsonread.Value, open *bool) {
	isFlag := v.Kind() == jsonread.True || v.Kind() == jsonread.False
	name := c.key
	switch {
	case v.Kind() == jsonread.Number && n.res.dialect == Draft4:
		c.issue(abi.SchemaDraftMix, v, fmt.Sprintf("is %s, the way of draft 6 and later; in draft 4 %s is true or false", quote.Value(v), name),
			fmt.Sprintf("Write %s with the number, and %s true.", bound, name))
		*limit = v
	case v.Kind() == jsonread.Number:
		*limit = v
	case isFlag && n.res.dialect == Draft4:
		*open = v.Kind() == jsonread.True
	case isFlag:
		c.issue(abi.SchemaDraftMix, v, fmt.Sprintf("is %s, the draft-4 way; in %s %s is a number", quote.Value(v), n.res.dialect, name), c.exclusiveFix(n, v, bound))
		*open = v.Kind() == jsonread.True
	default:
		want := "a number"
		if n.res.dialect == Draft4 {
			want = "true or false"
		}
		c.bad(n, v, fmt.Sprintf("is %s; %s is %s", quote.Value(v), name, want), "Write "+want+" without quotes, or leave it out.")
	}
}

func (c *compiler) exclusiveFix(n *node, v jsonread.Value, bound string) string {
	limit := n.at.Get(bound)
	switch {
	case v.Kind() == jsonread.False:
		return "Leave it out."
	case limit.Kind() != jsonread.Number:
		return "Write the number that is the bound, or leave it out."
	}
	return fmt.Sprintf("Write %s %s, and leave %s out.", c.key, quote.Number(limit), bound)
}

// schemaList reads a list of at least one schema.
func (c *compiler) schemaList(n *node, v jsonread.Value) []*node {
	if v.Kind() != jsonread.Array || v.Len() == 0 {
		is := quote.Value(v)
		if v.Kind() == jsonread.Array {
			is = "an empty list"
		}
		c.bad(n, v, fmt.Sprintf("is %s; %s is a list of at least one schema", is, c.key), "Write a list of schemas, or leave it out.")
		return nil
	}
	list := make([]*node, 0, v.Len())
	for _, e := range v.Elements() {
		list = append(list, c.node(e, n.res))
	}
	return list
}

// schemaMap reads an object of schemas, with its names in their order.
func (c *compiler) schemaMap(n *node, v jsonread.Value) (map[string]*node, []string) {
	if !c.kind(n, v, jsonread.Object) {
		return nil, nil
	}
	all := make(map[string]*node, v.Len())
	order := make([]string, 0, v.Len())
	for name, member := range v.Members() {
		text := name.String()
		if all[text] == nil {
			order = append(order, text)
		}
		all[text] = c.node(member, n.res)
	}
	return all, order
}

// names reads a list of member names, each once.
func (c *compiler) names(n *node, v jsonread.Value) []jsonread.Value {
	var list []jsonread.Value
	seen := make(map[string]bool, v.Len())
	for _, e := range v.Elements() {
		name, ok := e.Text()
		switch {
		case !ok:
			c.bad(n, e, "is "+quote.Value(e)+"; a name is a string", "Write the name in quotes.")
		case seen[name]:
			c.bad(n, e, "is "+quote.Text(name)+" for the second time; the list names each once", "Name each once.")
		default:
			seen[name] = true
			list = append(list, e)
		}
	}
	return list
}

func (c *compiler) requiredKeyword(n *node, v jsonread.Value) {
	isFlag := v.Kind() == jsonread.True || v.Kind() == jsonread.False
	switch {
	case isFlag:
		c.issue(abi.SchemaDraftMix, v, "is "+quote.Value(v)+", the draft-3 way; since draft 4 required is a list of names beside properties. It has no effect",
			"Name the property in the required list of its object.")
	case v.Kind() != jsonread.Array:
		c.bad(n, v, "is "+quote.Value(v)+"; required is a list of names", `Write "required":["name"].`)
	case v.Len() == 0 && n.res.dialect == Draft4:
		c.bad(n, v, "is an empty list; in draft 4 required names at least one", "Leave it out.")
	default:
		n.obj().required = c.names(n, v)
	}
}

func (c *compiler) enumKeyword(n *node, v jsonread.Value) {
	if v.Kind() != jsonread.Array {
		c.bad(n, v, "is "+quote.Value(v)+"; enum is a list of values", "Write the values in a list.")
		return
	}
	if v.Len() == 0 && n.res.dialect <= Draft6 {
		c.bad(n, v, "is an empty list; in "+n.res.dialect.String()+" enum has at least one value", "Leave it out where any value will do.")
		return
	}
	x := n.val()
	x.enum, x.members, x.partly = v, make(map[string]bool, v.Len()), false
	for _, e := range v.Elements() {
		form, ok := canonical(e)
		switch {
		case !ok:
			x.partly = true
		case x.members[form] && n.res.dialect <= Draft6:
			c.issue(abi.SchemaValid, e, "is "+quote.Value(e)+" for the second time; in "+n.res.dialect.String()+" enum has each value once", "Name each value once.")
		default:
			x.members[form] = true
		}
	}
}

// itemsKeyword reads items: one schema, or in older drafts a list of them. A
// list in 2020-12 is told and understood.
func (c *compiler) itemsKeyword(n *node, v jsonread.Value) {
	a := n.arr()
	if v.Kind() != jsonread.Array {
		a.rest, a.restName = c.node(v, n.res), "items"
		return
	}
	if n.res.dialect == Draft2020 {
		c.issue(abi.SchemaDraftMix, v, "is a list, the spelling of 2019-09 and before; in 2020-12 items is one schema, for all elements", "Write the list as prefixItems.")
		if !n.at.Get("prefixItems").IsZero() {
			return
		}
	}
	a.prefixName = "items"
	if v.Len() > 0 || n.res.dialect == Draft4 {
		a.prefix = c.schemaList(n, v)
	}
}

func (c *compiler) patternProperties(n *node, v jsonread.Value) {
	if !c.kind(n, v, jsonread.Object) {
		return
	}
	for name, member := range v.Members() {
		n.obj().patterns = append(n.obj().patterns, patternSchema{c.pattern(n, name), c.node(member, n.res)})
	}
}

// dependencies reads dependentRequired, dependentSchemas, and dependencies,
// which is both.
func (c *compiler) dependencies(n *node, v jsonread.Value) {
	if !c.kind(n, v, jsonread.Object) {
		return
	}
	for name, member := range v.Members() {
		d := dependent{name: name.String(), keyword: c.key}
		isList := member.Kind() == jsonread.Array
		switch {
		case c.key == "dependentRequired" && !isList:
			c.bad(n, member, "is "+quote.Value(member)+"; dependentRequired has lists of names", "Write the names in a list.")
			continue
		case c.key != "dependentSchemas" && isList:
			d.required = c.names(n, member)
		default:
			d.schema = c.node(member, n.res)
		}
		n.obj().dependents = append(n.obj().dependents, d)
	}
}
