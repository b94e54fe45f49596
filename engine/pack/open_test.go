package pack_test

import (
	"archive/tar"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/pack"
)

func TestForms(t *testing.T) {
	sum := sha256.Sum256([]byte(module))
	for _, c := range []struct {
		name string
		path string
		form pack.Form
	}{
		{"folder", folder(t, map[string]string{abi.ManifestFile: manifest, abi.ModuleFile: module}), pack.Folder},
		{"tar", put(t, "a.tar", tarOf(t, whole()...)), pack.Tar},
		{"tar.gz", put(t, "a.tar.gz", gz(t, tarOf(t, whole()...))), pack.TarGz},
		{"tgz", put(t, "a.tgz", gz(t, tarOf(t, whole()...))), pack.TarGz},
		{"zip", put(t, "a.zip", zipOf(t, whole()...)), pack.Zip},
		{"a zip called tar", put(t, "a.tar", zipOf(t, whole()...)), pack.Zip},
		{"a gzipped tar called zip", put(t, "a.zip", gz(t, tarOf(t, whole()...))), pack.TarGz},
		{"a tar without a suffix", put(t, "a", tarOf(t, whole()...)), pack.Tar},
		{"below a top folder", put(t, "a.tar", tarOf(t, entry{name: "x/", kind: tar.TypeDir},
			file("x/"+abi.ManifestFile, manifest), file("x/"+abi.ModuleFile, module))), pack.Tar},
		{"from inside the folder", put(t, "a.tar", tarOf(t, entry{name: "./", kind: tar.TypeDir},
			file("./"+abi.ManifestFile, manifest), file("./"+abi.ModuleFile, module))), pack.Tar},
		{"git archive", put(t, "a.tar", tarOf(t, whole(entry{name: "pax_global_header", kind: tar.TypeXGlobalHeader,
			pax: map[string]string{"comment": "0123"}})...)), pack.Tar},
		{"a folder below a folder", folder(t, map[string]string{"x/" + abi.ManifestFile: manifest, "x/" + abi.ModuleFile: module, ".hidden/x": ""}), pack.Folder},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := open(t, c.path)
			if p.Form != c.form || p.Name != "ship" || string(p.Module) != module || p.SHA256 != hex.EncodeToString(sum[:]) {
				t.Errorf("form %s, name %q, module %q, sum %s", p.Form, p.Name, p.Module, p.SHA256)
			}
			if p.Manifest == nil || p.Manifest.ABI != "1" || p.Manifest.Description != "Ships orders." {
				t.Errorf("manifest %+v", p.Manifest)
			}
			if len(p.Breaches) > 0 || p.AssetsDir != "" || p.Fault != nil {
				t.Errorf("breaches %v, assets %q, fault %v", p.Breaches, p.AssetsDir, p.Fault)
			}
		})
	}
}

func TestModuleAlone(t *testing.T) {
	for _, c := range []struct{ file, name, body string }{
		{"greet.wasm", "greet", module},
		{"GREET.WASM", "GREET", module},
		{"empty.wasm", "empty", ""},
		{"text.wasm", "text", "(module)"},
	} {
		t.Run(c.file, func(t *testing.T) {
			p := open(t, put(t, c.file, []byte(c.body)))
			if p.Form != pack.Wasm || p.Name != c.name || p.ModuleFile != c.file || p.Module == nil || string(p.Module) != c.body || p.Manifest != nil {
				t.Errorf("%+v", p)
			}
			b := breach(t, p, abi.PackageManifestMissing)
			if b.Cause != "bare" || len(p.Breaches) != 1 {
				t.Errorf("%+v", p.Breaches)
			}
			wants(t, "fix", b.Fix, abi.ManifestFile, `"abi": 1`, `"name": "`+c.name+`"`)
		})
	}
}

func TestNotAPackage(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name, path string
		want       []string
	}{
		{"missing", filepath.Join(dir, "none.tar"), []string{"none.tar: there is no such file or folder"}},
		{"text", put(t, "notes.txt", []byte("hello")), []string{"neither an archive nor named .wasm", "it is text", "a folder, a .wasm, a .tar, a .tar.gz or a .zip"}},
		{"text called zip", put(t, "a.zip", []byte("hello")), []string{"neither an archive", "it is text"}},
		{"empty archive file", put(t, "a.tar.gz", nil), []string{"it is empty"}},
		{"a module by another name", put(t, "greet.bin", []byte(module)), []string{"name it .wasm"}},
		{"xz", put(t, "a.tar.xz", []byte("\xfd7zXZ\x00abc")), []string{"it is xz data"}},
		{"a gzipped module", put(t, "greet.wasm.gz", gz(t, []byte(module))), []string{"what it holds is no tar archive"}},
		{"binary", put(t, "a", []byte{1, 2, 3, 0}), []string{"its first bytes are not known"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := usage(t, c.path, pack.Options{})
			if e.Path != c.path || e.EntryNo != 0 {
				t.Errorf("%+v", e)
			}
			wants(t, "error", e.Error(), c.want...)
		})
	}
}

