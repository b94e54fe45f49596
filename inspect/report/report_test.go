package report_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/model"
	"perch/inspect/report"
	"perch/inspect/rules"
	"perch/inspect/safe"
)

// from is a source of one line.
func from(line string, at int64) report.Source {
	return func(rules.Finding) ([]byte, int64, bool) { return []byte(line), at, true }
}

func finding(run event.RunKind, b event.Breach) rules.Finding {
	f := rules.Of(b)
	f.Run = run
	return f
}

func TestFindingsInText(t *testing.T) {
	utf8Mode, ascii := safe.Mode{}, safe.Mode{ASCII: true}
	logLine := finding(event.Call, event.Breach{Rule: abi.FrameJSON,
		Where:  event.Where{Stream: event.Stdout, Line: 2, Offset: 89, End: 102},
		Detail: "line 2 on stdout is a log line, not a JSON-RPC message", Fix: "Logs belong on stderr."})
	for _, c := range []struct {
		name string
		f    rules.Finding
		src  report.Source
		mode safe.Mode
		want string
	}{
		{"a log line", logLine, from("rendering bar", 89), utf8Mode, `
error[frame/json]: line 2 on stdout is a log line, not a JSON-RPC message
  --> call run, stdout line 2, bytes 89-101
   |
 2 | rendering bar
   | ^^^^^^^^^^^^^
   = Subako: breaks the call (ABI page, A call, from start to end)
   = fix: Logs belong on stderr.
`},
		{"bytes that do not show", finding(event.Upload, event.Breach{Rule: abi.FrameJSON,
			Where:  event.Where{Stream: event.Stdout, Line: 1, Offset: 10, End: 11, Pointer: "/result"},
			Detail: "byte E9 at offset 10 is not UTF-8. Our reading: a line is UTF-8"}), from("\x1b[31m{\"né\xe9\u202e", 0), utf8Mode, `
error[frame/json]: byte E9 at offset 10 is not UTF-8
  --> upload run, stdout line 1, byte 10, /result
   |
 1 | ␛[31m{"né⟨E9⟩⟨U+202E⟩
   |          ^^^^
   = Our reading: a line is UTF-8
   = Subako: refuses the package, its upload run is broken (ABI page, A call,
     from start to end)
`},
		{"a choice of ours, told once", finding(event.Call, event.Breach{Rule: abi.FrameUTF8,
			Where:  event.Where{Stream: event.Stdout, Line: 1, Offset: 0, End: 1},
			Detail: "byte E9 at offset 0 is not UTF-8. Our reading: a line is UTF-8 (RFC 8259)"}), nil, utf8Mode, `
error[frame/utf8]: byte E9 at offset 0 is not UTF-8
  --> call run, stdout line 1, byte 0
   = Our reading: a line is UTF-8 (RFC 8259)
   = our reading: Subako breaks the call
`},
		{"a file that is not there", finding("", event.Breach{Rule: abi.PackageModuleMissing,
			Where: event.Where{Stream: event.File, File: abi.ModuleFile}, Detail: "there is no module.wasm"}), nil, utf8Mode, `
error[package/module-missing]: there is no module.wasm
  --> module.wasm
   = Subako: refuses the package (ABI page, Checklist)
`},
		{"the same where only ASCII is shown", finding(event.Upload, event.Breach{Rule: abi.FrameJSON,
			Where:  event.Where{Stream: event.Stdout, Line: 1, Offset: 10, End: 11},
			Detail: "byte E9 at offset 10 is not UTF-8"}), from("\x1b[31m{\"né\xe9\u202e", 0), ascii, `
error[frame/json]: byte E9 at offset 10 is not UTF-8
  --> upload run, stdout line 1, byte 10
   |
 1 | \x1b[31m{"n<U+00E9><E9><U+202E>
   |                    ^^^^
   = Subako: refuses the package, its upload run is broken (ABI page, A call,
     from start to end)
`},
		{"wide characters before the place", finding(event.Call, event.Breach{Rule: abi.RPCVersion,
			Where: event.Where{Stream: event.Stdout, Line: 1, Offset: 6, End: 9}, Detail: "x"}), from("日本abc", 0), utf8Mode, `
error[rpc/version]: x
  --> call run, stdout line 1, bytes 6-8
   |
 1 | 日本abc
   |     ^^^
   = Subako: breaks the call (ABI page, A call, from start to end)
`},
		{"behind the last byte", finding(event.Call, event.Breach{Rule: abi.FrameNewline,
			Where: event.Where{Stream: event.Stdout, Line: 1, Offset: 2, End: 2}, Detail: "the last line does not end in \\n"}), from("{}", 0), utf8Mode, `
error[frame/newline]: the last line does not end in \n
  --> call run, stdout line 1, byte 2
   |
 1 | {}
   |   ^
   = Subako: breaks the call (ABI page, A call, from start to end)
`},
		{"a module, with names of its own", finding("", event.Breach{Rule: abi.ModuleImportModule,
			Where:  event.Where{Stream: event.File, File: "a\x1b.wasm", Section: "code", Func: 7, Offset: 120, Name: "e\nnv"},
			Detail: "\"e\\nnv\" is not provided"}), nil, utf8Mode, `
error[module/import-module]: "e\nnv" is not provided
  --> a␛.wasm, code section, function 7, byte 120, e␊nv
   = Subako: refuses the package (ABI page, The module)
`},
		{"our own limit", finding("", event.Breach{Rule: abi.ModuleMemoryLimit, Detail: "4 GiB"}), nil, utf8Mode, `
error[module/memory-limit]: 4 GiB
   = refused by our limit; Subako's is not published
`},
		{"a stack", finding(event.Call, event.Breach{Rule: abi.LifeTrap, Detail: "trap: unreachable",
			Stack: []event.Frame{{Name: "main.parse", File: "main.go", Line: 12}, {Name: "\x1b]0;x"}}}), nil, utf8Mode, `
error[life/trap]: trap: unreachable
  --> call run
   = stack: main.parse  main.go:12
     ␛]0;x
   = Subako: breaks the call (ABI page, What breaks a call)
`},
		{"MCP's word", finding(event.Call, event.Breach{Rule: abi.CallContent, Detail: "content is missing"}), nil, utf8Mode, `
warning[call/content]: content is missing
  --> call run
   = MCP 2026-07-28, CallToolResult: warning. Subako does not look at it
`},
		{"the model goes without", finding(event.Call, event.Breach{Rule: abi.BlockImage, Detail: "no image"}), nil, utf8Mode, `
warning[block/image]: no image
  --> call run
   = Subako: goes on; the model goes without the image (ABI page, When the agent
     calls a tool)
`},
		{"the module is told", finding(event.Call, event.Breach{Rule: abi.HTTPTooLarge, Detail: "300 KiB"}), nil, utf8Mode, `
warning[http/too-large]: 300 KiB
  --> call run
   = Subako: goes on; the module is told (ABI page, HTTP: subako_http)
`},
		{"what follows", finding(event.Call, event.Breach{Rule: abi.LifeExitCode, Detail: "Exited with status 1", Follow: true}), nil, utf8Mode, `
error[life/exit-code]: Exited with status 1
  --> call run
   = follows from the first finding, and decides nothing
`},
	} {
		got := report.Style{Safe: c.mode}.Finding(c.f, c.src)
		if want := strings.TrimPrefix(c.want, "\n"); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, want)
		}
	}
}

