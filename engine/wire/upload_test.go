package wire_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/wire"
)

// answer gives a good answer with this result.
func answer(t *testing.T, request wire.Request, result string) *wire.Answer {
	t.Helper()
	s := finished([]wire.Request{request}, `{"jsonrpc":"2.0","id":`+request.ID+`,"result":`+result+"}\n")
	if len(s.answers) != 1 {
		t.Fatalf("%.100s is no answer: %q", result, s.faults())
	}
	return s.answers[0]
}

// at is the text that a breach points at, and its pointer.
func at(a *wire.Answer, b event.Breach) string {
	from := b.Where.Offset - a.Offset
	text := string(a.Raw[from : b.Where.End-a.Offset])
	if len(text) > 30 {
		text = text[:30] + "…"
	}
	return text + " " + b.Where.Pointer
}

type expected struct {
	rule   abi.RuleID
	at     string // "" when it stands on an earlier page
	detail string
}

func check(t *testing.T, a *wire.Answer, breaches []event.Breach, want []expected) {
	t.Helper()
	if len(breaches) != len(want) {
		t.Errorf("%.80s: %d breaches, want %d: %+v", a.Result.Raw(), len(breaches), len(want), breaches)
		return
	}
	for i, b := range breaches {
		wording(t, b)
		if b.Rule != want[i].rule || b.Detail != want[i].detail || want[i].at != "" && at(a, b) != want[i].at {
			t.Errorf("%.80s:\n%s %q at %+v\nwant %s %q at %s", a.Result.Raw(), b.Rule, b.Detail, b.Where, want[i].rule, want[i].detail, want[i].at)
		}
	}
}

func TestDiscover(t *testing.T) {
	const caps = `"capabilities":{"tools":{}}`
	const versions = `"supportedVersions":["2026-07-28"]`
	for _, c := range []struct {
		result string
		want   []expected
	}{
		{`{` + versions + `,` + caps + `}`, nil},
		{`{"supportedVersions":["2025-11-25","2026-07-28"],"capabilities":{"tools":{"listChanged":true},"prompts":{}},"ttlMs":1}`, nil},
		{`{` + caps + `}`, []expected{{abi.DiscoverVersions, `{"capabilities":{"tools":{}}} /result`, "the answer has no supportedVersions"}}},
		{`{"supportedVersions":"2026-07-28",` + caps + `}`, []expected{{abi.DiscoverVersions, `"2026-07-28" /result/supportedVersions`, `supportedVersions is "2026-07-28", not a list`}}},
		{`{"supportedVersions":[],` + caps + `}`, []expected{{abi.DiscoverVersions, `[] /result/supportedVersions`, "supportedVersions is empty"}}},
		{`{"supportedVersions":["2025-06-18",7],` + caps + `}`, []expected{{abi.DiscoverVersions, `["2025-06-18",7] /result/supportedVersions`, `supportedVersions holds "2025-06-18", 7, not "2026-07-28"`}}},
		{`{` + versions + `}`, []expected{{abi.DiscoverTools, `{"supportedVersions":["2026-07… /result`, "the answer has no capabilities, so it offers no tools"}}},
		{`{` + versions + `,"capabilities":[]}`, []expected{{abi.DiscoverTools, `[] /result/capabilities`, "capabilities is a list, not an object"}}},
		{`{` + versions + `,"capabilities":{}}`, []expected{{abi.DiscoverTools, `{} /result/capabilities`, "capabilities has no tools: the package offers none"}}},
		{`{` + versions + `,"capabilities":{"tools":true}}`, []expected{{abi.DiscoverTools, `true /result/capabilities/tools`, "capabilities.tools is true, not an object"}}},
		{`{"protocolVersion":"2025-06-18"}`, []expected{
			{abi.DiscoverVersions, `{"protocolVersion":"2025-06-18… /result`, "the answer has no supportedVersions"},
			{abi.DiscoverTools, `{"protocolVersion":"2025-06-18… /result`, "the answer has no capabilities, so it offers no tools"}}},
	} {
		a := answer(t, wire.Discover(`"d-1"`), c.result)
		check(t, a, wire.CheckDiscover(a), c.want)
	}
}

func tool(name string) string {
	return fmt.Sprintf(`{"name":%q,"description":"d","inputSchema":{"type":"object"}}`, name)
}

