package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// toast is a message in the footer.
type toast struct {
	text  string
	bad   bool // stays until a key
	brief bool // goes with the next key
	whole bool // takes the whole footer
}

// status is what the footer says beside the keys.
type status struct {
	now    *toast
	serial int
}

// toastTime is how long a toast stays.
const toastTime = 4 * time.Second

func (s *status) set(t toast) {
	s.serial++
	s.now = &t
}

func (s *status) clear() { s.now = nil }

// touch is a key or a click: what was to stay until then goes.
func (s *status) touch() {
	if s.now != nil && (s.now.bad || s.now.brief) {
		s.now = nil
	}
}

// expire takes away the toast with this number.
func (s *status) expire(serial int) bool {
	if s.now == nil || s.serial != serial || s.now.bad {
		return false
	}
	s.now = nil
	return true
}

// note shows a toast that nothing takes away but a key, and keeps it for the
// page of messages.
func (a *App) note(t toast) {
	a.status.set(t)
	a.keep(t)
}

// say shows a toast. Errors stay until a key.
func (a *App) say(t toast) tea.Cmd {
	a.note(t)
	a.armed = false
	if t.bad {
		return nil
	}
	return a.after(toastTime, expiredMsg{a.status.serial})
}
