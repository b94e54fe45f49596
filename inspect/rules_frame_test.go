package inspect_test

import (
	"fmt"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/wire"
	"perch/samples/mischief"
)

// framePairs are the rules of what a line on stdout is.
func framePairs() []pair {
	return []pair{
		{abi.FrameUTF8, caseOf("latin1"), says("café", `say 'caf\xc3\xa9'`)},
		{abi.FrameNewline, caseOf("no_newline"), call(`ok exit 0`)},
		{abi.FrameJSON, caseOf("log_line"), call(`err 'package ready v1.2\n' ok`)},
		{abi.FramePretty, caseOf("pretty"), call(`result '` + `{\t"resultType": "complete",\t"content": [ {"type": "text", "text": "{\\n  \\"jsonrpc\\": \\"2.0\\"\\n}"} ]\t}` + `'`)},
		{abi.FrameContentLength, caseOf("content_length"), says("Content-Length: 94", `say 'Content-Length: 94\r\n\r\n{}'`)},
		{abi.FrameObject, caseOf("batch"), call(complete + `"content":[{"type":"text","text":"[1]"}],"structuredContent":[1]}'`)},
		{abi.FrameBlank, caseOf("blank"), says("\n\n", `say '\n\n'`)},
		{abi.FrameBOM, caseOf("bom"), says("\ufeff", `say '\xef\xbb\xbfdone'`)},
		{abi.FrameCR, caseOf("crlf"), says("\r\n", `say 'done\r\n'`)},
		{abi.FrameDuplicateMember, caseOf("doubled_member"), call(complete + `"_meta":{"a":{"n":1},"b":{"n":1}},"content":[{"type":"text","text":"done"}]}'`)},
		{abi.FrameNumber, caseOf("big_number"), call(complete + `"_meta":{"a":[9007199254740991,-0.5,1e300,0.1,123456789.25]},"content":[{"type":"text","text":"done"}]}'`)},
		{abi.FrameSurrogate, caseOf("half_emoji"), says("🐦", complete+`"content":[{"type":"text","text":"a bird \\ud83d\\udc26"}]}'`)},
		{abi.FrameCompact, caseOf("spaced"), says("a, b: c", `say 'a, b: c'`)},
		{abi.FrameDepth, caseOf("deep"), call(nested(abi.MaxDepthJSON))},
		{abi.FrameStdoutSize, caseOf("flood_stdout"), call(exactly(abi.MaxStdout)).seen(stdoutIs(abi.MaxStdout))},
	}
}

// nested is an answer that nests so deep: the message, its result, _meta and
// the lists in it.
func nested(depth int) string {
	n := depth - 3
	return fmt.Sprintf(`result '{"resultType":"complete","_meta":{"a":${%d:[}${%d:]}},"content":[{"type":"text","text":"done"}]}'`, n, n)
}

// exactly is an answer that has n bytes with its newline.
func exactly(n int) string {
	const id = `"call-0192f5c4"` // Subako's ids are as long as this one
	around := len(`{"jsonrpc":"2.0","id":`+id+`,"result":`+strings.Replace(done, "done", "", 1)+`}`) + len("\n")
	return fmt.Sprintf(`say '${%d:x}'`, n-around)
}

func stdoutIs(n int64) func(*testing.T, result) {
	return func(t *testing.T, got result) {
		t.Helper()
		runs := got.bench.Record.Runs()
		if size := runs[len(runs)-1].Stream(event.Stdout).Len(); size != n {
			t.Errorf("stdout has %d bytes, want %d", size, n)
		}
	}
}

// rpcPairs are the rules of what a message is.
func rpcPairs() []pair {
	const message = `out '{"id":$id,"result":` + done + `,"jsonrpc":"\u0032.0"}\n'`
	return []pair{
		{abi.RPCVersion, caseOf("version_number"), call(strings.ReplaceAll(message, `\u`, `\\u`))},
		{abi.RPCKind, caseOf("no_kind"), call(`out '{"jsonrpc":"2.0","method":"x"}\n' ok`)},
		{abi.RPCOneOf, caseOf("both"), call(complete + `"error":null,"content":[{"type":"text","text":"done"}]}'`)},
		{abi.RPCIDType, caseOf("id_bool"), numbered("ok")},
		{abi.RPCIDEcho, caseOf("id_text"), numbered(`out '{"jsonrpc":"2.0","id":$id,"result":` + done + `}\n'`)},
		{abi.RPCIDUnasked, caseOf("wrong_id"), call(complete + `"_meta":{"id":1},"content":[{"type":"text","text":"{\\"id\\":1}"}]}'`)},
		{abi.RPCIDTwice, caseOf("id_twice"), uploads("")}, // three answers, each to a request of its own
		{abi.RPCIDNull, also("error_null_id", value(1, "/id", "null")), call(`out '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}\n'`).comesTo(event.Broken)},
		{abi.RPCServerRequest, caseOf("server_request"), call(`out '{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}\n' ok`)},
		{abi.RPCResultObject, caseOf("result_text"), call(`result '{}'`)},
		{abi.RPCParamsObject, caseOf("params_list"), call(`out '{"jsonrpc":"2.0","method":"notifications/progress","params":{}}\n' ok`)},
		{abi.RPCExtraMember, caseOf("extra_member"), call(complete + `"trace":"z","content":[{"type":"text","text":"done","trace":"z"}]}'`)},
		{abi.RPCMemberCase, caseOf("member_case"), call(complete + `"Result":1,"ID":2,"content":[{"type":"text","text":"done"}]}'`)},
		{abi.RPCNotificationIgnored, caseOf("notification"), call(complete + `"_meta":{"method":"notifications/progress"},"content":[{"type":"text","text":"done"}]}'`)},
		{abi.RPCHandshake, caseOf("handshake"), call(complete + `"content":[{"type":"text","text":"not initialized: send initialize first"}],"isError":true}'`).comesTo(event.ToolError)},
	}
}

