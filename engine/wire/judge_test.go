package wire_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/wire"
)

// session is a judge and what it said.
type session struct {
	judge    *wire.Judge
	left     []wire.Request
	messages []event.Message
	breaches []event.Breach
	answers  []*wire.Answer
	items    []wire.Item
}

// read judges what a run with these requests wrote; each is asked when the one
// before was answered.
func read(requests []wire.Request, chunks ...string) *session {
	s := &session{judge: wire.NewJudge(), left: requests}
	s.ask()
	for _, c := range chunks {
		for _, item := range s.judge.Write([]byte(c)) {
			s.take(item)
		}
	}
	return s
}

// finished reads, and ends the run.
func finished(requests []wire.Request, chunks ...string) *session {
	s := read(requests, chunks...)
	for _, item := range s.judge.Finish() {
		s.take(item)
	}
	return s
}

func (s *session) ask() {
	if len(s.left) > 0 {
		q := s.left[0]
		q.Line = len(s.answers) + 1
		s.judge.Asked(q)
		s.left = s.left[1:]
	}
}

func (s *session) take(item wire.Item) {
	s.items = append(s.items, item)
	if item.Message != nil {
		s.messages = append(s.messages, *item.Message)
	}
	s.breaches = append(s.breaches, item.Breaches...)
	if item.Answer != nil {
		s.answers = append(s.answers, item.Answer)
		s.ask()
	}
}

// faults lists the breaches as "rule line:from-to", follow-ups with a +.
func (s *session) faults() []string {
	var list []string
	for _, b := range s.breaches {
		list = append(list, fault(b))
	}
	return list
}

func fault(b event.Breach) string {
	f := fmt.Sprintf("%s %d:%d-%d", b.Rule, b.Where.Line, b.Where.Offset, b.Where.End)
	if b.Follow {
		f = "+" + f
	}
	return f
}

func call(id string) []wire.Request {
	return []wire.Request{wire.Call(id, "greet", []byte("{}"))}
}

func upload() []wire.Request {
	return []wire.Request{wire.Discover(`"d-1"`), wire.List("4711", nil)}
}

