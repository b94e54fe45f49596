package picture

import (
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"perch/engine/quote"
)

const pngMagic = "\x89PNG\r\n\x1a\n"

// pngFile is a PNG as far as it was walked.
type pngFile struct {
	info       Info
	depth      int // bits of a sample
	channels   int
	interlaced bool
	data       [][]byte // of the IDAT chunks
	at         int      // where the first of them begins
}

// chunkHead is a chunk's length, type and checksum.
const chunkHead = 12

func walkPNG(b []byte) (p pngFile, f *Fault) {
	p.info = Info{Kind: PNG, Frames: 1}
	at := len(pngMagic)
	for first := true; ; first = false {
		if len(b)-at < chunkHead {
			return p, cut(at, "it ends before its chunk IEND")
		}
		n, name := int64(binary.BigEndian.Uint32(b[at:])), string(b[at+4:at+8])
		if !letters(name) {
			return p, &Fault{at, "has " + quote.Text(name) + " where a chunk begins", "Begin each chunk with its length and its type of four letters."}
		}
		if room := int64(len(b) - at - chunkHead); n > room {
			return p, cut(at, fmt.Sprintf("its chunk %s says %s and has %s", name, quote.Plural(n, "byte"), quote.Count(max(room, 0))))
		}
		body := b[at+8 : at+8+int(n)]
		if said, is := binary.BigEndian.Uint32(b[at+8+int(n):]), crc32.ChecksumIEEE(b[at+4:at+8+int(n)]); said != is {
			return p, &Fault{at, fmt.Sprintf("has the checksum %08x at its chunk %s; its bytes make %08x", said, name, is),
				"Compute the CRC-32 of a chunk over its type and its data."}
		}
		if done, f := p.chunk(name, body, first, at); done || f != nil {
			return p, f
		}
		at += chunkHead + int(n)
	}
}

func letters(s string) bool {
	for _, c := range []byte(s) {
		if c|0x20 < 'a' || c|0x20 > 'z' {
			return false
		}
	}
	return true
}

// chunk takes a chunk whose bytes are whole; done with the last one.
func (p *pngFile) chunk(name string, body []byte, first bool, at int) (done bool, f *Fault) {
	if first {
		if name != "IHDR" {
			return false, &Fault{at, "begins with its chunk " + name + ", not with IHDR", "Write IHDR first."}
		}
		return false, p.header(body, at)
	}
	switch name {
	case "acTL":
		if len(body) >= 4 {
			p.info.Frames = max(1, int(binary.BigEndian.Uint32(body)&0x7fffffff))
		}
	case "IDAT":
		if p.data == nil {
			p.at = at
		}
		p.data = append(p.data, body)
	case "IEND":
		if p.data == nil {
			return true, &Fault{at, "has no chunk IDAT: no pixels", "Write the pixels into IDAT, compressed with zlib."}
		}
		return true, nil
	}
	return false, nil
}

func (p *pngFile) header(b []byte, at int) *Fault {
	const fix = "Write width, height, bit depth, colour type and three zeros into IHDR."
	if len(b) != 13 {
		return &Fault{at, fmt.Sprintf("has an IHDR of %s, not 13", quote.Plural(len(b), "byte")), fix}
	}
	w, h := binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])
	if w == 0 || h == 0 || w > 1<<31-1 || h > 1<<31-1 {
		return &Fault{at + 8, fmt.Sprintf("says it is %d×%d pixels", w, h), "Write the width and the height into IHDR, high byte first."}
	}
	p.info.W, p.info.H, p.depth, p.interlaced = int(w), int(h), int(b[8]), b[12] == 1
	channels, depths := pngColour(b[9])
	if channels == 0 || depths&(1<<b[8]) == 0 || b[8] > 16 || b[10] != 0 || b[11] != 0 || b[12] > 1 {
		return &Fault{at + 16, fmt.Sprintf("has an IHDR with bit depth %d, colour type %d, methods %d, %d and %d", b[8], b[9], b[10], b[11], b[12]), fix}
	}
	p.channels = channels
	bytes := int64(1)
	switch {
	case p.depth == 16 && channels > 1:
		bytes = 8
	case channels > 1:
		bytes = 4
	case p.depth == 16:
		bytes = 2
	}
	p.info.Memory = p.info.Pixels() * bytes
	if p.interlaced {
		p.info.Memory += p.info.Memory / 2 // a pass beside the whole
	}
	return nil
}

