package ui

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"perch/engine/event"
)

// The tests in this file are pains that people had with forms elsewhere, by the
// keys of a person in the app.

// forms opens a package of tools with these inputSchemas; the first is selected.
func forms(t *testing.T, schemas ...string) hand {
	t.Helper()
	var tools []string
	for i, s := range schemas {
		tools = append(tools, fmt.Sprintf(`{"name":"t%d","description":"A tool.","inputSchema":%s}`, i+1, s))
	}
	a := quietApp(t, 120, 40)
	openNow(t, a, scripted(t, listing(tools...)))
	return hand{t, a}
}

func (u hand) types(text string) {
	for _, r := range text {
		u.a.Update(keyMsg(string(r)))
	}
}

func (u hand) sees(want ...string) {
	u.Helper()
	screen := ansi.Strip(strings.Join(u.a.rows(), "\n"))
	for _, w := range want {
		if !strings.Contains(screen, w) {
			u.Errorf("the screen does not show %q:\n%s", w, screen)
		}
	}
}

// runs makes the call and returns the line that the module got, without its id.
func (u hand) runs(key string) string {
	u.Helper()
	_, cmd := u.a.Update(keyMsg(key))
	settle(u.T, u.a, cmd, func() bool { return u.a.session.live == nil })
	stdin := u.a.session.bench.Record.Last().Stream(event.Stdin)
	line, _ := stdin.Line(1)
	request := stdin.Bytes(line.Offset, int(line.Len))
	_, params, ok := bytes.Cut(request, []byte(`"params":`))
	if !ok {
		u.Fatalf("the module got %s", request)
	}
	return string(params)
}

// TestWhatIsTypedIsSent: nothing is put in that nobody typed, digits stay, and a
// second run sends the same bytes.
func TestWhatIsTypedIsSent(t *testing.T) {
	u := forms(t, `{"type":"object","properties":{"id":{"type":"integer"},"page":{"type":"object","properties":{"size":{"type":"integer"}}},"tags":{"type":"array"},"n":{"type":"integer","default":20}},"required":["id"]}`)
	u.keys("enter")
	u.types("9007199254740993")
	u.sees(`sends {"id":9007199254740993}`, "integer · default 20")
	first := u.runs("ctrl+r")
	if !strings.Contains(first, `"arguments":{"id":9007199254740993},`) {
		t.Errorf("sent is %s", first)
	}
	u.keys("esc")
	if again := u.runs("r"); again != first {
		t.Errorf("sent is %s, then %s", first, again)
	}
	u.sees("▏9007199254740993")
}

// TestGroupsThatAreEmptied: whether {} stays is asked for.
func TestGroupsThatAreEmptied(t *testing.T) {
	u := forms(t, `{"type":"object","properties":{"page":{"type":"object","properties":{"cursor":{"type":"string"}},"required":["cursor"]}}}`)
	u.keys("2", "g", "right", "down", "enter")
	u.types("c")
	u.keys("esc", "x")
	u.sees("page has no members now", `sends {"page":{}}`, "keep {}")
	u.keys("enter")
	u.sees(`sends {"page":{}}`)
	u.keys("ctrl+z", "x", "x")
	u.sees("sends {} ")
	u.keys("ctrl+z", "ctrl+z")
	u.sees(`sends {"page":{"cursor":"c"}}`)
}

// TestToolsWithoutArguments: enter goes to Run, which sends {}.
func TestToolsWithoutArguments(t *testing.T) {
	u := forms(t, `{"type":"object"}`, `{"type":"object","additionalProperties":false}`)
	for range 2 {
		u.keys("enter")
		if !u.a.args.OnRun() {
			t.Error("Run is not selected")
		}
		if got := u.runs("enter"); !strings.Contains(got, `"arguments":{},`) {
			t.Errorf("sent is %s", got)
		}
		u.keys("1", "down")
	}
	u.keys("2")
	u.sees("No fields: the tool takes no arguments.")
}

// TestPastedLines: line ends are what they are, and CR LF is a choice.
func TestPastedLines(t *testing.T) {
	u := forms(t, `{"type":"object","properties":{"body":{"type":"string"}}}`)
	u.keys("enter")
	u.a.Update(tea.PasteMsg{Content: "a\rb\r\rc\t "}) // a terminal sends CR for a line feed
	u.sees(`sends {"body":"a\nb\n\nc\t "}`, "▏a ", "▏b ")
	u.keys("ctrl+z")
	u.a.Update(tea.PasteMsg{Content: "a\r\nb\r\n"})
	u.sees("2 line ends of CR LF", `sends {"body":"a\nb\n"}`)
	u.keys("esc")
	u.sees(`sends {"body":"a\nb\n"}`)
	u.keys("ctrl+z")
	u.a.Update(tea.PasteMsg{Content: "a\r\nb\r\n"})
	u.keys("c")
	u.sees(`sends {"body":"a\r\nb\r\n"}`)
}

// TestBranchesAtTheTop: fields follow the branch, and what fits two is told and
// sent all the same.
func TestBranchesAtTheTop(t *testing.T) {
	u := forms(t, `{"type":"object","oneOf":[{"title":"By id","properties":{"id":{"type":"integer"}},"required":["id"]},{"title":"By name","properties":{"name":{"type":"string"}},"required":["name"]}]}`)
	u.keys("enter")
	u.types("7")
	u.sees("[By id] · By name", `sends {"id":7}`)
	u.keys("esc", "g", "enter", "down", "enter", "down", "enter")
	u.types("a")
	u.sees("By id · [By name]", `sends {"name":"a"}`)
	u.keys("esc", "g", "enter", "up", "enter")
	u.sees(`sends {"id":7}`)
	u.keys("ctrl+f", "enter", "ctrl+e")
	u.types(`,"name":"a"`)
	u.sees("fits two branches of oneOf")
	if got := u.runs("ctrl+r"); !strings.Contains(got, `"arguments":{"id":7,"name":"a"},`) {
		t.Errorf("sent is %s", got)
	}
	u.sees("sent with 1 problem by the schema")
}
