package abi

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

// RuleID names a rule of the ledger: group/name. Ids are fixed.
type RuleID string

// Group is what stands before the slash.
func (id RuleID) Group() string {
	group, _, _ := strings.Cut(string(id), "/")
	return group
}

// Class says what a rule stands on.
type Class byte

// The classes of the ledger.
const (
	ClassH Class = 'H' // a sentence of the ABI page, or our strict reading of one
	ClassM Class = 'M' // MCP 2026-07-28
	ClassS Class = 'S' // a should, or what clients in the field refuse
	ClassI Class = 'I' // shown only
)

// Severity is what a finding of a rule counts as.
type Severity string

// The severities, worst first.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Notice  Severity = "notice"
	Info    Severity = "info"
)

// Effect is what a finding of a rule does to a package or a run.
type Effect byte

// The effects. What is not listed has none.
const (
	NoEffect Effect = iota
	Refuses         // the package is refused at upload
	Breaks          // the run is broken; the upload run's break refuses
)

// Rule is one line of the ledger.
type Rule struct {
	ID        RuleID
	Class     Class
	Phase     string
	Statement string
	Example   string // a small way to break it
}

// Severity of a finding of this rule: H is an error, but a warning in files,
// http and block; M a warning; S a notice; I info. module/memory-limit and
// module/table-limit are errors by our limit.
func (r Rule) Severity() Severity {
	if r.ID == ModuleMemoryLimit || r.ID == ModuleTableLimit {
		return Error
	}
	switch r.Class {
	case ClassH:
		switch r.ID.Group() {
		case "files", "http", "block":
			return Warning
		}
		return Error
	case ClassM:
		return Warning
	case ClassS:
		return Notice
	}
	return Info
}

// Effect of a finding of this rule.
func (r Rule) Effect() Effect {
	if r.ID == ModuleMemoryLimit || r.ID == ModuleTableLimit {
		return Refuses
	}
	if r.Class != ClassH {
		return NoEffect
	}
	switch r.ID.Group() {
	case "package", "module", "discover", "list", "tool":
		return Refuses
	case "frame", "rpc", "error", "result", "life":
		return Breaks
	}
	return NoEffect
}

//go:embed rules.tsv
var ledger string

var readLedger = sync.OnceValue(func() map[RuleID]Rule {
	rules := make(map[RuleID]Rule)
	for _, r := range parseLedger(ledger) {
		rules[r.ID] = r
	}
	return rules
})

// Rules returns the ledger in its order.
func Rules() []Rule { return parseLedger(ledger) }

// RuleOf returns the rule with this id; an id outside the ledger is a mistake
// in our code and panics.
func RuleOf(id RuleID) Rule {
	r, ok := readLedger()[id]
	if !ok {
		panic(fmt.Sprintf("abi: no rule %q", id))
	}
	return r
}

func parseLedger(tsv string) []Rule {
	var rules []Rule
	lines := strings.Split(strings.TrimSuffix(tsv, "\n"), "\n")
	for _, line := range lines[1:] { // the first line names the columns
		f := strings.Split(line, "\t")
		if len(f) != 5 || len(f[1]) != 1 {
			panic(fmt.Sprintf("abi: ledger line %q", line))
		}
		rules = append(rules, Rule{ID: RuleID(f[0]), Class: Class(f[1][0]), Phase: f[2], Statement: f[3], Example: f[4]})
	}
	return rules
}
