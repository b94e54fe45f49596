package gallery_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"perch/ui/gallery"
	"perch/ui/memory"
)

func TestComplete(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"greeter.wasm", "greet.zip", "notes.txt", ".hidden.wasm"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "grand"), 0o755); err != nil {
		t.Fatal(err)
	}
	sep := string(filepath.Separator)
	for text, want := range map[string][]string{
		dir + sep:           {"grand" + sep, "greet.zip", "greeter.wasm"},
		dir + sep + "gree":  {"greet.zip", "greeter.wasm"},
		dir + sep + "n":     nil,
		dir + sep + ".h":    {".hidden.wasm"},
		dir + sep + "no/no": nil,
	} {
		var full []string
		for _, w := range want {
			full = append(full, dir+sep+w)
		}
		if got := gallery.Complete(text); !slices.Equal(got, full) {
			t.Errorf("%s: %v, want %v", text, got, full)
		}
	}
}

func view() *gallery.View {
	return gallery.New([]gallery.Sample{{Name: "greeter", Open: "sample:greeter", Language: "C"}, {Name: "orders", Open: "sample:orders", Language: "Rust"}},
		[]memory.Recent{{Path: "/pk/charts", Name: "charts"}}, time.Now)
}

func TestChoosing(t *testing.T) {
	v := view()
	if v.Chosen() != "sample:greeter" {
		t.Errorf("at first %q is chosen", v.Chosen())
	}
	v.Do("nav.down")
	v.Do("nav.down")
	if v.Chosen() != "/pk/charts" {
		t.Errorf("two below it %q is chosen", v.Chosen())
	}
	v.Do("nav.down")
	if v.Chosen() != "/pk/charts" {
		t.Error("the end is no end")
	}
	v.Do("find.open")
	v.Input().Insert("rust")
	v.Changed()
	if v.Chosen() != "sample:orders" {
		t.Errorf("the filter leaves %q", v.Chosen())
	}
	if !v.Out() || v.Out() {
		t.Error("esc does not undo the filter in one step")
	}
}

func TestOffers(t *testing.T) {
	v := view()
	v.TypePath()
	v.Input().Insert("/pk/")
	v.Offer("/other/", []string{"/other/x"})
	if v.Path() != "/pk/" {
		t.Error("offers for another text were taken")
	}
	v.Offer("/pk/", []string{"/pk/charts/", "/pk/charcoal/"})
	if v.Path() != "/pk/char" {
		t.Errorf("what they share is %q", v.Path())
	}
	v.Offer("/pk/char", []string{"/pk/charts/"})
	if v.Path() != "/pk/charts/" {
		t.Errorf("the only one is not taken: %q", v.Path())
	}
}
