package mischief

import (
	"fmt"
	"strings"
)

// lists2 is a script whose first page has this cursor, and whose second page
// ends the list with these members.
func lists2(cursor, second string) string {
	return lists(`"tools":[{"name":"a",`+rest+`}],"nextCursor":`+cursor) + "\n" + `list2 result '` + second + `}'`
}

// lastPage is the last page of two, but for its end.
const lastPage = cached + `"tools":[{"name":"b",` + rest + `}]`

// acceptedCases are packages that an upload accepts, although MCP, or a reader
// in the field, takes them otherwise.
func acceptedCases() []Case {
	const tools = `"tools":[{"name":"a",` + rest + `}]`
	uncached := func(ttl, scope string) string {
		return `list result '{"resultType":"complete",` + tools + `,"ttlMs":` + ttl + `,"cacheScope":` + scope + `}'`
	}
	tool := func(members string) string {
		return lists(`"tools":[{"name":"a","description":"One of many.","inputSchema":{"type":"object"},` + members + `}]`)
	}
	cases := as(Upload, OK, []Case{
		{Name: "no_hints", Rule: "cache/hints", Does: "Leaves out ttlMs and cacheScope, as the ABI page does.", Where: value(2, "/result", `{"resultType":`),
			WouldWrite: `{"tools": tools}`, script: `list result '{"resultType":"complete",` + tools + `}'`},
		{Name: "ttl_negative", Rule: "cache/hints", Does: "May be cached for less than no time.", Where: value(2, "/result/ttlMs", "-1"),
			WouldWrite: `ttlMs: expires - now`, script: uncached("-1", `"public"`)},
		{Name: "scope_unknown", Rule: "cache/hints", Does: "May be cached for a scope that MCP does not have.", Where: value(2, "/result/cacheScope", `"global"`),
			WouldWrite: `cacheScope: "global"`, script: uncached("1000", `"global"`)},
		{Name: "scope_changes", Rule: "cache/hints", Does: "Says another scope on the second page.", Where: value(3, "/result/cacheScope", `"private"`),
			WouldWrite: `cacheScope: page == 1 ? "public" : "private"`,
			script:     lists2(`"2"`, `{"resultType":"complete","tools":[{"name":"b",`+rest+`}],"ttlMs":3600000,"cacheScope":"private"`)},
		{Name: "instructions_number", Rule: "discover/shape", Does: "Writes a number for its instructions.", Where: value(1, "/result/instructions", "7"),
			WouldWrite: `instructions: docs.length`, script: discovers(goodDiscover + `,"instructions":7`)},
		{Name: "unused_capability", Rule: "discover/unused", Does: "Offers prompts, which Subako never asks for.", Where: value(1, "/result/capabilities/prompts", `"prompts"`),
			WouldWrite: `capabilities: {"prompts": {}, "tools": {}}`, script: discovers(`"supportedVersions":["2026-07-28"],"capabilities":{"prompts":{},"tools":{}}`)},
		{Name: "cursor_empty", Rule: "list/cursor", Does: "Writes an empty cursor for none.", Where: value(2, "/result/nextCursor", `""`),
			WouldWrite: "NextCursor string `json:\"nextCursor\"`", script: lists2(`""`, lastPage)},
		{Name: "cursor_null", Rule: "list/cursor", Does: "Writes null for no cursor.", Where: value(2, "/result/nextCursor", "null"),
			WouldWrite: "NextCursor *string `json:\"nextCursor\"`", script: lists2("null", lastPage)},
		{Name: "cursor_again", Rule: "list/cursor", Does: "Writes the cursor that it was asked with.", Where: value(3, "/result/nextCursor", `"2"`),
			WouldWrite: `nextCursor: params.cursor ?? "2"`, script: lists2(`"2"`, lastPage+`,"nextCursor":"2"`) + "\n" + `list3 result '` + cached + `"tools":[]}'`},
		{Name: "opens_at_start", Rule: "list/sandbox", Does: "Opens its state when it starts.",
			WouldWrite: `state = load("/volume/tmp/state.json")`, script: `start open '/volume/tmp/state.json' r`},
		{Name: "asks_at_start", Rule: "list/sandbox", Does: "Asks a server when it starts.",
			WouldWrite: `catalogue = fetch("https://api.example.com/orders")`, script: `start http '{"url":"https://api.example.com/orders"}'`},
		{Name: "hash_order", Rule: "list/stable", Does: "Lists its tools in another order each time.", Where: Where{Stream: "stdout", Line: 2, Offset: -1, Text: `{"name":"t`},
			WouldWrite: `for name, tool := range tools { list = append(list, tool) }`, script: "start shuffle\n" + manyTools(40)},
		{Name: "no_description", Rule: "tool/description", Does: "Does not say what a tool does.", Where: value(2, "/result/tools/0", `{"name":"a"`),
			WouldWrite: `{"name": "a", "inputSchema": {…}}`, script: lists(`"tools":[{"name":"a","inputSchema":{"type":"object"}}]`)},
		{Name: "tool_slip", Rule: "tool/member", Does: "Names the schema of its output in another style.", Where: value(2, "/result/tools/0/output_schema", `"output_schema"`),
			WouldWrite: `{"name": "a", "inputSchema": {…}, "output_schema": {…}}`, script: tool(`"output_schema":{"type":"object"}`)},
		{Name: "hint_text", Rule: "tool/shape", Does: "Says in words that a tool only reads.", Where: value(2, "/result/tools/0/annotations/readOnlyHint", `"yes"`),
			WouldWrite: `annotations: {"readOnlyHint": "yes"}`, script: tool(`"annotations":{"readOnlyHint":"yes"}`)},
	})
	return append(cases, acceptedPackages()...)
}

