package bench_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/samples/mischief"
)

// elsewhere are the rules of class H that no case of mischief can break within
// a run, and the tests that hold them: file and function.
func elsewhere() map[abi.RuleID][2]string {
	return map[abi.RuleID][2]string{
		// An archive is read before there is a package to run.
		abi.PackageArchive: {"engine/pack/hostile_test.go", "TestHostileTar"},
	}
}

// TestEveryHardRuleIsBroken: each rule of class H has a case of mischief, which
// TestMischief runs and holds against its first finding, or a test elsewhere.
func TestEveryHardRuleIsBroken(t *testing.T) {
	cases := make(map[abi.RuleID][]string)
	for _, c := range mischief.Cases() {
		if c.Kind != mischief.Archive {
			cases[abi.RuleID(c.Rule)] = append(cases[abi.RuleID(c.Rule)], c.Name)
		}
	}
	groups := []string{"package", "module", "life", "files", "http", "frame", "rpc", "error", "result", "discover", "list", "tool", "block"}
	hard := 0
	for _, r := range abi.Rules() {
		if r.Class != abi.ClassH || !slices.Contains(groups, r.ID.Group()) {
			continue
		}
		hard++
		test, is := elsewhere()[r.ID]
		switch {
		case len(cases[r.ID]) > 0 && is:
			t.Errorf("%s has the cases %v: it needs no other test", r.ID, cases[r.ID])
		case len(cases[r.ID]) > 0:
		case !is:
			t.Errorf("nothing breaks %s: %s", r.ID, r.Example)
		default:
			source, err := os.ReadFile(filepath.Join("../..", filepath.FromSlash(test[0])))
			if err != nil || !strings.Contains(string(source), "func "+test[1]+"(") {
				t.Errorf("%s: there is no %s in %s (%v)", r.ID, test[1], test[0], err)
			}
		}
	}
	if hard < 80 {
		t.Errorf("the ledger has %d rules of class H in these groups", hard)
	}
}
