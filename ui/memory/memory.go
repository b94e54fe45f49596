// Package memory is what the app remembers between sessions: packages opened
// before, drafts, the theme, whether the mouse is perch's. It is one JSON file
// in the user's folder for such things, written whole. It knows nothing of the
// screen.
package memory

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"perch/engine/abi"
	"perch/engine/disk"
)

// What is kept at most.
const (
	maxRecent   = 40
	maxDraft    = 64 << 10 // bytes of one draft
	maxDrafts   = 200      // of one package
	maxViews    = 60
	maxCommands = 12
	maxFile     = abi.MaxCAFile
)

// Recent is a package that was opened before.
type Recent struct {
	Path      string            `json:"path"` // absolute
	Name      string            `json:"name"`
	Toolchain string            `json:"toolchain,omitempty"`
	Size      int64             `json:"size"` // bytes of the module
	Outcome   string            `json:"outcome,omitempty"`
	When      time.Time         `json:"when"`
	Tools     []string          `json:"tools,omitempty"`
	Drafts    map[string]string `json:"drafts,omitempty"` // by tool
}

// Memory is all that is remembered. It is a value: a copy may be written while
// the app goes on with its own.
type Memory struct {
	Theme    string   `json:"theme,omitempty"`
	MouseOff bool     `json:"mouse_off,omitempty"`
	TourDone bool     `json:"tour_done,omitempty"` // to its end, or skipped for ever
	Recent   []Recent `json:"recent,omitempty"`    // the newest first
	// Commands are those done last from the palette, the newest first.
	Commands []string `json:"commands,omitempty"`
	// Views are how packages are looked at, by path or sample:NAME.
	Views map[string]View `json:"views,omitempty"`
}

// View is how a package is looked at. What its numbers mean is the business of
// who keeps them.
type View struct {
	Edges     []int `json:"edges,omitempty"`
	Hidden    int   `json:"hidden,omitempty"`
	Stream    int   `json:"stream,omitempty"`
	Dock      int   `json:"dock,omitempty"`
	ResultTab int   `json:"result_tab,omitempty"`
	Times     int   `json:"times,omitempty"`
	// Unfollowed are the streams in which following was turned off.
	Unfollowed []int `json:"unfollowed,omitempty"`
	// Args is how the arguments of tools are looked at.
	Args map[string]Args `json:"args,omitempty"`
	When time.Time       `json:"when"`
}

// Args is how the arguments of a tool are looked at.
type Args struct {
	Tab   int             `json:"tab,omitempty"`
	Folds map[string]bool `json:"folds,omitempty"` // true: unfolded
}

// Store is where the memory lies. The zero Store keeps nothing.
type Store struct{ path string }

// NewStore keeps the memory in a folder, which is made when something is
// written; "" keeps nothing.
func NewStore(dir string) Store {
	if dir == "" {
		return Store{}
	}
	return Store{filepath.Join(dir, "memory.json")}
}

// Dir is perch's folder for what the app remembers: below XDG_STATE_HOME or
// ~/.local/state on Unix, else below the folder for settings. It is "" when the
// system names none.
func Dir() string {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "perch")
	}
	if home, err := os.UserHomeDir(); err == nil && filepath.Separator == '/' {
		return filepath.Join(home, ".local", "state", "perch")
	}
	if dir, err := os.UserConfigDir(); err == nil {
		return filepath.Join(dir, "perch")
	}
	return ""
}

// Load reads the memory. A file that is not there is an empty memory; one that
// cannot be read is an error, and an empty memory.
func (s Store) Load() (Memory, error) {
	if s.path == "" {
		return Memory{}, nil
	}
	text, err := disk.ReadFile(s.path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return Memory{}, nil
	}
	if err != nil {
		return Memory{}, fmt.Errorf("read what was remembered: %w", err)
	}
	var m Memory
	if err := json.Unmarshal(text, &m); err != nil {
		return Memory{}, fmt.Errorf("read what was remembered in %s: %w", s.path, err)
	}
	return m, nil
}

// Save writes the memory, whole or not at all.
func (s Store) Save(m Memory) error {
	if s.path == "" {
		return nil
	}
	text, err := json.MarshalIndent(m, "", "\t")
	if err != nil {
		return fmt.Errorf("write what is remembered: %w", err)
	}
	dir := filepath.Dir(s.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("write what is remembered: %w", err)
	}
	f, err := os.CreateTemp(dir, "memory-*.json")
	if err != nil {
		return fmt.Errorf("write what is remembered: %w", err)
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), s.path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write what is remembered: %w", err), os.Remove(f.Name()))
	}
	return nil
}

// With is the memory with a package at the front of the recent ones. What is
// not given of it is kept from before.
func (m Memory) With(r Recent) Memory {
	old, _ := m.Find(r.Path)
	if r.Outcome == "" {
		r.Outcome = old.Outcome
	}
	if r.Tools == nil {
		r.Tools = old.Tools
	}
	if r.Drafts == nil {
		r.Drafts = old.Drafts
	}
	r.Drafts = limited(r.Drafts)
	all := []Recent{r}
	for _, other := range m.Recent {
		if other.Path != r.Path && len(all) < maxRecent {
			all = append(all, other)
		}
	}
	m.Recent = all
	return m
}

// Find is what is remembered of a package.
func (m Memory) Find(path string) (Recent, bool) {
	for _, r := range m.Recent {
		if r.Path == path {
			return r, true
		}
	}
	return Recent{}, false
}

func limited(drafts map[string]string) map[string]string {
	out := map[string]string{}
	for tool, text := range drafts {
		if len(text) <= maxDraft && len(out) < maxDrafts {
			out[tool] = text
		}
	}
	return out
}

func few(all map[string]Args) map[string]Args {
	out := map[string]Args{}
	for tool, a := range all {
		if len(out) < maxDrafts {
			out[tool] = a
		}
	}
	return out
}

// WithView is the memory with how a package is looked at; the oldest view goes
// when there are many.
func (m Memory) WithView(name string, v View, now time.Time) Memory {
	v.When = now
	v.Args = few(v.Args)
	all := map[string]View{name: v}
	for other, w := range m.Views {
		if other != name {
			all[other] = w
		}
	}
	for len(all) > maxViews {
		oldest := ""
		for other, w := range all {
			if other != name && (oldest == "" || w.When.Before(all[oldest].When)) {
				oldest = other
			}
		}
		delete(all, oldest)
	}
	m.Views = all
	return m
}

// WithCommand is the memory with a command at the front of those done last.
func (m Memory) WithCommand(id string) Memory {
	all := []string{id}
	for _, other := range m.Commands {
		if other != id && len(all) < maxCommands {
			all = append(all, other)
		}
	}
	m.Commands = all
	return m
}
