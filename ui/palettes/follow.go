package palettes

import (
	"context"
	"fmt"
	"path/filepath"

	"perch/engine/clock"
	"perch/ui/watch"
)

// Follow reads the folder of a set now and after each change, and tells each
// set that differs from the one before. It returns when ctx ends, when there is
// no such folder, or when the folder goes; the error says why it could not be
// watched. Between changes it waits in the kernel.
func Follow(ctx context.Context, before Set, c clock.Clock, tell func(Set)) error {
	now := before
	err := watch.Folder(ctx, now.dir, c, func(name string) bool { return filepath.Ext(name) == suffix }, func() {
		if s := Read(now.dir, now); !s.Same(now) {
			now = s
			tell(s)
		}
	})
	if err != nil {
		return fmt.Errorf("watch the themes in %s: %w. They are read again when the list of themes is opened", now.dir, err)
	}
	return nil
}
