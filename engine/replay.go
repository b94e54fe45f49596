package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"perch/engine/abi"
	"perch/engine/egress"
	"perch/engine/guest"
	"perch/engine/tape"
	"perch/engine/wasi"
	"perch/engine/wasm"
)

// Replayed is what came of running a module again on its tape.
type Replayed struct {
	Calls  uint64 // host calls that were answered from the tape
	Ticks  uint64
	Memory []byte // linear memory at the end
	Code   *uint32
	Trap   string
}

// errOffTape says that the module did something else than what the tape holds.
var errOffTape = errors.New("the module left the tape")

// errTapeEnd stops a replay where the tape, or the ticks asked for, end.
var errTapeEnd = errors.New("the tape ends here")

// Replay runs the session's module again: every host call answers from the
// tape, so that no clock, network or volume is touched. It ends where the tape
// ends, or after so many ticks (0: no limit); an end by the tape or the ticks
// is no error. A module that leaves the tape is one.
func (s *Session) Replay(ctx context.Context, t *tape.Tape, ticks uint64) (Replayed, error) {
	m, err := s.Ready(ctx)
	if err != nil {
		return Replayed{}, err
	}
	in, err := t.Reader()
	if err != nil {
		return Replayed{}, err
	}
	p := &replay{in: in, module: m, until: ticks, ctx: ctx}
	err = p.run(s.engine, s.config.Memory)
	return p.result(), err
}

// replay is a run on a tape.
type replay struct {
	ctx     context.Context
	in      *tape.Reader
	module  *Module
	until   uint64
	mod     api.Module
	fuel    api.MutableGlobal
	granted int64
	got     Replayed
}

type replayKey struct{}

func (p *replay) run(e *Engine, memory uint64) error {
	if x := p.module.inst.Misfit; x != nil {
		return p.ended(&guest.Trap{Text: x.Text})
	}
	ctx := context.WithoutCancel(p.ctx)
	rt := wazero.NewRuntimeWithConfig(ctx, e.config(p.module.program.cache))
	defer rt.Close(ctx)
	if err := provideTape(ctx, rt); err != nil {
		return err
	}
	compiled, err := rt.CompileModule(ctx, p.module.inst.Bytes)
	if err != nil {
		return fmt.Errorf("compile the module for a replay: %w", err)
	}
	ctx = context.WithValue(ctx, replayKey{}, p)
	ctx = experimental.WithMemoryAllocator(ctx, &allocator{limit: memory, report: func(uint64, uint64, bool) {}, pool: new(memories)})
	mod, err := rt.InstantiateModule(ctx, compiled, wazero.NewModuleConfig().WithName("").WithStartFunctions())
	if err == nil {
		p.attach(mod)
		_, err = mod.ExportedFunction(abi.ExportStart).Call(ctx)
	}
	return p.ended(err)
}

func (p *replay) ended(err error) error {
	if p.mod != nil && p.mod.Memory() != nil {
		b, _ := p.mod.Memory().Read(0, p.mod.Memory().Size())
		p.got.Memory = append([]byte(nil), b...)
	}
	var exit *wasi.ExitError
	var trap *guest.Trap
	switch {
	case err == nil:
		p.got.Code = new(uint32)
	case errors.As(err, &exit):
		p.got.Code = &exit.Code
	case errors.As(err, &trap):
		p.got.Trap = trap.Text
	case errors.Is(err, errTapeEnd):
	case errors.Is(err, errOffTape), p.ctx.Err() != nil:
		return err
	default:
		p.got.Trap = trapText(err)
	}
	return nil
}

func (p *replay) result() Replayed {
	p.got.Ticks = p.ticks()
	return p.got
}

