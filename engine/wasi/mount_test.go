package wasi_test

import (
	"path/filepath"
	"slices"
	"testing"

	"perch/engine/wasi"
)

func TestOpenedMountServesSeveralProcesses(t *testing.T) {
	v, config := newVolume(t)
	opened, err := wasi.OpenMount(config.Mounts[0])
	if err != nil {
		t.Fatal(err)
	}
	if opened.Guest() != "/volume/tmp" || opened.ReadOnly() {
		t.Errorf("%s, read-only %v", opened.Guest(), opened.ReadOnly())
	}
	shared := wasi.Config{Mounts: []wasi.Mount{{Opened: opened}}}
	first := newRig(t, shared)
	first.mustOpen(fdTmp, "f", creat, write)
	first.ok(first.close(fdTmp)) // the guest's descriptor, not the mount
	if err := first.p.Close(); err != nil {
		t.Fatal(err)
	}
	second := newRig(t, shared)
	if got := names(second.list(fdTmp, 4096, nil)); !slices.Equal(got, []string{".", "..", "f"}) {
		t.Errorf("the second process lists %q", got)
	}
	second.p.Close()
	if err := opened.Close(); err != nil {
		t.Error(err)
	}
	if _, err := wasi.OpenMount(wasi.Mount{Guest: "tmp", Dir: v.tmp}); err == nil {
		t.Error("a relative name was taken")
	}
}

func TestCheckOutputChangesNothing(t *testing.T) {
	v, config := newVolume(t)
	g := newRig(t, config)
	bad := badPaths(t, v)
	bad["/package/x"] = wasi.EPERM
	writeFile(t, filepath.Join(v.tmp, "f"), "kept")
	bad["/volume/tmp/f/x"] = wasi.ENOTDIR
	for path, want := range bad {
		checkBadPath(t, g, path, g.p.CheckOutput(path, 1), want)
	}
	for _, path := range []string{"/volume/tmp/f", "/volume/tmp/new", "/volume/data/a/b/c"} {
		if err := g.p.CheckOutput(path, 1); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if got := names(g.list(fdData, 4096, nil)); len(got) != 2 {
		t.Errorf("/volume/data holds %q", got)
	}
	if got := readFile(t, filepath.Join(v.tmp, "f")); got != "kept" {
		t.Errorf("the file holds %q", got)
	}
}
