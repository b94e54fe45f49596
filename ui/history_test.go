package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perch/ui/uitest"
)

// runTo presses keys that make a call, and waits until call n of a tool has
// ended.
func runTo(d *uitest.Driver, n string, keys ...string) {
	d.Press(keys...)
	d.WaitFor("call "+n, func(s uitest.Screen) bool {
		return s.Contains("call "+n+" ") && !s.Contains("» running") && !strings.Contains(s.Line(0), "» ")
	})
}

// threeCalls makes three calls of greet: as it is, with another style, and one
// that is a tool error.
func threeCalls(t *testing.T, w, h int) *uitest.Driver {
	t.Helper()
	d, _ := start(t, "sample:greeter", w, h)
	accepted(d)
	runTo(d, "1", "r")
	d.Press("2", "s", "2")
	d.WaitForText(`"style":"warm"`)
	runTo(d, "2", "r")
	d.Press("s", "4")
	d.WaitForText(`{"name":""}`)
	runTo(d, "3", "r")
	d.Press("H")
	d.WaitForText("History of greeter", "4 runs of this session", "discover, list", "✓ accepted")
	return d
}

// TestHistory: the calls with what came of them; one is marked, compared, sent
// again, edited, removed.
func TestHistory(t *testing.T) {
	d := threeCalls(t, 120, 40)
	d.WaitForText("▲ tool error", `name ""`, "Call 3 of greet", "c compares it with call 2")
	d.Press("down", "c")
	d.WaitForText("call 1 ↔ 2", "[All]", "~ model", "left out", `"warm"`, "in neither call: HTTP, files, stderr")
	d.Press("n", "n")
	d.WaitForText("❯~")
	d.Press("enter")
	d.WaitForText("Dear Ada")
	d.Press("]")
	d.WaitForText("[Arguments]", "+ arguments /style")
	d.Press("]", "]", "]")
	d.WaitForText("[HTTP]", "No difference by value in HTTP.", "in neither call: HTTP")
	d.Press("esc")
	d.WaitForText("Call 2 of greet")
	// Marked, it is what others are compared with.
	d.Press("space", "up", "c")
	d.WaitForText("call 2 ↔ 3", "tool_error", "• marked")
	d.Press("esc", "/")
	d.Type("error")
	d.WaitForText("1 of 4 runs")
	d.Press("enter", "esc")
	d.WaitForText("4 runs of this session")
	// Again, and again with changes.
	d.Press("r")
	d.WaitForText("Call 4 of greet", "5 runs of this session")
	d.Press("down", "down", "e")
	d.WaitForText("as they were sent", `sends {"name":"Ada","style":"warm"}`)
	d.Press("H", "G")
	d.WaitForText("Upload run")
	d.Press("x")
	d.WaitForText("the upload run stays")
	d.Press("up", "x")
	d.WaitForText("Remove this call from the list?", "Call 1 of greet")
	d.Press("n")
	d.WaitForNo("Remove this call")
	d.Press("x", "x")
	d.WaitForText("the call was removed", "4 runs of this session")
	d.Press("S")
	d.WaitForText("keeps no records of runs")
	d.Press("g", "enter")
	d.WaitForText("3 Result", "▲ tool error", "call 3 of greet")
}

// TestHistoryByMouse: a click selects, a double click shows the run.
func TestHistoryByMouse(t *testing.T) {
	d := threeCalls(t, 120, 40)
	x, y, _ := d.Screen().Find(`name "Ada"  s`)
	d.Click(x, y)
	d.WaitForText("Call 2 of greet")
	d.Click(x, y)
	d.WaitForText("3 Result", "Dear Ada", "newer: )")
}

// TestCompareShown: c in the result compares with the call before; narrow, the
// sides stand one below another.
func TestCompareShown(t *testing.T) {
	d, _ := start(t, "sample:greeter", 80, 24)
	accepted(d)
	d.Press("3", "c")
	d.WaitForText("no call is shown")
	runTo(d, "1", "1", "r", "4")
	d.Press("3", "c")
	d.WaitForText("the first call of this tool")
	runTo(d, "2", "r", "4")
	d.Press("3", "c")
	d.WaitForText("call 1 ↔ 2", "No difference by value in anything")
	d.Press("n")
	d.WaitForText("nothing differs by value here")
	d.Press("esc")
	d.WaitForText("❯2  03:04:05")
}

