package mischief

import (
	"fmt"
	"strings"
)

// callCases are modules of their own whose call is broken.
func callCases() []Case {
	return as(Call, Broken, []Case{
		{Name: "version_1", Does: "Answers in JSON-RPC 1.0.", Rule: "rpc/version", Where: value(1, "/jsonrpc", `"1.0"`),
			WouldWrite: `{"jsonrpc": "1.0", …}`, ops: `out '{"jsonrpc":"1.0","id":$id,"result":` + done + `}\n'`},
		{Name: "version_number", Does: "Writes the version as a number.", Rule: "rpc/version", Where: value(1, "/jsonrpc", `2.0`),
			WouldWrite: `{"jsonrpc": 2.0, …}`, ops: `out '{"jsonrpc":2.0,"id":$id,"result":` + done + `}\n'`},
		{Name: "no_kind", Does: "Writes a message of no kind.", Rule: "rpc/kind", Where: begins(1, 0, `{"jsonrpc":"2.0"`),
			WouldWrite: `{"jsonrpc": "2.0"}`, ops: `out '{"jsonrpc":"2.0"}\n'`},
		{Name: "echo_request", Does: "Sends the request back.", Rule: "rpc/server-request", Where: value(1, "/method", `"tools/call"`),
			WouldWrite: `cat`, ops: `out '{"jsonrpc":"2.0","id":$id,"method":"tools/call","params":{}}\n'`},
		{Name: "lone_cr", Does: "Ends messages with a carriage return alone.", Rule: "frame/json", Where: begins(1, 63, `{"jsonrpc":"2.0","id":`),
			WouldWrite: `stty onlcr`,
			ops:        `out '{"jsonrpc":"2.0","method":"notifications/message","params":{}}\r` + answerWith(done) + `\n'`},
		{Name: "json_text", Does: "Prints a number.", Rule: "frame/object", Where: begins(1, 0, "42"),
			WouldWrite: `print(42)`, ops: `out '42\n'`},
		{Name: "exit_3_early", Does: "Exits with status 3 before it answers.", Rule: "life/early-exit", Where: asked(1),
			WouldWrite: `if (argc < 2) return 3;`, ops: `err 'usage: tool NAME\n' exit 3`},
		{Name: "exit_126", Does: "Answers, and exits with a status above 125.", Rule: "life/exit-code", Where: begins(1, 0, `{"jsonrpc":"2.0","id":`),
			WouldWrite: `exit(-1);`, ops: `ok drain exit 255`},
		{Name: "exit_asleep", Does: "Answers, and sleeps when stdin is closed.", Rule: "life/exit-late", Where: begins(1, 0, `{"jsonrpc":"2.0","id":`),
			WouldWrite: `time.Sleep(10 * time.Minute) // let the logs drain`, ops: `ok drain sleep 600000`},
		{Name: "trap_after", Does: "Answers, and traps when stdin is closed.", Rule: "life/trap", Where: inFile("module.wasm", -1),
			WouldWrite: `free(line); free(line);`, ops: `ok drain trap unreachable`},
		{Name: "missing_function", Does: "Traps: calls a function that is not there.", Rule: "life/trap", Where: inFile("module.wasm", -1),
			WouldWrite: `callbacks[n]();`, ops: `trap missing`},
		{Name: "half_trap", Does: "Writes half a line, and traps.", Rule: "life/trap", Where: inFile("module.wasm", -1),
			WouldWrite: `printf("{\"jsonrpc\":"); abort();`, ops: `out '{"jsonrpc":"2.0",' err 'half' trap unreachable`},
	})
}

