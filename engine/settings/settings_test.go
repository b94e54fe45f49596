package settings_test

import (
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"perch/engine/abi"
	"perch/engine/settings"
)

// toml writes a perch.toml into a folder of its own.
func toml(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "perch.toml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func ptr[T any](v T) *T { return &v }

// load loads without errors.
func load(t *testing.T, path string, f settings.Flags) (settings.Settings, []settings.Notice) {
	t.Helper()
	s, notices, err := settings.Load(path, f, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s, notices
}

// trusted loads a file with these lines and --trust.
func trusted(t *testing.T, text string, f settings.Flags) settings.Settings {
	t.Helper()
	f.Trust = true
	s, notices := load(t, toml(t, text), f)
	if len(notices) > 0 {
		t.Fatalf("notices %v", notices)
	}
	return s
}

// faults are the errors of a file, with the folder cut off.
func faults(t *testing.T, text string) []string {
	t.Helper()
	path := toml(t, text)
	s, _, err := settings.Load(path, settings.Flags{}, nil)
	if err == nil {
		return nil
	}
	if !reflect.DeepEqual(s, settings.Settings{}) {
		t.Errorf("settings and an error: %+v", s)
	}
	var all settings.Errors
	if !errors.As(err, &all) || len(all) == 0 {
		t.Fatalf("%T: %v", err, err)
	}
	return strings.Split(strings.ReplaceAll(err.Error(), filepath.Dir(path)+string(filepath.Separator), ""), "\n")
}

func TestDefaults(t *testing.T) {
	s, notices := load(t, "", settings.Flags{})
	want := settings.Settings{
		Timeout: settings.Value[time.Duration]{V: abi.LocalTimeout, From: settings.Local},
		Memory:  settings.Value[uint64]{V: abi.LocalMemory, From: settings.Local},
		Engine:  settings.Value[string]{V: settings.Compiler, From: settings.Local},
	}
	if !reflect.DeepEqual(s, want) || notices != nil {
		t.Errorf("%+v, %v", s, notices)
	}
}

const everything = `# all of it
timeout = "1m30s"
memory = "1GiB"
engine = "interpreter"
seed = 7
strict = true
force = true
allow = [
  "API.example.com",
  "*.Example.org:8443", # with a port
]
route = "api.example.com=127.0.0.1:8443"
ca = "ca.pem"
credential = ["https://api.example.com:443=Authorization:env:TOKEN"]
mock = "mocks.toml"
volume = "vol"
data = true
skills = "sub/skills"
assets = "assets"

[accept]
"package/manifest-name" = "not yet"
"schema/pattern:draw_2" = "the model knows"
`

func TestFile(t *testing.T) {
	path := toml(t, everything)
	s, notices := load(t, path, settings.Flags{Trust: true})
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	text := func(v, from string) settings.Value[string] { return settings.Value[string]{V: v, From: from} }
	if len(s.SHA256) != 64 {
		t.Errorf("sum %q", s.SHA256)
	}
	s.SHA256 = ""
	want := settings.Settings{
		Timeout: settings.Value[time.Duration]{V: 90 * time.Second, From: "perch.toml:2"},
		Memory:  settings.Value[uint64]{V: 1 << 30, From: "perch.toml:3"},
		Engine:  text("interpreter", "perch.toml:4"),
		Seed:    &settings.Value[uint64]{V: 7, From: "perch.toml:5"},
		Strict:  true, Force: true, Trust: true, Trusted: true,
		Allow:       []settings.Value[string]{text("api.example.com", "perch.toml:9"), text("*.example.org:8443", "perch.toml:10")},
		Routes:      []settings.Value[settings.Route]{{V: settings.Route{Host: "api.example.com", Port: 443, Addr: netip.MustParseAddrPort("127.0.0.1:8443")}, From: "perch.toml:12"}},
		CA:          text(filepath.Join(dir, "ca.pem"), "perch.toml:13"),
		Credentials: []settings.Value[settings.Credential]{{V: settings.Credential{Origin: "https://api.example.com", Header: "authorization", Env: "TOKEN"}, From: "perch.toml:14"}},
		Mocks:       []settings.Value[string]{text(filepath.Join(dir, "mocks.toml"), "perch.toml:15")},
		Volume:      text(filepath.Join(dir, "vol"), "perch.toml:16"),
		Data:        settings.Value[bool]{V: true, From: "perch.toml:17"},
		Skills:      text(filepath.Join(dir, "sub", "skills"), "perch.toml:18"),
		Assets:      text(filepath.Join(dir, "assets"), "perch.toml:19"),
		Accept: []settings.Accept{
			{Rule: abi.PackageManifestName, Reason: "not yet", From: "perch.toml:22"},
			{Rule: abi.SchemaPattern, Tool: "draw_2", Reason: "the model knows", From: "perch.toml:23"},
		},
		File: filepath.Join(dir, "perch.toml"),
	}
	if !reflect.DeepEqual(s, want) || len(notices) > 0 {
		t.Errorf("got  %+v\nwant %+v\nnotices %v", s, want, notices)
	}
}

func TestFlagsWin(t *testing.T) {
	s := trusted(t, everything, settings.Flags{
		Timeout: ptr("5s"), Memory: ptr("64 KiB"), Engine: ptr("compiler"), Seed: ptr("18446744073709551615"),
		Strict: ptr(false), Force: ptr(false), Data: ptr(false),
		Allow: []string{"other.example.com", "api.example.com"}, Route: []string{"api.example.com=127.0.0.1:1"},
		CA: ptr("x.pem"), Credential: []string{"https://api.example.com=authorization:env:OTHER"}, Mock: []string{"m.toml"},
		Volume: ptr("v"), Skills: ptr("s"), Assets: ptr("a"),
	})
	if s.Timeout.V != 5*time.Second || s.Timeout.From != "flag --timeout" || s.Memory.V != 64<<10 || s.Engine.V != "compiler" || s.Seed.V != 1<<64-1 {
		t.Errorf("%+v", s)
	}
	if s.Strict || s.Force || s.Data.V || s.Data.From != "flag --data" {
		t.Errorf("switches %+v", s)
	}
	for name, got := range map[string]settings.Value[string]{"ca": s.CA, "volume": s.Volume, "skills": s.Skills, "assets": s.Assets} {
		if got.From != "flag --"+name || strings.ContainsRune(got.V, filepath.Separator) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	var allow []string
	for _, v := range s.Allow {
		allow = append(allow, v.V+" by "+v.From)
	}
	if got := strings.Join(allow, ", "); got != "other.example.com by flag --allow, api.example.com by flag --allow, *.example.org:8443 by perch.toml:10" {
		t.Errorf("allow %s", got)
	}
	if len(s.Routes) != 1 || s.Routes[0].V.Addr.Port() != 1 || len(s.Credentials) != 1 || s.Credentials[0].V.Env != "OTHER" {
		t.Errorf("routes %+v, credentials %+v", s.Routes, s.Credentials)
	}
	if len(s.Mocks) != 2 || s.Mocks[0].V != "m.toml" {
		t.Errorf("mocks %+v", s.Mocks)
	}
}

func TestFileFaults(t *testing.T) {
	const allKeys = "Known are timeout, memory, engine, seed, strict, force, allow, route, ca, credential, mock, volume, data, skills, assets, [accept] and [build]"
	for _, c := range []struct{ text, want string }{
		{"\n\n  timout = \"3s\"", `perch.toml:3:3: unknown key "timout". Did you mean timeout?`},
		{`memroy = 1`, `perch.toml:1:1: unknown key "memroy". Did you mean memory?`},
		{`allows = "x"`, `perch.toml:1:1: unknown key "allows". Did you mean allow?`},
		{`Timeout = "3s"`, `perch.toml:1:1: unknown key "Timeout". Did you mean timeout?`},
		{`"a\u001bb" = 1`, `perch.toml:1:1: unknown key "a\x1bb". ` + allKeys},
		{`x.y.z = 1`, `perch.toml:1:1: unknown key "x". ` + allKeys},
		{"[x]\ny = 1", `perch.toml:1:2: unknown key "x". ` + allKeys},
		{`trust = true`, `perch.toml:1:1: unknown key "trust". A file cannot trust itself: --trust is given on the command line`},
		{`timeout = 30`, `perch.toml:1:11: timeout is a text, not a whole number`},
		{`timeout = [ "3s" ]`, `perch.toml:1:1: timeout is a text, not a list`},
		{`timeout = "30"`, `perch.toml:1:11: "30" has no unit. Write 30s for seconds`},
		{`timeout = "soon"`, `perch.toml:1:11: "soon" is no time. Write a time with its unit: 500ms, 30s, 2m or 1m30s`},
		{`timeout = "0s"`, `perch.toml:1:11: "0s" is not more than 0. Write a time with its unit: 500ms, 30s, 2m or 1m30s`},
		{"[timeout]\nx = 1", `perch.toml:1:2: timeout is a text, not a table`},
		{`timeout.x = 1`, `perch.toml:1:1: timeout is a text, not a table`},
		{`timeout = {x = 1}`, `perch.toml:1:11: timeout is a text, not a table`},
		{`memory = 1.5`, `perch.toml:1:10: memory is a text or a whole number, not a number with a fraction`},
		{`memory = "lots"`, `perch.toml:1:10: "lots" has a unit that is not B, KiB, MiB or GiB. Between 64 KiB and 4 GiB in steps of 64 KiB, such as 256MiB`},
		{`seed = -1`, `perch.toml:1:8: "-1" is no seed. Write a whole number from 0 to 18446744073709551615`},
		{`strict = "yes"`, `perch.toml:1:10: strict is true or false, not a text`},
		{`strict = 1`, `perch.toml:1:10: strict is true or false, not a whole number`},
		{`engine = "jit"`, `perch.toml:1:10: "jit" is no engine. Write compiler or interpreter`},
		{"allow = [\n  \"ok.example\", 7]", `perch.toml:2:17: allow holds a whole number, not texts alone`},
		{`allow = ["é.example", "https://x"]`, `perch.toml:1:23: "https://x" is no allowlist entry: it is a URL; a host alone is wanted. Write a host, *.host for its subdomains, or host:port`},
		{`ca = ""`, `perch.toml:1:6: the path is empty. Write one, or leave the setting out`},
		{`data = 1979-05-27`, `perch.toml:1:8: data is true or false, not a date or time`},
		{"[[accept]]\nx = 1", `perch.toml:1:3: [[accept]] is a list of tables, and no setting is one`},
		{"[accept]\n\"package/manifest-nam\" = \"x\"", `perch.toml:2:1: there is no rule "package/manifest-nam". Did you mean package/manifest-name?`},
		{"[accept]\n\"package/manifest-name\" = \" \"", `perch.toml:2:27: the reason for accepting package/manifest-name is no text. Say why in a few words`},
		{"[accept]\n\"package/manifest-name\" = true", `perch.toml:2:27: the reason for accepting package/manifest-name is no text. Say why in a few words`},
		{`accept = "x"`, `perch.toml:1:1: accept is a table of rule ids, each with a reason. Write "package/manifest-name" = "why" below [accept]`},
		{`accept.a.b = "x"`, `perch.toml:1:1: accept is a table of rule ids, each with a reason. Write "package/manifest-name" = "why" below [accept]`},
		{`accept = { "no/rule" = "x" }`, `perch.toml:1:12: there is no rule "no/rule". perch rules lists all`},
		{"[accept]\n\"schema/patern:draw\" = \"x\"", `perch.toml:2:1: there is no rule "schema/patern". Did you mean schema/pattern?`},
		{"[accept]\n\"schema/pattern:\" = \"x\"", `perch.toml:2:1: no tool stands behind the : of "schema/pattern:". Write schema/pattern:TOOL, or schema/pattern for all tools`},
		{"route = [\"h=127.0.0.1:1\", \"h:443=127.0.0.1:2\"]", `perch.toml:1:27: "h:443=127.0.0.1:2" is a second route for the same host and port. Leave one`},
		{`build = "make"`, `perch.toml:1:1: build is a table of command and watch. Write command = ["make"] below [build]`},
		{"[build]\ncommand = \"make\"", `perch.toml:2:11: build.command is a list of texts, not a text. Write the program and its arguments as a list: ["make", "module.wasm"]`},
		{"[build]\ncommand = []", `perch.toml:2:1: build.command is empty. Write the program and its arguments as a list: ["make", "module.wasm"]`},
		{"[build]\ncommand = [\"make\", 1]", `perch.toml:2:20: build.command holds a whole number, not texts alone. Write the program and its arguments as a list: ["make", "module.wasm"]`},
		{"[build]\ncomand = [\"make\"]", `perch.toml:2:1: unknown key "comand" in [build]. Known are command and watch`},
		{"[build]\nwatch = [\"*.c\"]", `perch.toml:2:1: [build] has no command. Write command = ["make"] below [build]`},
		{"[build]\ncommand = [\"make\"]\nwatch = [\"[\"]", `perch.toml:3:1: build.watch holds "[", which is no path and no pattern. Write a file, a folder, or a pattern such as *.c`},
	} {
		path := toml(t, c.text)
		_, _, err := settings.Load(path, settings.Flags{Trust: true}, nil)
		if err == nil {
			t.Errorf("%s: no error", c.text)
			continue
		}
		if got := strings.TrimPrefix(err.Error(), filepath.Dir(path)+string(filepath.Separator)); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestNotTOML(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"timeout = \"3s\"\nmemory = ", "perch.toml:2:"},
		{"timeout = \"3s\"\ntimeout = \"4s\"", "perch.toml:2:"},
		{"a = \"\x00\"", "perch.toml:1:"},
		{"\xff", "perch.toml:1:"},
		{"= 1", "perch.toml:1:1"},
		{strings.Repeat("[", 60_000), "perch.toml:1:"},
		{"a = " + strings.Repeat("[", 60_000), "perch.toml:1:"},
	} {
		got := faults(t, c.text)
		if len(got) != 1 || !strings.HasPrefix(got[0], c.want) || !strings.Contains(got[0], "this is not TOML: ") {
			t.Errorf("%.40q: %.200q", c.text, got)
		}
	}
}

func TestAllFaultsAtOnce(t *testing.T) {
	path := toml(t, "timout = 1\nmemory = \"5GiB\"\n[acept]\nx = 1\n")
	_, _, err := settings.Load(path, settings.Flags{Timeout: ptr("soon")}, nil)
	var all settings.Errors
	if !errors.As(err, &all) || len(all) != 4 {
		t.Fatalf("%v", err)
	}
	for i, want := range []string{"--timeout", path + ":1:1", path + ":2:10", path + ":3:2"} {
		if all[i].Where != want || all[i].What == "" {
			t.Errorf("%d: %+v", i, all[i])
		}
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	for _, path := range []string{filepath.Join(t.TempDir(), "perch.toml"), t.TempDir()} {
		if _, _, err := settings.Load(path, settings.Flags{}, nil); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, _, err := settings.Load(toml(t, strings.Repeat("#", abi.MaxSettings+1)), settings.Flags{}, nil); err == nil || !strings.Contains(err.Error(), "is larger than 64 KiB") {
		t.Errorf("too large: %v", err)
	}
}

func FuzzFile(f *testing.F) {
	for _, text := range []string{everything, "a.b.c = 1", "accept = {a = \"b\"}", "[[x]]", "[accept.x]", "allow = [1, [2]]", "seed = 0x10", "data = 07:32:00", "ca = '''\n'''"} {
		f.Add([]byte(text), true)
		f.Add([]byte(text), false)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte, trust bool) {
		path := filepath.Join(dir, "perch.toml")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		s, notices, err := settings.Load(path, settings.Flags{Trust: trust}, nil)
		if err != nil {
			if !utf8.ValidString(err.Error()) {
				t.Fatalf("not UTF-8: %q", err)
			}
			for _, c := range err.Error() {
				if unicode.IsControl(c) && c != '\n' {
					t.Fatalf("unsafe: %q", err)
				}
			}
			return
		}
		if s.Memory.V < abi.PageSize || s.Memory.V > abi.MaxMemory || s.Memory.V%abi.PageSize != 0 || s.Timeout.V <= 0 {
			t.Fatalf("%+v", s)
		}
		if !trust && (len(s.Allow)+len(s.Routes)+len(s.Credentials) > 0 || s.CA.Given() || s.Volume.Given() || s.Data.V || s.Skills.Given()) {
			t.Fatalf("granted without trust: %+v", s)
		}
		if trust && len(notices) > 0 {
			t.Fatalf("left out in spite of trust: %v", notices)
		}
	})
}

// TestBuild: the build command counts with trust alone; what it would run is
// shown whole, however long it is.
func TestBuild(t *testing.T) {
	long := strings.Repeat("x", 300)
	path := toml(t, "[build]\ncommand = [\"sh\", \"-c\", \"echo "+long+"\"]\nwatch = [\"src\", \"*.c\"]\n")
	s, left, err := settings.Load(path, settings.Flags{}, nil)
	if err != nil || s.Build.Command != nil || s.Build.Watch != nil {
		t.Fatalf("without trust: %+v, %v", s.Build, err)
	}
	if len(left) != 2 || left[0].Key != "build.command" || left[0].Values[0] != `sh -c "echo `+long+`"` || left[1].Key != "build.watch" || len(left[1].Values) != 2 {
		t.Errorf("left out %+v", left)
	}
	s, left, err = settings.Load(path, settings.Flags{Trust: true}, nil)
	if err != nil || len(left) != 0 {
		t.Fatalf("%+v, %v", left, err)
	}
	b := s.Build
	if len(b.Command) != 3 || b.From != "perch.toml:2" || !filepath.IsAbs(b.Dir) || len(b.Watch) != 2 || b.Watch[0] != filepath.Join(b.Dir, "src") {
		t.Errorf("%+v", b)
	}
}
