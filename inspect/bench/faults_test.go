package bench_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/settings"
	"perch/inspect/rules"
)

// fault is a program of testdata/faults and what is found first.
type fault struct {
	language string // folder of testdata/faults
	program  string
	args     string // of the call of greet; empty: the upload run shows it
	rule     abi.RuleID
	says     []string // in the first finding
	line     bool     // it names the line that ends in FAULT
	compiled bool     // a program of Go for the compiler, which takes seconds; the others run on the interpreter
}

const (
	ada      = `{"name":"Ada"}`
	adaTimes = `{"name":"Ada","count":%s}`
)

func counted(n string) string { return fmt.Sprintf(adaTimes, n) }

func faults() []fault {
	var all []fault
	for language, list := range map[string][]fault{"c": faultsOfC(), "rust": faultsOfRust(), "go": faultsOfGo()} {
		if testing.Short() {
			if language == "go" { // under the race detector such a module takes a minute
				continue
			}
			list = list[:1]
		}
		for _, f := range list {
			f.language = language
			all = append(all, f)
		}
	}
	return all
}

func faultsOfC() []fault {
	return []fault{
		{program: "print", args: ada, rule: abi.FrameJSON, says: []string{"line 1 on stdout", "log line", "stderr", "Line 2 would have been accepted"}},
		{program: "no_flush", rule: abi.LifeBuffered, says: []string{"fflush(stdout)"}},
		{program: "counted_id", rule: abi.RPCIDUnasked, says: []string{"answers id 0", "Echo the id"}},
		{program: "bounds", args: counted("2000000000"), rule: abi.LifeTrap, says: []string{"out of bounds memory access", "greet"}, line: true},
		{program: "assertion", args: ada, rule: abi.LifeTrap, says: []string{"assertion", "count > 0"}, line: true},
		{program: "aborts", args: ada, rule: abi.LifeTrap, says: []string{"abort", "greet: no nickname"}, line: true},
		{program: "loop", args: counted("0"), rule: abi.LifeTime, says: []string{"Out of time", "collatz"}, line: true},
		{program: "recursion", args: ada, rule: abi.LifeTrap, says: []string{"total"}, line: true},
		{program: "stack", args: ada, rule: abi.LifeTrap, says: []string{"stack", "-z stack-size"}, line: true},
		{program: "memory", args: counted("2000000000"), rule: abi.LifeMemory, says: []string{"256 MiB"}, line: true},
		{program: "exit_code", rule: abi.LifeExitCode, says: []string{"status 1", "the answer before it is lost"}},
		{program: "never_ends", rule: abi.LifeExitLate, says: []string{"returned 0"}},
		{program: "reads_ahead", rule: abi.LifeBuffered, says: []string{"only after stdin closed", "the next line"}},
		{program: "latin1", args: ada, rule: abi.FrameUTF8, says: []string{"Latin-1"}},
		{program: "crlf", args: ada, rule: abi.FrameCR, says: []string{"CR LF"}},
		{program: "content_length", rule: abi.FrameContentLength, says: []string{"Content-Length"}},
		{program: "undefined", rule: abi.ModuleImportModule, says: []string{"env.greeting_for", "--allow-undefined"}},
		{program: "reactor", rule: abi.ModuleStartMissing, says: []string{"library (reactor)", "-mexec-model=reactor"}},
		{program: "http", args: ada, rule: abi.HTTPHostNotAllowed, says: []string{"api.example.com", "--allow"}},
		{program: "image", args: ada, rule: abi.BlockImage, says: []string{"image/jpeg", "PNG"}},
	}
}

func faultsOfRust() []fault {
	return []fault{
		{program: "print", args: ada, rule: abi.FrameJSON, says: []string{"line 1 on stdout", "stderr"}},
		{program: "unwrap", args: ada, rule: abi.LifeTrap, says: []string{"Rust panic", "called `Option::unwrap()` on a `None` value"}, line: true},
		{program: "index", args: counted("3"), rule: abi.LifeTrap, says: []string{"Rust panic", "index out of bounds: the len is 3 but the index is 3"}, line: true},
		{program: "borrow", args: ada, rule: abi.LifeTrap, says: []string{"Rust panic", "already borrowed"}, line: true},
		{program: "no_flush", rule: abi.LifeBuffered, says: []string{"stdout().flush()"}},
		{program: "library", rule: abi.ModuleStartMissing, says: []string{"cdylib"}},
		{program: "string_id", rule: abi.RPCIDEcho, says: []string{"a string; asked was", "a number"}},
		{program: "early_exit", args: ada, rule: abi.LifeEarlyExit, says: []string{"status 3", "error: no nickname given"}},
		{program: "misspelt_type", rule: abi.SchemaValid, says: []string{"strng"}},
		{program: "structured", args: ada, rule: abi.CallStructured, says: []string{"letters", "integer"}},
		{program: "reads_all", rule: abi.LifeBuffered, says: []string{"only after stdin closed"}},
		{program: "rpc_error", args: ada, rule: abi.ErrorAnswered, says: []string{"nickname is missing", "isError"}},
		{program: "recursion", args: ada, rule: abi.LifeTrap, says: []string{"depth"}, line: true},
		{program: "stack", args: ada, rule: abi.LifeTrap, says: []string{"the stack of linear memory ran over its end", "-zstack-size", "checksum"}, line: true},
		{program: "memory", args: counted("1000"), rule: abi.LifeMemory, says: []string{"256 MiB"}, line: true},
	}
}

