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
	for _, p := range []struct {
		name, open string
		w, h       int
		change     func(*Options, *uitest.Options)
		keys       []string
		wait       []string
		then       []string
		done       []string
	}{
		{"open", "", 100, 28, dusk, nil, []string{"106.4 KiB"}, nil, nil},
		{"explore", "sample:orders", 140, 45, machine, []string{"down", "r"}, []string{"✓ ok", "rates.example.net"}, []string{"6", "up"}, []string{"[6 HTTP 3]"}},
		{"broken", "sample:mischief", 140, 45, machine, []string{"r"}, []string{"✗ broken"}, []string{"0"}, []string{"so    Subako: breaks the call"}},
		{"rules", "sample:mischief", 140, 45, machine, []string{"r"}, []string{"✗ broken"}, []string{"0", "?"}, []string{"[Rules] Keys"}},
		{"light", "sample:greeter", 120, 40, light, []string{"enter", "ctrl+r"}, []string{"Hello, Ada!"}, nil, nil},
		{"check", "sample:mischief:import_emscripten", 100, 28, nil, nil, []string{"module/import-module"}, nil, nil},
		{"narrow", "sample:charts", 80, 24, machine, []string{"r"}, []string{"✓ ok"}, []string{"3"}, []string{"The model reads"}},
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
			d.Press(p.keys...)
			d.WaitForText(p.wait...)
			d.Press(p.then...)
			s := d.WaitForText(p.done...)
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