func tools(n int) string {
	var list []string
	for i := range n {
		list = append(list, tool(fmt.Sprintf("t%d", i)))
	}
	return strings.Join(list, ",")
}

// pages lists these results, each a page, and gives all breaches.
func pages(t *testing.T, results ...string) (*wire.Lister, *wire.Answer, []event.Breach, []byte) {
	t.Helper()
	l := wire.NewLister()
	var last *wire.Answer
	var all []event.Breach
	var cursor []byte
	for _, r := range results {
		last = answer(t, wire.List("4711", cursor), r)
		var found []event.Breach
		cursor, found = l.Page(last)
		all = append(all, found...)
	}
	return l, last, append(all, l.Finish()...), cursor
}

func TestTools(t *testing.T) {
	const schema = `"inputSchema":{"type":"object"}`
	long := strings.Repeat("a", 65)
	big := `{"type":"object","enum":["` + strings.Repeat("x", abi.MaxSchema) + `"]}`
	for _, c := range []struct {
		tools string
		want  []expected
	}{
		{tool("greet"), nil},
		{tool(long[1:]), nil},
		{`{"name":"a",` + schema + `}`, nil},
		{`{"name":"a","description":"` + strings.Repeat("é", 1024) + `",` + schema + `,"outputSchema":{"type":"array"}}`, nil},
		{`{"name":"a","description":"","inputSchema":{"$schema":"x","type":"object","properties":{}}}`, nil},
		{tool("ok") + "," + tool("Draw.Line"), []expected{{abi.ToolName, `"Draw.Line" /result/tools/1/name`, `tool 2 is named "Draw.Line"; D . L are not allowed`}}},
		{tool("läs"), []expected{{abi.ToolName, `"läs" /result/tools/0/name`, `tool 1 is named "läs"; ä is not allowed`}}},
		{`{"name":"a b\u202e",` + schema + `}`, []expected{{abi.ToolName, `"a b\u202e" /result/tools/0/name`, `tool 1 is named "a b⟨U+202E⟩"; the space ⟨U+202E⟩ are not allowed`}}},
		{tool(long), []expected{{abi.ToolName, `"` + long[:29] + `… /result/tools/0/name`, `the name of tool 1, "` + long[:60] + `…", has 65 characters; at most 64 are allowed`}}},
		{tool(""), []expected{{abi.ToolName, `"" /result/tools/0/name`, "the name of tool 1 is empty"}}},
		{`{"name":7,` + schema + `}`, []expected{{abi.ToolName, `7 /result/tools/0/name`, "the name of tool 1 is 7, not a string"}}},
		{`{` + schema + `}`, []expected{{abi.ToolName, `{"inputSchema":{"type":"object… /result/tools/0`, "tool 1 has no name"}}},
		{`7`, []expected{{abi.ToolName, `7 /result/tools/0`, "tool 1 is 7, not an object"}}},
		{`{"name":"a","description":null,` + schema + `}`, []expected{{abi.ToolDescription, `null /result/tools/0/description`, `the description of tool 1 ("a") is null, not a string`}}},
		{`{"name":"a","description":"` + strings.Repeat("é", 1025) + `",` + schema + `}`, []expected{{abi.ToolDescription, `"` + strings.Repeat("é", 14) + "\xc3… /result/tools/0/description", `the description of tool 1 ("a") has 1,025 characters; at most 1,024 are allowed`}}},
		{`{"name":"a"}`, []expected{{abi.ToolSchemaObject, `{"name":"a"} /result/tools/0`, `tool 1 ("a") has no inputSchema`}}},
		{`{"name":"a","input_schema":{}}`, []expected{{abi.ToolSchemaObject, `{} /result/tools/0/input_schema`, `tool 1 ("a") has no inputSchema, but input_schema`}}},
		{`{"name":"a","inputSchema":true}`, []expected{{abi.ToolSchemaObject, `true /result/tools/0/inputSchema`, `inputSchema of tool 1 ("a") is true, not an object`}}},
		{`{"name":"a","inputSchema":{"anyOf":[]}}`, []expected{{abi.ToolSchemaObject, `{"anyOf":[]} /result/tools/0/inputSchema`, `inputSchema of tool 1 ("a") has no type at the top`}}},
		{`{"name":"a","inputSchema":{"type":"string"}}`, []expected{{abi.ToolSchemaObject, `"string" /result/tools/0/inputSchema/type`, `inputSchema of tool 1 ("a") has the type "string" at the top, not "object"`}}},
		{`{"name":"a","inputSchema":{"type":["object"]}}`, []expected{{abi.ToolSchemaObject, `["object"] /result/tools/0/inputSchema/type`, `inputSchema of tool 1 ("a") has the type a list at the top, not "object"`}}},
		{`{"name":"a","inputSchema":` + big + `}`, []expected{{abi.ToolSchemaSize, `{"type":"object","enum":["xxxx… /result/tools/0/inputSchema`, `inputSchema of tool 1 ("a") is 65,565 bytes as sent; at most 64 KiB are allowed`}}},
	} {
		_, a, breaches, _ := pages(t, `{"tools":[`+c.tools+`]}`)
		check(t, a, breaches, c.want)
	}
	// One tool with everything wrong does not hide the one behind it.
	l, _, breaches, _ := pages(t, `{"tools":[{"name":"A","description":7,"outputSchema":`+big+`},`+tool("b")+`]}`)
	var rules []abi.RuleID
	for _, b := range breaches {
		rules = append(rules, b.Rule)
	}
	if !slices.Equal(rules, []abi.RuleID{abi.ToolName, abi.ToolDescription, abi.ToolSchemaObject, abi.ToolSchemaSize}) {
		t.Errorf("breaches of one tool: %q", rules)
	}
	if list := l.Tools(); len(list) != 2 || !list[0].Bad || list[1].Bad || list[1].Name != "b" || string(list[1].Raw) != tool("b") {
		t.Errorf("tools %+v", list)
	}
}