// acceptedPackages have a manifest with something that is missing or not used.
func acceptedPackages() []Case {
	const file = "subako-package.json"
	manifest := func(text string) func(map[string][]byte) {
		return func(files map[string][]byte) { files[file] = []byte(text) }
	}
	return as(Upload, OK, []Case{
		{Name: "no_name", Rule: "package/manifest-name", Does: "Has no name.", Where: inFile(file, 0),
			WouldWrite: `{"abi": 1, "description": "…"}`, files: manifest(`{"abi": 1, "description": "No name."}`)},
		{Name: "manifest_tools", Rule: "package/manifest-member", Does: "Lists its tools in the manifest, as before ABI 1 was MCP.", Where: inFile(file, 65),
			WouldWrite: `{"abi": 1, …, "tools": [{"name": "a"}]}`, files: manifest(`{"abi": 1, "name": "mischief", "description": "Tools.", "tools": [{"name": "a"}]}`)},
	})
}

// schemaCases list a tool whose inputSchema is an object, as Subako asks, and
// wrong in it.
func schemaCases() []Case {
	// A dollar in a script is written twice.
	schema := func(members string) string {
		return lists(`"tools":[{"name":"a","description":"One of many.","inputSchema":{"type":"object",` + strings.ReplaceAll(members, "$", "$$") + `}}]`)
	}
	property := func(members string) string { return schema(`"properties":{"a":{` + members + `}}`) }
	at := func(pointer, text string) Where { return value(2, "/result/tools/0/inputSchema"+pointer, text) }
	return as(Upload, OK, []Case{
		{Name: "type_typo", Rule: "schema/valid", Does: "Misspells a type.", Where: at("/properties/a/type", `"strng"`),
			WouldWrite: `{"type": "strng"}`, script: property(`"type":"strng"`)},
		{Name: "properties_list", Rule: "schema/valid", Does: "Writes a list where properties belong.", Where: at("/properties", `[]`),
			WouldWrite: `'properties' => [] // an empty map in PHP`, script: schema(`"properties":[]`)},
		{Name: "unknown_dialect", Rule: "schema/dialect", Does: "Names a dialect that nobody knows.", Where: at("/$schema", `"https://example.com/my-schema"`),
			WouldWrite: `"$schema": "https://example.com/my-schema"`, script: schema(`"$schema":"https://example.com/my-schema"`)},
		{Name: "dead_reference", Rule: "schema/ref", Does: "Refers to a definition that is not there.", Where: at("/properties/a/$ref", `"#/$defs/Nope"`),
			WouldWrite: `{"$ref": "#/$defs/Nope"}`, script: property(`"$ref":"#/$defs/Nope"`)},
		{Name: "remote_reference", Rule: "schema/ref", Does: "Refers to a schema on a server.", Where: at("/properties/a/$ref", `"http://169.254.169.254/`),
			WouldWrite: `{"$ref": "http://169.254.169.254/latest/x.json"}`, script: property(`"$ref":"http://169.254.169.254/latest/x.json"`)},
		{Name: "old_items", Rule: "schema/draft-mix", Does: "Lists the items of a tuple as older drafts did.", Where: at("/properties/a/items", `[{"type":"string"}`),
			WouldWrite: `{"type": "array", "items": [{"type": "string"}, {"type": "integer"}]}`, script: property(`"type":"array","items":[{"type":"string"},{"type":"integer"}]`)},
		{Name: "required_nobody", Rule: "schema/required", Does: "Requires a property that it does not have.", Where: at("/required/0", `"user_id"`),
			WouldWrite: `"required": ["user_id"] // the property is userId`, script: schema(`"properties":{"userId":{"type":"string"}},"required":["user_id"]`)},
		{Name: "default_type", Rule: "schema/default", Does: "Has a text for the default of a number.", Where: at("/properties/a/default", `"ten"`),
			WouldWrite: `{"type": "integer", "default": "ten"}`, script: property(`"type":"integer","default":"ten"`)},
		{Name: "look_ahead", Rule: "schema/pattern", Does: "Has a pattern that looks ahead.", Where: at("/properties/a/pattern", `"^(?=`),
			WouldWrite: `"pattern": "^(?=.*\\d).{8,}$"`, script: property(`"type":"string","pattern":"^(?=.*[0-9]).{8,}$"`)},
	})
}

