package form_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"perch/inspect/form"
)

// The tests in this file are pains that people had with forms elsewhere.

// An optional string written as anyOf with null has three states.
func TestNullByAnyOf(t *testing.T) {
	u := properties(t, `"nick":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null,"title":"Nick"}`)
	r := u.row("/nick")
	if r.Type != form.String || r.Words != "string | null" || r.Required || r.State != form.LeftOut || !r.Null || r.Title != "Nick" || r.Branches != nil {
		t.Errorf("the field is %+v", r)
	}
	u.sends(`{}`)
	u.types("/nick", "ab")
	u.sends(`{"nick":"ab"}`)
	u.does(u.SetNull("/nick"))
	u.sends(`{"nick":null}`)
	if u.row("/nick").State != form.IsNull || len(u.Problems()) > 0 {
		t.Errorf("null is %+v", u.row("/nick"))
	}
	u.does(u.Restore("/nick"))
	u.sends(`{"nick":"ab"}`)
	_, err := u.LeaveOut("/nick")
	u.does(err)
	u.sends(`{}`)
	u.does(u.Restore("/nick"))
	u.sends(`{"nick":"ab"}`)
}

// What was not touched is not sent, and a preview is what goes out.
func TestUntouchedIsNotSent(t *testing.T) {
	u := properties(t, `"id":{"type":"string"},"limit":{"type":"integer"}`, `"required":["id"]`)
	u.shows("\n\tid* · ! \"id\" is missing; it is required\n\tlimit ·\n")
	if first, _ := u.FirstToFill(); first != "/id" {
		t.Errorf("first comes %s", first)
	}
	u.types("/id", "x1")
	u.sends(`{"id":"x1"}`)
	if first, ok := u.FirstToFill(); ok {
		t.Errorf("%s is still to fill", first)
	}
}

// An optional group comes into being with its first child, and goes with it.
func TestGroupsComeWithTheirChildren(t *testing.T) {
	u := properties(t, `"page":{"type":"object","properties":{"cursor":{"type":"string"},"size":{"type":"integer"}},"required":["cursor"]},"tags":{"type":"array","items":{"type":"string"}}`)
	u.shows("\n\t▸page ·\n\t▸tags ·\n")
	u.Fold("/page", true)
	u.Fold("/tags", true)
	u.shows("\n\t▾page ·\n\t  cursor* ·\n\t  size ·\n\t▾tags ·\n\t  + row\n")
	u.sends(`{}`)
	u.tells()
	u.types("/page/size", "5")
	u.sends(`{"page":{"size":5}}`)
	u.tells(`/page/cursor: "cursor" is missing; it is required`)
	u.types("/page/size", "")
	u.sends(`{}`)
	u.types("/page/cursor", "c")
	bare, err := u.LeaveOut("/page/cursor")
	u.does(err)
	u.sends(`{"page":{}}`)
	if bare != "/page" {
		t.Errorf("%q is to be asked for", bare)
	}
	bare, err = u.LeaveOut(bare)
	u.does(err)
	u.sends(`{}`)
	if bare != "" {
		t.Errorf("%q is to be asked for", bare)
	}
	_, err = u.Add("/page")
	u.does(err)
	u.sends(`{"page":{}}`)
	u.types("/page/size", "5")
	u.types("/page/size", "")
	u.sends(`{"page":{}}`) // it was asked for
}

// Without required nothing is required; a default does not make it optional.
func TestRequired(t *testing.T) {
	u := properties(t, `"token":{"type":"string"},"user":{"type":"string"},"pass":{"type":"string"}`)
	for i := range u.Len() {
		if u.Row(i).Required {
			t.Errorf("%s is required", u.Row(i).Label)
		}
	}
	u.types("/token", "t")
	u.sends(`{"token":"t"}`)
	u = properties(t, `"a":{"type":"string","default":"d"}`, `"required":["a"]`)
	if !u.row("/a").Required {
		t.Error("with a default it is not required")
	}
}

