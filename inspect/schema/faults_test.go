package schema_test

import (
	"slices"
	"strings"
	"testing"

	"perch/inspect/schema"
)

// TestFaults: what is said of values that do not fit, as "pointer of the value,
// pointer of the keyword: text", and of neighbours that do.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		schema string
		values map[string][]string
	}{
		{`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`, map[string][]string{
			`{"n":"1"}`:  {`/n /properties/n/type: "1" is a string where the schema says integer`},
			`{}`:         {` /required: "n" is missing; it is required`},
			`[1]`:        {` /type: a list stands where the schema says object`},
			`{"n":1}`:    {},
			`{"n":null}`: {`/n /properties/n/type: null stands where the schema says integer`},
			`{"n":1.0}`:  {},
			`{"n":1e3}`:  {},
			`{"n":1.5}`:  {`/n /properties/n/type: 1.5 is a number where the schema says integer`},
			`{"n":true}`: {`/n /properties/n/type: true is a boolean where the schema says integer`},
			`{"n":{}}`:   {`/n /properties/n/type: an object stands where the schema says integer`},
		}},
		{`{"minimum":1,"maximum":5,"multipleOf":0.5}`, map[string][]string{
			`-1`:   {` /minimum: -1 is below the minimum, 1`},
			`6`:    {` /maximum: 6 is above the maximum, 5`},
			`1.25`: {` /multipleOf: 1.25 is no multiple of 0.5`},
			`5`:    {},
		}},
		{`{"exclusiveMinimum":1,"exclusiveMaximum":5}`, map[string][]string{
			`1`: {` /exclusiveMinimum: 1 is not above the exclusive minimum, 1`},
			`5`: {` /exclusiveMaximum: 5 is not below the exclusive maximum, 5`},
			`3`: {},
		}},
		{`{"minimum":1,"exclusiveMinimum":true}`, map[string][]string{
			`1`: {` /minimum: 1 is not above the minimum, 1`},
			`2`: {},
		}},
		{`{"minLength":2,"maxLength":3,"pattern":"^a"}`, map[string][]string{
			`"b"`:    {` /minLength: "b" has 1 character; at least 2 are asked for`, ` /pattern: "b" does not match the pattern "^a"`},
			`"abcd"`: {` /maxLength: "abcd" has 4 characters; at most 3 are allowed`},
			`"aé"`:   {},
			`"👍🏽a"`:  {` /pattern: "👍🏽a" does not match the pattern "^a"`},
		}},
		{`{"enum":["km","mi"]}`, map[string][]string{
			`"x"`:  {` /enum: "x" is none of the values of enum: "km" or "mi"`},
			`"km"`: {},
		}},
		{`{"enum":[1,2,3,4,5,6,7,8]}`, map[string][]string{
			`9`: {` /enum: 9 is none of the values of enum: 1, 2, 3, 4, 5, 6 and 2 more`},
		}},
		{`{"const":{"a":1}}`, map[string][]string{
			`{}`:        {` /const: the object is not the value of const, the only one that is allowed`},
			`{"a":1.0}`: {},
		}},
		{`{"const":"a"}`, map[string][]string{
			`"b"`: {` /const: "b" is not "a", the only value that is allowed`},
		}},
		{`{"items":{"type":"string"},"minItems":1,"maxItems":2,"uniqueItems":true}`, map[string][]string{
			`[]`:            {` /minItems: the list has 0 elements; at least 1 is asked for`},
			`["a","a","a"]`: {` /maxItems: the list has 3 elements; at most 2 are allowed`, `/1 /uniqueItems: "a" is the same as element 0; each may be there once`},
			`[1]`:           {`/0 /items/type: 1 is a number where the schema says string`},
		}},
		{`{"prefixItems":[{"type":"number"},{"type":"number"}],"items":false}`, map[string][]string{
			`[1,2,3]`: {`/2 /items: the list has 3 elements; at most 2 are allowed (items is false)`},
			`[1,"x"]`: {`/1 /prefixItems/1/type: "x" is a string where the schema says number`},
		}},
		{`{"items":[{"type":"number"},{"type":"number"}]}`, map[string][]string{
			`["x",1,"y"]`: {`/0 /items/0/type: "x" is a string where the schema says number`},
		}},
		{`{"contains":{"type":"null"},"maxContains":1}`, map[string][]string{
			`[1]`:         {` /contains: the list has no element that contains takes; at least one is asked for`},
			`[null,null]`: {` /maxContains: the list has 2 elements that contains takes; at most 1 is allowed`},
		}},
		{`{"contains":{"type":"null"},"minContains":2}`, map[string][]string{
			`[null]`: {` /minContains: the list has 1 element that contains takes; at least 2 are asked for`},
		}},
		{`{"additionalProperties":false,"properties":{"a":{}},"propertyNames":{"maxLength":3}}`, map[string][]string{
			`{"b":1,"long":2}`: {`/b /additionalProperties: "b" is not allowed here: additionalProperties is false`, `/long /additionalProperties: "long" is not allowed here: additionalProperties is false`, `/long /propertyNames: "long" is no name that propertyNames takes`},
		}},
		{`{"type":"object","properties":{"labels":{"type":"object","additionalProperties":{"type":"integer","minimum":0}}}}`, map[string][]string{
			`{"labels":{"a":-1}}`: {`/labels/a /properties/labels/additionalProperties/minimum: -1 is below the minimum, 0`},
		}},
		{`{"type":"object","properties":{"meta":true,"never":false,"ok":{"type":"string"}}}`, map[string][]string{
			`{"never":1}`: {`/never /properties/never: "never" is not allowed here: its schema is false`},
		}},
		{`{"dependentRequired":{"a":["b"]},"minProperties":1,"maxProperties":1}`, map[string][]string{
			`{"a":1}`:       {` /dependentRequired: "b" is missing; it is required beside "a"`},
			`{}`:            {` /minProperties: the object has 0 members; at least 1 is asked for`},
			`{"b":1,"c":2}`: {` /maxProperties: the object has 2 members; at most 1 is allowed`},
		}},
		{`{"anyOf":[{"type":"string","minLength":2},{"type":"null"}]}`, map[string][]string{
			`"a"`: {` /anyOf/0/minLength: "a" has 1 character; at least 2 are asked for`},
			`7`:   {` /anyOf: 7 fits none of the 2 branches of anyOf: they take string or null`},
		}},
		{`{"type":"object","oneOf":[{"title":"By id","properties":{"id":{"type":"integer"}},"required":["id"]},{"title":"By name","properties":{"name":{"type":"string"}},"required":["name"]}]}`, map[string][]string{
			`{"id":7}`:            {},
			`{"id":7,"name":"a"}`: {` /oneOf: the object fits two branches of oneOf, number 1 and number 2; exactly one is asked for`},
			`{}`:                  {` /oneOf: the object fits none of the 2 branches of oneOf`},
		}},
		{`{"oneOf":[{"properties":{"kind":{"const":"a"},"x":{"type":"string"}},"required":["kind"]},{"properties":{"kind":{"const":"b"},"y":{"type":"string"}},"required":["kind","y"]}]}`, map[string][]string{
			`{"kind":"b"}`: {` /oneOf/1/required: "y" is missing; it is required`},
			`{"kind":"c"}`: {` /oneOf: the object fits none of the 2 branches of oneOf`},
		}},
		{`{"not":{"type":"null"}}`, map[string][]string{
			`null`: {` /not: null is what not forbids`},
		}},
		{`{"if":{"properties":{"kind":{"const":"mail"}}},"then":{"required":["addr"]},"else":{"required":["tel"]}}`, map[string][]string{
			`{"kind":"mail"}`: {` /then/required: "addr" is missing; it is required`},
			`{"kind":"sms"}`:  {` /else/required: "tel" is missing; it is required`},
		}},
		{`{"properties":{"a":{}},"unevaluatedProperties":false,"unevaluatedItems":false}`, map[string][]string{
			`{"a":1,"b":2}`: {`/b /unevaluatedProperties: "b" is not allowed here: unevaluatedProperties is false`},
			`[1]`:           {`/0 /unevaluatedItems: element 0 is not allowed here: unevaluatedItems is false`},
		}},
		{`{"pattern":"^(?=a)"}`, map[string][]string{
			`"b"`: {`unchecked: the pattern "^(?=a)" is not checked: look-ahead is not supported here`},
		}},
		{`{"not":{"pattern":"^(?=a)"}}`, map[string][]string{
			`"b"`: {`unchecked: the pattern "^(?=a)" is not checked: look-ahead is not supported here`},
		}},
		{`{"$ref":"other.json","type":"string"}`, map[string][]string{
			`"b"`: {`unchecked: the schema has faults`},
			`1`:   {` /type: 1 is a number where the schema says string`, `unchecked: the schema has faults`},
		}},
		{`{"type":["string","null"]}`, map[string][]string{
			`1`: {` /type: 1 is a number where the schema says null or string`},
		}},
		{`false`, map[string][]string{
			`1`: {` : nothing is allowed here: the schema is false`},
		}},
		{`{"type":"object","properties":{"a/b~c":{"type":"string"},"":{"type":"string"}}}`, map[string][]string{
			`{"a/b~c":1,"":2}`: {`/a~1b~0c /properties/a~1b~0c/type: 1 is a number where the schema says string`, `/ /properties//type: 2 is a number where the schema says string`},
		}},
		{`{"type":"object","properties":{"root":{"$ref":"#/$defs/N"}},"$defs":{"N":{"type":"object","properties":{"v":{"type":"string"},"kids":{"type":"array","items":{"$ref":"#/$defs/N"}}}}}}`, map[string][]string{
			`{"root":{"v":"a","kids":[{"v":"b","kids":[{"v":3}]}]}}`: {`/root/kids/0/kids/0/v /$defs/N/properties/v/type: 3 is a number where the schema says string`},
		}},
	} {
		source := parse(t, c.schema)
		s := schema.Compile(source)
		for text, want := range c.values {
			v := parse(t, text)
			r := s.Validate(v)
			var got []string
			for _, f := range r.Faults {
				got = append(got, f.Pointer+" "+f.Schema+": "+f.Text)
				if string(v.At(f.Pointer).Raw()) != string(f.Value.Raw()) {
					t.Errorf("%s: at %s stands %s, not %s", text, f.Pointer, v.At(f.Pointer).Raw(), f.Value.Raw())
				}
				if source.At(f.Schema).IsZero() || !strings.HasSuffix(f.Schema, f.Keyword) {
					t.Errorf("%s has no %s at %s", c.schema, f.Keyword, f.Schema)
				}
			}
			if r.Unchecked != "" {
				got = append(got, "unchecked: "+r.Unchecked)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s of %s:\n%q\nwant\n%q", text, c.schema, got, want)
			}
		}
	}
}

