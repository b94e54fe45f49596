package bench_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/settings"
	"perch/inspect/bench"
	"perch/inspect/rules"
	"perch/samples/mischief"
)

const manifest = `{"abi": 1, "name": "mine", "description": "A test."}`

// folder writes a package whose module does what a script says, and more files
// by their names.
func folder(t testing.TB, script string, more map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{abi.ModuleFile: string(mischief.Build(script)), abi.ManifestFile: manifest}
	for name, text := range more {
		files[name] = text
	}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func opened(t *testing.T, name string, o bench.Options) *bench.Bench {
	t.Helper()
	b, err := bench.Open(t.Context(), name, o)
	if err != nil {
		t.Fatalf("open %s: %v", name, err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Errorf("close %s: %v", name, err)
		}
	})
	return b
}

// callAct calls the one tool of a scripted module.
func callAct(t *testing.T, b *bench.Bench) bench.Call {
	t.Helper()
	c, err := b.Call(t.Context(), mischief.ActTool, []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// firstText is the first block that the model reads.
func firstText(t *testing.T, c bench.Call) string {
	t.Helper()
	if len(c.Model) == 0 {
		t.Fatalf("the model reads nothing: %s", list(c.Findings))
	}
	return c.Model[0].Text
}

// yes trusts every settings file.
type yes struct{}

// Trusted implements settings.Trust.
func (yes) Trusted(string, string) (bool, error) { return true, nil }

// TestWhatAFileBesideThePackageMayGrant: a sample's settings are ours; another
// package's count when the person said yes to them.
func TestWhatAFileBesideThePackageMayGrant(t *testing.T) {
	grants := map[string]string{settingsFile: "timeout = \"7s\"\nallow = [\"a.example\"]\ndata = true\n"}
	for _, c := range []struct {
		name    string
		open    string
		o       bench.Options
		allow   string // "" when nothing may be
		leftOut []string
	}{
		{"a sample", "sample:orders", bench.Options{}, "api.example.com", nil},
		{"a folder, unasked", folder(t, "", grants), bench.Options{}, "", []string{"allow", "data"}},
		{"a folder, said yes to", folder(t, "", grants), bench.Options{Trust: yes{}}, "a.example", nil},
		{"a folder, with --trust", folder(t, "", grants), bench.Options{Flags: settings.Flags{Trust: true}}, "a.example", nil},
		{"a folder without settings", folder(t, "", nil), bench.Options{}, "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := opened(t, c.open, c.o)
			allow := ""
			if rules := b.Session.Config().Egress.Allow; len(rules) > 0 {
				allow = rules[0].Text
			}
			if allow != c.allow {
				t.Errorf("it may reach %q, want %q", allow, c.allow)
			}
			var keys []string
			for _, n := range b.LeftOut {
				keys = append(keys, n.Key)
				if !strings.HasPrefix(n.Where, settingsFile+":") || n.Text == "" {
					t.Errorf("the notice is %+v", n)
				}
			}
			if slices.Sort(keys); !slices.Equal(keys, c.leftOut) {
				t.Errorf("left out are %v, want %v", keys, c.leftOut)
			}
		})
	}
	if b := opened(t, folder(t, "", grants), bench.Options{}); b.Settings.Timeout.V.Seconds() != 7 {
		t.Errorf("what grants nothing does not count: %v", b.Settings.Timeout)
	}
}

const settingsFile = "perch.toml"

// TestAssets: the package's own, or a folder given beside it; a sample's too.
func TestAssets(t *testing.T) {
	const script = `call open '/package/a.txt' r say 'errno $errno'`
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "a.txt"), []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	flag := bench.Options{Flags: settings.Flags{Assets: &other}}
	for _, c := range []struct {
		name, open string
		o          bench.Options
		want       string
	}{
		{"none", folder(t, script, nil), bench.Options{}, "errno 8"},
		{"its own", folder(t, script, map[string]string{"assets/a.txt": "a"}), bench.Options{}, "errno 0"},
		{"its own, without that file", folder(t, script, map[string]string{"assets/b.txt": "b"}), bench.Options{}, "errno 44"},
		{"others", folder(t, script, map[string]string{"assets/b.txt": "b"}), flag, "errno 0"},
		{"others beside a module alone", filepath.Join(folder(t, script, nil), abi.ModuleFile), flag, "errno 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := firstText(t, callAct(t, opened(t, c.open, c.o))); got != c.want {
				t.Errorf("the module got %s, want %s", got, c.want)
			}
		})
	}
	b := opened(t, "sample:greeter", flag)
	c, err := b.Call(t.Context(), "greet", []byte(`{"name":"Ada"}`))
	if err != nil || !slices.ContainsFunc(c.Run.Begin().Mounts, func(m event.Mount) bool { return m.Guest == abi.PackageDir }) {
		t.Errorf("a sample with --assets has no %s (%v)", abi.PackageDir, err)
	}
	missing := filepath.Join(other, "none")
	if _, err := bench.Open(t.Context(), "sample:greeter", bench.Options{Flags: settings.Flags{Assets: &missing}}); err == nil || !strings.Contains(err.Error(), missing) {
		t.Errorf("a folder that is not there: %v", err)
	}
}

