package schema

import (
	"fmt"

	"perch/engine/jsonread"
	"perch/engine/quote"
)

// array applies what looks at the elements of a list.
func (r *run) array(n *node, v jsonread.Value, seen *evaluated) verdict {
	a := n.arrays
	said := r.counted(n, v, v.Len(), func() string { return "the list has" }, "element", a.min, a.max, "minItems", "maxItems")
	if len(a.prefix) > 0 || a.rest != nil {
		said = min(said, r.elements(n, v, seen))
	}
	if a.contains != nil {
		said = min(said, r.contains(n, v, seen))
	}
	if a.unique {
		said = min(said, r.unique(n, v))
	}
	return said
}

// elements applies prefixItems, items and additionalItems, as each draft has
// them.
func (r *run) elements(n *node, v jsonread.Value, seen *evaluated) verdict {
	a, said := n.arrays, yes
	for i, e := range v.Elements() {
		if !r.spend(1) {
			return min(said, maybe)
		}
		switch {
		case i < len(a.prefix):
			said = min(said, r.hold(a.prefix[i], e, nil))
		case a.rest == nil:
			break
		case a.rest.fixed == never && len(a.prefix) > 0:
			return r.say(false, e, n, a.restName, func() string {
				return fmt.Sprintf("the list has %s; at most %s are allowed (%s is false)", quote.Plural(v.Len(), "element"), quote.Count(len(a.prefix)), a.restName)
			})
		default:
			said = min(said, r.hold(a.rest, e, nil))
		}
		if said == no && !r.telling() {
			return no
		}
	}
	if seen != nil {
		seen.first = max(seen.first, min(len(a.prefix), v.Len()))
		seen.every = seen.every || a.rest != nil
	}
	return said
}

// contains applies contains with minContains and maxContains.
func (r *run) contains(n *node, v jsonread.Value, seen *evaluated) verdict {
	a := n.arrays
	least, most := 1, v.Len()
	if !a.least.IsZero() {
		least = limit(a.least)
	}
	if !a.most.IsZero() {
		most = limit(a.most)
	}
	fit, unsure := 0, 0
	for i, e := range v.Elements() {
		if !r.spend(1) {
			return maybe
		}
		switch r.quietly(a.contains, e, nil) {
		case yes:
			fit++
			if seen != nil && n.res.dialect >= Draft2020 {
				seen.contain(i)
			}
		case maybe:
			unsure++
			if seen != nil && n.res.dialect >= Draft2020 {
				seen.contain(i)
			}
		}
	}
	switch {
	case fit > most:
		return r.say(false, v, n, "maxContains", func() string {
			return fmt.Sprintf("the list has %s that contains takes; at most %s allowed", quote.Plural(fit, "element"), are(a.most))
		})
	case fit+unsure < least && a.least.IsZero():
		return r.say(false, v, n, "contains", func() string { return "the list has no element that contains takes; at least one is asked for" })
	case fit+unsure < least:
		return r.say(false, v, n, "minContains", func() string {
			return fmt.Sprintf("the list has %s that contains takes; at least %s asked for", quote.Plural(fit, "element"), are(a.least))
		})
	case fit < least || fit+unsure > most:
		return maybe
	}
	return yes
}

// unique applies uniqueItems.
func (r *run) unique(n *node, v jsonread.Value) verdict {
	if !r.spend(len(v.Raw()) / 16) {
		return maybe
	}
	first := make(map[string]int, v.Len())
	for i, e := range v.Elements() {
		form, ok := canonical(e)
		if !ok {
			return r.cannot("it nests too deep")
		}
		if at, ok := first[form]; ok {
			return r.say(false, e, n, "uniqueItems", func() string {
				return fmt.Sprintf("%s is the same as element %s; each may be there once", shown(e), quote.Count(at))
			})
		}
		first[form] = i
	}
	return yes
}

