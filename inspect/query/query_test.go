package query_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"perch/engine/jsonread"
	"perch/inspect/query"
)

func value(t testing.TB, text string) jsonread.Value {
	t.Helper()
	doc, err := jsonread.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return doc.Root()
}

func run(t testing.TB, filter, input string) query.Result {
	t.Helper()
	f, err := query.Parse(filter)
	if err != nil {
		t.Fatalf("%s: %v", filter, err)
	}
	return f.Run(t.Context(), value(t, input), query.Limits{})
}

func TestFilters(t *testing.T) {
	const rows = `{"rows": [{"n": 9007199254740993, "a": "x"}, {"n": 1e400, "a": "\u00e9"}, {"n": 1.10, "b": null}]}`
	for _, c := range []struct{ filter, input, want string }{
		{"", ` [1, 2] `, "[1,2]\n"},
		{" # only a comment", `{"b":1,"a":2}`, "{\"b\":1,\"a\":2}\n"},
		{".", `{"b": 1.0, "a": [ 1E2 ], "b": 2}`, "{\"b\":1.0,\"a\":[1E2],\"b\":2}\n"}, // even a doubled name
		{".rows[].n", rows, "9007199254740993\n1e400\n1.10\n"},
		{".rows[] | select(.n > 3)", rows, "{\"n\":9007199254740993,\"a\":\"x\"}\n{\"n\":1e400,\"a\":\"\\u00e9\"}\n"},
		{".rows[1:]", rows, "[{\"n\":1e400,\"a\":\"\\u00e9\"},{\"n\":1.10,\"b\":null}]\n"},
		{".rows | map({n})", rows, "[{\"n\":9007199254740993},{\"n\":1e400},{\"n\":1.10}]\n"},
		{"[.rows[].n | . + 1]", `{"rows":[{"n":9007199254740993}]}`, "[9007199254740994]\n"},
		{"{b, a}", `{"a":1,"b":2}`, "{\"a\":1,\"b\":2}\n"},
		{".a.b.c", `{}`, "null\n"},
		{`"x\(.a)y"`, `{"a":[1]}`, "\"x[1]y\"\n"},
		{`.a |= . + 1`, `{"b":1,"a":2}`, "{\"a\":3,\"b\":1}\n"},
		{`.a += 1 | .a`, `{"a":2}`, "3\n"},
		{`.a *= 3 | .a`, `{"a":2}`, "6\n"},
		{`.[] *= .[0] | .`, `[2,3]`, "[4,6]\n"},
		{`del(.[0])`, `[1,2]`, "[2]\n"},
		{`first(.[] | select(. > 1))`, `[1,2,3]`, "2\n"},
		{`first |= 9`, `[1,2]`, "[9,2]\n"},
		{`limit(2; .[]) |= 0`, `[1,2,3]`, "[0,0,3]\n"},
		{`[paths(type == "number")]`, `{"a":[1,"x"]}`, "[[\"a\",0]]\n"},
		{`getpath(["a",0])`, `{"a":[1.00]}`, "1.00\n"},
		{`(1,2) * (3,4)`, `null`, "3\n6\n4\n8\n"},
		{`(1,2) + (3,4)`, `null`, "4\n5\n5\n6\n"},
		{`def f: if . > 100 then . else . + 1 | f end; f`, `1`, "101\n"},
		{`def f(g): g * 2; f(.[])`, `[1,2]`, "2\n4\n"},
		{`def f: 2; . * f`, `4`, "8\n"},
		{`reduce .[] as $x (0; . + $x)`, `[1,2,3]`, "6\n"},
		{`foreach .[] as $x (0; . + $x; [$x, .])`, `[1,2]`, "[1,1]\n[2,3]\n"},
		{`. as [$a, {b: $c}] | $a + $c`, `[1,{"b":2}]`, "3\n"},
		{`try error("x") catch .`, `null`, "\"x\"\n"},
		{`.[] | tojson`, `[1.10,"a"]`, "\"1.10\"\n\"\\\"a\\\"\"\n"},
		{`group_by(.a) | length`, `[{"a":1},{"a":2},{"a":1}]`, "2\n"},
		{`to_entries`, `{"a":1}`, "[{\"key\":\"a\",\"value\":1}]\n"},
		{`walk(if type == "number" then . + 1 else . end)`, `[1,[2]]`, "[2,[3]]\n"},
		{`gsub("a"; "b")`, `"banana"`, "\"bbnbnb\"\n"},
		{`@base64`, `"hi"`, "\"aGk=\"\n"},
		{`@json "v: \(.)"`, `[1]`, "\"v: [1]\"\n"},
		{`"ab" * 2`, `null`, "\"abab\"\n"},
		{`. - [2]`, `[1,2]`, "[1]\n"},
		{`label $out | .[] | if . > 1 then ., break $out else . end`, `[1,2,3]`, "1\n2\n"},
		{`env | length`, `null`, "0\n"}, // nothing of this machine
		{`..|numbers`, `[1,[2.50]]`, "1\n2.50\n"},
		{`.[]?`, `3`, ""},
		{`"\u001b"`, `null`, "\"\\u001b\"\n"},
		{`.a // "none"`, `{}`, "\"none\"\n"},
		{`limit(3; repeat(1))`, `null`, "1\n1\n1\n"},
		{`[splits(", ")]`, `"a, b"`, "[\"a\",\"b\"]\n"},
		{`min_by(.n)`, `[{"n": 2},{"n": 1}]`, "{\"n\":1}\n"},
	} {
		r := run(t, c.filter, c.input)
		if r.Err != nil {
			t.Errorf("%s: %v", c.filter, r.Err)
		}
		if got := string(r.Text()); got != c.want {
			t.Errorf("%s on %s\ngives %s\nwant  %s", c.filter, c.input, got, c.want)
		}
	}
}

