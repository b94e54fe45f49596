package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"perch/inspect/rules"
	"perch/inspect/safe"
)

// excerpt shows the part of a line that a finding points at, with a row of ^
// below its bytes. What it costs does not grow with the line.
func (s Style) excerpt(f rules.Finding, line []byte, at int64) string {
	number := fmt.Sprint(max(f.Where.Line, 1))
	width := max(s.width()-len(number)-4, 16)
	from, to := f.Where.Offset-at, max(f.Where.End, f.Where.Offset+1)-at
	if from < 0 || from > int64(len(line)) {
		return ""
	}
	to = min(to, int64(len(line)))
	before := s.lead(line[:from], width/3)
	marked := s.shown(line[from:to], width)
	after := s.shown(line[to:], width)
	column := safe.Width(before)
	carets := strings.Repeat("^", max(1, min(safe.Width(marked), width-column)))
	pad := strings.Repeat(" ", len(number))
	return fmt.Sprintf(" %s |\n %s | %s\n %s | %s%s\n", pad, number, s.Safe.Cut(before+marked+after, width), pad,
		strings.Repeat(" ", column), s.severity(f.Severity, carets))
}

// perCell is how many bytes of a line are looked at for each cell to fill.
const perCell = 4

// lead is the end of what stands before the marked bytes, in so many cells.
func (s Style) lead(b []byte, cells int) string {
	cut := max(0, len(b)-perCell*cells)
	for back := 0; cut > 0 && back < utf8.UTFMax-1 && !utf8.RuneStart(b[cut]); back++ {
		cut-- // not inside a character
	}
	text := s.Safe.Line(string(b[cut:]))
	if cut == 0 && safe.Width(text) <= cells {
		return text
	}
	return s.Safe.Ellipsis() + safe.Tail(text, cells-1)
}

// shown is the start of a part of a line, at least as many cells as there are
// to fill.
func (s Style) shown(b []byte, cells int) string {
	end := min(len(b), perCell*cells)
	for more := 0; end < len(b) && more < utf8.UTFMax-1 && !utf8.RuneStart(b[end]); more++ {
		end++
	}
	return s.Safe.Line(string(b[:end]))
}
