package wasi_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"perch/engine/clock"
	"perch/engine/event"
	"perch/engine/wasi"
)

func TestPreopensComeInOrder(t *testing.T) {
	_, config := newVolume(t)
	g := newRig(t, config)
	for i, want := range []string{"/volume/tmp", "/volume/data", "/package"} {
		fd := uint64(3 + i)
		g.want(wasi.Success, "fd_prestat_get", fd, atOut)
		if tag, n := g.u32(atOut), g.u32(atOut+4); tag != 0 || int(n) != len(want) {
			t.Errorf("fd %d: tag %d, length %d", fd, tag, n)
		}
		g.put(atData, []byte("................"))
		g.want(wasi.Success, "fd_prestat_dir_name", fd, atData, 64)
		if got := g.bytes(atData, uint32(len(want)+1)); got != want+"." {
			t.Errorf("fd %d is %q, want %q without NUL", fd, got, want)
		}
		g.want(wasi.ENAMETOOLONG, "fd_prestat_dir_name", fd, atData, uint64(len(want)-1))
	}
	g.want(wasi.EBADF, "fd_prestat_get", 6, atOut)
	g.want(wasi.EBADF, "fd_prestat_get", 0, atOut)
	g.want(wasi.EBADF, "fd_prestat_dir_name", 6, atData, 64)
	g.want(wasi.ENOTDIR, "fd_prestat_dir_name", 0, atData, 64)
	sub := mustDir(g, "sub")
	g.want(wasi.EBADF, "fd_prestat_get", uint64(sub), atOut)
	g.want(wasi.ENOTDIR, "fd_prestat_dir_name", uint64(sub), atData, 64)
	g.ok(g.close(fdTmp))
	g.want(wasi.EBADF, "fd_prestat_get", fdTmp, atOut)
}

// mustDir makes a folder in /volume/tmp and opens it.
func mustDir(g *rig, name string) uint32 {
	g.Helper()
	g.ok(g.mkdir(fdTmp, name))
	return g.mustOpen(fdTmp, name, directory, read)
}

func TestFdstat(t *testing.T) {
	v, config := newVolume(t)
	writeFile(t, filepath.Join(v.tmp, "f"), "x")
	g := newRig(t, config)
	reads := g.mustOpen(fdTmp, "f", 0, read)
	writes := g.mustOpen(fdTmp, "f", 0, write)
	appends, e := g.openWith(fdTmp, 0, "f", 0, read|write, appendFlag|4)
	g.ok(e)
	sub := mustDir(g, "sub")
	for _, c := range []struct {
		fd        uint32
		kind      byte
		flags     uint16
		can, cant uint64
	}{
		{0, 0, 0, read, write},
		{1, 0, 0, write, read},
		{2, 0, 0, write, read},
		{fdTmp, 3, 0, 1 << 13, read | write | 1<<2},
		{reads, 4, 0, read, write},
		{writes, 4, 0, write, read},
		{appends, 4, appendFlag | 4, read | write, 0},
		{sub, 3, 0, 1 << 13, write | 1<<2},
	} {
		g.want(wasi.Success, "fd_fdstat_get", uint64(c.fd), atOut)
		head, base := g.u64(atOut), g.u64(atOut+8)
		if byte(head) != c.kind || uint16(head>>16) != c.flags {
			t.Errorf("fd %d: type %d, flags %#x", c.fd, byte(head), uint16(head>>16))
		}
		if base&c.can != c.can || base&c.cant != 0 {
			t.Errorf("fd %d: rights %#x", c.fd, base)
		}
	}
	g.want(wasi.EBADF, "fd_fdstat_get", 99, atOut)
	g.trap("fd_fdstat_get", 0, atOut+4)
	g.trap("fd_fdstat_get", 0, 4<<16-8)
}

func TestFdstatSet(t *testing.T) {
	_, config := newVolume(t)
	g := newRig(t, config)
	f := uint64(g.mustOpen(fdTmp, "f", creat, read|write))
	g.want(wasi.Success, "fd_fdstat_set_flags", f, appendFlag)
	g.ok(second(g.write(uint32(f), "one ")))
	g.want(wasi.Success, "fd_seek", f, 0, 0, atOut)
	g.ok(second(g.write(uint32(f), "two")))
	if n, e := g.read(uint32(f), 10); n != "" || e != wasi.Success {
		t.Errorf("after appending the position is not at the end: %q %v", n, e)
	}
	g.want(wasi.EINVAL, "fd_fdstat_set_flags", f, 2)
	g.want(wasi.EINVAL, "fd_fdstat_set_flags", f, 1<<5)
	for _, fd := range []uint64{0, 1, fdTmp, 99} {
		g.want(wasi.EBADF, "fd_fdstat_set_flags", fd, 4)
	}
	g.want(wasi.ENOTSUP, "fd_fdstat_set_rights", f, 0, 0)
	g.want(wasi.ENOTSUP, "fd_fdstat_set_rights", fdTmp, 0, 0)
	g.want(wasi.EBADF, "fd_fdstat_set_rights", 0, 0, 0)
	g.want(wasi.EBADF, "fd_fdstat_set_rights", 99, 0, 0)
}

