package symbols_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"perch/engine/event"
	"perch/engine/symbols"
)

// captured is a stack that was taken when the guest called the host.
type captured struct {
	host   string // the host function
	frames []event.Frame
}

// host runs a module, as often as is asked, and names the stack at each call of
// the host module probe and at proc_exit.
type host struct {
	runtime wazero.Runtime
	module  wazero.CompiledModule
	table   *symbols.Table
	got     []captured
}

func newHost(t *testing.T, module []byte, config wazero.RuntimeConfig) *host {
	t.Helper()
	h := &host{runtime: wazero.NewRuntimeWithConfig(t.Context(), config.WithDebugInfoEnabled(true)), table: symbols.New(module)}
	t.Cleanup(func() { h.runtime.Close(context.Background()) })
	taps := experimental.WithFunctionListenerFactory(t.Context(), experimental.FunctionListenerFactoryFunc(func(def api.FunctionDefinition) experimental.FunctionListener {
		name := def.ExportNames()[0]
		if name != "capture" && name != "proc_exit" {
			return nil
		}
		return experimental.FunctionListenerFunc(func(_ context.Context, mod api.Module, _ api.FunctionDefinition, _ []uint64, si experimental.StackIterator) {
			h.got = append(h.got, captured{name, h.table.Stack(calls(si), live(mod))})
		})
	}))
	wasi_snapshot_preview1.MustInstantiate(taps, h.runtime)
	newProbe(t, taps, h.runtime)
	var err error
	if h.module, err = h.runtime.CompileModule(t.Context(), withOffsets(module)); err != nil {
		t.Fatal(err)
	}
	return h
}

// newProbe provides the function that the guests of testdata call.
func newProbe(t *testing.T, ctx context.Context, r wazero.Runtime) {
	t.Helper()
	probe := r.NewHostModuleBuilder("probe").NewFunctionBuilder().WithFunc(func(int32) {}).Export("capture")
	if _, err := probe.Instantiate(ctx); err != nil {
		t.Fatal(err)
	}
}

// run calls _start; args follow the module's name.
func (h *host) run(t *testing.T, args ...string) []captured {
	t.Helper()
	h.got = nil
	config := wazero.NewModuleConfig().WithName("").WithArgs(append([]string{"guest"}, args...)...)
	m, err := h.runtime.InstantiateModule(t.Context(), h.module, config)
	if err != nil && !strings.Contains(err.Error(), "exit_code") {
		t.Fatal(err)
	}
	if m != nil {
		m.Close(t.Context())
	}
	return h.got
}

// calls are the guest's frames of a stack whose first is the host function.
func calls(si experimental.StackIterator) []event.Frame {
	var calls []event.Frame
	for si.Next() {
		if f := si.Function(); f.Definition().GoFunction() == nil {
			calls = append(calls, event.Frame{Func: f.Definition().Index(), Offset: f.SourceOffsetForPC(si.ProgramCounter())})
		}
	}
	return calls
}

// live is the state of an instance, with the globals of Go's toolchain.
func live(mod api.Module) symbols.Live {
	l := symbols.Live{Memory: mod.Memory()}
	if m, ok := mod.(experimental.InternalModule); ok && m.NumGlobal() > 2 {
		l.SP = uint32(m.Global(0).Get())
		l.G = m.Global(2).Get()
	}
	return l
}

// withOffsets replaces a module's DWARF by the least that makes the engine keep
// code offsets: one empty compilation unit.
func withOffsets(module []byte) []byte {
	out := bytes.Clone(module[:8])
	for at := 8; at < len(module); {
		size, n := uleb(module[at+1:])
		end := at + 1 + n + size
		debug := module[at] == 0 && bytes.HasPrefix(module[at+1+n+1:], []byte(".debug_"))
		if !debug {
			out = append(out, module[at:end]...)
		}
		at = end
	}
	out = append(out, custom(".debug_abbrev", []byte{1, 0x11, 0, 0, 0, 0})...)
	return append(out, custom(".debug_info", []byte{8, 0, 0, 0, 4, 0, 0, 0, 0, 0, 4, 1})...)
}

func custom(name string, contents []byte) []byte {
	b := append([]byte{byte(len(name))}, name...)
	b = append(b, contents...)
	return append(binary.AppendUvarint([]byte{0}, uint64(len(b))), b...)
}

