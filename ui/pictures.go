package ui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"perch/ui/picture"
)

// waits is what waits for answers of the terminal.
type waits struct {
	serial int            // of the newest question
	then   func() tea.Cmd // what is done when no answer is outstanding, nil: nothing
}

// patienceMsg says that an answer was waited for long enough.
type patienceMsg struct{ serial int }

// newPictures makes the viewer of pictures.
func (a *App) newPictures() {
	a.wake = make(chan struct{}, 1)
	a.pictures = picture.New(picture.Options{Getenv: a.o.Getenv, Plain: a.plain, Wake: func() {
		select {
		case a.wake <- struct{}{}:
		default:
		}
	}})
	a.result.Pictures(a.pictures)
}

// lookAtPictures tells the viewer how the screen looks now.
func (a *App) lookAtPictures() {
	colours := a.colours
	if a.plain {
		colours = colorprofile.ASCII
	}
	a.pictures.Look(a.look, colours)
	a.redrawPictures()
}

// awaitPictures waits until a picture is to be decoded.
func (a *App) awaitPictures() tea.Cmd {
	return guard(a, func() tea.Msg {
		select {
		case <-a.wake:
			return wokenMsg{}
		case <-a.ctx.Done():
			return nil
		}
	})
}

// decode decodes the next picture, away from the screen.
func (a *App) decode() tea.Cmd {
	job, ok := a.pictures.Work()
	if !ok {
		return nil
	}
	return a.once(func() tea.Msg { return pictureMsg{job(a.ctx)} })
}

// woken decodes the next picture. With the first one the terminal is asked
// whether it has graphics; until it says so pictures are drawn with characters.
func (a *App) woken() tea.Cmd {
	ask := ""
	if a.colours >= colorprofile.ANSI256 {
		ask = a.pictures.Ask()
	}
	return tea.Batch(a.toTerminal(ask), a.decode(), a.awaitPictures())
}

// decoded takes a picture that was decoded.
func (a *App) decoded(m pictureMsg) tea.Cmd {
	send, changed := a.pictures.Finish(m.done)
	if changed {
		a.redrawPictures()
	}
	return tea.Batch(a.toTerminal(send), a.decode())
}

// toTerminal sends what is no text, and waits for its answer if it has one.
func (a *App) toTerminal(send string) tea.Cmd {
	if send == "" {
		return nil
	}
	if !a.pictures.Waiting() {
		return tea.Raw(send)
	}
	a.waits.serial++
	return tea.Batch(tea.Raw(send), a.after(picture.Patience, patienceMsg{a.waits.serial}))
}

// heard takes what the terminal answers about pictures. is is false for all
// else.
func (a *App) heard(msg tea.Msg) (cmd tea.Cmd, changed, is bool) {
	if m, ok := msg.(patienceMsg); ok {
		if m.serial == a.waits.serial {
			a.pictures.GiveUp()
		}
	} else if changed, is = a.pictures.Hear(msg); !is {
		return nil, false, false
	}
	if changed {
		a.redrawPictures()
	}
	if then := a.waits.then; then != nil && !a.pictures.Waiting() {
		a.waits.then = nil
		cmd = then()
	}
	return cmd, changed, true
}

// whenQuiet does something that gives the screen away, when no answer of the
// terminal is outstanding: it would land in the shell. Pictures are taken away
// first. A second wish does not wait.
func (a *App) whenQuiet(do func() tea.Cmd) tea.Cmd {
	then := func() tea.Cmd {
		if gone := a.pictures.Forget(); gone != "" {
			a.redrawPictures()
			return tea.Sequence(tea.Raw(gone), do())
		}
		return do()
	}
	if a.waits.then == nil && a.pictures.Waiting() {
		a.waits.then = then
		return nil
	}
	a.waits.then = nil
	return then()
}

// end quits.
func (a *App) end() tea.Cmd { return a.whenQuiet(func() tea.Cmd { return tea.Quit }) }

// forgetPictures takes the pictures away from the terminal; those in sight are
// sent anew.
func (a *App) forgetPictures() tea.Cmd {
	gone := a.pictures.Forget()
	if gone == "" {
		return nil
	}
	a.redrawPictures()
	return tea.Raw(gone)
}
