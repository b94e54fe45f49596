package bench

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"perch/engine/disk"
	"perch/engine/pack"
	"perch/inspect/preset"
)

// PresetPath is the file of saved arguments: in a package that is a folder, so
// that it can be committed with it, else in dir, by the place of the package.
// "" is nowhere.
func (b *Bench) PresetPath(dir string) string {
	if !b.Sample() && b.Package.Form == pack.Folder {
		return filepath.Join(b.Package.Path, pack.PresetsFile)
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
	return filepath.Join(dir, "presets-"+hex.EncodeToString(sum[:8])+".json")
}

// Presets are the saved arguments of the package. Without a file there are
// none. They are data and grant nothing.
func (b *Bench) Presets(dir string) (*preset.File, error) {
	path := b.PresetPath(dir)
	if path == "" {
		return preset.New(), nil
	}
	root, err := disk.OpenRoot(filepath.Dir(path))
	if errors.Is(err, fs.ErrNotExist) {
		return preset.New(), nil
	}
	if err != nil {
		return nil, fmt.Errorf("read presets: %w", err)
	}
	defer root.Close()
	text, err := disk.ReadIn(root, filepath.Base(path), preset.MaxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return preset.New(), nil
	}
	if err != nil {
		return nil, fmt.Errorf("read presets: %w", err)
	}
	f, err := preset.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("read presets in %s: %w", path, err)
	}
	return f, nil
}

// SavePreset saves arguments of a tool under a name, in place of those that
// have the name, and returns the file they are in. A file that cannot be read
// is left as it is: a link, which a package may hold, leads nowhere.
func (b *Bench) SavePreset(dir, tool, name string, args []byte) (path string, err error) {
	return b.changePresets(dir, "save a preset", func(f *preset.File) error { return f.Put(tool, name, args) })
}

// RenamePreset gives saved arguments another name.
func (b *Bench) RenamePreset(dir, tool, name, to string) (path string, err error) {
	return b.changePresets(dir, "rename a preset", func(f *preset.File) error { return f.Rename(tool, name, to) })
}

// RemovePreset takes saved arguments out of their file.
func (b *Bench) RemovePreset(dir, tool, name string) (path string, err error) {
	return b.changePresets(dir, "remove a preset", func(f *preset.File) error { return f.Remove(tool, name) })
}

// changePresets reads the file, changes it and writes it as a whole.
func (b *Bench) changePresets(dir, what string, change func(*preset.File) error) (path string, err error) {
	if path = b.PresetPath(dir); path == "" {
		return "", fmt.Errorf("%s: there is no folder to keep it in", what)
	}
	f, err := b.Presets(dir)
	if err != nil {
		return "", err
	}
	if err := change(f); err != nil {
		return "", fmt.Errorf("%s: %w", what, err)
	}
	if filepath.Dir(path) == filepath.Clean(dir) {
		if err := disk.MkdirPrivate(dir); err != nil {
			return "", fmt.Errorf("%s: %w", what, err)
		}
	}
	if err := disk.WriteFile(path, f.Bytes()); err != nil {
		return "", fmt.Errorf("%s: %w", what, err)
	}
	return path, nil
}
