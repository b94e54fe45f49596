package ui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"perch/themes"
	"perch/ui/cell"
)

// setLook makes the look anew, after something about the terminal or the theme
// became known.
func (a *App) setLook() {
	name := a.theme
	if name == "auto" {
		name = a.autoTheme()
	}
	if a.plain {
		name = "mono"
	}
	t, err := themes.Load(name)
	if err != nil {
		a.status.set(toast{text: err.Error(), bad: true})
		a.theme = "auto"
		t, _ = themes.Load(a.autoTheme())
	}
	a.look = cell.New(t, a.config)
}

// KnownTheme says whether a theme can be chosen by this name; "" and auto can.
// The error names those there are.
func KnownTheme(name string) error {
	if name = themeName(name); name == "" || name == "auto" {
		return nil
	}
	_, err := themes.Load(name)
	return err
}

// themeName takes light and dark for the palettes that auto would choose.
func themeName(name string) string {
	switch name {
	case "dark":
		return "dusk"
	case "light":
		return "paper"
	}
	return name
}

// autoTheme is the palette for the terminal's ground: one of the 16 named
// colours as long as it has not said which it has.
func (a *App) autoTheme() string {
	switch a.ground {
	case themes.Dark:
		return "dusk"
	case themes.Light:
		return "paper"
	}
	return "sixteen"
}

// profile takes how many colours the terminal has.
func (a *App) profile(m tea.ColorProfileMsg) {
	if m.Profile == colorprofile.ASCII || m.Profile == colorprofile.NoTTY {
		a.plain = true
	}
}

// mode takes the terminal's answer about mode 2027, joined characters.
func (a *App) mode(m tea.ModeReportMsg) bool {
	if m.Mode != ansi.ModeUnicodeCore {
		return false
	}
	split := m.Value == ansi.ModeNotRecognized || m.Value == ansi.ModePermanentlyReset
	changed := split != a.config.Split
	a.config.Split = split
	return changed
}
