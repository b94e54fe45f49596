package uitest

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// The font is DejaVu Sans Mono 2.37, as it is, compressed; its licence lies
// beside it. With it pictures are the same on every machine.
//
//go:embed font
var fonts embed.FS

// Size of a cell and of the font, in pixels.
const (
	cellWidth  = 9
	cellHeight = 19
	fontSize   = 15
	smallSize  = 9
	baseline   = 15
)

type faces struct{ regular, bold, small font.Face }

var loadFaces = sync.OnceValues(func() (faces, error) {
	regular, err := loadFace("font/DejaVuSansMono.ttf.gz", fontSize)
	if err != nil {
		return faces{}, err
	}
	bold, err := loadFace("font/DejaVuSansMono-Bold.ttf.gz", fontSize)
	if err != nil {
		return faces{}, err
	}
	small, err := loadFace("font/DejaVuSansMono.ttf.gz", smallSize)
	return faces{regular, bold, small}, err
})

func loadFace(name string, size float64) (font.Face, error) {
	packed, err := fonts.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("opening the font: %w", err)
	}
	zr, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("unpacking the font %s: %w", name, err)
	}
	ttf, err := io.ReadAll(zr)
	if err != nil {
		return nil, fmt.Errorf("unpacking the font %s: %w", name, err)
	}
	parsed, err := opentype.Parse(ttf)
	if err != nil {
		return nil, fmt.Errorf("reading the font %s: %w", name, err)
	}
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		return nil, fmt.Errorf("preparing the font %s: %w", name, err)
	}
	return face, nil
}

// faceLock guards the faces, which are not for several goroutines.
var faceLock sync.Mutex

// Image draws the screen.
func (s Screen) Image() (image.Image, error) {
	f, err := loadFaces()
	if err != nil {
		return nil, err
	}
	faceLock.Lock()
	defer faceLock.Unlock()
	img := image.NewRGBA(image.Rect(0, 0, s.Width*cellWidth, s.Height*cellHeight))
	draw.Draw(img, img.Bounds(), image.NewUniform(s.Bg), image.Point{}, draw.Src)
	for y, row := range s.Rows {
		for x, c := range row {
			s.drawCell(img, f, c, x, y)
		}
	}
	s.drawCursor(img)
	return img, nil
}

func (s Screen) drawCell(img *image.RGBA, f faces, c Cell, x, y int) {
	if c.Width == 0 {
		return
	}
	fg, bg := s.colours(c)
	box := image.Rect(x*cellWidth, y*cellHeight, (x+c.Width)*cellWidth, (y+1)*cellHeight)
	draw.Draw(img, box, image.NewUniform(bg), image.Point{}, draw.Src)
	if c.Text != " " && c.Text != "" {
		p := pen{img: img, box: box, ink: fg}
		switch r := []rune(c.Text); {
		case len(r) == 1 && p.shape(r[0]):
		case len(r) == 1 && controlName(r[0]) != "":
			p.control(f, controlName(r[0]))
		default:
			p.glyphs(f, c, r)
		}
	}
	if c.Underline {
		line := image.Rect(box.Min.X, box.Max.Y-2, box.Max.X, box.Max.Y-1)
		draw.Draw(img, line, image.NewUniform(fg), image.Point{}, draw.Src)
	}
}

func (s Screen) colours(c Cell) (fg, bg color.Color) {
	fg, bg = c.Fg, c.Bg
	if fg == nil {
		fg = s.Fg
	}
	if bg == nil {
		bg = s.Bg
	}
	if c.Reverse {
		fg, bg = bg, fg
	}
	if c.Faint {
		fg = mix(fg, bg)
	}
	return fg, bg
}

// mix is the colour between two.
func mix(a, b color.Color) color.Color {
	r, g, u, _ := a.RGBA()
	x, y, z, _ := b.RGBA()
	half := func(a, b uint32) uint8 { return uint8((a*3 + b*2) / 5 >> 8) }
	return color.RGBA{half(r, x), half(g, y), half(u, z), 255}
}

