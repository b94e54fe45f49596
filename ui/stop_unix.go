//go:build unix

package ui

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// How long the word that the process goes on may take to come, in ticks: time
// in which the process was stopped is one tick at most.
const (
	stopTick  = 20 * time.Millisecond
	stopTicks = 25
)

// quitSignals end the app as q does, without a question.
func quitSignals() []os.Signal {
	return []os.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}
}

// stopper stops the process and takes the terminal back when it goes on.
type stopper struct {
	mu   sync.Mutex // one stop at a time
	give func() error
	take func() error
	lent func() bool // the screen is another program's
	told chan os.Signal
	done chan struct{}
	gone chan struct{}
}

// newStopper listens for SIGTSTP and SIGCONT until it is closed. give hands the
// terminal back as it was, take makes it the app's again; lent says that
// another program has it.
func newStopper(give, take func() error, lent func() bool) *stopper {
	s := &stopper{give: give, take: take, lent: lent, told: make(chan os.Signal, 4), done: make(chan struct{}), gone: make(chan struct{})}
	signal.Notify(s.told, syscall.SIGTSTP, syscall.SIGCONT)
	go s.listen()
	return s
}

func (s *stopper) close() {
	signal.Stop(s.told)
	close(s.done)
	<-s.gone
}

func (s *stopper) listen() {
	defer close(s.gone)
	for {
		select {
		case <-s.done:
			return
		case sig := <-s.told:
			switch {
			case sig == syscall.SIGTSTP:
				s.stop(syscall.Getpid())
			case !s.lent():
				s.again()
			}
		}
	}
}

// again takes the terminal anew after a stop that nobody told of beforehand:
// the shell has set it up for itself since.
func (s *stopper) again() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.give() == nil {
		_ = s.take()
	}
}

// stopGroup stops all processes of the job, as ctrl+z of the terminal does. It
// is false when nothing was stopped.
func (s *stopper) stopGroup() bool { return s.stop(0) }

// stop stops a process, 0 for the job, and returns when it goes on.
func (s *stopper) stop(pid int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !takenBack() {
		return false
	}
	mine := !s.lent()
	if mine && s.give() != nil {
		return false
	}
	goes := make(chan os.Signal, 1)
	signal.Notify(goes, syscall.SIGCONT)
	defer signal.Stop(goes)
	signal.Stop(s.told) // one who goes on here tells nobody else
	ticker := time.NewTicker(stopTick)
	defer ticker.Stop()
	// Not SIGTSTP, which is caught from the first Notify on, whatever is reset.
	stopped := syscall.Kill(pid, syscall.SIGSTOP) == nil && went(goes, ticker.C)
	signal.Notify(s.told, syscall.SIGTSTP, syscall.SIGCONT)
	if mine {
		_ = s.take()
	}
	return stopped
}

// takenBack reports whether a shell would say that the job was stopped, and
// could let it go on: one that gave it a group of its own, in its own session.
func takenBack() bool {
	session, err := unix.Getsid(0)
	group := unix.Getpgrp()
	if err != nil || group == session {
		return false
	}
	parent := unix.Getppid()
	if g, err := unix.Getpgid(parent); err == nil && g == group {
		return true // it is of the job; its own parent is the shell
	}
	of, err := unix.Getsid(parent)
	return err == nil && of == session
}

// went waits until the process goes on after a stop, should it have come to
// one. The tick that fell into the stop may be seen before the word.
func went(goes <-chan os.Signal, ticks <-chan time.Time) bool {
	for range stopTicks {
		select {
		case <-goes:
			return true
		case <-ticks:
		}
	}
	return false
}
