package egress_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"perch/engine/abi"
	"perch/engine/egress"
)

const mockFile = `
[[mock]]
method   = "POST"
url      = "https://API.example.com/orders"
status   = 201
json     = '{"id": 1042}'
headers  = { ETag = '"7"', link = ["<a>", "<b>"] }
times    = 1

[[mock]]
url = "https://api.example.com/orders/*"
text = "shipped"
[mock.headers]
x-key = "v"

[[mock]]
url     = "https://api.example.com/down"
error   = "abi"
message = "as an SDK says it"

[[mock]]
url      = "https://api.example.com/slow"
delay_ms = 300
status   = 204

[[mock]]
url    = "https://api.example.com/png"
base64 = "iVBORw0KGgo="

[[mock]]
url     = "https://api.example.com/away"
status  = 302
headers.location = "https://b.example/there"

[[mock]]
url   = "https://api.example.com/*"
error = "connection"
`

func TestMocks(t *testing.T) {
	mocks, err := egress.ParseMocks([]byte(mockFile), "orders.toml")
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, hello)
	p := s.policy("b.example")
	p.Mocks = mocks
	v := newVolume(100)
	m := start(t, egress.Config{Policy: p, Files: v})
	const u = "https://api.example.com"
	for _, c := range []struct{ request, want, mock string }{
		{`{"method":"POST","url":"` + u + `/orders","body":{"type":"json","json":1}}`,
			`{"ok":{"status":201,"headers":{"content-type":"application/json","etag":"\"7\"","link":"<a>, <b>"},"body":{"type":"inline","text":"{\"id\": 1042}"}}}`, "orders.toml:2"},
		{`{"method":"POST","url":"` + u + `/orders"}`, `{"error":{"kind":"connection","message":"a mock answers connection"}}`, "orders.toml:35"},
		{`{"url":"` + u + `/orders/7?x#y"}`, `{"ok":{"status":200,"headers":{"content-type":"text/plain; charset=utf-8","x-key":"v"},"body":{"type":"inline","text":"shipped"}}}`, "orders.toml:10"},
		{`{"method":"HEAD","url":"` + u + `/orders/7"}`, `{"ok":{"status":200,"headers":{"content-type":"text/plain; charset=utf-8","x-key":"v"},"body":{"type":"inline","text":""}}}`, "orders.toml:10"},
		{`{"url":"` + u + `/down"}`, `{"error":{"kind":"abi","message":"as an SDK says it"}}`, "orders.toml:16"},
		{`{"url":"` + u + `/png","output":{"type":"file","path":"/volume/tmp/x.png"}}`, `{"ok":{"status":200,"headers":{},"body":{"type":"file","path":"/volume/tmp/x.png","bytes":8}}}`, "orders.toml:26"},
		{`{"url":"` + u + `/away"}`, helloAnswer, ""},
	} {
		if a := m.do(c.request); a.raw != c.want {
			t.Errorf("%s: %s, want %s", c.request, a.raw, c.want)
		}
		answers := m.answers()
		if got := answers[len(answers)-1].Mock; got != c.mock {
			t.Errorf("%s: answered by %q, want %q", c.request, got, c.mock)
		}
	}
	if string(v.files["/volume/tmp/x.png"]) != "\x89PNG\r\n\x1a\n" {
		t.Errorf("saved %q", v.files["/volume/tmp/x.png"])
	}
	if a := m.do(`{"url":"` + u + `/png"}`); a.kind() != "not_text" {
		t.Errorf("a PNG inline: %s", a.raw)
	}
	m.wantRules("http/not-text")
	h := m.hops()[0]
	mock, _ := decision(h, "mock")
	list, ok := decision(h, "allowlist")
	if !mock.OK || mock.Source != "orders.toml:2" || !ok || list.OK || h.Address != "" || h.Status != 201 {
		t.Errorf("hop %+v", h)
	}
	if a := m.do(`{"url":"http://api.example.com/orders/7"}`); a.kind() != "forbidden_destination" {
		t.Errorf("the scheme is checked before the mocks: %s", a.raw)
	}
}

