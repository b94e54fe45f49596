package egress

import "strings"

// list joins names for a sentence.
func list(names []string) string { return strings.Join(names, ", ") }
