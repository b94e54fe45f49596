package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/wire"
	"perch/inspect/rules"
)

// stage puts a module's lines before the engine's judge and records what a run
// of the engine would: an upload run asks with the ids "d-1", 1001, 1002 and so
// on, a call with "call-9".
type stage struct {
	bodies []event.Body
	judge  *wire.Judge
	lister *wire.Lister
	asked  wire.Request
	lines  int
	stdin  int64
	stdout int64
	over   bool
}

func played(kind event.RunKind, stdout string) []event.Body {
	s := &stage{bodies: []event.Body{begin(kind)}, judge: wire.NewJudge(), lister: wire.NewLister()}
	if kind == event.Upload {
		s.ask(wire.Discover(`"d-1"`))
	} else {
		s.ask(wire.Call(`"call-9"`, "greet", []byte("{}")))
	}
	s.bodies = append(s.bodies, event.Output{Stream: event.Stdout, Bytes: []byte(stdout), Len: len(stdout)})
	for _, item := range s.judge.Write([]byte(stdout)) {
		s.take(item)
	}
	for _, item := range s.judge.Finish() {
		s.take(item)
	}
	return s.bodies
}

func (s *stage) ask(q wire.Request) {
	s.lines++
	q.Line, q.Offset = s.lines, s.stdin
	s.stdin += int64(len(q.Bytes))
	s.asked = q
	s.judge.Asked(q)
	s.bodies = append(s.bodies, event.Request{Line: q.Line, Offset: q.Offset, Bytes: q.Bytes, ID: q.ID, Method: q.Method})
}

func (s *stage) take(item wire.Item) {
	if item.Message != nil {
		s.bodies = append(s.bodies, *item.Message)
	}
	s.breaches(item.Breaches)
	a := item.Answer
	if a == nil {
		return
	}
	switch s.asked.Method {
	case abi.MethodDiscover:
		s.breaches(wire.CheckDiscover(a))
		s.ask(wire.List("1001", nil))
	case abi.MethodList:
		cursor, found := s.lister.Page(a)
		s.breaches(found)
		if cursor == nil {
			s.breaches(s.lister.Finish())
			return
		}
		s.ask(wire.List(fmt.Sprint(1000+s.lines), cursor))
	case abi.MethodCall:
		s.breaches(wire.CheckCall(a))
	}
}

func (s *stage) breaches(list []event.Breach) {
	for _, b := range list {
		s.bodies = append(s.bodies, b)
	}
}

// heard are the findings of a run whose module wrote this to stdout.
func heard(t *testing.T, kind event.RunKind, stdout string) []rules.Finding {
	t.Helper()
	return rules.Run(recorded(t, played(kind, stdout)...), rules.Known{})
}

// about are the findings of some groups of rules, as "rule line:from-to".
func about(all []rules.Finding, groups ...string) (list []string, found []rules.Finding) {
	for _, f := range all {
		for _, g := range groups {
			if f.Rule.Group() == g || string(f.Rule) == g {
				list = append(list, fmt.Sprintf("%s %d:%d-%d", f.Rule, f.Where.Line, f.Where.Offset, f.Where.End))
				found = append(found, f)
			}
		}
	}
	return list, found
}

// Good lines of an upload run and of a call.
const (
	full     = `"resultType":"complete","ttlMs":0,"cacheScope":"private"`
	discover = `{"jsonrpc":"2.0","id":"d-1","result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},` + full + `}}` + "\n"
	greet    = `{"name":"greet","description":"Greets.","inputSchema":{"type":"object"}}`
)

