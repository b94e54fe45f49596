package wasm

import "perch/engine/abi"

// bulkStep is what one bulk memory instruction moves at once.
const bulkStep = abi.BulkStep

// helperKind is a function that we append to the module.
type helperKind byte

const (
	helperCharge helperKind = iota // (n): takes fuel for n bytes
	helperCopy                     // (to, from, n)
	helperFill                     // (to, value, n)
	helperInit                     // (to, from, n) of one data segment
)

type helperKey struct {
	kind    helperKind
	segment uint32
}

type helper struct {
	typ  uint32
	body []byte
}

// helper is the function index of a helper, written when it is first asked for.
func (w *rewriter) helper(key helperKey) uint32 {
	if i, ok := w.helperIndex[key]; ok {
		return i
	}
	if key.kind != helperCharge {
		w.helper(helperKey{kind: helperCharge}) // they call it
	}
	i := w.safepoint + 1 + uint32(len(w.m.Code)+len(w.helpers))
	w.helperIndex[key] = i
	w.helpers = append(w.helpers, helper{}) // takes its place
	h := helper{typ: w.typeFor(FuncType{Params: []ValType{I32, I32, I32}})}
	switch key.kind {
	case helperCharge:
		h = helper{w.typeFor(FuncType{Params: []ValType{I32}}), w.chargeBody()}
	case helperCopy:
		h.body = w.copyBody()
	case helperFill:
		h.body = w.stepBody(opMemoryFill, []uint64{0}, false, 0)
	case helperInit:
		h.body = w.stepBody(opMemoryInit, []uint64{uint64(key.segment), 0}, true, w.m.Data[key.segment].Bytes.Len())
	}
	w.helpers[i-w.safepoint-1-uint32(len(w.m.Code))] = h
	return i
}

// The parameters of a helper, and its local.
const (
	argTo = iota
	argFrom
	argN
	argStep
)

// chargeBody: fuel -= n >> bulkTick; when it is used up, the safepoint.
func (w *rewriter) chargeBody() []byte {
	b := []byte{0} // no locals
	b = appendOp(b, opGlobalGet, uint64(w.fuel))
	b = appendOp(b, opLocalGet, 0)
	b = appendI32(b, bulkTick)
	b = appendOp(b, opI32ShrU)
	b = appendOp(b, opI32Sub)
	b = appendOp(b, opGlobalSet, uint64(w.fuel))
	b = appendOp(b, opGlobalGet, uint64(w.fuel))
	b = appendI32(b, 0)
	b = appendOp(b, opI32LeS)
	b = appendOp(b, opIf, emptyBlock)
	b = appendI32(b, int32(ReasonFuel))
	b = appendOp(b, opCall, uint64(w.safepoint))
	b = appendOp(b, opEnd)
	return appendOp(b, opEnd)
}

// beyond leaves 1 when x + n is above the limit that follows.
func beyond(b []byte, x uint64, limit func([]byte) []byte) []byte {
	b = appendOp(b, opLocalGet, x)
	b = appendOp(b, opI64ExtendU)
	b = appendOp(b, opLocalGet, argN)
	b = appendOp(b, opI64ExtendU)
	b = appendOp(b, opI64Add)
	b = limit(b)
	return appendOp(b, opI64GtU)
}

// memoryEnd leaves the size of the memory in bytes, as an i64.
func memoryEnd(b []byte) []byte {
	b = appendOp(b, opMemorySize, 0)
	b = appendOp(b, opI64ExtendU)
	b = appendSLEB(append(b, byte(opI64Const)), 16)
	return appendOp(b, opI64Shl)
}

// whole ends a helper with the instruction as the guest wrote it, when what it
// touches ends beyond: it traps before it changes anything, as it would have.
func whole(b []byte, op Op, imms []uint64) []byte {
	b = appendOp(b, opIf, emptyBlock)
	for arg := range uint64(argStep) {
		b = appendOp(b, opLocalGet, arg)
	}
	b = appendOp(b, op, imms...)
	b = appendOp(b, opReturn)
	return appendOp(b, opEnd)
}

