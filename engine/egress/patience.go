package egress

import (
	"context"
	"errors"
	"time"

	"perch/engine/clock"
)

// errTimeout is the cause of a context whose timeout_ms has passed.
var errTimeout = errors.New("timeout_ms has passed")

// patience is a context that ends with one request: when its timeout_ms has
// passed, when the call's own time has, or when the run is stopped.
type patience struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	done   chan struct{}
}

// newPatience starts to watch the clock; end must be called.
func newPatience(cfg *Config, timeout time.Duration) *patience {
	ctx, cancel := context.WithCancelCause(context.Background())
	p := &patience{ctx, cancel, make(chan struct{})}
	var passed <-chan struct{}
	release := func() {}
	if timeout > 0 {
		passed, release = cfg.Clock.After(timeout)
	}
	// The first wait for the call's own time begins before the request does,
	// so that a clock moved by the request is seen.
	deadline, releaseDeadline := untilDeadline(cfg)
	go func() {
		defer close(p.done)
		defer release()
		for {
			select {
			case <-passed:
				cancel(errTimeout)
			case <-cfg.Stop:
				cancel(ErrStopped)
			case <-deadline:
				releaseDeadline()
				if cfg.Deadline() > 0 { // time was given back meanwhile
					deadline, releaseDeadline = untilDeadline(cfg)
					continue
				}
				cancel(ErrStopped)
			case <-ctx.Done():
			}
			releaseDeadline()
			return
		}
	}()
	return p
}

func untilDeadline(cfg *Config) (<-chan struct{}, func()) {
	if cfg.Deadline == nil {
		return nil, func() {}
	}
	return cfg.Clock.After(max(cfg.Deadline(), 0))
}

// end stops the watching.
func (p *patience) end() {
	p.cancel(context.Canceled)
	<-p.done
}

// mustGoOn panics with ErrStopped when the run has ended.
func (p *patience) mustGoOn() {
	if context.Cause(p.ctx) == ErrStopped {
		panic(ErrStopped)
	}
}

// timedOut reports whether timeout_ms has passed.
func (p *patience) timedOut() bool { return context.Cause(p.ctx) == errTimeout }

// wait lets d pass on the clock; false when the request ended before.
func (p *patience) wait(c clock.Clock, d time.Duration) bool {
	if d <= 0 {
		return p.ctx.Err() == nil
	}
	passed, release := c.After(d)
	defer release()
	select {
	case <-passed:
		return true
	case <-p.ctx.Done():
		return false
	}
}
