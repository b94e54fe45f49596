package form_test

import (
	"fmt"
	"strings"
	"testing"

	"perch/inspect/form"
	"perch/inspect/schema"
)

// Formats are hints: known ones are held against the value, others are shown.
func TestFormats(t *testing.T) {
	u := properties(t, `"n":{"type":"integer","format":"uint64","minimum":0},"u":{"type":"string","format":"uri"},"z":{"type":"string","format":"zorp"},"i":{"type":"integer","format":"int32"}`)
	if r := u.row("/n"); r.Words != "integer · uint64 ≥ 0" {
		t.Errorf("n is %+v", r)
	}
	if r := u.row("/z"); r.Words != "string · zorp" {
		t.Errorf("z is %+v", r)
	}
	u.types("/n", "18446744073709551615")
	u.types("/u", "https://example.com/")
	u.types("/z", "anything")
	u.types("/i", "2147483647")
	u.tells()
	u.types("/n", "18446744073709551616")
	u.types("/u", "nowhere")
	u.types("/i", "-2147483649")
	u.tells(
		"/n: 18446744073709551616 is outside of uint64, 0 to 18446744073709551615",
		"/u: not a URI: it begins with no scheme, such as https:",
		"/i: -2147483649 is outside of int32, -2147483648 to 2147483647")
	for _, p := range u.Problems() {
		if p.Level != form.Doubt {
			t.Errorf("%+v", p)
		}
	}
}

// Tuples by both spellings have cells.
func TestTuples(t *testing.T) {
	for _, text := range []string{
		`{"type":"object","properties":{"p":{"type":"array","prefixItems":[{"type":"number","title":"x"},{"type":"number"}]}}}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"p":{"type":"array","items":[{"type":"number","title":"x"},{"type":"number"}]}}}`,
		`{"type":"object","properties":{"p":{"type":"array","items":[{"type":"number","title":"x"},{"type":"number"}]}}}`,
	} {
		u := open(t, text)
		u.Fold("/p", true)
		u.shows("\n\t▾p ·\n\t  1 ·\n\t  2 ·\n\t  + row\n")
		u.types("/p/1", "2")
		u.sends(`{"p":[null,2]}`)
		if len(u.Problems()) != 1 {
			t.Errorf("a hole is %s", u.problems())
		}
		u.types("/p/0", "1.5")
		u.sends(`{"p":[1.5,2]}`)
		old := strings.Join(u.row("/p").Notes, "")
		if want := !strings.Contains(text, "prefixItems") && !strings.Contains(text, "draft-07"); strings.Contains(old, "old spelling") != want {
			t.Errorf("%s: the note is %q", text, old)
		}
	}
}

// A pattern that cannot be run is told at its field alone.
func TestPatterns(t *testing.T) {
	u := properties(t, `"pw":{"type":"string","pattern":"^(?=.*[0-9]).{8,}$"},"k":{"type":"string","pattern":"^\\p{Lu}\\d$"},"x":{"type":"string","pattern":"("}`)
	if r := u.row("/pw"); fmt.Sprint(r.Notes) != "[pattern not checked: look-ahead is not supported here]" {
		t.Errorf("pw is %+v", r)
	}
	u.types("/pw", "short")
	u.types("/k", "a1")
	if got := u.Problems(); len(got) != 1 || got[0].Path != "/k" {
		t.Errorf("%+v", got)
	}
	u.types("/x", "anything")
	u.sends(`{"pw":"short","k":"a1","x":"anything"}`)
}

// exclusiveMinimum of draft 4 in a schema of today leaves a working field.
func TestDraft4Bound(t *testing.T) {
	u := open(t, `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"ttl":{"type":"integer","minimum":0,"exclusiveMinimum":true}}}`)
	if r := u.row("/ttl"); r.Type != form.Integer || r.Words != "integer > 0" {
		t.Errorf("ttl is %+v", r)
	}
	u.types("/ttl", "5")
	u.sends(`{"ttl":5}`)
	u.tells()
}

