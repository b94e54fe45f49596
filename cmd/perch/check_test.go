package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"perch/samples/mischief"
)

// folder writes a package of a scripted module, with a perch.toml unless that
// is empty.
func folder(t testing.TB, name, script, settings string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{
		"module.wasm":         mischief.Build(script),
		"subako-package.json": []byte(`{"abi":1,"name":"` + name + `","description":"A package of a test."}`),
	}
	if settings != "" {
		files["perch.toml"] = []byte(settings)
	}
	for file, text := range files {
		if err := os.WriteFile(filepath.Join(dir, file), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Scripts of modules with one kind of finding each.
const (
	// patterns has a notice about each of two tools.
	patterns = `list result '{"resultType":"complete","tools":[` +
		`{"name":"first","description":"A tool.","inputSchema":{"type":"object","properties":{"p":{"type":"string","pattern":"^(?=a)b"}}}},` +
		`{"name":"second","description":"Another.","inputSchema":{"type":"object","properties":{"q":{"type":"string","pattern":"^(?!c)d"}}}}` +
		`],"ttlMs":0,"cacheScope":"public"}'`
	// departing has warnings of MCP alone.
	departing = `list result '{"tools":[{"name":"act","description":"Acts.","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"public"}'`
	// nameless is refused.
	nameless = `list result '{"resultType":"complete","tools":[{"name":"Draw.Line","description":"A tool.","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"public"}'`
	good     = `ok`
)

func TestFailOn(t *testing.T) {
	notice, warning, refused, clean := folder(t, "notice", patterns, ""), folder(t, "warning", departing, ""), folder(t, "refused", nameless, ""), folder(t, "clean", "", "")
	for _, c := range []struct {
		args   []string
		status int
	}{
		{[]string{clean, "--fail-on", "notice", "--strict"}, 0},
		{[]string{notice}, 0},
		{[]string{notice, "--fail-on", "warning", "--strict"}, 0},
		{[]string{notice, "--fail-on", "notice"}, exitRefused},
		{[]string{warning}, 0},
		{[]string{warning, "--fail-on", "error"}, 0},
		{[]string{warning, "--fail-on", "warning"}, exitRefused},
		{[]string{warning, "--fail-on", "notice"}, exitRefused},
		{[]string{warning, "--strict"}, exitRefused},
		{[]string{refused}, exitRefused},
		{[]string{clean, notice, "--fail-on", "notice"}, exitRefused},
		{[]string{clean, "/no/such/file"}, exitUsage},
		{[]string{refused, "/no/such/file"}, exitRefused},
	} {
		for _, format := range []string{formatText, formatSARIF} {
			args := append([]string{"check", "--format", format}, c.args...)
			if status, out, errs := perch(t, "", args...); status != c.status {
				t.Errorf("%v: exit status %d, want %d\n%s%s", args, status, c.status, out, errs)
			}
		}
	}
}

func TestAccepted(t *testing.T) {
	accept := func(lines ...string) string { return "strict = true\n[accept]\n" + strings.Join(lines, "\n") }
	for _, c := range []struct {
		name, script, settings string
		args                   []string
		status                 int
		has, hasNot            []string
	}{
		{name: "all of a rule", script: patterns, settings: accept(`"schema/pattern" = "the model copes"`), args: []string{"--fail-on", "notice"},
			has: []string{"= accepted: the model copes", "would accept it: 2 tools, 2 accepted"}, hasNot: []string{"not found"}},
		{name: "one tool's", script: patterns, settings: accept(`"schema/pattern:second" = "it copes"`), args: []string{"--fail-on", "notice"}, status: exitRefused,
			has: []string{"= accepted: it copes", "2 tools, 1 notice, 1 accepted"}},
		{name: "what departs from MCP", script: departing, settings: accept(`"result/type-missing" = "later"`),
			has: []string{"= accepted: later", "MCP 2026-07-28  1 accepted"}},
		{name: "what nobody found", script: "", settings: accept(`"schema/pattern" = "x"`, `"tool/name:act" = "y"`, `"call/content" = "calls are not made"`, `"probe/meta" = "no probes"`), args: []string{"--fail-on", "notice"},
			has: []string{"accepted, but not found: schema/pattern (perch.toml:3)", "accepted, but not found: tool/name:act (perch.toml:4)"}, hasNot: []string{"call/content", "probe/meta"}},
		{name: "what Subako refuses all the same", script: nameless, settings: accept(`"tool/name" = "we like it"`), status: exitRefused,
			has: []string{"error[tool/name]", "= accepted: we like it", "would refuse it: 1 tool, 1 accepted"}},
		{name: "a rule that there is not", script: "", settings: accept(`"schema/patern" = "x"`), status: exitUsage,
			has: []string{`perch.toml:3:1: there is no rule "schema/patern". Did you mean schema/pattern?`}},
		{name: "strict as the file says", script: departing, settings: "strict = true", status: exitRefused, has: []string{"would accept it", "MCP 2026-07-28  1 warning"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, out, errs := perch(t, "", append([]string{"check", folder(t, "mine", c.script, c.settings)}, c.args...)...)
			if status != c.status {
				t.Errorf("exit status %d, want %d", status, c.status)
			}
			for _, part := range c.has {
				if !strings.Contains(out+errs, part) {
					t.Errorf("no %q", part)
				}
			}
			for _, part := range c.hasNot {
				if strings.Contains(out+errs, part) {
					t.Errorf("there is %q", part)
				}
			}
			if t.Failed() {
				t.Logf("%s%s", out, errs)
			}
		})
	}
}

// TestAcceptedInACall: an accepted departure does not break a strict call.
func TestAcceptedInACall(t *testing.T) {
	const script = `call result '{"resultType":"complete"}'`
	for settings, want := range map[string]int{
		"": 0, "strict = true": exitBroken, "strict = true\n[accept]\n\"call/content\" = \"why\"": 0,
		"strict = true\n[accept]\n\"call/content:act\" = \"why\"": 0, "strict = true\n[accept]\n\"call/content:other\" = \"why\"": exitBroken,
	} {
		if status, _, errs := perch(t, "", "call", folder(t, "mine", script, settings), "act"); status != want || strings.Contains(errs, "accepted: why") != (want == 0 && settings != "") {
			t.Errorf("%q: exit status %d, want %d\n%s", settings, status, want, errs)
		}
	}
}

// TestFivePackages: one is missing, one hangs, and the others are checked.
func TestFivePackages(t *testing.T) {
	hangs := folder(t, "hangs", "start spin", "")
	status, out, errs := perch(t, "", "check", folder(t, "first", "", ""), "/no/such/file", hangs, folder(t, "bad", nameless, ""), folder(t, "last", departing, ""), "--deadline", "2s")
	if status != exitRefused || !strings.HasSuffix(out, "\n\n5 packages: 2 accepted, 1 refused, 2 not checked\n") {
		t.Errorf("exit status %d\n%s", status, out)
	}
	if want := "perch: /no/such/file: there is no such file or folder, and no folder /no\nperch: " + hangs + ": the check was ended after 2s (--deadline) while making the upload run\n"; errs != want {
		t.Errorf("%q, want %q", errs, want)
	}
	if first, bad, last := strings.Index(out, "first · "), strings.Index(out, "bad · "), strings.Index(out, "last · "); first != 0 || bad < first || last < bad {
		t.Errorf("not in the order in which they were given:\n%s", out)
	}
}

func TestSeveralInEveryFormat(t *testing.T) {
	args := []string{"check", folder(t, "first", "", ""), "/no/such/file", folder(t, "bad", nameless, ""), folder(t, "last", departing, "")}
	for format, has := range map[string][]string{
		formatText:   {"4 packages: 2 accepted, 1 refused, 1 not checked"},
		formatJSON:   {`{"checks":[`, `"errors":[{"path":"/no/such/file","error":"/no/such/file: there is no such file or folder, and no folder /no"}]`, `"name":"last"`},
		formatJUnit:  {`errors="1"`, `name="/no/such/file"`, "/last\""},
		formatSARIF:  {`"executionSuccessful":false`, "there is no such file or folder"},
		formatGitHub: {"::error title=/no/such/file::", "title=tool/name in "},
	} {
		status, out, errs := perch(t, "", append(args, "--format", format)...)
		if status != exitRefused || errs != "perch: /no/such/file: there is no such file or folder, and no folder /no\n" {
			t.Errorf("%s: exit status %d: %q", format, status, errs)
		}
		for _, part := range has {
			if !strings.Contains(out, part) {
				t.Errorf("%s: no %q in\n%s", format, part, out)
			}
		}
		if at := strings.Index(out, "first"); format != formatSARIF && (at < 0 || at > strings.Index(out, "last")) {
			t.Errorf("%s: not in the order in which they were given:\n%s", format, out)
		}
	}
}

func TestDeadline(t *testing.T) {
	hangs := folder(t, "hangs", "start spin", "")
	for _, format := range formats() {
		status, out, errs := perch(t, "", "check", hangs, "--deadline", "100ms", "--format", format)
		if status != exitUsage || !strings.Contains(errs, hangs+": the check was ended after 100ms (--deadline) while ") {
			t.Errorf("%s: exit status %d: %s", format, status, errs)
		}
		if silent := format == formatText || format == formatJSON; silent != (out == "") {
			t.Errorf("%s: %q", format, out)
		}
	}
	for flag, want := range map[string]string{"0": "--deadline 0s is no time that a check could take", "-3s": "no time", "soon": "soon"} {
		if status, _, errs := perch(t, "", "check", hangs, "--deadline="+flag); status != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("%s: exit status %d: %s", flag, status, errs)
		}
	}
}

// TestACancelEndsAllPackages: the one that is being checked is told of, what
// comes behind it is not begun.
func TestACancelEndsAllPackages(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	a := &app{streams: streams{in: os.Stdin, out: &out, err: &errs}}
	err := a.check(ctx, []string{"sample:greeter", "sample:charts"}, checkOptions{format: formatJUnit, deadline: time.Hour})
	if status(err) != exitCancelled || errs.String() != "perch: cancelled\n" || !strings.Contains(out.String(), `tests="1" failures="0" errors="1"`) {
		t.Errorf("%v\n%s%s", err, out.String(), errs.String())
	}
}

// TestProbesWithinTheDeadline: what was found before is reported, and that it
// is not all.
func TestProbesWithinTheDeadline(t *testing.T) {
	dir := folder(t, "slow", "tool act 'Acts.' spin\n", "")
	status, out, errs := perch(t, "", "check", dir, "--probe", "--deadline", "2s", "--json")
	var v struct{ Verdict, Incomplete string }
	if err := json.Unmarshal([]byte(out), &v); err != nil || status != exitUsage || v.Verdict != "accepted" ||
		v.Incomplete != "not all probes were made: the check was ended after 2s (--deadline) while probing" || !strings.Contains(errs, "while probing") {
		t.Errorf("exit status %d, %v\n%s%s", status, err, out, errs)
	}
}

func TestProbeInEveryFormat(t *testing.T) {
	dir := folder(t, "silent", "unknown out ''", "")
	for _, format := range formats() {
		status, out, errs := perch(t, "", "check", dir, "--probe", "--format", format)
		if !strings.Contains(out, "probe/method") || status != 0 || errs != "" {
			t.Errorf("%s: exit status %d\n%s%s", format, status, out, errs)
		}
		if _, out, _ := perch(t, "", "check", dir, "--format", format); strings.Contains(out, "probe/method") {
			t.Errorf("%s: probed without being asked to:\n%s", format, out)
		}
	}
}

func TestFormats(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"--format sarfi", `--format knows no "sarfi". Did you mean sarif?`},
		{"--format yaml", `--format knows no "yaml". There are text, json, junit, sarif, github`},
		{"--format junit --json", "--json and --format junit ask for two formats"},
		{"--fail-on warnings", `--fail-on knows no "warnings". Did you mean warning?`},
		{"--fail-on info", `--fail-on knows no "info". There are error, warning, notice`},
	} {
		status, out, errs := perch(t, "", append([]string{"check", "sample:greeter"}, strings.Fields(c.args)...)...)
		if status != exitUsage || out != "" || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit status %d: %s%s", c.args, status, out, errs)
		}
	}
	_, plain, _ := perch(t, "", "check", "sample:greeter", "--json", "--seed", "7")
	if _, out, _ := perch(t, "", "check", "sample:greeter", "--json", "--format", "json", "--seed", "7"); out != plain || plain == "" {
		t.Errorf("--json and --format json differ:\n%s\n%s", plain, out)
	}
}