// TestExcerptOfALongLine: the marks stand below their bytes and within the
// width, wherever in a line of a megabyte they are.
func TestExcerptOfALongLine(t *testing.T) {
	for name, unit := range map[string]string{"letters": "abcdefghij", "wide": "日本語の", "hidden": "\x1b\x00\u202e", "no UTF-8": "\xff\xfe\xc3", "emoji": "👩‍👩‍👧🇯🇵"} {
		line := strings.Repeat(unit, 1<<20/len(unit))
		for _, at := range []int{0, 1, 7, 99, 1000, len(line) / 2, len(line) - 1, len(line)} {
			for _, n := range []int{0, 1, 3, 5000} {
				f := finding(event.Call, event.Breach{Rule: abi.FrameJSON, Detail: "x",
					Where: event.Where{Stream: event.Stdout, Line: 3, Offset: int64(at), End: int64(at + n)}})
				start := time.Now()
				lines := strings.Split(report.Style{Width: 60}.Finding(f, from(line, 0)), "\n")
				if took := time.Since(start); took > 20*time.Second {
					t.Errorf("%s: it took %v", name, took)
				}
				text, marks := lines[3], lines[4]
				if w := safe.Width(text); w > 60+5 || safe.Width(marks) > 60+5 || !strings.Contains(marks, "^") {
					t.Errorf("%s at %d: %d cells\n%s\n%s", name, at, w, text, marks)
				}
				if column := safe.Width(marks[:strings.IndexByte(marks, '^')]); column > 5+20 {
					t.Errorf("%s at %d: the marks begin at cell %d", name, at, column)
				}
			}
		}
	}
}

