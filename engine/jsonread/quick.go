package jsonread

// quick reads what most of a text is, from where a value belongs: plain strings,
// short whole numbers and words in the open container, with a comma, and in an
// object a plain name, behind each. It stops at the first thing that is anything
// else, which the other functions read or say what is wrong with: before a value,
// or, if whole is true, behind one. It keeps to local variables, which is what
// makes it quick.
func (p *parser) quick() (whole bool) {
	if p.open == none {
		return false
	}
	src, nodes, i, n := p.src, p.nodes, p.pos, p.n
	object := src[nodes[p.open].start] == '{'
	up := p.open << flagBits
	commas := uint32(0)
	for i < len(src) {
		end := scalar(src, i)
		if end == 0 {
			break
		}
		if n+2 > len(nodes) {
			p.pos, p.n = i, n
			p.grow()
			nodes = p.nodes
		}
		nodes[n] = node{uint32(i), uint32(end), up}
		n++
		i, whole = end, true
		if i+1 >= len(src) || src[i] != ',' {
			break
		}
		if next := src[i+1]; !object {
			if next <= ' ' || next == ']' {
				break
			}
			i++
		} else {
			if next != '"' {
				break
			}
			end = plainString(src, i+1)
			if end == 0 || end == len(src) || src[end] != ':' {
				break
			}
			nodes[n] = node{uint32(i + 1), uint32(end), up}
			n++
			i = end + 1
		}
		commas++
		whole = false
	}
	nodes[p.open+1].end += commas
	p.pos, p.n = i, n
	return whole
}

// scalar is the end of the plain string, short whole number or word at i, 0 if
// none of them is there.
func scalar(src []byte, i int) int {
	switch c := src[i]; {
	case c == '"':
		return plainString(src, i)
	case c >= '0' && c <= '9':
		return shortNumber(src, i)
	case c == 't' || c == 'f' || c == 'n':
		return keyword(src, i)
	}
	return 0
}

// plainString is the end of the string at i, 0 if it has something else in it
// than ASCII that means itself.
func plainString(src []byte, i int) int {
	for i++; i < len(src) && plain(src[i]); i++ {
	}
	if i == len(src) || src[i] != '"' {
		return 0
	}
	return i + 1
}

// shortNumber is the end of the digits at i, 0 if they are not a number that any
// double holds, or not all of one.
func shortNumber(src []byte, i int) int {
	start := i
	for i < len(src) && src[i] >= '0' && src[i] <= '9' {
		i++
	}
	n := i - start
	if n > sureDigits || n > 1 && src[start] == '0' || i == len(src) || !ends(src[i]) {
		return 0
	}
	return i
}

// keyword is the end of the true, false or null at i, else 0.
func keyword(src []byte, i int) int {
	rest := src[i:]
	for _, w := range [...]string{"true", "null", "false"} {
		if len(rest) > len(w) && string(rest[:len(w)]) == w && ends(rest[len(w)]) {
			return i + len(w)
		}
	}
	return 0
}

// ends reports whether a character stands behind values.
func ends(c byte) bool { return c == ',' || c == ']' || c == '}' }
