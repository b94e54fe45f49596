// Package schema reads JSON Schemas that a module wrote: it judges them, holds
// values against them, and says in plain words what does not fit and where.
// Drafts 4, 6, 7, 2019-09 and 2020-12 are known (MCP 2026-07-28: 2020-12 where
// $schema is absent).
//
// A schema is hostile. Nothing is ever fetched; a fault of one field hides no
// other; nothing recurses as deep as the schema or the value does without a
// limit, and every judgement ends after a bounded number of steps. What could
// not be checked is neither right nor wrong: no fault is made of it.
//
// Numbers are compared by their exact values. Formats are annotations, as the
// drafts have it, and are not checked. The package knows nothing of tools, of
// messages or of terminals.
package schema

import (
	"perch/engine/abi"
	"perch/engine/jsonread"
)

// Limits of this package, all ours.
const (
	maxText     = abi.MaxAllTools // bytes of a schema that is looked at
	maxIssues   = 32              // of one rule that are listed for a schema
	maxFaults   = 64              // that are listed for a value
	maxNesting  = 3_000           // schemas within schemas at work on a value
	maxSteps    = 2_000_000       // of holding a value against a schema
	maxOwnSteps = 200_000         // of holding a schema's own values against it
	maxProgram  = 20_000          // size of a compiled pattern, in instructions
	maxMatch    = 64              // instructions times bytes of a match that make one step
	maxLike     = 200             // names that are searched for the one that was meant
)

// Issue is something about a schema that is worth telling.
type Issue struct {
	Rule       abi.RuleID
	Start, End int    // bytes in the schema's text, End exclusive
	Pointer    string // JSON pointer in the schema
	// Text says what is there. It is the predicate of a sentence whose subject
	// is the place: `is "strng", which is no type`.
	Text string
	Fix  string
}

// Fault is a place where a value does not fit its schema.
type Fault struct {
	Value   jsonread.Value // the value, or the object that lacks a member
	Pointer string         // of the value, from the one that was validated
	Keyword string         // of the schema that it breaks; "" for the schema false
	Schema  string         // JSON pointer of that keyword in the schema
	Text    string         // a sentence without its place: "-1 is below the minimum, 1"
	Missing bool           // Value lacks a member
	Member  string         // its name, where Missing
}

// Result is what came of holding a value against a schema.
type Result struct {
	Faults []Fault // in the order of the schema; none: it fits as far as it was checked
	More   int     // faults that are not listed
	// Unchecked says why something could not be checked, and is empty when
	// everything was.
	Unchecked string
}

// Schema is a schema that was read. It is never changed and may be used by
// several goroutines.
type Schema struct {
	doc       *jsonread.Doc
	root      *node
	nodes     []*node
	resources map[string]*resource
	unjudged  string // why nothing of it was read
	dynamic   bool   // what a reference leads to depends on the way to it
	evaluates bool   // has unevaluatedItems or unevaluatedProperties
	forks     bool   // one schema may be held against one value by several ways

	issues []Issue
	more   map[abi.RuleID]int
}

// Issues are what is worth telling about the schema, in the order of its text.
func (s *Schema) Issues() []Issue { return s.issues }

// More is how many issues of a rule are not listed.
func (s *Schema) More(rule abi.RuleID) int { return s.more[rule] }

// Unjudged says why the schema was not read at all: too large, or an unknown
// dialect. Empty when it was.
func (s *Schema) Unjudged() string { return s.unjudged }

// Dialect is the dialect that the schema is read in; 0 when it is unknown.
func (s *Schema) Dialect() Dialect {
	if s.root == nil {
		return 0
	}
	return s.root.res.dialect
}