// TestPlacesInsideOfAMessage: pointers are those from the value that was
// validated, wherever it stands.
func TestPlacesInsideOfAMessage(t *testing.T) {
	v := parse(t, `{"result":{"structuredContent":{"a":[1,"x"]}}}`).At("/result/structuredContent")
	r := schema.Compile(parse(t, `[{"properties":{"a":{"items":{"type":"integer"}}}}]`).Index(0)).Validate(v)
	if len(r.Faults) != 1 || r.Faults[0].Pointer != "/a/1" || r.Faults[0].Schema != "/properties/a/items/type" || r.Faults[0].Value.Pointer() != "/result/structuredContent/a/1" {
		t.Errorf("%+v", r)
	}
}

// TestManyFaults: what is not listed is counted.
func TestManyFaults(t *testing.T) {
	r := schema.Compile(parse(t, `{"items":{"type":"null"}}`)).Validate(parse(t, `[`+repeat(100, func(int) string { return "1" })+`]`))
	if len(r.Faults) != 64 || r.More != 36 {
		t.Errorf("%d faults and %d more", len(r.Faults), r.More)
	}
	s := schema.Compile(parse(t, `{"allOf":[`+repeat(100, func(int) string { return `{"type":7}` })+`]}`))
	if n := len(s.Issues()); n != 32 || s.More(s.Issues()[0].Rule) != 68 {
		t.Errorf("%d issues", n)
	}
}

