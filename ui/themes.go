package ui

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"perch/engine/disk"
	"perch/themes"
	"perch/ui/box"
	"perch/ui/cell"
	"perch/ui/palettes"
	"perch/ui/prefs"
	"perch/ui/words"
)

// ownMade stands for a new palette in the theme picker.
type ownMade struct{}

// openThemes is the theme picker: what is selected shows at once behind it.
func (a *App) openThemes() tea.Cmd {
	before := a.theme
	b := &box.Box{Title: "Theme", Sign: "T", Prompt: "find", Width: 54, Height: 14, Foot: "enter keep   esc as before",
		Under: a.themeSample(),
		Items: func(query string) []box.Item { return matching(a.themeItems(before), query) },
		Count: func(int) string { return words.Plural(len(a.palettes.All()), "theme") }}
	b.Select(before)
	a.push(&overlay{box: b,
		moved: func(a *App, it box.Item) {
			switch name, is := it.Value.(string); {
			case !is:
				a.setTheme(before) // what a new one would stand on
			case it.Disabled == "":
				a.setTheme(name)
			}
		},
		choose: func(a *App, it box.Item) tea.Cmd {
			name, is := it.Value.(string)
			if !is {
				return a.makeTheme()
			}
			return a.keepTheme(name)
		},
		closed: func(a *App) tea.Cmd {
			a.setTheme(before)
			return nil
		}})
	cmds := []tea.Cmd{a.followThemes()}
	if err := a.palettes.Err(); err != nil {
		cmds = append(cmds, a.say(toast{text: err.Error(), bad: true}))
	}
	if a.ground == "" && !a.plain {
		cmds = append(cmds, tea.RequestBackgroundColor) // for auto
	}
	return tea.Batch(cmds...)
}

func (a *App) setTheme(name string) {
	if a.theme != name {
		a.theme = name
		a.setLook()
	}
}

// keepTheme sets a theme and remembers it.
func (a *App) keepTheme(name string) tea.Cmd {
	a.setTheme(name)
	a.memory.Theme = name
	a.refreshSettings()
	if v := a.prefs.Theme; v.Given() && themeName(v.Text) != name {
		return tea.Batch(a.saveMemory(), a.say(toast{text: fmt.Sprintf("%s:%d names %s: that is the theme of the next start", prefs.FileName, v.Line, v.Text)}))
	}
	return a.saveMemory()
}

// themeItems are the rows of the theme picker that was opened with a theme.
func (a *App) themeItems(before string) []box.Item {
	note := "The terminal says that its ground is " + string(a.ground) + ": " + a.autoTheme() + "."
	if a.ground == "" {
		note = "The terminal has not said what its ground is: " + a.autoTheme() + "."
	}
	items := []box.Item{{Label: "auto", Right: "by the terminal's ground", Value: "auto", Note: note}}
	for _, p := range a.palettes.All() {
		if !p.Gone || p.Name == a.themeInUse() {
			items = append(items, themeItem(p))
		}
	}
	if before == "auto" {
		before = a.autoTheme()
	}
	own := box.Item{Label: "make one of my own", Right: "a file, read at each save", Value: ownMade{}, Note: "It begins as " + before + " is now."}
	if a.o.Themes == "" {
		own.Disabled = "this system names no folder for settings"
	}
	return append(items, own)
}

// themeItem is the row of one palette: on what it is made to be read, and how
// well it can be.
func themeItem(p palettes.Palette) box.Item {
	it := box.Item{Label: p.Name, Value: p.Name, Right: p.Theme.Note}
	if p.File != "" {
		it.Note = strings.TrimSpace(p.File + "   " + p.Theme.Note)
	}
	if p.Good && p.Theme.TrueColour() {
		if p.File == "" {
			it.Note = p.Theme.Note
		}
		least, text, ground := p.Theme.LeastContrast()
		sign := "✓"
		if least < themes.ContrastFloor {
			sign = "▲"
			it.Note = fmt.Sprintf("%s: %s on %s is %.1f:1; from %.1f:1 on text is read with ease.", p.Name, text, ground, least, themes.ContrastFloor)
		}
		it.Right = fmt.Sprintf("%s   %s %.1f:1", p.Theme.Ground, sign, least)
	}
	if p.Err == nil {
		return it
	}
	it.Right, it.Note = "✗ see below", p.Err.Error()
	var fault *themes.ParseError
	if errors.As(p.Err, &fault) && fault.Line > 0 {
		it.Right = fmt.Sprintf("✗ line %d", fault.Line)
		if fault.Key != "" {
			it.Right += ": " + short(fault.Key)
		}
	}
	if !p.Good {
		it.Label, it.Name, it.Disabled = "", p.Name, p.Err.Error()
	}
	return it
}

// short is a key as the picker has room for it.
func short(key string) string {
	if r := []rune(key); len(r) > 20 {
		return string(r[:19]) + "…"
	}
	return key
}