const byIDOrName = `{"type":"object","oneOf":[{"title":"By id","properties":{"id":{"type":"integer"}},"required":["id"]},{"title":"By name","properties":{"name":{"type":"string"}},"required":["name"]}]}`

// A choice at the top has a picker, and drafts of all its branches are kept.
func TestChoiceAtTheTop(t *testing.T) {
	u := open(t, byIDOrName)
	u.shows("\n\t<By id> of By id,By name\n\tid* · ! \"id\" is missing; it is required\n")
	u.types("/id", "7")
	u.sends(`{"id":7}`)
	u.tells()
	u.does(u.Branch("", 0, 1))
	u.sends(`{}`)
	u.types("/name", "a")
	u.sends(`{"name":"a"}`)
	u.does(u.Branch("", 0, 0))
	u.sends(`{"id":7}`)
	u.does(u.Branch("", 0, 1))
	u.sends(`{"name":"a"}`)
	u.SetText(`{"id":7,"name":"a"}`)
	u.tells(`: the object fits two branches of oneOf, number 1 and number 2; exactly one is asked for`)
	u.sends(`{"id":7,"name":"a"}`)
}

// Properties at the root stand beside those of the branch, and stay.
func TestRootPropertiesStayBesideBranches(t *testing.T) {
	u := open(t, `{"type":"object","properties":{"verbose":{"type":"boolean"}},"oneOf":[{"title":"a","properties":{"x":{"type":"string"},"both":{"type":"string"}}},{"title":"b","properties":{"y":{"type":"string"},"both":{"type":"string"}}}]}`)
	u.does(u.Toggle("/verbose"))
	u.types("/x", "1")
	u.types("/both", "2")
	u.does(u.Branch("", 0, 1))
	u.sends(`{"verbose":true,"both":"2"}`)
	u.shows("\n\t<b> of a,b\n\tverbose true\n\ty ·\n\tboth 2\n")
	u.does(u.Branch("", 0, 0))
	u.sends(`{"verbose":true,"x":"1","both":"2"}`)
}

// Objects behind references are groups, whatever the reference is written like.
func TestObjectsBehindReferences(t *testing.T) {
	point := `{"type":"object","properties":{"x":{"type":"number"},"y":{"type":"number"}},"required":["x","y"]}`
	for ref, defs := range map[string]string{
		"#/$defs/Point":  `"Point":` + point,
		"#/$defs/a~1b":   `"a/b":` + point,
		"#/$defs/a~0b":   `"a~b":` + point,
		"#/$defs/a%20b":  `"a b":` + point,
		"#point":         `"p":{"$anchor":"point",` + point[1:],
		"#/$defs/Alias":  `"Alias":{"$ref":"#/$defs/Point"},"Point":` + point,
		"#/$defs/Both/x": `"Both":{"x":` + point + `}`,
	} {
		u := properties(t, `"at":{"$ref":"`+ref+`"}`, `"$defs":{`+defs+`}`)
		u.Fold("/at", true)
		u.shows("\n\t▾at ·\n\t  x* ·\n\t  y* ·\n")
		u.types("/at/x", "1")
		u.types("/at/y", "2.5")
		u.sends(`{"at":{"x":1,"y":2.5}}`)
		u.tells()
	}
}

