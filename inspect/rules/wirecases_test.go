package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/rules"
)

// trouble is something that people met on the wire, and what is to be said.
type trouble struct {
	name, stdout string
	rule         abi.RuleID // of the first finding; empty: nothing above a notice
	says         string     // in its Detail
	mcp          string     // MCP's verdict, empty: not held
	then         abi.RuleID // another finding that is there too
}

func (c trouble) run(t *testing.T, kind event.RunKind) {
	t.Helper()
	t.Run(c.name, func(t *testing.T) {
		t.Helper()
		all := heard(t, kind, c.stdout)
		if c.rule == "" {
			if w := rules.Worst(all); w == abi.Error || w == abi.Warning {
				t.Fatalf("found %s: %s", all[0].Rule, all[0].Detail)
			}
		} else if len(all) == 0 || all[0].Rule != c.rule || !strings.Contains(all[0].Detail, c.says) {
			t.Fatalf("the first of %+v\nis not %s, %q", all, c.rule, c.says)
		}
		if list, _ := about(all, string(c.then)); c.then != "" && len(list) != 1 {
			t.Errorf("%s was found %d times", c.then, len(list))
		}
		_, mcp := rules.Verdicts("", all)
		if c.mcp != "" && mcp.Text != c.mcp {
			t.Errorf("MCP says %q, want %q", mcp.Text, c.mcp)
		}
	})
}