func good(id string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"result":{"content":[{"type":"text","text":"ok"}]}}` + "\n"
}

func quote(id string) string { return strings.ReplaceAll(`{"jsonrpc":"2.0","id":ID,`, "ID", id) }

// TestLines holds, for a call with id 7, one way to break each rule: the
// breaches of the whole run, and what is said of the first.
func TestLines(t *testing.T) {
	answer := good("7")
	half := answer[:73]
	for _, c := range []struct {
		name, stdout string
		faults       []string
		detail       string // of the first breach, as a whole or its beginning with …
		what         string // of the first message
		kind         event.MessageKind
	}{
		{"a good answer", answer, nil, "", "", event.Result},
		{"id beside other members", `{"result":{},"trace":"z","id":7.0,"jsonrpc":"2.0"}` + "\n", nil, "", "", event.Result},
		{"unknown members", `{"jsonrpc":"2.0","id":7,"trace":"z","result":{"resultType":"complete","_meta":{"a":1},"ttlMs":0,"content":[{"type":"text","text":"ok","annotations":{}}]}}` + "\n", nil, "", "", event.Result},
		{"a notification", `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}` + "\n" + answer,
			[]string{"rpc/notification-ignored 1:0-75"}, "line 1 on stdout is the notification \"notifications/progress\". Subako ignores it", "", event.Notification},
		{"deep", quote("7") + `"result":{"structuredContent":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + "}}\n", nil, "", "", event.Result},
		{"too deep", quote("7") + `"result":{"x":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + "}}\n",
			[]string{"frame/depth 1:0-200040"}, "line 1 on stdout nests 100,002 deep, deeper than 10,000 (our limit). Readers differ on how deep they go", "", event.Result},
		{"300,000 bytes on a line", quote("7") + `"result":{"content":[{"type":"text","text":"` + strings.Repeat("x", 300_000) + `"}]}}` + "\n", nil, "", "", event.Result},

		{"a log line", "package ready v1.2\n" + answer, []string{"frame/json 1:0-18"},
			"line 1 on stdout is a log line, not a JSON-RPC message. It reads \"package ready v1.2\"", "a log line", event.NotMessage},
		{"more log lines", "one two\nthree four\n" + answer + "bye bye\n", []string{"frame/json 1:0-7"},
			"line 1 on stdout is a log line, not a JSON-RPC message. It reads \"one two\"", "a log line", event.NotMessage},
		{"text after the value", answer[:len(answer)-1] + " done\n", []string{"frame/json 1:76-80"},
			`line 1 on stdout goes on behind its JSON value, with "done" at byte 76`, "a message with text behind it", event.NotMessage},
		{"two on a line", answer[:len(answer)-1] + answer, []string{"frame/json 1:75-150"},
			"two messages on one line: the second begins at byte 75", "two messages on one line", event.NotMessage},
		{"a lone CR", strings.TrimSpace(answer) + "\r" + answer, []string{"frame/json 1:76-151"},
			"two messages on one line: the second begins at byte 76, behind a CR without LF", "two messages on one line", event.NotMessage},
		{"NaN", quote("7") + `"result":{"structuredContent":{"mean":NaN,"max":-Infinity}}}` + "\n", []string{"frame/json 1:62-65"},
			"line 1 on stdout holds NaN, which is not JSON, at byte 62, /result/structuredContent/mean", "a message with NaN", event.NotMessage},
		{"half a message", half + "\n" + answer, []string{"frame/json 1:73-73"}, "line 1 on stdout is half a message: it ends inside an object", "half a message", event.NotMessage},
		{"the first line of an indented list", "[\n  x,\n]\n" + answer, []string{"frame/json 1:1-1"},
			"line 1 on stdout is the first line of an indented list: it ends inside a list", "the first line of an indented list", event.NotMessage},
		{"a NUL before a message", "\x00\x00" + answer, []string{"frame/json 1:0-2"}, "line 1 on stdout begins with 2 NUL bytes", "a message behind a NUL byte", event.NotMessage},
		{"a NUL behind a message", answer[:len(answer)-1] + "\x00\n", []string{"frame/json 1:75-76"}, "line 1 on stdout goes on behind its JSON value, …",
			"a message with text behind it", event.NotMessage},
		{"a NUL in other bytes", "\x00\x01ab\n" + answer, []string{"frame/json 1:0-4"}, "line 1 on stdout is binary data, …", "binary data", event.NotMessage},
		{"CR LF", answer[:len(answer)-1] + "\r\n", []string{"frame/cr 1:75-76"}, "line 1 on stdout ends in CR LF. …", "", event.Result},

		{"Latin-1", quote("7") + `"result":{"content":[{"type":"text","text":"caf` + "\xe9" + `"}]}}` + "\n", []string{"frame/utf8 1:71-72"},
			"byte E9 at offset 71 is not UTF-8 (around it: 22 63 61 66 E9 22 7D 5D 7D). Our reading: a line is UTF-8 (RFC 8259)",
			"a message with a byte that is not UTF-8", event.NotMessage},
		{"BOM", "\xef\xbb\xbf" + answer, []string{"frame/bom 1:0-3"}, "line 1 on stdout begins with a byte order mark, EF BB BF. …", "a message behind a byte order mark", event.NotMessage},
		{"UTF-16", "\xff\xfe{\x00\n", []string{"frame/bom 1:0-2"}, "line 1 on stdout begins with FF FE: UTF-16. …", "UTF-16 text", event.NotMessage},
		{"an empty line", answer + "\n", []string{"frame/blank 2:76-76"}, "line 2 on stdout is empty. Our reading: an empty line is no message", "", event.Result},
		{"CR LF alone", "\r\n" + answer, []string{"frame/blank 1:0-1"}, "line 1 on stdout is empty. …", "an empty line", event.NotMessage},
		{"white space", "  \t\n" + answer, []string{"frame/blank 1:0-3"}, "line 1 on stdout holds white space alone. …", "an empty line", event.NotMessage},
		{"a batch", "[" + strings.TrimSpace(answer) + "]\n", []string{"frame/object 1:0-77"},
			"line 1 on stdout is a list (a batch) of 1 message. MCP 2026-07-28 has no batches: a message is one object", "a batch", event.NotMessage},
		{"an empty batch", "[]\n", []string{"frame/object 1:0-2"}, "line 1 on stdout is a list (a batch) of 0 messages. …", "a batch", event.NotMessage},
		{"a list", "[1,2]\n", []string{"frame/object 1:0-5"}, "line 1 on stdout is JSON, but not a JSON-RPC message: it is a list, not an object", "a list", event.NotMessage},
		{"a number", "42\n", []string{"frame/object 1:0-2"}, "line 1 on stdout is JSON, but not a JSON-RPC message: it is 42, not an object", "a number", event.NotMessage},
		{"a string", "\"ok\"\n", []string{"frame/object 1:0-4"}, `line 1 on stdout is JSON, but not a JSON-RPC message: it is "ok", not an object`, "a string", event.NotMessage},
		{"null", "null\n", []string{"frame/object 1:0-4"}, "line 1 on stdout is JSON, but not a JSON-RPC message: it is null, not an object", "null", event.NotMessage},

		{"a JSON log", `{"status":200,"message":"Success"}` + "\n" + answer, []string{"rpc/version 1:0-34"},
			`line 1 on stdout is JSON, but not a JSON-RPC 2.0 message: no member "jsonrpc"`, "JSON, but no message", event.NotMessage},
		{"a result alone", `{"content":[{"type":"text","text":"hi"}]}` + "\n", []string{"rpc/version 1:0-41"},
			`line 1 on stdout is a result alone ("content"), without the JSON-RPC message around it`, "JSON, but no message", event.NotMessage},
		{"a log with content", `{"level":"info","content":"hi"}` + "\n", []string{"rpc/version 1:0-31"}, "line 1 on stdout is JSON, but not …", "JSON, but no message", event.NotMessage},
		{"no version", `{"id":7,"result":{}}` + "\n", []string{"rpc/version 1:0-20"}, `line 1 on stdout is JSON, but not a JSON-RPC 2.0 message: no member "jsonrpc"`, "", event.Result},
		{"version 1.0", `{"jsonrpc":"1.0","id":7,"result":{}}` + "\n", []string{"rpc/version 1:11-16"}, `jsonrpc is "1.0"; a JSON-RPC 2.0 message has the string "2.0"`, "", event.Result},
		{"version 2.0, a number", `{"jsonrpc":2.0,"id":7,"result":{}}` + "\n", []string{"rpc/version 1:11-14"}, `jsonrpc is 2.0, a number; …`, "", event.Result},
		{"nothing but a version", `{"jsonrpc":"2.0"}` + "\n", []string{"rpc/kind 1:0-17"}, "line 1 on stdout is neither an answer nor a notification: no method, result or error", "JSON, but no message", event.NotMessage},
		{"method and result", quote("7") + `"method":"x","result":{}}` + "\n", []string{"rpc/kind 1:33-36"}, "line 1 on stdout has both method and result: …", "", event.ServerReq},
		{"a method that is no string", `{"jsonrpc":"2.0","method":7}` + "\n", []string{"rpc/kind 1:26-27"}, "method is 7, not a string", "", event.Notification},
		{"neither", quote("7")[:23] + "}\n", []string{"rpc/one-of 1:0-24"}, "answers id 7 with neither result nor error", "JSON, but no message", event.NotMessage},
		{"both", quote("7") + `"result":{},"error":{"code":1,"message":"x"}}` + "\n", []string{"rpc/one-of 1:44-68"}, "has both result and error; an answer has exactly one", "", event.ErrorAnswer},
		{"error null", quote("7") + `"result":{},"error":null}` + "\n", []string{"rpc/one-of 1:44-48"}, `has "error":null beside a result. …`, "", event.ErrorAnswer},
		{"ID", `{"jsonrpc":"2.0","ID":7,"result":{}}` + "\n", []string{"rpc/member-case 1:17-21"}, `the member "ID" is not "id": names match exactly, case included`, "", event.Result},
		{"long s", quote("7") + `"re\u017fult":{}}` + "\n", []string{"rpc/member-case 1:24-37"}, `the member "reſult" (with U+017F) is not "result": …`, "JSON, but no message", event.NotMessage},
		{"a log with Error", `{"Error":"x","ID":1}` + "\n", []string{"rpc/version 1:0-20"}, "line 1 on stdout is JSON, but not …", "JSON, but no message", event.NotMessage},
		{"doubled id", quote("7") + `"id":7,"result":{}}` + "\n", []string{"frame/duplicate-member 1:24-28"},
			`the member "id" stands twice in one object, at bytes 17 and 24 of stdout. …`, "", event.Result},
		{"doubled id, another value", quote("7") + `"id":"x","result":{}}` + "\n", []string{"rpc/id-unasked 1:29-32", "frame/duplicate-member 1:24-28"},
			`answers id "x", a string, which was not asked; open is 7, a number (tools/call)`, "", event.Result},

		{"id true", quote("true") + `"result":{}}` + "\n", []string{"rpc/id-type 1:22-26"}, "the answer's id is true; an id is a string or a whole number", "", event.Result},
		{"id 1.5", quote("1.5") + `"result":{}}` + "\n", []string{"rpc/id-type 1:22-25"}, "the answer's id is 1.5; …", "", event.Result},
		{"id null", quote("null") + `"result":{}}` + "\n", []string{"rpc/id-type 1:22-26"}, "the answer's id is null; …", "", event.Result},
		{"id as a string", quote(`"7"`) + `"result":{"content":[]}}` + "\n", []string{"rpc/id-echo 1:22-25"}, `answers id "7", a string; asked was 7, a number`, "", event.Result},
		{"no id", `{"jsonrpc":"2.0","result":{}}` + "\n", []string{"rpc/id-echo 1:0-29"}, "the answer has no id; asked was 7, a number", "", event.Result},
		{"another id", good("1"), []string{"rpc/id-unasked 1:22-23"}, "answers id 1, a number, which was not asked; open is 7, a number (tools/call)", "", event.Result},
		{"twice", answer + answer, []string{"rpc/id-twice 2:98-99"}, "id 7 was already answered by line 1", "", event.Result},

		{"a request of its own", `{"jsonrpc":"2.0","id":"s1","method":"roots/list"}` + "\n", []string{"rpc/server-request 1:36-48"},
			`sends a request of its own, method "roots/list". A stateless server sends none, and nobody answers it`, "", event.ServerReq},
		{"the request echoed", string(call("7")[0].Bytes), []string{"rpc/server-request 1:33-45"}, "echoes the request 7 (tools/call) in place of an answer", "", event.ServerReq},
		{"a notification with an id", `{"jsonrpc":"2.0","id":null,"method":"notifications/progress"}` + "\n", []string{"rpc/server-request 1:36-60"},
			"sends a request of its own, …", "", event.ServerReq},
		{"a result that is text", quote("7") + `"result":"ok"}` + "\n", []string{"rpc/result-object 1:33-37"}, `the result is "ok", not an object`, "", event.Result},
		{"a result that is null", quote("7") + `"result":null}` + "\n", []string{"rpc/result-object 1:33-37"}, `the result is null, not an object`, "", event.Result},
		{"input_required", quote("7") + `"result":{"resultType":"input_required"}}` + "\n", []string{"result/type-value 1:47-63"}, `resultType is "input_required"; Subako takes "complete" alone`, "", event.Result},
		{"resultType null", quote("7") + `"result":{"resultType":null}}` + "\n", []string{"result/type-value 1:47-51"}, `resultType is null; …`, "", event.Result},

		{"an error", quote("7") + `"error":{"code":-32602,"message":"bad\u001b[31m"}}` + "\n", []string{"error/answered 1:32-73"},
			`answers tools/call, request 7, with error -32602, "bad⟨U+001B⟩[31m". A JSON-RPC error is never an answer`, "", event.ErrorAnswer},
		{"an error without id", `{"jsonrpc":"2.0","error":{"code":-32700,"message":"x"}}` + "\n", []string{"error/answered 1:25-54"}, "answers tools/call, request 7, with error -32700, …", "", event.ErrorAnswer},
		{"an error that is text", quote("7") + `"error":"no"}` + "\n", []string{"error/answered 1:32-36"}, "answers tools/call, request 7, with an error. …", "", event.ErrorAnswer},
		{"handshake", quote("7") + `"error":{"code":-32602,"message":"Not Initialized"}}` + "\n", []string{"rpc/handshake 1:32-75"},
			`looks like an older MCP revision: it waits for initialize (error -32602, "Not Initialized"). ABI 1 has none; the first request is server/discover`, "", event.ErrorAnswer},

		{"a good-bye", answer + "bye then\n", []string{"life/output-after 2:76-84"},
			"line 2 on stdout is a log line, not a JSON-RPC message. It reads \"bye then\". It follows the last answer, which is lost by it", "", event.Result},
		{"JSON after the answer", answer + "{}\n", []string{"life/output-after 2:76-78"}, "line 2 on stdout is JSON, but …", "", event.Result},
		{"a notification after the answer", answer + `{"jsonrpc":"2.0","method":"n"}` + "\n", []string{"rpc/notification-ignored 2:76-106"}, "line 2 on stdout is the notification …", "", event.Result},
		{"a good-bye without newline", answer + "bye", []string{"life/output-after 2:76-79"}, "line 2 on stdout is plain text, …", "", event.Result},

		{"no newline", answer[:len(answer)-1], []string{"frame/newline 1:75-75"},
			`the last line, 75 bytes, does not end in \n; with it, it would answer request 7`, "", event.Result},
		{"half a message at the end", half, []string{"frame/newline 1:73-73"}, "stdout ends in half a message: 73 bytes, and it ends inside an object", "half a message", event.NotMessage},
		{"text at the end", "Hello there", []string{"frame/json 1:0-11"}, "line 1 on stdout is a log line, …", "a log line", event.NotMessage},
		{"white space at the end", answer + " ", []string{"frame/newline 2:76-77"}, "stdout ends in 1 byte of white space without a newline", "", event.Result},

		{"Content-Length", "Content-Length: 78\r\n\r\n" + answer[:len(answer)-1], []string{"frame/content-length 1:0-19"}, "line 1 on stdout is a header, …", "a Content-Length header", event.NotMessage},
		{"an id error behind a log line", "a log line\n" + good(`"7"`), []string{"frame/json 1:0-10", "+rpc/id-echo 2:33-36"}, "line 1 on stdout is a log line, …", "a log line", event.NotMessage},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := finished(call("7"), c.stdout)
			if got := s.faults(); !slices.Equal(got, c.faults) {
				t.Errorf("breaches %q, want %q", got, c.faults)
			}
			if m := s.messages[0]; m.What != c.what || m.Kind != c.kind {
				t.Errorf("line 1 is %s, %q; want %s, %q", m.Kind, m.What, c.kind, c.what)
			}
			if len(c.faults) == 0 {
				if len(s.answers) != 1 {
					t.Errorf("%d answers", len(s.answers))
				}
				return
			}
			b := s.breaches[0]
			begin, cut := strings.CutSuffix(c.detail, "…")
			if b.Detail != c.detail && !(cut && strings.HasPrefix(b.Detail, begin)) {
				t.Errorf("detail %q\n        want %q", b.Detail, c.detail)
			}
			for _, b := range s.breaches {
				wording(t, b)
			}
		})
	}
}

// wording holds what our own words keep to.
func wording(t *testing.T, b event.Breach) {
	t.Helper()
	for _, text := range []string{b.Detail, b.Fix} {
		for _, word := range []string{"lease", "oops", "nvalid", "failed to", "!\n", "  "} {
			if strings.Contains(text, word) {
				t.Errorf("%s says %q", b.Rule, text)
			}
		}
	}
	clean(t, b)
}

// clean holds that no text of a breach carries a control character of the
// module's, and that it has a place and a way out.
func clean(t *testing.T, b event.Breach) {
	t.Helper()
	for _, text := range []string{b.Detail, b.Fix} {
		for _, r := range text {
			if r < 0x20 || r == 0x7f || r == 0x202e {
				t.Errorf("%s carries the character %U", b.Rule, r)
			}
		}
	}
	if b.Detail == "" || b.Where.Stream != event.Stdout || b.Where.Line < 1 || b.Where.End < b.Where.Offset {
		t.Errorf("%s: %+v", b.Rule, b)
	}
	if effect := abi.RuleOf(b.Rule).Effect(); effect != abi.NoEffect && b.Fix == "" && b.Rule != abi.RPCKind {
		t.Errorf("%s has no way out", b.Rule)
	}
}

// TestWhat holds what lines that are no messages look like.
func TestWhat(t *testing.T) {
	for line, want := range map[string]string{
		"rendering bar":                      "a log line",
		"[INFO] server started":              "a log line",
		"2026-07-28T12:00:00Z level=info up": "a log line",
		"12:30:01 started":                   "a log line",
		"hello":                              "plain text",
		"> ":                                 "plain text",
		"=======================":            "a banner",
		"╔══════════════════════╗":                                   "a banner",
		"\x1b[32m=============\x1b[0m":                               "a banner with terminal colours",
		"\x1b[1;31mserver\x1b[0m is up":                              "a log line with terminal colours",
		"thread 'main' panicked at 'boom', src/main.rs:3:5":          "a Rust panic",
		"thread 'main' (1) panicked at src/main.rs:3:5:":             "a Rust panic",
		"panic: runtime error: index out of range [3] with length 3": "a Go panic",
		"goroutine 1 [running]:":                                     "a Go panic",
		"fatal error: all goroutines are asleep - deadlock!":         "a Go runtime message",
		"\t/src/main.go:12 +0x1d":                                    "a line of a stack trace",
		"    at foo (file.js:1:2)":                                   "a line of a stack trace",
		"Traceback (most recent call last):":                         "a Python traceback",
		"libc++abi: terminating due to uncaught exception":           "a C++ runtime message",
		"std::bad_alloc was thrown in -fno-exceptions mode":          "a C++ runtime message",
		"Assertion failed: x > 0 (main.c: main: 3)":                  "a failed assertion of C",
		"abort: index out of range in ~lib/array.ts(12:3)":           "an AssemblyScript abort",
		"TypeError: x is not a function":                             "a JavaScript error",
		"sh: 1: jq: not found":                                       "a shell error",
		"<!DOCTYPE html><html>":                                      "HTML",
		"<?xml version=\"1.0\"?>":                                    "XML",
		"<error>no</error>":                                          "XML",
		"HTTP/1.1 200 OK":                                            "an HTTP answer",
		`data: {"jsonrpc":"2.0"}`:                                    "a server-sent event",
		`LOG: {"jsonrpc":"2.0","id":7,"result":{}}`:                  "a message with text before it",
		"PNG\x00\x00\x01":                                            "binary data",
		"{'jsonrpc': '2.0'}":                                         "an object in another notation than JSON",
		"{jsonrpc: 2}":                                               "an object in another notation than JSON",
		`{"jsonrpc":"2.0","id":7,"result":{},}`:                      "nearly JSON",
		`{"jsonrpc":"2.0","id":7,"result":{"a":None}}`:               "a message with None",
		"{":                  "the first line of an indented message",
		`{"jsonrpc": "2.0",`: "the first line of an indented message",
	} {
		s := read(call("7"), line+"\n")
		if m := s.messages[0]; m.What != want || m.Kind != event.NotMessage {
			t.Errorf("%q is %q, want %q", line, m.What, want)
		}
		if got := s.faults(); len(got) != 1 || s.breaches[0].Rule != abi.FrameJSON {
			t.Errorf("%q breaks %q", line, got)
			continue
		}
		wording(t, s.breaches[0])
	}
}

// TestCause holds what later lines say of the first break.
func TestCause(t *testing.T) {
	indented := "{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 7,\n  \"result\": {\"content\": []}\n}\n"
	for _, c := range []struct {
		name, stdout string
		cause        string
		detail       string
	}{
		{"an indented answer", indented, "frame/pretty 1:0-62",
			"an answer spread over 5 lines; Subako reads one message per line. On one line it would have been accepted"},
		{"without its last newline", indented[:len(indented)-1], "frame/pretty 1:0-62", "an answer spread over 5 lines; …"},
		{"with CR LF", strings.ReplaceAll(indented, "\n", "\r\n"), "frame/pretty 1:0-66", "an answer spread over 5 lines; …"},
		{"with another id", strings.ReplaceAll(indented, "7", "8"), "frame/pretty 1:0-62",
			"an answer spread over 5 lines; Subako reads one message per line. On one line it would break the call still: answers id 8, a number, which was not asked; open is 7, a number (tools/call)"},
		{"never ended", indented[:30], "frame/json 1:1-1", "line 1 on stdout is the first line of an indented message: it ends inside an object"},
		{"something else follows", "{\nbye\n", "frame/json 1:1-1", "line 1 on stdout is …"},
		{"text behind the end", strings.TrimSpace(indented) + " x\n", "frame/json 1:1-1", "line 1 on stdout is …"},
		{"a raw line break in a string", "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"a \\\" b\nc\"}]}}\n", "frame/pretty 1:0-81",
			"an answer spread over 2 lines: a line break stands raw in a string; Subako reads one message per line"},
		{"a banner, then a good answer", "ready to go\n" + good("7"), "frame/json 1:0-11",
			"line 1 on stdout is a log line, not a JSON-RPC message. It reads \"ready to go\". Line 2 would have been accepted"},
		{"Content-Length", "Content-Length: 78\n\n" + good("7"), "frame/content-length 1:0-18", "line 1 on stdout is a header, …"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := finished(call("7"), c.stdout)
			b, ok := s.judge.Cause()
			if !ok || fault(b) != c.cause {
				t.Errorf("cause %s, want %s", fault(b), c.cause)
			}
			begin, cut := strings.CutSuffix(c.detail, "…")
			if b.Detail != c.detail && !(cut && strings.HasPrefix(b.Detail, begin)) {
				t.Errorf("detail %q\n        want %q", b.Detail, c.detail)
			}
			wording(t, b)
			if len(s.breaches) != 1 || s.breaches[0].Follow {
				t.Errorf("handed over: %q, want the break alone", s.faults())
			}
			if len(s.answers) != 0 {
				t.Error("an answer of evidence counted")
			}
		})
	}
	if _, ok := finished(call("7"), good("7")).judge.Cause(); ok {
		t.Error("a good run has a cause")
	}
}

func TestEvidence(t *testing.T) {
	s := finished(call("7"), "{\n", "  \"jsonrpc\": \"2.0\",\n", good("7"))
	want := []event.Message{
		{Line: 1, Offset: 0, Len: 1, Newline: true, Kind: event.NotMessage, What: "the first line of an indented message"},
		{Line: 2, Offset: 2, Len: 19, Newline: true, Kind: event.NotMessage, What: "more of that message", Evidence: true},
		{Line: 3, Offset: 22, Len: 75, Newline: true, Kind: event.Result, ID: "7", Answers: 1, Evidence: true},
	}
	if !reflect.DeepEqual(s.messages, want) {
		t.Errorf("messages %+v", s.messages)
	}
	s = read(call("7"))
	s.judge.Broken(abi.LifeTime)
	for _, item := range s.judge.Write([]byte(good("7") + "bye now\n")) {
		s.take(item)
	}
	if len(s.answers) != 0 || !s.messages[0].Evidence || s.messages[0].Answers != 1 {
		t.Errorf("an answer after a break elsewhere: %+v", s.messages)
	}
	if got := s.faults(); !slices.Equal(got, []string{"+frame/json 2:76-83"}) {
		t.Errorf("breaches after a break elsewhere: %q", got)
	}
}

func TestUpload(t *testing.T) {
	discover := `{"jsonrpc":"2.0","id":"d-1","result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}}` + "\n"
	list := `{"jsonrpc":"2.0","id":4711,"result":{"tools":[]}}` + "\n"
	s := finished(upload(), discover+list) // in one write
	if got := s.faults(); len(got) != 0 || len(s.answers) != 2 {
		t.Fatalf("a good upload run: %q, %d answers", got, len(s.answers))
	}
	a := s.answers[1]
	if a.Line != 2 || a.Offset != int64(len(discover)) || string(a.Raw)+"\n" != list || a.Request.Method != abi.MethodList {
		t.Errorf("answer %+v", a)
	}
	if w := a.Where(a.Result.Get("tools")); w.Offset != a.Offset+45 || w.End != w.Offset+2 || w.Pointer != "/result/tools" {
		t.Errorf("tools stand at %+v", w)
	}
	if m := s.messages[1]; m.Answers != 2 || m.ID != "4711" {
		t.Errorf("message %+v", m)
	}
	// Between two requests a log line is no good-bye; the first answer again is no new id.
	for stdout, want := range map[string]string{
		discover + "log line\n":        "frame/json 2:103-111",
		discover + discover:            "rpc/id-twice 2:125-130",
		discover + list + "log line\n": "life/output-after 3:153-161",
		discover + list + list:         "rpc/id-twice 3:175-179",
		list:                           "rpc/id-unasked 1:22-26",
		quote(`"d-1"`) + `"error":{"code":-32601,"message":"Method not found"}}` + "\n": "error/answered 1:36-80",
	} {
		if got := finished(upload(), stdout).faults(); !slices.Equal(got, []string{want}) {
			t.Errorf("%.60s: %q, want %s", stdout, got, want)
		}
	}
}

func TestStdoutSize(t *testing.T) {
	// Exactly 1 MiB is kept.
	full := good("7")
	full = strings.Replace(full, "ok", strings.Repeat("x", abi.MaxStdout-len(full)+2), 1)
	if s := finished(call("7"), full); len(full) != abi.MaxStdout || len(s.breaches) != 0 || len(s.answers) != 1 {
		t.Errorf("%d bytes: %q", len(full), s.faults())
	}
	// One more is not, be it a byte of an ignored line.
	if got := read(call("7"), full, "x").faults(); !slices.Equal(got, []string{"frame/stdout-size 2:1048576-1048576"}) {
		t.Errorf("one byte more: %q", got)
	}
	s := read(call("7"), strings.Repeat("y", 700_000))
	if len(s.items) != 0 {
		t.Errorf("judged before the newline: %q", s.faults())
	}
	if n, at, b := s.judge.Pending(); n != 1 || at != 0 || len(b) != 700_000 {
		t.Errorf("pending: line %d at %d, %d bytes", n, at, len(b))
	}
	for _, item := range s.judge.Write([]byte(strings.Repeat("y", 700_000) + "\n" + good("7"))) {
		s.take(item)
	}
	if got := s.faults(); !slices.Equal(got, []string{"frame/stdout-size 1:1048576-1048576"}) || len(s.answers) != 0 {
		t.Errorf("1.4 MB without a newline: %q, %d answers", got, len(s.answers))
	}
	if b := s.breaches[0]; b.Detail != "stdout passed 1 MiB: this is byte 1,048,577" {
		t.Errorf("detail %q", b.Detail)
	}
}

func TestFlood(t *testing.T) {
	s := finished(call("7"), strings.Repeat("\n", 1_000_000))
	if n := len(s.messages); n != abi.MaxEvidence+1 || s.judge.Skipped() != 1_000_000-n {
		t.Errorf("%d messages, %d skipped", n, s.judge.Skipped())
	}
	if got := s.faults(); !slices.Equal(got, []string{"frame/blank 1:0-0"}) {
		t.Errorf("breaches %q", got)
	}
	line := `{"jsonrpc":"2.0","method":"%d","x":1,"x":2}` + "\n"
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, line, i)
	}
	if s := finished(call("7"), b.String()); len(s.messages) != 1000 || len(s.breaches) != abi.MaxNotices {
		t.Errorf("%d notifications with notices: %d", len(s.messages), len(s.breaches))
	}
}

