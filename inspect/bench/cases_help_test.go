package bench_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/settings"
	"perch/inspect/bench"
	"perch/inspect/record"
	"perch/inspect/rules"
	"perch/samples/mischief"
)

// packed is a package folder with this module.
func packed(t *testing.T, module []byte) string {
	t.Helper()
	dir := t.TempDir()
	put(t, filepath.Join(dir, abi.ModuleFile), module)
	put(t, filepath.Join(dir, abi.ManifestFile), []byte(`{"abi":1,"name":"case","description":"A case."}`))
	return dir
}

// openWith opens a package with a clock that costs no time and these flags.
func openWith(t *testing.T, name string, f settings.Flags) *bench.Bench {
	t.Helper()
	b, err := bench.Open(t.Context(), name, bench.Options{Clock: quick(), Flags: f})
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return b
}

// act calls the tool of a scripted module.
func act(t *testing.T, script string) bench.Call {
	t.Helper()
	return actOn(t, openWith(t, packed(t, mischief.Build(script)), settings.Flags{}))
}

func actOn(t *testing.T, b *bench.Bench) bench.Call {
	t.Helper()
	c, err := b.Call(t.Context(), mischief.ActTool, []byte("{}"))
	if err != nil {
		t.Fatalf("call: %v", err)
	}
	return c
}

// text is all that a finding says.
func text(f rules.Finding) string { return f.Detail + "\n" + f.Fix }

// holds reports what of these texts a finding does not say.
func holds(t *testing.T, f rules.Finding, texts ...string) {
	t.Helper()
	for _, want := range texts {
		if !strings.Contains(text(f), want) {
			t.Errorf("%s does not say %q: %s", f.Rule, want, text(f))
		}
	}
}

// find returns the first finding of a rule.
func find(t *testing.T, found []rules.Finding, rule abi.RuleID) rules.Finding {
	t.Helper()
	i := slices.IndexFunc(found, func(f rules.Finding) bool { return f.Rule == rule })
	if i < 0 {
		t.Fatalf("%s is not among the findings: %s", rule, list(found))
	}
	return found[i]
}

// outcome holds a call against its outcome and the rule of its first finding.
func outcome(t *testing.T, c bench.Call, want event.Outcome, rule abi.RuleID) rules.Finding {
	t.Helper()
	if c.Result.Outcome != want {
		t.Errorf("the outcome is %s, want %s: %s", c.Result.Outcome, want, list(c.Findings))
	}
	if rule == "" {
		return rules.Finding{}
	}
	if len(c.Findings) == 0 || c.Findings[0].Rule != rule {
		t.Fatalf("the first finding is not %s: %s", rule, list(c.Findings))
	}
	return c.Findings[0]
}

// bodies are the events of one type of a run.
func bodies[T event.Body](t *testing.T, r *record.Run) []T {
	t.Helper()
	var all []T
	err := r.Range(0, func(e event.Event) bool {
		if b, ok := e.Body.(T); ok {
			all = append(all, b)
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// cancelled is a context that has ended.
func cancelled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

func write(t *testing.T, module []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), abi.ModuleFile)
	put(t, name, module)
	return name
}

func put(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
