package mischief

// answerCases are modules of their own whose answer to a call counts, although
// MCP, or a reader in the field, takes it otherwise.
func answerCases() []Case {
	const notify = `out '{"jsonrpc":"2.0","method":"notifications/progress","params":[1]}\n' ok`
	return as(Call, OK, []Case{
		{Name: "doubled_member", Does: "Writes the id twice in one message.", Rule: "frame/duplicate-member", Where: value(1, "/id", `"id":`),
			WouldWrite: `printf("{\"id\":%s,", id); // and the template has one already`,
			ops:        `out '{"jsonrpc":"2.0","id":$id,"id":$id,"result":` + done + `}\n'`},
		{Name: "big_number", Does: "Writes a number that a double cannot hold.", Rule: "frame/number", Where: value(1, "/result/_meta/com.example~1total", "12345678901234567890.10"),
			WouldWrite: `json.Number("12345678901234567890.10")`,
			ops:        `result '{"resultType":"complete","_meta":{"com.example/total":12345678901234567890.10},"content":[{"type":"text","text":"a total"}]}'`},
		{Name: "half_emoji", Does: "Cuts an emoji in two.", Rule: "frame/surrogate", Where: value(1, "/result/content/0/text", `\ud83d`),
			WouldWrite: `title.slice(0, 20)`,
			ops:        `result '{"resultType":"complete","content":[{"type":"text","text":"a bird \\ud83d"}]}'`},
		{Name: "spaced", Does: "Writes blanks between the members.", Rule: "frame/compact", Where: begins(1, 11, ` "2.0", "id": `),
			WouldWrite: `print(json.dumps(answer))`,
			ops:        `out '{"jsonrpc": "2.0", "id": $id, "result": ` + done + `}\n'`},
		{Name: "deep", Does: "Nests lists 20,000 deep.", Rule: "frame/depth", Where: begins(1, 0, `{"jsonrpc":"2.0","id":`),
			WouldWrite: `list = [list] // for each of 20,000 nodes`,
			ops:        `result '{"resultType":"complete","_meta":{"com.example/tree":${20000:[}${20000:]}},"content":[{"type":"text","text":"a tree"}]}'`},
		{Name: "params_list", Does: "Gives a notification a list of parameters.", Rule: "rpc/params-object", Where: value(1, "/params", "[1]"),
			WouldWrite: `notify("notifications/progress", [done])`, ops: notify},
		{Name: "extra_member", Does: "Writes a member beside those of JSON-RPC.", Rule: "rpc/extra-member", Where: value(1, "/trace", `"trace"`),
			WouldWrite: `{"jsonrpc": "2.0", "id": id, "trace": span.id, "result": result}`,
			ops:        `out '{"jsonrpc":"2.0","id":$id,"trace":"z","result":` + done + `}\n'`},
		{Name: "no_result_type", Does: "Leaves resultType out, as the ABI page does.", Rule: "result/type-missing", Where: value(1, "/result", `{"content":`),
			WouldWrite: `{"content": [{"type": "text", "text": text}]}`,
			ops:        `result '{"content":[{"type":"text","text":"done"}]}'`},
		{Name: "meta_number", Does: "Writes a number for _meta.", Rule: "result/meta", Where: value(1, "/result/_meta", "7"),
			WouldWrite: `result["_meta"] = version`,
			ops:        `result '{"resultType":"complete","_meta":7,"content":[{"type":"text","text":"done"}]}'`},
		{Name: "meta_key", Does: "Writes a key into _meta that is none of MCP's form.", Rule: "result/meta", Where: value(1, "/result/_meta/took ms", `"took ms"`),
			WouldWrite: `result["_meta"]["took ms"] = 12`,
			ops:        `result '{"resultType":"complete","_meta":{"took ms":12},"content":[{"type":"text","text":"done"}]}'`},
	})
}

// counts lists act with an outputSchema: a number n.
const counts = cached + `"tools":[{"name":"act","description":"Counts.","inputSchema":{"type":"object"},` +
	`"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}]}`

