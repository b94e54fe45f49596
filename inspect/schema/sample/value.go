package sample

import (
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"perch/engine/jsonread"
)

// object is an object with the members that the parts require.
func (s *sampler) object(p parts, depth int) ([]byte, bool) {
	if s.full {
		return s.fullObject(p, depth)
	}
	out := []byte{'{'}
	for _, name := range p.members() {
		v, ok := s.sample(s.member(p, name), depth+1)
		if !ok || len(out)+len(v) > maxBytes {
			return nil, false
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(jsonread.AppendQuote(out, name), ':'), v...)
	}
	return append(out, '}'), true
}

// members are the names that an instance needs: those required, those that they
// bring along, and more of the properties up to minProperties.
func (p parts) members() []string {
	var list []string
	have := make(map[string]bool)
	add := func(v jsonread.Value) {
		if name, ok := v.Text(); ok && !have[name] && len(list) < maxSteps {
			have[name] = true
			list = append(list, name)
		}
	}
	for _, required := range p.all("required") {
		for _, v := range required.Elements() {
			add(v)
		}
	}
	for i := 0; i < len(list); i++ {
		for _, needs := range p.all("dependentRequired") {
			for _, v := range needs.Get(list[i]).Elements() {
				add(v)
			}
		}
	}
	least := int(p.bound("minProperties", slices.Max))
	for _, properties := range p.all("properties") {
		for name := range properties.Members() {
			if len(list) >= least {
				return list
			}
			add(name)
		}
	}
	return list
}

// member are the schemas of a member of an object.
func (s *sampler) member(p parts, name string) parts {
	var list []jsonread.Value
	for _, x := range p.list {
		v := x.Get("properties").Get(name)
		if v.IsZero() {
			v = x.Get("additionalProperties")
		}
		if !v.IsZero() {
			list = append(list, v)
		}
	}
	return s.of(list...)
}

// array is an array with the elements that the parts ask for.
func (s *sampler) array(p parts, depth int) ([]byte, bool) {
	least := p.bound("minItems", slices.Max)
	contains := p.all("contains")
	if len(contains) > 0 {
		least = max(least, p.bound("minContains", slices.Max), 1)
	}
	if least > maxSteps {
		return nil, false
	}
	if s.full && least == 0 && depth < fullDepth && !s.within(s.of(p.items(0)...)) {
		if b, ok := s.one(p, depth); ok {
			return b, true
		}
	}
	out := []byte{'['}
	for i := range int(least) {
		v, ok := s.sample(s.of(append(p.items(i), contains...)...), depth+1)
		if !ok || len(out)+len(v) > maxBytes {
			return nil, false
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, v...)
	}
	return append(out, ']'), true
}

// one is a list of one element, for a full instance; a tuple has all of its.
func (s *sampler) one(p parts, depth int) ([]byte, bool) {
	if most := p.numbers("maxItems"); len(most) > 0 && slices.Min(most) < 1 {
		return nil, false
	}
	out := []byte{'['}
	for i := range max(1, min(p.get("prefixItems").Len(), maxParts)) {
		v, ok := s.inner(s.of(p.items(i)...), depth+1)
		if !ok || len(out)+len(v) > maxBytes {
			return nil, false
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, v...)
	}
	return append(out, ']'), true
}

// items are the schemas of an element.
func (p parts) items(i int) []jsonread.Value {
	var list []jsonread.Value
	for _, x := range p.list {
		items := x.Get("items")
		v := x.Get("prefixItems").Index(i)
		switch {
		case !v.IsZero():
		case items.Kind() == jsonread.Array: // before 2020-12
			v = items.Index(i)
		default:
			v = items
		}
		if !v.IsZero() {
			list = append(list, v)
		}
	}
	return list
}

// bound is the strictest of the numbers of a keyword; 0 when there is none.
func (p parts) bound(keyword string, strictest func([]float64) float64) float64 {
	if list := p.numbers(keyword); len(list) > 0 {
		return strictest(list)
	}
	return 0
}

func (p parts) numbers(keyword string) []float64 {
	var list []float64
	for _, v := range p.all(keyword) {
		if f, ok := float(v); ok {
			list = append(list, f)
		}
	}
	return list
}

func float(v jsonread.Value) (float64, bool) {
	if v.Kind() != jsonread.Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(v.Raw()), 64)
	return f, err == nil
}

// limits are the bounds of a number: the smallest and largest that are allowed,
// for whole numbers or with a step that is small beside them.
func (p parts) limits(whole bool) (lo, hi float64) {
	lo, hi = math.Inf(-1), math.Inf(1)
	for _, x := range p.list {
		if f, ok := float(x.Get("minimum")); ok {
			lo = max(lo, inside(f, +1, x.Get("exclusiveMinimum").Kind() == jsonread.True, whole)) // true: draft 4
		}
		if f, ok := float(x.Get("maximum")); ok {
			hi = min(hi, inside(f, -1, x.Get("exclusiveMaximum").Kind() == jsonread.True, whole))
		}
		if f, ok := float(x.Get("exclusiveMinimum")); ok {
			lo = max(lo, inside(f, +1, true, whole))
		}
		if f, ok := float(x.Get("exclusiveMaximum")); ok {
			hi = min(hi, inside(f, -1, true, whole))
		}
	}
	if whole {
		lo, hi = math.Ceil(lo), math.Floor(hi)
	}
	return lo, hi
}

