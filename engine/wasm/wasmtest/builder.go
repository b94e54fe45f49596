// Package wasmtest writes small WebAssembly modules for tests: sections from Go
// values, and bodies from a few helpers or raw bytes. It writes what it is told,
// modules that no engine takes included. It knows neither the reader nor the
// check that its modules are made for.
package wasmtest

import (
	"encoding/binary"
	"slices"
)

// Value types.
const (
	I32       byte = 0x7f
	I64       byte = 0x7e
	F32       byte = 0x7d
	F64       byte = 0x7c
	V128      byte = 0x7b
	FuncRef   byte = 0x70
	ExternRef byte = 0x6f
)

// Kinds of imports and exports.
const (
	KindFunc byte = iota
	KindTable
	KindMemory
	KindGlobal
	KindTag
)

// Section ids.
const (
	SecCustom byte = iota
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
	SecTag
)

// Header is the magic number and version 1.
const Header = "\x00asm\x01\x00\x00\x00"

// Builder collects a module. The zero value is an empty one.
type Builder struct {
	types    [][]byte
	imports  [][]byte
	funcs    [][]byte
	tables   [][]byte
	memories [][]byte
	globals  [][]byte
	exports  [][]byte
	elems    [][]byte
	data     [][]byte
	bodies   [][]byte
	start    []byte
	names    []string // of functions, for the name section
	customs  [][]byte
	raw      map[byte][]byte

	imported   uint32 // functions
	dataCount  bool
	tableCount uint32
}

// U is an unsigned LEB128.
func U(x uint64) []byte { return binary.AppendUvarint(nil, x) }

// S is a signed LEB128.
func S(x int64) []byte {
	var b []byte
	for {
		y := byte(x & 0x7f)
		x >>= 7
		if (x == 0 && y&0x40 == 0) || (x == -1 && y&0x40 != 0) {
			return append(b, y)
		}
		b = append(b, y|0x80)
	}
}

// Str is a name: its length and its bytes.
func Str(s string) []byte { return append(U(uint64(len(s))), s...) }

// Vec is a vector: the number of items and the items.
func Vec(items ...[]byte) []byte { return append(U(uint64(len(items))), Cat(items...)...) }

// Cat joins bytes.
func Cat(parts ...[]byte) []byte { return slices.Concat(parts...) }

// Types is a list of value types, for parameters and results.
func Types(ts ...byte) []byte { return ts }

// Section is one section with its header.
func Section(id byte, contents []byte) []byte {
	return Cat([]byte{id}, U(uint64(len(contents))), contents)
}

// Custom is one custom section with its header.
func Custom(name string, contents []byte) []byte {
	return Section(SecCustom, Cat(Str(name), contents))
}

// Limits are a minimum, and a maximum when most is not negative.
func Limits(least uint64, most int64) []byte {
	if most < 0 {
		return Cat([]byte{0}, U(least))
	}
	return Cat([]byte{1}, U(least), U(uint64(most)))
}

// RawType appends an entry to the type section and returns its index.
func (b *Builder) RawType(t []byte) uint32 {
	for i, u := range b.types {
		if slices.Equal(t, u) {
			return uint32(i)
		}
	}
	b.types = append(b.types, t)
	return uint32(len(b.types) - 1)
}

// Type is the index of a function type.
func (b *Builder) Type(params, results []byte) uint32 {
	return b.RawType(Cat([]byte{0x60}, U(uint64(len(params))), params, U(uint64(len(results))), results))
}

// ImportFunc imports a function and returns its index. All imports come before
// the first Func.
func (b *Builder) ImportFunc(module, name string, params, results []byte) uint32 {
	b.Import(module, name, KindFunc, U(uint64(b.Type(params, results))))
	b.imported++
	b.names = append(b.names, "")
	return b.imported - 1
}

// Import imports anything: desc is what follows the kind.
func (b *Builder) Import(module, name string, kind byte, desc []byte) {
	b.imports = append(b.imports, Cat(Str(module), Str(name), []byte{kind}, desc))
}

// Func adds a function and returns its index. locals is one type for each local;
// the body ends itself with an end.
func (b *Builder) Func(name string, params, results, locals []byte, code ...[]byte) uint32 {
	b.funcs = append(b.funcs, U(uint64(b.Type(params, results))))
	groups := make([][]byte, len(locals))
	for i, t := range locals {
		groups[i] = []byte{1, t}
	}
	b.RawBody(Cat(Vec(groups...), Cat(code...), []byte{0x0b}))
	b.names = append(b.names, name)
	return b.imported + uint32(len(b.funcs)-1)
}

// RawBody adds a body, declarations of locals and final end included.
func (b *Builder) RawBody(body []byte) {
	b.bodies = append(b.bodies, Cat(U(uint64(len(body))), body))
}

