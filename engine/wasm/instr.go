package wasm

// Instr is one decoded instruction. Which of X, Y and Z are set, and to what,
// follows from the opcode: indices in their order in the binary; of a memory
// access X is the memory, Y the offset, Z the alignment's log2; of a constant X
// is its bits.
type Instr struct {
	Op   Op
	At   Span
	Imms int // offset behind the opcode
	X    uint64
	Y    uint64
	Z    uint64
	// Block is the block type of a block, loop, if or try.
	Block BlockType
	// Targets spans the labels of a br_table or the catches of a try_table.
	Targets Span
	info    opInfo
}

// BlockType is the type of a block: an index in the type section, one result,
// or nothing.
type BlockType struct {
	Index   uint32 // when HasType
	HasType bool
	Result  ValType // 0: none
}

// decoder reads instructions one after the other. Its cursor's fault sticks.
type decoder struct {
	cursor
}

// next reads one instruction. It reports false at the end of the range and at
// a fault.
func (d *decoder) next(in *Instr) bool {
	if d.pos >= len(d.b) || d.fault != nil {
		return false
	}
	start := d.pos
	first := d.b[d.pos]
	d.pos++
	op := Op(first)
	switch first {
	case prefixGC, prefixBulk, prefixSIMD, prefixAtomic:
		op = opOf(first, d.u32("the opcode behind its prefix"))
	}
	info, ok := op.info()
	if !ok && d.fault == nil {
		d.failAt(start, "no instruction begins with %s", hexBytes(d.b[start:min(d.opEnd(start), len(d.b))]))
	}
	*in = Instr{Op: op, At: Span{start, start}, Imms: d.pos, info: info}
	if d.fault == nil {
		d.immediates(in)
	}
	in.At.End = d.pos
	if d.fault != nil {
		in.At.End = start
		return false
	}
	if info.feature != FeatMVP {
		d.features.add(info.feature, start, info.name)
		if op == 0x15 { // return_call_ref is both
			d.features.add(FeatFunctionReferences, start, info.name)
		}
	}
	return true
}

// opEnd is where the opcode that begins at start ends, for a text.
func (d *decoder) opEnd(start int) int {
	switch d.b[start] {
	case prefixGC, prefixBulk, prefixSIMD, prefixAtomic:
		for i := start + 1; i < len(d.b) && i < start+6; i++ {
			if d.b[i] < 0x80 {
				return i + 1
			}
		}
	}
	return start + 1
}

func (d *decoder) immediates(in *Instr) {
	switch in.info.imm {
	case immNone:
	case immLocal, immGlobal, immLabel, immFunc, immTypeOnly, immTag, immData, immElem:
		in.X = d.uleb(32, "an index")
	case immBlock, immTry:
		in.Block = d.blockType()
	case immMemarg:
		d.memarg(in)
	case immMemargLane:
		d.memarg(in)
		d.byte("a lane")
	case immI32:
		in.X = uint64(d.sleb(32, "an i32 constant"))
	case immI64:
		in.X = uint64(d.sleb(64, "an i64 constant"))
	case immF32:
		d.skip(4, "an f32 constant")
	case immF64:
		d.skip(8, "an f64 constant")
	case immBytes16:
		d.skip(16, "a v128 constant")
	case immLane:
		in.X = uint64(d.byte("a lane"))
	case immZeroByte:
		if b := d.byte("a zero byte"); b != 0 {
			d.failAt(d.pos-1, "byte 0x%02x stands where a zero must", b)
		}
	case immBrTable:
		d.brTable(in)
	case immTable:
		in.X = d.uleb(32, "an index")
		d.metIndex(in)
	case immMem:
		in.X = d.memoryIndex()
		d.metIndex(in)
	case immMemMem:
		in.X = d.memoryIndex()
		in.Y = d.memoryIndex()
		d.metIndex(in)
	case immDataMem:
		in.X = d.uleb(32, "an index")
		in.Y = d.memoryIndex()
		d.metIndex(in)
	case immIndirect, immElemTable, immTableTable, immTypeU32, immTypeType,
		immTypeData, immTypeElem, immTypeTag:
		in.X = d.uleb(32, "an index")
		in.Y = d.uleb(32, "an index")
		d.metIndex(in)
	case immTypes:
		n := d.count(maxResults, "types of a select")
		for range n {
			in.X = uint64(d.valType())
		}
		in.Y = uint64(n)
	case immHeap:
		in.X = uint64(d.heapType())
	default:
		d.rareImmediates(in)
	}
}

// rareImmediates reads those of instructions that are refused.
func (d *decoder) rareImmediates(in *Instr) {
	switch in.info.imm {
	case immTryTable:
		in.Block = d.blockType()
		n := d.count(maxFunctions, "catches")
		in.Targets.Start = d.pos
		for range n {
			if kind := d.byte("the kind of a catch"); kind <= 1 {
				d.u32("a tag")
			} else if kind > 3 {
				d.failAt(d.pos-1, "a catch is of kind 0 to 3, not %d", kind)
			}
			d.u32("a label")
		}
		in.Targets.End = d.pos
	case immBrCast:
		d.byte("flags")
		in.X = d.uleb(32, "a label")
		d.heapType()
		d.heapType()
	case immResume, immResumeThrow:
		in.X = d.uleb(32, "a type")
		if in.info.imm == immResumeThrow {
			in.Y = d.uleb(32, "a tag")
		}
		for range d.count(maxFunctions, "handlers") {
			if d.byte("the kind of a handler") == 0 {
				d.u32("a tag")
				d.u32("a label")
			} else {
				d.u32("a tag")
			}
		}
	}
}

