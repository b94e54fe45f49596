package toolsdiff_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"perch/engine/jsonread"
	"perch/engine/wire"
	"perch/inspect/toolsdiff"
)

// tools reads a list of tools as a module would answer it.
func tools(t testing.TB, text string) []wire.Tool {
	t.Helper()
	doc, err := jsonread.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var out []wire.Tool
	for i, v := range doc.Root().Elements() {
		out = append(out, wire.Tool{Name: v.Get("name").String(), Description: v.Get("description").String(),
			InputSchema: v.Get("inputSchema"), OutputSchema: v.Get("outputSchema"), Value: v, Raw: v.Raw(), Index: i})
	}
	return out
}

const before = `[
 {"name":"bar","description":"Draw.","inputSchema":{"type":"object","properties":{"points":{"type":"array","maxItems":100},"theme":{"type":"string"}}}},
 {"name":"line","inputSchema":{"type":"object"}},
 {"name":"pie","inputSchema":{"type":"object"}}]`

func TestWhatBecameOfTools(t *testing.T) {
	d := toolsdiff.Of(tools(t, before), tools(t, `[
 {"inputSchema": {"type":"object"}, "name":"line"},
 {"name":"bar","description":"Draw bars.","inputSchema":{"type":"object","properties":{"points":{"type":"array","maxItems":2e2},"title":{"type":"string"}}}},
 {"name":"area","description":"Draw an area.","inputSchema":{"type":"object"}}]`))
	if d.New != 1 || d.Changed != 1 || d.Gone != 1 || d.Kept != 1 || !d.Reordered || d.Same() {
		t.Fatalf("%+v", d)
	}
	var got []string
	for _, x := range d.Tools {
		got = append(got, x.Kind.Sign()+x.Name)
	}
	if s := strings.Join(got, " "); s != "~bar +area -pie" {
		t.Errorf("%s", s)
	}
	bar := d.Tools[0]
	var changes []string
	for _, c := range bar.Changes {
		changes = append(changes, fmt.Sprintf("%v %s", c.Kind, c.Pointer))
	}
	want := []string{"changed /description", "changed /inputSchema/properties/points/maxItems", "removed /inputSchema/properties/theme", "added /inputSchema/properties/title"}
	if !reflect.DeepEqual(changes, want) {
		t.Errorf("%q", changes)
	}
	if f := bar.FieldsOf(); !reflect.DeepEqual(f, toolsdiff.Fields{New: []string{"title"}, Changed: []string{"points"}, Gone: []string{"theme"}}) {
		t.Errorf("%+v", f)
	}
	if len(bar.Budgets) != 1 || bar.Budgets[0].Old.Used != 5 || bar.Budgets[0].Now.Used != 10 {
		t.Errorf("%+v", bar.Budgets)
	}
	if d.NowModel == d.OldModel || d.NowModel == 0 {
		t.Errorf("the model is given %d, it was %d", d.NowModel, d.OldModel)
	}
}

func TestSameByValue(t *testing.T) {
	d := toolsdiff.Of(tools(t, `[{"name":"a","inputSchema":{"type":"object","properties":{"n":{"minimum":1.0,"maximum":100}}}}]`),
		tools(t, `[{"inputSchema":{"properties":{"n":{"maximum":1e2,"minimum":1}},"type":"object"},"name":"a"}]`))
	if !d.Same() || d.Kept != 1 || len(d.Tools) != 0 {
		t.Errorf("%+v", d)
	}
	d = toolsdiff.Of(tools(t, `[{"name":"a","x":"2026-01-02T03:04:05Z"}]`), tools(t, `[{"name":"a","x":"2026-01-02T03:04:06Z"}]`))
	if d.Changed != 1 {
		t.Error("in a list of tools another time is another value")
	}
}

// Names that are not one each are held against each other by their rank.
func TestDoubledNames(t *testing.T) {
	d := toolsdiff.Of(tools(t, `[{"name":"a","x":1},{"name":"a","x":2},{"name":""}]`), tools(t, `[{"name":"a","x":1},{"name":"a","x":3},{"name":"a","x":4}]`))
	if d.New != 1 || d.Changed != 1 || d.Gone != 1 || d.Kept != 1 {
		t.Errorf("%+v", d)
	}
}

func TestFieldsWithin(t *testing.T) {
	d := toolsdiff.Of(tools(t, `[{"name":"a","inputSchema":{"properties":{"o":{"properties":{"x/y":{}}},"l":{"items":{"properties":{"m":{}}}}}}}]`),
		tools(t, `[{"name":"a","inputSchema":{"properties":{"o":{"properties":{}},"l":{"items":{"properties":{"m":{"type":"string"}}}}}}}]`))
	if f := d.Tools[0].FieldsOf(); !reflect.DeepEqual(f, toolsdiff.Fields{Changed: []string{"l.m"}, Gone: []string{"o.x/y"}}) {
		t.Errorf("%+v", f)
	}
}

// However much a module lists, what is told is bounded.
func TestMuch(t *testing.T) {
	var a, b strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&a, `,"p%d":{"type":"string"}`, i)
		fmt.Fprintf(&b, `,"p%d":{"type":"number"}`, i)
	}
	list := func(s string) []wire.Tool {
		return tools(t, `[{"name":"a","inputSchema":{"properties":{`+s[1:]+`}}}]`)
	}
	d := toolsdiff.Of(list(a.String()), list(b.String()))
	if got := d.Tools[0]; len(got.Changes) != toolsdiff.MaxChanges || got.More != 2000-toolsdiff.MaxChanges {
		t.Errorf("%d changes, %d more", len(got.Changes), got.More)
	}
	huge := strings.Repeat(" ", 600<<10)
	d = toolsdiff.Of(tools(t, `[{"name":"a","x":1`+huge+`}]`), tools(t, `[{"name":"a","x":2}]`))
	if !d.Tools[0].Big || d.Changed != 1 {
		t.Errorf("%+v", d.Tools[0].Big)
	}
}

func TestLost(t *testing.T) {
	for _, c := range []struct{ before, now, args, want string }{
		{`{"properties":{"a":{},"b":{}}}`, `{"properties":{"a":{}}}`, `{"a":1,"b":2,"c":3}`, "b"},
		{`{"properties":{"a":{},"b":{}}}`, `{"properties":{"a":{}}}`, `{"a":1}`, ""},
		{`{"properties":{"o":{"properties":{"x":{}}}}}`, `{"properties":{"o":{"properties":{"y":{}}}}}`, `{"o":{"x":1}}`, "o.x"},
		{`{"properties":{"l":{"items":{"properties":{"x":{}}}}}}`, `{"properties":{"l":{"items":{}}}}`, `{"l":[{"x":1},{"x":2}]}`, "l.x"},
		{`{"properties":{"b":{}}}`, `{"$ref":"#/$defs/t"}`, `{"b":1}`, ""},
		{`true`, `false`, `[1]`, ""},
	} {
		parse := func(s string) jsonread.Value {
			doc, err := jsonread.Parse([]byte(s))
			if err != nil {
				t.Fatal(err)
			}
			return doc.Root()
		}
		if got := strings.Join(toolsdiff.Lost(parse(c.before), parse(c.now), parse(c.args)), " "); got != c.want {
			t.Errorf("%s to %s with %s: %q, want %q", c.before, c.now, c.args, got, c.want)
		}
	}
}