func (p *replay) attach(mod api.Module) {
	if p.fuel == nil {
		p.mod = mod
		p.fuel, _ = mod.ExportedGlobal(p.module.inst.FuelGlobal).(api.MutableGlobal)
		p.granted = wasm.FuelQuantum
		if p.until > 0 && p.until < wasm.FuelQuantum {
			spent := p.ticks()
			p.granted = int64(p.until)
			p.fuel.Set(uint64(max(0, int64(p.until)-int64(spent))))
		}
	}
}

func (p *replay) ticks() uint64 {
	if p.fuel == nil {
		return 0
	}
	return uint64(p.granted - int64(int32(p.fuel.Get())))
}

// safepoint keeps to the ticks that were asked for.
func (p *replay) safepoint(mod api.Module, reason wasm.Reason) {
	p.attach(mod)
	if reason == wasm.ReasonDepth {
		panic(&guest.Trap{Text: trapDepth})
	}
	spent := p.ticks()
	if p.until > 0 && spent >= p.until || p.ctx.Err() != nil {
		panic(errTapeEnd)
	}
	give := int64(wasm.FuelQuantum)
	if p.until > 0 {
		give = min(give, int64(p.until-spent))
	}
	p.granted = int64(spent) + give
	p.fuel.Set(uint64(give))
}

// call answers a host call from the tape.
func (p *replay) call(mod api.Module, number uint32, name string, stack []uint64) uint64 {
	p.attach(mod)
	c, err := p.in.Next()
	switch {
	case errors.Is(err, tape.ErrEnd):
		panic(errTapeEnd)
	case err != nil:
		panic(err)
	case c.Func != number:
		panic(fmt.Errorf("%w: it calls %s, the tape has call %d of another function", errOffTape, name, p.got.Calls))
	}
	for _, w := range c.Writes {
		if !mod.Memory().Write(w.Ptr, w.Bytes) {
			panic(fmt.Errorf("%w: memory is smaller than on the tape", errOffTape))
		}
	}
	p.got.Calls++
	if name == "proc_exit" {
		panic(&wasi.ExitError{Code: uint32(stack[0])})
	}
	return c.Result
}

// provideTape instantiates host modules whose functions answer from a tape.
func provideTape(ctx context.Context, rt wazero.Runtime) error {
	build := rt.NewHostModuleBuilder(abi.ModuleWASI)
	for _, f := range wasi.Functions() {
		t := wasiType(f)
		build = tapeFunction(build, f.Name, t)
	}
	if _, err := build.Instantiate(ctx); err != nil {
		return fmt.Errorf("provide the tape: %w", err)
	}
	build = rt.NewHostModuleBuilder(abi.ModuleHTTP)
	for _, f := range egress.Functions() {
		build = tapeFunction(build, f.Name, funcType(f.Params, f.Results))
	}
	if _, err := build.Instantiate(ctx); err != nil {
		return fmt.Errorf("provide the tape: %w", err)
	}
	_, err := rt.NewHostModuleBuilder(wasm.SafepointModule).NewFunctionBuilder().
		WithGoModuleFunction(api.GoModuleFunc(func(ctx context.Context, mod api.Module, stack []uint64) {
			ctx.Value(replayKey{}).(*replay).safepoint(mod, wasm.Reason(uint32(stack[0])))
		}), []api.ValueType{api.ValueTypeI32}, nil).
		Export(wasm.SafepointFunction).Instantiate(ctx)
	return err
}

func tapeFunction(b wazero.HostModuleBuilder, name string, t wasm.FuncType) wazero.HostModuleBuilder {
	number := callNumbers()[name]
	return b.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(func(ctx context.Context, mod api.Module, stack []uint64) {
		result := ctx.Value(replayKey{}).(*replay).call(mod, number, name, stack)
		if len(t.Results) > 0 {
			stack[0] = result
		}
	}), valueTypes(t.Params), valueTypes(t.Results)).Export(name)
}

func valueTypes(types []wasm.ValType) []api.ValueType {
	out := make([]api.ValueType, len(types))
	for i, t := range types {
		out[i] = api.ValueType(t)
	}
	return out
}
