package themes

import "math"

// Contrast is the contrast of two colours as WCAG 2 counts it, from 1 to 21.
// It is 0 when one of them is the terminal's own, which nobody knows.
func Contrast(a, b Color) float64 {
	if a.Kind != RGB || b.Kind != RGB {
		return 0
	}
	return ratio(luminance(a), luminance(b))
}

// ratio is the contrast of two luminances.
func ratio(a, b float64) float64 {
	return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}

func luminance(c Color) float64 {
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// LeastContrast is the least contrast of a palette's text roles on its bg,
// surface and selection, and where it is. It is 0 for palettes that take the
// terminal's own colours.
func (t Theme) LeastContrast() (least float64, text, ground Role) {
	least = math.Inf(1)
	for _, r := range TextRoles() {
		for _, g := range []Role{Bg, Surface, Selection} {
			if c := Contrast(t.Tints[r].Color, t.Tints[g].Color); c < least {
				least, text, ground = c, r, g
			}
		}
	}
	return least, text, ground
}

// TextRoles are the roles that words are written in.
func TextRoles() []Role {
	roles := []Role{Text, Muted, Faint, Changed}
	for r := Accent; r < Roles; r++ {
		roles = append(roles, r)
	}
	return roles
}