// TestTroublesOfCalls walks through what people met: lines that are no
// messages, ids, envelopes, encodings.
func TestTroublesOfCalls(t *testing.T) {
	good := result(text)
	bare := `{"jsonrpc":"2.0","id":"call-9","result":{` + text + `}}` + "\n" // as the ABI page shows it
	envelope := func(members string) string { return `{"jsonrpc":"2.0","id":"call-9",` + members + "}\n" }
	const broken = "broken: "
	for _, c := range []trouble{
		{"a log line first", "package ready v1.2\n" + good, abi.FrameJSON, "line 1 on stdout is a log line, not a JSON-RPC message", broken + "frame/json", ""},
		{"JSON that is no JSON-RPC", `{"status":200,"message":"Success"}` + "\n" + good, abi.RPCVersion, `JSON, but not a JSON-RPC 2.0 message: no member "jsonrpc"`, broken + "rpc/version", ""},
		{"a number", "42\n", abi.FrameObject, "JSON, but not a JSON-RPC message: it is 42", broken + "frame/object", ""},
		{"a string", "\"ok\"\n", abi.FrameObject, `it is "ok", not an object`, "", ""},
		{"null", "null\n", abi.FrameObject, "it is null, not an object", "", ""},
		{"a byte order mark", "\xef\xbb\xbf" + good, abi.FrameBOM, "begins with a byte order mark, EF BB BF. Our reading", broken + "frame/bom", ""},
		{"CR LF", strings.Replace(good, "\n", "\r\n", 1), abi.FrameCR, `The ABI page says lines end in \n; CR is white space to JSON, so most readers take it`, "nothing found", ""},
		{"a lone CR between messages", strings.TrimSpace(good) + "\r" + good, abi.FrameJSON, "two messages on one line", broken + "frame/json", ""},
		{"no newline", strings.TrimSpace(good), abi.FrameNewline, `does not end in \n`, broken + "frame/newline", ""},
		{"the id that was not asked", `{"jsonrpc":"2.0","id":9,"result":{"resultType":"complete","content":[]}}` + "\n", abi.RPCIDUnasked, "open is \"call-9\", a string", broken + "rpc/id-unasked", ""},
		{"answered twice", good + good, abi.RPCIDTwice, `id "call-9" was already answered by line 1`, broken + "rpc/id-twice", ""},
		{"an id that nobody asked", `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}` + "\n", abi.RPCIDUnasked, `answers id 1, a number, which was not asked; open is "call-9"`, "", ""},
		{"neither result nor error", `{"jsonrpc":"2.0","id":"call-9"}` + "\n", abi.RPCOneOf, "with neither result nor error", broken + "rpc/one-of", ""},
		{"both", envelope(`"result":{},"error":{"code":1,"message":"x"}`), abi.RPCOneOf, "has both result and error", "", ""},
		{"no version", `{"id":"call-9","result":{}}` + "\n", abi.RPCVersion, `no member "jsonrpc"`, "", ""},
		{"a version that is a number", `{"jsonrpc":2.0,"id":"call-9","result":{}}` + "\n", abi.RPCVersion, "jsonrpc is 2.0, a number", "", ""},
		{"version 1.0", `{"jsonrpc":"1.0","id":"call-9","result":{}}` + "\n", abi.RPCVersion, `jsonrpc is "1.0"`, "", ""},
		// A member beside those of JSON-RPC is a notice here, where others
		// would only show it: strict decoders in the field refuse it.
		{"members that nobody knows", envelope(`"trace":"z","result":{"resultType":"complete","_meta":{"a":1},"ttlMs":0,"content":[{"type":"text","text":"ok","annotations":{}}]}`),
			"", "", "nothing found", abi.RPCExtraMember},
		{"resultType absent", bare, abi.ResultTypeMissing, "Subako reads one without it as complete", "1 warning", ""},
		{"resultType of another kind", strings.Replace(good, "complete", "weird", 1), abi.ResultTypeValue, `resultType is "weird"; Subako takes "complete" alone`, "nothing found", ""},
		{"a batch", "[" + strings.TrimSpace(good) + "]\n", abi.FrameObject, "is a list (a batch) of 1 message", broken + "frame/object", ""},
		{"an empty batch", "[]\n", abi.FrameObject, "is a list (a batch) of 0 messages", "", ""},
		{"a request of its own", `{"jsonrpc":"2.0","id":"s1","method":"roots/list"}` + "\n", abi.RPCServerRequest, `method "roots/list". A stateless server sends none`, broken + "rpc/server-request", ""},
		{"300,000 bytes on a line", result(`"content":[{"type":"text","text":"` + strings.Repeat("x", 300_000) + `"}]`), "", "", "nothing found", ""},
		{"a byte of Latin-1", strings.Replace(good, "ok", "caf\xe9", 1), abi.FrameUTF8, "byte E9 at offset 102 is not UTF-8 (around it: 22 63 61 66 E9 22 7D 5D 7D). Our reading", broken + "frame/utf8", ""},
		{"NaN", result(text + `,"structuredContent":{"mean":NaN,"max":-Infinity}`), abi.FrameJSON, "holds NaN, which is not JSON, at byte 133, /result/structuredContent/mean", broken + "frame/json", ""},
		{"Infinity", result(text + `,"structuredContent":{"max":[1,-Infinity]}`), abi.FrameJSON, "holds -Infinity, which is not JSON, at byte 135, /result/structuredContent/max/1", "", ""},
		{"names of another case", `{"jsonrpc":"2.0","ID":"call-9","result":{"resultType":"complete"}}` + "\n", abi.RPCMemberCase, `the member "ID" is not "id"`, broken + "rpc/member-case", ""},
		{"a long s", envelope(`"re\u017fult":{}`), abi.RPCMemberCase, `"reſult" (with U+017F) is not "result"`, "", ""},
		{"a doubled id", `{"jsonrpc":"2.0","id":"call-9","id":"x","result":{}}` + "\n", abi.RPCIDUnasked, `answers id "x"`, "", abi.FrameDuplicateMember},
		{"control sequences in an error", envelope(`"error":{"code":1,"message":"\u001b]52;c;ZWNobyBoaQ==\u0007 \u001b[2J"}`), abi.ErrorAnswered, "⟨U+001B⟩]52;c;ZWNobyBoaQ==⟨U+0007⟩", "nothing found", ""},
		{"waits for initialize", envelope(`"error":{"code":-32602,"message":"not initialized"}`), abi.RPCHandshake, "looks like an older MCP revision: it waits for initialize", broken + "rpc/handshake", ""},
		{"300 lists deep", result(text + `,"structuredContent":` + strings.Repeat("[", 300) + strings.Repeat("]", 300)), "", "", "nothing found", ""},
		{"100,000 lists deep", result(text + `,"structuredContent":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)), abi.FrameDepth, "nests 100,002 deep, deeper than 10,000 (our limit)", "nothing found", ""},

		{"numbers that no double holds", result(text + `,"x":[12345678901234567890.10,1e400,-0]`), abi.FrameNumber, "the number 12345678901234567890.10", "nothing found", ""},
		{"a lone surrogate", result(text + `,"x":"\ud800"`), abi.FrameSurrogate, `\ud800`, "nothing found", ""},
		{"a panic", "panic: boom\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/main.go:5 +0x1d\n", abi.FrameJSON, "is a Go panic", "", ""},
		{"a panic of Rust", "thread 'main' panicked at src/main.rs:3:5:\nboom\n", abi.FrameJSON, "is a Rust panic", "", ""},
		{"a stack trace", "    at foo (file.js:1:2)\n", abi.FrameJSON, "is a line of a stack trace", "", ""},
		{"a banner in colours", "\x1b[1;32m=== tea ===\x1b[0m\n", abi.FrameJSON, "with terminal colours", "", ""},
		{"HTML", "<!doctype html><html></html>\n", abi.FrameJSON, "is HTML", "", ""},
		{"Content-Length", "Content-Length: 40\r\n\r\n" + good, abi.FrameContentLength, "as editors frame messages", broken + "frame/content-length", ""},
		{"half a message", `{"jsonrpc":"2.0","id":"call-9","res` + "\n", abi.FrameJSON, "is half a message: it ends inside a string", "", ""},
		{"two on a line", strings.TrimSpace(good) + good, abi.FrameJSON, "two messages on one line: the second begins at byte 106", "", ""},
		{"text behind the value", strings.TrimSpace(good) + " ok\n", abi.FrameJSON, `goes on behind its JSON value, with "ok" at byte 107`, "", ""},
	} {
		c.run(t, event.Call)
	}
}

// TestTroublesOfPages: pages that never end, cursors that are none.
func TestTroublesOfPages(t *testing.T) {
	endless := discover
	for i := range abi.MaxPages + 1 {
		endless += page(1001+i, greet, `,"nextCursor":"a"`)
	}
	all := heard(t, event.Upload, endless)
	var seen []string
	for _, f := range all {
		seen = append(seen, fmt.Sprintf("%s line %d", f.Rule, f.Where.Line))
	}
	if len(all) != 4 {
		t.Errorf("found %q, each once is wanted", seen)
	}
	// What came on page 2 already is told: the cursor, and the tool again.
	want := []string{"list/unique line 3", "list/pages line 17", "rpc/id-unasked line 18", "list/cursor line 3"}
	for _, w := range want {
		found := false
		for _, s := range seen {
			found = found || s == w
		}
		if !found {
			t.Errorf("found %q, not %s", seen, w)
		}
	}
	for _, c := range []trouble{
		{"an empty cursor", discover + page(1001, greet, `,"nextCursor":""`) + page(1002, strings.ReplaceAll(greet, "greet", "b"), ""), abi.ListCursor, `nextCursor is "". MCP takes it for a cursor, some readers for the end`, "1 warning", ""},
		{"null", discover + page(1001, greet, `,"nextCursor":null`), abi.ListCursor, "nextCursor is null. MCP has no null here", "1 warning", ""},
		{"a number", discover + page(1001, greet, `,"nextCursor":7`) + page(1002, strings.ReplaceAll(greet, "greet", "b"), ""), abi.ListCursor, "nextCursor is a number, not a string", "1 warning", ""},
	} {
		c.run(t, event.Upload)
	}
}

// TestTroublesOfContent: a result that is not as MCP has it breaks nothing, and
// is explained by its place.
func TestTroublesOfContent(t *testing.T) {
	for _, c := range []struct {
		members, pointer string
		rule             abi.RuleID
	}{
		{``, "/result", abi.CallContent},
		{`,"content":null`, "/result/content", abi.CallContent},
		{`,"content":"hi"`, "/result/content", abi.CallContent},
		{`,"structuredContent":{"a":1}`, "/result", abi.CallContent},
		{`,"content":[{"type":"text"}]`, "/result/content/0", abi.BlockShape},
		{`,"content":[{"type":"json","json":{}}]`, "/result/content/0/type", abi.BlockShape},
	} {
		all := heard(t, event.Call, `{"jsonrpc":"2.0","id":"call-9","result":{"resultType":"complete"`+c.members+"}}\n")
		if len(all) == 0 || all[0].Rule != c.rule || all[0].Where.Pointer != c.pointer || all[0].Severity != abi.Warning {
			t.Errorf("%s: %+v", c.members, all)
		}
	}
}
