package stream_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/record"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/stream"
	"perch/ui/uitest"
)

// tape makes a run by hand.
type tape struct {
	*record.Record
	run  uint32
	seq  uint64
	tick uint64
	off  map[event.Stream]int64
	line map[event.Stream]int
}

func newTape() *tape {
	return &tape{Record: record.New(record.DefaultLimits()), run: 1, off: map[event.Stream]int64{}, line: map[event.Stream]int{}}
}

func (t *tape) at(ms float64, b event.Body) {
	t.tick += 137
	t.Append(event.Event{Run: t.run, Seq: t.seq, Time: time.Duration(ms * float64(time.Millisecond)), Tick: t.tick, Body: b})
	t.seq++
}

func (t *tape) request(ms float64, method, id, line string) {
	t.line[event.Stdin]++
	b := []byte(line + "\n")
	t.at(ms, event.Request{Line: t.line[event.Stdin], Offset: t.off[event.Stdin], Bytes: b, ID: id, Method: method})
	t.off[event.Stdin] += int64(len(b))
}

// write is one fd_write of text, with what Subako makes of its lines.
func (t *tape) write(ms float64, s event.Stream, text string, then ...event.Body) {
	fd := uint64(1)
	if s == event.Stderr {
		fd = 2
	}
	t.at(ms, event.WASI{Func: "fd_write", Args: []uint64{fd, 0x1f40, 1, 0x1f80}, Out: []uint64{uint64(len(text))}, Count: 1})
	t.at(ms, event.Output{Stream: s, Offset: t.off[s], Bytes: []byte(text)})
	at := t.off[s]
	t.off[s] += int64(len(text))
	for _, b := range then {
		if m, ok := b.(event.Message); ok {
			t.line[s]++
			line, _, found := strings.Cut(text, "\n")
			m.Line, m.Offset, m.Len, m.Newline = t.line[s], at, len(line), found
			at += int64(len(line)) + 1
			text = text[min(len(line)+1, len(text)):]
			b = m
		}
		if x, ok := b.(event.Breach); ok && x.Where.Line == 0 {
			x.Where = event.Where{Stream: s, Line: t.line[s], Offset: t.off[s] - int64(x.Where.End), End: t.off[s] - 1}
			b = x
		}
		t.at(ms, b)
	}
}

func mounts() []event.Mount {
	return []event.Mount{{FD: 3, Guest: "/volume/tmp"}, {FD: 4, Guest: "/package", ReadOnly: true}}
}

func begin(kind event.RunKind, tool string) event.Begin {
	return event.Begin{Kind: kind, Tool: tool, Engine: "compiler", Started: time.Date(2026, 12, 1, 14, 3, 7, 0, time.UTC),
		Mounts: mounts(), Timeout: abi.LocalTimeout, Memory: abi.LocalMemory, Budget: abi.WriteBudget}
}

const discover = `{"jsonrpc":"2.0","id":"d-5f0c1a","method":"server/discover","params":{}}`

// uploaded is an upload run that went well.
func uploaded() *tape {
	t := newTape()
	t.at(0, begin(event.Upload, ""))
	t.request(0.1, "server/discover", `"d-5f0c1a"`, discover)
	t.write(3, event.Stdout, `{"jsonrpc":"2.0","id":"d-5f0c1a","result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}}`+"\n",
		event.Message{Kind: event.Result, ID: `"d-5f0c1a"`, Answers: 1})
	t.request(3.1, "tools/list", "41", `{"jsonrpc":"2.0","id":41,"method":"tools/list","params":{}}`)
	t.write(5, event.Stdout, `{"jsonrpc":"2.0","id":41,"result":{"tools":[{"name":"greet","description":"Greet someone by name.","inputSchema":{"type":"object"}},{"name":"shout","inputSchema":{"type":"object"}}]}}`+"\n",
		event.Message{Kind: event.Result, ID: "41", Answers: 2})
	t.at(5.1, event.StdinClosed{})
	code := uint32(0)
	t.at(6, event.Exit{Code: &code, AfterEOF: time.Millisecond})
	t.at(6, event.End{Outcome: event.OK, Usage: event.Usage{Time: 6 * time.Millisecond, Stdout: 300}})
	return t
}

