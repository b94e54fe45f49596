package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/report"
	"perch/inspect/rules"
	"perch/inspect/safe"
)

// onStdout is a finding of the upload run, on its second line.
func onStdout(id abi.RuleID, detail string, offset, end int64, pointer string) rules.Finding {
	f := finding(event.Upload, event.Breach{Rule: id, Detail: detail, Fix: "Mend " + string(id) + ".",
		Where: event.Where{Stream: event.Stdout, Line: 2, Offset: offset, End: end, Pointer: pointer}})
	f.RunID = 1
	return f
}

// hostileText is what a module could write into anything that it names.
const hostileText = "a\x1b[31m\x00\r\n::error::b,c:d%e ]](http://x) \u202e ]]> <b a=\"'\"> \xff ##[error]z"

// sample is a check with a finding of every kind.
func sample() report.Check {
	tool := onStdout(abi.ToolName, "tool 2 is named \"Draw.Line\". D . L are not allowed", 14, 25, "/result/tools/1/name")
	tool.Tool = "Draw.Line"
	accepted := onStdout(abi.SchemaPattern, "a pattern cannot be checked", 29, 33, "/result/tools/0/inputSchema")
	accepted.Tool, accepted.Accepted = "bar", "the model copes: "+hostileText
	trap := finding(event.Upload, event.Breach{Rule: abi.LifeTrap, Detail: "trap: unreachable in main.bar",
		Where: event.Where{Stream: event.File, File: abi.ModuleFile, Section: "code", Func: 7, Offset: 300, End: 301, Name: "main.bar" + hostileText},
		Stack: []event.Frame{{Func: 7, Name: "main.bar", File: "src/main.c", Line: 12}, {Func: 9, Name: hostileText, File: "C:\\x y\\z.c", Line: 3}, {Func: 1, Name: "_start"}}})
	trap.RunID = 1
	follow := finding(event.Upload, event.Breach{Rule: abi.LifeEarlyExit, Detail: "request 7 has no answer", Follow: true})
	follow.RunID = 1
	imports := func(name string, at int64) rules.Finding {
		return finding("", event.Breach{Rule: abi.ModuleImportModule, Detail: name + " is not provided", Cause: "built by emcc for a page in a browser", Fix: "Build for WASI.",
			Where: event.Where{Stream: event.File, File: abi.ModuleFile, Section: "import", Offset: at, End: at + 5, Name: name}})
	}
	shape := onStdout(abi.ToolShape, "annotations is "+hostileText, 40, 41, "/result/tools/0/annotations")
	shape.Also = []event.Where{{Stream: event.Stdout, Line: 2, Offset: 50, End: 52, Pointer: "/result/tools/1/annotations"}}
	info := finding("", event.Breach{Rule: abi.ModuleToolchain, Detail: "clang 19", Fix: "Nothing.", Where: event.Where{Stream: event.File, File: abi.ModuleFile, End: 400}})
	manifest := finding("", event.Breach{Rule: abi.PackageManifestABI, Detail: "abi is \"1\", not 1", Where: event.Where{Stream: event.File, File: abi.ManifestFile, Line: 3, Offset: 20, End: 23}})
	line := strings.Repeat("x", 14) + `"Draw.Line"` + strings.Repeat("é\x1b", 40)
	return report.Check{
		Path: "pk/charts", Package: report.Package{Name: "charts", ABI: "1", SHA256: strings.Repeat("4f", 32), Bytes: 400, Toolchain: "clang 19", Language: "C"},
		Ran: true, Tools: [][]byte{[]byte(`{}`), []byte(`{}`)},
		Findings: rules.Sort([]rules.Finding{tool, accepted, trap, follow, imports("env.a", 100), imports("env.b", 110), shape, info, manifest}),
		Unused:   []rules.Acceptance{{Rule: abi.CacheHints, Reason: "later", From: "perch.toml:9"}, {Rule: abi.ToolMember, Tool: "bar", Reason: "x", From: "perch.toml:10"}},
		Source:   onlyStdout(line), Stdout: []byte(line + "\n"), Stderr: []byte("about to " + hostileText),
		Files: report.Files{Path: "pk/charts", Find: func(name string) (string, bool) { return "pk/charts/" + name, name == "src/main.c" }},
	}
}

// onlyStdout is a source of one line of stdout.
func onlyStdout(line string) report.Source {
	return func(f rules.Finding) ([]byte, int64, bool) { return []byte(line), 0, f.Where.Stream == event.Stdout }
}

