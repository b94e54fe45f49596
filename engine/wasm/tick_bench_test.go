package wasm_test

import (
	"context"
	"testing"
	"time"

	"perch/engine/wasm"
	. "perch/engine/wasm/wasmtest"
)

// BenchmarkLongestTick runs what takes longest for its ticks, and reports the
// time of one: FuelQuantum of them must stay below abi.StopLatency.
func BenchmarkLongestTick(b *testing.B) {
	zero := I32Const(0)
	for name, code := range map[string][]byte{
		"empty":         nil,
		"f64.sqrt":      Cat(F64Const(2), Op(0x9f), Op(0x9f), Op(0x9f), Op(0x9f), Op(0x9f), Op(0x9f), Op(0x9f), Op(0x9f), LocalSet(2)),
		"i64.rem_s":     Cat(LocalGet(1), I64Const(3), Op(0x81), LocalGet(1), I64Const(7), Op(0x81), Op(0x7c), LocalSet(1)),
		"ref.func":      Cat(RefFunc(0), Drop()),
		"memory.grow":   Cat(zero, Op(0x40, 0), Drop()),
		"table.grow":    Cat(Op(0xd0, FuncRef), zero, Op(0xfc, 15, 0), Drop()),
		"copy of 4095":  Cat(zero, I32Const(9), I32Const(4095), Op(0xfc, 10, 0, 0)),
		"copy of 1 M":   Cat(zero, I32Const(9), I32Const(1<<20), Op(0xfc, 10, 0, 0)),
		"fill of 4095":  Cat(zero, I32Const(9), I32Const(4095), Op(0xfc, 11, 0)),
		"fill of 1 M":   Cat(zero, I32Const(9), I32Const(1<<20), Op(0xfc, 11, 0)),
		"table of 4095": Cat(zero, Op(0xd0, FuncRef), I32Const(4095), Op(0xfc, 17, 0)),
		"table of 1 M":  Cat(zero, Op(0xd0, FuncRef), I32Const(1_000_000), Op(0xfc, 17, 0)),
		"table copy":    Cat(zero, I32Const(1), I32Const(999_999), Op(0xfc, 14, 0, 0)),
		"small callee":  Call(0),
		"popcnt":        Cat(LocalGet(3), Op(0xfd, 0x62), Op(0xfd, 0x62), Op(0xfd, 0x62), Op(0xfd, 0x62), LocalSet(3)),
		"trunc_sat":     Cat(LocalGet(3), Op(0xfd, 0xf9, 0x01), Op(0xfd, 0xfb, 0x01), LocalSet(3)),
	} {
		b.Run(name, func(b *testing.B) {
			m := &Builder{}
			m.Memory(32, 32)
			m.Table(FuncRef, 1_000_000, -1)
			m.Func("leaf", nil, nil, Types(F64, F64), F64Const(2), Op(0x9f), Op(0x9f), Op(0x9f), Op(0x9f), Op(0x9f), LocalSet(0))
			var body []byte
			for len(body) < 2000 {
				if body = append(body, code...); len(code) == 0 {
					break
				}
			}
			run := m.Func("run", i32, nil, Types(I64, F64, V128), Loop(Void, body, LocalGet(0), I32Const(1), sub, LocalTee(0), BrIf(0)))
			m.DeclareElem(0)
			m.Export("run", KindFunc, run)
			h := &host{x: instrument(b, m.Bytes()), refill: wasm.FuelQuantum}
			mod := instantiate(b, engines["compiler"](), nil, h)
			fn := mod.ExportedFunction("run")
			turns := uint64(10)
			if len(code) == 0 {
				turns = 1_000_000
			}
			before, start := h.ticks(), time.Now()
			for b.Loop() {
				if _, err := fn.Call(context.Background(), turns); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(time.Since(start).Nanoseconds())/float64(h.ticks()-before), "ns/tick")
		})
	}
}
