package wasm

import (
	"encoding/binary"
	"fmt"
)

// Module is what Read found. Indices count imports first, as in the binary.
// It keeps the bytes it was read from and spans into them.
type Module struct {
	Bytes    []byte
	Sections []Section
	Types    []Type
	Imports  []Import
	// Funcs holds the type index of each function, imported ones first.
	Funcs    []uint32
	Tables   []Table
	Memories []Memory
	Globals  []Global
	Tags     []uint32 // type indices
	Exports  []Export
	Start    *uint32
	StartAt  Span
	Elems    []Elem
	// DataCount is the data count section's number, -1 without one.
	DataCount int
	Data      []Data
	// Code holds the bodies of the functions that are not imported.
	Code []Code

	// Faults are the places where the bytes are not a module, in their order.
	Faults []*Fault

	imported [ExternTag + 1]int // imports of each kind
	uses     featureUses
	names    names
}

// magic and version 1 of a core module.
const (
	magic        = "\x00asm"
	headerLength = 8
)

// Read reads all of b and never stops early: a fault in one section is noted in
// Faults and the next section is read. Function bodies are only delimited.
func Read(b []byte) *Module {
	m := &Module{Bytes: b, DataCount: -1}
	m.uses.fn = -1
	if fault := header(b); fault != nil {
		m.Faults = append(m.Faults, fault)
		return m
	}
	m.split()
	for i := range m.Sections {
		m.section(&m.Sections[i])
	}
	m.agree()
	return m
}

// ImportedFuncs is the number of imported functions: the index of the first
// that has a body.
func (m *Module) ImportedFuncs() int { return m.imported[ExternFunc] }

// ImportedGlobals is the number of imported globals.
func (m *Module) ImportedGlobals() int { return m.imported[ExternGlobal] }

// FuncType is the signature of function i; ok is false when there is none.
func (m *Module) FuncType(i uint32) (t FuncType, ok bool) {
	if uint64(i) >= uint64(len(m.Funcs)) {
		return t, false
	}
	return m.TypeOf(m.Funcs[i])
}

// TypeOf is the function type with index i.
func (m *Module) TypeOf(i uint32) (t FuncType, ok bool) {
	if uint64(i) >= uint64(len(m.Types)) || m.Types[i].Kind != TypeFunc {
		return t, false
	}
	return m.Types[i].Func, true
}

// Body is the body of function i, nil when it is imported or absent.
func (m *Module) Body(i uint32) *Code {
	n := int64(i) - int64(m.ImportedFuncs())
	if n < 0 || n >= int64(len(m.Code)) {
		return nil
	}
	return &m.Code[n]
}

// SectionOf is the first section with this id, nil without one.
func (m *Module) SectionOf(id SectionID) *Section {
	for i := range m.Sections {
		if m.Sections[i].ID == id {
			return &m.Sections[i]
		}
	}
	return nil
}

// Custom is the contents of the first custom section with this name.
func (m *Module) Custom(name string) ([]byte, bool) {
	for _, s := range m.Sections {
		if s.ID == SecCustom && s.Name == name {
			return m.Bytes[s.Body.Start:s.Body.End], true
		}
	}
	return nil, false
}

// faultsMax bounds the list of faults of a module that is all faults.
const faultsMax = 1000

func (m *Module) addFault(section string, f *Fault) {
	if len(m.Faults) < faultsMax {
		if f.Section == "" {
			f.Section = section
		}
		m.Faults = append(m.Faults, f)
	}
}

func header(b []byte) *Fault {
	switch {
	case len(b) < len(magic) || string(b[:len(magic)]) != magic:
		return &Fault{Func: -1, Text: "the file does not begin with 00 61 73 6d"}
	case len(b) < headerLength:
		return &Fault{Func: -1, Offset: len(magic), Text: "the file ends within its version number"}
	}
	if v := binary.LittleEndian.Uint32(b[len(magic):]); v != 1 {
		return &Fault{Func: -1, Offset: len(magic), Text: fmt.Sprintf("the version is 0x%x, a core module's is 1", v)}
	}
	return nil
}

// sectionRank is each section's place in the order that the binary keeps.
func sectionRank(id SectionID) int {
	order := [...]SectionID{SecType, SecImport, SecFunction, SecTable, SecMemory, SecTag, SecGlobal,
		SecExport, SecStart, SecElement, SecDataCount, SecCode, SecData}
	for rank, x := range order {
		if x == id {
			return rank + 1
		}
	}
	return 0
}

// sectionsMax bounds the number of sections; custom ones may be many.
const sectionsMax = 100_000

