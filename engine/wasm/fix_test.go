package wasm_test

import (
	"strings"
	"testing"

	"perch/engine/abi"
	. "perch/engine/wasm/wasmtest"
)

// producer is a producers section with one tool.
func producer(b *Builder, name, version string) {
	text := func(s string) []byte { return append(U(uint64(len(s))), s...) }
	b.Custom("producers", Cat([]byte{1}, text("processed-by"), []byte{1}, text(name), text(version)))
}

// TestFixesByToolchain: the same mistake, and what to do in each toolchain.
func TestFixesByToolchain(t *testing.T) {
	undefined := func(b *Builder) {
		b.ImportFunc("env", "rows_open", nil, nil)
		b.Memory(1, -1)
		b.Export("memory", KindMemory, 0)
		b.Export("_start", KindFunc, b.Func("_start", nil, nil, nil))
	}
	library := func(b *Builder) {
		b.Memory(1, -1)
		b.Export("memory", KindMemory, 0)
		b.Export("_initialize", KindFunc, b.Func("_initialize", nil, nil, nil))
	}
	exporting := func(b *Builder) {
		b.Memory(1, -1)
		b.Export("memory", KindMemory, 0)
		b.Export("greet", KindFunc, b.Func("greet", nil, nil, nil))
	}
	tails := func(b *Builder) {
		b.Memory(1, -1)
		b.Export("memory", KindMemory, 0)
		b.Export("_start", KindFunc, b.Func("_start", nil, nil, nil, []byte{0x12, 0}))
	}
	importing := func(module, name string) func(*Builder) {
		return func(b *Builder) {
			b.ImportFunc(module, name, Types(I32), nil)
			exporting(b)
		}
	}
	for _, c := range []struct {
		name, tool string
		module     func(*Builder)
		rule       abi.RuleID
		cause, fix string
	}{
		{"undefined", "rustc", undefined, abi.ModuleImportModule, "undefined", "extern \"C\" block names rows_open"},
		{"undefined", "TinyGo", undefined, abi.ModuleImportModule, "undefined", "without a body"},
		{"undefined", "zig", undefined, abi.ModuleImportModule, "undefined", "extern fn names rows_open"},
		{"undefined", "Swift", undefined, abi.ModuleImportModule, "undefined", "link the library"},
		{"undefined", "clang", undefined, abi.ModuleImportModule, "undefined", "--allow-undefined"},
		{"library", "rustc", library, abi.ModuleStartMissing, "a library (reactor)", "cdylib"},
		{"library", "TinyGo", library, abi.ModuleStartMissing, "a library (reactor)", "-buildmode=c-shared"},
		{"library", "clang", library, abi.ModuleStartMissing, "a library (reactor)", "-mexec-model=reactor"},
		{"library", "zig", library, abi.ModuleStartMissing, "a library (reactor)", "build-exe"},
		{"library", "Swift", library, abi.ModuleStartMissing, "a library (reactor)", "-mexec-model=reactor"},
		{"library", "Kotlin/Wasm", library, abi.ModuleStartMissing, "a library (reactor)", "garbage collection"},
		{"library", "emscripten", library, abi.ModuleStartMissing, "", "-sSTANDALONE_WASM"},
		{"freestanding", "rustc", exporting, abi.ModuleStartMissing, "wasm32-unknown-unknown", "wasm32-wasip1"},
		{"freestanding", "zig", exporting, abi.ModuleStartMissing, "built for no system", "-target wasm32-wasi"},
		{"tail calls", "rustc", tails, abi.ModuleFeatureTailCall, "", "target-feature=-tail-call"},
		{"tail calls", "clang", tails, abi.ModuleFeatureTailCall, "", "clang -mno-tail-call"},
		{"tail calls", "zig", tails, abi.ModuleFeatureTailCall, "", "-mcpu=generic-tail_call"},
		{"tail calls", "TinyGo", tails, abi.ModuleFeatureTailCall, "", "wasm-opt: --disable-tail-call"},
		{"wasm-pack", "rustc", importing("wbg", "__wbg_now"), abi.ModuleImportModule, "wasm-bindgen", "wasm-pack"},
		{"extism", "rustc", importing("extism:host/env", "input_load"), abi.ModuleImportModule, "Extism", "MCP server with a main"},
		{"wasip2 in a module", "rustc", importing("wasi:cli/stdout@0.2.0", "get-stdout"), abi.ModuleImportModule, "WASI 0.2", "wasm32-wasip1"},
		{"Javy's library", "javy", importing("javy_quickjs_provider_v3", "invoke"), abi.ModuleImportModule, "Javy", "-C dynamic"},
		{".NET", "", importing("env", "mono_wasm_invoke_js"), abi.ModuleImportModule, ".NET", "wasi-experimental"},
		{"MoonBit", "", importing("spectest", "print_char"), abi.ModuleImportModule, "MoonBit", "moon build --target wasm"},
	} {
		t.Run(c.name+"/"+c.tool, func(t *testing.T) {
			b := &Builder{}
			c.module(b)
			if c.tool != "" {
				producer(b, c.tool, "1.0")
			}
			for _, found := range refusals(check(b.Bytes())) {
				if found.Rule != c.rule {
					continue
				}
				if !strings.Contains(found.Cause, c.cause) || !strings.Contains(found.Fix, c.fix) {
					t.Errorf("the cause is %q, the fix %q", found.Cause, found.Fix)
				}
				return
			}
			t.Errorf("%s is not found", c.rule)
		})
	}
}

// TestComponentsByToolchain: what makes a module in place of a component.
func TestComponentsByToolchain(t *testing.T) {
	for trace, fix := range map[string]string{
		"cargo-component": "not cargo component", "rustc": "cargo build --release --target wasm32-wasip1", "tinygo": "tinygo build -target=wasip1",
		"StarlingMonkey": "Javy makes a module", "componentize-py": "makes components only", "System.Private.CoreLib": ".NET 8", "": "C: --target=wasm32-wasip1",
	} {
		list := refusals(check([]byte("\x00asm\x0d\x00\x01\x00 " + trace)))
		if len(list) != 1 || list[0].Rule != abi.ModuleComponent || !strings.Contains(list[0].Fix, fix) || !strings.Contains(list[0].Fix, "wasm32-wasip1") {
			t.Errorf("%q: %+v", trace, list)
		}
	}
}