func TestLongTextsAreCut(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	f := finding(event.Call, event.Breach{Rule: abi.FrameJSON, Detail: long, Fix: long, Where: event.Where{Stream: event.Stdout, Pointer: long}})
	if got := (report.Style{}).Finding(f, nil); len(got) > 4_000 {
		t.Errorf("%d bytes", len(got))
	}
}

func TestSmallWords(t *testing.T) {
	s, ascii := report.Style{}, report.Style{Safe: safe.Mode{ASCII: true}}
	for _, c := range []struct{ got, want string }{
		{s.Duration(31 * time.Microsecond), "31 µs"}, {ascii.Duration(31 * time.Microsecond), "31 us"}, {s.Duration(4200 * time.Microsecond), "4.2 ms"},
		{s.Duration(84 * time.Millisecond), "84 ms"}, {s.Duration(2400 * time.Millisecond), "2.4 s"},
		{s.Row("ok", "", "a\x1b"), "ok · a␛"}, {ascii.Row("ok", "é"), "ok - <U+00E9>"},
		{report.Counts(nil), "nothing found"},
		{report.Counts([]rules.Finding{{Severity: abi.Error}, {Severity: abi.Warning}, {Severity: abi.Warning}, {Severity: abi.Info}}), "1 error, 2 warnings"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func code(n uint32) *uint32 { return &n }

func several(all ...report.Check) []byte {
	var j report.JSON
	for _, c := range all {
		j.Add(c)
	}
	return j.Bytes()
}

// TestMCPInJSON: what follows from another finding, and what is Subako's alone,
// does not count.
func TestMCPInJSON(t *testing.T) {
	follows := rules.Of(event.Breach{Rule: abi.CallContent, Follow: true})
	c := report.Check{Ran: true, Findings: []rules.Finding{rules.Of(event.Breach{Rule: abi.CallContent}), rules.Of(event.Breach{Rule: abi.ToolName}), follows}}
	if got := string(c.JSON()); !strings.HasSuffix(got, `"mcp":{"version":"2026-07-28","verdict":"departs","count":1}}`) {
		t.Error(got)
	}
}

// TestJSONForm holds the reports to their members, in their order.
func TestJSONForm(t *testing.T) {
	p := report.Package{Name: "gree\xffter", ABI: "{\n\"a\": 1\n}", SHA256: "4f1c", Bytes: 7, Toolchain: "clang\x00\xfe"}
	const pack = `{"name":"gree` + "\uFFFD" + `ter","name_base64":"Z3JlZf90ZXI=","abi":{"a":1},"sha256":"4f1c","bytes":7,"toolchain":"clang\u0000` + "\uFFFD" + `","toolchain_base64":"Y2xhbmcA/g=="}`
	f := finding(event.Call, event.Breach{Rule: abi.LifeExitLate, Detail: "Did not exit. More.", Fix: "Exit.",
		Where: event.Where{Stream: event.Stdout, Line: 1, Offset: 17, End: 20, Pointer: "/a"}, Follow: true, Cause: "c",
		Stack: []event.Frame{{Func: 3, Name: "f", Offset: 9, File: "a.c", Line: 2}}})
	const found = `[{"rule":"life/exit-late","class":"H","severity":"error","title":"Did not exit","detail":"Did not exit. More.","fix":"Exit.",` +
		`"where":{"stream":"stdout","line":1,"offset":17,"end":20,"pointer":"/a"},"run":"call","cause":"c","follows":true,` +
		`"stack":[{"func":3,"name":"f","offset":9,"file":"a.c","line":2}],"side":"Subako","tool":"t` + "\uFFFD" + `","tool_base64":"dP8=",` +
		`"also":[{"stream":"stdout","line":2,"offset":30,"end":31}],"accepted":"known"}]`
	const tool = `{"name":"a",  "x":1.0}`
	const unknown, kept = `,"mcp":{"version":"2026-07-28","verdict":"unknown","count":0}`, `,"mcp":{"version":"2026-07-28","verdict":"kept","count":0}`
	f.Tool, f.Accepted, f.Also = "t\xff", "known", []event.Where{{Stream: event.Stdout, Line: 2, Offset: 30, End: 31}}
	check := report.Check{Path: "./p", Ran: true, Package: p, Accepted: true, Unused: []rules.Acceptance{{Rule: abi.ToolName, Tool: "a", Reason: "r", From: "perch.toml:7"}}, Tools: [][]byte{[]byte(tool), []byte(tool)}, Findings: []rules.Finding{f}}
	call := report.Call{Package: report.Package{Name: "p"}, Tool: "t", Outcome: event.OK,
		Model:  []model.Block{{Type: model.Text, Text: "a\xff"}, {Type: model.Image, Text: "image/png, 3x2, 2 B", MIME: "image/png", Data: []byte{1, 2}, W: 3, H: 2, Path: "/volume/tmp/a.png"}},
		Result: []byte(`{"content":[],"n":1.00}`), Exit: event.Exit{Code: code(0), AfterEOF: 1_900_000}, StderrTail: []byte("x\x80"),
		Usage: event.Usage{Time: 3_482_000, Ticks: 9, MemoryPeak: 65536, Stdout: 8, Stderr: 2, Written: 4, HTTP: 1}}
	trapped := report.Call{Package: report.Package{Name: "p"}, Tool: "t\xff", Outcome: event.Broken, Exit: event.Exit{Trap: "unreachable", AfterEOF: -1}}
	notRun := report.Call{Package: report.Package{Name: "p"}, Tool: "t", Outcome: event.Refused, NotRun: true}
	const none = `"package":{"name":"p","abi":null,"sha256":"","bytes":0,"toolchain":""}`
	const noUsage = `"usage":{"ms":0,"ticks":0,"memory_peak":0,"stdout":0,"stderr":0,"written":0,"http":0}`
	for name, c := range map[string]struct {
		got  []byte
		want string
	}{
		"check":   {check.JSON(), `{"package":` + pack + `,"verdict":"accepted","tools":[` + tool + `,` + tool + `],"findings":` + found + `,"path":"./p"` + kept + `,"accepted_unused":[{"rule":"tool/name","tool":"a","reason":"r","from":"perch.toml:7"}]}`},
		"refused": {report.Check{Package: report.Package{Name: "p"}}.JSON(), `{` + none + `,"verdict":"refused","tools":[],"findings":[],"path":""` + unknown + `}`},
		"several": {several(report.Check{Package: report.Package{Name: "p"}}, report.Check{Path: "q", Problem: "it is not there"}),
			`{"checks":[{` + none + `,"verdict":"refused","tools":[],"findings":[],"path":""` + unknown + `}],"errors":[{"path":"q","error":"it is not there"}]}`},
		"no check": {several(), `{"checks":[]}`},
		"call": {call.JSON(), `{` + none + `,"tool":"t","outcome":"ok","model":[{"type":"text","text":"a` + "\uFFFD" + `","text_base64":"Yf8="},` +
			`{"type":"image","text":"image/png, 3x2, 2 B","mimeType":"image/png","bytes":2,"width":3,"height":2,"path":"/volume/tmp/a.png"}],` +
			`"result":{"content":[],"n":1.00},"exit":{"code":0,"after_eof_ms":1},"findings":[],"stderr_tail":"x` + "\uFFFD" + `","stderr_tail_base64":"eIA=",` +
			`"usage":{"ms":3.482,"ticks":9,"memory_peak":65536,"stdout":8,"stderr":2,"written":4,"http":1}` + kept + `}`},
		"trapped": {trapped.JSON(), `{` + none + `,"tool":"t` + "\uFFFD" + `","tool_base64":"dP8=","outcome":"broken","model":[],` +
			`"exit":{"code":null,"after_eof_ms":null,"trap":"unreachable"},"findings":[],"stderr_tail":"",` + noUsage + kept + `}`},
		"not run": {notRun.JSON(), `{` + none + `,"tool":"t","outcome":"refused","model":[],"exit":{"code":null,"after_eof_ms":null},"findings":[],"stderr_tail":"",` + noUsage + unknown + `}`},
	} {
		if string(c.got) != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, c.got, c.want)
		}
		if !json.Valid(c.got) || !utf8.Valid(c.got) || bytes.IndexByte(c.got, '\n') >= 0 {
			t.Errorf("%s is not one line of JSON: %s", name, c.got)
		}
	}
}

// control reports whether text holds what a terminal would act on.
func control(text string) bool {
	for _, r := range text {
		if r != '\n' && (r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0x202e || r == 0x2066 || r == 0x2028) {
			return true
		}
	}
	return !utf8.ValidString(text)
}

func TestJSONForATerminal(t *testing.T) {
	plain := []byte(`{"a":"b"}`)
	if got := report.Terminal(plain); &got[0] != &plain[0] {
		t.Error("plain JSON was copied")
	}
	in := []byte("{\"a\":\"\u009b31m\x7f\u202e é 日 \U000E0001\"}\n")
	got := report.Terminal(in)
	if control(string(got)) {
		t.Errorf("%q", got)
	}
	for _, want := range []string{`\u009b31m\u007f\u202e é 日 \udb40\udc01`} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%s has no %s", got, want)
		}
	}
	var a, b any
	if json.Unmarshal(in, &a) != nil || json.Unmarshal(got, &b) != nil || a.(map[string]any)["a"] != b.(map[string]any)["a"] {
		t.Errorf("%q says something else than %q", got, in)
	}
}

