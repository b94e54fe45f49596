package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"perch/ui/memory"
	"perch/ui/uitest"
)

// columnOf is where the edge right of the first pane is.
func columnOf(s uitest.Screen, row int) int {
	return len([]rune(strings.SplitN(s.Line(row), "│", 2)[0]))
}

// TestLayoutByKeys: edges move, panes hide and come back, esc ends it, and the
// package is found as it was left.
func TestLayoutByKeys(t *testing.T) {
	dir := t.TempDir()
	keep := func(o *Options, _ *uitest.Options) { o.Memory = dir }
	d, a := start(t, "sample:greeter", 120, 40, keep)
	before := columnOf(accepted(d), 10)
	d.Press("Z")
	d.WaitForText("move its edges", "layout 22x21")
	d.Press("right", "right", "down")
	d.WaitFor("Tools to be wider", func(s uitest.Screen) bool { return columnOf(s, 10) == before+4 })
	d.Press("2", "x")
	d.WaitForNo("2 Arguments")
	d.Press("u")
	d.WaitForText("2 Arguments", "3 Result")
	d.Press("3", "x", "esc")
	d.WaitForNo("move its edges")
	d.Press("q")
	d.WaitForEnd()
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	d, _ = start(t, "sample:greeter", 120, 40, keep)
	accepted(d)
	s := d.WaitForNo("3 Result")
	if columnOf(s, 10) != before+4 {
		t.Errorf("the edge is in column %d, it was left in %d", columnOf(s, 10), before+4)
	}
	d.Press("3")
	d.WaitForText("3 Result", "2 Arguments")
	d.Press("Z", "=", "enter")
	d.WaitFor("the layout as it comes", func(s uitest.Screen) bool { return columnOf(s, 10) == before })
}

// TestDragging: an edge follows the mouse; elsewhere it marks text, which y
// copies and esc lets go.
func TestDragging(t *testing.T) {
	d, _ := start(t, "sample:greeter", 120, 40)
	before := columnOf(accepted(d), 10)
	d.Drag(before, 10, before+6, 12)
	d.WaitFor("the edge to follow", func(s uitest.Screen) bool { return columnOf(s, 10) == before+6 })
	x, y, ok := d.WaitForText("Greet someone by").Find("Greet someone by")
	if !ok {
		t.Fatal("no description")
	}
	d.Drag(x, y, x+4, y)
	d.WaitForText("marked 5 characters")
	d.Press("y")
	d.WaitForText("copied")
	if got, _ := d.Clipboard(); got != "Greet" {
		t.Errorf("copied %q", got)
	}
	d.Drag(x, y, x+4, y)
	d.WaitForText("marked 5 characters")
	d.Press("esc")
	d.WaitForNo("marked 5")
}

// TestLayoutAtEverySize: with edges far off and panes hidden each row is still
// exactly as wide as the screen.
func TestLayoutAtEverySize(t *testing.T) {
	a := quietApp(t, 120, 40)
	openNow(t, a, "sample:greeter")
	for _, size := range [][2]int{{1, 1}, {30, 9}, {40, 10}, {80, 24}, {80, 60}, {100, 28}, {120, 40}, {160, 40}, {200, 60}} {
		for _, by := range []int{-60, 0, 60} {
			for _, hidden := range []int{0, 6, 16, 30} {
				a.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
				for i := range a.edges.By {
					a.edges.By[i] = by
				}
				a.edges.Hidden = hidden
				rows := a.rows()
				if len(rows) != size[1] {
					t.Errorf("%v by %d, hidden %d: %d rows", size, by, hidden, len(rows))
				}
				for y, r := range rows {
					if n := ansi.StringWidth(r); n != size[0] {
						t.Errorf("%v by %d, hidden %d: row %d has %d cells", size, by, hidden, y, n)
						break
					}
				}
			}
		}
	}
}

// TestSettingsAndMessages: each setting says where it comes from, and what the
// footer said is kept.
func TestSettingsAndMessages(t *testing.T) {
	limit := "7s"
	d, _ := start(t, "sample:orders", 120, 40, func(o *Options, _ *uitest.Options) {
		o.Settings = settingsIn(t, "theme = \"paper\"\n[keys]\n\"theme.pick\" = [\"ctrl+t\"]\n")
		o.Bench.Flags.Timeout = &limit
	})
	accepted(d)
	d.Press("ctrl+l", "J", ",")
	s := d.WaitForText("Settings", "7s", "flag --timeout", "256.0 MiB", "local setting", "settings.toml:1", "settings.toml:3", "theme.pick")
	if y := lineWith(s, "timeout"); !strings.Contains(y, "7s") || !strings.Contains(y, "flag --timeout") {
		t.Errorf("the row is %q", y)
	}
	d.Press("/")
	d.Type("mouse")
	d.WaitForText("perch's: click, wheel, drag", "2 of")
	d.Press("enter", "enter")
	d.WaitForText("the terminal's: mark and copy as anywhere", "chosen here")
	d.Press("esc", "esc", ":")
	d.Type("messages")
	d.Press("enter")
	d.WaitForText("Messages", "J does nothing here", "the mouse is the terminal's")
	d.Press("esc")
	d.WaitForText("1 Tools")
}

func lineWith(s uitest.Screen, text string) string {
	for y := range 40 {
		if l := s.Line(y); strings.Contains(l, text) {
			return l
		}
	}
	return ""
}

func TestViewsAreBounded(t *testing.T) {
	var m memory.Memory
	for i := range 100 {
		m = m.WithView(strings.Repeat("x", i+1), memory.View{Stream: i}, still().Now())
	}
	if len(m.Views) != 60 || m.Views[strings.Repeat("x", 100)].Stream != 99 {
		t.Errorf("%d views are kept", len(m.Views))
	}
}
