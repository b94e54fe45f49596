package schema_test

import (
	"reflect"
	"testing"

	"perch/engine/jsonread"
	"perch/inspect/schema"
)

// FuzzSchema: any schema and any value are read to an end, places lie within
// their texts, and asked again the same is said.
func FuzzSchema(f *testing.F) {
	for _, s := range [][2]string{
		{`{"type":"object","properties":{"a":{"$ref":"#/$defs/n"}},"$defs":{"n":{"anyOf":[{"type":"null"},{"$ref":"#"}]}}}`, `{"a":{"a":null}}`},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":7}],"dependencies":{"a":["b"]},"if":{},"then":false}`, `[1,"x"]`},
		{`{"$id":"http://x/","$dynamicAnchor":"a","allOf":[{"$id":"y","$dynamicRef":"#a"}],"unevaluatedProperties":{"type":"string"}}`, `{"a":1}`},
		{`{"pattern":"^(?=a)[\\s\\S]*\\u{1F600}$","enum":[1,1.0,{"a":[]}],"default":0,"multipleOf":0.1,"uniqueItems":true}`, `"a"`},
		{`{"required":["x"],"patternProperties":{"^(":true,"x":{"minLength":2}},"propertyNames":{"maxLength":1},"contains":{},"minContains":2}`, `{"xx":"a","x":1e999}`},
		{`{"$schema":"http://json-schema.org/draft-04/schema#","id":"#a","minimum":1,"exclusiveMinimum":true,"a":{"$ref":"#a"}}`, `1.0`},
		{`{"$schema":"https://json-schema.org/draft/2019-09/schema","$recursiveAnchor":true,"items":{"$recursiveRef":"#"},"unevaluatedItems":false}`, `[[1]]`},
	} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, source, value string) {
		a, err := jsonread.Parse([]byte(source))
		if err != nil {
			return
		}
		s := schema.Compile(a.Root())
		for _, i := range s.Issues() {
			if i.Start < 0 || i.End > len(source) || i.Start >= i.End || i.Text == "" || i.Fix == "" || i.Rule == "" {
				t.Fatalf("%+v", i)
			}
		}
		if again := schema.Compile(a.Root()); !reflect.DeepEqual(again.Issues(), s.Issues()) {
			t.Fatalf("%+v\n%+v", s.Issues(), again.Issues())
		}
		b, err := jsonread.Parse([]byte(value))
		if err != nil {
			return
		}
		r := s.Validate(b.Root())
		if again := s.Validate(b.Root()); !reflect.DeepEqual(again, r) {
			t.Fatalf("%+v\n%+v", r, again)
		}
		for _, f := range r.Faults {
			if f.Text == "" || f.Value.IsZero() {
				t.Fatalf("%+v", f)
			}
		}
		if form, ok := schema.Canonical(b.Root()); !ok || form == "" {
			t.Fatalf("%q has no canonical form", value)
		}
	})
}

// FuzzCanonical: two values are written alike when they are equal, and only
// then.
func FuzzCanonical(f *testing.F) {
	for _, s := range [][2]string{{`{"a":1,"b":[2]}`, `{"b":[2.0],"a":1e0}`}, {`"\ud800"`, `"\ufffd"`}, {`[1,2]`, `[2,1]`}, {`{"a":1,"a":2}`, `{"a":2}`}, {`1e99999999999999999999`, `10e99999999999999999998`}, {`"'"`, `"\""`}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		x, err := jsonread.Parse([]byte(a))
		if err != nil {
			return
		}
		y, err := jsonread.Parse([]byte(b))
		if err != nil {
			return
		}
		formX, okX := schema.Canonical(x.Root())
		formY, okY := schema.Canonical(y.Root())
		if okX && okY && (formX == formY) != x.Root().Equal(y.Root()) {
			t.Fatalf("%s and %s are written as %s and %s", a, b, formX, formY)
		}
	})
}
