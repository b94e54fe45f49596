package schema

import (
	"slices"

	"perch/engine/jsonread"
	"perch/engine/quote"
)

// logic applies allOf, anyOf, oneOf, not and if.
func (r *run) logic(n *node, v jsonread.Value, seen *evaluated) verdict {
	l := n.logic
	if l == nil {
		return yes
	}
	said := yes
	for _, m := range l.all {
		if said = min(said, r.hold(m, v, seen)); said == no && !r.telling() {
			return no
		}
	}
	if len(l.any) > 0 {
		said = min(said, r.anyOf(n, v, seen))
	}
	if len(l.one) > 0 {
		said = min(said, r.oneOf(n, v, seen))
	}
	if l.not != nil {
		against := r.quietly(l.not, v, nil)
		r.say(against != yes, v, n, "not", func() string { return shown(v) + " is what not forbids" })
		said = min(said, yes-against)
	}
	if l.if_ != nil {
		said = min(said, r.condition(l, v, seen))
	}
	return said
}

func (r *run) anyOf(n *node, v jsonread.Value, seen *evaluated) verdict {
	said := no
	for _, m := range n.logic.any {
		// Where what was looked at counts, all branches that fit count.
		if said = max(said, r.branch(m, v, seen)); said == yes && seen == nil {
			return yes
		}
	}
	if said == no && r.telling() {
		r.explain(n, n.logic.any, v, "anyOf")
	}
	return said
}

func (r *run) oneOf(n *node, v jsonread.Value, seen *evaluated) verdict {
	var fit []int
	unsure := false
	for i, m := range n.logic.one {
		switch r.branch(m, v, seen) {
		case yes:
			if fit = append(fit, i); len(fit) == 2 {
				return r.say(false, v, n, "oneOf", func() string {
					return shown(v) + " fits two branches of oneOf, number " + quote.Count(fit[0]+1) + " and number " + quote.Count(fit[1]+1) + "; exactly one is asked for"
				})
			}
		case maybe:
			unsure = true
		}
	}
	switch {
	case unsure:
		return maybe
	case len(fit) == 1:
		return yes
	}
	if r.telling() {
		r.explain(n, n.logic.one, v, "oneOf")
	}
	return no
}

// condition applies if, then and else.
func (r *run) condition(l *logic, v jsonread.Value, seen *evaluated) verdict {
	way := func(m *node) verdict {
		if m == nil {
			return yes
		}
		return r.hold(m, v, seen)
	}
	switch r.branch(l.if_, v, seen) {
	case yes:
		return way(l.then)
	case no:
		return way(l.els_)
	}
	told := r.told
	r.told = nil
	a, b := way(l.then), way(l.els_)
	r.told = told
	return min(max(a, b), maybe)
}

// explain tells why no branch takes a value: of the one that was meant, if that
// can be told, else of all in one sentence.
func (r *run) explain(n *node, branches []*node, v jsonread.Value, keyword string) {
	var near []*node
	var names []string
	for _, m := range branches {
		t := m.admits(4)
		if t == 0 || t&kindOf(v) != 0 {
			near = append(near, m)
		}
		if t != 0 && len(names) < 8 && !slices.Contains(names, t.String()) {
			names = append(names, t.String())
		}
	}
	if len(near) > 1 && v.Kind() == jsonread.Object && len(near) <= 64 {
		near = slices.DeleteFunc(near, func(m *node) bool { return r.otherTag(m, v) })
	}
	if len(near) == 1 {
		r.hold(near[0], v, nil)
		return
	}
	text := shown(v) + " fits none of the " + quote.Count(len(branches)) + " branches of " + keyword
	if len(near) == 0 && len(names) > 0 && len(names) < 8 {
		text += ": they take " + orList(names)
	}
	r.fault(v, n, keyword, text)
}

// otherTag reports whether a branch names a member's value that this object
// has otherwise: it is a branch for other objects.
func (r *run) otherTag(m *node, v jsonread.Value) bool {
	for range 4 {
		if m.objects == nil && len(m.refs) == 1 && m.refs[0].to != nil {
			m = m.refs[0].to
		}
	}
	if m.objects == nil || len(m.objects.properties) > 64 {
		return false
	}
	for _, name := range m.objects.order {
		p := m.objects.properties[name]
		tagged := p.values != nil && (!p.values.constant.IsZero() || p.values.enum.Len() == 1)
		if !tagged {
			continue
		}
		if member := v.Get(name); !member.IsZero() && r.quietly(p, member, nil) == no {
			return true
		}
	}
	return false
}

// admits is the types that a schema names, through references and one level of
// allOf; 0: any.
func (n *node) admits(depth int) types {
	switch {
	case n.types != 0:
		return n.types
	case depth == 0:
		return 0
	case len(n.refs) == 1 && n.refs[0].to != nil:
		return n.refs[0].to.admits(depth - 1)
	}
	return 0
}
