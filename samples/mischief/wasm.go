package mischief

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// Section ids of a module, in the order in which they stand.
const (
	secCustom    = 0
	secType      = 1
	secImport    = 2
	secFunction  = 3
	secTable     = 4
	secMemory    = 5
	secGlobal    = 6
	secExport    = 7
	secStart     = 8
	secElement   = 9
	secCode      = 10
	secData      = 11
	secDataCount = 12
	secTag       = 13
)

// A few bytes of the binary format.
const (
	kindFunc   = 0
	kindTable  = 1
	kindMemory = 2
	kindGlobal = 3

	typeI32     = 0x7f
	typeI64     = 0x7e
	typeFuncref = 0x70
	opEnd       = 0x0b
)

var magic = []byte("\x00asm\x01\x00\x00\x00")

func uleb(n int) []byte { return binary.AppendUvarint(nil, uint64(n)) }

func name(s string) []byte { return append(uleb(len(s)), s...) }

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func section(id byte, payload []byte) []byte {
	return join([]byte{id}, uleb(len(payload)), payload)
}

// writer is a module that is put together entry by entry.
type writer struct{ entries map[byte][][]byte }

// correct is the smallest module that is in order: a memory, and a _start that
// returns.
func correct() *writer {
	w := &writer{entries: make(map[byte][][]byte)}
	w.add(secType, []byte{0x60, 0, 0})
	w.add(secFunction, []byte{0})
	w.add(secMemory, []byte{0, 1})
	w.add(secExport, join(name("memory"), []byte{kindMemory, 0}))
	w.add(secExport, join(name("_start"), []byte{kindFunc, 0}))
	w.add(secCode, body(nil))
	return w
}

// body is a function without locals, its end added.
func body(code []byte) []byte {
	b := join([]byte{0}, code, []byte{opEnd})
	return join(uleb(len(b)), b)
}

func (w *writer) add(id byte, entry []byte) *writer {
	w.entries[id] = append(w.entries[id], entry)
	return w
}

// set replaces a section's entries.
func (w *writer) set(id byte, entries ...[]byte) *writer {
	w.entries[id] = entries
	return w
}

// code replaces the instructions of _start.
func (w *writer) code(code ...byte) *writer { return w.set(secCode, body(code)) }

// imports adds an import of this kind. Functions move the index of _start up.
func (w *writer) imports(module, field string, desc ...byte) *writer {
	w.add(secImport, join(name(module), name(field), desc))
	if desc[0] != kindFunc {
		return w
	}
	for _, entry := range w.entries[secExport] {
		if entry[len(entry)-2] == kindFunc {
			entry[len(entry)-1]++
		}
	}
	return w
}

func (w *writer) bytes() []byte {
	out := bytes.Clone(magic)
	order := []byte{
		secType, secImport, secFunction, secTable, secMemory, secTag, secGlobal,
		secExport, secStart, secElement, secDataCount, secCode, secData,
	}
	for _, id := range order {
		if entries := w.entries[id]; len(entries) > 0 {
			out = append(out, section(id, join(uleb(len(entries)), join(entries...)))...)
		}
	}
	return out
}

// WithScript adds a script to the module that guest/mischief.c is compiled to,
// as one more data segment at the address of its exported global `script`. It
// panics when the module is not that one.
func WithScript(module []byte, script string) []byte {
	address := scriptAddress(module)
	segment := join([]byte{0, 0x41}, address, []byte{opEnd}, name(script))
	out := bytes.Clone(magic)
	for id, payload := range sections(module) {
		if id == secData {
			count, n := binary.Uvarint(payload)
			payload = join(uleb(int(count)+1), payload[n:], segment)
		}
		out = append(out, section(id, payload)...)
	}
	return out
}

// sections walks the sections of a module that is in order.
func sections(module []byte) func(yield func(byte, []byte) bool) {
	return func(yield func(byte, []byte) bool) {
		for rest := module[len(magic):]; len(rest) > 0; {
			id := rest[0]
			size, n := binary.Uvarint(rest[1:])
			from := 1 + n
			if !yield(id, rest[from:from+int(size)]) {
				return
			}
			rest = rest[from+int(size):]
		}
	}
}

// scriptAddress is the signed LEB128 with which the exported global `script`
// is initialised.
func scriptAddress(module []byte) []byte {
	var globals [][]byte
	index := -1
	for id, payload := range sections(module) {
		switch id {
		case secGlobal:
			globals = globalInits(payload)
		case secExport:
			marker := join(name("script"), []byte{kindGlobal})
			if at := bytes.Index(payload, marker); at >= 0 {
				index = int(payload[at+len(marker)]) // the guest has few globals: one byte
			}
		}
	}
	if index < 0 || index >= len(globals) {
		panic(fmt.Sprintf("mischief: the module exports no global named script: %d of %d", index, len(globals)))
	}
	return globals[index]
}

// globalInits are the operands of the i32.const of each global.
func globalInits(payload []byte) [][]byte {
	var inits [][]byte
	count, n := binary.Uvarint(payload)
	rest := payload[n:]
	for range count {
		rest = rest[3:] // type, mutability, i32.const
		end := 0
		for rest[end]&0x80 != 0 {
			end++
		}
		inits = append(inits, rest[:end+1])
		rest = rest[end+2:] // and the end
	}
	return inits
}
