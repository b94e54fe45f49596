//go:build !unix

package ui

import (
	"os"
	"syscall"
)

// quitSignals end the app as q does, without a question.
func quitSignals() []os.Signal { return []os.Signal{syscall.SIGTERM} }

// stopper stops nothing where there are no jobs.
type stopper struct{}

func newStopper(_, _ func() error, _ func() bool) *stopper { return nil }

func (s *stopper) close() {}

func (s *stopper) stopGroup() bool { return false }
