package jsonread_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"perch/engine/abi"
	"perch/engine/jsonread"
)

func parse(t *testing.T, src string) jsonread.Value {
	t.Helper()
	doc, err := jsonread.Parse([]byte(src))
	if err != nil {
		t.Fatalf("Parse(%q): %v", src, err)
	}
	return doc.Root()
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		src     string
		kind    jsonread.ErrorKind
		offset  int
		text    string
		pointer string
	}{
		{"", jsonread.Empty, 0, "is empty", ""},
		{" \t\r\n", jsonread.Empty, 4, "is empty", ""},
		{"\xef\xbb\xbf{}", jsonread.BOM, 0, "begins with a byte order mark (EF BB BF)", ""},
		{"\xff\xfe{\x00", jsonread.BOM, 0, "begins with a UTF-16 byte order mark (FF FE)", ""},
		{"\"caf\xe9\"", jsonread.UTF8, 4, "has the byte E9, which is not UTF-8", ""},
		{"\xe9", jsonread.UTF8, 0, "has the byte E9, which is not UTF-8", ""},
		{"1 \xe9", jsonread.UTF8, 2, "has the byte E9, which is not UTF-8", ""},
		{"\"\xed\xa0\x80\"", jsonread.UTF8, 1, "has the byte ED, which is not UTF-8", ""},
		{`{"a":[1,{"b":NaN}]}`, jsonread.Constant, 13, "NaN is not JSON", "/a/1/b"},
		{`{"a":-Infinity}`, jsonread.Constant, 5, "-Infinity is not JSON", "/a"},
		{`[undefined]`, jsonread.Constant, 1, "undefined is not JSON", "/0"},
		{`{"x":True}`, jsonread.Constant, 5, "True is not JSON", "/x"},
		{`{} {}`, jsonread.TrailingData, 3, "has { behind the value", ""},
		{`{}x`, jsonread.TrailingData, 2, `has "x" behind the value`, ""},
		{`hello`, jsonread.Unexpected, 0, `has "h" where a value belongs`, ""},
		{"\x1b[31m", jsonread.Unexpected, 0, "has an escape character (1B) where a value belongs", ""},
		{`{"a":"b`, jsonread.UnterminatedString, 7, "ends inside a string", "/a"},
		{`"\`, jsonread.UnterminatedString, 2, "ends inside a string", ""},
		{`"\u12`, jsonread.UnterminatedString, 5, "ends inside a string", ""},
		{"\"caf\xc3", jsonread.UnterminatedString, 5, "ends inside a string", ""},
		{"[1\x0b2]", jsonread.Unexpected, 2, "has a control character (0B) where , or ] belongs", "/0"},
		{"\"\\\t\"", jsonread.BadEscape, 1, `has the escape \ and a tab, which JSON does not know`, ""},
		{`"\x41"`, jsonread.BadEscape, 1, `has the escape \x, which JSON does not know`, ""},
		{`"\u12g4"`, jsonread.BadEscape, 1, `has \u without four hex digits`, ""},
		{"[\"a\tb\"]", jsonread.ControlChar, 3, "has a raw tab in a string", "/0"},
		{"\"a\x1bb\"", jsonread.ControlChar, 2, "has a raw escape character (1B) in a string", ""},
		{`01`, jsonread.BadNumber, 0, "has a number with a leading zero", ""},
		{`[1.]`, jsonread.BadNumber, 1, "has a number without digits behind its point", "/0"},
		{`[1e+]`, jsonread.BadNumber, 1, "has a number without digits in its exponent", "/0"},
		{`[.5]`, jsonread.BadNumber, 1, "has a number that begins with .", "/0"},
		{`[+1]`, jsonread.BadNumber, 1, "has a number that begins with +", "/0"},
		{`[0x1f]`, jsonread.BadNumber, 1, "has a number in hex", "/0"},
		{`[-]`, jsonread.BadNumber, 1, "has a number without digits", "/0"},
		{`{'a':1}`, jsonread.SingleQuote, 1, `has a single quote; JSON quotes with "`, ""},
		{`['a']`, jsonread.SingleQuote, 1, `has a single quote; JSON quotes with "`, "/0"},
		{`[1 /* one */]`, jsonread.Comment, 3, "has a comment; JSON has none", "/0"},
		{`[// one`, jsonread.Comment, 1, "has a comment; JSON has none", "/0"},
		{`[1,2,]`, jsonread.TrailingComma, 4, "has a comma before ]", "/2"},
		{`{"a":1,}`, jsonread.TrailingComma, 7, "has a comma before }", ""},
		{`{a:1}`, jsonread.BareName, 1, "has a member name without quotes, a", ""},
		{`{"a" 1}`, jsonread.Unexpected, 5, `has "1" where : belongs`, "/a"},
		{`{"a":1 "b":2}`, jsonread.MissingComma, 7, `lacks a comma before "`, ""},
		{`[1 2]`, jsonread.MissingComma, 3, `lacks a comma before "2"`, "/0"},
		{`[1}`, jsonread.Unexpected, 2, "has } where , or ] belongs", "/0"},
		{`{"a":}`, jsonread.Unexpected, 5, "has } where a value belongs", "/a"},
		{`{`, jsonread.EOF, 1, "ends inside an object", ""},
		{`{"a"`, jsonread.EOF, 4, "ends inside an object", "/a"},
		{`{"a":`, jsonread.EOF, 5, "ends inside an object", "/a"},
		{`{"a/b~":[1,`, jsonread.EOF, 11, "ends inside a list", "/a~1b~0/1"},
		{`[tru`, jsonread.EOF, 4, "ends inside true", "/0"},
		{`-`, jsonread.EOF, 1, "ends inside a number", ""},
		{strings.Repeat("[", abi.MaxDepthJSON+1), jsonread.Depth, abi.MaxDepthJSON,
			fmt.Sprintf("is nested deeper than %d", abi.MaxDepthJSON), strings.Repeat("/0", abi.MaxDepthJSON)},
	} {
		doc, err := jsonread.Parse([]byte(c.src))
		if err == nil || doc != nil {
			t.Errorf("Parse(%.40q) gave no error", c.src)
			continue
		}
		if err.Kind != c.kind || err.Offset != c.offset || err.Text != c.text || err.Pointer != c.pointer {
			t.Errorf("Parse(%.40q) = kind %d at %d %q in %.40q; want kind %d at %d %q in %.40q",
				c.src, err.Kind, err.Offset, err.Text, err.Pointer, c.kind, c.offset, c.text, c.pointer)
		}
		if err.End < err.Offset || err.End > len(c.src) {
			t.Errorf("Parse(%.40q): end %d of an error at %d", c.src, err.End, err.Offset)
		}
	}
}

