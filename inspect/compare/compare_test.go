package compare_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/inspect/bench"
	"perch/inspect/compare"
	"perch/inspect/model"
	"perch/inspect/record"
	"perch/inspect/rules"
)

func value(t testing.TB, text string) jsonread.Value {
	t.Helper()
	doc, err := jsonread.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%.80s: %v", text, err)
	}
	return doc.Root()
}

// told is changes in a form that a table can hold.
func told(changes []compare.Change) string {
	var out []string
	for _, c := range changes {
		out = append(out, fmt.Sprintf("%s %s %s>%s", c.Kind, c.Pointer, c.A.Raw(), c.B.Raw()))
	}
	return strings.Join(out, "; ")
}

func TestJSON(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{`{"a":1,"b":2}`, ` { "a" : 1 , "b" : 2 } `, ""},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, `in another order  {"a":1,"b":2}>{"b":2,"a":1}`},
		{`{"a":1.0}`, `{"a":1}`, "written in another way /a 1.0>1"},
		{`{"a":"\u0041"}`, `{"a":"A"}`, `written in another way /a "\u0041">"A"`},
		{`{"a":9007199254740993}`, `{"a":9007199254740992}`, "changed /a 9007199254740993>9007199254740992"},
		{`{"a":1}`, `{"a":"1"}`, `changed /a 1>"1"`},
		{`{"a":null}`, `{}`, "removed /a null>"},
		{`{}`, `{"a/b":{"~":1}}`, `added /a~1b >{"~":1}`},
		{`{"a":{"b":[1,{"c":2}]}}`, `{"a":{"b":[1,{"c":3}]}}`, "changed /a/b/1/c 2>3"},
		{`[1,2,3]`, `[0,1,2,3]`, "added /0 >0"},
		{`[1,2,3]`, `[1,3]`, "removed /1 2>"},
		{`[{"n":1},{"n":2}]`, `[{"n":1},{"n":5},{"n":2}]`, `added /1 >{"n":5}`},
		{`[{"n":1},{"n":2}]`, `[{"n":1.0},{"n":3}]`, "written in another way /0/n 1>1.0; changed /1/n 2>3"},
		{`[[1,2],[3]]`, `[[1,2],[4]]`, "changed /1/0 3>4"},
		{`{"id":"2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d"}`, `{"id":"3f333df6-90a4-4fda-8dd3-9485d27cee36"}`,
			`id or time /id "2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d">"3f333df6-90a4-4fda-8dd3-9485d27cee36"`},
		{`{"at":"2026-12-01T14:03:07Z"}`, `{"at":"2026-12-01 14:03:08.5+01:00"}`, `id or time /at "2026-12-01T14:03:07Z">"2026-12-01 14:03:08.5+01:00"`},
		{`{"created_at":1764600000}`, `{"created_at":1764600001}`, "id or time /created_at 1764600000>1764600001"},
		{`{"n":1764600000}`, `{"n":1764600001}`, "changed /n 1764600000>1764600001"},
		{`{"a":1,"a":2}`, `{"a":2}`, ""},
		{`[]`, `{}`, "changed  []>{}"},
		{`1`, `2`, "changed  1>2"},
	} {
		changes, more := compare.JSON(value(t, c.a), value(t, c.b), 100)
		if got := told(changes); got != c.want || more != 0 {
			t.Errorf("%s to %s\nis   %s\nwant %s", c.a, c.b, got, c.want)
		}
	}
}

