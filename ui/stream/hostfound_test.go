package stream_test

import (
	"fmt"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/wasi"
	"perch/inspect/record"
	"perch/inspect/rules"
	"perch/ui/stream"
)

// TestPointIntoAnExchange: what was found about HTTP leads to its exchange, and
// to the bytes of the request where they are known; each row says what was
// found about it alone.
func TestPointIntoAnExchange(t *testing.T) {
	tape := newTape()
	tape.at(0, begin(event.Call, "x"))
	const wrong = `{"url":"https://a.example/","timeout":5}`
	tape.at(1, event.HTTPRequest{ID: 1, Raw: []byte(wrong), Method: "GET", URL: "https://a.example/"})
	tape.at(1, event.HTTPAnswer{ID: 1, Kind: abi.ErrInvalidRequest, Message: `"timeout" is no field of a request`})
	tape.at(1, event.Breach{Rule: abi.HTTPInvalidRequest})
	tape.at(2, event.HTTPRequest{ID: 2, Raw: []byte(`{"url":"https://b.example/"}`), Method: "GET", URL: "https://b.example/"})
	for i := range 9 {
		tape.at(2, event.HTTPHop{ID: 2, Hop: i + 1, Method: "GET", URL: fmt.Sprintf("https://h%d.example/", i), Status: 302, Location: "/next",
			Decisions: []event.Decision{{Check: "scheme", What: "https", OK: true}}})
	}
	tape.at(2, event.HTTPHop{ID: 2, Hop: 10, Method: "GET", URL: "https://b.example/", Decisions: []event.Decision{{Check: "allowlist", What: "b.example"}}})
	tape.at(2, event.HTTPAnswer{ID: 2, Kind: abi.ErrHostNotAllowed, Message: "b.example is not in the allowlist"})
	tape.at(2, event.Breach{Rule: abi.HTTPHostNotAllowed})
	tape.at(3, event.End{Outcome: event.OK})
	from := int64(strings.Index(wrong, `"timeout"`))
	form := finding(abi.HTTPInvalidRequest, event.Where{Offset: from, End: from, Pointer: "/timeout"}, 3)
	host := finding(abi.HTTPHostNotAllowed, event.Where{Name: "subako_http.request"}, 16)
	p := stream.NewHTTP(stream.Options{Findings: func(*record.Run) stream.Found {
		return stream.Found{Own: []rules.Finding{form, host}, Version: 1}
	}})
	p.SetRun(tape.Run(1))

	if !p.Point(form) {
		t.Fatal("the request is not here")
	}
	got := view(t, p, 20)
	contains(t, got, "[Request]", `"timeout":5`, "^^^^^^^^^", "what happened at http/invalid-request", "rule        http/invalid-request")
	if strings.Contains(got, "http/host-not-allowed") {
		t.Errorf("the row tells of another request:\n%s", got)
	}
	if f, ok := p.Finding(); !ok || f.Rule != form.Rule {
		t.Errorf("the row is about %q", f.Rule)
	}
	if !p.Point(host) {
		t.Fatal("the second request is not here")
	}
	contains(t, view(t, p, 20), "[Hops 10]", "✗ allowlist", "rule        http/host-not-allowed")
	if f, ok := p.Finding(); !ok || f.Rule != host.Rule {
		t.Errorf("the row is about %q", f.Rule)
	}
	if p.Point(finding(abi.FrameJSON, event.Where{Stream: event.Stdout, Line: 1}, 3)) {
		t.Error("a line of stdout was looked for among the requests")
	}
}

// TestPointAtAFile: what was found about files leads to the attempt that it
// tells of.
func TestPointAtAFile(t *testing.T) {
	tape := newTape()
	b := begin(event.Call, "x")
	b.Mounts = []event.Mount{{Guest: abi.VolumeTmp, FD: 3}}
	tape.at(0, b)
	tape.at(1, event.FileEffect{Op: event.FileCreate, Path: "/volume/tmp/a", FD: 6})
	tape.at(1, event.WASI{Func: "path_open", Args: []uint64{3}})
	tape.at(2, event.FileEffect{Op: event.FileRefused, Path: "/skills/b", Errno: uint16(wasi.EPERM), Note: "/skills is read-only"})
	tape.at(2, event.WASI{Func: "path_open", Args: []uint64{3}, Errno: uint16(wasi.EPERM)})
	tape.at(2, event.Breach{Rule: abi.FilesReadOnly})
	tape.at(3, event.End{Outcome: event.OK})
	f := finding(abi.FilesReadOnly, event.Where{}, 5)
	p := stream.NewFiles(stream.Options{Findings: func(*record.Run) stream.Found {
		return stream.Found{Own: []rules.Finding{f}, Version: 1}
	}})
	p.SetRun(tape.Run(1))
	if !p.Point(f) {
		t.Fatal("the attempt is not here")
	}
	contains(t, view(t, p, 16), "/skills/b", "The attempt answered EPERM", "what happened at files/read-only", "rule        files/read-only")
	if got, ok := p.Finding(); !ok || got.Rule != f.Rule {
		t.Errorf("the row is about %q", got.Rule)
	}
	p.Do("nav.top", false)
	if got, ok := p.Finding(); ok {
		t.Errorf("the mount is said to be about %q", got.Rule)
	}
}
