package picture

import (
	"image"
	"strconv"
	"strings"

	"github.com/charmbracelet/colorprofile"

	"perch/ui/cell"
)

// cellSize is a cell of the terminal, in pixels.
type cellSize struct{ w, h int }

// usualCell is taken as long as the terminal has not told: cells are about twice
// as high as wide.
func usualCell() cellSize { return cellSize{10, 20} }

// fit keeps a picture's shape, by the shape of a cell, and does not draw it
// larger than it is: a pixel of it in a pixel of the terminal's, or in one of
// the blocks.
func (c cellSize) fit(pw, ph, w, h int, means Means) (cols, rows int) {
	cw, ch := float64(c.w), float64(c.h)
	most, up := cw, 0.5 // a pixel a column; to the nearest cell
	if means == Graphics {
		most, w, h = 1, min(w, maxPlaces), min(h, maxPlaces)
	}
	scale := min(float64(w)*cw/float64(pw), float64(h)*ch/float64(ph), most)
	if means == Graphics && scale == 1 {
		up = 0.999 // cells that hold all of it
	}
	near := func(n float64, limit int) int { return max(min(int(n+up), limit), 1) }
	return near(float64(pw)*scale/cw, w), near(float64(ph)*scale/ch, h)
}

// ink writes colours as a terminal takes them.
type ink struct {
	palette []rgb // nil: any colour
	first   int   // number of the palette's first colour
}

// inkOf is the ink for a terminal of so many colours. Few colours are mixed by
// the eye, from dots.
func inkOf(p colorprofile.Profile) ink {
	switch p {
	case colorprofile.TrueColor:
		return ink{}
	case colorprofile.ANSI:
		return ink{palette: sixteen()}
	}
	return ink{palette: cube(), first: 16}
}

// sixteen are the named colours as xterm has them; a terminal may have others.
func sixteen() []rgb {
	return []rgb{
		{0, 0, 0}, {205, 0, 0}, {0, 205, 0}, {205, 205, 0}, {0, 0, 238}, {205, 0, 205}, {0, 205, 205}, {229, 229, 229},
		{127, 127, 127}, {255, 0, 0}, {0, 255, 0}, {255, 255, 0}, {92, 92, 255}, {255, 0, 255}, {0, 255, 255}, {255, 255, 255},
	}
}

// cube are the colours 16 to 255: 6×6×6 and 24 greys.
func cube() []rgb {
	level := func(i int) int {
		if i == 0 {
			return 0
		}
		return 55 + 40*i
	}
	var p []rgb
	for i := range 216 {
		p = append(p, rgb{level(i / 36), level(i / 6 % 6), level(i % 6)})
	}
	for i := range 24 {
		g := 8 + 10*i
		p = append(p, rgb{g, g, g})
	}
	return p
}

// rgb is a colour, 0 to 255 each.
type rgb [3]int

// near is the palette's colour that is nearest, and how far it is, squared.
func (k ink) near(c rgb) (index, far int) {
	far = 1 << 30
	for i, p := range k.palette {
		r, g, b := c[0]-p[0], c[1]-p[1], c[2]-p[2]
		if d := 2*r*r + 4*g*g + 3*b*b; d < far {
			index, far = i, d
		}
	}
	return index, far
}

// dots choose a colour of the palette for each pixel. What a pixel is off by goes
// to its neighbours, as Floyd and Steinberg do it, but less of it: cells are
// large, and a colour that is nearly there is better plain than speckled.
func (k ink) dots(m *image.RGBA) []uint8 {
	w, h := m.Bounds().Dx(), m.Bounds().Dy()
	out := make([]uint8, w*h)
	const plain = 9 * 24 * 24 // as far as that is near enough
	row, next := make([]rgb, w+2), make([]rgb, w+2)
	for y := range h {
		for x := range w {
			p := m.Pix[y*m.Stride+4*x:]
			var c, off rgb
			for i := range 3 {
				c[i] = max(min(int(p[i])+row[x+1][i], 255), 0)
			}
			index, far := k.near(c)
			out[y*w+x] = uint8(index)
			if far <= plain || p[3] == 0 {
				continue
			}
			for i := range 3 {
				off[i] = (c[i] - k.palette[index][i]) * 3 / 4
				row[x+2][i] += off[i] * 7 / 16
				next[x][i] += off[i] * 3 / 16
				next[x+1][i] += off[i] * 5 / 16
				next[x+2][i] += off[i] / 16
			}
		}
		row, next = next, row
		clear(next)
	}
	return out
}

// bare is the paint of a pixel through which the ground shows.
const bare = -1

// paint is one colour: a number of the palette, or 0xRRGGBB; or bare.
type paint int32

