package disk_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"perch/engine/disk"
)

func TestWriteFresh(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "out")
	for _, c := range []struct{ ext, text, want string }{
		{"json", "{}", "copy-1.json"},
		{"txt", "a", "copy-2.txt"},
		{"json", "[]", "copy-3.json"},
	} {
		path, err := disk.WriteFresh(dir, "copy", c.ext, []byte(c.text))
		if err != nil || path != filepath.Join(dir, c.want) {
			t.Fatalf("wrote %s, %v, want %s", path, err, c.want)
		}
		if b, _ := os.ReadFile(path); string(b) != c.text {
			t.Errorf("%s holds %q", path, b)
		}
		if info, err := os.Stat(path); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o600) {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	if info, err := os.Stat(dir); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o700) {
		t.Errorf("the folder: %v, %v", info.Mode(), err)
	}
	write(t, filepath.Join(dir, "copy-9.png"), "")
	write(t, filepath.Join(dir, "copy-99999999999999999999.png"), "")
	write(t, filepath.Join(dir, "copy-x.png"), "")
	if path, err := disk.WriteFresh(dir, "copy", "txt", nil); err != nil || filepath.Base(path) != "copy-10.txt" {
		t.Errorf("wrote %s, %v", path, err)
	}
	if path, err := disk.WriteFresh(dir, "../copy", "txt", nil); err == nil {
		t.Errorf("a name leads out: %s", path)
	}
	file := write(t, filepath.Join(t.TempDir(), "file"), "")
	if _, err := disk.WriteFresh(file, "copy", "txt", nil); err == nil {
		t.Error("wrote into a file")
	}
}

func TestWriteFreshOverwritesNothing(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	paths := make([]string, 20)
	for i := range paths {
		wg.Go(func() {
			path, err := disk.WriteFresh(dir, "copy", "txt", []byte{byte('a' + i)})
			if err != nil {
				t.Error(err)
			}
			paths[i] = path
		})
	}
	wg.Wait()
	for i, path := range paths {
		if b, err := os.ReadFile(path); err != nil || string(b) != string(rune('a'+i)) {
			t.Errorf("%s holds %q, %v", path, b, err)
		}
	}
	if err := os.Remove(paths[0]); err != nil {
		t.Fatal(err)
	}
	link(t, filepath.Join(dir, "elsewhere"), filepath.Join(dir, "copy-21.txt"))
	if _, err := disk.WriteFresh(dir, "copy", "txt", nil); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "elsewhere")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("wrote through a link")
	}
}
