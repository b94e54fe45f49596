// Package sample makes instances of a JSON Schema: small, full and edge ones that
// it allows, and ones that it does not allow. It tries what the common keywords
// of all dialects ask for; whether that fits, package schema says. It knows
// nothing of tools or calls.
package sample

import (
	"slices"
	"strings"

	"perch/engine/jsonread"
	"perch/inspect/schema"
)

// Limits of an instance that is made of a schema. They are ours: a schema is
// the module's, and may ask for anything.
const (
	maxBytes = 64 << 10 // of the instance
	maxDepth = 32       // of its nesting
	maxSteps = 2_000    // schemas that are looked at on the way
	maxParts = 64       // schemas that apply to one value
)

// Minimal is a small instance that a schema allows, in JSON: what is required
// and nothing more, with the schema's own values (const, enum, examples,
// default) where it has some. It is nil when none was found: the keywords not,
// if and unevaluated… are met by chance alone, and a reference leads nowhere
// outside of the schema. The schema is the root of its document's references.
func Minimal(v jsonread.Value) []byte {
	s := sampler{root: v, steps: maxSteps}
	p := s.of(v)
	b, ok := s.sample(p, 0)
	if !ok {
		return nil
	}
	return s.fitting(schema.Compile(v), p, b)
}

// unfit reports whether an instance surely does not fit.
func unfit(s *schema.Schema, instance []byte) bool {
	doc, err := jsonread.Parse(instance)
	return err != nil || len(s.Validate(doc.Root()).Faults) > 0
}

// sampler makes instances of one schema.
type sampler struct {
	root  jsonread.Value
	steps int // that are left
	// full asks for all members, and for an element in each list; lineage is
	// what is at work then.
	full    bool
	lineage []jsonread.Value
}

// parts are schemas that all apply to one value: a schema, what it refers to
// and its allOf. Not one of them is a boolean.
type parts struct {
	list  []jsonread.Value
	never bool // nothing is allowed
	lost  bool // not all of them could be looked at
}

// of collects the schemas that apply where this one does.
func (s *sampler) of(v ...jsonread.Value) parts {
	var p parts
	todo := slices.Clone(v)
	for len(todo) > 0 {
		x := todo[0]
		todo = todo[1:]
		if s.steps--; s.steps < 0 || len(p.list) == maxParts {
			p.lost = true
			return p
		}
		switch x.Kind() {
		case jsonread.False:
			p.never = true
		case jsonread.Object:
			if slices.Contains(p.list, x) {
				continue
			}
			p.list = append(p.list, x)
			if ref := x.Get("$ref"); ref.Kind() == jsonread.String {
				target, ok := s.resolve(ref.String())
				p.lost = p.lost || !ok
				todo = append(todo, target)
			}
			for _, y := range x.Get("allOf").Elements() {
				todo = append(todo, y)
			}
		}
	}
	return p
}

// resolve follows a reference inside of the schema; nothing is ever fetched.
func (s *sampler) resolve(ref string) (jsonread.Value, bool) {
	pointer, ok := strings.CutPrefix(ref, "#")
	if !ok || pointer != "" && pointer[0] != '/' {
		return jsonread.Value{}, false
	}
	v := s.root.At(unescapeURI(pointer))
	return v, !v.IsZero()
}