// Closed lists are offered as a choice through references and in lists.
func TestChoicesThroughReferences(t *testing.T) {
	u := properties(t, `"unit":{"$ref":"#/$defs/Unit"},"all":{"type":"array","items":{"$ref":"#/$defs/Unit"}}`, `"$defs":{"Unit":{"type":"string","enum":["km","mi"]}}`)
	r := u.row("/unit")
	if r.Type != form.Choice || len(r.Options) != 2 || r.Options[1].Raw != `"mi"` || r.Words != "km · mi" || r.Picked != -1 {
		t.Errorf("the field is %+v", r)
	}
	u.does(u.Pick("/unit", 1))
	u.sends(`{"unit":"mi"}`)
	u.types("/unit", "ell") // another value, for a test
	u.sends(`{"unit":"ell"}`)
	if r := u.row("/unit"); len(r.Problems) != 1 || !r.Foreign || r.Text != "ell" {
		t.Errorf("another value is %+v", r)
	}
	u.types("/unit", "km")
	if r := u.row("/unit"); r.Picked != 0 || r.Foreign {
		t.Errorf("the first is %+v", r)
	}
	if r := u.row("/all"); len(r.Items) != 2 {
		t.Errorf("the list is %+v", r)
	}
	u.does(u.PickItem("/all", 1))
	u.does(u.PickItem("/all", 0))
	u.sends(`{"unit":"km","all":["mi","km"]}`)
	u.does(u.PickItem("/all", 1))
	u.sends(`{"unit":"km","all":["km"]}`)
}

// Rows of a list of objects are added, removed, moved and duplicated.
func TestRows(t *testing.T) {
	u := properties(t, `"rows":{"type":"array","minItems":1,"items":{"type":"object","properties":{"k":{"type":"string"},"n":{"type":"integer"}},"required":["k"]}}`)
	u.does(u.SetEmpty("/rows"))
	u.tells("/rows: the list has 0 elements; at least 1 is asked for")
	at, err := u.Add("/rows")
	u.does(err)
	u.types(at+"/k", "a")
	u.types(at+"/n", "1")
	next, err := u.Add("/rows")
	u.does(err)
	u.types(next+"/k", "b")
	u.sends(`{"rows":[{"k":"a","n":1},{"k":"b"}]}`)
	u.tells()
	at, err = u.Move(at, 1)
	u.does(err)
	u.sends(`{"rows":[{"k":"b"},{"k":"a","n":1}]}`)
	at, err = u.Duplicate(at)
	u.does(err)
	if at != "/rows/2" {
		t.Errorf("the copy is %s", at)
	}
	u.sends(`{"rows":[{"k":"b"},{"k":"a","n":1},{"k":"a","n":1}]}`)
	_, err = u.LeaveOut("/rows/0")
	u.does(err)
	u.sends(`{"rows":[{"k":"a","n":1},{"k":"a","n":1}]}`)
	between, err := u.Add("/rows/0")
	u.does(err)
	if between != "/rows/1" {
		t.Errorf("the new row is %s", between)
	}
	u.sends(`{"rows":[{"k":"a","n":1},{},{"k":"a","n":1}]}`)
	if _, err := u.Move("/rows/0", -1); err == nil {
		t.Error("the first row moved up")
	}
	if _, err := u.Move("/rows/2", 1); err == nil {
		t.Error("the last row moved down")
	}
}

// A tool without properties has no fields; free keys where they are allowed.
func TestNoProperties(t *testing.T) {
	u := open(t, `{"type":"object"}`)
	u.shows("\n\t+ key\n")
	u.sends(`{}`)
	at, err := u.AddKey("", "a b")
	u.does(err)
	u.types(at, "[1]")
	u.sends(`{"a b":[1]}`)
	u = open(t, `{"type":"object","additionalProperties":false}`)
	u.shows("\n")
	u.sends(`{}`)
	if _, err := u.AddKey("", "a"); !errors.Is(err, form.ErrNotAllowed) {
		t.Errorf("a key was added: %v", err)
	}
	u.SetText(`{"a":1}`)
	u.tells(`/a: "a" is not allowed here: additionalProperties is false`)
	u.sends(`{"a":1}`)
}

