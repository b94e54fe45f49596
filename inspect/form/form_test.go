package form_test

import (
	"fmt"
	"strings"
	"testing"

	"perch/engine/jsonread"
	"perch/inspect/form"
	"perch/inspect/schema"
)

func parse(t testing.TB, text string) jsonread.Value {
	t.Helper()
	doc, err := jsonread.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return doc.Root()
}

// user is a person in front of a form.
type user struct {
	testing.TB
	*form.Form
}

func open(t testing.TB, text string) user {
	t.Helper()
	return user{t, form.New(schema.Compile(parse(t, text)))}
}

// properties is a form of an object with these properties, and with further
// members of the schema.
func properties(t testing.TB, props string, more ...string) user {
	t.Helper()
	return open(t, `{"type":"object","properties":{`+props+`}`+strings.Join(append([]string{""}, more...), ",")+`}`)
}

// does fails the test when an act was not done.
func (u user) does(err error) {
	u.Helper()
	if err != nil {
		u.Fatalf("not done: %v\n%s", err, u.Text())
	}
}

func (u user) types(path, text string) { u.Helper(); u.does(u.SetValue(path, text)) }

// sends checks what goes out, without regard to how the text is laid out.
func (u user) sends(want string) {
	u.Helper()
	got, err := u.Sends()
	if err != nil || string(got) != want {
		u.Fatalf("sends %s (%v)\n want %s", got, err, want)
	}
	if _, err := jsonread.Parse(got); err != nil {
		u.Fatalf("sends %s: %v", got, err)
	}
}

func (u user) row(path string) form.Row {
	u.Helper()
	r, ok := u.RowAt(path)
	if !ok {
		u.Fatalf("%s has no row\n%s", path, u.shown())
	}
	return r
}

// shown are all rows as text.
func (u user) shown() string {
	var b strings.Builder
	for i := range u.Len() {
		r := u.Row(i)
		b.WriteString(strings.Repeat("  ", r.Depth))
		switch r.Kind {
		case form.Picker:
			fmt.Fprintf(&b, "<%s> of %s\n", r.Branches[r.Branch], strings.Join(r.Branches, ","))
			continue
		case form.AddRow:
			b.WriteString("+ row\n")
			continue
		case form.AddKey:
			b.WriteString("+ key\n")
			continue
		case form.More:
			fmt.Fprintf(&b, "%d more\n", r.More)
			continue
		}
		if r.Group && r.Open {
			b.WriteString("▾")
		} else if r.Group {
			b.WriteString("▸")
		}
		b.WriteString(r.Label)
		if r.Required {
			b.WriteString("*")
		}
		if len(r.Branches) > 0 {
			fmt.Fprintf(&b, " <%s>", r.Branches[r.Branch])
		}
		switch {
		case r.State == form.LeftOut:
			b.WriteString(" ·")
		case r.State == form.IsNull:
			b.WriteString(" ∅")
		case r.Text != "":
			b.WriteString(" " + r.Text)
		}
		for _, p := range r.Problems {
			b.WriteString(" ! " + p.Text)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func (u user) shows(want string) {
	u.Helper()
	want = strings.ReplaceAll(strings.TrimPrefix(want, "\n"), "\t", "")
	if got := u.shown(); got != want {
		u.Fatalf("shows\n%s\nwant\n%s", got, want)
	}
}

// problems are all problems as text.
func (u user) problems() string {
	var list []string
	for _, p := range u.Problems() {
		list = append(list, p.Path+": "+p.Text)
	}
	return strings.Join(list, "\n")
}

func (u user) tells(want ...string) {
	u.Helper()
	if got := u.problems(); got != strings.Join(want, "\n") {
		u.Fatalf("tells\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}
