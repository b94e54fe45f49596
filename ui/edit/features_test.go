package edit_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"perch/engine/jsonread"
	"perch/ui/edit"
)

// at is an editor of a text in which | is the caret and ^ the other end of what
// is selected.
func at(t *testing.T, text string) *edit.Editor {
	t.Helper()
	plain := strings.NewReplacer("|", "", "^", "").Replace(text)
	caret, anchor := strings.Index(strings.Replace(text, "^", "", 1), "|"), strings.Index(strings.Replace(text, "|", "", 1), "^")
	if caret < 0 {
		t.Fatalf("no caret in %q", text)
	}
	e := edit.New(plain)
	if anchor < 0 {
		anchor = caret
	}
	e.SelectRange(anchor, caret)
	return e
}

// told is the text with the caret and the selection in it.
func told(e *edit.Editor) string {
	text := e.Text()
	caret := e.Offset()
	from, to, ok := e.Selection()
	if !ok {
		return text[:caret] + "|" + text[caret:]
	}
	a, b := offset(text, from), offset(text, to)
	if a == caret {
		return text[:a] + "|" + text[a:b] + "^" + text[b:]
	}
	return text[:a] + "^" + text[a:b] + "|" + text[b:]
}

func TestSelecting(t *testing.T) {
	for _, c := range []struct {
		name, from string
		keys       []string
		want       string
	}{
		{"right", "a|bc", []string{"shift+right", "shift+right"}, "a^bc|"},
		{"back again", "a|bc", []string{"shift+right", "shift+left"}, "a|bc"},
		{"a word", "one| two", []string{"ctrl+shift+right"}, "one^ two|"},
		{"down and end", "{|\n1\n}", []string{"shift+down", "shift+end"}, "{^\n1|\n}"},
		{"typing replaces", "a^bc|d", []string{"x"}, "ax|d"},
		{"and is undone", "a^bc|d", []string{"x", "ctrl+z"}, "a^bc|d"},
		{"backspace", "a^bc|d", []string{"backspace"}, "a|d"},
		{"delete word", "a^bc|d", []string{"ctrl+w"}, "a|d"},
		{"left goes to its start", "a^bc|d", []string{"left"}, "a|bcd"},
		{"right goes to its end", "a|bc^d", []string{"right"}, "abc|d"},
		{"enter", "{^1|}", []string{"enter"}, "{\n  |\n}"},
		{"a closing bracket", "^ab|", []string{"}"}, "}|"},
		{"what is typed over is one change", "a^bc|d", []string{"xy", "ctrl+z"}, "a^bc|d"},
		{"home", "abc|", []string{"shift+home"}, "|abc^"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := at(t, c.from)
			keys(t, e, c.keys...)
			if got := told(e); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestSelectionActs(t *testing.T) {
	e := at(t, "one t|wo three\nfour")
	e.SelectWord()
	if got := told(e); got != "one ^two| three\nfour" {
		t.Errorf("a word: %q", got)
	}
	if e.Copy() != "two" || !e.Escape() || e.Escape() || e.Copy() != "" {
		t.Error("escape does not end the selection once")
	}
	e.SelectLine()
	if got := e.Cut(); got != "one two three\n" || e.Text() != "four" {
		t.Errorf("the line is %q, what is left %q", got, e.Text())
	}
	e.Undo()
	e.SelectAll()
	if e.Copy() != e.Text() {
		t.Errorf("all is %q", e.Copy())
	}
	e.Paste("x\r\ny")
	if e.Text() != "x\ny" {
		t.Errorf("got %q", e.Text())
	}
	e.Undo()
	if e.Text() != "one two three\nfour" || e.Copy() != e.Text() {
		t.Errorf("after undo %q", told(e))
	}
}

func TestDragging(t *testing.T) {
	k := look(t)
	e := edit.New("{\n  \"a\": 1,\n  \"b\": 2\n}")
	e.View(k, 40, 2, true)
	e.Click(k, 5+2, 1)
	e.Drag(k, 5+5, 1)
	if e.Copy() != `"a"` {
		t.Errorf("dragged over %q", e.Copy())
	}
	e.Drag(k, 5+5, 3) // below the edge
	e.View(k, 40, 2, true)
	if got := e.Copy(); got != "\"a\": 1,\n  \"b\": 2\n}" {
		t.Errorf("dragged over %q", got)
	}
	if _, y := e.Cursor(); y != 1 {
		t.Errorf("the caret is in row %d", y)
	}
	e.Click(k, 5, 0)
	if e.Copy() != "" {
		t.Error("a click leaves something selected")
	}
}

func TestIndenting(t *testing.T) {
	for _, c := range []struct {
		name, from, want string
		act              func(e *edit.Editor)
	}{
		{"lines", "{\n^\"a\": 1,\n\n\"b\"|: 2\n}", "{\n^  \"a\": 1,\n\n  \"b\"|: 2\n}", (*edit.Editor).Tab},
		{"a last line without text", "^a\nb\n|c", "^  a\n  b\n|c", (*edit.Editor).Tab},
		{"out", "^    a\n b|\n\tc", "^  a\nb|\n\tc", (*edit.Editor).Outdent},
		{"out by a tab", "\tc|", "c|", (*edit.Editor).Outdent},
		{"nothing to take out", "c|\n  d", "c|\n  d", (*edit.Editor).Outdent},
		{"within a line it is text", "a^b|c", "a  |c", (*edit.Editor).Tab},
		{"a closing bracket goes to its opening one", "{\n      \"a\": [\n  |\n}", "{\n      \"a\": [\n      ]|\n}", func(e *edit.Editor) { e.Key("]", "]") }},
		{"one that closes nothing", "    |", "  }|", func(e *edit.Editor) { e.Key("}", "}") }},
		{"one behind text stays", "{ 1 |", "{ 1 }|", func(e *edit.Editor) { e.Key("}", "}") }},
		{"a string has no brackets", "{\n  \"[{\": [\n|\n", "{\n  \"[{\": [\n  ]|\n", func(e *edit.Editor) { e.Key("]", "]") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := at(t, c.from)
			first := e.Text()
			c.act(e)
			if got := told(e); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
			if e.Text() != first {
				e.Undo()
				if e.Text() != first {
					t.Errorf("it is not one change: %q", e.Text())
				}
			}
		})
	}
}

// Lines that end in a carriage return and a line feed keep them, and the caret
// never comes between the two.
func TestCarriageReturns(t *testing.T) {
	const text = "{\r\n  \"a\": 1\r\n}\r\n"
	for _, c := range []struct {
		keys []string
		want string
	}{
		{[]string{"end", ","}, "{,|\r\n  \"a\": 1\r\n}\r\n"},
		{[]string{"end", "right", "x"}, "{\r\nx|  \"a\": 1\r\n}\r\n"},
		{[]string{"down", "backspace"}, "{|  \"a\": 1\r\n}\r\n"},
		{[]string{"end", "delete"}, "{|  \"a\": 1\r\n}\r\n"},
		{[]string{"end", "ctrl+k"}, "{|  \"a\": 1\r\n}\r\n"},
		{[]string{"down", "end", "ctrl+u"}, "{\r\n|\r\n}\r\n"},
		{[]string{"end", "enter", "x"}, "{\r\n  x|\r\n  \"a\": 1\r\n}\r\n"},
		{[]string{"ctrl+end", "x"}, text + "x|"},
	} {
		e := edit.New(text)
		keys(t, e, c.keys...)
		if got := told(e); got != c.want {
			t.Errorf("%v: got %q, want %q", c.keys, got, c.want)
		}
	}
}

func TestBrackets(t *testing.T) {
	for _, c := range []struct {
		text  string
		other int // the partner's byte, -1: none, -2: no bracket here
		fits  bool
	}{
		{`|{"a":[1,{}]}`, 11, true},
		{`{|"a":[1,{}]}`, 11, true},
		{`{"a":[1,{}]|}`, 5, true}, // the one before the caret counts
		{`{"a":[1,{}]}|`, 0, true},
		{`{"a":|[1,{}}`, 10, false},
		{"[\n\n|{\n\n}\n]", 6, true},
		{`|[1,2`, -1, false},
		{`1,2]|`, -1, false},
		{`{"a{|": 1}`, -2, false},
		{`{"a": |1}`, -2, false},
	} {
		e := at(t, c.text)
		_, partner, fits, ok := e.Bracket()
		switch {
		case ok != (c.other != -2):
			t.Errorf("%q: a bracket: %v", c.text, ok)
		case fits != c.fits:
			t.Errorf("%q: fits: %v", c.text, fits)
		case c.other >= 0 && offset(e.Text(), partner) != c.other:
			t.Errorf("%q: its partner is at %d, want %d", c.text, offset(e.Text(), partner), c.other)
		}
	}
}

const order = `{
  "customer": {
    "id": 7,
    "tags": [
      "new",
      "far"
    ]
  },
  "lines": [
    {"sku": "TEA-7"},
    {"sku": "MUG"}
  ]
}`

// rows are what is in sight, without the gutter's signs and blanks at the ends.
func rows(t *testing.T, e *edit.Editor, w, h int) string {
	t.Helper()
	var out []string
	for _, r := range e.View(look(t), w, h, true) {
		if s := strings.TrimRight(strip(r), " "); s != "" {
			out = append(out, s)
		}
	}
	return strings.Join(out, "\n")
}

func TestFolding(t *testing.T) {
	e := edit.New(order)
	e.MoveTo(strings.Index(order, `"id"`))
	if !e.ToggleFold() {
		t.Fatal("there is nothing to fold")
	}
	want := "   1 {\n❯  2▸  \"customer\": { … 5 lines\n   8   },\n   9   \"lines\": [\n  10     {\"sku\": \"TEA-7\"},\n  11     {\"sku\": \"MUG\"}\n  12   ]\n  13 }"
	if got := rows(t, e, 40, 14); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	e.Down(1)
	if got := e.Caret(); got.Line != 7 {
		t.Errorf("down goes to line %d", got.Line+1)
	}
	e.Home()
	e.Left()
	if got := told(e); !strings.Contains(got, "\"customer\": {|\n") {
		t.Errorf("left goes to %q", got)
	}
	e.Right()
	if got := e.Caret(); got.Line != 7 || got.Byte != 0 {
		t.Errorf("right goes to %+v", got)
	}
	if e.Text() != order || e.CanUndo() {
		t.Error("folding changed the text")
	}
	e.FoldAll()
	want = "   1 {\n❯  2▸  \"customer\": { … 5 lines\n   8   },\n   9▸  \"lines\": [ … 2 lines\n  12   ]\n  13 }"
	e.MoveTo(4)
	if got := rows(t, e, 40, 14); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	e.ToggleFold()
	if got := rows(t, e, 40, 14); !strings.Contains(got, "   4▸    \"tags\": [ … 2 lines\n   7     ]") {
		t.Errorf("what is folded within is not:\n%s", got)
	}
	if got := e.Folded(); !slices.Equal(got, []int{3, 8}) {
		t.Errorf("folded on lines %v", got)
	}
	e.UnfoldAll()
	if e.Rows() != e.Lines() {
		t.Error("something is still folded")
	}
	e.FoldLines([]int{8, 3, 0, 99})
	if got := e.Folded(); !slices.Equal(got, []int{0, 3, 8}) {
		t.Errorf("folded on lines %v", got)
	}
}

// What is folded away comes to light when the caret goes there or its text
// changes.
func TestFoldsOpen(t *testing.T) {
	for name, act := range map[string]func(e *edit.Editor){
		"a place":        func(e *edit.Editor) { e.MoveTo(strings.Index(order, "far")) },
		"a pointer":      func(e *edit.Editor) { e.MoveToPointer("/customer/tags/1") },
		"a search":       func(e *edit.Editor) { _ = e.Find(edit.Query{Text: "far"}); e.FindNext() },
		"a problem":      func(e *edit.Editor) { e.SetProblems([]edit.Problem{{Pointer: "/customer/tags/1"}}); e.NextProblem() },
		"undo":           func(e *edit.Editor) { e.UnfoldAll(); e.MoveTo(40); e.Key("x", "x"); e.FoldAll(); e.Undo() },
		"joining":        func(e *edit.Editor) { e.Down(1); e.End(); e.Delete() },
		"broken bracket": func(e *edit.Editor) { e.Down(1); e.End(); e.Backspace() },
		"a new line":     func(e *edit.Editor) { e.Down(1); e.End(); e.Newline() },
		"a quote":        func(e *edit.Editor) { e.Down(1); e.Home(); e.Key("\"", "\"") },
	} {
		t.Run(name, func(t *testing.T) {
			e := edit.New(order)
			e.FoldAll()
			act(e)
			if err := e.Sound(); err != nil {
				t.Fatal(err)
			}
			if slices.Contains(e.Folded(), 1) {
				t.Errorf("line 2 is still folded: %v", e.Folded())
			}
		})
	}
	e := edit.New(order)
	e.FoldAll()
	keys(t, e, "x", "enter", "down", "end", "left", " ")
	if got := e.Folded(); !slices.Equal(got, []int{2, 4, 9}) && !slices.Equal(got, []int{2, 9}) {
		t.Errorf("folds do not move along: %v\n%s", got, e.Text())
	}
}

func TestFinding(t *testing.T) {
	for _, c := range []struct {
		query edit.Query
		want  string // the text around each match, walked from the start
	}{
		{edit.Query{Text: "sku"}, `"sku"|"sku"`},
		{edit.Query{Text: "SKU"}, `"sku"|"sku"`},
		{edit.Query{Text: "SKU", Case: true}, ""},
		{edit.Query{Text: "TEA", Case: true}, `"TEA-`},
		{edit.Query{Text: `"[nf]\w+"`, Regex: true}, ` "new",| "far"` + "\n"},
		{edit.Query{Text: "[", Regex: false}, " [\n| [\n"},
		{edit.Query{Text: "é"}, ""},
		{edit.Query{Text: "^$", Regex: true}, ""},
	} {
		e := edit.New(order)
		if err := e.Find(c.query); err != nil {
			t.Fatal(err)
		}
		var got []string
		for range e.Found().Count {
			if !e.FindNext() {
				t.Fatalf("%+v: no next match", c.query)
			}
			from := e.Offset()
			n := len(c.query.Text)
			if c.query.Regex {
				n = 5
			}
			got = append(got, order[from-1:from+n+1])
		}
		if want := strings.Split(c.want, "|"); strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%+v: found %q, want %q", c.query, got, want)
		}
	}
	e := edit.New(order)
	err := e.Find(edit.Query{Text: "(", Regex: true})
	if err == nil || !strings.HasPrefix(err.Error(), "not a regular expression: missing closing )") {
		t.Errorf("an expression that is none: %v", err)
	}
}

func TestFindingFollowsTheText(t *testing.T) {
	e := edit.New("tea, tea\ntea")
	_ = e.Find(edit.Query{Text: "tea"})
	for _, want := range []edit.Found{{At: 1, Count: 3}, {At: 2, Count: 3}, {At: 3, Count: 3}, {At: 1, Count: 3}} {
		if got := e.Found(); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
		e.FindNext()
	}
	e.FindPrev()
	if got := e.Found(); got.At != 1 {
		t.Errorf("the match before the second is %+v", got)
	}
	e.FindPrev()
	keys(t, e, "s", "enter", "tea")
	if got := e.Found(); got.Count != 4 {
		t.Errorf("after typing %+v", got)
	}
	e.MoveTo(0)
	if !e.FindHere(5) || e.Offset() != 5 {
		t.Errorf("the match from byte 5 is at %d", e.Offset())
	}
	e.EndFind()
	if e.FindNext() || e.Found() != (edit.Found{}) {
		t.Error("the search goes on")
	}
}

func TestProblems(t *testing.T) {
	e := edit.New(order)
	if e.StatusLine(look(t), 80, "ctrl+g").Spans != nil || e.NextProblem() {
		t.Error("something is wrong with what is right")
	}
	e.SetProblems([]edit.Problem{
		{Pointer: "/lines/1/qty", Text: "qty is missing"},
		{Pointer: "/customer/id", Text: "7 is below the minimum, 10"},
		{Bytes: true, Start: 0, End: 1, Text: "no pay"},
	})
	if got := rows(t, e, 40, 13); strings.Count(got, "✗") != 3 || !strings.Contains(got, " ✗ 3 ") || !strings.Contains(got, " ✗11 ") {
		t.Errorf("marked:\n%s", got)
	}
	var walk []string
	for range 4 {
		e.NextProblem()
		walk = append(walk, fmt.Sprintf("%d %s", e.Status().Line, e.Status().Text))
	}
	if want := "3 7 is below the minimum, 10; 11 qty is missing; 1 no pay; 3 7 is below the minimum, 10"; strings.Join(walk, "; ") != want {
		t.Errorf("walked %q", walk)
	}
	e.PrevProblem()
	if s := e.Status(); s.Line != 1 || !s.Here || s.Count != 3 || s.JSON {
		t.Errorf("got %+v", s)
	}
	keys(t, e, "enter", "enter") // problems move along
	e.NextProblem()
	if s := e.Status(); s.Line != 5 || s.Column != 10 || s.Text != "7 is below the minimum, 10" {
		t.Errorf("got %+v", s)
	}
	e.FoldAll()
	if got := rows(t, e, 40, 13); !strings.Contains(got, "✗ 4▸  \"customer\"") {
		t.Errorf("what is folded hides its problem:\n%s", got)
	}
}

func TestTheFaultIsAProblem(t *testing.T) {
	e := at(t, "{\n  \"a\": nul|\n}")
	e.SetProblems([]edit.Problem{{Bytes: true, Start: 0, End: 1, Text: "x"}})
	e.View(look(t), 40, 5, true)
	if s := e.Status(); !s.JSON || s.Line != 2 || s.Column != 7 || !s.Here || s.Count != 2 {
		t.Errorf("got %+v", s)
	}
	if got := line(t, e.StatusLine(look(t), 80, "ctrl+g")); got != "✗ 2:7 has \"n\" where a value belongs   2 problems, ctrl+g" {
		t.Errorf("got %q", got)
	}
	keys(t, e, "l")
	e.View(look(t), 40, 5, true)
	if s := e.Status(); s.JSON || s.Count != 1 || s.Here {
		t.Errorf("got %+v", s)
	}
	if got := line(t, e.StatusLine(look(t), 80, "ctrl+g")); got != "✗ 1:0 x   1 problem, ctrl+g" {
		t.Errorf("got %q", got)
	}
}

func TestPointers(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"a": |1}`, "/a"},
		{`{"a": {"b/c": [1, 2|]}}`, "/a/b~1c/1"},
		{`{"a": 1, "b|c": 2}`, "/bc"},
		{`{"a": 1, |"b~": 2}`, "/b~0"},
		{`{"a": 1}|`, ""},
		{`|{"a": 1}`, ""},
		{`{|}`, ""},
		{`{"a": [|]}`, "/a"},
		{`{"a": [{}, {"x": [[], [0, |0]]}]}`, "/a/1/x/1/1"},
		{"{\n  \"a\": {\n    \"b\": 1\n  },\n  \"c\": tr|u\n", "/c"},
		{`{"a\u0062": |1}`, "/ab"},
		{`{"a": "x, [ {|"}`, "/a"},
		{`{"a": [1, 2, |`, "/a/2"},
	} {
		e := at(t, c.text)
		if got, ok := e.Pointer(); !ok || got != c.want {
			t.Errorf("%s: %q (%v), want %q", c.text, got, ok, c.want)
		}
	}
	deep := strings.Repeat("[", 1_001)
	e := at(t, deep+"|")
	if got, ok := e.Pointer(); ok {
		t.Errorf("a pointer of %d bytes", len(got))
	}
}

func TestGoingToAPointer(t *testing.T) {
	for _, broken := range []string{"", "\n,"} {
		for pointer, want := range map[string]string{
			"": `{`, "/customer/tags/1": `"far"`, "/customer": "{\n", "/lines/1/sku": `"MUG"`, "/customer/id": "7",
			"/lines/2": "", "/nothing": "", "/customer/id/x": "", "/customer/tags/-": "", "/lines/01": "", "x": "",
		} {
			e := edit.New(order + broken)
			ok := e.MoveToPointer(pointer)
			if ok != (want != "") || ok && !strings.HasPrefix(order[e.Offset():], want) {
				t.Errorf("%q of broken %q leads to byte %d, %v", pointer, broken, e.Offset(), ok)
			}
			if got, _ := e.Pointer(); ok && pointer != "" && got != pointer {
				t.Errorf("%q leads to %q", pointer, got)
			}
		}
	}
}

func TestAnotherEditor(t *testing.T) {
	for _, c := range []struct {
		name, text, back string
		failed           error
		want             string
		changed          bool
	}{
		{"nothing was done", "{|}", "{}", nil, "{|}", false},
		{"only its line break was added", "{|}", "{}\n", nil, "{|}", false},
		{"or both bytes of one", "{|}", "{}\r\n", nil, "{|}", false},
		{"a line break that was there stays", "{}\n|", "{}\n", nil, "{}\n|", false},
		{"something was added", "{\n|}\n", "{\n  \"a\": 1\n}\n", nil, "{\n  \"a\": 1\n|}\n", true},
		{"the caret stays on its text", "[\n1,\n2|\n]", "[\n0,\n1,\n2\n]\n", nil, "[\n0,\n1,\n2|\n]", true},
		{"it was emptied", "{|}", "", nil, "|", true},
		{"it failed", "{|}", "", errors.New("exit status 1"), "{|}", false},
		{"it failed with other text", "{|}", "xyz", errors.New("exit status 1"), "{|}", false},
		{"bytes that are no text", "{|}", "{\xff\x00}", nil, "{\xff\x00|}", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := at(t, c.text)
			first := e.Text()
			lent := e.Lend()
			if string(lent.Text) != first {
				t.Errorf("lent %q", lent.Text)
			}
			if got := e.TakeBack(lent, []byte(c.back), c.failed); got != c.changed || told(e) != c.want {
				t.Errorf("changed: %v, %q", got, told(e))
			}
			if c.changed {
				e.Undo()
			}
			if e.Text() != first || e.CanUndo() {
				t.Errorf("not one change: %q", e.Text())
			}
		})
	}
}

func TestDeferred(t *testing.T) {
	text := "[\n" + strings.Repeat("  \"tea\",\n", 8_000) + "  x\n]"
	e := edit.New(text)
	e.Defer(true)
	_ = e.Find(edit.Query{Text: "tea"})
	k := look(t)
	e.View(k, 40, 10, true)
	if _, _, current := e.Checked(); current || e.Problems() != 0 || !e.Found().Busy || e.FindNext() {
		t.Error("a long text was read at once")
	}
	job, ok := e.Due()
	if _, again := e.Due(); !ok || again {
		t.Fatalf("due: %v, twice: %v", ok, again)
	}
	done := job.Run()
	if string(done.Text) != text || done.Fault == nil || done.Fault.Kind != jsonread.Unexpected {
		t.Errorf("the job found %v", done.Fault)
	}
	if !e.Take(done) || e.Problems() != 1 || e.Found().Count != 8_000 || e.Offset() != 5 {
		t.Errorf("taken: %d problems, %+v, caret at %d", e.Problems(), e.Found(), e.Offset())
	}
	if _, ok := e.Due(); ok {
		t.Error("there is work left")
	}
	// The fault stays in its place while the text changes before it, and an
	// answer that comes too late is left.
	e.MoveTo(1)
	e.Newline()
	job, _ = e.Due()
	e.Newline()
	if e.Take(job.Run()) || e.Status().Line != 8_004 {
		t.Errorf("taken too late, the fault is on line %d", e.Status().Line)
	}
	if job, ok := e.Due(); !ok || !e.Take(job.Run()) || e.Status().Line != 8_004 {
		t.Errorf("then it is on line %d", e.Status().Line)
	}
}
