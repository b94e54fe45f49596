package wasm

import (
	"fmt"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
)

// exports checks _start and memory, and lists all exports.
func (c *checker) exports() {
	for _, e := range c.m.Exports {
		if len(c.report.Exports) == rowsMax {
			break
		}
		c.report.Exports = append(c.report.Exports, ExportRow{e.Name, e.Kind, e.Index, c.exportType(e), int64(e.At.Start)})
	}
	if c.exportsRead() {
		c.start()
		c.memory()
	}
}

// exportsRead reports whether all exports were read: behind a fault in their
// section, or in a file that is cut before it, there may be more.
func (c *checker) exportsRead() bool {
	missing := c.m.SectionOf(SecExport) == nil
	for _, f := range c.m.Faults {
		if f.Section == SecExport.String() || (missing && f.Section == "") {
			return false
		}
	}
	return true
}

func (c *checker) exportType(e Export) string {
	switch e.Kind {
	case ExternFunc:
		if t, ok := c.m.FuncType(e.Index); ok {
			return t.String()
		}
	case ExternTable:
		if int64(e.Index) < int64(len(c.m.Tables)) {
			t := c.m.Tables[e.Index]
			return t.Type.String() + " " + t.Limits.String()
		}
	case ExternMemory:
		if int64(e.Index) < int64(len(c.m.Memories)) {
			return c.m.Memories[e.Index].Limits.String()
		}
	case ExternGlobal:
		if int64(e.Index) < int64(len(c.m.Globals)) {
			g := c.m.Globals[e.Index]
			if g.Mutable {
				return "mut " + g.Type.String()
			}
			return g.Type.String()
		}
	}
	return ""
}

// find is the export with a name.
func (c *checker) find(name string) *Export {
	for i := range c.m.Exports {
		if c.m.Exports[i].Name == name {
			return &c.m.Exports[i]
		}
	}
	return nil
}

// exportPlace is where an export stands, or where it would.
func (c *checker) exportPlace(e *Export) event.Where {
	var w event.Where
	switch s := c.m.SectionOf(SecExport); {
	case e != nil:
		w = c.where(e.At)
		w.Name = e.Name
	case s != nil:
		w = c.where(s.All)
	default:
		w = c.where(Span{len(c.m.Bytes), len(c.m.Bytes)})
	}
	w.Section = SecExport.String()
	return w
}

func (c *checker) start() {
	e := c.find(abi.ExportStart)
	b := event.Breach{Where: c.exportPlace(e)}
	switch {
	case e == nil:
		b.Rule = abi.ModuleStartMissing
		b.Detail = `no export "_start"` + c.startInstead()
		b.Cause, b.Fix = c.explain(coverStart, startFix(c.report.Toolchain.kind))
	case e.Kind != ExternFunc:
		b.Rule = abi.ModuleStartType
		b.Detail = fmt.Sprintf(`"_start" is a %s; it must be a function that takes and returns nothing`, e.Kind)
		b.Fix = "Export the program's entry function as _start, and nothing else by that name."
	default:
		t, ok := c.m.FuncType(e.Index)
		if !ok || len(t.Params)+len(t.Results) == 0 {
			return
		}
		b.Rule = abi.ModuleStartType
		b.Detail = fmt.Sprintf(`"_start" is %s, function %d; it must take and return nothing: ()`, t, e.Index)
		b.Fix = "Give the exit status to proc_exit, and take the arguments from args_get: _start itself has no parameter and no result."
	}
	c.add(b)
}

// startInstead names what stands in the place of _start.
func (c *checker) startInstead() string {
	for _, name := range []string{"_initialize", "main", "_main", "__main_void", "__main_argc_argv", "start", "__original_main", "run", "_Start", "__start"} {
		if e := c.find(name); e != nil {
			if name == "_initialize" {
				return `; "_initialize": a library (reactor)`
			}
			return fmt.Sprintf("; %q is there, %s %s", name, article(e.Kind), c.exportType(*e))
		}
	}
	if len(c.m.Exports) == 0 {
		return "; nothing is exported"
	}
	if c.m.Start != nil {
		return fmt.Sprintf("; a start section runs function %d, which is something else", *c.m.Start)
	}
	return ""
}

func article(k ExternKind) string { return "a " + k.String() }

func startFix(kind toolKind) string {
	switch kind {
	case toolAssemblyScript:
		return "asc --exportStart _start"
	case toolClang, toolCXX:
		return "Link a command with a main and crt1-command.o: leave out -nostartfiles and -Wl,--no-entry."
	case toolRust:
		return reactorFix(toolRust)
	case toolUnknown:
		return "Export the program's entry function as _start: a WASI command takes and returns nothing."
	}
	return usualBuild(kind)
}

func (c *checker) memory() {
	e := c.find(abi.ExportMemory)
	if e != nil && e.Kind == ExternMemory {
		return
	}
	b := event.Breach{Rule: abi.ModuleMemoryMissing, Where: c.exportPlace(e)}
	switch {
	case e != nil:
		b.Detail = fmt.Sprintf(`"memory" is a %s; the linear memory must be exported by that name`, e.Kind)
	case len(c.m.Memories) == 0:
		b.Detail = `no export "memory"; the module has no linear memory at all`
	default:
		b.Detail = `no export "memory"` + c.memoryInstead()
	}
	b.Cause, b.Fix = c.explain(coverMemory, memoryFix(c.report.Toolchain.kind))
	c.add(b)
}

func (c *checker) memoryInstead() string {
	var names []string
	for _, e := range c.m.Exports {
		if e.Kind == ExternMemory && len(names) < whatsMax {
			names = append(names, quote(e.Name))
		}
	}
	switch len(names) {
	case 0:
		return "; there is a linear memory, it is not exported"
	case 1:
		return "; one is exported as " + names[0]
	}
	return "; memories are exported as " + strings.Join(names, ", ")
}

func memoryFix(kind toolKind) string {
	switch kind {
	case toolClang, toolCXX, toolRust:
		return "wasm-ld exports it by itself: leave out --import-memory and --no-export-memory."
	case toolZig:
		return "In build.zig: export_memory = true, import_memory = false."
	case toolAssemblyScript:
		return "asc without --importMemory and --noExportMemory."
	case toolMoonBit:
		return "In moon.pkg.json, under link and wasm: export-memory-name memory."
	case toolEmscripten:
		return "emcc -sSTANDALONE_WASM exports it as memory; leave out -sIMPORTED_MEMORY."
	}
	return "Export the linear memory as memory."
}
