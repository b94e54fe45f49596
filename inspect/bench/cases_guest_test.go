package bench_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/settings"
	"perch/inspect/bench"
)

// built is the guest of testdata, built once, and a cache for it.
var built = sync.OnceValues(func() (dir string, err error) {
	if dir, err = os.MkdirTemp("", "perch-cases-*"); err != nil {
		return "", err
	}
	module := filepath.Join(dir, abi.ModuleFile)
	if err := build(module); err != nil {
		return dir, err
	}
	// Compiled once, so that the tests side by side need not.
	b, err := bench.Open(context.Background(), module, bench.Options{CacheDir: filepath.Join(dir, "cache")})
	if err != nil {
		return dir, err
	}
	_, err = b.Session.Ready(context.Background())
	return dir, errors.Join(err, b.Close())
})

func build(out string, flags ...string) error {
	args := append([]string{"build", "-trimpath", "-o", out}, flags...)
	c := exec.Command("go", append(args, ".")...)
	c.Dir = filepath.Join("testdata", "guest")
	c.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=")
	if said, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, said)
	}
	return nil
}

func TestMain(m *testing.M) {
	status := m.Run()
	if dir, _ := built(); dir != "" {
		_ = os.RemoveAll(dir)
	}
	os.Exit(status)
}

func needGo(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("go is not here")
	}
}

