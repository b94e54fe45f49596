package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perch/engine"
	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/bench"
	"perch/inspect/rules"
	"perch/samples/mischief"
)

// TestStatuses holds the exit status in every combination of an outcome, what
// was found, and --strict.
func TestStatuses(t *testing.T) {
	find := func(ids ...abi.RuleID) []rules.Finding {
		var all []rules.Finding
		for _, id := range ids {
			all = append(all, rules.Of(event.Breach{Rule: id}))
		}
		return all
	}
	departs := find(abi.CallContent)
	for _, c := range []struct {
		outcome       event.Outcome
		found         []rules.Finding
		call, strict  int // of a call
		check, checkS int // of a check, had its upload run ended so; -1: it cannot
	}{
		{event.OK, nil, 0, 0, 0, 0},
		{event.OK, departs, 0, exitBroken, 0, exitRefused},
		{event.OK, find(abi.FrameCR, abi.FilesEscape, abi.FilesBudget), 0, 0, 0, 0},
		{event.ToolError, nil, exitToolError, exitToolError, -1, -1},
		{event.ToolError, departs, exitToolError, exitBroken, -1, -1},
		{event.Broken, find(abi.LifeTrap), exitBroken, exitBroken, -1, -1},
		{event.Refused, find(abi.ToolName), -1, -1, exitRefused, exitRefused},
		{event.Cancelled, departs, exitCancelled, exitCancelled, -1, -1},
	} {
		call := bench.Call{Result: engine.Result{Outcome: c.outcome}, Findings: c.found}
		if c.call >= 0 && (callStatus(call, false) != c.call || callStatus(call, true) != c.strict) {
			t.Errorf("a call that is %s with %v ends with %d, strictly %d", c.outcome, c.found, callStatus(call, false), callStatus(call, true))
		}
		u := bench.Upload{Outcome: c.outcome, Findings: c.found}
		if c.check >= 0 && (uploadStatus(u, false) != c.check || uploadStatus(u, true) != c.checkS) {
			t.Errorf("a check that is %s with %v ends with %d, strictly %d", c.outcome, c.found, uploadStatus(u, false), uploadStatus(u, true))
		}
	}
}

// scripted writes a module that does what a script says.
func scripted(t *testing.T, name, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, mischief.Build(script), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestStatusesOfModules(t *testing.T) {
	noContent := scripted(t, "a.wasm", `call result '{"resultType":"complete"}'`)
	slow := scripted(t, "b.wasm", `start err 'API_KEY is not set\n' trap unreachable`)
	for _, c := range []struct {
		name   string
		args   []string
		status int
		out    string
		err    string
	}{
		{"a departure from MCP", []string{"call", noContent, "act"}, 0, "", "warning[call/content]"},
		{"a departure from MCP, strictly", []string{"call", noContent, "act", "--strict"}, exitBroken, "", "warning[call/content]"},
		{"a module alone is judged, its missing manifest told", []string{"check", noContent}, 0, "notice[package/manifest-missing]", ""},
		{"the stderr of an upload run", []string{"check", slow}, exitRefused, "error[life/trap]", "API_KEY is not set"},
		{"a call goes on when the upload run fails", []string{"call", slow, "act"}, exitBroken, "the function crashed", "upload run"},
		{"an attempt to get out is shown", []string{"call", "sample:mischief", "escape"}, 0, "errno 63", "info[files/escape]"},
		{"what the package is stays out of a call", []string{"call", "sample:greeter", "shout", "--args", `{"name":"a"}`}, 0, "A", "ok · "},
		{"--json without a package", []string{"--json"}, exitUsage, "", "--json takes a PACKAGE"},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, out, errs := perch(t, "", c.args...)
			if status != c.status || !strings.Contains(out, c.out) || !strings.Contains(errs, c.err) || strings.Contains(errs, "module/toolchain") {
				t.Errorf("exit status %d, want %d\nstdout: %s\nstderr: %s", status, c.status, out, errs)
			}
		})
	}
}

func TestOneObjectAndNothingElse(t *testing.T) {
	for _, args := range [][]string{
		{"sample:greeter", "--json"}, {"tools", "sample:greeter", "--json"}, {"samples", "--json"},
		{"check", "sample:greeter", "/no/such/file", "--json"}, {"call", "sample:mischief", "flood_stderr", "--json"},
	} {
		_, out, errs := perch(t, "", args...)
		var v map[string]any
		if err := json.Unmarshal([]byte(out), &v); err != nil || strings.Count(out, "\n") != 1 {
			t.Errorf("%v: %v: %.300s%.300s", args, err, out, errs)
		}
	}
}

func TestASCIIWhereTheLocaleIs(t *testing.T) {
	t.Setenv("LC_ALL", "C")
	for _, args := range [][]string{
		{"check", "sample:greeter"}, {"call", "sample:mischief", "log_line"}, {"call", "sample:mischief", "latin1"},
		{"sample:greeter"}, {"tools", "sample:mischief"},
	} {
		_, out, errs := perch(t, "", args...)
		if at := strings.IndexFunc(out+errs, func(r rune) bool { return r >= 0x80 }); at >= 0 {
			text := out + errs
			t.Errorf("%v: %q", args, text[max(0, at-20):min(len(text), at+20)])
		}
	}
}

func TestBadArgumentsAreMarked(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"short":     {`{"name":`, "--args is not JSON at byte 8: "},
		"two lines": {"{\n \"a\": tru\n}", "\n   \"a\": tru\n        ^"},
		"long":      {`{"a":"` + strings.Repeat("日本", 5000) + "\",}", "…"},
		"hidden":    {`{"` + strings.Repeat("\u202e", 500) + "\" 1}", "⟨U+202E⟩"},
	} {
		a := &app{streams: streams{err: &strings.Builder{}}}
		_, err := a.arguments(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q in it", name, err, c.want)
			continue
		}
		lines := strings.Split(err.Error(), "\n")
		if n := len(lines); n < 3 || !strings.HasSuffix(lines[n-1], "^") || len([]rune(lines[n-1])) > 2*argumentsLine {
			t.Errorf("%s: %q", name, lines)
		}
	}
}
