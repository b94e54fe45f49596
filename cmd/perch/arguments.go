package main

import (
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
	start := strings.LastIndexByte(string(text[:offset]), '\n') + 1
	end := len(text)
	if i := strings.IndexByte(string(text[offset:]), '\n'); i >= 0 {
		end = offset + i
	}
	from := start
	before := s.Safe.Line(string(text[from:offset]))
	for safe.Width(before) > argumentsLine/2 {
		from += max(1, (offset-from)/2)
		before = s.Safe.Ellipsis() + s.Safe.Line(string(text[from:offset]))
	}
	line := s.Safe.Cut(before+s.Safe.Line(string(text[offset:end])), argumentsLine)
	return fmt.Errorf("%s is not JSON at byte %d: %s\n  %s\n  %s^", name, offset, at.Text, line, strings.Repeat(" ", safe.Width(before)))
}