func uleb(b []byte) (value, size int) {
	for shift := 0; ; shift += 7 {
		value |= int(b[size]&0x7f) << shift
		size++
		if b[size-1] < 0x80 {
			return value, size
		}
	}
}

// marks are the lines of a source that have a comment "at: NAME".
func marks(t *testing.T, file string) map[string]int {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]int{}
	for i, line := range strings.Split(string(b), "\n") {
		if _, name, ok := strings.Cut(line, "at: "); ok {
			lines[strings.TrimSuffix(strings.TrimSpace(name), " */")] = i + 1
		}
	}
	return lines
}

// frame is what a test wants of a frame.
type frame struct {
	name string
	mark string // empty: any line
}

// contains says whether frames has wanted in this order, side by side when
// adjacent is set.
func contains(frames []event.Frame, wanted []frame, lines map[string]int, file string, adjacent bool) bool {
	for start := range frames {
		i, at := 0, start
		for at < len(frames) && i < len(wanted) {
			f, w := frames[at], wanted[i]
			if f.Name == w.name && (w.mark == "" || f.Line == lines[w.mark] && filepath.Base(f.File) == file) {
				i++
			} else if adjacent || i == 0 {
				break
			}
			at++
		}
		if i == len(wanted) {
			return true
		}
	}
	return false
}

// buildGo builds the Go guest once for each set of linker flags.
func buildGo(t *testing.T, ldflags string) []byte {
	t.Helper()
	b, err := goGuest(ldflags)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

var goGuests sync.Map // ldflags to func() ([]byte, error)

func goGuest(ldflags string) ([]byte, error) {
	build := sync.OnceValues(func() ([]byte, error) {
		dir, err := os.MkdirTemp("", "goguest")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		out := filepath.Join(dir, "guest.wasm")
		cmd := exec.Command("go", "build", "-o", out, "-ldflags", ldflags, "testdata/goguest/main.go")
		cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=")
		if text, err := cmd.CombinedOutput(); err != nil {
			return nil, &buildError{err, string(text)}
		}
		return os.ReadFile(out)
	})
	f, _ := goGuests.LoadOrStore(ldflags, build)
	return f.(func() ([]byte, error))()
}

type buildError struct {
	err  error
	text string
}

func (e *buildError) Error() string { return "building the Go guest: " + e.err.Error() + "\n" + e.text }

func show(frames []event.Frame) string {
	var b strings.Builder
	for _, f := range frames {
		fmt.Fprintf(&b, "%s %s:%d (function %d, offset %d)\n", f.Name, f.File, f.Line, f.Func, f.Offset)
	}
	return b.String()
}

// function finds a function by its name.
func function(t *testing.T, table *symbols.Table, name string) uint32 {
	t.Helper()
	for fn := range uint32(1 << 16) {
		if table.Func(fn) == name {
			return fn
		}
	}
	t.Fatalf("no function is called %s", name)
	return 0
}

// code is the contents of the code section.
func code(module []byte) []byte {
	for at := 8; at < len(module); {
		size, n := uleb(module[at+1:])
		if module[at] == 10 {
			return module[at+1+n:][:size]
		}
		at += 1 + n + size
	}
	return nil
}

// body is where a function's body is in the code section.
func body(t *testing.T, module []byte, fn uint32) (from, to uint64) {
	t.Helper()
	b := bodies(t, module)[fn]
	return b.from, b.to
}

type span struct{ from, to uint64 }

// bodies are where the functions' bodies are; those of imports are empty.
func bodies(t *testing.T, module []byte) []span {
	t.Helper()
	r := wazero.NewRuntimeWithConfig(t.Context(), wazero.NewRuntimeConfigInterpreter())
	defer r.Close(t.Context())
	compiled, err := r.CompileModule(t.Context(), module)
	if err != nil {
		t.Fatal(err)
	}
	all := make([]span, len(compiled.ImportedFunctions()))
	b := code(module)
	for _, at := uleb(b); at < len(b); {
		size, n := uleb(b[at:])
		all = append(all, span{uint64(at + n), uint64(at + n + size)})
		at += n + size
	}
	return all
}
