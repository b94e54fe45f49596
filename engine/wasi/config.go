package wasi

import (
	"errors"
	"io"
	"os"
	"strconv"
	"sync"

	"perch/engine/clock"
	"perch/engine/event"
)

// Config is what a process is made of. The zero value of each field is valid:
// no arguments, no mounts, stdin at its end, output thrown away, the machine's
// clock and random bytes, no limit on writes, nobody watching.
type Config struct {
	// Args and Env are UTF-8 without NUL; Env holds NAME=VALUE.
	Args, Env []string
	// Mounts become the descriptors from 3 on, in this order.
	Mounts []Mount
	Stdin  Stdin
	// Stdout and Stderr take what the guest writes, in pieces of at most
	// 1 MiB. The bytes are guest memory, valid during the call: copy them. A
	// panic in here ends the run.
	Stdout, Stderr func(b []byte)
	// Clock is the guest's; Watch times the host calls for the Observer, and
	// is the machine's where it is nil.
	Clock, Watch clock.Clock
	Random       io.Reader
	// Budget limits what is written; share it with what else writes into the
	// mounts.
	Budget   *Budget
	Observer Observer
	// Stop, once closed, ends the host call that runs or the next one with a
	// panic of ErrStopped.
	Stop <-chan struct{}
	// Check is called between the pieces of a long host call; it may panic to
	// end the run. Nil: nothing is called.
	Check func()
	// Wrote is told of each range of guest memory that a function wrote. The
	// bytes are a live view, valid during the call.
	Wrote func(ptr uint32, b []byte)
}

// Mount is one preopened folder.
type Mount struct {
	// Guest is its name in the guest: absolute, clean, without trailing slash.
	Guest string
	// Root is the folder. The process opens it anew: closing Root stays the
	// owner's task and may happen at any time after New. When Root is nil,
	// Dir, a path on the host, is opened.
	Root *os.Root
	Dir  string
	// ReadOnly makes every kind of write answer EPERM.
	ReadOnly bool
	// Opened, if not nil, is this mount, open already; the other fields do not
	// count then.
	Opened *Opened
}

// Stdin is descriptor 0. Both waiting methods may panic to end the run; they
// must return or panic when the run is stopped.
type Stdin interface {
	// Read waits for bytes and puts them into p, which is guest memory and
	// never empty. It returns 0 and no errno at the end.
	Read(p []byte) (int, Errno)
	// Ready returns the number of bytes that a Read would get without
	// waiting, and whether it would get the end.
	Ready() (n uint64, eof bool)
	// PollOnly is called when a poll waits for nothing but stdin and Ready
	// has neither bytes nor the end. It returns when that has changed.
	PollOnly()
}

// Observer sees all that a process does, on the guest's goroutine. It may wait
// (a debugger does) and may panic to end the run.
type Observer interface {
	// Enter is called before a function runs, with its arguments, which the
	// observer may read during the call.
	Enter(fn *Func, args []uint64)
	// Leave is called after it returned. Args and Out are valid during the
	// call alone: clone them to keep them. A call that ends the run has no
	// Leave, but for proc_exit, whose Leave comes before its panic.
	Leave(event.WASI)
	// File is called for each file effect, between the Enter and the Leave of
	// the call that had it. The observer owns Data from then on.
	File(event.FileEffect)
}

// ExitError is the panic of proc_exit. A code of 126 and more is an exit with
// that status (our choice; wasmtime makes it a trap).
type ExitError struct{ Code uint32 }

// Error implements error.
func (e *ExitError) Error() string {
	return "the module exited with status " + strconv.FormatUint(uint64(e.Code), 10)
}

// ErrStopped is the panic of a host call after Config.Stop was closed.
var ErrStopped = errors.New("the run was stopped in a host call")

// Budget counts what a call writes and creates. It is safe for use by several
// goroutines. A nil Budget has no limit and counts nothing.
type Budget struct {
	mu       sync.Mutex
	limit    int64
	written  int64
	maxFiles int
	files    int
}

// NewBudget returns a budget of so many bytes (ABI page, Files: 1 GiB) and so
// many new files, folders and links (our choice).
func NewBudget(bytes int64, files int) *Budget {
	return &Budget{limit: bytes, maxFiles: files}
}

// Charge takes n bytes, all or nothing.
func (b *Budget) Charge(n int64) bool {
	if b == nil {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if n < 0 || n > b.limit-b.written {
		return false
	}
	b.written += n
	return true
}

// Refund gives back n bytes that were charged and not written.
func (b *Budget) Refund(n int64) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.written -= n
}

// Create takes one new file, folder or link.
func (b *Budget) Create() bool {
	if b == nil {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.files >= b.maxFiles {
		return false
	}
	b.files++
	return true
}

// Uncreate gives back one that was not made.
func (b *Budget) Uncreate() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.files--
}

// Written returns the bytes charged so far.
func (b *Budget) Written() int64 {
	if b == nil {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.written
}

// Limit returns the budget's bytes; 0 of a nil Budget.
func (b *Budget) Limit() int64 {
	if b == nil {
		return 0
	}
	return b.limit
}

// Created returns the files, folders and links created so far.
func (b *Budget) Created() int {
	if b == nil {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.files
}
