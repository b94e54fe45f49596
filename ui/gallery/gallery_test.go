package gallery_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"perch/ui/gallery"
	"perch/ui/memory"
)

func TestList(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"greeter.wasm", "greet.zip", "notes.txt", ".hidden.wasm", "Übung 1.wasm", "two\nlines.wasm"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("12345"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"grand", "pack", "my pack", ".git"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "pack", "module.wasm"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	sep := string(filepath.Separator)
	for text, want := range map[string]string{
		"":            "greet.zip package,greeter.wasm package,pack package,Übung 1.wasm package,grand folder,my pack folder,notes.txt other,two\nlines.wasm other",
		"gree":        "greet.zip package,greeter.wasm package",
		"GREE":        "greet.zip package,greeter.wasm package",
		"n":           "notes.txt other",
		"my p":        "my pack folder",
		"Ü":           "Übung 1.wasm package",
		".":           ".hidden.wasm package,.git folder",
		"zzz":         "",
		"grand" + sep: "",
	} {
		var got []string
		l := gallery.List(dir + sep + text)
		for _, o := range l.Offers {
			got = append(got, o.Name+" "+[]string{"package", "folder", "other"}[o.Kind])
			if full := dir + sep + o.Name; o.Dir && o.Path != full+sep || !o.Dir && o.Path != full {
				t.Errorf("%q is typed as %q", o.Name, o.Path)
			}
		}
		if s := strings.Join(got, ","); s != want {
			t.Errorf("%s:\n%s, want\n%s", text, s, want)
		}
		if text == "" && l.Hidden != 2 {
			t.Errorf("%d are hidden, want 2", l.Hidden)
		}
	}
	if l := gallery.List(dir + sep + "no" + sep); l.Why != "there is no such folder" || len(l.Offers) != 0 {
		t.Errorf("%+v", l)
	}
	if l := gallery.List(dir + sep + "notes.txt" + sep); l.Why == "" || len(l.Offers) != 0 {
		t.Errorf("%+v", l)
	}
}

func TestHome(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	sep := string(filepath.Separator)
	if err := os.MkdirAll(filepath.Join(home, "pk"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"~", "~" + sep, "~" + sep + "p"} {
		l := gallery.List(text)
		if len(l.Offers) != 1 || l.Offers[0].Path != "~"+sep+"pk"+sep {
			t.Errorf("%s: %+v", text, l)
		}
	}
}

func TestDropped(t *testing.T) {
	for text, want := range map[string]string{
		"/a/b.wasm \n":             "/a/b.wasm",
		"'/a/my pack'":             "/a/my pack",
		`"/a/my pack"`:             "/a/my pack",
		"file:///a/my%20pack.wasm": "/a/my pack.wasm",
		"file://host/a.wasm":       "/a.wasm",
		"it's":                     "it's",
	} {
		if got := gallery.Dropped(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	if filepath.Separator == '/' {
		if got := gallery.Dropped(`/a/my\ pack\(1\).wasm`); got != "/a/my pack(1).wasm" {
			t.Errorf("backslashes: %q", got)
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

// listed is a listing of packages and folders, which end with a slash.
func listed(text string, paths ...string) gallery.Listing {
	l := gallery.Listing{Text: text}
	for _, p := range paths {
		o := gallery.Offer{Name: p, Path: p, Kind: gallery.Package}
		if strings.HasSuffix(p, "/") {
			o.Kind, o.Dir = gallery.Folder, true
		}
		l.Offers = append(l.Offers, o)
	}
	return l
}

func TestCompleting(t *testing.T) {
	v := view()
	v.TypePath()
	v.Input().Insert("/pk/")
	v.Changed()
	if text, ok := v.Ask(); !ok || text != "/pk/" {
		t.Fatalf("asked for %q, %v", text, ok)
	}
	if _, ok := v.Ask(); ok {
		t.Error("it is asked for twice")
	}
	v.Listed(listed("/other/", "/other/x"))
	v.Complete() // the listing is not there yet
	if v.Path() != "/pk/" {
		t.Error("offers for another text were taken")
	}
	v.Listed(listed("/pk/", "/pk/charts/", "/pk/charcoal/"))
	if v.Path() != "/pk/char" {
		t.Errorf("what they share is %q", v.Path())
	}
	v.Ask()
	v.Listed(listed("/pk/char", "/pk/charts/", "/pk/charcoal/"))
	v.Complete()
	v.Do("type.down")
	if !v.Picks() || v.Chosen() != "/pk/charcoal/" {
		t.Errorf("picked: %q", v.Chosen())
	}
	if !v.GoIn() || v.Path() != "/pk/charcoal/" {
		t.Errorf("enter on a folder leads to %q", v.Path())
	}
	v.Ask()
	v.Listed(listed("/pk/charcoal/", "/pk/charcoal/a.wasm"))
	v.Do("type.down")
	if v.GoIn() || v.Chosen() != "/pk/charcoal/a.wasm" {
		t.Errorf("a package is opened, not gone into: %q", v.Chosen())
	}
	if !v.Out() || v.Input() != nil {
		t.Error("esc does not end the path")
	}
}
