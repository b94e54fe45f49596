// Package clock is time as the engine sees it: injected, so that a test of a
// ten-second limit takes milliseconds and a run can be repeated. It knows
// nothing of runs or guests.
package clock

import (
	"sync"
	"time"
)

// Clock gives wall time, monotonic time and waits. It is safe for use by
// several goroutines.
type Clock interface {
	// Now is the wall clock.
	Now() time.Time
	// Mono is monotonic time since an origin that is fixed for this clock.
	Mono() time.Duration
	// After returns a channel that is closed when d has passed, and a
	// function that releases the timer.
	After(d time.Duration) (<-chan struct{}, func())
}

// Waiter is a clock with a way of its own to let a wait pass.
type Waiter interface {
	Wait(stop <-chan struct{}, d time.Duration) bool
}

// Wait returns true after d on clock c, or false as soon as stop is closed.
func Wait(c Clock, stop <-chan struct{}, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	if w, ok := c.(Waiter); ok {
		return w.Wait(stop, d)
	}
	passed, release := c.After(d)
	defer release()
	select {
	case <-passed:
		return true
	case <-stop:
		return false
	}
}

// System is the machine's clock.
type System struct{ origin time.Time }

// NewSystem returns the machine's clock with its origin at this moment.
func NewSystem() System { return System{time.Now()} }

// Now implements Clock.
func (System) Now() time.Time { return time.Now() }

// Mono implements Clock.
func (s System) Mono() time.Duration { return time.Since(s.origin) }

// After implements Clock.
func (System) After(d time.Duration) (<-chan struct{}, func()) {
	passed := make(chan struct{})
	t := time.AfterFunc(d, func() { close(passed) })
	return passed, func() { t.Stop() }
}

// Manual is a clock for tests. It moves when it is read (Step each time), when
// someone waits on it with Wait, to the end of the wait at once, and by
// Advance. Its timers (After) pass when it has come to their time.
type Manual struct {
	// Step is what each reading of Mono or Now adds.
	Step time.Duration

	mu     sync.Mutex
	start  time.Time
	mono   time.Duration
	timers map[*manualTimer]struct{}
}

type manualTimer struct {
	at     time.Duration
	passed chan struct{}
}

// NewManual returns a clock that stands at start.
func NewManual(start time.Time) *Manual {
	return &Manual{start: start, timers: make(map[*manualTimer]struct{})}
}

// Now implements Clock.
func (m *Manual) Now() time.Time { return m.start.Add(m.Mono()) }

// Mono implements Clock.
func (m *Manual) Mono() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.move(m.mono + m.Step)
	return m.mono
}

// Advance moves the clock by d and lets all waits pass that end by then.
func (m *Manual) Advance(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.move(m.mono + d)
}

// After implements Clock.
func (m *Manual) After(d time.Duration) (<-chan struct{}, func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := &manualTimer{at: m.mono + d, passed: make(chan struct{})}
	m.timers[t] = struct{}{}
	if d <= 0 {
		m.move(m.mono)
	}
	return t.passed, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.timers, t)
	}
}

// Wait implements Waiter: the clock moves on by d.
func (m *Manual) Wait(stop <-chan struct{}, d time.Duration) bool {
	select {
	case <-stop:
		return false
	default:
	}
	m.Advance(d)
	return true
}

func (m *Manual) move(to time.Duration) {
	m.mono = to
	for t := range m.timers {
		if t.at <= to {
			close(t.passed)
			delete(m.timers, t)
		}
	}
}
