package wasm

// emptyBlock is the block type of a block without results.
const emptyBlock = 0x40

// op writes an instruction of one byte and its immediates as unsigned LEB128.
func (w *bodyWriter) op(op Op, imms ...uint64) { w.out = appendOp(w.out, op, imms...) }

// i32 writes an i32.const.
func (w *bodyWriter) i32(x int32) { w.out = appendI32(w.out, x) }

// add adds n to a global.
func (w *bodyWriter) add(global uint32, n int32) { w.out = appendAdd(w.out, global, n) }

func appendOp(out []byte, op Op, imms ...uint64) []byte {
	if op > 0xff {
		out = append(out, byte(op>>8))
		out = appendULEB(out, uint64(op&0xff))
	} else {
		out = append(out, byte(op))
	}
	for _, x := range imms {
		out = appendULEB(out, x)
	}
	return out
}

func appendI32(out []byte, x int32) []byte {
	return appendSLEB(append(out, byte(opI32Const)), int64(x))
}

func appendAdd(out []byte, global uint32, n int32) []byte {
	op := opI32Add
	if n < 0 {
		op, n = opI32Sub, -n
	}
	out = appendOp(out, opGlobalGet, uint64(global))
	out = appendI32(out, n)
	out = appendOp(out, op)
	return appendOp(out, opGlobalSet, uint64(global))
}
