// Package picture reads the pictures that a module wrote: what kind they are,
// how large, whether they are whole. A picture is hostile: its header comes
// first, what it says is never believed for an allocation, and what is too
// large is said to be so and not decoded.
//
// Three depths, each dearer than the one before: Examine walks a picture's
// parts and takes no memory; Body reads the pixels' data through and keeps none
// of it; Decode makes an image of it.
//
// The package knows bytes, and nothing of blocks, answers or terminals.
package picture

import (
	"fmt"

	"perch/engine/abi"
)

// Kind is what a picture is by its first bytes.
type Kind string

// The kinds that Subako shows to a model (ABI page, content blocks).
const (
	None Kind = "" // none of them
	PNG  Kind = "PNG"
	JPEG Kind = "JPEG"
	GIF  Kind = "GIF"
	WebP Kind = "WebP"
)

// Info is what a picture says of itself.
type Info struct {
	Kind   Kind
	W, H   int // pixels; 0: it does not say
	Frames int // 1, of an animation more; as far as it could be counted
	// Memory is about what decoding takes, in bytes, by what the header says.
	Memory int64
	// Odd is why our decoder does not read it although nothing is wrong with it;
	// empty: it does.
	Odd string
}

// Pixels is the picture's area.
func (i Info) Pixels() int64 { return int64(i.W) * int64(i.H) }

// Fault is what is wrong with a picture.
type Fault struct {
	At     int    // the byte of the picture that it is about
	Detail string // goes on from "a PNG image "
	Fix    string
}

// Examine reads a picture's header and walks its parts to the end. It is linear
// in its bytes and decodes no pixel. The Info holds what was read before a
// fault.
func Examine(b []byte) (Info, *Fault) {
	switch kindOf(b) {
	case PNG:
		p, f := walkPNG(b)
		return p.info, f
	case JPEG:
		return walkJPEG(b)
	case GIF:
		g, f := walkGIF(b)
		return g.info, f
	case WebP:
		w, f := walkWebP(b)
		return w.info, f
	}
	return Info{}, &Fault{Detail: "is no PNG, JPEG, GIF or WebP", Fix: "Write an image of one of these kinds."}
}

func kindOf(b []byte) Kind {
	starts := func(s string) bool { return len(b) >= len(s) && string(b[:len(s)]) == s }
	switch {
	case starts(pngMagic):
		return PNG
	case starts("\xff\xd8\xff"):
		return JPEG
	case starts("GIF87a"), starts("GIF89a"):
		return GIF
	case starts("RIFF") && len(b) >= 12 && string(b[8:12]) == "WEBP":
		return WebP
	}
	return None
}

// TooLarge says why a picture is not decoded; "" when it is.
func (i Info) TooLarge() string {
	switch {
	case i.Pixels() > abi.MaxImagePixels:
		return fmt.Sprintf("over %d megapixels (our limit)", abi.MaxImagePixels/1_000_000)
	case i.Memory > abi.MaxImageMemory:
		return fmt.Sprintf("decoding it takes over %d MiB (our limit)", abi.MaxImageMemory>>20)
	}
	return ""
}

// Scaled is the size at which a model sees a picture: its long edge is brought
// down to abi.MaxImageEdge pixels. How Subako rounds is not published: here to
// the nearest pixel, and never below 1.
func (i Info) Scaled() (w, h int) {
	long := max(i.W, i.H)
	if long <= abi.MaxImageEdge {
		return i.W, i.H
	}
	scale := func(n int) int {
		return max(1, int((int64(n)*abi.MaxImageEdge*2+int64(long))/(2*int64(long))))
	}
	return scale(i.W), scale(i.H)
}

func cut(at int, what string) *Fault {
	return &Fault{At: at, Detail: "is cut short: " + what, Fix: "Write all of it."}
}
