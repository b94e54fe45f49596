//go:build wasip1

package main

// glyphs are letters of 3 by 5 dots, row by row.
const glyphs = "0 111101101101111 1 010110010010111 2 111001111100111 3 111001111001111 4 101101111001001 " +
	"5 111100111001111 6 111100111101111 7 111001010010010 8 111101111101111 9 111101111001111 " +
	"A 010101111101101 B 110101110101110 C 011100100100011 D 110101101101110 E 111100110100111 " +
	"F 111100110100100 G 011100101101011 H 101101111101101 I 111010010010111 J 001001001101010 " +
	"K 101101110101101 L 100100100100111 M 101111111101101 N 110101101101101 O 010101101101010 " +
	"P 110101110100100 Q 010101101110011 R 110101110101101 S 011100010001110 T 111010010010010 " +
	"U 101101101101111 V 101101101101010 W 101101111111101 X 101101010101101 Y 101101010010010 " +
	"Z 111001010100111 . 000000000000010 , 000000000010100 - 000000111000000 + 000010111010000 " +
	"% 101001010100101 : 000010000010000 / 001001010100100 ( 001010010010001 ) 100010010010100 " +
	"! 010010010000010 ? 110001010000010 ' 010010000000000 "

const unknownGlyph = "111101101101111"

// glyph is the letter's dots; a letter that is not there is a box.
func glyph(r rune) string {
	if r >= 'a' && r <= 'z' {
		r -= 'a' - 'A'
	}
	if r == ' ' {
		return "000000000000000"
	}
	for i := 0; i+17 < len(glyphs); i += 18 {
		if rune(glyphs[i]) == r {
			return glyphs[i+2 : i+17]
		}
	}
	return unknownGlyph
}

func textWidth(text string, size int) int {
	n := 0
	for range text {
		n++
	}
	return n * 4 * size
}

// label writes text with dots of size pixels.
func (c *canvas) label(text string, x, y, size int, ink byte) {
	for _, r := range text {
		if x >= width {
			return
		}
		for i, bit := range glyph(r) {
			if bit == '1' {
				dx, dy := x+i%3*size, y+i/3*size
				c.box(dx, dy, dx+size, dy+size, ink)
			}
		}
		x += 4 * size
	}
}
