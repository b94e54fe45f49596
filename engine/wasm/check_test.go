package wasm_test

import (
	"context"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/wasm"
	. "perch/engine/wasm/wasmtest"
)

// provided is a host with a few functions.
func provided(module, name string) (t wasm.FuncType, moduleKnown, nameKnown bool) {
	i32, i64 := wasm.I32, wasm.I64
	functions := map[string]wasm.FuncType{
		"wasi_snapshot_preview1.fd_write":    {Params: []wasm.ValType{i32, i32, i32, i32}, Results: []wasm.ValType{i32}},
		"wasi_snapshot_preview1.fd_seek":     {Params: []wasm.ValType{i32, i64, i32, i32}, Results: []wasm.ValType{i32}},
		"wasi_snapshot_preview1.sock_accept": {Params: []wasm.ValType{i32, i32, i32}, Results: []wasm.ValType{i32}},
		"wasi_snapshot_preview1.proc_exit":   {Params: []wasm.ValType{i32}},
		"wasi_snapshot_preview1.fd_close":    {Params: []wasm.ValType{i32}, Results: []wasm.ValType{i32}},
		"subako_http.request":                {Params: []wasm.ValType{i32, i32}, Results: []wasm.ValType{i32}},
		"subako_http.read_response":          {Params: []wasm.ValType{i32, i32}, Results: []wasm.ValType{i32}},
	}
	t, nameKnown = functions[module+"."+name]
	return t, module == abi.ModuleWASI || module == abi.ModuleHTTP, nameKnown
}

func names(module string) []string {
	if module == abi.ModuleHTTP {
		return []string{"request", "read_response"}
	}
	return []string{"fd_write", "fd_seek", "fd_close", "proc_exit", "sock_accept"}
}

// compiles is wazero as the second opinion.
func compiles(b []byte) error {
	ctx := context.Background()
	rt := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	defer rt.Close(ctx)
	_, err := rt.CompileModule(ctx, b)
	return err
}

func check(b []byte) *wasm.Report {
	return wasm.Check(b, wasm.CheckOptions{Provided: provided, Names: names, SecondOpinion: compiles})
}

// refusals are the breaches but for the guess of the toolchain.
func refusals(r *wasm.Report) []event.Breach {
	var list []event.Breach
	for _, b := range r.Breaches {
		if b.Rule != abi.ModuleToolchain {
			list = append(list, b)
		}
	}
	return list
}

// want is a breach that is looked for.
type want struct {
	rule   abi.RuleID
	detail string // that it contains
	fix    string // that it contains
	cause  string // that it is, "-": any
}

type checkCase struct {
	name  string
	bytes []byte
	wants []want // all of them, in any order
}

func runCheckCases(t *testing.T, cases []checkCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := check(c.bytes)
			left := refusals(r)
			for _, w := range c.wants {
				found := -1
				for i, b := range left {
					if b.Rule == w.rule && strings.Contains(b.Detail, w.detail) && strings.Contains(b.Fix, w.fix) &&
						(w.cause == "-" || b.Cause == w.cause) {
						found = i
						break
					}
				}
				if found < 0 {
					t.Errorf("no breach like %+v", w)
					continue
				}
				left = append(left[:found:found], left[found+1:]...)
			}
			for _, b := range left {
				t.Errorf("also: %s: %s\n  fix: %s\n  cause: %s", b.Rule, b.Detail, b.Fix, b.Cause)
			}
			if refused := r.Refused(); refused != (len(c.wants) > 0) {
				t.Errorf("refused is %v", refused)
			}
			for _, b := range r.Breaches {
				if b.Where.Stream != event.File || b.Where.File != abi.ModuleFile {
					t.Errorf("%s points at %s %q", b.Rule, b.Where.Stream, b.Where.File)
				}
				if b.Where.Offset < 0 || b.Where.End < b.Where.Offset || b.Where.End > int64(len(c.bytes)) {
					t.Errorf("%s points at bytes %d to %d of %d", b.Rule, b.Where.Offset, b.Where.End, len(c.bytes))
				}
			}
		})
	}
}

func text(s string) []byte { return []byte(s) }