func second[T any](_ T, e wasi.Errno) wasi.Errno { return e }

func TestAllocateIsNotSupported(t *testing.T) {
	v, config := newVolume(t)
	g := newRig(t, config)
	f := uint64(g.mustOpen(fdTmp, "f", creat, read|write))
	g.want(wasi.ENOTSUP, "fd_allocate", f, 0, 4096)
	if got := readFile(t, filepath.Join(v.tmp, "f")); got != "" {
		t.Errorf("the file grew to %d bytes", len(got))
	}
	for _, fd := range []uint64{0, 1, fdTmp, 99} {
		g.want(wasi.EBADF, "fd_allocate", fd, 0, 1)
	}
}

func TestAdviseAndSync(t *testing.T) {
	_, config := newVolume(t)
	g := newRig(t, config)
	f := uint64(g.mustOpen(fdTmp, "f", creat, read|write))
	g.want(wasi.Success, "fd_advise", f, 0, 10, 5)
	g.want(wasi.EINVAL, "fd_advise", f, 0, 10, 6)
	g.want(wasi.EINVAL, "fd_advise", f, math.MaxInt64, 1, 0)
	g.want(wasi.EBADF, "fd_advise", fdTmp, 0, 0, 0)
	for _, name := range []string{"fd_sync", "fd_datasync"} {
		g.want(wasi.Success, name, f)
		g.want(wasi.EBADF, name, fdTmp)
		g.want(wasi.EBADF, name, 1)
	}
}

func TestCloseAndNumbers(t *testing.T) {
	_, config := newVolume(t)
	g := newRig(t, config)
	var fds []uint32
	for range 4 {
		fds = append(fds, g.mustOpen(fdTmp, "f", creat, read))
	}
	if fds[0] != 6 || fds[3] != 9 {
		t.Fatalf("opened as %v, want 6 to 9", fds)
	}
	g.ok(g.close(6))
	g.ok(g.close(8))
	if a, b, c := g.mustOpen(fdTmp, "f", 0, read), g.mustOpen(fdTmp, "f", 0, read), g.mustOpen(fdTmp, "f", 0, read); a != 8 || b != 6 || c != 10 {
		t.Errorf("reused %d, %d, %d, want the highest free number first: 8, 6, 10", a, b, c)
	}
	g.is(g.close(99), wasi.EBADF)
	g.is(g.close(math.MaxUint32), wasi.EBADF)
	g.ok(g.close(0))
	g.want(wasi.EBADF, "fd_read", 0, atIovec, 0, atOut)
}

func TestOpenDescriptorsAreLimited(t *testing.T) {
	_, config := newVolume(t)
	g := newRig(t, config)
	g.mustOpen(fdTmp, "f", creat, read)
	opened := 0
	for {
		_, e := g.open(fdTmp, "f", 0, read)
		if e != wasi.Success {
			g.is(e, wasi.EMFILE)
			break
		}
		if opened++; opened > 10_000 {
			t.Fatal("no limit")
		}
	}
	g.ok(g.close(6))
	g.mustOpen(fdTmp, "f", 0, read)
}

func TestRenumber(t *testing.T) {
	_, config := newVolume(t)
	g := newRig(t, config)
	a := g.mustOpen(fdTmp, "a", creat, read|write)
	b := g.mustOpen(fdTmp, "b", creat, read|write)
	g.ok(second(g.write(a, "aaa")))
	g.want(wasi.Success, "fd_renumber", uint64(a), uint64(b))
	g.want(wasi.EBADF, "fd_tell", uint64(a), atOut)
	g.want(wasi.Success, "fd_tell", uint64(b), atOut)
	if got := g.u64(atOut); got != 3 {
		t.Errorf("the position did not move along: %d", got)
	}
	g.want(wasi.Success, "fd_renumber", uint64(b), uint64(b))
	g.want(wasi.EBADF, "fd_renumber", uint64(b), 50)
	g.want(wasi.EBADF, "fd_renumber", 50, uint64(b))
	g.want(wasi.Success, "fd_renumber", uint64(b), 1)
	g.ok(second(g.write(1, "to the file")))
	if got := g.mustOpen(fdTmp, "a", 0, read); got != b {
		t.Errorf("fd %d, want the freed %d", got, b)
	}
}

