package themes_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"perch/themes"
)

func TestAllLoad(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	on := map[string]bool{}
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".toml"); ok {
			on[name] = true
		}
	}
	for _, name := range themes.Names() {
		th, err := themes.Load(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if th.Name != name || th.Note == "" {
			t.Errorf("%s is named %q, with the note %q", name, th.Name, th.Note)
		}
		delete(on, name)
	}
	for name := range on {
		t.Errorf("%s.toml is not listed", name)
	}
}

// trueColour are the embedded palettes with colours of their own.
func trueColour(t *testing.T) []themes.Theme {
	t.Helper()
	var out []themes.Theme
	for _, name := range themes.Names() {
		th, err := themes.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if th.TrueColour() {
			out = append(out, th)
		}
	}
	if len(out) < 8 {
		t.Fatalf("only %d palettes have colours of their own", len(out))
	}
	return out
}

// grounds are all that text stands on.
func grounds() []themes.Role {
	return []themes.Role{themes.Bg, themes.Surface, themes.Overlay, themes.Field, themes.Selection, themes.SelectionQuiet}
}

// floorOf is the least contrast that a palette promises.
func floorOf(name string) float64 {
	if strings.HasPrefix(name, "contrast") {
		return 7
	}
	return themes.ContrastFloor
}

// Text holds WCAG's contrast on every ground, and so does what is reversed: the
// ground on the colour of a match.
func TestContrast(t *testing.T) {
	for _, th := range trueColour(t) {
		floor := floorOf(th.Name)
		if least, text, ground := th.LeastContrast(); least < floor {
			t.Errorf("%s: %s on %s is %.2f:1, less than %.1f:1", th.Name, text, ground, least, floor)
		}
		for _, ground := range grounds() {
			for _, text := range append(themes.TextRoles(), themes.BorderFocus, themes.Caret, themes.Match) {
				if least := themes.Contrast(th.Tints[text].Color, th.Tints[ground].Color); least < floor {
					t.Errorf("%s: %s on %s is %.2f:1", th.Name, text, ground, least)
				}
			}
		}
		if th.Tints[themes.Match].Attr&themes.Reverse == 0 || th.Tints[themes.BorderFocus].Attr&themes.Bold == 0 {
			t.Errorf("%s: a match is not reversed, or the focused rule is not bold", th.Name)
		}
	}
}

// A selected row looks selected, and a palette is what it says it is.
func TestGrounds(t *testing.T) {
	for _, th := range trueColour(t) {
		ground := themes.Dark
		if themes.Contrast(th.Tints[themes.Bg].Color, themes.Color{Kind: themes.RGB}) > 10 {
			ground = themes.Light
		}
		if th.Ground != ground {
			t.Errorf("%s says that it is %s, and is %s", th.Name, th.Ground, ground)
		}
		for _, pair := range [][2]themes.Role{
			{themes.Selection, themes.Bg}, {themes.Selection, themes.SelectionQuiet}, {themes.Selection, themes.Overlay},
			{themes.SelectionQuiet, themes.Bg}, {themes.Surface, themes.Bg},
		} {
			if d := themes.Distance(th.Tints[pair[0]].Color, th.Tints[pair[1]].Color); d < 2 {
				t.Errorf("%s: %s and %s are %.1f apart", th.Name, pair[0], pair[1], d)
			}
		}
		if c := themes.Contrast(th.Tints[themes.Border].Color, th.Tints[themes.Bg].Color); c < 1.5 || floorOf(th.Name) == 7 && c < 3 {
			t.Errorf("%s: a rule on bg is %.2f:1", th.Name, c)
		}
	}
}

// A palette for terminals whose ground is unknown may use no ground but
// reverse, and must tell the selected row without colour.
func TestUnknownGround(t *testing.T) {
	for _, name := range []string{"sixteen", "mono"} {
		th, err := themes.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for r := themes.Bg; r < themes.Roles; r++ {
			if c := th.Tints[r].Color; r.IsGround() && c.Kind != themes.Default {
				t.Errorf("%s: %s has a colour", name, r)
			} else if name == "mono" && c.Kind != themes.Default || c.Kind == themes.RGB {
				t.Errorf("%s: %s is %+v", name, r, c)
			}
		}
		if th.Tints[themes.Selection].Attr&themes.Reverse == 0 || th.Ground != themes.Any {
			t.Errorf("%s: the selected row is not reversed, or its ground is %q", name, th.Ground)
		}
	}
}