// errorCases answer with a JSON-RPC error, which breaks the call, and one that
// MCP does not have.
func errorCases() []Case {
	errorIs := func(id, members string) string {
		return `out '{"jsonrpc":"2.0","id":` + id + `,"error":{` + members + `}}\n'`
	}
	return as(Call, Broken, []Case{
		{Name: "error_code_text", Does: "Writes an error's code as text.", Rule: "error/answered", Also: "error/shape", Where: value(1, "/error", `{"code":"not_found"`),
			WouldWrite: `{"error": {"code": "not_found", "message": err.message}}`, ops: errorIs("$id", `"code":"not_found","message":"there is no such order"`)},
		{Name: "error_no_message", Does: "Leaves the message of an error out.", Rule: "error/answered", Also: "error/shape", Where: value(1, "/error", `{"code":-32603}`),
			WouldWrite: `{"error": {"code": -32603}}`, ops: errorIs("$id", `"code":-32603`)},
		{Name: "error_retired", Does: "Answers with a code of older revisions.", Rule: "error/answered", Also: "error/code", Where: value(1, "/error", `{"code":-32002`),
			WouldWrite: `throw new McpError(-32002, "Resource not found");`, ops: errorIs("$id", `"code":-32002,"message":"Resource not found"`)},
		{Name: "error_reserved", Does: "Answers with a code that MCP keeps for itself.", Rule: "error/answered", Also: "error/code", Where: value(1, "/error", `{"code":-32050`),
			WouldWrite: `const RateLimited = -32050`, ops: errorIs("$id", `"code":-32050,"message":"too many requests"`)},
		{Name: "error_no_data", Does: "Refuses a revision without naming its own.", Rule: "error/answered", Also: "error/data", Where: value(1, "/error", `{"code":-32022`),
			WouldWrite: `return rpcError(-32022, "unsupported protocol version")`, ops: errorIs("$id", `"code":-32022,"message":"unsupported protocol version"`)},
		{Name: "error_null_id", Does: "Answers with an error whose id is null.", Rule: "error/answered", Also: "rpc/id-null", Where: value(1, "/error", `{"code":-32700`),
			WouldWrite: `respond(null, ParseError)`, ops: errorIs("null", `"code":-32700,"message":"Parse error"`)},
	})
}

