package egress

import (
	"bytes"
	"context"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"perch/engine/abi"
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

// Dial opens a TCP connection to an address and port.
type Dial func(ctx context.Context, network, address string) (net.Conn, error)

// Config is what a Client needs from the run that it serves.
type Config struct {
	Policy   Policy
	Files    Files                           // nil: no volume, every path is bad
	Clock    clock.Clock                     // nil: the system's; its waits must not pass by themselves
	Resolver Resolver                        // nil: the system's
	Dial     Dial                            // nil: net.Dialer; it gets addresses alone, never names
	Emit     func(event.Body)                // called on the goroutine of the module; may block or panic
	Stop     <-chan struct{}                 // closed: a waiting request panics with ErrStopped
	Deadline func() time.Duration            // what is left of the call's own time; nil: no end
	Wrote    func(ptr uint32, b []byte)      // told of each write into the module's memory
	Called   func(name string)               // told when the module calls a function, before anything else
	Returned func(name string, result int32) // told what it gets
	Getenv   func(name string) string        // nil: os.Getenv
}

// Client is subako_http for one run: it serves one module, on one goroutine;
// only Mute may be called from others.
type Client struct {
	cfg        Config
	muted      atomic.Pointer[string]
	requests   int
	held       *held
	mockCount  []int // answers that each mock gave
	routeRoots *x509.CertPool
}

// held is an answer that the module has not read yet.
type held struct {
	id  int
	raw []byte
}

// New returns a client. It opens nothing until a request is sent.
func New(cfg Config) *Client {
	if cfg.Clock == nil {
		cfg.Clock = clock.NewSystem()
	}
	if cfg.Files == nil {
		cfg.Files = noFiles{}
	}
	if cfg.Resolver == nil {
		cfg.Resolver = net.DefaultResolver
	}
	if cfg.Dial == nil {
		cfg.Dial = new(net.Dialer).DialContext
	}
	if cfg.Getenv == nil {
		cfg.Getenv = os.Getenv
	}
	cfg.Policy.Credentials = slices.Clone(cfg.Policy.Credentials)
	for i, c := range cfg.Policy.Credentials {
		cfg.Policy.Credentials[i].Header = strings.ToLower(c.Header)
	}
	return &Client{cfg: cfg, mockCount: make([]int, len(cfg.Policy.Mocks))}
}

// Mute keeps all later requests from being sent: they answer connection with
// this reason. For the time after a verdict.
func (c *Client) Mute(reason string) { c.muted.Store(&reason) }

// Requests is the number of requests so far, refused ones included.
func (c *Client) Requests() int { return c.requests }

// Close forgets the answer that is held. The client is of no use afterwards.
func (c *Client) Close() {
	c.held = nil
	c.Mute("the run is over")
}

func (c *Client) emit(b event.Body) {
	if c.cfg.Emit != nil {
		c.cfg.Emit(b)
	}
}

// request serves one request and gives the answer that is to be held. raw may
// be a view of the module's memory: it is copied first.
func (c *Client) request(raw []byte) *held {
	c.requests++
	id, start := c.requests, c.cfg.Clock.Mono()
	raw = bytes.Clone(raw)
	req, formErr := ParseRequest(raw)
	c.emit(requestEvent(id, raw, req))
	r, failed := c.exchange(id, req, formErr)
	answer := event.HTTPAnswer{ID: id, Took: c.cfg.Clock.Mono() - start}
	if failed != nil {
		answer.Kind, answer.Message = failed.kind, failed.text
		answer.Raw = errorJSON(failed.kind, failed.text)
		answer.Mock = failed.mock
	} else {
		answer.Raw = okJSON(r)
		answer.Status, answer.Headers, answer.Mock = r.status, r.headers, r.mock
		answer.Body, answer.File, answer.Bytes = r.body, r.file, r.bytes
	}
	own := bytes.Clone(answer.Raw) // the event's bytes are its reader's
	c.emit(answer)
	c.findings(req, failed)
	return &held{id, own}
}

// exchange takes a request from its form to the final answer.
func (c *Client) exchange(id int, req *Request, formErr *FormError) (*reply, *failure) {
	refuse := func(check string, f *failure) (*reply, *failure) {
		c.emit(event.HTTPHop{ID: id, Hop: 1, Method: req.Method, URL: req.URL, Decisions: []event.Decision{{Check: check, What: f.text}}})
		return nil, f
	}
	if formErr != nil {
		f := fail(abi.ErrInvalidRequest, "%s", formErr.Error())
		f.offset, f.pointer = formErr.Offset, formErr.Pointer
		f.told, f.fix = formErr.without(), formErr.Hint
		if formErr.Ours {
			f.more = "The ABI page does not say that this is refused: our reading"
		}
		if formErr.Offset >= abi.MaxRequest { // no offset in a request that was read is
			f.rule = abi.HTTPRequestSize
		}
		return refuse("form", f)
	}
	x := &exchange{client: c, id: id, req: req, target: req.target, method: req.Method, headers: req.Headers, body: req.Body}
	defer x.closeFile()
	if f := x.checkPaths(); f != nil {
		return refuse("form", f)
	}
	if why := c.muted.Load(); why != nil {
		f := fail(abi.ErrConnection, "not sent: %s", *why)
		f.quiet = true
		return refuse("network", f)
	}
	if why := c.cfg.Policy.NoNetwork; why != "" {
		f := fail(abi.ErrHostNotAllowed, "%s is not reached: %s", req.target.shown(), why).
			withFix("Call out only when a tool is called, not while the tools are listed")
		f.rule = abi.ListSandbox
		return refuse("network", f)
	}
	x.pat = newPatience(&c.cfg, req.Timeout)
	defer x.pat.end()
	r, f := x.run()
	x.pat.mustGoOn()
	return r, f
}

// checkPaths checks the files of a request before anything is sent.
func (x *exchange) checkPaths() *failure {
	if p := x.req.File; p != "" {
		if why := pathFault(p); why != "" {
			return badPath(p, why)
		}
		f, size, err := x.client.cfg.Files.OpenBody(p)
		if err != nil {
			return pathFailure(p, err)
		}
		x.file, x.size = f, size
	}
	if p := x.req.Output; p != "" {
		if why := pathFault(p); why != "" {
			return badPath(p, why)
		}
		if err := x.client.cfg.Files.CheckOutput(p); err != nil {
			return pathFailure(p, err)
		}
	}
	return nil
}

// pathFault says why a path cannot name a file of the volume, or nothing.
// Whether there is such a file is for Files to say.
func pathFault(p string) string {
	for segment := range strings.SplitSeq(p, "/") {
		if segment == ".." {
			return "a path with .. is not taken"
		}
	}
	switch clean := path.Clean(p); {
	case strings.IndexByte(p, 0) >= 0:
		return "a path with a NUL byte names no file"
	case !strings.HasPrefix(p, "/"):
		return "the path is not absolute"
	case clean == abi.VolumeRoot || clean == abi.VolumeTmp || clean == abi.VolumeData:
		return "this is a folder"
	case !strings.HasPrefix(clean, abi.VolumeRoot+"/"):
		return "only files of the volume are sent and saved"
	case strings.HasSuffix(p, "/") || strings.HasSuffix(p, "/."):
		return "this names a folder"
	}
	return ""
}

// requestEvent tells of a request as it was understood.
func requestEvent(id int, raw []byte, req *Request) event.HTTPRequest {
	if len(raw) > abi.MaxRequest {
		raw = raw[:abi.MaxRequest] // the rest was not looked at; the answer names the size
	}
	return event.HTTPRequest{
		ID: id, Raw: bytes.Clone(raw), Method: req.Method, URL: req.URL,
		Headers: eventHeaders(req.Headers), Dropped: eventHeaders(req.Dropped),
		Body: bytes.Clone(req.Content), File: req.File, Output: req.Output,
	}
}

func eventHeaders(headers []Header) []event.Header {
	var list []event.Header
	for _, h := range headers {
		list = append(list, event.Header{Name: h.Name, Value: h.Value, Hidden: secret(h.Name)})
	}
	return list
}

// findings reports the rules that a request did not keep.
func (c *Client) findings(req *Request, failed *failure) {
	at := where(abi.HTTPRequest)
	if len(req.Dropped) > 0 {
		var names []string
		for _, h := range req.Dropped {
			names = append(names, h.Name)
		}
		c.emit(event.Breach{Rule: abi.HTTPHeaderDropped, Where: at, Detail: list(names) + ": connection headers are the host's own and are dropped"})
	}
	if failed == nil || failed.quiet {
		return
	}
	c.emit(failed.breach(at))
}

// noFiles is a run without a volume.
type noFiles struct{}

// OpenBody implements Files.
func (noFiles) OpenBody(p string) (File, int64, error) { return nil, 0, noVolume(p) }

// CheckOutput implements Files.
func (noFiles) CheckOutput(p string) error { return noVolume(p) }

// CreateOutput implements Files.
func (noFiles) CreateOutput(p string) (Output, error) { return nil, noVolume(p) }

func noVolume(p string) error { return &PathError{p, "this run has no volume"} }
