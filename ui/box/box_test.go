package box_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"perch/themes"
	"perch/ui/box"
	"perch/ui/cell"
)

func look(t *testing.T) *cell.Look {
	t.Helper()
	theme, err := themes.Load("mono")
	if err != nil {
		t.Fatal(err)
	}
	return cell.New(theme, cell.Config{})
}

func items(query string) []box.Item {
	all := []box.Item{{Head: true, Label: "First"}, {Label: "one", Letter: "o", Value: 1}, {Label: "two", Value: 2},
		{Head: true, Label: "Then"}, {Label: "three", Value: 3, Note: "the third"}}
	if query == "" {
		return all
	}
	var out []box.Item
	for _, it := range all {
		if !it.Head && strings.Contains(it.Label, query) {
			out = append(out, it)
		}
	}
	return out
}

func TestHeadingsAreStepped(t *testing.T) {
	b := &box.Box{Width: 40, Items: items}
	var got []any
	for range 4 {
		it, ok := b.Selected()
		if !ok {
			t.Fatal("nothing is selected")
		}
		got = append(got, it.Value)
		b.Move(1)
	}
	if got[0] != 1 || got[1] != 2 || got[2] != 3 || got[3] != 1 {
		t.Errorf("down walks %v", got)
	}
	b.Move(-1)
	b.Move(-1)
	if it, _ := b.Selected(); it.Value != 3 {
		t.Errorf("up around the start leads to %v", it.Value)
	}
}

func TestFilterAndLetters(t *testing.T) {
	b := &box.Box{Width: 40, Prompt: "find", Items: items}
	b.Input().Insert("thr")
	b.Changed()
	if it, ok := b.Selected(); !ok || it.Value != 3 {
		t.Errorf("the filter selects %v", it)
	}
	b.Input().Insert("zzz")
	b.Changed()
	if _, ok := b.Selected(); ok {
		t.Error("something is selected where nothing matches")
	}
	if all := ansi.Strip(strings.Join(b.View(look(t), 40, 20), "\n")); !strings.Contains(all, "nothing matches thrzzz") {
		t.Errorf("nothing is said where nothing matches:\n%s", all)
	}
	plain := &box.Box{Width: 40, Items: items}
	if it, ok := plain.Letter("o"); !ok || it.Value != 1 {
		t.Error("the letter chooses nothing")
	}
	if _, ok := plain.Letter("z"); ok {
		t.Error("a letter that nobody has chooses something")
	}
}

func TestEveryRowIsAsWideAsTheBox(t *testing.T) {
	k := look(t)
	for w := 1; w < 60; w += 3 {
		for h := 1; h < 30; h += 2 {
			b := &box.Box{Title: "A title that is long", Sign: "?", Width: 44, Prompt: "find", Items: items, Foot: "enter does it, esc does not",
				Count: func(int) string { return "3 of 5" }}
			rows := b.View(k, w, h)
			if len(rows) > h {
				t.Fatalf("%dx%d: %d rows", w, h, len(rows))
			}
			for _, r := range rows {
				if n := ansi.StringWidth(r); n != min(w, 44) {
					t.Fatalf("%dx%d: a row of %d cells: %q", w, h, n, ansi.Strip(r))
				}
			}
		}
	}
}

// TestLongTextScrolls: a text that is longer than its room says so, all of it
// can be read, and the rows to choose from stay in sight.
func TestLongTextScrolls(t *testing.T) {
	k := look(t)
	b := &box.Box{Title: "Trust?", Width: 40, Foot: "enter", Items: func(string) []box.Item {
		return []box.Item{{Letter: "n", Label: "no"}, {Letter: "y", Label: "yes"}}
	}}
	const lines = 60
	for i := range lines {
		b.Text = append(b.Text, cell.Own(themes.Text, fmt.Sprintf("grant %02d", i)))
	}
	var seen [lines]bool
	for range lines {
		text := strings.Join(b.View(k, 40, 16), "\n")
		if !strings.Contains(text, "no") || !strings.Contains(text, "yes") {
			t.Fatalf("the answers are out of sight:\n%s", text)
		}
		for i := range lines {
			seen[i] = seen[i] || strings.Contains(text, fmt.Sprintf("grant %02d", i))
		}
		if more := strings.Contains(text, "below"); more == seen[lines-1] {
			t.Fatalf("below: %v, the last line was seen: %v\n%s", more, seen[lines-1], text)
		}
		b.Page(1)
	}
	if slices.Contains(seen[:], false) {
		t.Errorf("lines that never came into sight: %v", seen)
	}
	if it, _ := b.Selected(); it.Letter != "n" {
		t.Errorf("scrolling the text chose %q", it.Label)
	}
	b.ScrollText(-lines)
	if text := strings.Join(b.View(k, 40, 16), "\n"); !strings.Contains(text, "grant 00") {
		t.Errorf("the first line is gone:\n%s", text)
	}
}

// TestSelectByValue: a value that cannot be compared selects nothing, and what
// was selected stays over rows that are made anew.
func TestSelectByValue(t *testing.T) {
	type act struct{ do func() }
	items := []box.Item{{Label: "one", Value: 1}, {Label: "two", Value: act{func() {}}}, {Label: "three", Value: "c"}, {Label: "four"}}
	b := &box.Box{Items: func(string) []box.Item { return items }}
	for i, it := range items {
		b.Select(it.Value)
		want := it.Label
		if i == 1 {
			want = "one"
		}
		if got, _ := b.Selected(); got.Label != want {
			t.Errorf("%q selects %q, want %q", it.Label, got.Label, want)
		}
		b.Refresh()
		if got, _ := b.Selected(); got.Label != want {
			t.Errorf("made anew: %q, want %q", got.Label, want)
		}
	}
}
