package wire

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"perch/engine/abi"
)

// problem is what is wrong with data, and what to do.
type problem struct {
	detail, fix string
	from, to    int // the bytes of the text that it is about; 0, 0: all
}

const (
	fixBase64 = "Write the image's bytes in base64 into data."
	fixAtOnce = "Encode all bytes at once."
)

// decodeBase64 decodes strict standard base64 (RFC 4648, section 4): its
// alphabet, padded, no line breaks, no data: prefix.
func decodeBase64(s string) ([]byte, *problem) {
	if s != "" && strings.IndexByte(s, '\n') < 0 && strings.IndexByte(s, '\r') < 0 { // which Go's decoder skips
		if b, err := base64.StdEncoding.Strict().DecodeString(s); err == nil {
			return b, nil
		}
	}
	return nil, whyNotBase64(s)
}

func whyNotBase64(s string) *problem {
	switch {
	case s == "":
		return &problem{detail: "it is empty", fix: fixBase64}
	case prefixFold(s, "data:"):
		n := strings.Index(s[:min(len(s), 256)], ",") + 1
		return &problem{"it begins with data:, as a data URL", "Leave out everything up to the comma.", 0, n}
	case isPlace(s):
		return &problem{detail: "it is " + show(s) + ", a place to read from",
			fix: "Write the bytes themselves in base64, or link a file of the volume: " + `{"type":"resource_link","uri":"volume:///tmp/NAME","name":"NAME"}.`}
	}
	for i := range len(s) {
		if c := s[i]; !base64Byte(c) {
			return odd64(s, i)
		}
	}
	body := strings.TrimRight(s, "=")
	pads := len(s) - len(body)
	switch i := strings.IndexByte(body, '='); {
	case i >= 0:
		return &problem{fmt.Sprintf("it has = in the midst, at byte %s: several pieces one after the other", thousands(i)), fixAtOnce, i, i + 1}
	case len(body)%4 == 1:
		return &problem{fmt.Sprintf("its length, %s, is not possible: it is cut short", thousands(len(body))), "Write all of it.", len(body) - 1, len(body)}
	case pads == 0 && len(body)%4 != 0:
		return &problem{"its padding is missing", fmt.Sprintf("End it with %s, so that its length is a multiple of 4.", strings.Repeat("=", 4-len(body)%4)), len(s), len(s)}
	case len(s)%4 != 0 || pads > 2:
		return &problem{"its padding with = is not right", "Pad the length to a multiple of 4 with =.", len(body), len(s)}
	}
	return &problem{"its last character has bits that mean nothing", "Encode it with a base64 encoder.", len(body) - 1, len(body)}
}

// isPlace reports whether a text names a file or a URL in place of being bytes.
func isPlace(s string) bool {
	head := s[:min(len(s), 16)]
	return strings.Contains(head, "://") || strings.HasPrefix(s, abi.VolumeRoot+"/") || strings.HasPrefix(s, "./") ||
		strings.HasPrefix(s, "/") && len(s) < 256 && strings.IndexByte(s[max(0, len(s)-6):], '.') >= 0
}

func prefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

func base64Byte(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '='
}

func odd64(s string, i int) *problem {
	at := fmt.Sprintf(", at byte %s", thousands(i))
	switch s[i] {
	case '\n', '\r':
		return &problem{"it has a line break" + at, "Write it without line breaks.", i, i + 1}
	case ' ', '\t':
		return &problem{"it has white space" + at, "Write it without white space.", i, i + 1}
	case '-', '_':
		return &problem{fmt.Sprintf("it has %c%s: the alphabet of URLs", s[i], at), "Use the standard alphabet, with + and /.", i, i + 1}
	}
	r, n := utf8.DecodeRuneInString(s[i:])
	return &problem{fmt.Sprintf("it has %s%s", letter(r), at), "Write the image's bytes in standard base64.", i, i + n}
}

// imageType is the mime type that the first bytes of an image say; "" for what
// is none of the kinds that Subako shows.
func imageType(b []byte) string {
	switch {
	case bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")):
		return "image/png"
	case bytes.HasPrefix(b, []byte("\xff\xd8\xff")):
		return "image/jpeg"
	case bytes.HasPrefix(b, []byte("GIF87a")), bytes.HasPrefix(b, []byte("GIF89a")):
		return "image/gif"
	case len(b) >= 12 && string(b[:4]) == "RIFF" && string(b[8:12]) == "WEBP":
		return "image/webp"
	}
	return ""
}

// ImageType is the mime type that a file's first bytes say, one of
// abi.ImageTypes, or "".
func ImageType(b []byte) string { return imageType(b) }

func imageName(mime string) string {
	switch mime {
	case "image/png":
		return "PNG"
	case "image/jpeg":
		return "JPEG"
	case "image/gif":
		return "GIF"
	}
	return "WebP"
}

// other is a kind of data that is no image that Subako shows.
type other struct{ name, fix string }

const (
	fixConvert = "Write it as PNG."
	fixRender  = "Draw it, and write the pixels as PNG."
	fixTwice   = "Encode the bytes once."
)

