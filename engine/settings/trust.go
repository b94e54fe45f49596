package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/pelletier/go-toml/v2"

	"perch/engine/abi"
	"perch/engine/disk"
)

// trustFile is the list of trusted settings files in the person's own folder.
const trustFile = "trusted.toml"

// Store remembers which settings files the person said yes to, by path and
// content, in trusted.toml. It reads the list at each question, so that several
// programs may use it; two that write at the same moment may lose one answer,
// which is then asked again.
type Store struct {
	dir string
	mu  sync.Mutex
}

// NewStore keeps its list in dir, which is made when something is remembered.
func NewStore(dir string) *Store { return &Store{dir: dir} }

// UserDir is perch's folder for what a person chose: below XDG_CONFIG_HOME
// where that is set, else where the system keeps such things.
func UserDir() (string, error) {
	base := os.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(base) {
		var err error
		if base, err = os.UserConfigDir(); err != nil {
			return "", fmt.Errorf("find the folder for settings: %w", err)
		}
	}
	return filepath.Join(base, "perch"), nil
}

type trustList struct {
	File []trustEntry `toml:"file"`
}

type trustEntry struct {
	Path   string `toml:"path"`
	SHA256 string `toml:"sha256"`
}

// Trusted implements Trust.
func (s *Store) Trusted(path, sha256 string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list, err := s.read()
	if err != nil {
		return false, err
	}
	for _, e := range list.File {
		if e.Path == path && e.SHA256 == sha256 {
			return true, nil
		}
	}
	return false, nil
}

// Remember trusts the file at path with this content, and no longer with
// another. Both are as Settings.File and Settings.SHA256 give them.
func (s *Store) Remember(path, sha256 string) error {
	return s.change(path, &trustEntry{path, sha256})
}

// Forget trusts the file at path no longer.
func (s *Store) Forget(path string) error { return s.change(path, nil) }

func (s *Store) change(path string, add *trustEntry) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	list, err := s.read()
	if err != nil {
		return err
	}
	var kept []trustEntry
	for _, e := range list.File {
		if e.Path != path {
			kept = append(kept, e)
		}
	}
	if add != nil {
		kept = append(kept, *add)
	}
	if over := len(kept) - abi.MaxTrusted; over > 0 {
		kept = kept[over:]
	}
	data, err := toml.Marshal(trustList{kept})
	if err != nil {
		return fmt.Errorf("write the list of trusted files: %w", err)
	}
	if err := disk.MkdirPrivate(s.dir); err != nil {
		return fmt.Errorf("write the list of trusted files: %w", err)
	}
	if err := disk.WriteFile(filepath.Join(s.dir, trustFile), data); err != nil {
		return fmt.Errorf("write the list of trusted files: %w", err)
	}
	return nil
}

func (s *Store) read() (trustList, error) {
	var list trustList
	path := filepath.Join(s.dir, trustFile)
	data, err := disk.ReadFile(path, abi.MaxTrustStore)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return list, nil
	case err != nil:
		return list, fmt.Errorf("read the list of trusted files: %w", err)
	}
	if err := toml.Unmarshal(data, &list); err != nil {
		place := path
		var d *toml.DecodeError
		if errors.As(err, &d) {
			line, column := d.Position()
			place = fmt.Sprintf("%s:%d:%d", path, line, column)
		}
		return list, &Error{Where: place, What: "the list of trusted files is damaged", Do: "Mend or remove it; perch asks again"}
	}
	return list, nil
}
