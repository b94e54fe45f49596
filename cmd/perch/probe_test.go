package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"perch/inspect/bench"
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
		p.set(c.done, c.total, c.name)
		got := p.text()
		if !strings.HasPrefix(got, c.want) || strings.ContainsAny(got, "\x1b\n") || len([]rune(got)) > 39 {
			t.Errorf("%d of %d is %q", c.done, c.total, got)
		}
	}
}