func TestWhatIsNoModule(t *testing.T) {
	tar := make([]byte, 512)
	copy(tar[257:], "ustar")
	one := func(rule abi.RuleID, detail, fix string) []want {
		return []want{{rule: rule, detail: detail, fix: fix}}
	}
	not := func(detail, fix string) []want { return one(abi.ModuleNotWasm, detail, fix) }
	runCheckCases(t, []checkCase{
		{"empty", nil, not("is empty", "build wrote nothing")},
		{"text form", text("  ;; a comment\n(module\n)"), not("text form", "Assemble")},
		{"component text", text("(component)"), not("text form", "Assemble")},
		{"gzip", text("\x1f\x8b\x08\x00"), not("gzip", "gunzip")},
		{"zip", text("PK\x03\x04rest"), not("zip", "Unpack")},
		{"zstd", text("\x28\xb5\x2f\xfdrest"), not("zstd", "Unpack")},
		{"tar", tar, not("tar archive", "Unpack")},
		{"script", text("#!/bin/sh\necho"), not("script", ".wasm")},
		{"ELF", text("\x7fELF\x02\x01"), not("ELF", "wasm32-wasip1")},
		{"Mach-O", text("\xcf\xfa\xed\xfe\x07"), not("Mach-O", "wasm32-wasip1")},
		{"PE", text("MZ\x90\x00"), not("Windows", "wasm32-wasip1")},
		{"bitcode", text("BC\xc0\xde\x35"), not("LLVM bitcode", "Link it")},
		{"archive", text("!<arch>\nfoo.o/"), not("archive of object files", "Link it")},
		{"HTML", text("<!DOCTYPE html><html>"), not("HTML", "address")},
		{"JSON", text("\xef\xbb\xbf {\"abi\":1}"), not("JSON", "manifest")},
		{"LFS", text("version https://git-lfs.github.com/spec/v1\n"), not("Git LFS", "git lfs pull")},
		{"some text", text("hello"), not("text", "")},
		{"some bytes", text("\x01\x02\x03\x04\x05"), not("0x01 0x02 0x03 0x04", "")},
		{"short", text("\x00as"), not("0x00 0x61 0x73", "")},
		{"header cut", text("\x00asm\x01\x00"), not("ends after 6 bytes", "cut short")},
		{"component", text("\x00asm\x0d\x00\x01\x00"), one(abi.ModuleComponent, "component", "wasm32-wasip1")},
		{"component by rustc", text("\x00asm\x0d\x00\x01\x00 producers rustc"), one(abi.ModuleComponent, "wasip2", "cargo build")},
		{"version 2", text("\x00asm\x02\x00\x00\x00"), one(abi.ModuleMalformed, "version 2", "")},
	})
}

func TestExports(t *testing.T) {
	initialize := func(b *Builder) {
		f := b.Func("", nil, nil, nil)
		b.Export("_initialize", KindFunc, f)
	}
	memory := func(name string) func(*Builder) {
		return func(b *Builder) { b.Memory(1, -1); b.Export(name, KindMemory, 0) }
	}
	start := func(b *Builder) { b.Export("_start", KindFunc, b.Func("", nil, nil, nil)) }
	build := func(parts ...func(*Builder)) []byte {
		b := &Builder{}
		for _, p := range parts {
			p(b)
		}
		return b.Bytes()
	}
	const reactor = "a library (reactor), not a command"
	runCheckCases(t, []checkCase{
		{"a command", build(memory("memory"), start), nil},
		{"nothing", []byte(Header), []want{
			{abi.ModuleStartMissing, "nothing is exported", "", ""},
			{abi.ModuleMemoryMissing, "no linear memory", "", ""}}},
		{"reactor", build(memory("memory"), initialize), []want{
			{abi.ModuleStartMissing, `"_initialize": a library`, "main", reactor}}},
		{"reactor by Go", build(memory("memory"), initialize, func(b *Builder) { b.Custom("go:buildid", nil) }), []want{
			{abi.ModuleStartMissing, "", "-buildmode=c-shared", reactor}}},
		{"reactor by rustc", build(memory("memory"), initialize, rust), []want{
			{abi.ModuleStartMissing, "", "cdylib", reactor}}},
		{"main alone", build(memory("memory"), func(b *Builder) { b.Export("main", KindFunc, b.Func("", i32, i32, nil, LocalGet(0))) }), []want{
			{abi.ModuleStartMissing, `"main" is there, a function (i32) -> i32`, "_start", ""}}},
		{"start with a parameter", build(memory("memory"), func(b *Builder) { b.Export("_start", KindFunc, b.Func("", i32, nil, nil)) }), []want{
			{abi.ModuleStartType, `"_start" is (i32), function 0`, "proc_exit", ""}}},
		{"start with a result", build(memory("memory"), func(b *Builder) { b.Export("_start", KindFunc, b.Func("", nil, i32, nil, I32Const(0))) }), []want{
			{abi.ModuleStartType, `"_start" is () -> i32`, "", ""}}},
		{"start is a memory", build(memory("memory"), memory("_start"), func(b *Builder) {}), []want{
			{abi.ModuleStartType, `"_start" is a memory`, "", ""},
			{abi.ModuleFeatureMultiMemory, "a second memory", "", ""}}},
		{"start is a global", build(memory("memory"), func(b *Builder) { b.Export("_start", KindGlobal, b.Global(I32, false, I32Const(1))) }), []want{
			{abi.ModuleStartType, `"_start" is a global`, "", ""}}},
		{"memory not exported", build(start, func(b *Builder) { b.Memory(1, -1) }), []want{
			{abi.ModuleMemoryMissing, "it is not exported", "Export", ""}}},
		{"memory under another name", build(start, memory("mem")), []want{
			{abi.ModuleMemoryMissing, `exported as "mem"`, "Export", ""}}},
		{"memory is a function", build(start, func(b *Builder) { b.Memory(1, -1); b.Export("memory", KindFunc, 0) }), []want{
			{abi.ModuleMemoryMissing, `"memory" is a function`, "", ""}}},
		{"memory over the limit", build(start, func(b *Builder) { b.Memory(65536, -1); b.Export("memory", KindMemory, 0) }), []want{
			{abi.ModuleMemoryLimit, "65,536 pages, 4 GiB; our limit is 256 MiB", "--memory", ""}}},
		{"table over the limit", build(memory("memory"), start, func(b *Builder) { b.Table(FuncRef, 100_000_000, -1) }), []want{
			{abi.ModuleTableLimit, "100,000,000 entries; our limit is 1,000,000", "", ""}}},
	})
}

