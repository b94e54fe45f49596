package wasi_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perch/engine/wasi"
)

// dirent is an entry as the guest reads it.
type dirent struct {
	next, ino uint64
	kind      byte
	name      string
}

// list lists a folder as wasi-libc does: it takes whole entries from a buffer,
// and a cut one again by the cookie of the one before. each is called after
// each entry.
func (g *rig) list(fd uint32, size uint32, each func(dirent)) []dirent {
	g.Helper()
	var all []dirent
	cookie, calls := uint64(0), 0
	for {
		if calls++; calls > 20_000 {
			g.Fatal("the listing does not end")
		}
		g.want(wasi.Success, "fd_readdir", uint64(fd), atData, uint64(size), cookie, atOut)
		used := g.u32(atOut)
		b := []byte(g.bytes(atData, used))
		got := 0
		for len(b) >= 24 {
			d := dirent{next: binary.LittleEndian.Uint64(b), ino: binary.LittleEndian.Uint64(b[8:]), kind: b[20]}
			n := int(binary.LittleEndian.Uint32(b[16:]))
			if len(b) < 24+n {
				break
			}
			d.name, b = string(b[24:24+n]), b[24+n:]
			cookie = d.next
			got++
			all = append(all, d)
			if each != nil {
				each(d)
			}
		}
		if used < size {
			return all
		}
		if got == 0 {
			size *= 2 // the entry does not fit: as libc grows its buffer
		}
	}
}

func names(all []dirent) []string {
	var out []string
	for _, d := range all {
		out = append(out, d.name)
	}
	return out
}

// fillDir makes 300 files with names of 1 to 200 bytes.
func fillDir(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	for i := range 300 {
		name := fmt.Sprintf("%d %s", i, strings.Repeat("é☂𝄞x", i%18))
		out = append(out, name)
		writeFile(t, filepath.Join(dir, name), "")
	}
	slices.Sort(out)
	return out
}

func TestListingTellsEachNameOnce(t *testing.T) {
	v, config := newVolume(t)
	want := append([]string{".", ".."}, fillDir(t, v.tmp)...)
	g := newRig(t, config)
	for _, size := range []uint32{1, 24, 25, 64, 300, 4096, 65536} {
		if got := names(g.list(fdTmp, size, nil)); !slices.Equal(got, want) {
			t.Errorf("buffer of %d: %d names, want %d", size, len(got), len(want))
		}
	}
}

func TestListingWhileRemoving(t *testing.T) {
	for _, size := range []uint32{64, 4096} {
		v, config := newVolume(t)
		want := append([]string{".", ".."}, fillDir(t, v.tmp)...)
		g := newRig(t, config)
		got := g.list(fdTmp, size, func(d dirent) {
			if d.name == "." || d.name == ".." {
				return
			}
			g.put(atPath, []byte(d.name))
			g.ok(g.call("path_unlink_file", fdTmp, atPath, uint64(len(d.name))))
		})
		if !slices.Equal(names(got), want) {
			t.Errorf("buffer of %d: %d names, want %d", size, len(got), len(want))
		}
		if left := names(g.list(fdTmp, size, nil)); !slices.Equal(left, []string{".", ".."}) {
			t.Errorf("buffer of %d: %d names are left", size, len(left))
		}
	}
}

func TestListingSkipsWhatWasRemoved(t *testing.T) {
	v, config := newVolume(t)
	for _, n := range []string{"a", "b", "c", "d"} {
		writeFile(t, filepath.Join(v.tmp, n), "")
	}
	g := newRig(t, config)
	got := g.list(fdTmp, 25, func(d dirent) {
		switch d.name {
		case "a":
			g.ok(g.unlink(fdTmp, "c"))
		case "b":
			g.mustOpen(fdTmp, "aa", creat, write)
		}
	})
	if want := []string{".", "..", "a", "b", "d"}; !slices.Equal(names(got), want) {
		t.Errorf("listed %q, want %q", names(got), want)
	}
	if want := []string{".", "..", "a", "aa", "b", "d"}; !slices.Equal(names(g.list(fdTmp, 4096, nil)), want) {
		t.Errorf("from the start it is not read anew")
	}
}

func TestListingKindsAndInodes(t *testing.T) {
	v, config := newVolume(t)
	writeFile(t, filepath.Join(v.tmp, "f"), "")
	if err := os.Mkdir(filepath.Join(v.tmp, "d"), 0o755); err != nil {
		t.Fatal(err)
	}
	g := newRig(t, config)
	g.ok(g.symlink("f", fdTmp, "l"))
	want := map[string]byte{".": 3, "..": 3, "f": 4, "d": 3, "l": 7}
	for _, d := range g.list(fdTmp, 4096, nil) {
		if d.kind != want[d.name] {
			t.Errorf("%s is a %d, want %d", d.name, d.kind, want[d.name])
		}
		if d.name == ".." {
			continue
		}
		if _, _, e := g.stat(fdTmp, 0, d.name); e != wasi.Success || g.u64(atData+8) != d.ino {
			t.Errorf("%s: inode %d here, %d by its path, %v", d.name, d.ino, g.u64(atData+8), e)
		}
	}
}

func TestListingCookies(t *testing.T) {
	v, config := newVolume(t)
	for _, n := range []string{"a", "b", "c"} {
		writeFile(t, filepath.Join(v.tmp, n), "")
	}
	g := newRig(t, config)
	all := g.list(fdTmp, 4096, nil)
	// Any cookie that was given may be come back to.
	for i := len(all) - 2; i >= 0; i-- {
		g.want(wasi.Success, "fd_readdir", fdTmp, atData, 4096, all[i].next, atOut)
		if got := g.bytes(atData+24, uint32(len(all[i+1].name))); got != all[i+1].name {
			t.Errorf("cookie %d leads to %q, want %q", all[i].next, got, all[i+1].name)
		}
	}
	// An old cookie on a new descriptor, one past the end, a huge one.
	fresh := g.mustOpen(fdTmp, ".", directory, read)
	g.want(wasi.Success, "fd_readdir", uint64(fresh), atData, 4096, all[3].next, atOut)
	if got := g.bytes(atData+24, 1); got != "c" {
		t.Errorf("a new descriptor continues with %q", got)
	}
	for _, cookie := range []uint64{5, 6, 1 << 40, ^uint64(0)} {
		g.want(wasi.Success, "fd_readdir", fdTmp, atData, 4096, cookie, atOut)
		if n := g.u32(atOut); n != 0 {
			t.Errorf("cookie %d: %d bytes", cookie, n)
		}
	}
	g.trap("fd_readdir", fdTmp, 4<<16-10, 100, 0, atOut)
	g.ok(g.close(fresh))
}

func TestListingOfAPreopenThatIsEmpty(t *testing.T) {
	_, config := newVolume(t)
	g := newRig(t, config)
	if got := names(g.list(fdPack, 100, nil)); !slices.Equal(got, []string{".", ".."}) {
		t.Errorf("listed %q", got)
	}
}
