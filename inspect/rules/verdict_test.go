package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/rules"
)

func TestPackageVerdicts(t *testing.T) {
	bare := strings.NewReplacer(","+full, "").Replace
	noDescription := strings.Replace(greet, `"description":"Greets.",`, "", 1)
	for _, c := range []struct {
		name, stdout string
		accepted     bool
		subako, mcp  string
		worst        abi.Severity // MCP's
	}{
		{"all is well", discover + page(1001, greet, ""), true, "accepted", "nothing found", ""},
		{"the page's own examples", bare(discover + page(1001, greet, "")), true, "accepted", "2 warnings", abi.Warning},
		{"a should", discover + page(1001, noDescription, ""), true, "accepted, with 1 notice", "nothing found", ""},
		{"shown only", strings.Replace(discover, `"tools":{}`, `"tools":{},"logging":{}`, 1) + page(1001, greet, ""), true, "accepted", "nothing found", ""},
		{"names that MCP allows", discover + page(1001, strings.ReplaceAll(greet, "greet", "Greet")+","+strings.ReplaceAll(greet, "greet", "a.b"), ""), false, "refused: 2 errors", "nothing found", ""},
		{"a name that is none", discover + page(1001, strings.ReplaceAll(greet, `"greet"`, "7"), ""), false, "refused: 1 error", "1 error", abi.Error},
		{"too long a description", discover + page(1001, strings.ReplaceAll(greet, "Greets.", strings.Repeat("x", 1025)), ""), false, "refused: 1 error", "nothing found", ""},
		{"a description that is none", discover + page(1001, strings.ReplaceAll(greet, `"Greets."`, "7"), ""), false, "refused: 1 error", "1 error", abi.Error},
		{"no schema", discover + page(1001, `{"name":"a","description":"d","parameters":{}}`, ""), false, "refused: 1 error", "1 error", abi.Error},
		{"no tools", discover + page(1001, "", ""), false, "refused: 1 error", "nothing found", ""},
		{"no tools capability", strings.Replace(discover, `{"tools":{}}`, "{}", 1) + page(1001, greet, ""), false, "refused: 1 error", "nothing found", ""},
		{"no capabilities", strings.Replace(discover, `{"tools":{}}`, "7", 1) + page(1001, greet, ""), false, "refused: 1 error", "1 error", abi.Error},
		{"a log line", "hello there\n" + discover + page(1001, greet, ""), false, "refused: 1 error", "broken: frame/json", abi.Error},
		{"a log line in an answer without hints", bare(discover) + "hello there\n", false, "refused: 1 error", "broken: frame/json, with 2 warnings", abi.Error},
		{"an error", `{"jsonrpc":"2.0","id":"d-1","error":{"code":-32601,"message":"m"}}` + "\n", false, "refused: 1 error", "nothing found", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			subako, mcp := rules.PackageVerdicts(c.accepted, heard(t, event.Upload, c.stdout))
			if subako.Text != c.subako || mcp.Text != c.mcp || mcp.Severity != c.worst || !subako.Judged || !mcp.Judged {
				t.Errorf("Subako: %s. MCP: %s (%s). Want %s and %s (%s)", subako.Text, mcp.Text, mcp.Severity, c.subako, c.mcp, c.worst)
			}
		})
	}
}

