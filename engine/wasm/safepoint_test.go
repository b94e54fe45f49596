package wasm_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero/api"

	"perch/engine/abi"
	"perch/engine/wasm"
	. "perch/engine/wasm/wasmtest"
)

// endless are modules whose run never comes back by itself.
func endless() map[string]func(*Builder) {
	zero := I32Const(0)
	exported := func(b *Builder, f uint32) { b.Export("run", KindFunc, f) }
	return map[string]func(*Builder){
		"spin": func(b *Builder) { exported(b, b.Func("", nil, nil, nil, Loop(Void, Br(0)))) },
		"spin in the dark": func(b *Builder) { // a loop behind a branch that never falls through
			exported(b, b.Func("", nil, nil, nil, Block(Void, Loop(Void, I32Const(1), BrIf(0), Br(1)))))
		},
		"spin by br_table": func(b *Builder) {
			exported(b, b.Func("", nil, nil, nil, Loop(Void, Block(Void, zero, BrTable(1, 0)), Br(0))))
		},
		"spin with a value": func(b *Builder) {
			typ := b.Type(i32, nil)
			exported(b, b.Func("", nil, nil, nil, zero, LoopOf(typ, I32Const(1), Op(0x6a), Br(0))))
		},
		"nested loops": func(b *Builder) {
			exported(b, b.Func("", nil, nil, Types(I32), Loop(Void,
				I32Const(3), LocalSet(0), Loop(Void, LocalGet(0), I32Const(1), sub, LocalTee(0), BrIf(0)), Br(0))))
		},
		"calls in a loop": func(b *Builder) {
			f := b.Func("", nil, nil, nil)
			exported(b, b.Func("", nil, nil, nil, Loop(Void, Call(f), Br(0))))
		},
		"copies of 64 KiB": func(b *Builder) {
			b.Memory(2, 2)
			exported(b, b.Func("", nil, nil, nil, Loop(Void, zero, I32Const(9), I32Const(65536), Op(0xfc, 10, 0, 0), Br(0))))
		},
		"a tree of calls that stays shallow": func(b *Builder) { // 2^40 calls, 40 deep
			var f uint32
			for i := range 40 {
				if i == 0 {
					f = b.Func("", nil, nil, nil)
					continue
				}
				f = b.Func("", nil, nil, nil, Call(f), Call(f))
			}
			exported(b, f)
		},
	}
}

func TestAnyGuestReachesASafepoint(t *testing.T) {
	for name, build := range endless() {
		for engine, config := range engines {
			t.Run(name+"/"+engine, func(t *testing.T) {
				b := &Builder{}
				build(b)
				h := &host{x: instrument(t, b.Bytes()), refill: 100, stopAt: 50}
				mod := instantiate(t, config(), nil, h)
				_, err := mod.ExportedFunction("run").Call(context.Background())
				if !errors.Is(err, errStop) {
					t.Fatalf("ended with %v", err)
				}
				for _, why := range h.reasons {
					if why != wasm.ReasonFuel {
						t.Errorf("reason %d", why)
					}
				}
			})
		}
	}
}

