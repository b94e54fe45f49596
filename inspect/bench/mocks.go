package bench

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"perch/engine/disk"
	"perch/engine/egress"
	"perch/engine/pack"
)

// maxMocks is how many bytes a mock file beside a package may have.
const maxMocks = 4 << 20

// MockPath is the file of saved mocks: in a package that is a folder, so that it
// can be committed with it, else in dir, by the place of the package. "" is
// nowhere.
func (b *Bench) MockPath(dir string) string {
	if !b.Sample() && b.Package.Form == pack.Folder {
		return filepath.Join(b.Package.Path, pack.MocksFile)
	}
	if dir == "" {
		return ""
	}
	name := b.Name
	if !b.Sample() {
		if abs, err := filepath.Abs(b.Package.Path); err == nil {
			name = abs
		}
	}
	sum := sha256.Sum256([]byte(name))
	return filepath.Join(dir, "mocks-"+hex.EncodeToString(sum[:8])+".toml")
}

// Mocks are the saved mocks of the package. Without a file there are none. They
// are data: none of them answers until somebody puts it into the policy of the
// session.
func (b *Bench) Mocks(dir string) ([]egress.Mock, error) {
	path := b.MockPath(dir)
	text, err := readMocks(path)
	if err != nil {
		return nil, err
	}
	mocks, err := egress.ParseMocks(text, filepath.Base(path))
	if err != nil {
		return nil, fmt.Errorf("read mocks: %w", err)
	}
	return mocks, nil
}

// readMocks reads the file as it is; without one it is empty. A link, which a
// package may hold, leads nowhere.
func readMocks(path string) ([]byte, error) {
	if path == "" {
		return nil, nil
	}
	root, err := disk.OpenRoot(filepath.Dir(path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read mocks: %w", err)
	}
	defer root.Close()
	text, err := disk.ReadIn(root, filepath.Base(path), maxMocks)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read mocks: %w", err)
	}
	return text, nil
}

// SaveMock saves a mock, in place of one for the same method and URL, and
// returns the file it is in. What else stands in the file stays as it is; a
// file that cannot be read is not touched.
func (b *Bench) SaveMock(dir string, m egress.Mock) (path string, err error) {
	return b.changeMocks(dir, "save a mock", func(text []byte, name string) ([]byte, error) { return egress.PutMock(text, name, m) })
}

// RemoveMock takes a saved mock out of its file.
func (b *Bench) RemoveMock(dir string, m egress.Mock) (path string, err error) {
	return b.changeMocks(dir, "remove a mock", func(text []byte, name string) ([]byte, error) {
		return egress.DropMock(text, name, m.Method, m.URL)
	})
}

func (b *Bench) changeMocks(dir, what string, change func(text []byte, name string) ([]byte, error)) (path string, err error) {
	if path = b.MockPath(dir); path == "" {
		return "", fmt.Errorf("%s: there is no folder to keep it in", what)
	}
	text, err := readMocks(path)
	if err != nil {
		return "", err
	}
	if text, err = change(text, filepath.Base(path)); err != nil {
		return "", fmt.Errorf("%s: %w", what, err)
	}
	if filepath.Dir(path) == filepath.Clean(dir) {
		if err := disk.MkdirPrivate(dir); err != nil {
			return "", fmt.Errorf("%s: %w", what, err)
		}
	}
	if err := disk.WriteFile(path, text); err != nil {
		return "", fmt.Errorf("%s: %w", what, err)
	}
	return path, nil
}
