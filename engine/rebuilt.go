package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Continue lets the engine number its runs on from those of another one, so that
// one record can hold the runs of both. Neither may begin a run meanwhile.
func (e *Engine) Continue(before *Engine) {
	before.mu.Lock()
	runs := before.runs
	before.mu.Unlock()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.runs = max(e.runs, runs)
}

// TakeVolume hands the volume of another session over to this one, with what
// lies in it: a package that was built again goes on with the files that it had.
// Nothing is handed over where either has its volume in a folder that the person
// gave. It waits for the run that goes on in the other session, which must not
// begin another one afterwards and is still to be closed.
func (s *Session) TakeVolume(before *Session) error {
	if !s.OwnVolume() || !before.OwnVolume() {
		return nil
	}
	before.turn.Lock()
	defer before.turn.Unlock()
	s.turn.Lock()
	defer s.turn.Unlock()
	err := errors.Join(before.closeMounts(), s.closeMounts())
	s.private, before.private = before.private, s.private // each removes what it holds at the end
	s.volume, s.empty = before.volume, before.empty
	if s.config.Data {
		if made := os.MkdirAll(filepath.Join(s.volume, "data"), 0o700); made != nil {
			err = errors.Join(err, fmt.Errorf("make the volume: %w", made))
		}
	}
	return err
}
