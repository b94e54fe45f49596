package record_test

import (
	"bytes"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/record"
)

// small limits make a record spill and drop soon.
func small() record.Limits {
	return record.Limits{StreamMemory: 2 << 20, StreamFile: 2 << 20, EventMemory: 2 << 20, EventFile: 2 << 20}
}

func code(n uint32) *uint32 { return &n }

func bodies() []event.Body {
	return []event.Body{
		event.Begin{Kind: event.Call, Tool: "greet", Arguments: []byte(`{"name":"Ada"}`), Engine: "compiler",
			Probe: "a request in pieces", Started: time.Unix(1, 2).UTC(), Mounts: []event.Mount{{FD: 3, Guest: "/volume/tmp"}}},
		event.Request{Line: 1, Bytes: []byte("{}\n"), ID: `"x"`, Method: "tools/call"},
		event.WASI{Func: "fd_write", Args: []uint64{1, 1 << 40, 3}, Errno: 8, Out: []uint64{14}, Path: "a\xff\x1b", NewPath: "b", Took: 5, Count: 1, Last: 9},
		event.Output{Stream: event.Stdout, Bytes: []byte("{\"a\":1}\n")},
		event.Message{Line: 1, Len: 7, Newline: true, Kind: event.Result, ID: "7", Answers: 1},
		event.FileEffect{Op: event.FileWrite, Path: "/volume/tmp/a", FD: 5, Offset: 3, Bytes: 2, Data: []byte{0, 255}},
		event.HTTPRequest{ID: 1, Raw: []byte("{}"), Headers: []event.Header{{Name: "a", Value: "b"}}},
		event.HTTPHop{ID: 1, Hop: 1, Decisions: []event.Decision{{Check: "allowlist", OK: true, What: "a.example"}}},
		event.HTTPAnswer{ID: 1, Kind: abi.ErrTimeout, Message: "late"},
		event.HTTPRead{ID: 1, Func: "read_response", Return: -3},
		event.Memory{From: 1, To: 2, Refused: true, Limit: 3},
		event.Breach{Rule: abi.FrameJSON, Where: event.Where{Stream: event.Stdout, Line: 2, Offset: 8}, Stack: []event.Frame{{Name: "main"}}},
		event.Safepoint{Why: "x"},
		event.Verdict{Outcome: event.Broken, Rule: abi.FrameJSON},
		event.StdinClosed{Experiment: true},
		event.Link{Block: 1, URI: "volume:///tmp/a.png", Data: []byte{1}},
		event.Exit{Code: code(3), AfterEOF: -1},
		event.End{Outcome: event.Broken, Usage: event.Usage{Stdout: 8}},
	}
}

func TestEveryEventComesBackAsItWent(t *testing.T) {
	rec := record.New(small())
	defer rec.Close()
	for i, b := range bodies() {
		rec.Append(event.Event{Run: 1, Seq: uint64(i), Time: time.Duration(i) * time.Millisecond, Tick: uint64(i * 10), Body: b})
	}
	run := rec.Run(1)
	if got, want := run.Len(), uint64(len(bodies())); got != want {
		t.Fatalf("%d events, want %d", got, want)
	}
	for i, want := range bodies() {
		e, ok := run.Event(uint64(i))
		if !ok {
			t.Fatalf("event %d is not there", i)
		}
		if o, is := want.(event.Output); is {
			o.Len, o.Bytes = len(o.Bytes), nil // its stream has them
			want = o
		}
		if !reflect.DeepEqual(e.Body, want) || e.Time != time.Duration(i)*time.Millisecond || e.Tick != uint64(i*10) {
			t.Errorf("event %d came back as\n%#v at %v, want\n%#v", i, e.Body, e.Time, want)
		}
	}
	if got := run.Stream(event.Stdout).Bytes(0, 100); string(got) != "{\"a\":1}\n" {
		t.Errorf("stdout is %q", got)
	}
	if got := run.Of(record.KindBreach, record.KindMessage); !reflect.DeepEqual(got, []uint32{4, 11}) {
		t.Errorf("messages and breaches are %v", got)
	}
}

func TestEqualCallsAreOneEventWithACount(t *testing.T) {
	rec := record.New(small())
	defer rec.Close()
	rec.Append(event.Event{Run: 7, Body: event.WASI{Func: "fd_read", Count: 1}})
	for i := range 48_000 {
		rec.Repeat(7, time.Duration(i), 0)
	}
	rec.Append(event.Event{Run: 7, Body: event.Exit{}})
	e, _ := rec.Run(7).Event(0)
	if w := e.Body.(event.WASI); w.Count != 48_001 || w.Last != 47_999 {
		t.Errorf("count %d, last at %v", w.Count, w.Last)
	}
}

