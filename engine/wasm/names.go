package wasm

import (
	"sort"
	"sync"
)

// names is what the name section says, read when first asked for.
type names struct {
	once    sync.Once
	module  string
	funcs   []nameEntry
	locals  []localEntry
	exports []exportEntry
}

// exportEntry is a function's export.
type exportEntry struct{ fn, export uint32 }

type nameEntry struct {
	index uint32
	at    Span
}

type localEntry struct {
	fn, index uint32
	at        Span
}

// Subsections of the name section.
const (
	nameModule = 0
	nameFuncs  = 1
	nameLocals = 2
)

// NameSection is the name of the custom section that names functions.
const NameSection = "name"

// Name is the module's own name in the name section.
func (m *Module) Name() string {
	m.names.once.Do(m.readNames)
	return m.names.module
}

// FuncName is the name of function i: of the name section, else of an export,
// else the import's "module.name"; empty when it has none. Safe for concurrent
// use, as all of a Module is once it is read.
func (m *Module) FuncName(i uint32) string {
	m.names.once.Do(m.readNames)
	fs := m.names.funcs
	if n := sort.Search(len(fs), func(k int) bool { return fs[k].index >= i }); n < len(fs) && fs[n].index == i {
		return string(m.Bytes[fs[n].at.Start:fs[n].at.End])
	}
	es := m.names.exports
	if n := sort.Search(len(es), func(k int) bool { return es[k].fn >= i }); n < len(es) && es[n].fn == i {
		return m.Exports[es[n].export].Name
	}
	// Functions are the only kind of import that is provided, so the import's
	// place is nearly always the function's index; at worst it is behind it.
	for k := int(i); int64(i) < int64(m.ImportedFuncs()) && k < len(m.Imports); k++ {
		if imp := &m.Imports[k]; imp.Kind == ExternFunc && imp.Index == i {
			return imp.Module + "." + imp.Name
		}
	}
	return ""
}

// LocalName is the name of a local in the name section, empty without one.
func (m *Module) LocalName(fn, local uint32) string {
	m.names.once.Do(m.readNames)
	ls := m.names.locals
	n := sort.Search(len(ls), func(k int) bool {
		return ls[k].fn > fn || (ls[k].fn == fn && ls[k].index >= local)
	})
	if n < len(ls) && ls[n].fn == fn && ls[n].index == local {
		return string(m.Bytes[ls[n].at.Start:ls[n].at.End])
	}
	return ""
}

// readNames reads the name section as far as it is well made: it is custom, so
// a fault in it is no fault of the module.
func (m *Module) readNames() {
	for _, s := range m.Sections {
		if s.ID != SecCustom || s.Name != NameSection {
			continue
		}
		c := cursor{b: m.Bytes[:s.Body.End], pos: s.Body.Start}
		for c.left() > 0 && c.fault == nil {
			id := c.byte("a subsection")
			body := c.skip(uint64(c.u32("a size")), "a subsection")
			if c.fault == nil {
				m.nameSubsection(id, body)
			}
		}
		break
	}
	for i, e := range m.Exports {
		if e.Kind == ExternFunc {
			m.names.exports = append(m.names.exports, exportEntry{e.Index, uint32(i)})
		}
	}
	fs, ls, es := m.names.funcs, m.names.locals, m.names.exports
	sort.SliceStable(es, func(i, j int) bool { return es[i].fn < es[j].fn })
	sort.SliceStable(fs, func(i, j int) bool { return fs[i].index < fs[j].index })
	sort.SliceStable(ls, func(i, j int) bool {
		return ls[i].fn < ls[j].fn || (ls[i].fn == ls[j].fn && ls[i].index < ls[j].index)
	})
}

func (m *Module) nameSubsection(id byte, body Span) {
	c := cursor{b: m.Bytes[:body.End], pos: body.Start}
	switch id {
	case nameModule:
		m.names.module = c.name("a name")
	case nameFuncs:
		for range c.count(maxFunctions, "names") {
			e := nameEntry{index: c.u32("an index")}
			if e.at = c.skip(uint64(c.u32("a length")), "a name"); c.fault != nil {
				return
			}
			m.names.funcs = append(m.names.funcs, e)
		}
	case nameLocals:
		for range c.count(maxFunctions, "functions") {
			fn := c.u32("an index")
			for range c.count(maxLocals, "names") {
				e := localEntry{fn: fn, index: c.u32("an index")}
				if e.at = c.skip(uint64(c.u32("a length")), "a name"); c.fault != nil {
					return
				}
				m.names.locals = append(m.names.locals, e)
			}
		}
	}
}
