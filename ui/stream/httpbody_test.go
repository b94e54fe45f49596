package stream_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"
	"time"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/picture"
	"perch/ui/stream"
)

func tiny(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewRGBA(image.Rect(0, 0, 4, 3))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// exchanged is a run of one exchange with these bodies.
func exchanged(sent, came []byte, kind string) *tape {
	tape := newTape()
	tape.at(0, begin(event.Call, "x"))
	tape.at(1, event.HTTPRequest{ID: 1, Raw: []byte(`{"url":"https://a.example/"}`), Method: "POST", URL: "https://a.example/", Body: sent,
		Headers: []event.Header{{Name: "content-type", Value: "application/json"}}})
	tape.at(2, event.HTTPAnswer{ID: 1, Raw: []byte(`{"ok":{}}`), Status: 200, Body: came, Bytes: int64(len(came)), Took: time.Millisecond,
		Headers: []event.Header{{Name: "content-type", Value: kind}}})
	tape.at(2.5, event.HTTPRead{ID: 1, Func: abi.HTTPReadResponse, Return: 9})
	return tape
}

// TestBodiesByType: what went out and what came back are shown as what they
// are, and v shows them another way.
func TestBodiesByType(t *testing.T) {
	drawn := func(p picture.Picture, w, h int) cell.Block {
		return cell.Block{fmt.Sprintf("picture of %d by %d", p.W, p.H)}
	}
	for _, c := range []struct {
		name, kind string
		sent, came []byte
		ways       []string // what v leads to, one after the other
		sees       []string // what is seen in each way, the first one first
	}{
		{"json", "application/json; charset=utf-8", nil, []byte(`{"id":7}`), []string{"text", "hex", "by type"},
			[]string{"application/json · 8 B, decoded", `{"id":7}`, "7b 22 69 64"}},
		{"text", "text/plain", nil, []byte("one\ntwo"), []string{"hex", "text"}, []string{"text/plain · 7 B", "6f 6e 65 0a"}},
		{"picture", "image/png", nil, tiny(t), []string{"hex", "by type"}, []string{"picture of 4 by 3", "89 50 4e 47"}},
		{"said otherwise", "image/jpeg", nil, tiny(t), []string{"hex"}, []string{"image/jpeg · its bytes are PNG, 4×3"}},
		{"cut", "image/png", nil, tiny(t)[:30], []string{"hex"}, []string{"▲ a PNG image that is cut short"}},
		{"bytes", "application/octet-stream", nil, []byte{0xff, 0xfe, 0}, nil, []string{"ff fe 00"}},
		{"both", "application/json", []byte(`{"sent":1}`), []byte(`["came"]`), []string{"text", "hex", "by type"},
			[]string{"sent · application/json · 10 B", `{"sent":1}`, "7b 22 73 65"}},
		{"sent alone", "", []byte("plain"), nil, []string{"hex", "text"}, []string{"The body is empty.", "70 6c 61 69"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := stream.NewHTTP(stream.Options{Picture: drawn})
			p.SetRun(exchanged(c.sent, c.came, c.kind).Run(1))
			v := stream.View{Look: look(t, "dusk", false), W: 80, H: 24}
			p.List(v)
			p.Detail(v)
			p.SetTab(3)
			see := func(i int) {
				t.Helper()
				if got := text(t, p.Detail(v), 80, 24); i < len(c.sees) && !strings.Contains(got, c.sees[i]) {
					t.Errorf("way %d lacks %q:\n%s", i, c.sees[i], got)
				}
			}
			see(0)
			for i, w := range c.ways {
				if got := p.NextWay(); got != w {
					t.Errorf("v would show %q, want %q", got, w)
				}
				p.Do("content.next", true)
				see(i + 1)
			}
			if c.ways == nil && p.NextWay() != "" {
				t.Errorf("v would show %q", p.NextWay())
			}
		})
	}
}

// TestBothBodiesFold: each of two bodies folds on its own.
func TestBothBodiesFold(t *testing.T) {
	p := stream.NewHTTP(stream.Options{})
	p.SetRun(exchanged([]byte(`{"sent":{"deep":1}}`), []byte(`{"came":{"deep":2}}`), "application/json").Run(1))
	v := stream.View{Look: look(t, "dusk", false), W: 80, H: 24}
	p.List(v)
	p.Detail(v)
	p.SetTab(3)
	draw := func() string { return text(t, p.Detail(v), 80, 24) }
	if got := draw(); !strings.Contains(got, `"deep": 1`) || !strings.Contains(got, `"deep": 2`) {
		t.Fatalf("not both:\n%s", got)
	}
	p.Do("nav.bottom", true)
	for range 3 { // from its last bracket to the object within
		p.Do("nav.up", true)
	}
	p.Do("nav.in", true)
	if got := draw(); !strings.Contains(got, `"deep": 1`) || strings.Contains(got, `"deep": 2`) {
		t.Errorf("the second is not folded, or the first is:\n%s", got)
	}
	p.Do("result.fold", true)
	if got := draw(); !strings.Contains(got, `"deep": 1`) {
		t.Errorf("the first is folded by a key in the second:\n%s", got)
	}
}

// TestTimesOfDetails: the times in details of HTTP and files are written as
// those of the rows.
func TestTimesOfDetails(t *testing.T) {
	tape := exchanged(nil, []byte("x"), "")
	tape.at(3, event.FileEffect{Op: event.FileWrite, Path: "/volume/tmp/a", FD: 5, Bytes: 1, Data: []byte("a")})
	tape.at(5, event.FileEffect{Op: event.FileWrite, Path: "/volume/tmp/a", FD: 5, Offset: 1, Bytes: 1, Data: []byte("b")})
	v := stream.View{Look: look(t, "dusk", false), W: 80, H: 24}
	http, files := stream.NewHTTP(stream.Options{}), stream.NewFiles(stream.Options{})
	for _, c := range []struct {
		p    stream.Pane
		at   uint64
		tab  int
		want [3]string // since the start, since the row before, by the clock
	}{
		{http, 1, 4, [3]string{"at 0.003", "at 0.003", "at 14:03:07.002"}},
		{files, 5, 4, [3]string{" 0.005  ", "+0.002  ", "14:03:07.005  "}},
	} {
		c.p.SetRun(tape.Run(1))
		c.p.SetTimes(stream.SinceStart)
		c.p.List(v)
		if m, ok := stream.MomentOf(tape.Run(1), c.at); !ok || !c.p.Goto(m) {
			t.Fatalf("%s has no row of event %d", c.p.Name(), c.at)
		}
		c.p.Detail(v)
		c.p.SetTab(c.tab)
		for i, want := range c.want {
			if got := text(t, c.p.Detail(v), 80, 24); !strings.Contains(got, want) {
				t.Errorf("%s, times %d: no %q:\n%s", c.p.Name(), i, want, got)
			}
			c.p.Do("stream.time", true)
		}
	}
}

// TestMomentsOfExchanges: of 20,000 exchanges those that go on in a moment are
// marked, a late read of an old answer included.
func TestMomentsOfExchanges(t *testing.T) {
	tape := newTape()
	tape.at(0, begin(event.Call, "x"))
	const n = 20_000
	var first [n + 1]uint64
	for id := 1; id <= n; id++ {
		first[id] = tape.seq
		tape.at(float64(id), event.HTTPRequest{ID: id, Method: "GET", URL: fmt.Sprintf("https://h%d.example/", id)})
		tape.at(float64(id)+0.5, event.HTTPAnswer{ID: id, Status: 200})
	}
	late := tape.seq
	tape.at(n+1, event.HTTPRead{ID: n - 3, Func: abi.HTTPReadResponse})
	tape.at(n+2, event.End{Outcome: event.OK})
	p := stream.NewHTTP(stream.Options{})
	p.SetRun(tape.Run(1))
	for p.Sync() {
	}
	look := look(t, themes.Names()[0], false)
	marked := func(seq uint64) string {
		m, ok := stream.MomentOf(tape.Run(1), seq)
		if !ok {
			t.Fatalf("no moment %d", seq)
		}
		p.SelectMoment(m)
		var out []string
		for _, row := range strings.Split(text(t, p.List(stream.View{Look: look, W: 80, H: 12}), 80, 12), "\n") {
			if strings.Contains(row, "◆") {
				_, host, _ := strings.Cut(row, "h")
				host, _, _ = strings.Cut(host, ".")
				out = append(out, host)
			}
		}
		return strings.Join(out, " ")
	}
	for _, c := range []struct {
		seq  uint64
		want string
	}{
		{first[7], "7"}, {first[7] + 1, "7"}, {first[12_345], "12345"},
		{late, "19997"}, {first[n-3], "19997"}, {first[n-1], "19997 19999"}, // the one before is still to be read
	} {
		if got := marked(c.seq); got != c.want {
			t.Errorf("event %d marks %q, want %q", c.seq, got, c.want)
		}
	}
}
