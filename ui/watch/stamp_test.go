package watch_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"perch/engine/clock"
	"perch/ui/watch"
)

// brisk is a clock on which waits pass at once.
type brisk struct{ *clock.Manual }

// After implements clock.Clock.
func (b brisk) After(d time.Duration) (<-chan struct{}, func()) {
	passed, release := b.Manual.After(d)
	b.Advance(d)
	return passed, release
}

// TestFiles: a file that is written, moved into place, removed and made anew
// with its folder is told each time; others are not.
func TestFiles(t *testing.T) {
	top := t.TempDir()
	dir := filepath.Join(top, "pk")
	file := filepath.Join(dir, "module.wasm")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	n := byte(0)
	look := func() watch.Look {
		l := watch.Look{Dirs: []string{top}, Counts: func(f string) bool { return f == file || f == dir }}
		if _, err := os.Stat(dir); err == nil {
			l.Dirs = append(l.Dirs, dir)
		}
		data, _ := os.ReadFile(file)
		copy(l.Sum[:], data)
		return l
	}
	ctx, stop := context.WithCancel(t.Context())
	told := make(chan struct{}, 64)
	done := make(chan error, 1)
	before := look().Sum
	go func() {
		done <- watch.Files(ctx, brisk{clock.NewManual(time.Now())}, before, look, func() { told <- struct{}{} })
	}()
	write := func(path string) {
		n++
		if err := os.WriteFile(path, []byte{n}, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"written", func() { write(file) }},
		{"moved into place", func() { write(file + ".new"); must(os.Rename(file+".new", file)) }},
		{"removed with its folder", func() { must(os.RemoveAll(dir)) }},
		{"made anew with its folder", func() { must(os.Mkdir(dir, 0o700)); write(file) }},
		{"written again there", func() { write(file) }},
		{"another folder in its place", func() {
			must(os.Mkdir(dir+".new", 0o700))
			write(filepath.Join(dir+".new", "module.wasm"))
			must(os.Rename(dir, dir+".old"))
			must(os.Rename(dir+".new", dir))
		}},
		{"written once more", func() { write(file) }},
	} {
		step.do()
		patience := time.NewTimer(time.Minute)
		select {
		case <-told:
		case <-patience.C:
			t.Fatalf("%s: nothing was told", step.name)
		}
		patience.Stop()
		for last := look().Sum; ; { // steps of one change may be told one by one
			select {
			case <-told:
				continue
			default:
			}
			if look().Sum == last {
				break
			}
		}
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestFilesWithoutFolder(t *testing.T) {
	look := func() watch.Look {
		return watch.Look{Dirs: []string{filepath.Join(t.TempDir(), "none")}}
	}
	if err := watch.Files(t.Context(), clock.NewSystem(), [32]byte{}, look, func() {}); err == nil {
		t.Error("a folder that is not there was watched")
	}
}
