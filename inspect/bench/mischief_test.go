package bench_test

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/bench"
	"perch/inspect/rules"
	"perch/samples/mischief"
)

// open opens a package with a clock that costs no time.
func open(t *testing.T, name string) *bench.Bench {
	t.Helper()
	b, err := bench.Open(t.Context(), name, bench.Options{Clock: quick()})
	if err != nil {
		t.Fatalf("open %s: %v", name, err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Errorf("close %s: %v", name, err)
		}
	})
	return b
}

// caseName is what a case is opened by.
func caseName(t *testing.T, c mischief.Case) string {
	t.Helper()
	switch c.Kind {
	case mischief.Tool:
		return bench.SamplePrefix + "mischief"
	case mischief.Archive:
		name := filepath.Join(t.TempDir(), c.Name+".tar")
		put(t, name, c.Bytes())
		return name
	}
	return bench.SamplePrefix + "mischief:" + c.Name
}

// TestMischief holds perch against the table of what goes wrong: the first
// finding of each case names its rule and its place, and the outcome is as
// stated.
func TestMischief(t *testing.T) {
	const shortStep = 4 // of the cases, -short takes every fourth
	for i, c := range mischief.Cases() {
		if testing.Short() && i%shortStep != 0 {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			b := open(t, caseName(t, c))
			u, err := b.Check(ctx)
			if err != nil {
				t.Fatalf("upload: %v", err)
			}
			if c.Kind == mischief.Probe {
				found, err := b.Probe(ctx, u, nil)
				if err != nil || len(found) > 1 {
					t.Errorf("more than one probe fails: %s (%v)", list(found), err)
				}
				judge(t, b, c, u.Outcome, found)
				return
			}
			if c.Tool() == "" {
				judge(t, b, c, u.Outcome, inQuestion(c, u.Findings))
				return
			}
			if u.Outcome != event.OK {
				t.Fatalf("the upload run is %s: %s", u.Outcome, list(u.Findings))
			}
			call, err := b.Call(ctx, c.Tool(), []byte("{}"))
			if err == nil && c.NumberID {
				call, err = b.Call(ctx, c.Tool(), []byte("{}"))
			}
			if err != nil {
				t.Fatalf("call: %v", err)
			}
			judge(t, b, c, call.Result.Outcome, call.Findings)
			if c.Text != "" && (len(call.Model) == 0 || !strings.Contains(call.Model[0].Text, c.Text)) {
				t.Errorf("the model reads %v, want %q in it", call.Model, c.Text)
			}
		})
	}
}

// inQuestion leaves out what is said of a good module before it is run.
func inQuestion(c mischief.Case, found []rules.Finding) []rules.Finding {
	if c.Outcome != mischief.OK {
		return found
	}
	return slices.DeleteFunc(found, func(f rules.Finding) bool { return f.Rule == abi.ModuleToolchain })
}

func judge(t *testing.T, b *bench.Bench, c mischief.Case, got event.Outcome, found []rules.Finding) {
	t.Helper()
	if string(got) != c.Outcome {
		t.Errorf("the outcome is %s, want %s: %s", got, c.Outcome, list(found))
	}
	if c.Rule == "" {
		for _, f := range found {
			if f.Severity == abi.Error {
				t.Errorf("found %s: %s", f.Rule, f.Detail)
			}
		}
		return
	}
	if len(found) == 0 || string(found[0].Rule) != c.Rule {
		t.Fatalf("the first finding is not %s: %s", c.Rule, list(found))
	}
	if c.Also != "" && !slices.ContainsFunc(found, func(f rules.Finding) bool { return string(f.Rule) == c.Also }) {
		t.Errorf("%s is not among the findings: %s", c.Also, list(found))
	}
	place(t, b, c.Where, found[0])
}

// place holds the place of a finding against that which is wanted.
func place(t *testing.T, b *bench.Bench, want mischief.Where, f rules.Finding) {
	t.Helper()
	got := f.Where
	stream := string(got.Stream)
	if got.Stream == event.File {
		stream = got.File
	}
	if want.Stream != "" && stream != want.Stream {
		t.Errorf("found in %q, want %q", stream, want.Stream)
	}
	if want.Line != 0 && got.Line != want.Line {
		t.Errorf("found in line %d, want %d", got.Line, want.Line)
	}
	if want.Stream != "" && want.Offset >= 0 && got.Offset != want.Offset {
		t.Errorf("found at byte %d, want %d", got.Offset, want.Offset)
	}
	if want.Pointer != "" && got.Pointer != want.Pointer {
		t.Errorf("found at %s, want %s", got.Pointer, want.Pointer)
	}
	if want.Text == "" {
		return
	}
	run := b.Run(f.RunID)
	if run == nil {
		t.Fatalf("there is no run %d", f.RunID)
	}
	if text := run.Stream(got.Stream).Bytes(got.Offset, len(want.Text)); !bytes.Equal(text, []byte(want.Text)) {
		t.Errorf("%q stands at the place, want %q", text, want.Text)
	}
}

func list(found []rules.Finding) string {
	var lines []string
	for _, f := range found {
		lines = append(lines, "\n  "+string(f.Severity)+" "+string(f.Rule)+": "+f.Detail)
	}
	return strings.Join(lines, "")
}