func TestWhatIsTheInputsOwn(t *testing.T) {
	r := run(t, ".rows[]", `{"rows": [ {"b": 1, "a": 2} , 3, [ ] ]}`)
	if len(r.Values) != 3 || r.Err != nil || len(r.Notes) > 0 {
		t.Fatalf("%d values, %v, notes %q", len(r.Values), r.Err, r.Notes)
	}
	if p := r.Values[0].From.Pointer(); p != "/rows/0" {
		t.Errorf("the first result is %q", p)
	}
	if !r.Values[1].From.IsZero() {
		t.Error("a scalar is said to be the input's own")
	}
	in := value(t, `[{"a":[1,2]},{"a":[3]}]`)
	f, err := query.Parse(`.[0].a += [9], .[1].a[0] = 7, (.[0] | del(.a)), .`)
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"a":[1,2,9]},{"a":[3]}]
[{"a":[1,2]},{"a":[7]}]
{}
[{"a":[1,2]},{"a":[3]}]
`
	if got := string(f.Run(t.Context(), in, query.Limits{}).Text()); got != want {
		t.Errorf("gives %s\nwant  %s", got, want)
	}
}

func TestNotes(t *testing.T) {
	for _, c := range []struct{ filter, input, want string }{
		{".[]", `[1e400, 0.10000000000000000001]`, ""},
		{".[0] + 0", `[9007199254740993]`, "1 number of the input is not held by a double"},
		{"sort", `[1e400, 0.10000000000000000001]`, "2 numbers of the input are not held by a double"},
		{"{b:1,a:2}", `null`, "sorted"},
		{"{a:1}", `null`, ""},
		{"1/3", `null`, "1 number was of the results computed as doubles"},
		{"infinite", `null`, "1 computed number no double holds"},
	} {
		got := strings.Join(run(t, c.filter, c.input).Notes, "; ")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s on %s: notes %q, want %q", c.filter, c.input, got, c.want)
		}
	}
}

func TestAFilterThatIsNone(t *testing.T) {
	for _, c := range []struct {
		filter, want string
		offset       int
		early        bool
	}{
		{".a | select(.n > 3", `")" is missing`, 18, true},
		{".a[", `"]" is missing`, 3, true},
		{".a[0", `"]" is missing`, 4, true},
		{"{a: 1", `"}" is missing`, 5, true},
		{"if .a then 1", `"end" is missing`, 12, true},
		{"if .a", `"then" is missing`, 5, true},
		{"if .a then 1 elif .b", `"then" is missing`, 20, true},
		{`"abc`, `begins at byte 0`, 4, true},
		{`"abc\(.a`, `")" is missing`, 8, true},
		{`"abc\(.a)`, `does not end`, 9, true},
		{".a |", "ends where something to do is expected", 4, true},
		{".a)", `")" closes nothing`, 2, false},
		{".a | end", `"end" closes nothing`, 5, false},
		{".a ]", `"]" closes nothing`, 3, false},
		{".a b", `"b" is not expected here`, 3, false},
		{`"\q"`, "is no escape", 1, false},
		{"1x", "neither a number nor a name", 0, false},
		{".rows[] | lenght", `there is no function "lenght" with no arguments. Did you mean length?`, 10, false},
		{".select | selct(.a)", `"selct" with 1 argument. Did you mean select?`, 10, false},
		{".x + $x", `there is no variable "$x"`, 5, false},
		{"@bas64", `there is no format "@bas64"`, 0, false},
		{`import "a" as a; .`, "no modules", 0, false},
		{".a, $_perch_budget", "perch's own", 4, false},
		{"input", "no other input", 0, false},
		{strings.Repeat("(", 20_000), "over 16384 B", 16384, false},
		{"é", "is not expected here", 0, false},
	} {
		_, err := query.Parse(c.filter)
		var e *query.Error
		if !errors.As(err, &e) {
			t.Errorf("%.40s: error %v", c.filter, err)
			continue
		}
		if !strings.Contains(e.Text, c.want) || e.Offset != c.offset || e.Early != c.early || e.End < e.Offset {
			t.Errorf("%.40s: %q at %d-%d, early %v; want %q at %d, %v", c.filter, e.Text, e.Offset, e.End, e.Early, c.want, c.offset, c.early)
		}
	}
}

