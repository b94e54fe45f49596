package report

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/symbols"
	"perch/engine/units"
	"perch/inspect/rules"
	"perch/inspect/safe"
)

// Style is how a plain text report looks.
type Style struct {
	// Severity colours the name of a severity; nil leaves it as it is.
	Severity map[abi.Severity]func(string) string
	Safe     safe.Mode
	Width    int // of a line of excerpt, 0: 100
}

func (s Style) severity(v abi.Severity, t string) string {
	if f := s.Severity[v]; f != nil {
		return f(t)
	}
	return t
}

// sign returns the glyph of this mode: g, or a where the locale is not UTF-8.
func (s Style) sign(g, a string) string {
	if s.Safe.ASCII {
		return a
	}
	return g
}

// Source gives the bytes that a finding points at: the line and the offset of
// its first byte in the stream. It is false when there are none to show.
type Source func(rules.Finding) (line []byte, at int64, ok bool)

// Finding writes a finding for a person: what, where, an excerpt with the
// offending bytes marked, what follows from it, and what to do.
func (s Style) Finding(f rules.Finding, src Source) string {
	var b strings.Builder
	head := fmt.Sprintf("%s[%s]", f.Severity, f.Rule)
	fmt.Fprintf(&b, "%s: %s\n", s.severity(f.Severity, head), s.line(f.Title))
	if place := Place(f); place != "" {
		fmt.Fprintf(&b, "  --> %s\n", s.line(place))
	}
	if src != nil {
		if line, at, ok := src(f); ok {
			b.WriteString(s.excerpt(f, line, at))
		}
	}
	if rest := strings.TrimSpace(strings.TrimPrefix(f.Detail, f.Title)); strings.Trim(rest, ".") != "" {
		s.note(&b, "", strings.TrimSpace(strings.TrimPrefix(rest, ".")))
	}
	if len(f.Stack) > 0 {
		s.note(&b, "stack", frames(f.Stack))
	}
	s.note(&b, "", Whose(f))
	if f.Fix != "" {
		s.note(&b, "fix", f.Fix)
	}
	return b.String()
}

func (s Style) note(b *strings.Builder, name, text string) {
	if name != "" {
		name += ": "
	}
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		sign := "="
		if i > 0 {
			sign, name = " ", ""
		}
		fmt.Fprintf(b, "   %s %s%s\n", sign, name, s.line(line))
	}
}

// longestLine is how many cells a line of a finding takes: names in it are the
// module's and can be of any length.
const longestLine = 600

func (s Style) line(text string) string {
	shown := s.shown([]byte(text), longestLine)
	return s.Safe.Cut(shown, longestLine)
}

// Place says where a finding is: the run, the stream, the line and the bytes.
func Place(f rules.Finding) string {
	var parts []string
	if f.Run != "" {
		parts = append(parts, string(f.Run)+" run")
	}
	w := f.Where
	switch {
	case w.Stream == event.File && w.File != "":
		parts = append(parts, w.File)
	case w.Stream != "" && w.Stream != event.File:
		at := string(w.Stream)
		if w.Line > 0 {
			at += fmt.Sprintf(" line %d", w.Line)
		}
		parts = append(parts, at)
	}
	if w.Section != "" {
		parts = append(parts, w.Section+" section")
		if w.Section == "code" && w.Func >= 0 {
			parts = append(parts, fmt.Sprintf("function %d", w.Func))
		}
	}
	switch {
	case w.Stream == "":
	case w.End > w.Offset+1:
		parts = append(parts, fmt.Sprintf("bytes %d-%d", w.Offset, w.End-1))
	default:
		parts = append(parts, fmt.Sprintf("byte %d", w.Offset))
	}
	if w.Name != "" {
		parts = append(parts, w.Name)
	}
	if w.Pointer != "" {
		parts = append(parts, w.Pointer)
	}
	return strings.Join(parts, ", ")
}

// Whose says on whose word a finding stands, and what it does.
func Whose(f rules.Finding) string {
	if f.Follows {
		return "follows from the first finding, and decides nothing"
	}
	if f.Rule == abi.ModuleMemoryLimit || f.Rule == abi.ModuleTableLimit {
		return "refused by our limit; Subako's is not published"
	}
	switch f.Class {
	case abi.ClassM:
		return "MCP " + abi.ProtocolVersion + ": warning. Subako does not look at it"
	case abi.ClassS:
		return "our reading: a should, or what others refuse"
	case abi.ClassI:
		return "shown only"
	}
	switch abi.RuleOf(f.Rule).Effect() {
	case abi.Refuses:
		if f.Severity != abi.Error {
			return "Subako: refuses a package with this"
		}
		return "Subako: refuses the package"
	case abi.Breaks:
		if f.Run == event.Upload {
			return "Subako: refuses the package, its upload run is broken"
		}
		return "Subako: breaks the call"
	}
	if f.Rule.Group() == "block" {
		return "Subako: goes on; the model goes without the image"
	}
	return "Subako: goes on; the module is told"
}

// frames is a stack in lines. Of the frames of libraries in a row only the
// innermost is shown: what people look for is their own code.
func frames(stack []event.Frame) string {
	const most = 8
	var lines []string
	for i := 0; i < len(stack); {
		if len(lines) >= most {
			lines = append(lines, fmt.Sprintf("(%d more)", len(stack)-i))
			break
		}
		lines = append(lines, frame(stack[i]))
		from := i + 1
		for i++; symbols.Library(stack[i-1]) && i < len(stack) && symbols.Library(stack[i]); {
			i++
		}
		switch i - from {
		case 0:
		case 1:
			lines = append(lines, frame(stack[from]))
		default:
			lines = append(lines, fmt.Sprintf("(%d of the library)", i-from))
		}
	}
	return strings.Join(lines, "\n")
}

func frame(f event.Frame) string {
	if f.File == "" {
		return f.Name
	}
	return fmt.Sprintf("%s  %s:%d", f.Name, f.File, f.Line)
}

// excerpt shows the part of a line that a finding points at, with a row of ^
// below its bytes. What it costs does not grow with the line.
func (s Style) excerpt(f rules.Finding, line []byte, at int64) string {
	width := s.Width
	if width == 0 {
		width = 100
	}
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
	number := fmt.Sprint(max(f.Where.Line, 1))
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

// Duration writes a time for a person, in ASCII where the locale is.
func (s Style) Duration(d time.Duration) string {
	return strings.ReplaceAll(units.Duration(d), "µ", s.sign("µ", "u"))
}

// Row joins what stands in one line, made safe to show, with a dot between.
func (s Style) Row(parts ...string) string {
	shown := make([]string, 0, len(parts))
	for _, p := range parts {
		if p != "" {
			shown = append(shown, s.line(p))
		}
	}
	return strings.Join(shown, s.sign(" · ", " - "))
}

// Counts writes how many findings there are of each severity.
func Counts(all []rules.Finding) string {
	var parts []string
	for _, s := range []abi.Severity{abi.Error, abi.Warning, abi.Notice} {
		if n := rules.Count(all, s); n == 1 {
			parts = append(parts, "1 "+string(s))
		} else if n > 1 {
			parts = append(parts, fmt.Sprintf("%d %ss", n, s))
		}
	}
	if len(parts) == 0 {
		return "nothing found"
	}
	return strings.Join(parts, ", ")
}
