package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTakes(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"check"}, "perch: write perch check PACKAGE... (got 0 arguments)\n"},
		{[]string{"call", "sample:greeter"}, "perch: write perch call PACKAGE TOOL [--args JSON|@FILE|-] (got 1 argument)\n"},
		{[]string{"tools", "a", "b"}, "perch: write perch tools PACKAGE (got 2 arguments)\n"},
		{[]string{"chek", "sample:greeter"}, "perch: there is no command \"chek\". Did you mean check?\n"},
		{[]string{"smaples"}, "perch: \"smaples\" is no command, and no file or folder here. Did you mean perch samples?\n"},
		{[]string{"--tiemout=3s"}, "perch: there is no flag --tiemout. Did you mean --timeout?\n"},
		{[]string{"check", "--wallpaper", "x"}, "perch: there is no flag --wallpaper. perch check --help lists the flags\n"},
		{[]string{"call", "-x"}, "perch: there is no flag -x. perch call --help lists the flags\n"},
		{[]string{"check", ""}, "perch: PACKAGE: is empty. Name a folder, a .wasm, a .tar, a .tar.gz or a .zip, or sample:greeter\n"},
		{[]string{"samples", "copy"}, "perch: write perch samples copy NAME [DIR] (got 0 arguments)\n"},
		{[]string{"samples", "copy", "gretter"}, "perch: there is no sample \"gretter\". Did you mean sample:greeter?\n"},
		{[]string{"a", "b"}, "perch: write perch [PACKAGE] (got 2 arguments)\n"},
	} {
		if status, out, errs := perch(t, "", c.args...); status != exitUsage || out != "" || errs != c.want {
			t.Errorf("%v: exit status %d, %q, %q, want %q", c.args, status, out, errs, c.want)
		}
	}
}

// TestCopyASample: what is copied is a package to begin with.
func TestCopyASample(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "my pack")
	status, _, errs := perch(t, "", "samples", "copy", "greeter", dir)
	if status != 0 || !strings.Contains(errs, "perch '"+dir+"'") {
		t.Fatalf("exit status %d, %s", status, errs)
	}
	if status, _, errs = perch(t, "", "check", dir); status != 0 {
		t.Errorf("the copy: exit status %d, %s", status, errs)
	}
	if status, _, errs = perch(t, "", "samples", "copy", "greeter", dir); status != exitUsage || !strings.Contains(errs, "is not empty") {
		t.Errorf("again: exit status %d, %s", status, errs)
	}
}

// TestWhatIsMissingAndWhatWasMeant: a path that leads nowhere is told as far
// as it leads, and with the name that is near.
func TestWhatIsMissingAndWhatWasMeant(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "packs"), 0o700); err != nil {
		t.Fatal(err)
	}
	module := filepath.Join(dir, "packs", "greeter.wasm")
	if err := os.WriteFile(module, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "packs", "gretter.wasm"): "Did you mean " + module + "?",
		filepath.Join(dir, "pakcs", "greeter.wasm"): "no folder " + filepath.Join(dir, "pakcs") + ". Did you mean " + filepath.Join(dir, "packs") + "?",
		filepath.Join(module, "x"):                  module + " is a file, not a folder",
		filepath.Join(dir, "nothing", "like", "it"): "no folder " + filepath.Join(dir, "nothing"),
	} {
		status, _, errs := perch(t, "", "check", path)
		if got := strings.Join(strings.Fields(errs), " "); status != exitUsage || !strings.Contains(got, strings.Join(strings.Fields(want), " ")) {
			t.Errorf("%s: exit status %d, %s", path, status, errs)
		}
	}
}

// roomless is a device without room.
type roomless struct{}

func (roomless) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestAReportThatIsNotWhole: what could not be printed is an error, and is told.
func TestAReportThatIsNotWhole(t *testing.T) {
	var errs strings.Builder
	if status := run([]string{"samples"}, streams{os.Stdin, roomless{}, &errs}); status != exitUsage || !strings.Contains(errs.String(), "not whole: no space left on device") {
		t.Errorf("exit status %d, %s", status, errs.String())
	}
}
