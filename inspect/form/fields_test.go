package form_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"perch/inspect/form"
)

// TestFormatsHeldAgainstTexts: what is right passes, what is not is a doubt.
func TestFormatsHeldAgainstTexts(t *testing.T) {
	for _, c := range []struct{ format, right, wrong, text string }{
		{"date", "2026-02-28", "2026-02-30", "not a date such as 2026-01-31"},
		{"date-time", "2026-02-28t09:30:00.5+02:00", "2026-02-28", "not a date with time and zone such as 2026-01-31T09:30:00Z"},
		{"time", "09:30:00Z", "9:30", "not a time with zone such as 09:30:00Z"},
		{"email", "ada@example.com", "ada@", "not an email: nothing after @"},
		{"email", "ü@x", "@x", "not an email: nothing before @"},
		{"email", "a@b@c", "ada", "not an email: it has no @"},
		{"email", "a+b@c", "a b@c", "not an email: it has white space"},
		{"uuid", "00000000-0000-4000-8000-00000000000A", "00000000-0000-4000-8000-00000000000", "not a UUID: 8-4-4-4-12 hex digits"},
		{"uuid", "12345678-1234-1234-1234-123456789abc", "x", "not a UUID: 8-4-4-4-12 hex digits"},
		{"uri", "https://example.com/a?b#c", "a b", "not a URI"},
		{"uri", "urn:x:y", "/a", "not a URI: it begins with no scheme, such as https:"},
		{"ipv4", "192.0.2.1", "192.0.2.256", "not an address as ipv4 has it"},
		{"ipv6", "2001:db8::1", "192.0.2.1", "not an address as ipv6 has it"},
	} {
		u := properties(t, `"x":{"type":"string","format":"`+c.format+`"}`)
		u.types("/x", c.right)
		u.tells()
		u.types("/x", c.wrong)
		u.tells("/x: " + c.text)
		if p := u.Problems()[0]; p.Level != form.Doubt || u.Text()[p.Start:p.End] != fmt.Sprintf("%q", c.wrong) {
			t.Errorf("%s: %+v", c.format, p)
		}
	}
	for format, edge := range map[string][2]string{
		"int8": {"-128", "-129"}, "int16": {"32767", "32768"}, "int64": {"-9223372036854775808", "9223372036854775808"},
		"uint8": {"255", "256"}, "uint16": {"0", "-1"}, "uint32": {"4294967295", "4294967296"},
	} {
		u := properties(t, `"x":{"type":"integer","format":"`+format+`"}`)
		u.types("/x", edge[0])
		u.tells()
		u.types("/x", edge[1])
		if p := u.Problems(); len(p) != 1 || !strings.HasPrefix(p[0].Text, edge[1]+" is outside of "+format) {
			t.Errorf("%s: %+v", format, p)
		}
	}
}

// TestSeveralSchemasForOneValue: allOf, references with more beside them, and
// what nothing else looks at.
func TestSeveralSchemasForOneValue(t *testing.T) {
	u := open(t, `{"type":"object","allOf":[{"$ref":"#/$defs/base"},{"properties":{"b":{"type":"integer","maximum":9}},"required":["b"]}],
		"properties":{"b":{"type":["integer","string"],"minimum":1}},"unevaluatedProperties":false,
		"$defs":{"base":{"properties":{"a":{"type":"string","description":"of the base"}}}}}`)
	u.shows("\n\tb* · ! \"b\" is missing; it is required\n\ta ·\n")
	if r := u.row("/b"); r.Type != form.Integer || r.Types != nil || r.Words != "integer ≥ 1" {
		t.Errorf("b is %+v", r)
	}
	if r := u.row("/a"); r.Description != "of the base" {
		t.Errorf("a is %+v", r)
	}
	if _, err := u.AddKey("", "c"); !errors.Is(err, form.ErrNotAllowed) {
		t.Errorf("a key was added: %v", err)
	}
	u.types("/a", "x")
	u.types("/b", "2")
	u.tells()
	u = properties(t, `"x":{"$ref":"#/$defs/s","description":"mine","default":"d"}`, `"$defs":{"s":{"type":"string","title":"theirs","description":"theirs"}}`,
		`"$schema":"http://json-schema.org/draft-07/schema#"`)
	if r := u.row("/x"); r.Description != "mine" || r.Title != "theirs" || r.Default != `"d"` || r.Type != form.String {
		t.Errorf("x is %+v", r)
	}
}

