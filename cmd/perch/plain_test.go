package main

import (
	"strings"
	"testing"
)

func TestPlainMode(t *testing.T) {
	typed := strings.Join([]string{"2", "?", "back", `{"name":`, `{"name":"Ada"}`, "yes", "wire", "stderr", "http", "files", "findings",
		"wrie", "again", "edit", "sample 2", "yes", "tool", "greet", "", "quit"}, "\n")
	status, out, errs := perch(t, typed, "--plain", "sample:greeter")
	if status != 0 || errs != "" {
		t.Fatalf("exit status %d: %s", status, errs)
	}
	for _, want := range []string{
		"greeter: ABI 1, ", "Subako: accepted", "2 tools. 1 greet. 2 shout.", "shout: The same, louder.",
		"the line is not JSON at byte 8", `sends 14 bytes: {"name":"Ada"}`, `1: text, `, "HELLO, ADA!",
		"1 of 2, to the module", "2 of 2, from the module", "Nothing on stderr.", "No HTTP in this call.", "Did you mean wire?",
		"tool error", "Hello, Ada!",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.ContainsAny(out, "\x1b\r") {
		t.Errorf("the cursor is moved: %q", out)
	}
}

// TestPlainFields: fields are listed and filled in one by one, over the same
// text.
func TestPlainFields(t *testing.T) {
	typed := strings.Join([]string{"1", "fields", "set style loud", "set name Ada Lovelace", "unset style", "set nme x", "unset nme", "null name",
		"set name", "set name Bo", "yes", "quit"}, "\n")
	status, out, errs := perch(t, typed, "--plain", "sample:greeter")
	if status != 0 || errs != "" {
		t.Fatalf("exit status %d: %s", status, errs)
	}
	for _, want := range []string{
		"name (required): Ada; string. Who to greet.", `style: left out; plain · warm · formal; default "plain"`,
		"It is sent as it is: Subako checks no arguments.", `"name": "Ada Lovelace"`, `sends 14 bytes: {"name": null}`, "names no field nme; it is sent all the same. Did you mean name?", "set takes the name of a field",
		`sends 14 bytes: {"name": "Bo"}`, "Hello, Bo!",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

func TestPlainModeEndsWithItsInput(t *testing.T) {
	for _, typed := range []string{"", "5\n", "1\n1\n", "no-such-file\n"} {
		status, out, errs := perch(t, typed, "--plain")
		if want := map[bool]int{true: exitUsage, false: 0}[typed == "no-such-file\n"]; status != want {
			t.Errorf("%q: exit status %d\n%s%s", typed, status, out, errs)
		}
		if !strings.Contains(out, "1. greeter, C") {
			t.Errorf("%q: no list of samples in\n%s", typed, out)
		}
	}
}
