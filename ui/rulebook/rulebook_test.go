package rulebook_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"perch/engine/abi"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/rulebook"
)

func look(t *testing.T, ascii bool) *cell.Look {
	t.Helper()
	th, err := themes.Load("mono")
	if err != nil {
		t.Fatal(err)
	}
	return cell.New(th, cell.Config{ASCII: ascii})
}

// screen draws the page; each row is exactly w cells.
func screen(t *testing.T, v *rulebook.View, w, h int) string {
	t.Helper()
	k := look(t, false)
	rows := v.Draw(k, w, h)
	if len(rows) != h {
		t.Fatalf("%d rows, want %d", len(rows), h)
	}
	var out []string
	for i, r := range rows {
		if n := ansi.StringWidth(r); n != w {
			t.Fatalf("row %d has %d cells, want %d: %q", i, n, w, ansi.Strip(r))
		}
		out = append(out, strings.TrimRight(ansi.Strip(r), " "))
	}
	return strings.Join(out, "\n")
}

func has(t *testing.T, got string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(got, w) {
			t.Errorf("%q is not in\n%s", w, got)
		}
	}
}

func typed(v *rulebook.View, text string) {
	for _, r := range text {
		v.Input().Key(string(r), string(r))
		v.Changed()
	}
}

func TestAllRulesByPhase(t *testing.T) {
	v := rulebook.New("", nil)
	got := screen(t, v, 120, 400)
	for _, r := range abi.Rules() {
		name := string(r.ID)
		if len(name) > 26 {
			name = name[:25]
		}
		if !strings.Contains(got, name) {
			t.Errorf("%s is not listed", r.ID)
		}
	}
	has(t, got, "package  ", "wire  ", "probe  ", "❯ ✗ package/manifest-missing", "rule  ", "why   ", "from  ")
}

func TestOpenedAtARule(t *testing.T) {
	v := rulebook.New(abi.LifeStall, nil)
	has(t, screen(t, v, 120, 30), "❯ ✗ life/stall", "life/stall  Subako · error · breaks the run")
	if v.Out() {
		t.Error("esc leads to a list that was not there")
	}
	// Where there is room for one of them, it is what was asked for; left leads
	// to the list.
	narrow := rulebook.New(abi.LifeStall, nil)
	got := screen(t, narrow, 80, 20)
	has(t, got, "life/stall  Subako")
	if strings.Contains(got, "life/trap") {
		t.Errorf("the list is shown:\n%s", got)
	}
	if narrow.Enters() {
		t.Error("enter is offered where nothing is left to enter")
	}
	if !narrow.Do("nav.left") {
		t.Error("left leads nowhere")
	}
	has(t, screen(t, narrow, 80, 20), "❯ ✗ life/stall", "life/trap")
	if !narrow.Enters() || !narrow.Do("nav.in") || !narrow.Out() {
		t.Error("in and out again")
	}
}

func TestFilter(t *testing.T) {
	v := rulebook.New("", nil)
	v.Do("find.open")
	if v.Input() == nil {
		t.Fatal("no caret")
	}
	typed(v, "utf-8 stdout")
	got := screen(t, v, 120, 20)
	has(t, got, "frame/utf8")
	if strings.Contains(got, "module/start-missing") {
		t.Errorf("what does not fit is listed:\n%s", got)
	}
	has(t, ansi.Strip(mustTitle(t, v)), "typing", " of 1")
	v.Do("type.accept")
	if v.Input() != nil {
		t.Error("enter did not take the caret away")
	}
	v.Do("find.open")
	typed(v, " nothing of that kind")
	has(t, screen(t, v, 120, 20), "No rule has these words")
	if _, ok := v.Copy(); ok || v.Enters() {
		t.Error("something is selected")
	}
	v.Out()
	if !v.Out() || !strings.Contains(screen(t, v, 120, 200), "life/stall") {
		t.Error("esc does not show all again")
	}
	if v.Out() {
		t.Error("there is another step out")
	}
}

func mustTitle(t *testing.T, v *rulebook.View) string {
	t.Helper()
	row, _ := look(t, false).Title(v.Title(), 120)
	return row
}

func TestKeysAreTheSecondTab(t *testing.T) {
	v := rulebook.New(abi.FrameJSON, []rulebook.Key{{Text: "Findings", Head: true}, {Text: "K   Kinds"}, {Text: "d   Debug", Why: "there is none"}, {Text: "Explore", Head: true}})
	v.Do("tab.next")
	has(t, screen(t, v, 80, 12), "Findings", "  K   Kinds", "d   Debug  · there is none", "Explore")
	v.Do("tab.prev")
	has(t, screen(t, v, 80, 12), "frame/json")
}

func TestCopy(t *testing.T) {
	v := rulebook.New(abi.FrameJSON, nil)
	text, ok := v.Copy()
	if !ok || !strings.HasPrefix(text, "frame/json, Subako, error, breaks the run\n") {
		t.Errorf("copied %q", text)
	}
}

func TestSizesAndMouse(t *testing.T) {
	v := rulebook.New(abi.FrameJSON, []rulebook.Key{{Text: "x"}})
	for _, w := range []int{1, 10, 40, 80, 99, 100, 120, 200} {
		for _, h := range []int{1, 2, 5, 40} {
			for range 2 {
				screen(t, v, w, h)
				v.Click(w-1, h-1)
				v.Click(0, 0)
				v.Wheel(w-1, 3)
				v.Wheel(0, -3)
				if x, y, ok := v.Cursor(); ok && (x >= w || y >= h) {
					t.Errorf("the cursor is at %d,%d of %dx%d", x, y, w, h)
				}
				v.Do("tab.next")
			}
		}
	}
}
