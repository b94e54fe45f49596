package wire

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"
)

// problem is what is wrong with data, and what to do.
type problem struct{ detail, fix string }

// decodeBase64 decodes strict standard base64 (RFC 4648, section 4): its
// alphabet, padded, no line breaks, no data: prefix.
func decodeBase64(s string) ([]byte, *problem) {
	switch {
	case s == "":
		return nil, &problem{"it is empty", "Write the image's bytes in base64 into data."}
	case strings.HasPrefix(s, "data:"):
		return nil, &problem{"it begins with data:, as a data URL", "Leave out everything up to the comma."}
	}
	for i := range len(s) {
		if c := s[i]; !base64Byte(c) {
			return nil, odd64(s, i)
		}
	}
	body := strings.TrimRight(s, "=")
	switch {
	case strings.IndexByte(body, '=') >= 0:
		return nil, &problem{fmt.Sprintf("it has = in the midst, at byte %s: several pieces one after the other", thousands(strings.IndexByte(s, '='))), "Encode all bytes at once."}
	case len(body)%4 == 1:
		return nil, &problem{fmt.Sprintf("its length, %s, is not possible: it is cut short", thousands(len(body))), "Write all of it."}
	case len(s)%4 != 0 || len(s)-len(body) > 2:
		return nil, &problem{"its padding with = is not right", "Pad the length to a multiple of 4 with =."}
	}
	b, err := base64.StdEncoding.Strict().DecodeString(s)
	if err != nil {
		return nil, &problem{"its last character has bits that mean nothing", "Encode it with a base64 encoder."}
	}
	return b, nil
}

func base64Byte(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '='
}

func odd64(s string, i int) *problem {
	at := fmt.Sprintf(", at byte %s", thousands(i))
	switch s[i] {
	case '\n', '\r':
		return &problem{"it has a line break" + at, "Write it without line breaks."}
	case ' ', '\t':
		return &problem{"it has white space" + at, "Write it without white space."}
	case '-', '_':
		return &problem{fmt.Sprintf("it has %c%s: the alphabet of URLs", s[i], at), "Use the standard alphabet, with + and /."}
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return &problem{fmt.Sprintf("it has %s%s", letter(r), at), "Write the image's bytes in standard base64."}
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

// looksLike names other data by its first bytes.
func looksLike(b []byte) string {
	head := bytes.TrimLeft(b[:min(len(b), 256)], "\xef\xbb\xbf \t\r\n")
	for _, k := range []struct{ begin, name string }{
		{"<svg", "SVG"}, {"<?xml", "XML (SVG?)"}, {"BM", "BMP"}, {"II*\x00", "TIFF"}, {"MM\x00*", "TIFF"},
		{"%PDF", "PDF"}, {"\x00\x00\x01\x00", "ICO"}, {"{", "JSON"}, {"iVBOR", "base64 again (of PNG)"}, {"/9j/", "base64 again (of JPEG)"},
	} {
		if bytes.HasPrefix(head, []byte(k.begin)) {
			return k.name
		}
	}
	if len(b) >= 12 && string(b[4:8]) == "ftyp" {
		return "AVIF, HEIC or MP4"
	}
	return fmt.Sprintf("%s (first % X)", plural(len(b), "byte"), b[:min(len(b), 8)])
}
