package bench_test

import (
	"time"

	"perch/engine/clock"
)

// quick is a clock on which a minute of computing takes a moment: each look at
// it moves it on, waits pass at once, and so do short timers. Timers of a
// run's limits pass when their time has come.
func quick() clock.Clock {
	c := clock.NewManual(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	c.Step = 100 * time.Microsecond
	return quickClock{c}
}

type quickClock struct{ *clock.Manual }

// After implements clock.Clock.
func (q quickClock) After(d time.Duration) (<-chan struct{}, func()) {
	passed, release := q.Manual.After(d)
	if d <= 300*time.Millisecond {
		q.Advance(d)
	}
	return passed, release
}
