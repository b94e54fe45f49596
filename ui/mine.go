package ui

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"perch/engine/disk"
	"perch/ui/prefs"
)

// prefsMsg is what the person's settings say now.
type prefsMsg struct {
	prefs prefs.Prefs
	err   error
	ended bool // they are no longer followed
}

// takePrefs reads the person's settings at the start. What a flag said wins.
func (a *App) takePrefs() {
	p, err := prefs.Read(a.o.Settings)
	if err == nil {
		err = a.bind(p.Keys)
	}
	if err != nil {
		a.prefsErr = err
		a.note(toast{text: err.Error() + " · nothing of the file counts", bad: true})
		return
	}
	a.prefs = p
}

// bind takes the keys that the settings give; with an error nothing is changed.
func (a *App) bind(keys []prefs.Binding) error {
	table, err := remap(commands(), keys)
	if err != nil {
		return err
	}
	a.table, a.byKey = table, indexKeys(table)
	if a.look != nil {
		a.setLook() // texts name keys
	}
	return nil
}

// startTheme is the theme at the start: that of a flag, of the settings, or the
// one that was chosen last.
func (a *App) startTheme() string {
	for _, name := range []string{a.o.Theme, a.prefs.Theme.Text, a.memory.Theme} {
		if name = themeName(name); name != "" {
			return name
		}
	}
	return "auto"
}

// startMouse reports whether the mouse is the app's at the start.
func (a *App) startMouse() bool {
	for _, who := range []string{a.o.Mouse, a.prefs.Mouse.Text} {
		if who != "" {
			return who != "off"
		}
	}
	return !a.memory.MouseOff
}

// followPrefs follows the person's settings, unless that is being done.
func (a *App) followPrefs() tea.Cmd {
	if a.prefsFollowed || a.o.Settings == "" {
		return nil
	}
	a.prefsFollowed = true
	news := make(chan tea.Msg, 1)
	tell := func(m tea.Msg) { // the newest says all
		select {
		case <-news:
		default:
		}
		news <- m
	}
	a.work.Add(1)
	go func() {
		defer a.work.Done()
		defer func() {
			if r := recover(); r != nil {
				a.crash.keep(r)
				tell(tea.Quit())
			}
		}()
		var last prefsMsg
		err := prefs.Follow(a.ctx, a.o.Settings, a.clock, func(p prefs.Prefs, err error) {
			last = prefsMsg{prefs: p, err: err}
			tell(last)
		})
		last.ended = true
		if err != nil {
			last.err = err
		}
		tell(last)
	}()
	a.prefsNews = func() tea.Msg {
		select {
		case m := <-news:
			return m
		case <-a.ctx.Done():
			return nil
		}
	}
	return guard(a, a.prefsNews)
}

// prefsTold takes what the settings say now; a fault leaves all as it was.
func (a *App) prefsTold(m prefsMsg) tea.Cmd {
	var more tea.Cmd
	if m.ended {
		a.prefsFollowed = false
	} else {
		more = guard(a, a.prefsNews)
	}
	err := m.err
	if err == nil {
		err = a.bind(m.prefs.Keys)
	}
	if err != nil {
		if a.prefsErr != nil && a.prefsErr.Error() == err.Error() {
			return more // that is known
		}
		a.prefsErr = err
		return tea.Batch(more, a.say(toast{text: err.Error() + " · nothing was changed", bad: true}))
	}
	before, wrong := a.prefs, a.prefsErr != nil
	a.prefs, a.prefsErr = m.prefs, nil
	theme, mouse := before.Theme.Text != m.prefs.Theme.Text, before.Mouse.Text != m.prefs.Mouse.Text
	if theme {
		a.setTheme(a.startTheme())
	}
	if mouse {
		a.mouse = a.startMouse()
	}
	a.refreshSettings()
	if !wrong && !theme && !mouse && slices.EqualFunc(before.Keys, m.prefs.Keys, sameBinding) {
		return more
	}
	return tea.Batch(more, a.say(toast{text: prefs.FileName + " was read again and is in order"}))
}

func sameBinding(p, q prefs.Binding) bool { return p.Name == q.Name && slices.Equal(p.Keys, q.Keys) }

// editedPrefsMsg says that the editor of the settings has ended.
type editedPrefsMsg struct{ err error }

// editPrefs opens the person's settings in the editor; a file that is not there
// begins with what could be in it.
func (a *App) editPrefs() tea.Cmd {
	command := a.editor()
	if len(command) == 0 {
		return a.say(toast{text: "EDITOR names no editor · the file is " + prefs.Path(a.o.Settings), whole: true})
	}
	path := prefs.Path(a.o.Settings)
	err := disk.MkdirPrivate(a.o.Settings)
	if err == nil && missing(path) {
		err = disk.WriteFile(path, []byte(firstPrefs()))
	}
	if err != nil {
		return a.say(toast{text: err.Error(), bad: true})
	}
	c := exec.CommandContext(a.ctx, command[0], append(command[1:], path)...)
	a.lent.Store(true)
	return tea.Batch(a.followPrefs(), tea.ExecProcess(c, func(err error) tea.Msg {
		a.lent.Store(false)
		return editedPrefsMsg{err}
	}))
}

func (a *App) editedPrefs(m editedPrefsMsg) tea.Cmd {
	if m.err != nil {
		return a.say(toast{text: "the editor: " + m.err.Error(), bad: true})
	}
	p, err := prefs.Read(a.o.Settings)
	return a.prefsTold(prefsMsg{prefs: p, err: err, ended: !a.prefsFollowed})
}

// editor is the command of the person's editor, nil when none is named.
func (a *App) editor() []string {
	if all := strings.Fields(a.o.Getenv("VISUAL")); len(all) > 0 {
		return all
	}
	return strings.Fields(a.o.Getenv("EDITOR"))
}

// whyNoPrefs says why there are no settings to edit.
func (a *App) whyNoPrefs() string {
	if a.o.Settings == "" {
		return "this system names no folder for settings"
	}
	return ""
}

// firstPrefs is a settings file that says nothing yet.
func firstPrefs() string {
	var b strings.Builder
	b.WriteString("# Settings of perch. It is read again at each save.\n\n# theme = \"dusk\"\n# mouse = \"off\"\n\n" +
		"[keys]\n# All keys of a command; perch keys lists them. [keys.editor] and the like are for one place.\n")
	seen := map[string]bool{}
	for _, c := range commands() {
		if seen[c.id] || c.ctx == ctxMenu {
			continue
		}
		seen[c.id] = true
		var keys []string
		for _, k := range c.keys {
			keys = append(keys, fmt.Sprintf("%q", k))
		}
		fmt.Fprintf(&b, "# %q = [%s]  # %s\n", c.id, strings.Join(keys, ", "), c.title)
	}
	return b.String()
}

func missing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}
