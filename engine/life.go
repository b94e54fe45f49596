package engine

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/tetratelabs/wazero"

	"perch/engine/abi"
	"perch/engine/egress"
	"perch/engine/event"
	"perch/engine/guest"
	"perch/engine/wasi"
	"perch/engine/wire"
)

// execute makes the instance and calls _start; it returns how that ended.
func (r *run) execute(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil { // a fault of ours or of wazero's ends this run alone
			err = fmt.Errorf("%w: %v\n%s", errFault, p, debug.Stack())
		}
	}()
	if x := r.module.inst.Misfit; x != nil {
		return &guest.Trap{Text: x.Text}
	}
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions().WithRandSource(rand.Reader)
	mod, err := r.module.program.runtime.InstantiateModule(ctx, r.module.program.compiled, config)
	if err != nil {
		return err
	}
	r.attach(mod)
	start := mod.ExportedFunction(abi.ExportStart)
	if start == nil {
		return errors.New("the module has no function " + abi.ExportStart)
	}
	_, err = start.Call(ctx)
	return err
}

// errFault is a fault in perch itself.
var errFault = errors.New("a fault in perch ended the run")

// exited turns the end of the instance into its event and judges it.
func (r *run) exited(err error) event.Exit {
	e := event.Exit{AfterEOF: -1}
	if r.answered { // else stdin was open, or closed as an experiment of ours
		e.AfterEOF = r.now() - r.eofAt
	}
	var exit *wasi.ExitError
	var stop *stopped
	var trap *guest.Trap
	var ours runtime.Error
	switch {
	case err == nil:
		e.Code = new(uint32)
	case errors.As(err, &exit):
		e.Code = &exit.Code
	case errors.As(err, &stop):
		e.Stopped = stop.why
	case errors.Is(err, wasi.ErrStopped), errors.Is(err, egress.ErrStopped):
		e.Stopped = r.whyStopped()
	case errors.As(err, &trap):
		e.Trap, e.Stack = trap.Text, r.stack()
	case errors.Is(err, errFault):
		r.fault = err
	case errors.As(err, &ours):
		r.fault = fmt.Errorf("%w: %w", errFault, err)
	default:
		e.Trap, e.Stack = trapText(err), r.trapFrames(err.Error())
	}
	r.judgeExit(&e)
	return e
}

// whyStopped says why a host call ended early: the run was cancelled, or its
// time passed meanwhile.
func (r *run) whyStopped() string {
	select {
	case <-r.stop:
		return stopCancelled
	default:
	}
	return r.expire()
}

// trapText is the first line of wazero's error, without its prefixes.
func trapText(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\n")
	const before = "wasm error: " // and before it which function of ours was called
	if i := strings.LastIndex(text, before); i >= 0 {
		text = text[i+len(before):]
	}
	if text == "stack overflow" {
		return trapDepth
	}
	return text
}

// judgeExit emits the exit and the breaches of life that it shows, causes first.
func (r *run) judgeExit(e *event.Exit) {
	r.emit.emit(*e)
	_, whole := r.judge.Unfinished()
	switch {
	case e.Stopped == stopCancelled:
		return
	case e.Trap != "":
		r.breach(r.trapBreach(e))
		r.unfinishedOutput()
	case e.Code != nil && (whole || *e.Code == 0):
		// What was written is the cause; that nothing was answered follows.
		r.unfinishedOutput()
		r.exitBreach(*e.Code)
	case e.Code != nil:
		r.exitBreach(*e.Code)
		r.unfinishedOutput()
	default:
		r.unfinishedOutput()
	}
	r.cause(e)
}

// unfinishedOutput judges bytes at the end of stdout that no newline ends.
func (r *run) unfinishedOutput() {
	for _, item := range r.judge.Finish() {
		r.item(item)
	}
}

func (r *run) trapBreach(e *event.Exit) event.Breach {
	b := event.Breach{Rule: abi.LifeTrap, Stack: e.Stack, Where: r.codeOf(e.Stack), Fix: trapFix(e.Trap)}
	b.Detail = "trap: " + e.Trap
	crash, crashed := r.crashOf(nil)
	if crashed && r.untouched() && crash.MissesArgument() {
		old := wire.OldArguments(b.Where, crash.Said())
		old.Stack = e.Stack
		return old
	}
	if p := place(e.Stack); p != "" && !crashed {
		b.Detail += " in " + p
	}
	if crashed {
		b.Detail = crash.Said() + crashPlace(e.Stack, crash) + ". It ended in a " + b.Detail
		b.Fix = crash.Fix
	} else if last := wire.LastLine(r.ending.b); last != "" && e.Trap == trapUnreachable {
		b.Detail += ". The last line on stderr: " + last
	}
	if x := r.module.inst.Misfit; x != nil {
		b.Where.Section, b.Where.Offset, b.Where.End = x.Section.String(), int64(x.At.Start), int64(x.At.End)
		b.Detail += ". No code ran"
		b.Fix = "Give the table or memory the size that its segments need: a newer linker does."
	}
	if r.answered {
		b.Detail += ". The answer before it is lost: the call is broken"
	}
	if why, fix := r.hint(e); why != "" {
		b.Detail += ". " + why
		b.Fix = fix
	}
	if e.Trap == trapDepth {
		b.Detail = fmt.Sprintf("trap: %s at %d calls%s", trapDepth, r.session.engine.depth(), folded(e.Stack))
		if r.session.engine.kind == Interpreter {
			b.Detail += fmt.Sprintf(". The interpreter has room for no more; the compiler allows %d", abi.StackDepth)
		}
		b.Fix = "Look for a recursion without an end in the stack."
	}
	if r.outOfMemory(crash, crashed) {
		b.Rule = abi.LifeMemory
		b.Detail = r.refusedGrowth() + "; then " + b.Detail
		b.Fix = fixMemory
	}
	return b
}

// settle emits the end of the run and returns what came of it.
func (r *run) settle(exit event.Exit) Result {
	outcome := event.OK
	switch {
	case r.verdict != nil:
		outcome = r.verdict.Outcome
	case r.refused:
		outcome = event.Refused
	case exit.Stopped == stopCancelled:
		outcome = event.Cancelled
	case r.answer != nil && r.answer.IsError:
		outcome = event.ToolError
	}
	if r.verdict == nil && !r.refused {
		r.links()
		r.emit.emit(event.Verdict{Outcome: outcome})
	}
	usage := event.Usage{Time: r.now(), Ticks: r.ticks(), MemoryPeak: r.alloc.peak, Stdout: r.stdout,
		Stderr: r.stderr, Written: r.budget.Written(), HTTP: r.requests}
	r.emit.emit(event.End{Outcome: outcome, Usage: usage})
	return Result{Run: r.emit.run, Outcome: outcome, Tools: r.lister.Tools(), Answer: r.answer, Exit: exit,
		Usage: usage, Stderr: r.tail.b, Tape: r.tape}
}
