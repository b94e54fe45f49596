package jsonview

import "strings"

// Tokens splits a line of text into tokens of JSON, whether it is JSON or not:
// joined, they are the line again. A string does not go on over a line break,
// so a line can be looked at alone.
func Tokens(line string) []Token {
	var out []Token
	for i := 0; i < len(line); {
		n, class := token(line[i:])
		out = append(out, Token{line[i : i+n], class})
		i += n
	}
	return out
}

// token is the first token of a text that is not empty.
func token(s string) (n int, class Class) {
	switch c := s[0]; {
	case c == '"':
		return quoted(s)
	case strings.IndexByte("{}[]:,", c) >= 0:
		return 1, Punct
	case c == ' ' || c == '\t' || c == '\r' || c == '\n':
		for n = 1; n < len(s) && (s[n] == ' ' || s[n] == '\t' || s[n] == '\r' || s[n] == '\n'); n++ {
		}
		return n, Plain
	case c == '-' || c >= '0' && c <= '9':
		for n = 1; n < len(s) && strings.IndexByte("0123456789+-.eE", s[n]) >= 0; n++ {
		}
		return n, Number
	}
	for n = 1; n < len(s) && strings.IndexByte("{}[]:, \t\r\n\"", s[n]) < 0; n++ {
	}
	switch s[:n] {
	case "true", "false", "null":
		return n, Keyword
	}
	return n, Wrong
}

// quoted is a string, a name when a colon follows, or wrong when it does not
// end.
func quoted(s string) (n int, class Class) {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			rest := strings.TrimLeft(s[i+1:], " \t")
			if strings.HasPrefix(rest, ":") {
				return i + 1, Key
			}
			return i + 1, String
		}
	}
	return len(s), Wrong
}
