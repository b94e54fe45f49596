package samples_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perch/samples"
)

// Each build script makes the committed module again, byte for byte, where the
// toolchain is that which made it. Elsewhere what it makes lists the same
// tools. It is run on the files as perch hands them out.
func TestBuildScripts(t *testing.T) {
	for _, s := range samples.List() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			source, out := t.TempDir(), t.TempDir()
			all := files(t, s.Name)
			for path, content := range all {
				writeFile(t, filepath.Join(source, path), content)
			}
			script := filepath.Join(source, "build")
			installed, err := exec.Command("sh", script, "--installed").Output()
			if missing(err) {
				t.Skipf("the toolchain is not here: %s", stderrOf(err))
			}
			if err != nil {
				t.Fatalf("%v: %s", err, stderrOf(err))
			}
			if text, err := exec.Command("sh", script, out).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, text)
			}
			name, want := "module.wasm", all["module.wasm"]
			if s.Name == "mischief" {
				name, want = "guest.wasm", committed(t, "mischief/guest.wasm")
			}
			built, err := os.ReadFile(filepath.Join(out, name))
			if err != nil {
				t.Fatal(err)
			}
			switch same := strings.TrimSpace(string(installed)) == s.Build; {
			case same && !bytes.Equal(built, want):
				t.Errorf("%s makes %d other bytes; %d are committed", s.Build, len(built), len(want))
			case !same && !slices.Equal(tools(t, built), tools(t, want)):
				t.Errorf("%s makes a module with other tools", installed)
			}
		})
	}
}

// missing says that a tool of the script is not on this machine: the shell's
// status for a command that is not found.
func missing(err error) bool {
	var exit *exec.ExitError
	return errors.Is(err, exec.ErrNotFound) || errors.As(err, &exit) && exit.ExitCode() == 127
}

func stderrOf(err error) []byte {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.Stderr
	}
	return nil
}

func committed(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
