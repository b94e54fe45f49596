package engine

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"perch/engine/abi"
	"perch/engine/wasi"
)

// What a person does to the volume between runs. It counts in no write budget:
// that is the module's.

// OwnVolume reports whether the volume is a private folder of the session, and
// no folder that the person gave.
func (s *Session) OwnVolume() bool { return s.config.Volume == "" }

// VolumeFile is the name of a guest's file below the volume's host folder;
// false when it lies in no writable mount of this session. The ABI page knows
// two: /volume/tmp, and /volume/data where the session has it.
func (s *Session) VolumeFile(guest string) (name string, ok bool) {
	guest = path.Clean(guest)
	mounts := []string{abi.VolumeTmp}
	if s.config.Data {
		mounts = append(mounts, abi.VolumeData)
	}
	for _, m := range mounts {
		if strings.HasPrefix(guest, m+"/") && !strings.ContainsRune(guest, 0) {
			return filepath.FromSlash(strings.TrimPrefix(guest, abi.VolumeRoot+"/")), true
		}
	}
	return "", false
}

// PutFile copies a file of the host into the volume, and makes the folders that
// it lies in. A file that is there is only replaced when that was said: the
// error is then fs.ErrExist. It waits for the run that is going on. Links that
// a module left lead nowhere out of the volume.
func (s *Session) PutFile(guest, from string, replace bool) (size int64, err error) {
	name, ok := s.VolumeFile(guest)
	if !ok {
		return 0, fmt.Errorf("%s lies in no volume of this session", guest)
	}
	src, err := os.Open(from)
	if err != nil {
		return 0, err
	}
	defer src.Close()
	if info, err := src.Stat(); err != nil || !info.Mode().IsRegular() {
		return 0, errors.Join(err, fmt.Errorf("%s is no file", from))
	}
	s.turn.Lock()
	defer s.turn.Unlock()
	root, err := os.OpenRoot(s.volume)
	if err != nil {
		return 0, fmt.Errorf("open the volume: %w", err)
	}
	defer root.Close()
	if err := root.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return 0, fmt.Errorf("make the folder of %s: %w", guest, err)
	}
	switch info, err := root.Lstat(name); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return 0, err
	case !info.Mode().IsRegular():
		return 0, fmt.Errorf("%s is there and is no file", guest)
	case !replace:
		return 0, fmt.Errorf("%s: %w", guest, fs.ErrExist)
	}
	if size, err = fill(root, name, src); err != nil {
		return 0, fmt.Errorf("write %s: %w", guest, err)
	}
	return size, nil
}

// fill writes a file beside the place it goes to, so that what is there stays
// when the disk is full.
func fill(root *os.Root, name string, src io.Reader) (size int64, err error) {
	part := name + ".perch-part"
	dst, err := root.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return 0, err
	}
	size, err = io.Copy(dst, src)
	if e := dst.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = root.Rename(part, name)
	}
	if err != nil {
		_ = root.Remove(part)
	}
	return size, err
}

// ResetVolume removes all that is in the volume: the mounts are then as empty
// as in a new session. It waits for the run that is going on. It does so with a
// folder that the person gave as well: whoever calls has asked.
func (s *Session) ResetVolume() error {
	s.turn.Lock()
	defer s.turn.Unlock()
	mounts := []string{"tmp"}
	if s.config.Data {
		mounts = append(mounts, "data")
	}
	for _, m := range mounts {
		if err := wasi.EmptyDir(filepath.Join(s.volume, m)); err != nil {
			return fmt.Errorf("empty the volume: %w", err)
		}
	}
	return nil
}
