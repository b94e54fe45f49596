package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"perch/engine/abi"
	"perch/engine/disk"
	"perch/engine/egress"
	"perch/engine/event"
	"perch/engine/pack"
	"perch/engine/wasi"
	"perch/engine/wasm"
	"perch/engine/wire"
)

// Config is what a person chose for the runs of a package. The zero value is
// our local settings.
type Config struct {
	Timeout time.Duration // of a call, 0: abi.LocalTimeout
	Memory  uint64        // limit in bytes, 0: abi.LocalMemory
	Budget  uint64        // write budget in bytes, 0: abi.WriteBudget
	Seed    string        // fixes ids, random and clock; empty: all are real
	Volume  string        // host folder that is /volume; empty: a private one for the session
	Data    bool          // mounts /volume/data
	Skills  string        // host folder that is /skills; empty: an empty one
	Assets  string        // host folder that is /package in place of the package's own; empty: that one
	Egress  egress.Policy
}

// Session is one package that is being looked at. Its methods may be called
// from several goroutines; runs take turns.
type Session struct {
	engine *Engine
	pkg    *pack.Package
	config Config
	report *wasm.Report
	ids    *wire.IDs
	skills []pack.Skill

	notes []string

	private *disk.Temp // folder of our own, removed by Close; nil: it was not made
	volume  string     // host folder of /volume
	empty   string     // host folder of an empty /skills

	policy sync.Mutex              // guards config.Egress, which SetPolicy changes; the rest of config stays
	turn   sync.Mutex              // held by the run that is going on
	opened map[string]*wasi.Opened // by their names in the guest
	start  sync.Once
	mod    *Module
}

// NewSession checks the package's module and makes its volume. A package that
// is refused is a session too: Report and Breaches say why, and runs answer
// ErrRefused. The caller closes both the session and the package.
func (e *Engine) NewSession(p *pack.Package, c Config) (*Session, error) {
	c = c.withDefaults()
	s := &Session{engine: e, pkg: p, config: c, ids: wire.NewIDs(c.Seed), opened: make(map[string]*wasi.Opened)}
	if p.Module != nil {
		s.report = wasm.Check(p.Module, wasm.CheckOptions{
			Provided: Provided, Names: ProvidedNames, MemoryLimit: c.Memory, File: p.ModuleFile,
		})
	}
	if err := errors.Join(s.checkAssets(), s.makeVolume()); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if s.report != nil {
		s.module() // starts the compile
	}
	return s, nil
}

func (c Config) withDefaults() Config {
	if c.Timeout == 0 {
		c.Timeout = abi.LocalTimeout
	}
	if c.Memory == 0 {
		c.Memory = abi.LocalMemory
	}
	if c.Budget == 0 {
		c.Budget = abi.WriteBudget
	}
	return c
}

// checkAssets says at once that assets given beside the package are no folder.
func (s *Session) checkAssets() error {
	if s.config.Assets == "" {
		return nil
	}
	root, err := disk.OpenRoot(s.config.Assets)
	if err != nil {
		return fmt.Errorf("open the assets: %w", err)
	}
	return root.Close()
}

func (s *Session) makeVolume() error {
	var err error
	if s.private, err = disk.TempDir("volume"); err != nil {
		return fmt.Errorf("make the session's private folder: %w", err)
	}
	s.volume = s.config.Volume
	if s.volume == "" {
		s.volume = filepath.Join(s.private.Dir, "volume")
	}
	s.empty = filepath.Join(s.private.Dir, "skills")
	dirs := []string{s.empty, filepath.Join(s.volume, "tmp")}
	if s.config.Data {
		dirs = append(dirs, filepath.Join(s.volume, "data"))
	}
	for _, d := range dirs {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return fmt.Errorf("make the volume: %w", err)
		}
	}
	if s.config.Skills != "" {
		if s.skills, s.notes, err = pack.LoadSkills(s.config.Skills); err != nil {
			return fmt.Errorf("load skills: %w", err)
		}
	}
	return nil
}

// Close removes the session's private folder. No run may be alive.
func (s *Session) Close() error {
	s.turn.Lock()
	defer s.turn.Unlock()
	err := s.closeMounts()
	if s.private != nil {
		// What a guest nested first: it may be too deep for the other.
		err = errors.Join(err, wasi.RemoveAll(s.private.Dir), s.private.Remove())
	}
	return err
}

// Package returns the package of this session.
func (s *Session) Package() *pack.Package { return s.pkg }

// Config returns the settings of this session with their defaults filled in.
func (s *Session) Config() Config {
	s.policy.Lock()
	defer s.policy.Unlock()
	return s.config
}

// Notes tell what was not taken as it lies on disk: links that lead out, skills
// left out.
func (s *Session) Notes() []string {
	return append(s.pkg.Notes[:len(s.pkg.Notes):len(s.pkg.Notes)], s.notes...)
}

// Report is the check of the module; nil when the package holds none.
func (s *Session) Report() *wasm.Report { return s.report }

// SetPolicy changes what later runs may reach. It does not wait for a run that
// is going on, which keeps the policy that it began with.
func (s *Session) SetPolicy(p egress.Policy) {
	s.policy.Lock()
	defer s.policy.Unlock()
	s.config.Egress = p
}

// VolumeDir is the host folder of /volume.
func (s *Session) VolumeDir() string { return s.volume }

// Breaches are the rules of package and module that the package does not keep.
func (s *Session) Breaches() []event.Breach {
	all := append([]event.Breach(nil), s.pkg.Breaches...)
	if s.report != nil {
		all = append(all, s.report.Breaches...)
	}
	if s.mod != nil && s.mod.refusal() != nil {
		b := *s.mod.refusal() // of the bytes, whatever the file's name
		b.Where.File = s.pkg.ModuleFile
		all = append(all, b)
	}
	return all
}

// runnable reports whether the module can be run: nothing refuses it.
func (s *Session) runnable() bool {
	if s.report == nil {
		return false
	}
	for _, b := range s.report.Breaches {
		if abi.RuleOf(b.Rule).Effect() == abi.Refuses {
			return false
		}
	}
	return true
}

// ErrRefused says that the module cannot be run: the session's breaches say why.
var ErrRefused = errors.New("the module is refused")

// module is the compiled module; of one that is refused, what else is wrong
// with it, or nil when its bytes leave nothing more to be asked.
func (s *Session) module() *Module {
	s.start.Do(func() {
		switch {
		case s.runnable():
			s.mod = s.engine.Compile(s.pkg.Module)
		case s.report.Typed():
			s.mod = s.engine.examine(s.pkg.Module)
		}
	})
	return s.mod
}

// Ready waits for the compile. ErrRefused: the module cannot be run.
func (s *Session) Ready(ctx context.Context) (*Module, error) {
	if s.report == nil || s.module() == nil {
		return nil, ErrRefused
	}
	m := s.module()
	if err := m.Wait(ctx); err != nil {
		if m.refusal() != nil || !s.runnable() && ctx.Err() == nil {
			return nil, ErrRefused
		}
		return nil, err
	}
	return m, nil
}
