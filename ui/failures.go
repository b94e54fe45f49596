package ui

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"perch/engine/pack"
	"perch/engine/settings"
)

// openFailed shows why a package cannot be opened.
func (a *App) openFailed(name string, err error) tea.Cmd {
	c := card{title: "Cannot open this package", again: func(a *App) tea.Cmd { return a.openPackage(name) }}
	var bad *pack.Error
	var wrong settings.Errors
	switch {
	case errors.As(err, &wrong):
		c.title = "Cannot take these settings"
		var lines, todo []string
		for _, e := range wrong {
			lines = append(lines, e.Where+": "+e.What)
			if e.Do != "" {
				todo = append(todo, e.Do)
			}
		}
		c.text, c.do = strings.Join(lines, "\n"), strings.Join(todo, "\n")
		c.text += "\nNothing was opened or changed."
	case errors.As(err, &bad):
		plain := *bad
		plain.Do = ""
		c.text, c.do = plain.Error()+"\nNothing was written or run.", bad.Do
	default:
		c.text = err.Error()
	}
	a.show(c)
	return nil
}
