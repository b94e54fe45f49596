// Package export writes values, calls and exchanges as texts that people take
// along: JSON, commands for a shell, bytes as hex, a report in Markdown. Each is
// a pure function. Values keep their bytes, numbers above all; what goes into a
// shell is quoted to the byte; what goes into a report is made visible, and
// secrets are never written.
//
// The package knows JSON, events and findings, and nothing of clipboards, files
// or terminals.
package export

import (
	"fmt"
	"strings"

	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/inspect/record"
	"perch/inspect/safe"
)

// Value is a value to be used elsewhere: the decoded text of a string, the JSON
// text of any other value as it is written.
func Value(v jsonread.Value) []byte {
	if text, ok := v.Text(); ok {
		return []byte(text)
	}
	return v.Raw()
}

// Pretty is a value with each element and member on a line of its own. Strings
// and numbers stay as they are written.
func Pretty(v jsonread.Value) []byte {
	return jsonread.Indent(make([]byte, 0, 2*len(v.Raw())), v.Raw())
}

// Compact is a value on one line, without white space between its tokens.
func Compact(v jsonread.Value) []byte {
	return jsonread.Compact(make([]byte, 0, len(v.Raw())), v.Raw())
}

// Requests are the lines that were put into stdin, byte for byte, without their
// line feeds.
func Requests(r *record.Run) [][]byte {
	var lines [][]byte
	for _, seq := range r.Of(record.KindRequest) {
		e, _ := r.Event(uint64(seq))
		if b, ok := e.Body.(event.Request); ok {
			lines = append(lines, []byte(strings.TrimSuffix(string(b.Bytes), "\n")))
		}
	}
	return lines
}

// Clipboard is text for a clipboard: what would not show, or would do something
// where it is pasted, is a sign for itself. hidden is how many there are; a file
// gets the bytes unchanged.
func Clipboard(b []byte) (text string, hidden int) {
	s := string(b)
	for part := s; part != ""; { // line feeds and tabs stay
		i := strings.IndexAny(part, "\n\t")
		if i < 0 {
			hidden += safe.Mode{}.Hidden(part)
			break
		}
		hidden += safe.Mode{}.Hidden(part[:i])
		part = part[i+1:]
	}
	return safe.Text(s), hidden
}

// hexRow is how many bytes stand in a row of hex.
const hexRow = 16

// Hex is bytes as rows of an offset, hexadecimal digits and ASCII text. base is
// the offset of the first byte.
func Hex(b []byte, base int64) string {
	digits := max(len(fmt.Sprintf("%x", base+int64(max(len(b)-1, 0)))), 5)
	var out strings.Builder
	out.Grow((len(b)/hexRow + 1) * (digits + 4*hexRow + 8))
	const hex = "0123456789abcdef"
	for i := 0; i < len(b); i += hexRow {
		row := b[i:min(i+hexRow, len(b))]
		fmt.Fprintf(&out, "%0*x ", digits, base+int64(i))
		for k := range hexRow {
			if k%8 == 0 {
				out.WriteByte(' ')
			}
			if k >= len(row) {
				out.WriteString("   ")
				continue
			}
			out.WriteByte(hex[row[k]>>4])
			out.WriteByte(hex[row[k]&15])
			out.WriteByte(' ')
		}
		out.WriteByte(' ')
		for _, c := range row {
			if c < ' ' || c > '~' {
				c = '.'
			}
			out.WriteByte(c)
		}
		out.WriteByte('\n')
	}
	return out.String()
}
