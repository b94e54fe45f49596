package ui

import (
	"image"
	"path/filepath"
	"strings"
	"testing"

	"perch/ui/uitest"
)

// TestPictures makes the pictures of the README, with -update into
// ui/pictures; else it holds that they can be made.
func TestPictures(t *testing.T) {
	dusk := func(o *Options, _ *uitest.Options) { o.Theme = "dusk" }
	light := func(_ *Options, o *uitest.Options) { o.Light = true }
	type step struct{ keys, wait []string }
	ran := step{[]string{"r"}, []string{"✓ ok"}}
	created := step{[]string{"down", "r"}, []string{"✓ ok", "rates.example.net"}}
	broke := step{[]string{"r"}, []string{"✗ broken"}}
	for _, p := range []struct {
		name, open string
		w, h       int
		change     func(*Options, *uitest.Options)
		steps      []step
	}{
		{"open", "", 100, 28, dusk, []step{{nil, []string{"106.4 KiB"}}}},
		{"form", "sample:orders", 120, 30, machine, []step{{[]string{"down", "2"}, []string{"customer *"}}, {[]string{"z"}, []string{"create › Arguments", "[invoice]"}}}},
		{"explore", "sample:orders", 140, 45, machine, []step{created, {[]string{"6", "up"}, []string{"[6 HTTP 3"}}}},
		{"timeline", "sample:orders", 120, 40, machine, []step{created, {[]string{"9", "down", "down"}, []string{"[9 Timeline]", "POST 201"}}}},
		{"compare", "sample:orders", 120, 28, machine, []step{ran, {[]string{"2", "s", "2"}, []string{`{"status":"shipped"`}},
			{[]string{"r"}, []string{"call 2 of find · ✓ ok"}}, {[]string{"3", "c"}, []string{"call 1 ↔ 2"}}}},
		{"broken", "sample:mischief", 140, 45, machine, []step{broke, {[]string{"0"}, []string{"so    Subako: breaks the call"}}}},
		{"rules", "sample:mischief", 140, 45, machine, []step{broke, {[]string{"0", "?"}, []string{"[Rules] Keys"}}}},
		{"light", "sample:greeter", 120, 40, light, []step{{[]string{"enter", "ctrl+r"}, []string{"Hello, Ada!"}}}},
		{"check", "sample:mischief:import_emscripten", 100, 28, nil, []step{{nil, []string{"module/import-module"}}}},
		{"narrow", "sample:charts", 80, 24, machine, []step{ran, {[]string{"3"}, []string{"The model reads"}}}},
	} {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			change := p.change
			if change == nil {
				change = func(*Options, *uitest.Options) {}
			}
			d, _ := start(t, p.open, p.w, p.h, change)
			if p.open != "" {
				d.WaitFor("the verdict", func(s uitest.Screen) bool { return strings.ContainsAny(s.Line(0), "✓✗") })
			}
			var s uitest.Screen
			for _, x := range p.steps {
				d.Press(x.keys...)
				s = d.WaitForText(x.wait...)
			}
			if uitest.Updating() {
				s.SavePNG(t, filepath.Join("pictures", p.name+".png"))
				return
			}
			img, err := s.Image()
			if err != nil {
				t.Fatal(err)
			}
			if n := colours(img); n < 8 {
				t.Errorf("the picture has %d colours", n)
			}
		})
	}
}

func colours(img image.Image) int {
	seen := map[[4]uint32]bool{}
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y += 2 {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			r, g, b, a := img.At(x, y).RGBA()
			seen[[4]uint32{r, g, b, a}] = true
		}
	}
	return len(seen)
}
