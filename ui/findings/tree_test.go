package findings_test

import (
	"fmt"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/rules"
	"perch/ui/findings"
)

func found(rule abi.RuleID, run uint32, cause string, follows bool) rules.Finding {
	f := rules.Of(event.Breach{Rule: rule, Cause: cause, Follow: follows})
	f.RunID = run
	return f
}

// rows writes a tree: > before what is folded, indents for depth.
func rows(nodes []findings.Node) string {
	var out []string
	for _, n := range nodes {
		name := "cause " + n.Cause
		if n.Finding != nil {
			name = string(n.Finding.Rule)
		}
		out = append(out, fmt.Sprintf("%s%s/%d", strings.Repeat(" ", n.Depth), name, n.Below))
	}
	return strings.Join(out, "\n")
}

func TestTree(t *testing.T) {
	const start, memory, env = abi.ModuleStartMissing, abi.ModuleMemoryMissing, abi.ModuleImportModule
	for _, c := range []struct {
		name   string
		all    []rules.Finding
		folded string // Below of this row is left out
		want   string
	}{
		{"nothing", nil, "", ""},
		{"what follows stands below the first of its run", []rules.Finding{
			found(abi.FrameJSON, 2, "", false), found(abi.CallContent, 2, "", false), found(abi.ToolShape, 1, "", false),
			found(abi.LifeEarlyExit, 2, "", true), found(abi.LifeExitCode, 2, "", true)}, "",
			"frame/json/2\n life/early-exit/0\n life/exit-code/0\ncall/content/0\ntool/shape/0"},
		{"what follows from one with its cause stands below that", []rules.Finding{
			found(abi.ToolName, 2, "", false), found(abi.ToolSchemaObject, 2, "no inputSchema", false),
			found(abi.ToolMember, 2, "no inputSchema", true), found(abi.LifeExitCode, 2, "another", true)}, "",
			"tool/name/1\n life/exit-code/0\ntool/schema-object/1\n tool/member/0"},
		{"what follows from nothing stands alone", []rules.Finding{found(abi.LifeExitCode, 2, "", true)}, "", "life/exit-code/0"},
		{"a cause of one is no heading", []rules.Finding{found(env, 0, "emcc", false)}, "", "module/import-module/0"},
		{"a cause of several, apart in the order", []rules.Finding{
			found(env, 0, "emcc", false), found(start, 0, "", false), found(memory, 0, "emcc", false)}, "",
			"cause emcc/2\n module/import-module/0\n module/memory-missing/0\nmodule/start-missing/0"},
		{"folded", []rules.Finding{
			found(env, 0, "emcc", false), found(memory, 0, "emcc", false), found(start, 0, "", false)}, "cause emcc",
			"cause emcc/2\nmodule/start-missing/0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := rows(findings.Tree(c.all, map[string]bool{c.folded: c.folded != ""})); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestKeysTellRowsApart(t *testing.T) {
	all := []rules.Finding{found(abi.FrameCR, 1, "", false), found(abi.FrameCR, 1, "", false), found(abi.FrameCR, 2, "", false)}
	seen := map[string]bool{}
	for _, n := range findings.Tree(all, nil) {
		if seen[n.Key] {
			t.Errorf("two rows have the key %q", n.Key)
		}
		seen[n.Key] = true
	}
}
