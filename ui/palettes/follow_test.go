package palettes_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"perch/engine/clock"
	"perch/ui/palettes"
	"perch/ui/watch"
)

// quick is a clock on which waits pass at once.
type quick struct{ *clock.Manual }

// After implements clock.Clock.
func (q quick) After(d time.Duration) (<-chan struct{}, func()) {
	passed, release := q.Manual.After(d)
	q.Advance(d)
	return passed, release
}

// follower follows a folder until the test ends.
type follower struct {
	t    *testing.T
	told chan palettes.Set
	done chan error
	stop context.CancelFunc
}

func follow(t *testing.T, before palettes.Set, c clock.Clock) *follower {
	ctx, stop := context.WithCancel(t.Context())
	f := &follower{t, make(chan palettes.Set, 64), make(chan error, 1), stop}
	go func() { f.done <- palettes.Follow(ctx, before, c, func(s palettes.Set) { f.told <- s }) }()
	t.Cleanup(stop)
	return f
}

// until waits for a set of which a condition holds.
func (f *follower) until(what string, condition func(palettes.Set) bool) palettes.Set {
	f.t.Helper()
	patience := time.NewTimer(2 * time.Minute)
	defer patience.Stop()
	for {
		select {
		case s := <-f.told:
			if condition(s) {
				return s
			}
		case <-patience.C:
			f.t.Fatalf("waited for %s", what)
		}
	}
}

// ended waits until it ends.
func (f *follower) ended() error {
	f.t.Helper()
	patience := time.NewTimer(2 * time.Minute)
	defer patience.Stop()
	select {
	case err := <-f.done:
		return err
	case <-patience.C:
		f.t.Fatal("waited for the end")
	}
	return nil
}

func manual() *clock.Manual { return clock.NewManual(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)) }

// mine reports whether the palette mine is in order and red.
func mine(s palettes.Set) bool {
	p, ok := s.Find("mine")
	return ok && p.Err == nil && red(p.Theme)
}

func wrong(s palettes.Set) bool {
	p, ok := s.Find("mine")
	return ok && p.Err != nil && red(p.Theme)
}

func TestFollow(t *testing.T) {
	dir := t.TempDir()
	f := follow(t, palettes.Read(dir, palettes.Set{}), quick{manual()})
	write(t, dir, "mine.toml", isRed)
	f.until("the new file", mine)
	write(t, dir, "mine.toml", "ok = \n")
	f.until("the fault", wrong)
	write(t, dir, "new.tmp", isRed) // as many editors save
	if err := os.Rename(filepath.Join(dir, "new.tmp"), filepath.Join(dir, "mine.toml")); err != nil {
		t.Fatal(err)
	}
	f.until("what took the file's place", mine)
	remove(t, dir, "mine.toml")
	f.until("the file to go", func(s palettes.Set) bool {
		p, ok := s.Find("mine")
		return ok && p.Gone && red(p.Theme)
	})
	f.stop()
	if err := f.ended(); err != nil {
		t.Error(err)
	}
}

// What changed before the folder was watched is told too.
func TestFollowReadsFirst(t *testing.T) {
	dir := t.TempDir()
	before := palettes.Read(dir, palettes.Set{})
	write(t, dir, "mine.toml", isRed)
	follow(t, before, manual()).until("the file", mine)
}

// A file that is written in parts is read when it is whole.
func TestFollowWaitsUntilItIsStill(t *testing.T) {
	dir := t.TempDir()
	before := palettes.Read(dir, palettes.Set{})
	write(t, dir, "mine.toml", isRed)
	c := manual()
	f := follow(t, before, c)
	f.until("the folder to be followed", mine)
	write(t, dir, "mine.toml", "base = \"pa")
	write(t, dir, "mine.toml", isRed+"error = \"#ff0000\"\n")
	deadline := time.Now().Add(2 * time.Minute)
	for time.Now().Before(deadline) {
		select {
		case s := <-f.told:
			if !mine(s) {
				p, _ := s.Find("mine")
				t.Fatalf("a half file was told of: %v", p.Err)
			}
			return
		default:
			c.Advance(watch.Settle)
		}
	}
	t.Fatal("nothing was told")
}

// Without a folder there is nothing to follow; one that goes ends it.
func TestFollowEndsWithTheFolder(t *testing.T) {
	for _, dir := range []string{"", filepath.Join(t.TempDir(), "no")} {
		if err := follow(t, palettes.Read(dir, palettes.Set{}), manual()).ended(); err != nil {
			t.Errorf("%q: %v", dir, err)
		}
	}
	for name, act := range map[string]func(dir string) error{
		"removed": os.RemoveAll,
		"moved":   func(dir string) error { return os.Rename(dir, dir+"-old") },
	} {
		dir := filepath.Join(t.TempDir(), "themes")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, dir, "mine.toml", isRed)
		before := palettes.Read(dir, palettes.Set{})
		write(t, dir, "other.toml", isRed)
		f := follow(t, before, quick{manual()})
		f.until(name+": the folder to be followed", func(s palettes.Set) bool { _, ok := s.Find("other"); return ok })
		if err := act(dir); err != nil {
			t.Fatal(err)
		}
		f.until(name+": the file to go", func(s palettes.Set) bool { p, ok := s.Find("mine"); return ok && p.Gone })
		if err := f.ended(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
