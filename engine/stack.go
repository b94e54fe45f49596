package engine

import (
	"context"
	"strconv"
	"strings"

	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"perch/engine/event"
	"perch/engine/symbols"
)

// maxFrames is how many frames of a stack are kept: the innermost ones.
const maxFrames = 64

// rawFrame is a frame as the engine has it: in the instrumented module.
type rawFrame struct {
	fn     uint32
	offset uint64 // in the code section, 0: not known
}

// stackListener notes the guest's stack at host calls. It holds no state: the
// compiled host functions are shared by all runs.
type stackListener struct{}

// NewFunctionListener implements experimental.FunctionListenerFactory.
func (stackListener) NewFunctionListener(def api.FunctionDefinition) experimental.FunctionListener {
	if def.GoFunction() == nil || !wantsStack(def.Name()) {
		return nil
	}
	return stackListener{}
}

// wantsStack leaves out the functions that guests call most and that never
// wait: walking the stack would cost more than the call. A run is not stopped
// in them but at the safepoint or the call that follows.
func wantsStack(name string) bool {
	switch name {
	case "clock_time_get", "fd_prestat_get", "fd_prestat_dir_name", "environ_get":
		return false
	}
	return true
}

// Before implements experimental.FunctionListener.
func (stackListener) Before(ctx context.Context, _ api.Module, _ api.FunctionDefinition, _ []uint64, it experimental.StackIterator) {
	r := runOf(ctx)
	if r == nil {
		return
	}
	r.frames = r.frames[:0]
	for it.Next() {
		f := it.Function()
		if f.Definition().GoFunction() != nil {
			continue // the host function itself
		}
		if len(r.frames) == maxFrames {
			break
		}
		r.frames = append(r.frames, rawFrame{f.Definition().Index(), f.SourceOffsetForPC(it.ProgramCounter())})
	}
}

// After implements experimental.FunctionListener.
func (stackListener) After(context.Context, api.Module, api.FunctionDefinition, []uint64) {}

// Abort implements experimental.FunctionListener.
func (stackListener) Abort(context.Context, api.Module, api.FunctionDefinition, error) {}

// stack resolves the frames of the host call that is going on.
func (r *run) stack() []event.Frame { return r.resolve(r.frames) }

func (r *run) resolve(raw []rawFrame) []event.Frame {
	frames := make([]event.Frame, 0, len(raw))
	for _, f := range raw {
		if frame, ok := r.original(f); ok {
			frames = append(frames, frame)
		}
	}
	return r.module.Symbols.Stack(frames, r.live())
}

// original finds a frame in the module as it was given. It is false for the
// functions that the instrumentation added.
func (r *run) original(f rawFrame) (event.Frame, bool) {
	if off, fn, ok := r.module.inst.OriginalOffset(f.offset); ok && f.offset > 0 {
		return event.Frame{Func: fn, Offset: off}, true
	}
	fn, ok := r.module.inst.OriginalFunc(f.fn)
	return event.Frame{Func: fn}, ok
}

// live is what a stack of Go needs of the instance; nothing when there is none.
func (r *run) live() symbols.Live {
	m, ok := r.instance.(experimental.InternalModule)
	if !ok || !r.module.Symbols.IsGo() || r.instance.Memory() == nil || m.NumGlobal() < 3 {
		return symbols.Live{}
	}
	return symbols.Live{Memory: r.instance.Memory(), SP: uint32(m.Global(0).Get()), G: m.Global(2).Get()}
}

// trapFrames reads the frames from the text of a trap: wazero gives them in no
// other form. Each has its function's name on one line and its offset on the
// next, "0x86: w:1".
func (r *run) trapFrames(text string) []event.Frame {
	_, trace, _ := strings.Cut(text, "wasm stack trace:\n")
	var raw []rawFrame
	for _, line := range strings.Split(trace, "\n") {
		line = strings.TrimSpace(line)
		hex, _, ok := strings.Cut(line, ":")
		if !ok || !strings.HasPrefix(hex, "0x") {
			continue
		}
		off, err := strconv.ParseUint(hex[2:], 16, 64)
		if err != nil {
			continue
		}
		if _, _, ok := r.module.inst.OriginalOffset(off); ok {
			raw = append(raw, rawFrame{offset: off})
		}
	}
	return r.resolve(raw)
}
