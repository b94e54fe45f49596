package wire

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"perch/engine/jsonread"
)

// longest is how much of a guest's text a sentence quotes, in characters.
const longest = 60

// show quotes a guest's text for a sentence: short, and with everything that
// could move a cursor, hide or turn text made visible.
func show(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	n := 0
	for _, r := range s {
		if n++; n > longest {
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
			b.WriteString(visible(r))
		}
	}
	b.WriteByte('"')
	return b.String()
}

// visible is a character as it can stand in a sentence.
func visible(r rune) string {
	if r == ' ' || unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.Is(unicode.Mn, r) && !unicode.Is(unicode.Me, r) {
		return string(r)
	}
	return fmt.Sprintf("⟨U+%04X⟩", r)
}

// showPointer is a JSON pointer in a sentence: names in it are the guest's.
func showPointer(pointer string) string {
	var b strings.Builder
	n := 0
	for _, r := range pointer {
		if n++; n > 2*longest {
			b.WriteString("…")
			break
		}
		b.WriteString(visible(r))
	}
	return b.String()
}

// showID is an id as it came: JSON text, and its type, which may be what is
// wrong with it.
func showID(v jsonread.Value) string {
	switch v.Kind() {
	case jsonread.String:
		return show(v.String()) + ", a string"
	case jsonread.Number:
		return showNumber(v) + ", a number"
	}
	return v.Kind().String()
}

func showNumber(v jsonread.Value) string {
	raw := string(v.Raw())
	if len(raw) > longest {
		raw = raw[:longest] + "…"
	}
	return raw
}

// brief is a value in a sentence: scalars as they are, containers by kind.
func brief(v jsonread.Value) string {
	switch v.Kind() {
	case jsonread.String:
		return show(v.String())
	case jsonread.Number:
		return showNumber(v)
	}
	return v.Kind().String()
}

// thousands writes a number with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func mib(n int) string { return fmt.Sprintf("%d MiB", n>>20) }

func kib(n int) string { return fmt.Sprintf("%d KiB", n>>10) }

// plural is "1 byte", "48 bytes".
func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return thousands(n) + " " + word + "s"
}
