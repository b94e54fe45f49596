package wasm_test

import (
	"fmt"
	"strings"
	"testing"

	"perch/engine/wasm"
	. "perch/engine/wasm/wasmtest"
)

// featureCases are modules that use what WebAssembly 2.0 brought: each is
// allowed, and each behaves the same when it is instrumented.
func featureCases() []runCase {
	cases := []runCase{
		{"bulk memory", bulkMemory, [][]uint64{
			{0, 10, 20, 5}, {0, 0, 65530, 7}, {1, 100, 0xab, 300}, {1, 65536, 1, 0}, {1, 65536, 1, 1},
			{2, 50, 1, 4}, {2, 50, 2, 4}, {3, 0, 0, 0}, {2, 50, 1, 4}, {2, 50, 0, 0}}},
		{"tables", tables, args(0, 1, 2, 3, 4, 5, 6, 7, 8)},
		{"multi-value blocks", multiValue, args(0, 1, 5)},
		{"long table index", longTableIndex, args(0, 1)},
		{"select with a type, references", references, args(0, 1)},
	}
	for _, group := range numericGroups() {
		cases = append(cases, group)
	}
	return append(cases, simdCases()...)
}

// bulkMemory exports run(what, a, b, n) over one page and a passive segment.
func bulkMemory(b *Builder) {
	b.Memory(1, 1)
	b.Data(10, []byte("0123456789abcdef"))
	seg := b.PassiveData([]byte("hello"))
	abn := Cat(LocalGet(1), LocalGet(2), LocalGet(3))
	f := b.Func("run", Types(I32, I32, I32, I32), i32, nil,
		Block(Void, Block(Void, Block(Void, Block(Void,
			LocalGet(0), BrTable(0, 1, 2, 3)),
			abn, Op(0xfc, 10, 0, 0), I32Const(1), Return()),
			abn, Op(0xfc, 11, 0), I32Const(2), Return()),
			abn, Op(0xfc, 8, byte(seg), 0), I32Const(3), Return()),
		Op(0xfc, 9, byte(seg)), I32Const(4))
	b.Export("run", KindFunc, f)
	b.Export("memory", KindMemory, 0)
}

// tables exports run(step): a script over two tables, one grown and filled.
func tables(b *Builder) {
	typ := b.Type(nil, i32)
	t0 := b.Table(FuncRef, 4, 8)
	t1 := b.Table(FuncRef, 1, -1)
	b.Table(ExternRef, 2, -1)
	one := b.Func("one", nil, i32, nil, I32Const(1))
	two := b.Func("two", nil, i32, nil, I32Const(2))
	passive := b.PassiveElem(one, two, one)
	b.RawElem(Cat([]byte{2}, U(uint64(t1)), I32Const(0), Op(0x0b), []byte{0, 1}, U(uint64(two)))) // active, table index
	b.RawElem(Cat([]byte{5, FuncRef, 2}, RefFunc(one), Op(0x0b), Op(0xd0, FuncRef, 0x0b)))        // passive expressions
	b.RawElem(Cat([]byte{6}, U(uint64(t1)), I32Const(0), Op(0x0b), []byte{FuncRef, 1}, RefFunc(two), Op(0x0b)))
	b.RawElem(Cat([]byte{7, FuncRef, 1}, RefFunc(two), Op(0x0b)))
	b.DeclareElem(two)
	step := func(n int64, code ...[]byte) []byte {
		return Cat(LocalGet(0), I32Const(n), Op(0x46), If(Void, Cat(code...), Return()))
	}
	call := func(table uint32, i int64) []byte { return Cat(I32Const(i), CallIndirect(typ, table)) }
	f := b.Func("run", i32, i32, nil,
		step(0, I32Const(0), I32Const(0), I32Const(3), Op(0xfc, 12, byte(passive), byte(t0)), call(t0, 1)),
		step(1, I32Const(0), I32Const(0), I32Const(3), Op(0xfc, 14, byte(t1), byte(t0)), call(t1, 0)), // out of range
		step(2, RefFunc(two), I32Const(5), Op(0xfc, 15, byte(t1))),
		step(3, I32Const(1), RefFunc(two), I32Const(5), Op(0xfc, 17, byte(t1)), call(t1, 5)),
		step(4, I32Const(3), I32Const(0), I32Const(3), Op(0xfc, 14, byte(t1), byte(t0)), call(t1, 3)),
		step(5, Op(0xfc, 16, byte(t1))),
		step(6, Op(0xfc, 13, byte(passive)), I32Const(0), I32Const(0), I32Const(1), Op(0xfc, 12, byte(passive), byte(t0)), I32Const(0)), // dropped
		step(7, I32Const(0), Op(0x25, 2), Op(0xd1), Op(0xd0, ExternRef), I32Const(2), Op(0xfc, 15, 2), Op(0x6a)),
		step(8, Op(0xd0, FuncRef), I32Const(100), Op(0xfc, 15, byte(t0))), // beyond its maximum
		I32Const(-1))
	b.Export("run", KindFunc, f)
}

