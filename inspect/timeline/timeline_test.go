package timeline_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/bench"
	"perch/inspect/record"
	"perch/inspect/rules"
	"perch/inspect/timeline"
)

const ms = time.Millisecond

// at is an event at a time.
type at struct {
	time time.Duration
	body event.Body
}

func recorded(t testing.TB, events ...at) (*record.Record, *record.Run) {
	t.Helper()
	r := record.New(record.DefaultLimits())
	t.Cleanup(func() { r.Close() })
	for _, e := range events {
		r.Append(event.Event{Run: 1, Time: e.time, Body: e.body})
	}
	return r, r.Run(1)
}

func whole(t testing.TB, run *record.Run) *timeline.Index {
	t.Helper()
	x := timeline.New(run)
	for x.Sync(1000) {
	}
	return x
}

func wasi(name string, took time.Duration) event.WASI {
	return event.WASI{Func: name, Took: took, Count: 1}
}

// call is a call with one of everything.
func call() []at {
	code := uint32(0)
	return []at{
		{0, event.Begin{Kind: event.Call}},
		{0, event.Request{Line: 1, Bytes: []byte("{}\n")}},
		{1 * ms, wasi("fd_read", 0)},
		{10 * ms, event.HTTPRequest{ID: 1, Method: "POST", URL: "https://a.example/"}},
		{60 * ms, event.HTTPHop{ID: 1, Hop: 1, Status: 201, DNS: 2 * ms, Body: 6 * ms}},
		{60 * ms, event.HTTPAnswer{ID: 1, Status: 201, Took: 50 * ms}},
		{61 * ms, event.Memory{From: 1 << 16, To: 2 << 16}},
		{62 * ms, event.FileEffect{Op: event.FileWrite, Path: "/v/a", Bytes: 5}},
		{62 * ms, wasi("path_open", 1*ms)},
		{63 * ms, event.Output{Stream: event.Stderr, Bytes: []byte("hello\n")}},
		{64 * ms, event.Memory{From: 2 << 16, To: 9 << 16, Refused: true}},
		{90 * ms, wasi("poll_oneoff", 20*ms)},
		{95 * ms, event.Output{Stream: event.Stdout, Bytes: []byte("{}\n")}},
		{95 * ms, event.Message{Line: 1, Len: 2, Kind: event.Result, Answers: 1}},
		{95 * ms, event.Breach{Rule: abi.CallEmpty}},
		{96 * ms, event.Verdict{Outcome: event.OK}},
		{96 * ms, event.StdinClosed{}},
		{100 * ms, event.Exit{Code: &code}},
		{100 * ms, event.End{Outcome: event.OK}},
	}
}

// drawn is a strip as text: what happens in each cell.
func drawn(p timeline.Picture, l timeline.Lane) string {
	var b strings.Builder
	for _, c := range p.Strips[l].Cells {
		switch {
		case l == timeline.Module && !c.Alive:
			b.WriteByte(' ')
		case l == timeline.Module || l == timeline.Memory || l == timeline.HTTP:
			b.WriteString(fmt.Sprintf("%d", int(c.Share*9)))
		case c.N > 9:
			b.WriteByte('+')
		case c.N > 0:
			b.WriteString(fmt.Sprint(c.N))
		default:
			b.WriteByte('.')
		}
	}
	return b.String()
}

func TestACallAsAPicture(t *testing.T) {
	_, run := recorded(t, call()...)
	x := whole(t, run)
	p := x.Slice(timeline.Whole(x.End()), 20) // 5 ms a cell
	for l, want := range map[timeline.Lane]string{
		timeline.Stdin:    "1..................1",
		timeline.Module:   "99000000000079000099",
		timeline.HTTP:     "00999999999900000000",
		timeline.Files:    "............1.......",
		timeline.WASI:     "1...........1.1.....",
		timeline.Stderr:   "............1.......",
		timeline.Stdout:   "...................1",
		timeline.Findings: "...................1",
	} {
		if got := drawn(p, l); got != want {
			t.Errorf("%-8s %s\nwant     %s", l, got, want)
		}
	}
	memory := p.Strips[timeline.Memory].Cells
	if memory[0].Weight != 1<<16 || memory[12].Weight != 2<<16 || memory[19].Weight != 2<<16 || memory[12].Kinds&timeline.Refusals == 0 || memory[11].Kinds != 0 {
		t.Errorf("memory is %+v", memory[11:13])
	}
	if len(p.Bars) != 1 || p.Bars[0].From != 2 || p.Bars[0].To != 12 || p.Bars[0].Open {
		t.Errorf("bars are %+v", p.Bars)
	}
	if q := x.Exchange(p.Bars[0].Exchange); q.Method != "POST" || q.Status != 201 || !q.Done || len(q.Hops) != 1 || q.Hops[0].DNS != 2*ms || q.First != 3 || q.Last != 5 {
		t.Errorf("the exchange is %+v", q)
	}
	if got := x.Totals(); got.HTTP != 50*ms || got.Sleep != 20*ms || got.WASI != 1*ms || got.Files != 1*ms || x.Alone() != 29*ms {
		t.Errorf("totals are %+v, alone %v", got, x.Alone())
	}
}

