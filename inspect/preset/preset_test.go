package preset_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"perch/inspect/preset"
)

func put(t *testing.T, f *preset.File, tool, name, args string) {
	t.Helper()
	if err := f.Put(tool, name, []byte(args)); err != nil {
		t.Fatalf("%s %s: %v", tool, name, err)
	}
}

func TestFileToRead(t *testing.T) {
	f := preset.New()
	put(t, f, "greet", "warm", `{"name":"Ada","n":1e3}`)
	put(t, f, "greet", "two lines", "{\n  \"name\": \"Ada\"\n}")
	put(t, f, "shout", "empty", `{}`)
	want := `{
  "perch-presets": 1,
  "tools": {
    "greet": {
      "warm": {"name":"Ada","n":1e3},
      "two lines": {
        "name": "Ada"
      }
    },
    "shout": {
      "empty": {}
    }
  }
}
`
	if got := string(f.Bytes()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	g, err := preset.Parse(f.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if p, ok := g.Get("greet", "two lines"); !ok || string(p.Args) != "{\n  \"name\": \"Ada\"\n}" {
		t.Errorf("it came back as %q", p.Args)
	}
	if got := strings.Join(g.Tools(), " "); got != "greet shout" {
		t.Errorf("tools: %s", got)
	}
	if all := g.Presets("greet"); len(all) != 2 || all[0].Name != "warm" || string(all[0].Args) != `{"name":"Ada","n":1e3}` {
		t.Errorf("%q", all)
	}
	if all := g.Presets("none"); all != nil {
		t.Errorf("%q", all)
	}
}

// TestHandsStay: what people wrote around a preset is kept to the byte.
func TestHandsStay(t *testing.T) {
	text := "{\t\"perch-presets\":1.0, \"why\":\"mine\",\n\"tools\":{\"a\":{ \"one\":{ \"x\" :1 } ,\"two\":{}}}}"
	f, err := preset.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	put(t, f, "a", "one", `{"x":2}`)
	if want := strings.Replace(text, `{ "x" :1 }`, `{"x":2}`, 1); string(f.Bytes()) != want {
		t.Errorf("got %s", f.Bytes())
	}
	if err := f.Rename("a", "one", "uno"); err != nil {
		t.Fatal(err)
	}
	if err := f.Remove("a", "two"); err != nil {
		t.Fatal(err)
	}
	if want := "{\t\"perch-presets\":1.0, \"why\":\"mine\",\n\"tools\":{\"a\":{ \"uno\":{\"x\":2}}}}"; string(f.Bytes()) != want {
		t.Errorf("got %s", f.Bytes())
	}
	if err := f.Remove("a", "uno"); err != nil || len(f.Tools()) != 0 {
		t.Errorf("%v: %s", err, f.Bytes())
	}
	put(t, f, "b", "x", `{}`)
	if p, ok := f.Get("b", "x"); !ok || string(p.Args) != "{}" {
		t.Errorf("%s", f.Bytes())
	}
}

func TestWhatIsRefused(t *testing.T) {
	f := preset.New()
	put(t, f, "a", "one", `{}`)
	put(t, f, "a", "two", `{}`)
	before := string(f.Bytes())
	for _, c := range []struct {
		do   error
		want error
	}{
		{f.Put("\x81", "x", []byte(`{}`)), preset.ErrName},
		{f.Put("a", "", []byte(`{}`)), preset.ErrName},
		{f.Put("a", "x\n", []byte(`{}`)), preset.ErrName},
		{f.Put("a", "\u202ex", []byte(`{}`)), preset.ErrName},
		{f.Put("a", strings.Repeat("ü", 101), []byte(`{}`)), preset.ErrName},
		{f.Put("a", "x", []byte(`[]`)), preset.ErrArgs},
		{f.Put("a", "x", []byte(`{"a":`)), preset.ErrArgs},
		{f.Put("a", "x", []byte(`{"a":"`+strings.Repeat("x", 1<<20)+`"}`)), preset.ErrSize},
		{f.Rename("a", "one", "two"), preset.ErrExists},
		{f.Rename("a", "none", "x"), preset.ErrNone},
		{f.Rename("a", "one", ""), preset.ErrName},
		{f.Remove("a", "none"), preset.ErrNone},
		{f.Remove("none", "one"), preset.ErrNone},
	} {
		if !errors.Is(c.do, c.want) {
			t.Errorf("said %v, want %v", c.do, c.want)
		}
	}
	if string(f.Bytes()) != before {
		t.Errorf("it was changed: %s", f.Bytes())
	}
}

// TestHostileFiles: what is no preset is told and passed over.
func TestHostileFiles(t *testing.T) {
	for text, want := range map[string]string{
		`[]`:                    "a file of presets is an object, this is a list (byte 0)",
		`{}`:                    `it has no member "perch-presets" (byte 0)`,
		`{"perch-presets":2}`:   `"perch-presets" is 2, known is 1 (byte 17)`,
		`{"perch-presets":"1"}`: `"perch-presets" is "1", known is 1 (byte 17)`,
		`{"perch-presets":1`:    "ends inside an object (byte 18)",
		strings.Repeat(" ", 5<<20) + `{"perch-presets":1}`: "a file of presets has at most 4 MiB (byte 4194304)",
	} {
		if _, err := preset.Parse([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%.40s: %v, want %s", text, err, want)
		}
	}
	f, err := preset.Parse([]byte(`{"perch-presets":1,"tools":{"a":[1],"b":{"bad":7,"good":{"x":1},"":{},"good":{"x":2}},"c":{}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if all := f.Presets("b"); len(all) != 1 || string(all[0].Args) != `{"x":2}` {
		t.Errorf("%q", all)
	}
	var told []string
	for _, i := range f.Issues() {
		told = append(told, i.Pointer+" "+i.Text)
	}
	if got := strings.Join(told, "\n"); got != "/tools/a is a list; a tool has an object of presets\n/tools/b/bad is 7; a preset holds a JSON object\n/tools/b/ is \"\"; a preset's name has 1 to 100 characters, all of them visible" {
		t.Errorf("told\n%s", got)
	}
	f, err = preset.Parse([]byte(`{"perch-presets":1,"tools":7}`))
	if err != nil || len(f.Tools()) != 0 || len(f.Issues()) != 1 {
		t.Fatalf("%v, %v", err, f.Issues())
	}
	put(t, f, "a", "one", `{}`)
	if string(f.Bytes()) != `{"perch-presets":1,"tools":{"a":{"one":{}}}}` {
		t.Errorf("%s", f.Bytes())
	}
}

// FuzzPresets: whatever stands in a file, what is put in comes out as it was.
func FuzzPresets(f *testing.F) {
	f.Add(`{"perch-presets":1,"tools":{"a":{"x":{}}}}`, "a", "x", "{\n \"k\": [1,\n2] }")
	f.Add("{\n\t\"perch-presets\": 1\n}", "t/~", "n", `{"a":1e3}`)
	f.Fuzz(func(t *testing.T, text, tool, name, args string) {
		file, err := preset.Parse([]byte(text))
		if err != nil {
			return
		}
		if file.Put(tool, name, []byte(args)) != nil {
			return
		}
		again, err := preset.Parse(file.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if strings.ToValidUTF8(tool, "\ufffd") != tool {
			return
		}
		p, ok := again.Get(tool, name)
		if want := bytes.Trim([]byte(args), " \t\r\n"); !ok || !bytes.Equal(p.Args, want) {
			t.Fatalf("%q came out as %q of %q", want, p.Args, file.Bytes())
		}
	})
}