func page(id int, tools, more string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"tools":[%s],%s%s}}`, id, tools, full, more) + "\n"
}

func result(members string) string {
	return `{"jsonrpc":"2.0","id":"call-9","result":{"resultType":"complete",` + members + "}}\n"
}

const text = `"content":[{"type":"text","text":"ok"}]`

// check holds the findings of one case: at the bytes of mark in stdout, with
// these words.
type check struct {
	name   string
	stdout string
	rule   abi.RuleID // empty: none of the groups
	mark   string     // the bytes that it points at; its first place in stdout
	says   string     // in Detail
}

func (c check) run(t *testing.T, kind event.RunKind, groups ...string) {
	t.Helper()
	t.Run(c.name, func(t *testing.T) {
		t.Helper()
		list, found := about(heard(t, kind, c.stdout), groups...)
		if c.rule == "" {
			if len(list) > 0 {
				t.Fatalf("found %s: %s", list[0], found[0].Detail)
			}
			return
		}
		if len(found) != 1 || found[0].Rule != c.rule {
			t.Fatalf("found %q, want %s alone", list, c.rule)
		}
		f := found[0]
		if !strings.Contains(f.Detail, c.says) || c.says == "" {
			t.Errorf("it says %q, want %q in it", f.Detail, c.says)
		}
		if f.Fix == "" && f.Severity != abi.Info || f.Where.Stream != event.Stdout || f.Where.Line == 0 {
			t.Errorf("fix %q at %+v", f.Fix, f.Where)
		}
		if got := c.stdout[f.Where.Offset:f.Where.End]; got != c.mark {
			t.Errorf("it points at %q, want %q", got, c.mark)
		}
	})
}

func TestMessages(t *testing.T) {
	structured := func(v string) string { return result(text + `,"structuredContent":` + v) }
	note := func(params string) string {
		return `{"jsonrpc":"2.0","method":"notifications/message"` + params + "}\n" + result(text)
	}
	for _, c := range []check{
		{"a good answer", result(text), "", "", ""},
		{"numbers that a double holds", structured(`[0.1,-0,1e308,9007199254740992,0.10000000000000001]`), "", "", ""},
		{"more digits than a double has", structured(`{"n":12345678901234567890.10}`), abi.FrameNumber, "12345678901234567890.10",
			"the number 12345678901234567890.10 is one that a double does not hold: many readers make 12345678901234567000 of it"},
		{"beyond all doubles", structured(`[1,1e400]`), abi.FrameNumber, "1e400", "make infinity of it"},
		{"near nothing", structured(`[1e-400]`), abi.FrameNumber, "1e-400", "make 0 of it"},
		{"many of them", structured(`[9007199254740993,9007199254740995,1e999]`), abi.FrameNumber, "9007199254740993", "make 9007199254740992 of it. So are 2 others on this line"},
		{"a pair of surrogates", structured(`"\ud83d\ude00 \\ud800"`), "", "", ""},
		{"half a pair", structured(`["\\\ud83d\ude00","a\ud800b"]`), abi.FrameSurrogate, `\ud800`, `the escape \ud800 stands for half a character`},
		{"the other half", structured(`["\ud83d\ude00\udc00","\ud801"]`), abi.FrameSurrogate, `\udc00`, "So do such escapes in 1 other of this line"},
		{"a name with half a pair", structured(`{"\ud800\ud800":1}`), abi.FrameSurrogate, `\ud800`, `\ud800`},
		{"spaces in strings", result(`"content":[{"type":"text","text":"a b \" c d"}]`), "", "", ""},
		{"spaces between members", strings.ReplaceAll(result(text), `":`, `": `), abi.FrameCompact, " ", "line 1 on stdout has 7 bytes of white space between its tokens"},
		{"CR LF alone", strings.ReplaceAll(result(text), "\n", "\r\n"), abi.FrameCR, "\r", "ends in CR LF"},

		{"a member too many", strings.Replace(result(text), `"id"`, `"trace":{},"id"`, 1), abi.RPCExtraMember, `"trace"`, `the member "trace" is none of those`},
		{"several", strings.Replace(result(text), `"id"`, `"a":1,"b":2,"c":3,"d":4,"e":5,"id"`, 1), abi.RPCExtraMember, `"a"`, `the members "a", "b", "c" and 2 more are none`},
		{"params in an answer", strings.Replace(result(text), `"id"`, `"params":{},"id"`, 1), abi.RPCExtraMember, `"params"`, "params"},
		{"id and ID", strings.Replace(result(text), `"id"`, `"ID":1,"id"`, 1), abi.RPCExtraMember, `"ID"`, "ID"},
		{"members that nobody knows in a result", result(text + `,"ttlMs":-1,"x":{"y":1}`), "", "", ""},
		{"a request of its own", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{}}` + "\n", abi.RPCServerRequest, `"ping"`, "sends a request of its own"},
		{"a notification", note(""), abi.RPCNotificationIgnored, `{"jsonrpc":"2.0","method":"notifications/message"}`, "Subako ignores it"},
	} {
		c.run(t, event.Call, "frame", "rpc", "result")
	}
	for _, c := range []check{
		{"no params", note(""), "", "", ""},
		{"params", note(`,"params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"x"}}`), "", "", ""},
		{"params as a list", note(`,"params":[1]`), abi.RPCParamsObject, "[1]", `params of the notification "notifications/message" is a list, not an object`},
		{"params null", note(`,"params":null`), abi.RPCParamsObject, "null", "is null"},
		{"a bad key", note(`,"params":{"_meta":{"a b":1}}`), abi.ResultMeta, `"a b"`, `the key "a b" of _meta is no name`},
		{"a result in a notification", note(`,"trace":1`), abi.RPCExtraMember, `"trace"`, "trace"},
	} {
		c.run(t, event.Call, "rpc/params-object", "result", "rpc/extra-member")
	}
}