// TestMembersThatAskForOthers: what is required beside a member is told before,
// and asked for once it is there.
func TestMembersThatAskForOthers(t *testing.T) {
	u := properties(t, `"card":{"type":"string"},"cvc":{"type":"string"},"name":{"type":"string"}`,
		`"dependentRequired":{"card":["cvc"]}`, `"dependentSchemas":{"name":{"properties":{"born":{"type":"string"}},"required":["born"]}}`)
	u.shows("\n\tcard ·\n\tcvc ·\n\tname ·\n")
	if r := u.row("/card"); len(r.Notes) != 1 || r.Notes[0] != "when it is set, cvc must be there too" {
		t.Errorf("card is %+v", r)
	}
	u.types("/card", "4")
	u.types("/name", "n")
	u.shows("\n\tcard 4\n\tcvc* · ! \"cvc\" is missing; it is required beside \"card\"\n\tname n\n\tborn* · ! \"born\" is missing; it is required\n")
}

// TestSeveralPickers: a place with two choices has two pickers.
func TestSeveralPickers(t *testing.T) {
	u := properties(t, `"v":{"type":"object","allOf":[
		{"anyOf":[{"title":"A","properties":{"a":{"type":"string"}}},{"title":"B","properties":{"b":{"type":"string"}}}]},
		{"oneOf":[{"title":"C","properties":{"c":{"type":"string"}},"required":["c"]},{"title":"D","properties":{"d":{"type":"string"}},"required":["d"]}]}]}`)
	u.Fold("/v", true)
	u.shows("\n\t▾v <A> ·\n\t  <C> of C,D\n\t  a ·\n\t  c* ·\n")
	u.types("/v/c", "1")
	u.types("/v/a", "2")
	u.does(u.Branch("/v", 1, 1))
	u.shows("\n\t▾v <A>\n\t  <D> of C,D\n\t  a 2\n\t  d* · ! \"d\" is missing; it is required\n")
	u.does(u.Branch("/v", 0, 1))
	u.sends(`{"v":{}}`)
	u.does(u.Branch("/v", 0, 0))
	u.does(u.Branch("/v", 1, 0))
	u.sends(`{"v":{"a":"2","c":"1"}}`)
	if err := u.Branch("/v", 2, 0); !errors.Is(err, form.ErrNothing) {
		t.Errorf("a third picker: %v", err)
	}
}

// TestTypesOfGroups: a switch between a group and a text keeps both.
func TestTypesOfGroups(t *testing.T) {
	u := properties(t, `"v":{"type":["string","array","object","integer"],"items":{"type":"integer"}}`)
	u.types("/v", "text")
	u.does(u.SwitchType("/v", 1))
	u.sends(`{"v":[]}`)
	at, err := u.Add("/v")
	u.does(err)
	u.types(at, "1")
	u.does(u.SwitchType("/v", 0))
	u.sends(`{"v":"text"}`)
	u.does(u.SwitchType("/v", 2))
	u.sends(`{"v":{}}`)
	u.does(u.SwitchType("/v", 3))
	u.sends(`{"v":null}`) // which is typed over
	u.types("/v", "12")
	u.does(u.SwitchType("/v", 1))
	u.sends(`{"v":[1]}`)
	u.does(u.SetRaw("/v", []byte(` {"k": 1} `)))
	u.sends(`{"v":{"k":1}}`)
	if r := u.row("/v"); !r.Foreign { // the list is shown, since it was chosen
		t.Errorf("v is %+v", r)
	}
	u.SetText(u.Text() + " ")
	if r := u.row("/v"); r.Types[r.TypeAt] != "object" || r.Foreign {
		t.Errorf("v is %+v", r)
	}
	if err := u.SetRaw("/v", []byte(`{"k":`)); err == nil {
		t.Error("it took what is no JSON")
	}
	if err := u.SetRaw("", []byte(`[]`)); !errors.Is(err, form.ErrNotAllowed) {
		t.Errorf("arguments became a list: %v", err)
	}
}

// TestFirstValuesOfRows: no value is made up.
func TestFirstValuesOfRows(t *testing.T) {
	for item, want := range map[string]string{
		`{"type":"string"}`: `""`, `{"type":"object"}`: `{}`, `{"type":"array"}`: `[]`, `{"type":"boolean"}`: `false`,
		`{"type":"integer","minimum":3}`: `null`, `{"enum":["a"]}`: `null`, `true`: `null`, `{"type":"null"}`: `null`,
	} {
		u := properties(t, `"l":{"type":"array","items":`+item+`}`)
		_, err := u.Add("/l")
		u.does(err)
		u.sends(`{"l":[` + want + `]}`)
	}
}

