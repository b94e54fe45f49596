package ui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"perch/ui/cell"
	"perch/ui/picture"
)

// newPictures makes the viewer of pictures. It draws with characters alone:
// nothing is asked of the terminal, and nothing has to be taken back from it.
func (a *App) newPictures() {
	a.wake = make(chan struct{}, 1)
	a.pictures = picture.New(picture.Options{Getenv: a.o.Getenv, Plain: true, Wake: func() {
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
	a.result.Redraw()
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

// decoded takes a picture that was decoded.
func (a *App) decoded(m pictureMsg) tea.Cmd {
	if _, changed := a.pictures.Finish(m.done); changed {
		a.result.Redraw()
		for _, p := range a.streams {
			p.Redraw()
		}
	}
	return a.decode()
}

// drawPicture draws a picture for the streams.
func (a *App) drawPicture(p picture.Picture, w, h int) cell.Block {
	return a.pictures.Box(p, w, h, "")
}