func TestErrors(t *testing.T) {
	line := func(e string) string { return `{"jsonrpc":"2.0","id":"call-9","error":` + e + "}\n" }
	for _, c := range []check{
		{"a good one", line(`{"code":-32602,"message":"no such tool"}`), "", "", ""},
		{"with a code of one's own", line(`{"code":1,"message":"no","data":[1]}`), "", "", ""},
		{"no object", line(`"no"`), abi.ErrorShape, `"no"`, `error is "no", not an object`},
		{"null", line(`null`), abi.ErrorShape, `null`, "error is null"},
		{"no code", line(`{"message":"x"}`), abi.ErrorShape, `{"message":"x"}`, "the error has no code"},
		{"no message", line(`{"code":1}`), abi.ErrorShape, `{"code":1}`, "the error has no message"},
		{"a code that is text", line(`{"code":"E1","message":"x"}`), abi.ErrorShape, `"E1"`, `the error's code is "E1", not a whole number`},
		{"a code with a fraction", line(`{"code":1.5,"message":"x"}`), abi.ErrorShape, `1.5`, "code is 1.5"},
		{"a message that is none", line(`{"code":1,"message":{"a":1}}`), abi.ErrorShape, `{"a":1}`, "the error's message is an object, not a string"},
		{"retired", line(`{"code":-32002,"message":"x"}`), abi.ErrorCode, "-32002", "-32002, is retired: earlier revisions of MCP had it for a resource"},
		{"retired too", line(`{"code":-32042,"message":"x"}`), abi.ErrorCode, "-32042", "-32042, is retired"},
		{"reserved", line(`{"code":-32050,"message":"x"}`), abi.ErrorCode, "-32050", "-32050, is one of those that MCP keeps for itself, -32020 to -32099"},
		{"the last that is reserved", line(`{"code":-32099,"message":"x"}`), abi.ErrorCode, "-32099", "keeps for itself"},
		{"behind it", line(`{"code":-32100,"message":"x"}`), "", "", ""},
		{"of HTTP", line(`{"code":-32020,"message":"x"}`), abi.ErrorCode, "-32020", "is for headers of HTTP"},
		{"legacy", line(`{"code":-32000,"message":"x"}`), abi.ErrorCode, "-32000", "-32000, is one of the old range"},
		{"the last legacy one", line(`{"code":-32019,"message":"x"}`), abi.ErrorCode, "-32019", "old range"},
		{"-32021", line(`{"code":-32021,"message":"x","data":{"requiredCapabilities":{"elicitation":{}}}}`), "", "", ""},
		{"-32021 without data", line(`{"code":-32021,"message":"x"}`), abi.ErrorData, `{"code":-32021,"message":"x"}`, "the error -32021 does not say what MCP asks for with this code: data.requiredCapabilities, the capabilities that are needed"},
		{"-32022", line(`{"code":-32022,"message":"x","data":{"supported":["2026-07-28"],"requested":"1900-01-01"}}`), "", "", ""},
		{"-32022 without what was asked", line(`{"code":-32022,"message":"x","data":{"supported":["2026-07-28"]}}`), abi.ErrorData, `{"supported":["2026-07-28"]}`, "code: data.requested, the revision that was asked for"},
		{"-32022 with one revision", line(`{"code":-32022,"message":"x","data":{"supported":"2026-07-28","requested":"1"}}`), abi.ErrorData, `{"supported":"2026-07-28","requested":"1"}`, "code: data.supported, the list of revisions"},
		{"-32022 without data", line(`{"code":-32022,"message":"x"}`), abi.ErrorData, `{"code":-32022,"message":"x"}`, "data.supported, the list of revisions that are known; data.requested, "},
		{"id null", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}` + "\n", abi.RPCIDNull, "null", "the error has the id null"},
		{"no id", `{"jsonrpc":"2.0","error":{"code":-32700,"message":"x"}}` + "\n", "", "", ""},
		{"beside a result", `{"jsonrpc":"2.0","id":"call-9","result":{},"error":{}}` + "\n", "", "", ""},
	} {
		c.run(t, event.Call, "error/shape", "error/code", "error/data", "rpc/id-null")
	}
	all := heard(t, event.Call, line(`{"code":-32002,"message":"Server not initialized"}`))
	if len(all) != 2 || all[0].Rule != abi.RPCHandshake || all[1].Rule != abi.ErrorCode || !all[1].Follows {
		t.Errorf("the error of a server that waits for initialize: %+v", all)
	}
	all = heard(t, event.Call, line(`{"code":-32002,"message":"x"}`))
	if list, _ := about(all, "error"); len(list) != 2 || all[0].Rule != abi.ErrorAnswered {
		t.Errorf("an error that breaks the call, with a retired code: %q", list)
	}
}

func TestMetaKeys(t *testing.T) {
	for _, c := range []struct{ key, says string }{
		{"a", ""}, {"", ""}, {"com.example/", ""}, {"com.example/name", ""}, {"com.example.mcp/x", ""}, {"a-b.c2/x-y_z.9", ""}, {"mcp/x", ""},
		{"traceparent", ""}, {"9", ""}, {"io.modelcontextprotocol/serverInfo", "serverInfo"},
		{"_a", "is no name"}, {"a_", "is no name"}, {"a b", "is no name"}, {"ä", "is no name"}, {"a/b/c", "is no name"},
		{"/x", "has a prefix that is none"}, {"9a.b/x", "has a prefix that is none"}, {"a..b/x", "has a prefix that is none"},
		{"a.b-/x", "has a prefix that is none"}, {"a_b/x", "has a prefix that is none"}, {"ex ample/x", "has a prefix that is none"},
		{"io.modelcontextprotocol/nope", "has MCP's own prefix"}, {"dev.mcp/x", "is reserved for MCP"},
		{"org.modelcontextprotocol.api/x", "is reserved for MCP"}, {"com.mcp.tools/x", "is reserved for MCP"},
	} {
		list, found := about(heard(t, event.Call, result(fmt.Sprintf(`%s,"_meta":{%q:1}`, text, c.key))), "result")
		switch {
		case c.says == "" && len(list) == 0:
		case c.says == "" || len(found) != 1 || found[0].Rule != abi.ResultMeta || !strings.Contains(found[0].Detail, c.says):
			t.Errorf("%q: found %q %+v, want %q", c.key, list, found, c.says)
		}
	}
	for _, c := range []check{
		{"no object", result(text + `,"_meta":1`), abi.ResultMeta, "1", "_meta is 1, not an object"},
		{"serverInfo", result(text + `,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"a","version":"1"}}`), "", "", ""},
		{"serverInfo without a version", result(text + `,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"a"}}`), abi.ResultMeta, `{"name":"a"}`, "serverInfo has no version"},
		{"serverInfo with icons", result(text + `,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"a","version":"1","icons":[{"src":7}]}}`), abi.ResultMeta, `7`, "an icon of serverInfo.src is 7, not a string"},
	} {
		c.run(t, event.Call, "result")
	}
}

func TestDiscover(t *testing.T) {
	with := func(old, new string) string { return strings.Replace(discover, old, new, 1) + page(1001, greet, "") }
	const caps = `{"tools":{}}`
	for _, c := range []check{
		{"good", with("", ""), "", "", ""},
		{"instructions", with(`"ttlMs"`, `"instructions":"Greets.","ttlMs"`), "", "", ""},
		{"instructions that are none", with(`"ttlMs"`, `"instructions":7,"ttlMs"`), abi.DiscoverShape, "7", "instructions is 7, not a string"},
		{"a version that is none", with(`["2026-07-28"]`, `["2026-07-28",7,8]`), abi.DiscoverShape, "7", "a version of supportedVersions is 7"},
		{"a flag", with(caps, `{"tools":{"listChanged":"no"}}`), abi.DiscoverShape, `"no"`, `capabilities.tools.listChanged is "no", not true or false`},
		{"serverInfo", with(`"ttlMs"`, `"_meta":{"io.modelcontextprotocol/serverInfo":{"version":"1"}},"ttlMs"`), abi.DiscoverShape, `{"version":"1"}`, "serverInfo has no name"},
		{"a list that changes", with(caps, `{"tools":{"listChanged":true}}`), abi.DiscoverUnused, "true", "offers tools.listChanged, which Subako never uses"},
		{"more than tools", with(caps, `{"tools":{},"prompts":{},"logging":{}}`), abi.DiscoverUnused, `"prompts"`, `offers "prompts" and "logging", which Subako never uses`},
		{"tools that are none", with(caps, `{"tools":true}`), abi.DiscoverTools, `true`, "capabilities.tools is true"},
	} {
		c.run(t, event.Upload, "discover", "result")
	}
	for _, c := range []check{
		{"an extension", with(caps, `{"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{},"com.example/x":{}}}`), "", "", ""},
		{"an extension without prefix", with(caps, `{"tools":{},"extensions":{"x":{}}}`), abi.DiscoverShape, `"x"`, `the extension "x" has no prefix`},
		{"an extension that is none", with(caps, `{"tools":{},"extensions":{"com.example/x":7}}`), abi.DiscoverShape, `7`, "a member of capabilities.extensions is 7, not an object"},
		{"prompts", with(caps, `{"tools":{},"prompts":[]}`), abi.DiscoverShape, `[]`, "capabilities.prompts is a list"},
	} {
		c.run(t, event.Upload, "discover/shape")
	}
}

