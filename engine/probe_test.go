package engine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"perch/engine"
	"perch/engine/abi"
	"perch/engine/event"
)

// line is a request as a script has it.
func line(id, method, params string) engine.Step {
	text := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":{%s"_meta":{%q:%q,%q:{}}}}`+"\n",
		id, method, params, abi.MetaProtocolVersion, abi.ProtocolVersion, abi.MetaClientCapabilities)
	return engine.Step{Bytes: []byte(text), ID: id, Method: method}
}

func act(id string) engine.Step { return line(id, abi.MethodCall, `"name":"act","arguments":{},`) }

func (b bed) probe(ctx context.Context, p engine.Script, s *events) engine.Result {
	b.t.Helper()
	r, err := b.Probe(ctx, p, s)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = r.Tape.Close() })
	return r
}

// said are the kinds of the lines on stdout and the stdin lines that they answer.
func said(s *events) (all []string) {
	for _, m := range of[event.Message](s) {
		all = append(all, fmt.Sprintf("%s %d", m.Kind, m.Answers))
	}
	return all
}

func broken(s *events) (rules []abi.RuleID) {
	for _, b := range of[event.Breach](s) {
		rules = append(rules, b.Rule)
	}
	return rules
}

func TestAProbeSendsWhatItsScriptSays(t *testing.T) {
	notification := engine.Step{Bytes: []byte(`{"jsonrpc":"2.0","method":"notifications/x"}` + "\n"), Method: "notifications/x"}
	for name, c := range map[string]struct {
		script string
		steps  []engine.Step
		said   []string
		broken []abi.RuleID
	}{
		"one request":            {"", []engine.Step{act("7")}, []string{"result 1"}, nil},
		"an error is an answer":  {"", []engine.Step{line("7", "x/y", ""), act(`"a"`)}, []string{"error 1", "result 2"}, nil},
		"a notification":         {"", []engine.Step{notification, act("7")}, []string{"result 2"}, nil},
		"nothing but one":        {"", []engine.Step{notification}, nil, nil},
		"two notifications":      {"", []engine.Step{notification, notification, act("7")}, []string{"result 3"}, nil},
		"a notification last":    {"", []engine.Step{act("7"), notification}, []string{"result 1"}, nil},
		"one that is answered":   {"start chatty", []engine.Step{notification, act("7")}, []string{"error 0"}, []abi.RuleID{abi.RPCIDType}},
		"another id":             {`call out '{"jsonrpc":"2.0","id":8,"result":{}}\n'`, []engine.Step{act("7")}, []string{"result 0"}, []abi.RuleID{abi.RPCIDUnasked}},
		"a stall":                {"call line", []engine.Step{act("7"), act("8")}, nil, []abi.RuleID{abi.LifeStall}},
		"a trap":                 {"call trap unreachable", []engine.Step{act("7"), act("8")}, nil, []abi.RuleID{abi.LifeTrap}},
		"an exit with status 3":  {"eof exit 3", []engine.Step{act("7")}, []string{"result 1"}, []abi.RuleID{abi.LifeExitCode}},
		"an early exit":          {"call ok exit 0", []engine.Step{act("7"), act("8")}, []string{"result 1"}, []abi.RuleID{abi.LifeEarlyExit}},
		"a line that is no JSON": {"", []engine.Step{{Bytes: []byte("hello\n")}, act("7")}, []string{"result 2"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			b, s := session(t, c.script, engine.Config{}, engine.Options{}), &events{}
			b.probe(t.Context(), engine.Script{Name: name, Steps: c.steps}, s)
			if begin := of[event.Begin](s); len(begin) != 1 || begin[0].Kind != event.Probe || begin[0].Probe != name {
				t.Errorf("it began with %+v", begin)
			}
			if got := said(s); !slices.Equal(got, c.said) {
				t.Errorf("stdout has %v, want %v", got, c.said)
			}
			if got := broken(s); !slices.Equal(got, c.broken) {
				t.Errorf("broken are %v, want %v", got, c.broken)
			}
			if c.broken == nil {
				var sent int
				for i, q := range of[event.Request](s) {
					if string(q.Bytes) != string(c.steps[i].Bytes) || q.Line != i+1 || q.Method != c.steps[i].Method {
						t.Errorf("sent %+v as step %d", q, i+1)
					}
					sent++
				}
				if sent != len(c.steps) {
					t.Errorf("%d of %d steps were sent", sent, len(c.steps))
				}
			}
		})
	}
}

