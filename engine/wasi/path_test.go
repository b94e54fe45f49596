package wasi_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perch/engine/event"
	"perch/engine/wasi"
)

func TestOpenFlags(t *testing.T) {
	v, config := newVolume(t)
	writeFile(t, filepath.Join(v.tmp, "f"), "content")
	writeFile(t, filepath.Join(v.pack, "f"), "asset")
	if err := os.Mkdir(filepath.Join(v.tmp, "d"), 0o755); err != nil {
		t.Fatal(err)
	}
	g := newRig(t, config)
	for _, c := range []struct {
		fd             uint32
		path           string
		oflags, rights uint64
		want           wasi.Errno
	}{
		{fdTmp, "f", 0, read, wasi.Success},
		{fdTmp, "./d/../f", 0, read, wasi.Success},
		{fdTmp, "new", 0, read, wasi.ENOENT},
		{fdTmp, "new", trunc, write, wasi.ENOENT},
		{fdTmp, "new", excl, read, wasi.ENOENT},
		{fdTmp, "new/", creat, write, wasi.EISDIR},
		{fdTmp, "gone/new", creat, write, wasi.ENOENT},
		{fdTmp, "f/new", creat, write, wasi.ENOTDIR},
		{fdTmp, "new", creat | excl, write, wasi.Success},
		{fdTmp, "new", creat | excl, write, wasi.EEXIST},
		{fdTmp, "new", creat, write, wasi.Success},
		{fdTmp, "f", excl, read, wasi.Success},
		{fdTmp, "f/", 0, read, wasi.ENOTDIR},
		{fdTmp, "f", directory, read, wasi.ENOTDIR},
		{fdTmp, "d", directory, read, wasi.Success},
		{fdTmp, "d", 0, read, wasi.Success},
		{fdTmp, "d/", 0, read, wasi.Success},
		{fdTmp, ".", 0, read, wasi.Success},
		{fdTmp, "d/..", 0, read, wasi.Success},
		{fdTmp, "d", 0, write, wasi.EISDIR},
		{fdTmp, "d", creat, 0, wasi.EISDIR},
		{fdTmp, "d", creat | excl, 0, wasi.EEXIST},
		{fdTmp, "d", directory | creat, 0, wasi.EINVAL},
		{fdTmp, "d", directory | trunc, 0, wasi.EINVAL},
		{fdTmp, "d", directory | excl, 0, wasi.EINVAL},
		{fdTmp, "d", 16, 0, wasi.EINVAL},
		{fdTmp, "", 0, read, wasi.ENOENT},
		{fdTmp, "a\x00b", 0, read, wasi.EINVAL},
		{fdTmp, "\xff", 0, read, wasi.EILSEQ},
		{fdTmp, strings.Repeat("x", 300), creat, write, wasi.ENAMETOOLONG},
		{fdTmp, strings.Repeat("x/", 2049), 0, read, wasi.ENAMETOOLONG},
		{fdPack, "f", 0, read, wasi.Success},
		{fdPack, "f", 0, write, wasi.EPERM},
		{fdPack, "f", trunc, read, wasi.EPERM},
		{fdPack, "new", creat, read, wasi.EPERM},
		{0, "f", 0, read, wasi.EBADF},
		{99, "f", 0, read, wasi.EBADF},
	} {
		if _, e := g.open(c.fd, c.path, c.oflags, c.rights); e != c.want {
			t.Errorf("open %d %.20q %d %d: %v, want %v", c.fd, c.path, c.oflags, c.rights, e, c.want)
		}
	}
	if got := readFile(t, filepath.Join(v.pack, "f")); got != "asset" {
		t.Errorf("the asset is %q", got)
	}
	f := g.mustOpen(fdTmp, "f", 0, read)
	if _, e := g.open(f, "x", 0, read); e != wasi.ENOTDIR {
		t.Errorf("open below a file: %v", e)
	}
	for _, flags := range []uint64{2, 8, 16} {
		_, e := g.openWith(fdTmp, 0, "f", 0, read, flags)
		g.is(e, wasi.ENOTSUP)
	}
	_, e := g.openWith(fdTmp, 0, "f", 0, read, 1<<5)
	g.is(e, wasi.EINVAL)
	_, e = g.openWith(fdTmp, 2, "f", 0, read, 0)
	g.is(e, wasi.EINVAL)
	g.trap("path_open", fdTmp, 0, 4<<16-1, 2, 0, 0, 0, 0, atOut)
}

