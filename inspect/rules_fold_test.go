package inspect_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/report"
	"perch/inspect/rules"
)

// TestSameFaultInManyTools: one finding, with the count, the first tools by name
// and all of them to be marked; a slip follows from the fault that it makes, not
// from the first one of the run.
func TestSameFaultInManyTools(t *testing.T) {
	t.Parallel()
	list := []string{
		`{"name":"Bad","description":"One.","inputSchema":{"type":"object"}}`,
		`{"name":"Too.Bad","description":"One.","inputSchema":{"type":"object"}}`,
	}
	for i := range 20 {
		list = append(list, fmt.Sprintf(`{"name":"t%d","description":"One.","input_schema":{"type":"object"}}`, i))
	}
	list = append(list, `{"name":"other","description":"One.","inputShema":{"type":"object"}}`, `{"name":"none","description":"One."}`)
	got := uploads(lists(strings.Join(list, ","))).run(t)

	refused := findAll(got.found, abi.ToolSchemaObject)
	if len(refused) != 3 {
		t.Fatalf("%d findings of a missing inputSchema, not one a slip: %s", len(refused), listed(got.found))
	}
	f := refused[0]
	holds := []string{`tool 3 ("t0") has no inputSchema, but input_schema (and 19 more tools)`, `The same in tool 4 ("t1")`, `tool 11 ("t8") and 11 more`}
	for _, want := range holds {
		if !strings.Contains(f.Detail, want) {
			t.Errorf("%q does not say %q", f.Detail, want)
		}
	}
	if f.Title != holds[0] || f.Tool != "" || len(f.Tools) != 20 || f.Tools[19] != "t19" || len(f.Also) != 19 {
		t.Errorf("title %q, tool %q, tools %v, %d further places", f.Title, f.Tool, f.Tools, len(f.Also))
	}
	if names := findAll(got.found, abi.ToolName); len(names) != 2 {
		t.Errorf("%d findings of names, want one for each kind of character: %s", len(names), listed(got.found))
	}

	slips := findAll(got.found, abi.ToolMember)
	if len(slips) != 2 {
		t.Fatalf("%d slips: %s", len(slips), listed(got.found))
	}
	for _, slip := range slips {
		i := slices.IndexFunc(refused, func(f rules.Finding) bool { return f.Cause == slip.Cause })
		if !slip.Follows || i < 0 {
			t.Errorf("%q follows from %q, which is no finding of its tool", slip.Title, slip.Cause)
		}
	}
	text := (report.Style{Width: 400}).Findings(got.found, nil)
	for _, part := range strings.Split(text, "\n\n") {
		first, _, _ := strings.Cut(part, "\n")
		if is, want := strings.Contains(part, `the member "inputShema"`), strings.Contains(first, `tool 23 ("other")`); is != want {
			t.Errorf("the slip of tool 23 stands in %v, want %v:\n%s", is, want, part)
		}
	}
}

// TestSameFaultInManyImports: one finding, the first few by name.
func TestSameFaultInManyImports(t *testing.T) {
	var all []event.Breach
	for i := range 21 {
		all = append(all, event.Breach{Rule: abi.ModuleImportModule, Cause: "built for a browser", Fix: "Build it otherwise.",
			Detail: fmt.Sprintf("gojs.f%d is not provided", i), Where: event.Where{Stream: event.File, File: abi.ModuleFile, Name: fmt.Sprintf("gojs.f%d", i), Offset: int64(i)}})
	}
	all = append(all, event.Breach{Rule: abi.ModuleStartMissing, Cause: "built for a browser", Detail: "no export"},
		event.Breach{Rule: abi.ModuleImportModule, Cause: "built for a browser", Fix: "Define x.", Detail: "env.x is not provided"})
	found := rules.Package(all, false)
	if len(found) != 3 {
		t.Fatalf("%d findings, not three", len(found))
	}
	i := slices.IndexFunc(found, func(f rules.Finding) bool { return len(f.Also) > 0 })
	if i < 0 || len(found[i].Also) != 20 || found[i].Title != "gojs.f0 is not provided (and 20 more imports)" ||
		found[i].Detail != found[i].Title+". The same with gojs.f1, gojs.f2, gojs.f3, gojs.f4 and 16 more" {
		t.Errorf("the imports are %+v", found)
	}
}

// TestExitAfterRefusedMemory: the status is told once, with what led to it.
func TestExitAfterRefusedMemory(t *testing.T) {
	t.Parallel()
	got := call("grow 60000 exit 3").run(t)
	f := got.found[0]
	if f.Rule != abi.LifeMemory || !strings.Contains(f.Detail, "exited with status 3") {
		t.Errorf("the first finding is %s: %s", f.Rule, f.Detail)
	}
	for _, id := range []abi.RuleID{abi.LifeExitCode, abi.LifeEarlyExit} {
		if again := findAll(got.found, id); len(again) > 0 {
			t.Errorf("the exit is told again: %s", again[0].Detail)
		}
	}
}

func findAll(all []rules.Finding, id abi.RuleID) []rules.Finding {
	return slices.DeleteFunc(slices.Clone(all), func(f rules.Finding) bool { return f.Rule != id })
}
