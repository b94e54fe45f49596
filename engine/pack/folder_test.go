package pack_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/pack"
)

var parts = map[string]string{abi.ManifestFile: manifest, abi.ModuleFile: module}

func TestFolderPartsThatAreLinks(t *testing.T) {
	for _, name := range []string{abi.ModuleFile, abi.ManifestFile} {
		for kind, target := range map[string]string{"out": "../secret", "in": "inside", "dangling": "nothing", "absolute": "/etc/passwd"} {
			t.Run(name+" "+kind, func(t *testing.T) {
				dir := folder(t, parts)
				put(t, filepath.Join(dir, "..", "secret"), []byte(module))
				put(t, filepath.Join(dir, "inside"), []byte(module))
				if err := os.Remove(filepath.Join(dir, name)); err != nil {
					t.Fatal(err)
				}
				link(t, target, filepath.Join(dir, name))
				p := open(t, dir)
				b := breach(t, p, abi.PackageArchive)
				wants(t, "detail", b.Detail, fmt.Sprintf("%s is a link to %q; a package holds regular files", name, target))
				if len(p.Breaches) != 1 || (name == abi.ModuleFile) != (p.Module == nil) || b.Fix == "" {
					t.Errorf("%+v", p)
				}
			})
		}
	}
}

// TestOurOwnFilesAreNoPart: what perch keeps beside a package is neither taken
// for a part of it nor told as something that lies there.
func TestOurOwnFilesAreNoPart(t *testing.T) {
	dir := folder(t, map[string]string{"sub/" + abi.ManifestFile: manifest, "sub/" + abi.ModuleFile: module,
		pack.SettingsFile: "", pack.PresetsFile: "{}"})
	if p := open(t, dir); p.Module == nil || p.Manifest == nil || len(p.Breaches) > 0 {
		t.Errorf("the package below its one folder was not found: %+v", p.Breaches)
	}
	dir = folder(t, map[string]string{pack.SettingsFile: "", pack.PresetsFile: "{}", "modul.wasm": module})
	for _, b := range open(t, dir).Breaches {
		if text := b.Detail + b.Fix; strings.Contains(text, pack.SettingsFile) || strings.Contains(text, pack.PresetsFile) {
			t.Errorf("our own files are told of: %s", text)
		}
	}
}

func TestFolderPartsThatAreFolders(t *testing.T) {
	dir := folder(t, map[string]string{abi.ManifestFile: manifest, abi.ModuleFile + "/x": ""})
	p := open(t, dir)
	wants(t, "detail", breach(t, p, abi.PackageArchive).Detail, "module.wasm is a folder, not a regular file")
	if len(p.Breaches) != 1 || p.Module != nil {
		t.Errorf("%+v", p.Breaches)
	}
}

func TestLinksInAssets(t *testing.T) {
	dir := folder(t, map[string]string{abi.ManifestFile: manifest, abi.ModuleFile: module, "assets/real": "1", "secret": "s"})
	put(t, filepath.Join(dir, "..", "secret"), []byte("s"))
	in := filepath.Join(dir, "assets")
	link(t, "real", filepath.Join(in, "near"))
	link(t, "../secret", filepath.Join(in, "out"))
	link(t, "/etc", filepath.Join(in, "etc"))
	link(t, "circle", filepath.Join(in, "circle"))
	link(t, "nothing", filepath.Join(in, "dangling"))
	p := open(t, dir)
	notes := strings.Join(p.Notes, "\n")
	wants(t, "notes", notes,
		`"assets/out" is a link to "../secret", which does not end in the assets: it is not followed`,
		`"assets/etc" is a link to "/etc", which does not end in the assets`,
		`"assets/circle" is a link to "circle", which does not end in the assets`,
		`"assets/dangling" is a link to "nothing", which is not there`)
	if strings.Contains(notes, "near") || len(p.Notes) != 4 || p.AssetsDir != in || len(p.Breaches) > 0 {
		t.Errorf("%q, %+v", p.Notes, p)
	}
}

func TestAssetsThatAreALink(t *testing.T) {
	dir := folder(t, parts)
	put(t, filepath.Join(dir, "..", "other", "secret"), []byte("s"))
	link(t, "../other", filepath.Join(dir, "assets"))
	p := open(t, dir)
	wants(t, "notes", strings.Join(p.Notes, "\n"), `"assets" is a link, not a folder: /package is not mounted`)
	if p.AssetsDir != "" {
		t.Errorf("mounts %q", p.AssetsDir)
	}
}

