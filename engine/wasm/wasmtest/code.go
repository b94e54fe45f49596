package wasmtest

import (
	"encoding/binary"
	"math"
)

// Op is an opcode of one or more bytes.
func Op(op ...byte) []byte { return op }

// I32Const pushes an i32.
func I32Const(x int64) []byte { return append([]byte{0x41}, S(x)...) }

// I64Const pushes an i64.
func I64Const(x int64) []byte { return append([]byte{0x42}, S(x)...) }

// F32Const pushes an f32.
func F32Const(x float32) []byte {
	return binary.LittleEndian.AppendUint32([]byte{0x43}, math.Float32bits(x))
}

// F64Const pushes an f64.
func F64Const(x float64) []byte {
	return binary.LittleEndian.AppendUint64([]byte{0x44}, math.Float64bits(x))
}

// V128Const pushes 16 bytes.
func V128Const(x [16]byte) []byte { return append([]byte{0xfd, 0x0c}, x[:]...) }

func indexed(op byte, i uint32) []byte { return append([]byte{op}, U(uint64(i))...) }

// LocalGet pushes a local.
func LocalGet(i uint32) []byte { return indexed(0x20, i) }

// LocalSet pops into a local.
func LocalSet(i uint32) []byte { return indexed(0x21, i) }

// LocalTee copies into a local.
func LocalTee(i uint32) []byte { return indexed(0x22, i) }

// GlobalGet pushes a global.
func GlobalGet(i uint32) []byte { return indexed(0x23, i) }

// GlobalSet pops into a global.
func GlobalSet(i uint32) []byte { return indexed(0x24, i) }

// Call calls a function.
func Call(fn uint32) []byte { return indexed(0x10, fn) }

// RefFunc pushes a reference to a function.
func RefFunc(fn uint32) []byte { return indexed(0xd2, fn) }

// CallIndirect calls through a table.
func CallIndirect(typ, table uint32) []byte { return Cat(indexed(0x11, typ), U(uint64(table))) }

// Br branches.
func Br(label uint32) []byte { return indexed(0x0c, label) }

// BrIf branches when what it pops is not zero.
func BrIf(label uint32) []byte { return indexed(0x0d, label) }

// BrTable branches by what it pops; the last label is the default.
func BrTable(labels ...uint32) []byte {
	out := append([]byte{0x0e}, U(uint64(len(labels)-1))...)
	for _, l := range labels {
		out = append(out, U(uint64(l))...)
	}
	return out
}

// Void is the block type of a block without results.
const Void byte = 0x40

// Block wraps code; typ is Void or a value type.
func Block(typ byte, code ...[]byte) []byte { return wrap(0x02, []byte{typ}, code) }

// Loop wraps code that a branch to it begins again.
func Loop(typ byte, code ...[]byte) []byte { return wrap(0x03, []byte{typ}, code) }

// If wraps code that runs when what it pops is not zero; put Else between.
func If(typ byte, code ...[]byte) []byte { return wrap(0x04, []byte{typ}, code) }

// BlockOf is a block with a type index.
func BlockOf(typ uint32, code ...[]byte) []byte { return wrap(0x02, S(int64(typ)), code) }

// LoopOf is a loop with a type index.
func LoopOf(typ uint32, code ...[]byte) []byte { return wrap(0x03, S(int64(typ)), code) }

// IfOf is an if with a type index.
func IfOf(typ uint32, code ...[]byte) []byte { return wrap(0x04, S(int64(typ)), code) }

// Else stands between the halves of an If.
func Else() []byte { return []byte{0x05} }

func wrap(op byte, typ []byte, code [][]byte) []byte {
	return Cat([]byte{op}, typ, Cat(code...), []byte{0x0b})
}

// Mem is a memory access: its opcode, alignment (log2) and offset.
func Mem(op byte, align, offset uint64) []byte { return Cat([]byte{op}, U(align), U(offset)) }

// Unreachable traps.
func Unreachable() []byte { return []byte{0x00} }

// Return returns.
func Return() []byte { return []byte{0x0f} }

// Drop pops.
func Drop() []byte { return []byte{0x1a} }

// Command is a module that an upload takes, with no import: it exports memory
// of one page and a _start with this body.
func Command(code ...[]byte) *Builder {
	b := &Builder{}
	b.Memory(1, -1)
	b.Export("memory", KindMemory, 0)
	start := b.Func("_start", nil, nil, nil, code...)
	b.Export("_start", KindFunc, start)
	return b
}