func TestAFloodIsKeptUpToTheLimitAndCountedPastIt(t *testing.T) {
	rec := record.New(small())
	defer rec.Close()
	const lines = 500_000
	var want bytes.Buffer
	for i := range lines {
		line := []byte(fmt.Sprintf("line %d of the flood\n", i))
		want.Write(line)
		rec.Append(event.Event{Run: 1, Time: time.Duration(i) * time.Microsecond, Body: event.Output{Stream: event.Stderr, Bytes: line}})
	}
	s := rec.Run(1).Stream(event.Stderr)
	if s.Len() != int64(want.Len()) || s.Lines() != lines {
		t.Fatalf("%d bytes, %d lines; want %d, %d", s.Len(), s.Lines(), want.Len(), lines)
	}
	dropped, bytesGone := s.Dropped()
	if dropped == 0 || bytesGone == 0 {
		t.Fatalf("nothing was dropped past the limits")
	}
	next := dropped + 1
	s.Range(1, func(l record.Line) bool {
		if l.Number != next {
			t.Fatalf("line %d follows line %d", l.Number, next-1)
		}
		next++
		if l.Number%50_000 == 0 || l.Number == dropped+1 {
			text := string(s.Bytes(l.Offset, int(l.Len)))
			if text != fmt.Sprintf("line %d of the flood", l.Number-1) {
				t.Fatalf("line %d is %q", l.Number, text)
			}
			if l.Time != time.Duration(l.Number-1)*time.Microsecond {
				t.Fatalf("line %d came at %v", l.Number, l.Time)
			}
			if at := s.LineAt(l.Offset + 2); at != l.Number {
				t.Fatalf("LineAt says %d for line %d", at, l.Number)
			}
		}
		return true
	})
	if next != lines+1 {
		t.Errorf("the last line is %d, want %d", next-1, lines)
	}
	if gone := rec.Run(1).Dropped(); gone == 0 || gone >= lines {
		t.Errorf("%d events dropped", gone)
	}
	if e, ok := rec.Run(1).Event(lines - 1); !ok || e.Seq != lines-1 {
		t.Errorf("the newest event is not there")
	}
}

func TestALineThatIsNotWholeYetIsSeen(t *testing.T) {
	rec := record.New(small())
	defer rec.Close()
	put := func(s string) {
		rec.Append(event.Event{Run: 1, Body: event.Output{Stream: event.Stderr, Bytes: []byte(s)}})
	}
	put("one\nhalf a l")
	s := rec.Run(1).Stream(event.Stderr)
	if l, ok := s.Line(2); !ok || l.Newline || l.Len != 8 {
		t.Errorf("the second line is %+v, %v", l, ok)
	}
	put("ine\n")
	if l, ok := s.Line(2); !ok || !l.Newline || l.Len != 11 {
		t.Errorf("the second line is %+v, %v", l, ok)
	}
	if _, ok := s.Line(3); ok {
		t.Errorf("there is a third line")
	}
}

func TestReadersMayReadWhileItIsWritten(t *testing.T) {
	rec := record.New(small())
	defer rec.Close()
	rec.Append(event.Event{Run: 1, Body: event.Begin{}})
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for i := range 20_000 {
			rec.Append(event.Event{Run: 1, Time: time.Duration(i), Body: event.Output{Stream: event.Stderr, Bytes: []byte("x\n")}})
			rec.Append(event.Event{Run: 1, Time: time.Duration(i), Body: event.WASI{Func: "fd_write", Count: 1}})
			rec.Repeat(1, time.Duration(i), 0)
		}
	}()
	for rec.Run(1).Len() < 40_001 {
		n := rec.Run(1).Len()
		e, ok := rec.Run(1).Event(n - 1)
		if ok && e.Seq != n-1 {
			t.Fatalf("event %d has number %d", n-1, e.Seq)
		}
		rec.Run(1).Stream(event.Stderr).Tail(10)
		<-rec.Changed()
	}
	wg.Wait()
}

func BenchmarkStderrLines(b *testing.B) {
	rec := record.New(record.DefaultLimits())
	defer rec.Close()
	line := []byte("tea: 1204 of 5000, shelf 14 of 20, cache cold, trying again\n")
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		rec.Append(event.Event{Run: 1, Time: time.Duration(i), Body: event.WASI{Func: "fd_write", Args: []uint64{2, 100, 1, 4}, Count: 1}})
		rec.Append(event.Event{Run: 1, Time: time.Duration(i), Body: event.Output{Stream: event.Stderr, Bytes: line}})
	}
}
