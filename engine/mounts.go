package engine

import (
	"cmp"
	"errors"
	"path/filepath"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/wasi"
)

// mounts opens preopens that several runs have. They stay open as long as the
// session: opening them costs more than a small call.
func (s *Session) mounts(list []wasi.Mount) ([]*wasi.Opened, error) {
	all := make([]*wasi.Opened, 0, len(list))
	for _, m := range list {
		o, err := s.mount(m)
		if err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, nil
}

func (s *Session) mount(m wasi.Mount) (*wasi.Opened, error) {
	if o := s.opened[m.Guest]; o != nil {
		return o, nil
	}
	o, err := wasi.OpenMount(m)
	if err == nil {
		s.opened[m.Guest] = o
	}
	return o, err
}

// mountList are the preopens of a run in the page's order, with this host
// folder as /volume. The upload run has /package alone (ABI page, When a
// package is uploaded; Files).
func (s *Session) mountList(kind event.RunKind, volume string) []wasi.Mount {
	var all []wasi.Mount
	if kind == event.Call {
		all = append(all, wasi.Mount{Guest: abi.VolumeTmp, Dir: filepath.Join(volume, "tmp")})
		if s.config.Data {
			all = append(all, wasi.Mount{Guest: abi.VolumeData, Dir: filepath.Join(volume, "data")})
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
