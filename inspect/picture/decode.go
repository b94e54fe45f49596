package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"strings"

	"golang.org/x/image/webp"

	"perch/engine/abi"
)

// Body looks for a fault in the data of the pixels of a picture whose parts are
// whole. It keeps no pixel of a PNG or a GIF and decodes the others, most
// pixels at most: of a larger picture nothing is said. Used is how many pixels
// it looked at.
func Body(b []byte, most int64) (used int64, f *Fault) {
	info, f := Examine(b)
	if f != nil || info.Odd != "" || info.Pixels() > most || info.TooLarge() != "" {
		return 0, f
	}
	switch info.Kind {
	case PNG:
		p, _ := walkPNG(b)
		return info.Pixels(), p.body()
	case GIF:
		g, _ := walkGIF(b)
		return g.pixels(most), g.body(most)
	}
	if w, _ := walkWebP(b); info.Kind == WebP && w.extended {
		return 0, nil // our decoder reads fewer of these than others
	}
	if _, err := decode(b, info); err != nil && !errors.As(err, new(limits)) {
		return info.Pixels(), &Fault{0, "has pixels that cannot be decoded: " + why(err), "Write it with an encoder that others read."}
	}
	return info.Pixels(), nil
}

// limits is what our decoder does not do, with a picture that may be right.
type limits struct{ text string }

func (l limits) Error() string { return l.text }

// pixels is how many pixels the frames have that are looked at.
func (g *gifFile) pixels(most int64) int64 {
	n := int64(0)
	for _, f := range g.frames {
		if next := n + int64(f.w)*int64(f.h); next <= most {
			n = next
		}
	}
	return n
}

// Decode makes an image of a picture, of an animation its first frame. The
// header comes first: what Info.TooLarge tells of is not decoded.
func Decode(b []byte) (image.Image, error) {
	info, f := Examine(b)
	switch {
	case f != nil && info.Pixels() == 0:
		return nil, fmt.Errorf("it %s", f.Detail)
	case info.TooLarge() != "":
		return nil, fmt.Errorf("it is not decoded: %s", info.TooLarge())
	case info.Odd != "":
		return nil, fmt.Errorf("perch does not decode %s", info.Odd)
	}
	m, err := decode(b, info)
	if err != nil {
		if f != nil {
			return nil, fmt.Errorf("it %s", f.Detail)
		}
		return nil, fmt.Errorf("its pixels cannot be decoded: %s", why(err))
	}
	return m, nil
}

func decode(b []byte, info Info) (m image.Image, err error) {
	defer func() { // decoders read what nobody foresaw
		if r := recover(); r != nil {
			m, err = nil, limits{fmt.Sprintf("the decoder gave up: %v", r)}
		}
	}()
	config, read := decoders(info.Kind)
	if w, _ := walkWebP(b); info.Kind == WebP && w.frame != nil {
		b = w.still()
		info.W, info.H, info.Memory = w.fw, w.fh, int64(w.fw)*int64(w.fh)*webpMemory
		if why := info.TooLarge(); why != "" {
			return nil, limits{"its first frame is " + why}
		}
	}
	// The decoder must see the size that was judged, whatever it makes of bytes
	// that stand where they should not.
	if c, err := config(bytes.NewReader(b)); err != nil {
		return nil, limitsOf(err)
	} else if c.Width != info.W || c.Height != info.H || int64(c.Width)*int64(c.Height) > abi.MaxImagePixels {
		return nil, fmt.Errorf("its parts disagree on its size: %d×%d, %d×%d", info.W, info.H, c.Width, c.Height)
	}
	m, err = read(bytes.NewReader(b))
	return m, limitsOf(err)
}

func decoders(k Kind) (func(io.Reader) (image.Config, error), func(io.Reader) (image.Image, error)) {
	switch k {
	case PNG:
		return png.DecodeConfig, png.Decode
	case JPEG:
		return jpeg.DecodeConfig, jpeg.Decode
	case GIF:
		return gif.DecodeConfig, gif.Decode
	}
	return webp.DecodeConfig, webp.Decode
}

func limitsOf(err error) error {
	var unsupported jpeg.UnsupportedError
	if errors.As(err, &unsupported) {
		return limits{err.Error()}
	}
	return err
}

// why is a decoder's error without what goes without saying.
func why(err error) string {
	text := err.Error()
	for _, known := range []string{"png: ", "gif: ", "webp: ", "vp8: ", "vp8l: ", "invalid JPEG format: ", "invalid format: "} {
		text = strings.TrimPrefix(text, known)
	}
	if text == "invalid format" || text == "unexpected EOF" {
		return "their data ends early or is not in the format"
	}
	return strings.ReplaceAll(text, "invalid ", "a wrong ")
}
