// Package quote puts what a module wrote, and numbers, into a sentence: short,
// and with everything that could move a cursor, hide or turn text made visible.
// It knows JSON values and nothing of what the sentence is about.
package quote

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"perch/engine/jsonread"
)

// Longest is how much of a module's text a sentence quotes, in characters.
const Longest = 60

// Text quotes a text: its first Longest characters in double quotes.
func Text(s string) string { return TextTo(s, Longest) }

// TextTo quotes a text: its first most characters in double quotes.
func TextTo(s string, most int) string {
	var b strings.Builder
	b.WriteByte('"')
	n := 0
	for _, r := range s {
		if n++; n > most {
			b.WriteString("…")
			break
		}
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		default:
			b.WriteString(Rune(r))
		}
	}
	b.WriteByte('"')
	return b.String()
}

// Rune is a character as it can stand in a sentence.
func Rune(r rune) string {
	if r == ' ' || unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.Is(unicode.Mn, r) && !unicode.Is(unicode.Me, r) {
		return string(r)
	}
	return fmt.Sprintf("⟨U+%04X⟩", r)
}

// Pointer is a JSON pointer in a sentence: names in it are the module's.
func Pointer(pointer string) string {
	var b strings.Builder
	n := 0
	for _, r := range pointer {
		if n++; n > 2*Longest {
			b.WriteString("…")
			break
		}
		b.WriteString(Rune(r))
	}
	return b.String()
}

// Number is a number as it was sent, its first Longest characters.
func Number(v jsonread.Value) string {
	raw := string(v.Raw())
	if len(raw) > Longest {
		raw = raw[:Longest] + "…"
	}
	return raw
}

// Value is a value in a sentence: scalars as they are, containers by kind.
func Value(v jsonread.Value) string {
	switch v.Kind() {
	case jsonread.String:
		return Text(v.String())
	case jsonread.Number:
		return Number(v)
	}
	return v.Kind().String()
}

// Count writes a number with commas: 1,024.
func Count[N int | int64](n N) string {
	s := strconv.FormatInt(int64(n), 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Plural is "1 byte", "48 bytes", "1,024 bytes".
func Plural[N int | int64](n N, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return Count(n) + " " + word + "s"
}
