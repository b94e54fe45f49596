package edit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"perch/ui/edit"
)

// orders knows what an order may hold.
func orders(asked *[]string) edit.Suggester {
	all := map[string][]edit.Suggestion{
		"/":     {{Text: "customer", Value: "{}"}, {Text: "lines", Value: "[]"}, {Text: "pay"}, {Text: "note", Value: `""`}},
		"/pay":  {{Text: "kind", Note: "how it is paid"}, {Text: "vat_id", Value: `""`}},
		"/kind": {{Text: `"invoice"`, Note: "by bank transfer"}, {Text: `"instalment"`, Note: "in 3 parts"}, {Text: `"voucher"`}},
		"/item": {{Text: `"TEA-7"`}, {Text: `"MUG"`}, {Text: "null"}},
	}
	return edit.SuggestFunc(func(pointer string, key bool, prefix string) []edit.Suggestion {
		if asked != nil {
			*asked = append(*asked, fmt.Sprintf("%s %v %s", pointer, key, prefix))
		}
		switch {
		case pointer == "" && key:
			return edit.Fitting(all["/"], prefix)
		case pointer == "/pay" && key:
			return edit.Fitting(all["/pay"], prefix)
		case pointer == "/pay/kind" && !key:
			return edit.Fitting(all["/kind"], prefix)
		case strings.HasPrefix(pointer, "/lines/") && !key:
			return edit.Fitting(all["/item"], prefix)
		}
		return nil
	})
}

func TestTaking(t *testing.T) {
	for _, c := range []struct {
		name, text string
		keys       []string // "tab" takes
		want       string
	}{
		{"a name", `{|}`, []string{"\"cu", "tab"}, `{"customer": {|}}`},
		{"without its quote", `{|}`, []string{"cus", "tab"}, `{"customer": {|}}`},
		{"the second one", `{|}`, []string{"\"n", "down", "tab"}, `{"lines": [|]}`},
		{"around", `{|}`, []string{"\"n", "up", "tab"}, `{"lines": [|]}`},
		{"before another member", `{|"pay": 1}`, []string{"\"cu", "tab"}, `{"customer": {|},"pay": 1}`},
		{"before one on the next line", "{\n  |\n  \"pay\": 1\n}", []string{"\"cu", "tab"}, "{\n  \"customer\": {|},\n  \"pay\": 1\n}"},
		{"behind a member without a comma", "{\n  \"pay\": 1\n  |\n}", []string{"\"no", "tab"}, "{\n  \"pay\": 1,\n  \"note\": \"|\"\n}"},
		{"asked for behind one", "{\n  \"pay\": 1\n  |\n}", []string{"ctrl+n", "tab"}, "{\n  \"pay\": 1,\n  \"customer\": {|}\n}"},
		{"a name that is there is written anew", `{"n|ope": 1}`, []string{"ctrl+n", "tab"}, `{"note"|: 1}`},
		{"what follows a quote is kept", `{"cu| "pay": 1}`, []string{"ctrl+n", "tab"}, `{"customer": {|}, "pay": 1}`},
		{"a value", `{"pay": {"kind": |}}`, []string{"\"inv", "tab"}, `{"pay": {"kind": "invoice"|}}`},
		{"a value without its quote", `{"pay": {"kind": |}}`, []string{"in", "down", "tab"}, `{"pay": {"kind": "instalment"|}}`},
		{"a value in place of another", `{"pay": {"kind": "i|x"}}`, []string{"ctrl+n", "tab"}, `{"pay": {"kind": "invoice"|}}`},
		{"a value before a member", "{\"pay\": {\"kind\": |\n\"vat_id\": 1}}", []string{"\"inv", "tab"}, "{\"pay\": {\"kind\": \"invoice\"|,\n\"vat_id\": 1}}"},
		{"an element", `{"lines": ["MUG", |]}`, []string{"\"T", "tab"}, `{"lines": ["MUG", "TEA-7"|]}`},
		{"an element before another", `{"lines": [| "MUG"]}`, []string{"\"T", "tab"}, `{"lines": ["TEA-7"|, "MUG"]}`},
		{"a word", `{"lines": [|]}`, []string{"nu", "tab"}, `{"lines": [null|]}`},
		{"a name, then its value", "{\"pay\": {\n|\n}}", []string{"\"ki", "tab", "tab"}, "{\"pay\": {\n\"kind\": \"invoice\"|\n}}"},
		{"as the text is written", `{"lines":[1],|}`, []string{"\"cu", "tab"}, `{"lines":[1],"customer":{|}}`},
		{"nothing to take", `{"x": |}`, []string{"1", "tab"}, `{"x": 1  |}`},
		{"it was closed", `{|}`, []string{"\"cu", "esc", "s", "tab"}, `{"cus  |}`},
		{"closed, but asked for again", `{|}`, []string{"\"cu", "esc", "ctrl+n", "tab"}, `{"customer": {|}}`},
		{"the caret left", `{|}`, []string{"\"cu", "left", "tab"}, `{"c  |u}`},
		{"erasing goes on", `{|}`, []string{"\"cux", "backspace", "ctrl+n", "tab"}, `{"customer": {|}}`},
		{"typing over it closes", `{|}`, []string{"\"pay\"", "tab"}, `{"pay"  |}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := at(t, c.text)
			e.SuggestFrom(orders(nil))
			first := e.Text()
			for _, k := range c.keys {
				switch k {
				case "tab":
					e.Tab()
				case "esc":
					if !e.Escape() {
						t.Error("there is no list to close")
					}
				default:
					keys(t, e, k)
				}
			}
			if got := told(e); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
			for e.Undo() {
			}
			if e.Text() != first {
				t.Errorf("undone to %q", e.Text())
			}
		})
	}
}

// What is suggested is one change, whatever commas and quotes come with it.
func TestTakingIsOneChange(t *testing.T) {
	e := at(t, "{\n  \"pay\": 1\n  |\n}")
	e.SuggestFrom(orders(nil))
	keys(t, e, "ctrl+n")
	e.Tab()
	e.Undo()
	if got := told(e); got != "{\n  \"pay\": 1\n  |\n}" {
		t.Errorf("got %q", got)
	}
}

func TestWhatIsAskedFor(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"a": {"b": [1, {"|"}]}}`, "/a/b/1 true "},
		{`{"a": {"b": [1, {"c": "x|"}]}}`, "/a/b/1/c false x"},
		{`{"a/b~": |}`, "/a~1b~0 false "},
		{`[[0], [1, |]]`, "/1/1 false "},
		{`|`, " false "},
		{`nu|`, " false nu"},
		{`{"a": "b" |}`, " true "},
		{`{"a": [1, 2 |]}`, "/a/2 false "},
		{`{"a" |}`, ""},
		{`{"a": 1|}`, "/a false 1"},
		{`{"a"|: 1}`, ""},
		{`{} |`, ""},
		{`{"a": {}|}`, ""},
		{"{\"a\": \"x, {|", "/a false x, {"},
	} {
		var asked []string
		e := at(t, c.text)
		e.SuggestFrom(orders(&asked))
		e.OpenSuggestions()
		got := ""
		if len(asked) > 0 {
			got = asked[0]
		}
		if got != c.want {
			t.Errorf("%s: asked %q, want %q", c.text, got, c.want)
		}
	}
}

