package pack_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/pack"
)

const (
	manifest = `{"abi":1,"name":"ship","description":"Ships orders."}`
	module   = "\x00asm\x01\x00\x00\x00"
)

// put writes a file into a new folder, or an absolute path.
func put(t *testing.T, path string, data []byte) string {
	t.Helper()
	if !filepath.IsAbs(path) {
		path = filepath.Join(t.TempDir(), path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// folder makes a folder with these files.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "ship")
	for name, text := range files {
		put(t, filepath.Join(dir, filepath.FromSlash(name)), []byte(text))
	}
	return dir
}

func link(t *testing.T, target, path string) {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		t.Skip("this machine makes no links:", err)
	}
}

// open opens path and closes the package when the test ends.
func open(t *testing.T, path string) *pack.Package {
	t.Helper()
	return openWith(t, path, pack.Options{})
}

func openWith(t *testing.T, path string, o pack.Options) *pack.Package {
	t.Helper()
	p, err := pack.Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// entry is a line of an archive.
type entry struct {
	name string
	body string
	kind byte // tar.TypeReg when 0
	link string
	pax  map[string]string
}

func file(name, body string) entry { return entry{name: name, body: body} }

// whole is a package without a fault.
func whole(more ...entry) []entry {
	return append([]entry{file(abi.ManifestFile, manifest), file(abi.ModuleFile, module)}, more...)
}

func tarOf(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range entries {
		kind := e.kind
		if kind == 0 {
			kind = tar.TypeReg
		}
		h := &tar.Header{Name: e.name, Typeflag: kind, Mode: 0o644, Size: int64(len(e.body)), Linkname: e.link, PAXRecords: e.pax}
		if kind == tar.TypeXGlobalHeader {
			h = &tar.Header{Name: e.name, Typeflag: kind, PAXRecords: e.pax}
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(e.body)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gz(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zipOf(t testing.TB, entries ...entry) []byte {
	t.Helper()
	return zipWith(t, nil, entries...)
}

// zipWith lets change see each header before it is written.
func zipWith(t testing.TB, change func(*zip.FileHeader), entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		if e.body == "" {
			h.Method = zip.Store // a compressor for each of many entries takes its time
		}
		switch e.kind {
		case tar.TypeSymlink:
			h.SetMode(fs.ModeSymlink | 0o777)
		case tar.TypeFifo:
			h.SetMode(fs.ModeNamedPipe | 0o644)
		}
		if change != nil {
			change(h)
		}
		f, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(e.body)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func rules(p *pack.Package) []abi.RuleID {
	var ids []abi.RuleID
	for _, b := range p.Breaches {
		ids = append(ids, b.Rule)
	}
	return ids
}

func breach(t *testing.T, p *pack.Package, id abi.RuleID) event.Breach {
	t.Helper()
	for _, b := range p.Breaches {
		if b.Rule == id {
			return b
		}
	}
	t.Fatalf("no breach of %s in %v", id, p.Breaches)
	return event.Breach{}
}

// usage is the error of a path that is no package.
func usage(t *testing.T, path string, o pack.Options) *pack.Error {
	t.Helper()
	p, err := pack.Open(path, o)
	var e *pack.Error
	if !errors.As(err, &e) {
		t.Fatalf("got package %v, error %v", p, err)
	}
	return e
}

// assets are the files below the mounted folder.
func assets(t *testing.T, p *pack.Package) map[string]string {
	t.Helper()
	if p.AssetsDir == "" {
		return nil
	}
	found := map[string]string{}
	err := filepath.WalkDir(p.AssetsDir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		name, _ := filepath.Rel(p.AssetsDir, path)
		found[filepath.ToSlash(name)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func wants(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s is %q, without %q", what, text, part)
		}
	}
}