func TestToolFields(t *testing.T) {
	l, _, _, _ := pages(t, `{"tools":[{"name":"a","title":"A","inputSchema":{"type":"object"}}],"nextCursor":"x"}`,
		`{"tools":[{"name":"b","description":"","inputSchema":{"type":"object"},"outputSchema":{}}]}`)
	list := l.Tools()
	a, b := list[0], list[1]
	if a.Title != "A" || !a.HasTitle || a.HasDescription || !a.OutputSchema.IsZero() || a.Page != 1 || a.Index != 0 || a.Where.Pointer != "/result/tools/0" {
		t.Errorf("%+v", a)
	}
	if b.HasTitle || !b.HasDescription || b.Description != "" || string(b.OutputSchema.Raw()) != "{}" || b.Page != 2 || b.Index != 1 || b.Where.Pointer != "/result/tools/0" {
		t.Errorf("%+v", b)
	}
}

func TestNamesThatAreSuggested(t *testing.T) {
	for name, want := range map[string]string{
		"Draw.Line": "draw_line", "ReadFile": "read_file", "files.read": "files_read", "läs": "las", "HTTPGet": "httpget",
		"Get-Thing": "get-thing", "..": "my_tool", "日本": "my_tool", strings.Repeat("a", 70): strings.Repeat("a", 64), "a  b": "a_b",
	} {
		_, _, breaches, _ := pages(t, `{"tools":[`+tool(name)+`]}`)
		if len(breaches) != 1 || breaches[0].Fix != "Rename it, for example "+want+"." {
			t.Errorf("%q: %+v, want %s", name, breaches, want)
		}
	}
}