// TestTheRecordOfSeveralRuns: the upload run and the calls stand in one record,
// and each finding shows the line of its own run.
func TestTheRecordOfSeveralRuns(t *testing.T) {
	b := opened(t, folder(t, `call out 'log $id\n' ok`, nil), bench.Options{})
	u, err := b.Upload(t.Context())
	if err != nil || !u.Accepted() {
		t.Fatalf("%s, %v: %s", u.Outcome, err, list(u.Findings))
	}
	first, second := callAct(t, b), callAct(t, b)
	runs := b.Record.Runs()
	if len(runs) != 3 || runs[0] != u.Run || runs[1] != first.Run || runs[2] != second.Run {
		t.Fatalf("the record has %d runs", len(runs))
	}
	for _, c := range []bench.Call{first, second} {
		line, at, ok := b.Source(c.Findings[0])
		want := c.Run.Stream(event.Stdout)
		l, _ := want.Line(1)
		if !ok || at != 0 || string(line) != string(want.Bytes(0, int(l.Len))) {
			t.Errorf("run %d: its line is %q at %d, %v", c.Run.ID(), line, at, ok)
		}
	}
	if got := rules.Run(first.Run, rules.Known{}); len(got) != len(first.Findings) || got[0].Detail != first.Findings[0].Detail {
		t.Errorf("read again, the run has other findings: %s", list(got))
	}
}

func TestSourceOfTheManifest(t *testing.T) {
	for _, c := range []struct {
		text string
		rule abi.RuleID
		line string
		at   int64
	}{
		{"{\n  \"abi\": 2,\n  \"name\": \"mine\", \"description\": \"A test.\"\n}\n", abi.PackageManifestABI, "  \"abi\": 2,", 2},
		{"{\n  \"abi\": 1,\n}\n", abi.PackageManifestJSON, "}", 14}, // it cannot be read
	} {
		b := opened(t, folder(t, "", map[string]string{abi.ManifestFile: c.text}), bench.Options{})
		found := false
		for _, f := range b.Findings() {
			if f.Rule != c.rule {
				continue
			}
			found = true
			if line, at, ok := b.Source(f); !ok || string(line) != c.line || at != c.at {
				t.Errorf("line %d is %q at %d, %v", f.Where.Line, line, at, ok)
			}
		}
		if !found {
			t.Errorf("found %s", list(b.Findings()))
		}
	}
}

// TestUploadOutcomes: what refuses, and that exploring goes on.
func TestUploadOutcomes(t *testing.T) {
	noManifest := folder(t, "", map[string]string{abi.ManifestFile: "[]"})
	for _, c := range []struct {
		name, open string
		outcome    event.Outcome
		run        bool
		rule       abi.RuleID // among the findings
		severity   abi.Severity
	}{
		{"a package", folder(t, "", nil), event.OK, true, "", ""},
		{"a bad manifest around a good module", noManifest, event.Refused, true, abi.PackageManifestJSON, abi.Error},
		{"a module alone", filepath.Join(noManifest, abi.ModuleFile), event.OK, true, abi.PackageManifestMissing, abi.Notice},
		{"a module that cannot be run", "sample:mischief:library", event.Refused, false, abi.ModuleStartMissing, abi.Error},
		{"a module that the engine alone refuses", "sample:mischief:type_error", event.Refused, false, abi.ModuleMalformed, abi.Error},
		{"an upload run that breaks", folder(t, "start out 'hi\\n'", nil), event.Refused, true, abi.FrameJSON, abi.Error},
		{"a module that departs from MCP", folder(t, "start out '{\"jsonrpc\":\"2.0\",\"method\":\"m\"}\\n'", nil), event.OK, true, abi.RPCNotificationIgnored, abi.Info},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := opened(t, c.open, bench.Options{})
			u, err := b.Upload(t.Context())
			if err != nil || u.Outcome != c.outcome || (u.Run != nil) != c.run || u.Accepted() != (c.outcome == event.OK) {
				t.Fatalf("%s, run %v, %v: %s", u.Outcome, u.Run != nil, err, list(u.Findings))
			}
			if c.rule != "" && !slices.ContainsFunc(u.Findings, func(f rules.Finding) bool { return f.Rule == c.rule && f.Severity == c.severity }) {
				t.Errorf("%s %s is not among %s", c.severity, c.rule, list(u.Findings))
			}
			if r := b.Report(u); r.Accepted != u.Accepted() || len(r.Tools) != len(u.Tools) {
				t.Errorf("the report says %+v", r)
			}
		})
	}
}

