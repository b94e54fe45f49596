package ui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"perch/themes"
	"perch/ui/cell"
	"perch/ui/palettes"
)

// setLook makes the look anew, after something about the terminal or the theme
// became known. A theme that cannot be had looks as auto does.
func (a *App) setLook() {
	t, err := a.palettes.Load(a.themeInUse())
	if err != nil {
		t = ownTheme(a.autoTheme())
	}
	a.look = cell.New(a.fit(t), a.config)
	a.lookAtPictures()
}

// themeInUse is the name of the palette that the theme stands for.
func (a *App) themeInUse() string {
	if a.theme == "auto" {
		return a.autoTheme()
	}
	return a.theme
}

// fit brings a palette to the colours that the terminal has. With 16 of them
// colours of a palette's own would become any of those: it gives way to the one
// that is made of them.
func (a *App) fit(t themes.Theme) themes.Theme {
	switch {
	case a.plain:
		return ownTheme("mono")
	case a.colours == colorprofile.ANSI && t.TrueColour():
		return ownTheme("sixteen")
	case a.colours == colorprofile.ANSI256:
		return t.Within256()
	}
	return t
}

// ownTheme is one of perch's own palettes, which are in order: a test loads
// each.
func ownTheme(name string) themes.Theme {
	t, _ := themes.Load(name)
	return t
}

// KnownTheme says whether a theme can be chosen by this name, with a person's
// own in a folder; "" and auto can. The error names those there are, or what is
// wrong with the file.
func KnownTheme(name, dir string) error {
	if name = themeName(name); name == "" || name == "auto" {
		return nil
	}
	_, err := palettes.Read(dir, palettes.Set{}).Load(name)
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
	a.colours = m.Profile
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
