//go:build unix

package main

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// TestNothingIsAskedOfTheTerminal: a command only writes. What asks the
// terminal for its colours waits for an answer, and leaves it to the shell.
func TestNothingIsAskedOfTheTerminal(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("TERM", "xterm-256color")
	for _, c := range []struct {
		args   []string
		status int
		has    string
	}{
		{[]string{"call", "sample:greeter", "greet"}, exitToolError, "tool error"},
		{[]string{"call", "sample:mischief", "trap"}, exitBroken, "life/trap"},
		{[]string{"check", "sample:mischief:library"}, exitRefused, "module/start-missing"},
		{[]string{"check", "/no/such/file"}, exitUsage, "/no/such/file"},
		{[]string{"check", "--no-such-flag"}, exitUsage, "--no-such-flag"},
		{[]string{"--help"}, exitOK, "--timeout"},
		{[]string{"help", "check"}, exitOK, "--timeout"},
	} {
		status, out := onTerminal(t, c.args...)
		if status != c.status || !strings.Contains(out, c.has) {
			t.Errorf("%v: exit status %d, want %d\n%s", c.args, status, c.status, out)
		}
		for _, ask := range []string{"\x1b]11;?", "\x1b[c", "\x1b[6n"} {
			if strings.Contains(out, ask) {
				t.Errorf("%v asks the terminal %q", c.args, ask)
			}
		}
	}
}

// onTerminal runs a command whose three streams are a terminal, which answers
// nothing.
func onTerminal(t *testing.T, args ...string) (status int, out string) {
	t.Helper()
	terminal, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	read := make(chan string)
	go func() {
		all, _ := io.ReadAll(terminal) // it ends with an error when the other end is closed
		read <- string(all)
	}()
	in, stdout := os.Stdin, os.Stdout
	os.Stdin, os.Stdout = tty, tty // what asks on its own goes by these
	status = run(args, streams{tty, tty, tty})
	os.Stdin, os.Stdout = in, stdout
	if err := tty.Close(); err != nil {
		t.Error(err)
	}
	return status, <-read
}