func rust(b *Builder) {
	b.Custom("producers", Vec(
		Cat(Str("language"), Vec(Cat(Str("Rust"), Str("")))),
		Cat(Str("processed-by"), Vec(Cat(Str("rustc"), Str("1.80.0 (abc 2024-07-21)"))))))
}

func TestImports(t *testing.T) {
	build := func(parts ...func(*Builder)) []byte {
		b := &Builder{}
		for _, p := range parts {
			p(b)
		}
		b.Memory(1, -1)
		b.Export("memory", KindMemory, 0)
		b.Export("_start", KindFunc, b.Func("_start", nil, nil, nil))
		return b.Bytes()
	}
	imp := func(module, name string, params, results []byte) func(*Builder) {
		return func(b *Builder) { b.ImportFunc(module, name, params, results) }
	}
	const wasi = abi.ModuleWASI
	runCheckCases(t, []checkCase{
		{"provided", build(imp(wasi, "fd_seek", Types(I32, I64, I32, I32), i32), imp("subako_http", "request", Types(I32, I32), i32)), nil},
		{"three at once", build(
			imp(wasi, "sock_open", Types(I32, I32, I32), i32),
			imp(wasi, "fd_write", i32, i32),
			imp("subako_http", "request", Types(I64, I32), i32)),
			[]want{
				{abi.ModuleImportFunction, "WasmEdge's sockets", "subako_http", "-"},
				{abi.ModuleImportType, "imported as (i32) -> i32, it is provided as (i32, i32, i32, i32) -> i32", "i32", ""},
				{abi.ModuleImportType, "subako_http.request is imported as (i64, i32) -> i32, it is provided as (i32, i32) -> i32", "", ""},
			}},
		{"near miss", build(imp(wasi, "fd_wirte", Types(I32, I32, I32, I32), i32)), []want{
			{abi.ModuleImportFunction, "the nearest is fd_write", "Import fd_write", ""}}},
		{"unknown", build(imp(wasi, "fd_teleport", nil, nil), imp("subako_http", "get", nil, nil)), []want{
			{abi.ModuleImportFunction, "fd_teleport () : "[:12], "preview 1", ""},
			{abi.ModuleImportFunction, "subako_http.get", "request and read_response", ""}}},
		{"undefined symbol", build(imp("env", "my_c_func", i32, nil)), []want{
			{abi.ModuleImportModule, "env.my_c_func (i32) is not provided", "--allow-undefined", "the linker left symbols undefined"}}},
		{"odd module", build(imp("my module", "f\x1b[31m", nil, nil)), []want{
			{abi.ModuleImportModule, `"my module"."f\x1b[31m" ()`, "", ""}}},
		{"preview 0", build(imp("wasi_unstable", "fd_write", nil, nil)), []want{
			{abi.ModuleImportModule, "wasi_unstable.fd_write", "newer", "built for an older WASI (wasi_unstable)"}}},
		{"preview 2", build(imp("wasi:cli/stdout@0.2.0", "get-stdout", nil, i32)), []want{
			{abi.ModuleImportModule, "wasi:cli/stdout@0.2.0.get-stdout", "wasm32-wasip1", "built for WASI 0.2 (wasip2)"}}},
		{"kinds", build(
			func(b *Builder) { b.Import("env", "tab", KindTable, Cat([]byte{FuncRef}, Limits(1, -1))) },
			func(b *Builder) { b.Import(wasi, "glob", KindGlobal, []byte{I32, 1}) }),
			[]want{
				{abi.ModuleImportKind, "env.tab is a table (funcref 1 or more)", "--import-table", "-"},
				{abi.ModuleImportKind, "wasi_snapshot_preview1.glob is a global (mut i32)", "", ""}}},
		{"imported memory", func() []byte {
			b := &Builder{}
			b.Import("env", "memory", KindMemory, Limits(1, -1))
			b.Export("memory", KindMemory, 0)
			b.Export("_start", KindFunc, b.Func("_start", nil, nil, nil))
			return b.Bytes()
		}(), []want{{abi.ModuleImportKind, "env.memory is a memory (1 or more)", "--import-memory", "-"}}},
	})
}

