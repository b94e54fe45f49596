package bench_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"perch/engine/disk"
	"perch/engine/pack"
	"perch/inspect/bench"
	"perch/inspect/preset"
)

// TestPresetsOfAFolder: they lie in the package, and a link that came with it
// is neither read nor written through.
func TestPresetsOfAFolder(t *testing.T) {
	dir, keep := t.TempDir(), filepath.Join(t.TempDir(), "kept")
	if err := os.WriteFile(filepath.Join(dir, "module.wasm"), []byte("\x00asm\x01\x00\x00\x00"), 0o644); err != nil {
		t.Fatal(err)
	}
	b, err := bench.Open(t.Context(), dir, bench.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	if f, err := b.Presets(keep); err != nil || len(f.Tools()) != 0 {
		t.Errorf("without a file: %v, %v", f, err)
	}
	path, err := b.SavePreset(keep, "greet", "warm", []byte(`{"name":"Ada"}`))
	if err != nil || path != filepath.Join(dir, pack.PresetsFile) {
		t.Fatalf("saved in %s, %v", path, err)
	}
	f, err := b.Presets(keep)
	if err != nil {
		t.Fatal(err)
	}
	if p, ok := f.Get("greet", "warm"); !ok || string(p.Args) != `{"name":"Ada"}` {
		t.Errorf("read back: %+v, %t", p, ok)
	}
	target := filepath.Join(t.TempDir(), "elsewhere")
	before := []byte(`{"perch-presets":1,"tools":{}}`)
	if err := errors.Join(os.WriteFile(target, before, 0o600), os.Remove(path)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, path); err != nil {
		t.Skip("no links here")
	}
	if _, err := b.Presets(keep); !errors.Is(err, disk.ErrNotRegular) {
		t.Errorf("a link is read: %v", err)
	}
	if _, err := b.SavePreset(keep, "greet", "warm", []byte(`{}`)); !errors.Is(err, disk.ErrNotRegular) {
		t.Errorf("a link is written through: %v", err)
	}
	if after, err := os.ReadFile(target); err != nil || string(after) != string(before) {
		t.Errorf("what the link leads to is %s, %v", after, err)
	}
}

// TestPresetsOfASample: they lie in the folder of the person, which is made.
func TestPresetsOfASample(t *testing.T) {
	keep := filepath.Join(t.TempDir(), "kept")
	b, err := bench.Open(t.Context(), "sample:greeter", bench.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	path, err := b.SavePreset(keep, "greet", "warm", []byte(`{"name":"Ada"}`))
	if err != nil || filepath.Dir(path) != keep {
		t.Fatalf("saved in %s, %v", path, err)
	}
	if f, err := b.Presets(keep); err != nil || len(f.Presets("greet")) != 1 {
		t.Errorf("read back: %v", err)
	}
	if _, err := b.RenamePreset(keep, "greet", "warm", "cold"); err != nil {
		t.Error(err)
	}
	if f, _ := b.Presets(keep); len(f.Presets("greet")) != 1 || f.Presets("greet")[0].Name != "cold" {
		t.Errorf("renamed: %s", f.Bytes())
	}
	if _, err := b.RemovePreset(keep, "greet", "warm"); !errors.Is(err, preset.ErrNone) {
		t.Errorf("what is not there was removed: %v", err)
	}
	if _, err := b.RemovePreset(keep, "greet", "cold"); err != nil {
		t.Error(err)
	}
	if f, _ := b.Presets(keep); len(f.Presets("greet")) != 0 {
		t.Errorf("removed: %s", f.Bytes())
	}
	if _, err := b.SavePreset("", "greet", "warm", []byte(`{}`)); err == nil {
		t.Error("it is saved nowhere")
	}
}