// minStep sets the step to the smaller of n and bulkStep.
func minStep(b []byte) []byte {
	b = appendOp(b, opLocalGet, argN)
	b = appendI32(b, bulkStep)
	b = appendOp(b, opLocalGet, argN)
	b = appendI32(b, bulkStep)
	b = appendOp(b, opI32LtU)
	b = appendOp(b, opSelect)
	return appendOp(b, opLocalSet, argStep)
}

func (w *rewriter) charge(b []byte) []byte {
	b = appendOp(b, opLocalGet, argStep)
	return appendOp(b, opCall, uint64(w.helper(helperKey{kind: helperCharge})))
}

func addLocal(b []byte, to uint64, op Op) []byte {
	b = appendOp(b, opLocalGet, to)
	b = appendOp(b, opLocalGet, argStep)
	b = appendOp(b, op)
	return appendOp(b, opLocalSet, to)
}

// forward does the instruction in steps from the low end.
func (w *rewriter) forward(b []byte, op Op, imms []uint64, moveFrom bool) []byte {
	b = appendOp(b, opLoop, emptyBlock)
	b = minStep(b)
	b = appendOp(b, opLocalGet, argTo)
	b = appendOp(b, opLocalGet, argFrom)
	b = appendOp(b, opLocalGet, argStep)
	b = appendOp(b, op, imms...)
	b = addLocal(b, argTo, opI32Add)
	if moveFrom {
		b = addLocal(b, argFrom, opI32Add)
	}
	b = addLocal(b, argN, opI32Sub)
	b = w.charge(b)
	b = appendOp(b, opLocalGet, argN)
	b = appendOp(b, opBrIf, 0)
	return appendOp(b, opEnd)
}

// backward does a memory.copy in steps from the high end.
func (w *rewriter) backward(b []byte) []byte {
	b = appendOp(b, opLoop, emptyBlock)
	b = minStep(b)
	b = addLocal(b, argN, opI32Sub)
	for arg := range uint64(argN) {
		b = appendOp(b, opLocalGet, arg)
		b = appendOp(b, opLocalGet, argN)
		b = appendOp(b, opI32Add)
	}
	b = appendOp(b, opLocalGet, argStep)
	b = appendOp(b, opMemoryCopy, 0, 0)
	b = w.charge(b)
	b = appendOp(b, opLocalGet, argN)
	b = appendOp(b, opBrIf, 0)
	return appendOp(b, opEnd)
}

var oneLocal = [...]byte{1, 1, byte(I32)}

// stepBody splits an instruction that writes memory; of a memory.init, length
// is its segment's.
func (w *rewriter) stepBody(op Op, imms []uint64, reads bool, length int) []byte {
	b := append([]byte(nil), oneLocal[:]...)
	b = beyond(b, argTo, memoryEnd)
	if reads {
		b = beyond(b, argFrom, func(b []byte) []byte {
			return appendSLEB(append(b, byte(opI64Const)), int64(length))
		})
		b = appendOp(b, opI32Or)
	}
	b = whole(b, op, imms)
	b = w.forward(b, op, imms, reads)
	return appendOp(b, opEnd)
}

// copyBody splits memory.copy and keeps its direction: what lies in both
// ranges is read before it is overwritten.
func (w *rewriter) copyBody() []byte {
	imms := []uint64{0, 0}
	b := append([]byte(nil), oneLocal[:]...)
	b = beyond(b, argTo, memoryEnd)
	b = beyond(b, argFrom, memoryEnd)
	b = appendOp(b, opI32Or)
	b = whole(b, opMemoryCopy, imms)
	b = appendOp(b, opLocalGet, argTo)
	b = appendOp(b, opLocalGet, argFrom)
	b = appendOp(b, opI32GtU)
	b = appendOp(b, opIf, emptyBlock)
	b = w.backward(b)
	b = appendOp(b, opElse)
	b = w.forward(b, opMemoryCopy, imms, true)
	b = appendOp(b, opEnd)
	return appendOp(b, opEnd)
}
