package rules_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/engine/wire"
	"perch/inspect/rules"
	"perch/inspect/schema"
)

// tool is a tool with this inputSchema.
func tool(name, inputSchema string) string {
	return fmt.Sprintf(`{"name":%q,"description":"d","inputSchema":%s}`, name, inputSchema)
}

// schemaFindings are the findings of an upload run's schemas, each with the
// bytes that it points at.
func schemaFindings(t *testing.T, stdout string) (found []rules.Finding, at []string) {
	t.Helper()
	for _, f := range heard(t, event.Upload, stdout) {
		if f.Rule.Group() == "schema" {
			found = append(found, f)
			at = append(at, stdout[f.Where.Offset:f.Where.End])
		}
	}
	return found, at
}

// TestOneBadToolHidesNoOther: each fault has its tool, its pointer and its
// bytes; right neighbours have none.
func TestOneBadToolHidesNoOther(t *testing.T) {
	tools := []string{
		tool("a", `{"type":"object","properties":[]}`),
		tool("b", `{"type":"object","properties":{"a":{"type":null}}}`),
		tool("c", `{"type":"object","properties":{"l":{"type":"array"}}}`),
		tool("d", `{"type":"object","properties":{"ttl":{"type":"integer","minimum":0,"exclusiveMinimum":true}}}`),
		tool("e", `{"type":"object","properties":{"x":{"$ref":"http://169.254.169.254/x"}},"required":["y"]}`),
		tool("f", `{"$schema":"urn:mine","type":"object"}`),
		tool("g", `{"type":"object","properties":{"n":{"type":"integer","default":"ten"},"p":{"type":"string","pattern":"(?=a)"}}}`),
		`{"name":"h","description":"d","inputSchema":{"type":"object"},"outputSchema":{"type":"arry"}}`,
		`{"name":"i","description":"d","inputSchema":{"type":"object"},"outputSchema":{"type":"array","items":{"type":"string"}}}`,
	}
	stdout := discover + page(1001, strings.Join(tools, ","), "")
	found, at := schemaFindings(t, stdout)
	var got []string
	for i, f := range found {
		if string(parsed(strings.Split(stdout, "\n")[1]).At(f.Where.Pointer).Raw()) != at[i] {
			t.Errorf("%s points at %s, and at %s", f.Title, f.Where.Pointer, at[i])
		}
		if f.Where.Line != 2 || f.Where.Stream != event.Stdout || f.Fix == "" || f.Run != event.Upload {
			t.Errorf("%+v", f)
		}
		got = append(got, fmt.Sprintf("%s %s %s: %s", f.Tool, f.Severity, f.Rule, f.Title))
	}
	want := []string{
		`a warning schema/valid: inputSchema/properties of tool 1 ("a") is a list; properties is an object`,
		`b warning schema/valid: inputSchema/properties/a/type of tool 2 ("b") is null; a type is a name in quotes`,
		`e warning schema/ref: inputSchema/properties/x/$ref of tool 5 ("e") is "http://169.254.169.254/x", which is an address`,
		`f warning schema/dialect: inputSchema/$schema of tool 6 ("f") is "urn:mine", a dialect that is not known here`,
		`h warning schema/valid: outputSchema/type of tool 8 ("h") is "arry", which is no type`,
		`d notice schema/draft-mix: inputSchema/properties/ttl/exclusiveMinimum of tool 4 ("d") is true, the draft-4 way; in 2020-12 exclusiveMinimum is a number`,
		`e notice schema/required: inputSchema/required/0 of tool 5 ("e") is "y", which properties does not have`,
		`g notice schema/default: inputSchema/properties/n/default of tool 7 ("g") does not fit its own schema: "ten" is a string where the schema says integer`,
		`g notice schema/pattern: inputSchema/properties/p/pattern of tool 7 ("g") is "(?=a)" and is not checked: look-ahead is not supported here`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestTheSameSchemaInManyTools: a fault that a generator writes into each tool
// is one finding; many different ones are bounded and counted.
func TestTheSameSchemaInManyTools(t *testing.T) {
	var same, other []string
	for i := range 60 {
		same = append(same, tool(fmt.Sprintf("t%d", i), `{"type":"object","properties":{"a":{"type":"int"}}}`))
		other = append(other, tool(fmt.Sprintf("t%d", i), fmt.Sprintf(`{"type":"object","properties":{"a%d":{"type":"int"}}}`, i)))
	}
	found, _ := schemaFindings(t, discover+page(1001, strings.Join(same, ","), ""))
	if len(found) != 1 || !strings.Contains(found[0].Detail, `The same in tool 2 ("t1"), `) || !strings.Contains(found[0].Detail, "51 more") {
		t.Errorf("%+v", found)
	}
	found, _ = schemaFindings(t, discover+page(1001, strings.Join(other, ","), ""))
	if len(found) != 20 || !strings.HasSuffix(found[19].Detail, "40 more like it are not listed") {
		t.Errorf("%d findings, the last: %s", len(found), found[len(found)-1].Detail)
	}
	bad := strings.TrimSuffix(strings.Repeat(`{"type":"int"},`, 100), ",")
	found, _ = schemaFindings(t, discover+page(1001, tool("a", `{"type":"object","allOf":[`+bad+`]}`), ""))
	if len(found) != 20 || !strings.HasSuffix(found[19].Detail, "80 more like it are not listed") {
		t.Errorf("%d findings, the last: %s", len(found), found[len(found)-1].Detail)
	}
}

// TestToolsInTheField: nothing is found wrong with tools that are right, but
// that one has a longer description than the ABI page allows.
func TestToolsInTheField(t *testing.T) {
	files, err := filepath.Glob("../schema/testdata/tools/github-mcp-server/*.json")
	if err != nil || len(files) != 117 {
		t.Fatalf("%d tools: %v", len(files), err)
	}
	var got []string
	for chunk := range slices.Chunk(files, 40) {
		var tools []string
		for _, name := range chunk {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			tools = append(tools, string(jsonread.Compact(nil, text)))
		}
		for _, f := range heard(t, event.Upload, discover+page(1001, strings.Join(tools, ","), "")) {
			if f.Severity != abi.Info {
				got = append(got, string(f.Rule)+" "+f.Tool)
			}
		}
	}
	if want := []string{string(abi.ToolDescription) + " pull_request_review_write"}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

// promising is what the upload run listed: act with this outputSchema.
func promising(outputSchema string) rules.Known {
	v := parsed(outputSchema)
	return rules.Known{Tools: []wire.Tool{{Name: "other", OutputSchema: parsed(`false`)}, {Name: "act", OutputSchema: v}}}
}

// structuredFindings are the findings of call/structured and
// call/structured-text, each with the bytes that it points at.
func structuredFindings(t *testing.T, k rules.Known, result string) (got []string) {
	t.Helper()
	bodies := answered(t, result)
	begun := bodies[0].(event.Begin)
	begun.Tool = "act"
	bodies[0] = begun
	r := recorded(t, bodies...)
	for _, f := range rules.Run(r, k) {
		if strings.HasPrefix(string(f.Rule), string(abi.CallStructured)) {
			out := r.Stream(event.Stdout).Bytes(f.Where.Offset, int(f.Where.End-f.Where.Offset))
			got = append(got, fmt.Sprintf("%s %s %s: %s", f.Severity, strings.TrimPrefix(string(f.Rule), "call/"), out, f.Title))
		}
	}
	cached := k
	cached.Schemas = new(schema.Cache)
	for range 2 {
		if !reflect.DeepEqual(rules.Run(r, cached), rules.Run(r, k)) {
			t.Errorf("%s: with a cache the findings differ", result)
		}
	}
	return got
}

// TestStructuredResults: a structured result against what was promised.
func TestStructuredResults(t *testing.T) {
	n := promising(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`)
	list := promising(`{"type":"array","items":{"type":"string"}}`)
	both := func(structured, text string) string {
		return `{"content":[{"type":"text","text":` + string(jsonread.AppendQuote(nil, text)) + `}],"structuredContent":` + structured + `}`
	}
	for _, c := range []struct {
		name   string
		known  rules.Known
		result string
		want   []string
	}{
		{"it fits", n, both(`{"n":1}`, `{"n":1}`), nil},
		{"by value", n, both(`{"n":1,"m":[1,"é"]}`, ` { "m" : [1.0, "\u00e9"], "n" : 10e-1 } `), nil},
		{"a wrong type", n, both(`{"n":"1"}`, `{"n":"1"}`), []string{`warning structured "1": structuredContent/n does not fit the outputSchema of "act": "1" is a string where the schema says integer`}},
		{"another root", n, both(`[1]`, `[1]`), []string{`warning structured [1]: structuredContent does not fit the outputSchema of "act": a list stands where the schema says object`}},
		{"a list is fine", list, both(`["a"]`, `["a"]`), nil},
		{"null is a value", promising(`{"type":"null"}`), both(`null`, `null`), nil},
		{"two faults", list, both(`[1,"a",2]`, `[1,"a",2]`), []string{`warning structured 1: structuredContent/0 does not fit the outputSchema of "act": 1 is a number where the schema says string`,
			`warning structured 2: structuredContent/2 does not fit the outputSchema of "act": 2 is a number where the schema says string`}},
		{"missing", n, `{"content":[]}`, []string{`warning structured {"content":[]}: the result has no structuredContent, and "act" has an outputSchema that promises it`}},
		{"an error needs none", n, `{"content":[{"type":"text","text":"no"}],"isError":true}`, nil},
		{"an error may have another", n, `{"content":[{"type":"text","text":"no"}],"isError":true,"structuredContent":[1]}`, nil},
		{"nothing was promised", rules.Known{}, both(`{"n":"1"}`, `{"n":"1"}`), nil},
		{"nothing was promised, none came", rules.Known{}, `{"content":[{"type":"text","text":"a"}]}`, nil},
		{"what is promised cannot be read", promising(`{"$schema":"urn:x","type":"null"}`), both(`1`, `1`), nil},
		{"a promise that is open", promising(`{"$ref":"http://a/b"}`), both(`1`, `1`), nil},

		{"another value", rules.Known{}, both(`{"n":1,"m":{"k":2}}`, `{"n":1,"m":{"k":3}}`), []string{`notice structured-text "{\"n\":1,\"m\":{\"k\":3}}": block 1 has another value than structuredContent: at /m/k, 3 and not 2`}},
		{"a member less", rules.Known{}, both(`{"n":1,"m":2}`, `{"n":1}`), []string{`notice structured-text "{\"n\":1}": block 1 has another value than structuredContent: at /m, nothing and not 2`}},
		{"words", rules.Known{}, both(`{"n":1}`, `There is one.`), []string{`notice structured-text {"n":1}: no text block carries the value of structuredContent`}},
		{"other kind", rules.Known{}, both(`{"n":1}`, `1`), []string{`notice structured-text {"n":1}: no text block carries the value of structuredContent`}},
		{"a text as it is", rules.Known{}, both(`"hello"`, `hello`), nil},
		{"a text as JSON", rules.Known{}, both(`"hello"`, `"hello"`), nil},
		{"beside words", rules.Known{}, `{"content":[{"type":"text","text":"Here:"},{"type":"text","text":"{\"a\":[]}"}],"structuredContent":{"a":[]}}`, nil},
		{"nothing to read at all", rules.Known{}, `{"content":[],"structuredContent":{"a":[]}}`, nil},
		{"large numbers", rules.Known{}, both(`9007199254740993`, `9007199254740992`), []string{`notice structured-text "9007199254740992": block 1 has another value than structuredContent: 9007199254740992 and not 9007199254740993`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := structuredFindings(t, c.known, c.result); !slices.Equal(got, c.want) {
				t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// TestStructuredResultsAreBounded: a megabyte of misfits makes as many findings
// as any fault, and counts the rest.
func TestStructuredResultsAreBounded(t *testing.T) {
	many := `[` + strings.TrimSuffix(strings.Repeat("1,", 100_000), ",") + `]`
	deep := strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000)
	tree := promising(`{"$ref":"#/$defs/n","$defs":{"n":{"type":"array","items":{"$ref":"#/$defs/n"}}}}`)
	got := structuredFindings(t, promising(`{"items":{"type":"string"}}`), `{"content":[{"type":"text","text":"`+many+`"}],"structuredContent":`+many+`}`)
	if len(got) != 20 {
		t.Errorf("%d findings", len(got))
	}
	for _, result := range []string{
		`{"content":[{"type":"text","text":"` + deep + `"}],"structuredContent":` + deep + `}`,
		`{"content":[{"type":"text","text":"[` + deep + `]"}],"structuredContent":` + deep + `}`,
	} {
		if got := structuredFindings(t, tree, result); len(got) > 0 {
			t.Errorf("a deep value: %.200s", got)
		}
	}
	blocks := strings.TrimSuffix(strings.Repeat(`{"type":"text","text":"{}"},`, 5_000), ",")
	got = structuredFindings(t, rules.Known{}, `{"content":[`+blocks+`],"structuredContent":{"a":`+many+`}}`)
	if len(got) != 1 || !strings.HasSuffix(got[0], "no text block carries the value of structuredContent") {
		t.Errorf("of many blocks: %.200s", got)
	}
}
