package egress_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"perch/engine/abi"
	"perch/engine/egress"
	"perch/engine/event"
)

func gzipped(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(b)
	_ = w.Close()
	return out.Bytes()
}

func brotlied(b []byte) []byte {
	var out bytes.Buffer
	w := brotli.NewWriter(&out)
	_, _ = w.Write(b)
	_ = w.Close()
	return out.Bytes()
}

// page is what a server answers.
type page struct {
	status int
	header http.Header
	body   []byte
}

func pages(t *testing.T, list map[string]page) *server {
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		p := list[r.URL.Path]
		w.Header()["Date"] = nil
		w.Header()["Content-Type"] = nil
		for name, values := range p.header {
			w.Header()[name] = values
		}
		w.WriteHeader(max(p.status, 200))
		_, _ = w.Write(p.body)
	})
}

func TestEncodings(t *testing.T) {
	plain := []byte(strings.Repeat("all of it, ", 100))
	encoded := func(names string, b []byte) page {
		return page{header: http.Header{"Content-Encoding": {names}, "Content-Length": {strconv.Itoa(len(b))}}, body: b}
	}
	s := pages(t, map[string]page{
		"/gzip":     encoded("gzip", gzipped(plain)),
		"/GZIP":     encoded("GZIP", gzipped(plain)),
		"/br":       encoded("br", brotlied(plain)),
		"/both":     encoded("gzip, br", brotlied(gzipped(plain))),
		"/identity": encoded("identity", plain),
		"/members":  encoded("gzip", append(gzipped(plain[:500]), gzipped(plain[500:])...)),
		"/empty":    encoded("gzip", nil),
		"/unknown":  encoded("zstd", []byte("zstd it is")),
		"/lie":      encoded("gzip", []byte("not gzip at all")),
		"/lie-br":   encoded("br", []byte("\xff\xff\xffnot brotli at all")),
		"/cut":      encoded("gzip", gzipped(plain)[:20]),
		"/cut-br":   encoded("br", brotlied(plain)[:8]),
		"/sum":      encoded("gzip", append(gzipped(plain)[:len(gzipped(plain))-8], "12345678"...)),
		"/many":     encoded("gzip, gzip, gzip, gzip, gzip", []byte("many")),
	})
	for _, c := range []struct{ path, kind, text, headers string }{
		{"/gzip", "ok", string(plain), "map[]"},
		{"/GZIP", "ok", string(plain), "map[]"},
		{"/br", "ok", string(plain), "map[]"},
		{"/both", "ok", string(plain), "map[]"},
		{"/members", "ok", string(plain), "map[]"},
		{"/empty", "ok", "", "map[]"},
		{"/identity", "ok", string(plain), "map[content-encoding:identity content-length:1100]"},
		{"/unknown", "ok", "zstd it is", "map[content-encoding:zstd content-length:10]"},
		{"/many", "ok", "many", "map[content-encoding:gzip, gzip, gzip, gzip, gzip content-length:4]"},
		{"/lie", "connection", "its body is not gzip, as content-encoding says", ""},
		{"/lie-br", "connection", "its body is not br, as content-encoding says", ""},
		{"/sum", "connection", "its body is not gzip", ""},
		{"/cut", "connection", "the body was cut short", ""},
		{"/cut-br", "connection", "the body was cut short", ""},
	} {
		m := start(t, egress.Config{Policy: s.policy("a.example")})
		a := m.do(`{"url":"https://a.example` + c.path + `"}`)
		switch {
		case a.kind() != c.kind:
			t.Errorf("%s: %s", c.path, a.raw)
		case c.kind == "ok" && (a.text() != c.text || fmt.Sprint(a.OK.Headers) != c.headers):
			t.Errorf("%s: %v %q", c.path, a.OK.Headers, a.text())
		case c.kind != "ok" && !strings.Contains(a.message(), c.text):
			t.Errorf("%s: %s, want %q in it", c.path, a.message(), c.text)
		}
	}
	m := start(t, egress.Config{Policy: s.policy("a.example")})
	m.do(`{"url":"https://a.example/gzip"}`)
	h := m.lastHop()
	if h.WireBytes != int64(len(gzipped(plain))) || h.BodyBytes != int64(len(plain)) {
		t.Errorf("%d bytes on the wire, %d unpacked", h.WireBytes, h.BodyBytes)
	}
	if a := m.answers()[0]; len(a.Headers) != 0 || len(h.Headers) != 2 {
		t.Errorf("the hop keeps the headers as they came: %v, %v", a.Headers, h.Headers)
	}
}

