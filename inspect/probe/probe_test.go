package probe_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"perch/engine/abi"
	"perch/engine/clock"
	"perch/engine/event"
	"perch/engine/settings"
	"perch/inspect/bench"
	"perch/inspect/probe"
	"perch/inspect/rules"
	"perch/samples/mischief"
)

// open opens a package whose module is the scripted guest.
func open(t *testing.T, script string, o bench.Options) *bench.Bench {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		abi.ModuleFile:   string(mischief.Build(script)),
		abi.ManifestFile: `{"abi":1,"name":"test","description":"a test"}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return opened(t, dir, o)
}

func opened(t *testing.T, name string, o bench.Options) *bench.Bench {
	t.Helper()
	b, err := bench.Open(t.Context(), name, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return b
}

// manual is a clock that a test of a limit does not wait for.
func manual() *clock.Manual {
	c := clock.NewManual(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	c.Step = 10 * time.Microsecond
	return c
}

func probed(t *testing.T, b *bench.Bench) []rules.Finding {
	t.Helper()
	u, err := b.Upload(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	found, err := b.Probe(t.Context(), u, nil)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// greets lists one tool, greet, with a name of 1 to 8 characters and a count.
const greets = `list result '{"resultType":"complete","ttlMs":1,"cacheScope":"public","tools":[{"name":"greet","description":"Greets.",` +
	`"inputSchema":{"type":"object","properties":{"name":{"type":"string","minLength":1,"maxLength":8},"count":{"type":"integer","minimum":1}},"required":["name"]}}]}'` + "\ntool greet 'Greets.' "

// two lists two tools without arguments.
const two = "tool a 'A.' %s\ntool b 'B.' say 'b'\n"

func TestEachProbe(t *testing.T) {
	const refuses = `result '{"resultType":"complete","content":[{"type":"text","text":"no"}],"isError":true}'`
	for _, c := range []struct {
		rule   abi.RuleID
		name   string
		script string
		title  string // of the one finding; empty: there is none
		stream event.Stream
	}{
		{"", "a server that does all of it", "", "", ""},
		{"", "with tools", fmt.Sprintf(two, "ok"), "", ""},
		{abi.ProbeMeta, "takes requests without _meta", "start lax meta",
			"server/discover without _meta is answered with a result; MCP asks for error -32602", event.Stdout},
		{abi.ProbeVersion, "takes all revisions", "start lax version",
			"server/discover in revision 1999-12-31 is answered with a result; MCP asks for error -32022", event.Stdout},
		{abi.ProbeMethod, "answers all methods", "unknown ok",
			"the method perch/unknown is answered with a result; MCP asks for error -32601", event.Stdout},
		{abi.ProbeMethod, "traps at a method that it does not know", "unknown trap unreachable",
			"the method perch/unknown ends in a trap", event.File},
		{abi.ProbeMethod, "waits for more at such a method", "unknown line",
			"the method perch/unknown is not answered: the module waits for more", event.Stdin},
		{abi.ProbeMethod, "another code", `unknown out '{"jsonrpc":"2.0","id":$id,"error":{"code":-32600,"message":"what?"}}\n'`,
			`the method perch/unknown is answered with error -32600, "what?"; MCP asks for error -32601`, event.Stdout},
		{abi.ProbeTool, "runs whatever is called", "tool a 'A.'\ncall ok",
			`tools/call of "no-such-tool", which is not listed, is answered with a result; it should be refused`, event.Stdout},
		{"", "an error for an unknown tool", "tool a 'A.'\n" + `call out '{"jsonrpc":"2.0","id":$id,"error":{"code":-32602,"message":"?"}}\n'`, "", ""},
		{abi.ProbeArguments, "takes wrong arguments", greets + "ok",
			`tools/call of "greet" without "name" is answered with a result; the model is not told that they are wrong`, event.Stdout},
		{"", "refuses arguments", greets + refuses, "", ""},
		{abi.ProbeArguments, "a tool that traps", "tool a 'A.' trap divide",
			`tools/call of "a" with {}, which its schema allows, ends in a trap`, event.File},
		{abi.ProbeArguments, "a tool that answers with an error", "tool a 'A.' out '{\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":{\"code\":-32602,\"message\":\"bad\"}}\\n'",
			`tools/call of "a" with {}, which its schema allows, is answered with error -32602, "bad"; a result is wanted`, event.Stdout},
		{abi.ProbeID, "keeps ids in 32 bits", "start narrow",
			"server/discover with the id 9007199254740991 is answered with another id", event.Stdout},
		{abi.ProbeNotification, "answers notifications", "start chatty",
			"notifications/cancelled without an id, a notification, is answered", event.Stdout},
		{abi.ProbeStateless, "counts its calls", fmt.Sprintf(two, "say 'call $calls'"),
			`tools/call of "a" is answered otherwise the second time`, event.Stdout},
		{abi.ProbeStateless, "counts its lists", fmt.Sprintf(two, "say 'list $page'"),
			`tools/call of "a" is answered otherwise when server/discover and tools/list came before it`, event.Stdout},
		{abi.ProbeClientInfo, "wants clientInfo", "start wants client",
			`server/discover without clientInfo in _meta is answered with error -32602, "_meta must hold more"; a result is wanted`, event.Stdout},
		{abi.ProbeLongLine, "cuts long lines", "start short 65536",
			"server/discover in a line of over 200 KiB is not answered: the module waits for more", event.Stdin},
		{abi.ProbeChunkedStdin, "takes a read for a line", "start once",
			"server/discover that arrives byte by byte is not answered: the module waits for more", event.Stdin},
		{abi.ProbeEOF, "exits at the end of input", "start hasty",
			"server/discover followed at once by the end of input is not answered: the module exits", event.Stdin},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			script := c.script
			if !strings.Contains(script, "tool ") {
				script += "\ntool act 'Acts.'" // without one it takes any name
			}
			b := open(t, script, bench.Options{Clock: manual()})
			found := probed(t, b)
			if c.title == "" {
				if len(found) > 0 {
					t.Errorf("found %s: %s", found[0].Rule, found[0].Detail)
				}
				return
			}
			if len(found) != 1 {
				for _, f := range found {
					t.Errorf("found %s: %s", f.Rule, f.Title)
				}
				t.Fatalf("%d findings", len(found))
			}
			f := found[0]
			if f.Rule != c.rule || f.Title != c.title || f.Where.Stream != c.stream {
				t.Errorf("found %s in %s: %s", f.Rule, f.Where.Stream, f.Detail)
			}
			if f.Severity != abi.RuleOf(c.rule).Severity() || f.Refuses() || f.Run != event.Probe || f.Fix == "" || !strings.HasSuffix(f.Detail, "\n"+probe.Mark) {
				t.Errorf("it is %+v", f)
			}
			for _, part := range []string{"\nSent: {\"jsonrpc\":", "\nCame back: "} {
				if !strings.Contains(f.Detail, part) {
					t.Errorf("it does not tell %q: %s", part, f.Detail)
				}
			}
			run := b.Run(f.RunID)
			if run == nil || run.Begin().Kind != event.Probe {
				t.Fatalf("its run %d is not there", f.RunID)
			}
			if runs := b.Probes.Runs(); len(runs) != 1 {
				t.Errorf("%d runs are kept", len(runs))
			}
			if _, _, ok := b.Source(f); ok != (f.Where.Stream != event.File) {
				t.Errorf("its place is %+v, with a line to show: %v", f.Where, ok)
			}
			if f.Where.Stream == event.File && len(f.Stack) == 0 {
				t.Error("a trap without its stack")
			}
		})
	}
}

