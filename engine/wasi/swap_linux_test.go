package wasi_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"perch/engine/wasi"
)

// exchange swaps two names for as long as act runs.
func exchange(t *testing.T, a, b string, act func()) {
	t.Helper()
	stop, done := make(chan struct{}), make(chan error, 1)
	go func() {
		for {
			select {
			case <-stop:
				done <- nil
				return
			default:
			}
			if err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE); err != nil {
				done <- err
				return
			}
		}
	}()
	defer func() {
		close(stop)
		if err := <-done; err != nil {
			t.Error(err)
		}
	}()
	act()
}

// TestSwapsWhileOpening swaps a file with what must not be opened, between the
// look at it and the opening of it.
func TestSwapsWhileOpening(t *testing.T) {
	for name, make := range map[string]func(c *cage, path string) error{
		"a link out": func(_ *cage, path string) error { return os.Symlink("../canary", path) },
		"a FIFO":     func(_ *cage, path string) error { return syscall.Mkfifo(path, 0o666) },
		"a folder":   func(_ *cage, path string) error { return os.Mkdir(path, 0o755) },
	} {
		t.Run(name, func(t *testing.T) {
			if wasi.Portable && name == "a FIFO" {
				return // os.Root opens it and waits; package doc
			}
			c := newCage(t)
			a, b := filepath.Join(c.tmp, "a"), filepath.Join(c.tmp, "b")
			writeFile(t, a, "inside")
			if err := make(c, b); err != nil {
				t.Fatal(err)
			}
			exchange(t, a, b, func() {
				for range 4000 {
					fd, e := c.open(fdTmp, "a", 0, read)
					if e != wasi.Success {
						continue
					}
					c.ok(c.call("fd_filestat_get", uint64(fd), atData))
					kind := c.u64(atData + 16)
					if got, e := c.read(fd, 64); kind == 4 && (got != "inside" || e != wasi.Success) {
						t.Fatalf("read %q, %v", got, e)
					} else if kind != 4 && kind != 3 {
						t.Fatalf("opened a file of type %d", kind)
					}
					c.ok(c.close(fd))
					c.rec.calls, c.rec.files, c.rec.entered = nil, nil, nil
				}
			})
			c.check()
		})
	}
}
