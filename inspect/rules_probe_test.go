package inspect_test

import (
	"testing"

	"perch/engine/abi"
	"perch/inspect/bench"
	"perch/inspect/rules"
)

// probed is an accepted package, and what all probes find. Probes stand beside
// the verdict: they change no outcome.
func probed(t *testing.T, b *bench.Bench) result {
	t.Helper()
	u, err := b.Upload(t.Context())
	if err != nil {
		t.Fatalf("upload: %v", err)
	}
	found, err := b.Probe(t.Context(), u, nil)
	if err != nil {
		t.Fatalf("probe: %v", err)
	}
	return result{outcome: u.Outcome, found: rules.Sort(found)}
}

// probes is a module of these script lines, which all probes are made on.
func probes(script string) trial {
	return trial{open: scripted(script), do: probed}
}

// probePairs are the rules that probes try. Each case that breaks one fails that
// probe alone.
func probePairs() []pair {
	const act = "tool act 'Does nothing much.'"
	const refusal = `out '{"jsonrpc":"2.0","id":$id,"error":{"code":-32601,"message":"no"}}\n'`
	return []pair{
		{abi.ProbeMeta, caseOf("probe_meta"), probes(act)},
		{abi.ProbeVersion, caseOf("probe_version"), probes(act)},
		{abi.ProbeMethod, caseOf("probe_method"), probes("unknown " + refusal + "\n" + act)},
		{abi.ProbeTool, caseOf("probe_tool"), probes("call " + refusal + "\n" + act)},
		{abi.ProbeArguments, caseOf("probe_arguments"), trial{open: sample("greeter"), do: probed}},
		{abi.ProbeID, caseOf("probe_id"), probes(act)},
		{abi.ProbeNotification, caseOf("probe_notification"), probes(act + " err 'one more' ok")},
		{abi.ProbeStateless, caseOf("probe_stateless"), probes("tool act 'Counts.' err 'call $calls' say 'one'")},
		{abi.ProbeClientInfo, caseOf("probe_client"), probes(act)},
		{abi.ProbeLongLine, caseOf("probe_long_line"), probes("start short 1048576\n" + act)},
		{abi.ProbeChunkedStdin, caseOf("probe_pieces"), probes(act)},
		{abi.ProbeEOF, caseOf("probe_end"), probes(act + "\neof exit 0")},
	}
}
