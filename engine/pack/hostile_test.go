package pack_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"perch/engine/abi"
	"perch/engine/pack"
)

// hostile is an archive that breaks package/archive, and what is said of it.
type hostile struct {
	name  string
	data  []byte
	entry int    // its number, 0: the archive itself
	path  string // as the archive writes it
	want  []string
}

// names are entries that neither form may hold.
func hostileNames() []struct {
	bad  entry
	want string
} {
	return []struct {
		bad  entry
		want string
	}{
		{file("../../etc/cron.d/x", ""), "points outside the package"},
		{file("a/../../x", ""), "points outside the package"},
		{file("a/../x", ""), `has ".." in its path`},
		{file("/etc/passwd", ""), "is an absolute path"},
		{file(`a\b`, ""), "has a backslash in its name"},
		{file("C:/x", ""), "begins with a drive letter"},
		{file("c:x", ""), "begins with a drive letter"},
		{file("a\x1b[2Jb", ""), "has a control character in its name"},
		{file("a\nb", ""), "has a control character in its name"},
		{file("a\u0085b", ""), "has a control character in its name"},
		{file(".", "x"), "is a file without a name"},
		{file(strings.Repeat("long/", 300)+"x", ""), "has a name of 1501 bytes; at most 1024"},
		{file(strings.Repeat("n", 256), ""), "has a part of 256 bytes in its name; at most 255"},
		{file(abi.ModuleFile, "again"), "is the same path as entry 2"},
		{file("./"+abi.ModuleFile, "again"), "is the same path as entry 2"},
		{file("Module.WASM", "again"), `"Module.WASM" is the same path as "module.wasm" of entry 2 where case does not count`},
		{file("module.waſm", "again"), "where case does not count"},
		{file(abi.ModuleFile+"/x", ""), `makes "module.wasm" a file and a folder; entry 2 has it first`},
	}
}

func hostileTars(t testing.TB) []hostile {
	var all []hostile
	add := func(name string, bad entry, want ...string) {
		all = append(all, hostile{name, tarOf(t, whole(bad)...), 3, bad.name, want})
	}
	for _, c := range hostileNames() {
		add(fmt.Sprintf("%.30q", c.bad.name), c.bad, c.want)
	}
	add("symbolic link", entry{name: "x", kind: tar.TypeSymlink, link: "/etc/\x1bpasswd"}, `is a symbolic link to "/etc/\x1bpasswd"`)
	add("link called module.wasm", entry{name: "y/" + abi.ModuleFile, kind: tar.TypeSymlink, link: "x"}, "is a symbolic link")
	add("hard link", entry{name: "x", kind: tar.TypeLink, link: abi.ModuleFile}, `is a hard link to "module.wasm"`)
	add("character device", entry{name: "x", kind: tar.TypeChar}, "is a device")
	add("block device", entry{name: "x", kind: tar.TypeBlock}, "is a device")
	add("named pipe", entry{name: "x", kind: tar.TypeFifo}, "is a named pipe")
	add("unknown type", entry{name: "x", kind: 'Z'}, "is of the unknown type 'Z'")
	add("not UTF-8", entry{name: "a\xffb"}, "has a name that is not UTF-8")
	more := []hostile{
		{"folder twice", tarOf(t, entry{name: "a/", kind: tar.TypeDir}, file("a/x", ""), entry{name: "a", kind: tar.TypeDir}), 3, "a", []string{"is the same path as entry 1"}},
		{"folder, then file", tarOf(t, file("a/x", ""), file("a", "")), 2, "a", []string{`makes "a" a file and a folder; entry 1 has it first`}},
		{"doubled slash", tarOf(t, file("a/b", "1"), file("a//b", "2")), 2, "a//b", []string{"is the same path as entry 1"}},
		{"folders by case", tarOf(t, file("a/b", "1"), file("A/c", "2")), 2, "A/c", []string{`"A" is the same path as "a" of entry 1`}},
		{"accents composed and not", tarOf(t, file("caf\u00e9", "1"), file("cafe\u0301", "2")), 2, "cafe\u0301", []string{"is the same path as"}},
		{"old sparse file", sparse(t), 1, "hole", []string{"is a sparse file"}},
		{"new sparse file", newSparse(t), 1, "hole", []string{"is a sparse file"}},
		{"global path", tarOf(t, entry{name: "pax_global_header", kind: tar.TypeXGlobalHeader, pax: map[string]string{"path": "x"}}), 1, "x", []string{`sets "path" for all entries after it`}},
		{"cut in a file", tarOf(t, file("a", strings.Repeat("x", 4000)))[:2000], 1, "a", []string{"ends early: it was cut short"}},
		{"cut in a header", tarOf(t, whole()...)[:1200], 0, "", []string{"after entry 1, the archive ends early: it was cut short"}},
		{"rubbish for a header", append(tarOf(t, whole()...)[:2048], bytes.Repeat([]byte("x"), 1024)...), 0, "", []string{"after entry 2, the archive has no tar header where one must be"}},
		{"bytes after the end", append(tarOf(t, whole()...), "tail"...), 0, "", []string{"goes on after its end, at byte 3072 of the tar stream"}},
		{"another archive after the end", append(tarOf(t, whole()...), tarOf(t, file("x", ""))...), 0, "", []string{"goes on after its end"}},
		{"a size beyond the limit", tarHead("big", 1<<40), 1, "big", []string{"brings the package over 128 MiB unpacked (local limit)"}},
	}
	return append(all, more...)
}

