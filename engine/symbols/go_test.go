package symbols_test

import (
	"context"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"perch/engine/event"
	"perch/engine/symbols"
	"perch/engine/wasm"
)

const goSource = "testdata/goguest/main.go"

func TestGoStacks(t *testing.T) {
	lines := marks(t, goSource)
	mainFrames := []frame{{"main.main", "main"}, {"runtime.main", ""}}
	tests := []struct {
		name, host string
		nth        int // of the captured stacks of that host function
		want       []frame
		apart      bool // other frames stand between them
	}{
		{"plain", "capture", 0, append([]frame{{"main.capture", ""}, {"main.inner", "inner captures"}, {"main.inlined", "inlined calls"},
			{"main.plain", "plain calls"}, {"main.main.func1", "plain main"}}, mainFrames...), false},
		{"switched", "capture", 0, []frame{{"main.capture", ""}, {"main.switched.func1", "goroutine captures"}}, false},
		{"switched", "capture", 1, append([]frame{{"main.capture", ""}, {"main.inner", "inner captures"}, {"main.receive", "receive calls"},
			{"main.twice", "twice calls"}, {"main.switched", "switched calls"}}, mainFrames...), false},
		{"crash", "proc_exit", 0, append([]frame{{"runtime.exit", ""}, {"runtime.systemstack", ""}, {"runtime.gopanic", ""},
			{"main.crash", "crash"}}, mainFrames...), true},
		{"map", "capture", 0, append([]frame{{"main.capture", ""}, {"main.(*key).String", "method captures"},
			{"main.mapKey", "interface call"}}, mainFrames...), false},
	}
	for _, build := range goBuilds() {
		h := newHost(t, buildGo(t, build.flags), build.config)
		for _, tt := range tests {
			t.Run(build.name+"/"+tt.name, func(t *testing.T) {
				frames := nth(t, h.run(t, tt.name), tt.host, tt.nth)
				if !contains(frames, tt.want, lines, "main.go", !tt.apart) {
					t.Errorf("the stack is not %v:\n%s", tt.want, show(frames))
				}
				if last := frames[len(frames)-1].Name; last != "runtime.main" && last != "main.switched.func1" {
					t.Errorf("the stack ends with %s", last)
				}
			})
		}
		t.Run(build.name+"/deep", func(t *testing.T) { checkDeep(t, h, lines) })
	}
}

type goBuild struct {
	name, flags string
	config      wazero.RuntimeConfig
}

// goBuilds are what the Go guest is run as. The compiler takes seconds for it
// under the race detector, so a short run is content with the interpreter.
func goBuilds() []goBuild {
	builds := []goBuild{{"interpreter", "", wazero.NewRuntimeConfigInterpreter()}}
	if !testing.Short() {
		builds = append(builds, goBuild{"compiler, stripped", "-s -w", wazero.NewRuntimeConfigCompiler()})
	}
	return builds
}

// The engine hands over the innermost 30 frames (compiler) or those since the
// last switch; all 3,000 calls are on the goroutine's stack.
func checkDeep(t *testing.T, h *host, lines map[string]int) {
	frames := nth(t, h.run(t, "deep"), "capture", 0)
	deep := 0
	for _, f := range frames {
		if f.Name == "main.deep" && f.Line == lines["deep calls"] {
			deep++
		}
	}
	if deep != 3000 {
		t.Errorf("%d calls of main.deep, not 3000, in a stack of %d", deep, len(frames))
	}
}

func TestGoNames(t *testing.T) {
	table := symbols.New(buildGo(t, "-s -w"))
	if !table.IsGo() {
		t.Fatal("the table of the Go toolchain was not found")
	}
	if got := table.Func(0); got[:23] != "wasi_snapshot_preview1." {
		t.Errorf("function 0 is %q, not an import", got)
	}
	spin := function(t, table, "main.spin")
	frames := table.Frame(spin, 0)
	if len(frames) != 1 || frames[0].Name != "main.spin" || frames[0].Line != 0 {
		t.Errorf("without an offset the frame is %v", frames)
	}
	if got := table.Func(1 << 30); got != "func[1073741824]" {
		t.Errorf("a function that is not there is called %q", got)
	}
}

// Every jump of a Go function goes through the loop around it, where a spinning
// guest is stopped: it must lead to a line of the loop in the source.
func TestGoLoop(t *testing.T) {
	module := buildGo(t, "-s -w")
	table := symbols.New(module)
	lines := marks(t, goSource)
	spin := function(t, table, "main.spin")
	from, to := body(t, module, spin)
	head, inside := false, false
	for offset := from; offset < to; offset++ {
		frames := table.Frame(spin, offset)
		if len(frames) != 1 || frames[0].Name != "main.spin" {
			t.Fatalf("offset %d is in %v", offset, frames)
		}
		switch line := frames[0].Line; {
		case line == lines["spin body"] || line == lines["spin head"]:
			inside = true
			if code(module)[offset] == 0x03 { // loop
				head = true
			}
		case line < lines["spin head"]-3 || line > lines["spin body"]+4:
			t.Errorf("offset %d is at line %d", offset, line)
		}
	}
	if !inside || !head {
		t.Errorf("offsets in the source's loop: %v; the head of the loop: %v", inside, head)
	}
}

