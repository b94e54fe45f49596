package egress_test

import (
	"net/http"
	"strings"
	"testing"

	"perch/engine/egress"
)

func hello(w http.ResponseWriter, r *http.Request) {
	w.Header()["Date"] = nil
	w.Header().Set("Content-Type", "text/plain")
	_, _ = w.Write([]byte("hello"))
}

const helloAnswer = `{"ok":{"status":200,"headers":{"content-length":"5","content-type":"text/plain"},"body":{"type":"inline","text":"hello"}}}`

func TestFunctions(t *testing.T) {
	const i32 = 0x7f
	for i, name := range []string{"request", "read_response"} {
		f := egress.Functions()[i]
		if f.Name != name || string(f.Params) != string([]byte{i32, i32}) || string(f.Results) != string([]byte{i32}) {
			t.Errorf("function %d is %+v", i, f)
		}
	}
}

func TestRequestAndRead(t *testing.T) {
	s := serve(t, hello)
	var wrote [][]byte
	var calls []string
	m := start(t, egress.Config{
		Policy:   s.policy("a.example"),
		Wrote:    func(_ uint32, b []byte) { wrote = append(wrote, append([]byte(nil), b...)) },
		Called:   func(name string) { calls = append(calls, name) },
		Returned: func(name string, n int32) { calls = append(calls, name+" returned") },
	})
	a := m.do(`{"url":"https://a.example/"}`)
	if a.raw != helloAnswer {
		t.Errorf("the module read %s", a.raw)
	}
	if len(wrote) != 1 || string(wrote[0]) != a.raw {
		t.Errorf("reported as written: %q", wrote)
	}
	if got := strings.Join(calls, ", "); got != "request, request returned, read_response, read_response returned" {
		t.Errorf("calls: %s", got)
	}
	if m.client.Requests() != 1 || len(m.requests()) != 1 || len(m.answers()) != 1 || len(m.hops()) != 1 {
		t.Errorf("%d requests, events %T", m.client.Requests(), m.events)
	}
	r := m.reads()
	if len(r) != 1 || r[0].ID != 1 || r[0].Return != 0 || r[0].Func != "read_response" {
		t.Errorf("reads: %+v", r)
	}
	m.wantRules()
}

func TestMisuse(t *testing.T) {
	s := serve(t, hello)
	size := uint32(len(helloAnswer))
	const end = 32 << 16
	type step struct {
		fn     string
		ptr, n uint32
		want   int32
	}
	request := `{"url":"https://a.example/"}`
	good := step{"request", 16, uint32(len(request)), int32(size)}
	for name, steps := range map[string][]step{
		"read before any request":       {{"read_response", 0, 0, -2}, {"read_response", 0, 100, -2}},
		"no answer before a bad range":  {{"read_response", end, 100, -2}},
		"one byte more, then right":     {good, {"read_response", 0, size + 1, -3}, {"read_response", 0, size, 0}},
		"one byte less, then right":     {good, {"read_response", 0, size - 1, -3}, {"read_response", 0, size, 0}},
		"length before a bad range":     {good, {"read_response", end, size + 1, -3}},
		"negative length":               {good, {"read_response", 0, 1 << 31, -3}},
		"range, then right":             {good, {"read_response", end - size + 1, size, -1}, {"read_response", end - size, size, 0}},
		"read twice":                    {good, {"read_response", 0, size, 0}, {"read_response", 0, size, -2}},
		"request past the end":          {{"request", 0xFFFFFFF0, 64, -1}, {"request", end - 63, 64, -1}},
		"request of negative length":    {{"request", 16, 0xFFFFFFFF, -1}, {"request", 0, 0x80000000, -1}},
		"a bad request keeps an answer": {good, {"request", end, 64, -1}, {"read_response", 0, size, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			m := start(t, egress.Config{Policy: s.policy("a.example")})
			m.mod.Memory().Write(16, []byte(request))
			misuses := 0
			for _, st := range steps {
				if got := m.call(st.fn, st.ptr, st.n); got != st.want {
					t.Fatalf("%s(0x%x, %d) = %d, want %d", st.fn, st.ptr, int32(st.n), got, st.want)
				}
				if st.want >= 0 {
					continue
				}
				misuses++
				reads, breaches := m.reads(), m.breaches()
				last := reads[len(reads)-1]
				if last.Func != st.fn || last.Ptr != st.ptr || last.Len != st.n || last.Return != st.want {
					t.Errorf("reported %+v", last)
				}
				if len(breaches) != misuses || breaches[misuses-1].Rule != "http/misuse" {
					t.Errorf("findings %+v", breaches)
				}
			}
		})
	}
}

