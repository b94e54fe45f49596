package volume_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perch/inspect/volume"
)

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	full := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestTake(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	put(t, outside, "secret", "s")
	put(t, dir, "tmp/a", "one")
	put(t, dir, "tmp/deep/b", "two")
	put(t, dir, "tmp/big", strings.Repeat("x", volume.MaxFile+1))
	for _, name := range []string{"tmp/link", "tmp/folder"} {
		if err := os.Symlink(outside, filepath.Join(dir, name)); err != nil {
			t.Skip("no links here")
		}
	}
	s := volume.Take(dir, nil)
	for name, want := range map[string]string{"tmp/a": "one", "tmp/deep/b": "two"} {
		if f, ok := s.File(name); !ok || !f.Kept || string(f.Data) != want || f.Size != int64(len(want)) {
			t.Errorf("%s: %+v, %v", name, f, ok)
		}
	}
	if f, ok := s.File("tmp/big"); !ok || f.Kept || f.Size != volume.MaxFile+1 {
		t.Errorf("a large file: %d bytes, kept %v, %v", f.Size, f.Kept, ok)
	}
	if _, ok := s.File("tmp/link/secret"); ok {
		t.Error("a link was followed")
	}
	put(t, dir, "tmp/a", "ONE")
	if again := volume.Take(dir, s); again.Fresh() != 3 {
		t.Errorf("%d bytes are fresh, want those of the file that changed", again.Fresh())
	}
	if none := volume.Take(filepath.Join(dir, "none"), nil); none.Fresh() != 0 {
		t.Error("a folder that is not there holds something")
	}
}

func TestTakeIsBounded(t *testing.T) {
	dir := t.TempDir()
	for i := range volume.MaxFiles + 1 {
		put(t, dir, fmt.Sprint(i), "")
	}
	if s := volume.Take(dir, nil); !s.Partial {
		t.Error("more files than the limit, and it is not said")
	}
}

func TestHistory(t *testing.T) {
	dir := t.TempDir()
	var h volume.History
	if _, _, ok := h.Around(1); ok {
		t.Error("something is kept of a run that was not")
	}
	put(t, dir, "a", "0")
	for run := uint32(2); run < 5; run++ {
		h.Begin(dir)
		if before, after, ok := h.Around(run); !ok || before == nil || after != nil {
			t.Errorf("run %d while it goes on: %v %v %v", run, before, after, ok)
		}
		put(t, dir, "a", string(rune('0'+run)))
		h.End(run, dir)
	}
	before, after, ok := h.Around(3)
	a, _ := before.File("a")
	b, _ := after.File("a")
	if !ok || string(a.Data) != "2" || string(b.Data) != "3" {
		t.Errorf("run 3: %q before, %q after, %v", a.Data, b.Data, ok)
	}
	h.Begin(dir)
	h.End(0, dir)
	if _, _, ok := h.Around(9); ok {
		t.Error("a run that never was is kept")
	}
}
