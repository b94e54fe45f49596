package mischief

// stdout is a place on stdout; the offset is -1 where it depends on the id.
func stdout(line int, offset int64) Where { return Where{Stream: "stdout", Line: line, Offset: offset} }

// begins is a place on stdout that begins with this text.
func begins(line int, offset int64, text string) Where {
	return Where{Stream: "stdout", Line: line, Offset: offset, Text: text}
}

// value is a JSON value on a line of stdout that begins with this text.
func value(line int, pointer, text string) Where {
	return Where{Stream: "stdout", Line: line, Offset: -1, Text: text, Pointer: pointer}
}

// asked is a request that Subako wrote.
func asked(line int) Where {
	return Where{Stream: "stdin", Line: line, Offset: -1, Text: `{"jsonrpc":"2.0","id":`}
}

// answerWith is an answer whose result is this JSON, without its newline.
func answerWith(result string) string {
	return `{"jsonrpc":"2.0","id":$id,"result":` + result + `}`
}

// done is a good result.
const done = `{"resultType":"complete","content":[{"type":"text","text":"done"}]}`

// frameCases break what a line on stdout is.
func frameCases() []Case {
	return as(Tool, Broken, []Case{
		{Name: "log_line", Does: "Prints a log line before its answer.", Rule: "frame/json", Where: begins(1, 0, "package ready v1.2"),
			WouldWrite: `fmt.Println("package ready", version)`,
			ops:        `out 'package ready v1.2\n' ok`},
		{Name: "nan", Does: "Answers with NaN, which is not JSON.", Rule: "frame/json", Where: value(1, "/result/structuredContent/mean", `NaN`),
			WouldWrite: `print(json.dumps({"mean": float("nan")}))`,
			ops:        `out '` + answerWith(`{"resultType":"complete","content":[],"structuredContent":{"mean":NaN,"max":-Infinity}}`) + `\n'`},
		{Name: "two_on_line", Does: "Writes two messages on one line.", Rule: "frame/json", Where: begins(1, 76, `{"jsonrpc":"2.0","id":`),
			WouldWrite: `print!("{progress}{answer}\n")`,
			ops:        `out '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info"}}` + answerWith(done) + `\n'`},
		{Name: "half", Does: "Writes half of its answer and a newline.", Rule: "frame/json", Where: Where{Stream: "stdout", Line: 1, Offset: -1, Text: "\n", Pointer: "/result/content/0/type"},
			WouldWrite: `snprintf(line, sizeof line, "%s", answer); puts(line);`,
			ops:        `out '{"jsonrpc":"2.0","id":$id,"result":{"content":[{"type":"te\n'`},
		{Name: "no_newline", Does: "Answers without a newline at the end, and exits.", Rule: "frame/newline", Where: stdout(1, -1),
			WouldWrite: `fputs(answer, stdout); return 0;`,
			ops:        `out '` + answerWith(done) + `' exit 0`},
		{Name: "latin1", Does: "Answers in Latin-1.", Rule: "frame/utf8", Where: Where{Stream: "stdout", Line: 1, Offset: -1, Text: "\xe9", Pointer: "/result/content/0/text"},
			WouldWrite: `sys.stdout = open(1, "w", encoding="latin-1")`,
			ops:        `out '` + answerWith(`{"content":[{"type":"text","text":"caf\xe9"}]}`) + `\n'`},
		{Name: "pretty", Does: "Spreads its answer over five lines.", Rule: "frame/pretty", Where: begins(1, 0, "{\n  \"jsonrpc\""),
			WouldWrite: `json.MarshalIndent(answer, "", "  ")`,
			ops:        `out '{\n  "jsonrpc": "2.0",\n  "id": $id,\n  "result": {"content": []}\n}\n'`},
		{Name: "content_length", Does: "Frames its answer as language servers do.", Rule: "frame/content-length", Where: begins(1, 0, "Content-Length: 94"),
			WouldWrite: `fmt.Printf("Content-Length: %d\r\n\r\n%s", len(answer), answer)`,
			ops:        `out 'Content-Length: 94\r\n\r\n` + answerWith(done) + `\n'`},
		{Name: "batch", Does: "Answers with a list of messages.", Rule: "frame/object", Where: begins(1, 0, `[{"jsonrpc"`),
			WouldWrite: `json.NewEncoder(os.Stdout).Encode([]Message{answer})`,
			ops:        `out '[` + answerWith(done) + `]\n'`},
		{Name: "blank", Does: "Writes an empty line before its answer.", Rule: "frame/blank", Where: begins(1, 0, "\n"),
			WouldWrite: `fmt.Println()`,
			ops:        `out '\n' ok`},
		{Name: "bom", Does: "Begins with a byte order mark.", Rule: "frame/bom", Where: begins(1, 0, "\xef\xbb\xbf"),
			WouldWrite: `Console.OutputEncoding = Encoding.UTF8;`,
			ops:        `out '\xef\xbb\xbf` + answerWith(done) + `\n'`},
		{Name: "flood_stdout", Does: "Writes 1.2 MB to stdout, without a newline.", Rule: "frame/stdout-size", Where: stdout(1, 1<<20),
			WouldWrite: `"data": base64(an image of 900 KB)`,
			ops:        `out '{"jsonrpc":"2.0","id":$id,"result":{"content":[{"type":"text","text":"${1200000:x}"}]}}\n'`},
	})
}

