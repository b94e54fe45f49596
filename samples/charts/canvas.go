//go:build wasip1

package main

import (
	"math"
	"strconv"
)

// The image, and the part of it that the chart takes.
const (
	width, height = 640, 400

	left, right = 60, 616
	top, bottom = 52, 364
)

// Colours of the palette.
const (
	inkBack = iota
	inkGrid
	inkText
	inkFirst // of the series; inkCount-inkFirst of them
	inkCount = inkFirst + 6
)

// canvas is an image with a palette, one byte a pixel.
type canvas struct {
	palette []byte
	pixels  []byte
}

func blank(light bool) *canvas {
	back, grid, text := "\x16\x18\x1d", "\x33\x38\x42", "\xc9\xd1\xd9"
	if light {
		back, grid, text = "\xfc\xfc\xfa", "\xdd\xdd\xd8", "\x33\x38\x42"
	}
	// Told apart by people who see few colours (Okabe and Ito).
	const series = "\x56\xb4\xe9\xe6\x9f\x00\x00\x9e\x73\xcc\x79\xa7\xd5\x5e\x00\xf0\xe4\x42"
	return &canvas{palette: []byte(back + grid + text + series), pixels: make([]byte, width*height)}
}

func (c *canvas) dot(x, y int, ink byte) {
	if x >= 0 && x < width && y >= 0 && y < height {
		c.pixels[y*width+x] = ink
	}
}

func (c *canvas) box(x0, y0, x1, y1 int, ink byte) {
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			c.dot(x, y, ink)
		}
	}
}

// scale maps values to rows: from the lowest, at most 0, to the highest, at
// least 0.
type scale struct{ low, high float64 }

func scaleOf(values []float64) scale {
	var s scale
	for _, v := range values {
		s.low, s.high = math.Min(s.low, v), math.Max(s.high, v)
	}
	if s.low == s.high {
		s.high = 1
	}
	return s
}

func (s scale) row(v float64) int {
	return bottom - int((v-s.low)/(s.high-s.low)*(bottom-top)+0.5)
}

// axes draws the grid with its numbers.
func (c *canvas) axes(s scale) {
	const steps = 4
	for i := range steps + 1 {
		v := s.low + (s.high-s.low)*float64(i)/steps
		y := s.row(v)
		c.box(left, y, right, y+1, inkGrid)
		text := strconv.FormatFloat(v, 'g', 4, 64)
		c.label(text, left-8-textWidth(text, 2), y-5, 2, inkText)
	}
	c.box(left, s.row(0), right, s.row(0)+2, inkText)
}

func (c *canvas) bars(values []float64) {
	s := scaleOf(values)
	c.axes(s)
	step := float64(right-left) / float64(len(values))
	for i, v := range values {
		x0, x1 := left+int(step*(float64(i)+0.12)), left+int(step*(float64(i)+0.88))
		y0, y1 := s.row(v), s.row(0)
		if y0 > y1 {
			y0, y1 = y1, y0
		}
		c.box(x0, y0, max(x1, x0+1), y1, inkFirst)
	}
}

func (c *canvas) curve(values []float64) {
	s := scaleOf(values)
	c.axes(s)
	step := float64(right-left) / float64(max(len(values)-1, 1))
	for i, v := range values {
		x, y := left+int(step*float64(i)), s.row(v)
		if i > 0 {
			c.stroke(left+int(step*float64(i-1)), s.row(values[i-1]), x, y)
		}
		c.box(x-3, y-3, x+4, y+4, inkFirst)
	}
}

// stroke is a line of three pixels.
func (c *canvas) stroke(x0, y0, x1, y1 int) {
	n := max(abs(x1-x0), abs(y1-y0), 1)
	for i := range n + 1 {
		x, y := x0+(x1-x0)*i/n, y0+(y1-y0)*i/n
		c.box(x-1, y-1, x+2, y+2, inkFirst)
	}
}

func abs(n int) int { return max(n, -n) }

type share struct {
	label string
	value float64
}

func (c *canvas) pie(shares []share, total float64) {
	const radius = (bottom - top) / 2
	const cx, cy = 200, (bottom + top) / 2
	var ends []float64
	sum := 0.0
	for _, s := range shares {
		sum += s.value / total
		ends = append(ends, sum)
	}
	for y := -radius; y <= radius; y++ {
		for x := -radius; x <= radius; x++ {
			if x*x+y*y > radius*radius {
				continue
			}
			turn := math.Atan2(float64(x), float64(-y)) / (2 * math.Pi) // 0 at the top, clockwise
			if turn < 0 {
				turn++
			}
			i := 0
			for i < len(ends)-1 && turn >= ends[i] {
				i++
			}
			c.dot(cx+x, cy+y, ink(i))
		}
	}
	for i, s := range shares {
		y := top + 8 + i*24
		c.box(400, y, 416, y+16, ink(i))
		c.label(s.label, 426, y+3, 2, inkText)
	}
}

func ink(i int) byte { return byte(inkFirst + i%(inkCount-inkFirst)) }