// LooksLike names data that is none of the kinds that Subako shows by its first
// bytes, with an article or a number: "an SVG", "48 bytes (first …)". Fix says
// what to do.
func LooksLike(b []byte) (name, fix string) {
	if o, ok := magic(b); ok {
		return o.name, o.fix
	}
	if o, ok := spoiltImage(b); ok {
		return o.name, o.fix
	}
	if o, ok := textLike(b); ok {
		return o.name, o.fix
	}
	return fmt.Sprintf("%s (first % X)", plural(len(b), "byte"), b[:min(len(b), 8)]), "Write an image of one of these kinds."
}

// magic knows other formats by their first bytes.
func magic(b []byte) (other, bool) {
	for _, k := range []struct {
		begin string
		other
	}{
		{"BM", other{"a BMP", fixConvert}}, {"II*\x00", other{"a TIFF", fixConvert}}, {"MM\x00*", other{"a TIFF", fixConvert}}, {"II+\x00", other{"a TIFF", fixConvert}},
		{"%PDF", other{"a PDF", fixRender}}, {"\x00\x00\x01\x00", other{"an ICO", fixConvert}}, {"8BPS", other{"a PSD", fixConvert}},
		{"\x00\x00\x00\x0cJXL ", other{"a JPEG XL", fixConvert}}, {"\xff\x0a", other{"a JPEG XL", fixConvert}}, {"\x00\x00\x00\x0cjP", other{"a JPEG 2000", fixConvert}},
		{"qoif", other{"a QOI", fixConvert}}, {"P6", other{"a PPM", fixConvert}}, {"P5", other{"a PGM", fixConvert}},
		{"\x1f\x8b", other{"gzip", "Write the image as it is."}}, {"PK\x03\x04", other{"a ZIP", "Write the image as it is."}},
		{"\x00asm", other{"a WebAssembly module", "Write an image of one of these kinds."}},
	} {
		if bytes.HasPrefix(b, []byte(k.begin)) {
			return k.other, true
		}
	}
	if len(b) < 12 || string(b[4:8]) != "ftyp" {
		return other{}, false
	}
	switch string(b[8:12]) {
	case "avif", "avis":
		return other{"an AVIF", fixConvert}, true
	case "heic", "heix", "hevc", "mif1", "msf1", "heim", "heis":
		return other{"a HEIC", fixConvert}, true
	}
	return other{"an MP4", "Write an image of one of these kinds."}, true
}

// spoiltImage knows images whose bytes were taken for text on the way.
func spoiltImage(b []byte) (other, bool) {
	for _, k := range []struct{ begin, name, fix string }{
		{"\xc2\x89PNG", "a PNG that went through text (Latin-1 to UTF-8)", "Keep the image as bytes until it is base64."},
		{"\xef\xbf\xbdPNG", "a PNG that went through text (bytes became U+FFFD)", "Keep the image as bytes until it is base64."},
		{"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", "bytes that went through text (they became U+FFFD)", "Keep the image as bytes until it is base64."},
		{"\x89PNG\n\x1a\n", "a PNG whose line ends were changed", "Write the file in binary mode."},
		{"\x89PNG\r\r\n", "a PNG whose line ends were changed", "Write the file in binary mode."},
		{"iVBOR", "base64 again (of a PNG)", fixTwice}, {"/9j/", "base64 again (of a JPEG)", fixTwice},
		{"R0lGOD", "base64 again (of a GIF)", fixTwice}, {"UklGR", "base64 again (of a WebP)", fixTwice},
		{"data:", "a data URL", "Encode the image's bytes alone."},
	} {
		if bytes.HasPrefix(b, []byte(k.begin)) {
			return other{k.name, k.fix}, true
		}
	}
	return other{}, false
}

// textLike knows what stands in texts.
func textLike(b []byte) (other, bool) {
	head := b[:min(len(b), 512)]
	if bytes.IndexByte(head, 0) >= 0 || len(b) == 0 {
		return other{}, false
	}
	text := strings.ToLower(string(bytes.TrimLeft(head, "\xef\xbb\xbf \t\r\n")))
	switch {
	case strings.HasPrefix(text, "<svg"), strings.HasPrefix(text, "<?xml") && strings.Contains(text, "<svg"):
		return other{"an SVG", fixRender}, true
	case strings.HasPrefix(text, "<?xml"):
		return other{"XML (an SVG?)", fixRender}, true
	case strings.HasPrefix(text, "<!doctype html"), strings.HasPrefix(text, "<html"):
		return other{"HTML", "Look at what was downloaded: it may be a page that tells of an error."}, true
	case strings.HasPrefix(text, "{"), strings.HasPrefix(text, "["):
		return other{"JSON", "Look at what was downloaded: it may tell of an error."}, true
	case len(b) >= 4 && printable(head):
		return other{"text, " + show(string(head)), "Write an image of one of these kinds."}, true
	}
	return other{}, false
}

func printable(b []byte) bool {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n < 2 && len(b)-i >= utf8.UTFMax || r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == 0x7f {
			return false
		}
		i += n
	}
	return true
}

// hexOf reports whether a text is the hexadecimal digits of an image: those are
// base64 too, of something else.
func hexOf(s string) bool {
	for _, begin := range []string{"89504e470d0a1a0a", "ffd8ff", "474946383761", "474946383961", "52494646"} {
		if prefixFold(s, begin) || prefixFold(s, "0x"+begin) {
			return strings.Trim(s[2:min(len(s), 64)], "0123456789abcdefABCDEF") == ""
		}
	}
	return false
}
