package jsonread

import "unicode/utf8"

// Compact appends src to dst without the white space between its tokens and
// changes nothing else. src must be JSON.
func Compact(dst, src []byte) []byte {
	for i := 0; i < len(src); {
		switch c := src[i]; c {
		case ' ', '\t', '\n', '\r':
			i++
		case '"':
			end := stringEnd(src, i)
			dst = append(dst, src[i:end]...)
			i = end
		default:
			dst = append(dst, c)
			i++
		}
	}
	return dst
}

// maxIndent is how deep lines are indented: a text of brackets alone would grow
// by the square of its length.
const maxIndent = 32

// Indent appends src to dst with each element and member on a line of its own,
// two blanks in for each level down to 32, and changes nothing else: strings and
// numbers stay as they are written. src must be JSON.
func Indent(dst, src []byte) []byte {
	depth := 0
	line := func() {
		dst = append(dst, '\n')
		for range min(depth, maxIndent) {
			dst = append(dst, ' ', ' ')
		}
	}
	for i := 0; i < len(src); i++ {
		switch c := src[i]; c {
		case ' ', '\t', '\n', '\r':
		case '"':
			end := stringEnd(src, i)
			dst = append(dst, src[i:end]...)
			i = end - 1
		case '{', '[':
			dst = append(dst, c)
			if next := afterSpace(src, i+1); next < len(src) && (src[next] == '}' || src[next] == ']') {
				dst = append(dst, src[next])
				i = next
				continue
			}
			depth++
			line()
		case '}', ']':
			depth--
			line()
			dst = append(dst, c)
		case ',':
			dst = append(dst, c)
			line()
		case ':':
			dst = append(dst, c, ' ')
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

func afterSpace(src []byte, i int) int {
	for i < len(src) && (src[i] == ' ' || src[i] == '\t' || src[i] == '\n' || src[i] == '\r') {
		i++
	}
	return i
}

// stringEnd is the offset behind the string that begins at i.
func stringEnd(src []byte, i int) int {
	for i++; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(src)
}

// AppendQuote appends s as a JSON string. Only what JSON demands is escaped,
// so valid UTF-8 comes back as it was; a byte that is not UTF-8 becomes U+FFFD.
func AppendQuote(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c == '\r':
			dst = append(dst, '\\', 'r')
		case c == '\t':
			dst = append(dst, '\\', 't')
		case c < 0x20:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		case c < utf8.RuneSelf:
			dst = append(dst, c)
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			dst = utf8.AppendRune(dst, r)
			i += n
			continue
		}
		i++
	}
	return append(dst, '"')
}

// unescape appends the text of a string's body, which was checked before.
func unescape(dst, body []byte) []byte {
	for i := 0; i < len(body); {
		c := body[i]
		if c != '\\' {
			dst = append(dst, c)
			i++
			continue
		}
		switch c = body[i+1]; c {
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			r, _ := hex4(body[i+2:])
			i += 4
			if whole, ok := pair(r, body[i+2:]); ok {
				r = whole
				i += 6
			}
			dst = utf8.AppendRune(dst, r) // a lone surrogate becomes U+FFFD
		default:
			dst = append(dst, c)
		}
		i += 2
	}
	return dst
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 4 || !hexOnly(b[:4]) {
		return 0, false
	}
	var r rune
	for _, c := range b[:4] {
		switch {
		case c <= '9':
			r = r<<4 | rune(c-'0')
		default:
			r = r<<4 | rune(c|0x20-'a'+10)
		}
	}
	return r, true
}

func hexOnly(b []byte) bool {
	for _, c := range b {
		if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
	}
	return true
}
