package wasm_test

import (
	"bytes"
	"testing"

	"perch/engine/abi"
	"perch/engine/wasm"
	. "perch/engine/wasm/wasmtest"
)

func seeds(f *testing.F) {
	for _, c := range append(runCases(), featureCases()...) {
		b := &Builder{}
		c.build(b)
		f.Add(b.Bytes())
	}
	for _, build := range endless() {
		b := &Builder{}
		build(b)
		f.Add(b.Bytes())
	}
	f.Add([]byte(Header))
	f.Add([]byte("\x00asm\x0d\x00\x01\x00"))
	f.Add(Command(Op(0x1f, Void, 1, 2, 0, 0x0b), Op(0x12, 0), Op(0xfe, 3, 0), Op(0xfb, 0x1c)).Bytes())
}

// FuzzCheck: no input makes the check panic, and every place it names lies in
// the file.
func FuzzCheck(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		r := wasm.Check(b, wasm.CheckOptions{Provided: provided, Names: names})
		for _, br := range r.Breaches {
			if br.Detail == "" || br.Where.Offset < 0 || br.Where.End < br.Where.Offset || br.Where.End > int64(len(b)) {
				t.Errorf("%+v", br)
			}
		}
		m := wasm.Read(b)
		for i := range m.Funcs {
			m.FuncName(uint32(i))
			m.Locals(uint32(i))
			m.LocalName(uint32(i), 0)
			m.Instructions(uint32(i), func(*wasm.Instr) bool { return true })
		}
	})
}

// FuzzInstrument: no input makes it panic, and a sound module that an engine
// takes it takes when it is instrumented.
func FuzzInstrument(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := wasm.Instrument(b, wasm.InstrumentOptions{})
		if len(b) > 1<<16 {
			return
		}
		m := wasm.Read(b)
		for _, br := range wasm.Check(b, wasm.CheckOptions{}).Breaches {
			switch br.Rule {
			case abi.ModuleMalformed, abi.ModuleNotWasm, abi.ModuleComponent:
				return // an engine may make room for whatever a count promises
			}
		}
		for _, table := range m.Tables {
			if table.Limits.Min > 1000 {
				return // an engine makes it
			}
		}
		if bytes.Contains(b, []byte("name")) || bytes.Contains(b, []byte(".debug")) {
			return // an engine reads these sections too
		}
		if compiles(b) != nil {
			return
		}
		if err != nil {
			if len(m.Imports) > 0 {
				return // imports a memory, a table or a global
			}
			t.Fatalf("an engine takes it, we: %v", err)
		}
		if err := compiles(x.Bytes); err != nil {
			t.Fatalf("instrumented: %v", err)
		}
	})
}
