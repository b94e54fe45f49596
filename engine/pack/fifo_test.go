//go:build unix

package pack_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"perch/engine/abi"
	"perch/engine/pack"
)

// A named pipe without a writer would make whoever opens it wait for ever.
func TestNamedPipes(t *testing.T) {
	dir := folder(t, map[string]string{abi.ManifestFile: manifest, abi.ModuleFile: module, "assets/a": ""})
	pipe := func(name string) string {
		path := filepath.Join(dir, name)
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Skip("no named pipes here:", err)
		}
		return path
	}
	pipe("assets/pipe")
	p := open(t, dir)
	wants(t, "notes", strings.Join(p.Notes, "\n"), `"assets/pipe" is a named pipe: it is not opened`)
	wants(t, "error", usage(t, pipe("ship.tar"), pack.Options{}).Error(), "is a named pipe, not a regular file")
	wants(t, "error", usage(t, pipe("ship.wasm"), pack.Options{}).Error(), "is a named pipe, not a regular file")
	if err := os.Remove(filepath.Join(dir, abi.ModuleFile)); err != nil {
		t.Fatal(err)
	}
	pipe(abi.ModuleFile)
	wants(t, "detail", breach(t, open(t, dir), abi.PackageArchive).Detail, "module.wasm is a named pipe, not a regular file")
}
