package wasm

import (
	"strings"

	"perch/engine/abi"
)

// build is a mistake in how the module was made that explains many refusals at
// once. Cause is how breaches name it; breaches with the same cause fold.
type build struct {
	cause string
	fix   string
	// covers says which breaches the mistake explains.
	covers cover
}

// cover is a set of kinds of breaches.
type cover uint8

const (
	coverImports    cover = 1 << iota // of the modules that show the mistake
	coverStart                        // no _start
	coverMemory                       // memory not exported as memory
	coverKinds                        // imported memories, tables, globals
	coverThreads                      // threads and shared memory
	coverExceptions                   // exceptions
	coverWASI                         // unknown or differing functions of a provided module
)

// The causes, as breaches name them.
const (
	causeGoJS         = "built with GOOS=js, for a browser"
	causeTinyGoJS     = "built by TinyGo for a browser (-target=wasm)"
	causeBindgen      = "built with wasm-bindgen, for JavaScript"
	causeEmscripten   = "built by emcc for a page in a browser, not for WASI preview 1"
	causePreview0     = "built for an older WASI (wasi_unstable)"
	causePreview2     = "built for WASI 0.2 (wasip2)"
	causeObject       = "an object file that was not linked"
	causeShared       = "a shared library (dylink.0), not a program"
	causeReactor      = "a library (reactor), not a command"
	causeUndefined    = "the linker left symbols undefined"
	causeExceptions   = "built with C++ exceptions"
	causeThreads      = "built for threads"
	causeAS           = "built by AssemblyScript without the switches for WASI"
	causeJavy         = "a Javy module that needs Javy's own library beside it"
	causeExtism       = "an Extism plug-in"
	causeWASIX        = "built for WASIX"
	causeSockets      = "built for WasmEdge's sockets"
	causeFreestanding = "built for no system (wasm32-unknown-unknown)"
	causeDotnet       = "built by .NET for a page in a browser"
	causeMoonBit      = "built by MoonBit for a host of its own"
)

// guessBuild finds the one mistake that explains most.
func guessBuild(m *Module, t Toolchain) build {
	if b, ok := sectionBuild(m, t); ok {
		return b
	}
	if b, ok := importBuild(m, t); ok {
		return b
	}
	return exportBuild(m, t)
}

// sectionBuild goes by custom sections of what is no linked program.
func sectionBuild(m *Module, t Toolchain) (build, bool) {
	for _, s := range m.Sections {
		switch s.Name {
		case "linking":
			return build{causeObject, "Link it: leave out -c, or give it to wasm-ld with crt1-command.o and libc. " + usualBuild(t.kind),
				coverImports | coverStart | coverMemory | coverKinds}, true
		case "dylink.0", "dylink":
			return build{causeShared, "Link a program, not a library: leave out -shared and -sSIDE_MODULE.",
				coverImports | coverStart | coverMemory | coverKinds}, true
		}
	}
	return build{}, false
}

// importBuild goes by the modules that imports come from.
func importBuild(m *Module, t Toolchain) (build, bool) {
	all := coverImports | coverStart | coverMemory | coverKinds
	for i, imp := range m.Imports {
		if i == rowsMax {
			break
		}
		switch {
		case imp.Module == "gojs" && t.kind == toolTinyGo:
			return build{causeTinyGoJS, "tinygo build -target=wasip1 -o module.wasm .", all}, true
		case imp.Module == "gojs", imp.Module == "go" && strings.Contains(imp.Name, "."):
			return build{causeGoJS, "GOOS=wasip1 GOARCH=wasm go build -o module.wasm .", all}, true
		case strings.HasPrefix(imp.Module, "__wbindgen_"), imp.Module == "wbg", strings.HasSuffix(imp.Module, "_bg.js"):
			return build{causeBindgen, "Leave out wasm-pack, wasm-bindgen and crates that use it (js-sys, web-sys, getrandom's js feature); build a crate with a main: cargo build --release --target wasm32-wasip1.", all}, true
		case imp.Module == "wasi_unstable":
			return build{causePreview0, "Build with a newer toolchain: " + lowerUsual(t.kind), all}, true
		case strings.HasPrefix(imp.Module, "wasi:"), strings.HasPrefix(imp.Module, "cm32p2|"):
			return build{causePreview2, "Build for wasm32-wasip1: " + lowerUsual(t.kind), all}, true
		case strings.HasPrefix(imp.Module, "javy_"):
			return build{causeJavy, "Link it in: javy build without -C dynamic.", all}, true
		case strings.HasPrefix(imp.Module, "extism:"):
			return build{causeExtism, "Write it as an MCP server with a main, without the Extism SDK.", all}, true
		case imp.Module == "spectest", strings.HasPrefix(imp.Module, "moonbit:"):
			return build{causeMoonBit, usualBuild(toolMoonBit), all}, true
		case strings.HasPrefix(imp.Module, "wasix_"):
			return build{causeWASIX, "Build with wasi-sdk or wasm32-wasip1, without threads, sockets and processes.", all | coverThreads}, true
		case imp.Module == "wasi" && imp.Name == "thread-spawn":
			return build{causeThreads, "Build without threads: wasm32-wasip1, not wasm32-wasip1-threads, and without -pthread.", all | coverThreads}, true
		case imp.Module == abi.ModuleWASI && strings.HasPrefix(imp.Name, "sock_") && wasmEdgeSocket(imp.Name):
			return build{causeSockets, "There are no sockets: HTTP goes through subako_http.", coverWASI}, true
		}
	}
	return envBuild(m, t)
}

