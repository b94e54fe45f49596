package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// perch runs a command as a shell would, without a terminal.
func perch(t *testing.T, stdin string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	in, err := os.CreateTemp(t.TempDir(), "stdin")
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if _, err := in.WriteString(stdin); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Seek(0, 0); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	status = run(args, streams{in, &out, &errs})
	return status, out.String(), errs.String()
}

// file writes a file of a test and returns its path.
func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestStatusAndOutput(t *testing.T) {
	for _, c := range []struct {
		name   string
		args   []string
		stdin  string
		status int
		out    string   // all of stdout, unless empty
		has    []string // parts of stdout
		err    []string // parts of stderr
	}{
		{name: "a greeting", args: []string{"call", "sample:greeter", "greet", "--args", `{"name":"Ada"}`},
			out: "{\"message\":\"Hello, Ada!\"}\n", err: []string{"ok · ", "exit 0"}},
		{name: "arguments from stdin", args: []string{"call", "sample:greeter", "greet", "--args", "-"}, stdin: "{\n\"name\": \"Ada\"\n}\n",
			out: "{\"message\":\"Hello, Ada!\"}\n"},
		{name: "a tool error", args: []string{"call", "sample:greeter", "greet"}, status: exitToolError,
			has: []string{"name"}, err: []string{"tool error"}},
		{name: "a broken call", args: []string{"call", "sample:mischief", "log_line"}, status: exitBroken,
			has: []string{"the function crashed"}, err: []string{"error[frame/json]: line 1 on stdout is a log line", "^^^", "fix: "}},
		{name: "a refused package", args: []string{"call", "sample:mischief:import_env", "act"}, status: exitRefused,
			err: []string{"error[module/import-module]", "env.my_c_func"}},
		{name: "an unknown tool", args: []string{"call", "sample:greeter", "gret"}, status: exitUsage,
			err: []string{`greeter lists no tool "gret"`, "Did you mean greet?"}},
		{name: "an unknown tool, forced", args: []string{"call", "sample:greeter", "gret", "--force"}, status: exitBroken,
			err: []string{"error[error/answered]"}},
		{name: "arguments that are no JSON", args: []string{"call", "sample:greeter", "greet", "--args", `{"name":`}, status: exitUsage,
			err: []string{"--args is not JSON at byte 8", "\n          ^"}},
		{name: "arguments that are no object", args: []string{"call", "sample:greeter", "greet", "--args", `[1]`}, status: exitUsage,
			err: []string{"an object"}},
		{name: "a file without a name", args: []string{"call", "sample:greeter", "greet", "--args", "@"}, status: exitUsage, err: []string{"--args @FILE"}},
		{name: "a file that is not there", args: []string{"check", "/no/such/file"}, status: exitUsage, err: []string{"/no/such/file"}},
		{name: "an unknown flag", args: []string{"check", "sample:greeter", "--jsn"}, status: exitUsage, err: []string{"--jsn"}},
		{name: "an unknown command", args: []string{"chek", "sample:greeter"}, status: exitUsage, err: []string{"perch: "}},
		{name: "a bad limit", args: []string{"check", "sample:greeter", "--memory", "lots"}, status: exitUsage, err: []string{"lots"}},
		{name: "certificates that are none", args: []string{"call", "sample:greeter", "greet", "--ca", "main_test.go"}, status: exitUsage,
			err: []string{"flag --ca", "main_test.go holds no certificate in PEM form"}},
		{name: "an accepted package", args: []string{"check", "sample:greeter"}, has: []string{"would accept it: 2 tools"}},
		{name: "mischief is accepted", args: []string{"check", "sample:mischief"}, has: []string{"would accept it"}},
		{name: "a refused check", args: []string{"check", "sample:mischief:library"}, status: exitRefused,
			has: []string{"error[module/start-missing]", "would refuse it"}},
		{name: "the highest of several", args: []string{"check", "sample:greeter", "sample:mischief:no_tools"}, status: exitRefused,
			has: []string{"would accept it", "would refuse it"}},
		{name: "tools", args: []string{"tools", "sample:greeter"}, has: []string{"greet\n  Greet someone by name.", `"style": {`, "outputSchema"}},
		{name: "samples", args: []string{"samples"}, has: []string{"sample:greeter", "sample:mischief"}},
		{name: "a transcript", args: []string{"sample:greeter"},
			has: []string{"greet  ", "Subako: accepted", "call greet {", "-> {\"jsonrpc\"", "<- {\"jsonrpc\"", "model  {\"message\":\"Hello, Ada!\"}"}},
		{name: "nothing but perch", has: []string{"sample:orders", "call greet {"}},
		{name: "help", args: []string{"--help"}, has: []string{"perch", "call PACKAGE TOOL"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, out, errs := perch(t, c.stdin, c.args...)
			if status != c.status {
				t.Errorf("exit status %d, want %d\nstdout: %s\nstderr: %s", status, c.status, out, errs)
			}
			if c.out != "" && out != c.out || c.status == exitUsage && out != "" {
				t.Errorf("stdout is %q, want %q", out, c.out)
			}
			for _, part := range c.has {
				if !strings.Contains(out, part) {
					t.Errorf("stdout has no %q:\n%s", part, out)
				}
			}
			for _, part := range c.err {
				if !strings.Contains(errs, part) {
					t.Errorf("stderr has no %q:\n%s", part, errs)
				}
			}
			if strings.Contains(out+errs, "\x1b") {
				t.Errorf("an escape sequence where there is no terminal:\n%q", out+errs)
			}
		})
	}
}

