package schema

import (
	"perch/engine/jsonread"
	"perch/engine/quote"
)

// verdict is what a schema says of a value. Both ends are sure; in between
// stands what could not be checked.
type verdict int8

const (
	no verdict = iota
	maybe
	yes
)

func sure(ok bool) verdict {
	if ok {
		return yes
	}
	return no
}

// Validate holds a value against the schema. It ends after a bounded number of
// steps, whatever both are.
func (s *Schema) Validate(v jsonread.Value) Result {
	if s.unjudged != "" {
		return Result{Unchecked: s.unjudged}
	}
	r := s.run(maxSteps)
	said := r.hold(s.root, v, nil)
	if said != no {
		return Result{Unchecked: r.unchecked}
	}
	first := r.unchecked
	r = s.run(maxSteps)
	r.told = &told{seen: make(map[pair]bool), base: len(v.Pointer())}
	r.hold(s.root, v, nil)
	if len(r.told.faults) == 0 { // there was not enough room to say more
		r.fault(v, s.root, "", "it does not fit the schema")
	}
	if first == "" {
		first = r.unchecked
	}
	return Result{Faults: r.told.faults, More: r.told.more, Unchecked: first}
}

func (s *Schema) run(steps int) *run {
	return &run{s: s, left: steps}
}

// run holds one value against a schema.
type run struct {
	s         *Schema
	left      int // steps
	depth     int
	memo      map[pair]verdict
	open      map[pair]bool // what is at work: a reference that comes back to it never ends
	scope     []*resource   // the resources on the way here, where that counts
	told      *told         // nil: faults are not told
	unchecked string

	skip      *node // whose enum and const are not looked at
	skipValue jsonread.Value
}

type pair struct {
	n *node
	v jsonread.Value
}

// told is what was told of faults.
type told struct {
	seen   map[pair]bool
	faults []Fault
	more   int
	base   int // length of the pointer of the value that is validated
}

// cannot notes why something is not checked; the first reason is kept.
func (r *run) cannot(why string) verdict {
	if r.unchecked == "" {
		r.unchecked = why
	}
	return maybe
}

// spend takes steps; false when there are none left.
func (r *run) spend(steps int) bool {
	if r.left -= steps; r.left >= 0 {
		return true
	}
	r.cannot("it takes too many steps")
	return false
}

// hold holds a value against a schema. seen, if it is not nil, takes what of
// the value was looked at.
func (r *run) hold(n *node, v jsonread.Value, seen *evaluated) verdict {
	switch n.fixed {
	case always:
		return yes
	case never:
		if r.telling() {
			r.fault(v, n, "", "nothing is allowed here: the schema is false")
		}
		return no
	case unknown:
		return r.cannot("the schema has parts that are none")
	}
	if !r.spend(1) {
		return maybe
	}
	if !n.shared || !r.s.forks && !r.s.dynamic {
		return r.look(n, v, seen)
	}
	p := pair{n, v}
	remembered := seen == nil && !r.s.dynamic && n != r.skip
	if said, ok := r.memo[p]; ok && remembered && (said != no || !r.telling() || r.told.seen[p]) {
		return said
	}
	if r.open[p] {
		return r.cannot("a reference in the schema never ends")
	}
	if r.open == nil {
		r.open, r.memo = make(map[pair]bool), make(map[pair]verdict)
	}
	r.open[p] = true
	said := r.look(n, v, seen)
	delete(r.open, p)
	if remembered {
		r.memo[p] = said
		if r.telling() {
			r.told.seen[p] = true
		}
	}
	return said
}

// look applies all keywords of a schema.
func (r *run) look(n *node, v jsonread.Value, seen *evaluated) verdict {
	if r.depth >= maxNesting {
		return r.cannot("it nests too deep")
	}
	r.depth++
	if r.s.dynamic {
		r.scope = append(r.scope, n.res)
	}
	var said verdict
	if r.s.evaluates && n.asksForRest() {
		own := &evaluated{} // it does not see what is beside it
		said = r.rest(n, v, own, r.keywords(n, v, own))
		if seen != nil {
			seen.add(own)
		}
	} else {
		said = r.keywords(n, v, seen)
	}
	if r.s.dynamic {
		r.scope = r.scope[:len(r.scope)-1]
	}
	r.depth--
	return said
}

// keywords applies all keywords but those for what nothing else has looked at.
func (r *run) keywords(n *node, v jsonread.Value, seen *evaluated) verdict {
	said := yes
	if n.vague {
		said = r.cannot("the schema has faults")
	}
	if len(n.refs) > 0 {
		if said = min(said, r.refs(n, v, seen)); said == no && !r.telling() || n.alone {
			return said
		}
	}
	if n.types != 0 && !r.typed(n, v) { // what else is said is about another type
		return r.say(false, v, n, "type", func() string { return misfit(v, n.types) })
	}
	if n.values != nil && (n != r.skip || v != r.skipValue) {
		if said = min(said, r.oneOfValues(n, v)); said == no && !r.telling() {
			return no
		}
	}
	if n.logic != nil {
		if said = min(said, r.logic(n, v, seen)); said == no && !r.telling() {
			return no
		}
	}
	return min(said, r.ofType(n, v, seen))
}

// ofType applies the keywords that are about values of one type.
func (r *run) ofType(n *node, v jsonread.Value, seen *evaluated) verdict {
	switch kind := v.Kind(); {
	case kind == jsonread.Number && n.numbers != nil:
		return r.number(n, v)
	case kind == jsonread.String && n.strings != nil:
		return r.text(n, v)
	case kind == jsonread.Array && n.arrays != nil:
		return r.array(n, v, seen)
	case kind == jsonread.Object && n.objects != nil:
		return r.object(n, v, seen)
	}
	return yes
}

