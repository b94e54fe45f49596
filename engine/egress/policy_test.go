package egress_test

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"perch/engine/egress"
)

func TestAllowlist(t *testing.T) {
	for _, c := range []struct {
		rule, host string
		allowed    bool
	}{
		{"api.example.com", "api.example.com", true},
		{"API.Example.com", "api.example.com", true},
		{"api.example.com", "API.EXAMPLE.COM", true},
		{"api.example.com", "api.example.com:443", true},
		{"api.example.com:443", "api.example.com", true},
		{"api.example.com", "api.example.com:8443", false},
		{"api.example.com:8443", "api.example.com:8443", true},
		{"api.example.com:8443", "api.example.com", false},
		{"api.example.com", "xapi.example.com", false},
		{"api.example.com", "example.com", false},
		{"api.example.com", "api.example.com.evil.net", false},
		{"example.com", "api.example.com", false},
		{"*.example.com", "api.example.com", true},
		{"*.example.com", "a.b.example.com", true},
		{"*.example.com", "example.com", false},
		{"*.example.com", "badexample.com", false},
		{"*.example.com:8443", "api.example.com:8443", true},
		{"*.example.com:8443", "api.example.com", false},
		{"[2606:4700::1]", "[2606:4700:0::1]", true},
		{"", "a.example", false},
		{"*", "a.example", false},
		{"*.", "a.example", false},
		{"https://a.example", "a.example", false},
		{"a.example:x", "a.example", false},
	} {
		// An error of the dialler says that the rule let the request pass.
		m := start(t, egress.Config{
			Policy:   allow(c.rule),
			Resolver: names{},
			Dial: func(context.Context, string, string) (net.Conn, error) {
				return nil, &net.OpError{Op: "dial", Err: net.ErrClosed}
			},
		})
		a := m.do(`{"url":"https://` + c.host + `/"}`)
		if (a.kind() == "connection") != c.allowed || !c.allowed && a.kind() != "host_not_allowed" {
			t.Errorf("rule %s, host %s: %s", c.rule, c.host, a.raw)
		}
	}
}

func TestHostNotAllowed(t *testing.T) {
	m := start(t, egress.Config{Dial: noDial(t)})
	a := m.do(`{"url":"https://api.example.com/v1"}`)
	if want := `{"error":{"kind":"host_not_allowed","message":"api.example.com is not in this function's network allowlist"}}`; a.raw != want {
		t.Errorf("the module read %s, want the page's own words %s", a.raw, want)
	}
	if a := m.do(`{"url":"https://api.example.com:8443/"}`); !strings.HasPrefix(a.message(), "api.example.com:8443 is not in") {
		t.Errorf("the module read %s", a.raw)
	}
	b := m.breaches()
	if len(b) != 2 || b[0].Rule != "http/host-not-allowed" || !strings.Contains(b[0].Fix, "--allow api.example.com") {
		t.Errorf("findings %+v", b)
	}
}

func allow(hosts ...string) egress.Policy {
	var p egress.Policy
	for _, h := range hosts {
		p.Allow = append(p.Allow, egress.HostRule{Text: h, Source: "test"})
	}
	return p
}

