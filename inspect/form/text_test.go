package form_test

import (
	"errors"
	"strings"
	"testing"

	"perch/engine/jsonread"
	"perch/engine/wire"
	"perch/inspect/form"
)

const mixed = `"id":{"type":"integer"},"at":{"type":"object","properties":{"x":{"type":"number"},"y":{"type":"number"}}},"tags":{"type":"array","items":{"type":"string"}},"note":{"type":["string","null"]}`

// TestTextIsTheMaster: an act changes its one place and no other byte.
func TestTextIsTheMaster(t *testing.T) {
	text := "{ \"zz\": [1e3, 1.0,2 ],\n\t\"id\" : 1e3, \"at\":{ \"y\":1.50 , \"mine\":null},\"id\": 2.0,\n\"tags\":[ \"a\", \"\\u0062\" ] }"
	for _, c := range []struct {
		name string
		do   func(u user) error
		want string
	}{
		{"set", func(u user) error { return u.SetValue("/id", "7") }, strings.Replace(text, "2.0", "7", 1)},
		{"set within", func(u user) error { return u.SetValue("/at/y", "1") }, strings.Replace(text, "1.50", "1", 1)},
		{"set new within", func(u user) error { return u.SetValue("/at/x", "1") }, strings.Replace(text, `{ "y"`, `{ "x":1, "y"`, 1)},
		{"unknown member", func(u user) error { return u.SetValue("/at/mine", "[ ]") }, strings.Replace(text, "null", "[ ]", 1)},
		{"row", func(u user) error { _, err := u.Add("/tags"); return err }, strings.Replace(text, `"\u0062" ]`, `"\u0062", "" ]`, 1)},
		{"swap", func(u user) error { _, err := u.Move("/tags/0", 1); return err }, strings.Replace(text, `"a", "\u0062"`, `"\u0062", "a"`, 1)},
		{"leave out", func(u user) error { _, err := u.LeaveOut("/tags"); return err }, strings.Replace(text, ",\n\"tags\":[ \"a\", \"\\u0062\" ]", "", 1)},
		{"leave both out", func(u user) error { _, err := u.LeaveOut("/id"); return err },
			"{ \"zz\": [1e3, 1.0,2 ], \"at\":{ \"y\":1.50 , \"mine\":null},\n\"tags\":[ \"a\", \"\\u0062\" ] }"},
		{"at its place", func(u user) error { return u.SetValue("/note", "n") }, strings.Replace(text, `"\u0062" ]`, "\"\\u0062\" ],\n\t\"note\": \"n\"", 1)},
	} {
		u := properties(t, mixed)
		u.SetText(text)
		u.does(c.do(u))
		if u.Text() != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, u.Text(), c.want)
		}
		u.Undo()
		if u.Text() != text {
			t.Errorf("%s: undone it is %q", c.name, u.Text())
		}
	}
}

// TestSendsIsWhatGoesOut: line breaks are no part of a line, all else is.
func TestSendsIsWhatGoesOut(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "{}",
		" \n ":                         "{}",
		`{"id":1e3}`:                   `{"id":1e3}`,
		`{ "id" : 1 }`:                 `{ "id" : 1 }`,
		"{\n  \"id\": 1,\n\"id\":2 }":  `{"id":1,"id":2}`,
		` {"id":9007199254740993.00} `: `{"id":9007199254740993.00}`,
	} {
		u := properties(t, mixed)
		u.SetText(text)
		u.sends(want)
		got, err := wire.Arguments([]byte(u.Text()))
		if err != nil || string(got) != want {
			t.Errorf("%q is sent as %s, %v", text, got, err)
		}
	}
}

// TestFormsLayOutTheirText: what a form makes is good to read as JSON.
func TestFormsLayOutTheirText(t *testing.T) {
	u := properties(t, mixed)
	u.types("/at/y", "2")
	u.types("/id", "1")
	_, err := u.Add("/tags")
	u.does(err)
	want := "{\n  \"id\": 1,\n  \"at\": {\n    \"y\": 2\n  },\n  \"tags\": [\n    \"\"\n  ]\n}"
	if u.Text() != want {
		t.Errorf("got %s", u.Text())
	}
	u.sends(`{"id":1,"at":{"y":2},"tags":[""]}`)
}