func TestMockDelay(t *testing.T) {
	mocks, err := egress.ParseMocks([]byte(mockFile), "m")
	if err != nil {
		t.Fatal(err)
	}
	const delay = 300 * time.Millisecond
	m := start(t, egress.Config{Policy: egress.Policy{Mocks: mocks}, Clock: nudged{held(), delay, delay}})
	a := m.do(`{"url":"https://api.example.com/slow"}`)
	if a.OK == nil || a.OK.Status != 204 || m.answers()[0].Took != delay {
		t.Errorf("after %v: %s", m.answers()[0].Took, a.raw)
	}
	m = start(t, egress.Config{Policy: egress.Policy{Mocks: mocks}, Clock: nudged{held(), delay, delay - time.Millisecond}})
	if a := m.do(`{"url":"https://api.example.com/slow","timeout_ms":299}`); a.kind() != "timeout" {
		t.Errorf("a delay counts in timeout_ms: %s", a.raw)
	}
}

func TestMockFileErrors(t *testing.T) {
	const u = "url = \"https://a.example/\"\n"
	for _, c := range []struct{ src, want string }{
		{"[[mock]]\n" + u + "[[mock]\n", "m.toml:3:"},
		{"[[mock]]\n", "m.toml:1:3: this mock has no url"},
		{"url = 1\n[[mock]]\n", "m.toml:1:1: url stands before the first [[mock]]"},
		{"[mocks]\n", "m.toml:1:2: a mock file has [[mock]] tables alone, and [mocks] is none"},
		{"[[mock]]\n" + u + "stats = 200\n", `m.toml:3:1: unknown key "stats". Did you mean status?`},
		{"[[mock]]\n" + u + "q = 200\n", `m.toml:3:1: unknown key "q". The keys of a mock are method, url`},
		{"[[mock]]\n" + u + "a.b = 200\n", `m.toml:3:1: unknown key "a.b"`},
		{"[[mock]]\n" + u + "status = 99\n", "m.toml:3:1: status is a whole number from 200 to 599"},
		{"[[mock]]\n" + u + "status = \"200\"\n", "m.toml:3:1: status is a whole number"},
		{"[[mock]]\n" + u + "times = 0\n", "m.toml:3:1: times is a whole number from 1"},
		{"[[mock]]\n" + u + "  delay_ms = -1\n", "m.toml:3:3: delay_ms is a whole number"},
		{"[[mock]]\n" + u + "method = \"get\"\n", "m.toml:3:1: method is one of GET"},
		{"[[mock]]\nurl = 7\n", "m.toml:2:1: url is a string"},
		{"[[mock]]\nurl = \"/x\"\n", "url has no scheme"},
		{"[[mock]]\n" + u + "json = \"{\"\n", "m.toml:3:1: json is a string with JSON in it, and this one ends inside an object"},
		{"[[mock]]\n" + u + "json = {a=1}\n", "m.toml:3:1: json is a string"},
		{"[[mock]]\n" + u + "base64 = \"*\"\n", "m.toml:3:1: base64 is not base64"},
		{"[[mock]]\n" + u + "text = \"\"\njson = \"1\"\n", "more than one of text, json and base64"},
		{"[[mock]]\n" + u + "error = \"oops\"\n", `m.toml:3:1: "oops" is no error kind; the kinds are invalid_request`},
		{"[[mock]]\n" + u + "error = \"timeout\"\nstatus = 200\n", "m.toml:4:1: status beside error"},
		{"[[mock]]\n" + u + "error = \"timeout\"\ntext = \"\"\n", "m.toml:4:1: text beside error"},
		{"[[mock]]\n" + u + "message = \"x\"\n", "m.toml:3:1: a message belongs to an error"},
		{"[[mock]]\n" + u + "headers = 1\n", "m.toml:3:1: headers is a table"},
		{"[[mock]]\n" + u + "headers = { a = 1 }\n", "m.toml:3:13: header a is a string or a list"},
		{"[[mock]]\n" + u + "headers = { a = [1] }\n", "m.toml:3:13: header a is a string or a list"},
		{"[[mock]]\n" + u + "headers = { \"a b\" = \"1\" }\n", `the header name "a b"`},
		{"[[mock]]\n" + u + "headers = { a = \"x\\ny\" }\n", "the value of header a has the control byte"},
	} {
		mocks, err := egress.ParseMocks([]byte(c.src), "m.toml")
		if err == nil || !strings.HasPrefix(err.Error(), "m.toml:") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %+v, %v, want %s", c.src, mocks, err, c.want)
		}
	}
	if mocks, err := egress.ParseMocks(nil, "m.toml"); err != nil || len(mocks) != 0 {
		t.Errorf("an empty file: %v, %v", mocks, err)
	}
}

