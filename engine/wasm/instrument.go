package wasm

import (
	"fmt"
	"strconv"

	"perch/engine/abi"
)

// The import that an instrumented module has beside the guest's own: a function
// with one i32 parameter, a Reason, and no result.
const (
	SafepointModule   = "perch"
	SafepointFunction = "safepoint"
)

// Reason is why an instrumented module called the safepoint.
type Reason int32

// The reasons.
const (
	// ReasonFuel: the fuel is used up. The host may look at the module, refill
	// by setting the fuel global above zero, or stop the run by panicking.
	ReasonFuel Reason = 0
	// ReasonDepth: the calls are nested deeper than the depth that was left.
	// The host is expected to panic: the module would go on.
	ReasonDepth Reason = 1
)

// FuelQuantum is the fuel that a module starts with, and a good refill: the
// refills themselves cost about 1 %, so many ticks usually take well under a
// millisecond, and about 20 milliseconds when a module does its worst.
const FuelQuantum = 10_000

// Weights of the deterministic clock. A function entry and a turn of a loop
// are one tick each; long stretches of code and bulk instructions are more, so
// that no tick is longer than a few microseconds.
const (
	tickBytes = 256     // bytes of code of one more tick
	callBytes = 32      // what a call counts among them: its callee may have no probe
	refBytes  = 256     // what a ref.func counts: it leaves compiled code
	smallBody = 32      // bytes of a function without call and loop that gets no probe
	bulkTick  = 12      // log2 of the bytes of one more tick; a table's entry has 8
	bulkFast  = 1 << 12 // bytes below which bulk instructions are left as they are
	growTicks = 64      // ticks of a memory.grow or table.grow, which leaves compiled code
)

// InstrumentOptions are what a module has before the host sets it: a start
// function runs at the instantiation.
type InstrumentOptions struct {
	Fuel  int32 // ticks to the first safepoint; 0: FuelQuantum
	Depth int32 // calls that may be nested; 0: abi.StackDepth
}

// Instrumented is a rewritten module. It behaves as the original, and besides:
//
//   - it imports SafepointModule.SafepointFunction and calls it at a function
//     entry or the head of a loop when its fuel is used up, and at a function
//     entry when its calls are nested too deep;
//   - it exports its fuel and the depth that is left as mutable i32 globals;
//   - bulk memory instructions go in steps of abi.BulkStep, and no table grows
//     beyond abi.MaxTableEntries.
//
// Ticks spent are all fuel ever granted minus the fuel that is left. They are
// the same on every engine and for every size of the refills. To stop at the
// very next probe, set the fuel to 1 at a safepoint and to 0 elsewhere.
type Instrumented struct {
	Bytes []byte

	FuelGlobal  string // export name
	DepthGlobal string // export name
	// Globals are the export names of the guest's own globals by index, for
	// those that are mutable; the others are empty.
	Globals []string
	// Misfit is why an instantiation traps at once; nil when it does not. The
	// host looks at it: an engine may pass over it.
	Misfit *Misfit

	imported uint32 // functions that the guest imports
	defined  uint32 // functions of the guest with a body
	offsets  offsetMap
}

// OriginalFunc maps a function index of the instrumented module to the one in
// the original. ok is false for the safepoint and for our own helpers.
func (x *Instrumented) OriginalFunc(i uint32) (orig uint32, ok bool) {
	switch {
	case i < x.imported:
		return i, true
	case i == x.imported, i-1 >= x.imported+x.defined:
		return 0, false
	}
	return i - 1, true
}

// InstrumentedFunc maps a function index of the original to the one in the
// instrumented module.
func (x *Instrumented) InstrumentedFunc(i uint32) uint32 {
	if i < x.imported {
		return i
	}
	return i + 1
}

// OriginalOffset maps an offset in the instrumented code section, counted from
// the first byte of its contents as in DWARF, to the one in the original and
// the function it lies in. An offset in code that we inserted maps to the
// instruction it was inserted for. ok is false for one outside the guest's code.
func (x *Instrumented) OriginalOffset(offset uint64) (orig uint64, fn uint32, ok bool) {
	orig, n, ok := x.offsets.find(offset)
	return orig, uint32(n) + x.imported, ok
}

