package query

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/metrics"
	"time"
)

// budget is the context that a filter runs in. jq's machine asks it before each
// step whether to go on, so it counts the steps, and looks at memory between
// some of them: both the same on a fast machine and on a slow one.
type budget struct {
	parent context.Context
	left   int
	steps  int
	over   error
	closed chan struct{}
	heap   uint64 // bytes in use when the filter began
	sample []metrics.Sample
}

// maxHeap is how much memory a filter may take, in bytes (our limit).
const maxHeap = 256 << 20

// between is how many steps go by between two looks at what costs time to see.
const between = 4096

func newBudget(parent context.Context, steps int) *budget {
	b := &budget{parent: parent, left: steps, steps: steps, closed: make(chan struct{}),
		sample: []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}}
	close(b.closed)
	return b
}

func (b *budget) enter() { b.heap = b.used() }

func (b *budget) leave() { b.sample = nil }

func (b *budget) used() uint64 {
	metrics.Read(b.sample)
	return b.sample[0].Value.Uint64()
}

// Done implements context.Context.
func (b *budget) Done() <-chan struct{} {
	b.left--
	if b.over == nil && b.left >= 0 && b.left%between != 0 {
		return nil
	}
	b.look()
	if b.over != nil {
		return b.closed
	}
	return nil
}

func (b *budget) look() {
	switch {
	case b.over != nil:
	case b.parent.Err() != nil:
		b.over = context.Cause(b.parent)
	case b.left < 0:
		b.over = fmt.Errorf("the filter does not end within %s steps (our limit)", count(b.steps))
	case b.used() > b.heap+maxHeap:
		// Much of it may be garbage; then there is room again.
		if runtime.GC(); b.used() > b.heap+maxHeap {
			b.over = fmt.Errorf("the filter takes over %d MiB of memory (our limit)", maxHeap>>20)
		}
	}
}

// Err implements context.Context.
func (b *budget) Err() error { return b.over }

// Deadline implements context.Context.
func (b *budget) Deadline() (time.Time, bool) { return b.parent.Deadline() }

// Value implements context.Context.
func (b *budget) Value(key any) any { return b.parent.Value(key) }

// explain says why a filter ended, and whether that was a limit.
func (b *budget) explain(err error) (error, bool) {
	switch {
	case b.over != nil && errors.Is(b.over, context.Canceled):
		return errors.New("stopped"), true
	case b.over != nil:
		return b.over, true
	case limited(err):
		return err, true
	}
	return runError(err), false
}
