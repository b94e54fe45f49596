package wasm

import (
	"fmt"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
)

// imports checks every import and lists it.
func (c *checker) imports() {
	for i, imp := range c.m.Imports {
		row := ImportRow{Module: imp.Module, Name: imp.Name, Kind: imp.Kind, Type: c.importTypeText(imp), Offset: int64(imp.At.Start), Allowed: true}
		if b, why := c.importBreach(i, imp); why != "" {
			row.Allowed, row.Why = false, why
			w := c.where(imp.At)
			w.Section, w.Name = SecImport.String(), imp.Module+"."+imp.Name
			b.Where = w
			c.add(b)
		}
		if len(c.report.Imports) < rowsMax {
			c.report.Imports = append(c.report.Imports, row)
		}
	}
}

func (c *checker) importTypeText(imp Import) string {
	switch imp.Kind {
	case ExternFunc:
		return c.m.importType(imp).String()
	case ExternTable:
		t := c.m.Tables[imp.Index]
		return t.Type.String() + " " + t.Limits.String()
	case ExternMemory:
		return c.m.Memories[imp.Index].Limits.String()
	case ExternGlobal:
		g := c.m.Globals[imp.Index]
		if g.Mutable {
			return "mut " + g.Type.String()
		}
		return g.Type.String()
	}
	return ""
}

// String is the limits as "1 to 16" or "1 or more".
func (l Limits) String() string {
	if l.HasMax {
		return fmt.Sprintf("%d to %d", l.Min, l.Max)
	}
	return fmt.Sprintf("%d or more", l.Min)
}

// importBreach says why an import is refused, empty when it is not.
func (c *checker) importBreach(i int, imp Import) (event.Breach, string) {
	full := quoteName(imp.Module) + "." + quoteName(imp.Name)
	at := fmt.Sprintf("import %d, byte 0x%x", i, imp.At.Start)
	if imp.Kind != ExternFunc {
		why := fmt.Sprintf("it is a %s; only functions can be imported", imp.Kind)
		b := event.Breach{Rule: abi.ModuleImportKind, Detail: fmt.Sprintf("%s is a %s (%s); only functions can be imported. %s", full, imp.Kind, c.importTypeText(imp), at)}
		b.Cause, b.Fix = c.explain(coverKinds, importKindFix(imp))
		return b, why
	}
	var want FuncType
	moduleKnown, nameKnown := false, false
	if c.Provided != nil {
		want, moduleKnown, nameKnown = c.Provided(imp.Module, imp.Name)
	}
	have := c.m.importType(imp)
	switch {
	case !moduleKnown:
		b := event.Breach{Rule: abi.ModuleImportModule,
			Detail: fmt.Sprintf("%s %s is not provided; only %s and %s are. %s", full, have, abi.ModuleWASI, abi.ModuleHTTP, at)}
		b.Cause, b.Fix = c.explainImport(imp)
		return b, quoteName(imp.Module) + " is not provided"
	case !nameKnown:
		detail := fmt.Sprintf("%s %s: %s has no such function", full, have, imp.Module)
		if imp.Module == abi.ModuleWASI && strings.HasPrefix(imp.Name, "sock_") && wasmEdgeSocket(imp.Name) {
			detail += "; it is one of WasmEdge's sockets"
		}
		near := c.near(imp)
		if near != "" {
			detail += "; the nearest is " + near
		}
		b := event.Breach{Rule: abi.ModuleImportFunction, Detail: detail + ". " + at}
		b.Cause, b.Fix = c.explain(coverWASI, missingNameFix(imp, near, c.names(imp.Module)))
		return b, "no such function"
	case !have.Equal(want):
		b := event.Breach{Rule: abi.ModuleImportType,
			Detail: fmt.Sprintf("%s is imported as %s, it is provided as %s. %s", full, have, want, at),
			Fix:    fmt.Sprintf("Declare it as %s; every pointer and length is an i32.", want)}
		return b, fmt.Sprintf("it is provided as %s", want)
	}
	return event.Breach{}, ""
}

// explain is the cause and the fix of a breach: of the build mistake when that
// explains it, else its own.
func (c *checker) explain(kind cover, fix string) (cause, itsFix string) {
	if c.build.covers&kind != 0 {
		if c.build.fix != "" {
			return c.build.cause, c.build.fix
		}
		return c.build.cause, fix
	}
	return "", fix
}

