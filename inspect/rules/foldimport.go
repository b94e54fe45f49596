package rules

import (
	"fmt"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/quote"
)

// maxImports is how many further imports of one fault are named; the others are
// counted.
const maxImports = 4

// foldImports makes findings of breaches. Imports that are refused for one
// reason, with one cause and one fix, are one finding: a module that was built
// for another host has dozens of them.
func foldImports(breaches []event.Breach) []Finding {
	type key struct {
		rule       abi.RuleID
		cause, fix string
	}
	type further struct {
		at    int // in all
		n     int
		names []string
	}
	var all []Finding
	folds := make(map[key]*further)
	for _, b := range breaches {
		k := key{b.Rule, b.Cause, b.Fix}
		f := folds[k]
		if f == nil || b.Cause == "" || !importRule(b.Rule) {
			folds[k] = &further{at: len(all)}
			all = append(all, Of(b))
			continue
		}
		f.n++
		if first := &all[f.at]; len(first.Also) < maxAlso {
			first.Also = append(first.Also, b.Where)
		}
		if len(f.names) < maxImports {
			f.names = append(f.names, plainName(b.Where.Name))
		}
	}
	for _, f := range folds {
		if f.n == 0 {
			continue
		}
		if more := f.n - len(f.names); more > 0 {
			f.names = append(f.names, fmt.Sprintf("%d more", more))
		}
		first := &all[f.at]
		rest := strings.TrimPrefix(withoutStop(first.Detail), first.Title)
		first.Title += fmt.Sprintf(" (and %s)", quote.Plural(f.n, "more import"))
		first.Detail = first.Title + rest + ". The same with " + enumerate(f.names)
	}
	return all
}

func importRule(r abi.RuleID) bool {
	switch r {
	case abi.ModuleImportModule, abi.ModuleImportFunction, abi.ModuleImportKind:
		return true
	}
	return false
}

// plainName is a name as it is when it is of letters, digits and signs that
// names have, else quoted.
func plainName(s string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:/@$"
	if s == "" || len(s) > quote.Longest || strings.Trim(s, plain) != "" {
		return quote.Text(s)
	}
	return s
}
