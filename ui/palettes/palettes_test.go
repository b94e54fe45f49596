package palettes_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perch/themes"
	"perch/ui/palettes"
)

func write(t *testing.T, dir, file, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, dir, file string) {
	t.Helper()
	if err := os.Remove(filepath.Join(dir, file)); err != nil {
		t.Fatal(err)
	}
}

// red reports whether ok is red in a theme, as the tests make it.
func red(th themes.Theme) bool {
	return th.Tints[themes.OK].Color == themes.Color{Kind: themes.RGB, R: 255}
}

const isRed = "base = \"paper\"\nok = \"#ff0000\"\n"

func TestPerchsOwnAreAlwaysThere(t *testing.T) {
	for name, dir := range map[string]string{"none": "", "missing": filepath.Join(t.TempDir(), "no"), "empty": t.TempDir()} {
		s := palettes.Read(dir, palettes.Set{})
		if s.Err() != nil || len(s.All()) != len(themes.Names()) || len(s.Brought()) != 0 || s.Dir() != dir {
			t.Errorf("%s: %v, %d palettes", name, s.Err(), len(s.All()))
		}
		if th, err := s.Load("paper"); err != nil || th.Ground != themes.Light {
			t.Errorf("%s: paper is %v, %v", name, th.Ground, err)
		}
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "zebra.toml", isRed)
	write(t, dir, "Mine_2.toml", "base = \"zebra\"\n")
	write(t, dir, "notes.txt", "no theme")
	write(t, dir, ".swap.toml", "no theme")
	s := palettes.Read(dir, palettes.Set{})
	var names []string
	for _, p := range s.All()[len(themes.Names()):] {
		names = append(names, p.Name)
		if !p.Good || p.Err != nil || !red(p.Theme) || p.Theme.Ground != themes.Light || p.File != p.Name+".toml" {
			t.Errorf("%s: %+v", p.Name, p)
		}
	}
	if fmt.Sprint(names) != "[Mine_2 zebra]" {
		t.Errorf("the others are %v", names)
	}
	if _, err := s.Load("noon"); err == nil || !strings.Contains(err.Error(), "dusk") || !strings.Contains(err.Error(), "zebra") {
		t.Errorf("an unknown name gives %v", err)
	}
}

func TestTakesThePlaceOfPerchsOwn(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "dusk.toml", "base = \"dusk\"\nok = \"#ff0000\"\n")
	s := palettes.Read(dir, palettes.Set{})
	if th, err := s.Load("dusk"); err != nil || !red(th) || s.All()[0].File != "dusk.toml" || len(s.All()) != len(themes.Names()) {
		t.Errorf("dusk is %v, %v", th.Tints[themes.OK], err)
	}
	remove(t, dir, "dusk.toml")
	if th, err := palettes.Read(dir, s).Load("dusk"); err != nil || red(th) {
		t.Errorf("perch's own dusk did not come back: %v", err)
	}
}

