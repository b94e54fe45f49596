package wasi_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perch/engine/event"
	"perch/engine/wasi"
)

func TestOpenBody(t *testing.T) {
	v, config := newVolume(t)
	writeFile(t, filepath.Join(v.tmp, "in.bin"), "body")
	writeFile(t, filepath.Join(v.pack, "asset"), "asset")
	if err := os.Symlink("in.bin", filepath.Join(v.tmp, "link")); err != nil {
		t.Fatal(err)
	}
	g := newRig(t, config)
	g.ok(g.close(fdTmp)) // the guest's descriptors do not matter
	for path, want := range map[string]string{
		"/volume/tmp/in.bin": "body", "/volume/tmp/link": "body", "/package/asset": "asset", "/volume/tmp/./in.bin": "body",
	} {
		r, size, err := g.p.OpenBody(path, 4)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		b, err := io.ReadAll(r)
		if err != nil || string(b) != want || size != int64(len(want)) {
			t.Errorf("%s: %q, size %d, %v", path, b, size, err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if e := g.rec.lastFile(); e.Op != event.FileOpen || e.HTTP != 4 {
			t.Errorf("effect %+v", e)
		}
	}
}

// badPaths are paths that neither a body nor an output can have.
func badPaths(t *testing.T, v volume) map[string]wasi.Errno {
	t.Helper()
	writeFile(t, filepath.Join(filepath.Dir(v.tmp), "canary"), canaryText)
	for name, content := range map[string]string{"out": "../canary", "abs": filepath.Join(filepath.Dir(v.tmp), "canary"), "dir": "../"} {
		if err := os.Symlink(content, filepath.Join(v.tmp, name)); err != nil {
			t.Fatal(err)
		}
	}
	return map[string]wasi.Errno{
		"":                       wasi.ENOENT,
		"in.bin":                 wasi.ENOENT,
		"volume/tmp/in.bin":      wasi.ENOENT,
		"/etc/passwd":            wasi.ENOENT,
		"/volume/tmpx":           wasi.ENOENT,
		"/volume":                wasi.ENOENT,
		"//volume/tmp/x":         wasi.ENOENT,
		"/volume/tmp":            wasi.EISDIR,
		"/volume/tmp/":           wasi.EISDIR,
		"/volume/tmp/../canary":  wasi.EPERM,
		"/volume/tmp/out":        wasi.EPERM,
		"/volume/tmp/abs":        wasi.EPERM,
		"/volume/tmp/dir/canary": wasi.EPERM,
		"/volume/tmp/a\x00b":     wasi.EINVAL,
		"/volume/tmp/\xff":       wasi.EILSEQ,
		"/volume/tmp/" + strings.Repeat("x", 5000): wasi.ENAMETOOLONG,
	}
}

func TestOpenBodyRefusesBadPaths(t *testing.T) {
	v, config := newVolume(t)
	g := newRig(t, config)
	bad := badPaths(t, v)
	bad["/volume/tmp/gone"] = wasi.ENOENT
	for path, want := range bad {
		r, _, err := g.p.OpenBody(path, 1)
		checkBadPath(t, g, path, err, want)
		if r != nil {
			t.Errorf("%q: a reader beside the error", path)
		}
	}
}

func checkBadPath(t *testing.T, g *rig, path string, err error, want wasi.Errno) {
	t.Helper()
	var bad *wasi.PathError
	if !errors.As(err, &bad) || !errors.Is(err, want) || bad.Why == "" {
		t.Errorf("%.30q: %v, want %v", path, err, want)
		return
	}
	if e := g.rec.lastFile(); e.Op != event.FileRefused || e.HTTP != 1 || e.Note != bad.Why {
		t.Errorf("%.30q: effect %+v", path, e)
	}
}

func TestCreateOutput(t *testing.T) {
	v, config := newVolume(t)
	config.Budget = wasi.NewBudget(20, 4)
	writeFile(t, filepath.Join(v.tmp, "old"), "much more than before")
	g := newRig(t, config)
	out, err := g.p.CreateOutput("/volume/tmp/new/deep/out.bin", 2)
	if err != nil {
		t.Fatal(err)
	}
	if out.Path() != "/volume/tmp/new/deep/out.bin" {
		t.Errorf("path %s", out.Path())
	}
	for _, part := range []string{"first ", "second"} {
		if n, err := out.Write([]byte(part)); n != len(part) || err != nil {
			t.Errorf("write %d, %v", n, err)
		}
	}
	if e := g.rec.lastFile(); e.Op != event.FileWrite || e.Offset != 6 || string(e.Data) != "second" || e.Written != 12 || e.HTTP != 2 {
		t.Errorf("effect %+v", e)
	}
	n, err := out.Write([]byte("too much now"))
	if n != 0 || !errors.Is(err, wasi.EDQUOT) {
		t.Errorf("past the budget: %d, %v", n, err)
	}
	if err := out.Close(); err != nil {
		t.Error(err)
	}
	if got := readFile(t, filepath.Join(v.tmp, "new", "deep", "out.bin")); got != "first second" {
		t.Errorf("the file holds %q", got)
	}
	var ops []event.FileOp
	for _, e := range g.rec.files {
		ops = append(ops, e.Op)
	}
	if len(ops) != 6 || ops[0] != event.FileMkdir || ops[1] != event.FileMkdir || ops[2] != event.FileCreate {
		t.Errorf("effects %v", ops)
	}
	out, err = g.p.CreateOutput("/volume/tmp/old", 3)
	if err != nil {
		t.Fatal(err)
	}
	out.Close()
	if got := readFile(t, filepath.Join(v.tmp, "old")); got != "" {
		t.Errorf("not emptied: %q", got)
	}
	// Three were made; one more is allowed, not two.
	_, err = g.p.CreateOutput("/volume/data/a/b", 4)
	if !errors.Is(err, wasi.EDQUOT) {
		t.Errorf("past the number of files: %v", err)
	}
}

func TestCreateOutputRefusesBadPaths(t *testing.T) {
	v, config := newVolume(t)
	g := newRig(t, config)
	bad := badPaths(t, v)
	bad["/package/x"] = wasi.EPERM
	bad["/volume/tmp/dir/new/x"] = wasi.EPERM
	bad["/volume/tmp/f/x"] = wasi.ENOTDIR
	writeFile(t, filepath.Join(v.tmp, "f"), "")
	for path, want := range bad {
		out, err := g.p.CreateOutput(path, 1)
		checkBadPath(t, g, path, err, want)
		if out != nil {
			t.Errorf("%q: an output beside the error", path)
		}
	}
	if got := readFile(t, filepath.Join(filepath.Dir(v.tmp), "canary")); got != canaryText {
		t.Errorf("the canary says %q", got)
	}
}

func TestOutputEndsAtStop(t *testing.T) {
	_, config := newVolume(t)
	stop := make(chan struct{})
	config.Stop = stop
	g := newRig(t, config)
	out, err := g.p.CreateOutput("/volume/tmp/x", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	close(stop)
	if _, err := out.Write([]byte("x")); !errors.Is(err, wasi.ErrStopped) {
		t.Errorf("after the stop: %v", err)
	}
}

func TestNestedMounts(t *testing.T) {
	v, config := newVolume(t)
	config.Mounts = append(config.Mounts, wasi.Mount{Guest: "/volume/tmp/in", Dir: v.data})
	writeFile(t, filepath.Join(v.data, "f"), "deep")
	g := newRig(t, config)
	r, _, err := g.p.OpenBody("/volume/tmp/in/f", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if b, err := io.ReadAll(r); string(b) != "deep" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
}