func TestCallVerdicts(t *testing.T) {
	const svg = `"content":[{"type":"text","text":"ok"},{"type":"image","mimeType":"image/svg+xml","data":"PHN2Zz4="}]`
	for _, c := range []struct {
		name, stdout string
		outcome      event.Outcome
		subako, mcp  string
	}{
		{"all is well", result(text), event.OK, "ok", "nothing found"},
		{"so far", result(text), "", "nothing found", "nothing found"},
		{"a failure of the tool", result(text + `,"isError":true`), event.ToolError, "tool error", "nothing found"},
		{"an indented answer", strings.ReplaceAll(result(text), ",", ",\n "), event.Broken, "broken: frame/json", "broken: frame/json"},
		{"an error, which MCP allows", `{"jsonrpc":"2.0","id":"call-9","error":{"code":1,"message":"x"}}` + "\n", event.Broken, "broken: error/answered", "nothing found"},
		{"an error with a retired code", `{"jsonrpc":"2.0","id":"call-9","error":{"code":-32002,"message":"x"}}` + "\n", event.Broken, "broken: error/answered", "1 warning"},
		{"a result that asks", `{"jsonrpc":"2.0","id":"call-9","result":{"resultType":"input_required","requestState":"x"}}` + "\n", event.Broken, "broken: result/type-value", "nothing found"},
		{"a picture that Subako does not show", result(svg), event.OK, "ok, with 1 warning", "nothing found"},
		{"a picture that is no base64", result(strings.Replace(svg, "PHN2Zz4=", "P H N", 1)), event.OK, "ok, with 1 warning", "1 warning"},
		{"a good-bye", result(text) + "bye bye\n", event.Broken, "broken: life/output-after", "broken: life/output-after"},
		{"too much", result(`"content":[{"type":"text","text":"` + strings.Repeat("x", 1<<20) + `"}]`), event.Broken, "broken: frame/stdout-size", "nothing found before it broke"},
		{"ended by hand", "", event.Cancelled, "cancelled", "nothing found"},
	} {
		t.Run(c.name, func(t *testing.T) {
			subako, mcp := rules.Verdicts(c.outcome, heard(t, event.Call, c.stdout))
			if subako.Text != c.subako || mcp.Text != c.mcp {
				t.Errorf("Subako: %s. MCP: %s. Want %s and %s", subako.Text, mcp.Text, c.subako, c.mcp)
			}
		})
	}
}

func TestVerdictsCount(t *testing.T) {
	of := func(rule abi.RuleID, change func(*rules.Finding)) rules.Finding {
		f := rules.Of(event.Breach{Rule: rule})
		if change != nil {
			change(&f)
		}
		return f
	}
	follows := func(f *rules.Finding) { f.Follows = true }
	accepted := func(f *rules.Finding) { f.Accepted = "known" }
	all := []rules.Finding{of(abi.LifeExitCode, nil), of(abi.LifeTrap, follows), of(abi.FrameCR, nil), of(abi.FrameDepth, accepted), of(abi.FrameCompact, nil),
		of(abi.ErrorAnswered, accepted), of(abi.CacheHints, nil), of(abi.CacheHints, nil), of(abi.ToolShape, accepted), of(abi.HTTPTooLarge, nil)}
	subako, mcp := rules.Verdicts(event.Broken, all)
	if subako.Text != "broken: life/exit-code" || subako.Rule != abi.LifeExitCode || subako.Count != 4 || subako.Severity != abi.Error {
		t.Errorf("Subako: %+v", subako)
	}
	if mcp.Text != "2 warnings" || mcp.Count != 2 || mcp.Severity != abi.Warning || mcp.Rule != "" {
		t.Errorf("MCP: %+v", mcp)
	}
	if s, _ := rules.PackageVerdicts(false, all); s.Text != "refused: 2 errors" {
		t.Errorf("of a package: %s", s.Text)
	}
	if s, _ := rules.PackageVerdicts(true, all[2:5]); s.Text != "accepted, with 1 notice" {
		t.Errorf("of an accepted one: %s", s.Text)
	}
	if s, _ := rules.PackageVerdicts(true, append(all[2:3:3], all[9], all[9])); s.Text != "accepted, with 2 warnings and 1 notice" {
		t.Errorf("of another one: %s", s.Text)
	}
}

func TestLinesHaveVerdicts(t *testing.T) {
	bare := strings.NewReplacer(","+full, "").Replace
	note := `{"jsonrpc":"2.0","method":"notifications/message","params":[]}` + "\n"
	bodies := played(event.Upload, bare(discover)+note+bare(page(1001, strings.Replace(greet, `"greet"`, `"Greet"`, 1), ""))+"bye\nbye bye\n"+`{"jsonrpc":"2.0"}`+"\n")
	run := recorded(t, bodies...)
	lines := rules.Index(rules.Run(run, rules.Known{}))
	want := []struct{ subako, mcp string }{
		{"accepted", "2 warnings"}, {"ignored", "1 warning"}, {"refused: tool/name", "2 warnings"},
		{"broken: life/output-after", "broken: life/output-after"}, {"not read", "not judged"}, {"not read", "not judged"},
	}
	n := 0
	for _, b := range bodies {
		m, ok := b.(event.Message)
		if !ok {
			continue
		}
		subako, mcp := lines.Message(1, m)
		if subako.Text != want[n].subako || mcp.Text != want[n].mcp {
			t.Errorf("line %d: Subako %q, MCP %q, want %v", m.Line, subako.Text, mcp.Text, want[n])
		}
		if read := n == 0 || n == 2 || n == 3; subako.Judged != read || mcp.Judged != (n < 4) {
			t.Errorf("line %d is judged: %v, %v", m.Line, subako.Judged, mcp.Judged)
		}
		n++
	}
	if n != len(want) {
		t.Errorf("%d lines", n)
	}
	if s, m := lines.Verdicts(1, event.Stdin, 1); s.Judged || m.Judged || s.Text != "" {
		t.Errorf("a request has the verdicts %+v, %+v", s, m)
	}
	if s, m := lines.Verdicts(2, event.Stdout, 1); s.Judged || m.Judged {
		t.Error("another run's line has a verdict")
	}
	if found := lines.Findings(1, event.Stdout, 3); len(found) != 3 || found[0].Rule != abi.ToolName {
		t.Errorf("line 3 has %+v", found)
	}
	if s, m := rules.LineVerdicts(rules.Run(run, rules.Known{}), 1, event.Stdout, 1); m.Count != 2 || s.Count != 0 {
		t.Errorf("line 1: %+v, %+v", s, m)
	}
}

