// Package build runs the command that builds a package, keeps what it writes and
// finds the places in it that its faults are at. It runs what it is given:
// whether a person agreed to that is for the caller to know. It knows nothing of
// settings, packages or screens.
package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"perch/engine/clock"
)

// Bounds of what is kept of the output, both our own: its beginning and its end.
const (
	keepHead = 64 << 10
	keepTail = 192 << 10
)

// patience is how long a command that was asked to end may take for it, and how
// long its output is waited for when only its children hold it.
const patience = 2 * time.Second

// Command is what is run.
type Command struct {
	Words []string // the program and its arguments
	Dir   string
}

// Output is what a command has written so far, both streams in the order in
// which it came. It may be read while the command runs.
type Output struct {
	mu      sync.Mutex
	head    []byte
	tail    []byte
	dropped int64 // bytes between the two
	version int
}

// Write implements io.Writer.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.version++
	n := len(p)
	if room := keepHead - len(o.head); room > 0 {
		k := min(room, len(p))
		o.head, p = append(o.head, p[:k]...), p[k:]
	}
	o.tail = append(o.tail, p...)
	if over := len(o.tail) - keepTail; over > keepTail {
		o.dropped += int64(over)
		o.tail = append(o.tail[:0:0], o.tail[over:]...)
	}
	return n, nil
}

// Version grows with what was written.
func (o *Output) Version() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.version
}

// Text is what is kept: at most about 256 KiB. dropped is how many bytes between
// its beginning and its end are not. It may hold any byte.
func (o *Output) Text() (text string, dropped int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	tail, dropped := o.tail, o.dropped
	if over := len(tail) - keepTail; over > 0 {
		tail, dropped = tail[over:], dropped+int64(over)
	}
	if dropped > 0 {
		return fmt.Sprintf("%s\n… %d bytes are not kept …\n%s", o.head, dropped, tail), dropped
	}
	return string(o.head) + string(tail), 0
}

// Result is how a command ended.
type Result struct {
	Took time.Duration
	// Err is nil when it ended with status 0. Its text is one sentence.
	Err error
	// Ended says that the caller ended it.
	Ended bool
}

// Run runs a command to its end, without a terminal, in a group of its own where
// the system has such: when ctx ends all of it is ended.
func Run(ctx context.Context, c Command, out *Output, k clock.Clock) Result {
	began := k.Mono()
	cmd := exec.CommandContext(ctx, c.Words[0], c.Words[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = c.Dir, out, out
	cmd.Env = append(os.Environ(), "NO_COLOR=1", "TERM=dumb", "CLICOLOR=0")
	cmd.WaitDelay = patience
	alone(cmd)
	err := cmd.Run()
	r := Result{Took: k.Mono() - began, Ended: ctx.Err() != nil}
	var status *exec.ExitError
	switch {
	case err == nil:
	case r.Ended:
		r.Err = errors.New("the build was ended by you")
	case errors.As(err, &status) && status.ExitCode() >= 0:
		r.Err = fmt.Errorf("the build ended with exit status %d", status.ExitCode())
	case errors.As(err, &status):
		r.Err = fmt.Errorf("the build was ended: %s", status)
	case errors.Is(err, exec.ErrNotFound):
		r.Err = fmt.Errorf("there is no program %q to build with", c.Words[0])
	case errors.Is(err, exec.ErrWaitDelay):
		// It ended well, and left a child behind that holds its output.
	default:
		r.Err = fmt.Errorf("the build did not begin: %w", err)
	}
	return r
}

// String is the command as it is typed.
func (c Command) String() string {
	out := make([]string, len(c.Words))
	for i, w := range c.Words {
		if out[i] = w; w == "" || strings.ContainsAny(w, " \t\n'\"\\$*?;&|<>()") {
			out[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(out, " ")
}