// A schema that refers to itself opens, one level for each act.
func TestRecursion(t *testing.T) {
	start := time.Now()
	u := open(t, `{"type":"object","properties":{"root":{"$ref":"#/$defs/N"}},"$defs":{"N":{"type":"object","properties":{"v":{"type":"string"},"kids":{"type":"array","items":{"$ref":"#/$defs/N"}}}}}}`)
	u.shows("\n\t▸root ·\n")
	at := "/root"
	for i := range 3 {
		u.types(at+"/v", fmt.Sprint(i))
		next, err := u.Add(at + "/kids")
		u.does(err)
		if r, ok := u.RowAt(next); !ok || !r.Open {
			t.Errorf("the row %s that was added is not open: %+v", next, r)
		}
		at = next
	}
	u.sends(`{"root":{"v":"0","kids":[{"v":"1","kids":[{"v":"2","kids":[{}]}]}]}}`)
	u.tells()
	if took := time.Since(start); took > time.Minute {
		t.Errorf("took %s", took)
	}
	u = properties(t, `"next":{"$ref":"#"}`, `"required":["next"]`)
	u.shows("\n\t▸next* · ! \"next\" is missing; it is required\n")
	u.Fold("/next", true)
	u.shows("\n\t▾next* · ! \"next\" is missing; it is required\n\t  ▸next* ·\n")
	u.SetFilter("next") // searching ends as well
	if u.Len() == 0 || u.Len() > 20 {
		t.Errorf("%d rows", u.Len())
	}
}

// Type lists of Go's SDK: a list that may be null, and a switch of types.
func TestTypeLists(t *testing.T) {
	u := properties(t, `"ids":{"type":["null","array"],"items":{"type":"integer"}},"v":{"type":["string","integer"]}`)
	if r := u.row("/ids"); r.Type != form.List || !r.Null || r.Words != "array of integer | null" || r.Types != nil {
		t.Errorf("ids is %+v", r)
	}
	for _, text := range []string{"1", "2"} {
		at, err := u.Add("/ids")
		u.does(err)
		u.types(at, text)
	}
	u.sends(`{"ids":[1,2]}`)
	u.does(u.SetNull("/ids"))
	u.sends(`{"ids":null}`)
	u.does(u.Restore("/ids"))
	u.sends(`{"ids":[1,2]}`)
	u.does(u.SetNull("/ids"))
	if r := u.row("/v"); fmt.Sprint(r.Types) != "[string integer]" || r.Type != form.String || r.Words != "string | integer" {
		t.Errorf("v is %+v", r)
	}
	u.does(u.SwitchType("/v", 1))
	u.types("/v", "7")
	u.sends(`{"ids":null,"v":7}`)
	u.does(u.SwitchType("/v", 0))
	u.sends(`{"ids":null,"v":"7"}`)
	if r := u.row("/v"); r.Type != form.String || r.Text != "7" {
		t.Errorf("v is %+v", r)
	}
	u.does(u.SwitchType("/v", 1))
	u.sends(`{"ids":null,"v":7}`)
}

// Boolean schemas: anything, and nothing.
func TestBooleanSchemas(t *testing.T) {
	u := properties(t, `"meta":true,"never":false,"ok":{"type":"string"},"any":{}`)
	for path, kind := range map[string]form.Kind{"/meta": form.Raw, "/never": form.Never, "/ok": form.String, "/any": form.Raw} {
		if r := u.row(path); r.Type != kind {
			t.Errorf("%s is %+v", path, r)
		}
	}
	if err := u.SetValue("/never", "1"); !errors.Is(err, form.ErrNotAllowed) {
		t.Errorf("it took a value: %v", err)
	}
	if r := u.row("/never"); r.Words != "not allowed" {
		t.Errorf("never is %+v", r)
	}
	for text, want := range map[string]string{
		`{"a": [1, 2]}`: `{"a": [1, 2]}`, `7`: `7`, `"7"`: `"7"`, `true`: `true`, `words`: `"words"`, `{`: `"{"`, `1e400`: `1e400`, ` null `: `null`,
	} {
		u.types("/meta", text)
		if got := string(u.Raw("/meta")); got != want {
			t.Errorf("%s is sent as %s, not %s", text, got, want)
		}
		if got, _ := u.Value("/meta"); want != "null" && got != strings.TrimSpace(text) {
			t.Errorf("%s came back as %s", text, got)
		}
	}
}