func TestManyLinksMakeFewNotes(t *testing.T) {
	dir := folder(t, map[string]string{abi.ManifestFile: manifest, abi.ModuleFile: module, "assets/real": "1"})
	for i := range 100 {
		link(t, "/etc", filepath.Join(dir, "assets", fmt.Sprint(i)))
	}
	p := open(t, dir)
	if len(p.Notes) != 17 {
		t.Errorf("%d notes", len(p.Notes))
	}
	wants(t, "last note", p.Notes[16], "84 more links or special files")
}

func TestFolderLimits(t *testing.T) {
	big := folder(t, map[string]string{abi.ManifestFile: manifest, abi.ModuleFile: module, "assets/a": ""})
	if err := os.Truncate(filepath.Join(big, "assets", "a"), abi.MaxPackageBytes); err != nil {
		t.Fatal(err)
	}
	wants(t, "detail", breach(t, open(t, big), abi.PackageArchive).Detail, "more than 128 MiB (local limit)")
	huge := folder(t, parts)
	if err := os.Truncate(filepath.Join(huge, abi.ModuleFile), abi.MaxPackageBytes+1); err != nil {
		t.Fatal(err)
	}
	p := open(t, huge)
	wants(t, "detail", breach(t, p, abi.PackageArchive).Detail, "module.wasm is larger than 128 MiB")
	if p.Module != nil || len(p.Breaches) != 1 {
		t.Errorf("%+v", p.Breaches)
	}
}

func TestEmptyFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	p := open(t, dir)
	if got := rules(p); !slices.Equal(got, []abi.RuleID{abi.PackageManifestMissing, abi.PackageModuleMissing}) || p.Name != "new" {
		t.Errorf("%v, %q", got, p.Name)
	}
	wants(t, "detail", p.Breaches[0].Detail, "at the folder's root")
}

func TestFolderByDot(t *testing.T) {
	dir := folder(t, map[string]string{abi.ModuleFile: module})
	t.Chdir(dir)
	p := open(t, ".")
	if p.Name != "ship" || p.Path != "." || p.Module == nil {
		t.Errorf("%+v", p)
	}
}

func TestLoadSkills(t *testing.T) {
	dir := folder(t, map[string]string{"tea/SKILL.md": "t", "a-1/x/y": "1", "README": "", ".git/config": ""})
	link(t, "tea", filepath.Join(dir, "alias"))
	link(t, "/etc/passwd", filepath.Join(dir, "tea", "out"))
	skills, notes, err := pack.LoadSkills(dir)
	want := []pack.Skill{{Name: "a-1", Dir: filepath.Join(dir, "a-1")}, {Name: "tea", Dir: filepath.Join(dir, "tea")}}
	if err != nil || !slices.Equal(skills, want) {
		t.Fatalf("%v, %v", skills, err)
	}
	wants(t, "notes", strings.Join(notes, "\n"), `"alias" is a link and no skill`, `".git" is hidden`, `"tea/out" is a link; a skill holds regular files`)
}

func TestSkillsPastTheirLimits(t *testing.T) {
	name := func(dir string) string { return filepath.Join(t.TempDir(), dir) }
	sized := func(sizes ...int64) string {
		dir := t.TempDir()
		for i, n := range sizes {
			path := put(t, filepath.Join(dir, "tea", fmt.Sprint(i)), nil)
			if err := os.Truncate(path, n); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	many := name("skills")
	for i := range abi.MaxSkillFiles + 1 {
		put(t, filepath.Join(many, "tea", fmt.Sprint(i)), nil)
	}
	for _, c := range []struct{ dir, want string }{
		{folder(t, map[string]string{"Tea/x": ""}), "is no name for a skill: 1 to 32 characters of a-z, 0-9 and -"},
		{folder(t, map[string]string{"tea_1/x": ""}), "is no name for a skill"},
		{folder(t, map[string]string{strings.Repeat("t", 33) + "/x": ""}), "is no name for a skill"},
		{sized(abi.MaxSkillFile + 1), `"tea/0" has 10485761 bytes; a file of a skill has at most 10 MiB`},
		{sized(abi.MaxSkillBytes, 1), "has more than 10 MiB in all"},
		{many, "has more than 1000 files"},
		{name("none"), "there is no such file or folder"},
		{put(t, "file", nil), "is a file, not a folder"},
	} {
		_, _, err := pack.LoadSkills(c.dir)
		if err == nil {
			t.Errorf("no error with %q", c.want)
			continue
		}
		wants(t, "error", err.Error(), c.want, c.dir)
	}
	if skills, _, err := pack.LoadSkills(sized(abi.MaxSkillBytes)); err != nil || len(skills) != 1 {
		t.Errorf("at the limit: %v, %v", skills, err)
	}
}
