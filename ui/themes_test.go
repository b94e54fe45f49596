package ui

import (
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"perch/engine/clock"
	"perch/themes"
	"perch/ui/memory"
	"perch/ui/palettes"
	"perch/ui/uitest"
	"perch/ui/watch"
)

// toProfile makes the terminal one of so many colours.
func toProfile(p colorprofile.Profile) func(*Options, *uitest.Options) {
	return func(_ *Options, o *uitest.Options) { o.Program = []tea.ProgramOption{tea.WithColorProfile(p)} }
}

// pick chooses a theme in the picker.
func pick(d *uitest.Driver, name string) uitest.Screen {
	d.Press("T")
	d.WaitForText("enter keep")
	d.Type(name)
	d.WaitForText("❯" + name + " ")
	d.Press("enter")
	return d.WaitForNo("enter keep")
}

// called is the app after a call, with what a module wrote, findings and a
// selected row in sight.
func called(t *testing.T, change ...func(*Options, *uitest.Options)) (*uitest.Driver, *App) {
	t.Helper()
	d, a := start(t, "sample:greeter", 120, 40, change...)
	accepted(d) // the wire says so a moment before a tool can be called
	d.WaitForText("upload run")
	d.Press("r")
	d.WaitForText("✓ ok", "Hello, Ada!")
	return d, a
}

// palette is a colour of the screen as one of a palette.
func palette(c color.Color) themes.Color {
	r, g, b, _ := c.RGBA()
	return themes.Color{Kind: themes.RGB, R: uint8(r >> 8), G: uint8(g >> 8), B: uint8(b >> 8)}
}

// unreadable are the cells of a screen with letters or digits whose contrast is
// below the floor.
func unreadable(s uitest.Screen) []string {
	var out []string
	for y, row := range s.Rows {
		for x, c := range row {
			if c.Text == "" || !strings.ContainsAny(c.Text[:1], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") || c.Fg == nil || c.Bg == nil {
				continue
			}
			if ratio := themes.Contrast(palette(c.Fg), palette(c.Bg)); ratio < themes.ContrastFloor {
				out = append(out, fmt.Sprintf("%d,%d %q is %.2f:1", x, y, c.Text, ratio))
			}
		}
	}
	return out
}

// Every theme shows the same characters, so that none of them says by colour
// what another leaves out, and every letter of it can be read.
func TestEveryThemeSaysTheSame(t *testing.T) {
	for name, p := range map[string]colorprofile.Profile{"true colour": colorprofile.TrueColor, "256": colorprofile.ANSI256} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, _ := called(t, toProfile(p))
			want := pick(d, "mono").Text()
			grounds := map[string]bool{}
			for _, name := range themes.Names() {
				s := pick(d, name)
				if got := s.Text(); got != want {
					t.Errorf("%s shows other characters:\n%s", name, s.Framed())
				}
				if bad := unreadable(s); len(bad) > 0 {
					t.Errorf("%s: %d cells cannot be read: %v", name, len(bad), bad[:min(len(bad), 5)])
				}
				grounds[fmt.Sprint(s.At(0, 5).Bg, s.At(0, 5).Fg)] = true
			}
			if len(grounds) < 4 {
				t.Errorf("all themes look alike: %v", grounds)
			}
		})
	}
}

// In 256 colours nothing but the table is sent, in 16 nothing but those, in
// which the palette that is made of them stands in for all others.
func TestFewerColours(t *testing.T) {
	t.Run("256", func(t *testing.T) {
		t.Parallel()
		d, _ := called(t, toProfile(colorprofile.ANSI256), func(o *Options, _ *uitest.Options) { o.Theme = "ember" })
		if s := d.Screen(); !onlyOf(t, s, func(c color.Color) bool { _, is := c.(ansi.IndexedColor); return is }) {
			t.Error("there is no colour at all")
		}
	})
	t.Run("16", func(t *testing.T) {
		t.Parallel()
		d, _ := called(t, toProfile(colorprofile.ANSI), func(o *Options, _ *uitest.Options) { o.Theme = "ember" })
		if s := d.Screen(); !onlyOf(t, s, func(c color.Color) bool { _, is := c.(ansi.BasicColor); return is }) {
			t.Error("there is no colour at all")
		}
		if c := d.Screen().At(0, 5); c.Bg != nil {
			t.Errorf("a ground was set: %v", c.Bg)
		}
		d.Press("T")
		d.WaitForText("16 colours here: themes of more look as sixteen.")
	})
}

