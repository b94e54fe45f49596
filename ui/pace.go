package ui

import "time"

const (
	// frameTime is the least time between two frames: Bubble Tea asks for one
	// after every message, and a person sees no more.
	frameTime = 12 * time.Millisecond
	// pasteTime is the same while a paste comes key by key.
	pasteTime = 100 * time.Millisecond
	// hurry is a time between two keys that nobody types in: they come from a
	// paste without brackets.
	hurry = 4 * time.Millisecond
)

// escMsg says that an esc which was kept back was no start of an answer.
type escMsg struct{}

// frameMsg says that a frame that was held back may be drawn.
type frameMsg struct{}

// pace spreads frames. It goes by the machine's time, since that is when
// screens are drawn; what is drawn does not depend on it.
type pace struct {
	drawn   time.Time // the last frame
	pressed time.Time // when the last key had been worked off
	fast    bool      // the last key came in a hurry
	held    bool      // a frame waits for its frameMsg
}

// hold says how long the next frame is to wait; 0: not at all, or something
// waits for it already. The caller sends a frameMsg after that time.
func (p *pace) hold(now time.Time) time.Duration {
	wait := frameTime
	if p.fast {
		wait = pasteTime
	}
	if p.held || now.Sub(p.drawn) >= wait {
		return 0
	}
	p.held = true
	return wait
}

// passed lets the frame that was held back be drawn.
func (p *pace) passed() { p.held = false }

// key takes a key and reports whether nobody types as fast.
func (p *pace) key(now time.Time) bool {
	p.fast = now.Sub(p.pressed) < hurry
	p.pressed = now
	return p.fast
}

// worked says that something was drawn or worked off just now: keys of a hurry
// that waited meanwhile are still of that hurry.
func (p *pace) worked(now time.Time) {
	if p.fast {
		p.pressed = now
	}
}