// object applies what looks at the members of an object.
func (r *run) object(n *node, v jsonread.Value, seen *evaluated) verdict {
	o := n.objects
	said := yes
	if !o.min.IsZero() || !o.max.IsZero() {
		said = r.counted(n, v, distinct(v), func() string { return "the object has" }, "member", o.min, o.max, "minProperties", "maxProperties")
	}
	said = min(said, r.has(n, v, "required", o.required, ""))
	for _, d := range o.dependents {
		if !r.spend(1 + v.Len()/16) {
			return min(said, maybe)
		}
		if v.Get(d.name).IsZero() {
			continue
		}
		said = min(said, r.has(n, v, d.keyword, d.required, d.name))
		if d.schema != nil {
			said = min(said, r.hold(d.schema, v, seen))
		}
	}
	if said == no && !r.telling() || o.properties == nil && o.patterns == nil && o.additional == nil && o.names == nil {
		return said
	}
	for name, e := range v.Members() {
		if !r.spend(1) {
			return min(said, maybe)
		}
		if said = min(said, r.member(n, name, e, seen)); said == no && !r.telling() {
			return no
		}
	}
	return said
}

// distinct is the number of different names in an object.
func distinct(v jsonread.Value) int {
	names := make(map[string]bool, v.Len())
	for name := range v.Members() {
		names[name.String()] = true
	}
	return len(names)
}

// has looks for members that must be there; because of another one, if given.
func (r *run) has(n *node, v jsonread.Value, keyword string, names []jsonread.Value, because string) verdict {
	if len(names) == 0 {
		return yes
	}
	if !r.spend(len(names) + v.Len()/16) {
		return maybe
	}
	said := yes
	there := func(name string) bool { return !v.Get(name).IsZero() }
	if v.Len()*len(names) > 256 {
		all := make(map[string]bool, v.Len())
		for name := range v.Members() {
			all[name.String()] = true
		}
		there = func(name string) bool { return all[name] }
	}
	for _, want := range names {
		if there(want.String()) {
			continue
		}
		said = r.lacks(v, n, keyword, want.String(), because)
		if !r.telling() {
			return no
		}
	}
	return said
}

// lacks tells that an object has no member of a name.
func (r *run) lacks(v jsonread.Value, n *node, keyword, name, because string) verdict {
	if !r.telling() {
		return no
	}
	told := len(r.told.faults)
	said := r.say(false, v, n, keyword, func() string {
		if because != "" {
			return quote.Text(name) + " is missing; it is required beside " + quote.Text(because)
		}
		return quote.Text(name) + " is missing; it is required"
	})
	if len(r.told.faults) > told {
		r.told.faults[told].Missing, r.told.faults[told].Member = true, name
	}
	return said
}

// member applies all that looks at one member of an object.
func (r *run) member(n *node, name, v jsonread.Value, seen *evaluated) verdict {
	o, said := n.objects, yes
	text := name.String()
	looked := false
	if m := o.properties[text]; m != nil {
		looked = true
		said = r.property(m, text, v)
	}
	for _, p := range o.patterns {
		fits := r.match(p.pattern, text)
		if fits == no {
			continue
		}
		looked = true
		if fits == maybe {
			said = min(said, maybe) // and what additionalProperties says is not known
			continue
		}
		said = min(said, r.property(p.schema, text, v))
	}
	if o.additional != nil && !looked {
		looked = true
		if o.additional.fixed == never {
			said = min(said, r.say(false, v, n, "additionalProperties", func() string {
				return quote.Text(text) + " is not allowed here: additionalProperties is false"
			}))
		} else {
			said = min(said, r.hold(o.additional, v, nil))
		}
	}
	if o.names != nil {
		if fits := r.quietly(o.names, name, nil); fits != yes {
			r.say(fits != no, v, n, "propertyNames", func() string { return quote.Text(text) + " is no name that propertyNames takes" })
			said = min(said, fits)
		}
	}
	if looked {
		seen.member(text)
	}
	return said
}

// property holds a member against its schema; one that is false forbids it.
func (r *run) property(m *node, name string, v jsonread.Value) verdict {
	if m.fixed != never {
		return r.hold(m, v, nil)
	}
	if r.telling() {
		r.fault(v, m, "", quote.Text(name)+" is not allowed here: its schema is false")
	}
	return no
}
