package jsonedit_test

import (
	"strings"
	"testing"

	"perch/engine/jsonread"
	"perch/inspect/jsonedit"
)

func parse(t testing.TB, text string) *jsonread.Doc {
	t.Helper()
	doc, err := jsonread.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return doc
}

func TestInsertMember(t *testing.T) {
	for _, c := range []struct {
		text, at string
		index    int
		want     string
	}{
		{`{}`, "", 0, "{\n  \"n\": 1\n}"},
		{"{ \n }", "", 0, "{\n  \"n\": 1\n}"},
		{`{"a":1}`, "", 1, `{"a":1,"n":1}`},
		{`{"a":1}`, "", 0, `{"n":1,"a":1}`},
		{`{"a": 1, "b": 2}`, "", 1, `{"a": 1, "n": 1, "b": 2}`},
		{`{ "a" : 1 }`, "", 1, `{ "a" : 1, "n": 1 }`},
		{"{\n\t\"a\": {}\n}", "/a", 0, "{\n\t\"a\": {\n\t\t\"n\": 1\n\t}\n}"},
		{"{\r\n  \"a\": {}\r\n}", "/a", 0, "{\r\n  \"a\": {\r\n    \"n\": 1\r\n  }\r\n}"},
		{"{\n  \"a\": 1,\n  \"b\": 2\n}", "", 1, "{\n  \"a\": 1,\n  \"n\": 1,\n  \"b\": 2\n}"},
		{"{\n  \"a\": 1\n}", "", 0, "{\n  \"n\": 1,\n  \"a\": 1\n}"},
		{"{\n  \"a\": 1\n}", "", 9, "{\n  \"a\": 1,\n  \"n\": 1\n}"},
		{`{"a":{}}`, "/a", 0, `{"a":{"n":1}}`},
		{`{"a":1,"a":2}`, "", 1, `{"a":1,"n":1,"a":2}`},
	} {
		doc := parse(t, c.text)
		got := string(jsonedit.InsertMember(doc, doc.Root().At(c.at), c.index, "n", []byte("1")))
		if got != c.want {
			t.Errorf("%q at %s %d:\n got %q\nwant %q", c.text, c.at, c.index, got, c.want)
		}
	}
}

func TestInsertElement(t *testing.T) {
	for _, c := range []struct {
		text  string
		index int
		want  string
	}{
		{`{"a":[]}`, 0, `{"a":[7]}`},
		{`{"a":[1]}`, 0, `{"a":[7,1]}`},
		{`{"a":[1, 2]}`, 2, `{"a":[1, 2, 7]}`},
		{"{\n  \"a\": []\n}", 0, "{\n  \"a\": [\n    7\n  ]\n}"},
		{"{\n  \"a\": [1, 2]\n}", 1, "{\n  \"a\": [1, 7, 2]\n}"},
	} {
		doc := parse(t, c.text)
		got := string(jsonedit.InsertElement(doc, doc.Root().Get("a"), c.index, []byte("7")))
		if got != c.want {
			t.Errorf("%q at %d:\n got %q\nwant %q", c.text, c.index, got, c.want)
		}
	}
}

func TestRemove(t *testing.T) {
	for _, c := range []struct{ text, at, want string }{
		{`{"a":1}`, "/a", `{}`},
		{"{\n  \"a\": 1\n}", "/a", `{}`},
		{"{\n  \"a\": 1,\n  \"b\": 2\n}", "/a", "{\n  \"b\": 2\n}"},
		{"{\n  \"a\": 1,\n  \"b\": 2\n}", "/b", "{\n  \"a\": 1\n}"},
		{`{"a":1 , "b":[{}] ,"c":3}`, "/b", `{"a":1 ,"c":3}`},
		{`{"l":[1, 2, 3]}`, "/l/1", `{"l":[1, 3]}`},
		{`{"a":1,"a":2}`, "/a", `{"a":1}`},
	} {
		doc := parse(t, c.text)
		v := doc.Root().At(c.at)
		parent := doc.Root().At(c.at[:strings.LastIndexByte(c.at, '/')])
		if got := string(jsonedit.Remove(doc, parent, v)); got != c.want {
			t.Errorf("%q without %s:\n got %q\nwant %q", c.text, c.at, got, c.want)
		}
	}
	doc := parse(t, `{"a":1}`)
	if got := string(jsonedit.Remove(doc, doc.Root(), doc.Root())); got != `{"a":1}` {
		t.Errorf("the root was removed: %s", got)
	}
}

