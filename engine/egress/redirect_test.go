package egress_test

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"perch/engine/egress"
)

// to answers a redirect; the Location is written byte for byte.
func to(w http.ResponseWriter, status int, location string) {
	w.Header()["Location"] = []string{location}
	w.WriteHeader(status)
}

func TestRedirectsAreCheckedAsTheFirst(t *testing.T) {
	for _, c := range []struct{ location, kind, text string }{
		{"https://127.0.0.1/x", "host_not_allowed", "127.0.0.1"},
		{"https://10.0.0.5/", "forbidden_destination", "10.0.0.5 is a private address"},
		{"https://[::1]/", "forbidden_destination", "loopback"},
		{"https://0x7f.1/", "forbidden_destination", "an odd spelling of 127.0.0.1"},
		{"https://2130706433/", "forbidden_destination", "an odd spelling of 127.0.0.1"},
		{"http://a.example/", "forbidden_destination", "http://a.example/: only https:// is sent"},
		{"//other.example/", "host_not_allowed", "other.example is not in"},
		{"https://other.example/", "host_not_allowed", "other.example is not in"},
		{"ftp://a.example/", "forbidden_destination", "only https://"},
		{"javascript:alert(1)", "connection", "no // after javascript"},
		{"https:/b.example/", "connection", "no // after https"},
		{"https://u:p@b.example/", "connection", "user part"},
		{`https://b.example\@c.example/`, "connection", "backslash"},
		{"https://b.example%00/", "connection", "percent sign"},
		{"https:///x", "connection", "no host"},
		{"https://b\xe9.example/", "connection", "outside ASCII"},
		{"https://b.example:99999/", "connection", "1 to 65535"},
	} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) { to(w, 302, c.location) })
		p := s.policy("a.example")
		p.Allow = append(p.Allow, allow("10.0.0.5", "[::1]").Allow...)
		m := start(t, egress.Config{Policy: p})
		a := m.do(`{"url":"https://a.example/"}`)
		if a.kind() != c.kind || !strings.Contains(a.message(), c.text) {
			t.Errorf("%q: %s, want %s, %q", c.location, a.raw, c.kind, c.text)
		}
		if h := m.hops()[0]; h.Status != 302 || h.Location != c.location {
			t.Errorf("%q: hop %+v", c.location, h)
		}
		m.wantRules(map[string]string{
			"host_not_allowed": "http/host-not-allowed", "forbidden_destination": "http/forbidden-destination", "connection": "http/connection",
		}[c.kind])
	}
}

// TestAFindingNamesTheRedirect: whoever reads it sees that the module itself
// asked for something else, and no fix that would not help.
func TestAFindingNamesTheRedirect(t *testing.T) {
	for location, fix := range map[string]string{
		"https://127.0.0.1/x":    "Use a public name: 127.0.0.1 is a loopback address",
		"https://other.example/": "Allow other.example: --allow other.example",
		"http://a.example/":      "Use https://.",
	} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/first" {
				to(w, 302, "/second")
				return
			}
			to(w, 302, location)
		})
		m := start(t, egress.Config{Policy: s.policy("a.example")})
		a := m.do(`{"url":"https://a.example/first"}`)
		b := m.breaches()
		if len(b) != 1 || b[0].Detail != a.kind()+": "+a.message()+". Redirect 2 leads there, from https://a.example/second" || !strings.HasPrefix(b[0].Fix, fix) {
			t.Errorf("%s: %+v", location, b)
		}
	}
	s := serve(t, hello)
	m := start(t, egress.Config{Policy: s.policy("a.example")})
	m.do(`{"url":"http://a.example/"}`)
	if b := m.breaches(); len(b) != 1 || strings.Contains(b[0].Detail, "edirect") {
		t.Errorf("a first hop: %+v", b)
	}
}

func TestRelativeRedirects(t *testing.T) {
	for location, want := range map[string]string{
		"/x":                     "/x",
		"x":                      "/dir/x",
		"../x":                   "/x",
		"../../x":                "/x",
		"./":                     "/dir/",
		"?q=2":                   "/dir/page?q=2",
		"#there":                 "/dir/page?q=1",
		"//a.example/y":          "/y",
		"HTTPS://A.EXAMPLE:443/": "/",
		"https://a.example":      "/",
		"/caf\xe9 {1}":           "/caf%E9%20%7B1%7D",
		"/é":                     "/%C3%A9",
		"/%2e%zz%41":             "/%2e%25zz%41",
		"/a//b":                  "/a//b",
		"/x?a=b?c#d?e":           "/x?a=b?c",
	} {
		redirected := false
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if !redirected {
				redirected = true
				to(w, 302, location)
				return
			}
			_, _ = w.Write([]byte(r.RequestURI))
		})
		m := start(t, egress.Config{Policy: s.policy("a.example")})
		a := m.do(`{"url":"https://a.example/dir/page?q=1"}`)
		if a.text() != want {
			t.Errorf("%q leads to %s, want %s", location, a.raw, want)
		}
	}
}

func TestRedirectLimit(t *testing.T) {
	hits := 0
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		hits++
		left, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
		if left == 0 {
			_, _ = w.Write([]byte("there"))
			return
		}
		to(w, 302, fmt.Sprintf("/%d", left-1))
	})
	m := start(t, egress.Config{Policy: s.policy("a.example")})
	if a := m.do(`{"url":"https://a.example/10"}`); a.text() != "there" || hits != 11 || len(m.hops()) != 11 {
		t.Errorf("10 redirects: %s after %d requests, %d hops", a.raw, hits, len(m.hops()))
	}
	hits = 0
	a := m.do(`{"url":"https://a.example/11"}`)
	if a.kind() != "too_many_redirects" || hits != 11 {
		t.Errorf("11 redirects: %s after %d requests", a.raw, hits)
	}
	m.wantRules("http/redirects")
}