func TestSignsAndItems(t *testing.T) {
	_, run := recorded(t, call()...)
	x := whole(t, run)
	p := x.Slice(timeline.Whole(x.End()), 20)
	var signs []string
	for _, s := range p.Signs {
		i := x.Item(s.Item)
		signs = append(signs, fmt.Sprintf("%d %s %d", s.Cell, i.Lane, i.What))
	}
	want := fmt.Sprintf("0 stdin %d, 12 memory %d, 19 stdout %d, 19 stdout %d, 19 stdin %d, 19 module %d",
		timeline.Asked, timeline.Refused, timeline.Said, timeline.Judged, timeline.Closed, timeline.Exited)
	if got := strings.Join(signs, ", "); got != want {
		t.Errorf("signs %s\nwant  %s", got, want)
	}
	for seq, want := range map[uint64]timeline.What{1: timeline.Asked, 2: timeline.Asked, 5: timeline.Fetched, 13: timeline.Said, 99: timeline.Exited} {
		if i := x.ItemAt(seq); i < 0 || x.Item(i).What != want {
			t.Errorf("event %d belongs to item %d", seq, i)
		}
	}
	if i := x.ItemAt(0); i != -1 {
		t.Errorf("event 0 belongs to item %d", i)
	}
}

func TestAMomentAndItsLanes(t *testing.T) {
	_, run := recorded(t, call()...)
	x := whole(t, run)
	if got := fmt.Sprint(x.Touched(62*ms, 63*ms)); got != "[files wasi stderr]" {
		t.Errorf("62 to 63 ms touch %s", got)
	}
	for _, c := range []struct {
		lane timeline.Lane
		at   time.Duration
		seq  uint64
	}{{timeline.HTTP, 30 * ms, 3}, {timeline.WASI, 80 * ms, 11}, {timeline.WASI, 0, 2}, {timeline.Stderr, time.Hour, 9}, {timeline.Module, 61 * ms, 6}, {timeline.Module, time.Hour, 18}} {
		if seq, ok := x.At(c.lane, c.at); !ok || seq != c.seq {
			t.Errorf("%s at %v is event %d, want %d", c.lane, c.at, seq, c.seq)
		}
	}
	p := x.Slice(timeline.Window{From: 60 * ms, To: 70 * ms}, 10)
	if c := p.Strips[timeline.Stderr].Cells[3]; !c.Has || c.First != 9 || c.Weight != 6 {
		t.Errorf("the cell of stderr is %+v", c)
	}
	if p.Cell(59*ms) != -1 || p.Cell(71*ms) != 10 || p.Cell(70*ms) != 9 || p.Cell(63*ms) != 3 || p.Time(3) != 63*ms {
		t.Error("cells and times do not fit")
	}
}

func TestItGrowsWithALiveRun(t *testing.T) {
	r, run := recorded(t, at{0, event.Begin{}}, at{1 * ms, event.WASI{Func: "fd_read", Count: 1, Last: 1 * ms, Took: 10 * time.Microsecond}})
	x := whole(t, run)
	for i := range 1000 {
		r.Repeat(1, time.Duration(i+2)*ms, 0)
		if i%100 == 0 {
			x.Sync(1000)
		}
	}
	x.Sync(1000)
	if x.End() != 1001*ms {
		t.Errorf("it ends at %v", x.End())
	}
	n := 0
	for _, c := range x.Slice(timeline.Whole(x.End()), 10).Strips[timeline.WASI].Cells {
		n += c.N
	}
	if n != 1001 {
		t.Errorf("%d calls are shown", n)
	}
	r.Append(event.Event{Run: 1, Time: 1100 * ms, Body: event.HTTPRequest{ID: 1, Method: "GET"}})
	r.Append(event.Event{Run: 1, Time: 1200 * ms, Body: event.Output{Stream: event.Stderr, Bytes: []byte("x")}})
	for x.Sync(1) {
	}
	p := x.Slice(timeline.Whole(x.End()), 12)
	if len(p.Bars) != 1 || !p.Bars[0].Open || p.Bars[0].From != 11 || p.Bars[0].To != 11 {
		t.Errorf("the exchange that goes on is %+v", p.Bars)
	}
}

func TestFindingsByTheirEvents(t *testing.T) {
	_, run := recorded(t, call()...)
	x := whole(t, run)
	error1 := rules.Of(event.Breach{Rule: abi.FrameJSON})
	error1.RunID, error1.Event = 1, 3
	other := error1
	other.RunID = 2
	x.SetFindings([]rules.Finding{other, error1})
	p := x.Slice(timeline.Whole(x.End()), 10)
	if got := drawn(p, timeline.Findings); got != ".1........" {
		t.Errorf("findings at %s", got)
	}
	if k := p.Strips[timeline.Findings].Cells[1].Kinds; k != timeline.Errors {
		t.Errorf("kinds %b", k)
	}
}

