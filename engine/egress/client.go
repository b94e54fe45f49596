package egress

import (
	"context"
	"errors"
	"io"
	"net/netip"
	"sync/atomic"
	"time"

	"perch/engine/clock"
	"perch/engine/event"
)

// ErrStopped is what a request panics with when the run is stopped, or when
// the call's own time has passed, while it waits: no answer is made of it.
var ErrStopped = errors.New("stopped while a subako_http request was open")

// ErrBudget is matched by an error of Files that means the write budget.
var ErrBudget = errors.New("the write budget is used up")

// PathError is a path that is no file a request may use.
type PathError struct{ Path, Why string }

// Error implements error.
func (e *PathError) Error() string { return e.Path + ": " + e.Why }

// File is an open request body.
type File = io.ReadCloser

// Output is a file that takes a response body.
type Output = io.WriteCloser

// Resolver looks up names; *net.Resolver is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Config is what a Client needs from the run that it serves.
type Config struct {
	Policy   Policy
	Files    Files                      // nil: no volume, every path is bad
	Clock    clock.Clock                // nil: the system's; its waits must not pass by themselves
	Resolver Resolver                   // nil: the system's
	Emit     func(event.Body)           // called on the goroutine of the module; may block or panic
	Stop     <-chan struct{}            // closed: a waiting request panics with ErrStopped
	Deadline func() time.Duration       // what is left of the call's own time; nil: no end
	Wrote    func(ptr uint32, b []byte) // told of each write into the module's memory
	Getenv   func(name string) string   // nil: os.Getenv
}

// Client is subako_http for one run: it serves one module, on one goroutine;
// only Mute may be called from others.
type Client struct {
	cfg   Config
	muted atomic.Pointer[string]
}

// New returns a client. It opens nothing until a request is sent.
func New(cfg Config) *Client { return &Client{cfg: cfg} }

// Mute keeps all later requests from being sent: they answer connection with
// this reason. For the time after a verdict.
func (c *Client) Mute(reason string) { c.muted.Store(&reason) }

// Requests is the number of requests so far, refused ones included.
func (c *Client) Requests() int { return 0 }

// Close forgets the answer that is held. The client is of no use afterwards.
func (c *Client) Close() {}