func TestHostileJSON(t *testing.T) {
	deep := func(inner string) string { return strings.Repeat("[", 9_000) + inner + strings.Repeat("]", 9_000) }
	changes, _ := compare.JSON(value(t, deep("1")), value(t, deep("2")), 10)
	if len(changes) != 1 || len(changes[0].Pointer) != 18_000 {
		t.Errorf("%d changes", len(changes))
	}
	many := func(from int) string {
		var b strings.Builder
		for i := range 100_000 {
			fmt.Fprintf(&b, "%d,", from+i)
		}
		return "[" + b.String() + "0]"
	}
	changes, more := compare.JSON(value(t, many(1)), value(t, many(1_000_000)), 50)
	if len(changes) != 50 || more != 100_000-50 {
		t.Errorf("%d changes, %d more", len(changes), more)
	}
	members := func(from int) string {
		var b strings.Builder
		for i := range 50_000 {
			fmt.Fprintf(&b, `"%d":0,`, from+i)
		}
		return "{" + b.String() + `"z":0}`
	}
	if changes, more = compare.JSON(value(t, members(0)), value(t, members(25_000)), 50); len(changes)+more != 50_000 {
		t.Errorf("%d changes, %d more", len(changes), more)
	}
}

// sides are the two texts again, from the rows.
func sides(t *compare.Text) (a, b string) {
	for i := range t.Len() {
		l := t.Row(i)
		text := l.Text
		if !l.NoNewline {
			text += "\n"
		}
		if l.Kind != compare.Added {
			a += text
		}
		if l.Kind != compare.Removed {
			b += text
		}
	}
	return a, b
}

func TestLines(t *testing.T) {
	d := compare.Lines("one\ntwo\nthree\nfour", "one\n2\nthree\nfour\n")
	var got []string
	for i := range d.Len() {
		l := d.Row(i)
		got = append(got, fmt.Sprintf("%s %d %d %s %v", l.Kind, l.A, l.B, l.Text, l.NoNewline))
	}
	want := []string{"same 1 1 one false", "removed 2 0 two false", "added 0 2 2 false", "same 3 3 three false", "removed 4 0 four true", "added 0 4 four false"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("rows are\n%s", strings.Join(got, "\n"))
	}
	if d.Removed() != 2 || d.Added() != 2 || d.Coarse {
		t.Errorf("%d removed, %d added", d.Removed(), d.Added())
	}
	if a, b, c := d.Next(-1, false), d.Next(1, false), d.Next(4, true); a != 1 || b != 4 || c != 1 {
		t.Errorf("differences begin at rows %d, %d, %d", a, b, c)
	}
	if d.Next(4, false) != -1 || d.Next(1, true) != -1 {
		t.Error("there is a difference behind the last one, or before the first")
	}
}

func TestFoldedLines(t *testing.T) {
	same := strings.Repeat("same\n", 50)
	d := compare.Lines(same+"x\n"+same, same+"y\n"+same).Folded(3)
	if d.Len() != 1+3+2+3+1 {
		t.Fatalf("%d rows", d.Len())
	}
	if first, last := d.Row(0), d.Row(9); first.Gap != 47 || last.Gap != 47 || last.A != 55 {
		t.Errorf("gaps %+v, %+v", first, last)
	}
	if l := d.Row(4); l.Kind != compare.Removed || l.A != 51 {
		t.Errorf("row 4 is %+v", l)
	}
}

func TestLinesOfAnyTextGiveItBack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		var b strings.Builder
		for range r.IntN(40) {
			b.WriteString(string(rune('a' + r.IntN(4))))
			if r.IntN(8) > 0 {
				b.WriteByte('\n')
			}
		}
		return b.String()
	}
	for range 2_000 {
		a, b := text(), text()
		d := compare.Lines(a, b)
		if x, y := sides(d); x != a || y != b {
			t.Fatalf("%q and %q come back as %q and %q", a, b, x, y)
		}
		if least := difference(a, b); d.Removed()+d.Added() != least {
			t.Fatalf("%q to %q takes %d edits, want %d", a, b, d.Removed()+d.Added(), least)
		}
	}
}

