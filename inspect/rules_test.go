package inspect_test

import (
	"slices"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/bench"
	"perch/inspect/rules"
)

// pair is a rule of the ledger, a case that breaks it and a case as near to
// that one as can be that keeps it.
type pair struct {
	rule   abi.RuleID
	breaks trial
	keeps  trial
}

// pairs is the whole table, one file a group of rules.
func pairs() []pair {
	return slices.Concat(packagePairs(), modulePairs(), featurePairs(), framePairs(), rpcPairs(), errorPairs(), resultPairs(),
		discoverPairs(), listPairs(), toolPairs(), schemaPairs(), callPairs(), blockPairs(), lifePairs(), filePairs(), httpPairs(), probePairs())
}

// TestRules holds each rule to its two cases, and to its words. The subtests are
// named by the rule: TestRules/frame/json/breaks.
func TestRules(t *testing.T) {
	byRule := make(map[abi.RuleID]pair)
	for _, p := range pairs() {
		if _, twice := byRule[p.rule]; twice {
			t.Errorf("%s stands twice in the table", p.rule)
		}
		byRule[p.rule] = p
	}
	ledger := abi.Rules()
	if len(byRule) != len(ledger) {
		t.Errorf("the table has %d rules, the ledger %d", len(byRule), len(ledger))
	}
	const shortStep = 4 // of the rules, -short takes every fourth
	for i, r := range ledger {
		p, is := byRule[r.ID]
		if !is {
			t.Errorf("%s is not in the table: %s", r.ID, r.Example)
			continue
		}
		if testing.Short() && i%shortStep != 0 {
			continue
		}
		t.Run(string(r.ID)+"/breaks", func(t *testing.T) {
			t.Parallel()
			breaks(t, r, p.breaks)
		})
		t.Run(string(r.ID)+"/keeps", func(t *testing.T) {
			t.Parallel()
			keeps(t, r, p.keeps)
		})
		t.Run(string(r.ID)+"/words", func(t *testing.T) {
			words(t, r)
		})
	}
}

// breaks holds a case to what the ledger and the choices say of its rule: it is
// found, at the stated place, as bad as stated, with the stated effect.
func breaks(t *testing.T, r abi.Rule, c trial) {
	got := c.run(t)
	i := slices.IndexFunc(got.found, func(f rules.Finding) bool { return f.Rule == r.ID })
	if i < 0 {
		t.Fatalf("%s is not found: %s", r.ID, listed(got.found))
	}
	f := got.found[i]
	if first := got.found[0].Rule; first != r.ID && first != c.behind {
		t.Errorf("the first finding is %s: %s", first, listed(got.found))
	}
	severity := severityOf(r)
	if c.severity != "" {
		severity = c.severity
	}
	if f.Severity != severity {
		t.Errorf("it is found as %s, want %s", f.Severity, severity)
	}
	if want := c.want(effectOf(r)); got.outcome != want {
		t.Errorf("the outcome is %s, want %s: %s", got.outcome, want, listed(got.found))
	}
	if got := f.Refuses(); got != (effectOf(r) == refuses && severity == abi.Error) {
		t.Errorf("it refuses the package: %v", got)
	}
	c.place(t, got, f)
	if f.Title == "" || !strings.HasPrefix(f.Detail, f.Title[:min(len(f.Title), 20)]) || len(f.Detail) > 4000 || len(f.Title) > 1000 {
		t.Errorf("its title is %q, its detail %q", f.Title, f.Detail)
	}
	if strings.ContainsFunc(f.Detail+f.Fix, func(c rune) bool { return c < ' ' && c != '\n' }) {
		t.Errorf("it shows a control character: %q %q", f.Detail, f.Fix)
	}
}

// keeps holds a neighbouring case to a good outcome.
func keeps(t *testing.T, r abi.Rule, c trial) {
	got := c.run(t)
	for _, f := range got.found {
		if f.Rule == r.ID {
			t.Errorf("%s is found: %s", f.Rule, f.Detail)
		}
	}
	if want := c.want(""); got.outcome != want {
		t.Errorf("the outcome is %s, want %s: %s", got.outcome, want, listed(got.found))
	}
}

