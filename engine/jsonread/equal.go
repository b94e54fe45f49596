package jsonread

// Equal compares two values by what they say: strings decoded, numbers by
// their exact value, objects without regard to the order of their members (of
// doubled names the last counts). Absent equals only absent.
func (v Value) Equal(w Value) bool {
	type pair struct{ a, b Value }
	todo := []pair{{v, w}} // instead of recursion: a text may nest deeply
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if p.a.Kind() != p.b.Kind() {
			return false
		}
		switch p.a.Kind() {
		case Number:
			if string(p.a.Raw()) != string(p.b.Raw()) && !parseDecimal(p.a.Raw()).equal(parseDecimal(p.b.Raw())) {
				return false
			}
		case String:
			if !equalStrings(p.a, p.b) {
				return false
			}
		case Array:
			if p.a.Len() != p.b.Len() {
				return false
			}
			j := p.b.i + containerWidth
			for _, e := range p.a.Elements() {
				todo = append(todo, pair{e, Value{p.b.doc, j}})
				j = p.b.doc.next(j)
			}
		case Object:
			a, b := byName(p.a), byName(p.b)
			if len(a) != len(b) {
				return false
			}
			for name, value := range a {
				other, ok := b[name]
				if !ok {
					return false
				}
				todo = append(todo, pair{value, other})
			}
		}
	}
	return true
}

// equalStrings compares decoded texts; with lone surrogates, which all decode
// alike, the escapes count.
func equalStrings(a, b Value) bool {
	if a.LoneSurrogate() || b.LoneSurrogate() {
		return string(a.Raw()) == string(b.Raw())
	}
	return sameText(a, b)
}

func byName(v Value) map[string]Value {
	m := make(map[string]Value, v.Len())
	for name, value := range v.Members() {
		m[name.String()] = value
	}
	return m
}