// unescapeURI decodes the %XX of a reference's fragment.
func unescapeURI(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if hi, lo := strings.IndexByte(hexDigits, s[i+1]|0x20), strings.IndexByte(hexDigits, s[i+2]|0x20); hi >= 0 && lo >= 0 {
				b.WriteByte(byte(hi<<4 | lo))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

const hexDigits = "0123456789abcdef"

// get is the first part's keyword, of those that have it.
func (p parts) get(keyword string) jsonread.Value {
	for _, x := range p.list {
		if v := x.Get(keyword); !v.IsZero() {
			return v
		}
	}
	return jsonread.Value{}
}

// all are the values of a keyword in all parts.
func (p parts) all(keyword string) []jsonread.Value {
	var list []jsonread.Value
	for _, x := range p.list {
		if v := x.Get(keyword); !v.IsZero() {
			list = append(list, v)
		}
	}
	return list
}

// sample is an instance of all parts.
func (s *sampler) sample(p parts, depth int) ([]byte, bool) {
	if p.never || p.lost || depth > maxDepth {
		return nil, false
	}
	if v, ok := p.own(); ok {
		return v, len(v) <= maxBytes
	}
	if branches := p.choice(); branches.Len() > 0 {
		for _, b := range branches.Elements() {
			if got, ok := s.sample(s.of(append(slices.Clone(p.list), b)...), depth+1); ok {
				return got, true
			}
			if s.steps < 0 {
				break
			}
		}
		return nil, false
	}
	switch p.typ() {
	case "object":
		return s.object(p, depth)
	case "array":
		return s.array(p, depth)
	case "integer":
		return number(p, true)
	case "number":
		return number(p, false)
	case "boolean":
		return []byte("true"), true
	case "null":
		return []byte("null"), true
	}
	return text(p)
}

// own is a value that the schema itself names: const, else of enum, examples or
// default the first that has the right type and, where there is an enum, is in
// it.
func (p parts) own() ([]byte, bool) {
	if c := p.get("const"); !c.IsZero() {
		return c.Raw(), true
	}
	enum := p.get("enum")
	var candidates []jsonread.Value
	for _, e := range p.all("examples") {
		for _, v := range e.Elements() {
			candidates = append(candidates, v)
		}
	}
	candidates = append(candidates, p.all("default")...)
	for _, v := range enum.Elements() {
		candidates = append(candidates, v)
	}
	for _, v := range candidates {
		if p.allowsType(v) && (enum.IsZero() || contains(enum, v)) {
			return v.Raw(), true
		}
	}
	return nil, false
}

// maxEnum is how many members of an enum are compared.
const maxEnum = 256

func contains(list, v jsonread.Value) bool {
	for i, x := range list.Elements() {
		if i == maxEnum {
			return false
		}
		if x.Equal(v) {
			return true
		}
	}
	return false
}

// choice is the first anyOf or oneOf among the parts of which no branch was
// taken yet.
func (p parts) choice() jsonread.Value {
	for _, x := range p.list {
		for _, keyword := range []string{"anyOf", "oneOf"} {
			if b := x.Get(keyword); b.Len() > 0 && !p.taken(b) {
				return b
			}
		}
	}
	return jsonread.Value{}
}

// taken reports whether one of these branches is among the parts, or allows
// everything.
func (p parts) taken(branches jsonread.Value) bool {
	for _, b := range branches.Elements() {
		if b.Kind() == jsonread.True || slices.Contains(p.list, b) {
			return true
		}
	}
	return false
}

// typ is the type that the parts agree on, or the one that their keywords are
// about; a string where anything goes. It is empty when they do not agree.
func (p parts) typ() string {
	for _, t := range p.all("type") {
		for _, name := range names(t) {
			if name == "number" && p.allows("integer") && !p.allows("number") {
				name = "integer"
			}
			if p.allows(name) {
				return name
			}
		}
		return ""
	}
	for _, k := range []struct{ typ, keywords string }{
		{"object", "properties required minProperties additionalProperties"},
		{"array", "items prefixItems minItems contains"},
		{"number", "minimum maximum multipleOf exclusiveMinimum exclusiveMaximum"},
	} {
		for _, keyword := range strings.Fields(k.keywords) {
			if !p.get(keyword).IsZero() {
				return k.typ
			}
		}
	}
	return "string"
}

// names are the types of a type keyword, in their order; null comes last.
func names(t jsonread.Value) []string {
	if t.Kind() == jsonread.String {
		return []string{t.String()}
	}
	var list []string
	null := false
	for i, v := range t.Elements() {
		if i == maxEnum {
			break
		}
		if v.Is("null") {
			null = true
			continue
		}
		list = append(list, v.String())
	}
	if null {
		list = append(list, "null")
	}
	return list
}

// allows reports whether each type keyword names this type.
func (p parts) allows(typ string) bool {
	for _, t := range p.all("type") {
		list := names(t)
		if !slices.Contains(list, typ) && (typ != "integer" || !slices.Contains(list, "number")) {
			return false
		}
	}
	return true
}

// allowsType reports whether the value's type is one that the parts allow.
func (p parts) allowsType(v jsonread.Value) bool {
	switch v.Kind() {
	case jsonread.Object:
		return p.allows("object")
	case jsonread.Array:
		return p.allows("array")
	case jsonread.String:
		return p.allows("string")
	case jsonread.Number:
		return p.allows("number") || v.IsInteger() && p.allows("integer")
	case jsonread.Null:
		return p.allows("null")
	}
	return p.allows("boolean")
}
