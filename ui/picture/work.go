package picture

import (
	"cmp"
	"context"
	"errors"
	"image"
	"image/color"
	"slices"

	"golang.org/x/image/draw"

	"perch/inspect/picture"
	"perch/themes"
	"perch/ui/cell"
)

// Job decodes and draws. It is to run on another goroutine than the viewer's.
type Job func(context.Context) Done

// Done is what a job came to; it goes to Finish.
type Done struct {
	job     job
	problem string
	stopped bool
	base    *image.RGBA
	w, h    int // pixels
	frames  int
	made    drawing
	png     []byte // for the terminal's graphics
}

// Work is the next job, false when there is none or one is on its way. What the
// job gives must come back by Finish.
func (v *Viewer) Work() (Job, bool) {
	if v.working || len(v.wanted) == 0 {
		return nil, false
	}
	w := v.wanted[len(v.wanted)-1] // what somebody looks at now
	v.wanted = v.wanted[:len(v.wanted)-1]
	v.working, v.current = true, w
	e := v.entry(w.p.Key)
	j := job{want: w, base: e.base, w: e.w, h: e.h, frames: e.frames}
	return j.run, true
}

// Finish takes what a job came to. It gives what is to be sent to the terminal,
// and whether the screen may look otherwise now.
func (v *Viewer) Finish(d Done) (send string, changed bool) {
	v.working, v.current = false, want{}
	e := v.entry(d.job.want.p.Key)
	if d.stopped {
		return "", false
	}
	e.problem, e.base, e.w, e.h, e.frames = d.problem, d.base, d.w, d.h, d.frames
	if d.problem == "" {
		if d.made.of.means == Graphics {
			d.made.handle, send = v.term.send(d.png, d.made.w, d.made.h, v.clock)
			if d.made.handle != nil {
				d.made.marks = d.made.handle.marks(d.made.w, d.made.h)
			}
		}
		send += v.keep(e, d.made)
	}
	return send + v.tidy(), true
}

// keep adds a drawing to those of a picture; the oldest goes.
func (v *Viewer) keep(e *entry, d drawing) (send string) {
	for i, old := range e.drawings {
		if old.of == d.of || i == 0 && len(e.drawings) >= maxDrawings {
			send = v.term.drop(old.handle)
			e.drawings = slices.Delete(e.drawings, i, i+1)
			break
		}
	}
	e.drawings = append(e.drawings, d)
	return send
}

// tidy lets go of what was not looked at for longest.
func (v *Viewer) tidy() (send string) {
	kept := 0
	var all []*entry
	keys := map[*entry]string{}
	for key, e := range v.entries {
		all, keys[e] = append(all, e), key
	}
	slices.SortFunc(all, func(a, b *entry) int { return cmp.Compare(b.used, a.used) })
	for i, e := range all {
		if e.base != nil {
			if kept += len(e.base.Pix); kept > maxKept && i > 0 {
				e.base = nil
			}
		}
		if i >= maxEntries {
			for _, d := range e.drawings {
				send += v.term.drop(d.handle)
			}
			delete(v.entries, keys[e])
		}
	}
	return send
}

// job is one drawing to be made.
type job struct {
	want   want
	base   *image.RGBA // nil: to be decoded
	w, h   int
	frames int
}

func (j job) run(ctx context.Context) Done {
	d := Done{job: j, base: j.base, w: j.w, h: j.h, frames: j.frames}
	if d.base == nil {
		m, err := picture.Decode(j.want.p.Data)
		if err != nil {
			d.problem = err.Error()
			return d
		}
		info, _ := picture.Examine(j.want.p.Data)
		d.w, d.h, d.frames = m.Bounds().Dx(), m.Bounds().Dy(), info.Frames
		if d.base, err = reduce(ctx, m, maxEdge); err != nil {
			d.stopped = errors.Is(err, ctx.Err())
			d.problem = err.Error()
			return d
		}
	}
	of := j.want.of
	cols, rows := of.cell.fit(d.w, d.h, of.w, of.h, of.means)
	d.made = drawing{of: of, w: cols, h: rows}
	backed := of.ground.behind(d.base)
	if of.means == Graphics {
		d.png = encode(backed, cols*of.cell.w, rows*of.cell.h)
	}
	d.made.rows = of.rows(backed, cols, rows)
	return d
}