// TestJSON holds the members of the reports to their form.
func TestJSON(t *testing.T) {
	for _, c := range []struct {
		name    string
		args    []string
		status  int
		members []string
		check   func(t *testing.T, v map[string]any)
	}{
		{"check", []string{"check", "sample:greeter", "--json"}, 0, []string{"package", "verdict", "tools", "findings"},
			func(t *testing.T, v map[string]any) {
				if v["verdict"] != "accepted" || len(v["tools"].([]any)) != 2 {
					t.Errorf("%v", v)
				}
			}},
		{"several", []string{"check", "sample:greeter", "sample:mischief:tail_call", "--json"}, exitRefused, []string{"checks"},
			func(t *testing.T, v map[string]any) {
				if all := v["checks"].([]any); len(all) != 2 || all[1].(map[string]any)["verdict"] != "refused" {
					t.Errorf("%v", v)
				}
			}},
		{"call", []string{"call", "sample:greeter", "greet", "--json", "--args", `{"name":"Ada"}`}, 0,
			[]string{"package", "tool", "outcome", "model", "result", "exit", "findings", "stderr_tail", "usage"},
			func(t *testing.T, v map[string]any) {
				exit := v["exit"].(map[string]any)
				if v["outcome"] != "ok" || exit["code"] != 0.0 || exit["after_eof_ms"] == nil {
					t.Errorf("%v", v)
				}
			}},
		{"mocked", []string{"call", "sample:orders", "find", "--json"}, 0, nil,
			func(t *testing.T, v map[string]any) {
				if v["mocked"] != 1.0 {
					t.Errorf("answers of mocks: %v", v["mocked"])
				}
			}},
		{"broken", []string{"call", "sample:mischief", "trap", "--json"}, exitBroken, nil,
			func(t *testing.T, v map[string]any) {
				model := v["model"].([]any)[0].(map[string]any)
				if v["outcome"] != "broken" || v["exit"].(map[string]any)["code"] != nil || model["type"] != "crash" {
					t.Errorf("%v", v)
				}
				f := v["findings"].([]any)[0].(map[string]any)
				if f["rule"] != "life/trap" || f["class"] != "H" || f["severity"] != "error" || f["run"] != "call" || f["title"] == "" {
					t.Errorf("%v", f)
				}
				if _, there := v["result"]; there {
					t.Errorf("there is a result")
				}
			}},
		{"refused", []string{"call", "sample:mischief:component", "act", "--json"}, exitRefused, nil,
			func(t *testing.T, v map[string]any) {
				if v["outcome"] != "refused" {
					t.Errorf("%v", v)
				}
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, out, errs := perch(t, "", c.args...)
			var v map[string]any
			if err := json.Unmarshal([]byte(out), &v); err != nil || status != c.status {
				t.Fatalf("exit status %d, %v\nstdout: %s\nstderr: %s", status, err, out, errs)
			}
			for _, m := range c.members {
				if _, ok := v[m]; !ok {
					t.Errorf("no member %q in %s", m, out)
				}
			}
			c.check(t, v)
		})
	}
}

func TestExtractAndRunFromTheFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mine")
	if status, _, errs := perch(t, "", "samples", "--extract", "greeter", dir); status != 0 {
		t.Fatalf("exit status %d: %s", status, errs)
	}
	if status, out, errs := perch(t, "", "call", dir, "greet", "--args", `{"name":"Ada"}`); status != 0 || !strings.Contains(out, "Hello, Ada!") {
		t.Errorf("exit status %d: %s%s", status, out, errs)
	}
	if status, out, errs := perch(t, "", "check", filepath.Join(dir, "module.wasm")); status != 0 || !strings.Contains(out, "notice[package/manifest-missing]") {
		t.Errorf("exit status %d: %s%s", status, out, errs)
	}
	if status, _, errs := perch(t, "", "samples", "--extract", "greeter", dir); status != exitUsage || !strings.Contains(errs, "not empty") {
		t.Errorf("a second time: exit status %d: %s", status, errs)
	}
}

// TestGrantsOfAFileNeedAYes: a package can bring its own perch.toml.
func TestGrantsOfAFileNeedAYes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mine")
	if status, _, errs := perch(t, "", "samples", "--extract", "orders", dir); status != 0 {
		t.Fatal(errs)
	}
	const left = "allow \"api.example.com\""
	if _, _, errs := perch(t, "", "call", dir, "find"); !strings.Contains(errs, left) || !strings.Contains(errs, "--trust") {
		t.Errorf("nothing was said of what was left out: %q", errs)
	}
	if _, _, errs := perch(t, "", "call", dir, "find", "--trust"); strings.Contains(errs, left) {
		t.Errorf("left out in spite of --trust: %q", errs)
	}
}

func TestEveryCommandHasWords(t *testing.T) {
	var names []string
	for _, c := range newRoot(streams{}).Commands() {
		if c.Short == "" {
			t.Errorf("%s says nothing of what it does", c.Name())
		}
		names = append(names, c.Name())
	}
	for _, want := range []string{"check", "tools", "call", "samples"} {
		if !slices.Contains(names, want) {
			t.Errorf("there is no command %s", want)
		}
	}
}

func TestAProxyIsNotUsedAndThatIsSaid(t *testing.T) {
	t.Setenv("HTTPS_PROXY", "http://127.0.0.1:1")
	status, out, errs := perch(t, "", "call", "sample:orders", "find")
	if status != 0 || !strings.Contains(out, "orders") || strings.Count(errs, "HTTPS_PROXY is set and was not used") != 1 {
		t.Errorf("exit status %d: %s%s", status, out, errs)
	}
	if _, _, errs := perch(t, "", "call", "sample:greeter", "greet", "--args", `{"name":"Ada"}`); strings.Contains(errs, "PROXY") {
		t.Errorf("said of a call without HTTP: %s", errs)
	}
}