func TestDepthIsLimited(t *testing.T) {
	typ := func(b *Builder) uint32 { return b.Type(nil, nil) }
	for name, build := range map[string]func(*Builder) uint32{
		"recursion": func(b *Builder) uint32 { return b.Func("", nil, nil, nil, Call(0)) },
		"in turns": func(b *Builder) uint32 {
			b.Func("", nil, nil, nil, Call(1))
			return b.Func("", nil, nil, nil, Call(0))
		},
		"through a table": func(b *Builder) uint32 {
			b.Table(FuncRef, 1, 1)
			b.Elem(0, 0)
			return b.Func("", nil, nil, nil, I32Const(0), CallIndirect(typ(b), 0))
		},
		"in a loop": func(b *Builder) uint32 { return b.Func("", nil, nil, nil, Loop(Void, Call(0), Br(0))) },
	} {
		for engine, config := range engines {
			t.Run(name+"/"+engine, func(t *testing.T) {
				b := &Builder{}
				b.Export("run", KindFunc, build(b))
				const depth = 500
				x, err := wasm.Instrument(b.Bytes(), wasm.InstrumentOptions{Depth: depth})
				if err != nil {
					t.Fatal(err)
				}
				h := &host{x: x, refill: wasm.FuelQuantum}
				mod := instantiate(t, config(), nil, h)
				_, err = mod.ExportedFunction("run").Call(context.Background())
				if !errors.Is(err, errStop) || h.reasons[len(h.reasons)-1] != wasm.ReasonDepth {
					t.Fatalf("ended with %v, reasons %v", err, h.reasons)
				}
				if left := api.DecodeI32(mod.ExportedGlobal(x.DepthGlobal).Get()); left != -1 {
					t.Errorf("depth left: %d", left)
				}
				if calls := h.ticks(); calls < depth || calls > 2*depth+2 {
					t.Errorf("%d ticks for %d calls", calls, depth)
				}
			})
		}
	}
}

// With a fuel of 1 at every safepoint each probe is one.
func TestSteps(t *testing.T) {
	b := &Builder{}
	leaf := b.Func("leaf", i32, i32, nil, Loop(I32, LocalGet(0)))
	f := b.Func("run", i32, i32, nil,
		Loop(Void, LocalGet(0), Call(leaf), I32Const(1), sub, LocalTee(0), BrIf(0)), LocalGet(0))
	b.Export("run", KindFunc, f)
	x, err := wasm.Instrument(b.Bytes(), wasm.InstrumentOptions{Fuel: 1})
	if err != nil {
		t.Fatal(err)
	}
	for engine, config := range engines {
		h := &host{x: x, refill: 1}
		mod := instantiate(t, config(), nil, h)
		mod.ExportedGlobal(x.FuelGlobal).(api.MutableGlobal).Set(0)
		h.granted = 0
		if got := call(mod, "run", 7); got != "[0]" {
			t.Errorf("%s: run gave %s", engine, got)
		}
		// run's entry, and in each of 7 turns: the loop's head, leaf's entry, leaf's loop.
		if want := 1 + 7*3; h.points != want || h.ticks() != int64(want) {
			t.Errorf("%s: %d safepoints and %d ticks, want %d", engine, h.points, h.ticks(), want)
		}
	}
}

