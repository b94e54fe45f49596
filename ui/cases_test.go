package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"perch/ui/uitest"
)

// TestEverySizeOfEveryScreen opens what each command opens and makes the
// terminal any size, from what some machines tell for none: nothing panics, no
// row is longer than the terminal is wide, and what was open still is.
func TestEverySizeOfEveryScreen(t *testing.T) {
	sizes := [][2]int{{0, 0}, {1, 1}, {1, 40}, {200, 1}, {10, 3}, {20, 5}, {39, 10}, {40, 9}, {40, 10}, {41, 11}, {80, 24}, {500, 200}}
	if testing.Short() {
		sizes = [][2]int{{0, 0}, {1, 1}, {40, 10}, {500, 200}}
	}
	a := quietApp(t, 120, 40)
	look := func(what string) {
		t.Helper()
		boxes := len(a.over)
		for _, s := range sizes {
			a.Update(tea.WindowSizeMsg{Width: s[0], Height: s[1]})
			rows := strings.Split(a.View().Content, "\n")
			if s[0] == 0 { // no size is told: 80x24
				s = [2]int{80, 24}
			}
			if len(rows) > s[1] {
				t.Fatalf("%s at %dx%d has %d rows", what, s[0], s[1], len(rows))
			}
			for i, row := range rows {
				if w := ansi.StringWidth(row); w > s[0] {
					t.Fatalf("%s at %dx%d: row %d is %d wide: %q", what, s[0], s[1], i, w, ansi.Strip(row))
				}
			}
		}
		a.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
		if len(a.over) != boxes {
			t.Fatalf("%s: %d boxes are open, there were %d", what, len(a.over), boxes)
		}
	}
	look("Open")
	openNow(t, a, "sample:greeter")
	for digit := 0; digit <= 9; digit++ {
		a.Update(keyMsg(fmt.Sprint(digit)))
		look(fmt.Sprintf("pane %d", digit))
		a.Update(keyMsg("z"))
		look(fmt.Sprintf("pane %d zoomed", digit))
		a.Update(keyMsg("z"))
	}
	for _, keys := range [][]string{
		{"?"}, {":"}, {"T"}, {"i"}, {"Y"}, {"g", "g"}, {"1", "/"}, {"1", "enter"}, {"2", "s"}, {"2", "S"}, {"2", "ctrl+f", "enter"},
		{"2", "j", "enter"}, {"3", "Y"}, {"4", "enter"}, {"4", "/"}, {"0", "?"}, {"P"}, {"F"}, {"ctrl+c"},
	} {
		for _, k := range keys {
			a.Update(keyMsg(k))
		}
		look(strings.Join(keys, " "))
		for range 5 {
			a.Update(keyMsg("esc"))
		}
		a.over = nil
	}
}

// TestLateAnswers: what the terminal answers in two pieces, long after it was
// asked, is inserted nowhere and presses no command.
func TestLateAnswers(t *testing.T) {
	a := quietApp(t, 120, 40)
	openNow(t, a, "sample:greeter")
	g := &guarded{App: a, quit: func() {}}
	g.Init()
	g.Update(keyMsg("enter"))
	before := a.args.Text()
	rows := ansi.Strip(strings.Join(a.rows(), "\n"))
	for _, c := range [][2]string{
		{"\x1b]11;rgb:1e1e/1e1e", "/1e1e\x1b\\"}, {"\x1b]11;rgb:ff", "ff/ffff/ffff\a"}, {"\x1b[?62;", "1c"},
		{"\x1b[?2026;", "2$y"}, {"\x1bP>|term 3", "8\x1b\\"}, {"\x1b_Gi=31;O", "K\x1b\\"}, {"\x1b[12;", "40R"},
	} {
		g.Update(uv.UnknownEvent(c[0]))
		g.View()
		rest := c[1]
		for _, ending := range []struct {
			bytes string
			key   tea.KeyPressMsg
		}{{"\x1b\\", tea.KeyPressMsg{Code: '\\', Mod: tea.ModAlt}}, {"\a", tea.KeyPressMsg{Code: 'g', Mod: tea.ModCtrl}}} {
			text, cut := strings.CutSuffix(rest, ending.bytes)
			if !cut {
				continue
			}
			for _, r := range text {
				g.Update(keyMsg(string(r)))
			}
			g.Update(ending.key)
			rest = ""
		}
		for _, r := range rest {
			g.Update(keyMsg(string(r)))
		}
		if a.args.Text() != before || len(a.over) != 0 {
			t.Fatalf("%q and %q: the arguments are %q, %d boxes are open", c[0], c[1], a.args.Text(), len(a.over))
		}
	}
	if now := ansi.Strip(strings.Join(a.rows(), "\n")); now != rows { // but for its colours
		t.Errorf("the screen is another:\n%s", now)
	}
	g.Update(keyMsg("x"))
	if a.args.Text() == before {
		t.Error("a letter after the answers is not typed")
	}
}

// TestPasteOfMuch: a mebibyte goes into the text as it is, is one step to take
// back, and into a field of one line as well.
func TestPasteOfMuch(t *testing.T) {
	a := quietApp(t, 120, 40)
	openNow(t, a, "sample:greeter")
	big := strings.Repeat("tab\t \"quote\" \\ é 👩‍👧 e\u0301 line\n", 1<<15)
	a.Update(keyMsg("enter"))
	field := a.input()
	was := field.Text()
	a.Update(tea.PasteMsg{Content: big})
	if field.Text() != was+big {
		t.Errorf("the field has %d bytes, want %d", len(field.Text()), len(was)+len(big))
	}
	a.View()
	a.Update(keyMsg("ctrl+z"))
	if field.Text() != was {
		t.Errorf("one step back leaves %d bytes in the field", len(field.Text()))
	}
	a.Update(keyMsg("ctrl+f"))
	text := a.input()
	draft := text.Text()
	at := text.Offset()
	a.Update(tea.PasteMsg{Content: big})
	if want := draft[:at] + big + draft[at:]; text.Text() != want {
		t.Errorf("the text has %d bytes, want %d", len(text.Text()), len(want))
	}
	a.View()
	a.Update(keyMsg("ctrl+z"))
	if a.args.Text() != draft {
		t.Errorf("one step back leaves %d bytes", len(a.args.Text()))
	}
}

// TestGlyphsKeepTheFrame: names of joined emoji, wide letters and marks break
// no border, whether the terminal joins them or not.
func TestGlyphsKeepTheFrame(t *testing.T) {
	const odd = "👩‍👩‍👧‍👦 🏳️‍🌈 ❤️ 1️⃣ 日本語 กำ é e\u0301 🇯🇵 👍🏽"
	dir := t.TempDir()
	writePackage(t, dir, map[string]string{"subako-package.json": `{"abi":1,"name":"` + odd + `","description":"` + odd + `"}`})
	d, _ := start(t, dir, 120, 40, func(o *Options, _ *uitest.Options) { o.Memory = t.TempDir() })
	d.WaitForText("upload run", "日本語")
	d.Press("enter")
	d.Paste(odd)
	screen := d.WaitForText("typing", "sends ", "日本語 กำ")
	x, top, ok := screen.Find("┬")
	if !ok {
		t.Fatalf("there is no border:\n%s", screen.Text())
	}
	for y := top + 1; !strings.HasPrefix(screen.Line(y), "─"); y++ {
		if got := screen.At(x, y).Text; got != "│" {
			t.Errorf("row %d has %q in the column of the border:\n%s", y, got, screen.Line(y))
		}
	}
}
