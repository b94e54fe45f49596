package edit_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"perch/ui/cell"
	"perch/ui/edit"
)

// A random series of acts, each from two bytes. A model that knows nothing but
// strings follows the text.
type acting struct {
	t *testing.T
	e *edit.Editor
	k *cell.Look
}

var acts = []string{"left", "right", "up", "down", "home", "end", "backspace", "delete", "ctrl+w", "ctrl+u", "ctrl+k", "ctrl+j", "pgup", "pgdown",
	"alt+left", "alt+right", "ctrl+home", "ctrl+end", "shift+left", "shift+right", "shift+up", "shift+down", "shift+home", "shift+end",
	"ctrl+shift+left", "ctrl+shift+end", "ctrl+n"}

var bits = []string{"a", " ", "{", "}", "\"", "日", "e\u0301", "👨‍👩‍👧", "\x1b", "\xff", "]", "[", "\t", ",", ":", "\\", "\u0301", "\u200d", "🇯", "\r", "\u202e", "می\u200cخ"}

func (a *acting) act(op, arg byte) {
	e := a.e
	n := int(arg)
	switch op % 16 {
	case 0, 1, 2:
		e.Key("", bits[n%len(bits)])
	case 3, 4, 5:
		e.Key(acts[n%len(acts)], "")
	case 6:
		e.Paste(bits[n%len(bits)] + "\n" + bits[n/7%len(bits)] + "\n  ")
	case 7:
		e.Click(a.k, n%30, n/30)
	case 8:
		e.Drag(a.k, n%30, n/30-2)
	case 9:
		if n%2 == 0 {
			e.Tab()
		} else {
			e.Outdent()
		}
	case 10:
		switch n % 4 {
		case 0:
			e.FoldAll()
		case 1:
			e.UnfoldAll()
		default:
			e.ToggleFold()
		}
	case 11:
		if n%3 == 0 {
			_ = e.Find(edit.Query{Text: "a", Case: n%2 == 0})
		} else if n%3 == 1 {
			e.FindNext()
		} else {
			e.FindPrev()
		}
	case 12:
		e.Accept()
	case 13:
		e.SetProblems([]edit.Problem{{Pointer: "/a/0"}, {Bytes: true, Start: n, End: n + 3, Text: "x"}})
		e.NextProblem()
	case 14:
		e.MoveTo(n * 3)
		e.SelectWord()
	default:
		if n%2 == 0 {
			e.Undo()
		} else {
			e.Redo()
		}
	}
}

// step does an act and holds what must be so after any.
func (a *acting) step(op, arg byte) {
	t, e := a.t, a.e
	was, from, to, caret := e.Text(), e.Caret(), e.Caret(), e.Offset()
	if f, s, ok := e.Selection(); ok {
		from, to = f, s
	}
	lo, hi := offset(was, from), offset(was, to)
	a.act(op, arg)
	now := e.Text()
	if err := e.Sound(); err != nil {
		t.Fatalf("after act %d %d: %v\n%.300q", op%16, arg, err, now)
	}
	if at := e.At(e.Offset()); at != e.Caret() {
		t.Fatalf("the caret is %+v, its byte says %+v", e.Caret(), at)
	}
	switch {
	case op%16 >= 7 && op%16 != 9 && op%16 != 12 && op%16 != 15 && now != was:
		t.Fatalf("act %d %d changed the text: %.300q, was %.300q", op%16, arg, now, was)
	case op%16 <= 2:
		bit := bits[int(arg)%len(bits)]
		if want := was[:lo] + bit + was[hi:]; now != want && bit != "}" && bit != "]" {
			t.Fatalf("typing %q gave %.300q, want %.300q", bit, now, want)
		}
	case op%16 <= 5 && acts[int(arg)%len(acts)] == "backspace" && lo == hi:
		if !strings.HasPrefix(now, was[:e.Offset()]) || now[e.Offset():] != was[caret:] {
			t.Fatalf("backspace at %d gave %.300q, was %.300q", caret, now, was)
		}
	case op%16 <= 5 && acts[int(arg)%len(acts)] == "delete" && lo == hi:
		if now[:caret] != was[:caret] || !strings.HasSuffix(was[caret:], now[caret:]) {
			t.Fatalf("delete at %d gave %.300q, was %.300q", caret, now, was)
		}
	}
}

