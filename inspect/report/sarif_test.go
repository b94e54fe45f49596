package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"perch/engine/abi"
	"perch/inspect/report"
	"perch/inspect/rules"
)

func sarif(all ...report.Check) []byte {
	s := report.SARIF{Version: "0.1.0"}
	for _, c := range all {
		s.Add(c)
	}
	return s.Bytes()
}

func TestSARIFKeepsItsSchema(t *testing.T) {
	text, err := os.ReadFile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("sarif.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, log := range map[string][]byte{"all": sarif(append(others(), sample())...), "one": sarif(sample()), "none": sarif()} {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(log))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := schema.Validate(map[string]any{"version": "2.1.0"}); err == nil {
		t.Error("the schema takes a log without runs")
	}
}

// sarifLog is what the tests read of a log.
type sarifLog struct {
	Runs []struct {
		Tool struct {
			Driver struct {
				Rules []struct {
					ID   string
					Help struct{ Text, Markdown string }
				}
			}
		}
		Invocations []struct {
			ExecutionSuccessful            bool
			ToolExecutionNotifications     []sarifNote
			ToolConfigurationNotifications []sarifNote
		}
		Artifacts []struct {
			Location    struct{ URI string }
			ParentIndex *int
			Contents    struct {
				Text   string
				Binary []byte
			}
		}
		Results []struct {
			RuleID           string
			RuleIndex        int
			Level, Kind      string
			Message          struct{ Text string }
			Locations        []sarifLocation
			RelatedLocations []sarifLocation
			Stacks           []struct {
				Frames []struct{ Location sarifLocation }
			}
			Suppressions        []struct{ Status, Justification string }
			PartialFingerprints map[string]string
		}
	}
}

type sarifNote struct {
	Level   string
	Message struct{ Text string }
}

type sarifLocation struct {
	PhysicalLocation struct {
		ArtifactLocation struct {
			URI   string
			Index int
		}
		Region struct {
			StartLine, ByteOffset, ByteLength int
			Snippet                           struct{ Text string }
		}
	}
	LogicalLocations []struct{ FullyQualifiedName, Kind string }
}

func readSARIF(t *testing.T, text []byte) sarifLog {
	t.Helper()
	var log sarifLog
	if err := json.Unmarshal(text, &log); err != nil || len(log.Runs) != 1 {
		t.Fatalf("%v, %d runs", err, len(log.Runs))
	}
	return log
}

func TestSARIFPlaces(t *testing.T) {
	run := readSARIF(t, sarif(append([]report.Check{sample()}, others()...)...)).Runs[0]
	found := make(map[string]string) // of each rule and artifact: where
	prints := make(map[string]bool)
	for _, r := range run.Results {
		if got := run.Tool.Driver.Rules[r.RuleIndex].ID; got != r.RuleID {
			t.Errorf("%s has the place of %s", r.RuleID, got)
		}
		if p := r.PartialFingerprints["perch/v1"]; p == "" || prints[p] {
			t.Errorf("%s: fingerprint %q is not its own", r.RuleID, p)
		} else {
			prints[p] = true
		}
		for _, l := range append(r.Locations, r.RelatedLocations...) {
			p := l.PhysicalLocation
			if a := run.Artifacts[p.ArtifactLocation.Index]; len(r.Locations) > 0 && p.Region.ByteLength > 0 && a.Location.URI != p.ArtifactLocation.URI {
				t.Errorf("%s: %s has the place of %s", r.RuleID, p.ArtifactLocation.URI, a.Location.URI)
			}
			text := fmt.Sprintf("%d: %d+%d %s", p.Region.StartLine, p.Region.ByteOffset, p.Region.ByteLength, p.Region.Snippet.Text)
			for _, n := range l.LogicalLocations {
				text += " " + n.Kind + " " + n.FullyQualifiedName
			}
			found[r.RuleID+" "+p.ArtifactLocation.URI] += text + ";"
		}
	}
	for where, want := range map[string]string{
		"tool/name pk/charts/upload-stdout":                  `2: 14+11 "Draw.Line" value /result/tools/1/name;`,
		"module/import-module pk/charts/module.wasm":         "1: 100+5  member env.a;1: 110+5  member env.b;",
		"module/import-module /module.wasm":                  "1: 100+5  member env.a;1: 110+5  member env.b;",
		"module/import-module /abs/m.wasm":                   "1: 100+5  member env.a;1: 110+5  member env.b;",
		"package/manifest-abi pk/charts/subako-package.json": "3: 20+3 ;",
		"life/trap pk/charts/src/main.c":                     "12: 0+0 ;",
		"tool/name my%20pk/a%3Ab.tar.gz/upload-stdout":       `2: 14+11 "Draw.Line" value /result/tools/1/name;`,
		"module/toolchain sample%3Ax%FF/module.wasm":         "1: 0+400 ;",
		"module/not-wasm r/module.wasm":                      "0: 0+0 ;",
	} {
		if found[where] != want {
			t.Errorf("%s: %q, want %q", where, found[where], want)
		}
	}
}

