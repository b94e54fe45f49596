package bench_test

import (
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/settings"
	w "perch/engine/wasm/wasmtest"
)

// base is a module with a memory and an empty _start.
func base() *w.Builder {
	var b w.Builder
	b.Memory(1, -1)
	b.Export("memory", w.KindMemory, 0)
	b.Export("_start", w.KindFunc, b.Func("_start", nil, nil, nil))
	return &b
}

func library() *w.Builder {
	var b w.Builder
	b.Memory(1, -1)
	b.Export("memory", w.KindMemory, 0)
	b.Export("_initialize", w.KindFunc, b.Func("_initialize", nil, nil, nil))
	b.Export("greet", w.KindFunc, b.Func("greet", nil, nil, nil))
	return &b
}

// startIs exports something else than a function () as _start.
func startIs(kind byte) []byte {
	var b w.Builder
	b.Memory(1, -1)
	b.Global(w.I32, false, w.I32Const(0))
	b.Export("memory", w.KindMemory, 0)
	b.Func("main", w.Types(w.I32), nil, nil)
	b.Export("_start", kind, 0)
	return b.Bytes()
}

func imports(list ...[2]string) []byte {
	var b w.Builder
	for _, i := range list {
		b.ImportFunc(i[0], i[1], w.Types(w.I32), nil)
	}
	b.Memory(1, -1)
	b.Export("memory", w.KindMemory, 0)
	b.Export("_start", w.KindFunc, b.Func("_start", nil, nil, nil))
	return b.Bytes()
}

func gojs() []byte {
	var b w.Builder
	b.ImportFunc("gojs", "runtime.wasmExit", w.Types(w.I32), nil)
	b.Memory(1, -1)
	b.Export("mem", w.KindMemory, 0)
	b.Export("run", w.KindFunc, b.Func("run", w.Types(w.I32, w.I32), nil, nil))
	return b.Bytes()
}

func wrongTypes() []byte {
	var b w.Builder
	b.ImportFunc(abi.ModuleWASI, "sock_open", w.Types(w.I32, w.I32, w.I32), w.Types(w.I32))
	b.ImportFunc(abi.ModuleWASI, "fd_write", w.Types(w.I32), w.Types(w.I32))
	b.ImportFunc(abi.ModuleHTTP, "request", w.Types(w.I64, w.I32), w.Types(w.I32))
	b.Memory(1, -1)
	b.Export("memory", w.KindMemory, 0)
	b.Export("_start", w.KindFunc, b.Func("_start", nil, nil, nil))
	return b.Bytes()
}

func memoryAs(name string) []byte {
	var b w.Builder
	b.Memory(1, -1)
	if name != "" {
		b.Export(name, w.KindMemory, 0)
	}
	b.Export("_start", w.KindFunc, b.Func("_start", nil, nil, nil))
	return b.Bytes()
}

// misTyped has a type error, and is refused without it too.
func misTyped() []byte {
	var b w.Builder
	b.Memory(1, -1)
	b.Export("mem", w.KindMemory, 0)
	b.Export("_start", w.KindFunc, b.Func("_start", nil, nil, nil, w.I32Const(1)))
	return b.Bytes()
}

func startCode(code ...[]byte) []byte {
	var b w.Builder
	b.Memory(1, -1)
	b.Export("memory", w.KindMemory, 0)
	b.Export("_start", w.KindFunc, b.Func("_start", nil, nil, nil, code...))
	return b.Bytes()
}

func tag() []byte {
	b := base()
	b.RawSection(w.SecTag, w.Vec(w.Cat([]byte{0}, w.U(uint64(b.Type(w.Types(w.I32), nil))))))
	return b.Bytes()
}

// says is a finding and some of its words.
type says struct {
	rule  abi.RuleID
	words []string
}

