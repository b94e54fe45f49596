package egress_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"perch/engine/clock"
	"perch/engine/egress"
	"perch/engine/event"
)

// forwarder is a module whose exports request and read_response call the
// imports of the same names, with a memory of 32 pages.
var forwarder = []byte("\x00asm\x01\x00\x00\x00" +
	"\x01\x07\x01\x60\x02\x7f\x7f\x01\x7f" +
	"\x02\x33\x02\x0bsubako_http\x07request\x00\x00\x0bsubako_http\x0dread_response\x00\x00" +
	"\x03\x03\x02\x00\x00" +
	"\x05\x03\x01\x00\x20" +
	"\x07\x24\x03\x06memory\x02\x00\x07request\x00\x02\x0dread_response\x00\x03" +
	"\x0a\x13\x02\x08\x00\x20\x00\x20\x01\x10\x00\x0b\x08\x00\x20\x00\x20\x01\x10\x01\x0b")

var runtime = sync.OnceValues(func() (wazero.Runtime, error) {
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	return r, egress.Instantiate(ctx, r)
})

// module is the forwarder, served by one client.
type module struct {
	t      *testing.T
	client *egress.Client
	mod    api.Module
	ctx    context.Context
	events []event.Body
}

// start makes a client of cfg and a module that it serves.
func start(t *testing.T, cfg egress.Config) *module {
	t.Helper()
	r, err := runtime()
	if err != nil {
		t.Fatal(err)
	}
	m := &module{t: t}
	emit := cfg.Emit
	cfg.Emit = func(b event.Body) {
		m.events = append(m.events, b)
		if emit != nil {
			emit(b)
		}
	}
	if cfg.Resolver == nil {
		cfg.Resolver = names{}
	}
	if cfg.Getenv == nil {
		cfg.Getenv = func(string) string { return "" }
	}
	m.client = egress.New(cfg)
	t.Cleanup(m.client.Close)
	m.ctx = egress.NewContext(context.Background(), m.client)
	m.mod, err = r.InstantiateWithConfig(m.ctx, forwarder, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.mod.Close(context.Background()) })
	return m
}

func (m *module) call(name string, ptr, n uint32) int32 {
	m.t.Helper()
	res, err := m.mod.ExportedFunction(name).Call(m.ctx, uint64(ptr), uint64(n))
	if err != nil {
		m.t.Fatalf("%s: %v", name, err)
	}
	return api.DecodeI32(res[0])
}

// request puts raw at address 16 and sends it.
func (m *module) request(raw string) int32 {
	m.t.Helper()
	if need := len(raw) + 16; uint64(need) > uint64(m.mod.Memory().Size()) {
		m.mod.Memory().Grow(uint32(need>>16) + 1)
	}
	m.mod.Memory().Write(16, []byte(raw))
	return m.call("request", 16, uint32(len(raw)))
}

// answer is the JSON that a module reads.
type answer struct {
	raw string
	OK  *struct {
		Status  int
		Headers map[string]string
		Body    struct {
			Type, Path string
			Text       *string
			Bytes      *int64
		}
	}
	Error *struct{ Kind, Message string }
}

func (a answer) kind() string {
	if a.Error == nil {
		return "ok"
	}
	return a.Error.Kind
}

func (a answer) message() string {
	if a.Error == nil {
		return ""
	}
	return a.Error.Message
}

func (a answer) text() string {
	if a.OK == nil || a.OK.Body.Text == nil {
		return "no text"
	}
	return *a.OK.Body.Text
}

// do sends raw and reads the answer.
func (m *module) do(raw string) answer {
	m.t.Helper()
	n := m.request(raw)
	if n < 0 {
		m.t.Fatalf("request returned %d", n)
	}
	if got := m.call("read_response", 1<<20, uint32(n)); got != 0 {
		m.t.Fatalf("read_response returned %d", got)
	}
	b, _ := m.mod.Memory().Read(1<<20, uint32(n))
	a := answer{raw: string(b)}
	d := json.NewDecoder(strings.NewReader(a.raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&a); err != nil || (a.OK == nil) == (a.Error == nil) {
		m.t.Fatalf("the answer %s: %v", a.raw, err)
	}
	return a
}

func (m *module) hops() []event.HTTPHop         { return bodies[event.HTTPHop](m) }
func (m *module) answers() []event.HTTPAnswer   { return bodies[event.HTTPAnswer](m) }
func (m *module) requests() []event.HTTPRequest { return bodies[event.HTTPRequest](m) }
func (m *module) reads() []event.HTTPRead       { return bodies[event.HTTPRead](m) }
func (m *module) breaches() []event.Breach      { return bodies[event.Breach](m) }

func bodies[T event.Body](m *module) []T {
	var list []T
	for _, b := range m.events {
		if x, ok := b.(T); ok {
			list = append(list, x)
		}
	}
	return list
}

// lastHop is the hop reported last.
func (m *module) lastHop() event.HTTPHop {
	m.t.Helper()
	hops := m.hops()
	if len(hops) == 0 {
		m.t.Fatal("no hop was reported")
	}
	return hops[len(hops)-1]
}

func (m *module) wantRules(want ...string) {
	m.t.Helper()
	var got []string
	for _, b := range m.breaches() {
		got = append(got, string(b.Rule))
	}
	if !slices.Equal(got, want) {
		m.t.Errorf("findings %q, want %q", got, want)
	}
}

// decision finds the last decision of a check in a hop.
func decision(h event.HTTPHop, check string) (event.Decision, bool) {
	for _, d := range slices.Backward(h.Decisions) {
		if d.Check == check {
			return d, true
		}
	}
	return event.Decision{}, false
}

// authority is a certificate authority for the test's servers.
type authority struct {
	pem  []byte
	leaf tls.Certificate
}

var testCA = sync.OnceValues(func() (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	ca := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, ca, ca, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "test server"},
		NotBefore: ca.NotBefore, NotAfter: ca.NotAfter,
		DNSNames: []string{"a.example", "b.example", "api.example.com"},
	}
	leafDER, err := x509.CreateCertificate(rand.Reader, leaf, ca, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	return &authority{
		pem:  pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		leaf: tls.Certificate{Certificate: [][]byte{leafDER}, PrivateKey: key},
	}, nil
})

