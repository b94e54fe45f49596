package jsonview_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"perch/engine/jsonread"
	"perch/inspect/jsonview"
)

const answer = `{"jsonrpc":"2.0","id":41,"result":{"tools":[{"name":"greet","description":"Greet someone by name.",` +
	`"inputSchema":{"type":"object","required":["name"],"properties":{"name":{"type":"string"}}}},` +
	`{"name":"shout","description":"The same, louder."}],"empty":{},"none":[ ],"big":9007199254740993,"e":1e400,"t":true,"n":null}}`

// show is a document as a person sees it, the signs of folding included.
func show(d *jsonview.Doc) string {
	var b strings.Builder
	for i := range d.Len() {
		l := d.Line(i)
		b.WriteString(strings.Repeat("  ", l.Depth))
		switch l.Fold {
		case jsonview.Open:
			b.WriteString("-")
		case jsonview.Folded:
			b.WriteString("+")
		}
		b.WriteString(l.Text() + "\n")
	}
	return b.String()
}

func expect(t *testing.T, d *jsonview.Doc, want string) {
	t.Helper()
	if got := show(d); got != strings.TrimPrefix(want, "\n") {
		t.Errorf("got\n%s\nwant%s", got, want)
	}
}

func TestLines(t *testing.T) {
	expect(t, jsonview.New([]byte(answer)), `
-{
  "jsonrpc": "2.0",
  "id": 41,
  -"result": {
    -"tools": [
      -{
        "name": "greet",
        "description": "Greet someone by name.",
        -"inputSchema": {
          "type": "object",
          "required": ["name"],
          -"properties": {
            -"name": {
              "type": "string"
            }
          }
        }
      },
      -{
        "name": "shout",
        "description": "The same, louder."
      }
    ],
    "empty": {},
    "none": [],
    "big": 9007199254740993,
    "e": 1e400,
    "t": true,
    "n": null
  }
}
`)
}

func TestFolding(t *testing.T) {
	d := jsonview.New([]byte(answer))
	d.Fit(20)
	expect(t, d, `
-{
  "jsonrpc": "2.0",
  "id": 41,
  -"result": {
    -"tools": [
      -{
        "name": "greet",
        "description": "Greet someone by name.",
        +"inputSchema": { 3 members, 77 B }
      },
      +{ "name": "shout", 1 more member }
    ],
    "empty": {},
    "none": [],
    "big": 9007199254740993,
    "e": 1e400,
    "t": true,
    "n": null
  }
}
`)
	if line, ok := d.Toggle(10); !ok || line != 10 || d.Len() != 23 {
		t.Errorf("unfolding gives line %d, %v, of %d lines", line, ok, d.Len())
	}
	if line, ok := d.Toggle(13); !ok || line != 10 {
		t.Errorf("folding at the closing bracket goes to line %d, %v", line, ok)
	}
	if _, ok := d.Toggle(1); ok {
		t.Error("a string was folded")
	}
	if d.Fold(10, true) || !d.Fold(10, false) {
		t.Error("Fold says it changed what it did not, or the other way round")
	}
	d.FoldAll()
	expect(t, d, "\n-{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 41,\n  +\"result\": { 7 members, 283 B }\n}\n")
	if got := d.Parent(3); got != 0 {
		t.Errorf("the parent of line 3 is %d", got)
	}
	d.UnfoldAll()
	if d.Len() != d.Rows() {
		t.Errorf("%d lines of %d", d.Len(), d.Rows())
	}
	if got := d.Parent(13); d.Pointer(got) != "/result/tools/0/inputSchema/properties/name" {
		t.Errorf("the parent of line 13 is %s", d.Pointer(got))
	}
}

func TestPlaces(t *testing.T) {
	d := jsonview.New([]byte(answer))
	for i := range d.Len() {
		l := d.Line(i)
		if l.Start < 0 || l.End <= l.Start || l.End > len(answer) {
			t.Fatalf("line %d is bytes %d to %d", i, l.Start, l.End)
		}
		if got := d.LineAt(l.Start); got != i {
			t.Errorf("byte %d of line %d is on line %d", l.Start, i, got)
		}
		if v := d.Value(i); v.IsZero() || v.Pointer() != d.Pointer(i) {
			t.Errorf("line %d is %q, its value %q", i, d.Pointer(i), v.Pointer())
		}
	}
	at := strings.Index(answer, `"string"`)
	d.FoldAll()
	if got := d.LineAt(at); got != 3 {
		t.Errorf("the folded line that hides byte %d is %d", at, got)
	}
	line := d.Reveal(at)
	if got := d.Pointer(line); got != "/result/tools/0/inputSchema/properties/name/type" {
		t.Errorf("revealed %s", got)
	}
	d.FoldAll()
	for n := range d.Rows() {
		if strings.Contains(d.RowText(n), "louder") {
			line := d.RevealRow(n)
			if d.Pointer(line) != "/result/tools/1/description" || d.RowOf(line) != n {
				t.Errorf("row %d is line %d, %s", n, line, d.Pointer(line))
			}
		}
	}
	odd := jsonview.New([]byte(`{"a/b":[{"~\u0041":1}]}`))
	if got := odd.Pointer(3); got != "/a~1b/0/~0A" {
		t.Errorf("got %s", got)
	}
}

func TestShortLists(t *testing.T) {
	expect(t, jsonview.New([]byte("{\"points\":[3,5 ,\n8 , \"a b\"],\"long\":[\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\",\"bbbbbbbbbbbbbbbbbbbbbbbb\"],\"deep\":[[1]]}")), `
-{
  "points": [3, 5, 8, "a b"],
  -"long": [
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "bbbbbbbbbbbbbbbbbbbbbbbb"
  ],
  -"deep": [
    [1]
  ]
}
`)
}

