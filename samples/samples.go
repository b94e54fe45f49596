// Package samples holds the packages inside perch, each with its source, its
// build script and all it needs to work offline. It hands out bytes and knows
// nothing of the engine or of terminals.
//
// Beside module.wasm, subako-package.json and assets/ a sample has
//
//	arguments.json   named sets of arguments for each tool, the first one to begin with
//	mocks.toml       answers for its HTTP requests
//	perch.toml       the settings it needs
//	skills/          skills to mount
//
// and its source. mischief has variants beside it, packages of one fault each
// in their upload, their call or a probe, named mischief:NAME.
package samples

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"perch/samples/mischief"
)

// Package mischief holds its own module, which it adds scripts to.
//
//go:embed greeter orders charts notebook internal/c
//go:embed mischief/arguments.json mischief/build mischief/guest
var tree embed.FS

// Sample is one package inside perch.
type Sample struct {
	Name        string
	Language    string // of its source
	Description string // one line
	Build       string // the toolchain that made its module, with versions
}

// List returns the samples, the one to begin with first.
func List() []Sample {
	all := all()
	for i := range all {
		all[i].Build = madeWith(all[i].Name)
	}
	return all
}

// mischiefLine tells how many cases there are: they are counted by a test, since
// making them all takes longer than anything else that a list needs.
const mischiefLine = "64 tools and 166 packages, each breaks one rule"

// Variants returns the names of the packages beside mischief, without
// "mischief:".
func Variants() []string {
	var names []string
	for _, c := range mischief.Cases() {
		if c.Kind != mischief.Tool && c.Kind != mischief.Archive {
			names = append(names, c.Name)
		}
	}
	return names
}

// Files returns a sample's files by their slash-separated paths, or those of a
// variant, mischief:NAME. The error names what there is.
func Files(name string) (map[string][]byte, error) {
	base, variant, isVariant := strings.Cut(name, ":")
	if isVariant {
		return variantFiles(base, variant)
	}
	if !known(base) {
		return nil, unknown(base)
	}
	files := make(map[string][]byte)
	if err := read(files, base, ""); err != nil {
		return nil, err
	}
	if base == mischiefName {
		for path, data := range mischief.Sample() {
			files[path] = data
		}
	}
	if strings.Contains(string(files["build"]), sharedDir) {
		if err := read(files, sharedDir, "c/"); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// Overview is a part of a sample that is had without making copies of it all.
type Overview struct {
	Module    int    // bytes of module.wasm
	Arguments []byte // arguments.json
}

// Look returns the overview of a sample. The error says that there is none of
// that name, or no file of it.
func Look(name string) (Overview, error) {
	if !known(name) {
		return Overview{}, unknown(name)
	}
	arguments, err := tree.ReadFile(name + "/arguments.json")
	if err != nil {
		return Overview{}, fmt.Errorf("look at sample %s: %w", name, err)
	}
	if name == mischiefName {
		return Overview{len(mischief.Build(mischief.Script())), arguments}, nil
	}
	module, err := fs.Stat(tree, name+"/module.wasm")
	if err != nil {
		return Overview{}, fmt.Errorf("look at sample %s: %w", name, err)
	}
	return Overview{int(module.Size()), arguments}, nil
}

func unknown(name string) error {
	return fmt.Errorf("there is no sample %q; there are %s", name, strings.Join(names(), ", "))
}

// sharedDir holds what the C samples share. Their build scripts look for it
// beside themselves too, where Files puts it.
const sharedDir = "internal/c"

func read(files map[string][]byte, dir, as string) error {
	return fs.WalkDir(tree, dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := tree.ReadFile(path)
		files[as+strings.TrimPrefix(path, dir+"/")] = data
		return err
	})
}

func variantFiles(base, variant string) (map[string][]byte, error) {
	c, ok := mischief.Find(variant)
	if base != mischiefName || !ok || c.Kind == mischief.Archive {
		return nil, fmt.Errorf("there is no sample %q; mischief alone has variants: %s",
			base+":"+variant, strings.Join(Variants(), ", "))
	}
	return c.Files(), nil
}

// mischiefName is the sample that is made of cases.
const mischiefName = "mischief"

// all are the samples without their toolchains.
func all() []Sample {
	return []Sample{
		{Name: "greeter", Language: "C", Description: "Start here: an answer, a tool error"},
		{Name: "orders", Language: "Rust", Description: "HTTP: allowlist, hops, a credential; mocked"},
		{Name: "charts", Language: "Go", Description: "An image block, and a PNG by resource_link"},
		{Name: "notebook", Language: "C++", Description: "/volume, /package, /skills; progress on stderr"},
		{Name: mischiefName, Language: "C", Description: mischiefLine},
	}
}

func names() []string {
	var out []string
	for _, s := range all() {
		out = append(out, s.Name)
	}
	return out
}

func known(name string) bool { return slices.Contains(names(), name) }

// madeWith reads the toolchain from a sample's build script.
func madeWith(name string) string {
	script, err := tree.ReadFile(name + "/build")
	if err != nil {
		return ""
	}
	_, rest, _ := strings.Cut(string(script), "\nmade_with='")
	version, _, _ := strings.Cut(rest, "'")
	return version
}

// Arguments is a named set of arguments for a tool.
type Arguments struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"arguments"` // as written in the file
}

// ParseArguments reads an arguments.json: for each tool a list of named sets.
func ParseArguments(file []byte) (map[string][]Arguments, error) {
	var all map[string][]Arguments
	if err := json.Unmarshal(file, &all); err != nil {
		return nil, fmt.Errorf("reading arguments.json: %w", err)
	}
	return all, nil
}
