package wire

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"perch/engine/abi"
)

// LinkProblem says why a volume: URI names no file.
type LinkProblem struct{ Detail, Fix string }

// VolumePath reads a volume:/// URI: the path beneath /volume, each segment
// percent-encoded (ABI page, content blocks). The path is absolute:
// volume:///tmp/a%20b.png is /volume/tmp/a b.png. What could leave /volume, or
// name two things at once, names nothing (our reading, strict): empty, . and ..
// segments, %2F, control characters, a query, a fragment, what is not encoded.
func VolumePath(uri string) (path string, wrong *LinkProblem) {
	rest, ok := strings.CutPrefix(uri, abi.VolumeScheme)
	if !ok {
		return "", notVolume(uri)
	}
	if rest == "" {
		return "", &LinkProblem{"it has no path", "Write volume:///tmp/NAME."}
	}
	var b strings.Builder
	b.WriteString(abi.VolumeRoot)
	for more := true; more; {
		var segment string
		segment, rest, more = strings.Cut(rest, "/")
		if segment == "" && !more && b.Len() > len(abi.VolumeRoot) {
			return "", &LinkProblem{"it ends in a slash", "Name a file: no slash at the end."}
		}
		name, wrong := decodeSegment(segment)
		if wrong != nil {
			return "", wrong
		}
		b.WriteByte('/')
		b.WriteString(name)
	}
	return b.String(), nil
}

func notVolume(uri string) *LinkProblem {
	p := &LinkProblem{"a link into the volume begins with " + abi.VolumeScheme, "Write volume:///tmp/NAME, with three slashes."}
	rest := uri[min(len(uri), len("volume:")):]
	switch host, _, _ := strings.Cut(strings.TrimPrefix(rest, "//"), "/"); {
	case prefixFold(uri, abi.VolumeScheme):
		p.Fix = "Write volume in lower case."
	case strings.HasPrefix(rest, "//") && host != "":
		p.Detail += fmt.Sprintf("; behind two slashes %s is a host", show(host))
	}
	return p
}

func decodeSegment(segment string) (string, *LinkProblem) {
	if segment == "" {
		return "", &LinkProblem{"it has an empty segment, a slash too many", "Write one slash between two names, and none at the end."}
	}
	plain := 0
	for plain < len(segment) && segmentByte(segment[plain]) {
		plain++
	}
	if plain == len(segment) && segment[0] != '.' {
		return segment, nil
	}
	var b strings.Builder
	b.WriteString(segment[:plain])
	for i := plain; i < len(segment); i++ {
		c := segment[i]
		if c != '%' {
			if !segmentByte(c) {
				return "", unencoded(segment, i)
			}
			b.WriteByte(c)
			continue
		}
		if i+2 >= len(segment) || !hexByte(segment[i+1]) || !hexByte(segment[i+2]) {
			return "", &LinkProblem{"it has a % without two hex digits behind it", "Write % itself as %25."}
		}
		c = unhex(segment[i+1])<<4 | unhex(segment[i+2])
		switch {
		case c == '/':
			return "", &LinkProblem{"it has %2F: a slash cannot be in a name", "Write / between two names."}
		case c < 0x20 || c == 0x7f:
			return "", &LinkProblem{fmt.Sprintf("it has %%%02X, a control character", c), "Give the file another name."}
		}
		b.WriteByte(c)
		i += 2
	}
	name := b.String()
	switch {
	case name == "." || name == "..":
		return "", &LinkProblem{"it has the segment " + name + ": a link stays below " + abi.VolumeRoot + " and names its file straight", "Write the path without . and .. segments."}
	case !utf8.ValidString(name):
		return "", &LinkProblem{"its percent-encoded bytes are not UTF-8", "Encode the bytes of the name's UTF-8."}
	}
	return name, nil
}

func unencoded(segment string, i int) *LinkProblem {
	switch segment[i] {
	case '?':
		return &LinkProblem{"it has a query, from ? on", "Write ? in a name as %3F."}
	case '#':
		return &LinkProblem{"it has a fragment, from # on", "Write # in a name as %23."}
	case '\\':
		return &LinkProblem{"it has a backslash", "Write / between two names; in a name write %5C."}
	}
	r, n := utf8.DecodeRuneInString(segment[i:])
	return &LinkProblem{
		fmt.Sprintf("%s stands in it unencoded", letter(r)),
		fmt.Sprintf("Percent-encode each segment: %s.", percent(segment[i:i+n])),
	}
}

func percent(s string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, "%%%02X", s[i])
	}
	return b.String()
}

// segmentByte reports what a segment of a path may hold as it is: pchar of
// RFC 3986 but for percent-encoding.
func segmentByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~!$&'()*+,;=:@", c) >= 0
}

func hexByte(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}

func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}
