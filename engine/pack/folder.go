package pack

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"perch/engine/abi"
	"perch/engine/disk"
	"perch/engine/event"
)

// openFolder reads a folder: manifest and module at its root, or below its one
// subfolder when there is nothing else; assets are what lies in assets/.
func (p *Package) openFolder(o Options) error {
	p.Form = Folder
	p.SettingsPath = settingsIn(p.Path)
	p.noteSettingsLink()
	root, err := disk.OpenRoot(p.Path)
	if err != nil {
		return unreadable(p.Path, err)
	}
	defer root.Close()
	have, err := entriesOf(root, ".")
	if err != nil {
		return unreadable(p.Path, err)
	}
	top := ""
	if sub := onlyFolder(have); sub != "" {
		if have, err = entriesOf(root, sub); err != nil {
			return unreadable(filepath.Join(p.Path, sub), err)
		}
		top = sub
		if p.SettingsPath == "" {
			p.SettingsPath = settingsIn(filepath.Join(p.Path, sub))
		}
	}
	return p.takeFolder(root, top, have, o)
}

// takeFolder takes the parts out of the folder top below root.
func (p *Package) takeFolder(root *os.Root, top string, have []fs.DirEntry, o Options) error {
	parts := map[string][]byte{}
	var barred []string // there, but no regular file: said once, not also missing
	for _, name := range []string{abi.ManifestFile, abi.ModuleFile} {
		data, err := disk.ReadIn(root, path.Join(top, name), abi.MaxPackageBytes)
		switch {
		case err == nil:
			parts[name] = data
		case errors.Is(err, fs.ErrNotExist):
		case errors.Is(err, disk.ErrNotRegular), errors.Is(err, disk.ErrTooLarge):
			barred = append(barred, name)
			p.barred(root, top, name, err)
		default:
			return unreadable(filepath.Join(p.Path, top, name), err)
		}
	}
	p.judgeFolderParts(parts, barred, fileNames(have), top)
	if o.Assets != "" {
		return nil
	}
	return p.folderAssets(root, top, int64(len(parts[abi.ModuleFile])))
}

func (p *Package) judgeFolderParts(parts map[string][]byte, barred, have []string, top string) {
	if raw, ok := parts[abi.ManifestFile]; ok {
		p.judgeManifest(raw)
	} else if !slices.Contains(barred, abi.ManifestFile) {
		p.manifestMissing(have, top)
	}
	if module, ok := parts[abi.ModuleFile]; ok {
		p.Module = nonNil(module)
	} else if !slices.Contains(barred, abi.ModuleFile) {
		p.moduleMissing(have, top)
	}
}

// barred is the breach of a part that lies there and is not taken.
func (p *Package) barred(root *os.Root, top, name string, err error) {
	detail, fix := name+" is larger than a package may be (local limit)", ""
	var d *disk.Error
	if errors.As(err, &d) {
		detail = name + " " + d.What
	}
	if target, err := root.Readlink(path.Join(top, name)); err == nil {
		detail = fmt.Sprintf("%s is a link to %s; a package holds regular files", name, quoteName(target))
		fix = "Copy the file there in place of the link"
	}
	p.breach(event.Breach{
		Rule:   abi.PackageArchive,
		Where:  event.Where{Stream: event.File, File: name},
		Detail: detail, Fix: fix,
	})
}

// folderAssets mounts assets/ when a regular file lies in it. What the module
// will not be able to open there is noted: links that lead out, and special
// files.
func (p *Package) folderAssets(root *os.Root, top string, used int64) error {
	name := path.Join(top, assetsFolder)
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return unreadable(filepath.Join(p.Path, name), err)
	case !info.IsDir():
		p.note("%s is %s, not a folder: /package is not mounted", quoteName(name), disk.Kind(info.Mode()))
		return nil
	}
	assets, err := root.OpenRoot(name)
	if err != nil {
		return unreadable(filepath.Join(p.Path, name), err)
	}
	defer assets.Close()
	w := &assetWalk{p: p, root: assets, bytes: used}
	if err := fs.WalkDir(assets.FS(), ".", w.visit); err != nil {
		return unreadable(filepath.Join(p.Path, name), err)
	}
	if w.over != "" {
		p.breach(event.Breach{
			Rule:   abi.PackageArchive,
			Where:  event.Where{Stream: event.File, File: name},
			Detail: w.over,
			Fix:    "Keep what the module does not read out of " + assetsFolder + "/",
		})
	}
	if w.links > maxNotes {
		p.note("%d more links or special files in %s are not followed", w.links-maxNotes, quoteName(name))
	}
	if w.files > 0 {
		p.AssetsDir = filepath.Join(p.Path, filepath.FromSlash(name))
	}
	return nil
}