func TestNamesThatAreThere(t *testing.T) {
	e := at(t, "{\n  \"pay\": {\"note\": 1},\n  \"l|\",\n  \"customer\": [{\"note\": 2}]\n}")
	e.SuggestFrom(edit.SuggestFunc(func(string, bool, string) []edit.Suggestion {
		return []edit.Suggestion{{Text: "customer"}, {Text: "lines"}, {Text: "pay"}, {Text: "note"}}
	}))
	e.OpenSuggestions()
	items, selected := e.Suggestions()
	var got []string
	for _, it := range items {
		got = append(got, it.Text)
	}
	if !slices.Equal(got, []string{"lines", "note"}) || selected != 0 {
		t.Errorf("suggested %v, row %d", got, selected)
	}
}

func TestTheListAsABox(t *testing.T) {
	e := at(t, "{\"pay\": {\n    \"kind\": |\n}}")
	e.SuggestFrom(orders(nil))
	keys(t, e, "\"i")
	k := look(t)
	e.View(k, 48, 10, true)
	box, x, y, ok := e.SuggestionBox(k, 48, 10)
	if !ok || x != 14 || y != 2 {
		t.Fatalf("the list stands at %d,%d, %v", x, y, ok)
	}
	want := []string{
		"╭───────────────────────────────╮",
		"│❯\"invoice\"     by bank transfer│",
		"│ \"instalment\"  in 3 parts      │",
		"╰ tab takes it · ↓ next · 2 of 3╯",
	}
	for i, r := range box {
		if got := strip(r); got != want[i] {
			t.Errorf("row %d: got %q, want %q", i, got, want[i])
		}
	}
	if !e.SuggestionWheel(x+1, y+1, 1) || e.SuggestionWheel(0, 0, 1) {
		t.Error("the wheel")
	}
	if e.SuggestionClick(0, 0) || !e.SuggestionClick(x, y) || !e.Suggesting() {
		t.Error("a click beside the list, or on its edge, does something")
	}
	if !e.SuggestionClick(x+3, y+1) || told(e) != "{\"pay\": {\n    \"kind\": \"invoice\"|\n}}" {
		t.Errorf("a click takes %q", told(e))
	}
}

// Without room below the list stands above; without any it is not drawn.
func TestTheListFindsRoom(t *testing.T) {
	k := look(t)
	e := at(t, "{\n\n\n\n\n|\n}")
	e.SuggestFrom(orders(nil))
	keys(t, e, "ctrl+n")
	e.View(k, 40, 7, true)
	if box, _, y, ok := e.SuggestionBox(k, 40, 7); !ok || y+len(box) != 5 {
		t.Errorf("it stands at row %d with %d rows, %v", y, len(box), ok)
	}
	e.View(k, 40, 2, true)
	if _, _, _, ok := e.SuggestionBox(k, 40, 2); ok {
		t.Error("it is drawn without room")
	}
}

func TestManySuggestions(t *testing.T) {
	var all []edit.Suggestion
	for i := range 30 {
		all = append(all, edit.Suggestion{Text: fmt.Sprintf("name%02d", i), Note: "x\x1b[31m\u202e" + strings.Repeat("long ", 20)})
	}
	e := at(t, "{|}")
	e.SuggestFrom(edit.SuggestFunc(func(string, bool, string) []edit.Suggestion { return all }))
	k := look(t)
	keys(t, e, "ctrl+n")
	for i := range 35 {
		e.View(k, 50, 20, true)
		box, _, _, _ := e.SuggestionBox(k, 50, 20)
		text := ""
		for _, r := range box {
			text += strip(r) + "\n"
		}
		if want := fmt.Sprintf("❯\"name%02d\"  x␛[31m⟨U+202E⟩", i%30); !strings.Contains(text, want) || len(box) != 10 {
			t.Fatalf("step %d: %q is not in\n%s", i, want, text)
		}
		keys(t, e, "down")
	}
}