// others are checks of other forms, and one that could not be made.
func others() []report.Check {
	archive, bare, utf := sample(), sample(), sample()
	archive.Path, archive.Files = "my pk/a:b.tar.gz", report.Files{Path: "my pk/a:b.tar.gz", Form: report.Archive}
	bare.Path, bare.Files = "/abs/m.wasm", report.Files{Path: "/abs/m.wasm", Form: report.Module}
	utf.Path, utf.Files, utf.Stdout = "sample:x\xff", report.Files{}, bytes.Repeat([]byte("日\xff"), 1<<16)
	none := report.Check{Path: "sample:none", Package: report.Package{Name: "none"}, Accepted: true, Ran: true}
	refused := report.Check{Path: "r", Findings: []rules.Finding{rules.Of(event.Breach{Rule: abi.ModuleNotWasm})}}
	return []report.Check{archive, bare, utf, none, refused, {Path: "gone" + hostileText, Problem: "gone: " + hostileText}}
}

func TestCheckInText(t *testing.T) {
	const want = `
charts · ABI 1 · C · 400 B · sha256 4f4f4f4f4f4f

error[package/manifest-abi]: abi is "1", not 1
  --> subako-package.json, bytes 20-22
   = Subako: refuses the package (ABI page, Checklist)

2 findings with one cause: built by emcc for a page in a browser
  error[module/import-module]: env.a is not provided
    --> module.wasm, import section, bytes 100-104, env.a
  error[module/import-module]: env.b is not provided
    --> module.wasm, import section, bytes 110-114, env.b
     = Subako: refuses the package (ABI page, The module)
     = fix: Build for WASI.

error[life/trap]: trap: unreachable in main.bar
  --> upload run, module.wasm, code section, function 7, byte 300, main.bar
   = stack: main.bar  src/main.c:12
     lib  lib.c:3
     _start
   = then: error[life/early-exit] request 7 has no answer (upload run)
   = Subako: refuses the package, its upload run is broken (ABI page, What
     breaks a call)

error[tool/name]: tool 2 is named "Draw.Line"
  --> upload run, stdout line 2, bytes 14-24, /result/tools/1/name
   |
 2 | xxxxxxxxxxxxxx"Draw.Line"éééééééééééééééééééééééééééééééééééééééé
   |               ^^^^^^^^^^^
   = D . L are not allowed
   = Subako: refuses the package (ABI page, When a package is uploaded)
   = fix: Mend tool/name.

notice[schema/pattern]: a pattern cannot be checked
  --> upload run, stdout line 2, bytes 29-32, /result/tools/0/inputSchema
   |
 2 | …xxxxxxxxxxx"Draw.Line"éééééééééééééééééééééééééééééééééééééééé
   |                          ^^
   = our reading: x
   = fix: Mend schema/pattern.
   = accepted: the model copes

Subako          would refuse it: 2 tools, 5 errors, 1 accepted
MCP 2026-07-28  nothing found before it broke
accepted, but not found: cache/hints (perch.toml:9)
accepted, but not found: tool/member:bar (perch.toml:10)
More on a rule: perch rules package/manifest-abi
`
	c := sample()
	var kept []rules.Finding
	for _, f := range c.Findings {
		switch f.Rule {
		case abi.ToolShape, abi.ModuleToolchain:
			continue
		case abi.LifeTrap:
			f.Where.Name, f.Stack[1] = "main.bar", event.Frame{Name: "lib", File: "lib.c", Line: 3}
		case abi.SchemaPattern:
			f.Accepted = "the model copes"
		}
		kept = append(kept, f)
	}
	c.Findings = kept
	c.Source = onlyStdout(strings.Repeat("x", 14) + `"Draw.Line"` + strings.Repeat("é", 40))
	words, _ := rules.WordsOf(abi.SchemaPattern)
	var why []string
	for i, line := range safe.Wrap("   = "+words.Source, 75) {
		if i > 0 {
			line = "     " + line
		}
		why = append(why, line)
	}
	full := strings.Replace(want, "   = our reading: x", strings.Join(why, "\n"), 1)
	if got := (report.Style{}).Check(c); got != strings.TrimPrefix(full, "\n") {
		t.Errorf("%s\nwant\n%s", got, full)
	}
}