// TestPatterns: expressions of ECMA-262 mean what they mean there.
func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern string // as JSON
		fits    []string
		misfits []string
	}{
		{`"^[\\w.+-]+@[\\w-]+\\.[\\w.]+$"`, []string{`"a.b+c@d-e.org"`}, []string{`"a@b"`, `"é@b.c"`}},
		{`"^\\d+$"`, []string{`"12"`}, []string{`"١٢"`, `""`, `"12\n"`}},
		{`"^.$"`, []string{`"a"`, `"👍"`}, []string{`"\n"`, `"\r"`, `"\u2028"`, `"ab"`}},
		{`"^\\s$"`, []string{`" "`, `"\ufeff"`, `"\u00a0"`}, []string{`"a"`, `"\u200b"`}},
		{`"^[^\\S]$"`, []string{`" "`}, []string{`"a"`}},
		{`"^[\\s\\S]$"`, []string{`"\n"`, `"a"`}, []string{`""`}},
		{`"^\\u{1F600}\\ud83d\\ude00\\x41\\cA\\0$"`, []string{`"😀😀A\u0001\u0000"`}, []string{`"😀"`}},
		{`"^[[a]$"`, []string{`"["`, `"a"`}, []string{`"b"`}},
		{`"^[\\b]$"`, []string{`"\b"`}, []string{`"b"`}},
		{`"[]"`, nil, []string{`"a"`, `""`}},
		{`"^[^]$"`, []string{`"\n"`}, []string{`""`}},
		{`"^\\p{Script=Greek}\\P{Lu}$"`, []string{`"λa"`}, []string{`"la"`, `"λA"`}},
		{`"^(?<year>\\d{4})-(?:\\d\\d)\\/x$"`, []string{`"2026-07/x"`}, []string{`"26-07/x"`}},
		{`"a"`, []string{`"cat"`}, []string{`"dog"`}},
	} {
		s := schema.Compile(parse(t, `{"pattern":`+c.pattern+`}`))
		if len(s.Issues()) > 0 {
			t.Errorf("%s: %+v", c.pattern, s.Issues())
		}
		for _, v := range c.fits {
			if r := s.Validate(parse(t, v)); len(r.Faults) > 0 || r.Unchecked != "" {
				t.Errorf("%s takes %s: %+v", c.pattern, v, r)
			}
		}
		for _, v := range c.misfits {
			if r := s.Validate(parse(t, v)); len(r.Faults) != 1 {
				t.Errorf("%s does not take %s: %+v", c.pattern, v, r)
			}
		}
	}
}