func TestCacheHints(t *testing.T) {
	const ttl, scope = `"ttlMs":0`, `"cacheScope":"private"`
	second := page(1002, strings.Replace(greet, "greet", "b", 1), "")
	two := discover + page(1001, greet, `,"nextCursor":"2"`)
	in := func(old, new string) string { return strings.Replace(discover+page(1001, greet, ""), old, new, 1) }
	for _, c := range []check{
		{"good", in("", ""), "", "", ""},
		{"large", in(ttl, `"ttlMs":36000000000000000000`), "", "", ""},
		{"no scope", in(","+scope, ""), abi.CacheHints, strings.TrimSuffix(discover[strings.Index(discover, `{"supp`):], "}\n")[:len(discover[strings.Index(discover, `{"supp`):])-2-len(scope)-2] + "}",
			"the result has no cacheScope. MCP asks for both in the answers to server/discover and tools/list; Subako does not"},
		{"negative", in(ttl, `"ttlMs":-1`), abi.CacheHints, "-1", "ttlMs is -1, not a whole number of milliseconds"},
		{"very negative", in(ttl, `"ttlMs":-36000000000000000000`), abi.CacheHints, "-36000000000000000000", "ttlMs is -36000000000000000000"},
		{"half a millisecond", in(ttl, `"ttlMs":0.5`), abi.CacheHints, "0.5", "ttlMs is 0.5"},
		{"text", in(ttl, `"ttlMs":"0"`), abi.CacheHints, `"0"`, `ttlMs is "0"`},
		{"another scope", in(scope, `"cacheScope":"shared"`), abi.CacheHints, `"shared"`, `cacheScope is "shared", neither "public" nor "private"`},
		{"the same on both pages", two + second, "", "", ""},
		{"another time on page 2", two + strings.Replace(second, ttl, `"ttlMs":5`, 1), abi.CacheHints, "5", "ttlMs is 5 on page 2, and 0 on page 1"},
		{"another scope on page 2", two + strings.Replace(second, "private", "public", 1), abi.CacheHints, `"public"`, `cacheScope is "public" on page 2, and private on page 1`},
	} {
		c.run(t, event.Upload, "cache")
	}
}