// TestReportsAreReproducible: with --seed a check prints the same bytes again.
func TestReportsAreReproducible(t *testing.T) {
	for _, format := range formats() {
		args := []string{"check", "sample:greeter", "sample:mischief:no_tools", "sample:mischief:import_env", "--seed", "7", "--format", format}
		_, first, _ := perch(t, "", args...)
		if _, again, _ := perch(t, "", args...); first != again || first == "" {
			t.Errorf("%s:\n%s\n%s", format, first, again)
		}
	}
}

// TestStderrStaysOutOfReports: in a report for a program nothing of the
// module's stderr stands between, and beside text each line has a mark.
func TestStderrStaysOutOfReports(t *testing.T) {
	dir := folder(t, "loud", `start err '::error::from the module\n##[error]too\n'`, "")
	for _, format := range formats() {
		_, out, errs := perch(t, "", "check", dir, "--format", format)
		if format == formatText {
			if want := "stderr | ::error::from the module\nstderr | ##[error]too\n"; errs != want {
				t.Errorf("%q, want %q", errs, want)
			}
			continue
		}
		if errs != "" {
			t.Errorf("%s: %q", format, errs)
		}
		for line := range strings.Lines(out) {
			if strings.HasPrefix(line, "::error::from") {
				t.Errorf("%s: %q", format, line)
			}
		}
	}
	_, out, _ := perch(t, "", "check", dir, "--format", "junit")
	var doc struct {
		Err string `xml:"testsuite>system-err"`
	}
	if err := xml.Unmarshal([]byte(out), &doc); err != nil || !strings.Contains(doc.Err, "::error::from the module") {
		t.Errorf("%v, %q", err, doc.Err)
	}
}