// One mistake, one cause: all that it brings folds into it.
func TestCauses(t *testing.T) {
	bare := func(parts ...func(*Builder)) []byte {
		b := &Builder{}
		for _, p := range parts {
			p(b)
		}
		return b.Bytes()
	}
	imp := func(module, name string, params ...byte) func(*Builder) {
		return func(b *Builder) { b.ImportFunc(module, name, params, nil) }
	}
	export := func(kind byte, names ...string) func(*Builder) {
		return func(b *Builder) {
			if kind == KindMemory {
				b.Memory(1, -1)
			} else {
				b.Func("", Types(I32, I32), nil, nil)
			}
			for _, n := range names {
				b.Export(n, kind, 0)
			}
		}
	}
	custom := func(name string) func(*Builder) { return func(b *Builder) { b.Custom(name, nil) } }
	cases := []struct {
		name, cause, fix string
		bytes            []byte
		breaches         int
	}{
		{"GOOS=js", "built with GOOS=js, for a browser", "GOOS=wasip1",
			bare(imp("gojs", "runtime.wasmExit", I32), imp("gojs", "runtime.wasmWrite", I32), export(KindMemory, "mem"), export(KindFunc, "run", "resume")), 4},
		{"TinyGo for a browser", "built by TinyGo for a browser (-target=wasm)", "tinygo build -target=wasip1",
			bare(imp("gojs", "runtime.ticks"), export(KindMemory, "memory"), export(KindFunc, "go_scheduler")), 2},
		{"Emscripten", "built by emcc for a page in a browser, not for WASI preview 1", "emcc -sSTANDALONE_WASM",
			bare(imp("env", "emscripten_notify_memory_growth", I32), imp("env", "my_c_func"), export(KindMemory, "mem"), export(KindFunc, "_initialize")), 4},
		{"wasm-bindgen", "built with wasm-bindgen, for JavaScript", "wasm32-wasip1",
			bare(imp("__wbindgen_placeholder__", "__wbg_now"), export(KindMemory, "memory")), 2},
		{"object file", "an object file that was not linked", "Link it",
			bare(func(b *Builder) { b.Import("env", "__linear_memory", KindMemory, Limits(0, -1)) }, imp("env", "puts", I32), custom("linking")), 4},
		{"shared library", "a shared library (dylink.0), not a program", "-shared",
			bare(func(b *Builder) { b.Import("env", "__memory_base", KindGlobal, []byte{I32, 0}) }, custom("dylink.0")), 3},
		{"threads", "built for threads", "-pthread",
			bare(imp("wasi", "thread-spawn", I32), func(b *Builder) { b.Import("env", "memory", KindMemory, []byte{3, 1, 2}) },
				func(b *Builder) { b.Export("memory", KindMemory, 0) }, export(KindFunc, "x")), 4},
		{"AssemblyScript", "built by AssemblyScript without the switches for WASI", "--exportStart _start",
			bare(imp("env", "abort", I32, I32, I32, I32), export(KindMemory, "memory")), 2},
		{"C++ exceptions", "built with C++ exceptions", "-fno-exceptions",
			bare(imp("env", "__cxa_throw", I32, I32, I32), imp("env", "__cxa_allocate_exception", I32), imp("env", "_Unwind_Resume", I32),
				export(KindMemory, "memory"), func(b *Builder) { b.Export("_start", KindFunc, b.Func("", nil, nil, nil, Op(0x08, 0))) },
				func(b *Builder) { b.RawSection(SecTag, Vec([]byte{0, 2})) }), 4},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			list := refusals(check(c.bytes))
			if len(list) != c.breaches {
				t.Errorf("%d breaches, want %d", len(list), c.breaches)
			}
			for _, b := range list {
				if b.Cause != c.cause || !strings.Contains(b.Fix, c.fix) {
					t.Errorf("%s: %s\n  cause %q\n  fix %q", b.Rule, b.Detail, b.Cause, b.Fix)
				}
			}
		})
	}
}