func TestErrorText(t *testing.T) {
	_, err := jsonread.Parse([]byte(`{"mean":NaN}`))
	if got, want := err.Error(), "NaN is not JSON (byte 8, /mean)"; got != want {
		t.Errorf("Error() = %q, want %q", got, want)
	}
	if _, err = jsonread.Parse([]byte(`nope`)); err.Error() != `has "n" where a value belongs (byte 0)` {
		t.Errorf("Error() = %q", err)
	}
}

func TestPrefix(t *testing.T) {
	for _, c := range []struct {
		src  string
		rest int
	}{{`{"a":1}{"b":2}`, 7}, {` 12 x`, 3}, {"null\n", 4}, {`"a"b`, 3}} {
		doc, rest, err := jsonread.ParsePrefix([]byte(c.src))
		if err != nil || rest != c.rest || doc.Root().End() != c.rest {
			t.Errorf("ParsePrefix(%q) = %d, %v; want %d", c.src, rest, err, c.rest)
		}
	}
	if _, _, err := jsonread.ParsePrefix([]byte("[1,")); err == nil || !err.Early() {
		t.Errorf("ParsePrefix of a cut list: %v", err)
	}
}

func TestValues(t *testing.T) {
	v := parse(t, ` {"a":[1,-0.50e+2,{"b":null}], "":"x", "a":true, "s/~":"é\u00e9\ud83d\ude00\n" } `)
	if v.Kind() != jsonread.Object || v.Len() != 4 || v.Start() != 1 {
		t.Fatalf("root: %v, %d members, from %d", v.Kind(), v.Len(), v.Start())
	}
	if got := v.Get("a").Kind(); got != jsonread.True {
		t.Errorf("of doubled names the last counts: got %v", got)
	}
	if got, ok := v.Get("s/~").Text(); !ok || got != "éé😀\n" {
		t.Errorf("decoded text %q", got)
	}
	if got := v.Get("s/~").Pointer(); got != "/s~1~0" {
		t.Errorf("pointer %q", got)
	}
	if !v.At("/s~1~0").Equal(v.Get("s/~")) || v.At("/s~1~0").IsZero() {
		t.Error("At does not follow its own pointer")
	}
	if got := v.At("/").String(); got != "x" {
		t.Errorf("the empty name: %q", got)
	}
	var first jsonread.Value
	var names []string
	for name, value := range v.Members() {
		names = append(names, name.String())
		if first.IsZero() {
			first = value
		}
		if name.Pointer() != value.Pointer() || string(value.Name().Raw()) != string(name.Raw()) {
			t.Errorf("name %s at %q, value at %q named %s", name.Raw(), name.Pointer(), value.Pointer(), value.Name().Raw())
		}
	}
	if !slices.Equal(names, []string{"a", "", "a", "s/~"}) {
		t.Errorf("names %q", names)
	}
	if got := string(first.Index(1).Raw()); got != "-0.50e+2" {
		t.Errorf("number text %q", got)
	}
	deep := first.Index(2).Get("b")
	if deep.Kind() != jsonread.Null || deep.Pointer() != "/a/2/b" {
		t.Errorf("%v at %q", deep.Kind(), deep.Pointer())
	}
	var sum []int
	for i, e := range first.Elements() {
		sum = append(sum, i, e.Start())
	}
	if !slices.Equal(sum, []int{0, 7, 1, 9, 2, 18}) {
		t.Errorf("elements %v", sum)
	}
}

