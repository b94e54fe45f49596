package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perch/samples"
)

// TestPlainBuildAndReload: the package is built by its command when that is
// trusted, and taken; calls, history and choice go on.
func TestPlainBuildAndReload(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("there is no sh")
	}
	dir := t.TempDir()
	files, err := samples.Files("greeter")
	if err != nil {
		t.Fatal(err)
	}
	made := bytes.ReplaceAll(files["module.wasm"], []byte("Greet someone"), []byte("Meets someone"))
	for name, data := range map[string][]byte{"module.wasm": files["module.wasm"], "subako-package.json": files["subako-package.json"], "made": made,
		"perch.toml": []byte("[build]\ncommand = [\"/bin/sh\", \"-c\", \"cp made module.wasm; echo well\"]\n")} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	typed := strings.Join([]string{"build", "1", `{"name":"Ada"}`, "yes", "reload", "build", "again", "history", "quit"}, "\n")
	status, out, errs := perch(t, typed, "--plain", "--trust", dir)
	if status != 0 {
		t.Fatalf("exit status %d: %s\n%s", status, errs, out)
	}
	for _, want := range []string{"building: /bin/sh -c 'cp made module.wasm; echo well'", "well", "Built in ", "Read anew: 1 tool changed.", "greet has another description.",
		"Hello, Ada!", "Read anew, tools unchanged.", "2: greet"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	_, out, _ = perch(t, "build\nquit", "--plain", dir)
	if !strings.Contains(out, "perch.toml is not trusted, so nothing of it is run") {
		t.Errorf("without trust:\n%s", out)
	}
}
