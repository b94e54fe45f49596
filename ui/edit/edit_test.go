package edit_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"perch/themes"
	"perch/ui/cell"
	"perch/ui/edit"
)

func look(t testing.TB) *cell.Look {
	t.Helper()
	th, err := themes.Load("dusk")
	if err != nil {
		t.Fatal(err)
	}
	return cell.New(th, cell.Config{})
}

// keys presses keys: words with a + and the names of keys, anything else is
// typed.
func keys(t *testing.T, e *edit.Editor, all ...string) {
	t.Helper()
	named := map[string]bool{"left": true, "right": true, "up": true, "down": true, "home": true, "end": true, "backspace": true, "delete": true, "pgup": true, "pgdown": true}
	for _, k := range all {
		switch {
		case k == "enter":
			e.Newline()
		case named[k] || len(k) > 1 && strings.Contains(k, "+"):
			if !e.Key(k, "") {
				t.Fatalf("%s means nothing", k)
			}
		default:
			for _, r := range k {
				if !e.Key(string(r), string(r)) {
					t.Fatalf("%c is not typed", r)
				}
			}
		}
	}
}

func TestTyping(t *testing.T) {
	for _, c := range []struct {
		name string
		keys []string
		want string // | is the caret
	}{
		{"all that prints", []string{"quit?/:j k"}, "quit?/:j k|"},
		{"backspace", []string{"abc", "left", "backspace"}, "a|c"},
		{"delete", []string{"abc", "home", "delete"}, "|bc"},
		{"delete joins", []string{"a\n", "b", "home", "backspace"}, "a|b"},
		{"words", []string{`"one two"`, "ctrl+w"}, `"one |`},
		{"to start", []string{"one two", "alt+left", "ctrl+u"}, "|two"},
		{"to end", []string{"one two", "alt+left", "ctrl+k"}, "one |"},
		{"line break at end", []string{"a", "enter", "b", "up", "end", "ctrl+k"}, "a|b"},
		{"word right", []string{"one, two", "home", "ctrl+right", "ctrl+right", "!"}, "one, two!|"},
		{"indent", []string{"{", "enter", "\"a\": [", "enter", "1"}, "{\n  \"a\": [\n    1|"},
		{"between brackets", []string{"{}", "left", "enter", "x"}, "{\n  x|\n}"},
		{"closing", []string{"{", "enter", "1", "enter", "}"}, "{\n  1\n}|"},
		{"backspace in the indent", []string{"{", "enter", "{", "enter", "backspace"}, "{\n  {\n  |"},
		{"goal column", []string{"long line", "enter", "a", "enter", "long line", "up", "up", "!"}, "long line!|\na\nlong line"},
		{"up at the top", []string{"abc", "up", "x"}, "x|abc"},
		{"home twice", []string{"{", "enter", "ab", "home", "home", "x"}, "{\n  x|ab"},
		{"emoji", []string{"a👨‍👩‍👧b", "left", "left", "x"}, "ax|👨‍👩‍👧b"},
		{"backspace takes an emoji", []string{"a👍🏽", "backspace"}, "a|"},
		{"accents", []string{"e\u0301x", "left", "left", "y"}, "y|e\u0301x"},
		{"newline key", []string{"a", "ctrl+j", "b"}, "a\nb|"},
		{"undo a word", []string{"one two", "ctrl+z"}, "one |"},
		{"undo all", []string{"one two", "ctrl+z", "ctrl+z"}, "|"},
		{"undo erasing", []string{"abc", "backspace", "backspace", "ctrl+z"}, "abc|"},
		{"undo deleting", []string{"abc", "home", "delete", "delete", "ctrl+z"}, "|abc"},
		{"redo", []string{"one two", "ctrl+z", "ctrl+z", "ctrl+y"}, "one |"},
		{"a new change ends redo", []string{"a", "ctrl+z", "b", "ctrl+y"}, "b|"},
		{"moving ends a group", []string{"ab", "left", "right", "c", "ctrl+z"}, "ab|"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := edit.New("")
			keys(t, e, c.keys...)
			at := e.Offset()
			if got := e.Text()[:at] + "|" + e.Text()[at:]; got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestKeysThatAreNotOurs(t *testing.T) {
	e := edit.New("x")
	for _, k := range []string{"enter", "tab", "esc", "ctrl+r", "ctrl+c", "ctrl+x", "f1"} {
		if e.Key(k, "") {
			t.Errorf("%s did something", k)
		}
	}
	one := edit.NewLine("x")
	if one.Key("up", "") || one.Key("down", "") {
		t.Error("a single line took up or down")
	}
	if e.Text() != "x" || one.Text() != "x" {
		t.Error("the text changed")
	}
}

func TestIndentKeys(t *testing.T) {
	e := edit.New("ab")
	e.Indent()
	if e.Text() != "  ab" {
		t.Errorf("got %q", e.Text())
	}
	e.Outdent()
	e.Outdent()
	if e.Text() != "ab" || e.Caret().Byte != 0 {
		t.Errorf("got %q, caret %+v", e.Text(), e.Caret())
	}
}

func TestPaste(t *testing.T) {
	e := edit.New("[]")
	e.MoveTo(1)
	e.Paste("1,\r\n2,\r3")
	if got := e.Text(); got != "[1,\n2,\n3]" || e.Offset() != 8 {
		t.Errorf("got %q, caret at %d", got, e.Offset())
	}
	e.Undo()
	if e.Text() != "[]" || e.Offset() != 1 {
		t.Errorf("after undo %q, caret at %d", e.Text(), e.Offset())
	}
	one := edit.NewLine("")
	one.Paste("Leave it with\nthe neighbour")
	if one.Text() != "Leave it with\nthe neighbour" || one.Lines() != 1 {
		t.Errorf("a single line lost text: %q", one.Text())
	}
	if got := ansi.Strip(one.View(look(t), 32, 1, true)[0]); got != "▏Leave it with⏎the neighbour    " {
		t.Errorf("got %q", got)
	}
}

// A paste of 200 KB is one change, and its cost is that of the text, not of
// its lines: few allocations for all of them.
func TestBigPaste(t *testing.T) {
	k := look(t)
	for name, text := range map[string]string{
		"many lines": strings.Repeat(`  {"sku": "TEA-7", "qty": 1},`+"\n", 7_000),
		"one line":   strings.Repeat(`{"sku":"TEA-7","qty":1},`, 9_000),
	} {
		t.Run(name, func(t *testing.T) {
			var e *edit.Editor
			if n := testing.AllocsPerRun(1, func() {
				e = edit.New("[]")
				e.MoveTo(1)
				e.Paste(text)
				e.View(k, 80, 24, true)
			}); n > 1_500 {
				t.Errorf("%v allocations", n)
			}
			if e.Text() != "["+text+"]" {
				t.Error("text was lost")
			}
			e.Undo()
			if e.Text() != "[]" {
				t.Errorf("after undo %q", e.Text())
			}
		})
	}
}

func BenchmarkPaste200KB(b *testing.B) {
	k := look(b)
	text := strings.Repeat(`{"sku":"TEA-7","qty":1},`, 9_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		e := edit.New("[]")
		e.MoveTo(1)
		e.Paste(text)
		e.View(k, 80, 24, true)
	}
}

func TestView(t *testing.T) {
	k := look(t)
	e := edit.New("{\n  \"customer\": {\n    \"email\": \"ada@\n  }\n}")
	e.MoveTo(strings.Index(e.Text(), "@") + 1)
	rows := e.View(k, 28, 6, true)
	want := []string{
		"   1 {                      ",
		"   2   \"customer\": {        ",
		"❯✗ 3     \"email\": \"ada@     ",
		"   4   }                    ",
		"   5 }                      ",
		"                            ",
	}
	for i, r := range rows {
		if got := ansi.Strip(r); got != want[i] {
			t.Errorf("row %d: got %q, want %q", i, got, want[i])
		}
	}
	if x, y := e.Cursor(); x != 23 || y != 2 {
		t.Errorf("the caret is at %d,%d", x, y)
	}
	if _, err := e.Check(); err == nil {
		t.Error("a string that does not end is called JSON")
	} else if line, col := e.Where(err.Offset); line != 3 || col != 18 {
		t.Errorf("the fault is at %d:%d, byte %d", line, col, err.Offset)
	}
	e.Click(k, 7, 1)
	if got := e.Caret(); got != (edit.Pos{Line: 1, Byte: 2}) {
		t.Errorf("the click went to %+v", got)
	}
	e.Click(k, 99, 99)
	if got := e.Caret(); got != (edit.Pos{Line: 4, Byte: 1}) {
		t.Errorf("the click went to %+v", got)
	}
}

func TestSideways(t *testing.T) {
	k := look(t)
	e := edit.New(strings.Repeat("0123456789", 10))
	row := func() string { return strings.TrimRight(ansi.Strip(e.View(k, 26, 1, true)[0]), " ") }
	if got := row(); got != "❯✗ 1 0123456789012345678…" {
		t.Errorf("got %q", got)
	}
	e.End()
	got := row()
	x, _ := e.Cursor()
	if !strings.HasPrefix(got, "❯✗ 1 ‹") || !strings.HasSuffix(got, "456789") || x < 20 || x > 24 {
		t.Errorf("got %q, caret at %d", got, x)
	}
	for range 100 {
		e.Left()
		e.View(k, 26, 1, true)
		if x, y := e.Cursor(); x < 5 || x > 24 || y != 0 {
			t.Fatalf("the caret is at %d,%d", x, y)
		}
	}
	if got := row(); got != "❯✗ 1 0123456789012345678…" {
		t.Errorf("got %q", got)
	}
}

func TestMarks(t *testing.T) {
	e := edit.New("{\n\"a\": 1,\n\"b\": 2\n}")
	e.Mark([]int{strings.Index(e.Text(), "2")})
	rows := e.View(look(t), 20, 4, false)
	for i, r := range rows {
		if got := strings.Contains(ansi.Strip(r), "✗"); got != (i == 2) {
			t.Errorf("line %d marked: %v", i+1, got)
		}
	}
}

func TestSetText(t *testing.T) {
	e := edit.New("old")
	e.SetText("new\ntext")
	e.SetText("new\ntext")
	if e.Text() != "new\ntext" || e.Offset() != 0 || e.Empty() {
		t.Errorf("got %q", e.Text())
	}
	e.Undo()
	if e.Text() != "old" {
		t.Errorf("got %q", e.Text())
	}
}

// TestNeverLosesText holds, over any series of keys, that undoing all of them
// gives the first text back and redoing the last, and that what is drawn has
// the right size with the caret in it.
func TestNeverLosesText(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	k := look(t)
	names := []string{"left", "right", "up", "down", "home", "end", "backspace", "delete", "ctrl+w", "ctrl+u", "ctrl+k", "ctrl+j", "pgup", "pgdown", "ctrl+z", "ctrl+y", "alt+left", "alt+right", "ctrl+home", "ctrl+end"}
	texts := []string{"a", " ", "{", "}", "\"", "日", "e\u0301", "👨‍👩‍👧", "\x1b", "\xff", "]", "\t"}
	for round := range 40 {
		e := edit.New("{\n  \"é\": [1]\n}")
		if round%3 == 0 {
			e = edit.NewLine("日本")
		}
		first := e.Text()
		for range 120 {
			switch rng.IntN(4) {
			case 0:
				e.Key(names[rng.IntN(len(names))], "")
			case 1:
				e.Paste(texts[rng.IntN(len(texts))] + "\n" + texts[rng.IntN(len(texts))])
			case 2:
				e.Click(k, rng.IntN(30), rng.IntN(8))
			default:
				e.Key("", texts[rng.IntN(len(texts))])
			}
			w, h := rng.IntN(40), rng.IntN(6)
			rows := e.View(k, w, h, true)
			for _, r := range rows {
				if ansi.StringWidth(r) != w {
					t.Fatalf("%d cells instead of %d: %q", ansi.StringWidth(r), w, r)
				}
			}
			if x, y := e.Cursor(); w > 12 && h > 0 && (x < 0 || x >= w || y < 0 || y >= h) {
				t.Fatalf("the caret is at %d,%d of %dx%d: %+v of %q", x, y, w, h, e.Caret(), e.Text())
			}
			if at := e.At(e.Offset()); at != e.Caret() {
				t.Fatalf("the caret is %+v, its offset says %+v", e.Caret(), at)
			}
		}
		last := e.Text()
		for e.Undo() {
		}
		if e.Text() != first {
			t.Fatalf("all undone: %q, was %q", e.Text(), first)
		}
		for e.Redo() {
		}
		if e.Text() != last {
			t.Fatalf("all redone: %q, was %q", e.Text(), last)
		}
	}
}

func BenchmarkTypeIn200KB(b *testing.B) {
	k := look(b)
	e := edit.New("[\n" + strings.Repeat(`  {"sku": "TEA-7", "qty": 1},`+"\n", 7_000) + "]")
	e.MoveTo(100_000)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		e.Key("", fmt.Sprint(i%10))
		e.View(k, 80, 40, true)
	}
}

func strip(row string) string { return ansi.Strip(row) }

// line is what a line says.
func line(t *testing.T, l cell.Line) string {
	t.Helper()
	return strings.TrimRight(ansi.Strip(look(t).Row(l, 100)), " ")
}
