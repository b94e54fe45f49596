package wasm_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"

	"perch/engine/wasm"
)

const goSource = `package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"
)

type node struct {
	Left, Right *node
	Value       int
}

func (n *node) add(v int) *node {
	if n == nil {
		return &node{Value: v}
	}
	if v < n.Value {
		n.Left = n.Left.add(v)
	} else {
		n.Right = n.Right.add(v)
	}
	return n
}

func caught(f func()) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	f()
	return "nothing"
}

func main() {
	var tree *node
	words := map[string]int{}
	for i := range 500 {
		tree = tree.add(i * 7919 % 1009)
		words[strings.Repeat("x", i%13)] += i
	}
	keys := make([]string, 0, len(words))
	for k := range words {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	done := make(chan int)
	go func() { done <- len(keys) }()
	b, err := json.Marshal(map[string]any{"tree": tree, "keys": keys, "n": <-done})
	fmt.Println(string(b), err)
	fmt.Println(caught(func() { var p *node; p.Value++ }), caught(func() { println(keys[len(os.Args)+50]) }))
	big := make([]byte, 3<<20)
	copy(big[1:], big)
	os.Exit(int(big[7]) + 3)
}
`

// A real program of the Go toolchain prints the same and exits the same when it
// is instrumented, on both engines and with the same ticks.
func TestGoProgram(t *testing.T) {
	dir := t.TempDir()
	source, out := filepath.Join(dir, "main.go"), filepath.Join(dir, "module.wasm")
	if err := os.WriteFile(source, []byte(goSource), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "build", "-ldflags=-s -w", "-o", out, source)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, text)
	}
	module := readFile(t, out)
	r := wasm.Check(module, wasm.CheckOptions{Provided: anyFunction(wasm.Read(module))})
	if r.Refused() || r.Toolchain.Name != "Go" || r.Toolchain.Version == "" {
		t.Errorf("refused %v, toolchain %q: %+v", r.Refused(), r.Toolchain, refusals(r))
	}
	want, _ := runProgram(t, engines["interpreter"](), module, nil)
	if !bytes.Contains(want, []byte("index out of range [50] with length 13")) {
		t.Fatalf("the program printed %d bytes: %.200s", len(want), want)
	}
	x := instrument(t, module)
	ticks := make(map[string]int64)
	for name, config := range engines {
		h := &host{x: x, refill: 777, granted: wasm.FuelQuantum}
		got, mod := runProgram(t, config(), x.Bytes, h)
		if !bytes.Equal(got, want) {
			t.Errorf("%s printed %d bytes, plain %d: %.200s", name, len(got), len(want), got)
		}
		h.mod = mod
		ticks[name] = h.ticks()
	}
	if ticks["compiler"] != ticks["interpreter"] || ticks["compiler"] < 100_000 {
		t.Errorf("ticks: %v", ticks)
	}
}

// anyFunction provides each import as it is imported.
func anyFunction(m *wasm.Module) func(module, name string) (wasm.FuncType, bool, bool) {
	return func(module, name string) (wasm.FuncType, bool, bool) {
		for _, imp := range m.Imports {
			if imp.Module == module && imp.Name == name {
				t, _ := m.TypeOf(imp.TypeIndex)
				return t, true, true
			}
		}
		return wasm.FuncType{}, true, false
	}
}

func runProgram(t *testing.T, config wazero.RuntimeConfig, module []byte, h *host) ([]byte, api.Module) {
	t.Helper()
	ctx := context.Background()
	rt := wazero.NewRuntimeWithConfig(ctx, config)
	t.Cleanup(func() { rt.Close(ctx) })
	wasi_snapshot_preview1.MustInstantiate(ctx, rt)
	if h != nil {
		_, err := rt.NewHostModuleBuilder(wasm.SafepointModule).NewFunctionBuilder().
			WithGoModuleFunction(api.GoModuleFunc(h.safepoint), []api.ValueType{api.ValueTypeI32}, nil).
			Export(wasm.SafepointFunction).Instantiate(ctx)
		if err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	mod, err := rt.InstantiateWithConfig(ctx, module, wazero.NewModuleConfig().WithStdout(&out).WithStderr(&out).WithStartFunctions())
	if err != nil {
		t.Fatal(err)
	}
	_, err = mod.ExportedFunction("_start").Call(ctx)
	if exit := new(sys.ExitError); !errors.As(err, &exit) || exit.ExitCode() != 3 {
		t.Fatalf("ended with %v, printed %.500s", err, out.Bytes())
	}
	return out.Bytes(), mod
}
