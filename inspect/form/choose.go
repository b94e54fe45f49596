package form

import (
	"strconv"

	"perch/engine/jsonread"
	"perch/engine/quote"
	"perch/inspect/schema"
)

// chosen is the branch that is shown for a value: the one that a person chose;
// else the first that the value fits; else the one that it is most like.
func (f *Form) chosen(key string, branches []schema.Part, v jsonread.Value) int {
	p, picked := f.now.picks[key]
	picked = picked && p.n < len(branches)
	if picked && (!p.soft || v.IsZero()) {
		return p.n
	}
	if v.IsZero() {
		return 0
	}
	if picked && branches[p.n].Fits(v) == schema.Yes {
		return p.n
	}
	for i, b := range branches {
		if i == maxParts {
			break
		}
		if b.Fits(v) == schema.Yes {
			return i
		}
	}
	best, most := 0, -1<<30
	for i, b := range branches {
		if i == maxParts {
			break
		}
		n := likeness(b, v)
		if picked && i == p.n {
			n++
		}
		if n > most {
			best, most = i, n
		}
	}
	return best
}

// likeness says how well a value that does not fit is meant for a branch.
func likeness(b schema.Part, v jsonread.Value) int {
	n := 0
	if types := typesOf(b, 4); len(types) > 0 {
		if !takesKind(types, v) {
			return -100
		}
		n += 10
	}
	b = target(b)
	if v.Kind() != jsonread.Object {
		return n
	}
	for i, name := range b.Properties() {
		if i == maxParts {
			break
		}
		m := v.Get(name)
		if m.IsZero() {
			continue
		}
		n++
		p, _ := b.Property(name)
		if c := constOf(p); !c.IsZero() {
			if c.Equal(m) {
				n += 50
			} else {
				n -= 50
			}
		}
	}
	return n
}

// target is where a schema that is but a reference leads.
func target(p schema.Part) schema.Part {
	for range 4 {
		refs, _ := p.Refs()
		if len(refs) != 1 || p.IsObject() && !p.Alone() {
			break
		}
		p = refs[0]
	}
	return p
}

// typesOf are the types that a part names, through references.
func typesOf(p schema.Part, depth int) []string {
	if t := p.Types(); len(t) > 0 && !p.Alone() || depth == 0 {
		return t
	}
	refs, _ := p.Refs()
	if len(refs) != 1 {
		return nil
	}
	return typesOf(refs[0], depth-1)
}

// takesKind reports whether one of the types is that of a value.
func takesKind(types []string, v jsonread.Value) bool {
	for _, t := range types {
		if isOf(v, t) {
			return true
		}
	}
	return false
}

// isOf reports whether a value is of a type of JSON Schema.
func isOf(v jsonread.Value, typ string) bool {
	switch v.Kind() {
	case jsonread.Null:
		return typ == "null"
	case jsonread.True, jsonread.False:
		return typ == "boolean"
	case jsonread.Number:
		return typ == "number" || typ == "integer" && v.IsInteger()
	case jsonread.String:
		return typ == "string"
	case jsonread.Array:
		return typ == "array"
	case jsonread.Object:
		return typ == "object"
	}
	return false
}

// labels name the branches of a choice: by title, by the value of the member
// that tells them apart, by the reference, by type, by what they require.
func (f *Form) labels(c choice) []string {
	if l, ok := f.branchNames[c.key]; ok {
		return l
	}
	tag := tagOf(c.branches)
	list := make([]string, len(c.branches))
	seen := make(map[string]bool, len(list))
	for i, b := range c.branches {
		s := labelOf(b, tag)
		if s == "" || seen[s] {
			s = "branch " + quote.Count(i+1)
		}
		seen[s] = true
		list[i] = s
	}
	if f.branchNames == nil {
		f.branchNames = map[string][]string{}
	}
	f.branchNames[c.key] = list
	return list
}

func labelOf(b schema.Part, tag string) string {
	to := target(b)
	for _, p := range []schema.Part{b, to} {
		if t, ok := p.Text().Get("title").Text(); ok && t != "" {
			return t
		}
	}
	if tag != "" {
		if p, ok := to.Property(tag); ok {
			return constOf(p).String()
		}
	}
	if ref, ok := b.Text().Get("$ref").Text(); ok {
		if _, name, ok := cut(ref); ok && name != "" {
			return name
		}
	}
	if s := typeWords(to); s != "" {
		return s
	}
	names := to.Required()
	switch len(names) {
	case 0:
		return ""
	case 1:
		return "with " + names[0]
	}
	return "with " + names[0] + ", " + names[1]
}

// typeWords names a branch by its types: "string", "array of integer".
func typeWords(p schema.Part) string {
	types := p.Types()
	if len(types) == 0 {
		return ""
	}
	s := types[0]
	for i, t := range types[1:] {
		if i == 3 {
			break
		}
		s += " or " + t
	}
	if s == "object" && len(p.Properties()) > 0 {
		return ""
	}
	if rest, ok := p.Rest(); ok && s == "array" {
		if inner := typesOf(rest, 4); len(inner) == 1 {
			s += " of " + inner[0]
		}
	}
	return s
}

// tagOf is the member whose value tells the branches apart: each of them has
// it as a property with one value, and no two the same.
func tagOf(branches []schema.Part) string {
	if len(branches) == 0 {
		return ""
	}
	for i, name := range target(branches[0]).Properties() {
		if i == maxParts {
			break
		}
		if tells(branches, name) {
			return name
		}
	}
	return ""
}

func tells(branches []schema.Part, name string) bool {
	seen := make(map[string]bool, len(branches))
	for _, b := range branches {
		p, ok := target(b).Property(name)
		c := constOf(p)
		if !ok || c.IsZero() || seen[string(c.Raw())] {
			return false
		}
		seen[string(c.Raw())] = true
	}
	return true
}

// typeKey is where the type that was chosen for a place is kept.
func typeKey(path string) string { return path + ofType }

// branchDraft is where what was in a branch is kept.
func branchDraft(path string, c choice, n int) string {
	return path + c.key + "\x00" + strconv.Itoa(n)
}