// TestMCPOfRunsThatEndedEarly: nothing found of a module that died is not said
// as of one that answered.
func TestMCPOfRunsThatEndedEarly(t *testing.T) {
	for _, c := range []struct {
		breach event.Breach
		mcp    string
	}{
		{event.Breach{Rule: abi.LifeTrap}, rules.CutShort},
		{event.Breach{Rule: abi.LifeEarlyExit}, rules.CutShort},
		{event.Breach{Rule: abi.ListTime}, rules.CutShort},
		{event.Breach{Rule: abi.LifeOldContract}, rules.CutShort},
		{event.Breach{Rule: abi.LifeOldContract, Where: event.Where{Stream: event.Stdout, Line: 1}}, "broken: life/old-contract"},
		{event.Breach{Rule: abi.ResultTypeValue}, "nothing found"},
		{event.Breach{Rule: abi.ToolName, Where: event.Where{Stream: event.Stdout, Line: 1, Offset: 0, End: 1}}, "nothing found"},
	} {
		all := rules.Run(recorded(t, begin(event.Upload), event.Output{Stream: event.Stdout, Bytes: []byte("\"x\"\n"), Len: 4}, c.breach), rules.Known{})
		if _, mcp := rules.PackageVerdicts(false, all); mcp.Text != c.mcp {
			t.Errorf("%s: %s, want %s", c.breach.Rule, mcp.Text, c.mcp)
		}
	}
}

// TestEachRuleThatMCPShares lists the rules of class H that a server of MCP
// has to keep too.
func TestEachRuleThatMCPShares(t *testing.T) {
	where := event.Where{Stream: event.Stdout, Line: 1, Offset: 0, End: 2}
	shared := make(map[string][]string)
	for _, r := range abi.Rules() {
		if r.Class != abi.ClassH {
			continue
		}
		for _, f := range rules.Run(recorded(t, begin(event.Call), event.Output{Stream: event.Stdout, Bytes: []byte("{}\n"), Len: 3}, event.Breach{Rule: r.ID, Where: where}), rules.Known{}) {
			if f.Departs() {
				group, name, _ := strings.Cut(string(r.ID), "/")
				shared[group] = append(shared[group], name)
			}
		}
	}
	const want = "map[block:[image] discover:[versions tools] frame:[utf8 newline json pretty content-length object blank bom] life:[output-after old-contract] list:[array] " +
		"rpc:[version kind one-of id-type id-echo id-unasked id-twice server-request result-object member-case handshake] tool:[name description schema-object]]"
	if got := fmt.Sprint(shared); got != want {
		t.Errorf("shared are\n%s, want\n%s", got, want)
	}
}

// BenchmarkLines measures what the wire pane asks for: two verdicts for each of
// 50 rows, of a run with the most findings that one has.
func BenchmarkLines(b *testing.B) {
	var all []rules.Finding
	for i := range 2_000 {
		all = append(all, rules.Of(event.Breach{Rule: abi.CacheHints, Where: event.Where{Stream: event.Stdout, Line: i}}))
	}
	lines := rules.Index(all)
	for b.Loop() {
		for i := range 50 {
			lines.Message(0, event.Message{Line: i, Kind: event.Result})
		}
	}
}
