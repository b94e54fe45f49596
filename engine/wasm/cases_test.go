package wasm_test

import (
	"slices"

	. "perch/engine/wasm/wasmtest"
)

var (
	i32    = Types(I32)
	add    = Op(0x6a)
	sub    = Op(0x6b)
	mul    = Op(0x6c)
	eqz    = Op(0x45)
	ltU    = Op(0x49)
	isZero = Op(0x45)
)

func args(xs ...uint64) [][]uint64 {
	out := make([][]uint64, len(xs))
	for i, x := range xs {
		out[i] = []uint64{x}
	}
	return out
}

// runCases are modules of the first version of WebAssembly.
func runCases() []runCase {
	return slices.Concat(loopCases(), callCases(), branchCases(), tableCases())
}

func loopCases() []runCase {
	return []runCase{
		{"sum in a loop", func(b *Builder) {
			f := b.Func("run", i32, i32, i32,
				Loop(Void,
					LocalGet(1), LocalGet(0), add, LocalSet(1),
					LocalGet(0), I32Const(1), sub, LocalTee(0), BrIf(0)),
				LocalGet(1))
			b.Export("run", KindFunc, f)
		}, args(1, 10, 100_000)},
		{"return from nested loops", func(b *Builder) {
			f := b.Func("run", i32, i32, i32,
				Loop(Void,
					Block(Void,
						Loop(Void,
							LocalGet(1), I32Const(7), add, LocalTee(1),
							LocalGet(0), Op(0x4b), If(Void, LocalGet(1), Return()),
							LocalGet(1), I32Const(3), Op(0x70), BrIf(1),
							Br(0))),
					Br(0)),
				Unreachable())
			b.Export("run", KindFunc, f)
		}, args(0, 5, 1000)},
	}
}

func callCases() []runCase {
	return []runCase{
		{"recursion", func(b *Builder) {
			f := b.Func("run", i32, i32, nil,
				LocalGet(0), I32Const(2), ltU, If(I32, LocalGet(0), Else(),
					LocalGet(0), I32Const(1), sub, Call(0),
					LocalGet(0), I32Const(2), sub, Call(0), add))
			b.Export("run", KindFunc, f)
		}, args(0, 1, 15)},
		{"return with calls", func(b *Builder) {
			mix := b.ImportFunc("host", "mix", i32, i32)
			f := b.Func("run", i32, i32, nil,
				Block(Void, LocalGet(0), eqz, BrIf(0), LocalGet(0), Call(mix), Return()),
				I32Const(5), Call(mix), Call(mix))
			b.Export("run", KindFunc, f)
		}, args(0, 1, 77)},
	}
}

func branchCases() []runCase {
	return []runCase{
		{"branch to the function's own label", func(b *Builder) {
			mix := b.ImportFunc("host", "mix", i32, i32)
			f := b.Func("run", i32, i32, nil,
				I32Const(9), LocalGet(0), BrIf(0), Drop(),
				Loop(I32, LocalGet(0), Call(mix), Br(1)))
			b.Export("run", KindFunc, f)
		}, args(0, 1)},
		{"br_table", func(b *Builder) {
			f := b.Func("run", i32, i32, i32,
				Loop(Void,
					LocalGet(1), I32Const(1), add, LocalSet(1),
					Block(Void, Block(Void, Block(Void,
						LocalGet(0), BrTable(0, 1, 2, 3)),
						LocalGet(1), I32Const(10), Op(0x4b), BrIf(1), Br(2)),
						LocalGet(1), I32Const(100), mul, Return()),
					I32Const(2), LocalSet(0), LocalGet(1), I32Const(1000), Op(0x4b), eqz, BrIf(0)),
				LocalGet(1))
			b.Export("run", KindFunc, f)
		}, args(0, 1, 2)},
		{"loop with parameters and results", func(b *Builder) {
			loop := b.Type(Types(I32, I32), Types(I32, I64))
			f := b.Func("run", i32, Types(I32, I64), Types(I32, I32),
				LocalGet(0), I32Const(3),
				LoopOf(loop,
					LocalSet(2), LocalSet(1),
					LocalGet(1), LocalGet(2), add, LocalTee(1),
					LocalGet(2), I32Const(1), add,
					LocalGet(1), I32Const(500), ltU, BrIf(0),
					Op(0xad)))
			b.Export("run", KindFunc, f)
		}, args(0, 499, 500, 1000)},
		{"many results with calls", func(b *Builder) {
			pair := b.Func("pair", i32, Types(I32, I64, F32), nil,
				LocalGet(0), LocalGet(0), Op(0xad), F32Const(1.5))
			f := b.Func("run", i32, Types(I32, I64, F32), nil,
				LocalGet(0), isZero, If(Void, I32Const(8), Call(pair), Return()),
				LocalGet(0), Call(pair))
			b.Export("run", KindFunc, f)
		}, args(0, 3)},
	}
}

func tableCases() []runCase {
	return []runCase{
		{"indirect calls through a table", func(b *Builder) {
			typ := b.Type(i32, i32)
			b.Table(FuncRef, 4, -1)
			one := b.Func("one", i32, i32, nil, LocalGet(0), I32Const(1), add)
			two := b.Func("two", i32, i32, nil, LocalGet(0), Call(one), I32Const(2), mul)
			wrong := b.Func("wrong", nil, nil, nil)
			f := b.Func("run", i32, i32, nil, I32Const(20), LocalGet(0), CallIndirect(typ, 0))
			b.Elem(0, one, two, wrong)
			b.Export("run", KindFunc, f)
		}, args(0, 1, 2, 3, 4)},
		{"traps", func(b *Builder) {
			b.Memory(1, 1)
			f := b.Func("run", i32, i32, nil,
				Block(Void, Block(Void, Block(Void, Block(Void,
					LocalGet(0), BrTable(0, 1, 2, 3)),
					Unreachable()),
					I32Const(1), I32Const(0), Op(0x6d), Return()),
					I32Const(65533), Mem(0x28, 2, 0), Return()),
				I32Const(7))
			b.Export("run", KindFunc, f)
			b.Export("memory", KindMemory, 0)
		}, args(0, 1, 2, 3)},
		{"start function and references", func(b *Builder) {
			b.Memory(1, 1)
			b.Table(FuncRef, 1, 10)
			g := b.Global(FuncRef, true, RefFunc(1))
			typ := b.Type(nil, i32)
			start := b.Func("start", nil, nil, nil, I32Const(0), I32Const(42), Mem(0x36, 2, 0))
			seven := b.Func("seven", nil, i32, nil, I32Const(7))
			eight := b.Func("eight", nil, i32, nil, I32Const(8))
			f := b.Func("run", i32, i32, nil,
				LocalGet(0), If(Void, RefFunc(eight), GlobalSet(g)),
				I32Const(0), GlobalGet(g), Op(0x26, 0),
				I32Const(0), CallIndirect(typ, 0), I32Const(0), Mem(0x28, 2, 0), add)
			b.DeclareElem(seven, eight)
			b.Start(start)
			b.Export("run", KindFunc, f)
			b.Export("memory", KindMemory, 0)
		}, args(0, 1, 0)},
	}
}
