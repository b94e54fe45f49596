package inspect_test

import (
	"sync"
	"testing"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/settings"
	w "perch/engine/wasm/wasmtest"
	"perch/inspect/bench"
	"perch/samples/mischief"
)

// seed fixes the ids of the requests, so that a module without a JSON reader
// can answer them.
const seed = "7"

// requestIDs are the ids of an upload run with that seed, as they are sent.
var requestIDs = sync.OnceValues(func() ([]string, error) {
	s := seed
	ctx, cancel := testContext()
	defer cancel()
	b, err := bench.Open(ctx, bench.SamplePrefix+"greeter", bench.Options{Flags: settings.Flags{Seed: &s}})
	if err != nil {
		return nil, err
	}
	defer b.Close()
	u, err := b.Upload(ctx)
	if err != nil {
		return nil, err
	}
	var ids []string
	err = u.Run.Range(0, func(e event.Event) bool {
		if q, is := e.Body.(event.Request); is {
			ids = append(ids, q.ID)
		}
		return true
	})
	return ids, err
})

// answering is a module put together by hand that answers an upload run: it
// reads a line, writes its first answer, reads the next, writes the second, and
// returns. Cases add what they are about.
type answering struct {
	w.Builder
	write, read uint32
	hidden      bool     // do not export the memory as memory
	memory      []byte   // limits; nil: one page
	code        [][]byte // of _start, before anything is read
	locals      []byte
}

// newAnswering returns a module with its imports; a case that has imports of
// its own gives them here.
func newAnswering(imports ...func(*w.Builder)) *answering {
	a := &answering{memory: w.Limits(1, -1)}
	four, one := w.Types(w.I32, w.I32, w.I32, w.I32), w.Types(w.I32)
	a.read = a.ImportFunc(abi.ModuleWASI, "fd_read", four, one)
	a.write = a.ImportFunc(abi.ModuleWASI, "fd_write", four, one)
	for _, more := range imports {
		more(&a.Builder)
	}
	return a
}

// Where the module keeps what it reads and writes.
const (
	answersAt = 0x1000 // the two answers, each behind its iovec of 8 bytes
	linesAt   = 0x2000 // the iovec of a read, and the bytes behind it
	countAt   = 0x0f00
)

// trial is the upload of the module, which Subako accepts but for what the
// case adds.
func (a *answering) trial() trial {
	s := seed
	c := trial{do: upload, flags: settings.Flags{Seed: &s}}
	c.open = func(t *testing.T) string {
		ids, err := requestIDs()
		if err != nil || len(ids) != 2 {
			t.Fatalf("the ids are %q: %v", ids, err)
		}
		return folder(t, map[string][]byte{abi.ModuleFile: a.bytes(ids), abi.ManifestFile: []byte(manifest)})
	}
	return c
}

func (a *answering) bytes(ids []string) []byte {
	results := []string{
		cached + `"supportedVersions":["` + abi.ProtocolVersion + `"],"capabilities":{"tools":{}}}`,
		cached + `"tools":[` + tool("a", "") + `]}`,
	}
	at := int64(answersAt)
	code := a.code
	for i, result := range results {
		line := `{"jsonrpc":"2.0","id":` + ids[i] + `,"result":` + result + "}\n"
		a.Data(at, append(iovec(at+8, len(line)), line...))
		code = append(code, a.io(a.read, 0, linesAt), a.io(a.write, 1, at))
		at += int64(8+len(line)+7) &^ 7
	}
	a.Data(linesAt, iovec(linesAt+8, 4096))
	a.RawMemory(a.memory)
	if !a.hidden {
		a.Export(abi.ExportMemory, w.KindMemory, 0)
	}
	a.Export(abi.ExportStart, w.KindFunc, a.Func("", nil, nil, a.locals, code...))
	return a.Bytes()
}

func (a *answering) io(function uint32, fd, iov int64) []byte {
	return w.Cat(w.I32Const(fd), w.I32Const(iov), w.I32Const(1), w.I32Const(countAt), w.Call(function), w.Drop())
}

func iovec(at int64, n int) []byte {
	u32 := func(v int64) []byte { return []byte{byte(v), byte(v >> 8), byte(v >> 16), byte(v >> 24)} }
	return append(u32(at), u32(int64(n))...)
}

// does adds instructions, and has locals of these types.
func (a *answering) does(locals []byte, code ...[]byte) *answering {
	a.locals, a.code = locals, append(a.code, code...)
	return a
}

// has changes the module.
func (a *answering) has(change func(a *answering)) *answering {
	change(a)
	return a
}