// difference is the least number of lines that must go or come, the slow way.
func difference(a, b string) int {
	x, y := strings.SplitAfter(a, "\n"), strings.SplitAfter(b, "\n")
	if x[len(x)-1] == "" {
		x = x[:len(x)-1]
	}
	if y[len(y)-1] == "" {
		y = y[:len(y)-1]
	}
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		before := row[0]
		row[0] = i + 1
		for j := range y {
			best := min(row[j], row[j+1]) + 1
			if x[i] == y[j] {
				best = before
			}
			before, row[j+1] = row[j+1], best
		}
	}
	return row[len(y)]
}

func TestHostileLines(t *testing.T) {
	a, b := strings.Repeat("\n", 1<<20), strings.Repeat("x\n", 1<<19)
	d := compare.Lines(a, b)
	if !d.Coarse || d.Len() != 1<<20+1<<19 {
		t.Errorf("%d rows, coarse %v", d.Len(), d.Coarse)
	}
	if d = compare.Lines(a, a+"end"); d.Coarse || d.Added() != 1 {
		t.Errorf("%d added, coarse %v", d.Added(), d.Coarse)
	}
	long := strings.Repeat("y", compare.MaxText+10)
	if d = compare.Lines(long, ""); d.CutA != 10 {
		t.Errorf("%d bytes are cut", d.CutA)
	}
	if d = compare.Lines("", ""); d.Len() != 0 || d.Next(-1, false) != -1 {
		t.Errorf("%d rows of nothing", d.Len())
	}
}

// run records events as a call.
func run(t *testing.T, bodies ...event.Body) *record.Run {
	t.Helper()
	r := record.New(record.DefaultLimits())
	t.Cleanup(func() { r.Close() })
	all := append([]event.Body{event.Begin{Kind: event.Call, Tool: "t", Arguments: []byte(`{"n":1}`)}}, bodies...)
	for i, b := range append(all, event.End{Outcome: event.OK}) {
		r.Append(event.Event{Run: 1, Time: time.Duration(i) * time.Millisecond, Body: b})
	}
	return r.Run(1)
}

func section(t *testing.T, all []compare.Section, p compare.Part) compare.Section {
	t.Helper()
	for _, s := range all {
		if s.Part == p {
			return s
		}
	}
	t.Fatalf("there is no part %s", p)
	return compare.Section{}
}

func rows(s compare.Section) string {
	var out []string
	for _, r := range s.Rows {
		out = append(out, fmt.Sprintf("%s: %s: %s > %s", r.Kind, r.Where, r.A, r.B))
	}
	return strings.Join(out, "\n")
}

func write(path, data string, at int64) event.FileEffect {
	return event.FileEffect{Op: event.FileWrite, Path: path, Offset: at, Bytes: int64(len(data)), Data: []byte(data)}
}

func TestFiles(t *testing.T) {
	a := run(t, event.FileEffect{Op: event.FileCreate, Path: "/v/same"}, write("/v/same", "abc", 0),
		event.FileEffect{Op: event.FileCreate, Path: "/v/other"}, write("/v/other", "one\ntwo\n", 0),
		write("/v/part", "xyz", 10), event.FileEffect{Op: event.FileRemove, Path: "/v/gone"}, event.FileEffect{Op: event.FileOpen, Path: "/v/read"})
	b := run(t, event.FileEffect{Op: event.FileCreate, Path: "/v/same"}, write("/v/same", "ab", 0), write("/v/same", "c", 2),
		event.FileEffect{Op: event.FileCreate, Path: "/v/tmp"}, write("/v/tmp", "one\n2\n", 0), event.FileEffect{Op: event.FileRename, Path: "/v/tmp", NewPath: "/v/other"},
		write("/v/part", "xyZ", 10), event.FileEffect{Op: event.FileCreate, Path: "/v/\x1b[31m"})
	s := section(t, compare.Calls(compare.Call{Run: a}, compare.Call{Run: b}), compare.Files)
	want := "added: /v/⟨U+001B⟩[31m:  > new, 0 B\nremoved: /v/gone: removed > \nchanged: /v/other: new, 8 B > new, 6 B\n" +
		"changed: /v/part: changed, 13 B > changed, 13 B\nadded: /v/tmp:  > gone again"
	if got := rows(s); got != want {
		t.Errorf("rows are\n%s\nwant\n%s", got, want)
	}
	for _, r := range s.Rows {
		if r.Where != "/v/other" {
			continue
		}
		d := r.Text()
		if d == nil || d.Removed() != 1 || d.Added() != 1 {
			t.Errorf("the text differs in %+v", d)
		}
	}
}

