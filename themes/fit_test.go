package themes_test

import (
	"testing"

	"github.com/charmbracelet/x/ansi"

	"perch/themes"
)

func rgba(c themes.Color) ansi.RGBColor { return ansi.RGBColor{R: c.R, G: c.G, B: c.B} }

// In 256 colours text stays as readable, rows still look selected, and a
// terminal's own mapping has nothing left to do.
func TestWithin256(t *testing.T) {
	for _, th := range trueColour(t) {
		fit := th.Within256()
		if fit.Name != th.Name || fit.Ground != th.Ground || fit.Note != th.Note {
			t.Errorf("%s became %s, %s, %q", th.Name, fit.Name, fit.Ground, fit.Note)
		}
		for r := themes.Bg; r < themes.Roles; r++ {
			got := fit.Tints[r]
			index := ansi.Convert256(rgba(got.Color))
			red, green, blue, _ := index.RGBA()
			if uint8(red>>8) != got.Color.R || uint8(green>>8) != got.Color.G || uint8(blue>>8) != got.Color.B || index < 16 {
				t.Errorf("%s: %s is %+v, which is no colour of the table", th.Name, r, got.Color)
			}
			if got.Attr != th.Tints[r].Attr {
				t.Errorf("%s: %s has the attributes %b", th.Name, r, got.Attr)
			}
		}
		for _, ground := range grounds() {
			for _, text := range append(themes.TextRoles(), themes.BorderFocus, themes.Caret, themes.Match) {
				if c := themes.Contrast(fit.Tints[text].Color, fit.Tints[ground].Color); c < themes.ContrastFloor {
					t.Errorf("%s: %s on %s is %.2f:1", th.Name, text, ground, c)
				}
			}
			for _, text := range []themes.Role{themes.Text, themes.Muted, themes.Faint} {
				if c := themes.Contrast(fit.Tints[text].Color, fit.Tints[ground].Color); c < floorOf(th.Name) {
					t.Errorf("%s: %s on %s is %.2f:1", th.Name, text, ground, c)
				}
			}
		}
		for _, pair := range [][2]themes.Role{
			{themes.Selection, themes.Bg}, {themes.Selection, themes.SelectionQuiet}, {themes.SelectionQuiet, themes.Bg},
			{themes.Surface, themes.Bg}, {themes.Border, themes.Bg},
		} {
			if fit.Tints[pair[0]].Color == fit.Tints[pair[1]].Color {
				t.Errorf("%s: %s is %s", th.Name, pair[0], pair[1])
			}
		}
		for i, a := range meanings() {
			for _, b := range meanings()[:i] {
				if fit.Tints[a].Color == fit.Tints[b].Color {
					t.Errorf("%s: %s is %s", th.Name, a, b)
				}
			}
		}
		for _, r := range []themes.Role{themes.OK, themes.Warning, themes.Error, themes.Notice} {
			if c := fit.Tints[r].Color; c.R == c.G && c.G == c.B {
				t.Errorf("%s: %s became a grey", th.Name, r)
			}
		}
		if again := fit.Within256(); again != fit {
			t.Errorf("%s: the second time is another", th.Name)
		}
	}
}

// What is the terminal's own stays so.
func TestWithin256LeavesNamedColours(t *testing.T) {
	for _, name := range []string{"sixteen", "mono"} {
		th, err := themes.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if th.TrueColour() || th.Within256() != th {
			t.Errorf("%s was changed", name)
		}
	}
	mixed, err := themes.Parse("mixed", []byte("base = \"sixteen\"\nerror = \"#ff0000\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	fit := mixed.Within256()
	if !mixed.TrueColour() || fit.Tints[themes.OK] != mixed.Tints[themes.OK] || fit.Tints[themes.Bg].Color.Kind != themes.Default {
		t.Errorf("the named colours became others: %+v", fit.Tints[themes.OK])
	}
}
