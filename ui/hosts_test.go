package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perch/ui/uitest"
)

// refusedHost calls a tool that asks a host that is not in the allowlist, and
// goes to its request.
func refusedHost(t *testing.T, change ...func(*Options, *uitest.Options)) (*uitest.Driver, *App) {
	t.Helper()
	d, a := start(t, "sample:orders", 120, 40, change...)
	accepted(d)
	d.Press("down", "r")
	d.WaitForText("call 1", "✓ ok")
	d.Press("6", "G")
	d.WaitForText("is not in the allowlist", "= answer with a mock", "esc leave it refused")
	return d, a
}

// TestMock: a refused request is answered by hand; that it was is told wherever
// its outcome is, until the mock is turned off.
func TestMock(t *testing.T) {
	dir := t.TempDir()
	d, _ := refusedHost(t, func(o *Options, _ *uitest.Options) { o.Memory = dir })
	d.Press("=")
	d.WaitForText("Answer with a mock", "GET https://rates.example.net/eur", "ctrl+r answer, run again", "esc close")
	d.Press("shift+tab", "shift+tab", "ctrl+u")
	d.Type("999")
	d.WaitForText("✗ the status is a number from 200 to 599")
	d.Press("ctrl+r")
	d.WaitForText("Answer with a mock")
	d.Press("ctrl+u")
	d.Type("201")
	d.Press("tab", "tab")
	d.WaitForText("It answers in this session")
	d.Press("esc")
	d.WaitForNo("Answer with a mock")
	d.Press("=") // what was written is kept
	d.WaitForText("▏201")
	d.Press("ctrl+s")
	d.WaitForText("saved in ")
	d.Press("ctrl+r")
	d.WaitForText("call 2", "≠ mocked")
	d.WaitFor("the answer of the mock", func(s uitest.Screen) bool { return strings.Contains(s.Text(), "✓ 201     ≠ mocked") })
	d.Press("L")
	d.WaitForText("≠ Mocks", "✓ 201  GET https://rates.example.net/eur", "by hand")
	d.Press("enter")
	d.WaitFor("it to be off", func(s uitest.Screen) bool { return strings.Contains(s.Text(), "off") })
	d.Press("esc", "r")
	d.WaitForText("call 3", "is not in the allowlist")
	d.Press("L", "x")
	d.WaitForText("Remove this mock?", "mocks-")
	d.Press("x")
	d.WaitForText("removed from")
	all, err := filepath.Glob(filepath.Join(dir, "mocks-*.toml"))
	if err != nil || len(all) != 1 {
		t.Fatalf("the file of mocks: %v, %v", all, err)
	}
	if text, err := os.ReadFile(all[0]); err != nil || len(text) != 0 {
		t.Errorf("the file still holds %q, %v", text, err)
	}
}

// TestMocksBesideAPackage: mocks that came with a package answer nothing until
// the person turns them on.
func TestMocksBesideAPackage(t *testing.T) {
	dir := t.TempDir()
	text := "[[mock]]\nurl = \"https://rates.example.net/eur\"\njson = '{}'\n"
	writePackage(t, dir, map[string]string{"perch-mocks.toml": text})
	d, a := start(t, dir, 120, 40)
	accepted(d)
	d.Press("6", "L")
	d.WaitForText("≠ Mocks", "200  https://rates.example.net/eur", "off", "perch-mocks.toml:1")
	if n := len(a.session.bench.Session.Config().Egress.Mocks); n != 0 {
		t.Errorf("%d mocks of the package answer", n)
	}
	d.Press("enter")
	d.WaitForText("✓ 200  https://rates.example.net/eur")
}

// TestFilesOfCalls: the difference that a call made, a file put into the volume
// and saved out of it, and the volume emptied.
func TestFilesOfCalls(t *testing.T) {
	own := t.TempDir()
	mine := filepath.Join(own, "mine.txt")
	if err := os.WriteFile(mine, []byte("mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d, a := start(t, "sample:notebook", 120, 40)
	accepted(d)
	d.Press("r")
	d.WaitForText("call 1 of", "✓ ok")
	d.Press("7", "down")
	d.WaitForText("[Diff]", "Before", "Writes", " lines · 0 B before")
	d.Press("S", "ctrl+u")
	d.Type(filepath.Join(own, "out.md"))
	d.Press("enter")
	d.WaitForText("saved ")
	if b, err := os.ReadFile(filepath.Join(own, "out.md")); err != nil || len(b) == 0 {
		t.Errorf("saved %q, %v", b, err)
	}
	d.Press("up", "a")
	d.WaitForText("Put a file into the volume")
	d.Type(own + string(filepath.Separator) + "mi")
	d.WaitForText("❯" + mine)
	d.Press("tab")
	d.WaitForText("file ▏" + mine)
	d.Press("enter")
	d.WaitForText("Put it where?", "/volume/tmp/mine.txt")
	d.Press("enter")
	d.WaitForText("/volume/tmp/mine.txt is in the volume, 5 B")
	d.WaitForText("in it now, 2 files")
	d.Press("a")
	d.Type(mine)
	d.Press("enter", "enter")
	d.WaitForText("Replace the file in the volume?")
	d.Press("esc")
	d.Press("X")
	d.WaitForText("Reset the volume?", "keep it")
	d.Press("r")
	d.WaitForText("the volume is empty", "It is empty now")
	if all, err := os.ReadDir(filepath.Join(a.session.bench.Session.VolumeDir(), "tmp")); err != nil || len(all) != 0 {
		t.Errorf("the volume holds %v, %v", all, err)
	}
}

// TestResetOfAFolderOfYours: it is named before it is emptied.
func TestResetOfAFolderOfYours(t *testing.T) {
	dir := t.TempDir()
	d, _ := start(t, "sample:notebook", 120, 40, func(o *Options, _ *uitest.Options) { o.Bench.Flags.Volume = &dir })
	accepted(d)
	if err := os.WriteFile(filepath.Join(dir, "tmp", "keep"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	d.Press("7", "X")
	d.WaitForText("Empty your own folder?", "there is no way back")
	d.Press("enter")
	d.WaitForNo("Empty your own folder?")
	if _, err := os.Stat(filepath.Join(dir, "tmp", "keep")); err != nil {
		t.Error(err)
	}
}
