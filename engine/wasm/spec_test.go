package wasm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/wasm"
	. "perch/engine/wasm/wasmtest"
)

// specDir holds the WebAssembly specification's own tests as binaries, which
// come with the sources of wazero.
func specDir(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/tetratelabs/wazero").Output()
	if err != nil {
		t.Fatalf("finding wazero's sources: %v", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "internal", "integration_test", "spectest")
}

// shortStep: a short run takes one script in so many.
const shortStep = 6

// atLeast is the number of things that a run must have met.
func atLeast(n int) int {
	if testing.Short() {
		return n / shortStep / 4
	}
	return n
}

// specCommand is one step of a specification test.
type specCommand struct {
	Type       string
	Line       int
	Filename   string
	ModuleType string `json:"module_type"`
	Name       string
	Text       string
	Action     struct {
		Type, Field, Module string
		Args                []struct {
			Type  string
			Value any
		}
	}
}

func specScripts(t *testing.T, suite string) map[string][]specCommand {
	t.Helper()
	dir := filepath.Join(specDir(t), suite, "testdata")
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no tests in %s: %v", dir, err)
	}
	scripts := make(map[string][]specCommand)
	for i, f := range files {
		if testing.Short() && i%shortStep != 0 {
			continue
		}
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var script struct{ Commands []specCommand }
		if err := json.Unmarshal(text, &script); err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		for i := range script.Commands {
			if name := script.Commands[i].Filename; name != "" {
				script.Commands[i].Filename = filepath.Join(dir, name)
			}
		}
		scripts[strings.TrimSuffix(filepath.Base(f), ".json")] = script.Commands
	}
	return scripts
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// inSpec are the breaches that have to do with the module as such, and not with
// what Subako wants of one.
func inSpec(b []byte, second func([]byte) error) []event.Breach {
	var list []event.Breach
	known := func(string, string) (wasm.FuncType, bool, bool) { return wasm.FuncType{}, true, true }
	o := wasm.CheckOptions{MemoryLimit: abi.MaxMemory, Provided: known, SecondOpinion: second}
	for _, br := range wasm.Check(b, o).Breaches {
		switch id := string(br.Rule); {
		case br.Rule == abi.ModuleMalformed, br.Rule == abi.ModuleNotWasm, br.Rule == abi.ModuleComponent, strings.HasPrefix(id, "module/feature-"):
			list = append(list, br)
		}
	}
	return list
}

// Every module of the specification's tests of 2.0 that is one is read without
// fault, and every one that is not has a fault of ours or of the second opinion.
func TestSpecModules(t *testing.T) {
	counts := make(map[string]int)
	for name, script := range specScripts(t, "v2") {
		for _, c := range script {
			if c.Filename == "" || c.ModuleType == "text" {
				continue
			}
			b := readFile(t, c.Filename)
			found := inSpec(b, nil)
			switch c.Type {
			case "module", "assert_uninstantiable", "assert_unlinkable":
				for _, br := range found {
					t.Errorf("%s:%d: %s: %s", name, c.Line, br.Rule, br.Detail)
				}
			case "assert_malformed":
				if len(found) == 0 {
					t.Errorf("%s:%d: nothing found, it is malformed: %s", name, c.Line, c.Text)
				}
			case "assert_invalid":
				if len(found) == 0 && compiles(b) == nil {
					t.Errorf("%s:%d: nothing found, it is invalid: %s", name, c.Line, c.Text)
				}
			}
			counts[c.Type]++
		}
	}
	if counts["module"] < atLeast(1000) || counts["assert_malformed"] < atLeast(100) || counts["assert_invalid"] < atLeast(1000) {
		t.Errorf("few modules: %v", counts)
	}
}

// Each module of a later proposal is refused under that proposal's name.
func TestSpecOfLaterProposals(t *testing.T) {
	for suite, rules := range map[string][]abi.RuleID{
		"tail-call":                 {abi.ModuleFeatureTailCall},
		"threads":                   {abi.ModuleFeatureThreads},
		"extended-const":            {abi.ModuleFeatureOther, abi.ModuleFeatureGC},
		"exception-handling":        {abi.ModuleFeatureExceptions},
		"typed-function-references": {abi.ModuleFeatureFunctionReferences},
	} {
		refused, modules := 0, 0
		for name, script := range specScripts(t, suite) {
			for _, c := range script {
				if c.Type != "module" {
					continue
				}
				modules++
				for _, br := range inSpec(readFile(t, c.Filename), nil) {
					if br.Rule == abi.ModuleMalformed {
						t.Errorf("%s/%s:%d: %s", suite, name, c.Line, br.Detail)
					}
					for _, rule := range rules {
						if br.Rule == rule {
							refused++
						}
					}
				}
			}
		}
		if refused == 0 && modules > 0 {
			t.Errorf("%s: none of %d modules refused for it", suite, modules)
		}
		t.Logf("%s: %d modules, %d refusals", suite, modules, refused)
	}
}

// specRun runs a script's modules, plain or instrumented, and returns what came
// of each action.
type specRun struct {
	rt     wazero.Runtime
	mod    api.Module
	config wazero.ModuleConfig
	x      *wasm.Instrumented
	points int
}

func newSpecRun(t *testing.T, config wazero.RuntimeConfig) *specRun {
	t.Helper()
	ctx := context.Background()
	r := &specRun{rt: wazero.NewRuntimeWithConfig(ctx, config), config: wazero.NewModuleConfig().WithStartFunctions()}
	t.Cleanup(func() { r.rt.Close(ctx) })
	_, err := r.rt.NewHostModuleBuilder(wasm.SafepointModule).NewFunctionBuilder().
		WithGoModuleFunction(api.GoModuleFunc(r.safepoint), []api.ValueType{api.ValueTypeI32}, nil).
		Export(wasm.SafepointFunction).Instantiate(ctx)
	if err != nil {
		t.Fatal(err)
	}
	host := &Builder{}
	for name, params := range map[string][]byte{"print": nil, "print_i32": i32, "print_i64": Types(I64), "print_f32": Types(F32),
		"print_f64": Types(F64), "print_i32_f32": Types(I32, F32), "print_f64_f64": Types(F64, F64)} {
		host.Export(name, KindFunc, host.Func("", params, nil, nil))
	}
	if _, err := r.rt.InstantiateWithConfig(ctx, host.Bytes(), r.config.WithName("spectest")); err != nil {
		t.Fatal(err)
	}
	return r
}

const specDepth = 1000

var errDeep = errors.New("stack overflow")

func (r *specRun) safepoint(_ context.Context, mod api.Module, stack []uint64) {
	if r.points++; wasm.Reason(api.DecodeI32(stack[0])) == wasm.ReasonDepth {
		panic(errDeep)
	}
	mod.ExportedGlobal(r.x.FuelGlobal).(api.MutableGlobal).Set(3)
}

// load makes b the current module and reports whether it could.
func (r *specRun) load(b []byte) bool {
	mod, err := r.rt.InstantiateWithConfig(context.Background(), b, r.config.WithName(""))
	r.mod = mod
	if err != nil {
		r.mod = nil
	}
	return err == nil
}

func (r *specRun) invoke(c *specCommand) string {
	fn := r.mod.ExportedFunction(c.Action.Field)
	if fn == nil {
		return "no such function"
	}
	var args []uint64
	for _, a := range c.Action.Args {
		args = append(args, specValue(a.Type, a.Value)...)
	}
	res, err := fn.Call(context.Background(), args...)
	if err != nil {
		text, _, _ := strings.Cut(err.Error(), "\n")
		return strings.TrimSuffix(strings.TrimPrefix(text, "wasm error: "), " (recovered by wazero)")
	}
	return fmt.Sprint(res)
}

// specValue is an argument's bits; a vector has two words.
func specValue(typ string, value any) []uint64 {
	lanes, ok := value.([]any)
	if !ok {
		n, err := strconv.ParseUint(fmt.Sprint(value), 10, 64)
		if err != nil {
			return []uint64{0} // null
		}
		return []uint64{n}
	}
	words := make([]uint64, 2)
	width := 128 / len(lanes)
	for i, lane := range lanes {
		n, err := strconv.ParseUint(fmt.Sprint(lane), 10, 64)
		if err != nil {
			n = 0x7ff8
		}
		words[i*width/64] |= n << (i * width % 64)
	}
	return words
}

// The specification's tests do the same on an instrumented module as on the
// plain one: each result and each trap.
func TestSpecInstrumented(t *testing.T) {
	actions := 0
	for name, script := range specScripts(t, "v2") {
		engine := "compiler"
		if strings.HasPrefix(name, "simd_") || len(script) > 500 {
			engine = "interpreter" // long modules of straight code: compiling them takes long
		}
		actions += compareSpec(t, name, script, engines[engine])
	}
	if actions < atLeast(20_000) {
		t.Errorf("only %d actions", actions)
	}
}

func compareSpec(t *testing.T, name string, script []specCommand, config func() wazero.RuntimeConfig) (actions int) {
	plain, inst := newSpecRun(t, config()), newSpecRun(t, config())
	for i := range script {
		c := &script[i]
		switch c.Type {
		case "module":
			b := readFile(t, c.Filename)
			x, err := wasm.Instrument(b, wasm.InstrumentOptions{Fuel: 3, Depth: specDepth})
			if !plain.load(b) {
				plain.mod = nil
				continue
			}
			if err != nil {
				if m := wasm.Read(b); len(m.Faults) > 0 || len(m.Imports) == 0 {
					t.Errorf("%s:%d: %v", name, c.Line, err)
				}
				plain.mod = nil // it imports a memory, a table or a global
				continue
			}
			inst.x = x
			if !inst.load(x.Bytes) {
				t.Errorf("%s:%d: the instrumented module is not taken", name, c.Line)
				plain.mod = nil
			}
		case "assert_return", "assert_trap", "action", "assert_exhaustion":
			if plain.mod == nil || c.Action.Type != "invoke" || c.Action.Module != "" {
				continue
			}
			actions++
			want, got := errDeep.Error(), inst.invoke(c)
			if c.Type != "assert_exhaustion" { // which takes long on the plain one
				want = plain.invoke(c)
			}
			if want != got {
				t.Errorf("%s:%d: %s gave %s, plain %s", name, c.Line, c.Action.Field, got, want)
			}
			inst.mod.ExportedGlobal(inst.x.DepthGlobal).(api.MutableGlobal).Set(specDepth)
		}
	}
	return actions
}