// modulePairs are the rules of what module.wasm is, what it imports and what it
// exports.
func modulePairs() []pair {
	one := w.Types(w.I32)
	return []pair{
		{abi.ModuleNotWasm, caseOf("text_format"), newAnswering().trial()},
		{abi.ModuleComponent, caseOf("component"), newAnswering().trial()}, // version 1, layer 0
		{abi.ModuleMalformed, caseOf("type_error"), newAnswering().does(nil,
			w.I32Const(1), w.I32Const(2), w.Op(0x6a), w.Drop(), w.Block(w.I32, w.Unreachable()), w.Drop()).has(unreached).trial()},
		{abi.ModuleStartMissing, caseOf("library"), newAnswering().has(func(a *answering) {
			a.Export("_initialize", w.KindFunc, a.Func("_initialize", nil, nil, nil))
		}).trial()},
		{abi.ModuleStartType, caseOf("start_parameter"), newAnswering().does(w.Types(w.I32, w.I64)).trial()},
		{abi.ModuleMemoryMissing, caseOf("memory_name"), newAnswering().has(func(a *answering) { a.Export("mem", w.KindMemory, 0) }).trial()},
		{abi.ModuleImportModule, caseOf("import_unstable"), newAnswering(func(b *w.Builder) {
			b.ImportFunc(abi.ModuleWASI, "proc_exit", one, nil)
			b.ImportFunc(abi.ModuleHTTP, abi.HTTPRequest, w.Types(w.I32, w.I32), one)
		}).trial()},
		{abi.ModuleImportFunction, caseOf("import_unknown"), newAnswering(func(b *w.Builder) {
			b.ImportFunc(abi.ModuleWASI, "sock_shutdown", w.Types(w.I32, w.I32), one)
			b.ImportFunc(abi.ModuleHTTP, abi.HTTPReadResponse, w.Types(w.I32, w.I32), one)
		}).trial()},
		{abi.ModuleImportType, caseOf("import_type"), newAnswering(func(b *w.Builder) {
			b.ImportFunc(abi.ModuleWASI, "fd_seek", w.Types(w.I32, w.I64, w.I32, w.I32), one)
		}).trial()},
		{abi.ModuleImportKind, caseOf("import_table"), newAnswering().has(func(a *answering) {
			a.Export("table", w.KindTable, a.Table(w.FuncRef, 1, -1))
			a.Export("__stack_pointer", w.KindGlobal, a.Global(w.I32, true, w.I32Const(0)))
		}).trial()},
		{abi.ModuleMemoryLimit, caseOf("memory_huge"), newAnswering().has(func(a *answering) {
			a.memory = w.Limits(abi.LocalMemory/abi.PageSize, 65536)
		}).trial()},
		{abi.ModuleTableLimit, caseOf("table_huge"), newAnswering().has(func(a *answering) { a.Table(w.FuncRef, abi.MaxTableEntries, -1) }).trial()},
		{abi.ModuleToolchain, uploads("").standsAt(mischief.Where{Stream: abi.ModuleFile}), newAnswering().trial()},
	}
}

// unreached puts the code so far into a branch that is not taken.
func unreached(a *answering) {
	a.code = [][]byte{w.I32Const(0), w.If(w.Void, a.code...)}
}

// featurePairs are the rules of what a module uses of WebAssembly.
func featurePairs() []pair {
	vector := w.V128Const([16]byte{})
	return []pair{
		{abi.ModuleFeatureThreads, caseOf("shared_memory"), newAnswering().has(func(a *answering) { a.memory = w.Limits(1, 1) }).trial()},
		{abi.ModuleFeatureExceptions, caseOf("exception_try"), newAnswering().does(nil, w.Block(w.Void, w.Br(0))).trial()},
		{abi.ModuleFeatureTailCall, caseOf("tail_call"), newAnswering().has(func(a *answering) {
			f := a.Func("f", nil, nil, nil)
			a.does(nil, w.Call(a.Func("g", nil, nil, nil, w.Call(f), w.Return())))
		}).trial()},
		{abi.ModuleFeatureMemory64, caseOf("memory_64"), newAnswering().has(func(a *answering) { a.memory = w.Limits(1, 65536) }).trial()},
		{abi.ModuleFeatureMultiMemory, caseOf("two_memories"), newAnswering().does(nil,
			w.I32Const(0), w.I32Const(8), w.I32Const(8), w.Op(0xfc, 0x0a, 0, 0)).trial()}, // memory.copy
		{abi.ModuleFeatureRelaxedSIMD, caseOf("relaxed_simd"), newAnswering().does(nil, vector, vector, w.Op(0xfd, 0x0e), w.Drop()).trial()}, // i8x16.swizzle
		{abi.ModuleFeatureGC, caseOf("gc_i31"), newAnswering().does(nil, w.Op(0xd0, w.ExternRef), w.Drop()).trial()},                         // ref.null
		{abi.ModuleFeatureFunctionReferences, caseOf("function_reference"), newAnswering().does(nil, w.Op(0xd0, w.FuncRef), w.Op(0xd1), w.Drop()).trial()},
		{abi.ModuleFeatureOther, caseOf("extended_constant"), newAnswering().has(func(a *answering) {
			a.Global(w.I64, false, w.I64Const(-3))
			a.does(nil, w.I32Const(200), w.Op(0xc0), w.Drop(), w.F64Const(1e300), w.Op(0xfc, 0x02), w.Drop()) // extend8_s, trunc_sat
		}).trial()},
	}
}