func TestForbiddenAddresses(t *testing.T) {
	for addr, what := range map[string]string{
		"0.0.0.0": "this host", "0.1.2.3": "this host", "10.0.0.5": "private", "100.64.0.1": "carrier", "100.127.255.255": "carrier",
		"127.0.0.1": "loopback", "127.255.255.254": "loopback", "169.254.169.254": "link-local", "172.16.0.1": "private", "172.31.255.255": "private",
		"192.0.0.8": "protocols", "192.0.2.1": "documentation", "192.88.99.1": "6to4", "192.168.1.1": "private", "198.18.0.1": "benchmarks", "198.19.255.255": "benchmarks",
		"198.51.100.7": "documentation", "203.0.113.7": "documentation", "224.0.0.251": "multicast", "239.1.1.1": "multicast", "240.0.0.1": "reserved", "255.255.255.255": "broadcast",
		"::": "unspecified", "::1": "loopback", "::7f00:1": "IPv4-compatible address of 127.0.0.1", "::ffff:0:7f00:1": "IPv4-translated address of 127.0.0.1",
		"64:ff9b::a00:1": "NAT64 address of 10.0.0.1", "64:ff9b::808:808": "NAT64 address of 8.8.8.8", "64:ff9b:1::a00:1": "local NAT64 address of 10.0.0.1",
		"100::1": "discard", "2001:0:1::f5ff:fffe": "Teredo address of 10.0.0.1", "2001:2::1": "benchmarks", "2001:db8::1": "documentation", "2001:20::1": "protocols",
		"2002:7f00:1::": "6to4 address of 127.0.0.1", "3fff::1": "documentation", "5f00::1": "segment routing", "fc00::1": "unique local", "fd12:3456::1": "unique local",
		"fe80::1": "link-local", "fec0::1": "site-local", "ff02::1": "multicast", "4000::1": "reserved", "100:0:0:1::1": "dummy",
	} {
		ip := netip.MustParseAddr(addr)
		literal := addr
		if ip.Is6() {
			literal = "[" + addr + "]"
		}
		m := start(t, egress.Config{
			Policy:   allow(literal, "a.example"),
			Resolver: names{"a.example": {ip}},
			Dial:     noDial(t),
		})
		a := m.do(`{"url":"https://` + literal + `/"}`)
		if a.kind() != "forbidden_destination" || !strings.Contains(a.message(), what) {
			t.Errorf("%s: %s, want %q in it", addr, a.raw, what)
		}
		a = m.do(`{"url":"https://a.example/"}`)
		if want := "a.example resolves to " + addr + ", "; a.kind() != "forbidden_destination" || !strings.HasPrefix(a.message(), want) || !strings.Contains(a.message(), what) {
			t.Errorf("%s: %s, want %q in it", addr, a.raw, want)
		}
		if d, ok := decision(m.lastHop(), "address"); !ok || d.OK {
			t.Errorf("%s: hop %+v", addr, m.lastHop())
		}
		m.wantRules("http/forbidden-destination", "http/forbidden-destination")
	}
}

func TestMappedAddresses(t *testing.T) {
	for _, url := range []string{"https://[::ffff:127.0.0.1]/", "https://[::ffff:7f00:1]/", "https://[0:0:0:0:0:FFFF:7F00:1]/"} {
		m := start(t, egress.Config{Policy: allow("[::ffff:7f00:1]"), Dial: noDial(t)})
		a := m.do(`{"url":"` + url + `"}`)
		if a.kind() != "forbidden_destination" || !strings.Contains(a.message(), "IPv4-mapped address of 127.0.0.1") {
			t.Errorf("%s: %s", url, a.raw)
		}
	}
	m := start(t, egress.Config{Policy: allow("a.example"), Resolver: names{"a.example": {netip.MustParseAddr("::ffff:10.0.0.1")}}, Dial: noDial(t)})
	if a := m.do(`{"url":"https://a.example/"}`); a.kind() != "forbidden_destination" || !strings.Contains(a.message(), "10.0.0.1, a private") {
		t.Errorf("a resolver's mapped form: %s", a.raw)
	}
}

func TestPublicNeighboursAreDialled(t *testing.T) {
	for _, addr := range []string{
		"1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0",
		"192.167.255.255", "198.17.255.255", "198.20.0.0", "223.255.255.255", "2001:200::1", "2001:4:112::1", "2606:4700::1111", "2000::1", "3ffe::1",
	} {
		var dialled []string
		m := start(t, egress.Config{
			Policy:   allow("a.example"),
			Resolver: names{"a.example": {netip.MustParseAddr(addr)}},
			Dial: func(_ context.Context, network, address string) (net.Conn, error) {
				dialled = append(dialled, network+" "+address)
				return nil, net.ErrClosed
			},
		})
		m.do(`{"url":"https://a.example/"}`)
		if want := "tcp " + netip.AddrPortFrom(netip.MustParseAddr(addr), 443).String(); len(dialled) != 1 || dialled[0] != want {
			t.Errorf("dialled %q, want %s", dialled, want)
		}
	}
}

// turns answers each look-up of a name with the next list.
type turns struct {
	lists [][]netip.Addr
	asked int
}

func (r *turns) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	r.asked++
	return r.lists[min(r.asked, len(r.lists))-1], nil
}

func TestNameIsLookedUpOnce(t *testing.T) {
	r := &turns{lists: [][]netip.Addr{{netip.MustParseAddr("192.0.43.7")}, {netip.MustParseAddr("127.0.0.1")}}}
	s := serve(t, hello)
	var dialled []string
	m := start(t, egress.Config{Policy: allow("a.example"), Resolver: r, Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
		dialled = append(dialled, address)
		return new(net.Dialer).DialContext(ctx, network, s.addr.String())
	}})
	a := m.do(`{"url":"https://a.example/"}`)
	// The server's authority is trusted for routed hosts alone.
	if a.kind() != "connection" || !strings.Contains(a.message(), "not signed by an authority") {
		t.Errorf("the module read %s", a.raw)
	}
	if r.asked != 1 || len(dialled) != 1 || dialled[0] != "192.0.43.7:443" {
		t.Errorf("%d look-ups, dialled %q", r.asked, dialled)
	}
	if a := m.do(`{"url":"https://a.example/"}`); a.kind() != "forbidden_destination" {
		t.Errorf("the second answer of the resolver: %s", a.raw)
	}
}

