package themes

import (
	"fmt"
	"slices"
	"strings"
)

// Source is the text of a palette that is not part of the product.
type Source struct {
	Name string // of the palette
	File string // how faults name it
	Text []byte
}

// Parsed is what a source says: a palette, or a *ParseError.
type Parsed struct {
	Theme Theme
	Err   error
}

// Resolve reads palettes that may stand on each other and on the embedded ones
// (base = "NAME"). One that has the name of an embedded palette takes its place
// for all others, and means the embedded one when it names it as its own base.
// The answer has the order of the sources. It goes as deep as there are sources:
// who calls bounds their number.
func Resolve(sources []Source) []Parsed {
	r := &resolver{sources: sources, at: map[string]int{}, out: make([]Parsed, len(sources)), state: make([]progress, len(sources))}
	for i, s := range sources {
		r.at[s.Name] = i
	}
	for i := range sources {
		r.resolve(i)
	}
	return r.out
}

// progress says how far a source has been read.
type progress uint8

const (
	untouched progress = iota
	begun
	done
)

type resolver struct {
	sources []Source
	at      map[string]int // the sources by name
	out     []Parsed
	state   []progress
}

// resolve reads source i and what it stands on.
func (r *resolver) resolve(i int) Parsed {
	if r.state[i] == done {
		return r.out[i]
	}
	r.state[i] = begun
	s := r.sources[i]
	d, err := read(s.File, s.Text)
	var t Theme
	if err == nil {
		t, err = d.build(func(base string) (Theme, error) { return r.base(i, base) })
	}
	t.Name = s.Name
	r.out[i], r.state[i] = Parsed{t, err}, done
	return r.out[i]
}

// base is the palette that source i names as its base.
func (r *resolver) base(i int, name string) (Theme, error) {
	at, brought := r.at[name]
	if !brought || at == i && slices.Contains(Names(), name) {
		return r.embedded(name)
	}
	if r.state[at] == begun {
		return Theme{}, fmt.Errorf("%q stands on this one again. Let one of them stand on a theme of perch", brief(name))
	}
	p := r.resolve(at)
	if p.Err != nil {
		return Theme{}, fmt.Errorf("%q has a fault of its own", brief(name))
	}
	return p.Theme, nil
}

func (r *resolver) embedded(name string) (Theme, error) {
	if slices.Contains(Names(), name) {
		return Load(name)
	}
	return Theme{}, fmt.Errorf("no theme is named %q; perch has %s", brief(name), strings.Join(Names(), ", "))
}
