package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"perch/engine/abi"
	"perch/engine/clock"
	"perch/engine/event"
	"perch/engine/guest"
	"perch/engine/wasm"
)

// stopped ends a run from within a host function: it is panicked, and comes
// back from the instance's call as its error.
type stopped struct{ why string }

func (s *stopped) Error() string { return "stopped: " + s.why }

// Why a run was stopped.
const (
	stopCancelled = "stopped by you"
	stopTime      = "out of time"
	stopVerdict   = "the verdict had fallen"
	stopExit      = "did not exit"
)

// trapDepth is the trap of the entry probe.
const trapDepth = "call stack exhausted"

// never is a deadline that does not come.
const never = time.Duration(1<<63 - 1)

// now is the run's time: monotonic since its instantiation.
func (r *run) now() time.Duration { return r.clock.Mono() - r.began }

// deadline is the next moment at which the run must be looked at.
func (r *run) deadline() time.Duration {
	at := never
	if !r.answered && r.verdict == nil {
		at = r.limit
	}
	if r.eofAt >= 0 && r.answered && r.verdict == nil {
		at = min(at, r.eofAt+abi.ExitTime)
	}
	if r.verdict != nil {
		at = min(at, r.verdictAt+abi.AfterVerdict)
	}
	return at
}

// check stops the run when it was cancelled or a limit has passed. It is
// called at each safepoint and around each host call, on the run's goroutine.
func (r *run) check() {
	select {
	case <-r.stop:
		panic(&stopped{stopCancelled})
	default:
	}
	if r.now() >= r.deadline() {
		panic(&stopped{r.expire()})
	}
}

// expire says which limit has passed, and emits its breach.
func (r *run) expire() string {
	switch {
	case r.verdict != nil:
		return stopVerdict
	case !r.answered:
		r.outOfTime()
		return stopTime
	}
	r.exitLate()
	return stopExit
}

// outOfTime emits the breach of the time limit with what the module was doing.
func (r *run) outOfTime() {
	stack := r.stack()
	doing := "It computed all the time, no host call"
	if r.hostCalls > 0 {
		doing = fmt.Sprintf("It made %s, %s of the time in them", plural(r.hostCalls, "host call"), ms(r.hostTime))
	}
	if r.inCall != "" {
		doing = "It was in " + r.inCall
	}
	if len(stack) > 0 {
		doing += ", in " + place(stack) + r.runtimeAlone(stack)
	}
	b := event.Breach{Rule: abi.LifeTime, Where: r.openRequest(), Stack: stack,
		Detail: fmt.Sprintf("Out of time: no answer within %s (local setting, --timeout). %s.", ms(r.limit), doing),
		Fix:    "Answer sooner, or raise the limit with --timeout to see how long it takes."}
	if r.script != nil {
		b.Detail = fmt.Sprintf("No answer within %s (our limit for a probe). %s.", ms(r.limit), doing)
		b.Fix = "Answer sooner."
	} else if r.kind != event.Call {
		b.Rule = abi.ListTime
		b.Detail = fmt.Sprintf("server/discover and all pages of tools/list were not answered within %s. %s.", ms(abi.UploadTime), doing)
		b.Fix = "Do slow work when a tool is called, not when tools are listed."
	}
	if r.alloc.refused > 0 { // code that does not look at what malloc returns goes on without memory
		b.Detail += " " + r.refusedGrowth() + "."
		b.Fix = fixMemory + " Look whether malloc returned NULL: a write there does not trap."
	}
	r.emit.emit(event.Safepoint{Why: stopTime, Stack: stack})
	r.breach(b)
}

// runtimeAlone says of a Go module that its stack shows nothing of its own: the
// scheduler waits on a stack of its own where no goroutine can go on.
func (r *run) runtimeAlone(stack []event.Frame) string {
	if !r.module.Symbols.IsGo() || slices.ContainsFunc(stack, func(f event.Frame) bool { return !library(f) && f.Name != "_start" }) {
		return ""
	}
	if r.inCall == "poll_oneoff" {
		return ". The stack is that of Go's runtime alone: all goroutines wait, for a timer, a channel or a lock"
	}
	return ". The stack is that of Go's runtime alone, without a frame of the module's own source"
}

// exitLate emits the breach of the second that the module has to exit.
func (r *run) exitLate() {
	stack := r.stack()
	did := "It did not read stdin in that time"
	if r.eofReads > 0 {
		did = fmt.Sprintf("%s of stdin returned 0 in that time", plural(r.eofReads, "read"))
	}
	if len(stack) > 0 {
		did += "; it stood in " + place(stack) + r.runtimeAlone(stack)
	}
	r.emit.emit(event.Safepoint{Why: stopExit, Stack: stack})
	r.breach(event.Breach{Rule: abi.LifeExitLate, Where: r.lastLine(), Stack: stack,
		Detail: fmt.Sprintf("Did not exit within %s of stdin closing. %s.", ms(abi.ExitTime), did),
		Fix:    "When a read of stdin returns 0 bytes, return from _start."})
}

// cappedClock is the run's clock as host functions see it: no wait goes past
// the run's next deadline, where check stops the run.
type cappedClock struct {
	clock.Clock
	r *run
}

// Wait implements clock.Waiter.
func (c cappedClock) Wait(stop <-chan struct{}, d time.Duration) bool {
	if left := c.r.deadline() - c.r.now(); d > left {
		d = max(left, 0)
	}
	return clock.Wait(c.Clock, stop, d)
}

// runKey finds the run in the context of a host call.
type runKey struct{}

func runOf(ctx context.Context) *run {
	r, _ := ctx.Value(runKey{}).(*run)
	return r
}

// provideSafepoint instantiates the module that instrumented modules import.
func provideSafepoint(ctx context.Context, rt wazero.Runtime) error {
	_, err := rt.NewHostModuleBuilder(wasm.SafepointModule).NewFunctionBuilder().
		WithGoModuleFunction(api.GoModuleFunc(safepoint), []api.ValueType{api.ValueTypeI32}, nil).
		Export(wasm.SafepointFunction).Instantiate(ctx)
	if err != nil {
		return fmt.Errorf("provide the safepoint: %w", err)
	}
	return nil
}

// attach finds the instance's probes, at the first safepoint at the latest: a
// start function runs before the instance is returned.
func (r *run) attach(mod api.Module) {
	if r.fuel != nil {
		return
	}
	r.instance = mod
	r.fuel, _ = mod.ExportedGlobal(r.module.inst.FuelGlobal).(api.MutableGlobal)
	r.granted = wasm.FuelQuantum
}

// refill lets the module run to its next safepoint.
func (r *run) refill() {
	left := int64(int32(r.fuel.Get()))
	r.fuel.Set(uint64(wasm.FuelQuantum))
	r.granted += wasm.FuelQuantum - left
}

// ticks is the run's deterministic clock: the fuel that was spent.
func (r *run) ticks() uint64 {
	if r.fuel == nil {
		return 0
	}
	return uint64(r.granted - int64(int32(r.fuel.Get())))
}

// safepoint is where each guest comes back to us every few thousand steps.
func safepoint(ctx context.Context, mod api.Module, stack []uint64) {
	r := runOf(ctx)
	if r == nil {
		panic(errors.New("a safepoint outside a run"))
	}
	r.attach(mod)
	if wasm.Reason(uint32(stack[0])) == wasm.ReasonDepth {
		panic(&guest.Trap{Text: trapDepth})
	}
	r.refill()
	r.check()
}
