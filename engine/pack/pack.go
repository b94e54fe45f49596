// Package pack reads a function package as it lies on disk, or as it is
// embedded, into its parts: the manifest, the module's bytes and the folder of
// assets. It judges the rules of the group package and nothing of the module.
//
// A package is hostile. An archive is read in memory; assets are written into a
// private temporary folder through a root that nothing leaves, and Close
// removes it. How an archive must look is our choice where the ABI page is
// silent: regular files and folders, each path once (also where case does not
// count), below the root, within the size limits.
//
// The package knows nothing of WebAssembly, of runs or of settings.
package pack

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"perch/engine/abi"
	"perch/engine/disk"
	"perch/engine/event"
)

// Form is how a package lies on disk.
type Form string

// The forms.
const (
	Folder   Form = "folder"
	Wasm     Form = "wasm" // a module alone
	Tar      Form = "tar"
	TarGz    Form = "tar.gz"
	Zip      Form = "zip"
	Embedded Form = "embedded" // made by FromFiles
)

// SettingsFile is the name of the settings that lie beside a package.
const SettingsFile = "perch.toml"

// PresetsFile is the name of the saved arguments that lie beside a package.
const PresetsFile = "perch-presets.json"

// MocksFile is the name of the saved mocks that lie beside a package.
const MocksFile = "perch-mocks.toml"

// assetsFolder is the folder of assets in a package.
const assetsFolder = "assets"

// Options of Open.
type Options struct {
	// Assets is a folder to mount in place of the package's own assets; ""
	// leaves the choice to the package.
	Assets string
}

// Package is a package that was opened. It is not changed afterwards; its
// fields may be read by several goroutines until Close.
type Package struct {
	Path string // as it was given
	Form Form
	// Name is argv[0] of the module: the manifest's name, else the file's
	// without its suffix.
	Name     string
	Manifest *Manifest // nil when there is none that can be read
	// ManifestRaw are the bytes of subako-package.json, also of one that cannot
	// be read; nil without one, or of one over the local limit.
	ManifestRaw []byte
	Module      []byte // nil when there is none
	ModuleFile  string // the module's name for people: "greet.wasm", "module.wasm"
	SHA256      string // of the module, hex; "" without one
	// AssetsDir is the folder to mount read-only at /package; "" mounts none.
	AssetsDir string
	// SettingsPath is where perch.toml lies: in a folder package, else beside
	// the file; never out of an archive. "" when there is none.
	SettingsPath string
	// Breaches of the rules package/*.
	Breaches []event.Breach
	// Fault is what made an archive unreadable; nil when it could be read. The
	// breach of package/archive says the same.
	Fault *Error
	// Notes tell what was not taken as it lies there, such as links that lead
	// out of the assets. One short sentence each, safe to show.
	Notes []string

	temp *disk.Temp // private folder, removed by Close; nil: there is none
}

// Error is why a path cannot be opened as a package, or what is wrong with an
// archive.
type Error struct {
	Path    string // as it was given
	Entry   string // of an archive, as it is written there; may hold any byte
	EntryNo int    // from 1; 0: not about one entry
	What    string
	Do      string // may be empty
	Meant   string // the path that was most likely meant, may be empty
	Folder  string // how far the path of something missing leads, may be empty
	Err     error  // the cause, may be nil
}

