package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"perch/engine/wire"
	"perch/inspect/rules"
)

func TestBudgets(t *testing.T) {
	description := strings.Repeat("é", 820)
	one := wire.Tool{Name: "läs", Description: description, InputSchema: parsed(`{"type":"object"}`), Raw: make([]byte, 70_000), Page: 1}
	two := wire.Tool{Name: "b", InputSchema: parsed(`{"a": 1}`), OutputSchema: parsed(`{"x":"` + strings.Repeat("x", 66_000) + `"}`), Raw: make([]byte, 250_000), Page: 3}
	var got []string
	for _, b := range rules.Budgets([]wire.Tool{one, two}) {
		got = append(got, fmt.Sprintf("%s|%s %s %.2f %v", b.Tool, b.Name, b.Text(), b.Share(), b.Over()))
	}
	want := []string{
		"|tools 2/64 0.03 false", "|all tools 312.5 KiB/256 KiB 1.22 true", "|pages 3/16 0.19 false",
		"läs|name 3/64 0.05 false", "läs|description 820/1,024 0.80 false", "läs|inputSchema 17 B/64 KiB 0.00 false",
		"b|name 1/64 0.02 false", "b|description 0/1,024 0.00 false", "b|inputSchema 8 B/64 KiB 0.00 false", "b|outputSchema 64.5 KiB/64 KiB 1.01 true",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if b := rules.ToolBudgets(one)[1]; b.Share() < rules.Tight || b.Unit.String() != "characters" {
		t.Errorf("%+v is not tight", b)
	}
}
