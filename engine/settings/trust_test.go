package settings_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"perch/engine/settings"
)

func TestWithoutTrust(t *testing.T) {
	path := toml(t, everything)
	s, notices := load(t, path, settings.Flags{})
	if len(s.Allow)+len(s.Routes)+len(s.Credentials) > 0 || s.CA.Given() || s.Volume.Given() || s.Data.Given() || s.Skills.Given() || s.Trusted {
		t.Errorf("granted: %+v", s)
	}
	if s.Timeout.From != "perch.toml:2" || !s.Strict || s.Seed == nil || len(s.Accept) != 2 || !s.Assets.Given() || len(s.Mocks) != 1 {
		t.Errorf("left out too much: %+v", s)
	}
	var keys []string
	for _, n := range notices {
		keys = append(keys, n.Key)
	}
	if want := []string{"allow", "route", "ca", "credential", "volume", "data", "skills"}; !slices.Equal(keys, want) {
		t.Errorf("notices %v", keys)
	}
	n := notices[0]
	if n.Where != "perch.toml:9" || !slices.Equal(n.Values, []string{"api.example.com", "*.example.org:8443"}) ||
		n.Text != `allow "api.example.com", "*.example.org:8443" is left out: nobody has said yes to this file as it is now. --trust counts it for this run` {
		t.Errorf("%+v", n)
	}
}

func TestFlagsNeedNoTrust(t *testing.T) {
	s, notices := load(t, toml(t, "volume = \"v\"\nallow = \"b.example\""), settings.Flags{Volume: ptr("mine"), Allow: []string{"a.example"}})
	if s.Volume.V != "mine" || len(s.Allow) != 1 || len(notices) != 1 || notices[0].Key != "allow" {
		t.Errorf("%+v, %+v", s, notices)
	}
}

func TestManyValuesMakeOneNotice(t *testing.T) {
	var hosts []string
	for _, c := range "abcdefghij" {
		hosts = append(hosts, `"`+string(c)+`.example"`)
	}
	_, notices := load(t, toml(t, "allow = ["+strings.Join(hosts, ",")+"]"), settings.Flags{})
	if len(notices) != 1 || len(notices[0].Values) != 10 || !strings.Contains(notices[0].Text, `"d.example", 6 more is left out`) {
		t.Errorf("%+v", notices)
	}
}

func TestFaultsCountWithoutTrust(t *testing.T) {
	if got := faults(t, `allow = "https://x"`); len(got) != 1 {
		t.Errorf("%v", got)
	}
}

func TestPathsThatLeadOut(t *testing.T) {
	outside := t.TempDir()
	path := toml(t, "")
	dir := filepath.Dir(path)
	for _, name := range []string{"in", "in/deep"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{"out": outside, "dangling": filepath.Join(outside, "none"), "near": "in"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip("this machine makes no links:", err)
		}
	}
	for value, counts := range map[string]bool{
		"in": true, "in/deep": true, "near": true, "near/deep": true, ".": true, "none": true, "in/none/x": true,
		"..": false, "../x": false, "in/../../x": false, outside: false, "out": false, "out/none": false, "dangling": false, "dangling/x": false,
	} {
		if err := os.WriteFile(path, []byte("assets = '"+value+"'\nmock = ['"+value+"']"), 0o644); err != nil {
			t.Fatal(err)
		}
		s, notices := load(t, path, settings.Flags{})
		if s.Assets.Given() != counts || (len(s.Mocks) == 1) != counts || (len(notices) == 0) != counts {
			t.Errorf("%s: %+v, %v", value, s.Assets, notices)
		}
	}
}

func TestRemembered(t *testing.T) {
	store := settings.NewStore(filepath.Join(t.TempDir(), "config", "perch"))
	path := toml(t, `allow = "a.example"`)
	get := func(path string) settings.Settings {
		t.Helper()
		s, notices, err := settings.Load(path, settings.Flags{}, store)
		if err != nil || s.Trusted != (len(notices) == 0) || s.Trusted != (len(s.Allow) == 1) {
			t.Fatalf("%+v, %v, %v", s, notices, err)
		}
		return s
	}
	s := get(path)
	if s.Trusted {
		t.Fatal("trusted before anybody said so")
	}
	if err := store.Remember(s.File, s.SHA256); err != nil {
		t.Fatal(err)
	}
	if !get(path).Trusted {
		t.Error("forgotten")
	}
	t.Run("by another path", func(t *testing.T) {
		t.Chdir(filepath.Dir(path))
		if !get("perch.toml").Trusted {
			t.Error("the path was not made absolute")
		}
	})
	copied := toml(t, `allow = "a.example"`)
	if get(copied).Trusted {
		t.Error("a copy elsewhere is trusted")
	}
	borrowed := filepath.Join(t.TempDir(), "perch.toml")
	if err := os.Symlink(path, borrowed); err == nil && get(borrowed).Trusted {
		t.Error("a link borrowed the trust")
	}
	if err := os.WriteFile(path, []byte(`allow = "b.example"`), 0o644); err != nil {
		t.Fatal(err)
	}
	changed := get(path)
	if changed.Trusted {
		t.Error("changed, and still trusted")
	}
	if err := store.Remember(changed.File, changed.SHA256); err != nil {
		t.Fatal(err)
	}
	if !get(path).Trusted {
		t.Error("not trusted anew")
	}
	if err := os.WriteFile(path, []byte(`allow = "a.example"`), 0o644); err != nil {
		t.Fatal(err)
	}
	if get(path).Trusted {
		t.Error("the older content is trusted beside the newer")
	}
	if err := store.Forget(s.File); err != nil {
		t.Fatal(err)
	}
	if ok, err := store.Trusted(changed.File, changed.SHA256); ok || err != nil {
		t.Errorf("not forgotten: %v", err)
	}
}

func TestTrustFlagIsNotRemembered(t *testing.T) {
	dir := t.TempDir()
	store := settings.NewStore(dir)
	path := toml(t, `allow = "a.example"`)
	if s, _, err := settings.Load(path, settings.Flags{Trust: true}, store); err != nil || !s.Trusted || len(s.Allow) != 1 {
		t.Fatalf("%+v, %v", s, err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("written: %v", left)
	}
	if s, _, err := settings.Load(path, settings.Flags{}, store); err != nil || s.Trusted {
		t.Errorf("remembered: %v", err)
	}
}

func TestDamagedTrustList(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "trusted.toml"), []byte("[[file]]\npath = 7"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err := settings.Load(toml(t, ""), settings.Flags{}, settings.NewStore(dir))
	var e *settings.Error
	if !errors.As(err, &e) || !strings.Contains(err.Error(), "trusted.toml:2:") || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("%v", err)
	}
}

func TestTheTrustListIsPrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "perch")
	if err := settings.NewStore(dir).Remember("/x/perch.toml", "00"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{"": 0o700, "trusted.toml": 0o600} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS != "windows" && info.Mode().Perm() != want {
			t.Errorf("%q: %v", name, info.Mode())
		}
	}
}

func TestUserDir(t *testing.T) {
	base := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", base)
	if got, err := settings.UserDir(); err != nil || got != filepath.Join(base, "perch") {
		t.Errorf("%q, %v", got, err)
	}
	t.Setenv("HOME", base)
	t.Setenv("XDG_CONFIG_HOME", "")
	if got, err := settings.UserDir(); err != nil || !filepath.IsAbs(got) || filepath.Base(got) != "perch" {
		t.Errorf("%q, %v", got, err)
	}
}
