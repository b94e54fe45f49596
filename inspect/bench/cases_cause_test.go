package bench_test

import (
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/settings"
	w "perch/engine/wasm/wasmtest"
	"perch/inspect/bench"
	"perch/samples/mischief"
)

// uploaded is the upload run of a scripted module.
func uploaded(t *testing.T, module []byte) bench.Upload {
	t.Helper()
	u, err := openWith(t, packed(t, module), settings.Flags{}).Upload(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if u.Outcome != event.Refused {
		t.Fatalf("the upload is %s: %s", u.Outcome, list(u.Findings))
	}
	return u
}

// texts is a module that holds these texts and reads stdin to its end.
func texts(all ...string) []byte {
	var b w.Builder
	i32 := w.I32
	read := b.ImportFunc(abi.ModuleWASI, "fd_read", w.Types(i32, i32, i32, i32), w.Types(i32))
	b.Memory(1, -1)
	b.Export("memory", w.KindMemory, 0)
	b.Export("_start", w.KindFunc, b.Func("_start", nil, nil, nil, w.Loop(w.Void,
		w.I32Const(0), w.I32Const(0), w.I32Const(1), w.I32Const(16), w.Call(read), w.Drop(),
		w.I32Const(16), w.Mem(0x28, 2, 0), w.BrIf(0))))
	b.Data(0, []byte{0, 1, 0, 0, 0, 16, 0, 0}) // 4096 bytes at 256
	b.Data(8192, []byte(strings.Join(all, "\x00")))
	return b.Bytes()
}

// TestOlderServersAreNamed: the handshake of older MCP revisions and the
// contract before ABI 1, in the forms in which they show, and what only looks
// like them. What follows from it hangs under it.
func TestOlderServersAreNamed(t *testing.T) {
	const refuses = `discover out '{"jsonrpc":"2.0","id":$id,"error":{"code":-32602,"message":"Invalid request parameters"}}\n'`
	for _, c := range []struct {
		name   string
		module []byte
		rule   abi.RuleID
		says   []string
	}{
		{"an error for each request", mischief.Build(`discover out '{"jsonrpc":"2.0","id":$id,"error":{"code":0,"message":"method is invalid during session initialization"}}\n'`),
			abi.RPCHandshake, []string{"waits for initialize", "server/discover"}},
		{"an error, and a word on stderr", mischief.Build(refuses + ` err 'WARNING Received request before initialization was complete\n'`),
			abi.RPCHandshake, []string{"on stderr", "before initialization was complete"}},
		{"an error alone", mischief.Build(refuses), abi.ErrorAnswered, nil},
		{"silence, and a word on stderr", mischief.Build("discover err 'info: waiting for initialize\\n' line"),
			abi.RPCHandshake, []string{"waiting for initialize"}},
		{"silence, and another word", mischief.Build("discover err 'database initialized\\n' line"), abi.LifeStall, nil},
		{"an exit, and a word on stderr", mischief.Build("discover err 'Error: ExpectedInitializeRequest(None)\\n' exit 1"),
			abi.RPCHandshake, []string{"ExpectedInitializeRequest"}},
		{"silence of a module that knows initialize alone", texts("initialize", "tools/list", "tools/call"),
			abi.RPCHandshake, []string{`"initialize"`, `nowhere "server/discover"`}},
		{"silence of a module that knows this revision", texts("initialize", "tools/list", "2026-07-28"), abi.LifeStall, nil},
		{"silence, and why", mischief.Build("discover err 'cannot unmarshal the id\\n' line"), abi.LifeStall, []string{"cannot unmarshal the id"}},
		{"silence of a module that knows both", texts("initialize", "server/discover", "tools/list"), abi.LifeStall, nil},

		{"a usage, and an exit", mischief.Build("start err 'usage: greeter TOOL\\n' exit 1"),
			abi.LifeOldContract, []string{"before ABI 1", "argv", "usage: greeter TOOL"}},
		{"argv[1] in Go", mischief.Build("start err 'panic: runtime error: index out of range [1] with length 1\\n\\ngoroutine 1 [running]:\\n' exit 2"),
			abi.LifeOldContract, []string{"before ABI 1", "Go panic"}},
		{"argv[1] in Rust", mischief.Build("start err 'thread \\'main\\' panicked at src/main.rs:4:19:\\nindex out of bounds: the len is 1 but the index is 1\\n' trap unreachable"),
			abi.LifeOldContract, []string{"before ABI 1", "Rust panic"}},
		{"bare JSON at the end of input", mischief.Build(`start drain out '{"error":"no tool of this name"}\n' exit 1`),
			abi.LifeOldContract, []string{"bare JSON", "no tool of this name"}},
		{"bare JSON at once", mischief.Build(`start out '{"error":"no tool of this name"}\n' exit 1`), abi.LifeOldContract, []string{"bare JSON"}},
		{"an exit, and another word", mischief.Build("start err 'no such table\\n' exit 1"),
			abi.LifeEarlyExit, []string{"status 1", "read nothing of it", "no such table"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			u := uploaded(t, c.module)
			if u.Findings[0].Rule != c.rule {
				t.Fatalf("the first finding is not %s: %s", c.rule, list(u.Findings))
			}
			holds(t, u.Findings[0], c.says...)
			for _, f := range u.Findings[1:] {
				if f.Severity == abi.Error && !f.Follows {
					t.Errorf("%s stands beside its cause: %s", f.Rule, f.Detail)
				}
			}
		})
	}
}

// TestCrashesOfRuntimes: what a runtime writes to stderr when it gives up, with
// the way in which the module then ends.
func TestCrashesOfRuntimes(t *testing.T) {
	for _, c := range []struct {
		name, stderr, end string
		rule              abi.RuleID
		says              []string
	}{
		{"Rust to 1.72", `thread \'main\' panicked at \'no such row\', src/rows.rs:12:5\n`, "trap unreachable", abi.LifeTrap,
			[]string{`Rust panic: "no such row", at src/rows.rs:12:5`, "trap: unreachable", "match"}},
		{"Rust since 1.73", `thread \'main\' (1) panicked at src/rows.rs:12:5:\nno such row\nnote: run with RUST_BACKTRACE=1\n`, "trap unreachable", abi.LifeTrap,
			[]string{`Rust panic: "no such row", at src/rows.rs:12:5`}},
		{"Go", `panic: no such row [recovered]\n\tpanic: again\n\ngoroutine 1 [running]:\nmain.main()\n`, "exit 2", abi.LifeEarlyExit,
			[]string{`Go panic: "no such row [recovered]"`, "status 2", "recover"}},
		{"TinyGo", `panic: runtime error: nil pointer dereference\n`, "trap unreachable", abi.LifeTrap, []string{"Go panic", "nil pointer"}},
		{"Go, with a long trace", `fatal error: all goroutines are asleep - deadlock!\n${600:goroutine 7 [chan receive]:\nmain.worker()\n}`, "exit 2", abi.LifeEarlyExit,
			[]string{"Go fatal error", "asleep", "one thread"}},
		{"C", `Assertion failed: n > 0 (rows.c: row: 7)\n`, "trap unreachable", abi.LifeTrap, []string{`C assertion: "n > 0", at rows.c:7`}},
		{"C++", `libc++abi: terminating due to uncaught exception of type std::out_of_range: vector\n`, "trap unreachable", abi.LifeTrap,
			[]string{"C++ terminate", "std::out_of_range"}},
		{"C++ with checks", `/usr/include/c++/v1/vector:1393: libc++ Hardening assertion __n < size() failed: vector[] index out of bounds\n`, "trap unreachable", abi.LifeTrap,
			[]string{"C++ terminate", "index out of bounds", "vector:1393"}},
		{"Zig", `thread 1 panic: index out of bounds: index 3, len 3\n/src/main.zig:12:9: 0x1a2 in row (main)\n`, "trap unreachable", abi.LifeTrap,
			[]string{`Zig panic: "index out of bounds: index 3, len 3", at /src/main.zig:12:9`}},
		{"AssemblyScript", `abort: Index out of range in ~lib/array.ts(114:42)\n`, "exit 255", abi.LifeEarlyExit, []string{"AssemblyScript abort", "~lib/array.ts(114:42)", "status 255"}},
		{"Swift", `main/rows.swift:7: Fatal error: Index out of range\n`, "trap unreachable", abi.LifeTrap, []string{`Swift fatal error: "Index out of range", at main/rows.swift:7`}},
		{"Nim", `Error: unhandled exception: index 3 not in 0 .. 2 [IndexDefect]\n`, "exit 1", abi.LifeEarlyExit, []string{"Nim exception", "IndexDefect"}},
		{"Python", `Traceback (most recent call last):\n  File "main.py", line 7, in row\n    return rows[3]\nIndexError: list index out of range\n`, "exit 1", abi.LifeEarlyExit,
			[]string{`Python exception: "IndexError: list index out of range", at main.py:7`}},
		{"JavaScript", `Uncaught TypeError: rows is not a function\n    at row (main.js:7)\n`, "exit 1", abi.LifeEarlyExit, []string{"JavaScript exception", "rows is not a function"}},

		{"a word of Rust, and an exit of another kind", `thread \'main\' panicked at src/rows.rs:12:5:\nno such row\n`, "exit 3", abi.LifeEarlyExit,
			[]string{"Exited with status 3", `The last line on stderr: "no such row"`}},
		{"another word", `cannot read the rows\n`, "exit 4", abi.LifeEarlyExit, []string{"Exited with status 4", "cannot read the rows"}},
		{"another word, and a trap", `cannot read the rows\n`, "trap unreachable", abi.LifeTrap, []string{"trap: unreachable in", "cannot read the rows"}},
		{"nothing", ``, "exit 4", abi.LifeEarlyExit, []string{"Exited with status 4 before it answered"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			call := act(t, "call err '"+c.stderr+"' "+c.end)
			f := outcome(t, call, event.Broken, c.rule)
			holds(t, f, c.says...)
			errors := 0
			for _, f := range call.Findings {
				if f.Severity == abi.Error && !f.Follows {
					errors++
				}
			}
			if errors != 1 {
				t.Errorf("one fault is %d findings: %s", errors, list(call.Findings))
			}
		})
	}
}

// TestCrashesThatWereSurvived: a module that tells of a panic, and answers all
// the same, has not crashed.
func TestCrashesThatWereSurvived(t *testing.T) {
	c := act(t, `call err 'panic: no such row\n' `+good)
	outcome(t, c, event.OK, "")
	c = act(t, `call err 'panic: no such row\n' `+good+` drain exit 3`)
	if f := outcome(t, c, event.Broken, abi.LifeExitCode); strings.Contains(text(f), "Go panic") {
		t.Errorf("it says %s", text(f))
	}
}

// TestPanicBesideARefusedGrowth: a language that says what went wrong is
// believed, whatever memory was refused before.
func TestPanicBesideARefusedGrowth(t *testing.T) {
	limit := "4MiB"
	for stderr, rule := range map[string]abi.RuleID{
		`thread \'main\' panicked at src/rows.rs:1:1:\nno such row\n`: abi.LifeTrap,
		`memory allocation of 8388608 bytes failed\n`:                 abi.LifeMemory,
		``: abi.LifeMemory,
	} {
		b := openWith(t, packed(t, mischief.Build("call grow 256 err '"+stderr+"' trap unreachable")), settings.Flags{Memory: &limit})
		outcome(t, actOn(t, b), event.Broken, rule)
	}
}

// TestOutOfTimeWithoutMemory: code that goes on where memory was refused runs
// until its time is over, and both are told.
func TestOutOfTimeWithoutMemory(t *testing.T) {
	limit := "4MiB"
	b := openWith(t, packed(t, mischief.Build("call grow 256 sleep 600000")), settings.Flags{Memory: &limit})
	holds(t, outcome(t, actOn(t, b), event.Broken, abi.LifeTime), "Out of time", "was refused (limit 4 MiB", "malloc returned NULL")
}

// TestMutualRecursion: functions that call each other are named together.
func TestMutualRecursion(t *testing.T) {
	var b w.Builder
	b.Memory(1, -1)
	b.Export("memory", w.KindMemory, 0)
	b.Func("even", nil, nil, nil, w.Call(1))
	b.Func("odd", nil, nil, nil, w.Call(0))
	b.Export("_start", w.KindFunc, b.Func("_start", nil, nil, nil, w.Call(0)))
	f := outcome(t, actOn(t, openWith(t, packed(t, b.Bytes()), settings.Flags{})), event.Broken, abi.LifeTrap)
	holds(t, f, "call stack exhausted at 16000 calls", "even", "odd", "call each other")
}
