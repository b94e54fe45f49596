package main

import (
	"context"
	"io"
	"os"

	"github.com/charmbracelet/x/term"
)

// isTerminal reports whether w is a terminal that the app can draw on.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

// start opens the app.
func (a *app) start(ctx context.Context, args []string) error {
	return a.noTerminal(ctx, args)
}