func TestFeatures(t *testing.T) {
	run := func(code ...[]byte) []byte {
		b := Command(code...)
		b.Table(FuncRef, 1, -1)
		return b.Bytes()
	}
	with := func(f func(*Builder)) []byte {
		b := Command()
		f(b)
		return b.Bytes()
	}
	raw := func(least ...byte) []byte {
		b := &Builder{}
		b.RawMemory(least)
		b.Export("memory", KindMemory, 0)
		b.Export("_start", KindFunc, b.Func("_start", nil, nil, nil))
		return b.Bytes()
	}
	drop := Drop()
	zero := I32Const(0)
	runCheckCases(t, []checkCase{
		{"shared memory", raw(3, 1, 2), []want{{abi.ModuleFeatureThreads, "a memory is shared", "pthread", ""}}},
		{"atomic.fence", run(Op(0xfe, 3, 0)), []want{{abi.ModuleFeatureThreads, `atomic.fence (function 0 "_start", byte 0x`, "", ""}}},
		{"atomic load", run(zero, Op(0xfe, 0x10, 2, 0), drop), []want{{abi.ModuleFeatureThreads, "i32.atomic.load", "", ""}}},
		{"tag section", with(func(b *Builder) { b.RawSection(SecTag, Vec([]byte{0, 0})) }), []want{{abi.ModuleFeatureExceptions, "exceptions: a tag section", "-fno-exceptions", ""}}},
		{"old exceptions", run(Op(0x06, Void, 0x19, 0x0b)), []want{{abi.ModuleFeatureExceptions, "the old encoding: try", "", ""}}},
		{"try_table", run(Op(0x1f, Void, 1, 2, 0, 0x0b)), []want{{abi.ModuleFeatureExceptions, "exceptions: try_table", "", ""}}},
		{"tail call", run(Op(0x12, 0)), []want{{abi.ModuleFeatureTailCall, "return_call", "--disable-tail-call", ""}}},
		{"tail call by rustc", with(func(b *Builder) { rust(b); b.Func("x", nil, nil, nil, Op(0x12, 0)) }), []want{{abi.ModuleFeatureTailCall, `function 1 "x"`, "target-feature=-tail-call", ""}}},
		{"memory64", raw(4, 1), []want{{abi.ModuleFeatureMemory64, "a memory is 64-bit", "wasm32", ""}}},
		{"two memories", with(func(b *Builder) { b.Memory(1, -1) }), []want{{abi.ModuleFeatureMultiMemory, "a second memory", "", ""}}},
		{"memory index", with(func(b *Builder) {
			b.Memory(1, -1)
			b.Func("", nil, nil, nil, zero, Op(0x28, 0x42, 1, 0), drop)
		}), []want{{abi.ModuleFeatureMultiMemory, "2 places, 1 function: a second memory, i32.load with a memory index", "", ""}}},
		{"relaxed SIMD", run(V128Const([16]byte{}), V128Const([16]byte{}), Op(0xfd, 0x80, 0x02), drop), []want{{abi.ModuleFeatureRelaxedSIMD, "i8x16.relaxed_swizzle", "relaxed-simd", ""}}},
		{"struct type", with(func(b *Builder) { b.RawType([]byte{0x5f, 1, I32, 1}) }), []want{{abi.ModuleFeatureGC, "a struct type (type section", "", ""}}},
		{"recursion group", with(func(b *Builder) { b.RawType([]byte{0x4e, 1, 0x50, 0, 0x60, 0, 0}) }), []want{{abi.ModuleFeatureGC, "a recursion group", "", ""}}},
		{"i31", run(zero, Op(0xfb, 0x1c), drop), []want{{abi.ModuleFeatureGC, "ref.i31", "", ""}}},
		{"anyref", with(func(b *Builder) { b.Func("", Types(0x6e), nil, nil) }), []want{{abi.ModuleFeatureGC, "anyref", "", ""}}},
		{"ref.as_non_null", run(Op(0xd0, FuncRef), Op(0xd4), drop), []want{{abi.ModuleFeatureFunctionReferences, "ref.as_non_null", "", ""}}},
		{"call_ref", run(Op(0xd0, FuncRef), Op(0x14, 0)), []want{{abi.ModuleFeatureFunctionReferences, "call_ref", "", ""}}},
		{"ref type", with(func(b *Builder) { b.Func("", []byte{}, nil, nil, Op(0x02, 0x63, 0x00, 0x0b), drop) }), []want{{abi.ModuleFeatureFunctionReferences, "2 places", "", ""}}},
		{"extended constants", with(func(b *Builder) { b.Global(I32, false, zero, zero, Op(0x6a)) }), []want{{abi.ModuleFeatureOther, "extended constant expressions: i32.add", "extended-const", ""}}},
		{"custom page size", raw(8, 1, 0), []want{{abi.ModuleFeatureOther, "custom page sizes", "", ""}}},
		{"compact imports", with(func(b *Builder) {
			b.RawSection(SecImport, Vec(Cat(Str("subako_http"), Str(""), []byte{0x7f, 0})))
		}), []want{{abi.ModuleFeatureOther, "compact imports", "", ""}}},
		{"wide arithmetic", run(I64Const(0), I64Const(0), I64Const(0), I64Const(0), Op(0xfc, 19), drop, drop), []want{{abi.ModuleFeatureOther, "i64.add128", "", ""}}},
		{"a global in a constant", with(func(b *Builder) { b.Global(I32, false, zero); b.Global(I32, false, GlobalGet(0)) }), []want{{abi.ModuleFeatureGC, "reads a global of the module", "", ""}}},
		{"everything at once", run(Op(0x12, 0), Op(0xfe, 3, 0), Op(0x06, Void, 0x19, 0x0b), zero, Op(0xfb, 0x1c), drop, Op(0x12, 0)), []want{
			{abi.ModuleFeatureTailCall, "2 places, 1 function", "", ""},
			{abi.ModuleFeatureThreads, "", "", ""},
			{abi.ModuleFeatureExceptions, "", "", ""},
			{abi.ModuleFeatureGC, "", "", ""}}},
	})
}

