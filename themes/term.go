package themes

// Of256 is a colour of the table of 256 that terminals have: the first 16 by
// name, the others fixed.
func Of256(i uint8) Color {
	if i < 16 {
		return Color{Kind: Named, Index: i}
	}
	return fixed240()[i-16]
}

// readable is the least contrast at which text is not out of sight.
const readable = 1.5

// Apart reports whether text in a colour can be seen on a ground. A named colour
// is taken as xterm has it; the terminal's own may be black or white.
func Apart(text, ground Color) bool {
	if text.Kind == Default && ground.Kind == Default {
		return true
	}
	for _, a := range likely(text) {
		for _, b := range likely(ground) {
			if Contrast(a, b) < readable {
				return false
			}
		}
	}
	return true
}

// likely are the colours that one may be.
func likely(c Color) []Color {
	switch c.Kind {
	case RGB:
		return []Color{c}
	case Named:
		return []Color{xterm(c.Index)}
	}
	return []Color{{Kind: RGB}, {Kind: RGB, R: 255, G: 255, B: 255}}
}

// xterm is a named colour as xterm has it.
func xterm(i uint8) Color {
	rgb := [16][3]uint8{
		{0, 0, 0}, {205, 0, 0}, {0, 205, 0}, {205, 205, 0}, {0, 0, 238}, {205, 0, 205}, {0, 205, 205}, {229, 229, 229},
		{127, 127, 127}, {255, 0, 0}, {0, 255, 0}, {255, 255, 0}, {92, 92, 255}, {255, 0, 255}, {0, 255, 255}, {255, 255, 255},
	}[i&15]
	return Color{Kind: RGB, R: rgb[0], G: rgb[1], B: rgb[2]}
}