func multiValue(b *Builder) {
	swap := b.Type(Types(I32, I64), Types(I64, I32))
	f := b.Func("run", i32, Types(I64, I32), Types(I32),
		LocalGet(0), I64Const(7),
		BlockOf(swap, LocalGet(0), IfOf(swap, LoopOf(swap, Drop(), LocalSet(1), I64Const(3), LocalGet(1), LocalGet(1), BrIf(2)), Else(), Drop(), LocalSet(1), I64Const(5), LocalGet(1))))
	b.Export("run", KindFunc, f)
}

func longTableIndex(b *Builder) {
	typ := b.Type(nil, i32)
	b.Table(FuncRef, 1, 1)
	one := b.Func("one", nil, i32, nil, I32Const(11))
	b.Elem(0, one)
	f := b.Func("run", i32, i32, nil, LocalGet(0), Cat([]byte{0x11}, U(uint64(typ)), []byte{0x80, 0x80, 0x80, 0x80, 0x00}))
	b.Export("run", KindFunc, f)
}

func references(b *Builder) {
	f := b.Func("run", i32, i32, Types(FuncRef, ExternRef),
		RefFunc(0), LocalSet(1),
		LocalGet(1), Op(0xd0, FuncRef), LocalGet(0), Op(0x1c, 1, FuncRef), Op(0xd1),
		LocalGet(2), Op(0xd1), Op(0x6a))
	b.DeclareElem(0)
	b.Export("run", KindFunc, f)
}

var typeOf = map[string]byte{"i32": I32, "i64": I64, "f32": F32, "f64": F64}

// numericGroups run every numeric instruction of one byte, and the saturating
// ones, on some operands, and store what comes out.
func numericGroups() []runCase {
	var ops []wasm.Op
	for op := wasm.Op(0x45); op <= 0xc4; op++ {
		ops = append(ops, op)
	}
	for op := wasm.Op(0xfc00); op <= 0xfc07; op++ {
		ops = append(ops, op)
	}
	return []runCase{{"numeric instructions", func(b *Builder) {
		b.Memory(1, 1)
		var code [][]byte
		for i, op := range ops {
			operands, result := numericShape(op.String())
			code = append(code, I32Const(int64(i*8)))
			for k, t := range operands {
				code = append(code, constantOf(t, k))
			}
			enc := Op(byte(op))
			if op > 0xff {
				enc = Op(byte(op>>8), byte(op))
			}
			store := map[byte]byte{I32: 0x36, I64: 0x37, F32: 0x38, F64: 0x39}[result]
			code = append(code, enc, Mem(store, 2, 1024))
		}
		f := b.Func("run", i32, i32, nil, Cat(code...), LocalGet(0))
		b.Export("run", KindFunc, f)
		b.Export("memory", KindMemory, 0)
	}, args(0)}}
}

// numericShape reads a numeric instruction's operands and result off its name.
func numericShape(name string) (operands []byte, result byte) {
	prefix, rest, _ := strings.Cut(name, ".")
	result = typeOf[prefix]
	operand := result
	for _, from := range []string{"i32", "i64", "f32", "f64"} {
		if strings.Contains(rest, from) {
			return []byte{typeOf[from]}, result // a conversion
		}
	}
	word, _, _ := strings.Cut(rest, "_")
	switch word {
	case "eqz":
		return []byte{operand}, I32
	case "eq", "ne", "lt", "gt", "le", "ge":
		return []byte{operand, operand}, I32
	case "clz", "ctz", "popcnt", "abs", "neg", "ceil", "floor", "trunc", "nearest", "sqrt", "extend8", "extend16", "extend32":
		return []byte{operand}, result
	}
	return []byte{operand, operand}, result
}

func constantOf(t byte, k int) []byte {
	switch t {
	case I32:
		return I32Const(int64(1234567 - 1234500*k))
	case I64:
		return I64Const(int64(-987654321 + 987654300*k))
	case F32:
		return F32Const(3.75 - float32(k))
	}
	return F64Const(-2.5 + float64(k))
}

// simdCases run every SIMD instruction of 2.0, sixteen to a module.
func simdCases() []runCase {
	var cases []runCase
	for from := range 16 {
		cases = append(cases, runCase{fmt.Sprintf("SIMD 0x%x0", from), func(b *Builder) {
			b.Memory(1, 1)
			b.Data(0, []byte("The quick brown fox jumps over the lazy dog, and more of it."))
			var code [][]byte
			for sub := range 16 {
				op := byte(from*16 + sub)
				if name := wasm.Op(0xfd00 | uint32(op)).String(); !strings.HasPrefix(name, "0x") {
					code = append(code, simd(op, name, int64(1024+16*sub)))
				}
			}
			f := b.Func("run", i32, i32, nil, Cat(code...), LocalGet(0))
			b.Export("run", KindFunc, f)
			b.Export("memory", KindMemory, 0)
		}, args(0)})
	}
	return cases
}

