package schema

import (
	"fmt"
	"slices"

	"perch/engine/abi"
	"perch/engine/near"
	"perch/engine/quote"
)

// group is schemas that are held against the same value, however they are
// joined: what one of them requires another may declare.
type group struct {
	parent   *group
	size     int
	names    map[string]*node // properties that one of them declares
	elements *node            // what one of them says of elements
	open     bool             // a name may be declared where we cannot tell
}

func (g *group) root() *group {
	for g.parent != nil {
		if g.parent.parent != nil {
			g.parent = g.parent.parent
		}
		g = g.parent
	}
	return g
}

// required tells of required names that are no properties. It says nothing
// where one may be declared elsewhere: beside it, in what it refers to, in a
// branch, under a pattern, or by a schema for all other members.
func (c *compiler) required() {
	j := joiner{groups: make(map[*node]*group, len(c.s.nodes))}
	for _, n := range c.s.nodes {
		j.groups[n] = &group{size: 1}
		j.groups[n].declare(n)
	}
	for _, n := range c.s.nodes {
		for _, e := range n.same() {
			j.todo = append(j.todo, [2]*node{n, e.to})
		}
		j.join()
	}
	for _, n := range c.s.nodes {
		if n.objects == nil || n.alone {
			continue
		}
		g := j.groups[n].root()
		if g.open {
			continue
		}
		for _, v := range n.objects.required {
			name := v.String()
			if _, ok := g.names[name]; ok {
				continue
			}
			if c.full(abi.SchemaRequired) {
				c.issue(abi.SchemaRequired, v, "", "")
				continue
			}
			fix := "Add it to properties, or take it out of required."
			if like := near.Word(name, g.some()); like != "" {
				fix = fmt.Sprintf("properties has %s.", quote.Text(like))
			}
			c.issue(abi.SchemaRequired, v, "is "+quote.Text(name)+", which properties does not have", fix)
		}
	}
}

// declare notes what a schema says of members.
func (g *group) declare(n *node) {
	g.open = n.vague || n.fixed == unknown
	for _, r := range n.refs {
		g.open = g.open || r.to == nil || r.kind != plainRef
	}
	if n.alone {
		return
	}
	if n.arrays != nil {
		g.elements = n.arrays.rest
	}
	o := n.objects
	if o == nil {
		return
	}
	g.open = g.open || len(o.patterns) > 0 || describes(o.additional) || describes(o.unevaluated)
	g.names = o.properties
	if len(o.properties) > 0 {
		g.names = make(map[string]*node, len(o.properties))
		for name, m := range o.properties {
			g.names[name] = m
		}
	}
}

// describes reports whether a schema for all other members says what they are.
func describes(n *node) bool {
	return n != nil && n.fixed == looks && n.at.Len() > 0
}

// some are names of a group, in no order that counts: few enough to search.
func (g *group) some() []string {
	if len(g.names) > maxLike {
		return nil
	}
	list := make([]string, 0, len(g.names))
	for name := range g.names {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// joiner puts groups together.
type joiner struct {
	groups map[*node]*group
	todo   [][2]*node
}

// join works off its list. Where two groups become one, what both say of the
// same member is joined as well. The smaller one moves: all in all a name moves
// a few times.
func (j *joiner) join() {
	for len(j.todo) > 0 {
		pair := j.todo[len(j.todo)-1]
		j.todo = j.todo[:len(j.todo)-1]
		a, b := j.groups[pair[0]].root(), j.groups[pair[1]].root()
		if a == b {
			continue
		}
		if a.size+len(a.names) < b.size+len(b.names) {
			a, b = b, a
		}
		b.parent = a
		a.size += b.size
		a.open = a.open || b.open
		switch {
		case a.elements == nil:
			a.elements = b.elements
		case b.elements != nil:
			j.todo = append(j.todo, [2]*node{a.elements, b.elements})
		}
		if a.names == nil {
			a.names = b.names
			continue
		}
		for name, m := range b.names {
			if own, ok := a.names[name]; ok {
				j.todo = append(j.todo, [2]*node{own, m})
			} else {
				a.names[name] = m
			}
		}
		b.names = nil
	}
}