func exchange(id int, url string, status int, body string, headers ...event.Header) []event.Body {
	return []event.Body{
		event.HTTPRequest{ID: id, Method: "GET", URL: url, Headers: []event.Header{{Name: "authorization", Value: fmt.Sprint("secret", id), Hidden: true}}},
		event.HTTPHop{ID: id, Hop: 1, Status: status},
		event.HTTPAnswer{ID: id, Status: status, Body: []byte(body), Headers: headers, Took: time.Duration(id) * time.Millisecond},
	}
}

func TestExchanges(t *testing.T) {
	a := append(exchange(1, "https://a.example/x", 200, `{"n":1}`, event.Header{Name: "date", Value: "today"}), exchange(2, "https://b.example/", 200, "")...)
	b := append(exchange(1, "https://c.example/", 404, ""), exchange(2, "https://a.example/x", 200, `{"n": 2}`, event.Header{Name: "Date", Value: "tomorrow"})...)
	s := section(t, compare.Calls(compare.Call{Run: run(t, a...)}, compare.Call{Run: run(t, b...)}), compare.HTTP)
	want := `added: 1 GET c.example/:  > 404
changed: 1 GET a.example/x answer body /n: 1 > 2
removed: 2 GET b.example/: 200 > 
id or time: 1 GET a.example/x answer date: "today" > "tomorrow"
id or time: 1 GET a.example/x took: 1.0 ms > 2.0 ms`
	if got := rows(s); got != want {
		t.Errorf("rows are\n%s\nwant\n%s", got, want)
	}
	if strings.Contains(rows(s), "secret") {
		t.Error("a secret is shown")
	}
}

func TestFindings(t *testing.T) {
	f := func(r abi.RuleID, title string) rules.Finding { return rules.Of(event.Breach{Rule: r, Detail: title}) }
	a := compare.Call{Run: run(t), Findings: []rules.Finding{f(abi.CallEmpty, "one"), f(abi.CallEmpty, "two")}}
	b := compare.Call{Run: run(t), Findings: []rules.Finding{f(abi.CallEmpty, "two"), f(abi.CallEmpty, "two"), f(abi.CallContent, "three")}}
	if got, want := rows(section(t, compare.Calls(a, b), compare.Findings)),
		"removed: call/empty: one > \nadded: call/empty:  > two (1 more)\nadded: call/content:  > three"; got != want {
		t.Errorf("rows are\n%s\nwant\n%s", got, want)
	}
}

func TestBlocks(t *testing.T) {
	a := compare.Call{Run: run(t), Model: []model.Block{{Type: model.Text, Text: `{"a":1}`}, {Type: model.Text, Text: "x\ny\n" + strings.Repeat("z", 200)}, {Type: model.Image, Text: "image/png", Data: []byte{1}}}}
	b := compare.Call{Run: run(t), Model: []model.Block{{Type: model.Text, Text: `{"a": 2}`}, {Type: model.Text, Text: "x\nq\n" + strings.Repeat("z", 200)}, {Type: model.Note, Text: "left out"}, {Type: model.Text, Text: "new"}}}
	s := section(t, compare.Calls(a, b), compare.Model)
	want := "changed: text 1 /a: 1 > 2\nchanged: text 2: 3 lines, 204 B > 3 lines, 204 B\n" +
		"changed: block 3: image image/png > note \"left out\"\nadded: text 4:  > \"new\""
	if got := rows(s); got != want {
		t.Errorf("rows are\n%s\nwant\n%s", got, want)
	}
	if d := s.Rows[1].Text(); d == nil || d.Removed() != 1 {
		t.Errorf("the text differs in %+v", d)
	}
}

