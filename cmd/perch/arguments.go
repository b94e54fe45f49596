package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"perch/engine/jsonread"
	"perch/inspect/report"
	"perch/inspect/safe"
)

// argumentsLine is how much of a line of bad arguments is shown, in cells.
const argumentsLine = 76

// badArguments says where arguments stop being a JSON object, with the line
// and a mark below the byte.
func badArguments(name string, text []byte, err error, s report.Style) error {
	var at *jsonread.Error
	if !errors.As(err, &at) {
		return fmt.Errorf("%s: %w", name, err)
	}
	offset := min(at.Offset, len(text))
	start := bytes.LastIndexByte(text[:offset], '\n') + 1
	end := len(text)
	if i := bytes.IndexByte(text[offset:], '\n'); i >= 0 {
		end = offset + i
	}
	// Of a long line only what can be shown is made ready.
	const most = 4 * argumentsLine
	before := s.Safe.Line(string(text[max(start, offset-most):offset]))
	if offset-start > most || safe.Width(before) > argumentsLine/2 {
		before = s.Safe.Ellipsis() + safe.Tail(before, argumentsLine/2)
	}
	line := s.Safe.Cut(before+s.Safe.Line(string(text[offset:min(end, offset+most)])), argumentsLine)
	return fmt.Errorf("%s is not JSON at byte %d: %s\n  %s\n  %s^", name, offset, at.Text, line, strings.Repeat(" ", safe.Width(before)))
}