// A guest that spins is stopped at the head of the loop that all its jumps go
// through, and its stack says which function, at a line of the loop.
func TestGoSpinStopped(t *testing.T) {
	const enough = 2000 // refills until the guest spins for sure
	module := buildGo(t, "-s -w")
	lines := marks(t, goSource)
	table := symbols.New(module)
	instrumented, err := wasm.Instrument(module, wasm.InstrumentOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter().WithDebugInfoEnabled(true))
	defer r.Close(ctx)
	var frames []event.Frame
	refills := 0
	taps := experimental.WithFunctionListenerFactory(ctx, experimental.FunctionListenerFactoryFunc(func(api.FunctionDefinition) experimental.FunctionListener {
		return experimental.FunctionListenerFunc(func(_ context.Context, mod api.Module, _ api.FunctionDefinition, _ []uint64, si experimental.StackIterator) {
			if refills++; refills < enough {
				mod.ExportedGlobal(instrumented.FuelGlobal).(api.MutableGlobal).Set(wasm.FuelQuantum / 10)
				return
			}
			stack := calls(si)
			for i, f := range stack {
				stack[i].Offset, stack[i].Func, _ = instrumented.OriginalOffset(f.Offset)
			}
			frames = table.Stack(stack, live(mod))
		})
	}))
	wasi_snapshot_preview1.MustInstantiate(ctx, r)
	newProbe(t, ctx, r)
	stop := func(context.Context, int32) {
		if frames != nil {
			panic("stopped")
		}
	}
	if _, err := r.NewHostModuleBuilder(wasm.SafepointModule).NewFunctionBuilder().WithFunc(stop).Export(wasm.SafepointFunction).Instantiate(taps); err != nil {
		t.Fatal(err)
	}
	if _, err = r.InstantiateWithConfig(ctx, instrumented.Bytes, wazero.NewModuleConfig().WithArgs("guest", "spin")); err == nil {
		t.Fatal("the guest was not stopped")
	}
	want := []frame{{"main.spin", ""}, {"main.main", "main"}, {"runtime.main", ""}}
	if !contains(frames, want, lines, "main.go", true) || frames[0].Line < lines["spin head"] || frames[0].Line > lines["spin body"]+1 {
		t.Errorf("the stack is not %v at the loop:\n%s", want, show(frames))
	}
}

// Linear memory is the guest's: whatever it holds, the names of the engine's
// frames stay and the walk ends.
func TestGoHostileMemory(t *testing.T) {
	module := buildGo(t, "-s -w")
	table := symbols.New(module)
	loop, spin := function(t, table, "wasm_pc_f_loop"), function(t, table, "main.spin")
	from, _ := body(t, module, spin)
	self := uint64(0x1000+spin-17)<<16 | 1
	for name, memory := range map[string]memory{
		"zero":      func(uint32) uint64 { return 0 },
		"ones":      func(uint32) uint64 { return 1<<64 - 1 },
		"recursion": func(uint32) uint64 { return self },
		"addresses": func(a uint32) uint64 { return uint64(a) },
	} {
		for _, live := range []symbols.Live{{Memory: memory, SP: 8, G: 64}, {Memory: memory, SP: 1<<32 - 8, G: 1<<64 - 1}, {}} {
			frames := table.Stack([]event.Frame{{Func: spin, Offset: from + 1}, {Func: loop, Offset: 1}}, live)
			if frames[0].Name != "main.spin" || len(frames) > 20_000 {
				t.Errorf("%s: %d frames, the first %s", name, len(frames), frames[0].Name)
			}
		}
	}
}

// memory holds what a function says at each address.
type memory func(addr uint32) uint64

func (m memory) Read(addr, n uint32) ([]byte, bool) {
	if uint64(addr)+uint64(n) > 1<<32 {
		return nil, false
	}
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(m(addr) >> (8 * i))
	}
	return b, true
}

func engines() map[string]wazero.RuntimeConfig {
	return map[string]wazero.RuntimeConfig{
		"compiler":    wazero.NewRuntimeConfigCompiler(),
		"interpreter": wazero.NewRuntimeConfigInterpreter(),
	}
}

func nth(t *testing.T, all []captured, host string, n int) []event.Frame {
	t.Helper()
	for _, c := range all {
		if c.host == host {
			if n == 0 {
				return c.frames
			}
			n--
		}
	}
	t.Fatalf("the guest did not call %s often enough", host)
	return nil
}
