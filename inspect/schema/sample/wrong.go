package sample

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"perch/engine/jsonread"
	"perch/engine/quote"
	"perch/inspect/schema"
)

// Variant is an object that a schema does not allow.
type Variant struct {
	JSON []byte
	What string // what is wrong with it, as it goes on after a name: `without "city"`
}

// Wrong are objects that a schema does not allow, at most so many: its smallest
// instance, with one thing wrong. First come required members that are left
// out, then members of another type, then those out of bounds. Nil when no
// instance is found whose members fit, one by one.
func Wrong(v jsonread.Value, most int) []Variant {
	s := sampler{root: v, steps: maxSteps}
	p := s.of(v)
	w := wrong{s: &s, p: p}
	for _, name := range p.members() {
		value, ok := s.sample(s.member(p, name), 1)
		if !ok {
			return nil
		}
		w.base = append(w.base, pair{name, value})
	}
	if p.never || p.lost || p.typ() != "object" {
		return nil
	}
	w.leftOut()
	names := p.properties(most)
	for _, name := range names {
		w.otherType(name)
	}
	for _, name := range names {
		w.outOfBounds(name)
	}
	w.unknown()
	judge := schema.Compile(v)
	found := slices.DeleteFunc(w.found, func(x Variant) bool { return !unfit(judge, x.JSON) })
	return found[:min(len(found), most)]
}

// pair is a member of an object.
type pair struct {
	name  string
	value []byte
}

// wrong makes the variants of one schema.
type wrong struct {
	s     *sampler
	p     parts
	base  []pair
	found []Variant
}

// properties are the names of the first properties.
func (p parts) properties(most int) []string {
	var list []string
	for _, properties := range p.all("properties") {
		for name := range properties.Members() {
			if len(list) == most {
				return list
			}
			if text, ok := name.Text(); ok && !slices.Contains(list, text) {
				list = append(list, text)
			}
		}
	}
	return list
}

// with adds the base with another value for a member; nil leaves it out.
func (w *wrong) with(name string, value []byte, what string) {
	b := []byte{'{'}
	put := func(p pair) {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(jsonread.AppendQuote(b, p.name), ':'), p.value...)
	}
	there := false
	for _, p := range w.base {
		if p.name == name {
			there = true
			p.value = value
		}
		if p.value != nil {
			put(p)
		}
	}
	if !there && value != nil {
		put(pair{name, value})
	}
	if len(b) < maxBytes {
		w.found = append(w.found, Variant{append(b, '}'), what})
	}
}

// as adds the base with a value that is wrong for a reason.
func (w *wrong) as(name string, value []byte, why string) {
	w.with(name, value, fmt.Sprintf("with %s as %s (%s)", brief(value), quote.Text(name), why))
}

// brief is a value in a few words.
func brief(value []byte) string {
	const longest = 24
	if len(value) <= longest {
		return string(value)
	}
	if value[0] == '"' {
		return fmt.Sprintf("a text of %s", quote.Plural(utf8.RuneCount(value)-2, "character"))
	}
	return fmt.Sprintf("%s… (%s)", bytes.ToValidUTF8(value[:longest], nil), quote.Plural(len(value), "byte"))
}

func (w *wrong) leftOut() {
	var required []string
	for _, list := range w.p.all("required") {
		for _, v := range list.Elements() {
			if name, ok := v.Text(); ok && !slices.Contains(required, name) && len(required) < maxParts {
				required = append(required, name)
				w.with(name, nil, "without "+quote.Text(name))
			}
		}
	}
}

// otherType adds a value whose type is none of those that the member may have.
func (w *wrong) otherType(name string) {
	p := w.s.member(w.p, name)
	if value := w.s.refused(p); value != nil {
		w.as(name, value, "another type")
	}
}

// refused is a value that is refused by its type; nil when every type may be
// right.
func (s *sampler) refused(p parts) []byte {
	for _, c := range []struct{ typ, value string }{
		{"string", `"seven"`}, {"integer", "7"}, {"array", "[]"}, {"object", "{}"}, {"boolean", "true"}, {"null", "null"},
	} {
		if s.refuses(p, c.typ, 0) {
			return []byte(c.value)
		}
	}
	return nil
}

// refuses reports whether no value of a type is right.
func (s *sampler) refuses(p parts, typ string, depth int) bool {
	if p.lost {
		return false
	}
	if p.never || !p.allows(typ) {
		return true
	}
	if c := p.get("const"); !c.IsZero() {
		return !s.ofType(c, typ)
	}
	if enum := p.get("enum"); enum.Len() > 0 && enum.Len() <= maxEnum {
		for _, v := range enum.Elements() {
			if s.ofType(v, typ) {
				return false
			}
		}
		return true
	}
	branches := p.choice()
	if branches.Len() == 0 || depth == maxDepth || s.steps < 0 {
		return false
	}
	for _, b := range branches.Elements() {
		if !s.refuses(s.of(append(slices.Clone(p.list), b)...), typ, depth+1) {
			return false
		}
	}
	return true
}

