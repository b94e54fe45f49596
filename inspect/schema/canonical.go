package schema

import (
	"slices"
	"strings"

	"perch/engine/jsonread"
)

// Canonical writes a value so that equal values are written alike: numbers by
// their exact value, members by name, of doubled names the last, strings
// decoded. False when the value nests deeper than 3,000.
func Canonical(v jsonread.Value) (string, bool) { return canonical(v) }

func canonical(v jsonread.Value) (string, bool) {
	dst, ok := appendCanonical(nil, v, maxNesting)
	return string(dst), ok
}

func appendCanonical(dst []byte, v jsonread.Value, depth int) ([]byte, bool) {
	if depth == 0 {
		return dst, false
	}
	ok := true
	switch v.Kind() {
	case jsonread.Number:
		return v.AppendNumber(dst), true
	case jsonread.String:
		if v.LoneSurrogate() { // decoded, all lone surrogates are the same
			return append(append(dst, '\''), v.Raw()...), true
		}
		return jsonread.AppendQuote(dst, v.String()), true
	case jsonread.Array:
		dst = append(dst, '[')
		for _, e := range v.Elements() {
			if dst, ok = appendCanonical(dst, e, depth-1); !ok {
				return dst, false
			}
			dst = append(dst, ',')
		}
		return append(dst, ']'), true
	case jsonread.Object:
		dst = append(dst, '{')
		for _, m := range sorted(v) {
			dst = append(jsonread.AppendQuote(dst, m.name), ':')
			if dst, ok = appendCanonical(dst, m.value, depth-1); !ok {
				return dst, false
			}
			dst = append(dst, ',')
		}
		return append(dst, '}'), true
	}
	return append(dst, v.Raw()...), true
}

type member struct {
	name  string
	value jsonread.Value
}

// sorted are the members of an object by name, of doubled names the last.
func sorted(v jsonread.Value) []member {
	list := make([]member, 0, v.Len())
	for name, value := range v.Members() {
		list = append(list, member{name.String(), value})
	}
	slices.SortStableFunc(list, func(a, b member) int { return strings.Compare(a.name, b.name) })
	kept := list[:0]
	for i, m := range list {
		if i+1 == len(list) || list[i+1].name != m.name {
			kept = append(kept, m)
		}
	}
	return kept
}