// TestModulesThatAreRefused holds what is said of modules that never run: all
// that is wrong at once, each with what to do.
func TestModulesThatAreRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		module []byte
		says   []says
	}{
		{"P087 library", library().Bytes(), []says{{abi.ModuleStartMissing, []string{"library (reactor)", "main"}}}},
		{"P087 parameter", startIs(w.KindFunc), []says{{abi.ModuleStartType, []string{"(i32)", "take and return nothing"}}}},
		{"P087 memory", startIs(w.KindMemory), []says{{abi.ModuleStartType, []string{"is a memory"}}}},
		{"P087 global", startIs(w.KindGlobal), []says{{abi.ModuleStartType, []string{"is a global"}}}},
		{"P088 component", []byte("\x00asm\x0d\x00\x01\x00"), []says{{abi.ModuleComponent, []string{"component", "wasip1"}}}},
		{"P088 nothing", []byte(w.Header), []says{{abi.ModuleStartMissing, nil}, {abi.ModuleMemoryMissing, nil}}},
		{"P088 text", []byte("(module (func))"), []says{{abi.ModuleNotWasm, []string{"text form", "wat2wasm"}}}},
		{"P088 empty", nil, []says{{abi.ModuleNotWasm, []string{"empty"}}}},
		{"P088 gzip", []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00"), []says{{abi.ModuleNotWasm, []string{"gzip"}}}},
		{"P089", imports([2]string{"env", "emscripten_notify_memory_growth"}, [2]string{"env", "my_c_func"}), []says{
			{abi.ModuleImportModule, []string{"emscripten_notify_memory_growth (i32)", "wasi-sdk", "-sSTANDALONE_WASM"}},
			{abi.ModuleImportModule, []string{"my_c_func", "--allow-undefined"}}}},
		{"P091", gojs(), []says{
			{abi.ModuleImportModule, []string{"gojs.runtime.wasmExit", "GOOS=wasip1 GOARCH=wasm"}},
			{abi.ModuleStartMissing, nil}, {abi.ModuleMemoryMissing, []string{`"mem"`}}}},
		{"P094", wrongTypes(), []says{
			{abi.ModuleImportFunction, []string{"sock_open", "WasmEdge"}},
			{abi.ModuleImportType, []string{"fd_write", "(i32) -> i32", "(i32, i32, i32, i32) -> i32"}},
			{abi.ModuleImportType, []string{"request", "(i64, i32) -> i32", "(i32, i32) -> i32"}}}},
		{"P095 hidden", memoryAs(""), []says{{abi.ModuleMemoryMissing, []string{`"memory"`, "not exported"}}}},
		{"P095 renamed", memoryAs("mem"), []says{{abi.ModuleMemoryMissing, []string{`"mem"`}}}},
		{"P096", startCode([]byte{0x12, 0}), []says{{abi.ModuleFeatureTailCall, []string{"return_call", `function 0 "_start"`, "-mno-tail-call", "--disable-tail-call"}}}},
		{"P097 tag", tag(), []says{{abi.ModuleFeatureExceptions, []string{"tag section", "-fno-exceptions", "panic=abort"}}}},
		{"P097 old", startCode([]byte{0x06, 0x40, 0x19, 0x0b}), []says{{abi.ModuleFeatureExceptions, []string{"old encoding"}}}},
		{"P097 new", startCode([]byte{0x1f, 0x40, 0x00, 0x0b}), []says{{abi.ModuleFeatureExceptions, []string{"try_table"}}}},
		{"types beside the rest", misTyped(), []says{
			{abi.ModuleMemoryMissing, []string{`"mem"`}},
			{abi.ModuleMalformed, []string{"a type error", `function 0 "_start"`}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := openWith(t, packed(t, c.module), settings.Flags{})
			u, err := b.Upload(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if u.Outcome != event.Refused || u.Run != nil {
				t.Errorf("the upload is %s, run %v", u.Outcome, u.Run)
			}
			at := 0
			for _, f := range u.Findings {
				if f.Severity != abi.Error {
					continue
				}
				if at == len(c.says) || f.Rule != c.says[at].rule {
					t.Fatalf("finding %d is %s: %s", at, f.Rule, list(u.Findings))
				}
				holds(t, f, c.says[at].words...)
				if f.Where.Stream != event.File {
					t.Errorf("%s points at %+v", f.Rule, f.Where)
				}
				at++
			}
			if at != len(c.says) {
				t.Errorf("%d findings, want %d: %s", at, len(c.says), list(u.Findings))
			}
		})
	}
}

// TestTrapsBeforeTheStart: segments that do not fit, which not every engine
// minds, and a start function.
func TestTrapsBeforeTheStart(t *testing.T) {
	table := base()
	table.Table(w.FuncRef, 1, -1)
	table.Elem(1, 0)
	memory := base()
	memory.Data(65_535, []byte("ab"))
	below := base()
	below.Data(-1, []byte("a"))
	start := base()
	start.Start(start.Func("begin", nil, nil, nil, []byte{0})) // unreachable
	for name, c := range map[string]struct {
		b    *w.Builder
		at   string
		says []string
	}{
		"table":  {table, "element", []string{"out of bounds table access", "segment 0", "1 element at 1", "a table of 1"}},
		"memory": {memory, "data", []string{"out of bounds memory access", "2 bytes at 0xffff", "memory ends at 0x10000"}},
		"below":  {below, "data", []string{"1 byte at 0xffffffff"}},
		"start":  {start, "code", []string{"trap: unreachable in begin"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := openWith(t, packed(t, c.b.Bytes()), settings.Flags{})
			u, err := b.Upload(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			f := u.Findings[0]
			if u.Outcome != event.Refused || f.Rule != abi.LifeTrap || f.Where.Section != c.at || f.Where.Offset == 0 {
				t.Errorf("%s: %+v", u.Outcome, f)
			}
			holds(t, f, c.says...)
		})
	}
}

// TestOneCauseOfGOOSJS (P091): what follows from the wrong GOOS is one thing.
func TestOneCauseOfGOOSJS(t *testing.T) {
	b := openWith(t, packed(t, gojs()), settings.Flags{})
	causes := make(map[string]bool)
	for _, f := range b.Findings() {
		if f.Severity == abi.Error {
			causes[f.Cause] = true
		}
	}
	if len(causes) != 1 || causes[""] {
		t.Errorf("the causes are %v", causes)
	}
}

// TestImportsAreAllListed (P089): allowed and refused ones, with their types.
func TestImportsAreAllListed(t *testing.T) {
	b := openWith(t, packed(t, wrongTypes()), settings.Flags{})
	rows := b.Session.Report().Imports
	if len(rows) != 3 || rows[1].Name != "fd_write" || rows[1].Type != "(i32) -> i32" {
		t.Errorf("the imports are %+v", rows)
	}
}

// TestAllOfWebAssembly2 (P099) uses what newer compilers write unasked: long
// forms of a table's index, references, blocks with two results.
func TestAllOfWebAssembly2(t *testing.T) {
	b := base()
	table := b.Table(w.FuncRef, 1, -1)
	typ := b.Type(nil, nil)
	two := b.Type(nil, w.Types(w.I32, w.I32))
	target := b.Func("target", nil, nil, nil)
	b.Elem(0, target)
	b.Export("used", w.KindFunc, b.Func("used", nil, nil, nil,
		w.I32Const(0), []byte{0x11, byte(typ), 0x80, 0x80, 0x80, 0x80, 0x00},
		w.I32Const(0), []byte{0x25, byte(table)}, w.Drop(), // table.get
		[]byte{0xd0, w.FuncRef}, w.Drop(), // ref.null
		w.BlockOf(two, w.I32Const(1), w.I32Const(2)), w.Drop(), w.Drop()))
	p := openWith(t, packed(t, b.Bytes()), settings.Flags{})
	for _, f := range p.Findings() {
		if f.Severity != abi.Info {
			t.Errorf("found %s: %s", f.Rule, f.Detail)
		}
	}
	used := make(map[string]bool)
	for _, f := range p.Session.Report().Features {
		used[f.Feature.String()] = f.Feature.Allowed()
	}
	for _, want := range []string{"reference types", "multi-value"} {
		if !used[want] {
			t.Errorf("%s is not among the features: %v", want, used)
		}
	}
	c := actOn(t, p) // it is compiled, and runs
	outcome(t, c, event.Broken, abi.LifeEarlyExit)
}

// TestLimitsOfMemoryInWords (P107).
func TestLimitsOfMemoryInWords(t *testing.T) {
	for _, size := range []string{"0", "5GiB", "lots", "-1"} {
		_, _, err := settings.Load("", settings.Flags{Memory: &size}, nil)
		if err == nil || !strings.Contains(err.Error(), "memory") || !strings.Contains(err.Error(), size) {
			t.Errorf("--memory %s: %v", size, err)
		}
	}
}