// TestSeries: a call is made several times in a row, each stays in the history,
// and the result sums them up.
func TestSeries(t *testing.T) {
	d, _ := start(t, "sample:greeter", 120, 40)
	accepted(d)
	d.Press("R")
	d.WaitForText("N times", "until it fails", "with the arguments of the last call")
	d.Press("l")
	d.WaitForText("this tool was not called yet")
	d.Press("n")
	d.WaitForText("run it 10 times")
	d.Type("2000")
	d.WaitForText("at most 1,000")
	d.Press("ctrl+u")
	d.Type("5")
	d.WaitForText("run it 5 times")
	d.Press("enter")
	d.WaitForText("5 of 5", "✓ 5 ok", "median", "call 5 of greet", "✓ 5 of 5 ok")
	d.Press("H")
	d.WaitForText("6 runs of this session")
	d.Press("esc", "2", "s", "4", "R", "f")
	d.WaitForText("often at most?", "run it up to 100 times")
	d.Press("enter")
	d.WaitForText("1 of 100", "▲ 1 tool error", "first in call 6", "which ended it", "▲ 1 of 1 failed")
	d.Press("R", "l")
	d.WaitFor("one call more", func(s uitest.Screen) bool { return s.Contains("call 7 of greet") && !s.Contains("1 of 100") })
}

// TestSeriesEnds: ctrl+c ends the call that is made and the series.
func TestSeriesEnds(t *testing.T) {
	d, _ := start(t, "sample:mischief", 120, 40, machine)
	accepted(d)
	d.Press("/")
	d.Type("spin")
	d.Press("enter", "R", "n")
	d.WaitForText("run it 10 times")
	d.Press("enter")
	d.WaitForText("» run 1 of 10 · 0 ok")
	d.Press("ctrl+c")
	d.WaitForText("stopped by you", "0 of 10")
}

// TestManagePresets: saved arguments are listed, filled in, renamed, removed.
func TestManagePresets(t *testing.T) {
	dir := t.TempDir()
	writePackage(t, dir, nil)
	d, _ := start(t, dir, 120, 40)
	accepted(d)
	d.Press("2", "L")
	d.WaitForText("Presets of ", "none saved")
	d.Press("esc", "S")
	d.WaitForText("Save as a preset")
	d.Type("first")
	d.Press("enter")
	d.WaitForText("saved")
	d.Press("L")
	d.WaitForText("enter fills in")
	d.Press("e")
	d.WaitForText("Rename a preset")
	d.Press("ctrl+u")
	d.Type("second")
	d.Press("enter")
	d.WaitFor("its new name", func(s uitest.Screen) bool {
		return s.Contains("❯second") || s.Contains("❯ second") || s.Contains("❯  second")
	})
	d.Press("x")
	d.WaitForText("Remove this preset?")
	d.Press("x")
	d.WaitForText("none saved")
	d.Press("esc")
	d.WaitForNo("Presets of")
	if text, err := os.ReadFile(filepath.Join(dir, "perch-presets.json")); err != nil || strings.Contains(string(text), "second") {
		t.Errorf("the file holds %s, %v", text, err)
	}
}

// TestFromADifferenceToItsRow: enter on a difference of wire or HTTP goes to the
// row in the streams of its run, and H back to the comparison.
func TestFromADifferenceToItsRow(t *testing.T) {
	d, _ := start(t, "sample:orders", 120, 40)
	accepted(d)
	runTo(d, "1", "down", "r")
	d.Press("2", "s", "2")
	runTo(d, "2", "r")
	d.Press("H", "c")
	d.WaitForText("call 1 ↔ 2", "[All]")
	d.Press("]", "]", "]")
	d.WaitForText("[Wire]")
	d.Press("n")
	d.WaitForText("go to it")
	d.Press("enter")
	d.WaitForText("━ [4 Wire", "call 2 of create", "H leads back to the comparison")
	d.Press("H")
	d.WaitForText("call 1 ↔ 2", "[Wire]")
	d.Press("]", "down", "down", "enter")
	d.WaitForText("[6 HTTP", "api.example.com")
	d.Press("H")
	d.WaitForText("call 1 ↔ 2", "[HTTP]")
}

// TestHistoryScreens holds the screens of the history, of a comparison and of a
// series.
func TestHistoryScreens(t *testing.T) {
	d := threeCalls(t, 120, 40)
	d.Golden("history-120x40")
	d.Press("down", "c")
	d.WaitForText("call 1 ↔ 2", "in neither call: HTTP, files, stderr")
	d.Golden("compare-120x40")
	d.Press("esc", "esc", "esc", "R", "n")
	d.WaitForText("run it 10 times")
	d.Type("5")
	d.WaitForText("run it 5 times")
	d.Press("enter")
	d.WaitForText("5 of 5", "median")
	d.Golden("series-120x40")
}
