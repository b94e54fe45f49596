package ui

import (
	"context"
	"sync"

	tea "charm.land/bubbletea/v2"

	"perch/inspect/bench"
	"perch/ui/gallery"
)

// hold keeps a package open: as long as it is on the screen, and until all that
// uses it has ended.
type hold struct {
	ctx    context.Context
	cancel context.CancelFunc
	// runs is what runs of our own go by, which nobody waits for; stop ends them.
	runs context.Context
	stop context.CancelFunc
	uses sync.WaitGroup // goroutines that use the package
}

func newHold(ctx context.Context) *hold {
	h := &hold{}
	h.ctx, h.cancel = context.WithCancel(ctx)
	h.runs, h.stop = context.WithCancel(h.ctx)
	return h
}

// openBench opens a package in the background. Who opens it closes it: when the
// hold has ended and all that uses it has. told makes the message; it is called
// in the background, with what the package's files looked like before.
func (a *App) openBench(h *hold, name string, told func(b *bench.Bench, stamp [32]byte, err error) tea.Msg) tea.Cmd {
	options := a.o.Bench
	options.KeepFiles = true
	if a.o.Trust != nil {
		options.Trust = a.o.Trust
	}
	path := gallery.Expand(name)
	return a.background(func(tell func(tea.Msg)) {
		stamp := bench.StampOf(path).Sum
		b, err := bench.Open(h.ctx, path, options)
		tell(told(b, stamp, err))
		if err == nil {
			<-h.ctx.Done()
			h.uses.Wait()
			_ = b.Close()
		}
	})
}

// use does something in the background with the package that a session has now.
func (a *App) use(s *session, f func(*bench.Bench) tea.Msg) tea.Cmd {
	h, b := s.hold, s.bench
	h.uses.Add(1)
	return a.background(func(tell func(tea.Msg)) {
		defer h.uses.Done()
		tell(f(b))
	})
}