// quietCases are modules of their own whose call goes on, with a finding or
// without one although they look odd.
func quietCases() []Case {
	return as(Call, OK, []Case{
		{Name: "http_range", Does: "Hands over a request outside of its memory.", Rule: "http/misuse", Text: "returned -1",
			WouldWrite: `subako_http_request((uint8_t *)-1, 64);`, ops: `request_at 0xfffffff0 64 say 'request returned $ret'`},
		{Name: "http_length", Does: "Reads an answer with another length.", Rule: "http/misuse", Text: "returned -3",
			WouldWrite: `subako_http_read_response(buf, sizeof buf);`,
			ops:        `request '{"url":"https://api.example.com/orders"}' read_at 4096 1 say 'read_response returned $ret'`},
		{Name: "http_unread", Does: "Asks twice and reads once.", Rule: "http/unread",
			WouldWrite: `request(a); request(b); read_response(…);`,
			ops:        `request '{"url":"https://api.example.com/orders"}' http '{"url":"https://api.example.com/orders"}' say '$answer'`},
		{Name: "http_dropped", Does: "Sets headers of the connection.", Rule: "http/header-dropped",
			WouldWrite: `{"headers": {"host": "api.example.com", "content-length": "0"}}`,
			ops:        `http '{"url":"https://api.example.com/orders","headers":{"host":"api.example.com","content-length":"0"}}' say '$answer'`},
		{Name: "block_data_url", Does: "Puts a data: URL where base64 belongs.", Rule: "block/image", Where: value(1, "/result/content/0/data", `data:image/png;base64,`),
			WouldWrite: `canvas.toDataURL()`,
			ops:        `result '{"resultType":"complete","content":[{"type":"image","mimeType":"image/png","data":"data:image/png;base64,` + pixel + `"}]}'`},
		{Name: "block_svg", Does: "Answers with an SVG image.", Rule: "block/image", Where: value(1, "/result/content/0/data", `"PHN2Zy8+"`),
			WouldWrite: `{"type": "image", "mimeType": "image/svg+xml", …}`,
			ops:        `result '{"resultType":"complete","content":[{"type":"image","mimeType":"image/svg+xml","data":"PHN2Zy8+"}]}'`},
		{Name: "block_escape", Does: "Links a file outside of the volume.", Rule: "block/link-volume", Where: value(1, "/result/content/0/uri", `"volume:///tmp/..%2F`),
			WouldWrite: `"volume:///tmp/" + encodeURIComponent("../../etc/passwd")`,
			ops:        `result '{"resultType":"complete","content":[{"type":"resource_link","uri":"volume:///tmp/..%2F..%2Fetc%2Fpasswd","name":"p"}]}'`},
		{Name: "block_text_file", Does: "Links a text file as a picture.", Rule: "block/link-volume", Where: value(1, "/result/content/0/uri", `"volume:///tmp/chart.png"`),
			WouldWrite: `os.WriteFile("/volume/tmp/chart.png", []byte(err.Error()), 0o644)`,
			ops: `open '/volume/tmp/chart.png' rwct write 'no data' close ` +
				`result '{"resultType":"complete","content":[{"type":"resource_link","uri":"volume:///tmp/chart.png","name":"chart.png"}]}'`},
		{Name: "crlf", Does: "Ends its lines with CR LF.", Rule: "frame/cr", Where: Where{Stream: "stdout", Line: 1, Offset: -1, Text: "\r\n"},
			WouldWrite: `fmt.Print(answer, "\r\n")`, ops: `out '` + answerWith(done) + `\r\n'`},
		{Name: "notification", Does: "Sends a notification before it answers.", Rule: "rpc/notification-ignored", Where: begins(1, 0, `{"jsonrpc":"2.0","method":"notifications/progress"`),
			WouldWrite: `send({"method": "notifications/progress", …})`,
			ops:        `out '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}\n' ok`},
		{Name: "long_line", Does: "Answers with a line of 300,000 bytes.",
			WouldWrite: `{"type": "text", "text": report}`, ops: `say '${300000:x}'`},
	})
}

// rest is what a good tool has beside its name.
const rest = `"description":"One of many.","inputSchema":{"type":"object"}`

// cached begins a result that may be cached, as MCP has it.
const cached = `{"resultType":"complete","ttlMs":3600000,"cacheScope":"public",`

// discovers and lists are scripts that answer with a result of these members.
func discovers(members string) string { return `discover result '` + cached + members + `}'` }
func lists(members string) string     { return `list result '` + cached + members + `}'` }

// goodDiscover are the other members of a good answer to server/discover.
const goodDiscover = `"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}`

// discoverCases answer server/discover so that Subako refuses the package.
func discoverCases() []Case {
	return as(Upload, Refused, []Case{
		{Name: "old_revision", Rule: "discover/versions", Does: "Speaks an older revision alone.", Where: value(1, "/result/supportedVersions", `["2025-06-18"]`),
			WouldWrite: `supportedVersions: ["2025-06-18"]`, script: discovers(`"supportedVersions":["2025-06-18"],"capabilities":{"tools":{}}`)},
		{Name: "no_versions", Rule: "discover/versions", Does: "Names no revision.", Where: value(1, "/result", `{"resultType":`),
			WouldWrite: `{"protocolVersion": "2026-07-28", …}`, script: discovers(`"protocolVersion":"2026-07-28","capabilities":{"tools":{}}`)},
		{Name: "no_capability", Rule: "discover/tools", Does: "Does not offer tools.", Where: value(1, "/result/capabilities", `{}`),
			WouldWrite: `capabilities: {}`, script: discovers(`"supportedVersions":["2026-07-28"],"capabilities":{}`)},
		{Name: "tools_true", Rule: "discover/tools", Does: "Offers tools with true.", Where: value(1, "/result/capabilities/tools", `true`),
			WouldWrite: `capabilities: {"tools": true}`, script: discovers(`"supportedVersions":["2026-07-28"],"capabilities":{"tools":true}`)},
	})
}

