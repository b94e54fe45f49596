package watch

import (
	"context"
	"slices"

	"github.com/fsnotify/fsnotify"

	"perch/engine/clock"
)

// Look is what was seen of some files at one moment.
type Look struct {
	Sum  [32]byte // another one when anything of them is
	Dirs []string // folders whose changes could change it
	// Counts says whether a change of a file could change it; nil: each does.
	Counts func(file string) bool
}

// Files tells of each change of what look sees, once the files have rested for
// Settle: a file that is written in steps, or in place of which another one is
// moved, is one change. before is what was seen when the caller read the files.
// It returns when ctx ends, or with an error when the folders cannot be watched.
// Between changes it waits in the kernel.
func Files(ctx context.Context, c clock.Clock, before [32]byte, look func() Look, changed func()) error {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	defer w.Close()
	sum := before
	for {
		now, err := settle(w, look)
		if err != nil {
			return err
		}
		if now.Sum != sum {
			sum = now.Sum
			changed()
		}
		if !rested(ctx, w, c, now.Counts) {
			return nil
		}
	}
}

// settle watches the folders of what is there now. A folder that was moved away
// or made anew is another one under its name, so each is watched anew.
func settle(w *fsnotify.Watcher, look func() Look) (Look, error) {
	now := look()
	for range 4 { // a folder that came meanwhile is looked into again
		for _, dir := range w.WatchList() {
			_ = w.Remove(dir)
		}
		added := 0
		var err error
		for _, dir := range now.Dirs {
			if failed := w.Add(dir); failed != nil {
				err = failed
				continue
			}
			added++
		}
		if added == 0 && err != nil {
			return now, err
		}
		again := look()
		same := slices.Equal(again.Dirs, now.Dirs)
		if now = again; same {
			break
		}
	}
	return now, nil
}

// rested waits for a change that counts, and then until nothing has come for
// Settle. It is false when ctx has ended.
func rested(ctx context.Context, w *fsnotify.Watcher, c clock.Clock, counts func(string) bool) bool {
	for waiting := true; waiting; {
		select {
		case <-ctx.Done():
			return false
		case <-w.Errors: // events were lost: there are changes
			waiting = false
		case e, open := <-w.Events:
			if !open {
				return false
			}
			waiting = e.Op == fsnotify.Chmod || counts != nil && !counts(e.Name)
		}
	}
	passed, release := c.After(Settle)
	defer func() { release() }()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-passed:
			return true
		case <-w.Errors:
		case e, open := <-w.Events:
			if !open {
				return false
			}
			if e.Op == fsnotify.Chmod || counts != nil && !counts(e.Name) {
				continue // another file in the same folder keeps nobody waiting
			}
		}
		release()
		passed, release = c.After(Settle)
	}
}