// sparse is a file that a reader blows up to 1 TiB of zeros.
func sparse(t testing.TB) []byte {
	h := tarHead("hole", 0)
	h[156] = tar.TypeGNUSparse
	copy(h[257:], "ustar  \x00")
	copy(h[386:], "00000000000\x0000000000000\x00")
	binary.BigEndian.PutUint64(h[483+4:], 1<<40)
	h[483] = 0x80
	return tarSum(h)
}

// tarHead is a header of a regular file with no data behind it.
func tarHead(name string, size int64) []byte {
	h := make([]byte, 1536)
	copy(h, name)
	copy(h[100:], "0000644\x00")
	copy(h[108:], "0000000\x000000000\x00")
	if size < 1<<33 {
		copy(h[124:], fmt.Sprintf("%011o\x00", size))
	} else {
		h[124] = 0x80
		binary.BigEndian.PutUint64(h[128:], uint64(size))
	}
	copy(h[136:], "00000000000\x00")
	h[156] = tar.TypeReg
	copy(h[257:], "ustar\x0000")
	if size >= 1<<33 {
		copy(h[257:], "ustar  \x00")
	}
	return tarSum(h)
}

func tarSum(h []byte) []byte {
	copy(h[148:156], "        ")
	sum := 0
	for _, c := range h[:512] {
		sum += int(c)
	}
	copy(h[148:], fmt.Sprintf("%06o\x00 ", sum))
	return h
}

// newSparse has a pax record that archive/tar does not write.
func newSparse(t testing.TB) []byte {
	data := tarOf(t, entry{name: "hole", pax: map[string]string{"comment": "GNU.sparse.major=1"}})
	was, now := "30 comment=GNU.sparse.major=1\n", "22 GNU.sparse.major=1\n8 a=bbb\n"
	if !bytes.Contains(data, []byte(was)) || len(was) != len(now) {
		t.Fatal("no record to change")
	}
	return bytes.Replace(data, []byte(was), []byte(now), 1)
}