// Every kind but abi comes from a request that earns it; abi only from a mock.
func TestErrorKinds(t *testing.T) {
	clk := held()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/loop":
			to(w, 302, "/loop")
		case "/slow":
			clk.Advance(time.Second)
			<-r.Context().Done()
		case "/large":
			_, _ = w.Write(make([]byte, abi.MaxInline+1))
		case "/binary":
			_, _ = w.Write([]byte{0xff})
		case "/bye":
			panic(http.ErrAbortHandler)
		default:
			_, _ = w.Write([]byte("hello"))
		}
	})
	p := s.policy("a.example", "b.example")
	p.Credentials = []egress.Credential{{Origin: "https://b.example", Header: "authorization", Env: "TOKEN", Source: "test"}}
	p.Mocks = []egress.Mock{{URL: "https://m.example/", Kind: abi.ErrAbi, Message: "x"}}
	const a = `{"url":"https://a.example`
	requests := map[abi.ErrorKind]string{
		abi.ErrInvalidRequest:        `{}`,
		abi.ErrHostNotAllowed:        `{"url":"https://c.example/"}`,
		abi.ErrForbiddenDestination:  `{"url":"http://a.example/"}`,
		abi.ErrCredentialHeader:      `{"url":"https://b.example/","headers":{"authorization":"x"}}`,
		abi.ErrCredentialUnavailable: `{"url":"https://b.example/"}`,
		abi.ErrTooManyRedirects:      a + `/loop"}`,
		abi.ErrTimeout:               a + `/slow","timeout_ms":900}`,
		abi.ErrTooLarge:              a + `/large"}`,
		abi.ErrNotText:               a + `/binary"}`,
		abi.ErrWriteBudget:           a + `/","output":{"type":"file","path":"/volume/tmp/x"}}`,
		abi.ErrBadPath:               a + `/","output":{"type":"file","path":"/etc/x"}}`,
		abi.ErrConnection:            a + `/bye"}`,
		abi.ErrAbi:                   `{"url":"https://m.example/"}`,
	}
	for _, kind := range abi.ErrorKinds() {
		m := start(t, egress.Config{Policy: p, Clock: clk, Files: newVolume(0)})
		got := m.do(requests[kind])
		if got.kind() != string(kind) {
			t.Errorf("%s: %s", kind, got.raw)
		}
		breaches, answer := m.breaches(), m.answers()[0]
		if answer.Kind != kind || answer.Message != got.message() || string(answer.Raw) != got.raw {
			t.Errorf("%s: reported %+v", kind, answer)
		}
		if kind == abi.ErrAbi {
			if len(breaches) != 0 {
				t.Errorf("a mock's error is no finding: %+v", breaches)
			}
			continue
		}
		if len(breaches) != 1 || breaches[0].Rule.Group() != "http" || !strings.HasPrefix(fmt.Sprintf("%s: %s", kind, got.message()), breaches[0].Detail) {
			t.Errorf("%s: findings %+v", kind, breaches)
		}
		abi.RuleOf(breaches[0].Rule) // panics when the ledger has no such rule
	}
}

func FuzzParseMocks(f *testing.F) {
	f.Add([]byte(mockFile))
	f.Add([]byte("[[mock]]\nurl = \"*\"\nheaders.a = [\"b\"]\n[mock.headers]\n"))
	f.Add([]byte("mock = [{url = \"https://a.example/\"}]\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		mocks, err := egress.ParseMocks(src, "m.toml")
		if err != nil && (mocks != nil || !strings.HasPrefix(err.Error(), "m.toml:")) {
			t.Errorf("%q: %v, %v", src, mocks, err)
		}
		for _, m := range mocks {
			if m.URL == "" || (m.Status == 0) == (m.Kind == "") || !strings.HasPrefix(m.Source, "m.toml:") {
				t.Errorf("%q: %+v", src, m)
			}
		}
	})
}
