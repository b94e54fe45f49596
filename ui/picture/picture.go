// Package picture draws pictures in rectangles of cells: with the terminal's
// own graphics where it answers that it has them (the kitty protocol, by
// placeholders that are text and scroll, end and are covered like text), in
// half blocks elsewhere, in shades where there is no colour. A picture is
// hostile: it is decoded away from the screen's goroutine, by one job at a time,
// and what cannot be drawn is told in words in its place.
//
// The package knows pictures and cells, and nothing of blocks, results or keys.
// Bytes for the terminal are returned, never written.
package picture

import (
	"fmt"
	"image"
	"image/color"
	"slices"

	"github.com/charmbracelet/colorprofile"

	"perch/themes"
	"perch/ui/cell"
	"perch/ui/prose"
	"perch/ui/words"
)

// What is kept.
const (
	maxEdge     = 1600     // pixels of the long edge of a decoded picture
	maxKept     = 40 << 20 // bytes of decoded pictures
	maxEntries  = 256      // pictures that something is known of
	maxDrawings = 3        // sizes of one picture
	maxCells    = 1000     // columns or rows
)

// Picture is what is to be drawn.
type Picture struct {
	// Key names the bytes: equal keys are equal pictures.
	Key  string
	Data []byte
	Type string // what it is said to be: image/png
	W, H int    // pixels, 0 when that is not known yet
}

// Means is how a picture is drawn.
type Means uint8

// The means, from the poorest.
const (
	Shades   Means = iota // characters, darker and lighter
	Tiles                 // a coloured blank a cell
	Blocks                // two pixels a cell
	Graphics              // the terminal's own
)

// String is the means in words.
func (m Means) String() string {
	return [...]string{"shades", "coloured cells", "half blocks", "terminal graphics"}[m]
}

// Drawing is a picture in cells.
type Drawing struct {
	Rows  cell.Block // H rows of W cells
	W, H  int
	Means Means
	// Ready is false while the picture is being decoded, and for words in place
	// of one.
	Ready bool
	// Problem is why it cannot be drawn, empty when it can.
	Problem string
}

// Options of a viewer.
type Options struct {
	Getenv func(string) string
	// Wake is called, from who draws, when there is new work; nil: nobody is
	// told. It must not draw.
	Wake func()
	// Group tells our pictures in the terminal from those of others: 1 to 127;
	// 0: chosen at random.
	Group uint8
	// Plain leaves the terminal's graphics alone.
	Plain bool
}

// Viewer draws pictures on one terminal and keeps what it has drawn. It is for
// one goroutine, but for the jobs that it gives.
type Viewer struct {
	o       Options
	term    terminal
	look    *cell.Look
	colours colorprofile.Profile
	entries map[string]*entry
	clock   int  // of use
	working bool // a job is on its way, for the current one
	current want
	wanted  []want
}

// New makes a viewer. Look must be called before it draws.
func New(o Options) *Viewer {
	if o.Getenv == nil {
		o.Getenv = func(string) string { return "" }
	}
	return &Viewer{o: o, term: newTerminal(o), entries: map[string]*entry{}}
}

// Look tells the viewer how the screen looks now: after each change of the theme
// and of what the terminal said of its colours.
func (v *Viewer) Look(k *cell.Look, colours colorprofile.Profile) {
	v.look, v.colours = k, colours
}

// means is how pictures are drawn as things stand.
func (v *Viewer) means() Means {
	switch {
	case v.colours == colorprofile.ASCII || v.colours == colorprofile.NoTTY || colourless(v.look.Theme):
		return Shades
	case v.look.ASCII:
		return Tiles
	case v.term.draws && v.colours >= colorprofile.ANSI256:
		return Graphics
	}
	return Blocks
}

// colourless reports whether a theme has no colour at all.
func colourless(t themes.Theme) bool {
	for r := themes.Bg; r < themes.Roles; r++ {
		if t.Tints[r].Color.Kind != themes.Default {
			return false
		}
	}
	return true
}

// entry is what is known of a picture.
type entry struct {
	used     int
	w, h     int // pixels, 0: not known yet
	frames   int
	problem  string // why it cannot be drawn
	base     *image.RGBA
	drawings []drawing
}

// size is all that a drawing depends on beside the picture.
type size struct {
	w, h    int // the room, in cells
	means   Means
	cell    cellSize
	ground  ground
	colours colorprofile.Profile
}

type drawing struct {
	of     size
	rows   cell.Block // of cells
	w, h   int
	marks  cell.Block // placeholders for the terminal's graphics
	handle *handle
}

// Draw is a picture in at most w×h cells. The first time it is blank, with a
// word, and a job is wanted; see Work.
func (v *Viewer) Draw(p Picture, w, h int) Drawing {
	w, h = min(w, maxCells), min(h, maxCells)
	if v.look == nil || w <= 0 || h <= 0 {
		return Drawing{}
	}
	e := v.entry(p.Key)
	if e.problem != "" {
		return v.words(e.problem, w, h)
	}
	of := v.size(w, h)
	for i := range e.drawings {
		d := &e.drawings[i]
		if d.of != of {
			continue
		}
		if d.handle != nil && d.handle.gone {
			v.want(want{p: p, of: of}) // the terminal has it no more
		}
		return v.drawn(d)
	}
	v.want(want{p: p, of: of})
	for i := range e.drawings { // better than nothing: another theme's
		if d := &e.drawings[i]; d.of.w == w && d.of.h == h {
			return v.drawn(d)
		}
	}
	pw, ph := p.W, p.H
	if e.w > 0 {
		pw, ph = e.w, e.h
	}
	cols, rows := min(w, 20), 1
	if pw > 0 && ph > 0 {
		cols, rows = v.term.cell.fit(pw, ph, w, h, of.means)
	}
	return Drawing{Rows: v.look.Lines([]cell.Line{cell.Own(themes.Muted, "drawing")}, cols, rows), W: cols, H: rows, Means: of.means}
}

