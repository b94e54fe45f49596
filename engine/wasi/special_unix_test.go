//go:build linux || darwin

package wasi_test

import (
	"net"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"perch/engine/wasi"
)

// TestSpecialFilesAreNotOpened holds that a FIFO cannot block the run.
func TestSpecialFilesAreNotOpened(t *testing.T) {
	v, config := newVolume(t)
	if err := syscall.Mkfifo(filepath.Join(v.tmp, "fifo"), 0o666); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", filepath.Join(v.tmp, "sock"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	g := newRig(t, config)
	g.ok(g.symlink("fifo", fdTmp, "link"))
	for _, name := range []string{"fifo", "sock", "link"} {
		for _, rights := range []uint64{read, write, read | write} {
			_, e := g.open(fdTmp, name, 0, rights)
			g.is(e, wasi.EPERM)
			if note := g.rec.lastFile().Note; !strings.Contains(note, "only files and folders are opened") {
				t.Errorf("%s: note %q", name, note)
			}
		}
		_, e := g.open(fdTmp, name, creat|trunc, write)
		g.is(e, wasi.EPERM)
		_, e = g.open(fdTmp, name, directory, read)
		g.is(e, wasi.ENOTDIR)
		_, e = g.open(fdTmp, name+"/x", 0, read)
		g.is(e, wasi.ENOTDIR)
		if _, _, err := g.p.OpenBody("/volume/tmp/"+name, 1); err == nil {
			t.Errorf("%s is a body", name)
		}
		if _, err := g.p.CreateOutput("/volume/tmp/"+name, 1); err == nil {
			t.Errorf("%s is an output", name)
		}
	}
	if kind, _, e := g.stat(fdTmp, 0, "fifo"); kind != 0 || e != wasi.Success {
		t.Errorf("the FIFO is a %d, %v", kind, e)
	}
}
