package wasm_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"perch/engine/abi"
	"perch/engine/wasm"
	. "perch/engine/wasm/wasmtest"
)

// engines are the two ways to run a module.
var engines = map[string]func() wazero.RuntimeConfig{
	"compiler":    wazero.NewRuntimeConfigCompiler,
	"interpreter": wazero.NewRuntimeConfigInterpreter,
}

var errStop = errors.New("stopped at a safepoint")

// host is what an instrumented module runs on in tests.
type host struct {
	x       *wasm.Instrumented
	refill  int32
	stopAt  int // safepoints until the host stops the run, 0: never
	depth   int32
	granted int64
	points  int
	reasons []wasm.Reason
	mod     api.Module
}

func (h *host) safepoint(_ context.Context, mod api.Module, stack []uint64) {
	why := wasm.Reason(api.DecodeI32(stack[0]))
	h.points++
	if len(h.reasons) < 100 {
		h.reasons = append(h.reasons, why)
	}
	if why == wasm.ReasonDepth || h.points == h.stopAt {
		panic(errStop)
	}
	fuel := mod.ExportedGlobal(h.x.FuelGlobal).(api.MutableGlobal)
	h.granted += int64(h.refill) - int64(api.DecodeI32(fuel.Get()))
	fuel.Set(api.EncodeI32(h.refill))
}

// ticks are what the module has spent.
func (h *host) ticks() int64 {
	return h.granted - int64(api.DecodeI32(h.mod.ExportedGlobal(h.x.FuelGlobal).Get()))
}

// instantiate runs b as it is when x is nil.
func instantiate(t testing.TB, config wazero.RuntimeConfig, b []byte, h *host) api.Module {
	t.Helper()
	ctx := context.Background()
	rt := wazero.NewRuntimeWithConfig(ctx, config)
	t.Cleanup(func() { rt.Close(ctx) })
	if h != nil {
		b = h.x.Bytes
		_, err := rt.NewHostModuleBuilder(wasm.SafepointModule).NewFunctionBuilder().
			WithGoModuleFunction(api.GoModuleFunc(h.safepoint), []api.ValueType{api.ValueTypeI32}, nil).
			Export(wasm.SafepointFunction).Instantiate(ctx)
		if err != nil {
			t.Fatal(err)
		}
	}
	_, err := rt.NewHostModuleBuilder("host").NewFunctionBuilder().
		WithFunc(func(x uint32) uint32 { return x*2654435761 + 1 }).Export("mix").Instantiate(ctx)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := rt.InstantiateWithConfig(ctx, b, wazero.NewModuleConfig().WithStartFunctions())
	if err != nil {
		t.Fatalf("instantiating: %v", err)
	}
	if h != nil {
		h.mod = mod
		h.granted += wasm.FuelQuantum
	}
	return mod
}

// call is the result of a call as text: values or the trap.
func call(mod api.Module, fn string, args ...uint64) string {
	res, err := mod.ExportedFunction(fn).Call(context.Background(), args...)
	if err != nil {
		text, _, _ := strings.Cut(err.Error(), "\n")
		return text
	}
	return fmt.Sprint(res)
}

// runCase is a module with an export "run" and the arguments to call it with.
type runCase struct {
	name  string
	build func(b *Builder) // exports run
	args  [][]uint64
}

func instrument(t testing.TB, b []byte) *wasm.Instrumented {
	t.Helper()
	x, err := wasm.Instrument(b, wasm.InstrumentOptions{})
	if err != nil {
		t.Fatalf("instrumenting: %v", err)
	}
	return x
}

func memoryOf(mod api.Module) []byte {
	mem := mod.ExportedMemory("memory")
	if mem == nil {
		return nil
	}
	b, _ := mem.Read(0, mem.Size())
	return b
}

func TestInstrumentedBehavesAsPlain(t *testing.T) {
	for _, c := range append(runCases(), featureCases()...) {
		t.Run(c.name, func(t *testing.T) {
			b := &Builder{}
			c.build(b)
			sameAsPlain(t, b.Bytes(), c.args)
		})
	}
}

// sameAsPlain runs a module as it is and instrumented, on both engines, with
// two sizes of refills: results, traps, memory and ticks are the same.
func sameAsPlain(t *testing.T, plain []byte, args [][]uint64) {
	t.Helper()
	if m := wasm.Read(plain); len(m.Faults) > 0 {
		t.Fatal(m.Faults[0])
	}
	x := instrument(t, plain)
	ticks := make(map[int64]bool)
	for name, config := range engines {
		for _, refill := range []int32{1, wasm.FuelQuantum} {
			h := &host{x: x, refill: refill}
			want, got := instantiate(t, config(), plain, nil), instantiate(t, config(), nil, h)
			for _, args := range args {
				w, g := call(want, "run", args...), call(got, "run", args...)
				if w != g {
					t.Errorf("%s, refill %d, run%v: %s, plain %s", name, refill, args, g, w)
				}
				if !bytes.Equal(memoryOf(want), memoryOf(got)) {
					t.Errorf("%s, refill %d, run%v: memory differs", name, refill, args)
				}
				depth := got.ExportedGlobal(x.DepthGlobal).(api.MutableGlobal)
				if left := depth.Get(); left != abi.StackDepth && !strings.Contains(w, "error") {
					t.Errorf("%s, run%v: depth left is %d after the call", name, args, left)
				}
				depth.Set(abi.StackDepth) // a trap leaves it where it was
			}
			ticks[h.ticks()] = true
		}
	}
	if len(ticks) != 1 {
		t.Errorf("ticks differ: %v", ticks)
	}
}