func TestAProbeDeliversInPieces(t *testing.T) {
	b, s := session(t, "", engine.Config{}, engine.Options{}), &events{}
	first := act("7")
	first.Pieces = []int{3, 1, 10}
	second := act("8")
	second.Pieces = []int{1}
	third := act("9")
	b.probe(t.Context(), engine.Script{Steps: []engine.Step{first, second, third}}, s)
	if got := said(s); !slices.Equal(got, []string{"result 1", "result 2", "result 3"}) {
		t.Errorf("stdout has %v", got)
	}
	var reads []uint64
	for _, e := range s.all {
		if w, is := e.Body.(event.WASI); is && w.Func == "fd_read" {
			reads = append(reads, w.Out[0])
		}
	}
	if want := []uint64{3, 1, 10}; len(reads) < 3 || !slices.Equal(reads[:3], want) { // equal reads are one event
		t.Errorf("reads got %v, want them to begin with %v", reads, want)
	}
	if n := uint64(len(third.Bytes)); !slices.Contains(reads, n) || !slices.Contains(reads, 1) {
		t.Errorf("reads got %v: the third line of %d bytes should come whole, the second byte by byte", reads, n)
	}
}

func TestAProbeClosesStdinBehindARequest(t *testing.T) {
	step := act("7")
	step.Close = true
	for name, c := range map[string]struct {
		script string
		said   []string
		broken []abi.RuleID
	}{
		"answers":             {"", []string{"result 1"}, nil},
		"answers late":        {"call sleep 3000 ok", []string{"result 1"}, nil}, // the second for the exit begins with the answer
		"exits at the end":    {"start hasty", nil, []abi.RuleID{abi.LifeEarlyExit}},
		"does not exit":       {"eof spin", []string{"result 1"}, []abi.RuleID{abi.LifeExitLate}},
		"answers at no price": {"call drain", nil, []abi.RuleID{abi.LifeEarlyExit}},
	} {
		t.Run(name, func(t *testing.T) {
			b, s := session(t, c.script, engine.Config{}, engine.Options{Clock: manual()}), &events{}
			b.probe(t.Context(), engine.Script{Steps: []engine.Step{step}}, s)
			if got := said(s); !slices.Equal(got, c.said) {
				t.Errorf("stdout has %v, want %v", got, c.said)
			}
			if got := broken(s); !slices.Equal(got, c.broken) {
				t.Errorf("broken are %v, want %v", got, c.broken)
			}
		})
	}
}