// TestPlacesAreRelativeToTheRepository: so that a service finds the files.
func TestPlacesAreRelativeToTheRepository(t *testing.T) {
	dir := folder(t, "charts", nameless, "")
	root := filepath.Dir(dir)
	t.Chdir(root)
	for _, given := range []string{"charts", "./charts", dir} {
		if _, out, _ := perch(t, "", "check", given, "--format", "github"); !strings.Contains(out, "::error file=charts/module.wasm,title=tool/name in ") {
			t.Errorf("%s: %s", given, out)
		}
	}
	t.Chdir(dir)
	t.Setenv("GITHUB_WORKSPACE", root)
	if _, out, _ := perch(t, "", "check", ".", "--format", "github"); !strings.Contains(out, "::error file=charts/module.wasm,") {
		t.Errorf("below the checkout: %s", out)
	}
	t.Setenv("GITHUB_WORKSPACE", filepath.Join(root, "elsewhere"))
	if _, out, _ := perch(t, "", "check", ".", "--format", "github"); !strings.Contains(out, "::error file=module.wasm,") {
		t.Errorf("beside the checkout: %s", out)
	}
}

func TestSourcesAreFoundBelowTheRepositoryAlone(t *testing.T) {
	root := t.TempDir()
	outside := file(t, "outside.c", "")
	if err := os.WriteFile(filepath.Join(root, "main.c"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tr := tree{root: root, dirs: []string{root, filepath.Join(root, "pk")}, seen: map[string]string{}}
	for name, want := range map[string]string{
		"main.c": "main.c", "./x/../main.c": "main.c", "../main.c": "main.c", filepath.Join(root, "main.c"): "main.c",
		"other.c": "", "../../" + filepath.Base(filepath.Dir(outside)) + "/outside.c": "", outside: "", "": "", "pk": "", "/dev/null": "", "a\x00b": "",
	} {
		for range 2 { // the second time it is known
			if got, ok := tr.find(name); got != want || ok != (want != "") {
				t.Errorf("%q: %q, %v, want %q", name, got, ok, want)
			}
		}
	}
}
