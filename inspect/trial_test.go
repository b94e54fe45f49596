package inspect_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"perch/engine/abi"
	"perch/engine/clock"
	"perch/engine/event"
	"perch/engine/settings"
	"perch/inspect/bench"
	"perch/inspect/rules"
	"perch/samples/mischief"
)

// trial is one case: a package, what is done with it, and what that comes to.
type trial struct {
	open   func(t *testing.T) string // the name that the package is opened by
	flags  settings.Flags
	mocks  string                                // the text of a file of mocks
	server func(t *testing.T, f *settings.Flags) // starts what the flags lead to
	do     func(t *testing.T, b *bench.Bench) result
	text   string // part of what the model reads

	// What it comes to.
	outcome  event.Outcome // empty: as the rule's effect says, or good
	severity abi.Severity  // empty: that of the rule
	behind   abi.RuleID    // the finding that this one stands behind
	at       mischief.Where
	check    func(t *testing.T, got result)
}

// run opens the package and does what is to be done with it.
func (c trial) run(t *testing.T) result {
	t.Helper()
	f := c.flags
	if c.mocks != "" {
		name := filepath.Join(t.TempDir(), "mocks.toml")
		write(t, name, []byte(c.mocks))
		f.Mock = append(f.Mock, name)
	}
	if c.server != nil {
		c.server(t, &f)
	}
	b, err := bench.Open(t.Context(), c.open(t), bench.Options{Clock: quick(), Flags: f})
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	got := c.do(t, b)
	got.bench = b
	if c.check != nil {
		c.check(t, got)
	}
	return got
}

// want is the outcome of a case whose rule has this effect.
func (c trial) want(effect string) event.Outcome {
	switch {
	case c.outcome != "":
		return c.outcome
	case effect == refuses:
		return event.Refused
	case effect == breaksRun:
		return event.Broken
	}
	return event.OK
}

// place holds the place of a finding against that which is wanted.
func (c trial) place(t *testing.T, got result, f rules.Finding) {
	t.Helper()
	want, is := c.at, f.Where
	stream := string(is.Stream)
	if is.Stream == event.File {
		stream = is.File
	}
	if want.Stream != "" && stream != want.Stream {
		t.Errorf("found in %q, want %q", stream, want.Stream)
	}
	if want.Line != 0 && is.Line != want.Line {
		t.Errorf("found in line %d, want %d", is.Line, want.Line)
	}
	if want.Stream != "" && want.Offset >= 0 && is.Offset != want.Offset {
		t.Errorf("found at byte %d, want %d", is.Offset, want.Offset)
	}
	if want.Pointer != "" && is.Pointer != want.Pointer {
		t.Errorf("found at %s, want %s", is.Pointer, want.Pointer)
	}
	if want.Text == "" {
		return
	}
	run := got.bench.Run(f.RunID)
	if run == nil {
		t.Fatalf("there is no run %d", f.RunID)
	}
	if text := run.Stream(is.Stream).Bytes(is.Offset, len(want.Text)); !bytes.Equal(text, []byte(want.Text)) {
		t.Errorf("%q stands at the place, want %q", text, want.Text)
	}
}

// ---- what is done with a package ----

func upload(t *testing.T, b *bench.Bench) result {
	t.Helper()
	u, err := b.Check(t.Context())
	if err != nil {
		t.Fatalf("upload: %v", err)
	}
	return result{outcome: u.Outcome, found: u.Findings}
}

// calls calls a tool n times; the last call is the one in question.
func calls(tool, arguments, text string, n int) func(t *testing.T, b *bench.Bench) result {
	return func(t *testing.T, b *bench.Bench) result {
		t.Helper()
		if u := upload(t, b); u.outcome != event.OK {
			t.Fatalf("the upload is %s: %s", u.outcome, listed(u.found))
		}
		var c bench.Call
		var err error
		for range n {
			if c, err = b.Call(t.Context(), tool, []byte(arguments)); err != nil {
				t.Fatalf("call: %v", err)
			}
		}
		if text != "" && (len(c.Model) == 0 || !strings.Contains(c.Model[0].Text, text)) {
			t.Errorf("the model reads %v, want %q in it", c.Model, text)
		}
		return result{outcome: c.Result.Outcome, found: c.Findings}
	}
}

// ---- packages ----

// caseOf is a case of mischief, and what its table says of it.
func caseOf(name string) trial {
	c, ok := mischief.Find(name)
	if !ok {
		panic("mischief has no case " + name)
	}
	r := trial{at: c.Where, outcome: event.Outcome(c.Outcome), open: sample("mischief:" + name), do: upload}
	switch c.Kind {
	case mischief.Tool:
		r.open, r.do = sample("mischief"), calls(c.Tool(), "{}", c.Text, 1)
	case mischief.Call:
		r.do = calls(c.Tool(), "{}", c.Text, 1)
	case mischief.Probe:
		r.do = probed
	case mischief.Archive:
		r.open = func(t *testing.T) string { return archive(t, c.Bytes()) }
	}
	if c.NumberID {
		r.do = calls(c.Tool(), "{}", c.Text, 2)
	}
	if c.Outcome == mischief.OK {
		r = r.ofRun(abi.RuleID(c.Rule))
	}
	return r
}

