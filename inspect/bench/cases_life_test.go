package bench_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"perch/engine"
	"perch/engine/abi"
	"perch/engine/clock"
	"perch/engine/event"
	"perch/engine/pack"
	"perch/engine/settings"
	w "perch/engine/wasm/wasmtest"
	"perch/inspect/bench"
	"perch/inspect/model"
	"perch/inspect/record"
	"perch/samples/mischief"
)

const (
	answer = `{"jsonrpc":"2.0","id":$id,"result":{"content":[{"type":"text","text":"ok"}]}}`
	good   = "out '" + answer + "\\n'"
)

// TestUnflushedAnswer (P059): the module keeps its answer in a buffer and
// waits for the next line. It is said at once, and stdin is closed to see what
// comes.
func TestUnflushedAnswer(t *testing.T) {
	c := act(t, "call hold '"+answer+"\\n' line")
	f := outcome(t, c, event.Broken, abi.LifeBuffered)
	holds(t, f, "flush", "fflush(stdout)")
	closed := bodies[event.StdinClosed](t, c.Run)
	if len(closed) != 1 || !closed[0].Experiment {
		t.Errorf("stdin was closed %+v, want once, as an experiment", closed)
	}
	messages := bodies[event.Message](t, c.Run)
	if len(messages) != 1 || !messages[0].Evidence || messages[0].Answers == 0 {
		t.Errorf("the messages are %+v, want the answer, as evidence", messages)
	}
}

// TestNoFinalNewline (P060): the answer is whole but for its newline; the
// module then waits, or exits.
func TestNoFinalNewline(t *testing.T) {
	for name, then := range map[string]string{"reads": "line", "exits": "exit 0"} {
		t.Run(name, func(t *testing.T) {
			c := act(t, "call out '"+answer+"' "+then)
			f := outcome(t, c, event.Broken, abi.FrameNewline)
			size := c.Run.Stream(event.Stdout).Len()
			holds(t, f, fmt.Sprintf("%d bytes", size), "does not end in \\n", "answer request")
			told := 0
			for _, f := range c.Findings {
				if f.Rule == abi.FrameNewline {
					told++
				}
			}
			if told != 1 {
				t.Errorf("it is told %d times: %s", told, list(c.Findings))
			}
			if size < int64(len(answer)) {
				t.Errorf("stdout holds %d bytes", size)
			}
		})
	}
}

// TestRequestOfTheModule (P068): it is not answered, and nothing waits for it.
func TestRequestOfTheModule(t *testing.T) {
	c := act(t, `call out '{"jsonrpc":"2.0","id":"s1","method":"roots/list"}\n' line `+good)
	f := outcome(t, c, event.Broken, abi.RPCServerRequest)
	holds(t, f, "roots/list")
	if f.Fix == "" || f.Where.Line != 1 {
		t.Errorf("fix %q at line %d", f.Fix, f.Where.Line)
	}
	if n := len(bodies[event.Request](t, c.Run)); n != 1 {
		t.Errorf("the module was sent %d lines, want its request alone", n)
	}
	if c.Result.Usage.Time > abi.LocalTimeout/10 {
		t.Errorf("it took %s", c.Result.Usage.Time)
	}
}