// TestBrokenText: the form waits for an object, and says where it is broken.
func TestBrokenText(t *testing.T) {
	u := properties(t, mixed)
	u.types("/id", "1")
	for text, at := range map[string]int{`{"id":`: 6, `[1]`: 0, `7`: 0, `{"id":1}}`: 8} {
		u.SetText(text)
		got, err := u.Fault()
		if err == nil || got != at {
			t.Errorf("%s: broken at %d, %v", text, got, err)
		}
		if _, err := u.Sends(); err == nil {
			t.Errorf("%s is sent", text)
		}
		if err := u.SetValue("/id", "2"); !errors.Is(err, form.ErrReadOnly) {
			t.Errorf("%s was changed: %v", text, err)
		}
		if u.Text() != text || u.Len() == 0 {
			t.Errorf("%s became %s", text, u.Text())
		}
	}
	u.SetText(`{"id":3}`)
	if _, err := u.Fault(); err != nil {
		t.Error(err)
	}
	u.types("/id", "4")
	u.sends(`{"id":4}`)
}

// TestNothingIsLostBetweenFormAndText: a text that says the same is kept.
func TestNothingIsLostBetweenFormAndText(t *testing.T) {
	u := open(t, byIDOrName)
	u.does(u.Branch("", 0, 1))
	u.SetText(u.Text())
	u.shows("\n\t<By name> of By id,By name\n\tname* · ! \"name\" is missing; it is required\n")
	u.SetText(`{"id":5}`)
	u.shows("\n\t<By id> of By id,By name\n\tid* 5\n")
	u.SetText(`{"name":"n","extra":[1]}`)
	u.shows("\n\t<By name> of By id,By name\n\tname* n\n\textra [1]\n")
	u.types("/name", "m")
	u.sends(`{"name":"m","extra":[1]}`)
}

func TestUndo(t *testing.T) {
	u := properties(t, mixed)
	if _, ok := u.Undo(); ok {
		t.Error("nothing was done")
	}
	u.types("/note", "a")
	u.types("/note", "ab")
	u.types("/note", "abc")
	u.types("/id", "1")
	u.types("/note", "abcd")
	u.Settle()
	u.types("/note", "abcde")
	u.does(u.SetNull("/note"))
	var seen []string
	for {
		seen = append(seen, compacted(u))
		at, ok := u.Undo()
		if !ok {
			break
		}
		if at != "/note" && at != "/id" {
			t.Errorf("it was at %s", at)
		}
	}
	want := []string{`{"id":1,"note":null}`, `{"id":1,"note":"abcde"}`, `{"id":1,"note":"abcd"}`, `{"id":1,"note":"abc"}`, `{"note":"abc"}`, `{}`}
	if strings.Join(seen, " ") != strings.Join(want, " ") {
		t.Errorf("undone:\n%s\nwant\n%s", strings.Join(seen, "\n"), strings.Join(want, "\n"))
	}
	for range want[1:] {
		if _, ok := u.Redo(); !ok {
			t.Fatal("not done again")
		}
	}
	u.sends(want[0])
	u.does(u.Restore("/note"))
	u.sends(`{"id":1,"note":"abcde"}`)
	if _, ok := u.Redo(); ok {
		t.Error("an act leaves what was undone")
	}
	if _, err := u.LeaveOut("/at"); !errors.Is(err, form.ErrNothing) || u.Undoes() != 6 {
		t.Errorf("what was not done is a step: %v, %d", err, u.Undoes())
	}
	u.types("/id", "1")
	if u.Undoes() != 6 {
		t.Error("a text that changes nothing is a step")
	}
}

func compacted(u user) string {
	got, err := u.Sends()
	if err != nil {
		u.Fatal(err)
	}
	return string(got)
}

