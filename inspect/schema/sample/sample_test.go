package sample_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"perch/engine/jsonread"
	"perch/inspect/schema"
	"perch/inspect/schema/sample"
)

func parse(t testing.TB, text string) jsonread.Value {
	t.Helper()
	doc, err := jsonread.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return doc.Root()
}

func TestMinimal(t *testing.T) {
	for schema, want := range map[string]string{
		`{}`:                  `"a"`,
		`true`:                `"a"`,
		`false`:               ``,
		`{"type":"object"}`:   `{}`,
		`{"type":"string"}`:   `"a"`,
		`{"type":"integer"}`:  `1`,
		`{"type":"boolean"}`:  `true`,
		`{"type":"null"}`:     `null`,
		`{"type":"array"}`:    `[]`,
		`{"type":"unheard"}`:  ``,
		`{"const":{"a":[1]}}`: `{"a":[1]}`,
		`{"enum":["x","y"]}`:  `"x"`,

		`{"type":["null","string"]}`:                     `"a"`,
		`{"type":["null"]}`:                              `null`,
		`{"type":"string","default":7}`:                  `"a"`,
		`{"type":"string","default":"d"}`:                `"d"`,
		`{"type":"string","default":"d","examples":[1]}`: `"d"`,
		`{"type":"string","examples":["e"]}`:             `"e"`,
		`{"enum":["x","y"],"default":"y"}`:               `"y"`,
		`{"enum":["x","y"],"default":"z"}`:               `"x"`,
		`{"type":"integer","enum":["x",3]}`:              `3`,

		`{"type":"string","minLength":3}`:                 `"aaa"`,
		`{"type":"string","format":"date"}`:               `"2026-01-01"`,
		`{"type":"string","format":"date","maxLength":4}`: `"2026"`,
		`{"type":"string","pattern":"^[0-9]{3}-[A-Z]+$"}`: `"111-A"`,
		`{"type":"string","pattern":"^(x|y)?z$"}`:         `"z"`,
		`{"type":"string","pattern":"(?=a)"}`:             ``,
		`{"type":"string","pattern":"^b$","minLength":2}`: ``,
		`{"type":"string","minLength":100000}`:            ``,
		`{"type":"string","maxLength":0}`:                 `""`,

		`{"type":"integer","minimum":5}`:                         `5`,
		`{"type":"integer","maximum":-5}`:                        `-5`,
		`{"type":"integer","exclusiveMinimum":5}`:                `6`,
		`{"type":"integer","minimum":5,"exclusiveMinimum":true}`: `6`,
		`{"type":"integer","exclusiveMaximum":0.5}`:              `0`,
		`{"type":"integer","multipleOf":7,"minimum":1}`:          `7`,
		`{"type":"integer","multipleOf":7}`:                      `0`,
		`{"type":"integer","minimum":2,"maximum":1}`:             ``,
		`{"type":"integer","minimum":0.2,"maximum":0.8}`:         ``,
		`{"type":"number","minimum":0.2,"maximum":0.8}`:          `0.8`,
		`{"type":"number","exclusiveMinimum":1}`:                 `1.0009765625`,
		`{"minimum":3}`:                                          `3`,

		`{"type":"array","minItems":2,"items":{"type":"integer"}}`:                                `[1,1]`,
		`{"type":"array","minItems":2,"prefixItems":[{"const":1},{"const":2}]}`:                   `[1,2]`,
		`{"type":"array","minItems":2,"items":[{"const":1},{"const":2}]}`:                         `[1,2]`,
		`{"type":"array","contains":{"const":9}}`:                                                 `[9]`,
		`{"type":"array","minItems":1e9}`:                                                         ``,
		`{"type":"object","required":["a","b"],"properties":{"a":{"type":"integer"}}}`:            `{"a":1,"b":"a"}`,
		`{"type":"object","required":["a","a"]}`:                                                  `{"a":"a"}`,
		`{"type":"object","required":["a"],"dependentRequired":{"a":["b"]}}`:                      `{"a":"a","b":"a"}`,
		`{"type":"object","properties":{"a":{},"b":{},"c":{}},"minProperties":2}`:                 `{"a":"a","b":"a"}`,
		`{"type":"object","required":["a"],"additionalProperties":{"type":"null"}}`:               `{"a":null}`,
		`{"type":"object","required":["a"],"properties":{"a":false}}`:                             ``,
		`{"allOf":[{"type":"object"},{"required":["a"]},{"properties":{"a":{"const":1}}}]}`:       `{"a":1}`,
		`{"anyOf":[{"type":"object","required":["a"],"properties":{"a":false}},{"type":"null"}]}`: `null`,
		`{"oneOf":[{"type":"integer"},{"type":"string"}]}`:                                        `1`,
		`{"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}]}`:                       `{"a":"a"}`,
		`{"anyOf":[true]}`: `"a"`,
		`{"type":"object","if":{"properties":{"k":{"const":1}}},"then":{"properties":{"x":{"type":"integer"}},"required":["x"]}}`: `{"x":1}`,

		`{"$ref":"#/$defs/x","$defs":{"x":{"const":5}}}`:                                                      `5`,
		`{"$ref":"#/$defs/a~1b%20c","$defs":{"a/b c":{"const":5}}}`:                                           `5`,
		`{"$ref":"#/$defs/x","$defs":{}}`:                                                                     ``,
		`{"$ref":"https://example.com/x"}`:                                                                    ``,
		`{"$ref":"#"}`:                                                                                        `"a"`,
		`{"type":"object","required":["a"],"properties":{"a":{"$ref":"#"}}}`:                                  ``,
		`{"type":"object","properties":{"next":{"$ref":"#"}},"required":["v"]}`:                               `{"v":"a"}`,
		`{"type":"object","required":["$ref"],"properties":{"$ref":{"type":"integer"}}}`:                      `{"$ref":1}`,
		`{"type":"object","required":["a\"b"],"properties":{"a\"b":{"const":"é"}}}`:                           `{"a\"b":"é"}`,
		`{"type":"object","required":[7],"properties":7}`:                                                     `{}`,
		`{"anyOf":[{"anyOf":[{"anyOf":[false,{"const":3}]}]}]}`:                                               `3`,
		`{"type":"object","required":["a"],"properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}]}}}`: `{"a":"a"}`,
	} {
		if got := string(sample.Minimal(parse(t, schema))); got != want {
			t.Errorf("%s\n got %s\nwant %s", schema, got, want)
		}
	}
}