func TestMalformed(t *testing.T) {
	body := func(code ...[]byte) []byte { return Command(code...).Bytes() }
	raw := func(id byte, contents ...byte) []byte {
		b := Command()
		b.RawSection(id, contents)
		return b.Bytes()
	}
	good := Command().Bytes()
	const damaged = "the bytes are not a whole module"
	bad := func(details ...string) []want {
		var ws []want
		for _, d := range details {
			ws = append(ws, want{abi.ModuleMalformed, d, "", damaged})
		}
		return ws
	}
	other := func(detail string) []want { return []want{{abi.ModuleMalformed, detail, "", ""}} }
	huge := []byte{0xff, 0xff, 0xff, 0xff, 0x0f}
	runCheckCases(t, []checkCase{
		{"cut short", good[:len(good)-25], bad("bytes, ")},
		{"bad LEB", raw(SecType, 0xff, 0xff, 0xff, 0xff, 0x7f), bad("the number of types does not fit in 32 bits")},
		{"2^32 types", raw(SecType, huge...), bad("4294967295 types are announced, 0 bytes are left")},
		{"unknown section", append(append([]byte{}, good...), Section(0x40, nil)...), bad("no section has the id 64")},
		{"section twice", append(append([]byte{}, good...), Section(SecCode, []byte{0})...), bad("there twice")},
		{"section order", append(append([]byte{}, good...), Section(SecStart, []byte{0})...), bad("behind the code section")},
		{"unknown opcode", body(Op(0x27)), bad(`code section, function 0 "_start", byte 0x`)},
		{"unknown prefixed opcode", body(Op(0xfc, 0xff, 0x01)), bad("no instruction begins with 0xfc 0xff 0x01")},
		{"hole in SIMD", body(Op(0xfd, 0x9a, 0x01)), bad("no instruction begins with 0xfd 0x9a 0x01")},
		{"else without if", body(Op(0x05)), bad("else: it stands in no if")},
		{"block left open", body(Op(0x02, Void)), bad("the body ends with the function itself open")},
		{"bytes behind the end", body(Op(0x0b)), bad("1 bytes stand behind")},
		{"branch too far", body(Br(7)), bad("br: block 7 is not there: there is 1")},
		{"br_table too far", body(I32Const(0), BrTable(0, 3)), bad("br_table: block 3")},
		{"no such local", body(LocalGet(0), Drop()), bad("local.get: local 0 is not there: there are none")},
		{"no such global", body(GlobalGet(2), Drop()), bad("global 2")},
		{"no such function", body(Call(9)), bad("function 9 is not there: there is 1, number 0")},
		{"no such type", body(I32Const(0), CallIndirect(9, 0)), bad("type 9")},
		{"no such table", body(I32Const(0), CallIndirect(0, 0)), bad("table 0 is not there")},
		{"no data count", body(Op(0xfc, 9, 0)), bad("data count section")},
		{"count of functions", raw(SecFunction, 2, 0, 0), bad("2 functions are declared, 1 have a body")},
		{"export of nothing", func() []byte { b := Command(); b.Export("x", KindTable, 4); return b.Bytes() }(), bad(`export "x" is table 4`)},
		{"export twice", func() []byte { b := Command(); b.Export("memory", KindMemory, 0); return b.Bytes() }(), bad(`export "memory" is there twice`)},
		{"name not UTF-8", func() []byte { b := Command(); b.Export("a\xff", KindMemory, 0); return b.Bytes() }(), bad("is not UTF-8")},
		{"data count differs", raw(SecDataCount, 3), bad("3 data segments are announced, there are 0")},
		{"limits upside down", func() []byte { b := Command(); b.Table(FuncRef, 5, 2); return b.Bytes() }(), bad("the maximum of a table, 2, is below its minimum, 5")},
		{"too many locals", func() []byte {
			b := Command()
			b.RawSection(SecCode, Vec(Cat([]byte{8, 1}, []byte{0xff, 0xff, 0xff, 0xff, 0x0f, I32, 0x0b})))
			return b.Bytes()
		}(), bad("4294967295 locals")},
		{"too many locals in all", func() []byte {
			b := Command()
			bodies := [][]byte{{2, 0, 0x0b}}
			funcs := [][]byte{{0}}
			for range 401 {
				bodies = append(bodies, Cat([]byte{6, 1}, U(50_000), []byte{I32, 0x0b}))
				funcs = append(funcs, []byte{0})
			}
			b.RawSection(SecCode, Vec(bodies...))
			b.RawSection(SecFunction, Vec(funcs...))
			return b.Bytes()
		}(), bad("20050000 locals in all")},
		{"type error", body(I32Const(1), F32Const(1), Op(0x6a), Drop()), other(`a type error in function 0 "_start", bytes 0x`)},
		{"undeclared reference", func() []byte { b := Command(RefFunc(1), Drop()); b.Func("", nil, nil, nil); return b.Bytes() }(), other("no element segment")},
		{"alignment", body(I32Const(0), Mem(0x28, 3, 0), Drop()), other("alignment")},
		{"start with a parameter", func() []byte { b := Command(); b.Start(b.Func("s", i32, nil, nil)); return b.Bytes() }(), other("the start function must take and return nothing")},
		{"type of a global", func() []byte { b := Command(); b.Global(I64, false, I32Const(1)); return b.Bytes() }(), bad("the global is of type i64, the constant expression of type i32")},
	})
}

