// Package engine runs a package by ABI 1 and reports everything that happens.
//
// A Session is one package with its settings: it is checked, compiled once,
// and then run: Upload is what Subako does when a package is uploaded, Call is
// what it does when an agent calls a tool, and Probe sends what a script says,
// which Subako does not do. Each run is a new instance, a state
// machine (run.go) driven by the module itself: Subako's side moves when the
// module writes to stdout, reads stdin, or exits. All that happens goes to an
// event.Sink in order.
//
// The engine judges what decides a run (the H rules of frame, rpc, error,
// result, discover, list, tool and life). It knows nothing of records,
// findings in words, terminals or commands.
package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"perch/engine/abi"
	"perch/engine/clock"
	"perch/engine/egress"
	"perch/engine/event"
	"perch/engine/symbols"
	"perch/engine/wasi"
	"perch/engine/wasm"
)

// Kind is the way in which modules are executed.
type Kind string

// The two engines of wazero.
const (
	Compiler    Kind = "compiler"
	Interpreter Kind = "interpreter"
)

// Options of an Engine.
type Options struct {
	Kind     Kind   // Compiler when empty
	CacheDir string // for compiled modules; empty: none on disk
	Clock    clock.Clock
}

// Engine compiles modules and holds what their runs share. It is safe for use
// by several goroutines.
type Engine struct {
	kind     Kind
	clock    clock.Clock
	cacheDir string

	memories memories

	mu      sync.Mutex
	modules map[string]*Module // by SHA-256 of the module
	runs    uint32
	working int  // compiles that are going on
	closed  bool // the last of them releases what the engine holds

	// compiling ends compiles between two functions of a module.
	compiling context.Context
	abandon   context.CancelFunc
}

// New returns an engine. CacheDir is made when it is missing; a cache that
// cannot be used is left out, which costs time and nothing else.
func New(o Options) *Engine {
	e := &Engine{kind: o.Kind, clock: o.Clock, cacheDir: o.CacheDir, modules: make(map[string]*Module)}
	if e.kind == "" {
		e.kind = Compiler
	}
	if e.clock == nil {
		e.clock = clock.NewSystem()
	}
	e.compiling, e.abandon = context.WithCancel(experimental.WithCompilationWorkers(context.Background(), workers()))
	return e
}

// workers is how many functions are compiled at once. With one alone, wazero
// would not look at the context between two functions.
func workers() int { return max(2, min(runtime.NumCPU(), 4)) }

// config is that of all runtimes of this engine. What those of one cache
// compile they share.
func (e *Engine) config(cache wazero.CompilationCache) wazero.RuntimeConfig {
	config := wazero.NewRuntimeConfigCompiler()
	if e.kind == Interpreter {
		config = wazero.NewRuntimeConfigInterpreter()
	}
	return config.WithCoreFeatures(api.CoreFeaturesV2).WithCompilationCache(cache)
}

// DefaultCacheDir is where compiled modules are kept for this user; empty when
// the system names no place.
func DefaultCacheDir() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "perch", "compiled")
}

// provide instantiates the host modules. Their functions find the run in the
// context of the call, so one of each serves all runs.
func provide(ctx context.Context, rt wazero.Runtime) error {
	ctx = experimental.WithFunctionListenerFactory(ctx, stackListener{})
	if _, err := wasi.Build(rt).Instantiate(ctx); err != nil {
		return fmt.Errorf("provide wasi_snapshot_preview1: %w", err)
	}
	if err := egress.Instantiate(ctx, rt); err != nil {
		return fmt.Errorf("provide subako_http: %w", err)
	}
	return provideSafepoint(ctx, rt)
}

// Close ends compiles and releases all modules. A compile ends after the
// function that it is at, which may take minutes in a module that is made for
// that: Close does not wait for it, and what it holds is released when it
// ends. No run may be alive.
func (e *Engine) Close(ctx context.Context) error {
	e.abandon()
	e.mu.Lock()
	e.closed = true
	busy := e.working > 0
	e.mu.Unlock()
	if busy {
		return nil
	}
	return e.release(ctx)
}

func (e *Engine) release(ctx context.Context) error {
	var errs []error
	for _, m := range e.modules {
		if m.program != nil {
			errs = append(errs, m.program.close(ctx))
		}
	}
	return errors.Join(errs...)
}

