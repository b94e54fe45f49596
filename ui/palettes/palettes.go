// Package palettes are the themes that a person can choose from: perch's own,
// and those in a folder of the person, which are read from there and followed
// while they change. A file that has a fault says so and keeps the palette that
// it held last.
//
// The package knows nothing of the screen, nor of which theme is chosen.
package palettes

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"perch/engine/disk"
	"perch/themes"
)

// What is read of a folder at most.
const (
	MaxFile  = 64 << 10 // bytes of one palette
	MaxFiles = 100      // palettes
	maxNames = 4096     // names in the folder that are looked at
	maxName  = 32       // characters of a palette's name
)

// suffix of the files that hold palettes.
const suffix = ".toml"

// Palette is one theme to choose.
type Palette struct {
	Name  string
	Theme themes.Theme // the last that was in order; see Good
	Good  bool         // there is one
	File  string       // its name in the folder, "" for one of perch's own
	Err   error        // what is wrong with the file, nil: nothing
	Gone  bool         // the file is no longer there
}

// Set is what there is to choose from. It is never changed once made. The zero
// Set has perch's own themes alone.
type Set struct {
	dir     string
	brought []Palette // by name
	err     error
}

// Dir is the folder of the person's own palettes, "" when there is none.
func (s Set) Dir() string { return s.dir }

// Err is what is wrong with the folder as a whole.
func (s Set) Err() error { return s.err }

// All are the palettes in the order in which they are shown: perch's own, then
// the others by name. A palette of the person that has the name of one of
// perch's stands in its place.
func (s Set) All() []Palette {
	var out []Palette
	for _, name := range themes.Names() {
		if p, ok := s.Find(name); ok {
			out = append(out, p)
		}
	}
	for _, p := range s.brought {
		if !embedded(p.Name) {
			out = append(out, p)
		}
	}
	return out
}

// Brought are the palettes of the person alone, by name.
func (s Set) Brought() []Palette { return slices.Clone(s.brought) }

// Find is the palette of a name.
func (s Set) Find(name string) (Palette, bool) {
	for _, p := range s.brought {
		if p.Name == name {
			return p, true
		}
	}
	t, err := themes.Load(name)
	return Palette{Name: name, Theme: t, Good: true}, err == nil
}

// Load is the theme of a name: for a file with a fault the one that it held
// last. The error is the file's fault, or names the themes there are.
func (s Set) Load(name string) (themes.Theme, error) {
	p, ok := s.Find(name)
	switch {
	case !ok:
		return themes.Theme{}, fmt.Errorf("no theme is named %q; there are %s", name, strings.Join(s.names(), ", "))
	case !p.Good:
		return themes.Theme{}, p.Err
	}
	return p.Theme, nil
}

func (s Set) names() []string {
	var out []string
	for _, p := range s.All() {
		if p.Good {
			out = append(out, p.Name)
		}
	}
	return out
}

// Same reports whether two sets show the same.
func (s Set) Same(other Set) bool {
	return s.dir == other.dir && text(s.err) == text(other.err) && slices.EqualFunc(s.brought, other.brought, same)
}

func same(p, q Palette) bool {
	return p.Name == q.Name && p.Theme == q.Theme && p.Good == q.Good && p.File == q.File && p.Gone == q.Gone &&
		text(p.Err) == text(q.Err)
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func embedded(name string) bool { return slices.Contains(themes.Names(), name) }

// Read reads the *.toml files of a folder, which need not be there; "" is no
// folder. Files whose names begin with a dot, links and what is no regular file
// are not read; the latter two are faults. What before held last of a file that
// has a fault or has gone since is kept.
func Read(dir string, before Set) Set {
	s := Set{dir: dir}
	if dir == "" {
		return s
	}
	sources, faults, err := sourcesIn(dir)
	s.err = err
	for i, p := range themes.Resolve(sources) {
		s.add(sources[i].Name, sources[i].File, p.Theme, p.Err, before)
	}
	for _, f := range faults {
		s.add(strings.TrimSuffix(f.Name, suffix), f.Name, themes.Theme{}, f, before)
	}
	for _, p := range before.brought {
		_, there := find(s.brought, p.Name)
		if !there && p.Good && !embedded(p.Name) {
			p.Gone, p.Err = true, &themes.ParseError{Name: p.File, What: "the file is gone; its colours stay until another theme is chosen"}
			s.brought = append(s.brought, p)
		}
	}
	slices.SortFunc(s.brought, func(p, q Palette) int { return strings.Compare(p.Name, q.Name) })
	return s
}

// add takes what a file holds.
func (s *Set) add(name, file string, t themes.Theme, err error, before Set) {
	p := Palette{Name: name, File: file, Theme: t, Good: err == nil, Err: err}
	if err != nil {
		if last, ok := find(before.brought, name); ok {
			p.Theme, p.Good = last.Theme, last.Good
		}
	}
	s.brought = append(s.brought, p)
}

func find(all []Palette, name string) (Palette, bool) {
	for _, p := range all {
		if p.Name == name {
			return p, true
		}
	}
	return Palette{}, false
}

// sourcesIn reads the palettes of a folder. Faults are of files that could not
// be read, the error is of the folder.
func sourcesIn(dir string) (sources []themes.Source, faults []*themes.ParseError, err error) {
	root, err := disk.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read the themes: %w", err)
	}
	defer root.Close()
	names, err := namesIn(root)
	if err != nil {
		return nil, nil, fmt.Errorf("read the themes in %s: %w", dir, err)
	}
	if len(names) > MaxFiles {
		err = fmt.Errorf("%s has more than %d themes; those after %s are left out", dir, MaxFiles, names[MaxFiles-1])
		names = names[:MaxFiles]
	}
	for _, file := range names {
		fault := func(what string) { faults = append(faults, &themes.ParseError{Name: file, What: what}) }
		name := strings.TrimSuffix(file, suffix)
		if what := wrongName(name); what != "" {
			fault(what)
			continue
		}
		src, err := disk.ReadIn(root, file, MaxFile)
		var e *disk.Error
		switch {
		case errors.As(err, &e):
			fault(e.What)
		case err != nil:
			fault(err.Error())
		default:
			sources = append(sources, themes.Source{Name: name, File: file, Text: src})
		}
	}
	return sources, faults, err
}

// namesIn are the names of the palettes in a folder, sorted.
func namesIn(root *os.Root) ([]string, error) {
	f, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := f.Readdirnames(maxNames)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	names := slices.DeleteFunc(all, func(name string) bool {
		return !strings.HasSuffix(name, suffix) || strings.HasPrefix(name, ".")
	})
	slices.Sort(names)
	return names, nil
}

// wrongName is why a palette cannot have a name, "" when it can.
func wrongName(name string) string {
	if name == "auto" || name == "dark" || name == "light" {
		return name + " chooses a theme by itself. Give the file another name"
	}
	for _, r := range name {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_' {
			return "the name of a theme has letters a to z, digits, - and _ alone. Give the file another name"
		}
	}
	if name == "" || len(name) > maxName {
		return fmt.Sprintf("the name of a theme has 1 to %d characters. Give the file another name", maxName)
	}
	return ""
}
