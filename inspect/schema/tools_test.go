package schema_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/jsonread"
	"perch/inspect/schema"
)

// realTools are the inputSchemas of tools in the field, by their files' names.
func realTools(t testing.TB) map[string]jsonread.Value {
	t.Helper()
	files, err := filepath.Glob("testdata/tools/github-mcp-server/*.json")
	if err != nil || len(files) != 117 {
		t.Fatalf("%d tools: %v", len(files), err)
	}
	all := make(map[string]jsonread.Value, len(files))
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(name)] = parse(t, string(text)).Get("inputSchema")
	}
	return all
}

// TestRealTools: nothing is found wrong with schemas that are right, and in
// each of them one wrong type is found at its place.
func TestRealTools(t *testing.T) {
	for name, v := range realTools(t) {
		s := schema.Compile(v)
		if len(s.Issues()) > 0 || s.Unjudged() != "" || s.Dialect() != schema.Draft2020 {
			t.Errorf("%s: %+v", name, s.Issues())
		}
		at := strings.LastIndex(string(v.Raw()), `"type": "`) + len(`"type": `)
		raw := string(v.Raw())
		broken := schema.Compile(parse(t, raw[:at]+`"x`+raw[at+1:]))
		found := broken.Issues()
		if len(found) != 1 || found[0].Rule != abi.SchemaValid || found[0].Start != at {
			t.Errorf("%s with a wrong type at %d: %+v", name, at, found)
		}
	}
}

// TestValuesOfRealTools: each takes its required members, and says which of
// them are missing.
func TestValuesOfRealTools(t *testing.T) {
	for name, v := range realTools(t) {
		s := schema.Compile(v)
		required := v.Get("required").Len()
		r := s.Validate(parse(t, "{}"))
		if len(r.Faults) != required || r.Unchecked != "" {
			t.Errorf("%s: {} has %d faults, %d are required", name, len(r.Faults), required)
		}
		if r := s.Validate(parse(t, "[]")); len(r.Faults) != 1 || r.Faults[0].Keyword != "type" {
			t.Errorf("%s takes a list: %+v", name, r)
		}
	}
}

func BenchmarkCompile(b *testing.B) {
	tools := realTools(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, v := range tools {
			schema.Compile(v)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(tools)), "µs/tool")
}

// BenchmarkCached compiles one schema anew, and takes it from a cache that keeps
// what was compiled by the hash of its text.
func BenchmarkCached(b *testing.B) {
	v := realTools(b)["issue_write.json"]
	b.Run("anew", func(b *testing.B) {
		for b.Loop() {
			schema.Compile(v)
		}
	})
	b.Run("kept", func(b *testing.B) {
		var cache schema.Cache
		for b.Loop() {
			cache.Compile(v)
		}
	})
}

// BenchmarkValidate holds a megabyte of rows against a schema.
func BenchmarkValidate(b *testing.B) {
	row := `{"id":9007199254740993,"name":"Ada","tags":["a","b"],"score":0.5}`
	text := `{"rows":[` + repeat(1<<20/(len(row)+1), func(int) string { return row }) + `]}`
	v := parse(b, text)
	s := schema.Compile(parse(b, `{"type":"object","properties":{"rows":{"type":"array","items":{"$ref":"#/$defs/row"}}},"required":["rows"],
		"$defs":{"row":{"type":"object","properties":{"id":{"type":"integer","minimum":0},"name":{"type":"string","minLength":1},
		"tags":{"type":"array","items":{"type":"string"}},"score":{"type":"number","maximum":1}},"required":["id","name"],"additionalProperties":false}}}`))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if r := s.Validate(v); len(r.Faults) > 0 || r.Unchecked != "" {
			b.Fatal(r)
		}
	}
}
