package egress

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync"

	"perch/engine/event"
)

// maxResponseHeader is how many bytes of response headers are read.
const maxResponseHeader = 1 << 20

// response is what a server or a mock answered, its body still to be read.
type response struct {
	status  int
	headers []event.Header
	body    io.Reader
	wire    *counter // below any decoding
	mock    *Mock
	close   func()
}

// counter counts the bytes that go through it.
type counter struct {
	r io.Reader
	n int64
}

// Read implements io.Reader.
func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// send connects, speaks TLS and HTTP/1.1 and reads the response's headers. The
// connection serves this hop alone, so that what was checked is what is used,
// and nothing is ever sent twice.
func (h *hop) send(d destination, secretHeader *Header) (*response, *failure) {
	conn, err := h.connect(d)
	if err != nil {
		return nil, h.broken(err)
	}
	transport := &http.Transport{
		DialTLSContext:         func(context.Context, string, string) (net.Conn, error) { return conn, nil },
		DisableCompression:     true,
		MaxResponseHeaderBytes: maxResponseHeader,
		TLSNextProto:           map[string]func(string, *tls.Conn) http.RoundTripper{},
	}
	body, size, failed := h.openBody()
	hangUp := func() {
		_ = body.Close() // only read from; a writer that is late gets an error
		transport.CloseIdleConnections()
		// The bare connection: TLS would first try to say goodbye, for
		// seconds, to a server that does not read.
		_ = conn.NetConn().Close()
	}
	if failed != nil {
		hangUp()
		return nil, failed
	}
	var sent sentHeaders
	req := h.httpRequest(&sent, secretHeader)
	req.Body, req.ContentLength = body, size
	clock := h.client.cfg.Clock
	start := clock.Mono()
	res, err := transport.RoundTrip(req)
	h.event.FirstByte = clock.Mono() - start
	h.event.Sent = sent.take(h.headers, secretHeader)
	switch {
	case err != nil:
	case h.pat.ctx.Err() != nil: // a server may answer a connection that is being closed
		err = context.Cause(h.pat.ctx)
	case res.StatusCode == http.StatusSwitchingProtocols:
		err = errors.New("the server switched to another protocol")
	}
	if err != nil {
		if res != nil {
			_ = res.Body.Close()
		}
		hangUp()
		return nil, h.broken(err)
	}
	wire := &counter{r: res.Body}
	return &response{status: res.StatusCode, headers: headerList(res.Header), body: wire, wire: wire, close: func() {
		hangUp()
		_ = res.Body.Close() // after the connection: a body that never ends is not drained
	}}, nil
}

// connect dials what was checked and speaks TLS with it.
func (h *hop) connect(d destination) (*tls.Conn, error) {
	clock := h.client.cfg.Clock
	start := clock.Mono()
	raw, err := d.dial(h.pat.ctx, clock, h.client.cfg.Dial)
	h.event.Connect = clock.Mono() - start
	if err != nil {
		return nil, err
	}
	h.event.Address = raw.RemoteAddr().String()
	roots, err := h.client.rootsFor(d)
	if err != nil {
		_ = raw.Close() // nothing was sent
		return nil, err
	}
	conn := tls.Client(raw, &tls.Config{
		ServerName: h.target.host, RootCAs: roots, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"},
	})
	start = clock.Mono()
	err = conn.HandshakeContext(h.pat.ctx)
	h.event.TLS = clock.Mono() - start
	if err != nil {
		_ = raw.Close() // the handshake's error is the one to tell
		return nil, err
	}
	return conn, nil
}

// rootsFor is nil, the system's roots, but for a routed host with --ca.
func (c *Client) rootsFor(d destination) (*x509.CertPool, error) {
	ca := c.cfg.Policy.RouteCA
	if d.routed == nil || len(ca) == 0 {
		return nil, nil
	}
	if c.routeRoots == nil {
		pool, err := x509.SystemCertPool()
		if err != nil {
			pool = x509.NewCertPool()
		}
		if !pool.AppendCertsFromPEM(ca) {
			return nil, errors.New("the certificates given for routed hosts hold no certificate in PEM form")
		}
		c.routeRoots = pool
	}
	return c.routeRoots, nil
}

// httpRequest is the hop's request for net/http.
func (h *hop) httpRequest(sent *sentHeaders, secretHeader *Header) *http.Request {
	ctx := httptrace.WithClientTrace(h.pat.ctx, &httptrace.ClientTrace{WroteHeaderField: sent.add})
	req := (&http.Request{
		Method: h.method, URL: h.target.url(), Host: h.target.shown(),
		Header: http.Header{}, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}).WithContext(ctx)
	for _, f := range h.headers {
		req.Header.Set(f.Name, f.Value)
	}
	if secretHeader != nil {
		req.Header.Set(secretHeader.Name, secretHeader.Value)
	}
	if !h.acceptsEncoding() {
		req.Header.Set("Accept-Encoding", "gzip, br")
	}
	if _, set := req.Header["User-Agent"]; !set {
		req.Header["User-Agent"] = []string{""} // else net/http sends its own
	}
	return req
}

// openBody gives the hop's body; a file is opened again for each hop after the
// first one.
func (h *hop) openBody() (io.ReadCloser, int64, *failure) {
	switch h.body {
	case BodyText, BodyJSON:
		return io.NopCloser(bytes.NewReader(h.req.Content)), int64(len(h.req.Content)), nil
	case BodyFile:
		if h.file == nil {
			f, size, err := h.client.cfg.Files.OpenBody(h.req.File)
			if err != nil {
				return http.NoBody, 0, pathFailure(h.req.File, err)
			}
			h.file, h.size = f, size
		}
		f := h.file
		h.file = nil // it is lent for this hop
		if h.size == 0 {
			_ = f.Close() // only read from
			return http.NoBody, 0, nil
		}
		return &lent{r: f}, h.size, nil
	}
	return http.NoBody, 0, nil
}

// lent is a file that net/http reads on a goroutine of its own: after Close it
// is not touched any more.
type lent struct {
	mu     sync.Mutex
	r      io.ReadCloser
	closed bool
}

// Read implements io.Reader.
func (l *lent) Read(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return 0, fs.ErrClosed
	}
	return l.r.Read(p)
}

// Close implements io.Closer.
func (l *lent) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil
	}
	l.closed = true
	return l.r.Close()
}

// sentHeaders collects the header lines as net/http writes them, on a
// goroutine of its own.
type sentHeaders struct {
	mu   sync.Mutex
	list []event.Header
}

func (s *sentHeaders) add(name string, values []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range values {
		s.list = append(s.list, event.Header{Name: strings.ToLower(name), Value: v})
	}
}

// take gives what was written so far: without a credential's value, and with
// the module's own secrets marked.
func (s *sentHeaders) take(own []Header, credential *Header) []event.Header {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := slices.Clone(s.list)
	for i := range list {
		switch {
		case credential != nil && list[i].Name == credential.Name:
			list[i].Value, list[i].Hidden = "", true
		case secret(list[i].Name):
			list[i].Hidden = true
		}
	}
	return list
}

// headerList makes response headers a list: names in lower case and sorted, as
// net/http does not keep their order; the lines of one name in theirs.
func headerList(header http.Header) []event.Header {
	names := make([]string, 0, len(header))
	for name := range header {
		names = append(names, name)
	}
	slices.Sort(names)
	var list []event.Header
	for _, name := range names {
		for _, v := range header[name] {
			list = append(list, event.Header{Name: strings.ToLower(name), Value: v})
		}
	}
	return list
}
