package main

import (
	"context"
	"os"

	"github.com/charmbracelet/x/term"
)

// isTerminal reports whether f is a terminal.
func isTerminal(f any) bool {
	file, ok := f.(*os.File)
	return ok && term.IsTerminal(file.Fd())
}

// plainEnv asks for the plain mode, as --plain does.
const plainEnv = "PERCH_PLAIN"

// start opens the app where the terminal can show it, and the plain mode where
// it cannot or where that was asked for.
func (a *app) start(ctx context.Context, args []string) error {
	switch t := os.Getenv("TERM"); {
	case a.plain:
		return a.plainMode(ctx, args, "")
	case os.Getenv(plainEnv) != "":
		return a.plainMode(ctx, args, plainEnv+" is set, so")
	case t == "dumb":
		return a.plainMode(ctx, args, "TERM is dumb, so")
	case t == "" && os.PathSeparator == '/':
		return a.plainMode(ctx, args, "TERM is not set, so")
	}
	return a.screen(ctx, args)
}