// TestRealCalls holds two calls of a sample: ids and times are no difference.
func TestRealCalls(t *testing.T) {
	b, err := bench.Open(t.Context(), "sample:greeter", bench.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	call := func(args string) compare.Call {
		c, err := b.Call(t.Context(), "greet", []byte(args))
		if err != nil {
			t.Fatal(err)
		}
		return compare.Call{Run: c.Run, Model: c.Model, Findings: c.Findings}
	}
	ada, again, warm := call(`{"name":"Ada"}`), call(`{"name": "Ada"}`), call(`{"name":"Ada","style":"warm"}`)
	if all := compare.Calls(ada, again); !compare.SameInAll(all) {
		for _, s := range all {
			t.Log(s.Part, rows(s))
		}
		t.Error("two equal calls differ")
	}
	all := compare.Calls(ada, warm)
	for part, want := range map[compare.Part]string{
		compare.Arguments: `added: /style:  > "warm"`,
		compare.Result:    `changed: /structuredContent/message: "Hello, Ada!" > "`,
		compare.Model:     `changed: text 1 /message: "Hello, Ada!" > "`,
		compare.Wire:      "changed: in 1: ",
	} {
		if got := rows(section(t, all, part)); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", part, got, want)
		}
	}
	if s := section(t, all, compare.Wire); len(s.Rows) != 2 || s.Rows[1].Where != "out 1" || !s.Rows[1].HasA || s.Rows[1].Text().Removed() < 2 {
		t.Errorf("wire: %s", rows(s))
	}
	for _, p := range []compare.Part{compare.Files, compare.HTTP, compare.Stderr} {
		if s := section(t, all, p); !s.None || !s.Same() {
			t.Errorf("%s: %s", p, rows(s))
		}
	}
}

func FuzzJSON(f *testing.F) {
	f.Add(`{"a":[1,{"b":null}]}`, `{"a":[{"b":1},1.0]}`)
	f.Fuzz(func(t *testing.T, a, b string) {
		x, errA := jsonread.Parse([]byte(a))
		y, errB := jsonread.Parse([]byte(b))
		if errA != nil || errB != nil {
			return
		}
		changes, more := compare.JSON(x.Root(), y.Root(), 100)
		real := more > 0
		for _, c := range changes {
			real = real || c.Kind.Real() || c.Kind == compare.Moving
			if !c.A.IsZero() && c.Kind != compare.Added && len(x.Doubled(1)) == 0 && !x.Root().At(c.Pointer).Equal(c.A) {
				t.Fatalf("%s: %q does not lead to %s", a, c.Pointer, c.A.Raw())
			}
		}
		if x.Root().Equal(y.Root()) == real {
			t.Fatalf("%s and %s: changes %s", a, b, told(changes))
		}
	})
}

func BenchmarkMebibyte(b *testing.B) {
	text := func(seed uint64) string {
		r := rand.New(rand.NewPCG(seed, 1))
		var s strings.Builder
		for i := 0; s.Len() < 1<<20; i++ {
			n := i
			if r.IntN(1000) == 0 {
				n = r.IntN(1e6)
			}
			fmt.Fprintf(&s, "{\"id\":%d,\"label\":\"row\",\"tags\":[\"a\",\"b\"]},\n", n)
		}
		return s.String()
	}
	x, y := text(1), text(2)
	b.Run("lines", func(b *testing.B) {
		for b.Loop() {
			compare.Lines(x, y)
		}
	})
	v, w := value(b, "["+x+"0]"), value(b, "["+y+"0]")
	b.Run("json", func(b *testing.B) {
		for b.Loop() {
			compare.JSON(v, w, 1000)
		}
	})
}