// explainImport explains an import from a module that nobody provides. With an
// undefined symbol the fix names it.
func (c *checker) explainImport(imp Import) (cause, fix string) {
	fix = "Leave out what needs it: a module may import from " + abi.ModuleWASI + " and " + abi.ModuleHTTP + " alone."
	if imp.Module == "env" {
		fix = undefinedFix(c.report.Toolchain.kind, quoteName(imp.Name))
		if c.build.cause == causeEmscripten && !emscriptenName(imp.Name) {
			return causeEmscripten, fix + " " + c.build.fix
		}
		if c.build.cause == causeExceptions && !strings.HasPrefix(imp.Name, "__cxa_") && !strings.HasPrefix(imp.Name, "_Unwind_") {
			return causeUndefined, fix
		}
	}
	return c.explain(coverImports, fix)
}

// undefinedFix is what to do about a symbol that was left open, by toolchain.
func undefinedFix(kind toolKind, name string) string {
	switch kind {
	case toolRust:
		return fmt.Sprintf("An extern \"C\" block names %s and nothing defines it: link the library that has it (build.rs, #[link]), or leave out the crate that wants it. rustc links with --allow-undefined.", name)
	case toolGo:
		return fmt.Sprintf("A //go:wasmimport env %s names it: leave it out.", name)
	case toolTinyGo:
		return fmt.Sprintf("A function without a body, or //go:wasmimport, names %s: give it a body, or leave it out.", name)
	case toolZig:
		return fmt.Sprintf("An extern fn names %s and nothing defines it: link the library that has it, or leave out --import-symbols.", name)
	case toolSwift:
		return fmt.Sprintf("A C declaration or @_silgen_name names %s and nothing defines it: link the library that has it.", name)
	}
	return fmt.Sprintf("The linker left %s open: define it, or leave out --allow-undefined and --import-undefined to see where it is used.", name)
}

// emscriptenName reports whether a name in env looks like Emscripten's own.
func emscriptenName(name string) bool {
	for _, p := range []string{"emscripten", "_emscripten", "__syscall", "invoke_", "__cxa_", "_Unwind", "_mmap_js", "_munmap_js", "_tzset", "_localtime", "_abort_js", "abort", "__assert_fail", "exit", "memory", "table", "__table_base", "__memory_base", "__stack_pointer", "__indirect"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

func importKindFix(imp Import) string {
	switch imp.Kind {
	case ExternMemory:
		return "Define the memory in the module and export it as memory: leave out --import-memory."
	case ExternTable:
		return "Define the table in the module: leave out --import-table."
	case ExternGlobal:
		return "Define the global in the module: it is left open by a library or an object file that was not linked."
	}
	return "Define it in the module."
}

func missingNameFix(imp Import, near string, names []string) string {
	const few = 8
	switch {
	case imp.Module == abi.ModuleHTTP && len(names) > 0 && len(names) <= few:
		return imp.Module + " provides " + strings.Join(names, " and ") + "."
	case near != "":
		return "Import " + near + "."
	}
	return "Use a function of WASI preview 1."
}

func (c *checker) names(module string) []string {
	if c.Names == nil {
		return nil
	}
	return c.Names(module)
}

// near is the provided name nearest to the import's, empty when none is near.
func (c *checker) near(imp Import) string {
	const longest = 64 // of a name that is compared
	if len(imp.Name) > longest {
		return ""
	}
	best, distance := "", 1+len(imp.Name)/3
	for _, name := range c.names(imp.Module) {
		if d := editDistance(strings.ToLower(imp.Name), name); d <= distance && (best == "" || d < distance) {
			best, distance = name, d
		}
	}
	return best
}

// editDistance counts the letters to insert, delete or change.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			d := diagonal
			if a[i] != b[j] {
				d = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], d
		}
	}
	return row[len(b)]
}

// quoteName is a name as it is when it is plain, else quoted.
func quoteName(s string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:/@$"
	if s == "" || len(s) > 80 || strings.Trim(s, plain) != "" {
		return quote(s)
	}
	return s
}
