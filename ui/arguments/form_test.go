package arguments_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perch/engine/jsonread"
	"perch/engine/wire"
	"perch/inspect/schema/sample"
	"perch/themes"
	"perch/ui/arguments"
	"perch/ui/cell"
	"perch/ui/edit"
)

// person writes arguments as one does: by commands and keys, looking at the
// screen in between.
type person struct {
	t testing.TB
	*arguments.Pane
	k *cell.Look
}

func open(t testing.TB, schema, text string) *person {
	t.Helper()
	theme, err := themes.Load("mono")
	if err != nil {
		t.Fatal(err)
	}
	u := &person{t, arguments.New(), cell.New(theme, cell.ConfigFrom(func(string) string { return "" }))}
	u.Show(toolOf(t, schema), func() string { return text })
	return u
}

func toolOf(t testing.TB, schema string) wire.Tool {
	t.Helper()
	doc, err := jsonread.Parse([]byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	return wire.Tool{Name: "tool", InputSchema: doc.Root(), Raw: []byte(schema)}
}

// sees is the pane as text.
func (u *person) sees(w, h int) string {
	var rows []string
	for _, row := range u.View(u.k, w, h, true) {
		rows = append(rows, strings.TrimRight(plain(row), " "))
	}
	return strings.Join(rows, "\n")
}

// plain is a row without escape sequences.
func plain(row string) string {
	var b strings.Builder
	for i := 0; i < len(row); i++ {
		if row[i] != 0x1b {
			b.WriteByte(row[i])
			continue
		}
		for i < len(row) && row[i] != 'm' {
			i++
		}
	}
	return b.String()
}

func (u *person) types(text string) {
	u.t.Helper()
	if u.Input() == nil {
		u.t.Fatalf("there is no caret:\n%s", u.sees(60, 24))
	}
	for _, r := range text {
		u.Input().Key(string(r), string(r))
		u.Changed()
	}
}

func (u *person) does(ids ...string) {
	u.t.Helper()
	for _, id := range ids {
		if !u.Do(id) {
			u.t.Errorf("%s does nothing", id)
		}
		if said := u.Said(); said != "" {
			u.t.Errorf("%s says %q", id, said)
		}
	}
}

func (u *person) sends(want string) {
	u.t.Helper()
	if got, err := u.Sends(); err != nil || string(got) != want {
		u.t.Errorf("it sends %s (%v), want %s", got, err, want)
	}
}

func (u *person) takes(label string) {
	u.t.Helper()
	m, ok := u.Menu()
	for _, o := range m.Items {
		if ok && (o.Text == label || o.Own == label) {
			u.Take(o)
			return
		}
	}
	u.t.Fatalf("the menu has no %q: %+v", label, m)
}

const order = `{"type":"object","required":["name","n"],"properties":{
	"name":{"type":"string","description":"Who it is for."},
	"n":{"type":"integer","minimum":1,"default":2},
	"style":{"enum":["plain","warm"],"default":"plain"},
	"fast":{"type":"boolean","default":false},
	"note":{"type":["string","null"]},
	"lines":{"type":"array","items":{"type":"object","properties":{"sku":{"type":"string"},"qty":{"type":"integer"}}}},
	"days":{"type":"array","items":{"enum":["mon","tue"]},"uniqueItems":true},
	"pay":{"oneOf":[{"title":"card","type":"object","required":["number"],"properties":{"number":{"type":"string"}}},
		{"title":"bill","type":"object","properties":{"vat":{"type":"string"}}}]}}}`

// TestUntouchedIsNotSent: what was not touched is not sent, whatever its
// default; each state is told.
func TestUntouchedIsNotSent(t *testing.T) {
	u := open(t, order, "{}")
	screen := u.sees(60, 40)
	for _, want := range []string{"name *", "· left out", "string", `default "plain"`, "default false", "Who it is for.",
		"sends {}", "2 B", "2 fields required here", "Run tool"} {
		if !strings.Contains(screen, want) {
			t.Errorf("the form does not show %q:\n%s", want, screen)
		}
	}
	u.sends("{}")
	u.Enter()
	u.sends("{}") // the caret alone sends nothing
	u.types("Ada")
	u.sends(`{"name":"Ada"}`)
	for range 3 {
		u.Input().Backspace()
		u.Changed()
	}
	u.sends(`{"name":""}`)
	u.does("args.leave_out")
	u.sends("{}")
}

func TestFieldsByKeys(t *testing.T) {
	u := open(t, order, "{}")
	u.TypeFirst()
	u.types("Ada")
	u.Accept()
	u.types("9007199254740993")
	u.sends(`{"name":"Ada","n":9007199254740993}`)
	if u.Accept(); u.Accept() != arguments.Choose {
		t.Fatal("enter on a choice that is left out does not open it")
	}
	u.takes(`"warm"`)
	u.sends(`{"name":"Ada","n":9007199254740993,"style":"warm"}`)
	u.types("true") // the caret went on
	u.sends(`{"name":"Ada","n":9007199254740993,"style":"warm","fast":true}`)
	u.does("type.next_field", "args.null")
	u.sends(`{"name":"Ada","n":9007199254740993,"style":"warm","fast":true,"note":null}`)
	if !u.Out() || u.Input() != nil {
		t.Error("esc does not end typing")
	}
	if screen := u.sees(60, 40); !strings.Contains(screen, "∅ null") {
		t.Errorf("null is not told:\n%s", screen)
	}
	u.does("type.undo", "type.undo")
	u.sends(`{"name":"Ada","n":9007199254740993,"style":"warm"}`)
	u.does("type.redo")
	u.sends(`{"name":"Ada","n":9007199254740993,"style":"warm","fast":true}`)
}

func TestListsAndMaps(t *testing.T) {
	u := open(t, order, "{}")
	goTo(u, "lines")
	u.Toggle() // unfold
	goTo(u, "+ add a row")
	u.Enter()
	u.does("nav.down")
	u.Enter()
	u.types("TEA")
	u.sends(`{"lines":[{"sku":"TEA"}]}`)
	u.Out()
	u.does("nav.up", "args.duplicate", "nav.right")
	u.Enter()
	u.types("-2")
	u.sends(`{"lines":[{"sku":"TEA"},{"sku":"TEA-2"}]}`)
	u.Out()
	u.does("nav.left", "args.move_up")
	u.sends(`{"lines":[{"sku":"TEA-2"},{"sku":"TEA"}]}`)
	u.does("args.leave_out")
	u.sends(`{"lines":[{"sku":"TEA"}]}`)

	u = open(t, `{"type":"object","additionalProperties":{"type":"integer"}}`, "{}")
	u.Enter()
	u.types("a/b")
	u.Accept()
	u.types("7")
	u.sends(`{"a/b":7}`)
}

func TestBranchesKeepDrafts(t *testing.T) {
	u := open(t, order, `{"pay":{"number":"42"}}`)
	goTo(u, "pay")
	if screen := u.sees(60, 40); !strings.Contains(screen, "[card] · bill") {
		t.Errorf("the branches are not told:\n%s", screen)
	}
	u.takes("bill")
	u.sends(`{"pay":{}}`)
	u.takes("card")
	u.sends(`{"pay":{"number":"42"}}`)
}

func TestSeveralOfAList(t *testing.T) {
	u := open(t, order, "{}")
	goTo(u, "days")
	u.takes(`"tue"`)
	u.takes(`"mon"`)
	u.sends(`{"days":["tue","mon"]}`)
	u.takes(`"tue"`)
	u.sends(`{"days":["mon"]}`)
}

// goTo selects the row that begins with a label.
func goTo(u *person, label string) {
	u.t.Helper()
	u.Do("nav.top")
	for range 60 {
		for _, row := range strings.Split(u.sees(60, 60), "\n") {
			if rest, ok := strings.CutPrefix(row, "❯"); ok && strings.HasPrefix(strings.TrimLeft(rest, " ▾▸"), label) {
				return
			}
		}
		u.Do("nav.down")
	}
	u.t.Fatalf("there is no row %q:\n%s", label, u.sees(60, 60))
}

// TestWrongValues: they are told at the field, all at once, walked, and sent
// all the same.
func TestWrongValues(t *testing.T) {
	u := open(t, order, `{"name":7,"n":-1,"fast":true}`)
	screen := u.sees(60, 40)
	if strings.Count(screen, "✗ ") < 3 || !strings.Contains(screen, "2 problems, ctrl+g next. Subako sends as is.") {
		t.Errorf("not all that is wrong is told:\n%s", screen)
	}
	u.sends(`{"name":7,"n":-1,"fast":true}`)
	u.SelectRun()
	for i, want := range []string{"7", "-1"} {
		if !u.NextProblem(false) || u.Input() == nil || u.Input().Text() != want {
			t.Fatalf("problem %d is not gone to", i)
		}
	}
	if u.NextProblem(false) {
		t.Error("there is a problem behind the last one")
	}
	u.SetTab(int(arguments.JSON))
	if screen := u.sees(60, 20); !strings.Contains(screen, "✗ 1") && !strings.Contains(screen, "✗ 2") {
		t.Errorf("the text has no marks:\n%s", screen)
	}
}

// TestTextAndForm: what was typed as text stays byte for byte; the form
// follows, and waits while it is no JSON.
func TestTextAndForm(t *testing.T) {
	u := open(t, order, "{}")
	u.SetTab(int(arguments.JSON))
	u.Type()
	u.Input().SetText(`{ "name" :"Ada",  "n": 1.0e0 , "x":[1,2]}`)
	u.Changed()
	u.SetTab(int(arguments.Form))
	goTo(u, "fast")
	u.Toggle()
	if got, want := u.Text(), `{ "name" :"Ada",  "n": 1.0e0,  "fast":true , "x":[1,2]}`; got != want {
		t.Errorf("the text is %s, want %s", got, want)
	}
	u.SetTab(int(arguments.JSON))
	u.Type()
	u.Input().SetText(`{"name":"Ad`)
	u.Changed()
	u.Out()
	u.SetTab(int(arguments.Form))
	u.Do("nav.top")
	u.Enter()
	if said := u.Said(); !strings.Contains(said, "the form waits") || u.Input() != nil {
		t.Errorf("the form of a text that is no JSON says %q", said)
	}
	if screen := u.sees(60, 30); !strings.Contains(screen, "cannot send: not JSON at byte 11") {
		t.Errorf("where it is not JSON is not told:\n%s", screen)
	}
}

func TestSuggestionsInTheText(t *testing.T) {
	u := open(t, order, "{}")
	u.SetTab(int(arguments.JSON))
	u.Type()
	u.types(`"st`)
	if screen := u.sees(60, 20); !strings.Contains(screen, "style") {
		t.Errorf("the key is not suggested:\n%s", screen)
	}
	u.does("edit.accept")
	u.types(`"wa`)
	u.does("edit.accept")
	u.sends(`{"style": "warm"}`)
}

func TestFilter(t *testing.T) {
	u := open(t, order, `{"n":0}`)
	u.does("find.open")
	u.types(":wrong")
	screen := u.sees(60, 30)
	if !strings.Contains(screen, " n *") || strings.Contains(screen, "style") {
		t.Errorf("the filter shows\n%s", screen)
	}
	u.Out()
	u.Out()
	if !strings.Contains(u.sees(60, 40), "style") {
		t.Error("esc does not show all rows again")
	}
}

// TestClicks: a click on a value types there, on a sign of a menu it opens it,
// on Run it runs.
func TestClicks(t *testing.T) {
	u := open(t, order, "{}")
	rows := strings.Split(u.sees(60, 40), "\n")
	for y, row := range rows {
		x := max(strings.Index(row, "·"), 12)
		switch ask := arguments.Nothing; {
		case strings.Contains(row, "name *"):
			if u.Click(u.k, x, y); u.Input() == nil {
				t.Error("a click on a value does not type there")
			}
		case strings.Contains(row, "style"):
			if ask = u.Click(u.k, 57, y); ask != arguments.Choose {
				t.Errorf("a click on ▾ asks for %d", ask)
			}
		case strings.Contains(row, "Run tool"):
			if ask = u.Click(u.k, 5, y); ask != arguments.Run {
				t.Errorf("a click on Run asks for %d", ask)
			}
		}
		u.sees(60, 40)
	}
}

// TestToolsOfTheField: every tool opens in the pane at each size, is filled in
// and sent as it is.
func TestToolsOfTheField(t *testing.T) {
	files, err := filepath.Glob("../../inspect/schema/testdata/tools/*/*.json")
	if err != nil || len(files) != 117 {
		t.Fatalf("%d tools: %v", len(files), err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		doc, perr := jsonread.Parse(text)
		if perr != nil {
			t.Fatal(perr)
		}
		v := doc.Root().Get("inputSchema")
		u := open(t, string(v.Raw()), "{}")
		base := filepath.Base(name)
		for _, size := range [][2]int{{38, 8}, {48, 20}, {72, 32}} {
			block := u.View(u.k, size[0], size[1], true)
			if len(block) != size[1] {
				t.Errorf("%s: %d rows of %d", base, len(block), size[1])
			}
			for _, row := range block {
				if n := u.k.Measure(plain(row)); n != size[0] {
					t.Errorf("%s: a row of %d cells, not %d: %q", base, n, size[0], plain(row))
				}
			}
		}
		minimal := sample.Minimal(v)
		u.Fill(string(minimal))
		if u.Problems() != 0 {
			t.Errorf("%s: the minimal sample has %d problems", base, u.Problems())
		}
		u.sends(string(minimal))
		for range 30 {
			u.sees(48, 20)
			u.Do("nav.down")
		}
	}
}

// large is a schema of n fields, with a value for each.
func large(n int) (schema, text string) {
	var props, values []string
	for i := range n {
		props = append(props, fmt.Sprintf(`"field_%d":{"type":"string","description":"What the field of number %d is for, in a sentence."}`, i, i))
		values = append(values, fmt.Sprintf(`"field_%d":"value %d"`, i, i))
	}
	return `{"type":"object","properties":{` + strings.Join(props, ",") + `}}`, `{` + strings.Join(values, ",") + `}`
}

// BenchmarkKey types into a form of 100 fields and draws it.
func BenchmarkKey(b *testing.B) {
	schema, text := large(100)
	u := open(b, schema, text)
	u.does("nav.page_down", "nav.page_down")
	u.Enter()
	var ed *edit.Editor
	for b.Loop() {
		if ed = u.Input(); ed.Size() > 40 {
			ed.SetText("")
		}
		ed.Key("a", "a")
		u.Changed()
		u.View(u.k, 72, 32, true)
	}
}

// BenchmarkRow walks through a form of 100 fields.
func BenchmarkRow(b *testing.B) {
	schema, text := large(100)
	u := open(b, schema, text)
	down := true
	for b.Loop() {
		if u.OnRun() {
			down = !down
			u.Do("nav.top")
		}
		u.Do("nav.down")
		u.View(u.k, 72, 32, true)
	}
}
