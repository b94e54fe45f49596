package wasm

import (
	"bytes"
	"strconv"
	"strings"
)

// Toolchain is what a module seems to come from: a guess, with its evidence.
type Toolchain struct {
	Name     string // Go, rustc, clang, Zig, …; empty: no guess
	Version  string
	Language string
	Evidence string // where it shows

	kind toolKind
}

// String is the name and the version.
func (t Toolchain) String() string {
	if t.Version == "" {
		return t.Name
	}
	return t.Name + " " + t.Version
}

// toolKind is a toolchain that we know a fix for.
type toolKind byte

const (
	toolUnknown toolKind = iota
	toolGo
	toolTinyGo
	toolRust
	toolClang
	toolCXX
	toolEmscripten
	toolZig
	toolAssemblyScript
	toolSwift
	toolNim
	toolJavy
	toolKotlin
	toolDart
	toolDotnet
	toolGrain
	toolMoonBit
)

func toolNames(kind toolKind) (name, language string) {
	switch kind {
	case toolGo:
		return "Go", "Go"
	case toolTinyGo:
		return "TinyGo", "Go"
	case toolRust:
		return "rustc", "Rust"
	case toolClang:
		return "clang", "C"
	case toolCXX:
		return "clang", "C++"
	case toolEmscripten:
		return "Emscripten", "C or C++"
	case toolZig:
		return "Zig", "Zig"
	case toolAssemblyScript:
		return "AssemblyScript", "AssemblyScript"
	case toolSwift:
		return "Swift", "Swift"
	case toolNim:
		return "Nim", "Nim"
	case toolJavy:
		return "Javy", "JavaScript"
	case toolKotlin:
		return "Kotlin/Wasm", "Kotlin"
	case toolDart:
		return "dart2wasm", "Dart"
	case toolDotnet:
		return ".NET", "C#"
	case toolGrain:
		return "Grain", "Grain"
	case toolMoonBit:
		return "MoonBit", "MoonBit"
	}
	return "", ""
}

func tool(kind toolKind, version, evidence string) Toolchain {
	name, language := toolNames(kind)
	return Toolchain{Name: name, Version: version, Language: language, Evidence: evidence, kind: kind}
}

// guessToolchain looks at what toolchains leave behind, the plainest first.
func guessToolchain(m *Module) Toolchain {
	byImport := importTool(m)
	byName := nameTool(m)
	switch {
	case byImport.kind == toolEmscripten && byName.kind == toolDotnet: // .NET's runtime is built by it
		return byName
	case byImport.kind == toolEmscripten, byImport.kind == toolAssemblyScript, byImport.kind == toolDotnet:
		return byImport // its clang says less
	}
	for _, guess := range []Toolchain{producerTool(m, byName), byName, customTool(m), byImport, dataTool(m)} {
		if guess.kind != toolUnknown {
			return guess
		}
	}
	return Toolchain{}
}

// producer is one field value of the producers section.
type producer struct{ field, name, version string }

// producers reads the producers section as far as it is well made.
func (m *Module) producers() []producer {
	contents, ok := m.Custom("producers")
	if !ok {
		return nil
	}
	const most = 64
	var list []producer
	c := cursor{b: contents}
	for range c.count(most, "fields") {
		field := c.name("a field")
		for range c.count(most, "values") {
			p := producer{field, c.name("a name"), c.name("a version")}
			if c.fault != nil || len(list) == most {
				return list
			}
			list = append(list, p)
		}
	}
	return list
}

// newer compares versions part by part, "19.1.7" and "14.0.6".
func newer(a, b string) bool {
	as, bs := strings.Split(a, "."), strings.Split(b, ".")
	for i := range min(len(as), len(bs)) {
		x, errX := strconv.Atoi(as[i])
		y, errY := strconv.Atoi(bs[i])
		if errX != nil || errY != nil {
			return false
		}
		if x != y {
			return x > y
		}
	}
	return len(as) > len(bs)
}

// debugClang is the newest clang that the strings of the debug information
// name, or "".
func debugClang(m *Module) string {
	text, _ := m.Custom(".debug_str")
	newest := ""
	for {
		_, rest, ok := bytes.Cut(text, []byte("clang version "))
		if !ok {
			return newest
		}
		n := 0
		for n < min(len(rest), 16) && (rest[n] == '.' || rest[n] >= '0' && rest[n] <= '9') {
			n++
		}
		if v := string(rest[:n]); newest == "" || newer(v, newest) {
			newest = v
		}
		text = rest
	}
}