func TestAssets(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string // beside manifest and module
		inDir map[string]string // what a folder mounts
		inTar map[string]string // what an archive mounts
	}{
		{"none", nil, nil, nil},
		{"assets alone", map[string]string{"assets/a": "1", "assets/b/c": "2"}, map[string]string{"a": "1", "b/c": "2"}, map[string]string{"a": "1", "b/c": "2"}},
		{"beside others", map[string]string{"assets/a": "1", "main.c": "2", "perch.toml": ""}, map[string]string{"a": "1"}, map[string]string{"a": "1"}},
		{"others alone", map[string]string{"data/a": "1", "b": "2"}, nil, map[string]string{"data/a": "1", "b": "2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := map[string]string{abi.ManifestFile: manifest, abi.ModuleFile: module}
			maps.Copy(all, c.files)
			var entries []entry
			for _, name := range slices.Sorted(maps.Keys(all)) {
				entries = append(entries, file("top/"+name, all[name]))
			}
			for form, p := range map[string]*pack.Package{
				"folder": open(t, folder(t, all)), "tar": open(t, put(t, "a.tar", tarOf(t, entries...))), "zip": open(t, put(t, "a.zip", zipOf(t, entries...))),
			} {
				want := c.inTar
				if form == "folder" {
					want = c.inDir
				}
				if got := assets(t, p); !maps.Equal(got, want) || (p.AssetsDir == "") != (want == nil) {
					t.Errorf("%s mounts %q: %v", form, p.AssetsDir, got)
				}
				if len(p.Breaches) > 0 {
					t.Errorf("%s: %v", form, p.Breaches)
				}
			}
		})
	}
}

