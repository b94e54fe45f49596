package themes

import "math"

// lab is a colour in OKLab (Björn Ottosson, 2020), in which equal distances
// look about equally far apart: L from 0 to 1, a and b around 0.
type lab struct{ l, a, b float64 }

// linear is the light of one channel of sRGB, from 0 to 1.
func linear(v uint8) float64 {
	x := float64(v) / 255
	if x <= 0.04045 {
		return x / 12.92
	}
	return math.Pow((x+0.055)/1.055, 2.4)
}

func labOf(c Color) lab {
	r, g, b := linear(c.R), linear(c.G), linear(c.B)
	l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	return lab{
		l: 0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
		a: 1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
		b: 0.0259040371*l + 0.7827717662*m - 0.8086757660*s,
	}
}

func (x lab) distance(y lab) float64 {
	return math.Sqrt((x.l-y.l)*(x.l-y.l) + (x.a-y.a)*(x.a-y.a) + (x.b-y.b)*(x.b-y.b))
}

// chroma is how far a colour is from grey.
func (x lab) chroma() float64 { return math.Hypot(x.a, x.b) }

// Distance is how far apart two colours look: the distance in OKLab times 100,
// from 0 for the same to 100 for black and white. About 2 can just be told
// apart side by side. It is 0 when one of them is the terminal's own.
func Distance(a, b Color) float64 {
	if a.Kind != RGB || b.Kind != RGB {
		return 0
	}
	return 100 * labOf(a).distance(labOf(b))
}