// server is a TLS server on loopback.
type server struct {
	addr netip.AddrPort
	ca   []byte
}

func serve(t *testing.T, handler http.HandlerFunc) *server {
	t.Helper()
	ca, err := testCA()
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(handler)
	s.TLS = &tls.Config{Certificates: []tls.Certificate{ca.leaf}}
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	return &server{netip.MustParseAddrPort(s.Listener.Addr().String()), ca.pem}
}

// policy allows and routes the hosts, each "host" or "host:port", to s.
func (s *server) policy(hosts ...string) egress.Policy {
	p := egress.Policy{RouteCA: s.ca}
	for _, h := range hosts {
		p.Allow = append(p.Allow, egress.HostRule{Text: h, Source: "flag --allow"})
		host, port, _ := strings.Cut(h, ":")
		n, _ := strconv.ParseUint(port, 10, 16) // none: 0
		p.Routes = append(p.Routes, egress.Route{Host: host, Port: uint16(n), Addr: s.addr, Source: "flag --route"})
	}
	return p
}

// names is a resolver with a fixed list, which notes nothing.
type names map[string][]netip.Addr

func (n names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if addrs, ok := n[host]; ok {
		return addrs, nil
	}
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

// noDial fails the test when anything is dialled.
func noDial(t *testing.T) egress.Dial {
	return func(_ context.Context, _, address string) (net.Conn, error) {
		t.Errorf("%s was dialled", address)
		return nil, io.ErrClosedPipe
	}
}

// held is a clock that stands still until a test moves it.
func held() *clock.Manual {
	return clock.NewManual(time.Unix(1_700_000_000, 0))
}

// quote writes s as a JSON string.
func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// volume is a file system in memory.
type volume struct {
	mu     sync.Mutex
	files  map[string][]byte
	budget int
	opened []string
	open   int
}

func newVolume(budget int) *volume { return &volume{files: map[string][]byte{}, budget: budget} }

func (v *volume) OpenBody(path string) (egress.File, int64, error) {
	b, ok := v.files[path]
	if !ok {
		return nil, 0, &egress.PathError{Path: path, Why: "there is no such file"}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.opened = append(v.opened, path)
	v.open++
	return &volumeFile{strings.NewReader(string(b)), v}, int64(len(b)), nil
}

func (v *volume) CheckOutput(path string) error {
	if strings.HasPrefix(path, "/volume/data/") {
		return &egress.PathError{Path: path, Why: "/volume/data is not enabled"}
	}
	return nil
}

func (v *volume) CreateOutput(path string) (egress.Output, error) {
	if strings.HasSuffix(path, "/folder") {
		return nil, &egress.PathError{Path: path, Why: "this is a folder"}
	}
	v.files[path] = nil
	return &volumeOutput{v, path}, nil
}

type volumeFile struct {
	io.Reader
	v *volume
}

func (f *volumeFile) Close() error {
	f.v.mu.Lock()
	defer f.v.mu.Unlock()
	f.v.open--
	return nil
}

type volumeOutput struct {
	v    *volume
	path string
}

func (o *volumeOutput) Write(p []byte) (int, error) {
	if len(p) > o.v.budget {
		return 0, egress.ErrBudget
	}
	o.v.budget -= len(p)
	o.v.files[o.path] = append(o.v.files[o.path], p...)
	return len(p), nil
}

func (o *volumeOutput) Close() error { return nil }

// everything writes all events as text.
func everything(m *module) string {
	var b strings.Builder
	for _, e := range m.events {
		fmt.Fprintf(&b, "%+v\n", e)
		if a, ok := e.(event.HTTPAnswer); ok {
			fmt.Fprintf(&b, "%s\n", a.Raw)
		}
	}
	return b.String()
}

// closedPort is an address on loopback at which nothing listens.
func closedPort(t *testing.T) netip.AddrPort {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return netip.MustParseAddrPort(l.Addr().String())
}

// nudged is a clock that moves by a given time when someone begins to wait for
// a certain time.
type nudged struct {
	*clock.Manual
	wait, by time.Duration
}

func (n nudged) After(d time.Duration) (<-chan struct{}, func()) {
	passed, release := n.Manual.After(d)
	if d == n.wait {
		n.Advance(n.by)
	}
	return passed, release
}