func TestRedirectsHandedBack(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/none":
			w.WriteHeader(302)
		case "/empty":
			to(w, 302, "")
		case "/300", "/304", "/305":
			status, _ := strconv.Atoi(r.URL.Path[1:])
			to(w, status, "https://other.example/")
		default:
			to(w, 302, "http://10.0.0.1/")
		}
	})
	m := start(t, egress.Config{Policy: s.policy("a.example")})
	for request, status := range map[string]int{
		`{"url":"https://a.example/none"}`:                       302,
		`{"url":"https://a.example/empty"}`:                      302,
		`{"url":"https://a.example/300"}`:                        300,
		`{"url":"https://a.example/304"}`:                        304,
		`{"url":"https://a.example/305"}`:                        305,
		`{"url":"https://a.example/x","follow_redirects":false}`: 302,
	} {
		if a := m.do(request); a.OK == nil || a.OK.Status != status {
			t.Errorf("%s: %s", request, a.raw)
		}
	}
	a := m.do(`{"url":"https://a.example/x","follow_redirects":false}`)
	if a.OK == nil || a.OK.Headers["location"] != "http://10.0.0.1/" || m.lastHop().Location != "http://10.0.0.1/" {
		t.Errorf("the module read %s", a.raw)
	}
}

func TestMethodAndBodyOverRedirects(t *testing.T) {
	var got []string
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = append(got, fmt.Sprintf("%s %s %s", r.Method, r.Header.Get("Content-Type"), body))
		if r.URL.Path == "/end" {
			return
		}
		status, _ := strconv.Atoi(r.URL.Path[1:])
		to(w, status, "/end")
	})
	for _, c := range []struct {
		status       int
		method, want string
	}{
		{301, "POST", "GET  "}, {302, "POST", "GET  "}, {303, "POST", "GET  "}, {307, "POST", "POST text/x body"}, {308, "POST", "POST text/x body"},
		{301, "PUT", "GET  "}, {302, "DELETE", "GET  "}, {303, "PATCH", "GET  "}, {307, "PUT", "PUT text/x body"}, {308, "DELETE", "DELETE text/x body"},
		{301, "GET", "GET  "}, {302, "HEAD", "HEAD text/x body"}, {303, "HEAD", "HEAD text/x body"}, {302, "OPTIONS", "GET  "},
	} {
		for _, body := range []string{`{"type":"text","text":"body"}`, `{"type":"file","path":"/volume/tmp/in"}`} {
			got = nil
			v := newVolume(0)
			v.files["/volume/tmp/in"] = []byte("body")
			m := start(t, egress.Config{Policy: s.policy("a.example"), Files: v})
			a := m.do(fmt.Sprintf(`{"url":"https://a.example/%d","method":%q,"headers":{"content-type":"text/x"},"body":%s}`, c.status, c.method, body))
			first := c.method + " text/x body"
			if a.OK == nil || len(got) != 2 || got[0] != first || got[1] != c.want {
				t.Errorf("%d %s %s: server got %q, want %q; %s", c.status, c.method, body, got, c.want, a.raw)
			}
			if v.open != 0 {
				t.Errorf("%d %s: %d files are still open", c.status, c.method, v.open)
			}
		}
	}
}

func TestSecretsStayWithTheirOrigin(t *testing.T) {
	var got []string
	next := map[string]string{}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		h := r.Header
		got = append(got, fmt.Sprintf("%s %s%s%s%s", r.Host, h.Get("Authorization"), h.Get("Cookie"), h.Get("Proxy-Authorization"), h.Get("X-Key")))
		if location := next[r.Host+r.URL.Path]; location != "" {
			to(w, 302, location)
		}
	})
	for _, c := range []struct {
		name    string
		next    map[string]string
		want    string
		dropped string
	}{
		{"same origin", map[string]string{"a.example/": "/x"}, "a.example acpk,a.example acpk", ""},
		{":443 is the same", map[string]string{"a.example/": "https://A.example:443/x"}, "a.example acpk,a.example acpk", ""},
		{"another host", map[string]string{"a.example/": "https://b.example/"}, "a.example acpk,b.example k", "authorization cookie proxy-authorization"},
		{"another port", map[string]string{"a.example/": "https://a.example:8443/"}, "a.example acpk,a.example:8443 k", "authorization cookie proxy-authorization"},
		{"there and back", map[string]string{"a.example/": "https://b.example/", "b.example/": "https://a.example/x"}, "a.example acpk,b.example k,a.example k", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, next = nil, c.next
			m := start(t, egress.Config{Policy: s.policy("a.example", "b.example", "a.example:8443")})
			m.do(`{"url":"https://a.example/","headers":{"authorization":"a","cookie":"c","proxy-authorization":"p","x-key":"k"}}`)
			if sent := strings.Join(got, ","); sent != c.want {
				t.Errorf("sent %q, want %q", sent, c.want)
			}
			if dropped := strings.Join(m.lastHop().Dropped, " "); dropped != c.dropped {
				t.Errorf("dropped %q, want %q", dropped, c.dropped)
			}
			for _, f := range m.requests()[0].Headers {
				if f.Hidden != (f.Name != "x-key") || f.Value == "" {
					t.Errorf("header %+v: the module's own secrets are marked, not taken out", f)
				}
			}
		})
	}
}