func TestToolchains(t *testing.T) {
	producers := func(field, name, version string) func(*Builder) {
		return func(b *Builder) {
			b.Custom("producers", Vec(Cat(Str(field), Vec(Cat(Str(name), Str(version))))))
		}
	}
	funcName := func(name string) func(*Builder) { return func(b *Builder) { b.Func(name, nil, nil, nil) } }
	data := func(s string) func(*Builder) { return func(b *Builder) { b.Data(0, []byte(s)) } }
	for _, c := range []struct {
		name, want, language string
		parts                []func(*Builder)
	}{
		{"nothing", "", "", nil},
		{"Go", "Go 1.26.8", "Go", []func(*Builder){producers("processed-by", "Go cmd/compile", "go1.26.8")}},
		{"Go stripped", "Go", "Go", []func(*Builder){data("\xff Go buildinf:\x08")}},
		{"rustc", "rustc 1.80.0", "Rust", []func(*Builder){rust}},
		{"clang", "clang 19.1.7", "C", []func(*Builder){producers("processed-by", "Debian clang", "19.1.7 (3)")}},
		{"clang++", "clang 19.1.7", "C++", []func(*Builder){funcName("operator new(unsigned long)"), producers("processed-by", "clang", "19.1.7")}},
		{"TinyGo over clang", "TinyGo", "Go", []func(*Builder){funcName("tinygo_launch"), producers("processed-by", "clang", "19")}},
		{"Zig", "Zig", "Zig", []func(*Builder){funcName("start.wasi_start")}},
		{"AssemblyScript", "AssemblyScript", "AssemblyScript", []func(*Builder){data("~\x00l\x00i\x00b\x00/\x00r\x00t\x00/\x00")}},
		{"Nim", "Nim", "Nim", []func(*Builder){funcName("NimMain"), producers("processed-by", "clang", "19")}},
		{"Swift", "Swift", "Swift", []func(*Builder){funcName("swift_retain")}},
		{"Javy", "Javy 3", "JavaScript", []func(*Builder){producers("processed-by", "javy", "3")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := Command()
			for _, p := range c.parts {
				p(b)
			}
			r := check(b.Bytes())
			if got := r.Toolchain.String(); got != c.want || r.Toolchain.Language != c.language {
				t.Errorf("got %q, language %q, by %s", got, r.Toolchain.Language, r.Toolchain.Evidence)
			}
			if r.Refused() {
				t.Errorf("refused: %+v", refusals(r))
			}
			told := len(r.Breaches) == 1 && r.Breaches[0].Rule == abi.ModuleToolchain && strings.HasPrefix(r.Breaches[0].Detail, c.want)
			if told != (c.want != "") {
				t.Errorf("breaches: %+v", r.Breaches)
			}
		})
	}
}