// contentCases are modules of their own whose result says less than it seems,
// or other than it promised.
func contentCases() []Case {
	const complete = `result '{"resultType":"complete",`
	const listed = `list result '` + counts + `'`
	cases := as(Call, OK, []Case{
		{Name: "no_content", Does: "Answers without content.", Rule: "call/content", Where: value(1, "/result", `{"resultType":"complete"`),
			WouldWrite: `{"structuredContent": value}`, ops: complete + `"structuredContent":{"n":1}}'`},
		{Name: "content_text", Does: "Writes content as a text.", Rule: "call/content", Where: value(1, "/result/content", `"done"`),
			WouldWrite: `{"content": "done"}`, ops: complete + `"content":"done"}'`},
		{Name: "is_error_text", Does: "Writes isError as a text.", Rule: "call/is-error", Where: value(1, "/result/isError", `"true"`),
			WouldWrite: `{"content": […], "isError": str(failed).lower()}`, ops: complete + `"content":[{"type":"text","text":"there is no such order"}],"isError":"true"}'`},
		{Name: "structured_missing", Does: "Promises structured content, and has none.", Rule: "call/structured", Where: value(1, "/result", `{"resultType":"complete"`),
			WouldWrite: `return text("1") // outputSchema is there`, script: listed, ops: `say '{"n":1}'`},
		{Name: "structured_type", Does: "Promises a number, and answers with text.", Rule: "call/structured", Where: value(1, "/result/structuredContent/n", `"1"`),
			WouldWrite: `{"n": str(n)}`, script: listed,
			ops: complete + `"content":[{"type":"text","text":"{\\"n\\":\\"1\\"}"}],"structuredContent":{"n":"1"}}'`},
		{Name: "structured_text", Does: "Says one thing as text and another as a value.", Rule: "call/structured-text", Where: value(1, "/result/content/0/text", `"{\"n\":1}"`),
			WouldWrite: `text(json(before)), structured(after)`,
			ops:        complete + `"content":[{"type":"text","text":"{\\"n\\":1}"}],"structuredContent":{"n":2}}'`},
		{Name: "empty_content", Does: "Answers with nothing for the model.", Rule: "call/empty", Where: value(1, "/result/content", `[]`),
			WouldWrite: `{"content": rows.map(toBlock)} // of no rows`, ops: complete + `"content":[]}'`},
		{Name: "block_no_text", Does: "Writes a text block without text.", Rule: "block/shape", Where: value(1, "/result/content/0", `{"type":"text"`),
			WouldWrite: `{"type": "text", "content": text}`,
			ops:        complete + `"content":[{"type":"text","content":"done"},{"type":"text","text":"done"}]}'`},
		{Name: "block_unknown", Does: "Writes a block of a type that MCP does not have.", Rule: "block/shape", Where: value(1, "/result/content/0/type", `"json"`),
			WouldWrite: `{"type": "json", "json": value}`,
			ops:        complete + `"content":[{"type":"json","json":{"n":1}},{"type":"text","text":"done"}]}'`},
		{Name: "block_no_name", Does: "Links a page without a name.", Rule: "block/link", Where: value(1, "/result/content/0", `{"type":"resource_link"`),
			WouldWrite: `{"type": "resource_link", "uri": page.url}`,
			ops:        complete + `"content":[{"type":"resource_link","uri":"https://example.com/report"},{"type":"text","text":"done"}]}'`},
		{Name: "block_audio", Does: "Answers with a sound, which no model hears.", Rule: "block/left-out", Where: value(1, "/result/content/0", `{"type":"audio"`),
			WouldWrite: `{"type": "audio", "mimeType": "audio/wav", "data": base64(wav)}`,
			ops:        complete + `"content":[{"type":"audio","mimeType":"audio/wav","data":"UklGRg=="},{"type":"text","text":"a sound"}]}'`},
	})
	return append(cases, Case{Name: "silent_error", Kind: Call, Outcome: ToolError, Does: "Fails without a word.", Rule: "call/error-text",
		Where: value(1, "/result/content", "[]"), WouldWrite: `{"content": [], "isError": true}`, ops: complete + `"content":[],"isError":true}'`})
}