func TestWrong(t *testing.T) {
	for schema, want := range map[string][]string{
		`{"type":"object"}`: nil,
		`{"type":"string"}`: nil,
		`{"type":"object","properties":{"name":{"type":"string","minLength":1,"maxLength":3}},"required":["name"]}`: {
			`{} without "name"`,
			`{"name":7} with 7 as "name" (another type)`,
			`{"name":""} with "" as "name" (minLength 1)`,
			`{"name":"aaaa"} with "aaaa" as "name" (maxLength 3)`,
		},
		`{"type":"object","properties":{"n":{"type":["integer","null"],"minimum":1,"exclusiveMaximum":10}}}`: {
			`{"n":"seven"} with "seven" as "n" (another type)`,
			`{"n":0} with 0 as "n" (minimum 1)`,
			`{"n":11} with 11 as "n" (exclusiveMaximum 10)`,
		},
		`{"type":"object","properties":{"a":{},"b":{"enum":["x","y"]},"c":{"const":1}},"required":["b"],"additionalProperties":false}`: {
			`{} without "b"`,
			`{"b":7} with 7 as "b" (another type)`,
			`{"b":"x","c":"seven"} with "seven" as "c" (another type)`,
			`{"b":"none-of-these"} with "none-of-these" as "b" (not in its enum)`,
			`{"b":"x","not_a_property":1} with the unknown member "not_a_property"`,
		},
		`{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"integer"}]},"b":{"oneOf":[{"type":"string"},{}]}}}`: {
			`{"a":[]} with [] as "a" (another type)`,
		},
		`{"type":"object","properties":{"l":{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":2}}}`: {
			`{"l":"seven"} with "seven" as "l" (another type)`,
			`{"l":[]} with [] as "l" (minItems 1)`,
			`{"l":["a","a","a"]} with ["a","a","a"] as "l" (maxItems 2)`,
			`{"l":[7]} with [7] as "l" (an element of another type)`,
		},
		`{"type":"object","properties":{"o":{"type":"object","required":["x"]},"p":{"type":"string","pattern":"^a+$"}}}`: {
			`{"o":"seven"} with "seven" as "o" (another type)`,
			`{"p":7} with 7 as "p" (another type)`,
			`{"o":{}} with {} as "o" (its required members are left out)`,
			`{"p":"!"} with "!" as "p" (not what its pattern matches)`,
		},
		`{"type":"object","properties":{"r":{"$ref":"#/nowhere"}}}`:    nil,
		`{"type":"object","required":["a"],"properties":{"a":false}}`:  nil,
		`{"type":"object","properties":{"a":{"type":"number"}},"x":1}`: {`{"a":"seven"} with "seven" as "a" (another type)`},
	} {
		var got []string
		for _, v := range sample.Wrong(parse(t, schema), 24) {
			parse(t, string(v.JSON))
			got = append(got, string(v.JSON)+" "+v.What)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s\n got %s\nwant %s", schema, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		}
	}
}

func TestWrongIsBounded(t *testing.T) {
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, `,"p%d":{"type":"string","minLength":2}`, i)
	}
	schema := parse(t, `{"type":"object","required":["p1"],"properties":{`+b.String()[1:]+`}}`)
	got := sample.Wrong(schema, 24)
	if len(got) != 24 || got[0].What != `without "p1"` || got[1].What != `with 7 as "p0" (another type)` {
		t.Errorf("%d variants, the first %q", len(got), got[:min(2, len(got))])
	}
	if again := sample.Wrong(schema, 24); fmt.Sprint(again) != fmt.Sprint(got) {
		t.Error("the same schema gives other variants")
	}
	long := sample.Wrong(parse(t, `{"type":"object","properties":{"t":{"type":"string","maxLength":1024}}}`), 24)
	if len(long) != 2 || long[1].What != `with a text of 1,025 characters as "t" (maxLength 1024)` {
		t.Errorf("%d variants, the last %q", len(long), long[len(long)-1].What)
	}
}