// paints are a small picture's pixels, each opaque or not there, as paints.
func (k ink) paints(m *image.RGBA) []paint {
	b := m.Bounds()
	out := make([]paint, b.Dx()*b.Dy())
	var dots []uint8
	if k.palette != nil {
		dots = k.dots(m)
	}
	for i := range out {
		p := m.Pix[4*i : 4*i+4]
		switch {
		case p[3] == 0:
			out[i] = bare
		case dots != nil:
			out[i] = paint(k.first + int(dots[i]))
		default:
			out[i] = paint(p[0])<<16 | paint(p[1])<<8 | paint(p[2])
		}
	}
	return out
}

// appendPaint appends the parameters that choose a paint, base 30 for the text
// and 40 for the ground.
func (k ink) appendPaint(dst []byte, base int, p paint) []byte {
	switch {
	case k.palette == nil:
		dst = strconv.AppendInt(dst, int64(base+8), 10)
		dst = append(dst, ";2"...)
		for shift := 16; shift >= 0; shift -= 8 {
			dst = append(dst, ';')
			dst = strconv.AppendInt(dst, int64(p>>shift&0xff), 10)
		}
		return dst
	case k.first == 0 && p >= 8:
		return strconv.AppendInt(dst, int64(base+60)+int64(p)-8, 10)
	case k.first == 0:
		return strconv.AppendInt(dst, int64(base)+int64(p), 10)
	}
	dst = strconv.AppendInt(dst, int64(base+8), 10)
	dst = append(dst, ";5;"...)
	return strconv.AppendInt(dst, int64(p), 10)
}

// pen writes one row and says only what changes.
type pen struct {
	ink    ink
	row    []byte
	fg, bg paint
}

func (p *pen) put(s string, fg, bg paint) {
	params := make([]byte, 0, 40)
	if bg != p.bg && bg == bare {
		params = append(params, "49"...)
	} else if bg != p.bg {
		params = p.ink.appendPaint(params, 40, bg)
	}
	if fg != bare && fg != p.fg { // a blank needs none
		if len(params) > 0 {
			params = append(params, ';')
		}
		params, p.fg = p.ink.appendPaint(params, 30, fg), fg
	}
	p.bg = bg
	if len(params) > 0 {
		p.row = append(append(append(p.row, "\x1b["...), params...), 'm')
	}
	p.row = append(p.row, s...)
}

// end is the row, with the style taken back.
func (p *pen) end() string { return string(append(p.row, "\x1b[m"...)) }

// blocks draws two pixels a cell, one above the other.
func blocks(m *image.RGBA, k ink) cell.Block {
	w, h := m.Bounds().Dx(), m.Bounds().Dy()/2
	paints := k.paints(m)
	out := make(cell.Block, 0, h)
	for y := range h {
		p := pen{ink: k, fg: bare, bg: bare}
		for x := range w {
			switch upper, lower := paints[2*y*w+x], paints[(2*y+1)*w+x]; {
			case upper == lower:
				p.put(" ", bare, upper)
			case upper == bare:
				p.put("▄", lower, bare)
			default:
				p.put("▀", upper, lower)
			}
		}
		out = append(out, p.end())
	}
	return out
}

// tiles draws a pixel a cell, with nothing but blanks.
func tiles(m *image.RGBA, k ink) cell.Block {
	w, h := m.Bounds().Dx(), m.Bounds().Dy()
	paints := k.paints(m)
	out := make(cell.Block, 0, h)
	for y := range h {
		p := pen{ink: k, fg: bare, bg: bare}
		for x := range w {
			p.put(" ", bare, paints[y*w+x])
		}
		out = append(out, p.end())
	}
	return out
}

// ramp are characters from empty to full.
const ramp = " .:-=+*#%@"

// shades draws by how light the pixels are; on a light ground the ramp goes the
// other way.
func shades(m *image.RGBA, light bool) cell.Block {
	w, h := m.Bounds().Dx(), m.Bounds().Dy()
	low, high := 255, 0
	at := func(i int) (grey int, there bool) {
		p := m.Pix[4*i : 4*i+4]
		return (int(p[0])*3 + int(p[1])*6 + int(p[2])) / 10, p[3] != 0
	}
	for i := range w * h {
		if grey, there := at(i); there {
			low, high = min(low, grey), max(high, grey)
		}
	}
	var out cell.Block
	for y := range h {
		var row strings.Builder
		for x := range w {
			grey, there := at(y*w + x)
			n := 0
			if there && high > low {
				if n = (grey - low) * (len(ramp) - 1) / (high - low); light {
					n = len(ramp) - 1 - n
				}
			} else if there && (grey > 127) != light {
				n = len(ramp) - 1
			}
			row.WriteByte(ramp[n])
		}
		out = append(out, row.String())
	}
	return out
}