// Maps have rows of keys and values.
func TestMaps(t *testing.T) {
	u := properties(t, `"labels":{"type":"object","additionalProperties":{"type":"integer","minimum":0}},"any":{"type":"object","additionalProperties":{}}`)
	at, err := u.AddKey("/labels", "a")
	u.does(err)
	u.types(at, "1")
	u.sends(`{"labels":{"a":1}}`)
	if words := u.row("/labels").Words; words != "object of integer" {
		t.Errorf("labels is said to be %s", words)
	}
	if r := u.row(at); r.Type != form.Integer || r.Words != "integer ≥ 0" || !r.Extra {
		t.Errorf("the row is %+v", r)
	}
	if _, err := u.AddKey("/labels", "a"); !errors.Is(err, form.ErrKeyExists) {
		t.Errorf("the key was doubled: %v", err)
	}
	u.types(at, "-1")
	u.tells("/labels/a: -1 is below the minimum, 0")
	at, err = u.Rename(at, "b/c")
	u.does(err)
	u.sends(`{"labels":{"b/c":-1}}`)
	if at != "/labels/b~1c" {
		t.Errorf("it is %s", at)
	}
	at, err = u.AddKey("/any", "x")
	u.does(err)
	u.types(at, "free")
	u.sends(`{"labels":{"b/c":-1},"any":{"x":"free"}}`)
	u = properties(t, `"m":{"type":"object","patternProperties":{"^n_":{"type":"number"},"^s_":{"type":"string"}},"additionalProperties":false}`)
	for name, kind := range map[string]form.Kind{"n_1": form.Number, "s_1": form.String} {
		at, err := u.AddKey("/m", name)
		u.does(err)
		if r := u.row(at); r.Type != kind {
			t.Errorf("%s is %+v", name, r)
		}
	}
	if notes := fmt.Sprint(u.row("/m").Notes); notes != "[keys that fit ^n_  ^s_]" {
		t.Errorf("the keys are said to be %s", notes)
	}
	if _, err := u.AddKey("/m", "other"); !errors.Is(err, form.ErrNotAllowed) {
		t.Errorf("a key was added: %v", err)
	}
}

// Data that looks like a reference is data.
func TestDataLikeReferences(t *testing.T) {
	u := properties(t, `"$ref":{"type":"string"},"tpl":{"const":{"$ref":"#/x"}},"d":{"type":"object","default":{"$ref":"nope"}}`)
	if r := u.row("/$ref"); r.Type != form.String || len(r.Notes) > 0 {
		t.Errorf("$ref is %+v", r)
	}
	if r := u.row("/tpl"); r.Type != form.Choice || len(r.Options) != 1 || r.Options[0].Raw != `{"$ref":"#/x"}` {
		t.Errorf("tpl is %+v", r)
	}
	u.does(u.Pick("/tpl", 0))
	u.does(u.FillDefault("/d"))
	u.sends(`{"tpl":{"$ref":"#/x"},"d":{"$ref":"nope"}}`)
	u.tells()
}

// Digits are what was typed.
func TestLargeNumbers(t *testing.T) {
	u := properties(t, `"id":{"type":"integer"}`)
	for _, digits := range []string{"9007199254740993", "123456789012345678901234567890", "-0", "1e3", "1.0"} {
		u.types("/id", digits)
		u.sends(`{"id":` + digits + `}`)
		if r := u.row("/id"); r.Text != digits || r.Foreign {
			t.Errorf("%s is %+v", digits, r)
		}
	}
	u.tells("/id: 1.0 is a whole number by JSON Schema; many readers take whole numbers without point and exponent alone")
	if p := u.Problems(); p[0].Level != form.Note {
		t.Errorf("it is %+v", p)
	}
	if next, ok := u.NextProblem(""); ok {
		t.Errorf("%s is a problem", next)
	}
}
