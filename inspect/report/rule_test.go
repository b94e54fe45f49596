package report_test

import (
	"encoding/json"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/inspect/report"
	"perch/inspect/rules"
	"perch/inspect/safe"
)

func wordsOf(t *testing.T, id abi.RuleID) rules.Words {
	t.Helper()
	w, ok := rules.WordsOf(id)
	if !ok {
		t.Fatalf("%s has no words", id)
	}
	return w
}

func TestRulePage(t *testing.T) {
	page := report.Style{}.Rule(abi.RuleOf(abi.LifeBuffered), wordsOf(t, abi.LifeBuffered))
	at := 0
	for _, want := range []string{
		"life/buffered  ✗ error · breaks · Subako\n",
		"\nRule\n  answers are flushed at once, not when stdin closes\n",
		"\nFound\n  An error: it breaks the call; in the upload run it refuses the package.\n",
		"\nWhy\n  The answer was written into a buffer",
		"\nFix\n  Flush stdout after each line.\n",
		"\n  C\n    puts(answer);\n    fflush(stdout);",
		"\n  Go\n    out := bufio.NewWriter(os.Stdout)\n",
		"\nBreaks it: C\n  printf(\"%s\\n\", answer);\n",
		"\nKeeps it\n  printf(\"%s\\n\", answer);\n  fflush(stdout);\n",
		"\nSource\n  ABI page, A call, from start to end: one line ending in \\n, and flush\n",
	} {
		i := strings.Index(page[at:], want)
		if i < 0 {
			t.Fatalf("%q does not stand behind what comes before it:\n%s", want, page)
		}
		at += i
	}
}

// TestRulePagesOfAll: prose is wrapped at 80 cells, code is indented by four at
// most, no tab is left, and in ASCII everything is ASCII.
func TestRulePagesOfAll(t *testing.T) {
	for _, w := range rules.AllWords() {
		r := abi.RuleOf(w.ID)
		for _, s := range []report.Style{{}, {Safe: safe.Mode{ASCII: true}}} {
			page := s.Rule(r, w)
			for line := range strings.SplitSeq(strings.TrimSuffix(page, "\n"), "\n") {
				if n := safe.Width(line); n > 104 || strings.Contains(line, "\t") || s.Safe.ASCII && !safe.IsPlain(line) {
					t.Errorf("%s: %d cells: %q", w.ID, n, line)
				}
			}
		}
		for _, p := range report.Rule(r, w) {
			if (p.Text == "") == (len(p.Code) == 0) || p.Title == "" {
				t.Errorf("%s: the section %+v has not one of prose and code", w.ID, p)
			}
		}
	}
}

func TestWhatFollowsFromARule(t *testing.T) {
	for id, want := range map[abi.RuleID]string{
		abi.ToolName:             "the package is refused",
		abi.FrameJSON:            "it breaks the call",
		abi.ModuleMemoryLimit:    "refused by our limit",
		abi.BlockImage:           "does without the block",
		abi.FilesBudget:          "gets an errno",
		abi.HTTPMisuse:           "negative return",
		abi.CacheHints:           "--strict",
		abi.FrameCR:              "A notice: nothing is refused or broken",
		abi.FilesEscape:          "Shown only",
		abi.ProbeLongLine:        "not what Subako does at upload",
		abi.HTTPHeaderDropped:    "Shown only",
		abi.PackageManifestABI:   "An error",
		abi.CallStructuredText:   "A notice",
		abi.ResultTypeMissing:    "A warning: Subako does not look at it",
		abi.PackageModuleMissing: "the package is refused",
	} {
		if got := report.Does(abi.RuleOf(id)); !strings.Contains(got, want) {
			t.Errorf("%s: %q does not say %q", id, got, want)
		}
	}
}

func TestListOfRules(t *testing.T) {
	all := abi.Rules()
	for _, s := range []report.Style{{}, {Safe: safe.Mode{ASCII: true}}} {
		list := s.Rules(all)
		for line := range strings.SplitSeq(list, "\n") {
			if safe.Width(line) > 80 || s.Safe.ASCII && !safe.IsPlain(line) {
				t.Errorf("%d cells: %q", safe.Width(line), line)
			}
		}
		for _, r := range all {
			if !strings.Contains(list, "  "+string(r.ID)+" ") {
				t.Errorf("%s is not listed", r.ID)
			}
		}
		if n := strings.Count(list, "\n\n"); n != 9 {
			t.Errorf("the list has %d gaps between phases, want 9", n)
		}
	}
	if got := (report.Style{}).Rules(all[:1]); got != "package: what is uploaded\n"+
		"  package/manifest-missing  ✗ error    refuses  Subako\n"+
		"      the package holds subako-package.json\n" {
		t.Errorf("the first rule is listed as\n%s", got)
	}
}

func TestRulesInJSON(t *testing.T) {
	var got struct {
		Rules []map[string]string `json:"rules"`
	}
	if err := json.Unmarshal(report.RulesJSON(abi.Rules()), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Rules) != len(abi.Rules()) {
		t.Fatalf("%d rules, want %d", len(got.Rules), len(abi.Rules()))
	}
	members := []string{"id", "class", "phase", "statement", "why", "fix", "source", "bad", "good", "side", "severity", "effect"}
	for i, r := range abi.Rules() {
		for _, name := range members {
			if got.Rules[i][name] == "" {
				t.Errorf("%s has no %s", r.ID, name)
			}
		}
		if got.Rules[i]["id"] != string(r.ID) || len(got.Rules[i]) != len(members) {
			t.Errorf("rule %d is %v", i, got.Rules[i])
		}
	}
	w := wordsOf(t, abi.FrameJSON)
	if fix := got.Rules[31]["fix"]; w.ID != "frame/json" || got.Rules[31]["id"] != "frame/json" ||
		!strings.HasPrefix(fix, w.Fix+"\nC: fprintf(stderr, ") || !strings.Contains(fix, "\nRust: eprintln!(") {
		t.Errorf("the fix of rule %s is %q", got.Rules[31]["id"], fix)
	}
}
