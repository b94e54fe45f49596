package engine

import (
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/wasm"
)

// firstMount is the descriptor of the first preopen.
const firstMount = 3

func (r *run) beginning() event.Begin {
	b := event.Begin{Kind: r.kind, Tool: r.tool, Arguments: r.args, Probe: r.about, Engine: string(r.session.engine.kind),
		Module: r.module.SHA256, Started: r.clock.Now().UTC(), Seed: r.seed,
		Timeout: r.limit, Memory: r.session.config.Memory, Budget: r.session.config.Budget}
	for i, m := range r.mounts {
		b.Mounts = append(b.Mounts, event.Mount{FD: firstMount + uint32(i), Guest: m.Guest(), ReadOnly: m.ReadOnly()})
	}
	return b
}

// refusal is the breach of a module that the engine itself refuses: a type
// error, which our own reader does not look for. Nil when there is none.
func (m *Module) refusal() *event.Breach {
	select {
	case <-m.ready:
		return m.refused
	default:
		return nil
	}
}

// secondOpinion asks the engine about the module as it was given, so that the
// breach points at the module's own functions and bytes. A module that it
// takes as given, and not as we instrument it, has a breach that says so.
func (e *Engine) secondOpinion(module []byte, compile error) *event.Breach {
	if b := e.malformed(module); b != nil {
		return b
	}
	text, _, _ := strings.Cut(compile.Error(), "\n")
	return &event.Breach{Rule: abi.ModuleMalformed,
		Where:  event.Where{Stream: event.File, File: abi.ModuleFile, End: int64(len(module)), Func: -1},
		Detail: "The engine inside perch does not compile the module, though nothing is found wrong with it (" + text + "). Subako's may",
		Fix:    "Try --engine interpreter."}
}

// examine looks in the background whether the types of a module that is refused
// for another reason are right, so that all is named at once. What it returns
// cannot be run.
func (e *Engine) examine(module []byte) *Module {
	return e.start("types of ", module, func(m *Module, module []byte) error {
		if b := e.malformed(module); b != nil && b.Where.Section != "" { // else no more than a doubt
			m.refused = b
		}
		return ErrRefused
	})
}

// malformed is the first fault in a module's form or types; nil without one.
func (e *Engine) malformed(module []byte) *event.Breach {
	report := wasm.Check(module, wasm.CheckOptions{Provided: Provided, Names: ProvidedNames,
		MemoryLimit: abi.MaxMemory, File: abi.ModuleFile, SecondOpinion: e.validate})
	for _, b := range report.Breaches {
		if b.Rule == abi.ModuleMalformed {
			return &b
		}
	}
	return nil
}
