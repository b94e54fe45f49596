package bench_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"perch/engine/abi"
	"perch/engine/egress"
	"perch/engine/event"
	"perch/inspect/bench"
	"perch/samples"
)

// packageDir writes a sample as a folder.
func packageDir(t *testing.T, name string) (dir string, module []byte) {
	t.Helper()
	files, err := samples.Files(name)
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	for _, f := range []string{abi.ModuleFile, abi.ManifestFile} {
		putFile(t, filepath.Join(dir, f), files[f])
	}
	return dir, files[abi.ModuleFile]
}

func putFile(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestTakeOver: runs, their numbers, the volume and what the person allowed go
// on in the bench of the package that was built again.
func TestTakeOver(t *testing.T) {
	dir, module := packageDir(t, "greeter")
	first, err := bench.Open(t.Context(), dir, bench.Options{KeepFiles: true})
	if err != nil {
		t.Fatal(err)
	}
	if u, err := first.Upload(t.Context()); err != nil || !u.Accepted() {
		t.Fatalf("%+v, %v", u, err)
	}
	note := filepath.Join(first.Session.VolumeDir(), "tmp", "kept")
	putFile(t, note, []byte("x"))
	p := first.Session.Config().Egress
	p.Allow = append(p.Allow, egress.HostRule{Text: "api.example.com", Source: bench.ByPerson + ", for this session"}, egress.HostRule{Text: "other.example.com", Source: "perch.toml:1"})
	first.Session.SetPolicy(p)

	putFile(t, filepath.Join(dir, abi.ModuleFile), append(module, 0, 2, 1, 'x')) // a custom section more
	second, err := bench.Open(t.Context(), dir, bench.Options{KeepFiles: true})
	if err != nil {
		t.Fatal(err)
	}
	if second.SameAs(first) || !second.SameAs(second) || second.NotWhole() != nil {
		t.Error("they are held for the same, or the new one is not whole")
	}
	if err := second.TakeOver(first); err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	u, err := second.Upload(t.Context())
	if err != nil || !u.Accepted() {
		t.Fatalf("%+v, %v", u, err)
	}
	runs := second.Record.Runs()
	if len(runs) != 2 || runs[0].ID() >= runs[1].ID() || runs[0].Begin().Kind != event.Upload {
		t.Errorf("%d runs", len(runs))
	}
	if out := runs[0].Stream(event.Stdout); out.Len() == 0 || len(out.Bytes(0, int(out.Len()))) == 0 {
		t.Error("what the first one recorded is gone")
	}
	if second.Session.VolumeDir() != first.Session.VolumeDir() {
		t.Error("the volume is another")
	}
	if data, err := os.ReadFile(note); err != nil || string(data) != "x" {
		t.Errorf("what lay in the volume: %q, %v", data, err)
	}
	var allowed []string
	for _, r := range second.Session.Config().Egress.Allow {
		allowed = append(allowed, r.Text)
	}
	if strings.Join(allowed, " ") != "api.example.com" {
		t.Errorf("allowed are %v", allowed)
	}
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(note); err == nil {
		t.Error("the private folder stays behind")
	}
}

// TestNotWhole tells what is still being written from what is whole and wrong.
func TestNotWhole(t *testing.T) {
	dir, module := packageDir(t, "greeter")
	for _, c := range []struct {
		name  string
		data  []byte
		whole bool
	}{
		{"whole", module, true}, {"half", module[:len(module)/2], false}, {"empty", nil, false}, {"magic alone", module[:4], false},
		{"no imports of ours", bytes.Replace(module, []byte("fd_write"), []byte("fd_wrote"), 1), true},
	} {
		putFile(t, filepath.Join(dir, abi.ModuleFile), c.data)
		b, err := bench.Open(t.Context(), dir, bench.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if why := b.NotWhole(); (why == nil) != c.whole {
			t.Errorf("%s: %v", c.name, why)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestStamp: a stamp is another when a part of the package is, and when nothing
// else is.
func TestStamp(t *testing.T) {
	dir, _ := packageDir(t, "greeter")
	later := time.Now()
	change := func(name string) func() {
		return func() {
			later = later.Add(time.Second)
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			putFile(t, path, []byte(later.String()))
			if err := os.Chtimes(path, later, later); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []struct {
		file  string
		other bool
	}{
		{"module.wasm", true}, {"subako-package.json", true}, {"perch.toml", true}, {"assets/a/b", true},
		{"perch-presets.json", false}, {"notes.txt", false}, {"src/main.c", false},
	} {
		before := bench.StampOf(dir)
		change(c.file)()
		after := bench.StampOf(dir)
		if (before.Sum != after.Sum) != c.other {
			t.Errorf("%s: another stamp is %v", c.file, !c.other)
		}
		if c.other && !after.Counts(filepath.Join(dir, c.file)) {
			t.Errorf("%s does not count", c.file)
		}
	}
	if before, now := bench.StampOf(dir), bench.StampOf(dir); before.Sum != now.Sum {
		t.Error("two looks at the same differ")
	}
	bare := filepath.Join(dir, "module.wasm")
	before := bench.StampOf(bare)
	change("other.wasm")()
	if bench.StampOf(bare).Sum != before.Sum || before.Counts(filepath.Join(dir, "other.wasm")) || !before.Counts(bare) {
		t.Error("a module alone is told by another file in its folder")
	}
}

// TestSources: what a build writes is none of its sources.
func TestSources(t *testing.T) {
	dir := t.TempDir()
	putFile(t, filepath.Join(dir, "a.c"), []byte("1"))
	watched := []string{filepath.Join(dir, "*.c"), filepath.Join(dir, "src"), dir}
	before := bench.SourcesOf(watched, filepath.Join(dir, "pk.zip"))
	putFile(t, filepath.Join(dir, "module.wasm"), []byte("1"))
	putFile(t, filepath.Join(dir, "pk.zip"), []byte("1"))
	if now := bench.SourcesOf(watched, filepath.Join(dir, "pk.zip")); now.Sum != before.Sum {
		t.Error("what a build writes counts")
	}
	putFile(t, filepath.Join(dir, "b.c"), []byte("1"))
	if now := bench.SourcesOf(watched, filepath.Join(dir, "pk.zip")); now.Sum == before.Sum {
		t.Error("a source more does not count")
	}
}
