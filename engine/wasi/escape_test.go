package wasi_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perch/engine/event"
	"perch/engine/wasi"
)

const canaryText = "the canary sings"

// cage is a volume with a canary beside it, outside all mounts.
type cage struct {
	volume
	*rig
	base   string
	canary string
}

func newCage(t testing.TB) *cage {
	t.Helper()
	v, config := newVolume(t)
	c := &cage{volume: v, base: filepath.Dir(v.tmp)}
	c.canary = filepath.Join(c.base, "canary")
	writeFile(t, c.canary, canaryText)
	if err := os.Mkdir(filepath.Join(c.base, "outside"), 0o755); err != nil {
		t.Fatal(err)
	}
	c.rig = newRig(t, config)
	return c
}

// check fails the test when anything outside the mounts was touched.
func (c *cage) check() {
	c.Helper()
	if got := readFile(c, c.canary); got != canaryText {
		c.Errorf("the canary says %q", got)
	}
	for dir, want := range map[string]string{c.base: "canary data outside package tmp", filepath.Join(c.base, "outside"): ""} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			c.Fatal(err)
		}
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
		}
		if got := strings.Join(names, " "); got != want {
			c.Errorf("%s holds %q, want %q", filepath.Base(dir), got, want)
		}
	}
}

// attack tries everything on a path that leads out, and wants EPERM of all.
func (c *cage) attack(fd uint32, path string) {
	c.Helper()
	try := func(what string, e wasi.Errno) {
		c.Helper()
		if e != wasi.EPERM {
			c.Errorf("%s %q on fd %d: %v, want EPERM", what, path, fd, e)
		}
		if last := c.rec.lastFile(); last.Op != event.FileRefused || last.Errno != uint16(wasi.EPERM) || !strings.HasPrefix(last.Note, "stayed inside: ") {
			c.Errorf("%s %q: effect %+v", what, path, last)
		}
	}
	try("open", second(c.open(fd, path, 0, read)))
	try("write", second(c.open(fd, path, 0, write)))
	try("truncate", second(c.open(fd, path, trunc, write)))
	try("create", second(c.open(fd, path, creat, write)))
	try("open folder", second(c.open(fd, path, directory, read)))
	_, _, e := c.stat(fd, follow, path)
	try("stat", e)
	p, n := c.path(path)
	try("times", c.call("path_filestat_set_times", uint64(fd), follow, p, n, 0, 0, 8))
	c.check()
}

// attackParent tries what acts on a name in a folder that lies outside.
func (c *cage) attackParent(fd uint32, path string) {
	c.Helper()
	c.attack(fd, path)
	c.mustOpen(fdTmp, "mine", creat, write)
	for what, e := range map[string]wasi.Errno{
		"mkdir":       c.mkdir(fd, path),
		"rmdir":       c.rmdir(fd, path),
		"unlink":      c.unlink(fd, path),
		"symlink":     c.symlink("x", fd, path),
		"link to":     c.link(fdTmp, "mine", fd, path),
		"link from":   c.link(fd, path, fdTmp, "stolen"),
		"rename to":   c.rename(fdTmp, "mine", fd, path),
		"rename from": c.rename(fd, path, fdTmp, "stolen"),
		"readlink":    second(c.readlink(fd, path)),
	} {
		if e != wasi.EPERM {
			c.Errorf("%s %q on fd %d: %v, want EPERM", what, path, fd, e)
		}
	}
	c.check()
}

func TestDotDotStaysInside(t *testing.T) {
	c := newCage(t)
	c.ok(c.mkdir(fdTmp, "d"))
	sub := mustDir(c.rig, "sub")
	for _, path := range []string{"../canary", "../../etc/passwd", "d/../../canary", "./.././canary", "d/../d/../../canary"} {
		c.attackParent(fdTmp, path)
	}
	c.attackParent(sub, "../mine") // out of its descriptor, though inside the mount
	c.attackParent(sub, "../../canary")
	c.attack(fdTmp, "..")
	c.attack(sub, "../")
	c.attackParent(fdTmp, c.canary)
	c.attack(fdTmp, "/")
	c.attackParent(fdTmp, "//volume/tmp/mine")
}