func TestAFindingNamesWhatElseFails(t *testing.T) {
	b := open(t, "start lax meta\ntool act 'Acts.'", bench.Options{})
	found := probed(t, b)
	if len(found) != 1 {
		t.Fatalf("%d findings", len(found))
	}
	for _, part := range []string{
		"\nThe same of: tools/list without _meta; tools/call of \"act\" without _meta; server/discover without protocolVersion in _meta; ", "\nAnd 2 more.",
	} {
		if !strings.Contains(found[0].Detail, part) {
			t.Errorf("it does not tell %q: %s", part, found[0].Detail)
		}
	}
}

// TestTheFirstToolThatWorks stands for the calls of all protocol probes.
func TestTheFirstToolThatWorks(t *testing.T) {
	b := open(t, "tool bad 'Traps.' trap unreachable\ntool good 'Works.'\nstart lax meta", bench.Options{})
	for _, f := range probed(t, b) {
		if f.Rule == abi.ProbeMeta && !strings.Contains(f.Detail, "tools/call of \"good\" without _meta") {
			t.Errorf("it says %s", f.Detail)
		}
	}
}

// TestAFloodIsNotMisread: of a run whose record is no longer whole nothing is
// said, and it ends.
func TestAFloodIsNotMisread(t *testing.T) {
	clock := manual()
	clock.Step = 0
	flood := "repeat 4000 ( openat 3 '${3000:x}' r openat 3 '${3000:y}' r )"
	b := open(t, "unknown "+flood+"\ntool a 'A.'", bench.Options{Clock: clock})
	for _, f := range probed(t, b) {
		t.Errorf("found %s: %s", f.Rule, f.Detail)
	}
}

