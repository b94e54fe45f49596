package ui

import (
	"errors"
	"path/filepath"
	"testing"

	"perch/engine/pack"
)

// TestCommandForAMissingPath: what is told to be typed shows how far the path
// leads, and not another missing folder.
func TestCommandForAMissingPath(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{"gone.wasm", "gone/module.wasm", "gone/too/module.wasm"} {
		_, err := pack.Open(filepath.Join(dir, path), pack.Options{})
		var e *pack.Error
		if !errors.As(err, &e) {
			t.Fatalf("%s: %v", path, err)
		}
		if got, want := tryCommand(e), "ls -la "+dir; got != want && filepath.Separator == '/' {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