// TestNoLineIsTooWide: whatever stands in a finding, a report fits 80 columns,
// and no line of it is a command to a service that reads logs.
func TestNoLineIsTooWide(t *testing.T) {
	for _, width := range []int{0, 40, 120} {
		for _, c := range append(others(), sample()) {
			if c.Problem != "" {
				continue
			}
			for i := range c.Findings {
				c.Findings[i].Title += strings.Repeat(" ::set-output name=x::y", 20)
				c.Findings[i].Detail = c.Findings[i].Title + ". " + strings.Repeat("::error::", 90)
			}
			for line := range strings.Lines(report.Style{Width: width}.Check(c)) {
				if w := safe.Width(strings.TrimSuffix(line, "\n")); w > max(width, 80) || width == 40 && w > 46 {
					t.Errorf("%d cells: %q", w, line)
				}
				if strings.HasPrefix(strings.TrimSpace(line), "::") {
					t.Errorf("a command: %q", line)
				}
			}
		}
	}
}

func TestManyFollow(t *testing.T) {
	all := []rules.Finding{rules.Of(event.Breach{Rule: abi.LifeTrap})}
	for range 9 {
		all = append(all, rules.Of(event.Breach{Rule: abi.RPCIDTwice, Follow: true}))
	}
	got := (report.Style{}).Findings(rules.Sort(all), nil)
	if strings.Count(got, "= then: ") != 6 || !strings.Contains(got, "= then: 4 more that follow") {
		t.Error(got)
	}
	alone := (report.Style{}).Findings(all[1:2], nil)
	if !strings.Contains(alone, "error[rpc/id-twice]") {
		t.Errorf("what follows from nothing that is told: %q", alone)
	}
}

// TestNotFinished: every report says that not all was looked at.
func TestNotFinished(t *testing.T) {
	c := sample()
	c.Incomplete = "not all probes were made"
	if text := (report.Style{}).Check(c); !strings.Contains(text, "\nnot all probes were made\n") {
		t.Error(text)
	}
	if got := cases(t, junit(c))["pk/charts completeness"]; got != "error not all probes were made" {
		t.Errorf("JUnit: %q", got)
	}
	if i := readSARIF(t, sarif(c)).Runs[0].Invocations[0]; i.ExecutionSuccessful || len(i.ToolExecutionNotifications) != 1 {
		t.Errorf("SARIF: %+v", i)
	}
	if text := string(report.GitHub(c)); !strings.Contains(text, "::error title=pk/charts::not all probes were made\n") {
		t.Error(text)
	}
	if text := string(c.JSON()); !strings.HasSuffix(text, `,"incomplete":"not all probes were made"}`) {
		t.Error(text)
	}
}

// TestManyOfOneRule: all are named, the first in full, and what to do once.
func TestManyOfOneRule(t *testing.T) {
	var all []rules.Finding
	for i := range 9 {
		all = append(all, onStdout(abi.ToolName, fmt.Sprintf("tool %d has no good name. D is not allowed", i), int64(i), int64(i+1), ""))
	}
	got := (report.Style{}).Findings(all, onlyStdout("{\"name\":\"Draw.Line\"}"))
	for what, want := range map[string]int{"error[tool/name]: tool ": 9, "  --> upload run, stdout line 2": 9, "^": 5, "D is not allowed": 5, "fix: ": 1, "Subako: refuses": 1} {
		if n := strings.Count(got, what); n != want {
			t.Errorf("%q stands there %d times, want %d:\n%s", what, n, want, got)
		}
	}
	all[1].Fix = "another"
	if got := (report.Style{}).Findings(all[:2], nil); strings.Count(got, "fix: ") != 2 {
		t.Errorf("two fixes:\n%s", got)
	}
}

func junit(all ...report.Check) []byte {
	var j report.JUnit
	for _, c := range all {
		j.Add(c)
	}
	return j.Bytes()
}