func TestAFilterThatStumbles(t *testing.T) {
	for _, c := range []struct{ filter, input, want, before string }{
		{"1, (.a | .[])", `{"a":3}`, "cannot iterate over: number (3)", "1\n"},
		{`error("no\u001b[31m")`, `null`, `⟨U+001B⟩`, ""},
		{".a.b", `{"a":"\u202e"}`, `⟨U+202E⟩`, ""},
		{"halt_error", `"bye"`, "ends with", ""},
	} {
		r := run(t, c.filter, c.input)
		if r.Err == nil || r.Limited || !strings.Contains(r.Err.Error(), c.want) || string(r.Text()) != c.before {
			t.Errorf("%s: error %v, limited %v, before it %q", c.filter, r.Err, r.Limited, r.Text())
		}
	}
}

// TestHostileFilters holds that a filter ends, whatever it asks for.
func TestHostileFilters(t *testing.T) {
	for _, filter := range []string{
		"range(infinite)", "repeat(1)", "[repeat(1)]", "[range(1e12)]", "def f: f; f", "def f: 1 + f; f", "def f: [f]; f", "last(range(infinite))",
		`"a" | until(false; . + .)`, `"a" | until(false; . * 2)`, `"a" * 2e9`, `"aaaaaaaaaa" | . *= 1e9`, `[1] | until(false; . + .)`,
		`1 | until(false; [., .])`, `1 | until(false; {a: ., b: .})`, `[1] | until(false; .[0] = .)`, `"a" | until(false; "\(.)\(.)")`,
		`"a" | until(false; . += .)`, `reduce range(1000000) as $i (1; [., .]) | tojson`, `reduce range(60) as $i (1; [., .]) | . == .`,
		`reduce range(1000000) as $i (1; [.])`, `reduce range(1000000) as $i (1; [.]) | tojson`, `9 | until(false; . * .)`,
		`[range(100000)] | . - .`, `("a" * 1000000) | [match("";"g")]`, `[limit(1000; repeat("a" * 100000))] | join("")`,
		`[limit(1000; repeat("a" * 100000))] | add`, `[range(1000)] | combinations(100)`, `reduce range(50) as $i ({}; {a: ., b: .}) | . * .`,
		`"a" | until(false; . + . | @base64)`, `1 | try until(false; [., .]) catch . | repeat(1)`,
	} {
		t.Run(filter, func(t *testing.T) {
			f, err := query.Parse(filter)
			if err != nil {
				t.Fatal(err)
			}
			r := f.Run(t.Context(), value(t, "null"), query.Limits{Steps: 100_000})
			if r.Err == nil || !r.Limited || len(r.Text()) > 5<<20 {
				t.Errorf("it ends with %v, limited %v, after %d results of %d B", r.Err, r.Limited, len(r.Values), len(r.Text()))
			}
		})
	}
}

