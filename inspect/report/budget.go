package report

import (
	"fmt"
	"strconv"
	"strings"

	"perch/inspect/rules"
)

// barWidth is how many cells the bar of a budget has.
const barWidth = 20

// Budget is a budget in a line of text: its name, what is used of the limit, a
// bar and the share. A limit that is passed has a full bar.
func (s Style) Budget(b rules.Budget) string {
	full := int(min(b.Share(), 1) * barWidth)
	bar := strings.Repeat(s.sign("█", "#"), full) + strings.Repeat(s.sign("░", "-"), barWidth-full)
	// Rounded down: a limit that is kept is never said to be all used.
	line := fmt.Sprintf("%-12s  %-17s  %s  %d %%", b.Name, b.Text(), bar, b.Used*100/b.Limit)
	if b.Over() {
		line += ", past the limit"
	}
	return line
}

// WithBudgets adds the member budgets to a report that is one JSON object: what
// each tool, and all together, use of the page's limits.
func WithBudgets(report []byte, all []rules.Budget) []byte {
	var l list
	for _, b := range all {
		var o object
		o.open()
		if b.Tool != "" {
			o.bytes("tool", []byte(b.Tool))
		}
		o.text("name", b.Name)
		o.number("used", int64(b.Used))
		o.number("limit", int64(b.Limit))
		if unit := b.Unit.String(); unit != "" {
			o.text("unit", unit)
		}
		o.raw("share", strconv.AppendFloat(nil, b.Share(), 'f', 4, 64))
		l.add(o.close())
	}
	members := strings.TrimSuffix(string(report), "}")
	if members != "{" {
		members += ","
	}
	return []byte(members + `"budgets":` + string(l.close()) + "}")
}
