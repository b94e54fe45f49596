//go:build unix

package ui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/creack/pty"

	"perch/inspect/bench"
)

// childEnv makes this test binary the app on a real terminal; its value says
// what is to go wrong.
const childEnv = "PERCH_TEST_CHILD"

func init() { runChild = child }

// child is the app as cmd/perch runs it.
func child(fault string) int {
	ctx := context.Background()
	a := New(ctx, Options{Bench: bench.Options{CacheDir: cacheDir()}, Memory: os.Getenv("PERCH_TEST_MEMORY"), Package: "sample:mischief"})
	var options []tea.ProgramOption
	armed := false
	options = append(options, tea.WithFilter(func(_ tea.Model, m tea.Msg) tea.Msg {
		if k, ok := m.(tea.KeyPressMsg); !ok || k.String() != "!" || armed {
			return m
		}
		armed = true
		switch fault {
		case "update":
			a.table = nil
			a.byKey = map[scope][]int{ctxTools: {7}}
		case "view":
			a.dirty, a.look = true, nil
		case "worker":
			return a.background(func(func(tea.Msg)) { panic("a worker's mistake") })()
		}
		return m
	}))
	if fault == "pid" {
		_ = os.WriteFile(filepath.Join(os.Getenv("PERCH_TEST_MEMORY"), "pid"), []byte(strconv.Itoa(os.Getpid())), 0o600)
	}
	err := run(ctx, a, Terminal{Options: options})
	var crash *CrashError
	if errors.As(err, &crash) {
		fmt.Fprintln(os.Stderr, crash.Error())
		return 2
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	return 0
}

// terminal is a child on a pseudo terminal.
type terminal struct {
	t    *testing.T
	cmd  *exec.Cmd
	file *os.File
	out  chan []byte
	all  bytes.Buffer
}

func startChild(t *testing.T, fault, memory string) *terminal {
	t.Helper()
	return startOn(t, fault, memory, os.Args[0], "-test.run=^$")
}

// startOn starts a program on a pseudo terminal, in which this test binary
// would be the app.
func startOn(t *testing.T, fault, memory, program string, args ...string) *terminal {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), childEnv+"="+fault, "PERCH_TEST_MEMORY="+memory, "PERCH_TEST_CACHE="+cacheDir(), "TERM=xterm-256color", "LANG=C.UTF-8")
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Skipf("this machine has no pseudo terminals: %v", err)
	}
	x := &terminal{t: t, cmd: cmd, file: f, out: make(chan []byte, 64)}
	go func() {
		defer close(x.out)
		for {
			b := make([]byte, 4096)
			n, err := f.Read(b)
			if n > 0 {
				x.out <- b[:n]
			}
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		f.Close()
	})
	return x
}

// until reads until a text came.
func (x *terminal) until(text string) {
	x.t.Helper()
	limit := time.NewTimer(2 * time.Minute)
	defer limit.Stop()
	for !strings.Contains(x.all.String(), text) {
		select {
		case b, ok := <-x.out:
			if !ok {
				x.t.Fatalf("the app ended before %q came:\n%q", text, x.all.String())
			}
			x.all.Write(b)
		case <-limit.C:
			x.t.Fatalf("%q did not come:\n%q", text, x.all.String())
		}
	}
}

// ends reads to the end and holds that the terminal is as it was.
func (x *terminal) ends(status int) string {
	x.t.Helper()
	limit := time.NewTimer(2 * time.Minute)
	defer limit.Stop()
	for open := true; open; {
		var b []byte
		select {
		case b, open = <-x.out:
			x.all.Write(b)
		case <-limit.C:
			_ = x.cmd.Process.Signal(syscall.SIGQUIT)
			x.t.Fatalf("the app did not end:\n%s", tail(x.all.String()))
		}
	}
	err := x.cmd.Wait()
	if got := x.cmd.ProcessState.ExitCode(); got != status {
		x.t.Errorf("the exit status is %d (%v), want %d:\n%s", got, err, status, tail(x.all.String()))
	}
	text := x.all.String()
	x.restored(text)
	return text
}

// restored holds that the terminal is as it was, by what was written to it.
func (x *terminal) restored(text string) {
	x.t.Helper()
	for name, pair := range map[string][2]string{
		"the alternate screen": {"\x1b[?1049h", "\x1b[?1049l"},
		"the cursor":           {"\x1b[?25l", "\x1b[?25h"},
		"bracketed paste":      {"\x1b[?2004h", "\x1b[?2004l"},
		"the mouse":            {"\x1b[?1002h", "\x1b[?1002l"},
	} {
		if on, off := strings.LastIndex(text, pair[0]), strings.LastIndex(text, pair[1]); on > off {
			x.t.Errorf("%s is left as the app had it", name)
		}
	}
	for _, set := range []string{"\x1b[>1u", "\x1b[=1;1u"} { // kitty's keyboard
		if on := strings.LastIndex(text, set); on >= 0 && !strings.Contains(text[on:], "\x1b[<1u") && !strings.Contains(text[on:], "\x1b[=0;1u") {
			x.t.Errorf("the keyboard is left as the app had it: %q", set)
		}
	}
}