// guest opens the Go guest.
func guest(t *testing.T, f settings.Flags) *bench.Bench {
	t.Helper()
	needGo(t)
	dir, err := built()
	if err != nil {
		t.Fatal(err)
	}
	b, err := bench.Open(t.Context(), filepath.Join(dir, abi.ModuleFile), bench.Options{Clock: quick(), Flags: f, CacheDir: filepath.Join(dir, "cache")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return b
}

// do tells the guest what to do, and returns the lines that it says.
func do(t *testing.T, b *bench.Bench, what string) (bench.Call, []string) {
	t.Helper()
	args, err := json.Marshal(map[string]string{"do": what})
	if err != nil {
		t.Fatal(err)
	}
	c, err := b.Call(t.Context(), "act", args)
	if err != nil {
		t.Fatal(err)
	}
	if c.Result.Outcome != event.OK {
		return c, nil
	}
	return c, strings.Split(c.Model[0].Text, "\n")
}

// TestSharedLibraryOfGo (P087): the fix is Go's.
func TestSharedLibraryOfGo(t *testing.T) {
	t.Parallel()
	needGo(t)
	name := filepath.Join(t.TempDir(), abi.ModuleFile)
	if err := build(name, "-buildmode=c-shared"); err != nil {
		t.Fatal(err)
	}
	b := openWith(t, name, settings.Flags{})
	u, err := b.Upload(t.Context())
	if err != nil || u.Outcome != event.Refused {
		t.Fatalf("the upload is %s: %v", u.Outcome, err)
	}
	holds(t, find(t, u.Findings, abi.ModuleStartMissing), "library (reactor)", "-buildmode=c-shared", "GOOS=wasip1")
}

// TestDeadlockOfGo (P100): it is said what the runtime said, and why it is so.
func TestDeadlockOfGo(t *testing.T) {
	t.Parallel()
	c, _ := do(t, guest(t, settings.Flags{}), "deadlock")
	f := outcome(t, c, event.Broken, abi.LifeEarlyExit)
	holds(t, f, "status 2", "deadlock", "one thread")
	if !strings.Contains(string(c.Result.Stderr), "all goroutines are asleep") {
		t.Errorf("stderr is %s", c.Result.Stderr)
	}
}

// TestTimerOfGo: where all goroutines wait the stack is the runtime's alone, and
// that is said.
func TestTimerOfGo(t *testing.T) {
	t.Parallel()
	c, _ := do(t, guest(t, settings.Flags{}), "timer")
	f := outcome(t, c, event.Broken, abi.LifeTime)
	holds(t, f, "It was in poll_oneoff", "Go's runtime alone", "all goroutines wait")
}

// TestListings (P111): each name once, whatever the buffer.
func TestListings(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"list small", "list large", "list remove"} {
		_, names := do(t, guest(t, settings.Flags{}), how)
		if len(names) != 302 || !slices.Contains(names, ". 1") || !slices.Contains(names, ".. 1") {
			t.Fatalf("%s: %d names: %q", how, len(names), names[:min(3, len(names))])
		}
		for _, n := range names {
			if !strings.HasSuffix(n, " 1") {
				t.Errorf("%s: %q, not once", how, n)
			}
		}
	}
}

// TestPreopens (P112): the page's order, absolute names, then EBADF.
func TestPreopens(t *testing.T) {
	t.Parallel()
	skills, assets, data := t.TempDir(), t.TempDir(), true
	for _, name := range []string{"b-skill", "a-skill"} {
		dir := filepath.Join(skills, name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(dir, "SKILL.md"), []byte("---\nname: "+name+"\ndescription: A skill.\n---\n"))
	}
	const end = "Bad file number"
	for _, c := range []struct {
		flags settings.Flags
		want  []string
	}{
		{settings.Flags{}, []string{"/volume/tmp", "/skills", end}},
		{settings.Flags{Data: &data, Assets: &assets}, []string{"/volume/tmp", "/volume/data", "/package", "/skills", end}},
		{settings.Flags{Data: &data, Skills: &skills}, []string{"/volume/tmp", "/volume/data", "/skills", "/skills/a-skill", "/skills/b-skill", end}},
	} {
		b := guest(t, c.flags)
		run, got := do(t, b, "preopens")
		if !slices.Equal(got, c.want) {
			t.Errorf("the preopens are %q, want %q", got, c.want)
		}
		for i, m := range run.Run.Begin().Mounts {
			if m.FD != uint32(3+i) || m.Guest != c.want[i] {
				t.Errorf("mount %d is said to be %+v", i, m)
			}
		}
		u, err := b.Upload(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		if slices.Contains(c.want, "/package") {
			want = 1
		}
		if n := len(u.Run.Begin().Mounts); n != want {
			t.Errorf("the upload run has %d mounts, want %d", n, want)
		}
	}
}

// TestRenameAcross (P114).
func TestRenameAcross(t *testing.T) {
	t.Parallel()
	data, assets := true, t.TempDir()
	c, got := do(t, guest(t, settings.Flags{Data: &data, Assets: &assets}), "rename")
	want := []string{"over a file: ok", "across: ok", "there: new ok", "into /package: 63"}
	if !slices.Equal(got, want) {
		t.Errorf("the guest says %q, want %q", got, want)
	}
	find(t, c.Findings, abi.FilesReadOnly)
}

// TestLinksLeadNowhere (P115): a canary beside the volume stays unread and
// unchanged.
func TestLinksLeadNowhere(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	canary := filepath.Join(outside, "canary")
	put(t, canary, []byte("sings"))
	volume := filepath.Join(outside, "volume")
	if err := os.MkdirAll(filepath.Join(volume, "tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(volume, "tmp", "out")); err != nil {
		t.Skip("no links here: " + err.Error())
	}
	c, got := do(t, guest(t, settings.Flags{Volume: &volume}), "links")
	for _, line := range got {
		name, result, _ := strings.Cut(line, ": ")
		if name != "own link" && result == "ok" {
			t.Errorf("%s worked", name)
		}
		if name == "the host's link" && result != "63" {
			t.Errorf("%s gave %s, want EPERM", name, result)
		}
	}
	if len(got) != 7 {
		t.Errorf("the guest says %q", got)
	}
	find(t, c.Findings, abi.FilesEscape)
	if b, err := os.ReadFile(canary); err != nil || string(b) != "sings" {
		t.Errorf("the canary %s, %v", b, err)
	}
}