// simd is one SIMD instruction with its operands, and a store of its result.
func simd(op byte, name string, to int64) []byte {
	enc := Cat([]byte{0xfd}, U(uint64(op)))
	vec := func(k byte) []byte {
		var x [16]byte
		for i := range x {
			x[i] = byte(i)*17 + k*29 + 3
		}
		return V128Const(x)
	}
	store := func(t byte, value []byte) []byte {
		if t == V128 {
			return Cat(I32Const(to), value, Cat([]byte{0xfd}, U(0x0b), U(0), U(0)))
		}
		return Cat(I32Const(to), value, Mem(map[byte]byte{I32: 0x36, I64: 0x37, F32: 0x38, F64: 0x39}[t], 0, 0))
	}
	lanes, rest, _ := strings.Cut(name, ".")
	scalar := map[string]byte{"i8x16": I32, "i16x8": I32, "i32x4": I32, "i64x2": I64, "f32x4": F32, "f64x2": F64}[lanes]
	has := func(parts ...string) bool {
		for _, p := range parts {
			if strings.HasPrefix(rest, p) {
				return true
			}
		}
		return false
	}
	memarg := Cat(U(0), U(3))
	switch {
	case strings.HasSuffix(name, "_lane") && has("load"):
		return store(V128, Cat(I32Const(4), vec(0), enc, memarg, []byte{1}))
	case strings.HasSuffix(name, "_lane") && has("store"):
		return Cat(I32Const(to), vec(0), enc, memarg, []byte{1})
	case lanes == "v128" && has("load"):
		return store(V128, Cat(I32Const(4), enc, memarg))
	case name == "v128.store":
		return Cat(I32Const(to), vec(0), enc, memarg)
	case name == "v128.const":
		return store(V128, Cat(enc, []byte("0123456789abcdef")))
	case has("shuffle"):
		return store(V128, Cat(vec(0), vec(1), enc, []byte{0, 31, 1, 30, 2, 29, 3, 28, 4, 27, 5, 26, 6, 25, 7, 24}))
	case has("splat"):
		return store(V128, Cat(constantOf(scalar, 0), enc))
	case has("extract_lane"):
		return store(scalar, Cat(vec(0), enc, []byte{1}))
	case has("replace_lane"):
		return store(V128, Cat(vec(0), constantOf(scalar, 0), enc, []byte{1}))
	case has("shl", "shr"):
		return store(V128, Cat(vec(0), I32Const(3), enc))
	case has("all_true", "any_true", "bitmask"):
		return store(I32, Cat(vec(0), enc))
	case has("bitselect"):
		return store(V128, Cat(vec(0), vec(1), vec(2), enc))
	case name == "v128.not", has("abs", "neg", "popcnt", "ceil", "floor", "trunc", "nearest", "sqrt", "extadd", "extend_", "convert", "demote", "promote"):
		return store(V128, Cat(vec(0), enc))
	}
	return store(V128, Cat(vec(0), vec(1), enc))
}

// All of 2.0 is accepted: the check finds nothing in these modules but what
// they lack as a command.
func TestAllowedFeaturesPass(t *testing.T) {
	for _, c := range append(runCases(), featureCases()...) {
		t.Run(c.name, func(t *testing.T) {
			b := &Builder{}
			c.build(b)
			for _, f := range check(b.Bytes()).Features {
				if !f.Allowed {
					t.Errorf("%s is not allowed", f.Name)
				}
			}
			b = &Builder{}
			c.build(b)
			if m := wasm.Read(b.Bytes()); m.SectionOf(wasm.SecMemory) == nil {
				b.Memory(1, -1)
				b.Export("memory", KindMemory, 0)
			}
			b.Export("_start", KindFunc, b.Func("", nil, nil, nil))
			r := wasm.Check(b.Bytes(), wasm.CheckOptions{SecondOpinion: compiles, Provided: func(string, string) (wasm.FuncType, bool, bool) {
				return wasm.FuncType{Params: []wasm.ValType{wasm.I32}, Results: []wasm.ValType{wasm.I32}}, true, true
			}})
			for _, br := range r.Breaches {
				t.Errorf("%s: %s", br.Rule, br.Detail)
			}
		})
	}
}

// Each feature of 2.0 shows in the report of a module that uses it.
func TestAllowedFeaturesAreListed(t *testing.T) {
	uses := make(map[string]bool)
	for _, c := range append(runCases(), featureCases()...) {
		b := &Builder{}
		c.build(b)
		for _, f := range check(b.Bytes()).Features {
			uses[f.Name] = true
		}
	}
	for f := wasm.FeatSignExtension; f.Allowed(); f++ {
		if !uses[f.String()] {
			t.Errorf("no module shows %s", f)
		}
	}
}
