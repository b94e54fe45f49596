package safe

// Long are the units of a text, none of them looked up.
func (m Mode) Long(s string) (out []Unit) {
	add := func(u Unit) bool {
		out = append(out, u)
		return true
	}
	for pos := 0; pos < len(s); {
		n, _ := m.long(s, pos, add)
		pos += n
	}
	return out
}