// themeSample shows the roles that a screen may lack at the moment.
func (a *App) themeSample() []cell.Line {
	var head, meanings, wire, files cell.Line
	switch {
	case a.plain:
		head.Own(cell.Fg(themes.Notice), "No colour here: NO_COLOR is set, or there is none.")
	case a.colours == colorprofile.ANSI:
		head.Own(cell.Fg(themes.Notice), "16 colours here: themes of more look as sixteen.")
	default:
		head.Own(cell.Fg(themes.Muted), "shown at once behind this box, and here")
	}
	meanings.Own(cell.Fg(themes.OK), "✓ ok").Blank(2).Own(cell.Fg(themes.Error), "✗ error").Blank(2).
		Own(cell.Fg(themes.Warning), "▲ warning").Blank(2).Own(cell.Fg(themes.Notice), "◇ notice").Blank(2).Own(cell.Fg(themes.Info), "· info")
	wire.Own(cell.Fg(themes.ToModule), "→ in 1").Blank(2).Own(cell.Fg(themes.FromModule), "← out 1").Blank(2).
		Own(cell.Fg(themes.Key), `"key"`).Own(cell.Fg(themes.Punct), ": ").Own(cell.Fg(themes.String), `"text"`).
		Own(cell.Fg(themes.Punct), ", ").Own(cell.Fg(themes.Number), "12").Own(cell.Fg(themes.Punct), ", ").Own(cell.Fg(themes.Keyword), "true")
	files.Own(cell.Fg(themes.Stderr), "stderr").Blank(2).Own(cell.Fg(themes.HTTP), "http").Blank(2).Own(cell.Fg(themes.File), "file").Blank(2).
		Own(cell.Fg(themes.Memory), "memory").Blank(2).Own(cell.Fg(themes.DiffAdd), "+").Blank(1).Own(cell.Fg(themes.Changed), "~").
		Blank(1).Own(cell.Fg(themes.DiffDel), "-").Blank(2).Own(cell.Fg(themes.Match), "match")
	return []cell.Line{head, meanings, wire, files}
}

// makeTheme writes a palette that stands on the one in use, for the person to
// change, and takes it.
func (a *App) makeTheme() tea.Cmd {
	of := a.themeInUse()
	a.palettes = palettes.Read(a.o.Themes, a.palettes) // no name that was taken since
	p, _ := a.palettes.Find(of)
	if !p.Good || p.Err != nil {
		p.Theme = ownTheme(a.autoTheme())
	}
	name := "mine"
	for i := 2; ; i++ {
		if _, taken := a.palettes.Find(name); !taken {
			break
		}
		name = fmt.Sprintf("mine-%d", i)
	}
	file := name + ".toml"
	err := disk.MkdirPrivate(a.o.Themes)
	if err == nil {
		// Whole at once: the folder is followed, and is read at any moment.
		err = disk.WriteFile(filepath.Join(a.o.Themes, file), p.Theme.Draft())
	}
	if err != nil {
		return a.say(toast{text: err.Error(), bad: true})
	}
	a.palettes = palettes.Read(a.o.Themes, a.palettes)
	return tea.Batch(a.keepTheme(name), a.followThemes(),
		a.say(toast{text: "wrote " + file + " in " + a.o.Themes + " · each save shows at once", whole: true}))
}

// followThemes follows the folder of palettes, unless that is being done or
// there is none.
func (a *App) followThemes() tea.Cmd {
	if a.following || a.o.Themes == "" {
		return nil
	}
	a.following = true
	news := make(chan tea.Msg, 1)
	tell := func(m tea.Msg) { // the newest says all
		select {
		case <-news:
		default:
		}
		news <- m
	}
	last := a.palettes
	a.work.Add(1)
	go func() {
		defer a.work.Done()
		defer func() {
			if r := recover(); r != nil {
				a.crash.keep(r)
				tell(tea.Quit())
			}
		}()
		err := palettes.Follow(a.ctx, last, a.clock, func(s palettes.Set) {
			last = s
			tell(themesMsg{set: s})
		})
		tell(themesMsg{set: last, ended: true, err: err})
	}()
	a.news = func() tea.Msg {
		select {
		case m := <-news:
			return m
		case <-a.ctx.Done():
			return nil
		}
	}
	return guard(a, a.news)
}

// themesTold takes what the folder of palettes holds now.
func (a *App) themesTold(m themesMsg) tea.Cmd {
	before := a.palettes
	a.palettes = m.set
	a.setLook()
	for _, o := range a.over {
		it, ok := o.box.Selected()
		o.box.Refresh()
		if ok {
			o.box.Select(it.Value)
			o.look(a)
		}
	}
	said := a.sayOfChange(before)
	if m.ended {
		a.following = false
		if m.err != nil {
			said = a.say(toast{text: m.err.Error(), bad: true})
		}
		return said
	}
	return tea.Batch(said, guard(a, a.news))
}

// sayOfChange tells of files that got a fault or were set right, the theme in
// use first.
func (a *App) sayOfChange(before palettes.Set) tea.Cmd {
	now, in := a.palettes, a.themeInUse()
	if err := now.Err(); err != nil && (before.Err() == nil || err.Error() != before.Err().Error()) {
		return a.say(toast{text: err.Error(), bad: true})
	}
	var fault, right string
	for _, p := range now.Brought() {
		was, known := before.Find(p.Name) // a file that has come says nothing of itself
		switch {
		case p.Err != nil && (was.Err == nil || was.Err.Error() != p.Err.Error()):
			if text := p.Err.Error(); !p.Gone && p.Good && p.Name == in {
				fault = text + " · its last good colours stay"
			} else if fault == "" && (!p.Gone || p.Name == in) {
				fault = text
			}
		case p.Err == nil && was.Err != nil, known && p.Name == in && p.Theme != was.Theme:
			right = p.File + " was read again and is in order"
		}
	}
	switch {
	case fault != "":
		return a.say(toast{text: fault, bad: true})
	case right != "":
		return a.say(toast{text: right})
	}
	return nil
}

// sayOfTheme tells why the theme that was asked for is not shown, or that its
// folder is not in order.
func (a *App) sayOfTheme() {
	_, err := a.palettes.Load(a.themeInUse())
	if err == nil {
		err = a.palettes.Err()
	}
	if err != nil {
		a.note(toast{text: err.Error(), bad: true})
	}
}
