//go:build wasip1

package main

// A PNG writer for images with a palette. The compressor knows two kinds of
// repetition, the pixel before and the row above, which is all that a chart
// has.

// png encodes the canvas (PNG specification, colour type 3).
func (c *canvas) png() []byte {
	out := []byte("\x89PNG\r\n\x1a\n")
	header := append(be32(width), be32(height)...)
	out = chunk(out, "IHDR", append(header, 8, 3, 0, 0, 0))
	out = chunk(out, "PLTE", c.palette)
	var rows []byte
	for y := range height {
		rows = append(rows, 0) // no filter
		rows = append(rows, c.pixels[y*width:(y+1)*width]...)
	}
	out = chunk(out, "IDAT", deflate(rows, width+1))
	return chunk(out, "IEND", nil)
}

func be32(n uint32) []byte { return []byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)} }

func chunk(out []byte, kind string, data []byte) []byte {
	out = append(out, be32(uint32(len(data)))...)
	from := len(out)
	out = append(append(out, kind...), data...)
	return append(out, be32(crc32(out[from:]))...)
}

func crc32(b []byte) uint32 {
	crc := ^uint32(0)
	for _, c := range b {
		crc ^= uint32(c)
		for range 8 {
			crc = crc>>1 ^ 0xEDB88320&-(crc&1)
		}
	}
	return ^crc
}

func adler32(b []byte) uint32 {
	low, high := uint32(1), uint32(0)
	for _, c := range b {
		low = (low + uint32(c)) % 65521
		high = (high + low) % 65521
	}
	return high<<16 | low
}

// bitWriter writes bits, the lowest first.
type bitWriter struct {
	out  []byte
	bits uint64
	n    uint
}

func (w *bitWriter) put(bits, n uint) {
	w.bits |= uint64(bits) << w.n
	for w.n += n; w.n >= 8; w.n -= 8 {
		w.out = append(w.out, byte(w.bits))
		w.bits >>= 8
	}
}

// code writes a Huffman code, whose highest bit comes first.
func (w *bitWriter) code(code, n uint) {
	var reversed uint
	for i := range n {
		reversed |= code >> i & 1 << (n - 1 - i)
	}
	w.put(reversed, n)
}

// symbol writes a literal or length in the fixed code (RFC 1951, 3.2.6).
func (w *bitWriter) symbol(s uint) {
	switch {
	case s < 144:
		w.code(0x30+s, 8)
	case s < 256:
		w.code(0x190+s-144, 9)
	case s < 280:
		w.code(s-256, 7)
	default:
		w.code(0xC0+s-280, 8)
	}
}

// split gives a length or distance as its symbol's number and extra bits:
// groups of symbols each with one extra bit more than the group before.
func split(n, group uint) (symbol, extra, extraBits uint) {
	for extraBits = 0; n >= 2*group<<extraBits; extraBits++ {
		symbol += group
	}
	return symbol + n>>extraBits, n & (1<<extraBits - 1), extraBits
}

func (w *bitWriter) match(length, distance int) {
	if length == 258 {
		w.symbol(285)
	} else {
		s, extra, n := split(uint(length-3), 4)
		w.symbol(257 + s)
		w.put(extra, n)
	}
	s, extra, n := split(uint(distance-1), 2)
	w.code(s, 5)
	w.put(extra, n)
}

// deflate compresses rows of stride bytes (RFC 1950 and 1951, one fixed block).
func deflate(b []byte, stride int) []byte {
	w := bitWriter{out: []byte{0x78, 0x01}}
	w.put(1|1<<1, 3) // the last block, fixed codes
	for i := 0; i < len(b); {
		length, distance := repeats(b, i, 1), 1
		if above := repeats(b, i, stride); above > length {
			length, distance = above, stride
		}
		if length < 3 {
			w.symbol(uint(b[i]))
			i++
			continue
		}
		w.match(length, distance)
		i += length
	}
	w.symbol(256)
	w.put(0, 7) // up to a whole byte
	return append(w.out, be32(adler32(b))...)
}

// repeats counts the bytes from i that are the same as distance before.
func repeats(b []byte, i, distance int) int {
	n := 0
	for i >= distance && n < 258 && i+n < len(b) && b[i+n] == b[i+n-distance] {
		n++
	}
	return n
}
