package bench_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// workshop builds the programs of testdata/faults, and what they share once.
type workshop struct {
	dir  string       // of what is built
	goes func() error // builds all programs of Go, which takes half the time of one after the other
	rlib func() error // builds what those of Rust share
}

// newWorkshop returns one whose files go when the test and its subtests end.
func newWorkshop(t *testing.T) *workshop {
	w := &workshop{dir: t.TempDir()}
	w.goes = sync.OnceValue(w.buildGo)
	w.rlib = sync.OnceValue(func() error { return w.rustc("mcp", "rlib", filepath.Join(w.dir, "libmcp.rlib")) })
	return w
}

// module builds a program. It skips where a tool is not on this machine.
func (w *workshop) module(t *testing.T, f fault) []byte {
	t.Helper()
	out := filepath.Join(w.dir, f.language+"-"+f.program+".wasm")
	var err error
	switch f.language {
	case "go":
		need(t, "go")
		out, err = filepath.Join(w.dir, "go", f.program), w.goes()
	case "rust":
		need(t, rustc, "wasm-ld-14", "/usr/lib/rustlib/wasm32-wasi")
		err = w.buildRust(f.program, out)
	default:
		need(t, "clang-19", "wasm-ld-19", libc+"/libc.a", builtins)
		err = buildC(f.program, out)
	}
	if err != nil {
		t.Fatal(err)
	}
	module, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return module
}

// need skips where a tool or a file is not on this machine.
func need(t *testing.T, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err == nil {
			continue
		}
		if _, err := os.Stat(tool); err != nil {
			t.Skipf("%s is not here", tool)
		}
	}
}

// tool runs a tool in testdata/faults.
func tool(dir string, env []string, name string, args ...string) error {
	c := exec.Command(name, args...)
	c.Dir = filepath.Join("testdata", "faults", dir)
	c.Env = append(os.Environ(), env...)
	if said, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, said)
	}
	return nil
}

const (
	libc     = "/usr/lib/wasm32-wasi"
	builtins = "/usr/lib/llvm-19/lib/clang/19/lib/wasi/libclang_rt.builtins-wasm32.a"
	rustc    = "/usr/bin/rustc" // Debian's; another one on PATH has other libraries
)

func buildC(program, out string) error {
	object := out + ".o"
	compiled := tool("c", nil, "clang-19", "--target=wasm32-wasi", "-std=gnu17", "-O1", "-g", "-Wall", "-Wextra", "-Werror",
		"-c", program+".c", "-o", object)
	start, flags := libc+"/crt1.o", []string{"--stack-first", "-z", "stack-size=65536"}
	switch program {
	case "reactor":
		start, flags = libc+"/crt1-reactor.o", append(flags, "--entry=_initialize")
	case "undefined":
		flags = append(flags, "--allow-undefined")
	}
	if compiled != nil {
		return compiled
	}
	return tool("c", nil, "wasm-ld-19", append(flags, start, object, "-L"+libc, "-lc", builtins, "-o", out)...)
}

func (w *workshop) buildRust(program, out string) error {
	kind := "bin"
	if program == "library" {
		kind = "cdylib"
	}
	return errors.Join(w.rlib(), w.rustc(program, kind, out))
}

func (w *workshop) rustc(program, kind, out string) error {
	return tool("rust", nil, rustc, "--edition", "2021", "--target", "wasm32-wasi", "-C", "linker=wasm-ld-14",
		"-C", "opt-level=1", "-C", "codegen-units=1", "-g", "-L", w.dir, "--extern", "mcp", "--crate-type", kind,
		"--crate-name", program, program+".rs", "-o", out)
}

func (w *workshop) buildGo() error {
	dir := filepath.Join(w.dir, "go")
	args := []string{"build", "-trimpath", "-ldflags=-w", "-o", dir + "/"}
	for _, f := range faultsOfGo() {
		args = append(args, "./"+f.program)
	}
	return errors.Join(os.Mkdir(dir, 0o700), tool("go", []string{"GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=", "GOWORK=off"}, "go", args...))
}
