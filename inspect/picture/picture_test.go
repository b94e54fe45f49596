package picture_test

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/inspect/picture"
)

// WebP pictures of 9×5 pixels, as the reference encoder writes them.
const (
	lossy    = "UklGRkAAAABXRUJQVlA4IDQAAADwAQCdASoJAAUABABoJbACdLoAAwhAW5AA/uzgqMMgB7+9++za2imU7fW5LcbtEXlmAAAA"
	lossless = "UklGRjAAAABXRUJQVlA4TCMAAAAvCAABEJmM6H9sIgrf/4BCthGgwzl/x59gKAZ52CcAQiVzAQA="
	alpha    = "UklGRngAAABXRUJQVlA4WAoAAAAQAAAACAAABAAAQUxQSB8AAAABRyAQSCTy2x9kh4jIDGQBJmMYSyyx5H+FENH/WCMfAFZQOCAyAAAAsAEAnQEqCQAFAAQAaCWwAnQBDrsEgAD+3PqMP8lL3+YW962tjdWyBzzltid/fBQQAAA="
	moving   = "UklGRu4AAABXRUJQVlA4WAoAAAASAAAACAAABAAAQU5JTQYAAAD/////AABBTk1GSAAAAAAAAAAAAAgAAAQAAGQAAAJWUDggMAAAALABAJ0BKgkABQAFQHwlsAJ0AQ67BIAA/uX/p8OUF8ofAe8E6++lPF9Wdqtv62O4AEFOTUZyAAAAAAAAAAAACAAABAAAZAAAAkFMUEgfAAAAAUcgEEgk8tsfZIeIyAxkASZjGEssseR/hRDR/1gjHwBWUDggMgAAANABAJ0BKgkABQAFQHwlsAJ0AQ67BY4AAP7Q6Rn7yNpXx4gc0KtNKEjYcSzdjfKwAAAA"
)

