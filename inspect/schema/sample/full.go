package sample

import (
	"bytes"
	"slices"

	"perch/engine/jsonread"
	"perch/inspect/schema"
)

// Limits of full instances: what lies deeper is left out.
const (
	fullDepth = 6
	fullSteps = 20_000
	maxNames  = 512 // members that are tried one by one
)

// Full is an instance with all members that a schema names, as far as they go
// together, and with one element at least in each list. It is nil when none was
// found.
func Full(v jsonread.Value) []byte {
	judge := schema.Compile(v)
	s := sampler{root: v, steps: fullSteps, full: true}
	p := s.of(v)
	if b, ok := s.sample(p, 0); ok {
		if b = s.fitting(judge, p, b); b != nil {
			return b
		}
	}
	return grown(v, judge, s.optional(p), func(name string) ([]byte, bool) {
		s.steps = fullSteps
		return s.sample(s.member(p, name), 1)
	})
}

// grown is the smallest instance with members added one by one, as long as it
// fits.
func grown(v jsonread.Value, judge *schema.Schema, names []string, value func(name string) ([]byte, bool)) []byte {
	b := Minimal(v)
	if len(b) == 0 || b[0] != '{' {
		return b
	}
	for _, name := range names[:min(len(names), maxNames)] {
		doc, err := jsonread.Parse(b)
		if err != nil {
			return b
		}
		if !doc.Root().Get(name).IsZero() {
			continue
		}
		m, ok := value(name)
		if !ok || len(b)+len(m) > maxBytes {
			continue
		}
		more := withMember(bytes.Clone(b), name, m)
		if !unfit(judge, more) {
			b = more
		}
	}
	return b
}

// optional are the names of all properties, of branches too.
func (s *sampler) optional(p parts) []string {
	var list []string
	have := make(map[string]bool)
	add := func(p parts) {
		for _, properties := range p.all("properties") {
			for name := range properties.Members() {
				text, _ := name.Text()
				if !have[text] && len(list) < maxNames {
					have[text] = true
					list = append(list, text)
				}
			}
		}
	}
	add(p)
	for _, keyword := range []string{"then", "else"} {
		for _, v := range p.all(keyword) {
			add(s.of(v))
		}
	}
	return list
}

// fullObject is an object with the required members and, where there is room,
// all others.
func (s *sampler) fullObject(p parts, depth int) ([]byte, bool) {
	out := []byte{'{'}
	required := p.members()
	most := maxSteps
	if n := p.numbers("maxProperties"); len(n) > 0 {
		most = int(min(max(slices.Min(n), 0), maxSteps))
	}
	count := 0
	for _, name := range p.allNames(required) {
		must := slices.Contains(required, name)
		if !must && (depth >= fullDepth || count >= most || s.steps < fullSteps/10) {
			continue
		}
		m := s.member(p, name)
		if !must && s.within(m) {
			continue
		}
		v, ok := s.inner(m, depth+1)
		switch {
		case ok && len(out)+len(v) <= maxBytes:
		case must:
			return nil, false
		default:
			continue
		}
		if count++; count > 1 {
			out = append(out, ',')
		}
		out = append(append(jsonread.AppendQuote(out, name), ':'), v...)
	}
	return append(out, '}'), true
}

// inner is the instance of a part, with that part among those at work.
func (s *sampler) inner(p parts, depth int) ([]byte, bool) {
	n := len(s.lineage)
	s.lineage = append(s.lineage, p.list...)
	v, ok := s.sample(p, depth)
	s.lineage = s.lineage[:n]
	return v, ok
}

// within reports whether a part is at work already: it would never end.
func (s *sampler) within(p parts) bool {
	return slices.ContainsFunc(p.list, func(v jsonread.Value) bool { return slices.Contains(s.lineage, v) })
}

// allNames are the properties in the order of the schema, then what else is
// required.
func (p parts) allNames(required []string) []string {
	list := p.properties(maxNames)
	for _, name := range required {
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// Examples are instances that the schema itself names: those of its own
// examples, else the smallest one with all members that have an example or a
// default. At most so many, and all of them fit.
func Examples(v jsonread.Value, most int) [][]byte {
	judge := schema.Compile(v)
	s := sampler{root: v, steps: maxSteps}
	p := s.of(v)
	var list [][]byte
	for _, e := range p.all("examples") {
		for _, x := range e.Elements() {
			b := jsonread.Compact(nil, x.Raw())
			if len(list) < most && len(b) <= maxBytes && !unfit(judge, b) {
				list = append(list, b)
			}
		}
	}
	if len(list) > 0 {
		return list
	}
	b := grown(v, judge, s.optional(p), func(name string) ([]byte, bool) {
		s.steps = maxSteps
		m := s.member(p, name)
		if m.get("examples").IsZero() && m.get("default").IsZero() {
			return nil, false
		}
		own, ok := m.own()
		return jsonread.Compact(nil, own), ok
	})
	if b == nil || most < 1 {
		return nil
	}
	return [][]byte{b}
}
