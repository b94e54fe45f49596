package uitest

import (
	"image"
	"image/color"
	"image/draw"
)

// pen draws in one cell.
type pen struct {
	img *image.RGBA
	box image.Rectangle
	ink color.Color
}

func (p pen) fill(x0, y0, x1, y1 int) {
	draw.Draw(p.img, image.Rect(x0, y0, x1, y1), image.NewUniform(p.ink), image.Point{}, draw.Over)
}

// tint fills the cell with a part of the ink, from 0 to 255.
func (p pen) tint(alpha uint8) {
	draw.DrawMask(p.img, p.box, image.NewUniform(p.ink), image.Point{}, image.NewUniform(color.Alpha{A: alpha}), image.Point{}, draw.Over)
}

// shape draws the characters that must meet at the edges of cells; false for
// all others.
func (p pen) shape(r rune) bool {
	if a, ok := boxArms(r); ok {
		p.lines(a)
		return true
	}
	w, h := p.box.Dx(), p.box.Dy()
	x, y := p.box.Min.X, p.box.Min.Y
	switch {
	case r >= '▁' && r <= '█': // eighths from below
		p.fill(x, y+h-h*(int(r-'▁')+1)/8, x+w, y+h)
	case r >= '▉' && r <= '▏': // eighths from the left, seven to one
		p.fill(x, y, x+max(w*(7-int(r-'▉'))/8, 1), y+h)
	case r == '▀':
		p.fill(x, y, x+w, y+h/2)
	case r == '▐':
		p.fill(x+w/2, y, x+w, y+h)
	case r >= '░' && r <= '▓':
		p.tint([...]uint8{64, 128, 192}[r-'░'])
	case r == '┆':
		for i := 1; i < h; i += 6 {
			p.fill(x+w/2, y+i, x+w/2+1, min(y+i+4, y+h))
		}
	case r == '╭' || r == '╮' || r == '╰' || r == '╯':
		p.corner(r)
	default:
		return false
	}
	return true
}

// arms are the lines from the middle of a cell to its edges: 0 none, 1 light,
// 2 heavy, 3 double.
type arms struct{ up, down, left, right int }

func boxArms(r rune) (arms, bool) {
	switch r {
	case '─':
		return arms{left: 1, right: 1}, true
	case '━':
		return arms{left: 2, right: 2}, true
	case '│':
		return arms{up: 1, down: 1}, true
	case '┃':
		return arms{up: 2, down: 2}, true
	case '┌':
		return arms{down: 1, right: 1}, true
	case '┐':
		return arms{down: 1, left: 1}, true
	case '└':
		return arms{up: 1, right: 1}, true
	case '┘':
		return arms{up: 1, left: 1}, true
	case '├':
		return arms{up: 1, down: 1, right: 1}, true
	case '┤':
		return arms{up: 1, down: 1, left: 1}, true
	case '┬':
		return arms{down: 1, left: 1, right: 1}, true
	case '┴':
		return arms{up: 1, left: 1, right: 1}, true
	case '┼':
		return arms{1, 1, 1, 1}, true
	case '═':
		return arms{left: 3, right: 3}, true
	case '╞':
		return arms{up: 1, down: 1, right: 3}, true
	case '╡':
		return arms{up: 1, down: 1, left: 3}, true
	}
	return arms{}, false
}

// lines draws the arms of a box character.
func (p pen) lines(a arms) {
	x, y := p.box.Min.X, p.box.Min.Y
	cx, cy := x+p.box.Dx()/2, y+p.box.Dy()/2
	across := func(weight, x0, x1 int) {
		switch weight {
		case 1:
			p.fill(x0, cy, x1, cy+1)
		case 2:
			p.fill(x0, cy-1, x1, cy+2)
		case 3:
			p.fill(x0, cy-2, x1, cy-1)
			p.fill(x0, cy+1, x1, cy+2)
		}
	}
	down := func(weight, y0, y1 int) {
		switch weight {
		case 1, 3:
			p.fill(cx, y0, cx+1, y1)
		case 2:
			p.fill(cx-1, y0, cx+2, y1)
		}
	}
	across(a.left, x, cx+1)
	across(a.right, cx, p.box.Max.X)
	down(a.up, y, cy+1)
	down(a.down, cy, p.box.Max.Y)
}

// corner draws a rounded corner: the two arms, and a step between them.
func (p pen) corner(r rune) {
	x, y := p.box.Min.X, p.box.Min.Y
	cx, cy := x+p.box.Dx()/2, y+p.box.Dy()/2
	const round = 2
	if r == '╭' || r == '╰' { // to the right
		p.fill(cx+round, cy, p.box.Max.X, cy+1)
	} else {
		p.fill(x, cy, cx-round+1, cy+1)
	}
	if r == '╭' || r == '╮' { // down
		p.fill(cx, cy+round, cx+1, p.box.Max.Y)
	} else {
		p.fill(cx, y, cx+1, cy-round+1)
	}
	dx, dy := 1, 1
	if r == '╮' || r == '╯' {
		dx = -1
	}
	if r == '╰' || r == '╯' {
		dy = -1
	}
	p.fill(cx+dx, cy+dy, cx+dx+1, cy+dy+1)
}