// split finds the sections.
func (m *Module) split() {
	c := cursor{b: m.Bytes, pos: headerLength}
	highest, last := 0, SecCustom
	var seen [SecTag + 1]bool
	for c.left() > 0 && c.fault == nil {
		if len(m.Sections) == sectionsMax {
			c.failAt(c.pos, "more than %d sections", sectionsMax)
			break
		}
		start := c.pos
		id := SectionID(c.byte("a section id"))
		size := c.u32("the size of a section")
		body := c.skip(uint64(size), "the "+id.String()+" section")
		if c.fault != nil {
			break
		}
		s := Section{ID: id, All: Span{start, c.pos}, Body: body}
		if id == SecCustom {
			m.customName(&s)
			m.Sections = append(m.Sections, s)
			continue
		}
		switch rank := sectionRank(id); {
		case rank == 0:
			m.addFault(id.String(), &Fault{Func: -1, Offset: start, Text: fmt.Sprintf("no section has the id %d", id)})
			continue
		case seen[id]:
			m.addFault(id.String(), &Fault{Func: -1, Offset: start, Text: "the section is there twice"})
			continue
		case rank < highest:
			m.addFault(id.String(), &Fault{Func: -1, Offset: start, Text: fmt.Sprintf("the section stands behind the %s section, its place is before", last)})
		default:
			highest, last = rank, id
		}
		seen[id] = true
		m.Sections = append(m.Sections, s)
	}
	if c.fault != nil {
		m.addFault("", c.fault)
	}
}

func (m *Module) customName(s *Section) {
	c := cursor{b: m.Bytes[:s.Body.End], pos: s.Body.Start}
	s.Name = c.name("the name of a custom section")
	s.Body.Start = c.pos
	if c.fault != nil {
		m.addFault("custom", c.fault)
	}
}

// section reads the contents of one section.
func (m *Module) section(s *Section) {
	if s.ID == SecCustom {
		return
	}
	m.uses.section = s.ID.String()
	c := &cursor{b: m.Bytes[:s.Body.End], pos: s.Body.Start, features: &m.uses, lenient: len(m.Faults) > 0}
	switch s.ID {
	case SecType:
		m.readTypes(c)
	case SecImport:
		m.readImports(c)
	case SecFunction:
		m.readFunctions(c)
	case SecTable:
		m.readTables(c)
	case SecMemory:
		m.readMemories(c)
	case SecTag:
		m.readTags(c)
	case SecGlobal:
		m.readGlobals(c)
	case SecExport:
		m.readExports(c)
	case SecStart:
		m.readStart(c)
	case SecElement:
		m.readElements(c)
	case SecDataCount:
		m.DataCount = int(c.u32("the number of data segments"))
	case SecCode:
		m.readCode(c)
	case SecData:
		m.readData(c)
	}
	if c.fault == nil && c.left() > 0 {
		c.failAt(c.pos, "%d bytes are left at the end of the section", c.left())
	}
	if c.fault != nil {
		m.addFault(s.ID.String(), c.fault)
	}
}

// agree checks what must be the same in two sections, when all were read.
func (m *Module) agree() {
	if len(m.Faults) > 0 {
		return
	}
	defined := len(m.Funcs) - m.ImportedFuncs()
	if defined != len(m.Code) {
		m.addFault("code", &Fault{Func: -1, Offset: m.sectionStart(SecCode),
			Text: fmt.Sprintf("%d functions are declared, %d have a body", defined, len(m.Code))})
	}
	if m.DataCount >= 0 && m.DataCount != len(m.Data) {
		m.addFault("data count", &Fault{Func: -1, Offset: m.sectionStart(SecDataCount),
			Text: fmt.Sprintf("%d data segments are announced, there are %d", m.DataCount, len(m.Data))})
	}
	m.checkFuncIndices()
}

func (m *Module) sectionStart(id SectionID) int {
	if s := m.SectionOf(id); s != nil {
		return s.All.Start
	}
	return len(m.Bytes)
}

// checkFuncIndices checks what may name an index of a later section.
func (m *Module) checkFuncIndices() {
	counts := [...]int{len(m.Funcs), len(m.Tables), len(m.Memories), len(m.Globals), len(m.Tags)}
	seen := make(map[string]bool, len(m.Exports))
	for _, e := range m.Exports {
		if int(e.Kind) < len(counts) && uint64(e.Index) >= uint64(counts[e.Kind]) {
			m.addFault("export", &Fault{Func: -1, Offset: e.At.Start,
				Text: fmt.Sprintf("export %s is %s %d: %s", quote(e.Name), e.Kind, e.Index, there(counts[e.Kind]))})
		}
		if seen[e.Name] {
			m.addFault("export", &Fault{Func: -1, Offset: e.At.Start, Text: fmt.Sprintf("export %s is there twice", quote(e.Name))})
		}
		seen[e.Name] = true
	}
	if m.Start != nil && uint64(*m.Start) >= uint64(len(m.Funcs)) {
		m.addFault("start", &Fault{Func: -1, Offset: m.StartAt.Start,
			Text: fmt.Sprintf("function %d is not there: %s", *m.Start, there(len(m.Funcs)))})
	}
}