// messageCases break what a message is.
func messageCases() []Case {
	return as(Tool, Broken, []Case{
		{Name: "no_version", Does: "Leaves jsonrpc out of its answer.", Rule: "rpc/version", Where: begins(1, 0, `{"id":`),
			WouldWrite: `{"id": request.id, "result": result}`,
			ops:        `out '{"id":$id,"result":` + done + `}\n'`},
		{Name: "not_rpc", Does: "Prints its value instead of an answer.", Rule: "rpc/version", Where: begins(1, 0, `{"status":200`),
			WouldWrite: `print(json.dumps({"status": 200, "message": "Success"}))`,
			ops:        `out '{"status":200,"message":"Success"}\n'`},
		{Name: "neither", Does: "Answers with neither a result nor an error.", Rule: "rpc/one-of", Where: begins(1, 0, `{"jsonrpc":"2.0","id":`),
			WouldWrite: "type Answer struct { Result *Result `json:\"result,omitempty\"` }",
			ops:        `out '{"jsonrpc":"2.0","id":$id}\n'`},
		{Name: "both", Does: "Answers with a result and an error.", Rule: "rpc/one-of", Where: value(1, "/error", `{"code":0`),
			WouldWrite: "type Answer struct { Result any `json:\"result\"`; Error Err `json:\"error\"` }",
			ops:        `out '{"jsonrpc":"2.0","id":$id,"result":` + done + `,"error":{"code":0,"message":""}}\n'`},
		{Name: "id_bool", Does: "Answers with true for an id.", Rule: "rpc/id-type", Where: value(1, "/id", `true`),
			WouldWrite: `{"jsonrpc": "2.0", "id": id !== undefined, "result": result}`,
			ops:        `out '{"jsonrpc":"2.0","id":true,"result":` + done + `}\n'`},
		{Name: "id_text", Does: "Answers a number id as text.", Rule: "rpc/id-echo", Where: value(1, "/id", `"`), NumberID: true,
			WouldWrite: "type Answer struct { ID string `json:\"id\"` }",
			ops:        `out '{"jsonrpc":"2.0","id":$otherid,"result":` + done + `}\n'`},
		{Name: "wrong_id", Does: "Answers an id that was not asked.", Rule: "rpc/id-unasked", Where: value(1, "/id", `1`),
			WouldWrite: `printf("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":%s}\n", result);`,
			ops:        `out '{"jsonrpc":"2.0","id":1,"result":` + done + `}\n'`},
		{Name: "id_twice", Does: "Answers twice.", Rule: "rpc/id-twice", Where: value(2, "/id", `"call-`),
			WouldWrite: `defer send(answer) // and send(answer) above`,
			ops:        `ok ok`},
		{Name: "server_request", Does: "Asks for the roots before it answers.", Rule: "rpc/server-request", Where: value(1, "/method", `"roots/list"`),
			WouldWrite: `const roots = await server.listRoots();`,
			ops:        `out '{"jsonrpc":"2.0","id":"s1","method":"roots/list"}\n' line`},
		{Name: "result_text", Does: "Answers with a text for a result.", Rule: "rpc/result-object", Where: value(1, "/result", `"done"`),
			WouldWrite: `{"jsonrpc": "2.0", "id": id, "result": "done"}`,
			ops:        `out '` + answerWith(`"done"`) + `\n'`},
		{Name: "member_case", Does: "Writes Result with a capital R.", Rule: "rpc/member-case", Where: value(1, "/Result", `"Result"`),
			WouldWrite: `type Answer struct { JSONRPC, ID, Result any } // without json tags`,
			ops:        `out '{"jsonrpc":"2.0","id":$id,"Result":` + done + `}\n'`},
		{Name: "handshake", Does: "Waits for initialize, as older revisions did.", Rule: "rpc/handshake", Where: value(1, "/error", `{"code":-32602`),
			WouldWrite: `if !s.initialized { return rpcError(-32602, "not initialized") }`,
			ops:        `out '{"jsonrpc":"2.0","id":$id,"error":{"code":-32602,"message":"not initialized: send initialize first"}}\n'`},
		{Name: "error_answer", Does: "Answers with a JSON-RPC error.", Rule: "error/answered", Where: value(1, "/error", `{"code":-32602`),
			WouldWrite: `return rpcError(-32602, "name must not be empty")`,
			ops:        `out '{"jsonrpc":"2.0","id":$id,"error":{"code":-32602,"message":"name must not be empty"}}\n'`},
		{Name: "result_type", Does: "Asks for more input instead of completing.", Rule: "result/type-value", Where: value(1, "/result/resultType", `"input_required"`),
			WouldWrite: `return InputRequired(ask="which account?")`,
			ops:        `out '` + answerWith(`{"resultType":"input_required","requestState":"step-1"}`) + `\n'`},
	})
}