func TestMixedAnswerUsesPublicAddressesOnly(t *testing.T) {
	var dialled []string
	m := start(t, egress.Config{
		Policy: allow("a.example"),
		Resolver: names{"a.example": {
			netip.MustParseAddr("10.0.0.5"), netip.MustParseAddr("192.0.43.7"), netip.MustParseAddr("fe80::1"), netip.MustParseAddr("192.0.43.8"),
		}},
		Dial: func(_ context.Context, _, address string) (net.Conn, error) {
			dialled = append(dialled, address)
			return nil, net.ErrClosed
		},
	})
	m.do(`{"url":"https://a.example/"}`)
	if got := strings.Join(dialled, " "); got != "192.0.43.7:443 192.0.43.8:443" {
		t.Errorf("dialled %s", got)
	}
	var shown []string
	for _, d := range m.lastHop().Decisions {
		if d.Check == "address" {
			shown = append(shown, d.What)
		}
	}
	if got := strings.Join(shown, " | "); got != "10.0.0.5, a private address: not used | fe80::1, a link-local address: not used | 192.0.43.7:443 | 192.0.43.8:443" {
		t.Errorf("decisions: %s", got)
	}
}

func TestSlowAddressGetsAHeadStart(t *testing.T) {
	clk := held()
	var mu sync.Mutex
	var dialled []string
	m := start(t, egress.Config{
		Policy: allow("a.example"), Clock: clk,
		Resolver: names{"a.example": {netip.MustParseAddr("192.0.43.7"), netip.MustParseAddr("192.0.43.8")}},
		Dial: func(ctx context.Context, _, address string) (net.Conn, error) {
			mu.Lock()
			dialled = append(dialled, address)
			first := len(dialled) == 1
			mu.Unlock()
			if first {
				go advanceWhileWaiting(ctx, clk)
				<-ctx.Done()
				return nil, ctx.Err()
			}
			a, b := net.Pipe()
			_ = b.Close()
			return a, nil
		},
	})
	m.do(`{"url":"https://a.example/"}`)
	if got := strings.Join(dialled, " "); got != "192.0.43.7:443 192.0.43.8:443" {
		t.Errorf("dialled %s", got)
	}
}

// advanceWhileWaiting moves the clock until ctx ends: whoever waits on it
// begins to do so at some moment after the call.
func advanceWhileWaiting(ctx context.Context, clk interface{ Advance(time.Duration) }) {
	for ctx.Err() == nil {
		clk.Advance(time.Millisecond)
	}
}

func TestRouteIsForOneHost(t *testing.T) {
	s := serve(t, hello)
	p := s.policy("a.example")
	p.Allow = append(p.Allow, allow("b.example", "a.example:8443").Allow...)
	m := start(t, egress.Config{Policy: p, Dial: nil, Resolver: names{"b.example": {s.addr.Addr()}, "a.example": {s.addr.Addr()}}})
	if a := m.do(`{"url":"https://a.example/"}`); a.raw != helloAnswer {
		t.Errorf("the routed host: %s", a.raw)
	}
	h := m.lastHop()
	if d, ok := decision(h, "route"); !ok || !d.OK || d.What != s.addr.String() || d.Source != "flag --route" || h.Address != s.addr.String() {
		t.Errorf("hop %+v", h)
	}
	for _, host := range []string{"b.example", "a.example:8443"} {
		if a := m.do(`{"url":"https://` + host + `/"}`); a.kind() != "forbidden_destination" {
			t.Errorf("%s: %s", host, a.raw)
		}
	}
	p.Allow = nil
	m = start(t, egress.Config{Policy: p})
	if a := m.do(`{"url":"https://a.example/"}`); a.kind() != "host_not_allowed" {
		t.Errorf("a route allows nothing by itself: %s", a.raw)
	}
	p = s.policy("a.example")
	p.RouteCA = []byte("nothing")
	m = start(t, egress.Config{Policy: p})
	if a := m.do(`{"url":"https://a.example/"}`); a.kind() != "connection" || !strings.Contains(a.message(), "PEM") {
		t.Errorf("a CA file without certificates: %s", a.raw)
	}
}

