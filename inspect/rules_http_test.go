package inspect_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"perch/engine/abi"
	"perch/engine/settings"
)

// host is the one that packages of these cases may ask.
const host = "api.example.com"

// httpPairs are the rules of subako_http. Nothing leaves the machine: mocks
// answer, or a server of the test's own behind --route.
func httpPairs() []pair {
	const orders = "https://" + host + "/orders"
	plain := mock("/orders", `text = "ok"`)
	return []pair{
		{abi.HTTPMisuse, caseOf("http_misuse"), mocked(plain, "200", asks(orders, ""))},
		{abi.HTTPUnread, caseOf("http_unread"), mocked(plain, "200", asksOnly(orders)+"read "+asks(orders, ""))},
		{abi.HTTPRequestSize, caseOf("http_size"), mocked(plain, "200", exactRequest(orders, abi.MaxRequest))},
		{abi.HTTPInvalidRequest, caseOf("http_invalid"), mocked(plain, "200", asks(orders, `,"timeout_ms":5000,"method":"OPTIONS","headers":{"x-a":""}`))},
		{abi.HTTPHostNotAllowed, caseOf("http_host"), mocked(plain, "200", asks("https://API.example.com:443/orders", ""))},
		{abi.HTTPForbiddenDestination, leadsTo("https://10.0.0.1/", "forbidden_destination"), leadsTo("/end", `"text":"end"`)},
		{abi.HTTPCredentialHeader, caseOf("http_header"), credential("authorization", "PATH", asks(orders, `,"headers":{"accept":"a/b"}`))},
		{abi.HTTPCredentialUnavailable, caseOf("http_credential"), credential("x-path", "PATH", asks(orders, ""))},
		{abi.HTTPRedirects, hops(abi.MaxHops+1, "too_many_redirects"), hops(abi.MaxHops, `"text":"end"`)},
		{abi.HTTPTimeout, caseOf("http_timeout"), mocked(mock("/slow", "delay_ms = 250", `text = "at last"`), "at last", asks("https://"+host+"/slow", `,"timeout_ms":5000`))}, // on the clock of these tests
		{abi.HTTPTooLarge, body(strings.Repeat("x", abi.MaxInline+1), "too_large"), body(strings.Repeat("x", abi.MaxInline), `"status":200`)},
		{abi.HTTPNotText, body("caf\xe9", "not_text"), body("café", "café")},
		{abi.HTTPWriteBudget, caseOf("http_budget"), mocked(plain, `"bytes":2`, `open '/volume/tmp/big.bin' rwc size 1073741822 `+
			asks(orders, `,"output":{"type":"file","path":"/volume/tmp/orders.json"}`)+` size 0`)},
		{abi.HTTPBadPath, caseOf("http_path"), mocked(plain, `"bytes":2`, asks(orders, `,"output":{"type":"file","path":"/volume/tmp/new/orders.json"}`))},
		{abi.HTTPConnection, cut(9, `"connection"`), cut(8, `"text":"one half"`)},
		{abi.HTTPHeaderDropped, caseOf("http_dropped"), mocked(plain, "200", asks(orders, `,"headers":{"x-host":"a","content-type":"a/b"}`))},
	}
}

// asks is a script that makes a request and says what came of it.
func asks(url, members string) string {
	return fmt.Sprintf(`http '{"url":"%s"%s}' say '$answer'`, url, members)
}

// asksOnly makes a request and does not read its answer.
func asksOnly(url string) string { return fmt.Sprintf(`request '{"url":"%s"}' `, url) }

// exactRequest asks with a request of n bytes.
func exactRequest(url string, n int) string {
	around := len(fmt.Sprintf(`{"url":"%s","method":"POST","body":{"type":"text","text":""}}`, url))
	return asks(url, fmt.Sprintf(`,"method":"POST","body":{"type":"text","text":"${%d:x}"}`, n-around))
}

// mock is an answer to requests for this path.
func mock(path string, members ...string) string {
	return fmt.Sprintf("[[mock]]\nurl = \"https://%s%s\"\n%s\n", host, path, strings.Join(members, "\n"))
}

func mocked(mocks, text, ops string) trial {
	c := says(text, ops).with(settings.Flags{Allow: []string{host}})
	c.mocks = mocks
	return c
}

// credential is a request to an origin that wants a header with what a
// variable holds; PATH is one that is set everywhere.
func credential(header, variable, ops string) trial {
	c := mocked(mock("/orders", `text = "ok"`), "200", ops)
	c.flags.Credential = []string{"https://" + host + "=" + header + ":env:" + variable}
	return c
}

// served is a request for /0 to a server of the test's own.
func served(text string, handler http.HandlerFunc) trial {
	c := says(text, asks("https://"+host+"/0", "")).with(settings.Flags{Allow: []string{host}})
	c.server = func(t *testing.T, f *settings.Flags) {
		addr, ca := serve(t, handler)
		f.Route, f.CA = []string{host + "=" + addr}, &ca
	}
	return c
}

func body(text, want string) trial {
	return served(want, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("content-type", "text/plain")
		io.WriteString(w, text)
	})
}

// leadsTo redirects once.
func leadsTo(location, want string) trial {
	c := served(want, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/0" {
			w.Header().Set("location", location)
			w.WriteHeader(http.StatusFound)
			return
		}
		io.WriteString(w, "end")
	})
	c.flags.Allow = append(c.flags.Allow, "10.0.0.1") // the address is refused all the same
	return c
}

// hops redirects n times.
func hops(n int, want string) trial {
	return served(want, func(w http.ResponseWriter, r *http.Request) {
		at, _ := strconv.Atoi(r.URL.Path[1:])
		if at < n {
			w.Header().Set("location", fmt.Sprintf("/%d", at+1))
			w.WriteHeader(http.StatusFound)
			return
		}
		io.WriteString(w, "end")
	})
}

// cut sends 8 bytes and says that it sends n.
func cut(n int, want string) trial {
	return served(want, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("content-length", strconv.Itoa(n))
		io.WriteString(w, "one half")
	})
}

// serve starts a TLS server and returns its address and the file of the
// certificate to trust.
func serve(t *testing.T, handler http.HandlerFunc) (addr, ca string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	cert := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test server"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
		DNSNames: []string{host},
	}
	der, err := x509.CreateCertificate(rand.Reader, cert, cert, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(handler)
	s.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	ca = filepath.Join(t.TempDir(), "ca.pem")
	write(t, ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	return s.Listener.Addr().String(), ca
}
