package engine

import (
	"crypto/sha256"
	"io"
	"math/rand/v2"
	"time"

	"perch/engine/clock"
)

// seededEpoch is where the wall clock of a seeded run stands at its beginning
// (our choice).
var seededEpoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// seeded returns a clock and random bytes that are the same for the same seed
// and the same calls. The clock moves a microsecond at each reading and by
// each wait; waits really take their time, by the given clock. shift moves it
// on from the beginning.
func seeded(seed string, shift time.Duration, real clock.Clock) (clock.Clock, io.Reader) {
	return &seededClock{Clock: real, mono: shift}, rand.NewChaCha8(sha256.Sum256([]byte(seed)))
}

type seededClock struct {
	clock.Clock // for waits
	mono        time.Duration
}

// Now implements clock.Clock.
func (s *seededClock) Now() time.Time { return seededEpoch.Add(s.Mono()) }

// Mono implements clock.Clock.
func (s *seededClock) Mono() time.Duration {
	s.mono += time.Microsecond
	return s.mono
}

// Wait implements clock.Waiter.
func (s *seededClock) Wait(stop <-chan struct{}, d time.Duration) bool {
	s.mono += d
	return clock.Wait(s.Clock, stop, d)
}