// lifeCases break how a call ends.
func lifeCases() []Case {
	return as(Tool, Broken, []Case{
		{Name: "early_exit", Does: "Exits before it answers.", Rule: "life/early-exit", Where: asked(1),
			WouldWrite: `if err != nil { os.Exit(0) }`, ops: `exit 0`},
		{Name: "exit_3", Does: "Answers, and exits with status 3.", Rule: "life/exit-code", Where: begins(1, 0, `{"jsonrpc":"2.0","id":`),
			WouldWrite: `return ok ? 0 : 3;`, ops: `ok drain exit 3`},
		{Name: "exit_late", Does: "Answers, and spins when stdin is closed.", Rule: "life/exit-late", Where: begins(1, 0, `{"jsonrpc":"2.0","id":`),
			WouldWrite: `while ((n = read(0, line, sizeof line)) >= 0) answer(line, n);`, ops: `ok drain spin`},
		{Name: "trap", Does: "Traps: unreachable.", Rule: "life/trap", Where: inFile("module.wasm", -1),
			WouldWrite: `let name = arguments["name"].as_str().unwrap();`, ops: `err 'mischief: about to trap\n' trap unreachable`},
		{Name: "divide", Does: "Traps: a division by zero.", Rule: "life/trap", Where: inFile("module.wasm", -1),
			WouldWrite: `int mean = sum / count;`, ops: `trap divide`},
		{Name: "oob", Does: "Traps: reads outside its memory.", Rule: "life/trap", Where: inFile("module.wasm", -1),
			WouldWrite: `char first = *list->head->next->name;`, ops: `trap oob`},
		{Name: "indirect", Does: "Traps: calls a function by the wrong type.", Rule: "life/trap", Where: inFile("module.wasm", -1),
			WouldWrite: `((void (*)(void))handlers[i])();`, ops: `trap indirect`},
		{Name: "overflow", Does: "Traps: recurses until the stack is full.", Rule: "life/trap", Where: inFile("module.wasm", -1),
			WouldWrite: `size_t depth(node *n) { return 1 + depth(n->parent); }`, ops: `trap overflow`},
		{Name: "oom", Does: "Takes memory until it is refused, then traps.", Rule: "life/memory", Where: inFile("module.wasm", -1),
			WouldWrite: `for (;;) rows = realloc(rows, size *= 2) ?: abort();`, ops: `oom`},
		{Name: "spin", Does: "Computes for ever.", Rule: "life/time", Where: asked(1),
			WouldWrite: `while (!done) {}`, ops: `spin`},
		{Name: "sleep", Does: "Sleeps for an hour.", Rule: "life/time", Where: asked(1),
			WouldWrite: `time.Sleep(retryAfter)`, ops: `sleep 3600000 ok`},
		{Name: "stall", Does: "Reads the next line before it answers.", Rule: "life/stall", Where: asked(1),
			WouldWrite: `for line, next := read(), read(); ; line, next = next, read() { answer(line) }`, ops: `line`},
		{Name: "buffered", Does: "Answers into a buffer that it does not flush.", Rule: "life/buffered", Where: asked(1),
			WouldWrite: `setvbuf(stdout, NULL, _IOFBF, 65536); printf("%s\n", answer);`,
			ops:        `hold '` + answerWith(done) + `\n'`},
		{Name: "goodbye", Does: "Answers, and says goodbye on stdout.", Rule: "life/output-after", Where: Where{Stream: "stdout", Line: 2, Offset: -1, Text: "Goodbye."},
			WouldWrite: `atexit(lambda: print("Goodbye."))`, ops: `ok drain out 'Goodbye.\n'`},
		{Name: "old_contract", Does: "Answers as modules did before ABI 1 was MCP.", Rule: "life/old-contract", Where: begins(1, 0, `{"error":"a tool name`),
			WouldWrite: `println!("{}", json!({"error": message})); exit(1)`,
			ops:        `out '{"error":"a tool name was expected as the first argument"}\n' exit 1`},
		{Name: "flood_stderr", Does: "Writes 1 MB to stderr, then traps.", Rule: "life/trap", Also: "life/stderr-tail", Where: inFile("module.wasm", -1),
			WouldWrite: `RUST_LOG=trace`, ops: `repeat 20000 ( err 'trace: one of twenty thousand lines, all the same\n' ) trap unreachable`},
	})
}