func TestPendingMessage(t *testing.T) {
	line := strings.TrimSpace(good("7"))
	s := read(call("7"), line)
	b, ok := s.judge.Unfinished()
	if !ok || fault(b) != "frame/newline 1:75-75" || len(s.items) != 0 {
		t.Errorf("a whole message without its newline: %v, %s, %d items", ok, fault(b), len(s.items))
	}
	for _, text := range []string{"", "> ", line[:50], "[1]"} {
		if _, ok := read(call("7"), text).judge.Unfinished(); ok {
			t.Errorf("%q is taken for a message", text)
		}
	}
}

func TestOldContract(t *testing.T) {
	for text, want := range map[string]bool{
		`{"error":"unknown tool"}` + "\n": true, `{"message":"Hello"}`: true, "\"Hello\"\n": true,
		"": false, "hello\n": false, good("7"): false, `{"a":1}` + "\n" + good("7"): false, `{"id":7,"result":{}}` + "\n": false,
	} {
		b, ok := finished(call("7"), text).judge.OldContract()
		if ok != want {
			t.Errorf("%q: %v, want %v", text, ok, want)
		}
		if ok {
			wording(t, b)
		}
	}
}

func TestIsError(t *testing.T) {
	for text, want := range map[string]bool{"true": true, "false": false, `"true"`: false, "1": false, "null": false} {
		s := finished(call("7"), quote("7")+`"result":{"isError":`+text+"}}\n")
		if len(s.answers) != 1 || s.answers[0].IsError != want {
			t.Errorf("isError %s: %q", text, s.faults())
		}
	}
}

