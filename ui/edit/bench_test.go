package edit_test

import (
	"strings"
	"testing"
	"time"

	"perch/ui/edit"
)

// Texts of 1 MiB, each of which is the worst for something.
func megabyte() map[string]string {
	const size = 1 << 20
	fill := func(head, item, tail string) string {
		return head + strings.Repeat(item, size/len(item)) + tail
	}
	return map[string]string{
		"lines":    fill("[\n", "  {\n    \"sku\": \"TEA-7\",\n    \"qty\": 1,\n    \"of\": [\n      1,\n      2\n    ]\n  },\n", "  0\n]"),
		"one line": fill("[", `{"sku":"TEA-7","qty":1},`, "0]"),
		"string":   fill(`{"text":"`, "tea and cake, ", `"}`),
		"japanese": fill(`{"text":"`, "鳥の巣箱", `"}`),
		"emoji":    fill(`{"text":"`, "👨‍👩‍👧", `"}`),
		"brackets": strings.Repeat("[", size/2) + strings.Repeat("]", size/2),
		"blank":    fill("[", "\n", "]"),
	}
}

// ready is an editor of a long text as the app holds it, with a search and
// problems, and the caret in its middle.
func ready(b testing.TB, text string) *edit.Editor {
	e := edit.New(text)
	e.Defer(true)
	e.SuggestFrom(suggester())
	if err := e.Find(edit.Query{Text: "tea"}); err != nil {
		b.Fatal(err)
	}
	work(e)
	e.SetProblems([]edit.Problem{{Bytes: true, Start: len(text) / 3, End: len(text)/3 + 2, Text: "x"}, {Bytes: true, Start: len(text) / 2, End: len(text)/2 + 2, Text: "y"}})
	e.MoveTo(len(text) / 2)
	e.View(look(b), 100, 40, true)
	return e
}

// work does what is due.
func work(e *edit.Editor) {
	if j, ok := e.Due(); ok {
		e.Take(j.Run())
	}
}

func BenchmarkKeysIn1MiB(b *testing.B) {
	k := look(b)
	for name, text := range megabyte() {
		for _, c := range []struct {
			name string
			key  func(e *edit.Editor, i int)
		}{
			{"type", func(e *edit.Editor, _ int) { e.Key("x", "x") }},
			{"quote", func(e *edit.Editor, _ int) { e.Key("\"", "\"") }},
			{"bracket", func(e *edit.Editor, _ int) { e.Key("{", "{") }},
			{"backspace", func(e *edit.Editor, _ int) { e.Key("backspace", "") }},
			{"enter", func(e *edit.Editor, _ int) { e.Newline() }},
			{"move", func(e *edit.Editor, i int) { e.Key([]string{"left", "down", "end", "up"}[i%4], "") }},
			{"undo", func(e *edit.Editor, i int) {
				if i%2 == 0 {
					e.Key("x", "x")
				} else {
					e.Undo()
				}
			}},
			{"pointer", func(e *edit.Editor, _ int) { e.Right(); e.Pointer() }},
			{"suggest", func(e *edit.Editor, _ int) { e.OpenSuggestions(); e.SuggestionBox(k, 100, 40) }},
			{"status", func(e *edit.Editor, _ int) { e.NextProblem(); e.StatusLine(k, 100, "ctrl+g") }},
			{"fold", func(e *edit.Editor, _ int) { e.ToggleFold() }},
			{"find", func(e *edit.Editor, _ int) { e.FindNext(); e.Found() }},
			{"due", func(e *edit.Editor, _ int) { e.Key("x", "x"); e.Due() }},
		} {
			b.Run(name+"/"+c.name, func(b *testing.B) {
				e := ready(b, text)
				b.ReportAllocs()
				b.ResetTimer()
				best := time.Hour
				for i := range b.N {
					start := time.Now()
					c.key(e, i)
					e.View(k, 100, 40, true)
					best = min(best, time.Since(start))
				}
				b.ReportMetric(float64(best.Microseconds()), "best-µs")
			})
		}
	}
}

func BenchmarkActsOn1MiB(b *testing.B) {
	k := look(b)
	for name, text := range megabyte() {
		for act, do := range map[string]func(e *edit.Editor){
			"open":     func(e *edit.Editor) { edit.New(text).View(k, 100, 40, true) },
			"job":      func(e *edit.Editor) { e.Key("x", "x"); work(e) },
			"fold all": func(e *edit.Editor) { e.FoldAll(); e.View(k, 100, 40, true); e.UnfoldAll() },
			"become":   func(e *edit.Editor) { e.Become(text + "\n"); e.Undo() },
		} {
			b.Run(name+"/"+act, func(b *testing.B) {
				e := ready(b, text)
				b.ResetTimer()
				for range b.N {
					do(e)
				}
			})
		}
	}
}

// TestAKeyInALongText holds that a key does not read the whole text: it costs a
// fraction of what reading it does, measured in the same run.
func TestAKeyInALongText(t *testing.T) {
	k := look(t)
	for name, text := range megabyte() {
		if name == "blank" || name == "brackets" { // no text that anybody writes
			continue
		}
		// The best of some tries, until it is good enough: the machine may be
		// busy with something else.
		best := func(tries int, enough time.Duration, do func()) time.Duration {
			d := time.Hour
			for ; tries > 0 && d > enough; tries-- {
				start := time.Now()
				do()
				d = min(d, time.Since(start))
			}
			return d
		}
		whole := best(2, 0, func() { edit.New(text).View(k, 100, 40, true) })
		e := ready(t, text)
		for _, key := range []string{"x", "\"", "{", "enter", "backspace", "down", "end"} {
			if got := best(60, whole/3, func() { keys(t, e, key); e.View(k, 100, 40, true) }); got > whole/3 {
				t.Errorf("%s, %s: a key costs %v, reading the text %v", name, key, got, whole)
			}
		}
	}
}
