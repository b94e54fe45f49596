package wire

import (
	"fmt"

	"perch/engine/jsonread"
	"perch/engine/quote"
)

// longest is how much of a module's text a sentence quotes, in characters.
const longest = quote.Longest

// Short names for what nearly every sentence needs; see package quote.

func show(s string) string { return quote.Text(s) }

func visible(r rune) string { return quote.Rune(r) }

func showPointer(pointer string) string { return quote.Pointer(pointer) }

func showNumber(v jsonread.Value) string { return quote.Number(v) }

func brief(v jsonread.Value) string { return quote.Value(v) }

func thousands(n int) string { return quote.Count(n) }

func plural(n int, word string) string { return quote.Plural(n, word) }

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

func mib(n int) string { return fmt.Sprintf("%d MiB", n>>20) }

func kib(n int) string { return fmt.Sprintf("%d KiB", n>>10) }
