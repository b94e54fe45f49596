package main

import (
	"strings"
	"testing"

	"perch/ui"
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

// TestPlainActs: what the app does after a call is done by words.
func TestPlainActs(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	file := t.TempDir() + "/call.md"
	typed := strings.Join([]string{"1", "preset save mine", "yes", "help", "again 2", "history", "show 1", "compare", "show 3", "compare", "compare 9",
		"allow api.example.com", "settings", "package", "rule frame/json", "rule frame/jso", "result", "as command", "as report " + file, "as report " + file,
		"preset", "preset remove mine", "preset", "open /no/such/file", "open sample:charts", "settings", "quit"}, "\n")
	status, out, errs := perch(t, typed, "--plain", "--timeout", "9s", "sample:greeter")
	if status != 0 {
		t.Fatalf("exit status %d: %s", status, errs)
	}
	for _, want := range []string{
		"Saved mine in ", "again [N]: runs the same call again", "run 2 of 2.", "3: greet", "Call 1 of greet is shown", "There is no call before this one.",
		"are the same by value.", "There are calls 1 to 3", "api.example.com is allowed for this session.", "timeout: 9s (flag --timeout)",
		"greet: Greet someone by name. Takes name", "frame/json", "Did you mean frame/json?", "perch call sample:greeter greet", "bytes to " + file,
		"is there already, and was left as it is.", "Saved: mine.", "Removed mine from ", "Nothing is saved for greet.", "The package that was open stays so.",
		"charts: ABI 1",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// TestPlainHasTheActsOfTheApp: each command of the app that does something to
// a package or a call has its act in lines, or a reason why lines need none.
func TestPlainHasTheActsOfTheApp(t *testing.T) {
	acts := map[string]bool{"yes": true, "sample": true, "preset": true, "fields": true, "set": true}
	for _, x := range plainActs() {
		acts[x.word()] = true
	}
	in := map[string]string{
		"run.call": "again", "run.options": "again", "history.open": "history", "history.compare": "compare", "result.compare": "compare",
		"history.edit": "show", "call.prev": "show", "args.sample": "sample", "args.preset": "preset", "args.editor": "edit", "args.leave_out": "set",
		"args.null": "set", "pane.wire": "wire", "pane.stderr": "stderr", "pane.http": "http", "pane.files": "files", "pane.findings": "findings",
		"rule.open": "rule", "rules.open": "rule", "http.allow": "allow", "http.allow_session": "allow", "copy.value": "result", "copy.as": "as",
		"package.open": "open", "package.info": "package", "settings.open": "settings", "app.help": "help", "app.quit": "quit", "pane.first": "tool",
	}
	acts["help"] = true
	keys, err := ui.Keys("")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, k := range keys {
		known[k.ID] = true
	}
	for id, word := range in {
		if !known[id] || !acts[word] {
			t.Errorf("%s of the app is %s in lines: one of them is not there", id, word)
		}
	}
}

// TestPlainModeAnswersBriefly: what is typed, or comes down a pipe, is not said
// back at its length.
func TestPlainModeAnswersBriefly(t *testing.T) {
	status, out, errs := perch(t, strings.Repeat("\x00\x1b", 500_000)+"\nquit\n", "--plain", "sample:greeter")
	if status != 0 || errs != "" {
		t.Fatalf("exit status %d: %s", status, errs)
	}
	if !strings.Contains(out, "No tool is named") || len(out) > 4_000 || strings.ContainsAny(out, "\x00\x1b") {
		t.Errorf("%d bytes are said: %.400q", len(out), out)
	}
}
