package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"perch/inspect/bench"
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
	return a.use(s, func(b *bench.Bench) tea.Msg {
		f, err := b.Presets(a.o.Memory)
		if err != nil {
			return presetsMsg{session: s.id, err: err}
		}
		return presetsMsg{session: s.id, presets: presetsOf(f)}
	})
}

// savePreset saves arguments under a name.
func (a *App) savePreset(s *session, tool, name string, args []byte) tea.Cmd {
	return a.changePresets(s, fmt.Sprintf("saved %q in ", name), func(b *bench.Bench) (string, error) {
		return b.SavePreset(a.o.Memory, tool, name, args)
	})
}

// changePresets changes the file and reads it anew. said is told before its
// name.
func (a *App) changePresets(s *session, said string, change func(*bench.Bench) (path string, err error)) tea.Cmd {
	return a.use(s, func(b *bench.Bench) tea.Msg {
		path, err := change(b)
		if err != nil {
			return presetsMsg{session: s.id, err: err}
		}
		f, err := b.Presets(a.o.Memory)
		if err != nil {
			return presetsMsg{session: s.id, err: err}
		}
		return presetsMsg{session: s.id, presets: presetsOf(f), said: said + path}
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
	for _, o := range a.over {
		o.box.Refresh()
	}
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

// openPresets lists the saved arguments of the tool: one is filled in, renamed
// or removed.
func (a *App) openPresets() tea.Cmd {
	t, _ := a.tools.Selected()
	s := a.session
	path := s.bench.PresetPath(a.o.Memory)
	b := &box.Box{Title: "Presets of " + a.look.Text.Cut(a.look.Text.Line(t.Name), 36), Sign: "L", Width: 64, Height: 12,
		Foot: "enter fills in   e rename   x remove   esc"}
	b.Items = func(string) []box.Item {
		var out []box.Item
		for i, p := range s.presets[t.Name] {
			out = append(out, box.Item{Name: p.Name, Value: i, Note: onOneLine(string(p.Args[:min(len(p.Args), 4096)]))})
		}
		if len(out) == 0 {
			return []box.Item{{Label: "none saved", Disabled: a.keyNamed("args.preset", "S") + " saves what is written as a preset"}}
		}
		return out
	}
	selected := func() (preset.Preset, bool) {
		it, _ := b.Selected()
		i, ok := it.Value.(int)
		if all := s.presets[t.Name]; ok && i < len(all) {
			return all[i], true
		}
		return preset.Preset{}, false
	}
	a.push(&overlay{box: b,
		build: func(a *App, w int) {
			if path != "" {
				b.Text = paragraphs(a.look, "in "+path, w)
			}
		},
		choose: func(a *App, _ box.Item) tea.Cmd {
			if p, ok := selected(); ok && a.current(s.id) {
				a.args.Fill(string(p.Args))
			}
			return nil
		},
		keys: map[string]func(*App){
			"e": func(a *App) {
				if p, ok := selected(); ok {
					a.renamePreset(s, t.Name, p.Name)
				}
			},
			"x": func(a *App) {
				if p, ok := selected(); ok {
					a.removePreset(s, t.Name, p.Name)
				}
			},
		}})
	return nil
}

// renamePreset asks for another name.
func (a *App) renamePreset(s *session, tool, name string) {
	has := map[string]bool{}
	for _, p := range s.presets[tool] {
		has[p.Name] = true
	}
	b := &box.Box{Title: "Rename a preset", Sign: "e", Prompt: "name", Width: 64, Foot: "enter renames   esc"}
	b.Items = func(to string) []box.Item {
		it := box.Item{Label: "rename it ", Name: to, Value: to}
		switch {
		case to == "":
			it.Label, it.Disabled = "type a name", "a preset has a name"
		case to != name && has[to]:
			it.Disabled = preset.ErrExists.Error()
		}
		return []box.Item{it}
	}
	b.Input().SetText(name)
	b.Input().MoveTo(len(name))
	a.push(&overlay{box: b, choose: func(a *App, it box.Item) tea.Cmd {
		to, _ := it.Value.(string)
		if !a.current(s.id) || to == name {
			return nil
		}
		return a.changePresets(s, fmt.Sprintf("renamed %q to %q in ", name, to), func(b *bench.Bench) (string, error) {
			return b.RenamePreset(a.o.Memory, tool, name, to)
		})
	}})
}

// removePreset asks whether one is to go.
func (a *App) removePreset(s *session, tool, name string) {
	a.ask(question{
		title: "Remove this preset?",
		text:  fmt.Sprintf("%q is taken out of %s.", name, s.bench.PresetPath(a.o.Memory)),
		answers: []answer{
			{"n", "keep it", nil},
			{"x", "remove it", func(a *App) tea.Cmd {
				if !a.current(s.id) {
					return nil
				}
				return a.changePresets(s, fmt.Sprintf("removed %q from ", name), func(b *bench.Bench) (string, error) {
					return b.RemovePreset(a.o.Memory, tool, name)
				})
			}},
		},
	})
}