func TestLinksStayInside(t *testing.T) {
	c := newCage(t)
	c.ok(c.mkdir(fdTmp, "d"))
	for name, content := range map[string]string{
		"l1": "../canary", "l2": "../outside", "d/l3": "../../outside", "l4": "d/../../canary", "l5": "./../outside/",
	} {
		c.ok(c.symlink(content, fdTmp, name))
	}
	c.ok(c.symlink("l1", fdTmp, "l6")) // a chain
	for _, abs := range []string{"/etc/passwd", c.canary, "/"} {
		if e := c.symlink(abs, fdTmp, "abs"); e != wasi.EPERM {
			t.Errorf("a link to %s: %v", abs, e)
		}
	}
	// Links that the host made.
	for name, content := range map[string]string{"h1": c.canary, "h2": filepath.Join(c.base, "outside"), "h3": "/"} {
		if err := os.Symlink(content, filepath.Join(c.tmp, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{"l1", "l4", "l6", "h1", "l2", "h2", "h3", "l5", "l2/.", "l2/"} {
		c.attack(fdTmp, path)
	}
	for _, path := range []string{"l2/new", "d/l3/new", "l5/new", "h2/new", "h3/new", "l2/../canary", "h2/../canary"} {
		c.attackParent(fdTmp, path)
	}
	c.is(second(c.readlink(fdTmp, "h1")), wasi.EPERM)
	if got, e := c.readlink(fdTmp, "l1"); got != "../canary" || e != wasi.Success {
		t.Errorf("its own link: %q %v", got, e)
	}
	// The links themselves are the guest's: it may move and remove them.
	c.ok(c.rename(fdTmp, "l1", fdTmp, "moved"))
	c.ok(c.unlink(fdTmp, "moved"))
	c.ok(c.unlink(fdTmp, "h1"))
	c.check()
}

func TestHardLinkToALinkStaysInside(t *testing.T) {
	c := newCage(t)
	c.ok(c.symlink("../canary", fdTmp, "l"))
	c.ok(c.link(fdTmp, "l", fdTmp, "hard"))
	if kind, _, e := c.stat(fdTmp, 0, "hard"); kind != 7 || e != wasi.Success {
		t.Errorf("the hard link is a %d, %v: it must be the link itself", kind, e)
	}
	c.attack(fdTmp, "hard")
	p, n := c.path("l")
	q, m := c.path2("followed")
	c.want(wasi.EINVAL, "path_link", fdTmp, follow, p, n, fdTmp, q, m)
	c.check()
}

func TestMovedFolderStaysInside(t *testing.T) {
	c := newCage(t)
	c.ok(c.mkdir(fdTmp, "a"))
	c.ok(c.mkdir(fdTmp, "a/b"))
	deep := mustDir(c.rig, "a/b/deep")
	c.ok(c.rename(fdTmp, "a/b/deep", fdTmp, "deep"))
	for _, path := range []string{"../canary", "../../canary", "../../../canary", "..", "../../.."} {
		c.attack(deep, path)
	}
	// It is still the same folder.
	c.mustOpen(deep, "f", creat, write)
	if e := c.rec.lastFile(); e.Path != "/volume/tmp/deep/f" {
		t.Errorf("called %s after the move", e.Path)
	}
	if _, err := os.Stat(filepath.Join(c.tmp, "deep", "f")); err != nil {
		t.Error(err)
	}
	c.check()
}

func TestFolderMovedOutByTheHost(t *testing.T) {
	c := newCage(t)
	sub := mustDir(c.rig, "sub")
	if err := os.Rename(filepath.Join(c.tmp, "sub"), filepath.Join(c.data, "sub")); err != nil {
		t.Fatal(err)
	}
	c.attack(sub, "../canary")
	c.attack(sub, "../../canary")
	c.check()
}

func TestEscapeNotesSayHow(t *testing.T) {
	c := newCage(t)
	c.ok(c.symlink("../canary", fdTmp, "l"))
	for path, want := range map[string]string{
		"l":         "stayed inside: a link points out of /volume/tmp",
		"../canary": "stayed inside: .. leads out of /volume/tmp",
		"/x":        "stayed inside: the path begins with /; a path is relative to its descriptor, /volume/tmp",
	} {
		_, e := c.open(fdTmp, path, 0, read)
		c.is(e, wasi.EPERM)
		if got := c.rec.lastFile().Note; got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
