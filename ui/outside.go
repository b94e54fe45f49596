package ui

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"perch/engine/disk"
	"perch/ui/arguments"
)

// editedMsg is what another editor left of arguments.
type editedMsg struct {
	session int
	lent    arguments.Lent
	text    []byte
	err     error
}

// mostEdited is how many bytes are taken back from another editor.
const mostEdited = 8 << 20

// splitWords are the words of a command: blanks part them, but for those
// between quotes, as in the path of a program.
func splitWords(text string) []string {
	var out []string
	var word strings.Builder
	var quote rune
	in := false
	for _, r := range text {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, in = r, true
		case r == ' ' || r == '\t' || r == '\n':
			if in {
				out = append(out, word.String())
				word.Reset()
			}
			in = false
		default:
			word.WriteRune(r)
			in = true
		}
	}
	if in {
		out = append(out, word.String())
	}
	return out
}

// openOutside gives the arguments, or the selected field of text, to the editor
// that VISUAL or EDITOR names.
// The screen is the editor's until it ends.
func (a *App) openOutside() tea.Cmd {
	command := splitWords(a.o.Getenv("VISUAL"))
	if len(command) == 0 {
		command = splitWords(a.o.Getenv("EDITOR"))
	}
	if len(command) == 0 {
		return a.say(toast{text: "EDITOR names no editor · " + a.keyNamed("args.form_json", "ctrl+f") + " edits here", brief: true})
	}
	m := editedMsg{session: a.session.id, lent: a.args.Lend()}
	dir, err := disk.TempDir("edit")
	if err != nil {
		return a.say(toast{text: err.Error(), bad: true})
	}
	path := filepath.Join(dir.Dir, m.lent.File())
	if err := disk.WriteFile(path, m.lent.Text()); err != nil {
		return a.say(toast{text: errors.Join(err, dir.Remove()).Error(), bad: true})
	}
	c := exec.CommandContext(a.ctx, command[0], append(command[1:], path)...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr // the terminal itself
	a.lent.Store(true)
	return tea.ExecProcess(c, func(err error) tea.Msg {
		a.lent.Store(false)
		if m.err = err; err == nil {
			m.text, m.err = disk.ReadFile(path, mostEdited)
		}
		m.err = errors.Join(m.err, dir.Remove())
		return m
	})
}

// edited takes back what another editor left.
func (a *App) edited(m editedMsg) tea.Cmd {
	if !a.current(m.session) {
		return nil
	}
	changed := a.args.TakeBack(m.lent, m.text, m.err)
	switch {
	case m.err != nil:
		return a.say(toast{text: "the editor: " + m.err.Error() + " · nothing was changed", bad: true})
	case changed:
		return a.say(toast{text: "taken from the editor · " + a.keyNamed("type.undo", "ctrl+z") + " takes it back"})
	}
	return a.say(toast{text: "the editor changed nothing"})
}
