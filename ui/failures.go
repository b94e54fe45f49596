package ui

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"

	tea "charm.land/bubbletea/v2"

	"perch/engine/pack"
	"perch/engine/settings"
	"perch/inspect/bench"
	"perch/inspect/export"
	"perch/ui/gallery"
)

// openFailed shows why a package cannot be opened: what happened and where,
// what is unharmed, what to do.
func (a *App) openFailed(name string, err error) tea.Cmd {
	c := card{title: "Cannot open this package", again: func(a *App) tea.Cmd { return a.openPackage(name) }}
	var bad *pack.Error
	var none *bench.SampleError
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
		c.text += "\n" + a.unharmed()
	case errors.As(err, &bad):
		plain := *bad
		plain.Do = ""
		c.text, c.do, c.meant = plain.Error()+"\n"+a.unharmed(), bad.Do, bad.Meant
		if c.meant == "" {
			c.try = tryCommand(bad)
		}
	case errors.As(err, &none):
		c.text, c.do, c.meant = none.What(), none.Do, none.Meant
	default:
		c.text = err.Error() + "\n" + a.unharmed()
	}
	a.show(c)
	return nil
}

// unharmed says what a package that cannot be opened left as it was.
func (a *App) unharmed() string {
	if a.session != nil && a.session.bench != nil {
		return "Nothing was written or run; " + a.session.bench.Package.Name + " is still open."
	}
	return "Nothing was written or run."
}

// tryCommand is a command that shows more of why a path cannot be read.
func tryCommand(e *pack.Error) string {
	path := gallery.Expand(e.Path)
	var p *fs.PathError
	switch {
	case e.EntryNo > 0 || e.Path == "" || filepath.Separator != '/':
		return ""
	case errors.Is(e.Err, syscall.ENOSPC) && errors.As(e.Err, &p):
		return "df -h " + export.Word(filepath.Dir(p.Path))
	case strings.HasPrefix(e.Path, bench.SamplePrefix):
		return ""
	case errors.Is(e.Err, fs.ErrNotExist) && e.Folder != "":
		return "ls -la " + export.Word(e.Folder)
	case errors.Is(e.Err, fs.ErrNotExist):
		return "ls -la " + export.Word(filepath.Dir(path))
	case errors.Is(e.Err, fs.ErrPermission):
		return "ls -ld " + export.Word(path)
	}
	return "file " + export.Word(path)
}
