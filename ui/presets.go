package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"perch/inspect/preset"
	"perch/ui/box"
)

// presetsMsg are the saved arguments of a package, read anew.
type presetsMsg struct {
	session int
	presets map[string][]preset.Preset // by tool
	said    string                     // what was saved
	err     error
}

// presetsOf sorts a file by tools.
func presetsOf(f *preset.File) map[string][]preset.Preset {
	all := map[string][]preset.Preset{}
	for _, tool := range f.Tools() {
		all[tool] = f.Presets(tool)
	}
	return all
}

// readPresets reads the saved arguments of a package.
func (a *App) readPresets(s *session) tea.Cmd {
	return a.use(s, func() tea.Msg {
		f, err := s.bench.Presets(a.o.Memory)
		if err != nil {
			return presetsMsg{session: s.id, err: err}
		}
		return presetsMsg{session: s.id, presets: presetsOf(f)}
	})
}

// savePreset saves arguments under a name.
func (a *App) savePreset(s *session, tool, name string, args []byte) tea.Cmd {
	return a.use(s, func() tea.Msg {
		path, err := s.bench.SavePreset(a.o.Memory, tool, name, args)
		if err != nil {
			return presetsMsg{session: s.id, err: err}
		}
		f, err := s.bench.Presets(a.o.Memory)
		if err != nil {
			return presetsMsg{session: s.id, err: err}
		}
		return presetsMsg{session: s.id, presets: presetsOf(f), said: fmt.Sprintf("saved %q in %s", name, path)}
	})
}

func (a *App) tookPresets(m presetsMsg) tea.Cmd {
	if !a.current(m.session) {
		return nil
	}
	if m.err != nil {
		return a.say(toast{text: m.err.Error(), bad: true})
	}
	a.session.presets = m.presets
	if m.said != "" {
		return a.say(toast{text: m.said})
	}
	return nil
}

// openPreset asks for the name of a preset of what is written.
func (a *App) openPreset() tea.Cmd {
	t, _ := a.tools.Selected()
	s := a.session
	args, err := a.args.Sends()
	if err != nil {
		return a.say(toast{text: "a preset holds a JSON object; this is none: " + a.args.Problem(), bad: true, brief: true})
	}
	args = append([]byte(nil), args...)
	path := s.bench.PresetPath(a.o.Memory)
	if path == "" {
		return a.say(toast{text: "there is no folder to keep presets in", brief: true})
	}
	has := map[string]bool{}
	for _, p := range s.presets[t.Name] {
		has[p.Name] = true
	}
	b := &box.Box{Title: "Save as a preset", Sign: "S", Prompt: "name", Width: 64, Foot: "enter saves   esc"}
	b.Items = func(name string) []box.Item {
		it := box.Item{Label: "save ", Name: name, Value: name}
		switch {
		case name == "":
			it.Label, it.Disabled = "type a name", "a preset has a name"
		case has[name]:
			it.Right = "in place of the one of that name"
		}
		return []box.Item{it}
	}
	a.push(&overlay{box: b,
		build: func(a *App, w int) {
			b.Text = paragraphs(a.look, "into "+path+"\nIt grants nothing: it is arguments alone.", w)
		},
		choose: func(a *App, it box.Item) tea.Cmd {
			name, _ := it.Value.(string)
			if !a.current(s.id) {
				return nil
			}
			return a.savePreset(s, t.Name, name, args)
		}})
	return nil
}