func TestOpenTellsWhatItDid(t *testing.T) {
	v, config := newVolume(t)
	g := newRig(t, config)
	fd := g.mustOpen(fdTmp, "a", creat, write)
	if e := g.rec.lastFile(); e.Op != event.FileCreate || e.Path != "/volume/tmp/a" || e.FD != fd {
		t.Errorf("effect %+v", e)
	}
	g.ok(second(g.write(fd, "text")))
	g.rec.files = nil
	fd = g.mustOpen(fdTmp, "a", creat|trunc, write)
	if len(g.rec.files) != 2 || g.rec.files[0].Op != event.FileOpen || g.rec.files[1].Op != event.FileTruncate || g.rec.files[1].FD != fd {
		t.Errorf("effects %+v", g.rec.files)
	}
	if got := readFile(t, filepath.Join(v.tmp, "a")); got != "" {
		t.Errorf("not emptied: %q", got)
	}
	if e := g.rec.last(); e.Func != "path_open" || e.Path != "a" || e.Out[0] != uint64(fd) {
		t.Errorf("event %+v", e)
	}
	_, e := g.open(fdTmp, "/volume/tmp/x", creat, write)
	g.is(e, wasi.EPERM)
	if got := g.rec.last(); got.Path != "/volume/tmp/x" || got.Errno != uint16(wasi.EPERM) {
		t.Errorf("event %+v", got)
	}
	if got := g.rec.lastFile(); got.Op != event.FileRefused || got.Path != "/volume/tmp/x" ||
		!strings.Contains(got.Note, "the path begins with /") {
		t.Errorf("effect %+v", got)
	}
	_, e = g.open(fdPack, "x", creat, write)
	g.is(e, wasi.EPERM)
	if got := g.rec.lastFile(); got.Path != "/package/x" || got.Note != "/package is read-only" {
		t.Errorf("effect %+v", got)
	}
}

func TestFoldersAndLinks(t *testing.T) {
	_, config := newVolume(t)
	g := newRig(t, config)
	g.ok(g.mkdir(fdTmp, "d"))
	g.is(g.mkdir(fdTmp, "d"), wasi.EEXIST)
	g.is(g.mkdir(fdTmp, "d/"), wasi.EEXIST)
	g.is(g.mkdir(fdTmp, "."), wasi.EEXIST)
	g.is(g.mkdir(fdTmp, "gone/x"), wasi.ENOENT)
	g.ok(g.mkdir(fdTmp, "d/e/"))
	g.is(g.rmdir(fdTmp, "d"), wasi.ENOTEMPTY)
	g.mustOpen(fdTmp, "d/f", creat, write)
	g.is(g.rmdir(fdTmp, "d/f"), wasi.ENOTDIR)
	g.is(g.rmdir(fdTmp, "d/."), wasi.EINVAL)
	g.is(g.unlink(fdTmp, "d/e"), wasi.EISDIR)
	g.is(g.unlink(fdTmp, "d/e/"), wasi.EISDIR)
	g.is(g.unlink(fdTmp, "d/f/"), wasi.ENOTDIR)
	g.is(g.unlink(fdTmp, "d/gone"), wasi.ENOENT)
	g.ok(g.rmdir(fdTmp, "d/e/"))

	g.ok(g.symlink("f", fdTmp, "d/l"))
	g.is(g.symlink("f", fdTmp, "d/l"), wasi.EEXIST)
	g.is(g.symlink("f", fdTmp, "d/new/"), wasi.ENOENT)
	g.is(g.symlink("", fdTmp, "d/new"), wasi.ENOENT)
	if got, e := g.readlink(fdTmp, "d/l"); got != "f" || e != wasi.Success {
		t.Errorf("readlink %q %v", got, e)
	}
	_, e := g.readlink(fdTmp, "d/f")
	g.is(e, wasi.EINVAL)
	_, e = g.readlink(fdTmp, "d/gone")
	g.is(e, wasi.ENOENT)
	p, n := g.path("d/l")
	g.want(wasi.Success, "path_readlink", fdTmp, p, n, atData, 0, atOut)
	if kind, _, e := g.stat(fdTmp, 0, "d/l"); kind != 7 || e != 0 {
		t.Errorf("the link is a %d, %v", kind, e)
	}
	if kind, _, e := g.stat(fdTmp, follow, "d/l"); kind != 4 || e != 0 {
		t.Errorf("the link leads to a %d, %v", kind, e)
	}
	_, e = g.openWith(fdTmp, 0, "d/l", 0, read, 0)
	g.is(e, wasi.ELOOP)
	g.mustOpen(fdTmp, "d/l", 0, read)
	g.ok(g.symlink("d", fdTmp, "toward"))
	g.is(g.rmdir(fdTmp, "toward"), wasi.ENOTDIR)
	g.is(g.rmdir(fdTmp, "toward/"), wasi.ENOTDIR)
	g.is(g.unlink(fdTmp, "toward/"), wasi.ENOTDIR)
	g.mustOpen(fdTmp, "toward/f", 0, read)
	g.mustOpen(fdTmp, "toward/../d/f", 0, read)
	g.ok(g.unlink(fdTmp, "toward"))
	g.ok(g.unlink(fdTmp, "d/l"))

	g.ok(g.symlink("round", fdTmp, "round"))
	_, e = g.open(fdTmp, "round", 0, read)
	g.is(e, wasi.ELOOP)
	g.ok(g.symlink("made", fdTmp, "dangling"))
	_, e = g.open(fdTmp, "dangling", creat|excl, write)
	g.is(e, wasi.EEXIST)
	g.mustOpen(fdTmp, "dangling", creat, write)
	if _, _, e := g.stat(fdTmp, 0, "made"); e != wasi.Success {
		t.Errorf("creating through a dangling link: %v", e)
	}
}