// errorPairs are the rules of JSON-RPC errors. An error breaks the call, be it
// as good as it may.
func errorPairs() []pair {
	answers := func(members string) trial {
		return call(`out '{"jsonrpc":"2.0","id":$id,"error":{` + members + `}}\n'`).comesTo(event.Broken)
	}
	return []pair{
		{abi.ErrorAnswered, caseOf("error_answer"), call(complete + `"content":[{"type":"text","text":"name must not be empty"}],"isError":true}'`).comesTo(event.ToolError)},
		{abi.ErrorShape, also("error_code_text", value(1, "/error/code", `"not_found"`)), answers(`"code":-32603,"message":""`)},
		{abi.ErrorCode, also("error_reserved", value(1, "/error/code", `-32050`)), answers(`"code":-32100,"message":"too many requests"`)},
		{abi.ErrorData, also("error_no_data", value(1, "/error", `{"code":-32022`)),
			answers(`"code":-32022,"message":"unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"1900-01-01"}`)},
	}
}

// resultPairs are the rules of any result.
func resultPairs() []pair {
	return []pair{
		{abi.ResultTypeMissing, caseOf("no_result_type"), call(`ok`)},
		{abi.ResultTypeValue, caseOf("result_type"), call(`result '{"resultType":"\\u0063omplete","content":[{"type":"text","text":"done"}]}'`)},
		{abi.ResultMeta, caseOf("meta_key"), call(complete + `"_meta":{"took-ms_1.x":1,"com.example/took":2,"com.example/":3},"content":[{"type":"text","text":"done"}]}'`)},
		{abi.CacheHints, caseOf("ttl_negative"), uploads(`list result '{"resultType":"complete","tools":[` + tool("a", "") + `],"ttlMs":0,"cacheScope":"private"}'`)},
	}
}

// lifePairs are the rules of how a run ends.
func lifePairs() []pair {
	return []pair{
		{abi.LifeEarlyExit, caseOf("early_exit"), call(`ok exit 0`)},
		{abi.LifeExitCode, caseOf("exit_3"), call(`ok drain exit 0`)},
		{abi.LifeExitLate, caseOf("exit_late"), call(`ok drain sleep 900 exit 0`)},
		{abi.LifeTrap, caseOf("trap"), says("errno 0", `open '/volume/tmp/unreachable' rwc say 'errno $errno' exit 0`)},
		{abi.LifeMemory, caseOf("oom"), says("-1", `grow 60000 say '$ret'`)}, // refused, and taken for an answer
		{abi.LifeTime, caseOf("sleep"), call(`sleep 29000 ok`)},
		{abi.LifeStall, caseOf("stall"), call(`ok line`)},
		{abi.LifeBuffered, caseOf("buffered"), call(`out '{"jsonrpc":"2.0","id":$id,' out '"result":` + done + `}' out '\n'`)},
		{abi.LifeOutputAfter, caseOf("goodbye"), call(`out '{"jsonrpc":"2.0","method":"a"}\n' ok drain out '{"jsonrpc":"2.0","method":"b"}\n'`)},
		{abi.LifeOldContract, caseOf("old_contract"), call(`err '{"error":"a tool name was expected as the first argument"}\n' ok`)},
		{abi.LifeStderrTail, also("flood_stderr", mischief.Where{Stream: "stderr", Line: 19919, Offset: 1_000_000 - abi.StderrTail}).comesTo(event.Broken),
			call(`repeat 20000 ( err 'trace: one of twenty thousand lines, all the same\n' ) ok`)},
	}
}

// The ids that these cases count with are Subako's.
func TestIDsAreAsLongAsTheCasesThink(t *testing.T) {
	if got, want := len(wire.NewIDs("7").Call()), len(`"call-0192f5c4"`); got != want {
		t.Errorf("the id of a call has %d bytes, want %d", got, want)
	}
}