// listCases list tools that Subako refuses together.
func listCases() []Case {
	return as(Upload, Refused, []Case{
		{Name: "tools_object", Rule: "list/array", Does: "Lists its tools as an object.", Where: value(2, "/result/tools", `{"greet":`),
			WouldWrite: `tools: {greet: {…}}`, script: lists(`"tools":{"greet":{` + rest + `}}`)},
		{Name: "no_tools", Rule: "list/count", Does: "Lists no tool.", Where: value(2, "/result/tools", `[]`),
			WouldWrite: `tools: []`, script: lists(`"tools":[]`)},
		{Name: "tools_65", Rule: "list/count", Does: "Lists 65 tools.", Where: value(2, "/result/tools", `[{"name":"t1"`),
			WouldWrite: `tools: endpoints.map(toTool)`, script: manyTools(65)},
		{Name: "same_name", Rule: "list/unique", Does: "Lists two tools of one name.", Where: value(2, "/result/tools/1/name", `"get"`),
			WouldWrite: `tools: [get, getById].map(f => ({name: "get", …}))`, script: "tool get 'One.'\ntool get 'Another.'"},
		{Name: "same_on_pages", Rule: "list/unique", Does: "Lists a tool again on the second page.", Where: value(3, "/result/tools/0/name", `"a"`),
			WouldWrite: `page := tools[start-1:]`,
			script: lists(`"tools":[{"name":"a",`+rest+`}],"nextCursor":"2"`) + "\n" +
				`list2 result '` + cached + `"tools":[{"name":"a",` + rest + `}]}'`},
		{Name: "endless_pages", Rule: "list/pages", Does: "Has another page each time.", Where: value(17, "/result/nextCursor", `"c16"`),
			WouldWrite: `nextCursor: cursor + 1`, script: lists(`"tools":[{"name":"t$page",` + rest + `}],"nextCursor":"c$page"`)},
		{Name: "large_list", Rule: "list/size", Does: "Lists tools of over 256 KiB together.", Where: value(2, "/result/tools/51", `{"name":"t52"`),
			WouldWrite: `description of an API with 60 operations, in full`, script: lists(`"tools":[` + largeTools(60, 5000) + `]`)},
	})
}

// toolCases list a tool that Subako refuses.
func toolCases() []Case {
	return as(Upload, Refused, []Case{
		{Name: "upper_case", Rule: "tool/name", Does: "Names a tool Draw.Line.", Where: value(2, "/result/tools/0/name", `"Draw.Line"`),
			WouldWrite: `name: "Draw.Line"`, script: "tool Draw.Line 'Draws a line.'"},
		{Name: "long_name", Rule: "tool/name", Does: "Names a tool with 65 letters.", Where: value(2, "/result/tools/0/name", `"aaaa`),
			WouldWrite: `name: operationId`, script: lists(`"tools":[{"name":"${65:a}",` + rest + `}]`)},
		{Name: "empty_name", Rule: "tool/name", Does: "Gives a tool no name.", Where: value(2, "/result/tools/0/name", `""`),
			WouldWrite: `name: fn.name // of an anonymous function`, script: lists(`"tools":[{"name":"",` + rest + `}]`)},
		{Name: "long_description", Rule: "tool/description", Does: "Describes a tool in 1,025 letters.", Where: value(2, "/result/tools/0/description", `"éé`),
			WouldWrite: `description: readme`, script: lists(`"tools":[{"name":"a","description":"${1025:é}","inputSchema":{"type":"object"}}]`)},
		{Name: "no_schema", Rule: "tool/schema-object", Does: "Gives a tool no inputSchema.", Where: value(2, "/result/tools/0/input_schema", `{"type":"object"}`),
			WouldWrite: `{"name": "a", "input_schema": {…}}`, script: lists(`"tools":[{"name":"a","description":"One.","input_schema":{"type":"object"}}]`)},
		{Name: "string_schema", Rule: "tool/schema-object", Does: "Takes a string instead of an object.", Where: value(2, "/result/tools/0/inputSchema/type", `"string"`),
			WouldWrite: `inputSchema: {"type": "string"}`, script: lists(`"tools":[{"name":"a","description":"One.","inputSchema":{"type":"string"}}]`)},
		{Name: "large_schema", Rule: "tool/schema-size", Does: "Has a schema of 70 KiB.", Where: value(2, "/result/tools/0/inputSchema", `{"type":"object"`),
			WouldWrite: `enum: every_city()`,
			script:     lists(`"tools":[{"name":"a","description":"One.","inputSchema":{"type":"object","properties":{"p":{"enum":["${71680:x}"]}}}}]`)},
	})
}

