package disk

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Temp is a private temporary folder. It is locked as long as its owner lives,
// so that what a killed perch left behind can be told from it.
type Temp struct {
	Dir  string
	lock *os.File // nil where folders cannot be locked
}

const tempPrefix = "perch-"

// abandonedAge is how old a folder without a lock is before it is removed: one
// that is being made has none yet.
const abandonedAge = time.Hour

// TempDir makes a new private folder (0700) whose name holds what, and removes
// those with such a name that killed processes left. The caller removes it.
func TempDir(what string) (*Temp, error) {
	sweep(os.TempDir(), tempPrefix+what+"-")
	dir, err := os.MkdirTemp("", tempPrefix+what+"-*")
	if err != nil {
		return nil, fmt.Errorf("make a private temporary folder: %w", err)
	}
	return &Temp{Dir: dir, lock: lockDir(dir)}, nil
}

// Remove removes the folder and all in it.
func (t *Temp) Remove() error {
	err := os.RemoveAll(t.Dir)
	if t.lock != nil {
		err = errors.Join(err, t.lock.Close())
		t.lock = nil
	}
	return err
}

// sweep removes abandoned folders. What cannot be removed stays: it may be
// another user's.
func sweep(parent, prefix string) {
	f, err := os.Open(parent)
	if err != nil {
		return
	}
	names, _ := f.Readdirnames(-1) // as far as it can be read
	_ = f.Close()
	for _, name := range names {
		if !strings.HasPrefix(name, prefix) {
			continue
		}
		dir := filepath.Join(parent, name)
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || time.Since(info.ModTime()) < abandonedAge {
			continue
		}
		if lock := lockDir(dir); lock != nil { // nobody else holds it
			_ = os.RemoveAll(dir)
			_ = lock.Close()
		}
	}
}