// words holds a rule to its words: all are there, and about this rule.
func words(t *testing.T, r abi.Rule) {
	w, is := rules.WordsOf(r.ID)
	if !is || w.ID != r.ID {
		t.Fatalf("there are no words of %s: %+v", r.ID, w)
	}
	for name, text := range map[string]string{"why": w.Why, "fix": w.Fix, "source": w.Source, "bad": w.Bad, "good": w.Good} {
		if strings.TrimSpace(text) == "" {
			t.Errorf("%s is empty", name)
		}
	}
	if w.Bad == w.Good {
		t.Errorf("the bad example is the good one: %q", w.Bad)
	}
	for _, a := range w.Fixes {
		if a.Language == "" || a.Text == "" {
			t.Errorf("the advice %+v is not whole", a)
		}
	}
}

// severityOf is what the choices say of a class. It is written here once more:
// the ledger's reader is what is tested.
func severityOf(r abi.Rule) abi.Severity {
	group, _, _ := strings.Cut(string(r.ID), "/")
	switch {
	case r.ID == "module/memory-limit" || r.ID == "module/table-limit":
		return abi.Error // by our limit
	case r.Class == 'H' && slices.Contains([]string{"files", "http", "block"}, group):
		return abi.Warning
	case r.Class == 'H':
		return abi.Error
	case r.Class == 'M':
		return abi.Warning
	case r.Class == 'S':
		return abi.Notice
	}
	return abi.Info
}

// effectOf is what the choices say that a finding of a rule does: to refuse, to
// break, or nothing.
func effectOf(r abi.Rule) string {
	group, _, _ := strings.Cut(string(r.ID), "/")
	switch {
	case r.ID == "module/memory-limit" || r.ID == "module/table-limit":
		return refuses
	case r.Class != 'H':
		return ""
	case slices.Contains([]string{"package", "module", "discover", "list", "tool"}, group):
		return refuses
	case slices.Contains([]string{"frame", "rpc", "error", "result", "life"}, group):
		return breaksRun
	}
	return ""
}

// The effects.
const (
	refuses   = "refuses"
	breaksRun = "breaks"
)

func listed(found []rules.Finding) string {
	var lines []string
	for _, f := range found {
		lines = append(lines, "\n  "+string(f.Severity)+" "+string(f.Rule)+": "+f.Detail)
	}
	return strings.Join(lines, "")
}

// result is what a case came to.
type result struct {
	bench   *bench.Bench
	outcome event.Outcome
	found   []rules.Finding // of the run in question, and of the package before it
}

// TestOneMore: where a limit has a number, a byte more than what is kept breaks
// the rule.
func TestOneMore(t *testing.T) {
	const orders = "https://" + host + "/orders"
	for _, c := range []struct {
		rule abi.RuleID
		one  trial
	}{
		{abi.FrameStdoutSize, call(exactly(abi.MaxStdout + 1)).comesTo(event.Broken)},
		{abi.FrameDepth, call(nested(abi.MaxDepthJSON + 1))},
		{abi.ListCount, uploads(manyTools(abi.MaxTools + 1)).comesTo(event.Refused)},
		{abi.ListPages, uploads(pages(abi.MaxPages + 1)).comesTo(event.Refused)},
		{abi.ListSize, uploads(lists(strings.Replace(exactTools(8, abi.MaxAllTools), "One.", "One..", 1))).comesTo(event.Refused)},
		{abi.ToolSchemaSize, uploads(lists(`{"name":"a","description":"One.","inputSchema":` + exactSchema(abi.MaxSchema+1) + `}`)).comesTo(event.Refused)},
		{abi.LifeExitLate, call(`ok drain sleep 1001 exit 0`).comesTo(event.Broken)},
		{abi.LifeTime, call(`sleep 30001 ok`).comesTo(event.Broken)},
		{abi.ListTime, uploads(`discover sleep 10001 result '` + cached + `"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}'`).comesTo(event.Refused)},
		{abi.HTTPRequestSize, mocked(mock("/orders", `text = "ok"`), "invalid_request", exactRequest(orders, abi.MaxRequest+1))},
		{abi.HTTPWriteBudget, mocked(mock("/orders", `text = "ok"`), "write_budget", `open '/volume/tmp/big.bin' rwc size 1073741823 `+
			asks(orders, `,"output":{"type":"file","path":"/volume/tmp/orders.json"}`)+` size 0`)},
	} {
		t.Run(string(c.rule), func(t *testing.T) {
			t.Parallel()
			got := c.one.run(t)
			if !slices.ContainsFunc(got.found, func(f rules.Finding) bool { return f.Rule == c.rule }) || got.outcome != c.one.want("") {
				t.Errorf("%s is not found, or the outcome is not %s but %s: %s", c.rule, c.one.want(""), got.outcome, listed(got.found))
			}
		})
	}
}
