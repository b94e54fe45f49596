package themes

import "math"

// Contrast is the contrast of two colours as WCAG 2 counts it, from 1 to 21.
// It is 0 when one of them is the terminal's own, which nobody knows.
func Contrast(a, b Color) float64 {
	if a.Kind != RGB || b.Kind != RGB {
		return 0
	}
	hi, lo := luminance(a), luminance(b)
	if hi < lo {
		hi, lo = lo, hi
	}
	return (hi + 0.05) / (lo + 0.05)
}

func luminance(c Color) float64 {
	linear := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// LeastContrast is the least contrast of a palette's text roles on its bg,
// surface and selection, and where it is. It is 0 for palettes that take the
// terminal's own colours.
func (t Theme) LeastContrast() (ratio float64, text, ground Role) {
	ratio = math.Inf(1)
	for _, r := range TextRoles() {
		for _, g := range []Role{Bg, Surface, Selection} {
			if c := Contrast(t.Tints[r].Color, t.Tints[g].Color); c < ratio {
				ratio, text, ground = c, r, g
			}
		}
	}
	return ratio, text, ground
}

// TextRoles are the roles that words are written in.
func TextRoles() []Role {
	roles := []Role{Text, Muted, Faint, Changed}
	for r := Accent; r < Roles; r++ {
		roles = append(roles, r)
	}
	return roles
}