// probeCases are modules that Subako accepts and whose calls are good. One
// probe each finds what else they do.
func probeCases() []Case {
	const act = "tool act 'Does nothing much.'"
	greet := fmt.Sprintf("%s\ntool greet 'Greets.' ok", lists(`"tools":[{"name":"greet","description":"Greets.",`+
		`"inputSchema":{"type":"object","properties":{"name":{"type":"string","minLength":1}},"required":["name"],"additionalProperties":false}}]`))
	return as(Probe, OK, []Case{
		{Name: "probe_meta", Rule: "probe/meta", Does: "Answers a request without _meta.", Where: value(1, "/result", `{"resultType":`),
			WouldWrite: `// _meta is for the host`, script: "start lax meta\n" + act},
		{Name: "probe_version", Rule: "probe/version", Does: "Answers a request of any revision.", Where: value(1, "/result", `{"resultType":`),
			WouldWrite: `if (meta.protocolVersion == null) …`, script: "start lax version\n" + act},
		{Name: "probe_method", Rule: "probe/method", Does: "Answers a method that it does not know with an empty result.", Where: value(1, "/result", `{"resultType":`),
			WouldWrite: `default: return {}`, script: "unknown result '" + `{"resultType":"complete"}` + "'\n" + act},
		{Name: "probe_tool", Rule: "probe/tool", Does: "Traps when a tool is called that is not there.", Where: inFile("module.wasm", -1),
			WouldWrite: `return tools.find(t => t.name == name)!.call(args)`, script: act + "\ncall trap unreachable"},
		{Name: "probe_arguments", Rule: "probe/arguments", Does: "Takes any arguments for good ones.", Where: value(1, "/result", `{"resultType":`),
			WouldWrite: `"Hello, " + arguments.name // undefined, a list, ""`, script: greet},
		{Name: "probe_id", Rule: "probe/id", Does: "Keeps a number id in 32 bits.", Where: value(1, "/id", "-1"),
			WouldWrite: `let id = request["id"].as_i64().unwrap() as i32;`, script: "start narrow\n" + act},
		{Name: "probe_notification", Rule: "probe/notification", Does: "Answers a notification.", Where: begins(1, 0, `{"jsonrpc":"2.0","id":null`),
			WouldWrite: `send({"jsonrpc": "2.0", "id": message.id ?? null, …})`, script: "start chatty\n" + act},
		{Name: "probe_stateless", Rule: "probe/stateless", Does: "Counts its calls, and says so.", Where: Where{Stream: "stdout", Offset: -1},
			WouldWrite: `static int calls; // in the answer`, script: "tool act 'Counts.' say 'call $calls'"},
		{Name: "probe_client", Rule: "probe/client-info", Does: "Refuses a request that does not name its client.", Where: value(1, "/error", `{"code":-32602`),
			WouldWrite: `meta["io.modelcontextprotocol/clientInfo"].name`, script: "start wants client\n" + act},
		{Name: "probe_long_line", Rule: "probe/long-line", Does: "Cuts lines at 64 KiB.", Where: asked(1),
			WouldWrite: `scanner := bufio.NewScanner(os.Stdin)`, script: "start short 65536\n" + act},
		{Name: "probe_pieces", Rule: "probe/chunked-stdin", Does: "Takes what one read gives for a line.", Where: asked(1),
			WouldWrite: `n = read(0, line, sizeof line); answer(line, n);`, script: "start once\n" + act},
		{Name: "probe_end", Rule: "probe/eof", Does: "Exits when stdin has ended, with a request unanswered.", Where: asked(1),
			WouldWrite: `process.stdin.on("end", () => process.exit(0));`, script: "start hasty\n" + act},
	})
}
