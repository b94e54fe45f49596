package engine_test

import (
	"bytes"
	"context"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"perch/engine"
	"perch/engine/abi"
	"perch/engine/clock"
	"perch/engine/event"
	"perch/engine/pack"
	"perch/samples/mischief"
)

// events is a sink that keeps all.
type events struct {
	mu      sync.Mutex
	all     []event.Event
	repeats int
	// on, if not nil, is told of each event, on the run's goroutine.
	on func(event.Event)
}

func (s *events) Append(e event.Event) {
	s.mu.Lock()
	s.all = append(s.all, e)
	s.mu.Unlock()
	if s.on != nil {
		s.on(e)
	}
}

func (s *events) Repeat(uint32, time.Duration, uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.repeats++
}

// of returns the bodies of one type, in their order.
func of[T event.Body](s *events) []T {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []T
	for _, e := range s.all {
		if b, ok := e.Body.(T); ok {
			out = append(out, b)
		}
	}
	return out
}

// bed is a session of a scripted module.
type bed struct {
	*engine.Session
	t testing.TB
}

func session(t testing.TB, script string, c engine.Config, o engine.Options) bed {
	t.Helper()
	e := engine.New(o)
	p, err := pack.FromFiles("test", map[string][]byte{
		abi.ModuleFile:   mischief.Build(script),
		abi.ManifestFile: []byte(`{"abi":1,"name":"test","description":"a test"}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := e.NewSession(p, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, err := range []error{s.Close(), e.Close(context.Background()), p.Close()} {
			if err != nil {
				t.Errorf("close: %v", err)
			}
		}
	})
	return bed{s, t}
}

func (b bed) call(ctx context.Context, s *events) engine.Result {
	b.t.Helper()
	r, err := b.Call(ctx, mischief.ActTool, []byte("{}"), s)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = r.Tape.Close() })
	return r
}

// manual is a clock that a test of a limit does not wait for.
func manual() *clock.Manual {
	c := clock.NewManual(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	c.Step = 100 * time.Microsecond
	return c
}

// TestAnyGuestCanBeStopped cancels guests of each restless kind from within
// their run, while the garbage collector runs all the time: nothing may hang.
func TestAnyGuestCanBeStopped(t *testing.T) {
	for name, script := range map[string]string{
		"spins":           "call err 'x' spin",
		"floods stdout":   "call err 'x' repeat 0 ( out 'x' )",
		"floods stderr":   "call repeat 0 ( err 'x\\n' )",
		"sleeps":          "call err 'x' sleep 3600000",
		"writes for ever": "call err 'x' open '/volume/tmp/a' wct repeat 0 ( write '0123456789abcdef' )",
		"polls for ever":  "call err 'x' repeat 0 ( sleep 0 )",
	} {
		for _, kind := range []engine.Kind{engine.Compiler, engine.Interpreter} {
			t.Run(name+"/"+string(kind), func(t *testing.T) {
				b := session(t, script, engine.Config{}, engine.Options{Kind: kind})
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				collect := make(chan struct{})
				var done sync.WaitGroup
				done.Add(1)
				go func() {
					defer done.Done()
					for {
						select {
						case <-collect:
							return
						default:
							runtime.GC()
						}
					}
				}()
				s := &events{}
				s.on = func(e event.Event) {
					if o, ok := e.Body.(event.Output); ok && o.Stream == event.Stderr {
						cancel() // it is in the middle of its call
					}
				}
				r := b.call(ctx, s)
				close(collect)
				done.Wait()
				if r.Outcome != event.Cancelled {
					t.Errorf("the outcome is %s", r.Outcome)
				}
				if r.Exit.Code != nil || r.Exit.Stopped == "" {
					t.Errorf("the exit is %+v", r.Exit)
				}
			})
		}
	}
}

// TestNothingIsLeftOfAHundredRuns looks for goroutines that outlive their run.
func TestNothingIsLeftOfAHundredRuns(t *testing.T) {
	b := session(t, "call err 'x' spin", engine.Config{}, engine.Options{})
	if _, err := b.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := runtime.NumGoroutine()
	for range 100 {
		ctx, cancel := context.WithCancel(t.Context())
		s := &events{on: func(e event.Event) {
			if _, ok := e.Body.(event.Output); ok {
				cancel()
			}
		}}
		if r := b.call(ctx, s); r.Outcome != event.Cancelled {
			t.Fatalf("the outcome is %s", r.Outcome)
		}
		cancel()
	}
	// The context's own goroutines end by themselves; give them their turn.
	for i := 0; runtime.NumGoroutine() > before && i < 10_000; i++ {
		runtime.Gosched()
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines before, %d after", before, after)
	}
}

func TestATimeOutComesWithTheStack(t *testing.T) {
	b := session(t, "call spin", engine.Config{}, engine.Options{Clock: manual()})
	s := &events{}
	r := b.call(t.Context(), s)
	if r.Outcome != event.Broken {
		t.Fatalf("the outcome is %s", r.Outcome)
	}
	breaches := of[event.Breach](s)
	if len(breaches) != 1 || breaches[0].Rule != abi.LifeTime {
		t.Fatalf("breaches: %+v", breaches)
	}
	if len(breaches[0].Stack) == 0 || !strings.Contains(breaches[0].Stack[0].Name, "spin") {
		t.Errorf("the stack is %+v", breaches[0].Stack)
	}
}

// TestTheLimitsAreThePages holds the times to those of the ABI page.
func TestTheLimitsAreThePages(t *testing.T) {
	for _, c := range []struct {
		name, script string
		upload       bool
		rule         abi.RuleID
	}{
		{"9.9 s to list is in time", "list sleep 9900 result '{\"tools\":$tools}'", true, ""},
		{"10.1 s to list is late", "list sleep 10100 result '{\"tools\":$tools}'", true, abi.ListTime},
		{"0.9 s to exit is in time", "call ok drain sleep 900", false, ""},
		{"1.1 s to exit is late", "call ok drain sleep 1100", false, abi.LifeExitLate},
		{"29 s to answer is in time", "call sleep 29000 ok", false, ""},
		{"31 s to answer is late", "call sleep 31000 ok", false, abi.LifeTime},
		{"sleeping 12 s before a call answers is no upload's 10 s", "call sleep 12000 ok", false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			clk := clock.NewManual(time.Now())
			b := session(t, c.script, engine.Config{}, engine.Options{Clock: clk})
			s := &events{}
			var got event.Outcome
			if c.upload {
				r, err := b.Upload(t.Context(), s)
				if err != nil {
					t.Fatal(err)
				}
				defer r.Tape.Close()
				got = r.Outcome
			} else {
				got = b.call(t.Context(), s).Outcome
			}
			var rule abi.RuleID
			for _, x := range of[event.Breach](s) {
				rule = x.Rule
			}
			if rule != c.rule || (got == event.OK) != (c.rule == "") {
				t.Errorf("the outcome is %s, the breach %q; want %q", got, rule, c.rule)
			}
		})
	}
}

func TestTheMemoryLimitIsOurs(t *testing.T) {
	b := session(t, "call oom", engine.Config{Memory: 4 << 20}, engine.Options{})
	s := &events{}
	r := b.call(t.Context(), s)
	breaches := of[event.Breach](s)
	if r.Outcome != event.Broken || len(breaches) == 0 || breaches[0].Rule != abi.LifeMemory {
		t.Fatalf("%s, %+v", r.Outcome, breaches)
	}
	if r.Usage.MemoryPeak > 4<<20 {
		t.Errorf("the peak is %d", r.Usage.MemoryPeak)
	}
	refused := 0
	for _, m := range of[event.Memory](s) {
		if m.Refused {
			refused++
		}
	}
	if refused != 1 {
		t.Errorf("%d refusals were reported", refused)
	}
}

func TestTheWriteBudgetIsCharged(t *testing.T) {
	b := session(t, "call open '/volume/tmp/a' wct write '${1048576:x}' write 'y' say 'errno $errno'",
		engine.Config{Budget: 1 << 20}, engine.Options{})
	s := &events{}
	r := b.call(t.Context(), s)
	if r.Outcome != event.OK || !bytes.Contains(r.Answer.Raw, []byte("errno 19")) {
		t.Errorf("%s: %s", r.Outcome, r.Answer.Raw)
	}
	if r.Usage.Written != 1<<20 {
		t.Errorf("%d bytes were charged", r.Usage.Written)
	}
}

func TestArgvAndEnvironment(t *testing.T) {
	b := session(t, "", engine.Config{}, engine.Options{})
	s := &events{}
	r := b.call(t.Context(), s)
	if r.Outcome != event.OK {
		t.Fatalf("the outcome is %s", r.Outcome)
	}
	begin := of[event.Begin](s)[0]
	want := []string{abi.VolumeTmp, abi.SkillsDir}
	if len(begin.Mounts) != len(want) {
		t.Fatalf("mounts: %+v", begin.Mounts)
	}
	for i, m := range begin.Mounts {
		if m.Guest != want[i] || m.FD != uint32(3+i) {
			t.Errorf("mount %d is %+v", i, m)
		}
	}
}

func TestEventsComeInOrder(t *testing.T) {
	b := session(t, "call err 'one\\n' out '' ok", engine.Config{}, engine.Options{})
	s := &events{}
	b.call(t.Context(), s)
	at, tick := time.Duration(0), uint64(0)
	for i, e := range s.all {
		if e.Seq != uint64(i) || e.Time < at || e.Tick < tick {
			t.Errorf("event %d has number %d, time %v after %v, tick %d after %d", i, e.Seq, e.Time, at, e.Tick, tick)
		}
		at, tick = e.Time, e.Tick
	}
	if _, ok := s.all[0].Body.(event.Begin); !ok {
		t.Errorf("the first event is %T", s.all[0].Body)
	}
	if _, ok := s.all[len(s.all)-1].Body.(event.End); !ok {
		t.Errorf("the last event is %T", s.all[len(s.all)-1].Body)
	}
}

// TestARunRepeatsOnItsTape runs modules again with every host call answered
// from the tape, on both engines: they do the same, tick for tick.
func TestARunRepeatsOnItsTape(t *testing.T) {
	for name, script := range map[string]string{
		"an answer":        "call err 'x' ok",
		"files":            "call mkdir '/volume/tmp/d' open '/volume/tmp/d/f' wct write 'hello' close rename '/volume/tmp/d/f' '/volume/tmp/g' say '$errno'",
		"a refused host":   "call http '{\"url\":\"https://a.example/\"}' say '$answer'",
		"a trap":           "call err 'x' trap unreachable",
		"an exit":          "call exit 3",
		"a stall":          "call line",
		"a banner":         "call out 'ready\\n' ok",
		"out of memory":    "call oom",
		"a late exit":      "call ok drain sleep 3000",
		"a deep recursion": "call trap overflow",
	} {
		for _, kind := range []engine.Kind{engine.Compiler, engine.Interpreter} {
			t.Run(name+"/"+string(kind), func(t *testing.T) {
				b := session(t, script, engine.Config{Memory: 8 << 20}, engine.Options{Kind: kind, Clock: manual()})
				r := b.call(t.Context(), &events{})
				first, err := b.Replay(t.Context(), r.Tape, r.Usage.Ticks)
				if err != nil {
					t.Fatal(err)
				}
				second, err := b.Replay(t.Context(), r.Tape, r.Usage.Ticks)
				if err != nil {
					t.Fatal(err)
				}
				if first.Calls != r.Tape.Calls() {
					t.Errorf("%d calls were answered, the tape has %d", first.Calls, r.Tape.Calls())
				}
				if first.Ticks != r.Usage.Ticks {
					t.Errorf("%d ticks, the run had %d", first.Ticks, r.Usage.Ticks)
				}
				if first.Trap != r.Exit.Trap {
					t.Errorf("the trap is %q, the run's was %q", first.Trap, r.Exit.Trap)
				}
				if (first.Code == nil) != (r.Exit.Code == nil) || first.Code != nil && *first.Code != *r.Exit.Code {
					t.Errorf("the exit differs")
				}
				if !bytes.Equal(first.Memory, second.Memory) {
					t.Errorf("memory differs between two replays")
				}
			})
		}
	}
}

// TestOneBadToolHidesNoGoodOne lists two pages with a fault on each: both are
// named, and the good tools are there.
func TestOneBadToolHidesNoGoodOne(t *testing.T) {
	tool := func(name string) string {
		return `{"name":"` + name + `","description":"d","inputSchema":{"type":"object"}}`
	}
	b := session(t, "list result '{\"tools\":["+tool("Bad")+","+tool("good")+"],\"nextCursor\":\"x\"}'\n"+
		"list2 result '{\"tools\":["+tool("b.d")+","+tool("fine")+"]}'", engine.Config{}, engine.Options{})
	s := &events{}
	r, err := b.Upload(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Tape.Close()
	var names []string
	for _, tool := range r.Tools {
		names = append(names, tool.Name)
	}
	if r.Outcome != event.Refused || strings.Join(names, " ") != "Bad good b.d fine" {
		t.Errorf("%s: %v", r.Outcome, names)
	}
	if all := of[event.Breach](s); len(all) != 2 || all[0].Rule != abi.ToolName || all[1].Rule != abi.ToolName {
		t.Errorf("breaches: %+v", all)
	}
	if all := of[event.Verdict](s); len(all) != 1 || all[0].Outcome != event.Refused {
		t.Errorf("verdicts: %+v", all)
	}
	if r.Exit.Code == nil || *r.Exit.Code != 0 {
		t.Errorf("the exit is %+v", r.Exit)
	}
}
