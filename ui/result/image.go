package result

import (
	"crypto/sha256"

	"github.com/charmbracelet/x/ansi"

	"perch/inspect/model"
	"perch/ui/cell"
	"perch/ui/picture"
)

// Room of a picture among the blocks, and how many are drawn; all are our own.
const (
	pictureWidth  = 80
	pictureHeight = 20
	mostPictures  = 16
)

// Pictures gives the pane a viewer of pictures; nil: they are told in words.
func (p *Pane) Pictures(v *picture.Viewer) { p.pictures = v }

// Redraw makes the rows anew: a picture came, or looks otherwise.
func (p *Pane) Redraw() { p.stale = true }

// pictureItems are a picture as rows.
func (p *Pane) pictureItems(i int, b model.Block, w int) []item {
	if p.pictures == nil || len(b.Data) == 0 || i >= mostPictures {
		return nil
	}
	if b.Problem != "" && !b.Broken {
		return nil
	}
	sum := sha256.Sum256(b.Data)
	rows := p.pictures.Box(picture.Picture{Key: string(sum[:]), Data: b.Data, Type: b.MIME, W: b.W, H: b.H},
		min(w-3, pictureWidth), pictureHeight, "enter opens it")
	out := make([]item, 0, len(rows))
	for _, row := range rows {
		var l cell.Line
		l.Blank(2).Drawn(row, ansi.StringWidth(row))
		out = append(out, item{line: l, block: i})
	}
	return out
}