func tail(s string) string { return s[max(len(s)-2000, 0):] }

func TestTerminalIsRestored(t *testing.T) {
	for _, c := range []struct {
		name   string
		end    func(*terminal)
		status int
	}{
		{"quit", func(x *terminal) { x.file.WriteString("q") }, 0},
		{"ctrl+c twice", func(x *terminal) { x.file.WriteString("\x03\x03") }, 0},
		{"SIGTERM", func(x *terminal) { _ = x.cmd.Process.Signal(syscall.SIGTERM) }, 0},
		{"SIGQUIT", func(x *terminal) { _ = x.cmd.Process.Signal(syscall.SIGQUIT) }, 0},
		{"SIGINT twice", func(x *terminal) {
			_ = x.cmd.Process.Signal(syscall.SIGINT)
			x.until("again quits")
			_ = x.cmd.Process.Signal(syscall.SIGINT)
		}, 0},
		{"SIGHUP", func(x *terminal) { _ = x.cmd.Process.Signal(syscall.SIGHUP) }, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := startChild(t, "none", t.TempDir())
			x.until("log_line")
			c.end(x)
			x.ends(c.status)
		})
	}
}

// TestNothingCanBeRemembered: where the folder cannot be made, that is told below
// the restored screen, and the session is none the worse for it.
func TestNothingCanBeRemembered(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	x := startChild(t, "none", filepath.Join(file, "perch"))
	x.until("log_line")
	x.file.WriteString("q")
	if said := x.ends(0); !strings.Contains(said, "write what is remembered") {
		t.Errorf("it is not told: %q", tail(said))
	}
}

// untilAfter forgets what came so far and reads until a text came again.
func (x *terminal) untilAfter(text string) string {
	x.t.Helper()
	x.all.Reset()
	x.until(text)
	return x.all.String()
}

// TestStopAndGoOn: ctrl+z and SIGTSTP give the terminal back to the shell as it
// was, and fg takes it again.
func TestStopAndGoOn(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skipf("this machine has no shell: %v", err)
	}
	dir := t.TempDir()
	x := startOn(t, "pid", dir, shell, "-i")
	x.file.WriteString("'" + os.Args[0] + "' -test.run='^$'\n")
	x.until("log_line")
	x.file.WriteString("\x1a")
	x.until("Stopped")
	x.restored(x.all.String())
	x.file.WriteString("fg\n")
	if text := x.untilAfter("log_line"); !strings.Contains(text, "\x1b[?1049h") {
		t.Errorf("fg does not take the alternate screen: %q", tail(text))
	}
	text, err := os.ReadFile(filepath.Join(dir, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGTSTP); err != nil {
		t.Fatal(err)
	}
	x.restored(x.untilAfter("Stopped"))
	x.file.WriteString("fg\n")
	x.untilAfter("log_line")
	x.file.WriteString("q")
	x.untilAfter("\x1b[?1049l")
	x.file.WriteString("exit 0\n")
	x.ends(0)
}

// TestStopWithoutShell: where the system does not stop it, the app says so and
// goes on.
func TestStopWithoutShell(t *testing.T) {
	x := startChild(t, "none", t.TempDir())
	x.until("log_line")
	x.file.WriteString("\x1a")
	x.until("was not stopped")
	x.file.WriteString("q")
	x.ends(0)
}

func TestPanicRestoresAndTells(t *testing.T) {
	for _, fault := range []string{"update", "view", "worker"} {
		t.Run(fault, func(t *testing.T) {
			dir := t.TempDir()
			x := startChild(t, fault, dir)
			x.until("log_line")
			x.file.WriteString("!")
			text := x.ends(2)
			back := strings.LastIndex(text, "\x1b[?1049l")
			said := strings.LastIndex(text, "perch stopped on a mistake of its own")
			if said < back || said < 0 {
				t.Errorf("the mistake is told at %d, the screen came back at %d", said, back)
			}
			if files, _ := os.ReadDir(dir); !hasCrash(files) {
				t.Error("the stack is in no file")
			}
		})
	}
}

func hasCrash(files []os.DirEntry) bool {
	for _, f := range files {
		if strings.HasPrefix(f.Name(), "crash-") {
			return true
		}
	}
	return false
}

// TestWordThatItGoesOn: the clock goes on while a process is stopped, so its
// tick may be seen before the word that it goes on.
func TestWordThatItGoesOn(t *testing.T) {
	for range 50 {
		goes, ticks := make(chan os.Signal, 1), make(chan time.Time, 1)
		goes <- syscall.SIGCONT
		ticks <- time.Time{}
		if !went(goes, ticks) {
			t.Fatal("a stop that lasted was taken for none")
		}
	}
	ticks := make(chan time.Time)
	close(ticks)
	if went(make(chan os.Signal), ticks) {
		t.Error("a stop is told that never came")
	}
}