func TestAProbeTouchesNothing(t *testing.T) {
	volume := t.TempDir()
	keep := filepath.Join(volume, "tmp", "seen")
	for _, dir := range []string{"tmp", "data"} {
		if err := os.MkdirAll(filepath.Join(volume, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(keep, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	script := `call open '/volume/tmp/seen' r open '/volume/tmp/a' wcx write 'x' close open '/volume/data/b' wcx write 'x' close ` +
		`http '{"url":"https://api.example.com/"}' say '$errno $answer'`
	b, s := session(t, script, engine.Config{Volume: volume, Data: true}, engine.Options{}), &events{}
	for range 2 { // the second finds nothing of the first: else x would refuse the file
		*s = events{}
		b.probe(t.Context(), engine.Script{Steps: []engine.Step{act("7")}, Volume: true}, s)
		var did []string
		for _, f := range of[event.FileEffect](s) {
			did = append(did, fmt.Sprintf("%s %s %d", f.Op, f.Path, f.Errno))
		}
		want := []string{"refused /volume/tmp/seen 44", "create /volume/tmp/a 0", "write /volume/tmp/a 0", "create /volume/data/b 0", "write /volume/data/b 0"}
		if !slices.Equal(did, want) {
			t.Errorf("files: %q, want %q", did, want)
		}
		if a := of[event.HTTPAnswer](s); len(a) != 1 || a[0].Kind != abi.ErrHostNotAllowed || !strings.Contains(a[0].Message, "a probe has no network") {
			t.Errorf("HTTP answered %+v", a)
		}
	}
	got, err := os.ReadFile(keep)
	if err != nil || string(got) != "mine" {
		t.Errorf("the person's file holds %q, %v", got, err)
	}
	for _, gone := range []string{"tmp/a", "data/b"} {
		if _, err := os.Stat(filepath.Join(volume, gone)); !os.IsNotExist(err) {
			t.Errorf("%s lies in the person's volume: %v", gone, err)
		}
	}
	*s = events{}
	b.probe(t.Context(), engine.Script{Steps: []engine.Step{act("7")}}, s)
	if m := of[event.Begin](s)[0].Mounts; len(m) != 0 {
		t.Errorf("without a volume it has %+v", m)
	}
}

func TestAProbeFixesWhatTheModuleCannotKnow(t *testing.T) {
	b := session(t, "start shuffle\ntool a 'A.'\ntool b 'B.'\ntool c 'C.'\ntool d 'D.'\ntool e 'E.'", engine.Config{}, engine.Options{})
	lists := func(seed string) string {
		s := &events{}
		b.probe(t.Context(), engine.Script{Steps: []engine.Step{line("7", abi.MethodList, "")}, Seed: seed}, s)
		var out []byte
		for _, o := range of[event.Output](s) {
			out = append(out, o.Bytes...)
		}
		return string(out)
	}
	different := map[string]bool{}
	for i := range 20 {
		seed := fmt.Sprint("seed ", i)
		one := lists(seed)
		if again := lists(seed); again != one {
			t.Fatalf("with one seed it lists %s and %s", one, again)
		}
		different[one] = true
	}
	if len(different) < 2 {
		t.Errorf("20 seeds give one order: %v", different)
	}
}

func TestUploadAgainIsTheUploadRunAsAProbe(t *testing.T) {
	b, s := session(t, "tool a 'A.'\ntool b 'B.'", engine.Config{Seed: "1"}, engine.Options{}), &events{}
	r, err := b.UploadAgain(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Tape.Close()
	if r.Outcome != event.OK || len(r.Tools) != 2 {
		t.Errorf("it came to %s with %d tools", r.Outcome, len(r.Tools))
	}
	if begin := of[event.Begin](s)[0]; begin.Kind != event.Probe || len(begin.Mounts) != 0 || begin.Seed == "1" || begin.Seed == "" {
		t.Errorf("it began with %+v", begin)
	}
}

func TestAProbeEndsAtItsLimitAndWhenCancelled(t *testing.T) {
	clock := manual()
	b, s := session(t, "call spin", engine.Config{}, engine.Options{Clock: clock}), &events{}
	b.probe(t.Context(), engine.Script{Steps: []engine.Step{act("7")}}, s)
	if got := of[event.Breach](s); len(got) != 1 || got[0].Rule != abi.LifeTime || !strings.HasPrefix(got[0].Detail, "No answer within 5 s (our limit for a probe)") {
		t.Errorf("broken are %+v", got)
	}
	if r, _ := b.Upload(t.Context(), &events{}); r.Outcome != event.OK {
		t.Errorf("after it an upload comes to %s", r.Outcome)
	}

	b = session(t, "call err 'x' spin", engine.Config{}, engine.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var at time.Time
	s = &events{on: func(e event.Event) {
		if _, is := e.Body.(event.Output); is {
			at = time.Now()
			cancel()
		}
	}}
	r := b.probe(ctx, engine.Script{Steps: []engine.Step{act("7")}}, s)
	if took := time.Since(at); r.Outcome != event.Cancelled || took > 200*abi.StopLatency {
		t.Errorf("it came to %s in %s", r.Outcome, took)
	}
}

func TestAScriptThatMakesNoSense(t *testing.T) {
	b := session(t, "", engine.Config{}, engine.Options{})
	for _, p := range []engine.Script{
		{},
		{Steps: []engine.Step{{ID: "x y"}}},
		{Steps: []engine.Step{{Pieces: []int{1, 0}}}},
	} {
		if _, err := b.Probe(t.Context(), p, &events{}); err == nil {
			t.Errorf("%+v was run", p)
		}
	}
}
