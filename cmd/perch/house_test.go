package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"perch/engine/abi"
)

// The tests in this file hold the layout of the whole repository: what stands
// where, and which package may know which.

const (
	house    = "../.."
	fileMax  = 600 // lines
	funcMax  = 80  // lines; about 60 are meant
	basePath = "perch/"
)

// floors are the folders at the top, and the floors that each may import from
// besides itself.
func floors() map[string][]string {
	return map[string][]string{
		"cmd":     {"ui", "themes", "inspect", "engine", "samples"},
		"ui":      {"themes", "inspect", "engine", "samples"},
		"inspect": {"engine", "samples"},
		"engine":  nil,
		"themes":  nil,
		"samples": nil,
	}
}

// leaves are the packages of the engine that its rooms share.
func leaves() []string {
	return []string{"abi", "clock", "disk", "event", "guest", "jsonread", "near", "quote", "tape", "units"}
}

// neighbours are the rooms of the engine that may know another room.
func neighbours() map[string]string {
	return map[string]string{"symbols": "wasm"}
}

// source is one parsed Go file.
type source struct {
	path string // in the repository, with slashes
	test bool
	set  *token.FileSet
	file *ast.File
}

func (s source) dir() string { return path.Dir(s.path) }

// sources are all Go files of the repository but those below testdata.
func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	set := token.NewFileSet()
	err := filepath.WalkDir(house, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && d.Name() != ".." {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(house, name)
		if err != nil {
			return err
		}
		all = append(all, source{filepath.ToSlash(rel), strings.HasSuffix(name, "_test.go"), set, file})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 100 {
		t.Fatalf("only %d Go files were found", len(all))
	}
	return all
}

func TestTopLevel(t *testing.T) {
	known := []string{"go.mod", "go.sum", "README.md", "LICENSE"}
	for floor := range floors() {
		known = append(known, floor)
	}
	built := []string{"perch", "perch.exe"} // what go build leaves, ignored by git
	entries, err := os.ReadDir(house)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if name := e.Name(); !strings.HasPrefix(name, ".") && !slices.Contains(known, name) && !slices.Contains(built, name) {
			t.Errorf("%s has no place at the top level", name)
		}
	}
	for _, name := range known {
		if _, err := os.Stat(filepath.Join(house, name)); err != nil {
			t.Errorf("%s is missing at the top level", name)
		}
	}
}

func TestImportsPointDown(t *testing.T) {
	for _, s := range sources(t) {
		floor, room, _ := strings.Cut(s.dir(), "/")
		room, _, _ = strings.Cut(room, "/")
		for _, spec := range s.file.Imports {
			imported, ok := strings.CutPrefix(importPath(t, spec), basePath)
			if !ok {
				continue
			}
			toFloor, toRoom, _ := strings.Cut(imported, "/")
			toRoom, _, _ = strings.Cut(toRoom, "/")
			switch {
			case floor != toFloor:
				if !slices.Contains(floors()[floor], toFloor) && !s.test {
					t.Errorf("%s imports %s, which does not lie below it", s.path, imported)
				}
			case floor == "engine" && room != "" && room != toRoom && !s.test:
				if !slices.Contains(leaves(), toRoom) && neighbours()[room] != toRoom {
					t.Errorf("%s imports %s: rooms of the engine do not know each other", s.path, imported)
				}
			}
		}
	}
}

func importPath(t *testing.T, spec *ast.ImportSpec) string {
	t.Helper()
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPackagesSayWhatTheyAreFor(t *testing.T) {
	docs := map[string][]string{}
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		docs[s.dir()] = append(docs[s.dir()], "")
		if s.file.Doc != nil {
			docs[s.dir()][0] += s.file.Doc.Text()
		}
	}
	for dir, texts := range docs {
		if !strings.HasPrefix(texts[0], "Package ") && !strings.HasPrefix(texts[0], "Command ") {
			t.Errorf("%s has no comment that begins with Package or Command", dir)
		}
		if strings.Count(texts[0], "Package ") > 1 {
			t.Errorf("%s has more than one package comment", dir)
		}
	}
}

func TestNothingIsTooLong(t *testing.T) {
	for _, s := range sources(t) {
		if ast.IsGenerated(s.file) {
			continue
		}
		if n := s.set.Position(s.file.FileEnd).Line; n > fileMax {
			t.Errorf("%s has %d lines, at most %d are read with pleasure", s.path, n, fileMax)
		}
		if s.test {
			continue
		}
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := s.set.Position(f.End()).Line - s.set.Position(f.Pos()).Line + 1; n > funcMax {
				t.Errorf("%s: %s has %d lines, at most %d", s.path, f.Name.Name, n, funcMax)
			}
		}
	}
}

// Names of the ABI stand in engine/abi alone. Samples are guests: they know
// nothing of the engine and speak for themselves.
func TestABINamesStandOnce(t *testing.T) {
	names := []string{
		abi.ProtocolVersion, abi.ModuleFile, abi.ManifestFile, abi.ModuleWASI, abi.ModuleHTTP, abi.HTTPReadResponse,
		abi.MethodDiscover, abi.MethodList, abi.MethodCall, abi.MetaProtocolVersion, abi.MetaClientInfo, abi.MetaClientCapabilities,
		abi.VolumeRoot, abi.VolumeTmp, abi.VolumeData, abi.PackageDir, abi.SkillsDir, abi.VolumeScheme,
	}
	for _, kind := range abi.ErrorKinds() {
		names = append(names, string(kind))
	}
	common := []string{string(abi.ErrTimeout), string(abi.ErrConnection), string(abi.ErrAbi)} // words of other things too
	names = slices.DeleteFunc(names, func(n string) bool { return slices.Contains(common, n) })
	for _, s := range sources(t) {
		if s.test || s.dir() == "engine/abi" || strings.HasPrefix(s.path, "samples/") {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			if v, err := strconv.Unquote(lit.Value); err == nil && slices.Contains(names, v) {
				t.Errorf("%s spells %q, which engine/abi holds", s.set.Position(lit.Pos()), v)
			}
			return true
		})
	}
}
