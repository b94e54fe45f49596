// Package watch follows a folder while its files change. It knows nothing of
// what is in them.
package watch

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"

	"perch/engine/clock"
)

// Settle is how long a folder must be still before it is read again: a program
// that saves a file touches it more than once.
const Settle = 100 * time.Millisecond

// patience is how long a folder that is never still is waited for.
const patience = 2 * time.Second

// Folder calls read now and after each change of a file whose name counts, or
// of one that went. It returns when ctx ends, when there is no such folder, or
// when the folder goes; the error says why it could not be watched. Between
// changes it waits in the kernel.
func Folder(ctx context.Context, dir string, c clock.Clock, counts func(name string) bool, read func()) error {
	w, err := open(dir)
	if err != nil || w == nil {
		read()
		return err
	}
	defer w.Close()
	read() // what changed before it was watched
	for {
		event, ok := next(ctx, w, counts)
		if !ok {
			return nil
		}
		gone := event
		for still := c.Mono() + patience; ; {
			more, changed, ok := quiet(ctx, w, c, counts)
			if !ok {
				return nil
			}
			gone = gone || more
			if !changed || c.Mono() >= still {
				break
			}
		}
		read()
		if gone && !isDir(dir) {
			return nil
		}
		if gone { // another folder has its name by now
			if err := w.Add(dir); err != nil {
				return err
			}
			read()
		}
	}
}

// open watches a folder; nil when there is none.
func open(dir string) (*fsnotify.Watcher, error) {
	if dir == "" || !isDir(dir) {
		return nil, nil
	}
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	if err = w.Add(dir); err == nil {
		return w, nil
	}
	err = errors.Join(err, w.Close())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return nil, err
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// next waits for a change of the folder, and reports whether it was the folder
// itself that went.
func next(ctx context.Context, w *fsnotify.Watcher, counts func(string) bool) (gone, ok bool) {
	for {
		select {
		case <-ctx.Done():
			return false, false
		case <-w.Errors: // events were lost: there are changes
			return false, true
		case e, open := <-w.Events:
			if !open {
				return false, false
			}
			if gone, does := weigh(w, e, counts); does {
				return gone, true
			}
		}
	}
}

// weigh reports whether an event counts, and whether it is the folder itself
// that went.
func weigh(w *fsnotify.Watcher, e fsnotify.Event, counts func(string) bool) (gone, does bool) {
	if e.Op == fsnotify.Chmod {
		return false, false
	}
	if len(w.WatchList()) == 0 {
		return true, true
	}
	return false, counts(filepath.Base(e.Name)) || e.Op.Has(fsnotify.Remove) || e.Op.Has(fsnotify.Rename)
}

// quiet waits until nothing has come for Settle, or for the next event.
func quiet(ctx context.Context, w *fsnotify.Watcher, c clock.Clock, counts func(string) bool) (gone, changed, ok bool) {
	passed, release := c.After(Settle)
	defer release()
	select {
	case <-ctx.Done():
		return false, false, false
	case <-passed:
		return false, false, true
	case <-w.Errors:
		return false, true, true
	case e, open := <-w.Events:
		gone, _ := weigh(w, e, counts)
		return gone, true, open
	}
}
