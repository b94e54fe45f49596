package mischief_test

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"perch/samples/internal/run"
	"perch/samples/mischief"

	"github.com/tetratelabs/wazero"
)

func cases(kinds ...mischief.Kind) []mischief.Case {
	return slices.DeleteFunc(mischief.Cases(), func(c mischief.Case) bool { return !slices.Contains(kinds, c.Kind) })
}

func TestTableIsWhole(t *testing.T) {
	name := regexp.MustCompile(`^[a-z0-9_-]{1,64}$`)
	seen := map[string]bool{}
	for _, c := range mischief.Cases() {
		if !name.MatchString(c.Name) || seen[c.Name] {
			t.Errorf("%q is no name, or stands twice", c.Name)
		}
		seen[c.Name] = true
		if c.Does == "" || c.Kind == mischief.Tool && strings.ContainsAny(c.Does, "'\n\\") || c.WouldWrite == "" || c.Outcome == "" {
			t.Errorf("%s: %+v", c.Name, c)
		}
		if c.Rule == "" && c.Outcome != mischief.OK {
			t.Errorf("%s breaks no rule and is %s", c.Name, c.Outcome)
		}
		if found, ok := mischief.Find(c.Name); !ok || found.Does != c.Does {
			t.Errorf("Find(%q) is %q, %v", c.Name, found.Does, ok)
		}
	}
	if _, ok := mischief.Find("nothing"); ok {
		t.Error("there is a case named nothing")
	}
}

// The ledger is read as text: this floor knows nothing of the engine.
func TestEveryRuleHasACase(t *testing.T) {
	ledger, err := os.ReadFile("../../engine/abi/rules.tsv")
	if err != nil {
		t.Fatal(err)
	}
	classes := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(ledger)), "\n")[1:] {
		fields := strings.Split(line, "\t")
		classes[fields[0]] = fields[1]
	}
	covered := map[string]bool{}
	for _, c := range mischief.Cases() {
		for _, rule := range []string{c.Rule, c.Also} {
			if rule != "" && classes[rule] == "" {
				t.Errorf("%s: there is no rule %s", c.Name, rule)
			}
			covered[rule] = true
		}
	}
	for rule := range classes {
		if rule != "module/toolchain" && !covered[rule] { // which is told of each module that the guest makes
			t.Errorf("no case breaks %s", rule)
		}
	}
}

func TestSampleListsATool(t *testing.T) {
	module := mischief.Sample()["module.wasm"]
	committed, err := os.ReadFile("module.wasm")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(module, committed) {
		t.Error("module.wasm holds another script than the table: run the build script")
	}
	res := mustRun(t, module, run.Options{Stdin: run.Request(`1`, "tools/list", "")})
	var got struct {
		Result struct {
			Tools []struct {
				Name, Description string
				InputSchema       json.RawMessage
			}
		}
	}
	if err := json.Unmarshal([]byte(res.Stdout), &got); err != nil {
		t.Fatal(err)
	}
	want := cases(mischief.Tool)
	if len(got.Result.Tools) != len(want) || len(want) > 64 || mischief.Tools() != len(want) {
		t.Fatalf("%d tools, want %d, at most 64", len(got.Result.Tools), len(want))
	}
	for i, tool := range got.Result.Tools {
		if tool.Name != want[i].Name || tool.Description != want[i].Does || string(tool.InputSchema) != `{"type":"object"}` {
			t.Errorf("%+v, want %+v", tool, want[i])
		}
	}
}