// TestWhatDependsOnTimeOrChance is not held for what came before.
func TestWhatDependsOnTimeOrChance(t *testing.T) {
	if found := probed(t, opened(t, "sample:greeter", bench.Options{})); len(found) > 0 {
		t.Errorf("found %s: %s", found[0].Rule, found[0].Detail)
	}
	b := open(t, "tool a 'A.' open '/volume/tmp/n' wc write 'x' close say '$calls'", bench.Options{})
	if found := probed(t, b); len(found) > 0 {
		t.Errorf("of a tool that keeps files it found %s: %s", found[0].Rule, found[0].Detail)
	}
}

func TestOurSamplesPass(t *testing.T) {
	for _, name := range []string{"greeter", "orders", "charts", "notebook"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, f := range probed(t, opened(t, "sample:"+name, bench.Options{Clock: manual()})) { // one sleeps
				t.Errorf("found %s: %s", f.Rule, f.Detail)
			}
		})
	}
}

func TestAModuleThatDoesNotAnswerIsNotAskedForMore(t *testing.T) {
	for name, script := range map[string]string{
		"a trap":           "start trap unreachable",
		"an error":         `discover out '{"jsonrpc":"2.0","id":$id,"error":{"code":-32601,"message":"?"}}\n'`,
		"a line too early": `start out 'hello\n'`,
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, script, bench.Options{})
			if found := probed(t, b); len(found) > 0 || len(b.Probes.Runs()) > 0 {
				t.Errorf("found %+v in %d runs", found, len(b.Probes.Runs()))
			}
		})
	}
	b := open(t, "eof exit 3\ntool a 'A.'", bench.Options{})
	if found := probed(t, b); len(found) > 0 {
		t.Errorf("of the upload run's own fault it says again: %s", found[0].Detail)
	}
}

func TestAModuleThatWantsInitialize(t *testing.T) {
	const waits = `discover out '{"jsonrpc":"2.0","id":$id,"error":{"code":-32002,"message":"Server not initialized"}}\n'` + "\n" +
		"start lax meta\n"
	b := open(t, waits+`unknown result '{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"x","version":"1"}}'`, bench.Options{})
	found := probed(t, b)
	if len(found) != 1 || found[0].Rule != abi.RPCHandshake || found[0].Severity != abi.Info || !found[0].Follows || found[0].Run != event.Probe ||
		found[0].Title != `initialize is answered with a result: the module speaks an older MCP revision, "2025-06-18"` {
		t.Errorf("found %+v", found)
	}
	if _, _, ok := b.Source(found[0]); !ok {
		t.Error("its line cannot be shown")
	}
	if found := probed(t, open(t, waits, bench.Options{})); len(found) > 0 {
		t.Errorf("of one that does not answer initialize either: %+v", found)
	}
}