// TestHostileSchemas: whatever a schema asks for, time and memory are bounded.
func TestHostileSchemas(t *testing.T) {
	deep := strings.Repeat(`{"properties":{"a":`, 3000) + `{}` + strings.Repeat(`},"required":["a"]}`, 3000)
	wide := `{"type":"object","required":[` + strings.Repeat(`"aaaa",`, 8000) + `"b"]}`
	branch := `{"anyOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"}]}`
	for name, schema := range map[string]string{
		"deep":        deep,
		"wide":        wide,
		"exponential": `{"type":"object","required":["x"],"properties":{"x":` + branch + `},"$defs":{"a":{"type":"object","required":["p","q"],"properties":{"p":` + branch + `,"q":` + branch + `}}}}`,
		"all of all":  `{"$ref":"#/$defs/a","$defs":{"a":{"allOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/b"}]},"b":{"allOf":[{"$ref":"#/$defs/a"}]}}}`,
		"pattern":     `{"type":"string","pattern":"((a{30}){30}|b)+$"}`,
		"items":       `{"type":"array","minItems":2000,"items":{"type":"array","minItems":2000}}`,
	} {
		t.Run(name, func(t *testing.T) {
			v := parse(t, schema)
			start := time.Now()
			if got := sample.Minimal(v); len(got) > 64<<10 {
				t.Errorf("%d bytes", len(got))
			}
			sample.Wrong(v, 24)
			if took := time.Since(start); took > 30*time.Second {
				t.Errorf("took %s", took)
			}
		})
	}
}

func FuzzSamples(f *testing.F) {
	f.Add(`{"type":"object","required":["a"],"properties":{"a":{"type":"string","pattern":"^a+$"}}}`)
	f.Add(`{"anyOf":[{"$ref":"#/$defs/x"}],"$defs":{"x":{"minimum":1e308,"multipleOf":1e-308}}}`)
	f.Add(`{"type":"array","minItems":3,"items":[{"enum":[1,null]}],"exclusiveMinimum":true}`)
	f.Fuzz(func(t *testing.T, schema string) {
		doc, err := jsonread.Parse([]byte(schema))
		if err != nil {
			return
		}
		if got := sample.Minimal(doc.Root()); got != nil {
			if _, err := jsonread.Parse(got); err != nil {
				t.Errorf("%s gives %s: %v", schema, got, err)
			}
		}
		for _, v := range sample.Wrong(doc.Root(), 24) {
			if _, err := jsonread.Parse(v.JSON); err != nil {
				t.Errorf("%s gives %s: %v", schema, v.JSON, err)
			}
		}
	})
}

// TestRealTools: a right call can be made for each of the tools that people
// publish, and what is made wrong is wrong for the reason that is given.
func TestRealTools(t *testing.T) {
	files, err := filepath.Glob("../testdata/tools/*/*.json")
	if err != nil || len(files) < 100 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	variants := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		v := parse(t, string(text)).Get("inputSchema")
		judge := schema.Compile(v)
		least := sample.Minimal(v)
		if least == nil {
			t.Errorf("%s: nothing fits", name)
			continue
		}
		if r := judge.Validate(parse(t, string(least))); len(r.Faults) > 0 {
			t.Errorf("%s: %s does not fit: %s", name, least, r.Faults[0].Text)
		}
		for _, w := range sample.Wrong(v, 24) {
			variants++
			if r := judge.Validate(parse(t, string(w.JSON))); len(r.Faults) != 1 {
				t.Errorf("%s: %s %s has %d faults", name, w.JSON, w.What, len(r.Faults))
			}
		}
	}
	if variants < 5*len(files) {
		t.Errorf("%d wrong variants of %d tools", variants, len(files))
	}
}
