package ui

import (
	"fmt"
	"os"
	"runtime/debug"
	"sync"

	tea "charm.land/bubbletea/v2"
)

func osGetenv(name string) string { return os.Getenv(name) }

// Crash is a panic of the app: what it said, and where.
type Crash struct {
	Value string
	Stack string
}

// crash keeps the first panic, whichever goroutine it was in.
type crash struct {
	mu    sync.Mutex
	first *Crash
}

func (c *crash) keep(value any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.first == nil {
		c.first = &Crash{fmt.Sprint(value), string(debug.Stack())}
	}
}

// Crash is the panic that ended the app, nil when none did.
func (a *App) Crash() *Crash {
	a.crash.mu.Lock()
	defer a.crash.mu.Unlock()
	return a.crash.first
}

// guard keeps a panic of a command from ending the process with the terminal in
// a state: it ends the app instead.
func guard(a *App, f func() tea.Msg) tea.Cmd {
	return func() (msg tea.Msg) {
		defer func() {
			if r := recover(); r != nil {
				a.crash.keep(r)
				msg = tea.Quit()
			}
		}()
		return f()
	}
}

// background starts work at once, on a goroutine that Close waits for, and
// gives a command that waits for what it tells. Whether the command is ever run
// does not matter to the work.
func (a *App) background(f func(tell func(tea.Msg))) tea.Cmd {
	out := make(chan tea.Msg, 2)
	a.work.Add(1)
	go func() {
		defer a.work.Done()
		defer func() {
			if r := recover(); r != nil {
				a.crash.keep(r)
				out <- tea.Quit()
			}
		}()
		f(func(m tea.Msg) { out <- m })
	}()
	return func() tea.Msg {
		select {
		case m := <-out:
			return m
		case <-a.ctx.Done():
			return nil
		}
	}
}

// once is background work that tells one thing.
func (a *App) once(f func() tea.Msg) tea.Cmd {
	return a.background(func(tell func(tea.Msg)) { tell(f()) })
}