func TestModuleThatAcceptsEncodings(t *testing.T) {
	packed := gzipped([]byte("hello"))
	var accepted []string
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		accepted = append(accepted, r.Header.Get("Accept-Encoding"))
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(packed)
	})
	v := newVolume(1 << 20)
	m := start(t, egress.Config{Policy: s.policy("a.example"), Files: v})
	if a := m.do(`{"url":"https://a.example/","headers":{"accept-encoding":"gzip"}}`); a.kind() != "not_text" {
		t.Errorf("inline: %s", a.raw)
	}
	a := m.do(`{"url":"https://a.example/","headers":{"accept-encoding":"gzip"},"output":{"type":"file","path":"/volume/tmp/o"}}`)
	if a.OK == nil || !bytes.Equal(v.files["/volume/tmp/o"], packed) || a.OK.Headers["content-encoding"] != "gzip" || a.OK.Headers["content-length"] != strconv.Itoa(len(packed)) {
		t.Errorf("to a file: %s", a.raw)
	}
	if a := m.do(`{"url":"https://a.example/"}`); a.text() != "hello" {
		t.Errorf("without: %s", a.raw)
	}
	if got := strings.Join(accepted, " | "); got != "gzip | gzip | gzip, br" {
		t.Errorf("sent %s", got)
	}
}

func TestInlineLimit(t *testing.T) {
	text := func(n int) []byte { return bytes.Repeat([]byte("x"), n) }
	packedHeader := http.Header{"Content-Encoding": {"gzip"}}
	s := pages(t, map[string]page{
		"/most":        {body: text(abi.MaxInline)},
		"/more":        {body: text(abi.MaxInline + 1)},
		"/packed-most": {header: packedHeader, body: gzipped(text(abi.MaxInline))},
		"/packed-more": {header: packedHeader, body: gzipped(text(abi.MaxInline + 1))},
		"/bomb":        {header: packedHeader, body: gzipped(make([]byte, 64<<20))},
	})
	m := start(t, egress.Config{Policy: s.policy("a.example")})
	for path, kind := range map[string]string{"/most": "ok", "/packed-most": "ok", "/more": "too_large", "/packed-more": "too_large", "/bomb": "too_large"} {
		a := m.do(`{"url":"https://a.example` + path + `"}`)
		if a.kind() != kind || kind == "ok" && len(a.text()) != abi.MaxInline {
			t.Errorf("%s: %.200s", path, a.raw)
		}
		if kind != "ok" && (!strings.Contains(a.message(), "262144") || !strings.Contains(a.message(), "262145 were read")) {
			t.Errorf("%s: %s", path, a.message())
		}
		if h := m.lastHop(); h.BodyBytes > abi.MaxInline+1 {
			t.Errorf("%s: %d bytes were unpacked", path, h.BodyBytes)
		}
	}
}

func TestEndlessBody(t *testing.T) {
	gone := make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		defer close(gone)
		for r.Context().Err() == nil {
			if _, err := w.Write([]byte(strings.Repeat("x", 1<<14))); err != nil {
				return
			}
		}
	})
	m := start(t, egress.Config{Policy: s.policy("a.example")})
	if a := m.do(`{"url":"https://a.example/"}`); a.kind() != "too_large" {
		t.Errorf("the module read %.200s", a.raw)
	}
	<-gone // the connection was closed
}