func TestSeekAndTell(t *testing.T) {
	_, config := newVolume(t)
	g := newRig(t, config)
	f := uint64(g.mustOpen(fdTmp, "f", creat, read|write))
	g.ok(second(g.write(uint32(f), "0123456789")))
	for _, c := range []struct {
		off    int64
		whence uint64
		want   uint64
		errno  wasi.Errno
	}{
		{4, 0, 4, 0},
		{-2, 1, 2, 0},
		{-1, 2, 9, 0},
		{90, 2, 100, 0},
		{-101, 1, 0, wasi.EINVAL},
		{-1, 0, 0, wasi.EINVAL},
		{-11, 2, 0, wasi.EINVAL},
		{math.MaxInt64, 1, 0, wasi.EINVAL},
		{0, 3, 0, wasi.EINVAL},
		{math.MaxInt64, 0, math.MaxInt64, 0},
		{0, 0, 0, 0},
	} {
		g.want(c.errno, "fd_seek", f, uint64(c.off), c.whence, atOut)
		if got := g.u64(atOut); c.errno == 0 && got != c.want {
			t.Errorf("seek %d from %d: %d, want %d", c.off, c.whence, got, c.want)
		}
	}
	g.want(wasi.Success, "fd_tell", f, atOut)
	for fd, want := range map[uint64]wasi.Errno{0: wasi.ESPIPE, 1: wasi.ESPIPE, fdTmp: wasi.EBADF, 99: wasi.EBADF} {
		g.want(want, "fd_seek", fd, 0, 0, atOut)
		g.want(want, "fd_tell", fd, atOut)
	}
}

func TestSetSize(t *testing.T) {
	v, config := newVolume(t)
	writeFile(t, filepath.Join(v.pack, "f"), "asset")
	config.Budget = wasi.NewBudget(1000, 10)
	g := newRig(t, config)
	f := uint64(g.mustOpen(fdTmp, "f", creat, read|write))
	g.want(wasi.Success, "fd_filestat_set_size", f, 600)
	if e := g.rec.lastFile(); e.Op != event.FileTruncate || e.Bytes != 600 || e.Written != 600 {
		t.Errorf("effect %+v", e)
	}
	g.want(wasi.Success, "fd_filestat_set_size", f, 100)
	g.want(wasi.EDQUOT, "fd_filestat_set_size", f, 501)
	if e := g.rec.lastFile(); e.Op != event.FileRefused || e.Errno != uint16(wasi.EDQUOT) || e.Note == "" {
		t.Errorf("effect %+v", e)
	}
	g.want(wasi.Success, "fd_filestat_set_size", f, 500)
	if got := config.Budget.Written(); got != 1000 {
		t.Errorf("charged %d, want 600 + 400", got)
	}
	g.want(wasi.EINVAL, "fd_filestat_set_size", f, math.MaxUint64)
	g.want(wasi.EINVAL, "fd_filestat_set_size", uint64(g.mustOpen(fdTmp, "f", 0, read)), 1)
	g.want(wasi.EPERM, "fd_filestat_set_size", uint64(g.mustOpen(fdPack, "f", 0, read)), 1)
	g.want(wasi.EBADF, "fd_filestat_set_size", fdTmp, 1)
	g.want(wasi.EBADF, "fd_filestat_set_size", 1, 1)
}

func TestFilestat(t *testing.T) {
	v, config := newVolume(t)
	writeFile(t, filepath.Join(v.tmp, "f"), "four")
	g := newRig(t, config)
	f := g.mustOpen(fdTmp, "f", 0, read)
	g.want(wasi.Success, "fd_filestat_get", uint64(f), atOut)
	dev, ino, size := g.u64(atOut), g.u64(atOut+8), g.u64(atOut+32)
	if dev != 1 || g.u64(atOut+16) != 4 || g.u64(atOut+24) != 1 || size != 4 {
		t.Errorf("stat of the file: dev %d, type %d, links %d, size %d", dev, g.u64(atOut+16), g.u64(atOut+24), size)
	}
	p, n := g.path("f")
	g.want(wasi.Success, "path_filestat_get", fdTmp, 0, p, n, atOut)
	if g.u64(atOut+8) != ino {
		t.Error("path and descriptor have different inodes")
	}
	if out := g.rec.last().Out; len(out) != 8 || out[4] != 4 {
		t.Errorf("event out %v", out)
	}
	g.want(wasi.Success, "fd_filestat_get", fdTmp, atOut)
	if g.u64(atOut+16) != 3 {
		t.Error("a folder is none")
	}
	g.want(wasi.Success, "fd_filestat_get", 1, atOut)
	if g.u64(atOut+16) != 0 {
		t.Error("stdout has a type")
	}
	g.want(wasi.EBADF, "fd_filestat_get", 99, atOut)
	g.trap("fd_filestat_get", uint64(f), atOut+1)
}

