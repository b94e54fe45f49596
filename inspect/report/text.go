package report

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/quote"
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
	Width    int // cells of a line, 0: 80
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
func (s Style) Finding(f rules.Finding, src Source) string { return s.one(f, nil, src, false) }

// one writes a finding and, in a line each, what follows from it. Whose word it
// is and what to do are left out where the next finding says the same.
func (s Style) one(f rules.Finding, then []rules.Finding, src Source, nextSays bool) string {
	var b strings.Builder
	s.head(&b, f)
	s.place(&b, f)
	if src != nil {
		if line, at, ok := src(f); ok {
			b.WriteString(s.excerpt(f, line, at))
		}
	}
	s.note(&b, "", Rest(f))
	s.stack(&b, f.Stack)
	for i, t := range then {
		if i == mostThen {
			s.note(&b, "then", fmt.Sprintf("%d more that follow", len(then)-i))
			break
		}
		s.note(&b, "then", fmt.Sprintf("%s[%s] %s%s", t.Severity, t.Rule, t.Title, inParens(Place(t))))
	}
	if f.Class != abi.ClassI && !nextSays {
		s.note(&b, "", whose(f))
	}
	if !nextSays {
		s.note(&b, "fix", f.Fix)
	}
	s.note(&b, "accepted", f.Accepted)
	return b.String()
}

// place writes where a finding is.
func (s Style) place(b *strings.Builder, f rules.Finding) {
	if place := Place(f); place != "" {
		s.wrappedAt(b, "  --> ", len("  --> "), place)
	}
}

// mostThen is how many findings that follow from one are told.
const mostThen = 5

// head is the first line of a finding, its severity coloured.
func (s Style) head(b *strings.Builder, f rules.Finding) {
	name := fmt.Sprintf("%s[%s]", f.Severity, f.Rule)
	var text strings.Builder
	s.wrappedAt(&text, name+": ", noteIndent, f.Title)
	b.WriteString(s.severity(f.Severity, name) + strings.TrimPrefix(text.String(), name))
}

// Rest is what the detail of a finding says beyond its title.
func Rest(f rules.Finding) string {
	rest := strings.TrimSpace(strings.TrimPrefix(f.Detail, f.Title))
	if strings.Trim(rest, ".") == "" {
		return ""
	}
	return strings.TrimSpace(strings.TrimPrefix(rest, "."))
}

func inParens(text string) string {
	if text == "" {
		return ""
	}
	return " (" + text + ")"
}

// note writes what is said below a finding, under a name or none. Nothing is
// written of an empty text.
func (s Style) note(b *strings.Builder, name, text string) {
	text = strings.TrimSpace(text)
	if text == "" {
		return
	}
	sign := "   = "
	if name != "" {
		sign += name + ": "
	}
	for line := range strings.SplitSeq(text, "\n") {
		s.wrappedAt(b, sign, noteIndent, line)
		sign = strings.Repeat(" ", noteIndent)
	}
}

// noteIndent is where the text of a note begins.
const noteIndent = 5

// defaultWidth is of a line where nothing says how wide it may be.
const defaultWidth = 80

func (s Style) width() int { return cmp.Or(s.Width, defaultWidth) }

// wrappedAt writes a text behind what begins its first line. Its other lines
// stand so many cells in.
func (s Style) wrappedAt(b *strings.Builder, first string, indent int, text string) {
	room := max(s.width()-indent, 20)
	lead := strings.Repeat("x", max(safe.Width(first)-indent, 0)) // stands where the first line begins
	for _, line := range safe.Wrap(lead+s.line(text), room) {
		b.WriteString(strings.TrimRight(s.noCommand(first, strings.TrimPrefix(line, lead)), " "))
		b.WriteByte('\n')
		first, lead = strings.Repeat(" ", indent), ""
	}
}