func TestNotText(t *testing.T) {
	typed := func(ct string, body string) page {
		return page{header: http.Header{"Content-Type": {ct}}, body: []byte(body)}
	}
	s := pages(t, map[string]page{
		"/latin1":  typed("text/html; charset=windows-1252", "caf\xe9"),
		"/cut":     typed("text/plain", "caf\xc3"),
		"/utf16":   {body: []byte("\xff\xfeh\x00")},
		"/high":    typed("text/plain; charset=utf-8", "a\xed\xa0\x80"),
		"/bom":     typed("text/plain", "\xef\xbb\xbfhello"),
		"/control": typed("text/plain", "a\x00\x1b[31m\u2028\"\\\n"),
	})
	m := start(t, egress.Config{Policy: s.policy("a.example")})
	for path, want := range map[string]string{
		"/latin1": "byte 0xe9 at 3; content-type declares charset windows-1252",
		"/cut":    "byte 0xc3 at 3; content-type is text/plain, without a charset",
		"/utf16":  "byte 0xff at 0; there is no content-type",
		"/high":   "byte 0xed at 1; content-type declares charset utf-8",
	} {
		a := m.do(`{"url":"https://a.example` + path + `"}`)
		if a.kind() != "not_text" || !strings.Contains(a.message(), want) || !strings.Contains(a.message(), "Save it to a file") {
			t.Errorf("%s: %s, want %q in it", path, a.raw, want)
		}
	}
	for path, want := range map[string]string{"/bom": "\ufeffhello", "/control": "a\x00\x1b[31m\u2028\"\\\n"} {
		if a := m.do(`{"url":"https://a.example` + path + `"}`); a.text() != want {
			t.Errorf("%s: %q", path, a.raw)
		}
	}
}

func TestResponseHeaders(t *testing.T) {
	many := http.Header{"Content-Type": {"text/plain"}}
	for i := range 300 {
		many.Set(fmt.Sprintf("X-%03d", i), strconv.Itoa(i))
	}
	s := pages(t, map[string]page{
		"/": {header: http.Header{
			"Link": {"<a>; rel=x", "<b>"}, "Set-Cookie": {"a=1; expires=Wed, 01 Jan 2020 00:00:00 GMT", "b=2"},
			"X-Mixed-Case": {"V"}, "X-Latin": {"caf\xe9"}, "X-Utf8": {"café"}, "X-Empty": {""},
		}},
		"/many": {header: many},
		"/huge": {header: http.Header{"X-Big": {strings.Repeat("x", 2<<20)}}},
	})
	m := start(t, egress.Config{Policy: s.policy("a.example")})
	a := m.do(`{"url":"https://a.example/"}`)
	want := `{"ok":{"status":200,"headers":{"content-length":"0","link":"<a>; rel=x, <b>","set-cookie":"a=1; expires=Wed, 01 Jan 2020 00:00:00 GMT, b=2",` +
		`"x-empty":"","x-latin":"café","x-mixed-case":"V","x-utf8":"café"},"body":{"type":"inline","text":""}}}`
	if a.raw != want {
		t.Errorf("the module read %s", a.raw)
	}
	var links, latin []event.Header
	for _, h := range m.answers()[0].Headers {
		switch h.Name {
		case "link":
			links = append(links, h)
		case "x-latin":
			latin = append(latin, h)
		}
	}
	if len(links) != 2 || links[1].Value != "<b>" || len(latin) != 1 || latin[0].Value != "caf\xe9" {
		t.Errorf("the original list is %v, %v", links, latin)
	}
	var notes []string
	for _, d := range m.lastHop().Decisions {
		if d.Check == "headers" {
			notes = append(notes, d.What)
		}
	}
	if len(notes) != 2 || !strings.HasPrefix(notes[0], "x-latin is not UTF-8") || !strings.HasPrefix(notes[1], "2 set-cookie lines are joined") {
		t.Errorf("notes %q", notes)
	}
	if a := m.do(`{"url":"https://a.example/many"}`); a.OK == nil || len(a.OK.Headers) != 302 {
		t.Errorf("300 headers: %.100s", a.raw)
	}
	if a := m.do(`{"url":"https://a.example/huge"}`); a.kind() != "connection" || !strings.Contains(a.message(), "1048576 bytes") {
		t.Errorf("2 MiB of headers: %.200s", a.raw)
	}
}