func hostileZips(t testing.TB) []hostile {
	var all []hostile
	add := func(name string, data []byte, no int, path string, want ...string) {
		all = append(all, hostile{name, data, no, path, want})
	}
	for _, c := range hostileNames() {
		add(fmt.Sprintf("%.30q", c.bad.name), zipOf(t, whole(c.bad)...), 3, c.bad.name, c.want)
	}
	add("NUL in a name", zipOf(t, whole(file("a\x00b", ""))...), 3, "a\x00b", "has a control character in its name")
	add("no name", zipOf(t, whole(file("", "x"))...), 3, "", "has no name")
	add("not UTF-8", zipOf(t, whole(file("a\xffb", ""))...), 3, "a\xffb", "has a name that is not UTF-8")
	add("symbolic link", zipOf(t, whole(entry{name: "x", body: "/etc/passwd", kind: tar.TypeSymlink})...), 3, "x", "is a symbolic link")
	add("named pipe", zipOf(t, whole(entry{name: "x", kind: tar.TypeFifo})...), 3, "x", "is a named pipe")
	add("encrypted", zipWith(t, func(h *zip.FileHeader) {
		if h.Name == "x" {
			h.Flags |= 1
		}
	}, whole(file("x", ""))...), 3, "x", "is encrypted")
	odd := zipOf(t, file("x", "text"))
	at := bytes.Index(odd, []byte("PK\x01\x02"))
	method := bytes.Clone(odd)
	method[at+10] = 14
	add("an unknown method", method, 1, "x", "is compressed by method 14")
	small := zipOf(t, file("x", strings.Repeat("\x00", 1<<20)))
	at = bytes.Index(small, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(small[at+24:], 10)
	add("more than it says", small, 1, "x", "does not unpack to the 10 bytes that it says")
	less := zipOf(t, file("x", "text"))
	at = bytes.Index(less, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(less[at+24:], 1000)
	add("less than it says", less, 1, "x", "does not unpack to the 1000 bytes that it says")
	sum := zipOf(t, file("x", "text"))
	at = bytes.Index(sum, []byte("PK\x01\x02"))
	sum[at+16]++
	add("another checksum", sum, 1, "x", "does not match its checksum")
	named := zipOf(t, file("good", "text"))
	copy(named[30:], "evil")
	add("two names", named, 1, "good", `is named "evil" where its data begins`)
	add("cut", odd[:len(odd)-30], 0, "", "has no end record: it was cut short")
	add("bytes after the end", append(bytes.Clone(odd), "tail"...), 0, "", fmt.Sprintf("goes on after its end, at byte %d", len(odd)))
	add("bytes before the start", append([]byte("PK\x03\x04hidden"), odd...), 0, "", "holds bytes that its directory does not count")
	return all
}

// check opens a hostile archive and looks that nothing but its words came of it.
func (h hostile) check(t *testing.T, form pack.Form) {
	t.Helper()
	home := t.TempDir()
	temp, beside := filepath.Join(home, "temp"), filepath.Join(home, "package")
	if err := os.Mkdir(temp, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp)
	canary := put(t, filepath.Join(home, "canary"), []byte("alive"))
	path := put(t, filepath.Join(beside, "ship."+string(form)), h.data)
	p := open(t, path)
	b := breach(t, p, abi.PackageArchive)
	wants(t, "detail", b.Detail, h.want...)
	wants(t, "fault", p.Fault.Error(), h.want...)
	if len(p.Breaches) != 1 || p.Module != nil || p.Manifest != nil || p.AssetsDir != "" || p.Form != form {
		t.Errorf("not refused: %+v", p)
	}
	if p.Fault.EntryNo != h.entry || p.Fault.Entry != h.path {
		t.Errorf("entry %d, %q", p.Fault.EntryNo, p.Fault.Entry)
	}
	if h.entry > 0 {
		wants(t, "detail", b.Detail, fmt.Sprintf("entry %d, ", h.entry))
	}
	for _, c := range b.Detail + p.Fault.Error() {
		if unicode.IsControl(c) || c == utf8.RuneError {
			t.Errorf("%q holds %q", b.Detail, c)
		}
	}
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("written: %v", left)
	}
	if left, _ := os.ReadDir(home); len(left) != 3 {
		t.Errorf("written outside: %v", left)
	}
	if text, _ := os.ReadFile(canary); string(text) != "alive" {
		t.Errorf("the canary holds %q", text)
	}
}

func TestHostileTar(t *testing.T) {
	for _, h := range hostileTars(t) {
		t.Run(h.name, func(t *testing.T) { h.check(t, pack.Tar) })
	}
}

func TestHostileTarGz(t *testing.T) {
	for _, h := range hostileTars(t) {
		h.data = gz(t, h.data)
		t.Run(h.name, func(t *testing.T) { h.check(t, pack.TarGz) })
	}
	good := gz(t, tarOf(t, whole()...))
	damaged := bytes.Clone(good)
	damaged[len(damaged)-5]++
	for _, h := range []hostile{
		{"cut", good[:len(good)-20], 2, abi.ModuleFile, []string{"ends early: it was cut short"}},
		{"cut in its header", good[:5], 0, "", []string{"ends early: it was cut short"}},
		{"bytes after the end", append(bytes.Clone(good), "this is no gzip data"...), 0, "", []string{"after entry 2, the archive goes on with bytes that are no gzip data"}},
		{"another checksum", damaged, 0, "", []string{"does not match its checksum: it was damaged"}},
		{"no tar in it", gz(t, bytes.Repeat([]byte("text"), 500)), 0, "", []string{"has no tar header"}},
	} {
		t.Run(h.name, func(t *testing.T) { h.check(t, pack.TarGz) })
	}
}

func TestHostileZip(t *testing.T) {
	for _, h := range hostileZips(t) {
		t.Run(h.name, func(t *testing.T) { h.check(t, pack.Zip) })
	}
}

func TestBombs(t *testing.T) {
	over := []string{"brings the package over 128 MiB unpacked (local limit)"}
	const rest = abi.MaxPackageBytes - 1<<20 + 1 // what is too much behind 1 MiB
	mega := make([]byte, 1<<20)

	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.Create("a")
	if err != nil {
		t.Fatal(err)
	}
	f.Write(mega)
	if _, err := w.CreateRaw(&zip.FileHeader{Name: "b", Method: zip.Deflate, UncompressedSize64: rest}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	hostile{"zip", b.Bytes(), 2, "b", over}.check(t, pack.Zip)
	two := slices.Concat(tarHead("a", 1<<20)[:512], mega, tarHead("b", rest))
	hostile{"tar.gz", gz(t, two), 2, "b", over}.check(t, pack.TarGz)

	// Members of a gzip file follow each other: one MiB of zeros serves often.
	padding := slices.Concat(gz(t, tarOf(t, whole()...)), bytes.Repeat(gz(t, mega), abi.MaxArchiveBytes>>20))
	hostile{"zeros behind the end", padding, 0, "", []string{"after entry 2, the archive goes on past 160 MiB unpacked"}}.check(t, pack.TarGz)
}

func TestTooManyEntries(t *testing.T) {
	entries := whole()
	for i := len(entries); i < abi.MaxPackageFiles; i++ {
		entries = append(entries, file(fmt.Sprintf("assets/%d", i), ""))
	}
	mounted := pack.Options{Assets: t.TempDir()} // nothing needs unpacking
	if p := openWith(t, put(t, "a.tar", tarOf(t, entries...)), mounted); len(p.Breaches) > 0 {
		t.Errorf("%d entries: %v", len(entries), p.Breaches)
	}
	entries = append(entries, file("assets/last", ""))
	hostile{"tar", tarOf(t, entries...), 10_001, "assets/last", []string{"is one more than the 10000 entries"}}.check(t, pack.Tar)
	hostile{"zip", zipOf(t, entries...), 0, "", []string{"has 10001 entries; a package may have 10000 (local limit)"}}.check(t, pack.Zip)
}

func TestWhatToDoAboutAnArchive(t *testing.T) {
	escaping := tarOf(t, file("../x", ""))
	for _, c := range []struct{ path, want string }{
		{put(t, "ship.tar.gz", gz(t, escaping)), "Pack it from inside its folder: tar -czf ship.tar.gz -C ship ."},
		{put(t, "ship.tar", escaping), "Pack it from inside its folder: tar -cf ship.tar -C ship ."},
		{put(t, "ship.zip", zipOf(t, file("../x", ""))), "Pack it from inside its folder: cd ship && zip -r ../ship.zip ."},
		{put(t, "a b.tar", escaping), "Pack it from inside its folder: tar -cf NAME.tar -C FOLDER ."},
	} {
		p := open(t, c.path)
		if got := breach(t, p, abi.PackageArchive).Fix; got != c.want {
			t.Errorf("%s: %s", c.path, got)
		}
		if got, want := p.Fault.Error(), c.path+`: entry 1, "../x", points outside the package. `+c.want; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
