package wasm

import "fmt"

// Op is an instruction's opcode; one behind a prefix byte has the prefix in
// its upper half: 0xfc000a is 0xfc 0x0a, memory.copy.
type Op uint32

// Opcodes that the check and the rewriter speak of.
const (
	opUnreachable  Op = 0x00
	opBlock        Op = 0x02
	opLoop         Op = 0x03
	opIf           Op = 0x04
	opElse         Op = 0x05
	opTry          Op = 0x06
	opCatch        Op = 0x07
	opEnd          Op = 0x0b
	opBr           Op = 0x0c
	opBrIf         Op = 0x0d
	opBrTable      Op = 0x0e
	opReturn       Op = 0x0f
	opCall         Op = 0x10
	opCallIndirect Op = 0x11
	opDelegate     Op = 0x18
	opCatchAll     Op = 0x19
	opDrop         Op = 0x1a
	opSelect       Op = 0x1b
	opSelectT      Op = 0x1c
	opTryTable     Op = 0x1f
	opLocalGet     Op = 0x20
	opLocalSet     Op = 0x21
	opLocalTee     Op = 0x22
	opGlobalGet    Op = 0x23
	opGlobalSet    Op = 0x24
	opTableGet     Op = 0x25
	opTableSet     Op = 0x26
	opMemorySize   Op = 0x3f
	opMemoryGrow   Op = 0x40
	opI32Const     Op = 0x41
	opI64Const     Op = 0x42
	opF32Const     Op = 0x43
	opF64Const     Op = 0x44
	opI32Eqz       Op = 0x45
	opI32LtS       Op = 0x48
	opI32LtU       Op = 0x49
	opI32GtU       Op = 0x4b
	opI32LeS       Op = 0x4c
	opI32GeS       Op = 0x4e
	opI32GeU       Op = 0x4f
	opI64GtU       Op = 0x56
	opI32Add       Op = 0x6a
	opI32Sub       Op = 0x6b
	opI32Mul       Op = 0x6c
	opI32Or        Op = 0x72
	opI32Shl       Op = 0x74
	opI32ShrU      Op = 0x76
	opI64Add       Op = 0x7c
	opI64Sub       Op = 0x7d
	opI64Mul       Op = 0x7e
	opI64Shl       Op = 0x86
	opI64ExtendU   Op = 0xad
	opRefNull      Op = 0xd0
	opRefFunc      Op = 0xd2
	opMemoryInit   Op = 0xfc08
	opDataDrop     Op = 0xfc09
	opMemoryCopy   Op = 0xfc0a
	opMemoryFill   Op = 0xfc0b
	opTableInit    Op = 0xfc0c
	opElemDrop     Op = 0xfc0d
	opTableCopy    Op = 0xfc0e
	opTableGrow    Op = 0xfc0f
	opTableSize    Op = 0xfc10
	opTableFill    Op = 0xfc11
	opV128Const    Op = 0xfd0c
)

const (
	prefixGC     = 0xfb
	prefixBulk   = 0xfc
	prefixSIMD   = 0xfd
	prefixAtomic = 0xfe
)

// imm is the shape of an instruction's immediates.
type imm uint8

const (
	immBad imm = iota // no such opcode
	immNone
	immBlock       // block type
	immTry         // block type; a legacy try
	immTryTable    // block type, vector of catches
	immLabel       // label
	immBrTable     // vector of labels, label
	immFunc        // function
	immIndirect    // type, table
	immTypeOnly    // type
	immTag         // tag
	immTypes       // vector of value types
	immLocal       // local
	immGlobal      // global
	immTable       // table
	immMem         // memory
	immMemMem      // memory, memory
	immDataMem     // data segment, memory
	immData        // data segment
	immElemTable   // element segment, table
	immElem        // element segment
	immTableTable  // table, table
	immMemarg      // alignment, offset
	immMemargLane  // alignment, offset, lane
	immLane        // lane
	immBytes16     // 16 bytes
	immI32         // s32
	immI64         // s64
	immF32         // 4 bytes
	immF64         // 8 bytes
	immHeap        // heap type
	immTypeU32     // type, number
	immTypeType    // type, type
	immTypeData    // type, data segment
	immTypeElem    // type, element segment
	immBrCast      // flags, label, heap type, heap type
	immZeroByte    // a byte
	immTypeTag     // type, tag
	immResume      // type, vector of handlers
	immResumeThrow // type, tag, vector of handlers
)

// opInfo is what is known of an opcode.
type opInfo struct {
	name    string
	imm     imm
	feature Feature
}

// info looks the opcode up; ok is false when nobody has defined it.
func (op Op) info() (opInfo, bool) {
	var i opInfo
	sub := int(op & 0xff)
	switch {
	case op < 0x100:
		i = plainOps[op]
	case op>>8 == prefixGC && sub < len(gcOps):
		i = gcOps[sub]
	case op>>8 == prefixBulk && sub < len(bulkOps):
		i = bulkOps[sub]
	case op>>8 == prefixSIMD:
		i = simdOp(sub)
	case op>>8 == prefixSIMD+relaxedPage && sub < len(relaxedOps):
		i = relaxedOps[sub]
	case op>>8 == prefixAtomic && sub < len(atomicOps):
		i = atomicOps[sub]
	}
	return i, i.imm != immBad
}

// relaxedPage moves the opcodes 0xfd 0x100 to 0x1ff out of the way of those
// below 0x100: they are kept as 0x1fdNN.
const relaxedPage = 0x100

// opOf makes an Op of a prefix and the number behind it.
func opOf(prefix byte, sub uint32) Op {
	switch {
	case sub < 0x100:
		return Op(prefix)<<8 | Op(sub)
	case prefix == prefixSIMD && sub < 0x200:
		return (prefixSIMD+relaxedPage)<<8 | Op(sub&0xff)
	}
	return opNone
}

// opNone is an opcode that nobody has defined.
const opNone Op = 0xffffffff

// String is the instruction's name, or its bytes when it has none.
func (op Op) String() string {
	if i, ok := op.info(); ok {
		return i.name
	}
	if op < 0x100 {
		return fmt.Sprintf("0x%02x", uint32(op))
	}
	return fmt.Sprintf("0x%02x 0x%02x", uint32(op>>8)&0xff, uint32(op)&0xff+uint32(op>>16)<<8)
}