func TestEmptyBodies(t *testing.T) {
	s := pages(t, map[string]page{
		"/head": {header: http.Header{"Content-Length": {"1000000"}, "Content-Encoding": {"gzip"}}},
		"/204":  {status: 204},
		"/304":  {status: 304, header: http.Header{"Etag": {`"7"`}}},
		"/200":  {header: http.Header{"Content-Length": {"0"}}},
	})
	for path, want := range map[string]string{
		"/head": `{"ok":{"status":200,"headers":{"content-encoding":"gzip","content-length":"1000000"},"body":`,
		"/204":  `{"ok":{"status":204,"headers":{},"body":`,
		"/304":  `{"ok":{"status":304,"headers":{"etag":"\"7\""},"body":`,
		"/200":  `{"ok":{"status":200,"headers":{"content-length":"0"},"body":`,
	} {
		method := "GET"
		if path == "/head" {
			method = "HEAD"
		}
		v := newVolume(100)
		v.files["/volume/tmp/o"] = []byte("old")
		m := start(t, egress.Config{Policy: s.policy("a.example"), Files: v})
		if a := m.do(`{"method":"` + method + `","url":"https://a.example` + path + `"}`); a.raw != want+`{"type":"inline","text":""}}}` {
			t.Errorf("%s: %s", path, a.raw)
		}
		a := m.do(`{"method":"` + method + `","url":"https://a.example` + path + `","output":{"type":"file","path":"/volume/tmp/o"}}`)
		if b, ok := v.files["/volume/tmp/o"]; a.raw != want+`{"type":"file","path":"/volume/tmp/o","bytes":0}}}` || !ok || len(b) != 0 {
			t.Errorf("%s to a file: %s, %q", path, a.raw, b)
		}
	}
}

func TestFiles(t *testing.T) {
	body := bytes.Repeat([]byte("0123456789abcdef"), 20_000) // 320,000 bytes: more than inline
	var got []byte
	var gotType []string
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got, _ = io.ReadAll(r.Body)
		gotType = r.Header["Content-Type"]
		if int64(len(got)) != r.ContentLength {
			http.Error(w, "length", http.StatusBadRequest)
			return
		}
		_, _ = w.Write(body)
	})
	v := newVolume(len(body))
	v.files["/volume/tmp/in"] = body
	m := start(t, egress.Config{Policy: s.policy("a.example"), Files: v})
	a := m.do(`{"method":"POST","url":"https://a.example/","body":{"type":"file","path":"/volume/tmp/in"},"output":{"type":"file","path":"/volume/tmp/sub/out"}}`)
	if a.OK == nil || a.OK.Body.Path != "/volume/tmp/sub/out" || *a.OK.Body.Bytes != int64(len(body)) || !bytes.Equal(v.files["/volume/tmp/sub/out"], body) {
		t.Fatalf("the module read %s", a.raw)
	}
	if !bytes.Equal(got, body) || gotType != nil || v.open != 0 {
		t.Errorf("the server got %d bytes of type %q; %d files are open", len(got), gotType, v.open)
	}
	if r, h := m.requests()[0], m.lastHop(); r.File != "/volume/tmp/in" || r.Output != "/volume/tmp/sub/out" || h.BodyBytes != int64(len(body)) {
		t.Errorf("request %+v, hop %+v", r, h)
	}
	// The budget is used up now.
	a = m.do(`{"url":"https://a.example/","output":{"type":"file","path":"/volume/tmp/more"}}`)
	if a.kind() != "write_budget" || !strings.Contains(a.message(), "The 0 bytes that came stay in /volume/tmp/more") {
		t.Errorf("past the budget: %s", a.raw)
	}
	m.wantRules("http/write-budget")
	v.files["/volume/tmp/empty"] = nil
	if a := m.do(`{"method":"PUT","url":"https://a.example/","body":{"type":"file","path":"/volume/tmp/empty"}}`); a.kind() != "too_large" || len(got) != 0 {
		t.Errorf("an empty file: %s, %d bytes", a.raw, len(got))
	}
}

