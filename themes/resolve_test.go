package themes_test

import (
	"fmt"
	"strings"
	"testing"

	"perch/themes"
)

// source is a palette in a file of that name.
func source(name, text string) themes.Source {
	return themes.Source{Name: name, File: name + ".toml", Text: []byte(text)}
}

func TestBase(t *testing.T) {
	dusk, err := themes.Load("dusk")
	if err != nil {
		t.Fatal(err)
	}
	red := themes.Tint{Color: themes.Color{Kind: themes.RGB, R: 255}}
	got := themes.Resolve([]themes.Source{
		source("top", "base = \"middle\"\nok = \"#ff0000\"\n"),
		source("middle", "note = \"mine\"\nbase = \"dusk\"\nerror = \"#ff0000\"\n"),
	})
	want := dusk
	want.Name, want.Note = "middle", "mine"
	want.Tints[themes.Error] = red
	if got[1].Err != nil || got[1].Theme != want {
		t.Errorf("middle is %v, %+v", got[1].Err, got[1].Theme)
	}
	want.Name, want.Note = "top", "" // a note tells of one palette
	want.Tints[themes.OK] = red
	if got[0].Err != nil || got[0].Theme != want {
		t.Errorf("top is %v, %+v", got[0].Err, got[0].Theme)
	}
}

// A palette that is named like an embedded one takes its place, and may stand
// on it.
func TestTakesThePlaceOfAnEmbedded(t *testing.T) {
	got := themes.Resolve([]themes.Source{
		source("dusk", "base = \"dusk\"\nok = \"#ff0000\"\n"),
		source("mine", "base = \"dusk\"\n"),
	})
	for _, p := range got {
		if p.Err != nil || p.Theme.Tints[themes.OK].Color.R != 255 {
			t.Errorf("%s: %v, ok is %+v", p.Theme.Name, p.Err, p.Theme.Tints[themes.OK])
		}
	}
}

func TestFaultsOfBases(t *testing.T) {
	for _, c := range []struct {
		name    string
		sources []themes.Source
		want    []string // the beginnings of the faults, "" for none
	}{
		{"itself", []themes.Source{source("a", "base = \"a\"\n")}, []string{`a.toml:1:1: base: "a" stands on this one again`}},
		{
			"circle", []themes.Source{source("a", "base = \"b\""), source("b", "base = \"c\""), source("c", "\n\nbase = \"a\"")},
			[]string{`a.toml:1:1: base: "b" has a fault`, `b.toml:1:1: base: "c" has a fault`, `c.toml:3:1: base: "a" stands on this one again`},
		},
		{
			"circle through an embedded name", []themes.Source{source("mine", "base = \"dusk\""), source("dusk", "base = \"mine\"")},
			[]string{`mine.toml:1:1: base: "dusk" has a fault`, `dusk.toml:1:1: base: "mine" stands on this one again`},
		},
		{"unknown", []themes.Source{source("a", "base = \"noon\"")}, []string{`a.toml:1:1: base: no theme is named "noon"; perch has dusk, `}},
		{"path", []themes.Source{source("a", "base = \"../dusk\"")}, []string{`a.toml:1:1: base: no theme is named "../dusk"`}},
		{
			"fault below", []themes.Source{source("a", "base = \"b\""), source("b", "base = \"dusk\"\nok = \"blink\"")},
			[]string{`a.toml:1:1: base: "b" has a fault of its own`, `b.toml:2:1: ok: "blink" is no colour`},
		},
		{"nothing wrong", []themes.Source{source("a", "base = \"paper\"")}, []string{""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for i, p := range themes.Resolve(c.sources) {
				switch {
				case c.want[i] == "" && p.Err != nil:
					t.Errorf("%s: %v", c.sources[i].Name, p.Err)
				case c.want[i] != "" && (p.Err == nil || !strings.HasPrefix(p.Err.Error(), c.want[i])):
					t.Errorf("%s: got %v\nwant %s", c.sources[i].Name, p.Err, c.want[i])
				}
			}
		})
	}
}

// A long chain is read once each.
func TestLongChain(t *testing.T) {
	var sources []themes.Source
	for i := range 200 {
		sources = append(sources, source(fmt.Sprint("t", i), fmt.Sprintf("base = \"t%d\"", i+1)))
	}
	sources = append(sources, source("t200", "base = \"dusk\"\n"))
	for i, p := range themes.Resolve(sources) {
		if p.Err != nil || p.Theme.Name != sources[i].Name {
			t.Fatalf("%s: %v", sources[i].Name, p.Err)
		}
	}
}

// A value may be nested as deep as a file is long.
func TestDeepValue(t *testing.T) {
	for _, open := range []string{"[", "{a="} {
		_, err := themes.Parse("deep", []byte("ok = "+strings.Repeat(open, 64<<10/len(open))))
		if err == nil {
			t.Errorf("%q: no fault", open)
		}
	}
}
