package rules_test

import (
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/inspect/rules"
)

// exampleRun makes the stdout of a run of one of MCP's example messages.
func exampleRun(kind, text string) (event.RunKind, string) {
	second := page(1002, `{"name":"last","description":"d","inputSchema":{"type":"object"}}`, "")
	answer := func(result string) string { return `{"jsonrpc":"2.0","id":"call-9","result":` + result + "}\n" }
	member := func(name string) string { return string(parsed(text).Get(name).Raw()) }
	switch kind {
	case "CallToolResult", "InputRequiredResult":
		return event.Call, answer(text)
	case "CallToolResultResponse":
		return event.Call, answer(member("result"))
	case "TextContent", "ImageContent", "AudioContent", "EmbeddedResource", "ResourceLink":
		return event.Call, answer(`{"resultType":"complete","content":[` + text + `]}`)
	case "DiscoverResult":
		return event.Upload, `{"jsonrpc":"2.0","id":"d-1","result":` + text + "}\n" + page(1001, greet, "")
	case "DiscoverResultResponse":
		return event.Upload, `{"jsonrpc":"2.0","id":"d-1","result":` + member("result") + "}\n" + page(1001, greet, "")
	case "ServerCapabilities":
		return event.Upload, strings.Replace(discover, `{"tools":{}}`, text, 1) + page(1001, greet, "")
	case "ListToolsResult", "ListToolsResultResponse":
		if kind == "ListToolsResultResponse" {
			text = member("result")
		}
		hints := strings.NewReplacer(`"ttlMs":0`, `"ttlMs":`+string(parsed(text).Get("ttlMs").Raw()), `"private"`, string(parsed(text).Get("cacheScope").Raw()))
		return event.Upload, discover + `{"jsonrpc":"2.0","id":1001,"result":` + text + "}\n" + hints.Replace(second)
	case "Tool":
		return event.Upload, discover + page(1001, text, "")
	}
	switch {
	case strings.HasSuffix(kind, "Notification"):
		return event.Call, text + "\n" + result(`"content":[]`)
	case strings.HasSuffix(kind, "Error"):
		if e := member("error"); e != "" {
			text = e
		}
		return event.Call, `{"jsonrpc":"2.0","id":"call-9","error":` + text + "}\n"
	}
	return "", ""
}

func parsed(text string) jsonread.Value {
	doc, err := jsonread.Parse([]byte(text))
	if err != nil {
		panic(err)
	}
	return doc.Root()
}

// TestExamplesOfMCP: nothing is found wrong with MCP's own examples but what
// the ABI adds.
func TestExamplesOfMCP(t *testing.T) {
	abis := map[abi.RuleID]bool{abi.ErrorAnswered: true, abi.ResultTypeValue: true, abi.DiscoverTools: true}
	dir := os.DirFS("testdata/mcp-examples")
	n := 0
	err := fs.WalkDir(dir, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".json" {
			return err
		}
		text, err := fs.ReadFile(dir, name)
		if err != nil {
			return err
		}
		kind, stdout := exampleRun(path.Dir(name), string(jsonread.Compact(nil, text)))
		if kind == "" {
			if !strings.HasSuffix(path.Dir(name), "Request") {
				t.Errorf("%s was not tried", name)
			}
			return nil // what a client sends
		}
		n++
		all := heard(t, kind, stdout)
		for _, f := range all {
			if f.Departs() || f.Severity == abi.Error && !abis[f.Rule] || f.Severity == abi.Warning {
				t.Errorf("%s: %s %s: %s", name, f.Severity, f.Rule, f.Detail)
			}
		}
		if _, mcp := rules.Verdicts("", all); mcp.Text != "nothing found" {
			t.Errorf("%s: MCP says %s", name, mcp.Text)
		}
		return nil
	})
	if err != nil || n < 40 {
		t.Errorf("%d examples were tried: %v", n, err)
	}
}