func TestReportLists(t *testing.T) {
	b := &Builder{}
	b.ImportFunc("env", "f", Types(I32), nil)
	b.ImportFunc(abi.ModuleWASI, "proc_exit", i32, nil)
	b.Memory(2, 3)
	b.Export("memory", KindMemory, 0)
	b.Export("_start", KindFunc, b.Func("_start", nil, nil, nil, I32Const(-1), Op(0xc0), Drop()))
	r := check(b.Bytes())
	if len(r.Imports) != 2 || r.Imports[0].Allowed || r.Imports[0].Why != "env is not provided" || r.Imports[0].Type != "(i32)" || !r.Imports[1].Allowed {
		t.Errorf("imports: %+v", r.Imports)
	}
	if len(r.Exports) != 2 || r.Exports[0].Type != "2 to 3" || r.Exports[1].Type != "()" || r.Exports[1].Index != 2 {
		t.Errorf("exports: %+v", r.Exports)
	}
	if r.Functions != 1 {
		t.Errorf("%d functions", r.Functions)
	}
	if len(r.Features) != 1 || r.Features[0].Name != "sign extension" || !r.Features[0].Allowed || r.Features[0].First.What != "i32.extend8_s" || r.Features[0].First.Func != 2 {
		t.Errorf("features: %+v", r.Features)
	}
	var labels []string
	for _, s := range r.Sections {
		labels = append(labels, s.Label)
	}
	if got := strings.Join(labels, " "); got != `type import function memory export code custom "name"` {
		t.Errorf("sections: %s", got)
	}
	w := refusals(r)[0].Where
	if w.Section != "import" || w.Name != "env.f" || w.Offset != r.Imports[0].Offset || w.End <= w.Offset {
		t.Errorf("place: %+v", w)
	}
}

// A module that is one long list of faults gets a report of a bounded length.
func TestReportIsBounded(t *testing.T) {
	b := &Builder{}
	for range 5000 {
		b.ImportFunc("env", strings.Repeat("x", 1000), nil, nil)
	}
	r := check(b.Bytes())
	if n := len(r.Breaches); n > 210 {
		t.Errorf("%d breaches", n)
	}
	total, more := 0, false
	for _, br := range r.Breaches {
		total += len(br.Detail) + len(br.Fix) + len(br.Where.Name)
		more = more || strings.Contains(br.Detail, "4800 more like it")
	}
	if total > 300_000 || !more {
		t.Errorf("%d bytes of text, more said: %v", total, more)
	}
}
