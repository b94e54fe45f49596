package engine_test

import (
	"strings"
	"testing"
	"time"

	"perch/engine"
	"perch/engine/abi"
	"perch/engine/clock"
	"perch/engine/egress"
	"perch/engine/event"
)

// TestWhatComesAfterTheVerdictExplainsIt: evidence names the cause and never
// changes the outcome.
func TestWhatComesAfterTheVerdictExplainsIt(t *testing.T) {
	for _, c := range []struct {
		name, script   string
		first, instead abi.RuleID
		says           string
	}{
		{"a banner before a good answer", "call out 'ready\\n' ok", abi.FrameJSON, abi.FrameJSON, "Line 2 would have been accepted"},
		{"an answer at the end of input", "call line ok", abi.LifeStall, abi.LifeBuffered, "only after stdin closed, as line 1"},
		{"an indented answer", "call out '{\\n  \"jsonrpc\": \"2.0\",\\n  \"id\": $id,\\n  \"result\": {\"content\": []}\\n}\\n'",
			abi.FrameJSON, abi.FramePretty, "On one line it would have been accepted"},
		{"bare JSON and an exit", "call out '{\"error\":\"no tool\"}\\n' exit 1", abi.RPCVersion, abi.LifeOldContract, "before ABI 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := session(t, c.script, engine.Config{}, engine.Options{Clock: manual()})
			s := &events{}
			if r := b.call(t.Context(), s); r.Outcome != event.Broken {
				t.Errorf("the outcome is %s", r.Outcome)
			}
			all := of[event.Breach](s)
			last := all[len(all)-1]
			if all[0].Rule != c.first || last.Rule != c.instead || last.Instead != c.first {
				t.Fatalf("%s, and in its place %s (of %s)", all[0].Rule, last.Rule, last.Instead)
			}
			if !strings.Contains(last.Detail, c.says) {
				t.Errorf("it says %q, want %q in it", last.Detail, c.says)
			}
		})
	}
}

// TestAHostileMemoryDoesNotHoldUpTheStall: the search for a buffered answer
// looks at so many places and no more.
func TestAHostileMemoryDoesNotHoldUpTheStall(t *testing.T) {
	b := session(t, "call hold '${400000:\"id\":$id }' line", engine.Config{}, engine.Options{})
	s := &events{}
	start := time.Now()
	r := b.call(t.Context(), s)
	if r.Outcome != event.Broken {
		t.Errorf("the outcome is %s", r.Outcome)
	}
	if all := of[event.Breach](s); len(all) == 0 || all[0].Rule != abi.LifeStall {
		t.Errorf("breaches: %+v", all)
	}
	if took := time.Since(start); took > 2*time.Minute {
		t.Errorf("it took %v", took)
	}
}

// jumping is a manual clock that moves on when a mock begins to wait.
type jumping struct{ *clock.Manual }

const mockDelay = 5 * time.Second

func (j jumping) After(d time.Duration) (<-chan struct{}, func()) {
	passed, release := j.Manual.After(d)
	if d == mockDelay {
		j.Advance(2 * time.Second)
	}
	return passed, release
}

// TestARequestThatOutlastsTheExit: a module that answers and then waits for
// HTTP has its one second like any other.
func TestARequestThatOutlastsTheExit(t *testing.T) {
	mocks, err := egress.ParseMocks([]byte("[[mock]]\nurl = \"https://a.example/slow\"\ndelay_ms = 5000\nstatus = 200\n"), "mocks.toml")
	if err != nil {
		t.Fatal(err)
	}
	policy := egress.Policy{Allow: []egress.HostRule{{Text: "a.example"}}, Mocks: mocks}
	b := session(t, "call ok http '{\"url\":\"https://a.example/slow\"}'", engine.Config{Egress: policy},
		engine.Options{Clock: jumping{clock.NewManual(time.Now())}})
	s := &events{}
	r := b.call(t.Context(), s)
	if all := of[event.Breach](s); r.Outcome != event.Broken || len(all) == 0 || all[0].Rule != abi.LifeExitLate {
		t.Errorf("%s, %+v", r.Outcome, all)
	}
}

// TestAStackIsThatOfItsOwnCall: a trap in a function whose stack is not walked
// has none, not the one of the call before.
func TestAStackIsThatOfItsOwnCall(t *testing.T) {
	b := session(t, "call repeat 0 ( sleep 0 )", engine.Config{}, engine.Options{Clock: manual()})
	s := &events{}
	r := b.call(t.Context(), s)
	all := of[event.Breach](s)
	if r.Outcome != event.Broken || len(all) == 0 || all[0].Rule != abi.LifeTime {
		t.Fatalf("%s, %+v", r.Outcome, all)
	}
	if len(all[0].Stack) == 0 || !strings.Contains(all[0].Detail, "Out of time: no answer within 30 s (local setting, --timeout)") {
		t.Errorf("%q, stack %+v", all[0].Detail, all[0].Stack)
	}
}

func TestThePolicyMayChangeWhileACallRuns(t *testing.T) {
	b := session(t, "call err 'x' ok", engine.Config{}, engine.Options{})
	s := &events{on: func(e event.Event) {
		if _, ok := e.Body.(event.Output); ok {
			b.SetPolicy(egress.Policy{Allow: []egress.HostRule{{Text: "a.example"}}})
		}
	}}
	if r := b.call(t.Context(), s); r.Outcome != event.OK {
		t.Errorf("the outcome is %s", r.Outcome)
	}
	if got := b.Config().Egress.Allow; len(got) != 1 {
		t.Errorf("the policy is %+v", got)
	}
}

func TestAssetsOfAnotherFolder(t *testing.T) {
	b := session(t, "call open '/package/x' r say 'errno $errno'", engine.Config{Assets: t.TempDir()}, engine.Options{})
	s := &events{}
	if r := b.call(t.Context(), s); r.Outcome != event.OK {
		t.Fatalf("the outcome is %s", r.Outcome)
	}
	found := false
	for _, m := range of[event.Begin](s)[0].Mounts {
		found = found || m.Guest == abi.PackageDir && m.ReadOnly
	}
	if !found {
		t.Errorf("no %s among the mounts", abi.PackageDir)
	}
}
