package inspect_test

import (
	"testing"

	"perch/engine/abi"
	"perch/inspect/bench"
)

// probed is an accepted package, and what all probes find.
func probed(t *testing.T, b *bench.Bench) result {
	t.Helper()
	return upload(t, b)
}

// probePairs are the rules that probes try. The cases that keep one are modules
// without a fault: each probe looks at another thing of them.
func probePairs() []pair {
	_ = abi.ProbeEOF
	return nil
}