func TestRename(t *testing.T) {
	v, config := newVolume(t)
	g := newRig(t, config)
	f := g.mustOpen(fdTmp, "a", creat, write)
	g.ok(second(g.write(f, "A")))
	g.mustOpen(fdTmp, "b", creat, write)
	g.ok(g.rename(fdTmp, "a", fdTmp, "b"))
	if got := readFile(t, filepath.Join(v.tmp, "b")); got != "A" {
		t.Errorf("b holds %q", got)
	}
	if e := g.rec.lastFile(); e.Op != event.FileRename || e.Path != "/volume/tmp/a" || e.NewPath != "/volume/tmp/b" {
		t.Errorf("effect %+v", e)
	}
	g.ok(second(g.write(f, "!")))
	if e := g.rec.lastFile(); e.Path != "/volume/tmp/b" {
		t.Errorf("the open file is still called %s", e.Path)
	}
	g.is(g.rename(fdTmp, "gone", fdTmp, "x"), wasi.ENOENT)
	g.is(g.rename(fdTmp, "b", fdTmp, "x/"), wasi.ENOTDIR)
	g.ok(g.mkdir(fdTmp, "d"))
	sub := mustDir(g, "e")
	g.is(g.rename(fdTmp, "b", fdTmp, "d"), wasi.EISDIR)
	g.is(g.rename(fdTmp, "d", fdTmp, "b"), wasi.ENOTDIR)
	g.ok(g.rename(fdTmp, "d", fdTmp, "e"))
	g.is(g.rename(fdTmp, ".", fdTmp, "x"), wasi.EBUSY)
	g.is(g.rename(fdTmp, "e", fdTmp, "e/inside"), wasi.EINVAL)
	g.is(g.rename(fdTmp, "b", fdPack, "b"), wasi.EPERM)
	g.is(g.rename(fdPack, "b", fdTmp, "b2"), wasi.EPERM)
	g.is(g.rename(fdTmp, "b", 99, "b"), wasi.EBADF)
	g.is(g.rename(99, "b", fdTmp, "b"), wasi.EBADF)
	g.ok(g.close(sub))
}

func TestRenameBetweenDescriptorsOfAMount(t *testing.T) {
	v, config := newVolume(t)
	g := newRig(t, config)
	one, two := mustDir(g, "one"), mustDir(g, "two")
	g.mustOpen(one, "f", creat, write)
	g.ok(g.rename(one, "f", two, "g"))
	g.ok(g.link(two, "g", fdTmp, "h"))
	g.ok(g.rename(fdTmp, "h", one, "h"))
	for _, name := range []string{"two/g", "one/h"} {
		if _, err := os.Stat(filepath.Join(v.tmp, name)); err != nil {
			t.Error(err)
		}
	}
}

func TestAcrossMounts(t *testing.T) {
	v, config := newVolume(t)
	writeFile(t, filepath.Join(v.tmp, "a"), "A")
	g := newRig(t, config)
	want := wasi.Success
	if wasi.Portable {
		want = wasi.EXDEV
	}
	g.is(g.link(fdTmp, "a", fdData, "linked"), want)
	g.is(g.rename(fdTmp, "a", fdData, "moved"), want)
	if wasi.Portable {
		if e := g.rec.lastFile(); e.Errno != uint16(wasi.EXDEV) || e.Note == "" {
			t.Errorf("effect %+v", e)
		}
		return
	}
	for _, name := range []string{"linked", "moved"} {
		if got := readFile(t, filepath.Join(v.data, name)); got != "A" {
			t.Errorf("%s holds %q", name, got)
		}
	}
	g.is(g.link(fdData, "moved", fdPack, "x"), wasi.EPERM)
}