// TestProblemsHavePlaces: each is at its field, at its bytes and in order.
func TestProblemsHavePlaces(t *testing.T) {
	u := properties(t, `"a":{"type":"integer","minimum":1},"b":{"type":"object","properties":{"c":{"type":"string","format":"email"},"d":{"type":"boolean"}},"required":["d"]},"e":{"type":"string"}`, `"required":["e"]`)
	u.SetText(`{"zz":1,"b":{"c":"ada@"},"a":-1,"zz":2}`)
	type seen struct {
		path, text string
		level      form.Level
	}
	want := []seen{
		{"/a", "-1", form.Wrong}, {"/b/c", `"ada@"`, form.Doubt}, {"/b/d", "{", form.Missing}, {"/e", "{", form.Missing}, {"/zz", `"zz":2`, form.Note},
	}
	got := u.Problems()
	if len(got) != len(want) {
		t.Fatalf("%s", u.problems())
	}
	for i, p := range got {
		if s := (seen{p.Path, u.Text()[p.Start:p.End], p.Level}); s != want[i] {
			t.Errorf("%d is %+v, want %+v", i, s, want[i])
		}
	}
	u.Fold("/b", false)
	if r := u.row("/b"); r.Inside != 2 || r.Text != `c "ada@"` {
		t.Errorf("folded it is %+v", r)
	}
	at := ""
	for _, next := range []string{"/a", "/b/c", "/b/d", "/e", "/a"} {
		if at, _ = u.NextProblem(at); at != next {
			t.Errorf("next is %s, want %s", at, next)
		}
	}
	if prev, _ := u.PrevProblem("/b"); prev != "/a" {
		t.Errorf("before /b is %s", prev)
	}
	if next, _ := u.NextProblem("/b"); next != "/b/c" {
		t.Errorf("behind /b is %s", next)
	}
	if i := u.Find("/b/d"); u.Row(i).Path != "/b" {
		t.Errorf("/b/d is found at %s", u.Row(i).Path)
	}
	u.Show("/b/d")
	if i := u.Find("/b/d"); u.Row(i).Path != "/b/d" {
		t.Errorf("/b/d is found at %s", u.Row(i).Path)
	}
}

// TestBranchesInFields: a group with a picker, and a member that tells its
// branches apart.
func TestBranchesInFields(t *testing.T) {
	pay := `"pay":{"oneOf":[
		{"type":"object","properties":{"kind":{"const":"card"},"number":{"type":"string"}},"required":["kind","number"]},
		{"type":"object","properties":{"kind":{"const":"invoice"},"vat_id":{"type":"string"}},"required":["kind"]},
		{"$ref":"#/$defs/Voucher"}]}`
	u := properties(t, pay, `"$defs":{"Voucher":{"type":"object","properties":{"kind":{"const":"voucher"},"code":{"type":"string"}},"required":["kind","code"]}}`)
	r := u.row("/pay")
	if strings.Join(r.Branches, " ") != "card invoice voucher" || r.State != form.LeftOut || r.Branch != 0 {
		t.Errorf("pay is %+v", r)
	}
	u.does(u.Branch("/pay", 0, 1))
	u.sends(`{"pay":{"kind":"invoice"}}`)
	u.types("/pay/vat_id", "DE1")
	u.tells()
	u.does(u.Branch("/pay", 0, 2))
	u.sends(`{"pay":{"kind":"voucher"}}`)
	u.tells(`/pay/code: "code" is missing; it is required`)
	u.types("/pay/code", "X")
	u.does(u.Branch("/pay", 0, 1))
	u.sends(`{"pay":{"kind":"invoice","vat_id":"DE1"}}`)
	u.does(u.Branch("/pay", 0, 2))
	u.sends(`{"pay":{"kind":"voucher","code":"X"}}`)
	u.Undo()
	u.Undo()
	u.sends(`{"pay":{"kind":"voucher","code":"X"}}`)
	u.SetText(`{"pay":{"kind":"card"}}`)
	if r := u.row("/pay"); r.Branch != 0 {
		t.Errorf("by its kind it is branch %d", r.Branch)
	}
	u.tells(`/pay/number: "number" is missing; it is required`)
	u = properties(t, pay, `"$defs":{"Voucher":true}`) // which takes what is begun as well
	u.Fold("/pay", true)
	u.types("/pay/number", "4")
	u.sends(`{"pay":{"number":"4"}}`)
	u.tells()
	u = properties(t, pay, `"$defs":{"Voucher":{"properties":{"kind":{"const":"voucher"}}}}`)
	u.Fold("/pay", true)
	u.types("/pay/number", "4") // the first branch is told by its kind
	u.sends(`{"pay":{"kind":"card","number":"4"}}`)
	u = properties(t, `"v":{"type":["integer","string"]},"w":{"anyOf":[{"type":"integer"},{"type":"string"}]}`)
	for _, text := range []string{"-", "-7"} { // a text on its way to a number is none to stay
		u.types("/v", text)
		u.types("/w", text)
	}
	u.sends(`{"v":-7,"w":-7}`)
	u.types("/v", "1,5")
	if p := u.Problems(); len(p) != 1 || p[0].Level != form.Doubt || p[0].Fix != "1.5" {
		t.Errorf("a text where numbers are typed is %+v", p)
	}
}