func TestAbsent(t *testing.T) {
	var none jsonread.Value
	if !none.IsZero() || none.Kind() != jsonread.Absent || none.Raw() != nil || none.Len() != 0 || none.String() != "" ||
		none.Start() != 0 || none.End() != 0 || none.Pointer() != "" || none.Is("") || none.LoneSurrogate() || !none.Name().IsZero() {
		t.Error("an absent value is not empty")
	}
	v := parse(t, `{"n":null,"e":"","a":[0]}`)
	for _, p := range []string{"/x", "/a/1", "/a/-", "/a/00", "/a/x", "/a/", "/n/x", "a", "/a/99999999999999999999"} {
		if got := v.At(p); !got.IsZero() {
			t.Errorf("At(%q) = %s", p, got.Raw())
		}
	}
	kinds := []jsonread.Kind{v.Get("n").Kind(), v.Get("e").Kind(), v.Get("x").Kind()}
	if !slices.Equal(kinds, []jsonread.Kind{jsonread.Null, jsonread.String, jsonread.Absent}) {
		t.Errorf("null, empty and absent: %v", kinds)
	}
	if _, ok := v.Get("n").Text(); ok {
		t.Error("null has a text")
	}
	for range v.Get("a").Members() {
		t.Error("a list has members")
	}
	for range v.Elements() {
		t.Error("an object has elements")
	}
}

func TestKindNames(t *testing.T) {
	v := parse(t, `[null,false,true,1,"a",[],{}]`)
	var got []string
	for _, e := range v.Elements() {
		got = append(got, e.Kind().String())
	}
	got = append(got, v.Get("x").Kind().String())
	want := []string{"null", "false", "true", "a number", "a string", "a list", "an object", "absent"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestIssues(t *testing.T) {
	many := `{"k0":0`
	for i := 1; i < 20; i++ {
		many += fmt.Sprintf(`,"k%d":0`, i)
	}
	many += `,"\u006b7":0}`
	for _, c := range []struct {
		src  string
		want []string
	}{
		{`{"id":1,"id":2}`, []string{"1 /id 1-8"}},
		{`{"id":1,"\u0069d":2,"id":3}`, []string{"1 /id 1-8", "1 /id 1-20"}},
		{`{"a":{"x":1},"b":{"x":1}}`, nil},
		{many, []string{"1 /k7 50-151"}},
		{`["\ud800","\ud83d\ude00","\ude00\ud83d","a\udfff\u0041"]`, []string{"2 /0", "2 /2", "2 /3"}},
		{`{"\ud800":1}`, []string{"2 /\ufffd"}},
		{`[12345678901234567890.10,1e400,-0,0.1,9007199254740993,9007199254740992,1e-400,5e-324,0e999,100000000000000000000,0.30000000000000004]`,
			[]string{"3 /0", "3 /1", "3 /4", "3 /6"}},
		// What printf writes of a double with more digits than it needs.
		{`[0.10000000000000001,0.1000000000000000055511151231257827,1.0000000000000000e+00,-12345.678900000001,0.100000000000000000000000001,123456789.123456789,3e-324]`,
			[]string{"3 /4", "3 /5", "3 /6"}},
	} {
		doc, err := jsonread.Parse([]byte(c.src))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, i := range doc.Issues() {
			s := fmt.Sprintf("%d %s", i.Kind, i.Value.Pointer())
			if i.Kind == jsonread.DuplicateMember {
				s += fmt.Sprintf(" %d-%d", i.First.Start(), i.Value.Start())
			}
			got = append(got, s)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("issues of %.60s: %q, want %q", c.src, got, c.want)
		}
	}
}

func TestEqual(t *testing.T) {
	huge := strings.Repeat("9", 30)
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`1`, `1.0`, true}, {`1`, `10e-1`, true}, {`100`, `1E2`, true}, {`0`, `-0`, true}, {`0.0`, `0e9`, true},
		{`9007199254740993`, `9007199254740992`, false}, {`1`, `-1`, false}, {`1`, `"1"`, false},
		{`1e` + huge, `10e` + huge[:29] + `8`, true}, {`1e` + huge, `1e` + huge[:29] + `8`, false}, {`1e-` + huge, `1e` + huge, false},
		{`"a"`, `"\u0061"`, true}, {`"\ud800"`, `"\ud801"`, false}, {`"\ud800"`, `"\ufffd"`, false},
		{`{"a":1,"b":[2,{"c":3}]}`, `{"b":[2.0,{"c":3}],"a":1}`, true},
		{`{"a":1}`, `{"a":1,"b":2}`, false}, {`{"a":1}`, `{"b":1}`, false}, {`{"a":2,"a":1}`, `{"a":1}`, true},
		{`[1,2]`, `[2,1]`, false}, {`[1]`, `[1,1]`, false}, {`null`, `null`, true}, {`true`, `false`, false}, {`[]`, `{}`, false},
	} {
		a, b := parse(t, c.a), parse(t, c.b)
		if a.Equal(b) != c.want || b.Equal(a) != c.want {
			t.Errorf("%s equal to %s: want %v", c.a, c.b, c.want)
		}
	}
	var none jsonread.Value
	if !none.Equal(jsonread.Value{}) || none.Equal(parse(t, "null")) {
		t.Error("absent equals only absent")
	}
}

