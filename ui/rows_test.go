package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

var sizes = [][2]int{{1, 1}, {10, 3}, {36, 8}, {40, 10}, {40, 60}, {80, 15}, {80, 24}, {99, 43}, {80, 50}, {100, 28}, {120, 40}, {160, 40}, {200, 60}, {250, 80}, {500, 200}}

// exact holds that the frame has exactly the terminal's rows, each exactly as
// wide as it is, without anything that is not text or colour.
func exact(t *testing.T, a *App, what string) {
	t.Helper()
	for _, s := range sizes {
		a.Update(tea.WindowSizeMsg{Width: s[0], Height: s[1]})
		rows := a.rows()
		if len(rows) != s[1] {
			t.Errorf("%s at %dx%d has %d rows", what, s[0], s[1], len(rows))
		}
		for y, row := range rows {
			if n := ansi.StringWidth(row); n != s[0] {
				t.Fatalf("%s at %dx%d: row %d has %d cells: %q", what, s[0], s[1], y, n, ansi.Strip(row))
			}
			if plain := ansi.Strip(row); strings.ContainsAny(plain, "\x1b\a\b\r\n\t\u202e\u009b") {
				t.Fatalf("%s: row %d holds a control character: %q", what, y, plain)
			}
		}
		if v := a.View(); v.Cursor != nil && (v.Cursor.X >= s[0] || v.Cursor.Y >= s[1]) {
			t.Errorf("%s at %dx%d: the cursor is at %d,%d", what, s[0], s[1], v.Cursor.X, v.Cursor.Y)
		}
	}
}

func TestRowsAreExact(t *testing.T) {
	a := quietApp(t, 80, 24)
	exact(t, a, "Open")
	a.Update(keyMsg("/"))
	exact(t, a, "Open with a filter")
	a.Update(keyMsg("esc"))
	for _, c := range []string{"?", ":", "T", "ctrl+x", "ctrl+o"} {
		a.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
		a.View()
		a.Update(keyMsg(c))
		exact(t, a, "Open under "+c)
		a.Update(keyMsg("esc"))
	}
	openNow(t, a, "sample:mischief")
	exact(t, a, "Explore at rest")
	for _, digit := range []int{1, 2, 3, 4, 5, 6, 7, 8, paneFindings} {
		a.goTo(digit)
		for _, zoom := range []bool{false, true} {
			for _, detail := range []bool{false, true} {
				a.zoom, a.detail = zoom, detail
				exact(t, a, fmt.Sprintf("pane %d, zoom %v, detail %v", digit, zoom, detail))
			}
		}
	}
	a.zoom, a.detail = false, false
}

func TestRowsOfEveryOutcome(t *testing.T) {
	a := quietApp(t, 120, 40)
	openNow(t, a, "sample:mischief")
	for _, tool := range []string{"log_line", "utf8", "exit_3", "trap", "error_answer"} {
		if !a.tools.Select(tool) {
			continue
		}
		a.showTool()
		callNow(t, a)
		exact(t, a, tool)
	}
	openNow(t, a, "sample:mischief:import_emscripten")
	if a.at != inCheck {
		t.Fatalf("a module that cannot run is shown in view %d", a.at)
	}
	exact(t, a, "Check")
	a.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	a.View()
	a.Update(keyMsg("enter"))
	exact(t, a, "the bytes in Check")
	a.Update(keyMsg("?"))
	exact(t, a, "the rules")
	a.Update(keyMsg("]"))
	exact(t, a, "the keys")
}

// callNow runs the selected tool and waits for what comes of it.
func callNow(t *testing.T, a *App) {
	t.Helper()
	settle(t, a, a.do("run.call"), func() bool { return a.session.live == nil })
}