func TestLists(t *testing.T) {
	schema5k := `{"type":"object","title":"` + strings.Repeat("x", 5<<10) + `"}`
	var large []string
	for i := range 64 {
		large = append(large, fmt.Sprintf(`{"name":"t%d","inputSchema":%s}`, i, schema5k))
	}
	for _, c := range []struct {
		pages []string
		want  []expected
	}{
		{[]string{`{"tools":[` + tools(64) + `]}`}, nil},
		{[]string{`{"tools":[` + tool("a") + `],"nextCursor":"x"}`, `{"tools":[],"nextCursor":"y"}`, `{"tools":[` + tool("b") + `]}`}, nil},
		{[]string{`{}`}, []expected{{abi.ListArray, `{} /result`, "the answer has no tools"}}},
		{[]string{`{"tools":{}}`}, []expected{{abi.ListArray, `{} /result/tools`, "tools is an object, not a list"}}},
		{[]string{`{"tools":null}`}, []expected{{abi.ListArray, `null /result/tools`, "tools is null, not a list"}}},
		{[]string{`{"tools":[]}`}, []expected{{abi.ListCount, `[] /result/tools`, "the package lists no tools; at least one is needed"}}},
		{[]string{`{"tools":[` + tools(65) + `]}`}, []expected{{abi.ListCount, `[{"name":"t0","description":"d… /result/tools`, "the package lists 65 tools; at most 64 are allowed"}}},
		{[]string{`{"tools":[` + tool("dup") + "," + tool("a") + "," + tool("dup") + "," + tool("dup") + `]}`},
			[]expected{{abi.ListUnique, `"dup" /result/tools/2/name`, `tool 3 is named "dup", like tool 1`}}},
		{[]string{`{"tools":[` + tool("dup") + `],"nextCursor":"x"}`, `{"tools":[` + tool("dup") + `]}`},
			[]expected{{abi.ListUnique, `"dup" /result/tools/0/name`, `tool 2 is named "dup", like tool 1 on page 1`}}},
		{[]string{`{"tools":[` + strings.Join(large, ",") + `]}`}, []expected{{abi.ListSize, `{"name":"t50","inputSchema":{"… /result/tools/50`, "all tools together pass 256 KiB with tool 51 (bytes as sent)"}}},
		{[]string{`{"tools":[` + tool("a") + `],"nextCursor":null}`}, []expected{{abi.ListCursor, `null /result/nextCursor`, "nextCursor is null. MCP has no null here; read as no further page (our reading)"}}},
		{[]string{`{"tools":[` + tool("a") + `],"nextCursor":""}`, `{"tools":[]}`}, []expected{{abi.ListCursor, ``, `nextCursor is "". MCP takes it for a cursor, some readers for the end; the next page is asked for`}}},
		{[]string{`{"tools":[` + tool("a") + `],"nextCursor":7}`, `{"tools":[]}`}, []expected{{abi.ListCursor, ``, "nextCursor is a number, not a string; it is sent back as it is (our reading)"}}},
	} {
		_, a, breaches, _ := pages(t, c.pages...)
		check(t, a, breaches, c.want)
	}
}

func TestCursor(t *testing.T) {
	for result, want := range map[string]string{
		`{"tools":[],"nextCursor":"\u0061/b"}`: `"\u0061/b"`, `{"tools":[],"nextCursor":""}`: `""`, `{"tools":[],"nextCursor":{"a":[1]}}`: `{"a":[1]}`,
		`{"tools":[],"nextCursor":null}`: "", `{"tools":[]}`: "",
	} {
		if _, _, _, cursor := pages(t, result); string(cursor) != want || (cursor == nil) != (want == "") {
			t.Errorf("%s: the next page is %q", result, cursor)
		}
	}
}

// TestEndlessPages: the same page comes for ever.
func TestEndlessPages(t *testing.T) {
	page := `{"tools":[` + tool("x") + `],"nextCursor":"a"}`
	l := wire.NewLister()
	var rules []abi.RuleID
	for n := 1; ; n++ {
		cursor, found := l.Page(answer(t, wire.List("4711", nil), page))
		for _, b := range found {
			wording(t, b)
			rules = append(rules, b.Rule)
		}
		if n == 2 && !slices.Equal(rules, []abi.RuleID{abi.ListUnique, abi.ListCursor}) {
			t.Errorf("on page 2: %q", rules)
		}
		if cursor == nil {
			if n != abi.MaxPages {
				t.Errorf("stopped after page %d", n)
			}
			break
		}
	}
	if last := rules[len(rules)-1]; last != abi.ListPages {
		t.Errorf("the last breach is of %s", last)
	}
	once := 0
	for _, r := range rules {
		if r == abi.ListUnique {
			once++
		}
	}
	if once != 1 {
		t.Errorf("a tool listed again and again gives %d breaches", once)
	}
}

func TestManyTools(t *testing.T) {
	l, _, breaches, _ := pages(t, `{"tools":[`+strings.Repeat("0,", 200_000)+`0]}`)
	if len(l.Tools()) != abi.MaxListed || len(breaches) > abi.MaxListed+2 {
		t.Errorf("%d tools kept, %d breaches", len(l.Tools()), len(breaches))
	}
	if b := breaches[len(breaches)-1]; b.Detail != "the package lists 200,001 tools; at most 64 are allowed" {
		t.Errorf("the last breach says %q", b.Detail)
	}
}