// onlyOf reports whether there are colours, and fails at one that is another.
func onlyOf(t *testing.T, s uitest.Screen, will func(color.Color) bool) (any bool) {
	t.Helper()
	for y, row := range s.Rows {
		for x, c := range row {
			for _, got := range []color.Color{c.Fg, c.Bg} {
				if got == nil {
					continue
				}
				if any = true; !will(got) {
					t.Fatalf("the cell %d,%d has the colour %T %v", x, y, got, got)
				}
			}
		}
	}
	return any
}

// The terminal's answer chooses; without one nothing is known of its ground and
// none is set.
func TestAutoFollowsTheTerminal(t *testing.T) {
	a := New(t.Context(), Options{Clock: still(), Getenv: func(string) string { return "" }})
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, c := range []struct {
		msg  tea.Msg
		want string
	}{
		{tea.WindowSizeMsg{Width: 80, Height: 24}, "sixteen"},
		{tea.BackgroundColorMsg{Color: color.White}, "paper"},
		{tea.BackgroundColorMsg{Color: color.Black}, "dusk"},
		{tea.ColorProfileMsg{Profile: colorprofile.ANSI}, "sixteen"},
		{tea.ColorProfileMsg{Profile: colorprofile.TrueColor}, "dusk"},
		{tea.ColorProfileMsg{Profile: colorprofile.ASCII}, "mono"},
	} {
		a.Update(c.msg)
		if got := a.look.Theme.Name; got != c.want {
			t.Errorf("after %T %+v the theme is %s, want %s", c.msg, c.msg, got, c.want)
		}
	}
}

// NO_COLOR counts more than a theme, and the picker says so.
func TestNoColourBeforeThemes(t *testing.T) {
	d, _ := start(t, "", 80, 24, func(o *Options, _ *uitest.Options) {
		o.Theme = "ember"
		o.Getenv = func(name string) string {
			return map[string]string{"NO_COLOR": "yes", "LANG": "C.UTF-8"}[name]
		}
	})
	d.WaitForText("greeter")
	d.Press("T", "down", "down")
	s := d.WaitForText("No colour here: NO_COLOR is set")
	if onlyOf(t, s, func(color.Color) bool { return false }) {
		t.Error("there are colours")
	}
}

// A box that takes the picker's place leaves the theme as it was.
func TestHelpEndsThePreview(t *testing.T) {
	d, _ := start(t, "", 80, 24, func(o *Options, _ *uitest.Options) { o.Theme = "dusk" })
	d.WaitForText("greeter")
	dusk := d.Screen().At(0, 0)
	d.Press("T")
	d.WaitForText("enter keep")
	d.Press("down")
	d.WaitFor("the preview", func(s uitest.Screen) bool { return s.At(0, 0).Bg != dusk.Bg })
	d.Press("f1")
	d.WaitForText("Keys and commands here")
	d.WaitFor("the theme of before", func(s uitest.Screen) bool { return s.At(0, 0) == dusk })
}