// FuzzNothingReachesTheTerminal: no text of a module comes through as a control
// character, in any part of a finding.
func FuzzNothingReachesTheTerminal(f *testing.F) {
	f.Add("a. B", "line", int64(1), int64(2), false)
	f.Add("\x1b[2J\n\u009b", "\xff\u202e\x00", int64(0), int64(1), true)
	f.Add("\r\x7f", "👩‍👩‍👧\u0301", int64(5), int64(3), false)
	f.Fuzz(func(t *testing.T, text, line string, offset, end int64, ascii bool) {
		finding := finding(event.Call, event.Breach{Rule: abi.FrameJSON, Detail: text, Fix: text, Cause: text,
			Where: event.Where{Stream: event.Stdout, Line: 1, Offset: offset, End: end, Pointer: text, Name: text, Section: "code", File: text},
			Stack: []event.Frame{{Name: text, File: text, Line: 1}}})
		mode := safe.Mode{ASCII: ascii}
		got := report.Style{Safe: mode}.Finding(finding, from(line, 0))
		if control(got) || ascii && strings.ContainsFunc(got, func(r rune) bool { return r >= 0x80 }) {
			t.Errorf("%q", got)
		}
		if row := (report.Style{Safe: mode}).Row(text, line); control(row) || strings.Contains(row, "\n") {
			t.Errorf("%q", row)
		}
		out := report.Check{Package: report.Package{Name: text, Toolchain: line}, Findings: []rules.Finding{finding}}.JSON()
		if !json.Valid(out) || !json.Valid(report.Terminal(out)) || control(string(report.Terminal(out))) {
			t.Errorf("%q", out)
		}
	})
}

// TestEveryFindingHasItsRun: the package and the module are part of the check
// that an upload makes.
func TestEveryFindingHasItsRun(t *testing.T) {
	for run, want := range map[event.RunKind]string{"": "upload", event.Upload: "upload", event.Call: "call"} {
		f := finding(run, event.Breach{Rule: abi.ModuleStartMissing})
		got := string(report.Check{Findings: []rules.Finding{f}}.JSON())
		if !strings.Contains(got, `"run":"`+want+`"`) {
			t.Errorf("found in run %q: %s, want %q", run, got, want)
		}
	}
}

// TestCallVerdictsFit: in one line where that is wide enough, else in two.
func TestCallVerdictsFit(t *testing.T) {
	long := finding(event.Call, event.Breach{Rule: abi.FrameContentLength, Where: event.Where{Stream: event.Stdout, Line: 1, End: 2}})
	long.AlsoMCP = true
	for _, c := range []struct {
		all  []rules.Finding
		want string
	}{
		{nil, "Subako: broken · MCP 2026-07-28: nothing found"},
		{[]rules.Finding{long}, "Subako: broken: frame/content-length\nMCP 2026-07-28: broken: frame/content-length"},
	} {
		if got := (report.Style{}).CallVerdicts(event.Broken, c.all); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