// seeds are outputs in which much happens.
func seeds() []string {
	return []string{
		good("7"), good("7") + good("7"), "log line\n" + good("7"), "{\n \"a\": 1\n}\n", good("7") + "bye",
		"\xef\xbb\xbf{}\n", "[1]\n\n\r\n", `{"jsonrpc":"2.0","method":"n","x":1,"x":1}` + "\n" + good("7") + "\r\n",
		"Content-Length: 2\r\n\r\n{}", "{\"a\":\"b\nc\"}\n", "caf\xe9\n", `{"jsonrpc":"2.0","id":4711,"result":{}}`,
	}
}

// same judges the same bytes whole and in pieces: what is said does not depend
// on how they were cut.
func same(t *testing.T, requests []wire.Request, stdout []byte, seed uint64) {
	t.Helper()
	once := finished(requests, string(stdout))
	r := rand.New(rand.NewPCG(seed, 0))
	var chunks []string
	for rest := string(stdout); rest != ""; {
		n := 1 + r.IntN(min(len(rest), 9))
		chunks = append(chunks, rest[:n])
		rest = rest[n:]
	}
	pieces := finished(requests, chunks...)
	if !reflect.DeepEqual(once.messages, pieces.messages) || !reflect.DeepEqual(once.breaches, pieces.breaches) || len(once.answers) != len(pieces.answers) {
		t.Fatalf("%q whole: %+v %+v\nin pieces: %+v %+v", stdout, once.messages, once.breaches, pieces.messages, pieces.breaches)
	}
	a, ok := once.judge.Cause()
	b, also := pieces.judge.Cause()
	if ok != also || !reflect.DeepEqual(a, b) {
		t.Fatalf("%q: cause %+v and %+v", stdout, a, b)
	}
	broken := slices.ContainsFunc(once.breaches, func(b event.Breach) bool { return abi.RuleOf(b.Rule).Effect() != abi.NoEffect })
	if broken != ok {
		t.Fatalf("%q: broken %v, a cause %v", stdout, broken, ok)
	}
	for _, b := range once.breaches {
		clean(t, b)
	}
	if ok {
		clean(t, a)
	}
}

func TestChunks(t *testing.T) {
	for i, text := range seeds() {
		same(t, call("7"), []byte(text), uint64(i))
		same(t, upload(), []byte(text), uint64(i))
	}
}

func FuzzJudge(f *testing.F) {
	for i, s := range seeds() {
		f.Add([]byte(s), uint64(i))
	}
	f.Fuzz(func(t *testing.T, stdout []byte, seed uint64) {
		same(t, call("7"), stdout, seed)
		same(t, upload(), stdout, seed)
		finished(call("7"), string(stdout)).judge.OldContract()
	})
}

func BenchmarkJudge(b *testing.B) {
	line := []byte(strings.Replace(good("7"), "ok", strings.Repeat(`{\"k\":1},`, 90_000), 1))
	request := call("7")[0]
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		j := wire.NewJudge()
		j.Asked(request)
		for rest := line; len(rest) > 0; rest = rest[min(4096, len(rest)):] {
			for _, item := range j.Write(rest[:min(4096, len(rest))]) {
				if item.Answer == nil {
					b.Fatal(item)
				}
			}
		}
	}
}
