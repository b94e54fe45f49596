package build

import (
	"strings"
)

// Place is a place in a source that the output of a build names.
type Place struct {
	File   string
	Line   int
	Column int    // 0: none
	Text   string // what is said of it, on its line or the one before; may be empty
	Row    int    // line of the output, from 0
	fault  bool   // the text says that it is an error
}

// String is the place as it is written: file:line:column.
func (p Place) String() string {
	s := p.File + ":" + number(p.Line)
	if p.Column > 0 {
		s += ":" + number(p.Column)
	}
	return s
}

func number(n int) string {
	var b [20]byte
	i := len(b)
	for {
		i--
		b[i] = byte('0' + n%10)
		if n /= 10; n == 0 {
			return string(b[i:])
		}
	}
}

// mostPlaces and longestLine bound what is looked at of an output.
const (
	mostPlaces  = 200
	longestLine = 2048
)

// Places are the places that an output names, as compilers write them:
// file:line:column: text, file(line,column): text, and --> file:line:column
// below a text. At most 200 are found.
func Places(text string) []Place {
	var out []Place
	before := ""
	for row, line := range strings.Split(text, "\n") {
		if len(line) > longestLine {
			line = line[:longestLine]
		}
		line = strings.TrimSpace(line)
		p, ok := placeIn(line)
		if ok {
			p.Row = row
			if p.Text == "" {
				p.Text = before
			}
			p.fault = strings.Contains(strings.ToLower(p.Text), "error")
			if out = append(out, p); len(out) == mostPlaces {
				return out
			}
		}
		before = line
	}
	return out
}

// First is the place to go to: the first that is called an error, else the
// first.
func First(all []Place) (Place, bool) {
	for _, p := range all {
		if p.fault {
			return p, true
		}
	}
	if len(all) == 0 {
		return Place{}, false
	}
	return all[0], true
}

func placeIn(line string) (Place, bool) {
	rest, arrow := strings.CutPrefix(line, "--> ")
	if file, after, ok := strings.Cut(rest, "("); ok && !arrow {
		if inner, text, ok := strings.Cut(after, ")"); ok {
			if n, col, ok := twoNumbers(inner, ","); ok && isFile(file) {
				return Place{File: file, Line: n, Column: col, Text: strings.TrimLeft(text, ": ")}, true
			}
		}
	}
	from := 0
	if len(rest) > 2 && rest[1] == ':' && (rest[2] == '\\' || rest[2] == '/') {
		from = 2 // a drive
	}
	i := strings.IndexByte(rest[from:], ':')
	if i <= 0 {
		return Place{}, false
	}
	file, after := rest[:from+i], rest[from+i+1:]
	n, after, ok := leading(after)
	if !ok || !isFile(file) {
		return Place{}, false
	}
	p := Place{File: file, Line: n}
	if tail, has := strings.CutPrefix(after, ":"); has {
		if col, more, ok := leading(tail); ok {
			p.Column, after = col, more
		}
	}
	if after != "" && after[0] != ':' && after[0] != ' ' {
		return Place{}, false
	}
	p.Text = strings.TrimLeft(after, ": ")
	return p, true
}

// isFile reports whether a text looks like the name of a source: with a suffix,
// and without what stands in prose.
func isFile(s string) bool {
	dot := strings.LastIndexByte(s, '.')
	return dot >= 0 && dot < len(s)-1 && len(s) <= 300 && !strings.ContainsAny(s, " \t\"'`<>|*?") && !strings.Contains(s, "://") || s == "Makefile" || s == "makefile"
}

// leading reads the whole number that a text begins with.
func leading(s string) (n int, rest string, ok bool) {
	i := 0
	for ; i < len(s) && i < 9 && s[i] >= '0' && s[i] <= '9'; i++ {
		n = n*10 + int(s[i]-'0')
	}
	return n, s[i:], i > 0 && n > 0
}

func twoNumbers(s, sep string) (a, b int, ok bool) {
	first, second, two := strings.Cut(s, sep)
	a, rest, ok := leading(first)
	if !ok || rest != "" {
		return 0, 0, false
	}
	if two {
		b, rest, ok = leading(strings.TrimSpace(second))
		ok = ok && rest == ""
	}
	return a, b, ok
}