// Table adds a table and returns its index.
func (b *Builder) Table(typ byte, least uint64, most int64) uint32 {
	b.tables = append(b.tables, Cat([]byte{typ}, Limits(least, most)))
	b.tableCount++
	return b.tableCount - 1
}

// Memory adds a memory of so many pages; most below zero: no maximum.
func (b *Builder) Memory(least uint64, most int64) { b.RawMemory(Limits(least, most)) }

// RawMemory adds a memory with these limits.
func (b *Builder) RawMemory(limits []byte) { b.memories = append(b.memories, limits) }

// Global adds a global and returns its index; init has no end.
func (b *Builder) Global(typ byte, mutable bool, init ...[]byte) uint32 {
	m := byte(0)
	if mutable {
		m = 1
	}
	b.globals = append(b.globals, Cat([]byte{typ, m}, Cat(init...), []byte{0x0b}))
	return uint32(len(b.globals) - 1)
}

// Export exports something.
func (b *Builder) Export(name string, kind byte, index uint32) {
	b.exports = append(b.exports, Cat(Str(name), []byte{kind}, U(uint64(index))))
}

// Start sets the start function.
func (b *Builder) Start(fn uint32) { b.start = U(uint64(fn)) }

// Elem adds an active segment of table 0 at an offset.
func (b *Builder) Elem(offset int64, fns ...uint32) {
	b.RawElem(Cat([]byte{0}, I32Const(offset), []byte{0x0b}, indices(fns)))
}

// PassiveElem adds a passive segment of functions and returns its index.
func (b *Builder) PassiveElem(fns ...uint32) uint32 {
	b.RawElem(Cat([]byte{1, 0}, indices(fns)))
	return uint32(len(b.elems) - 1)
}

// DeclareElem adds a declarative segment: what ref.func may name.
func (b *Builder) DeclareElem(fns ...uint32) { b.RawElem(Cat([]byte{3, 0}, indices(fns))) }

// RawElem adds an element segment.
func (b *Builder) RawElem(e []byte) { b.elems = append(b.elems, e) }

func indices(fns []uint32) []byte {
	out := U(uint64(len(fns)))
	for _, f := range fns {
		out = append(out, U(uint64(f))...)
	}
	return out
}

// Data adds an active segment at an offset of memory 0.
func (b *Builder) Data(offset int64, contents []byte) {
	b.RawData(Cat([]byte{0}, I32Const(offset), []byte{0x0b}, Str(string(contents))))
}

// PassiveData adds a passive segment and returns its index. The data count
// section is written then.
func (b *Builder) PassiveData(contents []byte) uint32 {
	b.RawData(Cat([]byte{1}, Str(string(contents))))
	b.dataCount = true
	return uint32(len(b.data) - 1)
}

// RawData adds a data segment.
func (b *Builder) RawData(d []byte) { b.data = append(b.data, d) }

// Custom adds a custom section at the end.
func (b *Builder) Custom(name string, contents []byte) {
	b.customs = append(b.customs, Custom(name, contents))
}

// RawSection sets a section's contents in place of what was collected.
func (b *Builder) RawSection(id byte, contents []byte) {
	if b.raw == nil {
		b.raw = make(map[byte][]byte)
	}
	b.raw[id] = contents
}

// Bytes is the module.
func (b *Builder) Bytes() []byte {
	out := []byte(Header)
	vectors := map[byte][][]byte{
		SecType: b.types, SecImport: b.imports, SecFunction: b.funcs, SecTable: b.tables,
		SecMemory: b.memories, SecGlobal: b.globals, SecExport: b.exports, SecElement: b.elems,
		SecCode: b.bodies, SecData: b.data,
	}
	order := []byte{SecType, SecImport, SecFunction, SecTable, SecMemory, SecTag, SecGlobal,
		SecExport, SecStart, SecElement, SecDataCount, SecCode, SecData}
	for _, id := range order {
		contents, ok := b.raw[id]
		switch {
		case ok:
		case id == SecStart:
			contents, ok = b.start, b.start != nil
		case id == SecDataCount:
			contents, ok = U(uint64(len(b.data))), b.dataCount
		case len(vectors[id]) > 0:
			contents, ok = Vec(vectors[id]...), true
		}
		if ok {
			out = append(out, Section(id, contents)...)
		}
	}
	out = append(out, b.nameSection()...)
	return append(out, Cat(b.customs...)...)
}

func (b *Builder) nameSection() []byte {
	var entries [][]byte
	for i, name := range b.names {
		if name != "" {
			entries = append(entries, Cat(U(uint64(i)), Str(name)))
		}
	}
	if len(entries) == 0 {
		return nil
	}
	return Custom("name", Section(1, Vec(entries...)))
}