// memoryIndex reads the memory of an instruction that is no access: in 2.0 a
// zero byte, with several memories an index.
func (d *decoder) memoryIndex() uint64 {
	start := d.pos
	i := d.uleb(32, "a memory")
	if i == 0 && d.pos-start > 1 {
		d.failAt(start, "memory 0 is written in %d bytes, it must be a single zero byte", d.pos-start)
	}
	return i
}

func (d *decoder) brTable(in *Instr) {
	n := d.count(maxItems, "labels of a br_table")
	in.Targets.Start = d.pos
	for range n {
		d.u32("a label")
	}
	in.Targets.End = d.pos
	in.X = d.uleb(32, "a label")
}

func (d *decoder) memarg(in *Instr) {
	start := d.pos
	align := d.u32("an alignment")
	if align&0x40 != 0 { // a memory index follows
		align &^= 0x40
		d.features.add(FeatMultiMemory, start, in.info.name+" with a memory index")
		in.X = d.uleb(32, "a memory")
	}
	if align > 16 {
		d.failAt(start, "an alignment of 2^%d", align)
	}
	in.Z = uint64(align)
	in.Y = d.uleb(64, "a memory offset")
}

// metIndex counts features that show only in an index.
func (d *decoder) metIndex(in *Instr) {
	switch in.info.imm {
	case immMem:
		d.metMemory(in, in.X)
	case immMemMem:
		d.metMemory(in, in.X|in.Y)
	case immDataMem:
		d.metMemory(in, in.Y)
	case immIndirect:
		d.metTable(in, in.Y)
	case immElemTable:
		d.metTable(in, in.Y)
	case immTableTable:
		d.metTable(in, in.X|in.Y)
	}
}

func (d *decoder) metMemory(in *Instr, memory uint64) {
	if memory != 0 && d.fault == nil {
		d.features.add(FeatMultiMemory, in.At.Start, in.info.name+" with a memory index")
	}
}

func (d *decoder) metTable(in *Instr, table uint64) {
	if table != 0 && d.fault == nil {
		d.features.add(FeatReferenceTypes, in.At.Start, in.info.name+" with a table index")
	}
}

// blockType reads a block type (a signed number of 33 bits: an index, or a
// negative one that is the byte of a value type).
func (c *cursor) blockType() BlockType {
	if c.pos >= len(c.b) {
		c.failAt(c.pos, "the bytes end where a block type should be")
		return BlockType{}
	}
	switch b := c.b[c.pos]; {
	case b == 0x40:
		c.pos++
		return BlockType{}
	case b&0xc0 == 0x40: // a negative number of one byte
		return BlockType{Result: c.valType()}
	}
	start := c.pos
	i := c.sleb(33, "a block type")
	if i < 0 {
		c.failAt(start, "no block type is %d", i)
		return BlockType{}
	}
	c.features.add(FeatMultiValue, start, "block with a type index")
	return BlockType{Index: uint32(i), HasType: true}
}

// valType reads a value type and counts the feature that it comes from.
func (c *cursor) valType() ValType {
	start := c.pos
	b := c.byte("a value type")
	if c.fault != nil {
		return 0
	}
	switch t := ValType(b); t {
	case I32, I64, F32, F64:
		return t
	case V128:
		c.features.add(FeatSIMD, start, "v128")
		return t
	case FuncRef, ExternRef:
		c.features.add(FeatReferenceTypes, start, t.String())
		return t
	case refHeap, refNullHeap:
		h := c.heapType()
		c.features.add(FeatFunctionReferences, start, "ref types")
		return t | h<<8
	}
	if f, ok := heapFeature(b); ok {
		c.features.add(f, start, ValType(b).String())
		return ValType(b)
	}
	c.failAt(start, "byte 0x%02x is no value type", b)
	return 0
}

// heapType reads a heap type: of 2.0 func and extern, of later proposals more.
// What it returns fits in the upper bits of a ValType.
func (c *cursor) heapType() ValType {
	start := c.pos
	i := c.sleb(33, "a heap type")
	if c.fault != nil {
		return 0
	}
	if i >= 0 {
		c.features.add(FeatFunctionReferences, start, "a reference to a type index")
		return ValType(i) & (heapAbstract - 1)
	}
	b := byte(i & 0x7f)
	switch ValType(b) {
	case FuncRef, ExternRef:
		return ValType(b) | heapAbstract
	}
	f, ok := heapFeature(b)
	if !ok || i < -64 {
		c.failAt(start, "no heap type is %d", i)
		return 0
	}
	c.features.add(f, start, ValType(b).String())
	return ValType(b) | heapAbstract
}

func heapFeature(b byte) (Feature, bool) {
	switch b {
	case 0x74, 0x69:
		return FeatExceptions, true
	case 0x75, 0x68:
		return FeatStackSwitching, true
	case 0x6a, 0x6b, 0x6c, 0x6d, 0x6e, 0x71, 0x72, 0x73:
		return FeatGC, true
	}
	return 0, false
}

func hexBytes(b []byte) string {
	const digits = "0123456789abcdef"
	out := make([]byte, 0, 5*len(b))
	for i, x := range b {
		if i > 0 {
			out = append(out, ' ')
		}
		out = append(out, '0', 'x', digits[x>>4], digits[x&15])
	}
	return string(out)
}