// Error implements error. The text is safe to show: a name from inside an
// archive is quoted.
func (e *Error) Error() string {
	text := e.Path + ": "
	if e.EntryNo > 0 {
		text += fmt.Sprintf("entry %d, %s, ", e.EntryNo, quoteName(e.Entry))
	}
	text += e.What
	if e.Do != "" {
		text += ". " + e.Do
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Open reads the package at path. It returns an *Error when nothing can be
// judged: the path cannot be read, or what lies there is neither a folder nor
// an archive nor named .wasm. Everything else is a Package, whose Breaches say
// what is wrong. The caller closes it.
func Open(path string, o Options) (*Package, error) {
	if o.Assets != "" {
		if err := isFolder(o.Assets); err != nil {
			return nil, err
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	p := &Package{Path: path, ModuleFile: abi.ModuleFile, Name: baseName(path)}
	if info.IsDir() {
		err = p.openFolder(o)
	} else {
		err = p.openFile(o)
	}
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	if o.Assets != "" {
		p.AssetsDir = o.Assets
	}
	p.finish()
	return p, nil
}

// Close removes what was unpacked. The package's folders must no longer be
// mounted. It may be called twice.
func (p *Package) Close() error {
	if p.temp == nil {
		return nil
	}
	if err := p.temp.Remove(); err != nil {
		return fmt.Errorf("remove unpacked files: %w", err)
	}
	p.temp = nil
	return nil
}

// finish works out what follows from the parts.
func (p *Package) finish() {
	if p.Manifest != nil && p.Manifest.usableName() {
		p.Name = p.Manifest.Name
	}
	if p.Module != nil {
		sum := sha256.Sum256(p.Module)
		p.SHA256 = hex.EncodeToString(sum[:])
	}
}

// openFile reads a module alone or an archive.
func (p *Package) openFile(o Options) error {
	data, err := disk.ReadFile(p.Path, abi.MaxArchiveBytes)
	if err != nil {
		return unreadable(p.Path, err)
	}
	p.SettingsPath = settingsIn(filepath.Dir(p.Path))
	if strings.EqualFold(filepath.Ext(p.Path), ".wasm") {
		return p.bare(data)
	}
	form, err := detect(p.Path, data)
	if err != nil {
		return err
	}
	p.Form = form
	t, f := readArchive(form, data)
	if f != nil {
		p.refuse(f)
		return nil
	}
	return p.openTree(t, o)
}

// bare takes a module alone.
func (p *Package) bare(data []byte) error {
	if len(data) > abi.MaxPackageBytes {
		return &Error{Path: p.Path, What: fmt.Sprintf("has %d bytes; at most %s (local limit)", len(data), disk.Size(abi.MaxPackageBytes))}
	}
	p.Form, p.Module, p.ModuleFile = Wasm, data, filepath.Base(p.Path)
	if p.Module == nil {
		p.Module = []byte{} // an empty file is a module to judge, not a missing one
	}
	p.breach(event.Breach{
		Rule:   abi.PackageManifestMissing,
		Where:  event.Where{Stream: event.File, File: abi.ManifestFile},
		Detail: fmt.Sprintf("%s is a module alone; a package holds %s beside it", quoteName(p.ModuleFile), abi.ManifestFile),
		Fix:    manifestFix(p.Name),
		Cause:  "bare",
	})
	return nil
}

// refuse makes the package one that breaks package/archive and holds nothing.
func (p *Package) refuse(f *fault) {
	if strings.HasPrefix(f.do, doPack) && p.Form != Embedded {
		f.do += ": " + p.packCommand()
	}
	p.Fault = &Error{Path: p.Path, Entry: f.entry, EntryNo: f.no, What: f.what, Do: f.do}
	detail := f.text() + ". Nothing was written"
	switch {
	case f.no == 2:
		detail += "; the entry before it is as it should be"
	case f.no > 2:
		detail += fmt.Sprintf("; the %d entries before it are as they should be", f.no-1)
	}
	p.breach(event.Breach{
		Rule:   abi.PackageArchive,
		Where:  event.Where{Stream: event.File, File: filepath.Base(p.Path)},
		Detail: detail,
		Fix:    f.do,
	})
}

// packCommand is the command that packs the archive anew.
func (p *Package) packCommand() string {
	file, folder := filepath.Base(p.Path), p.Name
	if !plainName(file) || !plainName(folder) {
		file, folder = "NAME."+string(p.Form), "FOLDER"
	}
	switch p.Form {
	case Zip:
		return fmt.Sprintf("cd %s && zip -r ../%s .", folder, file)
	case TarGz:
		return fmt.Sprintf("tar -czf %s -C %s .", file, folder)
	}
	return fmt.Sprintf("tar -cf %s -C %s .", file, folder)
}

// plainName reports whether a name can stand in a command as it is.
func plainName(name string) bool {
	for _, c := range []byte(name) {
		if !isLetter(c) && (c < '0' || c > '9') && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return name != "" && name[0] != '-'
}

func (p *Package) breach(b event.Breach) {
	b.Where.Func = -1
	p.Breaches = append(p.Breaches, b)
}

// unreadable words why a path cannot be read.
func unreadable(path string, err error) error {
	var d *disk.Error
	if errors.As(err, &d) {
		return &Error{Path: path, What: d.What, Do: d.Do, Err: err}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return missing(path, err)
	case errors.Is(err, fs.ErrPermission):
		return &Error{Path: path, What: "may not be read by this user", Err: err}
	}
	what := err.Error()
	var p *fs.PathError // its text names the path again
	if errors.As(err, &p) {
		what = p.Op + ": " + p.Err.Error()
	}
	return &Error{Path: path, What: what, Err: err}
}

func isFolder(path string) error {
	root, err := disk.OpenRoot(path)
	if err != nil {
		return unreadable(path, err)
	}
	return root.Close()
}

// settingsIn is the path of the settings in dir; "" when there are none. A link
// does not count: it could borrow the trust that another file was given.
func settingsIn(dir string) string {
	path := filepath.Join(dir, SettingsFile)
	if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
		return path
	}
	return ""
}

// baseName is the last part of path without a package's suffix.
func baseName(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		path = full
	}
	base := filepath.Base(path)
	lower := strings.ToLower(base)
	for _, suffix := range []string{".tar.gz", ".tgz", ".tar", ".zip", ".wasm"} {
		if strings.HasSuffix(lower, suffix) && len(base) > len(suffix) {
			return base[:len(base)-len(suffix)]
		}
	}
	return base
}
