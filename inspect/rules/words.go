package rules

import "perch/engine/abi"

// Words are what is said of a rule to people: why it matters, how to keep it,
// where it comes from, and an example of either kind.
type Words struct {
	ID     abi.RuleID
	Why    string
	Fix    string   // for every language
	Fixes  []Advice // by language, where that helps
	Source string   // "ABI page, The protocol"; "MCP 2026-07-28, tools/list"; "our reading: …"
	Side   Side     // whose word it is
	Bad    string   // a small example that breaks it
	Good   string   // the same, right
}

// Advice is how to keep a rule in one language.
type Advice struct{ Language, Text string }