// size is what drawings in a room depend on now.
func (v *Viewer) size(w, h int) size {
	s := size{w: w, h: h, means: v.means(), cell: v.term.cell, ground: groundOf(v.look.Theme), colours: v.colours}
	if s.means == Graphics { // the terminal mixes and has its own colours
		s.ground.colour, s.colours = color.RGBA{}, colorprofile.TrueColor
	}
	return s
}

// drawn is a drawing as far as the terminal has it.
func (v *Viewer) drawn(d *drawing) Drawing {
	out := Drawing{Rows: d.rows, W: d.w, H: d.h, Means: d.of.means, Ready: true}
	if d.of.means != Graphics {
		return out
	}
	if d.handle != nil && d.handle.shown {
		d.handle.used = v.clock
		out.Rows = d.marks
		return out
	}
	out.Means = Blocks // until the terminal has it
	return out
}

// words stand in place of a picture.
func (v *Viewer) words(problem string, w, h int) Drawing {
	lines := prose.Text(v.look, themes.Muted, "not drawn: "+problem, w)
	h = min(h, len(lines))
	return Drawing{Rows: v.look.Lines(lines, w, h), W: w, H: h, Problem: problem}
}

func (v *Viewer) entry(key string) *entry {
	v.clock++
	e := v.entries[key]
	if e == nil {
		e = &entry{}
		v.entries[key] = e
	}
	e.used = v.clock
	return e
}

// Size is the room that a picture of so many pixels takes within w×h cells.
func (v *Viewer) Size(pw, ph, w, h int) (cols, rows int) {
	if v.look == nil || w <= 0 || h <= 0 || pw <= 0 || ph <= 0 {
		return 0, 0
	}
	return v.term.cell.fit(pw, ph, min(w, maxCells), min(h, maxCells), v.means())
}

// Box is a picture in a frame of at most w×h cells, with a note at its foot, as
// in "half blocks · enter opens it".
func (v *Viewer) Box(p Picture, w, h int, note string) cell.Block {
	if v.look == nil || w < 6 || h < 3 {
		return nil
	}
	d := v.Draw(p, w-4, h-2)
	foot := note
	if d.Problem == "" {
		foot = d.Means.String()
		if note != "" {
			foot += " · " + note
		}
	}
	inner := min(max(d.W, v.look.Width(cell.Own(themes.Muted, foot))), w-4)
	edge := cell.Fg(themes.Border)
	line := func(left, right string, fill cell.Line) string {
		var l cell.Line
		l.Own(edge, left).Add(fill)
		for n := v.look.Width(l); n < inner+3; n++ {
			l.Own(edge, "─")
		}
		return v.look.Row(*l.Own(edge, right), inner+4)
	}
	out := cell.Block{line("┌", "┐", cell.Line{})}
	for _, row := range d.Rows {
		var l cell.Line
		l.Own(edge, "│ ").Drawn(row, d.W).Gap().Own(edge, "│")
		out = append(out, v.look.Row(l, inner+4))
	}
	var label cell.Line
	label.Own(edge, " ").OwnIn(cell.Fg(themes.Muted), foot, min(inner, v.look.Width(cell.Own(themes.Muted, foot)))).Own(edge, " ")
	return append(out, line("└", "┘", label))
}

// Caption says what a picture is: image/png, 640×400, 30.1 KiB.
func (v *Viewer) Caption(p Picture) cell.Line {
	var l cell.Line
	l.Text(cell.Fg(themes.Text), p.Type)
	w, h, frames := p.W, p.H, 0
	if e := v.entries[p.Key]; e != nil && e.w > 0 {
		w, h, frames = e.w, e.h, e.frames
	}
	text := ""
	if w > 0 {
		text += fmt.Sprintf(", %d×%d", w, h)
	}
	if frames > 1 {
		text += ", the first of " + words.Count(frames) + " frames"
	}
	return *l.Own(cell.Fg(themes.Text), text+", "+words.Size(len(p.Data)))
}

// want is a drawing that somebody looked for.
type want struct {
	p  Picture
	of size
}

// want asks for a job. Of one picture the newest size counts: while a window is
// being dragged the ones before are of no use.
func (v *Viewer) want(w want) {
	same := func(other want) bool { return other.p.Key == w.p.Key && other.of == w.of }
	if v.working && same(v.current) || slices.ContainsFunc(v.wanted, same) {
		return
	}
	v.wanted = slices.DeleteFunc(v.wanted, func(old want) bool { return old.p.Key == w.p.Key })
	v.wanted = append(v.wanted, w)
	if len(v.wanted) > maxEntries {
		v.wanted = v.wanted[1:]
	}
	if !v.working && v.o.Wake != nil {
		v.o.Wake()
	}
}
