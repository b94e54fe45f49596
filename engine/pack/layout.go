package pack

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"perch/engine/abi"
	"perch/engine/disk"
	"perch/engine/event"
)

// openTree takes the parts out of an archive's files: those at the root, or
// below one single top folder.
func (p *Package) openTree(t *tree, o Options) error {
	files, top := t.packageFiles()
	p.takeParts(files, top)
	assets := archiveAssets(files)
	if o.Assets != "" || len(assets) == 0 {
		return nil
	}
	return p.unpack(assets, "")
}

// unpack writes files into the private folder and mounts its folder sub.
func (p *Package) unpack(files map[string][]byte, sub string) error {
	temp, err := disk.TempDir("package")
	if err != nil {
		return &Error{Path: p.Path, What: "its assets cannot be unpacked: " + err.Error(), Err: err}
	}
	p.temp = temp
	if err := disk.WriteTree(temp.Dir, files); err != nil {
		return &Error{Path: p.Path, What: "its assets cannot be unpacked: " + err.Error(), Err: err}
	}
	p.AssetsDir = filepath.Join(temp.Dir, sub)
	return nil
}

// takeParts takes manifest and module and judges that they are there.
func (p *Package) takeParts(files map[string][]byte, top string) {
	if raw, ok := files[abi.ManifestFile]; ok {
		p.judgeManifest(raw)
	} else {
		p.manifestMissing(names(files), top)
	}
	if module, ok := files[abi.ModuleFile]; ok {
		p.Module = nonNil(module)
	} else {
		p.moduleMissing(names(files), top)
	}
}

// packageFiles are the files below the package's root, which is the archive's,
// or its one top folder, whose name is returned too.
func (t *tree) packageFiles() (map[string][]byte, string) {
	top := ""
	for key := range t.seen {
		name := t.seen[key].path
		first, _, below := strings.Cut(name, "/")
		if !below && !t.seen[key].dir {
			return t.files, "" // a file at the root
		}
		if top != "" && top != first {
			return t.files, ""
		}
		top = first
	}
	if top == "" {
		return t.files, ""
	}
	files := make(map[string][]byte, len(t.files))
	for name, data := range t.files {
		files[strings.TrimPrefix(name, top+"/")] = data
	}
	return files, top
}

// archiveAssets are the assets of an archive: its assets folder if there is
// one, else every other file (our choice; the ABI page is silent).
func archiveAssets(files map[string][]byte) map[string][]byte {
	own, other := map[string][]byte{}, map[string][]byte{}
	for name, data := range files {
		if below, ok := strings.CutPrefix(name, assetsFolder+"/"); ok {
			own[below] = data
		} else if name != abi.ModuleFile && name != abi.ManifestFile {
			other[name] = data
		}
	}
	if len(own) > 0 {
		return own
	}
	return other
}

func (p *Package) manifestMissing(have []string, top string) {
	detail := fmt.Sprintf("there is no %s %s", abi.ManifestFile, p.where(top))
	fix := manifestFix(p.Name)
	if near := nearFile(have, abi.ManifestFile, ".json"); near != "" {
		detail += "; " + quoteName(near) + " lies there"
		fix = "Name the manifest " + abi.ManifestFile + ": " + manifestExample(p.Name)
	}
	p.breach(event.Breach{
		Rule:   abi.PackageManifestMissing,
		Where:  event.Where{Stream: event.File, File: abi.ManifestFile},
		Detail: detail, Fix: fix,
	})
}

func (p *Package) moduleMissing(have []string, top string) {
	detail := fmt.Sprintf("there is no %s %s", abi.ModuleFile, p.where(top))
	fix := "Build the module and put it there as " + abi.ModuleFile
	if near := nearFile(have, abi.ModuleFile, ".wasm"); near != "" {
		detail += "; " + quoteName(near) + " lies there"
		fix = "Name it " + abi.ModuleFile
		if strings.Contains(near, "/") {
			fix = "Put it at the root, or below one single top folder, as " + abi.ModuleFile
		}
	}
	p.breach(event.Breach{
		Rule:   abi.PackageModuleMissing,
		Where:  event.Where{Stream: event.File, File: abi.ModuleFile},
		Detail: detail, Fix: fix,
	})
}

// where names the place that was looked at.
func (p *Package) where(top string) string {
	form := "archive"
	if p.Form == Folder {
		form = "folder"
	}
	if top != "" {
		return fmt.Sprintf("in the %s's one top folder, %s", form, quoteName(top))
	}
	return "at the " + form + "'s root"
}

// nearFile finds the file that was most likely meant: the same name in another
// case or another folder, else one with the suffix at the root.
func nearFile(have []string, want, suffix string) string {
	slices.Sort(have)
	for _, name := range have {
		if strings.EqualFold(path.Base(name), want) {
			return name
		}
	}
	for _, name := range have {
		if !strings.Contains(name, "/") && strings.EqualFold(path.Ext(name), suffix) {
			return name
		}
	}
	return ""
}

func names(files map[string][]byte) []string { return slices.Collect(maps.Keys(files)) }

func nonNil(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// FromFiles makes a package of files that are held in memory, named by
// slash-joined paths below the package's root. Files other than manifest and
// module are written to a private temporary folder, so that settings and the
// files that they name can be opened as those of a folder package; assets/ is
// mounted. Name stands for the package's path; its part behind the last colon
// is the package's name where the manifest gives none. The caller closes it.
func FromFiles(name string, files map[string][]byte) (*Package, error) {
	p := &Package{Path: name, Form: Embedded, ModuleFile: abi.ModuleFile, Name: name[strings.LastIndexByte(name, ':')+1:]}
	t := newTree()
	for _, path := range slices.Sorted(maps.Keys(files)) {
		clean, f := t.next(path, false)
		if f == nil && int64(len(files[path])) > t.room() {
			f = &fault{entry: path, no: t.count, what: tooLarge()}
		}
		if f != nil {
			p.refuse(f)
			return p, nil
		}
		t.bytes += int64(len(files[path]))
		t.files[clean] = files[path]
	}
	p.takeParts(t.files, "")
	if err := p.unpackEmbedded(t.files); err != nil {
		return nil, fmt.Errorf("open %s: %w", name, errors.Join(err, p.Close()))
	}
	p.finish()
	return p, nil
}

func (p *Package) unpackEmbedded(files map[string][]byte) error {
	rest, assets := map[string][]byte{}, false
	for name, data := range files {
		if name == abi.ModuleFile || name == abi.ManifestFile {
			continue
		}
		rest[name] = data
		assets = assets || strings.HasPrefix(name, assetsFolder+"/")
	}
	if len(rest) == 0 {
		return nil
	}
	if err := p.unpack(rest, assetsFolder); err != nil {
		return err
	}
	if !assets {
		p.AssetsDir = ""
	}
	p.SettingsPath = settingsIn(p.temp.Dir)
	return nil
}