// TestWaitsForInitialize (P078): a server of older revisions.
func TestWaitsForInitialize(t *testing.T) {
	script := `discover out '{"jsonrpc":"2.0","id":$id,"error":{"code":-32602,"message":"Server not initialized"}}\n'`
	b := openWith(t, packed(t, mischief.Build(script)), settings.Flags{})
	u, err := b.Upload(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if u.Outcome != event.Refused {
		t.Errorf("the upload is %s", u.Outcome)
	}
	holds(t, find(t, u.Findings, abi.RPCHandshake), "initialize", "server/discover")
}

// TestReadsForEver (P083): the module takes 0 bytes for "try again".
func TestReadsForEver(t *testing.T) {
	c := act(t, "call "+good+"\neof repeat 0 ( drain )")
	f := outcome(t, c, event.Broken, abi.LifeExitLate)
	holds(t, f, "Did not exit within 1 s", "returned 0", "return from _start")
	if c.Result.Answer == nil || c.Model[0].Type != model.Crash {
		t.Errorf("the answer is %v, the model reads %v", c.Result.Answer, c.Model)
	}
}

// TestStderrIsKept (P085): 2 MiB and a good answer; half a line and a trap.
func TestStderrIsKept(t *testing.T) {
	c := act(t, "call repeat 64 ( err '${32768:x}' ) "+good)
	outcome(t, c, event.OK, "")
	if n := c.Run.Stream(event.Stderr).Len(); n != 2<<20 {
		t.Errorf("%d bytes of stderr are kept", n)
	}
	c = act(t, "call err '${5000:y}about to' trap unreachable")
	outcome(t, c, event.Broken, abi.LifeTrap)
	want := strings.Repeat("y", abi.StderrTail-8) + "about to"
	if string(c.Result.Stderr) != want {
		t.Errorf("the tail is %d bytes, ...%q", len(c.Result.Stderr), c.Result.Stderr[max(0, len(c.Result.Stderr)-20):])
	}
	if got := c.Model[0].Text; !strings.HasSuffix(got, want) {
		t.Errorf("the model reads %q", got)
	}
}

// TestStallsLeaveNothing (P101): a module that only reads ends at once, and a
// hundred of them leave no goroutine.
func TestStallsLeaveNothing(t *testing.T) {
	b := openWith(t, packed(t, mischief.Build("call drain")), settings.Flags{})
	outcome(t, actOn(t, b), event.Broken, abi.LifeStall)
	before := runtime.NumGoroutine()
	for range 100 {
		c := actOn(t, b)
		if c.Result.Outcome != event.Broken {
			t.Fatalf("the outcome is %s", c.Result.Outcome)
		}
		if c, err := b.Call(cancelled(), mischief.ActTool, []byte("{}")); err != nil || c.Result.Outcome != event.Cancelled {
			t.Fatalf("a cancelled call is %s: %v", c.Result.Outcome, err)
		}
	}
	deadline := time.Now().Add(time.Minute)
	for runtime.NumGoroutine() > before && time.Now().Before(deadline) {
		runtime.Gosched()
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines, %d before", n, before)
	}
}

// clocks is a module that writes the wall time, 16 random bytes and how long a
// sleep of 50 ms took to stderr, as bytes.
func clocks() []byte {
	var b w.Builder
	i32 := w.I32
	time := b.ImportFunc(abi.ModuleWASI, "clock_time_get", w.Types(i32, w.I64, i32), w.Types(i32))
	random := b.ImportFunc(abi.ModuleWASI, "random_get", w.Types(i32, i32), w.Types(i32))
	poll := b.ImportFunc(abi.ModuleWASI, "poll_oneoff", w.Types(i32, i32, i32, i32), w.Types(i32))
	write := b.ImportFunc(abi.ModuleWASI, "fd_write", w.Types(i32, i32, i32, i32), w.Types(i32))
	b.Memory(1, -1)
	b.Export("memory", w.KindMemory, 0)
	load := func(at int64) []byte { return w.Cat(w.I32Const(at), w.Mem(0x29, 3, 0)) }
	now := func(id, at int64) []byte {
		return w.Cat(w.I32Const(id), w.I64Const(0), w.I32Const(at), w.Call(time), w.Drop())
	}
	start := b.Func("_start", nil, nil, nil,
		now(0, 64),
		w.I32Const(72), w.I32Const(16), w.Call(random), w.Drop(),
		now(1, 128),
		w.I32Const(256), w.I32Const(512), w.I32Const(1), w.I32Const(1024), w.Call(poll), w.Drop(),
		now(1, 136),
		w.I32Const(88), load(136), load(128), w.Op(0x7d), w.Mem(0x37, 3, 0), // i64.sub, i64.store
		w.I32Const(2), w.I32Const(0), w.I32Const(1), w.I32Const(1024), w.Call(write), w.Drop())
	b.Export("_start", w.KindFunc, start)
	b.Data(0, []byte{64, 0, 0, 0, 32, 0, 0, 0}) // 32 bytes at 64
	sleep := make([]byte, 48)
	sleep[16] = 1 // the monotonic clock
	copy(sleep[24:], []byte{0x80, 0xf0, 0xfa, 0x02})
	b.Data(256, sleep)
	return b.Bytes()
}

func told(t *testing.T, b *bench.Bench) (wall time.Time, random string, slept time.Duration, seed string) {
	t.Helper()
	c := actOn(t, b)
	s := c.Run.Stream(event.Stderr).Bytes(0, 64)
	if len(s) != 32 {
		t.Fatalf("the module wrote %d bytes", len(s))
	}
	number := func(at int) (n int64) {
		for i := 7; i >= 0; i-- {
			n = n<<8 | int64(s[at+i])
		}
		return n
	}
	return time.Unix(0, number(0)), string(s[8:24]), time.Duration(number(24)), c.Run.Begin().Seed
}

// TestClocksAndRandomAreReal (P103), unless a seed fixes them.
func TestClocksAndRandomAreReal(t *testing.T) {
	module := packed(t, clocks())
	b, err := bench.Open(t.Context(), module, bench.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	before := time.Now()
	wall, one, slept, _ := told(t, b)
	if wall.Before(before) || wall.After(time.Now()) {
		t.Errorf("the module's clock says %s, ours %s", wall, before)
	}
	if slept < 50*time.Millisecond || slept > time.Since(before) {
		t.Errorf("50 ms took %s", slept)
	}
	if _, two, _, seed := told(t, b); one == two || seed != "" {
		t.Errorf("random bytes are the same, seed %q", seed)
	}
	seed := "7"
	fixed := openWith(t, module, settings.Flags{Seed: &seed})
	wall, one, _, said := told(t, fixed)
	if again, two, _, _ := told(t, fixed); !wall.Equal(again) || one != two || said != "7" {
		t.Errorf("with a seed: %s and %s, the same random bytes %t, reported as %q", wall, again, one == two, said)
	}
}

// TestSpin (P104): a loop without host calls ends at the limit.
func TestSpin(t *testing.T) {
	limit := "10s"
	b := openWith(t, packed(t, startCode(w.Loop(0x40, w.Br(0)))), settings.Flags{Timeout: &limit})
	f := outcome(t, actOn(t, b), event.Broken, abi.LifeTime)
	holds(t, f, "10 s", "no host call", "_start", "--timeout")
	u, err := b.Upload(t.Context())
	if err != nil || u.Outcome != event.Refused {
		t.Fatalf("the upload is %s: %v", u.Outcome, err)
	}
	find(t, u.Findings, abi.ListTime)
}

// TestLongHostCalls: a limit is kept in the midst of a host call, and by those
// that leave no stack.
func TestLongHostCalls(t *testing.T) {
	limit := "100ms"
	for name, size := range map[string]int64{"one call": 1 << 26, "many": 1 << 16} {
		t.Run(name, func(t *testing.T) {
			var b w.Builder
			random := b.ImportFunc(abi.ModuleWASI, "random_get", w.Types(w.I32, w.I32), w.Types(w.I32))
			b.Memory(1024, -1)
			b.Export("memory", w.KindMemory, 0)
			b.Export("_start", w.KindFunc, b.Func("_start", nil, nil, nil,
				w.Loop(0x40, w.I32Const(0), w.I32Const(size), w.Call(random), w.Drop(), w.Br(0))))
			c := actOn(t, openWith(t, packed(t, b.Bytes()), settings.Flags{Timeout: &limit}))
			outcome(t, c, event.Broken, abi.LifeTime)
			if c.Result.Usage.Time > 100*time.Millisecond+abi.StopLatency {
				t.Errorf("it ends after %s", c.Result.Usage.Time)
			}
		})
	}
}

// TestRecursion (P106): one frame for each function, and what it means.
func TestRecursion(t *testing.T) {
	var b w.Builder
	b.Memory(1, -1)
	b.Export("memory", w.KindMemory, 0)
	r := b.Func("r", nil, nil, nil, w.Call(0))
	b.Export("_start", w.KindFunc, b.Func("_start", nil, nil, nil, w.Call(r)))
	p := openWith(t, packed(t, b.Bytes()), settings.Flags{})
	f := outcome(t, actOn(t, p), event.Broken, abi.LifeTrap)
	holds(t, f, "call stack exhausted", "r calls itself")
	if len(f.Stack) == 0 || f.Stack[0].Name != "r" {
		t.Errorf("the stack is %v", f.Stack)
	}
	if strings.Contains(text(f), "interpreter") {
		t.Errorf("it says %s", text(f))
	}
	p = openWith(t, packed(t, b.Bytes()), settings.Flags{Engine: new("interpreter")})
	f = outcome(t, actOn(t, p), event.Broken, abi.LifeTrap)
	holds(t, f, "at 2000 calls", "The interpreter has room for no more", "16000")
}

// TestShadowStack (P106): a C stack that grew below address 0.
func TestShadowStack(t *testing.T) {
	var b w.Builder
	b.Memory(2, -1)
	b.Global(w.I32, true, w.I32Const(65536)) // __stack_pointer
	b.Export("memory", w.KindMemory, 0)
	b.Export("_start", w.KindFunc, b.Func("_start", nil, nil, nil,
		w.GlobalGet(0), w.I32Const(1<<20), w.Op(0x6b), w.GlobalSet(0), // a frame of 1 MiB
		w.GlobalGet(0), w.I32Const(1), w.Mem(0x36, 2, 0)))
	p := openWith(t, packed(t, b.Bytes()), settings.Flags{})
	f := outcome(t, actOn(t, p), event.Broken, abi.LifeTrap)
	holds(t, f, "out of bounds", "stack pointer", "-z stack-size")

	c := act(t, "call trap oob") // another address is no sign of that
	if f := outcome(t, c, event.Broken, abi.LifeTrap); strings.Contains(text(f), "stack pointer") {
		t.Errorf("it says %s", text(f))
	}
}

// TestStubsOfTheLinker: a function that wasm-ld made says why it is there.
func TestStubsOfTheLinker(t *testing.T) {
	for name, words := range map[string][]string{
		"signature_mismatch:main": {"in the place of main", "another type", "function signature mismatch: main"},
		"undefined_weak:helper":   {"in the place of helper", "nothing defines"},
	} {
		var b w.Builder
		b.Memory(1, -1)
		b.Export("memory", w.KindMemory, 0)
		b.Export("_start", w.KindFunc, b.Func(name, nil, nil, nil, w.Unreachable()))
		f := outcome(t, actOn(t, openWith(t, packed(t, b.Bytes()), settings.Flags{})), event.Broken, abi.LifeTrap)
		holds(t, f, words...)
	}
}

// TestMemoryIsGivenToTheLimit (P107).
func TestMemoryIsGivenToTheLimit(t *testing.T) {
	limit := "4MiB"
	grow := startCode(w.Loop(0x40, w.I32Const(1), w.Op(0x40, 0), w.I32Const(-1), w.Op(0x47), w.BrIf(0)), w.Unreachable())
	b := openWith(t, packed(t, grow), settings.Flags{Memory: &limit})
	c := actOn(t, b)
	f := outcome(t, c, event.Broken, abi.LifeMemory)
	holds(t, f, "4 MiB", "our setting", "--memory")
	if c.Result.Usage.MemoryPeak != 4<<20 {
		t.Errorf("the peak is %d", c.Result.Usage.MemoryPeak)
	}
}

// TestExits (P109).
func TestExits(t *testing.T) {
	outcome(t, act(t, "call "+good), event.OK, "")
	outcome(t, act(t, "call "+good+" exit 0"), event.OK, "")
	f := outcome(t, act(t, "call "+good+" exit 3"), event.Broken, abi.LifeExitCode)
	holds(t, f, "status 3", "the answer before it is lost")
	holds(t, outcome(t, act(t, "call "+good+" exit 4294967295"), event.Broken, abi.LifeExitCode), "status 4294967295 (-1)")
	f = outcome(t, act(t, "call "+good+" trap unreachable"), event.Broken, abi.LifeTrap)
	holds(t, f, "unreachable", "The answer before it is lost")
}

// TestAllocate (P117): refused, and nothing changes.
func TestAllocate(t *testing.T) {
	dir := t.TempDir()
	b := openWith(t, packed(t, mischief.Build("call open '/volume/tmp/a' wct allocate 4096 say 'errno $errno'")), settings.Flags{Volume: &dir})
	c := actOn(t, b)
	outcome(t, c, event.OK, "")
	if c.Model[0].Text != "errno 58" {
		t.Errorf("the module says %q", c.Model[0].Text)
	}
	if info, err := os.Stat(filepath.Join(dir, "tmp", "a")); err != nil || info.Size() != 0 {
		t.Errorf("the file is %v, %v", info, err)
	}
	if f := find(t, c.Findings, abi.FilesAllocate); f.Severity != abi.Info {
		t.Errorf("its severity is %s", f.Severity)
	}
}

// TestBudget (P118): to the last byte, and one more; files that grow back count
// each time.
func TestBudget(t *testing.T) {
	e := engine.New(engine.Options{Clock: quick()})
	defer e.Close(context.Background())
	call := func(ops string) bench.Call {
		t.Helper()
		p, err := pack.Open(packed(t, mischief.Build("call "+ops)), pack.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		s, err := e.NewSession(p, engine.Config{Budget: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		rec := record.New(record.DefaultLimits())
		r, err := s.Call(t.Context(), mischief.ActTool, []byte("{}"), rec)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Tape.Close()
		return bench.Call{Result: r, Run: rec.Run(r.Run), Model: model.Blocks(rec.Run(r.Run))}
	}
	for ops, want := range map[string]int64{
		"open '/volume/tmp/a' wct repeat 2 ( write '${524288:x}' ) write 'y' say 'errno $errno'":                                1 << 20,
		"repeat 2 ( open '/volume/tmp/a' wct write '${524288:x}' close ) open '/volume/tmp/b' wct write 'y' say 'errno $errno'": 1 << 20,
		"open '/volume/tmp/a' wct size 1048577 say 'errno $errno'":                                                              0,
	} {
		c := call(ops)
		if c.Model[0].Text != "errno 19" || c.Result.Usage.Written != want {
			t.Errorf("%s: the module says %q, %d bytes written", ops, c.Model[0].Text, c.Result.Usage.Written)
		}
	}
}

// TestCompileIsLeft (P122): who cancels does not wait for the compile, and its
// time is no call's.
func TestCompileIsLeft(t *testing.T) {
	labels := make([]uint32, 20_000)
	var b w.Builder
	b.Memory(1, -1)
	b.Export("memory", w.KindMemory, 0)
	b.Export("_start", w.KindFunc, b.Func("_start", nil, nil, nil, w.Block(0x40, w.I32Const(0), w.BrTable(append(labels, 0)...))))
	name := packed(t, b.Bytes())

	hurried, err := bench.Open(t.Context(), name, bench.Options{Clock: quick()})
	if err != nil {
		t.Fatal(err)
	}
	u, err := hurried.Upload(cancelled())
	if err != nil || u.Outcome != event.Cancelled {
		t.Errorf("the upload is %s: %v", u.Outcome, err)
	}
	if err := hurried.Close(); err != nil {
		t.Error(err)
	}

	p := openWith(t, name, settings.Flags{})
	m, err := p.Session.Ready(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c := actOn(t, p)
	if m.Took <= 0 || c.Run.Begin().Started.IsZero() {
		t.Errorf("compiled in %s", m.Took)
	}
}

// TestCompileThatTakesTooLong: a module may be made so that compiling it takes
// hours. It is given up.
func TestCompileThatTakesTooLong(t *testing.T) {
	c := clock.NewManual(time.Unix(0, 0))
	e := engine.New(engine.Options{Clock: hasty{c}})
	defer e.Close(context.Background())
	labels := make([]uint32, 40_000) // takes wazero much longer than the look below
	m := e.Compile(startCode(w.Block(0x40, w.I32Const(0), w.BrTable(append(labels, 0)...))))
	if err := m.Wait(t.Context()); !errors.Is(err, engine.ErrCompileTime) {
		t.Errorf("the compile ends in %v", err)
	}
}

// hasty is a clock whose timers pass at once.
type hasty struct{ *clock.Manual }

// After implements clock.Clock.
func (h hasty) After(time.Duration) (<-chan struct{}, func()) {
	passed := make(chan struct{})
	close(passed)
	return passed, func() {}
}
