package mischief

// featureCases use what WebAssembly 2.0 does not have. Each is the smallest
// module that does.
func featureCases() []Case {
	code := func(code ...byte) func() []byte { return correct().code(code...).bytes }
	made := func(w *writer) func() []byte { return w.bytes }
	const (
		noResult   = 0x40 // a block type
		drop       = 0x1a
		simd       = 0xfd
		gc         = 0xfb
		atomic     = 0xfe
		constV128  = 0x0c
		nullFunc   = 0xd0
		asNonNull  = 0xd4
		returnCall = 0x12
	)
	vector := append([]byte{simd, constV128}, make([]byte, 16)...)
	relaxed := join(vector, vector, []byte{simd, 0x80, 0x02, drop})
	return as(Upload, Refused, []Case{
		{Name: "shared_memory", Rule: "module/feature-threads", Does: "Has a shared memory.", Where: inFile("module.wasm", 21),
			WouldWrite: `-pthread -Wl,--shared-memory`, module: made(correct().set(secMemory, []byte{3, 1, 1}))},
		{Name: "atomics", Rule: "module/feature-threads", Does: "Uses atomic instructions.", Where: inFile("module.wasm", 49),
			WouldWrite: `-matomics`, module: code(atomic, 0x03, 0x00)},
		{Name: "exception_tag", Rule: "module/feature-exceptions", Does: "Has an exception tag.", Where: inFile("module.wasm", 25),
			WouldWrite: `-fwasm-exceptions`, module: made(correct().add(secTag, []byte{0, 0}))},
		{Name: "exception_try", Rule: "module/feature-exceptions", Does: "Catches exceptions, in the old encoding.", Where: inFile("module.wasm", 49),
			WouldWrite: `-fwasm-exceptions -mllvm -wasm-use-legacy-eh`, module: code(0x06, noResult, 0x19, opEnd)},
		{Name: "exception_try_table", Rule: "module/feature-exceptions", Does: "Catches exceptions, in the new encoding.", Where: inFile("module.wasm", 49),
			WouldWrite: `-fwasm-exceptions -mllvm -wasm-use-legacy-eh=false`, module: code(0x1f, noResult, 0, opEnd)},
		{Name: "tail_call", Rule: "module/feature-tail-call", Does: "Makes a tail call.", Where: inFile("module.wasm", 49),
			WouldWrite: `-mtail-call`, module: code(returnCall, 0)},
		{Name: "memory_64", Rule: "module/feature-memory64", Does: "Has a 64-bit memory.", Where: inFile("module.wasm", 21),
			WouldWrite: `--target=wasm64`, module: made(correct().set(secMemory, []byte{4, 1}))},
		{Name: "two_memories", Rule: "module/feature-multi-memory", Does: "Has two memories.", Where: inFile("module.wasm", 23),
			WouldWrite: `(memory 1) (memory 1)`, module: made(correct().add(secMemory, []byte{0, 1}))},
		{Name: "relaxed_simd", Rule: "module/feature-relaxed-simd", Does: "Uses relaxed SIMD.", Where: inFile("module.wasm", 85),
			WouldWrite: `-mrelaxed-simd`, module: code(relaxed...)},
		{Name: "gc_struct", Rule: "module/feature-gc", Does: "Has a struct type.", Where: inFile("module.wasm", 14),
			WouldWrite: `kotlinc -target wasm-wasi`, module: made(correct().add(secType, []byte{0x5f, 0}))},
		{Name: "gc_i31", Rule: "module/feature-gc", Does: "Makes a garbage-collected number.", Where: inFile("module.wasm", 51),
			WouldWrite: `(drop (ref.i31 (i32.const 1)))`, module: code(0x41, 1, gc, 0x1c, drop)},
		{Name: "function_reference", Rule: "module/feature-function-references", Does: "Checks a function reference for null.", Where: inFile("module.wasm", 51),
			WouldWrite: `(drop (ref.as_non_null (ref.null func)))`, module: code(nullFunc, typeFuncref, asNonNull, drop)},
		{Name: "call_reference", Rule: "module/feature-function-references", Does: "Calls a function reference.", Where: inFile("module.wasm", 51),
			WouldWrite: `(call_ref $t (ref.null $t))`, module: code(nullFunc, typeFuncref, 0x14, 0)},
		{Name: "extended_constant", Rule: "module/feature-other", Does: "Adds in a constant expression.", Where: inFile("module.wasm", 32),
			WouldWrite: `-mextended-const`, module: made(correct().add(secGlobal, []byte{typeI32, 0, 0x41, 1, 0x41, 2, 0x6a, opEnd}))},
		{Name: "page_size", Rule: "module/feature-other", Does: "Has memory pages of one byte.", Where: inFile("module.wasm", 21),
			WouldWrite: `(memory 1 (pagesize 1))`, module: made(correct().set(secMemory, []byte{8, 1, 0}))},
	})
}
