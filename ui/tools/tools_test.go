package tools_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/engine/wire"
	"perch/inspect/rules"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/tools"
)

// screen draws the pane; runs of blanks are one in what it returns.
func screen(t *testing.T, p *tools.Pane, w, h int) string {
	t.Helper()
	th, err := themes.Load("mono")
	if err != nil {
		t.Fatal(err)
	}
	rows := p.View(cell.New(th, cell.Config{}), w, h, true)
	if len(rows) != h {
		t.Fatalf("%d rows, want %d", len(rows), h)
	}
	var out []string
	for _, r := range rows {
		if n := ansi.StringWidth(r); n != w {
			t.Fatalf("%d cells, want %d: %q", n, w, r)
		}
		out = append(out, strings.Join(strings.Fields(ansi.Strip(r)), " "))
	}
	return strings.Join(out, "\n")
}

// listed are tools as tools/list has them, one behind the other in a line.
func listed(t *testing.T, names ...string) []wire.Tool {
	t.Helper()
	var out []wire.Tool
	at := int64(0)
	for i, name := range names {
		raw := fmt.Sprintf(`{"name":%q,"description":%q,"inputSchema":{"type":"object"}}`, name, strings.Repeat("d", 900))
		doc, err := jsonread.Parse([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, wire.Tool{Name: name, Description: strings.Repeat("d", 900), HasDescription: true, InputSchema: doc.Root().Get("inputSchema"),
			Raw: []byte(raw), Page: 1, Index: i, Where: event.Where{Stream: event.Stdout, Line: 2, Offset: at, End: at + int64(len(raw))}})
		at += int64(len(raw)) + 1
	}
	return out
}

func TestMarks(t *testing.T) {
	all := listed(t, "one", "two", "three")
	at := func(rule abi.RuleID, w event.Where, tool string) rules.Finding {
		f := rules.Of(event.Breach{Rule: rule, Where: w})
		f.Tool = tool
		return f
	}
	inTwo := all[1].Where
	inTwo.Offset += 10
	found := []rules.Finding{
		at(abi.ToolShape, inTwo, ""), at(abi.SchemaValid, inTwo, ""), at(abi.SchemaDefault, inTwo, ""),
		at(abi.ToolName, event.Where{}, "three"), at(abi.SchemaValid, event.Where{}, "three"),
		at(abi.ModuleToolchain, event.Where{}, "one"), at(abi.CacheHints, event.Where{Stream: event.Stdout, Line: 2, Offset: 99999}, ""),
	}
	marks := tools.Marks(all, found)
	for i, want := range []tools.Mark{{}, {Severity: abi.Warning, Count: 2}, {Severity: abi.Error, Count: 1}} {
		if marks[i] != want {
			t.Errorf("%s has %+v, want %+v", all[i].Name, marks[i], want)
		}
	}
	several := at(abi.ToolSchemaObject, all[0].Where, "")
	several.Tools, several.Also = []string{"one", "three"}, []event.Where{inTwo}
	for i, m := range tools.Marks(all, []rules.Finding{several}) {
		if m.Count != 1 || m.Severity != abi.Error {
			t.Errorf("tool %d of several with one fault has %+v", i+1, m)
		}
	}
	p := tools.New()
	p.Set(all)
	p.Mark(marks)
	p.Select("two")
	got := screen(t, p, 30, 40)
	for _, want := range []string{"one ✓", "❯two ▲2", "three ✗1", "found ▲ 2 warnings"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	p.Called("two", event.Broken)
	got = screen(t, p, 30, 40)
	for _, want := range []string{"❯two ▲2 ✗", "one ✓", "last call ✗ broken"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

// TestBudgets: a bar stands where it gets tight, and never is a number cut.
func TestBudgets(t *testing.T) {
	p := tools.New()
	p.Set(listed(t, "one", "two"))
	for _, w := range []int{18, 22, 28, 60} {
		got := screen(t, p, w, 60)
		if !strings.Contains(got, "900") || !strings.Contains(got, "█") || strings.Contains(got, "900…") {
			t.Errorf("at %d:\n%s", w, got)
		}
		if n := strings.Count(got, "█"); n == 0 || n > w {
			t.Errorf("at %d the bar has %d cells", w, n)
		}
	}
	if got := screen(t, p, 28, 60); !strings.Contains(got, "name 3/64") || !strings.Contains(got, "/1,024") {
		t.Errorf("got\n%s", got)
	}
}

// TestFieldsBehindReferences: the type of a field is what its reference names.
func TestFieldsBehindReferences(t *testing.T) {
	doc, err := jsonread.Parse([]byte(`{"type":"object","properties":{
		"tree":{"$ref":"#/$defs/node"},"list":{"type":"array","items":{"$ref":"#/$defs/name"}},
		"loop":{"$ref":"#/$defs/loop"},"out":{"$ref":"https://example.com/x"},"none":{"$ref":"#/$defs/gone"}},
		"$defs":{"node":{"properties":{"v":{}}},"name":{"$ref":"#/$defs/text"},"text":{"type":"string"},"loop":{"$ref":"#/$defs/loop"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range tools.Fields(doc.Root(), 8) {
		got = append(got, f.Name+" "+f.Type)
	}
	if want := "tree object, list string[], loop any, out any, none any"; strings.Join(got, ", ") != want {
		t.Errorf("%s, want %s", strings.Join(got, ", "), want)
	}
}
