package main

import "context"

// screen opens the app on the terminal.
func (a *app) screen(ctx context.Context, args []string) error {
	return a.noTerminal(ctx, args)
}