func save(t *testing.T, dir, file, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// brisk is a clock that stands, and on which a folder is still at once.
type brisk struct{ *clock.Manual }

// After implements clock.Clock.
func (b brisk) After(d time.Duration) (<-chan struct{}, func()) {
	passed, release := b.Manual.After(d)
	if d <= watch.Settle {
		b.Advance(d)
	}
	return passed, release
}

// withThemes gives the app a folder of palettes.
func withThemes(dir, theme string) func(*Options, *uitest.Options) {
	return func(o *Options, _ *uitest.Options) { o.Themes, o.Theme, o.Clock = dir, theme, brisk{still()} }
}

// groundIs reports whether the first row is on a colour.
func groundIs(c color.RGBA) func(uitest.Screen) bool {
	return func(s uitest.Screen) bool {
		bg := s.At(0, 0).Bg
		return bg != nil && palette(bg) == palette(c)
	}
}

// A person's own theme is read again at each save; a fault is told with file,
// line and key, here and in the picker, and the last good colours stay.
func TestOwnThemesAreLive(t *testing.T) {
	dir := t.TempDir()
	save(t, dir, "mine.toml", "base = \"dusk\"\nsurface = \"#102030\"\n")
	d, _ := start(t, "", 100, 30, withThemes(dir, "mine"))
	d.WaitFor("the own theme", groundIs(color.RGBA{0x10, 0x20, 0x30, 255}))
	save(t, dir, "mine.toml", "base = \"dusk\"\nsurface = \"#203040\"\n")
	d.WaitFor("the other colour", groundIs(color.RGBA{0x20, 0x30, 0x40, 255}))
	save(t, dir, "mine.toml", "base = \"dusk\"\n\nsurface = \"#12\"\n")
	s := d.WaitForText(`mine.toml:3:1: surface: "#12" is no colour`)
	if !groundIs(color.RGBA{0x20, 0x30, 0x40, 255})(s) {
		t.Error("the last good colours did not stay")
	}
	d.Press("T")
	s = d.WaitForText("✗ line 3: surface", "mine.toml:3:1: surface:")
	if !groundIs(color.RGBA{0x20, 0x30, 0x40, 255})(s) {
		t.Error("the picker took the colours away")
	}
	save(t, dir, "mine.toml", "base = \"dusk\"\nsurface = \"#304050\"\n")
	d.WaitForNo("✗ line 3: surface")
	d.WaitFor("the colour that is right", groundIs(color.RGBA{0x30, 0x40, 0x50, 255}))
	if err := os.Remove(filepath.Join(dir, "mine.toml")); err != nil {
		t.Fatal(err)
	}
	d.WaitForText("✗ see below")
	if !groundIs(color.RGBA{0x30, 0x40, 0x50, 255})(d.Screen()) {
		t.Error("the colours went with the file")
	}
	save(t, dir, "other.toml", "base = \"dusk\"\nfaint = \"#222222\"\n")
	d.WaitForText("other", "▲ 1.0:1")
}

// A theme that cannot be had is told at the start, and the file counts as soon
// as it is right.
func TestOwnThemeWithAFaultAtTheStart(t *testing.T) {
	dir := t.TempDir()
	save(t, dir, "mine.toml", "base = \"mine\"\n")
	d, _ := start(t, "", 100, 30, withThemes(dir, "mine"))
	d.WaitForText(`mine.toml:1:1: base: "mine" stands on this one again`)
	d.Press("T")
	d.WaitForText("✗ line 1: base")
	d.Type("mine")
	d.WaitForText("❯mine")
	d.Press("enter") // it cannot be chosen
	d.WaitForText("enter keep")
	save(t, dir, "mine.toml", "base = \"dusk\"\nsurface = \"#102030\"\n")
	d.WaitFor("the own theme", groundIs(color.RGBA{0x10, 0x20, 0x30, 255}))
}

// A new palette stands on the one in use, is taken at once and followed.
func TestMakeAThemeOfOnesOwn(t *testing.T) {
	dir, state := filepath.Join(t.TempDir(), "perch", "themes"), t.TempDir()
	d, _ := start(t, "", 100, 40, withThemes(dir, "ember"), func(o *Options, _ *uitest.Options) { o.Memory = state })
	d.WaitForText("greeter")
	ember := d.Screen().At(0, 0)
	for _, name := range []string{"mine", "mine-2"} {
		d.Press("T")
		d.WaitForText("enter keep")
		d.Type("make")
		d.WaitForText("❯make one of my own")
		d.Press("enter")
		d.WaitForText("wrote " + name + ".toml in ")
		d.WaitFor("it to be kept", func(uitest.Screen) bool {
			m, err := memory.NewStore(state).Load()
			return err == nil && m.Theme == name
		})
		if got := d.Screen().At(0, 0); got.Bg != ember.Bg {
			t.Errorf("%s has the ground %v", name, got.Bg)
		}
	}
	if p, ok := palettes.Read(dir, palettes.Set{}).Find("mine-2"); !ok || p.Err != nil {
		t.Errorf("mine-2 is %v", p.Err)
	}
	save(t, dir, "mine.toml", "base = \"ember\"\nsurface = \"#102030\"\n") // mine-2 stands on it
	d.WaitFor("the change", groundIs(color.RGBA{0x10, 0x20, 0x30, 255}))
}

func TestKnownTheme(t *testing.T) {
	dir := t.TempDir()
	save(t, dir, "mine.toml", "base = \"dusk\"\n")
	save(t, dir, "bad.toml", "accent = 7\n")
	for _, name := range []string{"", "auto", "dark", "light", "ember", "mine"} {
		if err := KnownTheme(name, dir); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for name, want := range map[string]string{
		"noon": `no theme is named "noon"; there are dusk, paper, `, "bad": "bad.toml:1:1: accent: the value must be text",
	} {
		if err := KnownTheme(name, dir); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestThemesComeWhileABoxIsOpen: whatever lies over the panes stays as it is
// when the folder of palettes is told of.
func TestThemesComeWhileABoxIsOpen(t *testing.T) {
	a := quietApp(t, 120, 40)
	openNow(t, a, "sample:greeter")
	for _, open := range []func() tea.Cmd{a.openPalette, a.openHelp, a.openThemes, a.openCopyAs, a.openRowMenu, a.openDock} {
		open()
		if len(a.over) == 0 {
			t.Fatal("no box is open")
		}
		a.overMove(1)
		before, _ := a.over[0].box.Selected()
		a.themesTold(themesMsg{set: a.palettes})
		if now, _ := a.over[0].box.Selected(); now.Label != before.Label {
			t.Errorf("%q was selected, now %q", before.Label, now.Label)
		}
		a.over = nil
	}
}
