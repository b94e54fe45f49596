package pack_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"perch/engine/abi"
	"perch/engine/pack"
)

// fuzzFile opens data as a file of this name and holds what is true of every
// package: nothing is written outside the private folder, which Close empties.
func fuzzFile(t *testing.T, name string, data []byte) {
	home := t.TempDir()
	t.Setenv("TMPDIR", filepath.Join(home, "temp"))
	if err := os.Mkdir(filepath.Join(home, "temp"), 0o700); err != nil {
		t.Fatal(err)
	}
	path := put(t, filepath.Join(home, "in", name), data)
	p, err := pack.Open(path, pack.Options{})
	if err != nil {
		if p != nil {
			t.Fatal("a package and an error")
		}
	} else {
		if p.Fault != nil && (len(p.Breaches) != 1 || p.Module != nil || p.AssetsDir != "") {
			t.Fatalf("refused, and yet %+v", p)
		}
		if p.Module == nil && len(p.Breaches) == 0 {
			t.Fatal("no module and no breach")
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for dir, want := range map[string]int{home: 2, filepath.Join(home, "in"): 1, filepath.Join(home, "temp"): 0} {
		if got, err := os.ReadDir(dir); err != nil || len(got) != want {
			t.Fatalf("%s holds %v, %v", dir, got, err)
		}
	}
}

func FuzzTar(f *testing.F) {
	f.Add(tarOf(f, whole(file("assets/a", "1"))...))
	for _, h := range hostileTars(f) {
		f.Add(h.data)
	}
	f.Fuzz(func(t *testing.T, data []byte) { fuzzFile(t, "a.tar", data) })
}

func FuzzTarGz(f *testing.F) {
	f.Add(gz(f, tarOf(f, whole(file("assets/a", "1"))...)))
	f.Add(gz(f, tarOf(f, file("../x", ""), entry{name: "x", kind: tar.TypeSymlink, link: "/"})))
	f.Fuzz(func(t *testing.T, data []byte) {
		if z, err := gzip.NewReader(bytes.NewReader(data)); err == nil {
			if n, _ := io.Copy(io.Discard, io.LimitReader(z, 1<<20)); n == 1<<20 {
				return // bombs have a test; they would slow this one down
			}
		}
		fuzzFile(t, "a.tar.gz", data)
	})
}

func FuzzZip(f *testing.F) {
	f.Add(zipOf(f, whole(file("assets/a", "1"))...))
	for _, h := range hostileZips(f) {
		if len(h.data) < 10_000 {
			f.Add(h.data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) { fuzzFile(t, "a.zip", data) })
}

func FuzzManifest(f *testing.F) {
	for _, text := range []string{manifest, `{"abi":"1","tools":[]}`, `[`, `{"abi":1,"abi":2}`, "\ufeff{}"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := pack.FromFiles("x", map[string][]byte{abi.ManifestFile: data, abi.ModuleFile: []byte(module)})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		if p.Name == "" {
			t.Fatal("no name")
		}
		for _, b := range p.Breaches {
			if b.Detail == "" || b.Where.Line < 1 || b.Where.Offset > int64(len(data)) || b.Where.End < b.Where.Offset {
				t.Fatalf("%+v", b)
			}
		}
	})
}
