package picture

import (
	"compress/lzw"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"perch/engine/quote"
)

// gifFile is a GIF as far as it was walked.
type gifFile struct {
	info   Info
	frames []gifFrame // the first maxGIFFrames
}

// maxGIFFrames is how many frames are looked at one by one.
const maxGIFFrames = 1024

type gifFrame struct {
	at   int
	w, h int
	code int    // bits of the first codes
	data []byte // sub-blocks, their lengths among them
}

// Introducers of GIF (GIF89a, appendix A).
const (
	gifImage     = 0x2c
	gifExtension = 0x21
	gifTrailer   = 0x3b
)

func walkGIF(b []byte) (g gifFile, f *Fault) {
	g.info = Info{Kind: GIF}
	if len(b) < 13 {
		return g, cut(len(b), "it ends within its header")
	}
	g.info.W, g.info.H = int(binary.LittleEndian.Uint16(b[6:])), int(binary.LittleEndian.Uint16(b[8:]))
	g.info.Memory = g.info.Pixels()
	at := 13 + gifColours(b[10])
	for at < len(b) {
		switch b[at] {
		case gifTrailer:
			if g.info.Frames == 0 {
				return g, &Fault{at, "ends without a frame: no pixels", "Write all of it."}
			}
			return g, nil
		case gifExtension:
			at = gifBlocks(b, at+2)
		case gifImage:
			if at+10 >= len(b) {
				return g, cut(at, "it ends within a frame's header")
			}
			frame := gifFrame{at: at, w: int(binary.LittleEndian.Uint16(b[at+5:])), h: int(binary.LittleEndian.Uint16(b[at+7:]))}
			start := at + 10 + gifColours(b[at+9])
			end := gifBlocks(b, start+1)
			if end > len(b) {
				return g, cut(at, fmt.Sprintf("it ends within frame %s", quote.Count(g.info.Frames+1)))
			}
			if frame.code = int(b[start]); frame.code < 1 || frame.code > 8 {
				return g, &Fault{start, fmt.Sprintf("says that the codes of frame %s begin with %d bits", quote.Count(g.info.Frames+1), frame.code), "Write 2 to 8."}
			}
			frame.data = b[start+1 : end]
			g.info.Frames++
			if len(g.frames) < maxGIFFrames {
				g.frames = append(g.frames, frame)
			}
			at = end
		default:
			return g, &Fault{at, fmt.Sprintf("has %02X where a block begins", b[at]), "Begin each block with 2C, 21 or 3B."}
		}
	}
	return g, cut(len(b), "it ends before its trailer, 3B")
}

// gifColours is the length of the table of colours that a byte of flags tells.
func gifColours(flags byte) int {
	if flags&0x80 == 0 {
		return 0
	}
	return 3 << (flags&7 + 1)
}

// gifBlocks is where a row of sub-blocks ends, past the end of b when it does
// not.
func gifBlocks(b []byte, at int) int {
	for at < len(b) {
		n := int(b[at])
		at += n + 1
		if n == 0 {
			return at
		}
	}
	return len(b) + 1
}

// body reads the frames' pixels through and keeps none, most pixels at most.
func (g *gifFile) body(most int64) *Fault {
	buffer := make([]byte, 16<<10)
	for i, frame := range g.frames {
		n := int64(frame.w) * int64(frame.h)
		if most -= n; most < 0 {
			return nil
		}
		if got, err := frame.pixels(n, buffer); err != nil || got < n {
			what := "has pixels that cannot be unpacked"
			if err == nil || errors.Is(err, io.ErrUnexpectedEOF) {
				what = "ends before its pixels do"
			}
			return &Fault{frame.at, fmt.Sprintf("has a frame %s that %s, after %s of %s", quote.Count(i+1), what, quote.Count(got), quote.Plural(n, "pixel")),
				"Write one index a pixel, in LZW codes, low bits first."}
		}
	}
	return nil
}

func (f gifFrame) pixels(n int64, buffer []byte) (got int64, err error) {
	z := lzw.NewReader(&subBlocks{b: f.data}, lzw.LSB, f.code)
	defer z.Close()
	for got < n {
		m, err := z.Read(buffer[:min(n-got, int64(len(buffer)))])
		got += int64(m)
		switch {
		case errors.Is(err, io.EOF):
			return got, nil
		case err != nil:
			return got, err
		}
	}
	return got, nil
}

// subBlocks reads what is in a row of sub-blocks.
type subBlocks struct {
	b    []byte
	left int // of the one that is being read
}

func (s *subBlocks) ReadByte() (byte, error) {
	if s.left == 0 {
		if len(s.b) == 0 || s.b[0] == 0 {
			return 0, io.EOF
		}
		s.left, s.b = int(s.b[0]), s.b[1:]
	}
	c := s.b[0]
	s.b = s.b[1:]
	s.left--
	return c, nil
}

func (s *subBlocks) Read(b []byte) (int, error) {
	for i := range b {
		c, err := s.ReadByte()
		if err != nil {
			return i, err
		}
		b[i] = c
	}
	return len(b), nil
}
