package main

import (
	"os"
	"path/filepath"
	"strings"

	"perch/engine/pack"
	"perch/inspect/bench"
	"perch/inspect/report"
)

// filesOf says where a package and its sources lie, for reports that a service
// joins with the files of a repository.
func filesOf(b *bench.Bench) report.Files {
	p := b.Package
	f := report.Files{}
	switch p.Form {
	case pack.Embedded:
		return f
	case pack.Wasm:
		f.Form = report.Module
	case pack.Tar, pack.TarGz, pack.Zip:
		f.Form = report.Archive
	}
	t := tree{root: repository(), seen: make(map[string]string)}
	f.Path = filepath.ToSlash(filepath.Clean(p.Path))
	if rel, ok := t.below(p.Path); ok {
		f.Path = rel
	}
	t.dirs = []string{t.root, p.Path, filepath.Dir(p.Path)}
	f.Find = t.find
	return f
}

// repository is the folder that names in reports are relative to: where the
// service has its checkout, else where perch was called.
func repository() string {
	here, err := os.Getwd()
	if err != nil {
		return ""
	}
	for _, name := range []string{"GITHUB_WORKSPACE", "CI_PROJECT_DIR", "WORKSPACE"} {
		if dir := os.Getenv(name); dir != "" {
			if _, ok := (tree{root: dir}).below(here); ok {
				return dir
			}
		}
	}
	return here
}

// tree finds files below a folder by the names that debug information gives
// them. What lies elsewhere is not found: a module can name any file.
type tree struct {
	root string
	dirs []string // that names can be relative to
	seen map[string]string
}

// below is a path relative to the root, with slashes; false when it leads out.
func (t tree) below(path string) (string, bool) {
	full, err := filepath.Abs(path)
	if err != nil || t.root == "" {
		return "", false
	}
	rel, err := filepath.Rel(t.root, full)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

func (t tree) find(name string) (string, bool) {
	if rel, known := t.seen[name]; known {
		return rel, rel != ""
	}
	rel := t.look(name)
	t.seen[name] = rel
	return rel, rel != ""
}

func (t tree) look(name string) string {
	dirs := t.dirs
	if filepath.IsAbs(name) {
		dirs = []string{""}
	}
	for _, dir := range dirs {
		rel, ok := t.below(filepath.Join(dir, name))
		if !ok {
			continue
		}
		if info, err := os.Stat(filepath.Join(t.root, filepath.FromSlash(rel))); err == nil && info.Mode().IsRegular() {
			return rel
		}
	}
	return ""
}