func TestBigBulkInstructions(t *testing.T) {
	const pages = 80 // 5 MiB
	build := func(b *Builder) {
		b.Memory(pages, pages)
		seg := b.PassiveData([]byte(strings.Repeat("0123456789abcdefghijklm", 3<<20/23)))
		ops := map[string][]byte{
			"copy": {0xfc, 10, 0, 0}, "fill": {0xfc, 11, 0}, "init": {0xfc, 8, byte(seg), 0},
		}
		for _, name := range []string{"copy", "fill", "init"} {
			f := b.Func(name, Types(I32, I32, I32), nil, nil, LocalGet(0), LocalGet(1), LocalGet(2), ops[name])
			b.Export(name, KindFunc, f)
		}
		b.Export("memory", KindMemory, 0)
	}
	b := &Builder{}
	build(b)
	x, err := wasm.Instrument(b.Bytes(), wasm.InstrumentOptions{Fuel: 1})
	if err != nil {
		t.Fatal(err)
	}
	h := &host{x: x, refill: 1}
	config := engines["compiler"]
	want, got := instantiate(t, config(), b.Bytes(), nil), instantiate(t, config(), nil, h)
	const mib = 1 << 20
	for _, c := range []struct {
		fn          string
		to, from, n uint64
		trap        bool
	}{
		{"init", 100, 7, 2*mib + 5, false},
		{"copy", 3 * mib, 100, 2 * mib, false},
		{"copy", 200, 100, 3*mib + 1, false},           // overlaps, backward
		{"copy", 100, 300, 3*mib + 1, false},           // overlaps, forward
		{"copy", 100, 100 + mib/2, 4 * mib, false},     // overlaps by half a step
		{"copy", 100 + mib/2, 100, 4 * mib, false},     //
		{"copy", 5, 5, 4 * mib, false},                 //
		{"fill", 1, 0xee, mib + 1, false},              //
		{"fill", 0, 0x11, pages * abi.PageSize, false}, // all
		{"init", 0, 0, 2 * mib, false},                 //
		{"fill", 1, 0x22, pages * abi.PageSize, true},  // one beyond
		{"fill", mib, 0x22, 1<<32 - 1, true},           //
		{"copy", 4 * mib, 0, 2 * mib, true},            //
		{"copy", 0, 4 * mib, 2 * mib, true},            //
		{"copy", 1<<32 - 8, 0, 2 * mib, true},          //
		{"init", 4 * mib, 0, 2 * mib, true},            //
		{"init", 0, 2 * mib, 2 * mib, true},            // beyond the segment
		{"init", 0, 0, 1<<32 - 1, true},                //
	} {
		t.Run(fmt.Sprintf("%s(%d,%d,%d)", c.fn, c.to, c.from, c.n), func(t *testing.T) {
			h.points = 0
			w, g := call(want, c.fn, c.to, c.from, c.n), call(got, c.fn, c.to, c.from, c.n)
			if w != g || strings.Contains(w, "error") != c.trap {
				t.Errorf("%s, plain %s", g, w)
			}
			if string(memoryOf(want)) != string(memoryOf(got)) {
				t.Error("memory differs")
			}
			if steps := int(c.n / mib); !c.trap && h.points < steps {
				t.Errorf("%d safepoints in %d steps", h.points, steps)
			}
		})
	}
}

func TestTablesAreClamped(t *testing.T) {
	for _, most := range []int64{-1, 2 * abi.MaxTableEntries, 50} {
		b := &Builder{}
		b.Table(FuncRef, 10, most)
		f := b.Func("run", i32, i32, nil, Op(0xd0, FuncRef), LocalGet(0), Op(0xfc, 15, 0))
		b.Export("run", KindFunc, f)
		limit := uint64(abi.MaxTableEntries)
		if most == 50 {
			limit = 50
		}
		for engine, config := range engines {
			mod := instantiate(t, config(), nil, &host{x: instrument(t, b.Bytes()), refill: wasm.FuelQuantum})
			if got := call(mod, "run", limit-9); got != "[4294967295]" {
				t.Errorf("%s, maximum %d: growing beyond %d gave %s", engine, most, limit, got)
			}
			if got := call(mod, "run", limit-10); got != "[10]" {
				t.Errorf("%s, maximum %d: growing to %d gave %s", engine, most, limit, got)
			}
		}
	}
}

// What takes long in one instruction costs more than one tick.
func TestTicksFollowTheWork(t *testing.T) {
	b := &Builder{}
	b.Memory(32, 32)
	b.Table(FuncRef, 10_000, -1)
	nop := strings.Repeat("\x01", 20_000)
	for name, code := range map[string][]byte{
		"nothing": {},
		"code":    []byte(nop),
		"copy":    Cat(I32Const(0), I32Const(9), I32Const(1<<20), Op(0xfc, 10, 0, 0)),
		"table":   Cat(I32Const(0), Op(0xd0, FuncRef), I32Const(10_000), Op(0xfc, 17, 0)),
		"grow":    Cat(I32Const(0), Op(0x40, 0), Drop()),
		"loop":    Loop(Void, []byte(nop)),
	} {
		b.Export(name, KindFunc, b.Func(name, nil, nil, nil, code))
	}
	h := &host{x: instrument(t, b.Bytes()), refill: wasm.FuelQuantum}
	mod := instantiate(t, engines["interpreter"](), nil, h)
	for name, least := range map[string]int64{"nothing": 0, "code": 79, "copy": 256, "table": 20, "grow": 64, "loop": 80} {
		before := h.ticks()
		call(mod, name)
		if n := h.ticks() - before; n < least || n > least+4 {
			t.Errorf("%s: %d ticks, want about %d", name, n, least)
		}
	}
}

