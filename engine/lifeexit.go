package engine

import (
	"fmt"
	"strconv"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/quote"
	"perch/engine/wire"
)

// exitBreach judges an exit with a status.
func (r *run) exitBreach(code uint32) {
	crash, crashed := r.crashOf(&code)
	stack := r.exitStack(code)
	if code != 0 && r.verdict == nil && r.outOfMemory(crash, crashed) {
		detail := fmt.Sprintf("%s; then the module exited with status %s%s%s", r.refusedGrowth(), status(code), exitPlace(stack, false), r.lost())
		if crashed {
			detail += ". " + crash.Said()
		}
		r.breach(event.Breach{Rule: abi.LifeMemory, Where: r.openRequest(), Stack: stack, Detail: detail, Fix: fixMemory})
		return // the status is told with it
	}
	switch {
	case r.request != nil && r.verdict == nil:
		r.breach(r.earlyExit(code, stack, crash, crashed))
	case code != 0:
		b := event.Breach{Rule: abi.LifeExitCode, Where: r.lastLine(), Stack: stack,
			Detail: fmt.Sprintf("Exited with status %s%s%s", status(code), exitPlace(stack, crashed), r.lost()),
			Fix:    "Exit with status 0 when stdin reaches its end: return from _start, or call proc_exit(0)."}
		r.breach(r.explained(b, crash, crashed))
	}
}

// earlyExit is the breach of an exit while a request waits for its answer.
func (r *run) earlyExit(code uint32, stack []event.Frame, crash wire.Crash, crashed bool) event.Breach {
	if old, is := r.oldArguments(code, crash, crashed); is {
		old.Stack = stack
		return old
	}
	b := event.Breach{Rule: abi.LifeEarlyExit, Where: r.openRequest(), Stack: stack,
		Detail: fmt.Sprintf("Exited with status %s before it answered request %s%s", status(code), r.request.ID, exitPlace(stack, crashed)),
		Fix:    "Answer each request on stdout, then exit with status 0 when stdin reaches its end."}
	whole := int64(len(r.request.Bytes))
	had := max(0, r.in.size-int64(len(r.in.pending))-r.request.Offset)
	switch {
	case had == 0:
		b.Detail += ". It read nothing of it"
		if r.stdout > 0 {
			b.Fix = "Read on after an answer: the next request comes once this one is answered. Exit with status 0 when stdin reaches its end."
		}
	case had < whole:
		b.Detail += fmt.Sprintf(". It had read %s of the request's %s", quote.Count(had), quote.Plural(whole, "byte"))
		if whole > scannerLine && had <= scannerLine {
			b.Detail += ": its reader stops at 64 KiB"
			b.Fix = "Read lines of any length. Go: bufio.Reader.ReadBytes('\\n'), or Scanner.Buffer with a larger limit. C: getline."
		}
	case code == 0 && r.module.Symbols.IsGo():
		b.Fix = "In Go the module ends when main returns: wait for the goroutine that answers. Return when stdin reaches its end."
	}
	return r.explained(b, crash, crashed)
}

// scannerLine is the longest line, with its end, that Go's bufio.Scanner takes
// unless it is told otherwise.
const scannerLine = 64 << 10

// explained begins a breach with the crash behind it; without one it adds what
// the module said last.
func (r *run) explained(b event.Breach, crash wire.Crash, crashed bool) event.Breach {
	switch {
	case crashed:
		b.Detail = crash.Said() + crashPlace(b.Stack, crash) + ". " + b.Detail
		b.Fix = crash.Fix
		if crash.Asleep() {
			b.Fix = "A module has one thread and no sockets, and a read of stdin holds all of it: wait for nothing that another goroutine cannot bring."
		}
	case len(b.Stack) > 0:
		if last := wire.LastLine(r.ending.b); last != "" {
			b.Detail += ". The last line on stderr: " + last
		}
	}
	return b
}

// exitPlace is where in its own source the module asked to exit, unless a crash
// says it.
func exitPlace(stack []event.Frame, crashed bool) string {
	if crashed {
		return ""
	}
	if i := own(stack); i >= 0 && stack[i].File != "" && !library(stack[i]) {
		return fmt.Sprintf(", in %s%s", stack[i].Name, at(stack[i]))
	}
	return ""
}

// lost says what an exit takes with it.
func (r *run) lost() string {
	if r.answer == nil {
		return ""
	}
	return "; the answer before it is lost"
}

// status is an exit status as a sentence names it. Programs that end with -1
// give the largest number of 32 bits, which nobody would look for.
func status(code uint32) string {
	if n := int32(code); n < 0 {
		return fmt.Sprintf("%d (%d)", code, n)
	}
	return strconv.FormatUint(uint64(code), 10)
}

// exitStack is the stack of proc_exit; a return from _start leaves none.
func (r *run) exitStack(code uint32) []event.Frame {
	if code == 0 {
		return nil
	}
	return r.stack()
}