func TestWhatTakesAllItsTimeIsTriedTwice(t *testing.T) {
	b := open(t, "unknown sleep 10000\ntool a 'A.' sleep 10000\ntool b 'B.'", bench.Options{Clock: manual()})
	found := probed(t, b)
	if len(found) != 1 || found[0].Rule != abi.ProbeMethod || found[0].Title != "the method perch/unknown is not answered in time" {
		t.Fatalf("found %+v", found)
	}
}

func TestTheSameSeedGivesTheSame(t *testing.T) {
	seven := "7"
	var details []string
	for range 2 {
		b := open(t, "start narrow\nunknown ok", bench.Options{Flags: settings.Flags{Seed: &seven}})
		var all []string
		for _, f := range probed(t, b) {
			all = append(all, f.Detail)
		}
		details = append(details, strings.Join(all, "\n\n"))
	}
	if details[0] != details[1] || details[0] == "" {
		t.Errorf("with one seed:\n%s\n\n%s", details[0], details[1])
	}
}

func TestProgress(t *testing.T) {
	b := open(t, fmt.Sprintf(two, "ok"), bench.Options{})
	u, err := b.Upload(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	next, all := 0, 0
	var names []string
	if _, err := b.Probe(t.Context(), u, func(now probe.State) {
		done, total, name := now.Done, now.Total, now.Next
		if done != next || all != 0 && total != all || (name == "") != (done == total) {
			t.Errorf("%d of %d, %q after %d of %d", done, total, name, next-1, all)
		}
		next, all = done+1, total
		names = append(names, name)
	}); err != nil {
		t.Fatal(err)
	}
	if next != all+1 || all < 40 || !slices.Contains(names, "server/discover without _meta") {
		t.Errorf("%d of %d: %q", next-1, all, names)
	}
}

func TestCancel(t *testing.T) {
	b := open(t, "start lax meta\nunknown spin", bench.Options{})
	u, err := b.Upload(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var at time.Time
	found, err := b.Probe(ctx, u, func(now probe.State) {
		if now.Next == "the method perch/unknown" {
			time.AfterFunc(20*time.Millisecond, func() { at = time.Now(); cancel() })
		}
	})
	if took := time.Since(at); !errors.Is(err, context.Canceled) || took > 200*abi.StopLatency {
		t.Errorf("it ended with %v after %s", err, took)
	}
	if len(found) != 1 || found[0].Rule != abi.ProbeMeta {
		t.Errorf("found so far: %+v", found)
	}
}

// TestFoundSoFar: each finding is there as soon as its probe has ended, and the
// last state has all.
func TestFoundSoFar(t *testing.T) {
	b := open(t, "start lax meta\nunknown ok\ntool act 'Acts.'", bench.Options{})
	u, err := b.Upload(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var came []string
	var last []rules.Finding
	found, err := b.Probe(t.Context(), u, func(now probe.State) {
		if len(now.Found) < len(last) {
			t.Errorf("before %q there are %d findings, and were %d", now.Next, len(now.Found), len(last))
		}
		for _, f := range now.Found {
			if !slices.ContainsFunc(last, func(x rules.Finding) bool { return x.Rule == f.Rule }) {
				came = append(came, fmt.Sprintf("%s before %s", f.Rule, now.Next))
			}
			if b.Run(f.RunID) == nil {
				t.Errorf("the run of %s is not kept", f.Rule)
			}
		}
		last = now.Found
	})
	if err != nil || !reflect.DeepEqual(last, found) {
		t.Errorf("%v; the last state has %+v, found is %+v", err, last, found)
	}
	want := []string{"probe/meta before tools/list without _meta", "probe/method before the method prompts/list"}
	if !slices.Equal(came, want) {
		t.Errorf("came %q, want %q", came, want)
	}
}