func TestEmptyAssetsAreNotMounted(t *testing.T) {
	dir := folder(t, map[string]string{abi.ManifestFile: manifest, abi.ModuleFile: module})
	if err := os.MkdirAll(filepath.Join(dir, "assets", "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	if p := open(t, dir); p.AssetsDir != "" {
		t.Errorf("mounts %q", p.AssetsDir)
	}
	data := tarOf(t, whole(entry{name: "assets/", kind: tar.TypeDir})...)
	if p := open(t, put(t, "a.tar", data)); p.AssetsDir != "" {
		t.Errorf("mounts %q", p.AssetsDir)
	}
}

func TestAssetsOption(t *testing.T) {
	other := t.TempDir()
	for name, path := range map[string]string{
		"folder": folder(t, map[string]string{abi.ManifestFile: manifest, abi.ModuleFile: module, "assets/a": "1"}),
		"tar":    put(t, "a.tar", tarOf(t, whole(file("assets/a", "1"))...)),
		"wasm":   put(t, "a.wasm", []byte(module)),
	} {
		if p := openWith(t, path, pack.Options{Assets: other}); p.AssetsDir != other {
			t.Errorf("%s mounts %q", name, p.AssetsDir)
		}
		e := usage(t, path, pack.Options{Assets: filepath.Join(other, "none")})
		wants(t, "error", e.Error(), "none", "no such file or folder")
		e = usage(t, path, pack.Options{Assets: put(t, "file", nil)})
		wants(t, "error", e.Error(), "is a file, not a folder")
	}
}

func TestCloseRemovesWhatWasUnpacked(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp)
	path := put(t, filepath.Join(t.TempDir(), "a.tar"), tarOf(t, whole(file("assets/a", "1"))...))
	p, err := pack.Open(path, pack.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(p.AssetsDir, temp) {
		t.Fatalf("unpacked at %q", p.AssetsDir)
	}
	for range 2 {
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func TestSettingsPath(t *testing.T) {
	parts := map[string]string{abi.ManifestFile: manifest, abi.ModuleFile: module, "perch.toml": "strict = true"}
	dir := folder(t, parts)
	if p := open(t, dir); p.SettingsPath != filepath.Join(dir, "perch.toml") {
		t.Errorf("folder: %q", p.SettingsPath)
	}
	if p := open(t, filepath.Join(dir, abi.ModuleFile)); p.SettingsPath != filepath.Join(dir, "perch.toml") {
		t.Errorf("beside a module: %q", p.SettingsPath)
	}
	within := put(t, "a.tar", tarOf(t, whole(file("perch.toml", ""))...))
	if p := open(t, within); p.SettingsPath != "" {
		t.Errorf("out of an archive: %q", p.SettingsPath)
	}
	put(t, filepath.Join(filepath.Dir(within), "perch.toml"), nil)
	if p := open(t, within); p.SettingsPath != filepath.Join(filepath.Dir(within), "perch.toml") {
		t.Errorf("beside an archive: %q", p.SettingsPath)
	}
	delete(parts, "perch.toml")
	borrower := folder(t, parts)
	link(t, filepath.Join(dir, "perch.toml"), filepath.Join(borrower, "perch.toml"))
	p := open(t, borrower)
	if p.SettingsPath != "" {
		t.Errorf("through a link: %q", p.SettingsPath)
	}
	wants(t, "notes", strings.Join(p.Notes, "\n"), "perch.toml is a link and is not read")
}

func TestPartsThatAreMissing(t *testing.T) {
	for _, c := range []struct {
		name  string
		files []entry
		rule  abi.RuleID
		want  []string
	}{
		{"manifest", []entry{file(abi.ModuleFile, module)}, abi.PackageManifestMissing, []string{"no subako-package.json at the archive's root"}},
		{"manifest by another name", []entry{file(abi.ModuleFile, module), file("package.json", manifest)}, abi.PackageManifestMissing, []string{`"package.json" lies there`}},
		{"manifest in another case", []entry{file(abi.ModuleFile, module), file("Subako-Package.json", manifest)}, abi.PackageManifestMissing, []string{`"Subako-Package.json" lies there`}},
		{"module", []entry{file(abi.ManifestFile, manifest)}, abi.PackageModuleMissing, []string{"no module.wasm at the archive's root"}},
		{"module by another name", []entry{file(abi.ManifestFile, manifest), file("ship.wasm", module)}, abi.PackageModuleMissing, []string{`"ship.wasm" lies there`}},
		{"module too deep", []entry{file(abi.ManifestFile, manifest), file("build/module.wasm", module)}, abi.PackageModuleMissing, []string{`"build/module.wasm" lies there`}},
		{"module below the top", []entry{file("x/"+abi.ManifestFile, manifest), file("x/readme", "")}, abi.PackageModuleMissing, []string{`one top folder, "x"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := open(t, put(t, "a.zip", zipOf(t, c.files...)))
			b := breach(t, p, c.rule)
			wants(t, "detail", b.Detail, c.want...)
			if len(p.Breaches) != 1 || b.Fix == "" || (p.Module == nil) != (c.rule == abi.PackageModuleMissing) {
				t.Errorf("%+v", p.Breaches)
			}
		})
	}
	t.Run("both", func(t *testing.T) {
		p := open(t, put(t, "empty.tar", tarOf(t)))
		if got := rules(p); !slices.Equal(got, []abi.RuleID{abi.PackageManifestMissing, abi.PackageModuleMissing}) || p.Name != "empty" {
			t.Errorf("%v, name %q", got, p.Name)
		}
	})
}

func TestFromFiles(t *testing.T) {
	files := map[string][]byte{abi.ManifestFile: []byte(`{"abi":1,"name":"","description":"d"}`), abi.ModuleFile: []byte(module),
		"assets/a": []byte("1"), "mocks.toml": []byte("m"), "perch.toml": []byte("strict = true")}
	p, err := pack.FromFiles("sample:greeter", files)
	if err != nil {
		t.Fatal(err)
	}
	if p.Form != pack.Embedded || p.Name != "greeter" || p.Path != "sample:greeter" || string(p.Module) != module {
		t.Errorf("%+v", p)
	}
	if got := assets(t, p); !maps.Equal(got, map[string]string{"a": "1"}) {
		t.Errorf("assets %v", got)
	}
	if b, err := os.ReadFile(filepath.Join(filepath.Dir(p.SettingsPath), "mocks.toml")); err != nil || string(b) != "m" {
		t.Errorf("beside the settings: %q, %v", b, err)
	}
	temp := filepath.Dir(p.SettingsPath)
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(temp); err == nil {
		t.Error("not removed")
	}
	p, err = pack.FromFiles("x", map[string][]byte{"../x": nil})
	if err != nil {
		t.Fatal(err)
	}
	wants(t, "fault", breach(t, p, abi.PackageArchive).Detail, `"../x"`, "points outside the package")
}
