package engine

import (
	"bytes"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/wire"
)

// cause emits what evidence after the verdict says of its cause: a better
// name for the same break.
func (r *run) cause(e *event.Exit) {
	better, ok := r.better(e)
	if !ok || r.verdict == nil || better.Rule == r.broke.Rule && better.Detail == r.broke.Detail {
		return
	}
	better.Instead = r.broke.Rule
	if better.Stack == nil {
		better.Stack = r.broke.Stack
	}
	r.broke = better
	r.emit.emit(better)
}

// better is what evidence makes of the breach that decided the run.
func (r *run) better(e *event.Exit) (event.Breach, bool) {
	if line, ok := r.judge.Good(); ok && r.broke.Rule == abi.LifeStall {
		return r.lateAnswer(line), true
	}
	if r.broke.Rule == abi.LifeStall || r.judged {
		if old, is := r.judge.OldContract(); is && e.Code != nil && !r.answered {
			return old, true
		}
	}
	if waits, is := r.waitsForInitialize(); is {
		return waits, true
	}
	if !r.judged {
		return event.Breach{}, false
	}
	return r.judge.Cause()
}

// waitsForInitialize explains a break at the first requests by the handshake of
// older MCP revisions: the module says so on stderr, or its texts know
// initialize and do not know server/discover.
func (r *run) waitsForInitialize() (event.Breach, bool) {
	switch r.broke.Rule {
	case abi.LifeStall, abi.LifeEarlyExit, abi.ErrorAnswered:
	default:
		return event.Breach{}, false
	}
	if r.request == nil || r.script != nil {
		return event.Breach{}, false
	}
	if said, is := wire.SaysItWaits(r.ending.b); is {
		return wire.Handshake(r.broke.Where, "it says so on stderr: "+said), true
	}
	if r.request.Method == abi.MethodDiscover && r.knowsHandshakeAlone() {
		return wire.Handshake(r.broke.Where, `the module holds the text "`+abi.MethodInitialize+`" and nowhere "`+abi.MethodDiscover+`"`), true
	}
	return event.Breach{}, false
}

// knowsHandshakeAlone looks at the module's bytes for names of methods. One that
// knows this revision by its date waits for something else: the word initialize
// stands in the library of more than one language.
func (r *run) knowsHandshakeAlone() bool {
	module := r.session.pkg.Module
	return bytes.Contains(module, []byte(abi.MethodInitialize)) && bytes.Contains(module, []byte(abi.MethodList)) &&
		!bytes.Contains(module, []byte(abi.MethodDiscover)) && !bytes.Contains(module, []byte(abi.ProtocolVersion))
}

// oldArguments explains an exit by the contract before ABI 1, which gave the
// tool's name in argv and not on stdin: the module ends at once, reads and
// answers nothing, and says that an argument is missing.
func (r *run) oldArguments(code uint32, crash wire.Crash, crashed bool) (event.Breach, bool) {
	if code == 0 || !r.untouched() {
		return event.Breach{}, false
	}
	if crashed && crash.MissesArgument() {
		return wire.OldArguments(r.openRequest(), crash.Said()), true
	}
	if said, is := wire.AsksForArguments(r.ending.b); is {
		return wire.OldArguments(r.openRequest(), said), true
	}
	return event.Breach{}, false
}

// untouched reports whether the module neither read stdin nor wrote to stdout.
func (r *run) untouched() bool {
	return r.stdout == 0 && r.in.size == int64(len(r.in.pending)) && !r.answered
}
