package wasm

import (
	"fmt"
	"slices"

	"perch/engine/abi"
	"perch/engine/event"
	words "perch/engine/quote"
	"perch/engine/units"
)

// CheckOptions are what the check needs to know from outside.
type CheckOptions struct {
	// Provided says what the host provides under a name: its signature, whether
	// it provides the module at all, and whether it provides the name.
	Provided func(module, name string) (sig FuncType, moduleKnown, nameKnown bool)
	// Names lists the functions of a provided module, for near misses.
	Names func(module string) []string
	// MemoryLimit is our limit of linear memory in bytes; 0: abi.LocalMemory.
	MemoryLimit uint64
	// File is the module's name in breaches; empty: abi.ModuleFile.
	File string
	// SecondOpinion validates the module's types, an engine's compile. It is
	// asked when the report is Typed, without custom sections, which an engine
	// may take offence at and the specification does not. It may be nil.
	SecondOpinion func(module []byte) error
}

// Report is what the check found.
type Report struct {
	Breaches  []event.Breach
	Toolchain Toolchain
	Imports   []ImportRow
	Exports   []ExportRow
	Features  []FeatureUse
	Sections  []SectionRow
	Functions int // with a body
}

// Refused reports whether an upload refuses the module, by the ABI page or by
// a local limit.
func (r *Report) Refused() bool {
	for _, b := range r.Breaches {
		if abi.RuleOf(b.Rule).Effect() == abi.Refuses {
			return true
		}
	}
	return false
}

// Typed reports whether an engine that knows WebAssembly 2.0 can look at the
// module's types: its form is whole, nothing in it is of a later proposal, and
// no table is beyond all engines.
func (r *Report) Typed() bool {
	if len(r.Sections) == 0 {
		return false
	}
	for _, b := range r.Breaches {
		if b.Rule == abi.ModuleMalformed || b.Rule == abi.ModuleTableLimit {
			return false
		}
	}
	return !slices.ContainsFunc(r.Features, func(f FeatureUse) bool { return !f.Allowed })
}

// ImportRow is one import.
type ImportRow struct {
	Module, Name string
	Kind         ExternKind
	Type         string // signature, or limits
	Offset       int64
	Allowed      bool
	Why          string // when it is refused
}

// ExportRow is one export.
type ExportRow struct {
	Name   string
	Kind   ExternKind
	Index  uint32
	Type   string
	Offset int64
}

// FeatureUse is one feature that the module uses.
type FeatureUse struct {
	Feature   Feature
	Name      string
	Allowed   bool
	Count     int // places
	Functions int // with at least one
	First     Place
	What      []string // the first few different instructions or constructs
}

// SectionRow is one section.
type SectionRow struct {
	Label  string
	Offset int64
	Bytes  int64
}

// Bounds of a report about a module that is made to be long.
const (
	breachesPerRule = 200
	rowsMax         = 10_000
	nameMax         = 200 // bytes of a name in a breach's place
)

// checker collects what one check finds.
type checker struct {
	CheckOptions
	m      *Module
	report *Report
	build  build // how the module was made
	rules  map[abi.RuleID]int
}

// Check names everything in b that an upload refuses: by the ABI page, or by a
// local limit where the rule says so. It never stops at the first.
func Check(b []byte, o CheckOptions) *Report {
	if o.MemoryLimit == 0 {
		o.MemoryLimit = abi.LocalMemory
	}
	if o.File == "" {
		o.File = abi.ModuleFile
	}
	c := &checker{CheckOptions: o, report: &Report{}, rules: make(map[abi.RuleID]int)}
	if c.notWasm(b) {
		return c.report
	}
	c.m = Read(b)
	c.report.Functions = len(c.m.Code)
	c.bodies()
	c.report.Toolchain = guessToolchain(c.m)
	c.build = guessBuild(c.m, c.report.Toolchain)
	c.sections()
	c.malformed()
	c.features()
	c.imports()
	c.exports()
	c.sizes()
	c.secondOpinion()
	c.toolchain()
	c.more()
	return c.report
}

