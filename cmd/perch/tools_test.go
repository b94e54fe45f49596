package main

import (
	"strings"
	"testing"

	"perch/engine/jsonread"
)

// TestBudgetsOfTools: where a limit gets tight it is shown as text; all of them
// are in the JSON.
func TestBudgetsOfTools(t *testing.T) {
	t.Setenv("LC_ALL", "C.UTF-8")
	if _, out, _ := perch(t, "", "tools", "sample:mischief"); !strings.HasSuffix(out, "\n\n  tools         64/64              ████████████████████  100 %\n") {
		t.Errorf("64 tools are shown as %q", out[max(0, len(out)-200):])
	}
	if _, out, _ := perch(t, "", "tools", "sample:greeter"); strings.Contains(out, "%") {
		t.Errorf("nothing is tight in %s", out)
	}
	_, out, _ := perch(t, "", "tools", "sample:greeter", "--json")
	doc, err := jsonread.Parse([]byte(out))
	if err != nil {
		t.Fatal(err)
	}
	budgets := doc.Root().Get("budgets")
	if budgets.Len() != 3+2*4 || string(budgets.Index(4).Raw()) != `{"tool":"greet","name":"description","used":22,"limit":1024,"unit":"characters","share":0.0215}` {
		t.Errorf("%s", budgets.Raw())
	}
}
