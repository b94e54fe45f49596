package wasm

import (
	"strconv"
	"strings"
)

// ValType is a value type as its byte in the binary. A reference to a heap type
// by index (typed function references, GC) carries the index in the upper bits.
type ValType uint32

// The value types of WebAssembly 2.0.
const (
	I32       ValType = 0x7f
	I64       ValType = 0x7e
	F32       ValType = 0x7d
	F64       ValType = 0x7c
	V128      ValType = 0x7b
	FuncRef   ValType = 0x70
	ExternRef ValType = 0x6f
)

// Prefixes of a reference to a heap type, beyond 2.0.
const (
	refHeap     ValType = 0x64
	refNullHeap ValType = 0x63
)

// String is the type in the text format.
func (t ValType) String() string {
	switch t & 0xff {
	case refHeap:
		return "(ref " + heapText(t) + ")"
	case refNullHeap:
		return "(ref null " + heapText(t) + ")"
	}
	if s := typeByteName(byte(t)); s != "" {
		return s
	}
	return "0x" + strconv.FormatUint(uint64(t), 16)
}

func heapText(t ValType) string {
	h := uint32(t >> 8)
	if h&heapAbstract != 0 {
		return strings.TrimSuffix(typeByteName(byte(h)), "ref")
	}
	return strconv.FormatUint(uint64(h), 10)
}

// heapAbstract marks, in the upper bits of a ValType, a heap type named by a
// byte and not by an index.
const heapAbstract = 1 << 23

func typeByteName(b byte) string {
	switch b {
	case 0x7f:
		return "i32"
	case 0x7e:
		return "i64"
	case 0x7d:
		return "f32"
	case 0x7c:
		return "f64"
	case 0x7b:
		return "v128"
	case 0x78:
		return "i8"
	case 0x77:
		return "i16"
	case 0x74:
		return "nullexnref"
	case 0x73:
		return "nullfuncref"
	case 0x72:
		return "nullexternref"
	case 0x71:
		return "nullref"
	case 0x70:
		return "funcref"
	case 0x6f:
		return "externref"
	case 0x6e:
		return "anyref"
	case 0x6d:
		return "eqref"
	case 0x6c:
		return "i31ref"
	case 0x6b:
		return "structref"
	case 0x6a:
		return "arrayref"
	case 0x69:
		return "exnref"
	case 0x68:
		return "contref"
	}
	return ""
}

// FuncType is a function's signature.
type FuncType struct {
	Params, Results []ValType
}

// Equal reports whether both signatures are the same.
func (t FuncType) Equal(u FuncType) bool {
	return sameTypes(t.Params, u.Params) && sameTypes(t.Results, u.Results)
}

func sameTypes(a, b []ValType) bool {
	if len(a) != len(b) {
		return false
	}
	for i, t := range a {
		if t != b[i] {
			return false
		}
	}
	return true
}

// String is the signature as "(i32, i32) -> i32"; without results, "(i32)".
func (t FuncType) String() string {
	s := "(" + typeList(t.Params) + ")"
	switch len(t.Results) {
	case 0:
		return s
	case 1:
		return s + " -> " + t.Results[0].String()
	}
	return s + " -> (" + typeList(t.Results) + ")"
}

// typeListMax is how many types a text names before it counts the rest.
const typeListMax = 16

func typeList(ts []ValType) string {
	var b strings.Builder
	for i, t := range ts {
		if i > 0 {
			b.WriteString(", ")
		}
		if i == typeListMax {
			b.WriteString(strconv.Itoa(len(ts)-i) + " more")
			break
		}
		b.WriteString(t.String())
	}
	return b.String()
}

// Span is a range of bytes in the module, the end exclusive.
type Span struct{ Start, End int }

// Len is the number of bytes.
func (s Span) Len() int { return s.End - s.Start }

// SectionID is the id byte of a section.
type SectionID byte

