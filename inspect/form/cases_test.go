package form_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"perch/inspect/form"
	"perch/inspect/schema"
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
		at = next
	}
	u.sends(`{"root":{"v":"0","kids":[{"v":"1","kids":[{"v":"2","kids":[{}]}]}]}}`)
	u.tells()
	if took := time.Since(start); took > 5*time.Second {
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
	if fmt.Sprint(raws) != `[1 2 "max" null true]` || r.Words != "1 · 2 · max · null · true" {
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
