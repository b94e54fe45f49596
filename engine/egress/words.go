package egress

import "strings"

// list joins names for a sentence.
func list(names []string) string { return strings.Join(names, ", ") }

// sentence ends a text of people's with a full stop.
func sentence(s string) string {
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".?!}") {
		return s
	}
	return s + "."
}
