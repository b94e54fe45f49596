package rules

import (
	"unicode/utf8"

	"perch/engine/abi"
	"perch/engine/jsonread"
	"perch/engine/quote"
	"perch/engine/units"
	"perch/engine/wire"
)

// Unit is what a budget counts.
type Unit byte

// The units.
const (
	Characters Unit = iota // Unicode code points
	Bytes                  // as sent
	Things                 // tools, pages
)

// Budget is how much of one of the ABI page's limits is used.
type Budget struct {
	Name  string // name, description, inputSchema, outputSchema; all tools, tools, pages
	Used  int
	Limit int
	Unit  Unit
	Tool  string // whose it is; empty: of all tools together
}

// String names what is counted: "characters", "bytes"; empty for things, which
// the budget's name says.
func (u Unit) String() string {
	switch u {
	case Characters:
		return "characters"
	case Bytes:
		return "bytes"
	}
	return ""
}

// Tight is the share from which a budget is worth a look.
const Tight = 0.8

// Share is the part that is used: 1 is all of it, more is past the limit.
func (b Budget) Share() float64 { return float64(b.Used) / float64(b.Limit) }

// Over reports whether the limit is passed.
func (b Budget) Over() bool { return b.Used > b.Limit }

// Text is the budget in a few characters: "5/64", "22/1,024", "168 B/64 KiB".
func (b Budget) Text() string {
	if b.Unit == Bytes {
		return units.Size(b.Used) + "/" + units.Limit(b.Limit)
	}
	return quote.Count(b.Used) + "/" + quote.Count(b.Limit)
}

// ToolBudgets are what one tool uses (ABI page, When a package is uploaded):
// name, description, inputSchema and, if it has one, outputSchema. Characters
// are Unicode code points and bytes are counted as sent (our reading).
func ToolBudgets(t wire.Tool) []Budget {
	list := []Budget{
		{"name", utf8.RuneCountInString(t.Name), abi.MaxToolName, Characters, t.Name},
		{"description", utf8.RuneCountInString(t.Description), abi.MaxDescription, Characters, t.Name},
		{"inputSchema", len(t.InputSchema.Raw()), abi.MaxSchema, Bytes, t.Name},
	}
	if t.OutputSchema.Kind() != jsonread.Absent {
		list = append(list, Budget{"outputSchema", len(t.OutputSchema.Raw()), abi.MaxSchema, Bytes, t.Name})
	}
	return list
}

// PackageBudgets are what the tools of an upload run use together: the number
// of tools, their bytes as sent, and the pages that they came on. Pages without
// a tool behind the last tool are not counted.
func PackageBudgets(tools []wire.Tool) []Budget {
	bytes, pages := 0, 0
	for _, t := range tools {
		bytes += len(t.Raw)
		pages = max(pages, t.Page)
	}
	return []Budget{
		{"tools", len(tools), abi.MaxTools, Things, ""},
		{"all tools", bytes, abi.MaxAllTools, Bytes, ""},
		{"pages", pages, abi.MaxPages, Things, ""},
	}
}

// Budgets are those of the package and then those of each tool.
func Budgets(tools []wire.Tool) []Budget {
	list := PackageBudgets(tools)
	for _, t := range tools {
		list = append(list, ToolBudgets(t)...)
	}
	return list
}