func mustRun(t testing.TB, module []byte, o run.Options) run.Result {
	t.Helper()
	res, err := run.Module(context.Background(), module, o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// good reports whether a line answers id 7 as it should.
func good(line string) bool {
	var a struct {
		JSONRPC string
		ID      json.RawMessage
		Result  *struct{ Content []any }
		Error   any
	}
	return json.Unmarshal([]byte(line), &a) == nil && strings.HasPrefix(line, `{"jsonrpc":"2.0","id":7,"result":{`) &&
		a.Error == nil && a.Result != nil && a.Result.Content != nil && utf8.ValidString(line)
}

// Each call does what its rule says: the module is run on another runtime,
// without any of the engine's judgement.
func TestCallsGoWrongAsStated(t *testing.T) {
	for _, c := range cases(mischief.Tool, mischief.Call) {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			limit := time.Minute
			if c.Name == "spin" || c.Name == "exit_late" {
				limit = 2 * time.Second // they would go on for ever
			}
			res := mustRun(t, c.Module(), run.Options{
				Stdin:  run.Call(`7`, c.Tool(), "{}"),
				Mounts: map[string]string{"/volume/tmp": t.TempDir(), "/skills": t.TempDir()},
				Order:  []string{"/volume/tmp", "/skills"},
				Limit:  limit,
				Memory: 1024,
			})
			lines := res.Lines()
			answered := len(lines) == 1 && len(res.Stdout) <= 1<<20 && strings.HasSuffix(res.Stdout, "\n") && good(lines[0])
			if c.Outcome != mischief.Broken { // what is odd about it breaks nothing
				answered = strings.Contains(lines[len(lines)-1], `"result":`) || strings.Contains(lines[len(lines)-1], `"result": `)
			}
			clean := res.Exit == 0 && res.Trap == "" && !res.Stopped
			if strings.Contains(res.Stderr, "no op") {
				t.Fatalf("%s", res.Stderr)
			}
			if want := wanted(c.Rule); want != nil {
				if !want(res, answered) {
					t.Errorf("exit %d, trap %q, stopped %v, stdout %.200q", res.Exit, res.Trap, res.Stopped, res.Stdout)
				}
				return
			}
			// What breaks by what stands on stdout alone may exit as it likes.
			if broken := c.Outcome == mischief.Broken; answered == broken || (!broken && !clean) {
				t.Errorf("answered %v, exit %d, trap %q, stdout %.200q", answered, res.Exit, res.Trap, res.Stdout)
			}
			atPlace(t, c.Where, res.Stdout)
		})
	}
}

// wanted is what a rule of life looks like from outside; nil for a rule that
// is about bytes.
func wanted(rule string) func(res run.Result, answered bool) bool {
	switch rule {
	case "life/early-exit":
		return func(r run.Result, _ bool) bool { return r.Stdout == "" && r.Trap == "" && !r.Stopped }
	case "life/exit-code":
		return func(r run.Result, answered bool) bool { return answered && r.Exit != 0 }
	case "life/exit-late":
		return func(r run.Result, answered bool) bool { return answered && r.Stopped }
	case "life/trap", "life/memory":
		return func(r run.Result, _ bool) bool { return r.Trap != "" }
	case "life/time":
		return func(r run.Result, _ bool) bool { return r.Stopped && r.Stdout == "" }
	case "life/stall":
		return func(r run.Result, _ bool) bool { return r.Stdout == "" && r.Exit == 0 && r.Trap == "" }
	case "life/buffered":
		return func(_ run.Result, answered bool) bool { return answered } // at the end of stdin, here at once
	case "life/old-contract":
		return func(r run.Result, _ bool) bool { return r.Exit == 1 && strings.HasPrefix(r.Stdout, `{"error":`) }
	}
	return nil
}

// atPlace checks that the place lies on the line that it names.
func atPlace(t *testing.T, w mischief.Where, stdout string) {
	t.Helper()
	if w.Stream != "stdout" || w.Offset < 0 {
		return
	}
	if w.Offset >= int64(len(stdout)) {
		t.Fatalf("byte %d is not there: %d bytes", w.Offset, len(stdout))
	}
	if line := 1 + strings.Count(stdout[:w.Offset], "\n"); line != w.Line {
		t.Errorf("byte %d is in line %d, not in line %d", w.Offset, line, w.Line)
	}
}

// What the traps are, by the runtime's word.
func TestTraps(t *testing.T) {
	tests := []struct{ name, want string }{
		{"trap", "unreachable"},
		{"divide", "integer divide by zero"},
		{"oob", "out of bounds memory access"},
		{"indirect", "indirect call type mismatch"},
		{"missing_function", "invalid table access"},
		{"overflow", "stack overflow"},
	}
	for _, tt := range tests {
		c, _ := mischief.Find(tt.name)
		if res := mustRun(t, c.Module(), run.Options{Stdin: run.Call(`7`, c.Tool(), "{}")}); !strings.Contains(res.Trap, tt.want) {
			t.Errorf("%s: %q, want %s", tt.name, res.Trap, tt.want)
		}
	}
}

// A module whose refusal is about its form or a feature does not compile
// elsewhere either; one that is refused for what it imports or exports is a
// good module otherwise.
func TestRefusedModules(t *testing.T) {
	ctx := t.Context()
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	defer r.Close(ctx)
	for _, c := range cases(mischief.Upload) {
		module := c.Module()
		if module == nil {
			if c.Rule != "package/module-missing" {
				t.Errorf("%s has no module", c.Name)
			}
			continue
		}
		compiled, err := r.CompileModule(ctx, module)
		fails := strings.HasPrefix(c.Rule, "module/feature-") ||
			slices.Contains([]string{"module/not-wasm", "module/component", "module/malformed"}, c.Rule)
		if fails != (err != nil) {
			t.Errorf("%s (%s): %v", c.Name, c.Rule, err)
		}
		if err == nil {
			compiled.Close(ctx)
		}
	}
}

