package wasi_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"perch/engine/wasi"
)

func TestRemoveAll(t *testing.T) {
	base := t.TempDir()
	dir := filepath.Join(base, "volume")
	outside := filepath.Join(base, "outside")
	if err := os.MkdirAll(outside, 0o755); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(outside, "f"), canaryText)
	for i := range 40 {
		sub := filepath.Join(dir, fmt.Sprint(i), "1", "0", fmt.Sprint(i))
		if err := os.MkdirAll(sub, 0o755); err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(sub, "f"), "")
		if err := os.Symlink(outside, filepath.Join(sub, "link")); err != nil {
			t.Fatal(err)
		}
	}
	if err := wasi.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
	if got := readFile(t, filepath.Join(outside, "f")); got != canaryText {
		t.Errorf("behind the link: %q", got)
	}
	if err := wasi.RemoveAll(dir); err != nil {
		t.Errorf("what is not there: %v", err)
	}
}

func TestRemoveAllOfWhatAGuestNested(t *testing.T) {
	_, config := newVolume(t)
	dir := filepath.Join(t.TempDir(), "volume")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	config.Mounts[0].Dir = dir
	g := newRig(t, config)
	for i := range 50 { // the names that folders get on their way up
		g.ok(g.mkdir(fdTmp, fmt.Sprint(i)))
	}
	at := uint32(fdTmp)
	for range 1500 {
		g.ok(g.mkdir(at, "d"))
		next := g.mustOpen(at, "d", directory, read)
		if at != fdTmp {
			g.ok(g.close(at))
		}
		at = next
	}
	if err := wasi.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}
