package ui

import (
	"fmt"
	"testing"

	"perch/ui/uitest"
)

// The screens that are held cell by cell: each a package, keys, and what is on
// the screen when they have been worked off.
var screens = []struct {
	name    string
	open    string
	keys    []string
	wait    []string
	pressed []string // after that
	done    []string
}{
	{"open", "", nil, []string{"greeter", "106.4 KiB"}, nil, nil},
	{"rest", "sample:greeter", nil, []string{"Subako ✓", "result  id"}, nil, nil},
	{"ok", "sample:greeter", []string{"enter", "ctrl+r"}, []string{"✓ ok"}, []string{"esc", "3"}, []string{"Hello, Ada!"}},
	{"tool-error", "sample:greeter", []string{"2", "s", "4", "r"}, []string{"▲ tool error"}, []string{"3"}, []string{"name must not be empty"}},
	{"broken", "sample:mischief", []string{"r"}, []string{"✗ broken"}, []string{"3"}, []string{"The model is told"}},
	{"findings", "sample:mischief", []string{"r"}, []string{"✗ broken"}, []string{"0"}, []string{"so    Subako: breaks the call"}},
	{"bytes", "sample:mischief", []string{"r"}, []string{"✗ broken"}, []string{"0", "enter"}, []string{"❯package ready"}},
	{"rule", "sample:mischief", []string{"r"}, []string{"✗ broken"}, []string{"0", "?"}, []string{"[Rules] Keys"}},
	{"package", "sample:greeter", []string{"i"}, []string{"[Model] Limits"}, nil, nil},
	{"fields", "sample:orders", []string{"down", "enter"}, []string{"typing", "900719925474099"}, []string{"tab", "ctrl+u", "a", "d", "a", "@"}, []string{"▏ada@ ", "▲ "}},
	{"fill-in", "sample:orders", []string{"down", "2", "s"}, []string{"With the package", "Made from the schema"}, nil, nil},
	{"choice", "sample:greeter", []string{"2", "j", "enter"}, []string{"style", "other value"}, nil, nil},
	{"suggest", "sample:greeter", []string{"2", "j", "u", "ctrl+f", "enter", "end", "left", "left"}, []string{"[JSON]", "typing"}, []string{"ctrl+w", "w"}, []string{`"warm"`}},
	{"help", "sample:greeter", []string{"?"}, []string{"Keys and commands here", "find"}, nil, nil},
}

// One app for each screen: from size to size it comes to what it would show
// had it begun there.
func TestScreens(t *testing.T) {
	for _, s := range screens {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			d, _ := start(t, s.open, 200, 60)
			if s.open == "" {
				d.WaitForText(s.wait...)
			} else {
				accepted(d)
				d.WaitForText("upload run")
			}
			d.Press(s.keys...)
			d.WaitForText(s.wait...)
			d.Press(s.pressed...)
			d.WaitForText(s.done...)
			for _, size := range [][2]int{{200, 60}, {120, 40}, {80, 50}, {80, 24}, {40, 10}} {
				d.Resize(size[0], size[1])
				d.Golden(fmt.Sprintf("%s-%dx%d", s.name, size[0], size[1]))
			}
		})
	}
}

func TestCheckScreens(t *testing.T) {
	for _, size := range [][2]int{{40, 10}, {80, 24}, {120, 40}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			d, _ := start(t, "sample:mischief:import_emscripten", 200, 60)
			d.WaitForText("✗ refused", "[Check]", "module/import-module")
			d.Resize(size[0], size[1])
			d.Golden(fmt.Sprintf("check-%dx%d", size[0], size[1]))
			d.Press("enter")
			d.Golden(fmt.Sprintf("check-bytes-%dx%d", size[0], size[1]))
		})
	}
}

// TestASCII: where only ASCII can be shown, every byte of the screen is ASCII.
func TestASCII(t *testing.T) {
	d, _ := start(t, "sample:greeter", 120, 40, func(o *Options, _ *uitest.Options) {
		o.Getenv = func(string) string { return "C" }
	})
	accepted(d)
	d.WaitForText("upload run")
	d.Press("r")
	d.WaitForText("v ok", "Hello, Ada!")
	d.Press("3")
	for y, r := range d.Screen().Text() {
		if r > 0x7e && r != '\n' {
			t.Fatalf("the screen holds %q at %d:\n%s", r, y, d.Screen().Framed())
		}
	}
	for i, b := range d.Output() {
		if b > 0x7e {
			t.Fatalf("the terminal got %q at byte %d, its title included", b, i)
		}
	}
}

// TestNoColour: with NO_COLOR no colour is sent at all.
func TestNoColour(t *testing.T) {
	d, _ := start(t, "sample:greeter", 120, 40, func(o *Options, _ *uitest.Options) {
		o.Getenv = func(name string) string { return map[string]string{"NO_COLOR": "1", "LANG": "C.UTF-8"}[name] }
	})
	accepted(d)
	s := d.Screen()
	for y := range 40 {
		for x := range 120 {
			if c := s.At(x, y); c.Fg != nil || c.Bg != nil {
				t.Fatalf("the cell %d,%d has a colour: %+v", x, y, c)
			}
		}
	}
}