func TestHardLinks(t *testing.T) {
	_, config := newVolume(t)
	g := newRig(t, config)
	g.mustOpen(fdTmp, "f", creat, write)
	g.ok(g.mkdir(fdTmp, "d"))
	g.ok(g.link(fdTmp, "f", fdTmp, "d/g"))
	if e := g.rec.lastFile(); e.Op != event.FileLink || e.NewPath != "/volume/tmp/d/g" {
		t.Errorf("effect %+v", e)
	}
	g.is(g.link(fdTmp, "f", fdTmp, "d/g"), wasi.EEXIST)
	g.is(g.link(fdTmp, "f", fdTmp, "f"), wasi.EEXIST)
	g.is(g.link(fdTmp, "f", fdTmp, "new/"), wasi.ENOENT)
	g.is(g.link(fdTmp, "f/", fdTmp, "new"), wasi.ENOTDIR)
	g.is(g.link(fdTmp, "d", fdTmp, "new"), wasi.EPERM)
	g.is(g.link(fdTmp, "gone", fdTmp, "new"), wasi.ENOENT)
	p, n := g.path("f")
	q, m := g.path2("new")
	g.want(wasi.EINVAL, "path_link", fdTmp, follow, p, n, fdTmp, q, m)
	g.want(wasi.EINVAL, "path_link", fdTmp, 2, p, n, fdTmp, q, m)
}

func TestReadOnlyMount(t *testing.T) {
	v, config := newVolume(t)
	writeFile(t, filepath.Join(v.pack, "f"), "asset")
	if err := os.Mkdir(filepath.Join(v.pack, "d"), 0o755); err != nil {
		t.Fatal(err)
	}
	g := newRig(t, config)
	g.is(g.mkdir(fdPack, "x"), wasi.EPERM)
	g.is(g.rmdir(fdPack, "d"), wasi.EPERM)
	g.is(g.unlink(fdPack, "f"), wasi.EPERM)
	g.is(g.rename(fdPack, "f", fdPack, "g"), wasi.EPERM)
	g.is(g.link(fdPack, "f", fdPack, "g"), wasi.EPERM)
	g.is(g.link(fdPack, "f", fdTmp, "g"), wasi.EPERM)
	g.is(g.symlink("f", fdPack, "g"), wasi.EPERM)
	sub := g.mustOpen(fdPack, "d", directory, read)
	g.is(g.mkdir(sub, "x"), wasi.EPERM)
	_, e := g.open(sub, "x", creat, write)
	g.is(e, wasi.EPERM)
	for _, e := range g.rec.files {
		if e.Op == event.FileRefused && e.Note != "/package is read-only" {
			t.Errorf("note %q", e.Note)
		}
	}
	var names []string
	entries, err := os.ReadDir(v.pack)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if err != nil || strings.Join(names, " ") != "d f" {
		t.Errorf("the package holds %q, %v", names, err)
	}
}

func TestPathsOnDescriptorsThatAreNoFolder(t *testing.T) {
	_, config := newVolume(t)
	g := newRig(t, config)
	f := g.mustOpen(fdTmp, "f", creat, read|write)
	for _, fd := range []uint32{0, f, 99} {
		g.is(g.mkdir(fd, "x"), wasi.EBADF)
		g.is(g.rmdir(fd, "x"), wasi.EBADF)
		g.is(g.unlink(fd, "x"), wasi.EBADF)
		g.is(g.symlink("x", fd, "y"), wasi.EBADF)
		g.is(second(g.readlink(fd, "x")), wasi.EBADF)
		_, _, e := g.stat(fd, 0, "x")
		g.is(e, wasi.EBADF)
		g.is(g.link(fd, "x", fdTmp, "y"), wasi.EBADF)
		g.is(g.link(fdTmp, "x", fd, "y"), wasi.EBADF)
		g.want(wasi.EBADF, "fd_readdir", uint64(fd), atData, 100, 0, atOut)
	}
	_, _, e := g.stat(fdTmp, 2, "f")
	g.is(e, wasi.EINVAL)
	_, _, e = g.stat(fdTmp, 0, "f/")
	g.is(e, wasi.ENOTDIR)
}

func TestLookingForWhatIsNotThereIsNoEffect(t *testing.T) {
	_, config := newVolume(t)
	g := newRig(t, config)
	_, _, e := g.stat(fdTmp, follow, "gone")
	g.is(e, wasi.ENOENT)
	if len(g.rec.files) != 0 {
		t.Errorf("effects %+v", g.rec.files)
	}
}