// cases reads a JUnit report: what became of each case, by suite and name.
func cases(t *testing.T, text []byte) map[string]string {
	t.Helper()
	var doc struct {
		Suites []struct {
			Name  string `xml:"name,attr"`
			Cases []struct {
				Name    string  `xml:"name,attr"`
				Error   *string `xml:"error"`
				Skipped *string `xml:"skipped"`
				Out     *string `xml:"system-out"`
				Failure *struct {
					Message string `xml:"message,attr"`
				} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	all := make(map[string]string)
	for _, s := range doc.Suites {
		for _, c := range s.Cases {
			became := "passed"
			switch {
			case c.Error != nil:
				became = "error " + *c.Error
			case c.Failure != nil:
				became = "failed " + c.Failure.Message
			case c.Skipped != nil:
				became = "skipped " + *c.Skipped
			case c.Out != nil:
				became = "told"
			}
			all[s.Name+" "+c.Name] = became
		}
	}
	return all
}

func TestJUnit(t *testing.T) {
	c := sample()
	strict := c
	strict.Path, strict.Gate = "strict", rules.Gate{Strict: true}
	notices := report.Check{Path: "n", Accepted: true, Ran: true, Probed: true, Gate: rules.Gate{Least: abi.Notice}, Findings: []rules.Finding{
		rules.Of(event.Breach{Rule: abi.FrameCR, Detail: "CR"}), rules.Of(event.Breach{Rule: abi.FrameCR, Detail: "CR again"}), rules.Of(event.Breach{Rule: abi.ModuleToolchain})}}
	refused := report.Check{Path: "r", Findings: []rules.Finding{rules.Of(event.Breach{Rule: abi.ModuleNotWasm, Detail: "text"})}}
	got := cases(t, junit(c, strict, notices, refused, report.Check{Path: "gone", Problem: "not there"}))
	for name, want := range map[string]string{
		"pk/charts verdict":              "failed Subako would refuse it: 2 tools, 5 errors, 1 accepted",
		"pk/charts tool/name":            `failed tool 2 is named "Draw.Line"`,
		"pk/charts module/import-module": "failed env.a is not provided (and 1 more)",
		"pk/charts life/early-exit":      "failed request 7 has no answer",
		"pk/charts tool/shape":           "told",
		"pk/charts module/toolchain":     "told",
		"pk/charts frame/json":           "passed",
		"pk/charts call/content":         "",
		"pk/charts probe/meta":           "",
		"n verdict":                      "told",
		"n frame/cr":                     "failed CR (and 1 more)",
		"n module/toolchain":             "told",
		"n probe/meta":                   "passed",
		"r module/not-wasm":              "failed text",
		"r module/malformed":             "passed",
		"r frame/json":                   "skipped not looked at: the module was not run",
		"gone verdict":                   "error not there",
	} {
		if got[name] != want {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
	if shape := got["strict tool/shape"]; !strings.HasPrefix(shape, "failed annotations is ") {
		t.Errorf("strictly: %q", shape)
	}
	if known := got["pk/charts schema/pattern"]; !strings.HasPrefix(known, "skipped accepted: the model copes") {
		t.Errorf("accepted: %q", known)
	}
	if !bytes.Equal(junit(c, notices), junit(c, notices)) {
		t.Error("two reports of the same differ")
	}
}

// TestJUnitSums: what the attributes say is what stands there.
func TestJUnitSums(t *testing.T) {
	text := junit(append(others(), sample())...)
	type sums struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
	}
	var doc struct {
		sums
		Suites []struct {
			sums
			Cases []struct {
				Error   *string `xml:"error"`
				Skipped *string `xml:"skipped"`
				Failure *string `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	var all sums
	for _, s := range doc.Suites {
		var mine sums
		for _, c := range s.Cases {
			mine.Tests++
			switch {
			case c.Error != nil:
				mine.Errors++
			case c.Failure != nil:
				mine.Failures++
			case c.Skipped != nil:
				mine.Skipped++
			}
		}
		if mine != s.sums {
			t.Errorf("%+v, a suite says %+v", mine, s.sums)
		}
		all.Tests, all.Failures, all.Errors = all.Tests+mine.Tests, all.Failures+mine.Failures, all.Errors+mine.Errors
	}
	if all.Errors != 1 || all != doc.sums {
		t.Errorf("%+v, the report says %+v", all, doc.sums)
	}
}

// TestJUnitKeepsItsSchema holds reports to the schema that Jenkins reads them
// by, with xmllint where the machine has it.
func TestJUnitKeepsItsSchema(t *testing.T) {
	text := junit(append(others(), sample())...)
	decoder := xml.NewDecoder(bytes.NewReader(text))
	for {
		_, err := decoder.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("no XML: %v\n%s", err, text)
		}
	}
	lint, err := exec.LookPath("xmllint")
	if err != nil {
		t.Skip("this machine has no xmllint (Debian: libxml2-utils)")
	}
	file := filepath.Join(t.TempDir(), "junit.xml")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(lint, "--noout", "--nonet", "--schema", "testdata/junit.xsd", file).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

func TestGitHub(t *testing.T) {
	want := []string{
		`::error file=pk/charts/subako-package.json,line=3,title=package/manifest-abi in pk/charts::abi is "1", not 1%0Asubako-package.json, bytes 20-22%0ASubako: refuses the package (ABI page, Checklist)`,
		`::error file=pk/charts/module.wasm,title=module/import-module in pk/charts::env.a is not provided%0A`,
		`::error file=pk/charts/module.wasm,title=module/import-module in pk/charts::env.b is not provided%0A`,
		`::error file=pk/charts/src/main.c,line=12,title=life/trap in pk/charts::trap: unreachable in main.bar%0A`,
		`::error file=pk/charts/module.wasm,title=tool/name in pk/charts::tool 2 is named "Draw.Line"%0Aupload run, stdout line 2, bytes 14-24, /result/tools/1/name%0AD . L are not allowed%0A`,
		`::warning file=pk/charts/module.wasm,title=tool/shape in pk/charts::annotations is a␛[31m`,
		`::notice title=pk/charts::accepted, but not found: cache/hints (perch.toml:9)`,
		`::notice title=pk/charts::accepted, but not found: tool/member:bar (perch.toml:10)`,
		`::error title=pk/charts::Subako would refuse it: 2 tools, 5 errors, 1 accepted%0AMCP 2026-07-28: 1 warning`,
	}
	got := strings.Split(strings.TrimSuffix(string(report.GitHub(sample())), "\n"), "\n")
	if len(got) != len(want) {
		t.Fatalf("%d lines:\n%s", len(got), strings.Join(got, "\n"))
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("%s\nwant\n%s", got[i], want[i])
		}
	}
	if !strings.Contains(got[3], "%0Athen: request 7 has no answer%0A") || strings.Contains(string(report.GitHub(sample())), "early-exit in") {
		t.Errorf("what follows stands beside its cause: %s", got[3])
	}
}

func TestGitHubOfOthers(t *testing.T) {
	for _, c := range others() {
		text := string(report.GitHub(c))
		for line := range strings.Lines(text) {
			if !strings.HasPrefix(line, "::error ") && !strings.HasPrefix(line, "::warning ") && !strings.HasPrefix(line, "::notice ") {
				t.Errorf("no command of ours: %q", line)
			}
			if control(line) {
				t.Errorf("%q", line)
			}
			properties, _, _ := strings.Cut(strings.TrimPrefix(line, "::"), "::")
			if title, ok := strings.CutPrefix(properties[strings.LastIndex(properties, "title="):], "title="); !ok || strings.ContainsAny(title, ",:") {
				t.Errorf("a title with a sign in it: %q", properties)
			}
		}
	}
	problem := string(report.GitHub(report.Check{Path: "gone", Problem: "not there: 100%\nat all"}))
	if problem != "::error title=gone::not there: 100%25%0Aat all\n" {
		t.Errorf("%q", problem)
	}
	accepted := report.Check{Path: "p", Accepted: true, Ran: true, Findings: []rules.Finding{rules.Of(event.Breach{Rule: abi.CallContent})}}
	if got := string(report.GitHub(accepted)); !strings.Contains(got, "::notice title=p::Subako would accept it: 0 tools, nothing found%0AMCP 2026-07-28: 1 warning\n") {
		t.Error(got)
	}
	accepted.Gate.Strict = true
	if got := string(report.GitHub(accepted)); !strings.Contains(got, "::error title=p::Subako would accept it") {
		t.Error(got)
	}
}

// FuzzDocuments: whatever a module and a path hold, XML is XML, JSON is JSON,
// and an annotation is one line.
func FuzzDocuments(f *testing.F) {
	f.Add(hostileText, "path", int64(3), int64(9))
	f.Add("\xed\xa0\x80\uFFFE\x0b", "::a,b:c%\n", int64(-1), int64(1<<40))
	f.Add("", "", int64(0), int64(0))
	f.Fuzz(func(t *testing.T, text, name string, offset, end int64) {
		one := finding(event.Upload, event.Breach{Rule: abi.FrameJSON, Detail: text, Fix: text, Cause: text,
			Where: event.Where{Stream: event.Stdout, Line: 1, Offset: offset, End: end, Pointer: text, Name: text, File: text},
			Stack: []event.Frame{{Name: text, File: text, Line: 1}}})
		one.Tool, one.Accepted = text, name
		c := report.Check{Path: name, Package: report.Package{Name: text}, Findings: []rules.Finding{one}, Source: from(text, 0), Stdout: []byte(text), Stderr: []byte(text),
			Files: report.Files{Path: name}, Unused: []rules.Acceptance{{Rule: abi.CacheHints, Reason: text, From: text}}}
		problem := report.Check{Path: name, Problem: text}
		if log := sarif(c, problem); !json.Valid(log) {
			t.Errorf("%q", log)
		}
		decoder := xml.NewDecoder(bytes.NewReader(junit(c, problem)))
		for {
			if _, err := decoder.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
		one.Accepted = ""
		c.Findings = []rules.Finding{one}
		if got := report.GitHub(c); control(string(got)) || bytes.Count(got, []byte("\n")) != 3 {
			t.Errorf("%q", got)
		}
		if got := (report.Style{}).Check(c); control(got) {
			t.Errorf("%q", got)
		}
	})
}