// References out of the schema are not followed, and their fields take JSON.
func TestExternalReferences(t *testing.T) {
	u := properties(t, `"a":{"$ref":"http://169.254.169.254/latest/x.json"},"b":{"$ref":"file:///etc/hostname"},"c":{"$ref":"other.json#/X"},"d":{"$ref":"#/nowhere"}`)
	for path, note := range map[string]string{
		"/a": `external reference not followed: "http://169.254.169.254/latest/x.json"`,
		"/b": `external reference not followed: "file:///etc/hostname"`,
		"/c": `external reference not followed: "other.json#/X"`,
		"/d": `the reference "#/nowhere" leads nowhere`,
	} {
		if r := u.row(path); r.Type != form.Raw || len(r.Notes) != 1 || r.Notes[0] != note {
			t.Errorf("%s is %+v", path, r)
		}
	}
	u.types("/a", `{"x":1}`)
	u.sends(`{"a":{"x":1}}`)
}

// Defaults are shown beside the description, and sent when they are asked for.
func TestDefaults(t *testing.T) {
	u := properties(t, `"n":{"type":"integer","default":20,"description":"Page size"},"o":{"type":"object","properties":{"deep":{"type":"boolean","default":true}},"default":{"deep":false}},"bad":{"type":"integer","default":"ten"}`)
	if r := u.row("/n"); r.Default != "20" || r.Description != "Page size" || r.State != form.LeftOut {
		t.Errorf("n is %+v", r)
	}
	if r := u.row("/bad"); !r.Misfit || r.State != form.LeftOut {
		t.Errorf("bad is %+v", r)
	}
	u.sends(`{}`)
	for _, null := range []string{`"anyOf":[{"type":"string"},{"type":"null"}]`, `"oneOf":[{"type":"null"},{"$ref":"#/$defs/S"}]`, `"type":["string","null"]`} {
		v := properties(t, `"a":{`+null+`,"default":null},"b":{`+null+`,"default":7}`, `"$defs":{"S":{"type":"string"}}`)
		if a, b := v.row("/a"), v.row("/b"); a.Misfit || !b.Misfit || a.Default != "null" {
			t.Errorf("%s: the default null is %+v, 7 is %+v", null, a, b)
		}
		v.does(v.FillDefault(""))
		v.sends(`{"a":null}`)
	}
	u.does(u.FillDefault(""))
	u.sends(`{"n":20,"o":{"deep":false}}`)
	u.Undo()
	u.does(u.FillDefault("/o"))
	u.sends(`{"o":{"deep":false}}`)
	u.does(u.FillDefault("/n"))
	u.sends(`{"n":20,"o":{"deep":false}}`)
}

// Numbers are typed one key at a time.
func TestTypingNumbers(t *testing.T) {
	u := properties(t, `"lon":{"type":"number","minimum":-180}`)
	for i := range len("-74.01") {
		text := "-74.01"[:i+1]
		u.types("/lon", text)
		if r := u.row("/lon"); r.Text != text {
			t.Errorf("%s shows %+v", text, r)
		}
	}
	u.sends(`{"lon":-74.01}`)
	u.tells()
	for text, fix := range map[string]string{
		"-0": "", "1e-7": "", ".5": "0.5", "1,5": "1.5", "-.5": "-0.5", "+7": "7", "007": "7", "5.": "5", "1_000": "1000", "-": "-", "abc": "-", "1e": "-", "--1": "-",
	} {
		u.types("/lon", text)
		ps := u.Problems()
		switch {
		case fix == "":
			u.sends(`{"lon":` + text + `}`)
			u.tells()
		case len(ps) != 1:
			t.Errorf("%s: %s", text, u.problems())
		case fix == "-":
			u.sends(`{"lon":"` + text + `"}`)
			u.tells(`/lon: "` + text + `" is not a JSON number. It is sent as a string`)
		default:
			u.sends(`{"lon":"` + text + `"}`)
			u.tells(`/lon: "` + text + `" is not a JSON number; write ` + fix + `. It is sent as a string`)
			u.types("/lon", ps[0].Fix)
			u.tells()
		}
	}
	u.types("/lon", `"7"`)
	u.sends(`{"lon":"7"}`)
	if r := u.row("/lon"); r.Text != `"7"` || !r.Foreign || len(r.Problems) != 1 {
		t.Errorf("a number in quotes is %+v", r)
	}
	u.types("/lon", "")
	u.sends(`{}`)
}