func TestIntegers(t *testing.T) {
	for _, c := range []struct {
		src     string
		n       int64
		ok, any bool
	}{
		{"7", 7, true, true}, {"-7", -7, true, true}, {"7.0", 7, true, true}, {"70e-1", 7, true, true}, {"1.5e1", 15, true, true},
		{"-0.0", 0, true, true}, {"1.5", 0, false, false}, {"1e-1", 0, false, false}, {"1e30", 0, false, true},
		{"9223372036854775807", math.MaxInt64, true, true}, {"9223372036854775808", 0, false, true},
		{"-9223372036854775808.0", math.MinInt64, true, true},
		{"1e99999999999999999999", 0, false, true}, {"1e-99999999999999999999", 0, false, false}, {`"7"`, 0, false, false},
	} {
		v := parse(t, c.src)
		if n, ok := v.Int(); n != c.n || ok != c.ok || v.IsInteger() != c.any {
			t.Errorf("%s: Int %d %v, IsInteger %v; want %d %v %v", c.src, n, ok, v.IsInteger(), c.n, c.ok, c.any)
		}
	}
}

func TestDepth(t *testing.T) {
	deep := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	doc, err := jsonread.Options{MaxDepth: -1}.Parse([]byte(deep))
	if err != nil || doc.Depth() != 100_000 {
		t.Fatalf("depth 100,000 without a limit: %v", err)
	}
	if !doc.Root().Equal(doc.Root()) {
		t.Error("a deep value does not equal itself")
	}
	if doc, err := jsonread.Parse([]byte(`{"a":[[1]]}`)); err != nil || doc.Depth() != 3 {
		t.Errorf("depth of a small text: %v", err)
	}
	if _, err := (jsonread.Options{MaxDepth: 2}).Parse([]byte(`{"a":[[1]]}`)); err == nil || err.Kind != jsonread.Depth || err.Pointer != "/a/0" {
		t.Errorf("a limit of 2: %v", err)
	}
}

func TestCompactAndQuote(t *testing.T) {
	if got := string(jsonread.Compact(nil, []byte(" {\r\n \"a b\\\" \" : [ 1.0 ,\t2 ] }\n"))); got != `{"a b\" ":[1.0,2]}` {
		t.Errorf("Compact = %s", got)
	}
	for _, s := range []string{"", `a"\b`, "\n\r\t\x00\x1f\x7f", "é😀\u2028", "</script>&"} {
		q := jsonread.AppendQuote(nil, s)
		if got, ok := parse(t, string(q)).Text(); !ok || got != s {
			t.Errorf("%q quoted as %s reads as %q", s, q, got)
		}
	}
	if got := string(jsonread.AppendQuote([]byte("x"), "<é>\x01")); got != `x"<é>\u0001"` {
		t.Errorf("AppendQuote = %s", got)
	}
	if got := string(jsonread.AppendQuote(nil, "a\xffb")); got != "\"a\ufffdb\"" {
		t.Errorf("AppendQuote of a bad byte = %q", got)
	}
}