// noCommand joins what begins a line and its text so that no text of a module's
// begins it: some services that keep logs take a line with :: in front as a
// command.
func (s Style) noCommand(first, text string) string {
	if strings.TrimSpace(first) != "" || !strings.HasPrefix(strings.TrimSpace(text), "::") {
		return first + text
	}
	dots := s.Safe.Ellipsis()
	return first[:max(0, len(first)-safe.Width(dots))] + dots + text
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
			at += " line " + quote.Count(w.Line)
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
	case w.Stream == event.File && w.Offset+w.End == 0: // a file that is not there
	case w.End > w.Offset+1:
		parts = append(parts, fmt.Sprintf("bytes %s-%s", quote.Count(w.Offset), quote.Count(w.End-1)))
	default:
		parts = append(parts, "byte "+quote.Count(w.Offset))
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
	if f.Side() == rules.OurReading && f.Class == abi.ClassH {
		return "our reading: Subako " + does(f)
	}
	switch f.Class {
	case abi.ClassM:
		return "MCP " + abi.ProtocolVersion + ": " + string(f.Severity) + ". Subako does not look at it"
	case abi.ClassS:
		if f.Side() == rules.OurReading {
			return "our reading: a should, or what others refuse"
		}
		return f.Side().String() + ": a should"
	case abi.ClassI:
		return "shown only"
	}
	return "Subako: " + does(f)
}

// does is what becomes of a package, or a call, in which a rule of class H is
// not kept.
func does(f rules.Finding) string {
	switch abi.RuleOf(f.Rule).Effect() {
	case abi.Refuses:
		if f.Severity != abi.Error {
			return "refuses a package with this"
		}
		return "refuses the package"
	case abi.Breaks:
		if f.Run == event.Upload {
			return "refuses the package, its upload run is broken"
		}
		return "breaks the call"
	}
	switch f.Rule.Group() {
	case "block":
		return "goes on; the model goes without the image"
	case "probe":
		return "a request can come like this"
	}
	return "goes on; the module is told"
}

// whose is Whose with the section of the page, or of MCP, that the rule comes
// from, or with why it is our reading.
func whose(f rules.Finding) string {
	text := Whose(f)
	w, ok := rules.WordsOf(f.Rule)
	if !ok || f.Follows || f.Class == abi.ClassI || f.Class == abi.ClassS && f.Severity == abi.Error {
		return text // an error of a should is refused by our limit
	}
	const ours, ofMCP = "our reading: ", "MCP " + abi.ProtocolVersion
	if why, is := strings.CutPrefix(w.Source, ours); is {
		if f.Class != abi.ClassH {
			return ours + why
		}
		if strings.Contains(f.Detail, "ur reading: ") {
			return text // why is said above
		}
		return text + inParens(why)
	}
	section := w.Cited()
	if f.Class == abi.ClassM && strings.HasPrefix(section, ofMCP) && strings.HasPrefix(text, ofMCP) {
		return section + strings.TrimPrefix(text, ofMCP)
	}
	return text + inParens(section)
}

// stack writes a stack. Of the frames of libraries in a row only the innermost
// is shown: what people look for is their own code.
func (s Style) stack(b *strings.Builder, stack []event.Frame) {
	const most = 8
	var lines []string
	for i := 0; i < len(stack); {
		if len(lines) >= most {
			lines = append(lines, fmt.Sprintf("(%d more)", len(stack)-i))
			break
		}
		lines = append(lines, s.frame(stack[i]))
		from := i + 1
		for i++; symbols.Library(stack[i-1]) && i < len(stack) && symbols.Library(stack[i]); {
			i++
		}
		switch i - from {
		case 0:
		case 1:
			lines = append(lines, s.frame(stack[from]))
		default:
			lines = append(lines, fmt.Sprintf("(%d of the library)", i-from))
		}
	}
	s.note(b, "stack", strings.Join(lines, "\n"))
}

// frame is a frame in a line, or its place in a second one where both do not
// fit.
func (s Style) frame(f event.Frame) string {
	name := s.line(f.Name)
	if f.File == "" {
		return name
	}
	place := s.line(fmt.Sprintf("%s:%d", f.File, f.Line))
	if safe.Width(name)+2+safe.Width(place) > s.width()-noteIndent-len("stack: ") {
		return name + "\n  " + place
	}
	return name + "  " + place
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