// TestScalarBranches: what is typed goes with the branch.
func TestScalarBranches(t *testing.T) {
	u := properties(t, `"v":{"anyOf":[{"type":"integer"},{"type":"string"},{"type":"array","items":{"type":"integer"}}]}`)
	if r := u.row("/v"); strings.Join(r.Branches, "|") != "integer|string|array of integer" {
		t.Errorf("v is %+v", r)
	}
	u.types("/v", "7")
	u.sends(`{"v":7}`)
	u.does(u.Branch("/v", 0, 1))
	u.sends(`{"v":"7"}`)
	u.does(u.Branch("/v", 0, 2))
	u.sends(`{}`)
	at, err := u.Add("/v")
	u.does(err)
	u.types(at, "1")
	u.sends(`{"v":[1]}`)
	u.does(u.Branch("/v", 0, 0))
	u.sends(`{"v":7}`)
	u.does(u.Branch("/v", 0, 2))
	u.sends(`{"v":[1]}`)
}

// TestRowsKeepWhatBelongsToThem: drafts and branches move with their rows.
func TestRowsKeepWhatBelongsToThem(t *testing.T) {
	u := properties(t, `"l":{"type":"array","items":{"type":"object","properties":{"a":{"type":["string","null"]}}}}`)
	u.SetText(`{"l":[{"a":"x"},{"a":"y"},{}]}`)
	u.does(u.SetNull("/l/1/a"))
	u.Fold("/l/1", true)
	u.Fold("/l/0", false)
	to, err := u.Move("/l/1", 1)
	u.does(err)
	if raw, ok := u.Draft("/l/2/a"); to != "/l/2" || !ok || raw != `"y"` {
		t.Errorf("the draft is %s at %s", raw, to)
	}
	_, err = u.LeaveOut("/l/0")
	u.does(err)
	if !u.row("/l/1").Open {
		t.Error("it was folded")
	}
	u.does(u.Restore("/l/1/a"))
	u.sends(`{"l":[{},{"a":"y"}]}`)
	for range 3 {
		u.Undo()
	}
	if raw, ok := u.Draft("/l/1/a"); !ok {
		t.Errorf("undone the draft is %s", raw)
	}
}

// TestDeepValues: what nests deeper than any screen is kept and never walked.
func TestDeepValues(t *testing.T) {
	deep := strings.Repeat(`{"n":`, 2000) + `1` + strings.Repeat(`}`, 2000)
	u := open(t, `{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"n":{"$ref":"#/$defs/n"},"v":{"type":"integer"}}}}}`)
	u.SetText(deep)
	if u.Len() == 0 || u.Len() > 100 {
		t.Errorf("%d rows", u.Len())
	}
	u.types("/n/n/v", "1")
	doc, err := jsonread.Parse([]byte(u.Text()))
	if err != nil || doc.Root().At("/n/n/v").String() != "1" {
		t.Errorf("it was lost: %v", err)
	}
	long := `{"l":[` + strings.Repeat(`{"v":1},`, 30_000) + `{}]}`
	u = properties(t, `"l":{"type":"array","items":{"type":"object","properties":{"v":{"type":"integer"}}}}`)
	u.SetText(long)
	u.Fold("/l", true)
	if u.Len() > 20_100 {
		t.Errorf("%d rows", u.Len())
	}
	if r := u.Row(u.Len() - 1); r.Kind != form.More || r.More != 29_001 {
		t.Errorf("the last is %+v", r)
	}
	u.types("/l/30000/v", "5")
	if !strings.HasSuffix(u.Text(), `{"v":5}]}`) {
		t.Errorf("it ends with %s", u.Text()[len(u.Text())-20:])
	}
}