// envBuild goes by imports from env, where linkers leave what they do not find.
func envBuild(m *Module, t Toolchain) (build, bool) {
	all := coverImports | coverStart | coverMemory | coverKinds
	envs := 0
	for i, imp := range m.Imports {
		if i == rowsMax {
			break
		}
		if imp.Module != "env" {
			continue
		}
		envs++
		switch {
		case strings.HasPrefix(imp.Name, "__cxa_"), strings.HasPrefix(imp.Name, "_Unwind_"):
			if t.kind != toolEmscripten {
				return build{causeExceptions, "Build without exceptions: -fno-exceptions, and link a libc++ built so.", coverImports | coverExceptions}, true
			}
		case imp.Kind == ExternMemory && m.Memories[imp.Index].Limits.Shared:
			return build{causeThreads, "Build without threads: wasm32-wasip1, not wasm32-wasip1-threads, and without -pthread and --import-memory.", all | coverThreads}, true
		}
	}
	switch {
	case t.kind == toolDotnet && envs > 0:
		return build{causeDotnet, usualBuild(toolDotnet), all | coverExceptions}, true
	case t.kind == toolEmscripten:
		return build{causeEmscripten, "Build with wasi-sdk, or: emcc -sSTANDALONE_WASM -o module.wasm …", all | coverExceptions}, true
	case t.kind == toolAssemblyScript && envs > 0:
		return build{causeAS, "asc x.ts -o module.wasm --exportStart _start --use abort=… --use seed=… with functions of your own.", all}, true
	case envs > 0:
		return build{causeUndefined, "", coverImports}, true
	}
	return build{}, false
}

// exportBuild goes by what is exported in place of _start.
func exportBuild(m *Module, t Toolchain) build {
	initialize, start := false, false
	for _, e := range m.Exports {
		initialize = initialize || e.Name == "_initialize"
		start = start || e.Name == "_start"
	}
	switch {
	case start:
		return build{}
	case initialize:
		return build{causeReactor, reactorFix(t.kind), coverStart}
	case len(m.Imports) == 0 && (t.kind == toolRust || t.kind == toolZig || hasExport(m, "__data_end")):
		return build{causeFreestanding, "Build for WASI: " + lowerUsual(t.kind), coverStart}
	}
	return build{}
}

func hasExport(m *Module, name string) bool {
	for _, e := range m.Exports {
		if e.Name == name {
			return true
		}
	}
	return false
}

func reactorFix(kind toolKind) string {
	switch kind {
	case toolGo:
		return "go build without -buildmode=c-shared, of a package main: GOOS=wasip1 GOARCH=wasm go build -o module.wasm ."
	case toolTinyGo:
		return "tinygo build -target=wasip1 without -buildmode=c-shared."
	case toolRust:
		return "Build a crate with a main (src/main.rs, no crate-type cdylib): cargo build --release --target wasm32-wasip1."
	case toolClang, toolCXX:
		return "Link a command with a main: leave out -mexec-model=reactor and -Wl,--no-entry."
	case toolZig:
		return "zig build-exe, not build-lib; in build.zig addExecutable without entry = .disabled."
	case toolEmscripten:
		return "emcc -sSTANDALONE_WASM with a main and without --no-entry, or build with wasi-sdk."
	case toolSwift:
		return "Leave out -Xclang-linker -mexec-model=reactor: a command has a main."
	case toolJavy:
		return "javy build -o module.wasm index.js, without -J of a plugin."
	case toolNim:
		return "nim c without --app:lib and --noMain: a command has a main."
	case toolKotlin, toolDart, toolDotnet:
		return usualBuild(kind)
	}
	return "Build a command with a main: it exports _start, a library exports _initialize."
}

// lowerUsual is usualBuild as the end of a sentence.
func lowerUsual(kind toolKind) string {
	s := strings.TrimPrefix(usualBuild(kind), "The usual build: ")
	if s == "" {
		return "Rust --target wasm32-wasip1, Go GOOS=wasip1, clang --target=wasm32-wasip1."
	}
	return s
}

// wasmEdgeSocket reports whether a sock_ name is one of WasmEdge's own.
func wasmEdgeSocket(name string) bool {
	switch name {
	case "sock_accept", "sock_recv", "sock_send", "sock_shutdown":
		return false
	}
	return true
}