func TestLimits(t *testing.T) {
	many := value(t, "["+strings.Repeat("123456,", 999)+"1]")
	f, err := query.Parse(".[]")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		l    query.Limits
		want int
		text string
	}{
		{query.Limits{Values: 10}, 10, "more than 10 results"},
		{query.Limits{Bytes: 60}, 10, "over the limit of output"},
		{query.Limits{Steps: 100}, -1, "within 100 steps"},
	} {
		r := f.Run(t.Context(), many, c.l)
		if !r.Limited || !strings.Contains(r.Err.Error(), c.text) || c.want >= 0 && len(r.Values) != c.want {
			t.Errorf("%+v: %d results, %v", c.l, len(r.Values), r.Err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	endless, err := query.Parse("last(range(infinite))")
	if err != nil {
		t.Fatal(err)
	}
	if r := endless.Run(ctx, many, query.Limits{Steps: 1 << 40}); !r.Limited || r.Err.Error() != "stopped" {
		t.Errorf("a cancelled filter ends with %v", r.Err)
	}
}

func TestHostileValues(t *testing.T) {
	deep := strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000)
	for _, c := range []struct{ filter, input string }{
		{"[.]", deep}, {"tojson | length", deep}, {"[..] | length", deep}, {". == .", deep},
		{".a", `{"a":1e999999999999999999999}`}, {".a + 1", `{"a":1e999999999999999999999}`}, {". * 2", strings.Repeat("9", 200_000)},
		{`gsub("a";"b") | length`, `"` + strings.Repeat("a", 1_000_000) + `"`}, {`.[0] == "\ud800"`, `["\ud800"]`},
		{"keys | length", "{" + strings.Repeat(`"a":1,`, 100_000) + `"b":2}`}, {"map(.) | length", "[" + strings.Repeat("[],", 300_000) + "[]]"},
	} {
		r := run(t, c.filter, c.input)
		if r.Err != nil && !r.Limited {
			t.Errorf("%s: %v", c.filter, r.Err)
		}
	}
	if r := run(t, ".", strings.Repeat("9", 200_000)); len(r.Values) != 1 || len(r.Values[0].Text) != 200_000 {
		t.Error("a long number is not selected as it is")
	}
}

func FuzzFilter(f *testing.F) {
	for _, s := range []string{".", ".a[0] | select(.b > 1)", `"\(.)"`, "if . then 1 end", "def f(g): g; f(.)", "{a: 1} * .", ". as [$a] | $a", ".. |= 1", "\"\\(\"\\(1", "@base64 \"a\\(.)\""} {
		f.Add(s, `{"a":[1,2.50,"x"]}`)
	}
	f.Fuzz(func(t *testing.T, filter, input string) {
		p, err := query.Parse(filter)
		if err != nil {
			var e *query.Error
			if !errors.As(err, &e) || e.Offset < 0 || e.Offset > e.End || e.End > len(filter) || e.Text == "" {
				t.Fatalf("%q: error %#v", filter, err)
			}
			return
		}
		doc, jerr := jsonread.Parse([]byte(input))
		if jerr != nil {
			return
		}
		for _, v := range p.Run(t.Context(), doc.Root(), query.Limits{Steps: 100_000, Bytes: 1 << 16}).Values {
			if _, err := jsonread.Parse(v.Text); err != nil {
				t.Fatalf("%q on %q gives %q: %v", filter, input, v.Text, err)
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		if _, err := query.Parse(".structuredContent.rows[] | select(.n > 3) | {label, n}"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRows(b *testing.B) {
	var s strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&s, `{"label":"row %d","n":%d.50,"tags":["a","b"]},`, i, i)
	}
	in := value(b, "["+s.String()+"null]")
	b.SetBytes(int64(s.Len()))
	f, err := query.Parse(".[] | select(.n? > 3) | {label, n}")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if r := f.Run(b.Context(), in, query.Limits{}); r.Err != nil {
			b.Fatal(r.Err)
		}
	}
}