// glyphs draws characters by the font; those that it lacks are an empty box.
func (p pen) glyphs(f faces, c Cell, text []rune) {
	face := f.regular
	if c.Bold {
		face = f.bold
	}
	d := font.Drawer{Dst: p.img, Src: image.NewUniform(p.ink), Face: face, Dot: fixed.P(p.box.Min.X, p.box.Min.Y+baseline)}
	for i, r := range text {
		if r == 0x200d || r == 0xfe0f {
			continue
		}
		if _, ok := face.GlyphAdvance(r); !ok {
			if i == 0 {
				p.missing()
			}
			return
		}
		if i > 0 { // a mark goes over the character before it
			d.Dot = fixed.P(p.box.Min.X, p.box.Min.Y+baseline)
		}
		d.DrawString(string(r))
	}
}

// controlName is what stands in the picture of a control character, which the
// font does not have.
func controlName(r rune) string {
	switch {
	case r == '␡':
		return "DT"
	case r >= 0x2400 && r <= 0x241f:
		return "NUSHSXEXETEQAKBLBSHTLFVTFFCRSOSIDED1D2D3D4NKSYEBCNEMSBECFSGSRSUS"[2*(r-0x2400):][:2]
	}
	return ""
}

// control draws two small letters, one up and one down, as charts do.
func (p pen) control(f faces, name string) {
	d := font.Drawer{Dst: p.img, Src: image.NewUniform(p.ink), Face: f.small}
	d.Dot = fixed.P(p.box.Min.X, p.box.Min.Y+9)
	d.DrawString(name[:1])
	d.Dot = fixed.P(p.box.Min.X+4, p.box.Min.Y+16)
	d.DrawString(name[1:])
}

func (p pen) missing() {
	in := p.box.Inset(3)
	p.fill(in.Min.X, in.Min.Y, in.Max.X, in.Min.Y+1)
	p.fill(in.Min.X, in.Max.Y-1, in.Max.X, in.Max.Y)
	p.fill(in.Min.X, in.Min.Y, in.Min.X+1, in.Max.Y)
	p.fill(in.Max.X-1, in.Min.Y, in.Max.X, in.Max.Y)
}

func (s Screen) drawCursor(img *image.RGBA) {
	x, y := s.CursorX*cellWidth, s.CursorY*cellHeight
	box := image.Rect(x, y, x+cellWidth, y+cellHeight)
	ink := image.NewUniform(s.Fg)
	switch s.Cursor {
	case Bar:
		box.Max.X = x + 2
	case Underline:
		box.Min.Y = box.Max.Y - 2
	case Block:
		ink = image.NewUniform(color.RGBA{R: 200, G: 200, B: 200, A: 110})
	default:
		return
	}
	draw.Draw(img, box, ink, image.Point{}, draw.Over)
}

// PNG writes a picture of the screen.
func (s Screen) PNG(w io.Writer) error {
	img, err := s.Image()
	if err != nil {
		return err
	}
	if err := png.Encode(w, img); err != nil {
		return fmt.Errorf("writing the picture: %w", err)
	}
	return nil
}

// SavePNG writes a picture of the screen to a file, and makes its folder.
func (s Screen) SavePNG(t testing.TB, path string) {
	t.Helper()
	var b bytes.Buffer
	if err := s.PNG(&b); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Missing lists the characters of a text that pictures cannot show.
func Missing(text string) string {
	f, err := loadFaces()
	if err != nil {
		return text
	}
	faceLock.Lock()
	defer faceLock.Unlock()
	img := image.NewRGBA(image.Rect(0, 0, cellWidth, cellHeight))
	out := ""
	for _, r := range text {
		if (pen{img: img, box: img.Bounds(), ink: color.White}).shape(r) || controlName(r) != "" {
			continue
		}
		for _, face := range []font.Face{f.regular, f.bold} {
			if _, ok := face.GlyphAdvance(r); !ok {
				out += string(r)
				break
			}
		}
	}
	return out
}