// maxNotes is how many things of one kind are named one by one.
const maxNotes = 16

// assetWalk looks at each file of a folder's assets, without following links.
type assetWalk struct {
	p     *Package
	root  *os.Root
	seen  int // entries
	files int // regular files, and links to some
	bytes int64
	links int // not followed
	over  string
}

func (w *assetWalk) visit(name string, d fs.DirEntry, err error) error {
	if err != nil {
		return err
	}
	if w.seen++; w.seen > abi.MaxPackageFiles {
		w.over = fmt.Sprintf("there are more than the %d files and folders that a package may have (local limit)", abi.MaxPackageFiles)
		return fs.SkipAll
	}
	switch {
	case d.IsDir():
		return nil
	case d.Type().IsRegular():
		info, err := d.Info()
		if err != nil {
			return err
		}
		w.files++
		if w.bytes += info.Size(); w.bytes > abi.MaxPackageBytes && w.over == "" {
			w.over = "the package has more than " + disk.Size(abi.MaxPackageBytes) + " (local limit)"
		}
	case d.Type()&fs.ModeSymlink != 0:
		w.link(name)
	default:
		w.skip("%s is %s: it is not opened", quoteName(path.Join(assetsFolder, name)), disk.Kind(d.Type()))
	}
	return nil
}

// link notes a link that the module cannot follow: the mount ends at its root.
func (w *assetWalk) link(name string) {
	info, err := w.root.Stat(name) // follows, and stays below the root
	if err == nil && (info.Mode().IsRegular() || info.IsDir()) {
		w.files++
		return
	}
	target, _ := w.root.Readlink(name)
	what := "does not end in the assets" // it leads out, or in a circle
	switch {
	case err == nil:
		what = "is " + disk.Kind(info.Mode())
	case errors.Is(err, fs.ErrNotExist):
		what = "is not there"
	}
	w.skip("%s is a link to %s, which %s: it is not followed", quoteName(path.Join(assetsFolder, name)), quoteName(target), what)
}

func (w *assetWalk) skip(format string, args ...any) {
	if w.links++; w.links <= maxNotes {
		w.p.note(format, args...)
	}
}

func (p *Package) note(format string, args ...any) {
	p.Notes = append(p.Notes, fmt.Sprintf(format, args...))
}

func (p *Package) noteSettingsLink() {
	info, err := os.Lstat(filepath.Join(p.Path, SettingsFile))
	if err == nil && !info.Mode().IsRegular() {
		p.note("%s is %s and is not read", SettingsFile, disk.Kind(info.Mode()))
	}
}

func entriesOf(root *os.Root, name string) ([]fs.DirEntry, error) {
	return fs.ReadDir(root.FS(), name)
}

// ours reports whether a file beside a package is one that perch reads or
// writes there itself: it is no part of the package.
func ours(name string) bool {
	return name == SettingsFile || name == PresetsFile || name == MocksFile
}

// onlyFolder is the one folder in a folder that holds nothing else, hidden
// entries and our own files aside; else "".
func onlyFolder(have []fs.DirEntry) string {
	only := ""
	for _, e := range have {
		switch {
		case strings.HasPrefix(e.Name(), "."), ours(e.Name()):
		case only != "" || !e.IsDir():
			return ""
		default:
			only = e.Name()
		}
	}
	return only
}

func fileNames(have []fs.DirEntry) []string {
	var names []string
	for _, e := range have {
		if !e.IsDir() && !ours(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names
}