func TestBadPaths(t *testing.T) {
	hits := 0
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { hits++ })
	m := start(t, egress.Config{Policy: s.policy("a.example"), Files: newVolume(100)})
	for path, text := range map[string]string{
		"/etc/passwd":             "only files of the volume",
		"/package/x":              "only files of the volume",
		"/volumes/x":              "only files of the volume",
		"/volume/tmp/../../etc/x": "..",
		"/volume/tmp/..":          "..",
		"tmp/x":                   "not absolute",
		"/volume/tmp/":            "folder",
		"/volume/tmp/x/":          "folder",
		"/volume/tmp":             "folder",
		"/volume":                 "folder",
		"/volume/tmp/a\x00b":      "NUL",
	} {
		for _, member := range []string{`"output"`, `"body"`} {
			a := m.do(`{"url":"https://a.example/",` + member + `:{"type":"file","path":` + quote(path) + `}}`)
			if a.kind() != "bad_path" || !strings.Contains(a.message(), text) {
				t.Errorf("%s %q: %s, want %q in it", member, path, a.raw, text)
			}
		}
	}
	if a := m.do(`{"url":"https://a.example/","body":{"type":"file","path":"/volume/tmp/nope"}}`); a.kind() != "bad_path" || !strings.Contains(a.message(), "there is no such file") {
		t.Errorf("a missing file: %s", a.raw)
	}
	if a := m.do(`{"url":"https://a.example/","output":{"type":"file","path":"/volume/data/x"}}`); a.kind() != "bad_path" || !strings.Contains(a.message(), "/volume/data is not enabled") {
		t.Errorf("a volume that is not there: %s", a.raw)
	}
	if hits != 0 {
		t.Errorf("%d requests were sent: paths are checked first", hits)
	}
	if a := m.do(`{"url":"https://a.example/","output":{"type":"file","path":"/volume/tmp/folder"}}`); a.kind() != "bad_path" || !strings.Contains(a.message(), "this is a folder") {
		t.Errorf("a folder: %s", a.raw)
	}
	m = start(t, egress.Config{Policy: s.policy("a.example")})
	if a := m.do(`{"url":"https://a.example/","output":{"type":"file","path":"/volume/tmp/x"}}`); a.kind() != "bad_path" {
		t.Errorf("a run without a volume: %s", a.raw)
	}
}

func TestBrokenConnections(t *testing.T) {
	hijack := func(w http.ResponseWriter, text string) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		_, _ = io.WriteString(conn, text)
		_ = conn.Close()
	}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/cut":
			w.Header().Set("Content-Length", "100")
			_, _ = w.Write([]byte("half"))
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		case "/chunk":
			hijack(w, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel")
		case "/nothing":
			hijack(w, "")
		case "/garbage":
			hijack(w, "SSH-2.0-x\r\n\r\n")
		case "/upgrade":
			hijack(w, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nhello")
		case "/header":
			hijack(w, "HTTP/1.1 200 OK\r\nbad header\x00: x\r\n\r\n")
		}
	})
	v := newVolume(100)
	m := start(t, egress.Config{Policy: s.policy("a.example"), Files: v})
	for path, text := range map[string]string{
		"/cut": "the body was cut short: 4 of 100 bytes came", "/chunk": "the body was cut short", "/nothing": "closed the connection before its answer was whole",
		"/garbage": "malformed HTTP response", "/upgrade": "switched to another protocol", "/header": "malformed MIME header",
	} {
		a := m.do(`{"url":"https://a.example` + path + `"}`)
		if a.kind() != "connection" || !strings.HasPrefix(a.message(), "a.example: ") || !strings.Contains(a.message(), text) {
			t.Errorf("%s: %s, want %q in it", path, a.raw, text)
		}
	}
	a := m.do(`{"url":"https://a.example/cut","output":{"type":"file","path":"/volume/tmp/o"}}`)
	if a.kind() != "connection" || !strings.Contains(a.message(), "The 4 bytes that came stay in /volume/tmp/o") || string(v.files["/volume/tmp/o"]) != "half" {
		t.Errorf("what came stays: %s", a.raw)
	}
	for _, b := range m.breaches() {
		if b.Rule != "http/connection" {
			t.Errorf("finding %+v", b)
		}
	}
}

