package egress_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"perch/engine/egress"
)

// The clock stands still; the server moves it, and then waits until the client
// has gone.

func TestTimeout(t *testing.T) {
	clk := held()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/headers": // none come in time
			clk.Advance(501 * time.Millisecond)
		case "/drip": // a byte each 200 ms
			for range 3 {
				_, _ = w.Write([]byte("x"))
				w.(http.Flusher).Flush()
				clk.Advance(200 * time.Millisecond)
			}
		case "/1", "/2": // three hops of 200 ms
			clk.Advance(200 * time.Millisecond)
			to(w, 302, map[string]string{"/1": "/2", "/2": "/3"}[r.URL.Path])
			return
		case "/3":
			clk.Advance(200 * time.Millisecond)
		}
		<-r.Context().Done()
	})
	for path, hops := range map[string]int{"/headers": 1, "/drip": 1, "/1": 3} {
		m := start(t, egress.Config{Policy: s.policy("a.example"), Clock: clk})
		a := m.do(`{"url":"https://a.example` + path + `","timeout_ms":500}`)
		if a.kind() != "timeout" || a.message() != "no whole answer from a.example within timeout_ms, 500 ms" {
			t.Errorf("%s: %s", path, a.raw)
		}
		if len(m.hops()) != hops {
			t.Errorf("%s: %d hops, want %d", path, len(m.hops()), hops)
		}
		m.wantRules("http/timeout")
	}
}

func TestWithinTheTimeout(t *testing.T) {
	clk := held()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		clk.Advance(300 * time.Millisecond)
		_, _ = w.Write([]byte("x"))
		w.(http.Flusher).Flush()
		clk.Advance(100 * time.Millisecond)
	})
	m := start(t, egress.Config{Policy: s.policy("a.example"), Clock: clk})
	for _, timeout := range []string{"401", "0", "null"} {
		if a := m.do(`{"url":"https://a.example/","timeout_ms":` + timeout + `}`); a.text() != "x" {
			t.Errorf("timeout_ms %s: %s", timeout, a.raw)
		}
	}
	h, a := m.hops()[0], m.answers()[0]
	if h.FirstByte < 300*time.Millisecond || a.Took != 400*time.Millisecond || h.FirstByte+h.Body != 400*time.Millisecond {
		t.Errorf("first byte %v, body %v, in all %v", h.FirstByte, h.Body, a.Took)
	}
}

func TestTimeoutWhileConnecting(t *testing.T) {
	clk := held()
	config := egress.Config{
		Policy: allow("a.example"), Clock: clk, Resolver: names{"a.example": {netip.MustParseAddr("192.0.43.7")}},
		Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			clk.Advance(50 * time.Millisecond)
			<-ctx.Done()
			return nil, ctx.Err()
		},
	}
	if a := start(t, config).do(`{"url":"https://a.example/","timeout_ms":50}`); a.kind() != "timeout" {
		t.Errorf("while dialling: %s", a.raw)
	}
	config.Resolver = slowResolver{func() { clk.Advance(50 * time.Millisecond) }}
	if a := start(t, config).do(`{"url":"https://a.example/","timeout_ms":50}`); a.kind() != "timeout" {
		t.Errorf("while looking up: %s", a.raw)
	}
	config.Resolver = names{"a.example": {netip.MustParseAddr("192.0.43.7")}}
	config.Dial = func(context.Context, string, string) (net.Conn, error) {
		a, b := net.Pipe()
		go func() {
			var hello [1]byte
			_, _ = b.Read(hello[:]) // the client is in its handshake
			clk.Advance(50 * time.Millisecond)
		}()
		return a, nil
	}
	if a := start(t, config).do(`{"url":"https://a.example/","timeout_ms":50}`); a.kind() != "timeout" {
		t.Errorf("in the TLS handshake: %s", a.raw)
	}
}

type slowResolver struct{ asked func() }

func (r slowResolver) LookupNetIP(ctx context.Context, _, _ string) ([]netip.Addr, error) {
	r.asked()
	<-ctx.Done()
	return nil, ctx.Err()
}

// stopped sends raw and wants it to end as a stop of the run.
func (m *module) stopped(raw string) {
	m.t.Helper()
	m.mod.Memory().Write(16, []byte(raw))
	_, err := m.mod.ExportedFunction("request").Call(m.ctx, 16, uint64(len(raw)))
	if !errors.Is(err, egress.ErrStopped) {
		m.t.Errorf("the call ended with %v", err)
	}
	if len(m.answers()) != 0 {
		m.t.Errorf("an answer was made: %+v", m.answers())
	}
	if len(m.hops()) != 1 || m.lastHop().Status != 0 {
		m.t.Errorf("hops %+v", m.hops())
	}
}

func TestStop(t *testing.T) {
	stop := make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		close(stop)
		<-r.Context().Done()
	})
	m := start(t, egress.Config{Policy: s.policy("a.example"), Stop: stop})
	m.stopped(`{"url":"https://a.example/","timeout_ms":100000}`)
}

func TestCallTimePassesWithoutAnAnswer(t *testing.T) {
	clk := held()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		clk.Advance(time.Second)
		<-r.Context().Done()
	})
	m := start(t, egress.Config{Policy: s.policy("a.example"), Clock: clk, Deadline: func() time.Duration { return time.Second - clk.Mono() }})
	m.stopped(`{"url":"https://a.example/","timeout_ms":5000}`)
}

func TestCallTimeThatIsGivenBack(t *testing.T) {
	clk := held()
	asked := 0
	limit := func() time.Duration { // the call was held for a second in between
		if asked++; asked == 1 {
			return time.Second
		}
		return 3*time.Second - clk.Mono()
	}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		clk.Advance(1500 * time.Millisecond)
		_, _ = w.Write([]byte("in time"))
	})
	m := start(t, egress.Config{Policy: s.policy("a.example"), Clock: clk, Deadline: limit})
	if a := m.do(`{"url":"https://a.example/"}`); a.text() != "in time" {
		t.Errorf("the module read %s", a.raw)
	}
}

func TestFileIsClosedAfterATimeout(t *testing.T) {
	clk := held()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		clk.Advance(time.Second)
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	})
	v := newVolume(0)
	v.files["/volume/tmp/in"] = []byte(strings.Repeat("x", 8<<20))
	m := start(t, egress.Config{Policy: s.policy("a.example"), Clock: clk, Files: v})
	a := m.do(`{"method":"POST","url":"https://a.example/","timeout_ms":900,"body":{"type":"file","path":"/volume/tmp/in"}}`)
	if a.kind() != "timeout" || v.open != 0 {
		t.Errorf("%d files are open: %s", v.open, a.raw)
	}
}
