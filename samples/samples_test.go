package samples_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"perch/samples"
	"perch/samples/internal/run"
	"perch/samples/mischief"
)

// files of a sample, which is there.
func files(t testing.TB, name string) map[string][]byte {
	t.Helper()
	all, err := samples.Files(name)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// runs a sample's module, which loads.
func runs(t testing.TB, name string, o run.Options) run.Result {
	t.Helper()
	return runsModule(t, files(t, name)["module.wasm"], o)
}

func runsModule(t testing.TB, module []byte, o run.Options) run.Result {
	t.Helper()
	res, err := run.Module(context.Background(), module, o)
	if err != nil {
		t.Fatal(err)
	}
	if res.Trap != "" || res.Stopped || res.Exit != 0 {
		t.Fatalf("exit %d, trap %q, stopped %v, stderr %q", res.Exit, res.Trap, res.Stopped, res.Stderr)
	}
	return res
}

// answer is a call's result.
type answer struct {
	ID     json.RawMessage
	Result *struct {
		Content []struct {
			Type, Text, MimeType, URI, Name string
			Data                            []byte
		}
		StructuredContent json.RawMessage
		IsError           bool
		Tools             []struct{ Name string }
	}
	Error *struct {
		Code int
		Data json.RawMessage
	}
}

func answers(t testing.TB, res run.Result) []answer {
	t.Helper()
	var all []answer
	for _, line := range res.Lines() {
		var a answer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		all = append(all, a)
	}
	return all
}

func tools(t testing.TB, module []byte) []string {
	t.Helper()
	res := runsModule(t, module, run.Options{Stdin: run.Request(`"l"`, "tools/list", "")})
	var names []string
	for _, tool := range answers(t, res)[0].Result.Tools {
		names = append(names, tool.Name)
	}
	return names
}

// TestTheListCountsMischief: the line about mischief says what there is.
func TestTheListCountsMischief(t *testing.T) {
	all := samples.List()
	want := fmt.Sprintf("%d tools and %d packages, each breaks one rule", mischief.Tools(), len(samples.Variants()))
	if got := all[len(all)-1].Description; got != want {
		t.Errorf("the list says %q, there are %q", got, want)
	}
}

func TestLookTellsWhatTheFilesDo(t *testing.T) {
	for _, s := range samples.List() {
		look, err := samples.Look(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		all := files(t, s.Name)
		if look.Module != len(all["module.wasm"]) || !bytes.Equal(look.Arguments, all["arguments.json"]) {
			t.Errorf("%s: a module of %d bytes and arguments of %d, the files have %d and %d",
				s.Name, look.Module, len(look.Arguments), len(all["module.wasm"]), len(all["arguments.json"]))
		}
	}
	if _, err := samples.Look("none"); err == nil || !strings.Contains(err.Error(), "greeter") {
		t.Errorf("a sample that is not there: %v", err)
	}
}

func TestEverySampleIsWhole(t *testing.T) {
	size := 0
	for _, s := range samples.List() {
		t.Run(s.Name, func(t *testing.T) {
			all := files(t, s.Name)
			for _, data := range all {
				size += len(data)
			}
			if s.Language == "" || s.Description == "" || s.Build == "" {
				t.Errorf("%+v is not filled in", s)
			}
			if !strings.Contains(string(all["build"]), "made_with='"+s.Build+"'") {
				t.Errorf("the build script does not name %q", s.Build)
			}
			var manifest struct {
				ABI               int
				Name, Description string
			}
			if err := json.Unmarshal(all["subako-package.json"], &manifest); err != nil {
				t.Fatal(err)
			}
			if manifest.ABI != 1 || manifest.Name != s.Name || manifest.Description == "" {
				t.Errorf("manifest %+v", manifest)
			}
			if !strings.HasPrefix(string(all["module.wasm"]), "\x00asm\x01") {
				t.Error("no module")
			}
		})
	}
	if size > 3<<20 {
		t.Errorf("the samples add %d bytes, more than 3 MiB", size)
	}
}

func TestEveryToolHasArguments(t *testing.T) {
	for _, s := range samples.List() {
		if s.Name == "mischief" {
			continue // its tools take none
		}
		t.Run(s.Name, func(t *testing.T) {
			all := files(t, s.Name)
			sets, err := samples.ParseArguments(all["arguments.json"])
			if err != nil {
				t.Fatal(err)
			}
			names := tools(t, all["module.wasm"])
			for tool := range sets {
				if !slices.Contains(names, tool) {
					t.Errorf("%s is no tool; there are %v", tool, names)
				}
			}
			for _, tool := range names {
				if len(sets[tool]) == 0 {
					t.Errorf("%s has no arguments", tool)
				}
				for _, set := range sets[tool] {
					var object map[string]any
					if err := json.Unmarshal(set.Value, &object); err != nil || set.Name == "" {
						t.Errorf("%s %q: %s: %v", tool, set.Name, set.Value, err)
					}
				}
			}
		})
	}
}

func TestFilesNamesWhatThereIs(t *testing.T) {
	tests := []struct{ name, want string }{
		{"greet", "greeter, orders, charts, notebook, mischief"},
		{"greeter:x", "no_manifest"},
		{"mischief:nothing", "tail_call"},
		{"mischief:archive_parent", "no sample"},
		{"internal/c", "no sample"},
		{"", "no sample"},
	}
	for _, tt := range tests {
		if _, err := samples.Files(tt.name); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want something with %q", tt.name, err, tt.want)
		}
	}
	for _, variant := range samples.Variants() {
		if _, err := samples.Files("mischief:" + variant); err != nil {
			t.Error(err)
		}
	}
}

func TestParseArgumentsSaysWhatIsWrong(t *testing.T) {
	if _, err := samples.ParseArguments([]byte(`{"greet":1}`)); err == nil || !strings.Contains(err.Error(), "arguments.json") {
		t.Errorf("%v", err)
	}
}