// Fields follow the condition; what the other way had is kept and not sent.
func TestConditions(t *testing.T) {
	u := open(t, `{"type":"object","properties":{"kind":{"enum":["mail","sms"]}},"required":["kind"],"if":{"properties":{"kind":{"const":"mail"}}},"then":{"properties":{"addr":{"type":"string"}},"required":["addr"]},"else":{"properties":{"tel":{"type":"string"}}}}`)
	u.types("/kind", "mail")
	u.shows("\n\tkind* mail\n\taddr* · ! \"addr\" is missing; it is required\n")
	u.types("/addr", "a@b")
	u.does(u.Pick("/kind", 1))
	u.shows("\n\tkind* sms\n\ttel ·\n")
	u.sends(`{"kind":"sms"}`)
	u.types("/tel", "1")
	u.does(u.Pick("/kind", 0))
	u.sends(`{"kind":"mail","addr":"a@b"}`)
	u.does(u.Pick("/kind", 1))
	u.sends(`{"kind":"sms","tel":"1"}`)
	u.Undo()
	u.sends(`{"kind":"mail","addr":"a@b"}`)
	u = open(t, `{"type":"object","properties":{"p":{"type":"string"}},"if":{"properties":{"p":{"pattern":"(?=x)"}}},"then":{"properties":{"a":{"type":"string"}},"required":["a"]},"else":{"properties":{"b":{"type":"string"}}}}`)
	u.types("/p", "x")
	u.shows("\n\tp x\n\ta ·\n\tb ·\n")
	if r := u.row("/a"); len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "condition") {
		t.Errorf("a is %+v", r)
	}
}

// Choices keep the type of their values.
func TestChoicesOfAnyType(t *testing.T) {
	u := properties(t, `"lvl":{"enum":[1,2,"max",null,true]},"n":{"type":"integer","enum":[10,20]},"fixed":{"const":[1]},"titled":{"oneOf":[{"const":"a","title":"First"},{"const":2,"title":"Second"}]}`)
	r := u.row("/lvl")
	var raws []string
	for _, o := range r.Options {
		raws = append(raws, o.Raw)
	}
	if fmt.Sprint(raws) != `[1 2 "max" null true]` || r.Words != `1 · 2 · "max" · null · true` {
		t.Errorf("lvl is %+v", r)
	}
	for i, want := range []string{"1", "2", `"max"`, "null", "true"} {
		u.does(u.Pick("/lvl", i))
		u.sends(`{"lvl":` + want + `}`)
		u.tells()
	}
	u.types("/lvl", "max")
	u.types("/n", "10")
	u.sends(`{"lvl":"max","n":10}`)
	u.does(u.Pick("/fixed", 0))
	if r := u.row("/titled"); r.Type != form.Choice || len(r.Options) != 2 || r.Options[1].Title != "Second" || r.Branches != nil {
		t.Errorf("titled is %+v", r)
	}
	u.does(u.Pick("/titled", 1))
	u.sends(`{"lvl":"max","n":10,"fixed":[1],"titled":2}`)
	u.tells()
}

// Schemas with faults give forms that work.
func TestFaultySchemas(t *testing.T) {
	u := open(t, `{"type":"object","properties":[]}`)
	at, err := u.AddKey("", "k")
	u.does(err)
	u.types(at, "1")
	u.sends(`{"k":1}`)
	u = properties(t, `"a":{"type":null}`)
	u.types("/a", "x")
	u.sends(`{"a":"x"}`)
	u = properties(t, `"l":{"type":"array"}`)
	at, err = u.Add("/l")
	u.does(err)
	u.types(at, "x")
	u.sends(`{"l":["x"]}`)
	for _, text := range []string{`7`, `null`, `false`, `[]`, `{"type":"string"}`, `{"properties":{"a":7}}`, `{"$ref":"#"}`, `{"allOf":[{"$ref":"#"}]}`, `{"anyOf":[]}`, `{"oneOf":[{"$ref":"#"},{"$ref":"#"}]}`} {
		u := open(t, text)
		u.sends(`{}`)
		u.SetText(`{"x":[{"y":null}]}`)
		u.sends(`{"x":[{"y":null}]}`)
		_ = u.shown()
	}
	u = open(t, `{"$schema":"https://example.com/mine","type":"object","properties":{"a":{"type":"string"}}}`)
	u.shows("\n\ta ·\n")
	if !strings.Contains(u.About(), "dialect") {
		t.Errorf("it says %q", u.About())
	}
}

