//go:build unix

package disk_test

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"perch/engine/disk"
)

// A named pipe without a writer would make an open wait for ever.
func TestNamedPipesAreNotOpened(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("no named pipes here:", err)
	}
	if _, err := disk.ReadFile(pipe, 10); !errors.Is(err, disk.ErrNotRegular) {
		t.Errorf("ReadFile: %v", err)
	}
	if _, err := disk.OpenRoot(pipe); !errors.Is(err, disk.ErrNotRegular) {
		t.Errorf("OpenRoot: %v", err)
	}
	root, err := disk.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if _, err := disk.ReadIn(root, "pipe", 10); !errors.Is(err, disk.ErrNotRegular) {
		t.Errorf("ReadIn: %v", err)
	}
	if err := disk.WriteFile(pipe, nil); !errors.Is(err, disk.ErrNotRegular) {
		t.Errorf("WriteFile: %v", err)
	}
	if _, err := disk.ReadFile("/dev/null", 10); !errors.Is(err, disk.ErrNotRegular) {
		t.Errorf("a device: %v", err)
	}
}