func TestProxyVariablesAreIgnored(t *testing.T) {
	for _, name := range []string{"HTTPS_PROXY", "https_proxy", "ALL_PROXY", "HTTP_PROXY"} {
		t.Setenv(name, "http://127.0.0.1:9")
	}
	s := serve(t, hello)
	m := start(t, egress.Config{Policy: s.policy("a.example")})
	if a := m.do(`{"url":"https://a.example/"}`); a.raw != helloAnswer {
		t.Errorf("the module read %s", a.raw)
	}
}

func TestCredentials(t *testing.T) {
	const secret = "Bearer s3cr3t-value"
	var got []string
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r.Host+" "+r.Header.Get("Authorization")+r.Header.Get("X-Key"))
		if r.URL.Path == "/away" {
			w.Header().Set("Location", "https://b.example/")
			w.WriteHeader(307)
		}
	})
	env := map[string]string{"TOKEN": secret, "EMPTY": "", "BROKEN": "a\nb", "OTHER": "x"}
	credential := func(origin, header, env string) egress.Credential {
		return egress.Credential{Origin: origin, Header: header, Env: env, Source: "flag --credential"}
	}
	own := credential("https://A.example:443", "Authorization", "TOKEN")
	for _, c := range []struct {
		name, request string
		credentials   []egress.Credential
		kind, text    string
		sent          string
	}{
		{"set", `{"url":"https://a.example/"}`, []egress.Credential{own}, "ok", "", "a.example " + secret},
		{"any header", `{"url":"https://a.example/"}`, []egress.Credential{credential("https://a.example", "x-key", "OTHER")}, "ok", "", "a.example x"},
		{"another origin", `{"url":"https://b.example/"}`, []egress.Credential{own}, "ok", "", "b.example "},
		{"not carried over a redirect", `{"url":"https://a.example/away"}`, []egress.Credential{own}, "ok", "", "a.example " + secret + ",b.example "},
		{"added on the hop it is for", `{"url":"https://a.example/away"}`, []egress.Credential{credential("https://b.example", "authorization", "TOKEN")}, "ok", "", "a.example ,b.example " + secret},
		{"the module's own is dropped before", `{"url":"https://a.example/away","headers":{"authorization":"mine"}}`, []egress.Credential{credential("https://b.example", "authorization", "TOKEN")}, "ok", "", "a.example mine,b.example " + secret},
		{"set by the module", `{"url":"https://a.example/","headers":{"authorization":"mine"}}`, []egress.Credential{own}, "credential_header", "the header authorization is set by a credential", ""},
		{"set by the module for a later hop", `{"url":"https://a.example/away","headers":{"x-key":"mine"}}`, []egress.Credential{credential("https://b.example", "x-key", "TOKEN")}, "credential_header", "x-key", "a.example mine"},
		{"missing", `{"url":"https://a.example/"}`, []egress.Credential{credential("https://a.example", "authorization", "NOPE")}, "credential_unavailable", "NOPE is empty or not set", ""},
		{"empty", `{"url":"https://a.example/"}`, []egress.Credential{credential("https://a.example", "authorization", "EMPTY")}, "credential_unavailable", "EMPTY is empty", ""},
		{"with a line break", `{"url":"https://a.example/"}`, []egress.Credential{credential("https://a.example", "authorization", "BROKEN")}, "credential_unavailable", "BROKEN has a control byte", ""},
		{"two", `{"url":"https://a.example/"}`, []egress.Credential{own, credential("https://a.example", "x-key", "OTHER")}, "credential_unavailable", "2 are usable", ""},
		{"one of two usable", `{"url":"https://a.example/"}`, []egress.Credential{own, credential("https://a.example", "x-key", "EMPTY")}, "ok", "", "a.example " + secret},
	} {
		t.Run(c.name, func(t *testing.T) {
			got = nil
			p := s.policy("a.example", "b.example")
			p.Credentials = c.credentials
			m := start(t, egress.Config{Policy: p, Getenv: func(name string) string { return env[name] }})
			a := m.do(c.request)
			if a.kind() != c.kind || !strings.Contains(a.message(), c.text) {
				t.Errorf("the module read %s", a.raw)
			}
			if sent := strings.Join(got, ","); sent != c.sent {
				t.Errorf("sent %q, want %q", sent, c.sent)
			}
			if text := everything(m); strings.Contains(text, "s3cr3t") {
				t.Errorf("the value is in an event: %s", text)
			}
			for _, h := range m.hops() {
				for _, f := range h.Sent {
					if f.Hidden && f.Value != "" && f.Value != "mine" {
						t.Errorf("hidden header %+v", f)
					}
				}
			}
		})
	}
}