// TestNothingIsLost holds that every event is in some cell, however many there
// are and however they are sliced.
func TestNothingIsLost(t *testing.T) {
	const n = 300_000
	r := record.New(record.DefaultLimits())
	defer r.Close()
	for i := range n {
		b := event.Body(event.Output{Stream: event.Stderr, Bytes: []byte("line\n")})
		if i == n/2 {
			b = event.FileEffect{Op: event.FileRefused}
		} else if i%3 == 0 {
			b = event.FileEffect{Op: event.FileWrite, Bytes: 2}
		}
		r.Append(event.Event{Run: 1, Time: time.Duration(i) * 10 * time.Microsecond, Body: b})
	}
	x := whole(t, r.Run(1))
	for _, cells := range []int{1, 7, 120, 1000} {
		p := x.Slice(timeline.Whole(x.End()), cells)
		count, weight, refused := 0, int64(0), 0
		for i, c := range p.Strips[timeline.Stderr].Cells {
			f := p.Strips[timeline.Files].Cells[i]
			count += c.N + f.N
			weight += c.Weight
			if f.Kinds&timeline.Refusals != 0 {
				refused++
			}
			if cells >= 7 && !c.Has {
				t.Errorf("cell %d of %d has no event", i, cells)
			}
		}
		if count != n || refused < 1 || refused > 2 {
			t.Errorf("%d cells hold %d events, %d with a refusal", cells, count, refused)
		}
		if want := int64(n) * 5 * 2 / 3; weight < want-int64(cells)-10 || weight > want+10 {
			t.Errorf("%d cells hold %d bytes, want %d", cells, weight, want)
		}
	}
}

func TestWindows(t *testing.T) {
	const end = 1000 * ms
	w := timeline.Whole(end)
	in := w.Zoom(250*ms, 0.5, end)
	if in.To-in.From != 500*ms || in.From != 125*ms {
		t.Errorf("zoomed in to %v", in)
	}
	if out := in.Zoom(250*ms, 2, end); out != w {
		t.Errorf("zoomed out to %v", out)
	}
	if moved := in.Move(10, end); moved.To != end || moved.To-moved.From != 500*ms {
		t.Errorf("moved to %v", moved)
	}
	if moved := in.Move(-10, end); moved.From != 0 {
		t.Errorf("moved to %v", moved)
	}
	if s := in.Show(900*ms, end); s.To != 900*ms {
		t.Errorf("shows %v", s)
	}
	for range 100 {
		in = in.Zoom(in.From, 0.1, end)
	}
	if in.To-in.From < time.Microsecond {
		t.Errorf("zoomed in to %v", in)
	}
	if w := timeline.Whole(0); w.To <= w.From {
		t.Errorf("nothing is %v", w)
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		from, to time.Duration
		want     string
	}{
		{0, 158 * ms, "0 ms 50 100 150"},
		{3 * ms, 9 * ms, "4 ms 6 8"},
		{0, 42 * time.Second, "0 s 10 20 30 40"},
		{0, 30 * time.Microsecond, "0 µs 10 20 30"},
	} {
		_, run := recorded(t, at{0, event.Begin{}})
		var got []string
		for _, k := range whole(t, run).Slice(timeline.Window{From: c.from, To: c.to}, 44).Ticks {
			got = append(got, k.Text)
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%v to %v: %s, want %s", c.from, c.to, text, c.want)
		}
	}
}

func TestARealCall(t *testing.T) {
	b, err := bench.Open(t.Context(), "sample:orders", bench.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	sets := b.Arguments()
	for tool, set := range sets {
		c, err := b.Call(t.Context(), tool, set[0].Value)
		if err != nil {
			t.Fatal(err)
		}
		x := whole(t, c.Run)
		if x.Exchanges() != c.Result.Usage.HTTP {
			t.Errorf("%s: %d exchanges, %d counted", tool, x.Exchanges(), c.Result.Usage.HTTP)
		}
		p := x.Slice(timeline.Whole(x.End()), 100)
		ended := false
		for _, s := range p.Signs {
			ended = ended || x.Item(s.Item).What == timeline.Exited
		}
		if !ended || x.Alone() <= 0 {
			t.Errorf("%s: ended %v, alone %v", tool, ended, x.Alone())
		}
	}
	if len(sets) == 0 {
		t.Error("orders has no arguments")
	}
}

func BenchmarkSlice(b *testing.B) {
	r := record.New(record.DefaultLimits())
	defer r.Close()
	for i := range 1_000_000 {
		var body event.Body = event.WASI{Func: "fd_write", Args: []uint64{2}, Took: time.Microsecond, Count: 1}
		if i%2 == 1 {
			body = event.Output{Stream: event.Stderr, Bytes: []byte("line\n")}
		}
		r.Append(event.Event{Run: 1, Time: time.Duration(i) * 10 * time.Microsecond, Body: body})
	}
	x := timeline.New(r.Run(1))
	b.Run("sync of 5000", func(b *testing.B) {
		for b.Loop() {
			if !x.Sync(5000) {
				x = timeline.New(r.Run(1))
			}
		}
	})
	for x.Sync(100_000) {
	}
	for name, w := range map[string]timeline.Window{"whole": timeline.Whole(x.End()), "zoomed": {From: 5 * time.Second, To: 5*time.Second + 20*ms}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				x.Slice(w, 120)
			}
		})
	}
}
