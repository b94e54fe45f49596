package bench_test

import (
	"testing"

	"perch/engine/abi"
	"perch/samples/mischief"
)

// TestEveryRuleIsBroken: each rule that a package can break has a case of
// mischief, which TestMischief opens and holds against its first finding. A
// rule of errors is found beside the error itself.
func TestEveryRuleIsBroken(t *testing.T) {
	first, beside := make(map[string]bool), make(map[string]bool)
	for _, c := range mischief.Cases() {
		first[c.Rule] = true
		beside[c.Also] = true
	}
	for _, r := range abi.Rules() {
		id := string(r.ID)
		switch {
		case first[id]:
		case beside[id] && r.Class != abi.ClassH: // found where another rule breaks the run
		case r.ID == abi.ModuleToolchain: // of each case that the guest makes
		default:
			t.Errorf("nothing breaks %s: %s", r.ID, r.Example)
		}
	}
}
