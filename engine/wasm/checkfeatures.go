package wasm

import (
	"fmt"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
)

// features lists what the module uses, and notes what is not available.
func (c *checker) features() {
	u := &c.m.uses
	for f := Feature(1); f < featureCount; f++ {
		if u.count[f] == 0 {
			continue
		}
		use := FeatureUse{Feature: f, Name: f.String(), Allowed: f.Allowed(), Count: u.count[f], Functions: u.funcs[f], First: u.first[f], What: u.whats[f]}
		c.report.Features = append(c.report.Features, use)
		if !use.Allowed {
			c.add(c.featureBreach(use))
		}
	}
}

func (c *checker) featureBreach(use FeatureUse) event.Breach {
	w := c.where(Span{use.First.Offset, use.First.Offset})
	w.Section, w.Func = use.First.Section, use.First.Func
	place := fmt.Sprintf("%s section, byte 0x%x", use.First.Section, use.First.Offset)
	if w.Func >= 0 {
		w.Name = c.m.FuncName(uint32(w.Func))
		place = fmt.Sprintf("%s, byte 0x%x", c.funcText(w.Func), use.First.Offset)
	}
	detail := fmt.Sprintf("%s: %s (%s); not available", use.Name, use.First.What, place)
	if use.Count > 1 {
		detail += fmt.Sprintf(". %d places", use.Count)
		if use.Functions > 0 {
			detail += fmt.Sprintf(", %s", plural(use.Functions, "function"))
		}
		if len(use.What) > 1 {
			detail += ": " + strings.Join(use.What, ", ")
			if len(use.What) == whatsMax {
				detail += ", …"
			}
		}
	}
	b := event.Breach{Rule: use.Feature.Rule(), Where: w, Detail: detail}
	b.Cause, b.Fix = c.explain(featureCover(use.Feature), featureFix(use.Feature, c.report.Toolchain.kind))
	return b
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func featureCover(f Feature) cover {
	switch f {
	case FeatThreads:
		return coverThreads
	case FeatExceptions, FeatLegacyExceptions:
		return coverExceptions
	}
	return 0
}

// featureFix is how to build without a feature.
func featureFix(f Feature, kind toolKind) string {
	switch f {
	case FeatThreads:
		return threadsFix(kind)
	case FeatExceptions, FeatLegacyExceptions:
		return exceptionsFix(kind)
	case FeatTailCall:
		return switchFix(kind, "tail-call", "tail-call")
	case FeatMemory64:
		return "Build for wasm32, not wasm64: clang --target=wasm32-wasip1, emcc without -sMEMORY64."
	case FeatMultiMemory:
		return "Keep one memory: wasm-merge and wasm-opt make more with --enable-multimemory."
	case FeatRelaxedSIMD:
		return switchFix(kind, "relaxed-simd", "relaxed-simd")
	case FeatGC:
		return "No switch takes it out: it comes with languages that use the engine's garbage collector (Kotlin, Dart, Java, OCaml, Scheme). Use a compiler that brings its own."
	case FeatFunctionReferences:
		return "Build without typed function references: wasm-opt without --enable-gc and --enable-typed-function-references."
	case FeatExtendedConst:
		return switchFix(kind, "extended-const", "extended-const")
	case FeatCustomPageSizes:
		return "Keep pages of 65536 bytes: leave out --page-size."
	case FeatCompactImports:
		return "Write imports one by one: wasm-opt and wasm-tools without compact imports."
	case FeatWideArithmetic:
		return switchFix(kind, "wide-arithmetic", "wide-arithmetic")
	}
	return "Build for WebAssembly 2.0 without later proposals."
}

// switchFix is the switch that takes an LLVM feature out.
func switchFix(kind toolKind, llvm, opt string) string {
	after := " wasm-opt: --disable-" + opt + "."
	switch kind {
	case toolRust:
		return "RUSTFLAGS=\"-C target-feature=-" + llvm + "\"; a newer wasm32-wasip1 does not set it by itself." + after
	case toolClang, toolCXX, toolNim:
		return "clang -mno-" + llvm + "." + after
	case toolEmscripten:
		return "emcc -mno-" + llvm + "." + after
	case toolGrain:
		if llvm == "tail-call" {
			return "grain compile --no-wasm-tail-call." + after
		}
	case toolGo, toolTinyGo:
		return "Go does not make it: a tool behind it did." + after
	case toolZig:
		return "zig -mcpu=generic-" + strings.ReplaceAll(llvm, "-", "_") + "." + after
	}
	return "clang: -mno-" + llvm + ". Rust: -C target-feature=-" + llvm + "." + after
}

func threadsFix(kind toolKind) string {
	switch kind {
	case toolRust:
		return "--target wasm32-wasip1, not wasm32-wasip1-threads, without -C target-feature=+atomics."
	case toolClang, toolCXX:
		return "--target=wasm32-wasip1, not wasm32-wasip1-threads, without -pthread and --shared-memory."
	case toolEmscripten:
		return "emcc without -pthread, -sSHARED_MEMORY and -sWASM_WORKERS."
	case toolZig:
		return "-fsingle-threaded, and no atomics in -mcpu."
	}
	return "Build without threads and shared memory: wasm32-wasip1, without -pthread."
}

func exceptionsFix(kind toolKind) string {
	switch kind {
	case toolRust:
		return "panic = \"abort\" in Cargo.toml and a standard library built so: a toolchain whose wasm32-wasip1 has no exceptions, or -Z build-std=std,panic_abort."
	case toolCXX, toolClang:
		return "-fno-exceptions, without -fwasm-exceptions and -mllvm -wasm-enable-sjlj (setjmp)."
	case toolEmscripten:
		return "emcc -fno-exceptions -sSUPPORT_LONGJMP=0, without -fwasm-exceptions."
	case toolNim:
		return "nim --exceptions:goto."
	}
	return "Build without exceptions: clang -fno-exceptions -mno-exception-handling, Rust panic=abort with a standard library built so."
}

// secondOpinion asks an engine about the types.
func (c *checker) secondOpinion() {
	if c.SecondOpinion == nil || !c.report.Typed() {
		return
	}
	err := c.SecondOpinion(withoutCustom(c.m))
	if err == nil {
		return
	}
	c.add(c.opinionBreach(err.Error()))
}

// withoutCustom is the module without its custom sections.
func withoutCustom(m *Module) []byte {
	out := append([]byte(nil), m.Bytes[:headerLength]...)
	for _, s := range m.Sections {
		if s.ID != SecCustom {
			out = append(out, m.Bytes[s.All.Start:s.All.End]...)
		}
	}
	return out
}

// opinionBreach puts an engine's error in our words: of it we take the
// function, and what kind of fault it is.
func (c *checker) opinionBreach(text string) event.Breach {
	b := event.Breach{Rule: abi.ModuleMalformed, Where: c.where(Span{0, len(c.m.Bytes)}),
		Fix: "The compiler or a tool behind it wrote a body that no engine takes: build again with another version of it, or without wasm-opt."}
	n, reason, ok := functionInError(text)
	if !ok {
		what, section := sectionInError(text)
		b.Detail = what + "; an engine does not compile the module"
		if s := c.m.SectionOf(section); section != SecCustom && s != nil {
			b.Where = c.where(s.All)
			b.Where.Section = section.String()
			b.Detail = fmt.Sprintf("%s, bytes 0x%x to 0x%x: %s", section, s.All.Start, s.All.End, b.Detail)
		}
		return b
	}
	fn := c.m.ImportedFuncs() + n
	body := c.m.Body(uint32(fn))
	if body == nil {
		b.Detail = fmt.Sprintf("%s in function %d", reason, fn)
		return b
	}
	b.Where = c.where(body.At)
	b.Where.Section, b.Where.Func, b.Where.Name = SecCode.String(), fn, c.m.FuncName(uint32(fn))
	b.Detail = fmt.Sprintf("%s in %s, bytes 0x%x to 0x%x", reason, c.funcText(fn), body.At.Start, body.At.End)
	return b
}

// functionInError finds "function[3]", which counts functions with a body.
func functionInError(text string) (n int, reason string, ok bool) {
	const mark = "invalid function["
	i := strings.Index(text, mark)
	if i < 0 {
		return 0, "", false
	}
	rest := text[i+len(mark):]
	end := strings.IndexByte(rest, ']')
	if end < 1 || end > 7 {
		return 0, "", false
	}
	for _, r := range rest[:end] {
		if r < '0' || r > '9' {
			return 0, "", false
		}
		n = n*10 + int(r-'0')
	}
	return n, kindOfFault(rest[end:]), true
}

// kindOfFault sorts an engine's reason into kinds that we can stand for.
func kindOfFault(reason string) string {
	switch {
	case strings.Contains(reason, "alignment"):
		return "an alignment that its access does not allow"
	case strings.Contains(reason, "undeclared function reference"), strings.Contains(reason, "undeclared"):
		return "a ref.func of a function that no element segment, export or global declares"
	case strings.Contains(reason, "lane"):
		return "a lane that its vector does not have"
	case strings.Contains(reason, "immutable"):
		return "a global.set of a global that is not mutable"
	}
	return "a type error"
}

// sectionInError finds the section that an engine's error is about.
func sectionInError(text string) (what string, section SectionID) {
	switch {
	case strings.Contains(text, "start function"):
		return "the start function must take and return nothing", SecStart
	case strings.Contains(text, "global"):
		return "a global's initial value is of another type", SecGlobal
	case strings.Contains(text, "element"):
		return "an element segment is of another type than its table", SecElement
	case strings.Contains(text, "data"):
		return "a data segment's offset is no i32 constant", SecData
	}
	return "a rule of validation is not kept", SecCustom
}