func TestNamesOfOurExports(t *testing.T) {
	b := Command()
	g := b.Global(I32, true, I32Const(7))
	b.Global(I64, false, I64Const(8))
	x := instrument(t, b.Bytes())
	// A guest that takes the very names.
	b.Export(x.FuelGlobal, KindFunc, 0)
	b.Export(x.Globals[g], KindFunc, 0)
	x = instrument(t, b.Bytes())
	mod := instantiate(t, engines["interpreter"](), nil, &host{x: x, refill: 1})
	if x.Globals[1] != "" {
		t.Errorf("an immutable global is exported as %q", x.Globals[1])
	}
	mod.ExportedGlobal(x.Globals[g]).(api.MutableGlobal).Set(9)
	for name, want := range map[string]uint64{x.FuelGlobal: wasm.FuelQuantum, x.DepthGlobal: abi.StackDepth, x.Globals[g]: 9} {
		if got := mod.ExportedGlobal(name).Get(); got != want {
			t.Errorf("%q is %d, want %d", name, got, want)
		}
	}
}

func TestInstrumentRefuses(t *testing.T) {
	imports := &Builder{}
	imports.ImportFunc(wasm.SafepointModule, "x", nil, nil)
	memory := &Builder{}
	memory.Import("env", "memory", KindMemory, Limits(1, -1))
	for name, b := range map[string][]byte{
		"our own import":  imports.Bytes(),
		"imported memory": memory.Bytes(),
		"no module":       []byte("hello"),
		"bad body":        Command(Op(0x27)).Bytes(),
		"open block":      Command(Op(0x02, Void)).Bytes(),
		"bad label":       Command(Br(9)).Bytes(),
	} {
		if x, err := wasm.Instrument(b, wasm.InstrumentOptions{}); err == nil || x != nil {
			t.Errorf("%s: %v, %v", name, x, err)
		}
	}
}

// A trap's offsets lead back to the instruction in the original module.
func TestOffsetsLeadBack(t *testing.T) {
	build := func(padded bool) []byte {
		call := Call
		if padded {
			call = func(fn uint32) []byte { return []byte{0x10, byte(fn) | 0x80, byte(fn>>7) | 0x80, 0x80, 0x80, 0} }
		}
		b := &Builder{}
		b.ImportFunc("host", "mix", i32, i32)
		for range 130 { // so that indices grow by a byte
			b.Func("", nil, nil, nil)
		}
		deep := b.Func("deep", i32, i32, i32,
			Loop(Void,
				LocalGet(0), I32Const(3), Op(0x70), eqz, If(Void, Unreachable()),
				LocalGet(0), I32Const(1), sub, LocalSet(0),
				LocalGet(1), LocalGet(0), Op(0x4b), If(Void, LocalGet(1), Return()),
				Br(0)),
			Unreachable())
		mid := b.Func("mid", i32, i32, nil, LocalGet(0), call(0), Drop(), Block(I32, LocalGet(0), call(deep)), call(1), I32Const(2), mul)
		run := b.Func("run", i32, i32, nil, Block(I32, Loop(I32, LocalGet(0), call(mid), I32Const(0), BrTable(1, 2))))
		b.Export("run", KindFunc, run)
		return b.Bytes()
	}
	for _, padded := range []bool{false, true} {
		plain := build(padded)
		x := instrument(t, plain)
		m := wasm.Read(plain)
		for engine, config := range engines {
			h := &host{x: x, refill: 3}
			mod := instantiate(t, config(), nil, h)
			_, err := mod.ExportedFunction("run").Call(context.Background(), 8)
			if err == nil {
				t.Fatal("no trap")
			}
			var got []string
			for _, f := range traceOf(t, err.Error()) {
				fn, ok := x.OriginalFunc(f.fn)
				orig, inFn, found := x.OriginalOffset(f.offset)
				if !ok || !found || fn != inFn {
					t.Fatalf("%s: frame %+v is function %d %v, offset in %d %v", engine, f, fn, ok, inFn, found)
				}
				if x.InstrumentedFunc(fn) != f.fn {
					t.Errorf("function %d is %d again, not %d", fn, x.InstrumentedFunc(fn), f.fn)
				}
				got = append(got, m.FuncName(fn)+" "+instructionAt(m, fn, orig))
			}
			if text := strings.Join(got, ", "); text != "deep unreachable, mid call, run call" {
				t.Errorf("%s, padded %v: %s\n%v", engine, padded, text, err)
			}
		}
	}
}