// The uploads that the scripted module answers are broken in the result alone:
// each line is JSON, but for the one that shows a banner.
func TestUploadsAnswerInJSON(t *testing.T) {
	for _, c := range cases(mischief.Upload) {
		group, _, _ := strings.Cut(c.Rule, "/")
		if !slices.Contains([]string{"discover", "list", "tool"}, group) || c.Rule == "list/time" {
			continue
		}
		in := run.Request(`"d"`, "server/discover", "") + run.Request(`1`, "tools/list", "") + run.Request(`2`, "tools/list", `"cursor":"2"`)
		res := mustRun(t, c.Module(), run.Options{Stdin: in})
		lines := res.Lines()
		if len(lines) != 3 || res.Exit != 0 {
			t.Fatalf("%s: %d answers, exit %d", c.Name, len(lines), res.Exit)
		}
		for _, line := range lines {
			var a struct{ Result map[string]any }
			if err := json.Unmarshal([]byte(line), &a); err != nil || a.Result == nil {
				t.Errorf("%s: %.100q: %v", c.Name, line, err)
			}
		}
	}
}

func TestSizesOfUploads(t *testing.T) {
	list := func(name string) []json.RawMessage {
		c, _ := mischief.Find(name)
		res := mustRun(t, c.Module(), run.Options{Stdin: run.Request(`1`, "tools/list", "")})
		var a struct {
			Result struct{ Tools []json.RawMessage }
		}
		if err := json.Unmarshal([]byte(res.Stdout), &a); err != nil {
			t.Fatal(err)
		}
		return a.Result.Tools
	}
	if n := len(list("tools_65")); n != 65 {
		t.Errorf("tools_65 lists %d", n)
	}
	all, largest := 0, 0
	for _, tool := range list("large_list") {
		all, largest = all+len(tool), max(largest, len(tool))
	}
	if all <= 256<<10 || largest > 64<<10 {
		t.Errorf("large_list: %d bytes in all, %d the largest", all, largest)
	}
	if schema := list("large_schema"); len(schema[0]) <= 64<<10 || len(schema[0]) > 256<<10 {
		t.Errorf("large_schema: %d bytes", len(schema[0]))
	}
	var described struct{ Description string }
	if err := json.Unmarshal(list("long_description")[0], &described); err != nil {
		t.Fatal(err)
	}
	if n := len([]rune(described.Description)); n != 1025 {
		t.Errorf("long_description: %d characters", n)
	}
}

func TestArchivesEndWithTheirBadEntry(t *testing.T) {
	for _, c := range cases(mischief.Archive) {
		if c.Files() != nil || c.Module() != nil || c.Tool() != "" {
			t.Errorf("%s has files beside its archive", c.Name)
		}
		r := tar.NewReader(bytes.NewReader(c.Bytes()))
		n := 0
		for {
			h, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil && h == nil {
				t.Fatalf("%s: %v", c.Name, err)
			}
			n++
		}
		if n != 3 {
			t.Errorf("%s: %d entries, want manifest, module and one more", c.Name, n)
		}
	}
}

func TestBuildRefusesALongScript(t *testing.T) {
	mischief.Build(strings.Repeat("#", mischief.ScriptRoom))
	defer func() {
		if recover() == nil {
			t.Error("a script that does not fit is taken")
		}
	}()
	mischief.Build(strings.Repeat("#", mischief.ScriptRoom+1))
}

