package picture

import (
	"encoding/binary"
	"fmt"

	"perch/engine/quote"
)

// webpFile is a WebP as far as it was walked.
type webpFile struct {
	info     Info
	extended bool   // it begins with VP8X
	pixels   bool   // it has a picture
	frame    []byte // the first frame's data of an animation, chunks
	fw, fh   int    // its size
}

// Chunks of WebP (RFC 9649).
const (
	webpLossy    = "VP8 "
	webpLossless = "VP8L"
	webpExtended = "VP8X"
	webpFrame    = "ANMF"
	webpAlpha    = "ALPH"
)

const (
	riffHead   = 12 // RIFF, a length, WEBP
	webpMemory = 8  // bytes a pixel: its colours, and tables of as many words
)

func walkWebP(b []byte) (w webpFile, f *Fault) {
	w.info = Info{Kind: WebP, Frames: 1}
	end := int64(binary.LittleEndian.Uint32(b[4:])) + 8
	if end > int64(len(b)) {
		f = cut(len(b), fmt.Sprintf("its RIFF header says %s and it has %s", quote.Plural(end, "byte"), quote.Count(len(b))))
		end = int64(len(b)) // what is there tells the size
	}
	frames := 0
	for at := riffHead; int64(at) < end; {
		name, body, next, bad := webpChunk(b[:end], at)
		if bad != nil {
			return w, firstOf(f, bad)
		}
		if bad := w.chunk(name, body, at, at == riffHead); bad != nil {
			return w, firstOf(f, bad)
		}
		if name == webpFrame {
			frames++
		}
		at = next
	}
	w.info.Frames = max(1, frames)
	if f == nil && !w.pixels {
		f = &Fault{len(b), "holds no picture: no chunk VP8, VP8L or ANMF", "Write the pixels."}
	}
	return w, f
}

func firstOf(a, b *Fault) *Fault {
	if a != nil {
		return a
	}
	return b
}

// webpChunk is the chunk at a place and where the next one begins.
func webpChunk(b []byte, at int) (name string, body []byte, next int, f *Fault) {
	if len(b)-at < 8 {
		return "", nil, 0, cut(at, "it ends within a chunk's header")
	}
	n, room := int64(binary.LittleEndian.Uint32(b[at+4:])), int64(len(b)-at-8)
	name = string(b[at : at+4])
	if n > room {
		return "", nil, 0, cut(at, fmt.Sprintf("its chunk %s says %s and has %s", quote.Text(name), quote.Plural(n, "byte"), quote.Count(room)))
	}
	return name, b[at+8 : at+8+int(n)], at + 8 + int(n+n%2), nil
}

func (w *webpFile) chunk(name string, b []byte, at int, first bool) *Fault {
	switch name {
	case webpExtended:
		if !first || len(b) < 10 {
			return &Fault{at, "has a chunk VP8X that is too short or not the first", "Write VP8X first, of 10 bytes."}
		}
		w.extended = true
		return w.size(at, 1+uint24(b[4:]), 1+uint24(b[7:]))
	case webpFrame:
		w.pixels = true
		if len(b) < 16 {
			return &Fault{at, "has a chunk ANMF that is too short", "Write a frame's place, size and time before its pixels."}
		}
		if w.frame == nil {
			w.frame, w.fw, w.fh = b[16:], 1+uint24(b[6:]), 1+uint24(b[9:])
		}
	case webpLossy:
		w.pixels = true
		if len(b) < 10 || b[0]&1 != 0 || b[3] != 0x9d || b[4] != 0x01 || b[5] != 0x2a {
			return &Fault{at, "has a chunk VP8 that does not begin with a key frame", "Write a VP8 key frame."}
		}
		if !w.extended {
			return w.size(at, int(binary.LittleEndian.Uint16(b[6:])&0x3fff), int(binary.LittleEndian.Uint16(b[8:])&0x3fff))
		}
	case webpLossless:
		w.pixels = true
		if len(b) < 5 || b[0] != 0x2f {
			return &Fault{at, "has a chunk VP8L that does not begin with 2F", "Write a lossless WebP bitstream."}
		}
		if bits := binary.LittleEndian.Uint32(b[1:]); !w.extended {
			return w.size(at, 1+int(bits&0x3fff), 1+int(bits>>14&0x3fff))
		}
	}
	return nil
}

func (w *webpFile) size(at, width, height int) *Fault {
	if w.info.W > 0 {
		return nil // the first one counts
	}
	if width == 0 || height == 0 {
		return &Fault{at, fmt.Sprintf("says it is %d×%d pixels", width, height), "Write the width and the height."}
	}
	w.info.W, w.info.H = width, height
	w.info.Memory = w.info.Pixels() * webpMemory
	return nil
}

func uint24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

// still is the first frame of an animation as a picture of its own: our decoder
// reads no animations.
func (w *webpFile) still() []byte {
	out := []byte("RIFF\x00\x00\x00\x00WEBP")
	if len(w.frame) >= 4 && string(w.frame[:4]) == webpAlpha {
		head := make([]byte, 10)
		head[0] = 0x10
		put24(head[4:], w.fw-1)
		put24(head[7:], w.fh-1)
		out = append(append(out, "VP8X\x0a\x00\x00\x00"...), head...)
	}
	out = append(out, w.frame...)
	binary.LittleEndian.PutUint32(out[4:], uint32(len(out)-8))
	return out
}

func put24(b []byte, n int) { b[0], b[1], b[2] = byte(n), byte(n>>8), byte(n>>16) }
