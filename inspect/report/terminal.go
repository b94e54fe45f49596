package report

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"perch/inspect/safe"
)

// Terminal returns a report in JSON with every character that a terminal would
// act on, or that would not show, as an escape of JSON. It says the same: such
// characters stand in strings alone. A report that goes to a file or another
// program needs none of this and keeps the module's text byte for byte.
func Terminal(json []byte) []byte {
	if safe.IsPlain(string(json)) {
		return json
	}
	out := make([]byte, 0, len(json)+64)
	for len(json) > 0 {
		r, n := utf8.DecodeRune(json)
		text := string(json[:n])
		if r == '\n' || safe.Line(text) == text {
			out = append(out, text...)
		} else {
			out = escape(out, r)
		}
		json = json[n:]
	}
	return out
}

func escape(dst []byte, r rune) []byte {
	units := []uint16{uint16(r)}
	if r > 0xffff {
		hi, lo := utf16.EncodeRune(r)
		units = []uint16{uint16(hi), uint16(lo)}
	}
	for _, u := range units {
		dst = append(dst, `\u`...)
		hex := strconv.FormatUint(uint64(u)|1<<16, 16) // a digit too many, so that zeros stay
		dst = append(dst, hex[1:]...)
	}
	return dst
}