func offset(text string, p edit.Pos) int {
	at := 0
	for range p.Line {
		at += strings.IndexByte(text[at:], '\n') + 1
	}
	return at + p.Byte
}

func (a *acting) draw(w, h int) {
	e := a.e
	for _, r := range e.View(a.k, w, h, true) {
		if ansi.StringWidth(r) != w {
			a.t.Fatalf("%d cells instead of %d: %q", ansi.StringWidth(r), w, r)
		}
	}
	if x, y := e.Cursor(); w > 12 && h > 0 && (x < 0 || x >= w || y < 0 || y >= h) {
		a.t.Fatalf("the caret is at %d,%d of %dx%d: %+v of %.300q", x, y, w, h, e.Caret(), e.Text())
	}
	if box, x, y, ok := e.SuggestionBox(a.k, w, h); ok {
		for _, r := range box {
			if x < 0 || x+ansi.StringWidth(r) > w {
				a.t.Fatalf("the list goes from %d to %d of %d", x, x+ansi.StringWidth(r), w)
			}
		}
		if y < 0 || y+len(box) > h {
			a.t.Fatalf("the list goes from row %d to %d of %d", y, y+len(box), h)
		}
	}
}

func suggester() edit.Suggester {
	return edit.SuggestFunc(func(_ string, key bool, prefix string) []edit.Suggestion {
		if key {
			return edit.Fitting([]edit.Suggestion{{Text: "aa"}, {Text: "ab", Value: "[]"}, {Text: "e\u0301\"", Value: `""`}}, prefix)
		}
		return edit.Fitting([]edit.Suggestion{{Text: `"aa"`}, {Text: "{}"}, {Text: "12"}}, prefix)
	})
}

func starts() []string {
	return []string{
		"", "{\n  \"é\": [1]\n}", "{\n  \"a\": {\n    \"b\": [\n      1,\n      2\n    ],\n    \"c\": {\n      \"d\": 1\n    }\n  }\n}",
		"{\r\n  \"a\": 1\r\n}\r\n", "[" + edit.LongLine(`{"a":"x"},`) + "]", edit.LongLine("日本\u202e\"") + "\n" + edit.LongLine("👨‍👩‍👧"),
	}
}

// TestAnySeriesOfActs holds that whatever is done, the text is what the acts
// ask for, that undoing all of them gives the first text back and redoing them
// the last, and that what is drawn has the right size with the caret in it.
func TestAnySeriesOfActs(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 11))
	k := look(t)
	for round := range 36 {
		texts := starts()
		e := edit.New(texts[round%len(texts)])
		if round%7 == 6 {
			e = edit.NewLine(texts[round%len(texts)])
		}
		e.SuggestFrom(suggester())
		a := &acting{t: t, e: e, k: k}
		first, n := e.Text(), 100
		if len(first) > 1_000 {
			n = 25
		}
		for range n {
			a.step(byte(rng.IntN(256)), byte(rng.IntN(256)))
			a.draw(rng.IntN(50), rng.IntN(9))
		}
		a.undoAll(first)
	}
}

func (a *acting) undoAll(first string) {
	for a.e.Redo() {
	}
	last := a.e.Text()
	for a.e.Undo() {
		if err := a.e.Sound(); err != nil {
			a.t.Fatalf("undone: %v", err)
		}
	}
	if a.e.Text() != first {
		a.t.Fatalf("all undone: %.300q, was %.300q", a.e.Text(), first)
	}
	for a.e.Redo() {
	}
	if a.e.Text() != last {
		a.t.Fatalf("all redone: %.300q, was %.300q", a.e.Text(), last)
	}
}

func FuzzActs(f *testing.F) {
	for i, text := range starts() {
		if len(text) < 300 {
			f.Add(text, []byte{0, byte(i), 10, 0, 3, 6, 6, 9, 15, 0, 9, 0, 3, 19, 12, 0})
		}
	}
	f.Fuzz(func(t *testing.T, text string, series []byte) {
		if len(text) > 20_000 || len(series) > 200 {
			return
		}
		e := edit.New(text)
		e.SuggestFrom(suggester())
		a := &acting{t: t, e: e, k: look(t)}
		for i := 0; i+1 < len(series); i += 2 {
			a.step(series[i], series[i+1])
			a.draw(40, 6)
		}
		a.undoAll(text)
	})
}
