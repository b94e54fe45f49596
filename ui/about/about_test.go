package about_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"perch/engine/jsonread"
	"perch/engine/wasm"
	"perch/engine/wire"
	"perch/themes"
	"perch/ui/about"
	"perch/ui/cell"
)

func tool(t testing.TB, raw string) wire.Tool {
	t.Helper()
	doc, err := jsonread.Parse([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	v := doc.Root()
	return wire.Tool{Name: v.Get("name").String(), Description: v.Get("description").String(), HasDescription: v.Get("description").Kind() == jsonread.String,
		InputSchema: v.Get("inputSchema"), OutputSchema: v.Get("outputSchema"), Value: v, Raw: []byte(raw), Page: 1}
}

// mono is a look without colours.
var mono = sync.OnceValue(func() *cell.Look {
	th, err := themes.Load("mono")
	if err != nil {
		panic(err) // it is embedded
	}
	return cell.New(th, cell.Config{})
})

func screen(t testing.TB, v *about.View, w, h int) string {
	t.Helper()
	rows := v.Draw(mono(), w, h)
	if len(rows) != h {
		t.Fatalf("%d rows, want %d", len(rows), h)
	}
	var out []string
	for _, r := range rows {
		if n := ansi.StringWidth(r); n != w {
			t.Fatalf("%d cells, want %d: %q", n, w, r)
		}
		out = append(out, strings.TrimRight(ansi.Strip(r), " "))
	}
	return strings.Join(out, "\n")
}

const greet = `{"name":"greet","title":"For people","description":"Greet someone.","inputSchema":{"type":"object","properties":{"who":{"type":"string"}}},"outputSchema":{"type":"object"}}`

func TestWhatTheModelIsGiven(t *testing.T) {
	v := about.New(about.Subject{Name: "greeter", Tools: []wire.Tool{tool(t, greet), tool(t, `{"name":"bare"}`)}})
	got := screen(t, v, 90, 30)
	for _, want := range []string{"its name, its description and its inputSchema", "2 tools, ", "greet", "Greet someone.", `"who"`, "not given: title, outputSchema", "no description", "no inputSchema"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if strings.Contains(got, "For people") {
		t.Errorf("the title is given to the model:\n%s", got)
	}
	for range 4 {
		v.Do("nav.down")
	}
	text, ok := v.Copy()
	if want := `{"name":"greet","description":"Greet someone.","inputSchema":{"type":"object","properties":{"who":{"type":"string"}}}}`; !ok || text != want {
		t.Errorf("copied %q", text)
	}
}

func TestSchemasFold(t *testing.T) {
	v := about.New(about.Subject{Tools: []wire.Tool{tool(t, greet)}})
	for !strings.Contains(line(screen(t, v, 90, 30)), `"properties"`) {
		v.Do("nav.down")
	}
	if !v.Enters() || !v.Do("nav.in") {
		t.Fatal("enter does not fold")
	}
	if got := screen(t, v, 90, 30); strings.Contains(got, `"who"`) || !strings.Contains(got, "not given:") {
		t.Errorf("folded:\n%s", got)
	}
	if !v.Do("nav.right") || !strings.Contains(screen(t, v, 90, 30), `"who"`) {
		t.Error("it does not unfold")
	}
}

// line is the selected row.
func line(s string) string {
	_, rest, _ := strings.Cut(s, "❯")
	head, _, _ := strings.Cut(rest, "\n")
	return head
}

func TestLimits(t *testing.T) {
	v := about.New(about.Subject{Tools: []wire.Tool{tool(t, fmt.Sprintf(`{"name":"greet","description":%q,"inputSchema":{}}`, strings.Repeat("x", 1000)))}})
	v.Do("tab.next")
	got := screen(t, v, 90, 30)
	for _, want := range []string{"tools", "1/64", "description", "1,000/1,024", "█", "inputSchema"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

func TestModule(t *testing.T) {
	v := about.New(about.Subject{Module: &wasm.Report{Sections: []wasm.SectionRow{{Label: "code", Bytes: 4096}}, Exports: []wasm.ExportRow{{Name: "_start"}},
		Imports: []wasm.ImportRow{{Module: "env", Name: "x", Why: "env is not provided"}}}})
	v.SetTab(2)
	got := screen(t, v, 90, 30)
	for _, want := range []string{"✗ env.x", "env is not provided", "_start", "code", "4.0 KiB"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	none := about.New(about.Subject{})
	none.SetTab(2)
	if got := screen(t, none, 90, 5); !strings.Contains(got, "no module that can be read") {
		t.Errorf("got\n%s", got)
	}
}

// TestHostile: names and texts stay text, at any size.
func TestHostile(t *testing.T) {
	evil := `"\u001b]0;owned\u0007\u202eevil` + strings.Repeat("x", 4000) + `"`
	v := about.New(about.Subject{Name: "\x1b[2J", Tools: []wire.Tool{tool(t, `{"name":`+evil+`,"description":`+evil+`,"inputSchema":{"type":`+evil+`},`+evil+`:1}`), tool(t, `{"name":7,"inputSchema":[[[]]]}`)}})
	for _, w := range []int{1, 4, 40, 200} {
		for tab := range 3 {
			v.SetTab(tab)
			for _, h := range []int{1, 30} {
				if got := screen(t, v, w, h); strings.ContainsAny(got, "\x1b\a\u202e") {
					t.Errorf("a control character got through at %d", w)
				}
			}
		}
	}
}