// FuzzParse holds Parse against two other readers: encoding/json, which takes
// bytes that are not UTF-8, and jsontext, which is strict as well.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"a":[1,-2.5e+10,"\u00e9\ud800",null,true,false]}`, "[1,]", "\"\xff\"", "\xef\xbb\xbf1", `{"a":1,"a":2}`, "[[[[", `"\u12`, "-", "01", " 1 ", "nul", "{'a':1}", "[1 2]"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		doc, err := jsonread.Parse(src)
		if want := json.Valid(src) && utf8.Valid(src); (err == nil) != want {
			t.Fatalf("Parse: %v, encoding/json says valid: %v", err, want)
		}
		if err != nil {
			if err.Offset < 0 || err.End < err.Offset || err.End > len(src) || err.Text == "" || err.Error() == "" {
				t.Fatalf("%+v in %d bytes", err, len(src))
			}
			return
		}
		compact := jsonread.Compact(nil, src)
		strict := jsontext.Value(bytes.Clone(src))
		if err := strict.Compact(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil || !bytes.Equal(strict, compact) {
			t.Fatalf("Compact = %s, jsontext has %s %v", compact, strict, err)
		}
		again, err := jsonread.Parse(compact)
		if err != nil || !again.Root().Equal(doc.Root()) {
			t.Fatalf("compact form %s: %v", compact, err)
		}
		walk(t, doc.Root(), doc)
		doc.Issues()
	})
}

// walk checks each value's place by its pointer, as long as names are unique.
func walk(t *testing.T, v jsonread.Value, doc *jsonread.Doc) {
	n := 0
	for _, e := range v.Elements() {
		n++
		walk(t, e, doc)
	}
	for name, value := range v.Members() {
		n++
		if name.Kind() != jsonread.String || name.End() >= value.Start() {
			t.Fatalf("name %s before %s", name.Raw(), value.Raw())
		}
		walk(t, value, doc)
	}
	if n != v.Len() {
		t.Fatalf("%d children, Len %d", n, v.Len())
	}
	at := doc.Root().At(v.Pointer())
	if at.Kind() == jsonread.Absent {
		t.Fatalf("nothing at %q", v.Pointer())
	}
	if s, ok := v.Text(); ok && !v.LoneSurrogate() {
		var want string
		if err := json.Unmarshal(v.Raw(), &want); err != nil || s != want {
			t.Fatalf("%s reads as %q, encoding/json says %q", v.Raw(), s, want)
		}
	}
}

// BenchmarkParse reads texts of 1 MiB.
func BenchmarkParse(b *testing.B) {
	for name, piece := range map[string]string{
		"tools":    `{"name":"greet","description":"Greet someone by name.","inputSchema":{"type":"object","n":12.5}},`,
		"numbers":  `1,`,
		"members":  `{"a":1,"b":2,"c":3},`,
		"brackets": `[],`,
		"words":    `true,null,`,
	} {
		src := []byte(`[` + strings.Repeat(piece, (1<<20-6)/len(piece)) + `null]`)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := jsonread.Parse(src); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestPointerFrom: the way from a value within which another lies.
func TestPointerFrom(t *testing.T) {
	doc, err := jsonread.Parse([]byte(`{"a":[0,{"b/c":[1,{"d":true}]}],"e":2}`))
	if err != nil {
		t.Fatal(err)
	}
	root := doc.Root()
	d := root.At("/a/1/b~1c/1/d")
	for _, c := range []struct {
		within jsonread.Value
		want   string
	}{
		{root, "/a/1/b~1c/1/d"}, {root.At("/a"), "/1/b~1c/1/d"}, {root.At("/a/1"), "/b~1c/1/d"}, {root.At("/a/1/b~1c/1"), "/d"}, {d, ""},
		{root.At("/e"), "/a/1/b~1c/1/d"}, {jsonread.Value{}, "/a/1/b~1c/1/d"},
	} {
		if got := d.PointerFrom(c.within); got != c.want {
			t.Errorf("from %q it is %q, want %q", c.within.Pointer(), got, c.want)
		}
	}
	if got := (jsonread.Value{}).PointerFrom(root); got != "" {
		t.Errorf("of an absent value it is %q", got)
	}
}
