package form_test

import (
	"testing"

	"perch/engine/jsonread"
	"perch/inspect/form"
	"perch/inspect/schema"
)

// tangled is a schema with all that a form knows.
const tangled = `{"type":"object","properties":{
	"s":{"type":"string"},"i":{"type":"integer","default":3},"n":{"type":["number","string","null"]},"b":{"type":"boolean"},
	"e":{"enum":["x",1,null]},"l":{"type":"array","items":{"type":"object","properties":{"k":{"type":"string"},"self":{"$ref":"#"}}}},
	"t":{"type":"array","prefixItems":[{"type":"number"},{"type":"string"}]},"m":{"type":"object","additionalProperties":{"type":"integer"}},
	"u":{"oneOf":[{"type":"object","properties":{"kind":{"const":"a"},"x":{"type":"string"}},"required":["kind"]},{"type":"object","properties":{"kind":{"const":"b"},"y":{"type":"array","items":{"type":"integer"}}},"required":["kind"]}]},
	"v":{"anyOf":[{"type":"integer"},{"type":"string"},{"type":"null"}]},"any":true,"never":false},
	"required":["s","u"],"if":{"properties":{"s":{"const":"go"}},"required":["s"]},"then":{"properties":{"went":{"type":"string"}}},"else":{"properties":{"stayed":{"type":"object","properties":{"why":{"type":"string"}}}}},
	"anyOf":[{"title":"one","properties":{"o1":{"type":"string"}}},{"title":"two","properties":{"o2":{"type":"integer"}}}]}`

// press does the act that three bytes stand for.
func press(f *form.Form, act, row, arg byte) {
	texts := []string{"", "7", "go", "-", "1e3", `"q"`, "true", "a\nb", "{}", "[1,2]", "null", "\x00\xff"}
	path := ""
	if n := f.Len(); n > 0 {
		path = f.Row(int(row) % n).Path
	}
	text := texts[int(arg)%len(texts)]
	switch act % 19 {
	case 0, 1, 2:
		_ = f.SetValue(path, text)
	case 3:
		_ = f.SetNull(path)
	case 4:
		_ = f.SetEmpty(path)
	case 5:
		_, _ = f.LeaveOut(path)
	case 6:
		_ = f.FillDefault(path)
	case 7:
		_, _ = f.Add(path)
	case 8:
		_, _ = f.Duplicate(path)
	case 9:
		_, _ = f.Move(path, int(arg%2)*2-1)
	case 10:
		_ = f.Branch(path, int(arg>>4)%2, int(arg)%3)
	case 11:
		_ = f.SwitchType(path, int(arg)%3)
	case 12:
		_, _ = f.AddKey(path, text)
	case 13:
		_ = f.Pick(path, int(arg)%4)
	case 14:
		_ = f.Restore(path)
	case 15:
		f.Fold(path, arg%2 == 0)
	case 16:
		_, _ = f.Rename(path, text)
	case 17:
		_ = f.Toggle(path)
	case 18:
		f.Settle()
	}
}

// FuzzActs: whatever a person does, the text is a JSON object, undoing all
// brings back what was, doing it again too, and a text given back is no change.
func FuzzActs(f *testing.F) {
	f.Add([]byte{0, 0, 1, 7, 5, 0, 10, 0, 1, 0, 1, 2, 5, 3, 0}, "{}", 0)
	f.Add([]byte{10, 0, 1, 0, 0, 2, 0, 0, 3, 12, 9, 2, 7, 6, 0, 7, 6, 0, 9, 8, 1, 14, 2, 0, 11, 3, 1}, `{ "l":[{"k":"a"},{}], "u":{"kind":"b"},"s":"x" ,"zz":1e3,"s":"go"}`, 2)
	f.Fuzz(func(t *testing.T, acts []byte, text string, undo int) {
		if len(acts) > 120 || len(text) > 500 {
			return
		}
		u := open(t, tangled)
		u.SetText(text)
		if _, err := u.Fault(); err != nil {
			return
		}
		start := u.Text()
		var states []string // the text before each step
		for i := 0; i+2 < len(acts); i += 3 {
			before, steps := u.Text(), u.Undoes()
			press(u.Form, acts[i], acts[i+1], acts[i+2])
			if u.Undoes() > steps {
				states = append(states, before)
			}
			doc, err := jsonread.Parse([]byte(u.Text()))
			if err != nil && u.Text() != start || err == nil && doc.Root().Kind() != jsonread.Object {
				t.Fatalf("the text is %q", u.Text())
			}
			_ = u.shown()
			_ = u.Problems()
		}
		end, shown := u.Text(), u.shown()
		u.SetText(end)
		if u.Text() != end || u.shown() != shown {
			t.Fatalf("given back, %q shows\n%s\nand before\n%s", end, u.shown(), shown)
		}
		for i := len(states) - 1; i >= 0; i-- {
			if _, ok := u.Undo(); !ok || u.Text() != states[i] {
				t.Fatalf("step %d undone: %q, was %q", i, u.Text(), states[i])
			}
		}
		for range states {
			u.Redo()
		}
		if u.Text() != end {
			t.Fatalf("done again: %q, was %q", u.Text(), end)
		}
	})
}

// FuzzSchemas: whatever the schema and the text, a form of them can be shown
// and filled in.
func FuzzSchemas(f *testing.F) {
	f.Add(tangled, `{"s":"go"}`, []byte{0, 0, 1, 7, 3, 0, 10, 0, 1})
	f.Add(`{"$ref":"#/$defs/a","$defs":{"a":{"allOf":[{"$ref":"#/$defs/a"}],"properties":{"x":{"$ref":"#"}},"required":["x","y"]}}}`, `{"x":{"x":{}}}`, []byte{7, 0, 0, 7, 1, 0})
	f.Add(`{"oneOf":[{"anyOf":[{"$ref":"#"},{"type":"null"}]},{"patternProperties":{"^":false}}]}`, `{"a":[]}`, []byte{10, 0, 1})
	f.Fuzz(func(t *testing.T, text, args string, acts []byte) {
		doc, err := jsonread.Parse([]byte(text))
		if err != nil || len(acts) > 60 {
			return
		}
		u := user{t, form.New(schema.Compile(doc.Root()))}
		u.SetText(args)
		_ = u.shown()
		for i := 0; i+2 < len(acts); i += 3 {
			press(u.Form, acts[i], acts[i+1], acts[i+2])
			_ = u.shown()
			if _, err := u.Fault(); err != nil && u.Text() != args {
				t.Fatalf("the text is %q: %v", u.Text(), err)
			}
		}
		u.SetFilter(":set a")
		_ = u.shown()
	})
}