// inside is a bound that is itself allowed: the bound, or a step from it.
func inside(bound, direction float64, open, whole bool) float64 {
	switch {
	case !open:
		return bound
	case whole && direction > 0:
		return math.Floor(bound) + 1
	case whole:
		return math.Ceil(bound) - 1
	}
	return bound + direction*max(math.Abs(bound), 1)/1024
}

// number is a number within the bounds: 1 where it fits, else the one nearest
// to it.
func number(p parts, whole bool) ([]byte, bool) {
	lo, hi := p.limits(whole)
	f := min(max(1, lo), hi)
	if of := p.numbers("multipleOf"); len(of) > 0 && of[0] > 0 {
		switch {
		case !math.IsInf(lo, -1):
			f = math.Ceil(lo/of[0]) * of[0]
		case hi < 0:
			f = math.Floor(hi/of[0]) * of[0]
		default:
			f = 0
		}
	}
	if f < lo || f > hi || math.IsInf(f, 0) || math.IsNaN(f) || whole && f != math.Trunc(f) {
		return nil, false
	}
	return appendNumber(nil, f), true
}

// appendNumber writes a number as people do.
func appendNumber(b []byte, f float64) []byte {
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return strconv.AppendInt(b, int64(f), 10)
	}
	return strconv.AppendFloat(b, f, 'g', -1, 64)
}

// text is a string that fits format, pattern and length.
func text(p parts) ([]byte, bool) {
	if !p.allows("string") {
		return nil, false
	}
	s := "a"
	if known, ok := formats()[p.get("format").String()]; ok {
		s = known
	}
	if pattern := p.get("pattern"); pattern.Kind() == jsonread.String {
		var ok bool
		if s, ok = matching(pattern.String(), s); !ok {
			return nil, false
		}
	}
	least := int(min(p.bound("minLength", slices.Max), maxBytes))
	if n := utf8.RuneCountInString(s); n < least {
		s += strings.Repeat("a", least-n)
	}
	if longest := p.numbers("maxLength"); len(longest) > 0 {
		for float64(utf8.RuneCountInString(s)) > slices.Min(longest) {
			_, n := utf8.DecodeLastRuneInString(s)
			if n == 0 {
				return nil, false
			}
			s = s[:len(s)-n]
		}
	}
	for _, pattern := range p.all("pattern") {
		if re, err := regexp.Compile(pattern.String()); err != nil || !re.MatchString(s) {
			return nil, false
		}
	}
	return jsonread.AppendQuote(nil, s), true
}

// formats are texts of the formats of JSON Schema.
func formats() map[string]string {
	return map[string]string{
		"date-time": "2026-01-01T00:00:00Z", "date": "2026-01-01", "time": "00:00:00Z", "duration": "P1D",
		"email": "a@example.com", "idn-email": "a@example.com", "hostname": "example.com", "idn-hostname": "example.com",
		"ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "uri": "https://example.com/", "iri": "https://example.com/",
		"uri-reference": "/a", "iri-reference": "/a", "uri-template": "/a", "uuid": "00000000-0000-4000-8000-000000000001",
		"json-pointer": "/a", "relative-json-pointer": "0", "regex": "a",
	}
}

// maxPattern is the length of a pattern that a text is made for, in bytes.
const maxPattern = 1 << 10

// matching is a text that a pattern matches: the given one, or one that is made
// for it.
func matching(pattern, given string) (string, bool) {
	if len(pattern) > maxPattern {
		return "", false
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return "", false
	}
	if re.MatchString(given) {
		return given, true
	}
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return "", false
	}
	made := string(match(nil, parsed.Simplify()))
	return made, len(made) <= maxBytes && re.MatchString(made)
}

// match appends the shortest text of a simple pattern; syntax.Parse bounds how
// deep it nests and how often it repeats.
func match(b []byte, re *syntax.Regexp) []byte {
	switch re.Op {
	case syntax.OpLiteral:
		return append(b, string(re.Rune)...)
	case syntax.OpCharClass:
		return append(b, string(fromClass(re.Rune))...)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return append(b, 'a')
	case syntax.OpCapture, syntax.OpPlus:
		return match(b, re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if len(b) > maxBytes {
				break
			}
			b = match(b, sub)
		}
	case syntax.OpAlternate:
		return match(b, re.Sub[0])
	case syntax.OpRepeat:
		for range re.Min {
			b = match(b, re.Sub[0])
		}
	}
	return b // what may be empty is
}

// fromClass is a character of a class: a letter or digit where there is one.
func fromClass(ranges []rune) rune {
	for _, want := range "aA1" {
		for i := 0; i+1 < len(ranges); i += 2 {
			if want >= ranges[i] && want <= ranges[i+1] {
				return want
			}
		}
	}
	if len(ranges) == 0 {
		return 'a'
	}
	return ranges[0]
}