// The words of the script language that no case uses in this way.
func TestScript(t *testing.T) {
	tests := []struct{ name, script, stdin, want string }{
		{"no script", "", run.Request(`1`, "tools/list", ""), `"name":"act"`},
		{"no script, a call", "", run.Call(`1`, "act", "{}"), `"text":"done"`},
		{"no such tool", "tool a 'A.'", run.Call(`1`, "b", "{}"), `"isError":true`},
		{"escapes", `call say 'a\\b\'c\x41$$'`, run.Call(`1`, "act", "{}"), `"text":"a\\b'cA$"`},
		{"other id of a number", `call out '$id $otherid'`, run.Call(`12`, "act", "{}"), `12 "12"`},
		{"other id of a text", `call out '$id $otherid'`, run.Call(`"x"`, "act", "{}"), `"x" "\"x\""`},
		{"nested repetition", `call out '${2:a${3:b}}'`, run.Call(`1`, "act", "{}"), `abbbabbb`},
		{"no repetition", `call out '<${0:a}>'`, run.Call(`1`, "act", "{}"), `<>`},
		{"repeated ops", `call repeat 3 ( out 'x' repeat 2 ( out 'y' ) )`, run.Call(`1`, "act", "{}"), `xyyxyyxyy`},
		{"end", "eof out 'bye'", run.Request(`1`, "tools/list", ""), "\nbye"},
		{"start", "start out 'hi '", run.Request(`1`, "tools/list", ""), `hi {"jsonrpc"`},
		{"short lines", "start short 20", run.Request(`1`, "tools/list", ""), ""},
		{"shuffled, but whole", "start shuffle\ntool a 'A.'\ntool b 'B.'\ncall ok", run.Request(`1`, "tools/list", ""), `"name":"b"`},
		{"pages", "list out '$page;'", strings.Repeat(run.Request(`1`, "tools/list", ""), 3), "1;2;3;"},
		{"unknown method", "", run.Request(`1`, "ping", ""), `"code":-32601`},
		{"errno", `call openat 99 'none' r out '$errno'`, run.Call(`1`, "act", "{}"), "8"},
		{"calls", "call out '$calls;'", strings.Repeat(run.Call(`1`, "act", "{}"), 3), "1;2;3;"},
		{"another answer to an unknown method", "unknown result '{}'", run.Request(`1`, "ping", ""), `"id":1,"result":{}`},
		{"no meta", "", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}` + "\n", `"code":-32602`},
		{"no meta, but lax", "start lax meta", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\n", `"name":"act"`},
		{"another revision", "", strings.Replace(run.Request(`1`, "tools/list", ""), "2026-07-28", "1900-01-01", 1),
			`"code":-32022,"message":"this revision is not spoken here","data":{"supported":["2026-07-28"],"requested":"1900-01-01"}`},
		{"another revision, but lax", "start lax version", strings.Replace(run.Request(`1`, "tools/list", ""), "2026-07-28", "1900-01-01", 1), `"name":"act"`},
		{"no client", "", withoutClient(run.Request(`1`, "tools/list", "")), `"name":"act"`},
		{"no client, but wanted", "start wants client", withoutClient(run.Request(`1`, "tools/list", "")), `"code":-32602`},
		{"a wide id", "", run.Request(`-9007199254740991`, "ping", ""), `"id":-9007199254740991,`},
		{"a wide id, kept narrow", "start narrow", run.Request(`4294967297`, "ping", ""), `"id":1,`},
		{"a notification", "", `{"jsonrpc":"2.0","method":"notifications/cancelled"}` + "\n", ""},
		{"a notification, answered", "start chatty", `{"jsonrpc":"2.0","method":"notifications/cancelled"}` + "\n", `"id":null,`},
		{"in haste", "start hasty", run.Request(`1`, "tools/list", ""), ""},
	}
	for _, tt := range tests {
		res := mustRun(t, mischief.Build(tt.script), run.Options{Stdin: tt.stdin})
		if !strings.Contains(res.Stdout, tt.want) || tt.want == "" && res.Stdout != "" {
			t.Errorf("%s: %q, want %q", tt.name, res.Stdout, tt.want)
		}
	}
}

func withoutClient(line string) string {
	return strings.Replace(line, `"io.modelcontextprotocol/clientInfo":{"name":"subako","version":"0.2.3"},`, "", 1)
}

// A module that takes one read for a line loses what comes in pieces.
func TestScriptThatReadsOnce(t *testing.T) {
	in := run.Request(`1`, "tools/list", "")
	for chunk, want := range map[int]bool{0: true, 64: false} {
		res := mustRun(t, mischief.Build("start once"), run.Options{Stdin: in, Chunk: chunk})
		if got := strings.Contains(res.Stdout, `"name":"act"`); got != want {
			t.Errorf("in pieces of %d: %q", chunk, res.Stdout)
		}
	}
}

func TestScriptWithAWordThatIsNoOp(t *testing.T) {
	res := mustRun(t, mischief.Build("call dance"), run.Options{Stdin: run.Call(`1`, "act", "{}")})
	if res.Exit != 70 || !strings.Contains(res.Stderr, "dance") {
		t.Errorf("exit %d, %q", res.Exit, res.Stderr)
	}
}