// ofType reports whether a value is of a type.
func (*sampler) ofType(v jsonread.Value, typ string) bool {
	switch v.Kind() {
	case jsonread.String:
		return typ == "string"
	case jsonread.Number:
		return typ == "integer" || typ == "number"
	case jsonread.Array:
		return typ == "array"
	case jsonread.Object:
		return typ == "object"
	case jsonread.Null:
		return typ == "null"
	}
	return typ == "boolean"
}

// outOfBounds adds values of the right type that a keyword refuses.
func (w *wrong) outOfBounds(name string) {
	p := w.s.member(w.p, name)
	if p.never || p.lost {
		return
	}
	w.notListed(name, p)
	if p.allows("integer") {
		w.numbers(name, p)
	}
	if p.allows("string") {
		w.texts(name, p)
	}
	if p.allows("array") {
		w.arrays(name, p)
	}
	if p.allows("object") && len(p.members()) > 0 && len(p.all("required")) > 0 {
		w.as(name, []byte("{}"), "its required members are left out")
	}
}

// notListed adds a value of the right type that is not in an enum.
func (w *wrong) notListed(name string, p parts) {
	other := []byte(`"none-of-these"`)
	enum := p.get("enum")
	if !p.allows("string") || enum.Len() == 0 || enum.Len() > maxEnum {
		return
	}
	for _, v := range enum.Elements() {
		if v.Kind() == jsonread.String && !bytes.Equal(v.Raw(), other) {
			w.as(name, other, "not in its enum")
			return
		}
	}
}

func (w *wrong) numbers(name string, p parts) {
	for _, keyword := range []string{"minimum", "exclusiveMinimum"} {
		if f, ok := float(p.get(keyword)); ok && f > -1<<52 && f < 1<<52 {
			w.as(name, appendNumber(nil, f-1), fmt.Sprintf("%s %s", keyword, appendNumber(nil, f)))
			break
		}
	}
	for _, keyword := range []string{"maximum", "exclusiveMaximum"} {
		if f, ok := float(p.get(keyword)); ok && f > -1<<52 && f < 1<<52 {
			w.as(name, appendNumber(nil, f+1), fmt.Sprintf("%s %s", keyword, appendNumber(nil, f)))
			break
		}
	}
}

// maxLong is the length of a text or list that is made to be too long.
const maxLong = 8 << 10

func (w *wrong) texts(name string, p parts) {
	if n, ok := float(p.get("minLength")); ok && n >= 1 && n <= maxLong {
		w.as(name, jsonread.AppendQuote(nil, strings.Repeat("a", int(n)-1)), fmt.Sprintf("minLength %g", n))
	}
	if n, ok := float(p.get("maxLength")); ok && n >= 0 && n < maxLong {
		w.as(name, jsonread.AppendQuote(nil, strings.Repeat("a", int(n)+1)), fmt.Sprintf("maxLength %g", n))
	}
	pattern, ok := p.get("pattern").Text()
	if !ok || len(pattern) > maxPattern {
		return
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return
	}
	for _, other := range []string{"!", "a b", "", "0"} {
		if !re.MatchString(other) {
			w.as(name, jsonread.AppendQuote(nil, other), "not what its pattern matches")
			return
		}
	}
}

func (w *wrong) arrays(name string, p parts) {
	element, ok := w.s.sample(w.s.of(p.items(0)...), 2)
	if !ok {
		return
	}
	list := func(n int) []byte {
		return slices.Concat([]byte("["), bytes.Join(slices.Repeat([][]byte{element}, n), []byte(",")), []byte("]"))
	}
	least, _ := float(p.get("minItems"))
	if least >= 1 && least <= maxLong {
		w.as(name, list(int(least)-1), fmt.Sprintf("minItems %g", least))
	}
	if n, ok := float(p.get("maxItems")); ok && n >= 0 && int(n+1)*(len(element)+1) < maxBytes {
		w.as(name, list(int(n)+1), fmt.Sprintf("maxItems %g", n))
	}
	if least > 1 {
		return
	}
	if value := w.s.refused(w.s.of(p.items(0)...)); value != nil {
		w.as(name, slices.Concat([]byte("["), value, []byte("]")), "an element of another type")
	}
}

// unknown adds a member that no property allows.
func (w *wrong) unknown() {
	const name = "not_a_property"
	for _, x := range w.p.list {
		if x.Get("additionalProperties").Kind() == jsonread.False && x.Get("properties").Get(name).IsZero() && x.Get("patternProperties").Len() == 0 {
			w.with(name, []byte("1"), "with the unknown member "+quote.Text(name))
			return
		}
	}
}
