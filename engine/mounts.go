package engine

import (
	"cmp"
	"errors"
	"path/filepath"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/wasi"
)

// mounts are the preopens of a run in the page's order. The upload run has
// /package alone (ABI page, When a package is uploaded; Files). They stay open
// as long as the session: opening them costs more than a small call.
func (s *Session) mounts(kind event.RunKind) ([]*wasi.Opened, error) {
	var all []*wasi.Opened
	for _, m := range s.mountList(kind) {
		o := s.opened[m.Guest]
		if o == nil {
			var err error
			if o, err = wasi.OpenMount(m); err != nil {
				return nil, err
			}
			s.opened[m.Guest] = o
		}
		all = append(all, o)
	}
	return all, nil
}

func (s *Session) mountList(kind event.RunKind) []wasi.Mount {
	var all []wasi.Mount
	if kind == event.Call {
		all = append(all, wasi.Mount{Guest: abi.VolumeTmp, Dir: filepath.Join(s.volume, "tmp")})
		if s.config.Data {
			all = append(all, wasi.Mount{Guest: abi.VolumeData, Dir: filepath.Join(s.volume, "data")})
		}
	}
	if dir := cmp.Or(s.config.Assets, s.pkg.AssetsDir); dir != "" {
		all = append(all, wasi.Mount{Guest: abi.PackageDir, Dir: dir, ReadOnly: true})
	}
	if kind == event.Call {
		skills := s.empty
		if s.config.Skills != "" {
			skills = s.config.Skills
		}
		all = append(all, wasi.Mount{Guest: abi.SkillsDir, Dir: skills, ReadOnly: true})
		for _, k := range s.skills {
			all = append(all, wasi.Mount{Guest: abi.SkillsDir + "/" + k.Name, Dir: k.Dir, ReadOnly: true})
		}
	}
	return all
}

// closeMounts closes what runs have opened.
func (s *Session) closeMounts() error {
	var errs []error
	for _, o := range s.opened {
		errs = append(errs, o.Close())
	}
	s.opened = make(map[string]*wasi.Opened)
	return errors.Join(errs...)
}