// where is a place in the module.
func (c *checker) where(at Span) event.Where {
	return event.Where{Stream: event.File, File: c.File, Offset: int64(at.Start), End: int64(max(at.End, at.Start)), Func: -1}
}

// add notes a breach, up to a bound for each rule.
func (c *checker) add(b event.Breach) {
	b.Where.Name = shorten(b.Where.Name, nameMax)
	if c.rules[b.Rule]++; c.rules[b.Rule] <= breachesPerRule {
		c.report.Breaches = append(c.report.Breaches, b)
	}
}

// more says with the first breach of a rule how many were not listed.
func (c *checker) more() {
	for i, b := range c.report.Breaches {
		if n := c.rules[b.Rule]; n > breachesPerRule {
			c.report.Breaches[i].Detail += fmt.Sprintf(" (and %d more like it, not listed)", n-breachesPerRule)
			c.rules[b.Rule] = 0
		}
	}
}

func (c *checker) sections() {
	for _, s := range c.m.Sections {
		if len(c.report.Sections) == rowsMax {
			break
		}
		c.report.Sections = append(c.report.Sections, SectionRow{s.Label(), int64(s.All.Start), int64(s.All.Len())})
	}
}

func (c *checker) malformed() {
	for _, f := range c.m.Faults {
		w := c.where(Span{f.Offset, f.Offset})
		w.Section, w.Func = f.Section, f.Func
		detail := f.Error()
		if f.Func >= 0 {
			w.Name = c.m.FuncName(uint32(f.Func))
			detail = fmt.Sprintf("%s section, %s, byte 0x%x: %s", f.Section, c.funcText(f.Func), f.Offset, f.Text)
		}
		c.add(event.Breach{Rule: abi.ModuleMalformed, Where: w, Detail: detail,
			Fix:   "The file is damaged or was written by a faulty tool: build it again, and copy it as binary.",
			Cause: "the bytes are not a whole module"})
	}
}

// funcText names a function: function 3 "main".
func (c *checker) funcText(fn int) string {
	text := fmt.Sprintf("function %d", fn)
	if name := c.m.FuncName(uint32(fn)); name != "" {
		text += " " + quote(name)
	}
	return text
}

// sizes checks the local limits.
func (c *checker) sizes() {
	for i, mem := range c.m.Memories {
		if mem.Limits.Is64 || mem.Limits.PageLog >= 0 {
			continue // refused for that
		}
		if bytes := mem.Limits.Min * abi.PageSize; bytes > c.MemoryLimit {
			w := c.where(mem.At)
			w.Section = SecMemory.String()
			c.add(event.Breach{Rule: abi.ModuleMemoryLimit, Where: w,
				Detail: fmt.Sprintf("memory %d begins with %s, %s; our limit is %s (local setting, --memory)",
					i, words.Plural(int64(mem.Limits.Min), "page"), units.Limit(bytes), units.Limit(c.MemoryLimit)),
				Fix: "Begin with less and grow: a smaller --initial-memory or stack, smaller static arrays. Or raise --memory."})
		}
	}
	for i, t := range c.m.Tables {
		if t.Limits.Min > abi.MaxTableEntries {
			w := c.where(t.At)
			w.Section = SecTable.String()
			c.add(event.Breach{Rule: abi.ModuleTableLimit, Where: w,
				Detail: fmt.Sprintf("table %d begins with %s entries; our limit is %s", i, words.Count(int64(t.Limits.Min)), words.Count(abi.MaxTableEntries)),
				Fix:    "A table holds the functions that are called by pointer: no module needs that many."})
		}
	}
}

func (c *checker) toolchain() {
	t := c.report.Toolchain
	if t.Name == "" {
		return
	}
	detail := t.String()
	if t.Evidence != "" {
		detail += ", by " + t.Evidence
	}
	w := c.where(Span{0, len(c.m.Bytes)})
	c.add(event.Breach{Rule: abi.ModuleToolchain, Where: w, Detail: detail, Fix: usualBuild(t.kind)})
}