func TestSetTimes(t *testing.T) {
	v, config := newVolume(t)
	writeFile(t, filepath.Join(v.pack, "f"), "asset")
	now := time.Date(2026, 12, 1, 14, 0, 0, 0, time.UTC)
	config.Clock = clock.NewManual(now)
	g := newRig(t, config)
	f := uint64(g.mustOpen(fdTmp, "f", creat, read|write))
	p, n := g.path("f")
	mtime := func() time.Time {
		info, err := os.Stat(filepath.Join(v.tmp, "f"))
		if err != nil {
			t.Fatal(err)
		}
		return info.ModTime().UTC()
	}
	past := time.Unix(1_000_000_000, 0).UTC()
	g.want(wasi.Success, "fd_filestat_set_times", f, 0, uint64(past.UnixNano()), 4)
	if got := mtime(); !got.Equal(past) {
		t.Errorf("mtime %v, want %v", got, past)
	}
	g.want(wasi.Success, "path_filestat_set_times", fdTmp, 0, p, n, 0, 0, 8)
	if got := mtime(); !got.Equal(now) {
		t.Errorf("mtime %v, want the run's clock, %v", got, now)
	}
	g.want(wasi.Success, "path_filestat_set_times", fdTmp, 0, p, n, uint64(past.UnixNano()), 0, 1)
	if got := mtime(); !got.Equal(now) {
		t.Errorf("setting atim moved mtim to %v", got)
	}
	g.want(wasi.Success, "fd_filestat_set_times", fdTmp, 0, 0, 2|8)
	for _, bad := range []uint64{1 | 2, 4 | 8, 16} {
		g.want(wasi.EINVAL, "fd_filestat_set_times", f, 0, 0, bad)
		g.want(wasi.EINVAL, "path_filestat_set_times", fdTmp, 0, p, n, 0, 0, bad)
	}
	g.want(wasi.EINVAL, "fd_filestat_set_times", f, math.MaxUint64, 0, 1)
	g.want(wasi.EINVAL, "path_filestat_set_times", fdTmp, 2, p, n, 0, 0, 0)
	g.want(wasi.EBADF, "fd_filestat_set_times", 1, 0, 0, 8)
	g.want(wasi.EBADF, "path_filestat_set_times", f, 0, p, n, 0, 0, 8)
	g.want(wasi.EPERM, "path_filestat_set_times", fdPack, 0, p, n, 0, 0, 8)
	g.want(wasi.EPERM, "fd_filestat_set_times", uint64(g.mustOpen(fdPack, "f", 0, read)), 0, 0, 8)
	g.want(wasi.EPERM, "fd_filestat_set_times", fdPack, 0, 0, 8)
	p, n = g.path("gone")
	g.want(wasi.ENOENT, "path_filestat_set_times", fdTmp, 0, p, n, 0, 0, 8)
}

func TestTimesOfALinkItself(t *testing.T) {
	v, config := newVolume(t)
	g := newRig(t, config)
	writeFile(t, filepath.Join(v.tmp, "f"), "")
	g.ok(g.symlink("f", fdTmp, "l"))
	p, n := g.path("l")
	at := uint64(1_000_000_000) * 1e9
	want := wasi.Success
	if wasi.Portable {
		want = wasi.ENOTSUP
	}
	g.want(want, "path_filestat_set_times", fdTmp, 0, p, n, at, at, 1|4)
	target, err := os.Stat(filepath.Join(v.tmp, "f"))
	if err != nil || target.ModTime().Unix() == 1_000_000_000 {
		t.Errorf("the link's target was changed: %v %v", target.ModTime(), err)
	}
	g.want(wasi.Success, "path_filestat_set_times", fdTmp, follow, p, n, at, at, 1|4)
	if target, err = os.Stat(filepath.Join(v.tmp, "f")); err != nil || target.ModTime().Unix() != 1_000_000_000 {
		t.Errorf("the link's target was not changed: %v", err)
	}
}
