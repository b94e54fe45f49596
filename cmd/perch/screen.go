package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"perch/engine/settings"
	"perch/ui"
)

// screen opens the app on the terminal. Signals are the app's: an interrupt
// ends a call, not perch.
func (a *app) screen(ctx context.Context, args []string) error {
	o := ui.Options{Bench: a.options(), Memory: ui.StateDir(), Theme: a.theme, Themes: themesDir(), Mouse: a.mouse, Settings: settingsDir()}
	if a.mouse != "" && a.mouse != "on" && a.mouse != "off" {
		return &exitError{exitUsage, fmt.Errorf("--mouse is on or off, not %q", a.mouse)}
	}
	if err := ui.KnownTheme(a.theme, o.Themes); err != nil {
		return &exitError{exitUsage, err}
	}
	if store, ok := o.Bench.Trust.(*settings.Store); ok {
		o.Trust = store
	}
	if len(args) == 1 {
		o.Package = args[0]
	}
	err := ui.Run(context.WithoutCancel(ctx), o, ui.Terminal{Err: a.err})
	var crash *ui.CrashError
	switch {
	case errors.As(err, &crash):
		fmt.Fprintln(a.err, crash.Error())
		return ended(exitUsage)
	case err != nil:
		return &exitError{exitUsage, err}
	}
	return nil
}

// settingsDir is where a person's own settings lie, "" when the system names no
// folder for them.
func settingsDir() string {
	dir, err := settings.UserDir()
	if err != nil {
		return ""
	}
	return dir
}

// themesDir is where a person's own themes lie, "" when the system names no
// folder for settings.
func themesDir() string {
	if dir := settingsDir(); dir != "" {
		return filepath.Join(dir, "themes")
	}
	return ""
}