func faultsOfGo() []fault {
	return []fault{
		{program: "print", args: ada, rule: abi.FrameJSON, says: []string{"log line"}, compiled: true},
		{program: "nilmap", args: ada, rule: abi.LifeEarlyExit, says: []string{"Go panic", "assignment to entry in nil map"}, line: true},
		{program: "index", args: counted("3"), rule: abi.LifeEarlyExit, says: []string{"Go panic", "index out of range [3] with length 3"}, line: true},
		{program: "nilpointer", args: ada, rule: abi.LifeEarlyExit, says: []string{"Go panic", "nil pointer dereference"}, line: true},
		{program: "indented", rule: abi.FramePretty, says: []string{"indentation"}},
		{program: "noflush", rule: abi.LifeBuffered, says: []string{"bufio.Writer"}},
		{program: "initialize", rule: abi.RPCHandshake, says: []string{"initialize", "Server not initialized"}},
		{program: "numberid", rule: abi.LifeStall, says: []string{"cannot unmarshal string into Go struct field request.id of type int"}},
		{program: "oldcontract", rule: abi.LifeOldContract, says: []string{"before ABI 1", "usage: greeter TOOL"}},
		{program: "scanner", args: `{"name":"` + strings.Repeat("a", 70_000) + `"}`, rule: abi.LifeEarlyExit, says: []string{"status 0", "64 KiB"}},
		{program: "logs", args: ada, rule: abi.RPCServerRequest, says: []string{"notifications/message", "no id"}},
		{program: "goroutine", args: ada, rule: abi.LifeEarlyExit, says: []string{"status 0"}},
		{program: "fatal", args: ada, rule: abi.LifeEarlyExit, says: []string{"status 1", "read the greeting"}, line: true},
		{program: "notype", rule: abi.ToolSchemaObject, says: []string{"type"}},
		{program: "memory", args: counted("1000"), rule: abi.LifeMemory, says: []string{"256 MiB"}, line: true, compiled: true},
		{program: "recursion", args: ada, rule: abi.LifeTrap, says: []string{"depth"}, line: true, compiled: true},
	}
}

// TestFaultsByHand builds programs that somebody could have written, with one
// fault each: the first finding names it, and its line where there is one.
func TestFaultsByHand(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	for _, f := range faults() {
		t.Run(f.language+"/"+f.program, func(t *testing.T) {
			t.Parallel()
			first, all := firstOf(t, f, w.module(t, f))
			if first.Rule != f.rule {
				t.Fatalf("the first finding is not %s: %s", f.rule, list(all))
			}
			holds(t, first, f.says...)
			if f.line {
				holds(t, first, lineOf(t, f))
			}
		})
	}
}

// firstOf is what is found first in a program.
func firstOf(t *testing.T, f fault, module []byte) (rules.Finding, []rules.Finding) {
	t.Helper()
	engine := settings.Compiler
	if f.language == "go" && !f.compiled {
		engine = settings.Interpreter
	}
	b := openWith(t, packed(t, module), settings.Flags{Engine: &engine})
	u, err := b.Upload(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	found := u.Findings
	if f.args != "" {
		if !u.Accepted() {
			t.Fatalf("the upload is %s: %s", u.Outcome, list(found))
		}
		c, err := b.Call(t.Context(), "greet", []byte(f.args))
		if err != nil {
			t.Fatal(err)
		}
		found = c.Findings
	}
	if len(found) == 0 {
		t.Fatal("nothing is found")
	}
	return found[0], found
}

// lineOf is the place of the fault in its source, "print.c:4".
func lineOf(t *testing.T, f fault) string {
	t.Helper()
	path := sourceOf(f)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, _, ok := bytes.Cut(text, []byte("// FAULT"))
	if !ok {
		t.Fatalf("%s has no FAULT", path)
	}
	return fmt.Sprintf("%s:%d", filepath.Base(path), bytes.Count(before, []byte("\n"))+1)
}

func sourceOf(f fault) string {
	switch dir := filepath.Join("testdata", "faults", f.language); f.language {
	case "go":
		return filepath.Join(dir, f.program, "main.go")
	case "rust":
		return filepath.Join(dir, f.program+".rs")
	default:
		return filepath.Join(dir, f.program+".c")
	}
}