func TestNoJSON(t *testing.T) {
	d := jsonview.New([]byte("rendering bar\nsecond {\"a\":1}\n"))
	if d.Err() == nil || d.Err().Offset != 0 {
		t.Errorf("the fault is %v", d.Err())
	}
	expect(t, d, "\nrendering bar\nsecond {\"a\":1}\n")
	if d.Line(1).Start != 14 || d.LineAt(20) != 1 || d.Pointer(1) != "" || !d.Value(0).IsZero() {
		t.Error("the second line is in the wrong place")
	}
	if _, ok := d.Toggle(0); ok {
		t.Error("plain text was folded")
	}
	d.FoldAll()
	d.UnfoldAll()
	d.Fit(1)
	if d.Len() != 2 || d.Rows() != 2 || d.RowText(0) != "rendering bar" || d.Reveal(20) != 1 || d.Parent(1) != 1 {
		t.Error("plain text has folds")
	}
	empty := jsonview.New(nil)
	if empty.Err() == nil || empty.Len() != 1 || empty.Line(0).Text() != "" {
		t.Error("no text is no line")
	}
}

func TestTokens(t *testing.T) {
	name := []string{"plain", "key", "string", "number", "keyword", "punct", "note", "wrong"}
	for line, want := range map[string]string{
		`  "a" : "b\"c", -1.5e+3`: `plain:  |key:"a"|plain: |punct::|plain: |string:"b\"c"|punct:,|plain: |number:-1.5e+3`,
		`[true,nul]`:              `punct:[|keyword:true|punct:,|wrong:nul|punct:]`,
		`"open`:                   `wrong:"open`,
		`"open\`:                  `wrong:"open\`,
		``:                        ``,
	} {
		var got []string
		for _, tok := range jsonview.Tokens(line) {
			got = append(got, name[tok.Class]+":"+tok.Text)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s\ngot  %s\nwant %s", line, strings.Join(got, "|"), want)
		}
	}
}

func TestLarge(t *testing.T) {
	d := jsonview.New(many(50_000))
	d.Fit(60)
	if got := d.Len(); got > 50_002 || d.Err() != nil {
		t.Errorf("%d lines, %v", got, d.Err())
	}
	if got := d.Line(1).Text(); got != `"key0": { 1 member, 7 B },` {
		t.Errorf("got %s", got)
	}
	deep := jsonview.New([]byte(strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000)))
	if deep.Err() != nil || deep.Len() != 17_999 {
		t.Errorf("%d lines, %v", deep.Len(), deep.Err())
	}
	str := jsonview.New([]byte(`{"a":"` + strings.Repeat("x", 900_000) + `"}`))
	if n := testing.AllocsPerRun(5, func() { str.Line(1) }); n > 8 {
		t.Errorf("a line with a string of 900 KB costs %v allocations", n)
	}
}

// FuzzDoc holds that no byte of a value is lost or changed: the lines of valid
// JSON, joined, are the source without its white space.
func FuzzDoc(f *testing.F) {
	f.Add([]byte(answer), 7)
	f.Add([]byte(`[[[1,2],[]],{"a":{}}]`), 3)
	f.Add([]byte("text\nline"), 1)
	f.Add([]byte(`"\ud800"`), 0)
	f.Add([]byte(`{"":{"":[{}],"":null}}`), 0)
	f.Fuzz(func(t *testing.T, src []byte, n int) {
		d := jsonview.New(src)
		unique := d.Err() == nil && !slices.ContainsFunc(d.JSON().Issues(), func(i jsonread.Issue) bool {
			return i.Kind == jsonread.DuplicateMember // a pointer leads to the last of that name
		})
		d.Fit(max(n, 0) % 100)
		for i := range d.Len() {
			l := d.Line(i)
			if l.End < l.Start || l.End > len(src) {
				t.Fatalf("line %d is bytes %d to %d", i, l.Start, l.End)
			}
			if d.Err() == nil && d.LineAt(l.Start) != i {
				t.Fatalf("byte %d is on line %d, not %d", l.Start, d.LineAt(l.Start), i)
			}
			if p := d.Pointer(i); unique && d.JSON().Root().At(p).IsZero() {
				t.Fatalf("no value at %q", p)
			}
		}
		d.UnfoldAll()
		var b strings.Builder
		for i := range d.Len() {
			b.WriteString(d.Line(i).Text())
		}
		if d.Err() != nil {
			return
		}
		if got, want := string(jsonread.Compact(nil, []byte(b.String()))), string(jsonread.Compact(nil, src)); got != want {
			t.Fatalf("got  %q\nwant %q", got, want)
		}
	})
}

func FuzzTokens(f *testing.F) {
	f.Add(`{"a":[1,"b\`)
	f.Fuzz(func(t *testing.T, line string) {
		var b strings.Builder
		for _, tok := range jsonview.Tokens(line) {
			if tok.Text == "" {
				t.Fatal("an empty token")
			}
			b.WriteString(tok.Text)
		}
		if b.String() != line {
			t.Fatalf("got %q, want %q", b.String(), line)
		}
	})
}

func many(n int) []byte {
	var b strings.Builder
	b.WriteString("{")
	for i := range n {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, `"key%d":{"v":%d}`, i, i)
	}
	return []byte(b.String() + "}")
}

func BenchmarkNew(b *testing.B) {
	for name, src := range map[string][]byte{"50000 members": many(50_000), "900 KB string": []byte(`{"a":"` + strings.Repeat("x", 900_000) + `"}`)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				jsonview.New(src).Line(0)
			}
		})
	}
}
