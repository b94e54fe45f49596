// Command perch opens a Subako function package, shows its tools, runs calls
// and shows everything that goes in and out. Without a command it is an app
// for the terminal; the commands are for scripts and CI.
//
// The package holds flags, commands and exit statuses, and knows nothing of
// the ABI: what it prints comes from inspect.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"charm.land/fang/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"
)

// version is set by the linker in releases.
var version = "0.1.0"

// Exit statuses.
const (
	exitOK        = 0
	exitToolError = 1
	exitUsage     = 2
	exitRefused   = 3
	exitBroken    = 4
	exitCancelled = 130
)

// exitError ends a command with a status. Its text, if it has one, goes to
// stderr; without one the command has said all there is to say.
type exitError struct {
	status int
	err    error
}

// Error implements error.
func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit status %d", e.status)
	}
	return e.err.Error()
}

// Unwrap returns the cause.
func (e *exitError) Unwrap() error { return e.err }

func main() {
	lipgloss.EnableLegacyWindowsANSI(os.Stdout)
	lipgloss.EnableLegacyWindowsANSI(os.Stderr)
	os.Exit(run(os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}

// streams are where a command reads and writes.
type streams struct {
	in  *os.File
	out io.Writer
	err io.Writer
}

// run is main without the exit.
func run(args []string, s streams) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends perch at once
	lost := &loss{w: s.out}
	if !isTerminal(s.out) {
		s.out = lost
	}
	s.out, s.err = guarded(s.out), guarded(s.err)
	root := newRoot(s)
	root.SetArgs(args)
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.Version = version
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { help(ctx, root, c) })
	err := root.ExecuteContext(ctx)
	if lost.err != nil {
		err = &exitError{exitUsage, fmt.Errorf("what was to be printed is not whole: %w", lost.err)}
	}
	if err != nil {
		printError(s.err, err)
	}
	return status(err)
}

// help is fang's. Nothing else goes through fang: at every error it asks the
// terminal for its background, and waits seconds for one that does not answer.
// It asks where it can read an answer, so it is shown an input that has none.
func help(ctx context.Context, root, of *cobra.Command) {
	if none, err := os.Open(os.DevNull); err == nil {
		in := os.Stdin
		os.Stdin = none
		defer func() {
			os.Stdin = in
			none.Close()
		}()
	}
	root.SetArgs(append(strings.Fields(of.CommandPath())[1:], "--help"))
	if err := fang.Execute(ctx, root, fang.WithVersion(version), fang.WithoutManpage(), fang.WithColorSchemeFunc(scheme)); err != nil {
		root.PrintErrln(err)
	}
}

func status(err error) int {
	var exit *exitError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &exit):
		return exit.status
	}
	return exitUsage // cobra's own: an unknown command or flag
}

func printError(w io.Writer, err error) {
	var exit *exitError
	if errors.As(err, &exit) && exit.err == nil {
		return
	}
	style := textStyle(w)
	fmt.Fprintln(w, wrapped("perch: "+style.Safe.Text(err.Error()), lineWidth(w)))
}

// colours reports whether colours may be written to w (no-color.org: any
// value that is not empty says no).
func colours(w io.Writer) bool {
	if os.Getenv("NO_COLOR") != "" {
		return false
	}
	return colorprofile.Detect(w, os.Environ()) > colorprofile.ASCII
}

func painter(c string, bold bool) func(string) string {
	st := lipgloss.NewStyle().Foreground(lipgloss.Color(c)).Bold(bold)
	return func(s string) string { return st.Render(s) }
}
