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

func TestContrast(t *testing.T) {
	floors := map[string]float64{"dusk": 4.5, "paper": 4.5, "contrast": 7, "okabe": 4.5, "okabe-day": 4.5}
	for name, floor := range floors {
		th, err := themes.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if ratio, text, ground := th.LeastContrast(); ratio < floor {
			t.Errorf("%s: %s on %s is %.2f:1, less than %.1f:1", name, text, ground, ratio, floor)
		}
		for _, ground := range []themes.Role{themes.Overlay, themes.Field, themes.SelectionQuiet} {
			for _, text := range themes.TextRoles() {
				if ratio := themes.Contrast(th.Tints[text].Color, th.Tints[ground].Color); ratio < floor {
					t.Errorf("%s: %s on %s is %.2f:1", name, text, ground, ratio)
				}
			}
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
		{"missing", "ok = \"green\"\n", "mine: the role bg is missing"},
		{"not TOML", "ok = \"green\"\nerror = \n", "mine:2:"},
		{"none is no role", "none = \"green\"\n", `mine:1:1: no role is named "none"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := themes.Parse("mine", []byte(c.src))
			var fault *themes.ParseError
			if !errors.As(err, &fault) {
				t.Fatalf("got %v, no *ParseError", err)
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
