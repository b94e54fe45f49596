package inspect_test

import (
	"fmt"
	"strings"

	"perch/engine/abi"
	"perch/samples/mischief"
)

// discoverPairs are the rules of the answer to server/discover.
func discoverPairs() []pair {
	discovers := func(members string) trial { return uploads(`discover result '` + cached + members + `}'`) }
	const versions, tools = `"supportedVersions":["2026-07-28"]`, `"capabilities":{"tools":{}}`
	return []pair{
		{abi.DiscoverVersions, caseOf("old_revision"), discovers(`"supportedVersions":["2025-06-18","2026-07-28"],` + tools)},
		{abi.DiscoverTools, caseOf("tools_true"), discovers(versions + `,"capabilities":{"tools":{"listChanged":true}}`)},
		{abi.DiscoverShape, caseOf("instructions_number"), discovers(versions + `,` + tools + `,"instructions":"7"`)},
		{abi.DiscoverUnused, caseOf("unused_capability"), discovers(versions + `,` + tools)},
	}
}

// listPairs are the rules of all tools together.
func listPairs() []pair {
	return []pair{
		{abi.ListArray, caseOf("tools_object"), uploads(lists(tool("greet", "")))},
		{abi.ListCount, caseOf("tools_65"), uploads(manyTools(abi.MaxTools))},
		{abi.ListUnique, caseOf("same_on_pages"), uploads(pages(2))},
		{abi.ListPages, caseOf("endless_pages"), uploads(pages(abi.MaxPages))},
		{abi.ListCursor, caseOf("cursor_null"), uploads(pages(2))},
		{abi.ListSize, caseOf("large_list"), uploads(lists(exactTools(8, abi.MaxAllTools)))},
		{abi.ListTime, caseOf("slow_list"), uploads(`discover sleep 9900 result '` + cached + `"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}'`)},
		{abi.ListSandbox, caseOf("opens_at_start"), files(map[string]string{abi.ManifestFile: manifest, "assets/state.json": "{}",
			abi.ModuleFile: string(mischief.Build("start open '/package/state.json' r close"))})},
		{abi.ListStable, caseOf("hash_order"), uploads(manyTools(40))},
	}
}

// toolPairs are the rules of one tool.
func toolPairs() []pair {
	named := func(name string) trial { return uploads(lists(tool(name, ""))) }
	return []pair{
		{abi.ToolName, caseOf("long_name"), named(strings.Repeat("az09_-", 10) + "abcd")},
		{abi.ToolDescription, caseOf("long_description"), uploads(lists(`{"name":"a","description":"${1024:é}","inputSchema":{"type":"object"}}`))},
		{abi.ToolSchemaObject, caseOf("string_schema"), uploads(lists(
			`{"name":"a","description":"One.","inputSchema":{"anyOf":[{"required":["x"]},{"required":["y"]}],"properties":{"x":{},"y":{}},"type":"object"}}`))},
		{abi.ToolSchemaSize, caseOf("large_schema"), uploads(lists(`{"name":"a","description":"One.","inputSchema":` + exactSchema(abi.MaxSchema) + `}`))},
		{abi.ToolMember, caseOf("tool_slip"), uploads(lists(tool("a", `,"title":"A","outputSchema":{"type":"object"},"_meta":{"com.example/output_schema":1}`)))},
		{abi.ToolShape, caseOf("hint_text"), uploads(lists(tool("a", `,"annotations":{"readOnlyHint":true,"title":"A"}`)))},
	}
}

// manyTools are the lines of n tools.
func manyTools(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "tool t%d 'One of many.'\n", i+1)
	}
	return b.String()
}

// pages is a list of n pages with a tool each.
func pages(n int) string {
	page := func(cursor string) string {
		return ` result '` + cached + `"tools":[` + tool("t$page", "") + `]` + cursor + `}'`
	}
	return "list" + page(`,"nextCursor":"c$page"`) + fmt.Sprintf("\nlist%d", n) + page("")
}

// exactSchema is a good schema of n bytes.
func exactSchema(n int) string {
	const around = `{"type":"object","title":""}`
	return fmt.Sprintf(`{"type":"object","title":"${%d:x}"}`, n-len(around))
}

// exactTools are n good tools that have so many bytes together.
func exactTools(n, bytes int) string {
	var tools []string
	for i := range n {
		size := bytes / n
		around := len(fmt.Sprintf(`{"name":"t%d","description":"One.","inputSchema":}`, i))
		tools = append(tools, fmt.Sprintf(`{"name":"t%d","description":"One.","inputSchema":%s}`, i, exactSchema(size-around)))
	}
	return strings.Join(tools, ",")
}

// schemaPairs are the rules of schemas.
func schemaPairs() []pair {
	schema := func(members string) trial {
		return uploads(lists(`{"name":"a","description":"One.","inputSchema":{"type":"object",` + strings.ReplaceAll(members, "$", "$$") + `}}`))
	}
	property := func(members string) trial { return schema(`"properties":{"a":{` + members + `}}`) }
	return []pair{
		{abi.SchemaValid, caseOf("type_typo"), property(`"type":"string"`)},
		{abi.SchemaDialect, caseOf("unknown_dialect"), schema(`"$schema":"https://json-schema.org/draft/2020-12/schema"`)},
		{abi.SchemaRef, caseOf("dead_reference"), schema(`"properties":{"a":{"$ref":"#/$defs/Nope"}},"$defs":{"Nope":{"type":"string"}}`)},
		{abi.SchemaDraftMix, caseOf("old_items"), property(`"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}]`)},
		{abi.SchemaRequired, caseOf("required_nobody"), schema(`"properties":{"user_id":{"type":"string"}},"required":["user_id"]`)},
		{abi.SchemaDefault, caseOf("default_type"), property(`"type":"integer","default":10`)},
		{abi.SchemaPattern, caseOf("look_ahead"), property(`"type":"string","pattern":"^(?:[0-9].){8,}$"`)},
	}
}