func (e *Engine) nextRun() uint32 {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.runs++
	return e.runs
}

// Module is a module that was instrumented and compiled.
type Module struct {
	SHA256  string
	Symbols *symbols.Table
	// Took is the time of the compile; it never counts as time of a call.
	Took time.Duration

	inst    *wasm.Instrumented
	program *program
	ready   chan struct{}
	late    <-chan struct{} // closed when the compile takes too long
	err     error
	refused *event.Breach // what the engine's own check found
}

// Compile starts to instrument and compile a module in the background, or
// returns the one that was made, or is being made, of the same bytes.
func (e *Engine) Compile(module []byte) *Module {
	return e.start("", module, e.compile)
}

// start does work on a module in the background, once for each purpose.
func (e *Engine) start(purpose string, module []byte, work func(*Module, []byte) error) *Module {
	sum := sha256.Sum256(module)
	key := hex.EncodeToString(sum[:])
	e.mu.Lock()
	defer e.mu.Unlock()
	if m := e.modules[purpose+key]; m != nil {
		return m
	}
	m := &Module{SHA256: key, Symbols: symbols.New(module), ready: make(chan struct{})}
	e.modules[purpose+key] = m
	e.working++
	late, release := e.clock.After(abi.CompileTime)
	m.late = late
	go func() {
		defer e.compileEnded()
		defer release()
		defer close(m.ready)
		start := e.clock.Mono()
		m.err = work(m, module)
		m.Took = e.clock.Mono() - start
	}()
	return m
}

// compileEnded counts a compile as done.
func (e *Engine) compileEnded() {
	e.mu.Lock()
	e.working--
	last := e.closed && e.working == 0
	e.mu.Unlock()
	if last {
		_ = e.release(context.Background()) // nobody is there to be told
	}
}

// compile makes the module ready. What cannot be compiled is refused, whatever
// the reason: nothing else could be said of it.
func (e *Engine) compile(m *Module, module []byte) error {
	err := e.tryCompile(m, module)
	if err != nil && e.compiling.Err() == nil {
		m.refused = e.secondOpinion(module, err)
	}
	return err
}

func (e *Engine) tryCompile(m *Module, module []byte) (err error) {
	defer func() {
		if p := recover(); p != nil { // a module is hostile: none may end the app
			err = fmt.Errorf("compile the module: %v", p)
		}
	}()
	m.inst, err = wasm.Instrument(module, wasm.InstrumentOptions{Depth: e.depth()})
	if err != nil {
		return fmt.Errorf("instrument the module: %w", err)
	}
	m.program, err = e.program(m.inst.Bytes)
	if err != nil {
		return fmt.Errorf("compile the module: %w", err)
	}
	return nil
}

// validate asks the engine alone whether a module is valid.
func (e *Engine) validate(module []byte) (err error) {
	defer func() {
		if p := recover(); p != nil { // a module is hostile: none may end the app
			err = fmt.Errorf("validate the module: %v", p)
		}
	}()
	ctx := context.Background()
	rt := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter().WithCoreFeatures(api.CoreFeaturesV2))
	_, err = rt.CompileModule(ctx, module)
	return errors.Join(err, rt.Close(ctx))
}

// depth is how deep calls may nest. The interpreter has a limit of its own.
func (e *Engine) depth() int32 {
	if e.kind == Interpreter {
		return abi.InterpreterStackDepth
	}
	return abi.StackDepth
}

// Ready is closed when the compile has ended.
func (m *Module) Ready() <-chan struct{} { return m.ready }

// ErrCompileTime says that a module takes too long to compile.
var ErrCompileTime = fmt.Errorf("compiling the module takes longer than %s (our limit); --engine interpreter runs it without that", abi.CompileTime)

// Wait waits for the compile and returns its error, ErrCompileTime, or the
// context's.
func (m *Module) Wait(ctx context.Context) error {
	select {
	case <-m.ready:
		return m.err
	default:
	}
	select {
	case <-m.ready:
		return m.err
	case <-m.late:
		return ErrCompileTime
	case <-ctx.Done():
		return fmt.Errorf("wait for the compile: %w", context.Cause(ctx))
	}
}