// Instrument rewrites a module that passed Check. An error means that it did
// not.
func Instrument(b []byte, o InstrumentOptions) (*Instrumented, error) {
	m := Read(b)
	if len(m.Faults) > 0 {
		return nil, fmt.Errorf("reading the module: %w", m.Faults[0])
	}
	for _, imp := range m.Imports {
		if imp.Module == SafepointModule || imp.Kind != ExternFunc {
			return nil, fmt.Errorf("the module imports the %s %s from %s", imp.Kind, quote(imp.Name), quote(imp.Module))
		}
	}
	if len(m.Types) > maxTypes-16 || len(m.Funcs) > maxFunctions-16 {
		return nil, fmt.Errorf("no room for our own types and functions")
	}
	w := newRewriter(m, o)
	if err := w.code(); err != nil {
		return nil, err
	}
	w.module()
	return w.out, nil
}

// rewriter holds what the parts of one rewriting share.
type rewriter struct {
	m       *Module
	out     *Instrumented
	initial [2]int32 // of our globals

	safepoint     uint32 // function index
	fuel, depth   uint32 // global indices
	types         []FuncType
	typeIndex     map[string]uint32
	helpers       []helper
	helperIndex   map[helperKey]uint32
	codeContents  []byte // of the new code section, without helpers
	codeCount     int
	exportsBefore string // a prefix that no export of the guest has
}

func newRewriter(m *Module, o InstrumentOptions) *rewriter {
	if o.Fuel == 0 {
		o.Fuel = FuelQuantum
	}
	if o.Depth == 0 {
		o.Depth = abi.StackDepth
	}
	w := &rewriter{
		m:           m,
		initial:     [2]int32{o.Fuel, o.Depth},
		safepoint:   uint32(m.ImportedFuncs()),
		fuel:        uint32(len(m.Globals)),
		depth:       uint32(len(m.Globals)) + 1,
		typeIndex:   make(map[string]uint32),
		helperIndex: make(map[helperKey]uint32),
	}
	prefix := w.freePrefix()
	w.out = &Instrumented{
		FuelGlobal:  prefix + "fuel",
		DepthGlobal: prefix + "depth",
		Globals:     make([]string, len(m.Globals)),
		Misfit:      m.misfit(),
		imported:    uint32(m.ImportedFuncs()),
		defined:     uint32(len(m.Code)),
	}
	for i, g := range m.Globals {
		if g.Mutable {
			w.out.Globals[i] = prefix + "g" + strconv.Itoa(i)
		}
	}
	return w
}

// freePrefix finds a prefix for the names of our exports. It begins with NUL,
// which no toolchain uses; a hostile module may.
func (w *rewriter) freePrefix() string {
	taken := make(map[string]bool)
	for _, e := range w.m.Exports {
		if len(e.Name) > 0 && e.Name[0] == 0 {
			if end := indexByte(e.Name[1:], 0); end >= 0 {
				taken[e.Name[:end+2]] = true
			}
		}
	}
	for i := 0; ; i++ {
		if p := "\x00" + strconv.Itoa(i) + "\x00"; !taken[p] {
			return p
		}
	}
}

func indexByte(s string, b byte) int {
	for i := range len(s) {
		if s[i] == b {
			return i
		}
	}
	return -1
}

// typeFor is the index of a function type, added when it is new.
func (w *rewriter) typeFor(t FuncType) uint32 {
	key := make([]byte, 0, 4*(len(t.Params)+len(t.Results))+1)
	for _, v := range t.Params {
		key = appendULEB(key, uint64(v))
	}
	key = append(key, 0)
	for _, v := range t.Results {
		key = appendULEB(key, uint64(v))
	}
	if i, ok := w.typeIndex[string(key)]; ok {
		return i
	}
	i := uint32(len(w.m.Types) + len(w.types))
	w.types = append(w.types, t)
	w.typeIndex[string(key)] = i
	return i
}

// fn is the new index of a function of the guest.
func (w *rewriter) fn(i uint32) uint32 { return w.out.InstrumentedFunc(i) }

// code rewrites all bodies.
func (w *rewriter) code() error {
	b := bodyWriter{rewriter: w}
	w.typeFor(FuncType{Params: []ValType{I32}}) // the safepoint's, first
	start := 0
	if s := w.m.SectionOf(SecCode); s != nil {
		start = s.Body.Start
	}
	w.out.offsets.base = start
	for i := range w.m.Code {
		fn := uint32(w.m.ImportedFuncs() + i)
		if err := b.rewrite(fn); err != nil {
			return err
		}
		size := appendULEB(nil, uint64(len(b.out)))
		at := len(w.codeContents) + len(size)
		w.codeContents = append(w.codeContents, size...)
		w.codeContents = append(w.codeContents, b.out...)
		w.out.offsets.add(at, len(b.out), b.edges)
	}
	w.codeCount = len(w.m.Code)
	return nil
}