// broken is the call of the mock-ups: a log line on stdout.
func broken() *tape {
	t := newTape()
	t.at(0, begin(event.Call, "bar"))
	t.request(0.1, "tools/call", `"call-7be2"`, `{"jsonrpc":"2.0","id":"call-7be2","method":"tools/call","params":{"name":"bar","arguments":{"points":[3,5,8,13,9,4],"theme":"dark"}}}`)
	t.at(0.5, event.Memory{From: 1 << 20, To: 3 << 19})
	t.write(1, event.Stderr, "charts: 6 points\n")
	t.write(2, event.Stdout, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1,"total":3}}`+"\n",
		event.Message{Kind: event.Notification, Method: "notifications/progress"})
	t.write(3, event.Stderr, "charts: theme dark\n")
	t.write(4, event.Stdout, "rendering bar\n",
		event.Message{Kind: event.NotMessage, What: "a log line"},
		event.Breach{Rule: abi.FrameJSON, Detail: `not JSON: begins with "r", a log line`, Fix: `print logs to stderr: fmt.Fprintln(os.Stderr, "rendering bar")`,
			Where: event.Where{End: 14}, Stack: []event.Frame{{Name: "syscall.Write", File: "fs_wasip1.go", Line: 900}, {Name: "fmt.Fprintln", File: "print.go", Line: 306}, {Name: "main.bar", File: "main.go", Line: 69}}},
		event.Verdict{Outcome: event.Broken, Rule: abi.FrameJSON})
	t.at(5, event.Exit{Stopped: "the verdict had fallen", AfterEOF: -1})
	t.at(5, event.End{Outcome: event.Broken, Usage: event.Usage{Time: 5 * time.Millisecond}})
	return t
}

func header(name, value string) event.Header { return event.Header{Name: name, Value: value} }

// fetched is a call with three requests, one of them refused.
func fetched() *tape {
	t := newTape()
	t.at(0, begin(event.Call, "create"))
	t.at(12, event.HTTPRequest{ID: 1, Raw: []byte(`{"url":"https://api.example.com/orders","method":"POST","body":"{}"}`), Method: "POST", URL: "https://api.example.com/orders", Body: []byte("{}")})
	t.at(80, event.HTTPHop{ID: 1, Hop: 1, Method: "POST", URL: "https://api.example.com/orders", Status: 201, Address: "203.0.113.7:443", BodyBytes: 13,
		Decisions: []event.Decision{{Check: "form", OK: true, What: "method, url, headers fit"}, {Check: "allowlist", OK: true, What: "api.example.com", Source: "flag --allow"}}})
	t.at(86, event.HTTPAnswer{ID: 1, Status: 201, Raw: []byte(`{"ok":{"status":201,"headers":{},"body":"{\"id\":1042}"}}`), Body: []byte(`{"id":1042}`), Bytes: 11, Took: 74 * time.Millisecond})
	t.at(87, event.HTTPRead{ID: 1, Func: "read_response", Ptr: 0x10f3c, Len: 60, Return: 60})
	const track = "https://api.example.com/orders/1042/track"
	t.at(90, event.HTTPRequest{ID: 2, Raw: []byte(`{"url":"` + track + `","headers":{"accept":"application/json"}}`), Method: "GET", URL: track, Headers: []event.Header{header("accept", "application/json")}})
	t.at(108, event.HTTPHop{ID: 2, Hop: 1, Method: "GET", URL: track, Status: 302, Address: "203.0.113.7:443", Location: "https://cdn.example.com/t/1042",
		FirstByte: 18 * time.Millisecond, Sent: []event.Header{header("accept", "application/json"), {Name: "authorization", Hidden: true}},
		Decisions: []event.Decision{{Check: "form", OK: true, What: "method, url, headers fit"}, {Check: "allowlist", OK: true, What: "api.example.com", Source: "flag --allow"},
			{Check: "credential", OK: true, What: "authorization set", Source: "value hidden"}, {Check: "address", OK: true, What: "203.0.113.7:443", Source: "public"}}})
	t.at(151, event.HTTPHop{ID: 2, Hop: 2, Method: "GET", URL: "https://cdn.example.com/t/1042", Status: 200, Address: "203.0.113.40:443",
		Headers: []event.Header{header("content-type", "application/json"), header("content-encoding", "gzip")}, Dropped: []string{"authorization"},
		WireBytes: 207, BodyBytes: 412, DNS: 2 * time.Millisecond, Connect: 6 * time.Millisecond, TLS: 9 * time.Millisecond, FirstByte: 20 * time.Millisecond, Body: 6 * time.Millisecond,
		Decisions: []event.Decision{{Check: "allowlist", OK: true, What: "*.example.com", Source: "perch.toml:7"}, {Check: "address", OK: true, What: "203.0.113.40:443", Source: "public"}}})
	t.at(151, event.HTTPAnswer{ID: 2, Status: 200, Raw: []byte(`{"ok":{"status":200}}`), Body: []byte(`{"status":"shipped","items":[1,2,3]}`), Bytes: 412, Took: 61 * time.Millisecond})
	t.at(153, event.HTTPRequest{ID: 3, Raw: []byte(`{"url":"https://rates.example.net/eur"}`), Method: "GET", URL: "https://rates.example.net/eur"})
	t.at(153, event.HTTPHop{ID: 3, Hop: 1, Method: "GET", URL: "https://rates.example.net/eur",
		Decisions: []event.Decision{{Check: "form", OK: true, What: "method, url, headers fit"}, {Check: "allowlist", What: "rates.example.net is not in this function's network allowlist"}}})
	t.at(153, event.HTTPAnswer{ID: 3, Kind: abi.ErrHostNotAllowed, Message: "rates.example.net is not in this function's network allowlist", Raw: []byte(`{"error":{"kind":"host_not_allowed"}}`)})
	t.at(158, event.End{Outcome: event.OK, Usage: event.Usage{Time: 158 * time.Millisecond, HTTP: 3}})
	return t
}

// wrote is a call that makes, changes and removes files.
func wrote() *tape {
	t := newTape()
	t.at(0, begin(event.Call, "digest"))
	file := func(ms float64, f event.FileEffect) {
		t.at(ms, f)
		t.at(ms, event.WASI{Func: "fd_write", Args: []uint64{uint64(f.FD), 0, 0, 0}, Out: []uint64{uint64(f.Bytes)}, Count: 1})
	}
	file(10, event.FileEffect{Op: event.FileOpen, Path: "/package/readme.md", FD: 5})
	file(10.5, event.FileEffect{Op: event.FileRead, Path: "/package/readme.md", FD: 5, Bytes: 4300})
	file(11, event.FileEffect{Op: event.FileCreate, Path: "/volume/tmp/digest.md", FD: 6})
	file(12, event.FileEffect{Op: event.FileWrite, Path: "/volume/tmp/digest.md", FD: 6, Bytes: 30822, Data: []byte("# Digest\n"), Written: 30822})
	file(13, event.FileEffect{Op: event.FileOpen, Path: "/volume/tmp/notes.md", FD: 7})
	file(13, event.FileEffect{Op: event.FileTruncate, Path: "/volume/tmp/notes.md", FD: 7, Written: 30822})
	file(14, event.FileEffect{Op: event.FileWrite, Path: "/volume/tmp/notes.md", FD: 7, Bytes: 204, Data: []byte("# Notes\n- Call Ada at 9:30\r\n"), Written: 31026})
	file(19, event.FileEffect{Op: event.FileWrite, Path: "/volume/tmp/notes.md", FD: 7, Offset: 204, Bytes: 326, Data: []byte("- Buy tea\n"), Written: 31352})
	file(20, event.FileEffect{Op: event.FileRemove, Path: "/volume/tmp/draft.txt"})
	file(21, event.FileEffect{Op: event.FileRefused, Path: "/volume/tmp/../../etc/hosts", Errno: 63, Note: "stayed inside"})
	t.at(30, event.End{Outcome: event.OK})
	return t
}

func look(t testing.TB, theme string, ascii bool) *cell.Look {
	t.Helper()
	th, err := themes.Load(theme)
	if err != nil {
		t.Fatal(err)
	}
	return cell.New(th, cell.Config{ASCII: ascii})
}

// text is rows without styles; each must be exactly w cells.
func text(t testing.TB, rows cell.Block, w, h int) string {
	t.Helper()
	if len(rows) != h {
		t.Fatalf("%d rows, want %d", len(rows), h)
	}
	var b strings.Builder
	for i, r := range rows {
		plain := ansi.Strip(r)
		if got := ansi.StringWidth(r); got != w {
			t.Fatalf("row %d is %d cells, want %d: %q", i, got, w, plain)
		}
		if strings.ContainsFunc(plain, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }) {
			t.Fatalf("row %d lets a control character through: %q", i, plain)
		}
		b.WriteString(strings.TrimRight(plain, " ") + "\n")
	}
	return b.String()
}

// both draws a pane as at 120 cells: list 64 beside detail 55.
func both(t testing.TB, p stream.Pane, k *cell.Look, h int, focused bool) string {
	t.Helper()
	list := p.List(stream.View{Look: k, W: 64, H: h, Focused: focused})
	detail := p.Detail(stream.View{Look: k, W: 55, H: h})
	text(t, list, 64, h)
	text(t, detail, 55, h)
	return text(t, k.Beside("│", list, detail), 120, h)
}

func TestGolden(t *testing.T) {
	type step = func(p stream.Pane)
	do := func(ids ...string) step {
		return func(p stream.Pane) {
			for _, id := range ids {
				if !p.Do(id, false) {
					t.Errorf("%s: %s does nothing", p.Name(), id)
				}
			}
		}
	}
	for _, c := range []struct {
		name string
		make func(stream.Options) stream.Pane
		tape *tape
		h    int
		step step
	}{
		{"wire-upload", stream.NewWire, uploaded(), 17, do()},
		{"wire-broken", stream.NewWire, broken(), 16, do()},
		{"wire-hex", stream.NewWire, broken(), 12, do("tab.next")},
		{"wire-verdict", stream.NewWire, broken(), 12, do("nav.down")},
		{"wire-request", stream.NewWire, broken(), 12, do("nav.top")},
		{"stderr", stream.NewStderr, broken(), 6, do()},
		{"http", stream.NewHTTP, fetched(), 15, do("nav.up")},
		{"http-refused", stream.NewHTTP, fetched(), 14, do()},
		{"http-headers", stream.NewHTTP, fetched(), 14, do("nav.up", "tab.next")},
		{"http-body", stream.NewHTTP, fetched(), 14, do("nav.top", "tab.next", "tab.next")},
		{"http-answer", stream.NewHTTP, fetched(), 12, do("nav.top", "tab.next", "tab.next", "tab.next")},
		{"http-request", stream.NewHTTP, fetched(), 12, do("nav.top", "tab.prev")},
		{"files", stream.NewFiles, wrote(), 12, do("nav.down", "nav.down", "nav.down")},
		{"files-tried", stream.NewFiles, wrote(), 12, do("nav.bottom")},
		{"files-unfolded", stream.NewFiles, wrote(), 14, do("nav.down", "nav.down", "nav.down", "nav.down", "nav.toggle")},
		{"events", stream.NewEvents, broken(), 20, do("nav.up", "nav.up", "nav.up", "nav.up", "nav.up", "nav.up")},
		{"events-kinds", stream.NewEvents, broken(), 14, do("events.kinds", "nav.top")},
		{"findings", stream.NewFindings, broken(), 24, do()},
		{"findings-hex", stream.NewFindings, broken(), 10, do("tab.next")},
		{"findings-kinds", stream.NewFindings, broken(), 8, do("findings.kinds", "findings.kinds", "findings.kinds", "findings.kinds", "nav.down")},
		{"events-wasi", stream.NewEvents, broken(), 14, do("events.kinds", "events.kinds", "events.kinds", "nav.bottom")},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := c.make(stream.Options{ReadFile: func(_ uint32, path string, n int64) ([]byte, int64, error) {
				return []byte("# Notes\n- Call Ada at 9:30\r\n- Buy tea\n"), 39, nil
			}, Before: func(_ uint32, path string) stream.Was {
				return stream.Was{Known: true, There: strings.HasSuffix(path, "notes.md"), Size: 29, Data: []byte("# Notes\n- Call Ada\n- Buy tea\n"), Kept: true}
			}})
			p.SetRun(c.tape.Run(1))
			both(t, p, look(t, "dusk", false), c.h, true) // a tab is chosen of a detail that was drawn
			c.step(p)
			uitest.Golden(t, c.name, both(t, p, look(t, "dusk", false), c.h, true)+
				"\n"+both(t, p, look(t, "mono", true), c.h, false))
		})
	}
}

func TestContract(t *testing.T) {
	digits := ""
	for _, p := range stream.New(stream.Options{}) {
		digits += fmt.Sprint(p.Digit())
		if p.Name() == "" || p.Short() == "" || p.Empty() == "" {
			t.Errorf("pane %d has no name, or nothing to say when it is empty", p.Digit())
		}
		if _, ok := p.Selected(); ok || p.Sync() || p.Do("nav.down", false) {
			t.Errorf("%s does something without a run", p.Name())
		}
	}
	if digits != "45678910" {
		t.Errorf("digits %s", digits)
	}
}