func TestChangesInPlace(t *testing.T) {
	doc := parse(t, `{ "a" : 1e3, "l": [ {"x": 1.0} , 2 ] }`)
	root := doc.Root()
	for want, got := range map[string][]byte{
		`{ "a" : "7", "l": [ {"x": 1.0} , 2 ] }`:    jsonedit.Replace(doc, root.Get("a"), []byte(`"7"`)),
		`{ "b\"" : 1e3, "l": [ {"x": 1.0} , 2 ] }`:  jsonedit.Rename(doc, root.Get("a"), `b"`),
		`{ "a" : 1e3, "l": [ 2 , {"x": 1.0} ] }`:    jsonedit.Swap(doc, root.At("/l/1"), root.At("/l/0")),
		`{ "a" : {"x": 1.0}, "l": [ 1e3 , 2 ] }`:    jsonedit.Swap(doc, root.Get("a"), root.At("/l/0")),
		`{ "a" : 1e3, "l": [ {"x": true} , 2 ] }`:   jsonedit.Replace(doc, root.At("/l/0/x"), []byte("true")),
		`{ "a" : 1e3, "l": [ {"yy": 1.0} , 2 ] }`:   jsonedit.Rename(doc, root.At("/l/0/x"), "yy"),
		`{ "a" : 1e3, "l": [ {} , 2 ] }`:            jsonedit.Remove(doc, root.At("/l/0"), root.At("/l/0/x")),
		`{ "a" : 1e3, "l": [ {"x": 1.0} , 2, {}] }`: jsonedit.InsertElement(parse(t, `{ "a" : 1e3, "l": [ {"x": 1.0} , 2] }`), parse(t, `{ "a" : 1e3, "l": [ {"x": 1.0} , 2] }`).Root().Get("l"), 2, []byte(`{}`)),
	} {
		if string(got) != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
}

// FuzzEdits: whatever the text, an edit gives JSON that differs in its one
// place alone, and taking out what was put in gives the same value.
func FuzzEdits(f *testing.F) {
	f.Add(`{"a":[1,2,{"b":null}],"a":{}}`, 1)
	f.Add("{ \"x\" :\t{}\n}", 0)
	f.Fuzz(func(t *testing.T, text string, at int) {
		doc, err := jsonread.Parse([]byte(text))
		if err != nil || doc.Root().Kind() != jsonread.Object {
			return
		}
		root := doc.Root()
		name := "\x01new"
		if !root.Get(name).IsZero() {
			return
		}
		at = min(max(at, 0), root.Len())
		put, perr := jsonread.Parse(jsonedit.InsertMember(doc, root, at, name, []byte(`[0]`)))
		if perr != nil {
			t.Fatalf("%q: %v", text, perr)
		}
		v := put.Root().Get(name)
		if string(v.Raw()) != "[0]" || put.Root().Len() != root.Len()+1 {
			t.Fatalf("%q became %q", text, put.Source())
		}
		back, perr := jsonread.Parse(jsonedit.Remove(put, put.Root(), v))
		if perr != nil || !back.Root().Equal(root) || back.Root().Len() != root.Len() {
			t.Fatalf("%q became %q, then %v", text, put.Source(), perr)
		}
		if len(back.Source()) > 0 && root.Len() > 0 && string(back.Source()) != text {
			t.Fatalf("%q came back as %q", text, back.Source())
		}
	})
}