// also is a case of mischief for the rule whose finding stands behind the first.
func also(name string, at mischief.Where) trial {
	c, _ := mischief.Find(name)
	r := caseOf(name)
	r.behind, r.at = abi.RuleID(c.Rule), at
	return r
}

// ofRun leaves out what is said of a good module before it is run.
func (c trial) ofRun(rule abi.RuleID) trial {
	do := c.do
	c.do = func(t *testing.T, b *bench.Bench) result {
		got := do(t, b)
		var found []rules.Finding
		for _, f := range got.found {
			if f.Rule.Group() != "module" || f.Rule == rule {
				found = append(found, f)
			}
		}
		got.found = found
		return got
	}
	return c
}

func sample(name string) func(*testing.T) string {
	return func(*testing.T) string { return bench.SamplePrefix + name }
}

// call is a module whose tool act does this.
func call(ops string) trial { return callOf("", ops) }

// callOf is a module of these script lines, whose tool act does this.
func callOf(script, ops string) trial {
	return trial{open: scripted(script + "\ncall " + ops), do: calls(mischief.ActTool, "{}", "", 1)}
}

// says is a good call whose text holds this.
func says(text, ops string) trial {
	c := call(ops)
	c.do = calls(mischief.ActTool, "{}", text, 1)
	return c
}

// numbered is a call whose request has a number for its id.
func numbered(ops string) trial {
	c := call(ops)
	c.do = calls(mischief.ActTool, "{}", "", 2)
	return c
}

// uploads is a module of these script lines, whose upload is in question.
func uploads(script string) trial { return trial{open: scripted(script), do: upload} }

// module is the upload of a package with this module.
func module(make func() []byte) trial {
	return trial{do: upload, open: func(t *testing.T) string {
		return folder(t, map[string][]byte{abi.ModuleFile: make(), abi.ManifestFile: []byte(manifest)})
	}}
}

// files is the upload of a package of a good module and these files.
func files(of map[string]string) trial {
	return trial{do: upload, open: func(t *testing.T) string {
		all := map[string][]byte{abi.ModuleFile: mischief.Build("")}
		for name, text := range of {
			all[name] = []byte(text)
		}
		return folder(t, all)
	}}
}

const manifest = `{"abi":1,"name":"case","description":"A case."}`

func scripted(script string) func(t *testing.T) string {
	return func(t *testing.T) string {
		return folder(t, map[string][]byte{abi.ModuleFile: mischief.Build(strings.TrimPrefix(script, "\n")), abi.ManifestFile: []byte(manifest)})
	}
}

func folder(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), data)
	}
	return dir
}

func archive(t *testing.T, data []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "package.tar")
	write(t, name, data)
	return name
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// ---- what it comes to ----

func (c trial) comesTo(o event.Outcome) trial {
	c.outcome = o
	return c
}

func (c trial) standsAt(w mischief.Where) trial {
	c.at = w
	return c
}

func (c trial) with(f settings.Flags) trial {
	c.flags = f
	return c
}

func (c trial) seen(check func(t *testing.T, got result)) trial {
	c.check = check
	return c
}

// value is a JSON value on a line of stdout that begins with this text.
func value(line int, pointer, text string) mischief.Where {
	return mischief.Where{Stream: "stdout", Line: line, Offset: -1, Pointer: pointer, Text: text}
}

// result of a script: a good answer with this result.
const (
	complete = `result '{"resultType":"complete",`
	done     = `{"resultType":"complete","content":[{"type":"text","text":"done"}]}`
	cached   = `{"resultType":"complete","ttlMs":0,"cacheScope":"private",`
)

func lists(tools string) string { return `list result '` + cached + `"tools":[` + tools + `]}'` }

// tool is a good tool with these members beside the usual ones.
func tool(name, members string) string {
	return fmt.Sprintf(`{"name":"%s","description":"One of many.","inputSchema":{"type":"object"}%s}`, name, members)
}

// quick is a clock on which a minute of computing takes a moment: each look at
// it moves it on, waits pass at once, and so do short timers. Timers of a
// run's limits pass when their time has come.
func quick() clock.Clock {
	c := clock.NewManual(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	c.Step = 100 * time.Microsecond
	return quickClock{c}
}

type quickClock struct{ *clock.Manual }

// After implements clock.Clock.
func (q quickClock) After(d time.Duration) (<-chan struct{}, func()) {
	passed, release := q.Manual.After(d)
	if d <= 300*time.Millisecond {
		q.Advance(d)
	}
	return passed, release
}
