package schema_test

import (
	"fmt"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/inspect/schema"
)

func repeat(n int, item func(i int) string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = item(i)
	}
	return strings.Join(list, ",")
}

// nest wraps a text n times.
func nest(n int, before, inner, after string) string {
	return strings.Repeat(before, n) + inner + strings.Repeat(after, n)
}

// doubling is a schema whose definitions each try the next one twice: naive
// readers take 2^n steps.
func doubling(n int, keyword, last string) string {
	defs := repeat(n, func(i int) string {
		return fmt.Sprintf(`"d%d":{"%s":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i, keyword, i+1, i+1)
	})
	return fmt.Sprintf(`{"$ref":"#/$defs/d0","$defs":{%s,"d%d":%s}}`, defs, n, last)
}

// TestHostileSchemas: whatever a schema and a value are, reading them ends
// soon, and what is sure is still told.
func TestHostileSchemas(t *testing.T) {
	long := strings.Repeat("a", 60_000)
	tree := `{"$defs":{"n":{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/n"}}}}},"$ref":"#/$defs/n"}`
	for _, c := range []struct {
		name, schema, value string
		fault               bool // sure faults are told
		unchecked           bool
	}{
		{"nested schemas", nest(9_000, `{"not":`, "{}", "}"), "1", false, true},
		{"nested in members", nest(4_000, `{"properties":{"a":`, `{"type":"null"}`, "}}"), nest(4_000, `{"a":`, "1", "}"), false, true},
		{"nested not quite so deep", nest(900, `{"properties":{"a":`, `{"type":"null"}`, "}}"), nest(900, `{"a":`, "1", "}"), true, false},
		{"a deep value", tree, nest(20_000, `{"kids":[`, "", "]}"), false, true},
		{"a deep value elsewhere", `{"type":"object","properties":{"a":{"type":"string"}}}`, `{"b":` + nest(100_000, "[", "", "]") + `,"a":1}`, true, false},
		{"anyOf doubling", doubling(200, "anyOf", `{"type":"null"}`), `"x"`, true, false},
		{"allOf doubling", doubling(200, "allOf", `{"type":"null","minimum":1}`), `"x"`, true, false},
		{"oneOf doubling", doubling(200, "oneOf", `{"type":"null"}`), `"x"`, true, false},
		{"not in not", nest(1_000, `{"not":`, `{"type":"null"}`, "}"), "null", false, false},
		{"unevaluated doubling", `{"unevaluatedProperties":false,` + doubling(200, "anyOf", `{"properties":{"a":true}}`)[1:], `{"a":1,"b":2}`, false, true},
		{"a loop", `{"anyOf":[{"$ref":"#"},{"type":"null"}]}`, "1", false, true},
		{"loops of many", `{"$defs":{` + repeat(1_000, func(i int) string { return fmt.Sprintf(`"d%d":{"$ref":"#/$defs/d%d"}`, i, (i+1)%1_000) }) + `},"$ref":"#/$defs/d0"}`, "1", false, true},
		{"thousands of references", `{"$defs":{` + repeat(3_000, func(i int) string { return fmt.Sprintf(`"d%d":{"$ref":"#/$defs/d%d"}`, i, i+1) }) + `,"d3000":{"type":"null"}},"$ref":"#/$defs/d0"}`, "1", false, true},
		{"thousands that lead nowhere", `{"allOf":[` + repeat(3_000, func(i int) string { return fmt.Sprintf(`{"$ref":"#/$defs/d%d"}`, i) }) + `]}`, "1", false, true},
		{"a huge enum", `{"enum":[` + repeat(10_000, func(i int) string { return fmt.Sprint(i) }) + `]}`, "-1", true, false},
		{"huge enums against each other", `{"type":"string","allOf":[{"enum":[` + repeat(3_000, func(i int) string { return fmt.Sprintf(`{"a":%d}`, i) }) + `]}],"enum":[` + repeat(3_000, func(i int) string { return fmt.Sprintf(`{"b":%d}`, i) }) + `]}`, "{}", true, false},
		{"required of many", `{"required":[` + repeat(5_000, func(i int) string { return fmt.Sprintf(`"n%d"`, i) }) + `],"properties":{` + repeat(5_000, func(i int) string { return fmt.Sprintf(`"m%d":{}`, i) }) + `}}`, "{}", true, false},
		{"patterns times members", `{"patternProperties":{` + repeat(500, func(i int) string { return fmt.Sprintf(`"^(a|b|c)*x{%d}":{"type":"null"}`, i%9+1) }) + `}}`, `{` + repeat(5_000, func(i int) string { return fmt.Sprintf(`"abcabcabc%d":1`, i) }) + `}`, false, true},
		{"a large pattern", `{"pattern":"((a?){900}){20}"}`, `"` + long + `"`, false, true},
		{"a pattern in a long text", `{"pattern":"^(a?){800}$"}`, `"` + long + long + `"`, false, true},
		{"numbers of a billion digits", `{"minimum":1e1000000000,"multipleOf":0.001}`, "1e999999999", true, false},
		{"an exponent without end", `{"multipleOf":3}`, "1e" + strings.Repeat("9", 50_000), false, true},
		{"contains of many", `{"contains":{"type":"null"},"uniqueItems":true}`, `[` + repeat(50_000, func(i int) string { return fmt.Sprint(i % 40_000) }) + `]`, true, false},
		{"faults of many", `{"items":{"type":"null"}}`, `[` + repeat(50_000, func(i int) string { return "1" }) + `]`, true, false},
		{"doubled keywords", `{` + repeat(9_000, func(i int) string { return `"type":7` }) + `}`, "1", false, true},
		{"doubled members", `{"properties":{` + repeat(5_000, func(i int) string { return `"a":{"type":"null"}` }) + `}}`, `{"a":1}`, true, false},
		{"dynamic doubling", `{"$id":"http://a/","$ref":"#/$defs/d0","$defs":{"x":{"$id":"b","$dynamicAnchor":"q"},` + doubling(60, "anyOf", `{"$dynamicRef":"#q","$dynamicAnchor":"q","type":"null"}`)[len(`{"$ref":"#/$defs/d0","$defs":{`):], "1", false, true},
		{"too large", `{"title":"` + strings.Repeat("x", abi.MaxAllTools) + `"}`, "1", false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := schema.Compile(parse(t, c.schema))
			for _, i := range s.Issues() {
				if i.Text == "" || i.Start < 0 || i.End > len(c.schema) || i.Start >= i.End {
					t.Fatalf("%+v", i)
				}
			}
			got := s.Validate(parse(t, c.value))
			if (len(got.Faults) > 0) != c.fault || (got.Unchecked != "") != c.unchecked {
				t.Errorf("%d faults, %d more, unchecked %q", len(got.Faults), got.More, got.Unchecked)
			}
			if len(got.Faults) > 0 && got.Faults[0].Text == "" {
				t.Errorf("%+v", got.Faults[0])
			}
		})
	}
}