// pngColour is how many samples a pixel has, and which bit depths are allowed,
// a bit each.
func pngColour(t byte) (channels int, depths uint32) {
	switch t {
	case 0:
		return 1, 1<<1 | 1<<2 | 1<<4 | 1<<8 | 1<<16
	case 2:
		return 3, 1<<8 | 1<<16
	case 3:
		return 1, 1<<1 | 1<<2 | 1<<4 | 1<<8
	case 4:
		return 2, 1<<8 | 1<<16
	case 6:
		return 4, 1<<8 | 1<<16
	}
	return 0, 0
}

// body reads the rows through and keeps none.
func (p *pngFile) body() *Fault {
	in := &pieces{left: p.data}
	z, err := zlib.NewReader(in)
	if err != nil {
		return p.bad(in, err, 0)
	}
	rows := 0
	buffer := make([]byte, 32<<10)
	for _, pass := range p.passes() {
		for range pass.rows {
			if f := p.row(z, in, pass.bytes, rows, buffer); f != nil {
				return f
			}
			rows++
		}
	}
	// What is behind the last row is left alone, but for the checksum there.
	if _, err := z.Read(buffer[:1]); err != nil && !errors.Is(err, io.EOF) {
		return p.bad(in, err, rows)
	}
	return nil
}

func (p *pngFile) row(z io.Reader, in *pieces, n int64, row int, buffer []byte) *Fault {
	for left := n + 1; left > 0; {
		got, err := io.ReadFull(z, buffer[:min(left, int64(len(buffer)))])
		if err != nil {
			return p.bad(in, err, row)
		}
		if left == n+1 && buffer[0] > 4 {
			return &Fault{p.at, fmt.Sprintf("has the filter %d before row %s; there are 0 to 4", buffer[0], quote.Count(row)),
				"Write one byte before each row: 0 for no filter."}
		}
		left -= int64(got)
	}
	return nil
}

func (p *pngFile) bad(in *pieces, err error, row int) *Fault {
	at := p.at
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return cut(at, fmt.Sprintf("its pixels end in row %s of %s", quote.Count(row), quote.Count(p.info.H)))
	case errors.Is(err, zlib.ErrChecksum):
		return &Fault{at, "has an Adler-32 behind its pixels that is not theirs", "Let zlib end the stream, or compute the Adler-32 of all rows with their filter bytes."}
	case errors.Is(err, zlib.ErrHeader), errors.Is(err, zlib.ErrDictionary):
		return &Fault{at, "has pixels that do not begin as a zlib stream", "Compress the rows with zlib: deflate alone, or gzip, is another format."}
	}
	return &Fault{at, fmt.Sprintf("has pixels that cannot be unpacked, after %s of IDAT, in row %s", quote.Plural(in.read, "byte"), quote.Count(row)),
		"Compress the rows with zlib, and split the stream over IDAT chunks only by bytes."}
}

// pass is one of the passes of the rows: one, or seven of an interlaced image.
type pass struct{ rows, bytes int64 }

func (p *pngFile) passes() []pass {
	of := func(w, h int64) pass {
		if w == 0 {
			return pass{}
		}
		return pass{h, (w*int64(p.depth)*int64(p.channels) + 7) / 8}
	}
	w, h := int64(p.info.W), int64(p.info.H)
	if !p.interlaced {
		return []pass{of(w, h)}
	}
	var all []pass
	for _, a := range [7]struct{ x0, y0, dx, dy int64 }{
		{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2},
	} {
		all = append(all, of((w-a.x0+a.dx-1)/a.dx, (h-a.y0+a.dy-1)/a.dy))
	}
	return all
}

// pieces reads slices one after the other, and is an io.ByteReader so that no
// one buffers it.
type pieces struct {
	left [][]byte
	read int
}

func (p *pieces) Read(b []byte) (int, error) {
	for len(p.left) > 0 && len(p.left[0]) == 0 {
		p.left = p.left[1:]
	}
	if len(p.left) == 0 {
		return 0, io.EOF
	}
	n := copy(b, p.left[0])
	p.left[0] = p.left[0][n:]
	p.read += n
	return n, nil
}

func (p *pieces) ReadByte() (byte, error) {
	for len(p.left) > 0 && len(p.left[0]) == 0 {
		p.left = p.left[1:]
	}
	if len(p.left) == 0 {
		return 0, io.EOF
	}
	c := p.left[0][0]
	p.left[0] = p.left[0][1:]
	p.read++
	return c, nil
}