func TestToolShapes(t *testing.T) {
	with := func(members string) string {
		return discover + page(1001, strings.Replace(greet, `"inputSchema"`, members+`,"inputSchema"`, 1), "")
	}
	for _, c := range []check{
		{"good", with(`"title":"Greet","annotations":{"title":"G","readOnlyHint":true,"x":1},"icons":[{"src":"https://a.example/i.png","mimeType":"image/png","sizes":["48x48","any"],"theme":"dark"}],"_meta":{"a":1},"outputSchema":{}`), "", "", ""},
		{"title", with(`"title":7`), abi.ToolShape, "7", `title of tool 1 ("greet") is 7, not a string`},
		{"annotations", with(`"annotations":[]`), abi.ToolShape, "[]", "annotations of tool 1"},
		{"a hint", with(`"annotations":{"readOnlyHint":"yes"}`), abi.ToolShape, `"yes"`, `annotations.readOnlyHint of tool 1 ("greet") is "yes", not true or false`},
		{"icons", with(`"icons":"i.png"`), abi.ToolShape, `"i.png"`, "icons of tool 1"},
		{"an icon", with(`"icons":["i.png"]`), abi.ToolShape, `"i.png"`, `an icon of tool 1 ("greet") is "i.png", not an object`},
		{"an icon without src", with(`"icons":[{}]`), abi.ToolShape, `{}`, "has no src"},
		{"an icon that links a file", with(`"icons":[{"src":"i.png"}]`), abi.ToolShape, `"i.png"`, `links "i.png", which is no URI`},
		{"a theme", with(`"icons":[{"src":"data:,","theme":"blue"}]`), abi.ToolShape, `"blue"`, `is "blue"; MCP knows "light" and "dark"`},
		{"sizes", with(`"icons":[{"src":"data:,","sizes":[48]}]`), abi.ToolShape, `48`, "sizes[]"},
		{"_meta", with(`"_meta":{"dev.mcp/x":1}`), abi.ToolShape, `"dev.mcp/x"`, `the key "dev.mcp/x" of _meta of tool 1 ("greet") has a prefix that is reserved`},
		{"outputSchema", with(`"outputSchema":true`), abi.ToolShape, `true`, "outputSchema of tool 1"},
		{"a member that nobody knows", with(`"cost":7,"namespace":"x","tags":[]`), "", "", ""},
		{"a slip", with(`"outputschema":{}`), abi.ToolMember, `"outputschema"`, `tool 1 ("greet") has the member "outputschema", which MCP does not know: outputSchema seems to be meant`},
		{"a hint at the top", with(`"readOnlyHint":true`), abi.ToolMember, `"readOnlyHint"`, "annotations.readOnlyHint seems to be meant"},
		{"meta", with(`"meta":{}`), abi.ToolMember, `"meta"`, "_meta seems to be meant"},
		{"another name beside the right one", with(`"parameters":{},"Name":"x"`), "", "", ""},
	} {
		c.run(t, event.Upload, "tool")
	}
	for _, c := range []check{
		{"no description", discover + page(1001, `{"name":"a","inputSchema":{"type":"object"}}`, ""), abi.ToolDescription, `{"name":"a","inputSchema":{"type":"object"}}`, `tool 1 ("a") has no description`},
		{"an empty one", discover + page(1001, `{"name":"a","description":" ","inputSchema":{"type":"object"}}`, ""), abi.ToolDescription, `" "`, "has an empty description"},
	} {
		c.run(t, event.Upload, "tool")
		f := heard(t, event.Upload, c.stdout)[0]
		if f.Severity != abi.Notice || f.Refuses() || f.Side() == rules.SubakoSays || f.Departs() {
			t.Errorf("%s is %s, side %s", c.name, f.Severity, f.Side())
		}
	}
	list, found := about(heard(t, event.Upload, discover+page(1001, `{"name":"a","description":"d","parameters":{"type":"object"}}`, "")), "tool")
	if len(list) != 2 || found[0].Rule != abi.ToolSchemaObject || found[1].Rule != abi.ToolMember || !found[1].Follows || found[0].Tool != "a" {
		t.Errorf("another name in place of inputSchema: %q, tool %q", list, found[0].Tool)
	}
}

