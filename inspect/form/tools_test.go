package form_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"perch/engine/jsonread"
	"perch/inspect/form"
	"perch/inspect/schema"
	"perch/inspect/schema/sample"
)

// realTools are the inputSchemas of tools in the field, by their files' names.
func realTools(t testing.TB) map[string]jsonread.Value {
	t.Helper()
	files, err := filepath.Glob("../schema/testdata/tools/*/*.json")
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

// TestRealTools: each opens, is filled in by samples and by hand, is right and
// goes out as it is.
func TestRealTools(t *testing.T) {
	for name, v := range realTools(t) {
		s := schema.Compile(v)
		u := user{t, form.New(s)}
		if u.Len() < v.Get("properties").Len() {
			t.Errorf("%s: %d rows of %d properties", name, u.Len(), v.Get("properties").Len())
		}
		for _, made := range sample.All(v) {
			u.SetText(string(made.JSON))
			for _, p := range u.Problems() {
				if p.Level != form.Note {
					t.Errorf("%s, %s: %s: %s", name, made.Name, p.Path, p.Text)
				}
			}
			u.sends(string(made.JSON))
		}
		u.SetText("")
		u.fillIn(name)
	}
}

// fillIn fills in all fields by hand, one after the other.
func (u user) fillIn(name string) {
	for i := 0; i < u.Len() && i < 200; i++ {
		r := u.Row(i)
		var err error
		switch {
		case r.Kind == form.AddRow && r.Depth < 4 && u.Len() < 150:
			if got := u.Raw(r.Path); len(got) < 3 {
				_, err = u.Add(r.Path)
				i-- // the new row stands here now
			}
		case r.Kind != form.Field:
		case r.Group:
			u.Fold(r.Path, true)
		case r.Type == form.Choice:
			err = u.Pick(r.Path, len(r.Options)-1)
		case r.Type == form.Boolean:
			err = u.SetValue(r.Path, "true")
		case r.Type == form.Integer || r.Type == form.Number:
			err = u.SetValue(r.Path, "1")
		case r.State == form.LeftOut || r.Text == "":
			err = u.SetValue(r.Path, "text")
		}
		if err != nil {
			u.Errorf("%s %s: %v", name, r.Path, err)
		}
	}
	for _, p := range u.Problems() {
		if p.Level == form.Wrong || p.Level == form.Missing {
			u.Errorf("%s: %s: %s\n%s", name, p.Path, p.Text, u.Text())
		}
	}
	text := u.Text()
	for _, ok := u.Undo(); ok; {
		_, ok = u.Undo()
	}
	for _, ok := u.Redo(); ok; {
		_, ok = u.Redo()
	}
	if u.Text() != text {
		u.Errorf("%s: done again it is %s", name, u.Text())
	}
}

// TestHostileSchemas: whatever a schema asks for, a form of it opens and an
// act ends, in bounded time.
func TestHostileSchemas(t *testing.T) {
	branch := `{"anyOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/b"}]}`
	var many strings.Builder
	for i := range 2_000 {
		fmt.Fprintf(&many, `,"p%d":{"oneOf":[{"type":"object","properties":{"k":{"const":%d}}},{"type":"string"}]}`, i, i)
	}
	for name, text := range map[string]string{
		"deep":        strings.Repeat(`{"properties":{"a":`, 3000) + `{}` + strings.Repeat(`},"required":["a"]}`, 3000),
		"all of all":  `{"$ref":"#/$defs/a","$defs":{"a":{"allOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/b"}]},"b":{"allOf":[{"$ref":"#/$defs/a"}]}}}`,
		"branches":    `{"properties":{"x":` + branch + `},"$defs":{"a":{"type":"object","required":["p","q"],"properties":{"p":` + branch + `,"q":` + branch + `}},"b":{"type":"object","required":["q"],"properties":{"q":` + branch + `}}}}`,
		"self":        `{"anyOf":[{"$ref":"#"},{"$ref":"#/anyOf/0"}]}`,
		"wide":        `{"properties":{` + many.String()[1:] + `}}`,
		"many values": `{"properties":{"e":{"enum":[` + strings.Repeat(`"aaaaaaaaaaaa",`, 15_000) + `1]}}}`,
		"many wanted": `{"required":[` + strings.Repeat(`"aaaaaaaaaaaa",`, 15_000) + `"b"]}`,
		"many parts":  `{"allOf":[` + strings.Repeat(`{"properties":{"a":{"minLength":1}}},`, 6_000) + `{}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			u := open(t, text)
			u.SetText(`{"x":{"p":{"q":{}}},"p7":{"k":7},"e":"b"}`)
			for i := range min(u.Len(), 40) {
				r := u.Row(i)
				u.Fold(r.Path, true)
				_ = u.SetValue(r.Path, "1")
				_, _ = u.Add(r.Path)
			}
			u.SetFilter("a")
			_ = u.Len()
			u.SetFilter(":wrong")
			_ = u.Len()
			if took := time.Since(start); took > 2*time.Minute {
				t.Errorf("took %s", took)
			}
		})
	}
}

// large is a schema of about 64 KiB: a hundred fields of all kinds with long
// texts.
func large() string {
	var props []string
	for i := range 100 {
		kind := []string{
			`"type":"string"`, `"type":"integer","minimum":1`, `"enum":["plain","warm","formal"]`, `"type":["string","null"]`,
			`"type":"array","items":{"type":"object","properties":{"sku":{"type":"string"},"qty":{"type":"integer"}},"required":["sku"]}`,
			`"oneOf":[{"type":"object","properties":{"kind":{"const":"a"},"x":{"type":"string"}},"required":["kind"]},{"type":"object","properties":{"kind":{"const":"b"}},"required":["kind"]}]`,
			`"$ref":"#/$defs/point"`,
		}[i%7]
		props = append(props, fmt.Sprintf(`"p%03d":{%s,"description":%q}`, i, kind, strings.Repeat("help ", 100)))
	}
	return `{"type":"object","properties":{` + strings.Join(props, ",") + `},"required":["p001","p005"],"anyOf":[{"properties":{"by_id":{"type":"integer"}},"required":["by_id"]},{"properties":{"by_name":{"type":"string"}},"required":["by_name"]}],"$defs":{"point":{"type":"object","properties":{"x":{"type":"number"},"y":{"type":"number"}}}}}`
}

// filledIn is a form of a large schema in which all is filled in.
func filledIn(b testing.TB) user {
	u := open(b, large())
	for i := range 100 {
		path := fmt.Sprintf("/p%03d", i)
		switch i % 7 {
		case 0, 3:
			u.types(path, strings.Repeat("word ", 40))
		case 1:
			u.types(path, "5")
		case 2:
			u.types(path, "warm")
		case 4:
			for range 3 {
				at, err := u.Add(path)
				u.does(err)
				u.types(at+"/sku", "TEA-7")
			}
		case 5:
			u.does(u.Branch(path, 0, 1))
		case 6:
			u.types(path+"/x", "1.5")
		}
	}
	return u
}

// A key into a field, what follows of it, and a screen of rows.
func BenchmarkType(b *testing.B) {
	u := filledIn(b)
	for i := 0; b.Loop(); i++ {
		u.types("/p049", "text "+strings.Repeat("x", i%20))
		at := u.Find("/p049")
		for n := range 40 {
			_ = u.Row(min(at+n, u.Len()-1))
		}
		_ = u.Problems()
	}
}

func BenchmarkBranch(b *testing.B) {
	u := filledIn(b)
	for i := 0; b.Loop(); i++ {
		u.does(u.Branch("/p047", 0, i%2))
		_ = u.Row(u.Find("/p047"))
		_ = u.Problems()
	}
}

func BenchmarkOpen(b *testing.B) {
	s := schema.Compile(parse(b, large()))
	for b.Loop() {
		f := form.New(s)
		_ = f.Row(0)
		_ = f.Problems()
	}
}

// A screen of rows, with nothing changed.
func BenchmarkRows(b *testing.B) {
	u := filledIn(b)
	n := u.Len()
	for i := 0; b.Loop(); i++ {
		for k := range 40 {
			_ = u.Row((i + k) % n)
		}
	}
}