// TestFolding: all groups in sight open and close; what is folded says what it
// holds.
func TestFolding(t *testing.T) {
	u := properties(t, `"o":{"type":"object","properties":{"a":{"type":"string"},"l":{"type":"array","items":{"type":"integer"}},"p":{"type":"object"}}},"l":{"type":"array","items":{"type":"object"}}`)
	u.SetText(`{"o":{"a":"` + strings.Repeat("x", 100) + `","l":[1,2],"p":{}},"l":[{}]}`)
	u.FoldAll(false)
	u.shows("\n\t▸o a \"" + strings.Repeat("x", 29) + "…, l 2 rows, p {…}\n\t▸l 1 row\n")
	u.FoldAll(true)
	u.shows("\n\t▾o\n\t  a " + strings.Repeat("x", 100) + "\n\t  ▸l 2 rows\n\t  ▸p\n\t▾l\n\t  ▸1\n\t  + row\n")
	u.FoldAll(true) // what came into sight
	if !u.row("/o/l").Open || !u.row("/l/0").Open {
		t.Errorf("shows\n%s", u.shown())
	}
	before := u.Revision()
	u.Fold("/o", false)
	if u.Revision() == before || u.Undoes() != 1 {
		t.Error("folding is no step, and shown")
	}
}

// TestLimits: problems and steps are bounded, and what is not listed is
// counted.
func TestLimits(t *testing.T) {
	u := properties(t, `"l":{"type":"array","items":{"type":"integer"}}`)
	u.SetText(`{"l":[` + strings.Repeat(`"x",`, 199) + `"x"]}`)
	if n := len(u.Problems()); n == 0 || n+u.MoreProblems() < 200 || n > 1000 {
		t.Errorf("%d problems and %d more", n, u.MoreProblems())
	}
	for i := range 700 {
		u.does(u.SetRaw("/l", fmt.Appendf(nil, "[%d]", i)))
	}
	if n := u.Undoes(); n != 500 || u.Redoes() != 0 {
		t.Errorf("%d steps are kept", n)
	}
	u.Undo()
	if u.Redoes() != 1 {
		t.Errorf("%d steps can be done again", u.Redoes())
	}
	u = open(t, `{"$schema":"https://example.com/mine","type":"object"}`)
	if u.Problems() != nil && len(u.Problems()) > 0 || u.Unchecked() == "" {
		t.Errorf("%v, %q", u.Problems(), u.Unchecked())
	}
}

// TestWhatCannotBeDone: acts say why, and change nothing.
func TestWhatCannotBeDone(t *testing.T) {
	u := properties(t, `"s":{"type":"string"},"n":{"type":"integer"},"l":{"type":"array","items":{"type":"integer"},"prefixItems":[{"type":"string"}]},"e":{"enum":[1]},"m":{"type":"object","additionalProperties":true}`)
	u.SetText(`{"m":{"a":1,"b":2},"l":["x"]}`)
	text, steps := u.Text(), u.Undoes()
	for name, err := range map[string]error{
		"no such place":        u.SetValue("/s/x", "1"),
		"not a pointer":        u.SetValue("s", "1"),
		"far behind":           u.SetValue("/l/900", "1"),
		"no number is empty":   u.SetEmpty("/n"),
		"no option":            u.Pick("/e", 1),
		"no options":           u.PickItem("/l", 0),
		"no boolean":           u.Toggle("/s"),
		"nothing kept":         u.Restore("/s"),
		"no default":           u.FillDefault("/s"),
		"no types":             u.SwitchType("/s", 1),
		"the root":             u.SetNull(""),
		"left out already":     second(u.LeaveOut("/s")),
		"no row":               second(u.Duplicate("/s")),
		"nothing to add":       second(u.Add("/s")),
		"a property's name":    second(u.Rename("/s", "t")),
		"a name that is there": second(u.Rename("/m/a", "b")),
		"no object":            second(u.AddKey("/l", "b")),
	} {
		if err == nil {
			t.Errorf("%s: it was done", name)
		}
	}
	if u.Text() != text || u.Undoes() != steps {
		t.Errorf("it became %s", u.Text())
	}
}

func second(_ string, err error) error { return err }
