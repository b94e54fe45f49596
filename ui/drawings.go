package ui

import (
	"perch/ui/cell"
	"perch/ui/picture"
)

// drawPicture draws a picture for the streams.
func (a *App) drawPicture(p picture.Picture, w, h int) cell.Block {
	return a.pictures.Box(p, w, h, "")
}

// redrawPictures makes anew what may show pictures: one came, or they look
// otherwise.
func (a *App) redrawPictures() {
	a.result.Redraw()
	for _, p := range a.streams {
		p.Redraw()
	}
}