// startCases break the upload run before, between or instead of its answers.
func startCases() []Case {
	return as(Upload, Refused, []Case{
		{Name: "slow_list", Rule: "list/time", Where: asked(1), Does: "Takes 11 seconds to say what it offers.",
			WouldWrite: `tools = fetch_catalogue()`,
			script:     `discover sleep 11000 result '` + cached + goodDiscover + `}'`},
		{Name: "banner", Rule: "frame/json", Does: "Prints a banner when it starts.", Where: begins(1, 0, "MCP server running on stdio"),
			WouldWrite: `console.log("MCP server running on stdio");`, script: `start out 'MCP server running on stdio\n'`},
		{Name: "dead_start", Rule: "life/trap", Where: inFile("module.wasm", -1), Does: "Traps when it starts.",
			WouldWrite: `let key = env::var("API_KEY").expect("API_KEY");`, script: `start err 'API_KEY is not set\n' trap unreachable`},
		{Name: "quiet_start", Rule: "life/early-exit", Where: asked(1), Does: "Exits when it starts.",
			WouldWrite: `go serve() // and main returns`, script: `start exit 0`},
		{Name: "spinning_start", Rule: "list/time", Where: asked(1), Does: "Computes for ever when it starts.",
			WouldWrite: `while (!config) config = load();`, script: `start spin`},
		{Name: "second_flush", Rule: "life/buffered", Does: "Flushes its first answer alone.", Where: asked(2),
			WouldWrite: `printf("%s\n", answer); // wasi-libc flushes the first line and then buffers`,
			script:     `list hold '` + answerWith(cached+`"tools":[{"name":"a",`+rest+`}]}`) + `\n'`},
		{Name: "old_server", Rule: "rpc/handshake", Does: "Answers nothing before initialize.", Where: value(1, "/error", `{"code":-32002`),
			WouldWrite: `if (!this.initialized) throw new McpError(-32002, "Server not initialized");`,
			script:     `discover out '{"jsonrpc":"2.0","id":$id,"error":{"code":-32002,"message":"Server not initialized"}}\n'`},
		{Name: "no_method", Rule: "error/answered", Does: "Does not know server/discover.", Where: value(1, "/error", `{"code":-32601`),
			WouldWrite: `default: return rpcError(-32601, "Method not found")`,
			script:     `discover out '{"jsonrpc":"2.0","id":$id,"error":{"code":-32601,"message":"Method not found"}}\n'`},
		{Name: "before_abi_1", Rule: "life/old-contract", Does: "Is a module from before ABI 1 was MCP.", Where: begins(1, 0, `{"error":"no tool"`),
			WouldWrite: `let tool = args().nth(1).ok_or("no tool")?;`, script: `start out '{"error":"no tool"}\n' exit 1`},
	})
}

func manyTools(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "tool t%d 'One of many.'\n", i+1)
	}
	return b.String()
}

func largeTools(n, bytes int) string {
	var tools []string
	for i := range n {
		tools = append(tools, fmt.Sprintf(`{"name":"t%d","description":"One.","inputSchema":{"type":"object","title":"${%d:x}"}}`, i+1, bytes))
	}
	return strings.Join(tools, ",")
}