func TestSARIFWords(t *testing.T) {
	run := readSARIF(t, sarif(append([]report.Check{sample()}, others()...)...)).Runs[0]
	seen := make(map[string]int)
	for _, r := range run.Results {
		seen[r.RuleID]++
		switch abi.RuleID(r.RuleID) {
		case abi.ModuleToolchain:
			if r.Kind != "informational" || r.Level != "none" {
				t.Errorf("%s is %s, %s", r.RuleID, r.Kind, r.Level)
			}
		case abi.SchemaPattern:
			if r.Level != "note" || len(r.Suppressions) != 1 || r.Suppressions[0].Status != "accepted" || !strings.HasPrefix(r.Suppressions[0].Justification, "the model copes") {
				t.Errorf("%s: %s, %+v", r.RuleID, r.Level, r.Suppressions)
			}
		case abi.LifeTrap:
			if len(r.Stacks) != 1 || len(r.Stacks[0].Frames) != 3 || r.Stacks[0].Frames[1].Location.PhysicalLocation.ArtifactLocation.URI != "C%3A/x%20y/z.c" {
				t.Errorf("%+v", r.Stacks)
			}
		}
		if strings.Contains(r.Message.Text, "](") {
			t.Errorf("a link of the module's: %q", r.Message.Text)
		}
	}
	for _, r := range run.Tool.Driver.Rules {
		if seen[r.ID] == 0 || r.Help.Text == "" || r.Help.Markdown == "" {
			t.Errorf("rule %s, found %d times: %q", r.ID, seen[r.ID], r.Help.Text)
		}
	}
	i := run.Invocations[0]
	if i.ExecutionSuccessful || len(i.ToolExecutionNotifications) != 1 || len(i.ToolConfigurationNotifications) != 8 ||
		!strings.HasSuffix(i.ToolConfigurationNotifications[0].Message.Text, "accepted, but not found: cache/hints (perch.toml:9)") {
		t.Errorf("%+v", i)
	}
	for _, a := range run.Artifacts {
		if len(a.Contents.Text) > report.MostEmbedded || len(a.Contents.Binary) > report.MostEmbedded {
			t.Errorf("%s holds too much", a.Location.URI)
		}
		if a.ParentIndex != nil && run.Artifacts[*a.ParentIndex].Location.URI != "my%20pk/a%3Ab.tar.gz" {
			t.Errorf("%s lies in %s", a.Location.URI, run.Artifacts[*a.ParentIndex].Location.URI)
		}
	}
}

// TestFingerprintsOutliveABuild: offsets and the order of tools may change.
func TestFingerprintsOutliveABuild(t *testing.T) {
	print := func(offset int64, pointer string) string {
		f := onStdout(abi.ToolShape, "x", offset, offset+4, pointer)
		f.Tool = "bar"
		return readSARIF(t, sarif(report.Check{Path: "p", Findings: []rules.Finding{f}})).Runs[0].Results[0].PartialFingerprints["perch/v1"]
	}
	if a, b := print(10, "/result/tools/0/title"), print(99, "/result/tools/7/title"); a != b {
		t.Errorf("%s and %s", a, b)
	}
	if a, b := print(10, "/result/tools/0/title"), print(10, "/result/tools/0/icons"); a == b {
		t.Error("two members have one fingerprint")
	}
}