// rows draws in cells; for the terminal's graphics these are shown until the
// terminal has the picture.
func (s size) rows(m *image.RGBA, cols, rows int) cell.Block {
	tall := 1
	if s.means == Blocks || s.means == Graphics {
		tall = 2
	}
	small := image.NewRGBA(image.Rect(0, 0, cols, rows*tall))
	draw.BiLinear.Scale(small, small.Bounds(), m, m.Bounds(), draw.Src, nil)
	s.ground.under(small)
	switch {
	case s.means == Shades:
		return shades(small, s.ground.light)
	case tall == 1:
		return tiles(small, inkOf(s.colours))
	}
	return blocks(small, inkOf(s.colours))
}

// reduce brings a picture to at most edge pixels on its long edge, by the mean
// of squares of pixels. It goes through it a few rows at a time, so that no copy
// of all of it is made.
func reduce(ctx context.Context, m image.Image, edge int) (*image.RGBA, error) {
	b := m.Bounds()
	w, h := b.Dx(), b.Dy()
	n := max((max(w, h)+edge-1)/edge, 1)
	out := image.NewRGBA(image.Rect(0, 0, max(w/n, 1), max(h/n, 1)))
	if n == 1 {
		draw.Draw(out, out.Bounds(), m, b.Min, draw.Src)
		return out, ctx.Err()
	}
	across, down := min(n, w), min(n, h)
	strip := image.NewRGBA(image.Rect(0, 0, w, down))
	for y := range out.Rect.Dy() {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		draw.Draw(strip, strip.Bounds(), m, image.Pt(b.Min.X, b.Min.Y+y*n), draw.Src)
		for x := range out.Rect.Dx() {
			mean(out.Pix[y*out.Stride+4*x:], strip, x*n, across, down)
		}
	}
	return out, nil
}

// mean writes the mean of a rectangle of a strip.
func mean(to []uint8, strip *image.RGBA, x, across, down int) {
	var sum [4]uint32
	for dy := range down {
		row := strip.Pix[dy*strip.Stride+4*x:]
		for row = row[:4*across]; len(row) >= 4; row = row[4:] {
			sum[0] += uint32(row[0])
			sum[1] += uint32(row[1])
			sum[2] += uint32(row[2])
			sum[3] += uint32(row[3])
		}
	}
	n := uint32(across * down)
	for i, s := range sum {
		to[i] = uint8((s + n/2) / n)
	}
}

// ground is what lies behind a picture that is not opaque.
type ground struct {
	light  bool       // not known to be so: taken for dark
	colour color.RGBA // it, or what stands for it
}

func groundOf(t themes.Theme) ground {
	g := ground{light: t.Ground == themes.Light, colour: color.RGBA{A: 255}}
	if g.light {
		g.colour = color.RGBA{255, 255, 255, 255}
	}
	if c := t.Tints[themes.Bg].Color; c.Kind == themes.RGB {
		g.colour = color.RGBA{c.R, c.G, c.B, 255}
	}
	return g
}

// under mixes the pixels that are not opaque with the ground. Those that are
// hardly there are left to it.
func (g ground) under(m *image.RGBA) {
	back := [3]uint8{g.colour.R, g.colour.G, g.colour.B}
	for i := 0; i+3 < len(m.Pix); i += 4 {
		a := uint32(m.Pix[i+3])
		if a < 16 {
			clear(m.Pix[i : i+4])
			continue
		}
		for c := range 3 {
			m.Pix[i+c] = uint8(min(uint32(m.Pix[i+c])+uint32(back[c])*(255-a)/255, 255))
		}
		m.Pix[i+3] = 255
	}
}

// behind is a picture with paper behind it when it would not be seen on the
// ground: black lines on nothing are drawn for paper. Else it stays as it is.
func (g ground) behind(m *image.RGBA) *image.RGBA {
	if m.Opaque() {
		return m
	}
	brightest, darkest, weight := 0, 0, 0 // of the channels of what is there
	for i := 0; i+3 < len(m.Pix); i += 4 {
		r, g, b := int(m.Pix[i]), int(m.Pix[i+1]), int(m.Pix[i+2])
		brightest += max(r, g, b)
		darkest += min(r, g, b)
		weight += int(m.Pix[i+3])
	}
	paper := color.RGBA{240, 240, 240, 255}
	switch {
	case g.light && 4*darkest > 3*weight:
		paper = color.RGBA{24, 24, 24, 255}
	case g.light || 4*brightest >= weight:
		return m
	}
	out := image.NewRGBA(m.Bounds())
	draw.Draw(out, out.Bounds(), image.NewUniform(paper), image.Point{}, draw.Src)
	draw.Draw(out, out.Bounds(), m, m.Bounds().Min, draw.Over)
	return out
}