// The sections.
const (
	SecCustom SectionID = iota
	SecType
	SecImport
	SecFunction
	SecTable
	SecMemory
	SecGlobal
	SecExport
	SecStart
	SecElement
	SecCode
	SecData
	SecDataCount
	SecTag // exceptions, beyond 2.0
)

// String is the section's name in the specification.
func (id SectionID) String() string {
	names := [...]string{"custom", "type", "import", "function", "table", "memory", "global",
		"export", "start", "element", "code", "data", "data count", "tag"}
	if int(id) < len(names) {
		return names[id]
	}
	return "section " + strconv.Itoa(int(id))
}

// Section is one section of the module.
type Section struct {
	ID   SectionID
	Name string // of a custom section
	All  Span   // with its header
	Body Span   // without; of a custom section, after its name
}

// Label is the section's name, a custom section's with its own.
func (s Section) Label() string {
	if s.ID == SecCustom {
		return "custom " + strconv.Quote(s.Name)
	}
	return s.ID.String()
}

// TypeKind tells function types from the types of later proposals.
type TypeKind byte

// The kinds of types. All but TypeFunc are beyond 2.0.
const (
	TypeFunc TypeKind = iota
	TypeStruct
	TypeArray
	TypeCont
)

// Type is an entry of the type section.
type Type struct {
	Kind TypeKind
	Func FuncType
	At   Span
}

// ExternKind is what is imported or exported.
type ExternKind byte

// The kinds of imports and exports.
const (
	ExternFunc ExternKind = iota
	ExternTable
	ExternMemory
	ExternGlobal
	ExternTag // exceptions, beyond 2.0
)

// String is the kind in words.
func (k ExternKind) String() string {
	names := [...]string{"function", "table", "memory", "global", "tag"}
	if int(k) < len(names) {
		return names[k]
	}
	return "kind " + strconv.Itoa(int(k))
}

// Limits are the size of a memory in pages or of a table in entries.
type Limits struct {
	Min, Max uint64
	HasMax   bool
	Shared   bool // threads
	Is64     bool // memory64
	PageLog  int  // log2 of a custom page size, -1: the usual 64 KiB
}

// Table is a table's type, imported or not.
type Table struct {
	Type   ValType
	Limits Limits
	At     Span
	Init   Span // of an initialiser (typed function references), else empty
}

// Memory is a memory's type, imported or not.
type Memory struct {
	Limits Limits
	At     Span
}

// Global is a global's type; Init is the span of its constant expression,
// empty when it is imported.
type Global struct {
	Type    ValType
	Mutable bool
	At      Span
	Init    Span
}

// Import is one import. Index counts within its kind's index space.
type Import struct {
	Module, Name string
	Kind         ExternKind
	Index        uint32
	TypeIndex    uint32 // of a function or tag
	At           Span
}

// Export is one export.
type Export struct {
	Name  string
	Kind  ExternKind
	Index uint32
	At    Span
}

// SegmentMode is how an element or data segment is used.
type SegmentMode byte

// The modes.
const (
	Active SegmentMode = iota
	Passive
	Declarative
)

// Elem is an element segment.
type Elem struct {
	Flags  uint32
	Mode   SegmentMode
	Table  uint32
	Type   ValType
	Offset Span // constant expression of an active segment
	Funcs  Span // function indices, when Exprs is false
	Items  Span // constant expressions, when Exprs is true
	Exprs  bool
	Count  uint32
	At     Span
}

// Data is a data segment.
type Data struct {
	Mode   SegmentMode
	Memory uint32
	Offset Span // constant expression of an active segment
	Bytes  Span
	At     Span
}

// LocalGroup is a run of locals of one type.
type LocalGroup struct {
	Count uint32
	Type  ValType
}

// Code is a function body.
type Code struct {
	At     Span // with its size
	Locals Span // the declarations
	Expr   Span // the instructions
	broken bool // the declarations could not be read
}
