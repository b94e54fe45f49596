package sample_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"perch/inspect/schema"
	"perch/inspect/schema/sample"
)

func TestFull(t *testing.T) {
	for text, want := range map[string]string{
		`{"type":"object"}`: `{}`,
		`{"type":"object","properties":{"name":{"type":"string"},"style":{"enum":["plain","warm"]}},"required":["name"]}`:                                                                    `{"name":"a","style":"plain"}`,
		`{"type":"object","properties":{"a":{"type":"integer"},"b":false,"c":{"type":"array","items":{"type":"boolean"}}}}`:                                                                  `{"a":1,"c":[true]}`,
		`{"type":"object","properties":{"root":{"$ref":"#/$defs/N"}},"$defs":{"N":{"properties":{"v":{"type":"string"},"kids":{"items":{"$ref":"#/$defs/N"}}}}}}`:                            `{"root":{"v":"a","kids":[]}}`,
		`{"type":"object","properties":{"self":{"$ref":"#"},"v":{"type":"null"}}}`:                                                                                                           `{"self":{"v":null},"v":null}`,
		`{"type":"object","properties":{"l":{"type":"array","maxItems":0,"items":{"type":"string"}}}}`:                                                                                       `{"l":[]}`,
		`{"type":"object","properties":{"t":{"type":"array","prefixItems":[{"type":"number"},{"type":"string"}]}}}`:                                                                          `{"t":[1,"a"]}`,
		`{"type":"object","properties":{"a":{},"b":{},"c":{}},"maxProperties":2,"required":["c"]}`:                                                                                           `{"c":"a","a":"a"}`,
		`{"type":"object","oneOf":[{"properties":{"id":{"type":"integer"}},"required":["id"]},{"properties":{"name":{"type":"string"}},"required":["name"]}]}`:                               `{"id":1}`,
		`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"not":{"required":["a","b"]}}`:                                                                        `{"a":1}`,
		`{"type":"object","properties":{"kind":{"enum":["mail","sms"]}},"if":{"properties":{"kind":{"const":"mail"}}},"then":{"properties":{"addr":{"type":"string"}},"required":["addr"]}}`: `{"kind":"mail","addr":"a"}`,
		`false`: ``,
	} {
		got := string(sample.Full(parse(t, text)))
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestAll(t *testing.T) {
	for text, want := range map[string][]string{
		`{"type":"object"}`: {`minimal {}`},
		`{"type":"object","properties":{"n":{"type":"integer","minimum":1,"maximum":9,"default":3},"s":{"type":"string","minLength":2,"maxLength":4,"format":"x"},"e":{"enum":["p","q"]}},"required":["n"]}`: {
			`minimal {"n":3}`,
			`full {"n":3,"s":"aa","e":"p"}`,
			`"n" at its minimum, 1 {"n":1}`,
			`"n" at its maximum, 9 {"n":9}`,
			`"s" at its shortest, 2 characters {"n":3,"s":"aa"}`,
			`"s" at its longest, 4 characters {"n":3,"s":"aaaa"}`,
			`"e" as "p" {"n":3,"e":"p"}`,
			`"e" as "q" {"n":3,"e":"q"}`,
		},
		`{"type":"object","examples":[{"a":1},{"a":"wrong"},{"a":2}],"properties":{"a":{"type":"integer"}}}`: {
			`minimal {"a":1}`,
			`example 2 {"a":2}`,
			`"a" zero {"a":0}`,
			`"a" below zero {"a":-1}`,
			`"a" larger than a double holds {"a":9007199254740993}`,
		},
		`{"type":"object","properties":{"a":{"type":"string","examples":["x"],"maxLength":1},"b":{"type":["boolean","null"]},"l":{"type":"array","maxItems":2}}}`: {
			`minimal {}`,
			`full {"a":"x","b":true,"l":["a"]}`,
			`examples {"a":"x"}`,
			`"a" empty {"a":""}`,
			`"a" at its longest, 1 character {"a":"a"}`,
			`"b" true {"b":true}`,
			`"b" false {"b":false}`,
			`"b" null {"b":null}`,
			`"l" empty {"l":[]}`,
			`"l" with one element {"l":["a"]}`,
			`"l" at its most, 2 elements {"l":["a","a"]}`,
		},
		`false`:             nil,
		`{"type":"string"}`: nil,
	} {
		var got []string
		for _, s := range sample.All(parse(t, text)) {
			got = append(got, s.Name+" "+string(s.JSON))
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s\n got %s\nwant %s", text, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		}
	}
}

// TestAllOfRealTools: all of them fit, each has its full one, and nothing is
// listed twice.
func TestAllOfRealTools(t *testing.T) {
	files, err := filepath.Glob("../testdata/tools/*/*.json")
	if err != nil || len(files) < 100 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	count := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		v := parse(t, string(text)).Get("inputSchema")
		judge := schema.Compile(v)
		seen := map[string]bool{}
		for _, s := range sample.All(v) {
			count++
			if seen[string(s.JSON)] {
				t.Errorf("%s: %s twice", name, s.JSON)
			}
			seen[string(s.JSON)] = true
			if r := judge.Validate(parse(t, string(s.JSON))); len(r.Faults) > 0 {
				t.Errorf("%s, %s: %s does not fit: %s", name, s.Name, s.JSON, r.Faults[0].Text)
			}
		}
		full := parse(t, string(sample.Full(v)))
		if full.Len() != v.Get("properties").Len() {
			t.Errorf("%s: %s of %d properties", name, full.Raw(), v.Get("properties").Len())
		}
	}
	if count < 5*len(files) {
		t.Errorf("%d samples of %d tools", count, len(files))
	}
}

// TestAllIsBounded: whatever a schema asks for, time and memory are bounded.
func TestAllIsBounded(t *testing.T) {
	var wide, both strings.Builder
	for i := range 2_000 {
		fmt.Fprintf(&wide, `,"p%d":{"type":"string","minLength":2}`, i)
	}
	for i := range 12 {
		fmt.Fprintf(&both, `,"p%d":{"$ref":"#/$defs/a%d"}`, i, i)
	}
	var defs []string
	for i := range 12 {
		defs = append(defs, fmt.Sprintf(`"a%d":{"type":"object","properties":{%s}}`, i, both.String()[1:]))
	}
	for name, text := range map[string]string{
		"wide":   `{"type":"object","properties":{` + wide.String()[1:] + `}}`,
		"tangle": `{"type":"object","properties":{` + both.String()[1:] + `},"$defs":{` + strings.Join(defs, ",") + `}}`,
		"deep":   strings.Repeat(`{"type":"object","properties":{"a":`, 2000) + `{}` + strings.Repeat(`}}`, 2000),
		"long":   `{"type":"object","properties":{"s":{"type":"string","minLength":60000},"l":{"type":"array","minItems":3000,"items":{"type":"string","minLength":100}}}}`,
	} {
		start := time.Now()
		for _, s := range sample.All(parse(t, text)) {
			if len(s.JSON) > 64<<10 {
				t.Errorf("%s: %d bytes", name, len(s.JSON))
			}
		}
		if took := time.Since(start); took > 2*time.Minute {
			t.Errorf("%s took %s", name, took)
		} else {
			t.Logf("%s took %s", name, took)
		}
	}
}