func TestCancelled(t *testing.T) {
	b := opened(t, folder(t, "call ok", nil), bench.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if u, err := b.Upload(ctx); err != nil || u.Outcome != event.Cancelled || u.Accepted() {
		t.Errorf("an upload is %s, %v", u.Outcome, err)
	}
	c, err := b.Call(ctx, mischief.ActTool, []byte("{}"))
	if err == nil && (c.Result.Outcome != event.Cancelled || c.Model != nil) || err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("a call is %s, %v", c.Result.Outcome, err)
	}
	if got := firstText(t, callAct(t, b)); got != "done" {
		t.Errorf("the call after it says %q", got)
	}
}

func TestWhatCannotBeOpened(t *testing.T) {
	dir := folder(t, "", map[string]string{settingsFile: "timout = 3\n"})
	for name, want := range map[string]string{
		"/no/such/package": "/no/such/package", "sample:nothing": `"nothing"`, "sample:mischief:nothing": `"mischief:nothing"`,
		dir: "timout", filepath.Join(dir, settingsFile): settingsFile,
	} {
		if b, err := bench.Open(t.Context(), name, bench.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v", name, b, err)
		}
	}
}

func TestArgumentsOfSamples(t *testing.T) {
	if sets := opened(t, "sample:greeter", bench.Options{}).Arguments(); len(sets["greet"]) == 0 {
		t.Errorf("the greeter has the arguments %v", sets)
	}
	if sets := opened(t, folder(t, "", map[string]string{"arguments.json": `{"act":[{"name":"x","arguments":{}}]}`}), bench.Options{}).Arguments(); sets != nil {
		t.Errorf("a package of others has the arguments %v", sets)
	}
}

// TestFilesOfScripts: the rules of files, broken and kept by real modules.
func TestFilesOfScripts(t *testing.T) {
	for _, c := range []struct {
		name, ops string
		rule      abi.RuleID // empty: nothing is found
	}{
		{"a file is written and read", `open '/volume/tmp/a' rwct write 'x' close open '/volume/tmp/a' r close remove '/volume/tmp/a' ok`, ""},
		{"a file that is not there", `open '/volume/tmp/none' r open '/skills/none' r ok`, ""},
		{"a folder of its own", `mkdir '/volume/tmp/d' open '/volume/tmp/d/f' wct close remove '/volume/tmp/d/f' remove '/volume/tmp/d' ok`, ""},
		{"a link that stays inside", `symlink 'a' '/volume/tmp/l' remove '/volume/tmp/l' ok`, ""},
		{"fd 4, unasked", `openat 4 'x' r ok`, abi.FilesRelative},
		{"an absolute path on fd 3", `openat 3 '/volume/tmp/x' r ok`, abi.FilesRelative},
		{"a write below /skills", `open '/skills/x' wc ok`, abi.FilesReadOnly},
		{"a folder below /skills", `mkdir '/skills/x' ok`, abi.FilesReadOnly},
		{"a way out", `open '/volume/tmp/../../../etc/hostname' r ok`, abi.FilesEscape},
		{"a way out by a link", `symlink '../../x' '/volume/tmp/l' open '/volume/tmp/l' r remove '/volume/tmp/l' ok`, abi.FilesEscape},
		{"a link to an absolute path", `symlink '/etc' '/volume/tmp/l' ok`, abi.FilesEscape},
		{"the budget", `open '/volume/tmp/a' rwct size 1073741825 ok`, abi.FilesBudget},
		{"fd_allocate", `open '/volume/tmp/a' rwct allocate 16 ok`, abi.FilesAllocate},
		{"a socket", `accept 3 ok`, abi.FilesSocket},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := callAct(t, opened(t, folder(t, "call "+c.ops, nil), bench.Options{})).Findings
			if c.rule == "" && len(found) > 0 || c.rule != "" && (len(found) != 1 || found[0].Rule != c.rule) {
				t.Errorf("found %s, want %q alone", list(found), c.rule)
			}
		})
	}
}