// Names are names: no dot, slash or glyph means anything.
func TestNames(t *testing.T) {
	names := []string{"filter.name", "şehir", "取引 日", "👍🏽", "", "__proto__", "a/b", "m~n", "0"}
	var props []string
	for _, n := range names {
		props = append(props, fmt.Sprintf(`%q:{"type":"string"}`, n))
	}
	u := properties(t, strings.Join(props, ","))
	var want []string
	for i := range names {
		r := u.Row(i)
		if r.Label != names[i] {
			t.Errorf("row %d is %q", i, r.Label)
		}
		u.types(r.Path, "v")
		want = append(want, fmt.Sprintf(`%q:"v"`, names[i]))
	}
	u.sends("{" + strings.Join(want, ",") + "}")
	u.SetText(`{"a/b":1,"":2}`)
	if p := u.Problems(); len(p) != 2 || p[0].Path != "/" || p[1].Path != "/a~1b" {
		t.Errorf("%+v", p)
	}
}

// A hundred fields with long texts: any is found by typing.
func TestManyFields(t *testing.T) {
	u := hundred(t)
	if u.Len() != 100 {
		t.Fatalf("%d rows", u.Len())
	}
	u.SetFilter("P077")
	u.shows("\n\tp077 ·\n")
	u.SetFilter("")
	u.types("/p003", "x")
	u.types("/p009", "x")
	u.SetFilter(":set")
	u.shows("\n\tp003 x\n\tp009 x\n")
	u.SetFilter(":required")
	u.shows("\n\tp050* · ! \"p050\" is missing; it is required\n")
	u.SetFilter(":wrong")
	u.shows("\n\tp050* · ! \"p050\" is missing; it is required\n")
	u.SetFilter(":set p009")
	u.shows("\n\tp009 x\n")
}

func hundred(t testing.TB) user {
	var props []string
	for i := range 100 {
		props = append(props, fmt.Sprintf(`"p%03d":{"type":"string","description":%q}`, i+1, strings.Repeat("help ", 180)))
	}
	return properties(t, strings.Join(props, ","), `"required":["p050"]`)
}

// Drafts survive a rebuild; what no longer fits is named.
func TestReload(t *testing.T) {
	u := properties(t, `"a":{"type":"string"},"b":{"type":"string"}`)
	u.types("/a", "1")
	u.types("/b", "2")
	misfits := u.Reload(schema.Compile(parse(t, `{"type":"object","properties":{"c":{"type":"string"},"a":{"type":"string"},"b":{"type":"integer"}},"required":["c"]}`)))
	if fmt.Sprint(misfits) != "[/b]" {
		t.Errorf("%v no longer fit", misfits)
	}
	u.sends(`{"a":"1","b":"2"}`)
	u.shows("\n\tc* · ! \"c\" is missing; it is required\n\ta 1\n\tb \"2\" ! \"2\" is a string where the schema says integer\n")
	u.Undo()
	u.sends(`{"a":"1"}`)
}

// Text has as many lines as it has, to the byte.
func TestSeveralLines(t *testing.T) {
	u := properties(t, `"body":{"type":"string"}`)
	u.types("/body", "a\nb\n\nc\t ")
	u.sends(`{"body":"a\nb\n\nc\t "}`)
	if r := u.row("/body"); r.Lines != 4 || r.Text != "a\nb\n\nc\t " {
		t.Errorf("the row is %+v", r)
	}
	u.types("/body", "a\r\nb")
	u.sends(`{"body":"a\r\nb"}`)
	u.types("/body", "")
	u.sends(`{"body":""}`) // an emptied text is empty, until it is left out
	long := strings.Repeat("é", 10_000)
	u.types("/body", long)
	if r := u.row("/body"); !r.Cut || len(r.Text) > 4<<10 {
		t.Errorf("the row has %d bytes", len(r.Text))
	}
	if text, _ := u.Value("/body"); text != long {
		t.Errorf("the value has %d bytes", len(text))
	}
}
