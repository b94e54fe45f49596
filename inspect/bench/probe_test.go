package bench_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/settings"
	"perch/engine/wire"
	"perch/inspect/bench"
	"perch/inspect/rules"
)

func openScript(t *testing.T, script string) *bench.Bench {
	return opened(t, folder(t, script, nil), bench.Options{})
}

// stable are the findings of list/stable in a check.
func stable(all []rules.Finding) (found []rules.Finding) {
	for _, f := range all {
		if f.Rule == abi.ListStable {
			found = append(found, f)
		}
	}
	return found
}

func TestToolsThatChangeFromRunToRun(t *testing.T) {
	const three = "tool a 'A.'\ntool b 'B.'\ntool c 'C.'\n"
	b := openScript(t, three)
	u, err := b.Check(t.Context())
	if err != nil || !u.Accepted() || len(stable(u.Findings)) > 0 {
		t.Errorf("of tools that stay it found %+v, %v", u.Findings, err)
	}
	if len(b.Probes.Runs()) > 0 {
		t.Error("the second run is kept though nothing was found in it")
	}
	for i := range 40 { // one order in six is that of the first run
		b := openScript(t, "start shuffle\n"+three)
		u, err := b.Check(t.Context())
		if err != nil || !u.Accepted() {
			t.Fatalf("it came to %s, %v", u.Outcome, err)
		}
		found := stable(u.Findings)
		if len(found) == 0 {
			continue
		}
		f := found[0]
		if len(found) > 1 || !strings.HasPrefix(f.Title, "a second run lists the tools in another order: \"") || f.Severity != abi.Notice ||
			f.Run != event.Upload || f.RunID != u.Run.ID() || f.Where.Line != 2 || !slices.ContainsFunc(u.Tools, func(t wire.Tool) bool {
			return t.Name == f.Tool && f.Where.Pointer == fmt.Sprintf("/result/tools/%d", t.Index)
		}) {
			t.Errorf("after %d times it found %+v", i, found)
		}
		if _, _, ok := b.Source(f); !ok {
			t.Error("its line cannot be shown")
		}
		if runs := b.Probes.Runs(); len(runs) != 1 || runs[0].Begin().Kind != event.Probe || b.Run(runs[0].ID()) != runs[0] {
			t.Errorf("the record of probes has %d runs", len(runs))
		}
		if runs := b.Record.Runs(); len(runs) != 1 || runs[0] != u.Run {
			t.Errorf("the record of Subako's runs has %d", len(runs))
		}
		return
	}
	t.Error("in 40 pairs of runs the order never changed")
}

// TestTheOrderOfOneSeed: the second run has another seed than the first, so the
// same check of one seed says the same each time.
func TestTheOrderOfOneSeed(t *testing.T) {
	dir := folder(t, "start shuffle\ntool a 'A.'\ntool b 'B.'\ntool c 'C.'\n", nil)
	seen := map[bool]int{}
	for seed := range 6 {
		var said []string
		for range 2 {
			text := fmt.Sprint(seed)
			b := opened(t, dir, bench.Options{Flags: settings.Flags{Seed: &text}})
			u, err := b.Check(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			detail := ""
			for _, f := range stable(u.Findings) {
				detail = f.Detail
			}
			said = append(said, detail)
		}
		if said[0] != said[1] {
			t.Errorf("with seed %d it says %q and %q", seed, said[0], said[1])
		}
		seen[said[0] != ""]++
	}
	if seen[true] == 0 || seen[false] == 0 {
		t.Errorf("of 6 seeds %d change the order", seen[true])
	}
}

func TestWhenThereIsNoSecondRun(t *testing.T) {
	b := openScript(t, "list result '{\"tools\":[]}'")
	u, err := b.Check(t.Context())
	if err != nil || u.Accepted() || len(b.Probes.Runs()) > 0 {
		t.Errorf("of a refused package: %s, %v", u.Outcome, err)
	}
	if found, err := b.Stable(t.Context(), u); found != nil || err != nil {
		t.Errorf("of a refused package: %+v, %v", found, err)
	}
	b = openScript(t, "")
	if u, err = b.Upload(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if found, err := b.Stable(ctx, u); found != nil || err != nil {
		t.Errorf("of a run that did not begin: %+v, %v", found, err)
	}
}

func TestProbesStandAmongTheFindings(t *testing.T) {
	b := openScript(t, "start lax meta\ntool act 'Acts.'")
	u, err := b.Upload(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	before := len(b.Record.Runs())
	found, err := b.Probe(t.Context(), u, nil)
	if err != nil {
		t.Fatal(err)
	}
	b.Add(&u, found)
	if f := find(t, u.Findings, abi.ProbeMeta); !u.Accepted() || f.Run != event.Probe || !u.Probed || len(b.Record.Runs()) != before {
		t.Errorf("%s with %+v", u.Outcome, u.Findings)
	}
	if _, err := b.Call(t.Context(), "act", []byte("{}")); err != nil {
		t.Errorf("a call after the probes: %v", err)
	}
	refused, err := bench.Open(t.Context(), "sample:mischief:library", bench.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer refused.Close()
	if u, err = refused.Upload(t.Context()); err != nil {
		t.Fatal(err)
	}
	if found, err := refused.Probe(t.Context(), u, nil); found != nil || err != nil {
		t.Errorf("of a module that cannot be run: %+v, %v", found, err)
	}
}