// producerTool goes by the producers section. clang writes itself there for
// everything that goes through LLVM's C front end, Zig's and Nim's C too.
func producerTool(m *Module, byName Toolchain) Toolchain {
	var best Toolchain
	rank := 0
	take := func(kind toolKind, version, evidence string, r int) {
		// Of several versions of one tool the newest made the module: the others
		// made the libraries that it is linked with.
		if r > rank || r == rank && kind == best.kind && newer(version, best.Version) {
			best, rank = tool(kind, version, "the producers section"+evidence), r
		}
	}
	cxx := false
	for _, p := range m.producers() {
		name, version := strings.ToLower(p.name), cutText(p.version)
		switch {
		case p.field == "language":
			cxx = cxx || strings.HasPrefix(name, "c_plus_plus") || strings.HasPrefix(name, "c++")
			if name == "go" {
				take(toolGo, strings.TrimPrefix(version, "go"), "", 3)
			}
		case strings.Contains(name, "cmd/compile"):
			take(toolGo, strings.TrimPrefix(version, "go"), "", 4)
		case strings.Contains(name, "tinygo"):
			take(toolTinyGo, version, "", 5)
		case name == "rustc":
			take(toolRust, firstWord(version), "", 4)
		case strings.Contains(name, "emscripten"):
			take(toolEmscripten, version, "", 5)
		case strings.Contains(name, "javy"):
			take(toolJavy, version, "", 6)
		case strings.Contains(name, "swift"):
			take(toolSwift, version, "", 5)
		case strings.Contains(name, "kotlin"):
			take(toolKotlin, version, "", 5)
		case strings.Contains(name, "dart"):
			take(toolDart, version, "", 5)
		case strings.Contains(name, "zig"):
			take(toolZig, version, "", 5)
		case strings.Contains(name, "assemblyscript"):
			take(toolAssemblyScript, version, "", 5)
		case strings.Contains(name, "clang"):
			take(toolClang, firstWord(version), "", 2)
		}
	}
	if best.kind == toolClang {
		// An object built without an ident names its compiler in its debug
		// information alone; the section then tells of the C library's.
		if v := debugClang(m); newer(v, best.Version) {
			best = tool(toolClang, v, "the debug information")
		}
		switch byName.kind {
		case toolTinyGo, toolNim, toolZig, toolSwift, toolEmscripten, toolJavy, toolDotnet:
			return byName
		}
		if cxx || byName.kind == toolCXX {
			version := best.Version
			best = tool(toolCXX, version, best.Evidence)
		}
	}
	return best
}

func firstWord(s string) string {
	word, _, _ := strings.Cut(s, " ")
	return word
}

// cutText keeps a text of the module short.
func cutText(s string) string {
	const most = 60
	if short := shorten(s, most); len(short) < len(s) {
		return short + "…"
	}
	return s
}

// nameTool goes by the names of functions.
func nameTool(m *Module) Toolchain {
	contents, ok := m.Custom(NameSection)
	if !ok {
		return exportTool(m)
	}
	for _, s := range []struct {
		text string
		kind toolKind
	}{
		{"_rt0_wasm_wasip1", toolGo},
		{"runtime.wasmStack", toolTinyGo},
		{"tinygo_", toolTinyGo},
		{"(*runtime.channel)", toolTinyGo},
		{"emscripten_", toolEmscripten},
		{"NimMain", toolNim},
		{"swift_retain", toolSwift},
		{"~lib/rt/", toolAssemblyScript},
		{"start.wasi_start", toolZig},
		{"start.callMain", toolZig},
		{"posix_spawn_zig", toolZig},
		{"mono_wasm_", toolDotnet},
		{"javy_", toolJavy},
		{"__rust_alloc", toolRust},
		{"rust_begin_unwind", toolRust},
		{"core::fmt::", toolRust},
		{"runtime.morestack", toolGo},
		{"operator new(", toolCXX},
		{"__cxxabiv1", toolCXX},
		{"__cxa_", toolCXX},
	} {
		if bytes.Contains(contents, []byte(s.text)) {
			return tool(s.kind, "", "the name section ("+s.text+")")
		}
	}
	return exportTool(m)
}

// exportTool goes by exports that one toolchain alone makes.
func exportTool(m *Module) Toolchain {
	has := make(map[string]bool)
	for i, e := range m.Exports {
		if i == rowsMax {
			break
		}
		has[e.Name] = true
	}
	switch {
	case has["asyncify_start_unwind"] && has["malloc"], has["go_scheduler"]:
		return tool(toolTinyGo, "", "its exports")
	case has["__pin"] && has["__unpin"], has["__new"] && has["__collect"]:
		return tool(toolAssemblyScript, "", "its exports")
	case has["emscripten_stack_get_end"], has["_emscripten_stack_restore"], has["stackSave"] && has["stackRestore"]:
		return tool(toolEmscripten, "", "its exports")
	case has["run"] && has["resume"] && has["mem"]:
		return tool(toolGo, "", "its exports")
	case has["NimMain"]:
		return tool(toolNim, "", "its exports")
	}
	return Toolchain{}
}

// customTool goes by custom sections.
func customTool(m *Module) Toolchain {
	for _, s := range m.Sections {
		switch {
		case s.Name == "go:buildid":
			return tool(toolGo, "", "the section go:buildid")
		case strings.HasPrefix(s.Name, "moonbit"):
			return tool(toolMoonBit, "", "the section "+quote(s.Name))
		}
	}
	return Toolchain{}
}

