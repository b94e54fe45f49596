package disk_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"perch/engine/disk"
)

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func link(t *testing.T, target, path string) string {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		t.Skip("this machine makes no links:", err)
	}
	return path
}

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	file := write(t, filepath.Join(dir, "file"), "12345")
	for _, c := range []struct {
		name, path string
		max        int64
		want       string // bytes
		fault      string // or part of the error
		is         error
	}{
		{"whole", file, 5, "12345", "", nil},
		{"one too many", file, 4, "", "is larger than 4 bytes", disk.ErrTooLarge},
		{"missing", filepath.Join(dir, "none"), 9, "", "there is no such file", fs.ErrNotExist},
		{"folder", dir, 9, "", "is a folder, not a regular file", disk.ErrNotRegular},
		{"through a link", link(t, file, filepath.Join(dir, "link")), 9, "12345", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := disk.ReadFile(c.path, c.max)
			if c.fault == "" {
				if err != nil || string(got) != c.want {
					t.Fatalf("got %q, %v", got, err)
				}
				return
			}
			var d *disk.Error
			if !errors.As(err, &d) || d.Path != c.path || !strings.Contains(err.Error(), c.fault) || !errors.Is(err, c.is) {
				t.Fatalf("got %q, %v", got, err)
			}
		})
	}
}

func TestReadFileCountsWhatItReads(t *testing.T) {
	const path = "/proc/self/status" // says that it has 0 bytes
	if _, err := os.Stat(path); err != nil {
		t.Skip("no /proc here")
	}
	if b, err := disk.ReadFile(path, 1<<20); err != nil || len(b) == 0 {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	if _, err := disk.ReadFile(path, 10); !errors.Is(err, disk.ErrTooLarge) {
		t.Errorf("past the limit: %v", err)
	}
}

func TestReadInFollowsNoLink(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "in", "file"), "inside")
	write(t, filepath.Join(dir, "secret"), "outside")
	link(t, "file", filepath.Join(dir, "in", "near"))
	link(t, "../secret", filepath.Join(dir, "in", "far"))
	root, err := disk.OpenRoot(filepath.Join(dir, "in"))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if b, err := disk.ReadIn(root, "file", 100); err != nil || string(b) != "inside" {
		t.Errorf("file: %q, %v", b, err)
	}
	for _, name := range []string{"near", "far", "../secret", "none"} {
		if b, err := disk.ReadIn(root, name, 100); err == nil {
			t.Errorf("%s: read %q", name, b)
		}
	}
}

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	real := write(t, filepath.Join(dir, "real"), "old")
	alias := link(t, real, filepath.Join(dir, "alias"))
	for _, path := range []string{filepath.Join(dir, "new"), real, alias} {
		if err := disk.WriteFile(path, []byte("text")); err != nil {
			t.Fatal(path, err)
		}
		if b, _ := os.ReadFile(path); string(b) != "text" {
			t.Errorf("%s holds %q", path, b)
		}
	}
	if info, err := os.Lstat(alias); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
	if runtime.GOOS != "windows" {
		if info, _ := os.Stat(filepath.Join(dir, "new")); info.Mode().Perm() != 0o600 {
			t.Errorf("mode %v", info.Mode())
		}
	}
	if err := disk.WriteFile(dir, nil); !errors.Is(err, disk.ErrNotRegular) {
		t.Errorf("over a folder: %v", err)
	}
	if err := disk.WriteFile(filepath.Join(dir, "none", "x"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("into a missing folder: %v", err)
	}
	left, _ := filepath.Glob(filepath.Join(dir, ".perch-*"))
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestWriteTreeStaysBelow(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	if err := disk.WriteTree(out, map[string][]byte{"a/b/c": []byte("1"), "d": []byte("2")}); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(filepath.Join(out, "a", "b", "c")); string(b) != "1" {
		t.Errorf("a/b/c holds %q", b)
	}
	if err := disk.WriteTree(out, map[string][]byte{"d": nil}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("overwriting: %v", err)
	}
	link(t, dir, filepath.Join(out, "up"))
	for _, name := range []string{"../x", "up/x", "/x", "a/../../x"} {
		if err := disk.WriteTree(out, map[string][]byte{name: nil}); err == nil {
			t.Errorf("%s was written", name)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "x")); err == nil {
		t.Error("a file was written outside")
	}
}

func TestOpenRoot(t *testing.T) {
	dir := t.TempDir()
	file := write(t, filepath.Join(dir, "file"), "")
	if _, err := disk.OpenRoot(file); !errors.Is(err, disk.ErrNotRegular) {
		t.Errorf("a file: %v", err)
	}
	if _, err := disk.OpenRoot(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{0: "0 bytes", 1: "1 byte", 1000: "1000 bytes", 1024: "1 KiB", 3 << 20: "3 MiB", 4 << 30: "4 GiB", 1<<20 + 1: "1048577 bytes"} {
		if got := disk.Size(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}
