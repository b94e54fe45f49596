package toolsdiff

import (
	"slices"

	"perch/engine/jsonread"
)

// Bounds of Lost.
const (
	maxLost  = 32
	maxDepth = 32
	maxItems = 64 // elements of a list that are looked at
)

// Lost are the fields of some arguments that the schema of before named and the
// one of now does not, by their names joined by dots: they fit no longer. At most
// 32 are listed.
func Lost(before, now, arguments jsonread.Value) []string {
	l := loser{}
	l.walk(before, now, arguments, "", 0)
	return l.lost
}

type loser struct{ lost []string }

func (l *loser) walk(before, now, v jsonread.Value, at string, depth int) {
	if depth > maxDepth || len(l.lost) >= maxLost {
		return
	}
	switch v.Kind() {
	case jsonread.Object:
		was, is := before.Get("properties"), now.Get("properties")
		for name, x := range v.Members() {
			text := name.String()
			old := was.Get(text)
			if old.IsZero() {
				continue // nobody promised it
			}
			path := text
			if at != "" {
				path = at + "." + text
			}
			here := is.Get(text)
			if here.IsZero() && !open(now) {
				if len(l.lost) < maxLost && !slices.Contains(l.lost, path) {
					l.lost = append(l.lost, path)
				}
				continue
			}
			l.walk(old, here, x, path, depth+1)
		}
	case jsonread.Array:
		for i, x := range v.Elements() {
			if i == maxItems {
				return
			}
			l.walk(before.Get("items"), now.Get("items"), x, at, depth+1)
		}
	}
}

// open reports whether a schema is put together of others, which may name the
// field.
func open(schema jsonread.Value) bool {
	for _, word := range []string{"$ref", "allOf", "anyOf", "oneOf", "patternProperties"} {
		if !schema.Get(word).IsZero() {
			return true
		}
	}
	return false
}