// importTool goes by the modules and names of imports.
func importTool(m *Module) Toolchain {
	for i, imp := range m.Imports {
		if i == rowsMax {
			break
		}
		switch {
		case imp.Module == "env" && strings.HasPrefix(imp.Name, "mono_"):
			return tool(toolDotnet, "", "the import env."+imp.Name)
		case imp.Module == "spectest", strings.HasPrefix(imp.Module, "moonbit:"):
			return tool(toolMoonBit, "", "the imports from "+imp.Module)
		case imp.Module == "env" && (strings.HasPrefix(imp.Name, "emscripten_") || strings.HasPrefix(imp.Name, "_emscripten_") || strings.HasPrefix(imp.Name, "invoke_v") || strings.HasPrefix(imp.Name, "__syscall_")):
			return tool(toolEmscripten, "", "the import env."+imp.Name)
		case imp.Module == "env" && imp.Name == "abort" && m.importType(imp).String() == "(i32, i32, i32, i32)":
			return tool(toolAssemblyScript, "", "the import env.abort")
		case imp.Module == "gojs", imp.Module == "go":
			return tool(toolGo, "", "the imports from "+imp.Module)
		case strings.HasPrefix(imp.Module, "__wbindgen_"), imp.Module == "wbg":
			return tool(toolRust, "", "the imports from "+imp.Module)
		case strings.HasPrefix(imp.Module, "javy_"):
			return tool(toolJavy, "", "the imports from "+imp.Module)
		}
	}
	return Toolchain{}
}

func (m *Module) importType(imp Import) FuncType {
	t, _ := m.TypeOf(imp.TypeIndex)
	return t
}

// dataTool goes by strings in the data.
func dataTool(m *Module) Toolchain {
	s := m.SectionOf(SecData)
	if s == nil {
		return Toolchain{}
	}
	const most = 8 << 20 // bytes that are searched
	data := m.Bytes[s.Body.Start:min(s.Body.End, s.Body.Start+most)]
	for _, t := range []struct {
		text string
		kind toolKind
	}{
		{"Go build ID: ", toolGo},
		{"\xff Go buildinf:", toolGo},
		{"/rustc/", toolRust},
		{"/.cargo/registry/", toolRust},
		{"called `Option::unwrap()`", toolRust},
		{"/lib/std/start.zig", toolZig},
		{"attempt to use null value", toolZig},
		{"~\x00l\x00i\x00b\x00/\x00r\x00t\x00", toolAssemblyScript},
		{"system.nim", toolNim},
		{"fatal.nim", toolNim},
		{"Swift runtime failure", toolSwift},
		{"QuickJS", toolJavy},
		{"libc++abi", toolCXX},
	} {
		if bytes.Contains(data, []byte(t.text)) {
			evidence := "a string in its data"
			return tool(t.kind, "", evidence)
		}
	}
	return Toolchain{}
}

// usualBuild is the build that makes an ABI 1 module with a toolchain.
func usualBuild(kind toolKind) string {
	switch kind {
	case toolGo:
		return "The usual build: GOOS=wasip1 GOARCH=wasm go build -o module.wasm ."
	case toolTinyGo:
		return "The usual build: tinygo build -target=wasip1 -o module.wasm ."
	case toolRust:
		return "The usual build: cargo build --release --target wasm32-wasip1, of a crate with a main"
	case toolClang:
		return "The usual build: wasi-sdk's clang --target=wasm32-wasip1 -O2 -o module.wasm …"
	case toolCXX:
		return "The usual build: wasi-sdk's clang++ --target=wasm32-wasip1 -fno-exceptions -O2 -o module.wasm …"
	case toolEmscripten:
		return "The usual build: wasi-sdk's clang, or emcc -sSTANDALONE_WASM -o module.wasm …"
	case toolZig:
		return "The usual build: zig build-exe -target wasm32-wasi -O ReleaseSmall"
	case toolAssemblyScript:
		return "The usual build: asc x.ts -o module.wasm --exportStart _start --use abort=… with the WASI imports declared by hand"
	case toolSwift:
		return "The usual build: swift build --swift-sdk wasm32-unknown-wasi -c release"
	case toolNim:
		return "The usual build: nim c --os:any --cpu:wasm32 with wasi-sdk's clang, exceptions by goto"
	case toolJavy:
		return "The usual build: javy build -o module.wasm index.js"
	case toolDotnet:
		return "The usual build: .NET 8 with the workload wasi-experimental, RuntimeIdentifier wasi-wasm and WasmSingleFileBundle true; .NET 9 makes components"
	case toolGrain:
		return "The usual build: grain compile --no-wasm-tail-call -o module.wasm main.gr"
	case toolMoonBit:
		return "The usual build: moon build --target wasm, with export-memory-name memory in moon.pkg.json and the WASI imports declared by hand in place of println"
	case toolKotlin, toolDart:
		return "It needs garbage collection, which ABI 1 leaves out: another language or compiler is needed."
	}
	return ""
}