// A fault names file, line and key, and the last good palette stays.
func TestFaultKeepsTheLastGood(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "mine.toml", isRed)
	first := palettes.Read(dir, palettes.Set{})
	write(t, dir, "mine.toml", "base = \"dusk\"\n\naccent = \"#12\"\n")
	second := palettes.Read(dir, first)
	p, _ := second.Find("mine")
	var fault *themes.ParseError
	if !errors.As(p.Err, &fault) || fault.Name != "mine.toml" || fault.Line != 3 || fault.Key != "accent" {
		t.Fatalf("the fault is %v", p.Err)
	}
	if th, err := second.Load("mine"); err != nil || !red(th) || !p.Good {
		t.Errorf("the last good palette did not stay: %v", err)
	}
	if second.Same(first) || !second.Same(palettes.Read(dir, second)) {
		t.Error("sets are told apart wrongly")
	}
	fresh := palettes.Read(dir, palettes.Set{})
	if _, err := fresh.Load("mine"); !errors.As(err, &fault) {
		t.Errorf("without a last good palette it gives %v", err)
	}
	write(t, dir, "mine.toml", "base = \"dusk\"\n")
	third := palettes.Read(dir, second)
	if p, _ := third.Find("mine"); p.Err != nil || red(p.Theme) {
		t.Errorf("what was set right is %v", p.Err)
	}
	remove(t, dir, "mine.toml")
	fourth := palettes.Read(dir, third)
	if p, _ := fourth.Find("mine"); !p.Gone || !p.Good || !strings.HasPrefix(text(p.Err), "mine.toml: the file is gone") {
		t.Errorf("a file that went is %+v", p)
	}
	write(t, dir, "mine.toml", isRed)
	if p, _ := palettes.Read(dir, fourth).Find("mine"); p.Gone || p.Err != nil || !red(p.Theme) {
		t.Errorf("a file that came back is %+v", p)
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// What a folder holds that is no palette is a fault of that file alone.
func TestHostileFiles(t *testing.T) {
	outside := t.TempDir()
	write(t, outside, "secret.toml", isRed)
	dir := t.TempDir()
	write(t, dir, "good.toml", isRed)
	want := map[string]string{}
	add := func(file, body, fault string) {
		write(t, dir, file, body)
		want[file] = fault
	}
	add("huge.toml", "#"+strings.Repeat("x", palettes.MaxFile)+"\n", "is larger than 64 KiB")
	add("auto.toml", isRed, "auto chooses a theme by itself")
	add("a b.toml", isRed, "the name of a theme has letters")
	add("ä.toml", isRed, "the name of a theme has letters")
	add(strings.Repeat("n", 33)+".toml", isRed, "the name of a theme has 1 to 32 characters")
	add("circle.toml", "base = \"round\"\n", `base: "round"`)
	add("round.toml", "base = \"circle\"\n", `base: "circle"`)
	add("binary.toml", "\x00\x01\xff", "not TOML")
	add("nested.toml", "ok = "+strings.Repeat("[", 60<<10), "")
	add("up.toml", "base = \"../secret\"\n", "no theme is named")
	if err := os.Mkdir(filepath.Join(dir, "folder.toml"), 0o700); err != nil {
		t.Fatal(err)
	}
	want["folder.toml"] = "is a folder, not a regular file"
	if err := os.Symlink(filepath.Join(outside, "secret.toml"), filepath.Join(dir, "link.toml")); err == nil {
		want["link.toml"] = "is a link, not a regular file"
	}
	s := palettes.Read(dir, palettes.Set{})
	for _, p := range s.Brought() {
		fault, bad := want[p.File]
		delete(want, p.File)
		switch {
		case !bad && (p.Err != nil || !p.Good):
			t.Errorf("%s: %v", p.File, p.Err)
		case bad && (p.Good || !strings.HasPrefix(text(p.Err), p.File+":") || !strings.Contains(text(p.Err), fault)):
			t.Errorf("%s: got %v, want %s", p.File, p.Err, fault)
		case len(text(p.Err)) > 400:
			t.Errorf("%s: the fault has %d bytes", p.File, len(text(p.Err)))
		}
	}
	for file := range want {
		t.Errorf("%s is not told of", file)
	}
}

func TestTooMany(t *testing.T) {
	dir := t.TempDir()
	for i := range palettes.MaxFiles + 5 {
		write(t, dir, fmt.Sprintf("t%03d.toml", i), isRed)
	}
	s := palettes.Read(dir, palettes.Set{})
	if len(s.Brought()) != palettes.MaxFiles || s.Err() == nil || !strings.Contains(s.Err().Error(), "more than 100 themes; those after t099.toml") {
		t.Errorf("%d palettes, %v", len(s.Brought()), s.Err())
	}
	file := filepath.Join(dir, "t000.toml")
	if s := palettes.Read(file, palettes.Set{}); s.Err() == nil || !strings.Contains(s.Err().Error(), "is a file, not a folder") {
		t.Errorf("a file for a folder gives %v", s.Err())
	}
}

// A draft stands on the palette that it is of, and each of its lines can be
// uncommented.
func TestDraft(t *testing.T) {
	for _, name := range themes.Names() {
		th, err := themes.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		draft := string(th.Draft())
		got, err := themes.Parse("mine", []byte(draft))
		if err != nil || got.Tints != th.Tints || got.Ground != th.Ground {
			t.Errorf("%s: the draft is another palette: %v", name, err)
		}
		var lines []string
		for line := range strings.Lines(draft) {
			bare := strings.TrimPrefix(line, "# ")
			if key, _, is := strings.Cut(bare, " = "); is && !strings.Contains(key, " ") && !strings.HasPrefix(line, "base") {
				lines = append(lines, bare)
			}
		}
		if got, err = themes.Parse("mine", []byte(strings.Join(lines, ""))); err != nil || got.Tints != th.Tints {
			t.Errorf("%s: uncommented, the draft is another palette: %v", name, err)
		}
	}
}
