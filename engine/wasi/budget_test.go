package wasi_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"perch/engine/event"
	"perch/engine/wasi"
)

func TestWriteBudget(t *testing.T) {
	const limit = 100_000
	v, config := newVolume(t)
	config.Budget = wasi.NewBudget(limit, 10)
	g := newRig(t, config)
	f := g.mustOpen(fdTmp, "f", creat, read|write)
	half := strings.Repeat("x", limit/2)
	for range 2 { // the same bytes again are written again
		if n, e := g.pwrite(f, half, 0); n != limit/2 || e != wasi.Success {
			t.Fatalf("wrote %d, %v", n, e)
		}
	}
	_, e := g.write(f, "y")
	g.is(e, wasi.EDQUOT)
	if got := g.rec.lastFile(); got.Op != event.FileRefused || got.Path != "/volume/tmp/f" || got.Written != limit ||
		got.Note != "the write budget is 100,000 bytes, 100,000 are written" {
		t.Errorf("effect %+v", got)
	}
	g.ok(second(g.write(f, "")))
	if got := readFile(t, filepath.Join(v.tmp, "f")); got != half {
		t.Errorf("the file holds %d bytes", len(got))
	}
	if got := config.Budget.Written(); got != limit {
		t.Errorf("charged %d", got)
	}
	// Standard streams are not files.
	g.ok(second(g.write(1, "still")))
}

func TestWriteThatWouldCrossIsRefusedWhole(t *testing.T) {
	v, config := newVolume(t)
	config.Budget = wasi.NewBudget(10, 10)
	g := newRig(t, config)
	f := g.mustOpen(fdTmp, "f", creat, read|write)
	_, e := g.write(f, "eleven byte")
	g.is(e, wasi.EDQUOT)
	g.ok(second(g.write(f, "ten bytes!")))
	if got := readFile(t, filepath.Join(v.tmp, "f")); got != "ten bytes!" {
		t.Errorf("the file holds %q", got)
	}
}

func TestGapsAreCharged(t *testing.T) {
	_, config := newVolume(t)
	config.Budget = wasi.NewBudget(100, 10)
	g := newRig(t, config)
	f := g.mustOpen(fdTmp, "f", creat, read|write)
	g.ok(second(g.pwrite(f, "x", 49)))
	if got := config.Budget.Written(); got != 50 {
		t.Errorf("charged %d, want 49 of gap and 1", got)
	}
	_, e := g.pwrite(f, "x", 1<<40)
	g.is(e, wasi.EDQUOT)
	_, e = g.pwrite(f, "x", 1<<63-1)
	g.is(e, wasi.EFBIG)
	g.want(wasi.EINVAL, "fd_pwrite", uint64(f), atIovec, 1, 1<<63, atOut)
	g.ok(second(g.pwrite(f, "y", 10)))
	if got := config.Budget.Written(); got != 51 {
		t.Errorf("charged %d", got)
	}
}

func TestAWriteThatTheSystemRefusesIsNotCharged(t *testing.T) {
	_, config := newVolume(t)
	config.Budget = wasi.NewBudget(1<<62, 10)
	g := newRig(t, config)
	f := g.mustOpen(fdTmp, "f", creat, read|write)
	const far = 1 << 61 // past the largest file of most file systems
	_, e := g.pwrite(f, "x", far)
	want := int64(0)
	if e == wasi.Success {
		want = far + 1
	}
	if got := config.Budget.Written(); got != want {
		t.Errorf("%v: charged %d, want %d", e, got, want)
	}
}

func TestNewFilesAreCounted(t *testing.T) {
	_, config := newVolume(t)
	config.Budget = wasi.NewBudget(1000, 5)
	g := newRig(t, config)
	g.mustOpen(fdTmp, "f", creat, write)
	g.mustOpen(fdTmp, "f", creat, write) // it is there
	g.is(g.mkdir(fdTmp, "f"), wasi.EEXIST)
	g.is(g.link(fdTmp, "f", fdTmp, "gone/l"), wasi.ENOENT)
	g.ok(g.mkdir(fdTmp, "d"))
	g.ok(g.link(fdTmp, "f", fdTmp, "d/l"))
	g.ok(g.symlink("f", fdTmp, "s"))
	g.ok(g.rename(fdTmp, "s", fdTmp, "s2"))
	if got := config.Budget.Created(); got != 4 {
		t.Errorf("created %d, want 4", got)
	}
	g.mustOpen(fdData, "e", creat, write)
	for what, e := range map[string]wasi.Errno{
		"file":   second(g.open(fdTmp, "x", creat, write)),
		"folder": g.mkdir(fdTmp, "x"),
		"link":   g.link(fdTmp, "f", fdTmp, "x"),
		"sym":    g.symlink("f", fdTmp, "x"),
	} {
		if e != wasi.EDQUOT {
			t.Errorf("one %s too many: %v", what, e)
		}
	}
	if got := g.rec.lastFile(); got.Note == "" || got.Op != event.FileRefused {
		t.Errorf("effect %+v", got)
	}
	// What was removed does not come back into the budget.
	g.ok(g.unlink(fdTmp, "s2"))
	g.is(g.mkdir(fdTmp, "x"), wasi.EDQUOT)
}

func TestFailedWritesAreNotCharged(t *testing.T) {
	_, config := newVolume(t)
	config.Budget = wasi.NewBudget(100, 5)
	g := newRig(t, config)
	g.mustOpen(fdTmp, "f", creat, write)
	f := g.mustOpen(fdTmp, "f", 0, read)
	_, e := g.write(f, "x")
	g.is(e, wasi.EBADF)
	if got := config.Budget.Written(); got != 0 {
		t.Errorf("charged %d", got)
	}
}

func TestBudgetAlone(t *testing.T) {
	b := wasi.NewBudget(10, 1)
	for i, c := range []struct {
		n  int64
		ok bool
	}{{0, true}, {4, true}, {7, false}, {6, true}, {1, false}, {-1, false}, {1<<63 - 1, false}} {
		if got := b.Charge(c.n); got != c.ok {
			t.Errorf("step %d: Charge(%d) = %v", i, c.n, got)
		}
	}
	b.Refund(5)
	if b.Written() != 5 || b.Limit() != 10 {
		t.Errorf("written %d of %d", b.Written(), b.Limit())
	}
	var none *wasi.Budget
	if !none.Charge(1<<62) || !none.Create() || none.Written() != 0 || none.Created() != 0 || none.Limit() != 0 {
		t.Error("no budget has a limit")
	}
	none.Refund(1)
	none.Uncreate()
}

func TestHundredsOfFilesInOneCall(t *testing.T) {
	_, config := newVolume(t)
	config.Budget = wasi.NewBudget(1<<20, 300)
	g := newRig(t, config)
	for i := range 300 {
		fd := g.mustOpen(fdTmp, fmt.Sprint("f", i), creat|excl, write)
		g.ok(second(g.write(fd, "data")))
		g.ok(g.close(fd))
	}
	if w, n := config.Budget.Written(), config.Budget.Created(); w != 1200 || n != 300 {
		t.Errorf("written %d, created %d", w, n)
	}
}