func TestMemoryGrowsBetweenTheCalls(t *testing.T) {
	s := serve(t, hello)
	m := start(t, egress.Config{Policy: s.policy("a.example")})
	n := m.request(`{"url":"https://a.example/"}`)
	before := m.mod.Memory().Size()
	if _, ok := m.mod.Memory().Grow(1); !ok {
		t.Fatal("the memory does not grow")
	}
	if got := m.call("read_response", before, uint32(n)); got != 0 {
		t.Errorf("read_response into the new page = %d", got)
	}
	if b, _ := m.mod.Memory().Read(before, uint32(n)); string(b) != helloAnswer {
		t.Errorf("the new page holds %s", b)
	}
}

func TestAnswerThatIsReplaced(t *testing.T) {
	s := serve(t, hello)
	m := start(t, egress.Config{Policy: s.policy("a.example")})
	m.request(`{"url":"https://a.example/1"}`)
	m.request(`{}`)
	r := m.reads()
	if len(r) != 1 || r[0].Unread != 1 || r[0].ID != 2 || r[0].Func != "request" {
		t.Errorf("reads: %+v", r)
	}
	if a := m.do(`{"url":"https://a.example/3"}`); a.raw != helloAnswer {
		t.Errorf("the module read %s", a.raw)
	}
	m.wantRules("http/invalid-request", "http/unread", "http/unread")
}

func TestMute(t *testing.T) {
	m := start(t, egress.Config{Policy: egress.Policy{Mocks: []egress.Mock{{URL: "*", Status: 200}}}, Dial: noDial(t)})
	m.client.Mute("the verdict has fallen")
	a := m.do(`{"url":"https://a.example/"}`)
	if a.kind() != "connection" || !strings.Contains(a.message(), "the verdict has fallen") {
		t.Errorf("the module read %s", a.raw)
	}
	m.wantRules()
}

func TestUploadRunHasNoNetwork(t *testing.T) {
	m := start(t, egress.Config{Dial: noDial(t), Policy: egress.Policy{
		NoNetwork: "the upload run has no network", Allow: []egress.HostRule{{Text: "a.example"}},
		Mocks: []egress.Mock{{URL: "*", Status: 200}},
	}})
	a := m.do(`{"url":"https://a.example/x"}`)
	if a.kind() != "host_not_allowed" || a.message() != "a.example is not reached: the upload run has no network" {
		t.Errorf("the module read %s", a.raw)
	}
	if h := m.lastHop(); h.URL != "https://a.example/x" || h.Address != "" || h.Status != 0 {
		t.Errorf("hop %+v", h)
	}
	if a := m.do(`{"url":7}`); a.kind() != "invalid_request" {
		t.Errorf("the form is still checked first: %s", a.raw)
	}
	m.wantRules("list/sandbox", "http/invalid-request")
}

func TestRefusedRequestIsShown(t *testing.T) {
	m := start(t, egress.Config{})
	raw := `{"method":"PUT","url":"https://a.example/","nope":1}`
	m.do(raw)
	r := m.requests()
	if len(r) != 1 || string(r[0].Raw) != raw || r[0].URL != "https://a.example/" || r[0].Method != "PUT" {
		t.Errorf("request event %+v", r)
	}
	h := m.lastHop()
	if d, ok := decision(h, "form"); !ok || d.OK || !strings.Contains(d.What, `"nope"`) {
		t.Errorf("hop %+v", h)
	}
	b := m.breaches()
	if len(b) != 1 || b[0].Where.Pointer != "/nope" || b[0].Where.Offset != int64(strings.Index(raw, `"nope"`)) || b[0].Where.Name != "subako_http.request" {
		t.Errorf("findings %+v", b)
	}
}
