package prefs

import (
	"context"
	"fmt"
	"reflect"

	"perch/engine/clock"
	"perch/ui/watch"
)

// Follow reads the file of a folder now and after each change, and tells what
// differs from the time before. It returns when ctx ends or when there is no
// such folder; the error says why it could not be watched.
func Follow(ctx context.Context, dir string, c clock.Clock, tell func(Prefs, error)) error {
	var last Prefs
	lastErr := ""
	first := true
	err := watch.Folder(ctx, dir, c, func(name string) bool { return name == FileName }, func() {
		now, err := Read(dir)
		text := ""
		if err != nil {
			text = err.Error()
		}
		if !first && text == lastErr && reflect.DeepEqual(now, last) {
			return
		}
		first, last, lastErr = false, now, text
		tell(now, err)
	})
	if err != nil {
		return fmt.Errorf("watch %s: %w. It is read at the next start", Path(dir), err)
	}
	return nil
}