// TestOneFaultOneFinding: what is wrong in the same way in several places is
// found once, and all places are named.
func TestOneFaultOneFinding(t *testing.T) {
	bare := strings.NewReplacer(","+full, "").Replace
	all := heard(t, event.Upload, bare(discover+page(1001, greet, `,"nextCursor":"2"`)+page(1002, strings.ReplaceAll(greet, "greet", "b"), "")))
	if len(all) != 2 {
		t.Fatalf("%d findings: %+v", len(all), all)
	}
	for _, f := range all {
		if len(f.Also) != 2 || f.Where.Line != 1 || f.Also[0].Line != 2 || f.Also[1].Line != 3 || !strings.HasSuffix(f.Detail, ". The same in line 2 and line 3") {
			t.Errorf("%s at %v, also %v: %s", f.Rule, f.Where, f.Also, f.Detail)
		}
		if strings.Contains(f.Title, "The same") {
			t.Errorf("its title is %q", f.Title)
		}
	}
	var tools []string
	for i := range 40 {
		tools = append(tools, fmt.Sprintf(`{"name":"t%d","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":1}}`, i))
	}
	list, found := about(heard(t, event.Upload, discover+page(1001, strings.Join(tools, ","), "")), "tool")
	if len(list) != 2 {
		t.Fatalf("found %q", list)
	}
	for _, f := range found {
		if !strings.HasSuffix(f.Detail, `. The same in tool 2 ("t1"), tool 3 ("t2"), tool 4 ("t3"), tool 5 ("t4"), tool 6 ("t5"), tool 7 ("t6"), tool 8 ("t7"), tool 9 ("t8") and 31 more`) || len(f.Also) != 39 || f.Tool != "" {
			t.Errorf("%s says %s; %d other places, tool %q", f.Rule, f.Detail, len(f.Also), f.Tool)
		}
	}
}