type traceFrame struct {
	fn     uint32
	offset uint64
}

// traceOf reads the frames of a trap's text: ".$133(i32) i32" and, below,
// "0x2f5: w:1".
func traceOf(t *testing.T, text string) []traceFrame {
	t.Helper()
	var frames []traceFrame
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, ".$"); ok {
			digits, _, _ := strings.Cut(rest, "(")
			n, err := strconv.Atoi(digits)
			if err != nil {
				t.Fatal(err)
			}
			frames = append(frames, traceFrame{fn: uint32(n)})
		} else if at, _, ok := strings.Cut(line, ": w:"); ok {
			n, err := strconv.ParseUint(strings.TrimPrefix(at, "0x"), 16, 64)
			if err != nil {
				t.Fatal(err)
			}
			frames[len(frames)-1].offset = n
		}
	}
	return frames
}

// instructionAt names the instruction that begins at an offset of the code
// section.
func instructionAt(m *wasm.Module, fn uint32, offset uint64) string {
	at := m.SectionOf(wasm.SecCode).Body.Start + int(offset)
	name := fmt.Sprintf("nothing at %d", at)
	m.Instructions(fn, func(in *wasm.Instr) bool {
		if in.At.Start == at {
			name = in.Name()
		}
		return in.At.Start < at
	})
	return name
}

// Every offset of every instruction that was copied maps back to itself.
func TestOffsetsOfEveryInstruction(t *testing.T) {
	for _, c := range append(runCases(), featureCases()...) {
		b := &Builder{}
		c.build(b)
		plain := b.Bytes()
		x := instrument(t, plain)
		before, after := wasm.Read(plain), wasm.Read(x.Bytes)
		base := uint64(after.SectionOf(wasm.SecCode).Body.Start)
		for i := before.ImportedFuncs(); i < len(before.Funcs); i++ {
			fn := uint32(i)
			var ops []string
			seen := make(map[uint64]bool)
			fault := after.Instructions(x.InstrumentedFunc(fn), func(in *wasm.Instr) bool {
				orig, in2, ok := x.OriginalOffset(uint64(in.At.Start) - base)
				if !ok || in2 != fn {
					t.Fatalf("%s: offset 0x%x of function %d maps to function %d, %v", c.name, in.At.Start, fn, in2, ok)
				}
				if name := instructionAt(before, fn, orig); name == in.Name() || (name == "return" && in.Name() == "br") {
					seen[orig] = true
				}
				ops = append(ops, in.Name())
				return true
			})
			if fault != nil {
				t.Fatalf("%s: %v", c.name, fault)
			}
			start := before.SectionOf(wasm.SecCode).Body.Start
			before.Instructions(fn, func(in *wasm.Instr) bool {
				if !seen[uint64(in.At.Start-start)] {
					t.Errorf("%s: %s at 0x%x of function %d is not found again in %v", c.name, in.Name(), in.At.Start, fn, ops)
				}
				return true
			})
		}
	}
}
