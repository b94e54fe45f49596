package engine

import (
	"context"
	crand "crypto/rand"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/tetratelabs/wazero/experimental"

	"perch/engine/abi"
	"perch/engine/clock"
	"perch/engine/egress"
	"perch/engine/event"
	"perch/engine/wasi"
)

// hostSide gives the run's module its descriptors, memory and HTTP.
func (r *run) hostSide() error {
	s := r.session
	mounts, err := r.preopens()
	if err != nil {
		return err
	}
	r.mounts = mounts
	config := make([]wasi.Mount, len(mounts))
	for i, m := range mounts {
		config[i].Opened = m
	}
	var guestClock clock.Clock = cappedClock{r.clock, r}
	random := crand.Reader
	if r.seed != "" {
		guestClock, random = seeded(r.seed, r.shift, guestClock)
	}
	budget := wasi.NewBudget(int64(s.config.Budget), abi.MaxNewFiles)
	r.process, err = wasi.New(wasi.Config{
		Args: []string{s.pkg.Name}, Mounts: config, Stdin: r,
		Stdout: r.out.put, Stderr: r.errOut.put,
		Clock: guestClock, Watch: r.clock, Random: random, Budget: budget, Observer: r,
		Stop: r.stop, Check: r.check, Wrote: r.tape.Wrote,
	})
	if err != nil {
		return fmt.Errorf("make the process: %w", err)
	}
	r.budget = budget
	r.http = egress.New(egress.Config{
		Policy: r.policy(), Files: volume{r}, Clock: r.clock, Emit: r.httpEvent, Stop: r.stop,
		Deadline: r.httpLeft, Wrote: r.tape.Wrote, Called: r.httpCalled, Returned: r.httpReturned,
	})
	r.alloc = &allocator{limit: s.config.Memory, report: r.memoryEvent, pool: &s.engine.memories}
	return nil
}

func (r *run) context(ctx context.Context) context.Context {
	// Cancelling must not reach the engine: it would end the run without a
	// stack. The run's own stop does it, at a safepoint or in a host call.
	ctx = context.WithoutCancel(ctx)
	ctx = context.WithValue(ctx, runKey{}, r)
	ctx = wasi.NewContext(ctx, r.process)
	ctx = egress.NewContext(ctx, r.http)
	return experimental.WithMemoryAllocator(ctx, r.alloc)
}

func (r *run) preopens() ([]*wasi.Opened, error) {
	if r.kind == event.Probe {
		return r.probeMounts()
	}
	return r.session.mounts(r.session.mountList(r.kind, r.session.volume))
}

func (r *run) policy() egress.Policy {
	switch r.kind {
	case event.Upload:
		return egress.Policy{NoNetwork: "the upload run has no network"}
	case event.Probe:
		return egress.Policy{NoNetwork: "a probe has no network"}
	}
	return r.session.Config().Egress
}

// volume lets subako_http use the module's files.
type volume struct{ r *run }

// OpenBody implements egress.Files.
func (v volume) OpenBody(path string) (egress.File, int64, error) {
	f, n, err := v.r.process.OpenBody(path, v.r.requests)
	return f, n, fileError(err)
}

// CheckOutput implements egress.Files.
func (v volume) CheckOutput(path string) error {
	return fileError(v.r.process.CheckOutput(path, v.r.requests))
}

// CreateOutput implements egress.Files.
func (v volume) CreateOutput(path string) (egress.Output, error) {
	w, err := v.r.process.CreateOutput(path, v.r.requests)
	if err != nil {
		return nil, fileError(err)
	}
	return output{w}, nil
}

type output struct{ wasi.Output }

// Write implements io.Writer.
func (o output) Write(p []byte) (int, error) {
	n, err := o.Output.Write(p)
	return n, fileError(err)
}

// fileError says in the words of subako_http what the file system said.
func fileError(err error) error {
	var bad *wasi.PathError
	switch {
	case !errors.As(err, &bad):
		return err
	case bad.Errno == wasi.EDQUOT:
		return fmt.Errorf("%w: %s", egress.ErrBudget, bad.Path)
	}
	return &egress.PathError{Path: bad.Path, Why: bad.Why}
}

// Enter implements wasi.Observer.
func (r *run) Enter(fn *wasi.Func, _ []uint64) { r.enter(fn.Name) }

func (r *run) enter(name string) {
	if wantsStack(name) {
		r.check()
	} else {
		r.frames = r.frames[:0] // those of the call before say nothing of this one
	}
	r.inCall, r.callAt = name, r.now()
	r.hostCalls++
}

func (r *run) leave() {
	r.hostTime += r.now() - r.callAt
	if wantsStack(r.inCall) {
		r.check()
	}
	r.inCall = ""
}

// Leave implements wasi.Observer: the call is an event, then what it wrote.
func (r *run) Leave(w event.WASI) {
	r.tape.Call(callNumbers()[w.Func], uint64(w.Errno))
	r.emit.call(w)
	if b := r.errOut.take(); b != nil {
		r.wroteStderr(b)
	}
	if b := r.out.take(); b != nil {
		r.wroteStdout(b)
	}
	r.leave()
}

// File implements wasi.Observer.
func (r *run) File(f event.FileEffect) { r.emit.emit(f) }

func (r *run) httpEvent(b event.Body) {
	if q, ok := b.(event.HTTPRequest); ok {
		r.requests = q.ID
	}
	r.emit.emit(b)
}

// httpLeft is what is left of the run's own time while subako_http is called.
// A goroutine of the request asks for it, so it looks at nothing that moves.
func (r *run) httpLeft() time.Duration { return r.httpUntil - r.now() }

func (r *run) httpCalled(fn string) {
	r.enter(abi.ModuleHTTP + " " + fn)
	r.httpUntil = r.deadline()
}

func (r *run) httpReturned(fn string, result int32) {
	r.tape.Call(callNumbers()[fn], uint64(uint32(result)))
	r.leave()
}

func (r *run) memoryEvent(from, to uint64, refused bool) {
	r.emit.emit(event.Memory{From: from, To: to, Refused: refused, Limit: r.alloc.limit})
}

// callNumbers are the numbers of the host functions on a tape: their places in
// the table of WASI functions, those of subako_http after them.
var callNumbers = sync.OnceValue(func() map[string]uint32 {
	numbers := make(map[string]uint32)
	for _, f := range wasi.Functions() {
		numbers[f.Name] = uint32(len(numbers))
	}
	for _, f := range egress.Functions() {
		numbers[f.Name] = uint32(len(numbers))
	}
	return numbers
})

// written collects what one host call writes to a stream.
type written struct{ b []byte }

func (w *written) put(b []byte) { w.b = append(w.b, b...) }

// take hands the bytes over; the next call starts a new slice.
func (w *written) take() []byte {
	b := w.b
	w.b = nil
	return b
}
