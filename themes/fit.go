package themes

import (
	"math"
	"slices"
)

// Within256 is the palette for a terminal of 256 colours: every RGB colour
// becomes one of the 240 that are the same in all of them (16 to 255 of xterm's
// table), given as RGB. The nearest one is not good enough: grounds stay apart
// from each other and as grey as they were, text takes the nearest that keeps
// the least contrast that the palette promises, and the meanings stay different
// from each other. Where a palette promises more than ContrastFloor and the
// table has no such colour, a role keeps its colour at ContrastFloor: none that
// has a colour becomes grey.
func (t Theme) Within256() Theme {
	if !t.TrueColour() {
		return t
	}
	out := t
	f := newFitter(t, &out)
	f.grounds()
	var meanings []Color
	for _, r := range TextRoles() {
		if r >= OK && r <= Info {
			out.Tints[r].Color = f.text(r, meanings)
			meanings = append(meanings, out.Tints[r].Color)
			continue
		}
		out.Tints[r].Color = f.text(r, nil)
	}
	for _, r := range []Role{BorderFocus, Caret, Match} {
		out.Tints[r].Color = f.text(r, nil)
	}
	f.ground(Border, Bg)
	return out
}

// TrueColour reports whether a palette has colours of its own, which a terminal
// of 16 cannot show.
func (t Theme) TrueColour() bool {
	for _, tint := range t.Tints {
		if tint.Color.Kind == RGB {
			return true
		}
	}
	return false
}

// fixed240 are the colours 16 to 255: a cube of six steps, and 24 greys.
func fixed240() []Color {
	out := make([]Color, 0, 240)
	step := func(i int) uint8 {
		if i == 0 {
			return 0
		}
		return uint8(55 + 40*i)
	}
	for i := range 216 {
		out = append(out, Color{Kind: RGB, R: step(i / 36), G: step(i / 6 % 6), B: step(i % 6)})
	}
	for i := range 24 {
		v := uint8(8 + 10*i)
		out = append(out, Color{Kind: RGB, R: v, G: v, B: v})
	}
	return out
}

// swatch is a colour of the table with what choosing needs.
type swatch struct {
	color Color
	lab   lab
	light float64
}

// grey is the chroma up to which a colour is taken for a grey.
const grey = 0.05

// sameColour is the distance in OKLab up to which a colour is still the one
// that it stands for.
const sameColour = 0.065

// fitter brings a palette into the table.
type fitter struct {
	table []swatch
	from  Theme
	to    *Theme
	floor float64   // the least contrast of text
	light []float64 // of the grounds that were chosen
}

func newFitter(from Theme, to *Theme) *fitter {
	f := &fitter{from: from, to: to, floor: 7}
	for _, c := range fixed240() {
		f.table = append(f.table, swatch{c, labOf(c), luminance(c)})
	}
	if least, _, _ := from.LeastContrast(); least > 0 {
		f.floor = math.Min(least, f.floor)
	}
	return f
}

// grounds brings the grounds into the table. What must be told apart from
// others comes after them.
func (f *fitter) grounds() {
	f.ground(Bg)
	f.ground(Selection, Bg)
	f.ground(Surface, Bg, Selection)
	f.ground(SelectionQuiet, Bg, Selection)
	f.ground(Overlay, Selection)
	f.ground(Field, Selection)
	for r := Bg; r < Roles; r++ {
		if c := f.to.Tints[r].Color; r.IsGround() && c.Kind == RGB {
			f.light = append(f.light, luminance(c))
		}
	}
}

// ground brings one ground into the table, apart from others that it is apart
// from. What it must not change is how light it is: text stands on it.
func (f *fitter) ground(r Role, apart ...Role) {
	c := f.from.Tints[r].Color
	if c.Kind != RGB {
		return
	}
	most := labOf(c).chroma() + 0.02
	f.to.Tints[r].Color, _ = f.nearest(c, 2, func(x swatch) bool {
		if x.lab.chroma() > most {
			return false
		}
		for _, other := range apart {
			if f.to.Tints[other].Color == x.color && f.from.Tints[other].Color != c {
				return false
			}
		}
		return true
	})
}

// text is the colour of a role in the table, none of those that are taken.
func (f *fitter) text(r Role, taken []Color) Color {
	c := f.from.Tints[r].Color
	if c.Kind != RGB {
		return c
	}
	colour := labOf(c).chroma()
	at := func(floor float64) (Color, float64) {
		return f.nearest(c, 1, func(x swatch) bool {
			if slices.Contains(taken, x.color) || colour > grey && x.lab.chroma() < colour/2 {
				return false
			}
			for _, ground := range f.light {
				if ratio(x.light, ground) < floor {
					return false
				}
			}
			return true
		})
	}
	out, far := at(f.floor)
	if far > sameColour && f.floor > ContrastFloor {
		out, _ = at(ContrastFloor)
	}
	return out
}

// nearest is the colour of the table that is nearest to c among those that will
// do, or the nearest of all when none does, and how far it is from c. Lightness
// counts so many times as much as the rest.
func (f *fitter) nearest(c Color, lightness float64, will func(swatch) bool) (Color, float64) {
	to := labOf(c)
	best, found := c, math.Inf(1)
	nearest, least := c, math.Inf(1)
	for _, x := range f.table {
		d := to.distance(x.lab) + (lightness-1)*math.Abs(to.l-x.lab.l)
		if d < least {
			nearest, least = x.color, d
		}
		if d < found && will(x) {
			best, found = x.color, d
		}
	}
	if math.IsInf(found, 1) {
		return nearest, least
	}
	return best, found
}
