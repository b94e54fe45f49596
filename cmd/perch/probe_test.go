package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"perch/engine/abi"
	"perch/inspect/bench"
	"perch/inspect/probe"
	"perch/inspect/rules"
)

func TestProbesAreQuietWithoutATerminal(t *testing.T) {
	var out, err bytes.Buffer
	a := &app{streams: streams{in: os.Stdin, out: &out, err: &err}}
	b, e := bench.Open(t.Context(), scripted(t, "unknown.wasm", "unknown ok\ntool act 'Acts.'"), bench.Options{})
	if e != nil {
		t.Fatal(e)
	}
	defer b.Close()
	u, e := b.Upload(t.Context())
	if e != nil {
		t.Fatal(e)
	}
	found, e := a.probe(t.Context(), b, u)
	if e != nil || len(found) != 1 || found[0].Rule != "probe/method" {
		t.Errorf("found %+v, %v", found, e)
	}
	if out.Len()+err.Len() > 0 {
		t.Errorf("it wrote %q, %q", out.String(), err.String())
	}
}

func TestTheProgressLine(t *testing.T) {
	t.Setenv("LC_ALL", "C.UTF-8")
	p := &progressLine{out: new(bytes.Buffer), width: 40, doing: "probing"}
	for _, c := range []struct {
		done, total int
		name, want  string
	}{
		{0, 0, "", "probing"},
		{0, 40, "server/discover", "probing 1 of 40: server/discover"},
		{40, 40, "", "probing 40 of 40: "},
		{3, 40, "a name\x1b[2J with \n what it should not have, and long", "probing 4 of 40: a name"},
	} {
		p.set(probe.State{Done: c.done, Total: c.total, Next: c.name})
		got := p.text()
		if !strings.HasPrefix(got, c.want) || strings.ContainsAny(got, "\x1b\n") || len([]rune(got)) > 39 {
			t.Errorf("%d of %d is %q", c.done, c.total, got)
		}
	}
}

// TestFindingsAsTheyCome: each finding has one line, above the line that is
// written again and again.
func TestFindingsAsTheyCome(t *testing.T) {
	t.Setenv("LC_ALL", "C.UTF-8")
	var out bytes.Buffer
	p := &progressLine{out: &out, width: 60, doing: "probing", told: map[string]bool{}, stop: make(chan struct{}), stopped: make(chan struct{})}
	meta := rules.Finding{Rule: abi.ProbeMeta, Severity: abi.Warning, Title: "A request without \x1b[2J_meta was answered"}
	tool := rules.Finding{Rule: abi.ProbeArguments, Severity: abi.Notice, Tool: "act", Title: "It traps"}
	tick := make(chan time.Time)
	go p.run(tick)
	for _, now := range []probe.State{
		{Done: 1, Total: 3, Next: "one"},
		{Done: 2, Total: 3, Next: "two", Found: []rules.Finding{meta}},
		{Done: 2, Total: 3, Next: "two", Found: []rules.Finding{meta}},
		{Done: 3, Total: 3, Found: []rules.Finding{meta, tool}},
	} {
		p.set(now)
		tick <- time.Time{}
		tick <- time.Time{} // the first one is done with
	}
	p.end()
	got := strings.NewReplacer(eraseToEnd, "|", "\r", "<").Replace(out.String())
	want := "<probing 2 of 3: one|<warning[probe/meta]: A request without ␛[2J_meta was answe…|\nprobing 3 of 3: two|" +
		"<notice[probe/arguments]: It traps|\nprobing 3 of 3: |<|"
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestWrapped(t *testing.T) {
	const text = "perch: --format knows no \"jsn\". Did you mean json?\n  perch check ./greeter --format json"
	for width, want := range map[int]string{
		0:  text,
		80: text,
		30: "perch: --format knows no\n\"jsn\". Did you mean json?\n  perch check ./greeter --format json",
	} {
		if got := wrapped(text, width); got != want {
			t.Errorf("at %d:\n%s\nwant\n%s", width, got, want)
		}
	}
}
