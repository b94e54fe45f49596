package themes_test

import (
	"math"
	"testing"

	"perch/themes"
)

// meanings are the roles that must never be taken for one another.
func meanings() []themes.Role {
	return []themes.Role{themes.OK, themes.Warning, themes.Error, themes.Notice, themes.Info}
}

// apart is how far from each other the meanings are in the two palettes that
// are safe for colour-blind people, whatever the eye: five times what can just
// be told apart side by side. In 256 colours it is less than half of it.
const (
	apart    = 10
	apart256 = 5
)

// eyes are the kinds of colour vision, by what they make of linear RGB at full
// severity (Machado, Oliveira and Fernandes, 2009).
func eyes() map[string][3][3]float64 {
	return map[string][3][3]float64{
		"common":      {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		"protanope":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
		"deuteranope": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
		"tritanope":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
	}
}

// seen is a colour as an eye sees it.
func seen(c themes.Color, eye [3][3]float64) themes.Color {
	linear := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	channel := func(x float64) uint8 {
		x = min(max(x, 0), 1)
		if x <= 0.0031308 {
			return uint8(math.Round(255 * 12.92 * x))
		}
		return uint8(math.Round(255 * (1.055*math.Pow(x, 1/2.4) - 0.055)))
	}
	in := [3]float64{linear(c.R), linear(c.G), linear(c.B)}
	var out [3]float64
	for i := range out {
		for j := range in {
			out[i] += eye[i][j] * in[j]
		}
	}
	return themes.Color{Kind: themes.RGB, R: channel(out[0]), G: channel(out[1]), B: channel(out[2])}
}

// least is the least distance between two of the roles, and which they are.
func least(th themes.Theme, eye [3][3]float64, roles []themes.Role) (d float64, a, b themes.Role) {
	d = math.Inf(1)
	for i, x := range roles {
		for _, y := range roles[:i] {
			if got := themes.Distance(seen(th.Tints[x].Color, eye), seen(th.Tints[y].Color, eye)); got < d {
				d, a, b = got, x, y
			}
		}
	}
	return d, a, b
}

func TestSafeForEveryEye(t *testing.T) {
	for _, name := range []string{"okabe", "okabe-day"} {
		th, err := themes.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for eye, matrix := range eyes() {
			for _, roles := range [][]themes.Role{
				meanings(),
				{themes.DiffAdd, themes.DiffDel},
				{themes.ToModule, themes.FromModule},
				{themes.Key, themes.String},
			} {
				if d, a, b := least(th, matrix, roles); d < apart {
					t.Errorf("%s: to a %s eye %s and %s are %.1f apart, less than %d", name, eye, a, b, d, apart)
				}
				if d, a, b := least(th.Within256(), matrix, roles); d < apart256 {
					t.Errorf("%s in 256 colours: to a %s eye %s and %s are %.1f apart, less than %d", name, eye, a, b, d, apart256)
				}
			}
		}
	}
}

// The measure can fail: to a deuteranope red and green of one lightness are one
// colour.
func TestEyes(t *testing.T) {
	red := themes.Color{Kind: themes.RGB, R: 0xd0, G: 0x5b, B: 0x4f}
	green := themes.Color{Kind: themes.RGB, R: 0x8a, G: 0x8b, B: 0x45}
	all := eyes()
	common := themes.Distance(seen(red, all["common"]), seen(green, all["common"]))
	blind := themes.Distance(seen(red, all["deuteranope"]), seen(green, all["deuteranope"]))
	if common < 15 || blind > 6 {
		t.Errorf("red and green are %.1f apart to a common eye, %.1f to a deuteranope's", common, blind)
	}
	black, white := themes.Color{Kind: themes.RGB}, themes.Color{Kind: themes.RGB, R: 255, G: 255, B: 255}
	if d := themes.Distance(black, white); d < 99.9 || d > 100.1 {
		t.Errorf("black and white are %.2f apart", d)
	}
	if d := themes.Distance(white, themes.Color{}); d != 0 {
		t.Errorf("white and an unknown colour are %.2f apart", d)
	}
	for eye, matrix := range all {
		if d := themes.Distance(seen(white, matrix), white); d > 0.5 {
			t.Errorf("to a %s eye white is %.2f off white", eye, d)
		}
	}
}