// rest applies the keywords for what nothing else has looked at, after all
// others have said what they say.
func (r *run) rest(n *node, v jsonread.Value, seen *evaluated, said verdict) verdict {
	if said == no && !r.telling() {
		return no
	}
	if said == maybe || seen.unsure { // what was not checked may have looked at more
		told := r.told
		r.told = nil
		defer func() { r.told = told }()
		return min(said, max(r.unevaluated(n, v, seen), maybe))
	}
	return min(said, r.unevaluated(n, v, seen))
}

// asksForRest reports whether a schema has a word on what nothing else of it
// has looked at.
func (n *node) asksForRest() bool {
	return n.arrays != nil && n.arrays.unevaluated != nil || n.objects != nil && n.objects.unevaluated != nil
}

func (r *run) telling() bool { return r.told != nil }

// quietly holds a value against a schema without telling faults.
func (r *run) quietly(n *node, v jsonread.Value, seen *evaluated) verdict {
	told := r.told
	r.told = nil
	said := r.hold(n, v, seen)
	r.told = told
	return said
}

// fault tells of a fault of a value by a keyword of a schema.
func (r *run) fault(v jsonread.Value, n *node, keyword, text string) {
	t := r.told
	if len(t.faults) >= maxFaults {
		t.more++
		return
	}
	at := n.at
	if keyword != "" {
		at = at.Get(keyword)
	}
	t.faults = append(t.faults, Fault{Value: v, Pointer: v.Pointer()[t.base:], Keyword: keyword, Schema: at.Pointer(), Text: text})
}

// say is a fault where there is one.
func (r *run) say(ok bool, v jsonread.Value, n *node, keyword string, text func() string) verdict {
	if !ok && r.telling() {
		if len(r.told.faults) >= maxFaults {
			r.told.more++
		} else {
			r.fault(v, n, keyword, text())
		}
	}
	return sure(ok)
}

// refs follows the references of a schema.
func (r *run) refs(n *node, v jsonread.Value, seen *evaluated) verdict {
	said := yes
	for _, ref := range n.refs {
		to := r.target(ref)
		if to == nil {
			said = min(said, r.cannot("a reference in the schema leads nowhere"))
			continue
		}
		said = min(said, r.hold(to, v, seen))
	}
	return said
}

// target is where a reference leads: for a dynamic one, the first of the
// resources on the way here that has the anchor.
func (r *run) target(ref *ref) *node {
	if !r.s.dynamic || ref.to == nil {
		return ref.to
	}
	switch {
	case ref.kind == dynamicRef && ref.dynamic != "":
		for _, res := range r.scope {
			if a, ok := res.anchors[ref.dynamic]; ok && a.dynamic {
				return a.to
			}
		}
	case ref.kind == recursiveRef && ref.to.res.recursive:
		for _, res := range r.scope {
			if res.recursive {
				return res.root
			}
		}
	}
	return ref.to
}

// evaluated is what of a value was looked at by a schema that takes it.
type evaluated struct {
	members   map[string]bool
	all       bool // all members
	first     int  // elements from the beginning
	every     bool // all elements
	contained map[int]bool
	unsure    bool // something that was not checked may have looked at more
}

func (e *evaluated) member(name string) {
	if e == nil {
		return
	}
	if e.members == nil {
		e.members = make(map[string]bool)
	}
	e.members[name] = true
}

// add takes over what a schema for the same value has looked at.
func (e *evaluated) add(o *evaluated) {
	for name := range o.members {
		e.member(name)
	}
	e.all = e.all || o.all
	e.every = e.every || o.every
	e.unsure = e.unsure || o.unsure
	e.first = max(e.first, o.first)
	for i := range o.contained {
		e.contain(i)
	}
}

func (e *evaluated) contain(i int) {
	if e.contained == nil {
		e.contained = make(map[int]bool)
	}
	e.contained[i] = true
}

// branch holds a value against a schema whose word counts only together with
// others'. What it has looked at counts unless it says no.
func (r *run) branch(n *node, v jsonread.Value, seen *evaluated) verdict {
	if seen == nil {
		return r.quietly(n, v, nil)
	}
	own := &evaluated{}
	said := r.quietly(n, v, own)
	if said != no {
		own.unsure = own.unsure || said == maybe
		if r.spend(len(own.members) + len(own.contained)) {
			seen.add(own)
		}
	}
	return said
}

// unevaluated applies unevaluatedItems and unevaluatedProperties.
func (r *run) unevaluated(n *node, v jsonread.Value, seen *evaluated) verdict {
	said := yes
	if a := n.arrays; a != nil && a.unevaluated != nil && v.Kind() == jsonread.Array && !seen.every {
		for i, e := range v.Elements() {
			if !r.spend(1) {
				return min(said, maybe)
			}
			if i >= seen.first && !seen.contained[i] {
				said = min(said, r.leftOver(n, a.unevaluated, e, "unevaluatedItems", "element "+quote.Count(i)))
			}
		}
		seen.every = true
	}
	if o := n.objects; o != nil && o.unevaluated != nil && v.Kind() == jsonread.Object && !seen.all {
		for name, e := range v.Members() {
			if !r.spend(1) {
				return min(said, maybe)
			}
			if text := name.String(); !seen.members[text] {
				said = min(said, r.leftOver(n, o.unevaluated, e, "unevaluatedProperties", quote.Text(text)))
			}
		}
		seen.all = true
	}
	return said
}

// leftOver holds what nothing else has looked at against the schema for it.
func (r *run) leftOver(n, schema *node, v jsonread.Value, keyword, what string) verdict {
	if schema.fixed != never {
		return r.hold(schema, v, nil)
	}
	return r.say(false, v, n, keyword, func() string { return what + " is not allowed here: " + keyword + " is false" })
}