func TestNoConnection(t *testing.T) {
	s := serve(t, hello)
	closed := *s
	closed.addr = closedPort(t)
	m := start(t, egress.Config{Policy: closed.policy("a.example")})
	if a := m.do(`{"url":"https://a.example/"}`); a.kind() != "connection" || !strings.Contains(a.message(), "nothing listens there") {
		t.Errorf("a closed port: %s", a.raw)
	}
	m = start(t, egress.Config{Policy: allow("nope.example")})
	if a := m.do(`{"url":"https://nope.example/"}`); a.kind() != "connection" || a.message() != "nope.example: there is no such name" {
		t.Errorf("an unknown name: %s", a.raw)
	}
	m = start(t, egress.Config{Policy: s.policy("c.example")})
	if a := m.do(`{"url":"https://c.example/"}`); a.kind() != "connection" || !strings.Contains(a.message(), "certificate is for another name") {
		t.Errorf("another name's certificate: %s", a.raw)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	plain := &http.Server{Handler: http.HandlerFunc(hello)}
	served := make(chan error, 1)
	go func() { served <- plain.Serve(l) }()
	defer func() {
		_ = plain.Close()
		<-served
	}()
	other := *s
	other.addr = netip.MustParseAddrPort(l.Addr().String())
	m = start(t, egress.Config{Policy: other.policy("a.example")})
	if a := m.do(`{"url":"https://a.example/"}`); a.kind() != "connection" || !strings.Contains(a.message(), "does not speak TLS") {
		t.Errorf("a server without TLS: %s", a.raw)
	}
	p := s.policy("a.example")
	p.RouteCA = nil
	m = start(t, egress.Config{Policy: p})
	if a := m.do(`{"url":"https://a.example/"}`); a.kind() != "connection" || !strings.Contains(a.message(), "not signed by an authority") {
		t.Errorf("an unknown authority: %s", a.raw)
	}
}

func TestConnectionHeadersAreDropped(t *testing.T) {
	var got, host, body string
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		got, host, body = fmt.Sprint(r.Header, r.ContentLength, r.TransferEncoding), r.Host, string(b)
	})
	m := start(t, egress.Config{Policy: s.policy("a.example")})
	a := m.do(`{"method":"POST","url":"https://a.example/","headers":{"host":"other.example","content-length":"5","connection":"close","transfer-encoding":"chunked",` +
		`"te":"trailers","upgrade":"x","keep-alive":"1","proxy-connection":"x","trailer":"x","expect":"100-continue","proxy-authenticate":"x","accept":"*/*"},"body":{"type":"text","text":"twelve bytes"}}`)
	if a.OK == nil || host != "a.example" || body != "twelve bytes" {
		t.Errorf("host %s, body %q: %s", host, body, a.raw)
	}
	if want := "map[Accept:[*/*] Accept-Encoding:[gzip, br] Content-Length:[12] Content-Type:[text/plain; charset=utf-8]] 12 []"; got != want {
		t.Errorf("the server got %s, want %s", got, want)
	}
	if r := m.requests()[0]; len(r.Dropped) != 11 || r.Dropped[0].Name != "host" || len(r.Headers) != 2 {
		t.Errorf("request %+v", r)
	}
	m.wantRules("http/header-dropped")
	sent := map[string]string{}
	for _, f := range m.lastHop().Sent {
		sent[f.Name] = f.Value
	}
	if want := "map[accept:*/* accept-encoding:gzip, br content-length:12 content-type:text/plain; charset=utf-8 host:a.example]"; fmt.Sprint(sent) != want {
		t.Errorf("shown as sent: %v", sent)
	}
}

func TestBodiesAreSentAsWritten(t *testing.T) {
	var got string
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		got = r.Method + " " + r.Header.Get("Content-Type") + " " + string(b)
	})
	m := start(t, egress.Config{Policy: s.policy("a.example")})
	for request, want := range map[string]string{
		`"method":"POST","body":{"type":"json","json":{ "n": 1042.10, "big":12345678901234567890 , "e":"\u00e9" }}`: `POST application/json { "n": 1042.10, "big":12345678901234567890 , "e":"\u00e9" }`,
		`"method":"POST","body":{"type":"json","json":null}`:                                                        "POST application/json null",
		`"method":"PUT","body":{"type":"text","text":"a\u0000é"}`:                                                   "PUT text/plain; charset=utf-8 a\x00é",
		`"method":"POST","headers":{"content-type":"x/y"},"body":{"type":"text","text":"z"}`:                        "POST x/y z",
		`"method":"POST","body":{"type":"text","text":""}`:                                                          "POST text/plain; charset=utf-8 ",
		`"method":"DELETE","body":{"type":"text","text":"z"}`:                                                       "DELETE text/plain; charset=utf-8 z",
		`"body":{"type":"text","text":"z"}`:                                                                         "GET text/plain; charset=utf-8 z",
		`"method":"POST"`:                                                                                           "POST  ",
		`"method":"OPTIONS"`:                                                                                        "OPTIONS  ",
	} {
		if a := m.do(`{"url":"https://a.example/",` + request + `}`); a.OK == nil || got != want {
			t.Errorf("%s: the server got %q; %s", request, got, a.raw)
		}
	}
}
