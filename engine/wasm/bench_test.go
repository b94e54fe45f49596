package wasm_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"perch/engine/wasm"
	. "perch/engine/wasm/wasmtest"
)

// goProgram builds a Go library with a few loops for WASI preview 1.
func goProgram(b *testing.B) []byte {
	b.Helper()
	dir := b.TempDir()
	for name, source := range map[string]string{
		"go.mod": "module loops\n\ngo 1.24\n",
		"main.go": `package main

var buf [65536]byte
var m [64 * 64]float64

//go:wasmexport sum
func sum(n int32) int32 {
	s := int32(0)
	for i := int32(0); i < n; i++ {
		s = s*31 + i
	}
	return s
}

//go:wasmexport bytes
func bytes(n int32) int32 {
	h := uint32(2166136261)
	for i := int32(0); i < n/65536; i++ {
		for _, b := range buf {
			h = (h ^ uint32(b)) * 16777619
		}
	}
	return int32(h)
}

//go:wasmexport matrix
func matrix(n int32) int32 {
	t := 0.0
	for r := int32(0); r < n/(64*64*64); r++ {
		for i := 0; i < 64; i++ {
			for j := 0; j < 64; j++ {
				s := 0.0
				for k := 0; k < 64; k++ {
					s += m[i*64+k] * m[k*64+j]
				}
				t += s
			}
		}
	}
	return int32(t)
}

func main() {}
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(source), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	out := filepath.Join(dir, "module.wasm")
	cmd := exec.Command("go", "build", "-buildmode=c-shared", "-o", out, ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	if text, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("building: %v\n%s", err, text)
	}
	module, err := os.ReadFile(out)
	if err != nil {
		b.Fatal(err)
	}
	return module
}

// tightProgram has loops as a C compiler leaves them.
func tightProgram() []byte {
	b := &Builder{}
	b.ImportFunc("wasi_snapshot_preview1", "sched_yield", nil, i32)
	b.Memory(2, 2)
	b.Export("memory", KindMemory, 0)
	// Counting down, one multiplication and one addition a turn.
	b.Export("sum", KindFunc, b.Func("sum", i32, i32, Types(I32),
		Loop(Void, LocalGet(1), I32Const(31), mul, LocalGet(0), add, LocalSet(1),
			LocalGet(0), I32Const(1), sub, LocalTee(0), BrIf(0)), LocalGet(1)))
	// A hash over 64 KiB.
	b.Export("bytes", KindFunc, b.Func("bytes", i32, i32, Types(I32, I32),
		I32Const(0x11c9dc5), LocalSet(1),
		Loop(Void, LocalGet(1), LocalGet(0), I32Const(65535), Op(0x71), Mem(0x2d, 0, 0), Op(0x73), I32Const(16777619), mul, LocalSet(1),
			LocalGet(0), I32Const(1), sub, LocalTee(0), BrIf(0)), LocalGet(1)))
	// The length of a string: the least a loop can do.
	b.Data(0, []byte{1})
	b.Export("strlen", KindFunc, b.Func("strlen", i32, i32, Types(I32, I32),
		I32Const(0), I32Const(1), I32Const(65536), Op(0xfc, 11, 0),
		Loop(Void,
			I32Const(0), LocalSet(1),
			Loop(Void, LocalGet(1), I32Const(1), add, LocalTee(1), Mem(0x2d, 0, 0), BrIf(0)),
			LocalGet(0), I32Const(65536), sub, LocalTee(0), I32Const(0), Op(0x4a), BrIf(0)), LocalGet(1)))
	b.Export("fib", KindFunc, b.Func("fib", i32, i32, nil,
		LocalGet(0), I32Const(2), ltU, If(I32, LocalGet(0), Else(),
			LocalGet(0), I32Const(1), sub, Call(4), LocalGet(0), I32Const(2), sub, Call(4), add)))
	b.Export("_initialize", KindFunc, b.Func("", nil, nil, nil))
	return b.Bytes()
}

// BenchmarkInstrumented runs loops plain and instrumented by turns, and reports
// how many times longer the instrumented ones take.
func BenchmarkInstrumented(b *testing.B) {
	for _, p := range []struct {
		name   string
		module func(*testing.B) []byte
		fns    []string
	}{
		{"C", func(*testing.B) []byte { return tightProgram() }, []string{"sum", "bytes", "strlen", "fib"}},
		{"Go", goProgram, []string{"sum", "bytes", "matrix"}},
	} {
		b.Run(p.name, func(b *testing.B) {
			module := p.module(b)
			plain := benchInstance(b, module, nil)
			x := instrument(b, module)
			inst := benchInstance(b, x.Bytes, x)
			for _, fn := range p.fns {
				b.Run(fn, func(b *testing.B) { benchRatio(b, plain, inst, fn) })
			}
		})
	}
}

func benchInstance(b *testing.B, module []byte, x *wasm.Instrumented) api.Module {
	b.Helper()
	ctx := context.Background()
	rt := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigCompiler())
	b.Cleanup(func() { rt.Close(ctx) })
	wasi_snapshot_preview1.MustInstantiate(ctx, rt)
	var fuel api.MutableGlobal
	refill := func(_ context.Context, mod api.Module, _ []uint64) {
		if fuel == nil {
			fuel = mod.ExportedGlobal(x.FuelGlobal).(api.MutableGlobal)
		}
		fuel.Set(wasm.FuelQuantum)
	}
	_, err := rt.NewHostModuleBuilder(wasm.SafepointModule).NewFunctionBuilder().
		WithGoModuleFunction(api.GoModuleFunc(refill), []api.ValueType{api.ValueTypeI32}, nil).
		Export(wasm.SafepointFunction).Instantiate(ctx)
	if err != nil {
		b.Fatal(err)
	}
	mod, err := rt.InstantiateWithConfig(ctx, module, wazero.NewModuleConfig().WithStartFunctions("_initialize"))
	if err != nil {
		b.Fatal(err)
	}
	return mod
}

func benchRatio(b *testing.B, plain, inst api.Module, fn string) {
	arg := uint64(1 << 20)
	if fn == "fib" {
		arg = 22
	}
	const rounds = 20
	for b.Loop() {
		best := [2]time.Duration{time.Hour, time.Hour}
		for range rounds {
			for i, mod := range []api.Module{plain, inst} {
				start := time.Now()
				if _, err := mod.ExportedFunction(fn).Call(context.Background(), arg); err != nil {
					b.Fatal(err)
				}
				best[i] = min(best[i], time.Since(start))
			}
		}
		b.ReportMetric(float64(best[1])/float64(best[0]), "times-plain")
	}
}

func BenchmarkGoModule(b *testing.B) {
	module := goProgram(b)
	m := wasm.Read(module)
	b.Run("check", func(b *testing.B) {
		b.SetBytes(int64(len(module)))
		for b.Loop() {
			wasm.Check(module, wasm.CheckOptions{Provided: provided})
		}
	})
	b.Run("instrument", func(b *testing.B) {
		b.SetBytes(int64(len(module)))
		for b.Loop() {
			instrument(b, module)
		}
	})
	b.Run(fmt.Sprintf("walk %d functions", len(m.Code)), func(b *testing.B) {
		b.SetBytes(int64(len(module)))
		for b.Loop() {
			for i := range m.Funcs {
				m.Instructions(uint32(i), func(*wasm.Instr) bool { return true })
			}
		}
	})
}