func unbase(t testing.TB, s string) []byte {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func colourful(w, h int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := range m.Pix {
		m.Pix[i] = byte(i * 7)
	}
	return m
}

func pngOf(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func jpegOf(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gifOf(t testing.TB, w, h, frames int) []byte {
	t.Helper()
	all := &gif.GIF{}
	for i := range frames {
		m := image.NewPaletted(image.Rect(0, 0, w, h), color.Palette{color.Black, color.White, color.Gray{100}})
		for j := range m.Pix {
			m.Pix[j] = byte((j + i) % 3)
		}
		all.Image, all.Delay = append(all.Image, m), append(all.Delay, 10)
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, all); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// chunk is a chunk of a PNG with its checksum.
func chunk(name, data string) string {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	b = append(append(b, name...), data...)
	return string(binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:])))
}

func ihdr(w, h uint32, depth, colour byte) string {
	b := binary.BigEndian.AppendUint32(nil, w)
	b = binary.BigEndian.AppendUint32(b, h)
	return chunk("IHDR", string(append(b, depth, colour, 0, 0, 0)))
}

func packed(rows string) string {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	z.Write([]byte(rows))
	z.Close()
	return b.String()
}

const magic = "\x89PNG\r\n\x1a\n"

// TestGood: what encoders write is read whole, and decoded.
func TestGood(t *testing.T) {
	gray, pal := image.NewGray16(image.Rect(0, 0, 7, 3)), image.NewPaletted(image.Rect(0, 0, 5, 5), color.Palette{color.Black, color.White})
	apng := pngOf(t, colourful(3, 2))
	apng = append(append(append([]byte{}, apng[:33]...), chunk("acTL", "\x00\x00\x00\x05\x00\x00\x00\x00")...), apng[33:]...)
	interlaced := magic + chunk("IHDR", "\x00\x00\x00\x03\x00\x00\x00\x02\x08\x00\x00\x00\x01") +
		chunk("IDAT", packed("\x00a"+"\x00a"+"\x00b"+"\x00abc")) + chunk("IEND", "")
	for name, c := range map[string]struct {
		b      []byte
		kind   picture.Kind
		w, h   int
		frames int
	}{
		"a PNG":                  {pngOf(t, colourful(13, 9)), picture.PNG, 13, 9, 1},
		"a PNG of 16 bits":       {pngOf(t, gray), picture.PNG, 7, 3, 1},
		"a PNG of one bit":       {pngOf(t, pal), picture.PNG, 5, 5, 1},
		"an interlaced PNG":      {[]byte(interlaced), picture.PNG, 3, 2, 1},
		"an animated PNG":        {apng, picture.PNG, 3, 2, 5},
		"a PNG in many pieces":   {split(t, pngOf(t, colourful(13, 9))), picture.PNG, 13, 9, 1},
		"a JPEG":                 {jpegOf(t, colourful(20, 30)), picture.JPEG, 20, 30, 1},
		"a grey JPEG":            {jpegOf(t, image.NewGray(image.Rect(0, 0, 9, 9))), picture.JPEG, 9, 9, 1},
		"a GIF":                  {gifOf(t, 9, 4, 1), picture.GIF, 9, 4, 1},
		"an animated GIF":        {gifOf(t, 9, 4, 3), picture.GIF, 9, 4, 3},
		"a lossy WebP":           {unbase(t, lossy), picture.WebP, 9, 5, 1},
		"a lossless WebP":        {unbase(t, lossless), picture.WebP, 9, 5, 1},
		"a WebP with alpha":      {unbase(t, alpha), picture.WebP, 9, 5, 1},
		"an animated WebP":       {unbase(t, moving), picture.WebP, 9, 5, 2},
		"a PNG and then a whole": {append(pngOf(t, colourful(2, 2)), "more"...), picture.PNG, 2, 2, 1},
	} {
		info, f := picture.Examine(c.b)
		if f != nil || info.Kind != c.kind || info.W != c.w || info.H != c.h || info.Frames != c.frames {
			t.Errorf("%s is %+v, %+v", name, info, f)
			continue
		}
		if used, f := picture.Body(c.b, 1000); f != nil || used == 0 && !strings.Contains(name, "alpha") && !strings.Contains(name, "animated WebP") {
			t.Errorf("%s has a body of %d pixels, %+v", name, used, f)
		}
		m, err := picture.Decode(c.b)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if s := m.Bounds().Size(); s.X != c.w || s.Y != c.h {
			t.Errorf("%s is decoded to %v", name, s)
		}
	}
}

// split puts each byte of a PNG's pixels into a chunk of its own.
func split(t *testing.T, b []byte) []byte {
	t.Helper()
	at := bytes.Index(b, []byte("IDAT"))
	n := int(binary.BigEndian.Uint32(b[at-4:]))
	out := string(b[:at-4]) + chunk("IDAT", "")
	for _, c := range b[at+4 : at+4+n] {
		out += chunk("IDAT", string([]byte{c}))
	}
	return []byte(out + string(b[at+8+n:]))
}

// TestBroken: what is wrong is named, with its byte, and nothing is decoded.
func TestBroken(t *testing.T) {
	good := string(pngOf(t, colourful(13, 9)))
	idat := strings.Index(good, "IDAT") - 4
	jpg, gif1 := string(jpegOf(t, colourful(20, 30))), string(gifOf(t, 9, 4, 2))
	sof, scan := strings.Index(jpg, "\xff\xc0"), strings.Index(jpg, "\xff\xda")
	raw := packed("\x00ab" + "\x00cd")
	of := func(chunks ...string) string { return magic + strings.Join(chunks, "") + chunk("IEND", "") }
	l, y := string(unbase(t, lossless)), string(unbase(t, lossy))
	for name, c := range map[string]struct {
		b      string
		at     int
		detail string
	}{
		"no picture":             {"BM6", 0, "is no PNG, JPEG, GIF or WebP"},
		"its first bytes":        {magic, 8, "is cut short: it ends before its chunk IEND"},
		"cut within pixels":      {good[:idat+20], idat, "is cut short: its chunk IDAT says"},
		"cut before the end":     {good[:len(good)-12], len(good) - 12, "is cut short: it ends before its chunk IEND"},
		"a wrong CRC":            {good[:idat+9] + "\x00\x00" + good[idat+11:], idat, "has the checksum "},
		"no chunk":               {good[:idat] + "\x00\x00\x00\x00\x1b[2J" + strings.Repeat("a", 9), idat, `has "⟨U+001B⟩[2J" where a chunk begins`},
		"a long chunk":           {magic + "\x00\xff\xff\xffIHDRabcd", 8, "is cut short: its chunk IHDR says 16,777,215 bytes and has 0"},
		"no IHDR":                {of(chunk("IDAT", raw)), 8, "begins with its chunk IDAT, not with IHDR"},
		"a short IHDR":           {of(chunk("IHDR", "a")), 8, "has an IHDR of 1 byte, not 13"},
		"no width":               {of(ihdr(0, 2, 8, 0)), 16, "says it is 0×2 pixels"},
		"a negative height":      {of(ihdr(2, 1<<31, 8, 0)), 16, "says it is 2×2147483648 pixels"},
		"no such colour":         {of(ihdr(2, 2, 8, 5)), 24, "has an IHDR with bit depth 8, colour type 5, methods 0, 0 and 0"},
		"no such depth":          {of(ihdr(2, 2, 3, 0)), 24, "has an IHDR with bit depth 3, colour type 0"},
		"a depth of 255":         {of(ihdr(2, 2, 255, 0)), 24, "has an IHDR with bit depth 255"},
		"no IDAT":                {of(ihdr(2, 2, 8, 0)), 33, "has no chunk IDAT: no pixels"},
		"deflate alone":          {of(ihdr(2, 2, 8, 0), chunk("IDAT", raw[2:len(raw)-4])), 33, "has pixels that do not begin as a zlib stream"},
		"too few rows":           {of(ihdr(2, 3, 8, 0), chunk("IDAT", raw)), 33, "is cut short: its pixels end in row 2 of 3"},
		"rows without filters":   {of(ihdr(2, 2, 8, 0), chunk("IDAT", packed("abcdef"))), 33, "has the filter 97 before row 0; there are 0 to 4"},
		"a wrong Adler-32":       {of(ihdr(2, 2, 8, 0), chunk("IDAT", raw[:len(raw)-1]+"\x00")), 33, "has an Adler-32 behind its pixels that is not theirs"},
		"pixels of no use":       {of(ihdr(2, 2, 8, 0), chunk("IDAT", raw[:2]+"\xff\xff\xff\xff")), 33, "has pixels that cannot be unpacked, after "},
		"a JPEG's first bytes":   {jpg[:3], 3, "is cut short: it ends before its end mark, FF D9"},
		"a JPEG cut in a header": {jpg[:sof+5], sof, "is cut short: its segment FF C0 says 17 bytes and has 3"},
		"a JPEG cut in pixels":   {jpg[:len(jpg)-20], len(jpg) - 20, "is cut short: it ends before its end mark, FF D9"},
		"a JPEG of no size":      {jpg[:sof+5] + "\x00\x00" + jpg[sof+7:], sof + 5, "says it is 20×0 pixels of 3 components"},
		"a scan at once":         {jpg[:sof] + jpg[scan:], sof, "has a scan before its size (SOF)"},
		"a JPEG without a scan":  {jpg[:scan] + "\xff\xd9", scan, "ends without a scan: no pixels"},
		"no marker":              {"\xff\xd8\xff\xe0\x00\x04ababab", 8, "has 61 where a marker begins"},
		"a marker of 0":          {"\xff\xd8\xff\x00\x00\x04ab", 2, "has FF 00 where a marker begins"},
		"a length of 1":          {"\xff\xd8\xff\xe0\x00\x01ab", 2, "has a segment FF E0 of length 1"},
		"a JPEG of rubbish":      {jpg[:scan+14] + strings.Repeat("\xfe", 100) + "\xff\xd9", 0, "has pixels that cannot be decoded: "},
		"a GIF's first bytes":    {"GIF89a", 6, "is cut short: it ends within its header"},
		"a GIF cut in a frame":   {gif1[:len(gif1)-8], strings.LastIndexByte(gif1, 0x2c), "is cut short: it ends within frame 2"},
		"a GIF without its end":  {gif1[:len(gif1)-1], len(gif1) - 1, "is cut short: it ends before its trailer, 3B"},
		"a GIF of no frame":      {"GIF89a\x03\x00\x03\x00\x00\x00\x00;", 13, "ends without a frame: no pixels"},
		"no block":               {"GIF89a\x03\x00\x03\x00\x80\x00\x00abcdef?", 19, "has 3F where a block begins"},
		"pixels that are few":    {"GIF89a\x03\x00\x03\x00\x00\x00\x00" + ",\x00\x00\x00\x00\x03\x00\x03\x00\x00" + "\x02\x02\x4c\x01\x00;", 13, "has a frame 1 that ends before its pixels do, after 1 of 9 pixels"},
		"codes of 13 bits":       {"GIF89a\x03\x00\x03\x00\x00\x00\x00" + ",\x00\x00\x00\x00\x03\x00\x03\x00\x00" + "\x0d\x02\x4c\x01\x00;", 23, "says that the codes of frame 1 begin with 13 bits"},
		"a WebP cut short":       {l[:40], 40, "is cut short: its RIFF header says 56 bytes and it has 40"},
		"a WebP of nothing":      {"RIFF\x04\x00\x00\x00WEBP", 12, "holds no picture: no chunk VP8, VP8L or ANMF"},
		"a WebP of rubbish":      {"RIFF\x10\x00\x00\x00WEBPVP8 \x04\x00\x00\x00abcd", 12, "has a chunk VP8 that does not begin with a key frame"},
		"a WebP's chunk":         {"RIFF\x10\x00\x00\x00WEBPVP8L\xff\x00\x00\x00abcd", 12, `is cut short: its chunk "VP8L" says 255 bytes and has 4`},
		"no lossless WebP":       {"RIFF\x12\x00\x00\x00WEBPVP8L\x05\x00\x00\x00abcde\x00", 12, "has a chunk VP8L that does not begin with 2F"},
		"lossless rubbish":       {l[:26] + strings.Repeat("\xff", len(l)-26), 0, "has pixels that cannot be decoded: "},
		"a lossy one of size 0":  {y[:26] + "\x00\x00" + y[28:], 12, "says it is 0×5 pixels"},
	} {
		used, f := picture.Body([]byte(c.b), 1000)
		if f == nil {
			t.Errorf("%s: nothing is found, %d pixels were looked at", name, used)
			continue
		}
		if f.At != c.at || !strings.HasPrefix(f.Detail, c.detail) || !strings.HasSuffix(f.Fix, ".") || strings.Contains(f.Detail, "invalid") {
			t.Errorf("%s: byte %d %q, %q", name, f.At, f.Detail, f.Fix)
		}
		if _, err := picture.Decode([]byte(c.b)); err == nil && !strings.Contains(name, "GIF") {
			t.Errorf("%s is decoded", name)
		}
	}
}

// TestBombs: what a header says is never taken for an allocation, and what is
// too large is said.
func TestBombs(t *testing.T) {
	huge := magic + ihdr(30_000, 30_000, 8, 6) + chunk("IDAT", packed("\x00")) + chunk("IEND", "")
	deep := magic + ihdr(7_000, 7_000, 16, 6) + chunk("IDAT", packed("\x00")) + chunk("IEND", "")
	jpg := string(jpegOf(t, colourful(20, 30)))
	sof, scan := strings.Index(jpg, "\xff\xc0"), strings.Index(jpg, "\xff\xda")
	many := jpg[:scan] + strings.Repeat(jpg[scan:len(jpg)-2], 80) + "\xff\xd9"
	large := jpg[:sof+5] + "\xff\xff\xff\xff" + jpg[sof+9:]
	twelve := jpg[:sof+4] + "\x0c" + jpg[sof+5:]
	lossless := "RIFF\x12\x00\x00\x00WEBPVP8L\x05\x00\x00\x00\x2f\xff\xff\xff\x0f\x00"
	still := unbase(t, moving)
	copy(still[bytes.Index(still, []byte("ANMF"))+14:], "\xff\xff\x00\xff\xff\x00")
	for name, c := range map[string]struct{ b, err, large string }{
		"many pixels":          {huge, "it is not decoded: over 64 megapixels (our limit)", "over 64 megapixels (our limit)"},
		"many bytes":           {deep, "it is not decoded: decoding it takes over 256 MiB (our limit)", "decoding it takes over 256 MiB (our limit)"},
		"a large JPEG":         {large, "it is not decoded: over 64 megapixels (our limit)", "over 64 megapixels (our limit)"},
		"many scans":           {many, "perch does not decode a JPEG of over 64 scans", ""},
		"12 bits":              {twelve, "perch does not decode a kind of JPEG that is rare (FF C0, 12 bits)", ""},
		"a large WebP":         {lossless, "it is not decoded: over 64 megapixels (our limit)", "over 64 megapixels (our limit)"},
		"a WebP's first frame": {string(still), "its pixels cannot be decoded: its first frame is over 64 megapixels (our limit)", ""},
	} {
		info, f := picture.Examine([]byte(c.b))
		if f != nil || info.TooLarge() != c.large {
			t.Errorf("%s: %+v, %+v", name, info, f)
		}
		if _, f := picture.Body([]byte(c.b), 1<<62); f != nil {
			t.Errorf("%s: its body %+v", name, f)
		}
		if _, err := picture.Decode([]byte(c.b)); err == nil || err.Error() != c.err {
			t.Errorf("%s: %v", name, err)
		}
	}
	whole := pngOf(t, image.NewGray(image.Rect(0, 0, 1000, 1000)))
	if used, f := picture.Body(whole[:len(whole)-12], 999_999); used != 0 || f == nil {
		t.Errorf("cut short: %d pixels, %+v", used, f)
	}
	if used, f := picture.Body(whole, 999_999); used != 0 || f != nil {
		t.Errorf("a picture of more pixels is looked at: %d, %+v", used, f)
	}
}

// TestTheSizeIsTheDecoders: bytes that hide another size from us do not make
// the decoder take memory for it.
func TestTheSizeIsTheDecoders(t *testing.T) {
	jpg := string(jpegOf(t, colourful(20, 30)))
	sof := strings.Index(jpg, "\xff\xc0")
	hidden := jpg[:sof+5] + "\xff\xff\xff\xff" + jpg[sof+9:sof+19]
	for name, b := range map[string]string{
		"behind a marker of 0": jpg[:2] + "\xff\x00\x00\x20" + hidden[sof:] + strings.Repeat("a", 30) + jpg[2:],
		"behind SOI":           jpg[:2] + "\xff\xd8" + hidden[sof:] + jpg[2:],
		"twice":                jpg[:sof+19] + hidden[sof:] + jpg[sof+19:],
	} {
		if m, err := picture.Decode([]byte(b)); err == nil {
			t.Errorf("%s: decoded to %v", name, m.Bounds())
		}
	}
}

func TestScaled(t *testing.T) {
	for _, c := range [][4]int{
		{640, 400, 640, 400}, {2000, 2000, 2000, 2000}, {2001, 1, 2000, 1}, {4000, 3000, 2000, 1500}, {3000, 4001, 1500, 2000}, {1, 60000, 1, 2000},
		{2147483647, 2147483647, 2000, 2000}, {3001, 1001, 2000, 667},
	} {
		if w, h := (picture.Info{W: c[0], H: c[1]}).Scaled(); w != c[2] || h != c[3] {
			t.Errorf("%d×%d is scaled to %d×%d, want %d×%d", c[0], c[1], w, h, c[2], c[3])
		}
	}
}

// FuzzPicture: whatever the bytes, nothing panics, and a picture that is whole
// by Examine and of which Body finds nothing has the size that the decoder sees.
func FuzzPicture(f *testing.F) {
	for _, s := range []string{lossy, lossless, alpha, moving} {
		f.Add(unbase(f, s))
	}
	f.Add(pngOf(f, colourful(5, 4)))
	f.Add(jpegOf(f, colourful(5, 4)))
	f.Add(gifOf(f, 5, 4, 2))
	f.Fuzz(func(t *testing.T, b []byte) {
		info, fault := picture.Examine(b)
		if fault != nil && (fault.Detail == "" || fault.Fix == "" || fault.At < 0 || fault.At > len(b)) {
			t.Fatalf("%+v", fault)
		}
		if info.W < 0 || info.H < 0 || fault == nil && info.Odd == "" && info.Pixels() == 0 {
			t.Fatalf("%+v", info)
		}
		used, _ := picture.Body(b, abi.MaxCheckedPixels/16)
		if used < 0 || used > abi.MaxCheckedPixels/16 {
			t.Fatalf("%d pixels were looked at", used)
		}
		if info.Pixels() > abi.MaxCheckedPixels/16 {
			return
		}
		if m, err := picture.Decode(b); err == nil && info.Kind != picture.GIF && info.Frames == 1 && m.Bounds().Size() != image.Pt(info.W, info.H) {
			t.Fatalf("%+v is decoded to %v", info, m.Bounds())
		}
	})
}

func BenchmarkBody(b *testing.B) {
	m := image.NewNRGBA(image.Rect(0, 0, 640, 400))
	for i := range m.Pix {
		m.Pix[i] = byte(i / 4096)
	}
	for name, data := range map[string][]byte{"PNG": pngOf(b, m), "JPEG": jpegOf(b, m), "GIF": gifOf(b, 640, 400, 1)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if used, f := picture.Body(data, abi.MaxCheckedPixels); f != nil || used == 0 {
					b.Fatal(used, f)
				}
			}
		})
	}
}