func TestKnownContrasts(t *testing.T) {
	black, white := themes.Color{Kind: themes.RGB}, themes.Color{Kind: themes.RGB, R: 255, G: 255, B: 255}
	if got := themes.Contrast(black, white); got < 20.99 || got > 21.01 {
		t.Errorf("black on white is %v:1", got)
	}
	if got := themes.Contrast(white, white); got != 1 {
		t.Errorf("white on white is %v:1", got)
	}
	if got := themes.Contrast(white, themes.Color{}); got != 0 {
		t.Errorf("white on an unknown colour is %v:1", got)
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"unknown role", "note = \"x\"\nacent = \"red\"\n", `mine:2:1: no role is named "acent"`},
		{"no colour", "accent = \"#12\"\n", `mine:1:1: accent: "#12" is no colour: write # and six hex digits`},
		{"sign in hex", "accent = \"#+12345\"\n", `mine:1:1: accent: "#+12345" is no colour: write # and six hex digits`},
		{"unknown word", "accent = \"blink\"\n", `mine:1:1: accent: "blink" is no colour and no attribute`},
		{"two colours", "accent = \"red blue\"\n", `mine:1:1: accent: "blue" is a second colour`},
		{"twice", "ok = \"red\"\nok = \"red\"\n", "mine:2:1: ok is given twice"},
		{"not text", "ok = 7\n", "mine:1:1: ok: the value must be text in quotes"},
		{"table", "ok = \"red\"\n\n[syntax]\nkey = \"red\"\n", "mine:3:2: a theme has no tables"},
		{"ground", "ground = \"noon\"\n", `mine:1:1: ground is dark, light or any, not "noon"`},
		{"missing", "ok = \"green\"\n", `mine: the role bg and 34 more are missing. A line base = "dusk" takes them`},
		{"base unknown", "base = \"noon\"\n", `mine:1:1: base: no theme is named "noon"; there are dusk, `},
		{"base twice", "base = \"dusk\"\nbase = \"dusk\"\n", "mine:2:1: base is given twice"},
		{"long note", "note = \"" + strings.Repeat("x", 41) + "\"\n", "mine:1:1: note: the text has more than 40 characters"},
		{"long key", strings.Repeat("k", 5000) + " = \"red\"\n", `mine:1:1: no role is named "` + strings.Repeat("k", 40) + `…"`},
		{"long value", "ok = \"#" + strings.Repeat("f", 5000) + "\"\n", `mine:1:1: ok: "#` + strings.Repeat("f", 39) + `…" is no colour`},
		{"not TOML", "ok = \"green\"\nerror = \n", "mine:2:"},
		{"none is no role", "none = \"green\"\n", `mine:1:1: no role is named "none"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := themes.Parse("mine", []byte(c.src))
			var fault *themes.ParseError
			if !errors.As(err, &fault) {
				t.Fatalf("got %v, no *ParseError", err)
			}
			if fault.Key != "" && !strings.Contains(c.src, fault.Key) && c.name != "missing" {
				t.Errorf("the key is %q", fault.Key)
			}
			if !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
	if _, err := themes.Load("noon"); err == nil || !strings.Contains(err.Error(), "dusk") {
		t.Errorf("an unknown name gives %v", err)
	}
}

func TestValues(t *testing.T) {
	src, err := os.ReadFile("mono.toml")
	if err != nil {
		t.Fatal(err)
	}
	th, err := themes.Parse("x", []byte(strings.Replace(string(src), `accent = "bold"`, `accent = "italic underline bright-red"`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	want := themes.Tint{Color: themes.Color{Kind: themes.Named, Index: 9}, Attr: themes.Italic | themes.Underline}
	if got := th.Tints[themes.Accent]; got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("ok = \"green\"\n"))
	f.Add([]byte("ok = \n\x00"))
	f.Add([]byte("a.b = \"#fff\"\n[x]\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		_, err := themes.Parse("fuzz", src)
		var fault *themes.ParseError
		if err != nil && !errors.As(err, &fault) {
			t.Fatalf("%T is no *ParseError: %v", err, err)
		}
	})
}
