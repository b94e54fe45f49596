package pack

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"perch/engine/abi"
	"perch/engine/disk"
)

// Skill is a folder to mount at /skills/<name>.
type Skill struct {
	Name string
	Dir  string // host folder
}

// LoadSkills lists the skills in dir: each subfolder is one, by its name, in
// the order of their names. Subfolders whose names begin with a dot and links
// are left out, which the notes say. A name that Subako does not take, and a
// skill past the limits that are published for skills (10 MiB a file, 10 MiB in
// all, 1,000 files), are an *Error.
func LoadSkills(dir string) (skills []Skill, notes []string, err error) {
	root, err := disk.OpenRoot(dir)
	if err != nil {
		return nil, nil, unreadable(dir, err)
	}
	defer root.Close()
	have, err := entriesOf(root, ".") // sorted by name
	if err != nil {
		return nil, nil, unreadable(dir, err)
	}
	for _, e := range have {
		name, full := e.Name(), filepath.Join(dir, e.Name())
		switch {
		case e.Type()&fs.ModeSymlink != 0:
			notes = append(notes, quoteName(name)+" is a link and no skill: links are not followed")
			continue
		case !e.IsDir():
			continue
		case strings.HasPrefix(name, "."):
			notes = append(notes, quoteName(name)+" is hidden and no skill")
			continue
		case !skillName(name):
			return nil, nil, &Error{Path: full, What: fmt.Sprintf("is no name for a skill: 1 to %d characters of a-z, 0-9 and -", abi.MaxSkillName), Do: "Rename the folder"}
		}
		more, err := checkSkill(root, name, full)
		if err != nil {
			return nil, nil, err
		}
		notes = append(notes, more...)
		skills = append(skills, Skill{Name: name, Dir: full})
	}
	return skills, notes, nil
}

func skillName(name string) bool {
	return len(name) >= 1 && len(name) <= abi.MaxSkillName && strings.Trim(name, abi.SkillNameAlphabet) == ""
}

// checkSkill counts a skill's files. Links and special files are noted: what
// Subako packs holds regular files alone.
func checkSkill(root *os.Root, name, full string) (notes []string, err error) {
	files, bytes, other, all := 0, int64(0), 0, 0
	err = fs.WalkDir(root.FS(), name, func(at string, d fs.DirEntry, err error) error {
		all++
		switch {
		case err != nil:
			return unreadable(filepath.Join(filepath.Dir(full), at), err)
		case all > abi.MaxPackageFiles:
			return &Error{Path: full, What: fmt.Sprintf("has more than %d files, folders and links (local limit)", abi.MaxPackageFiles)}
		case d.IsDir():
			return nil
		case !d.Type().IsRegular():
			if other++; other <= maxNotes {
				notes = append(notes, quoteName(at)+" is "+disk.Kind(d.Type())+"; a skill holds regular files")
			}
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return unreadable(filepath.Join(filepath.Dir(full), at), err)
		}
		files++
		bytes += info.Size()
		switch {
		case info.Size() > abi.MaxSkillFile:
			return &Error{Path: full, What: fmt.Sprintf("%s has %d bytes; a file of a skill has at most %s", quoteName(at), info.Size(), disk.Size(abi.MaxSkillFile))}
		case bytes > abi.MaxSkillBytes:
			return &Error{Path: full, What: fmt.Sprintf("has more than %s in all, the most for a skill", disk.Size(abi.MaxSkillBytes))}
		case files > abi.MaxSkillFiles:
			return &Error{Path: full, What: fmt.Sprintf("has more than %d files, the most for a skill", abi.MaxSkillFiles)}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if other > maxNotes {
		notes = append(notes, fmt.Sprintf("%d more links or special files in %s", other-maxNotes, quoteName(name)))
	}
	return notes, nil
}
