package arguments

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"perch/engine/jsonread"
	"perch/engine/wire"
	"perch/inspect/form"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/edit"
	"perch/ui/prose"
	"perch/ui/words"
)

// sends is what goes out of a draft, worked out once for each change.
type sends struct {
	known    bool
	revision int
	text     []byte
	err      error
	at       int    // byte of the draft that err is about
	words    string // what is said of it
	short    string // the same, where there is little room
}

func (s *sends) of(ed *edit.Editor) *sends {
	if s.known && s.revision == ed.Revision() {
		return s
	}
	*s = sends{known: true, revision: ed.Revision()}
	s.text, s.err = wire.Arguments([]byte(ed.Text()))
	var fault *jsonread.Error
	var kind *wire.ArgumentsError
	switch {
	case s.err == nil:
	case errors.As(s.err, &fault):
		s.at = fault.Offset
		s.words = fmt.Sprintf("not JSON at byte %s", words.Count(fault.Offset))
	case errors.As(s.err, &kind):
		s.words, s.short = "arguments are an object, this is "+kind.Kind.String(), "not an object"
	default:
		s.words = s.err.Error()
	}
	if s.short == "" {
		s.short = s.words
	}
	return s
}

// problem says what is wrong with the draft, or that nothing is, in rows of w
// cells.
func (p *Pane) problem(k *cell.Look, w int) []cell.Line {
	var l cell.Line
	s := p.now.sends.of(p.now.ed)
	var fault *jsonread.Error
	switch {
	case errors.As(s.err, &fault):
		line, col := p.now.ed.Where(fault.Offset)
		l.Blank(1).Own(cell.Fg(themes.Error), fmt.Sprintf("✗ %d:%d ", line, col))
		return prose.Hanging(k, l, k.Width(l), themes.Error, fault.Text, w)
	case s.err != nil:
		l.Blank(1).Own(cell.Fg(themes.Error), "✗ ")
		return prose.Hanging(k, l, k.Width(l), themes.Error, s.words, w)
	}
	if all := p.now.wrong(); len(all) > 0 {
		return p.wrongLine(k, all, w)
	}
	text := "a JSON object; Subako sends it as it is"
	if k.Measure(text)+4 > w {
		text = "a JSON object, sent as it is"
	}
	l.Blank(1).Own(cell.Fg(themes.OK), "✓ ").Own(cell.Fg(themes.Muted), text)
	return []cell.Line{l}
}

// wrongLine tells what the schema has against the arguments.
func (p *Pane) wrongLine(k *cell.Look, all []form.Problem, w int) []cell.Line {
	var l cell.Line
	l.Blank(1)
	if p.now.tab == JSON {
		if lines := p.statusLines(k, w); lines != nil {
			return lines
		}
	}
	missing, name := 0, ""
	for _, pr := range all {
		if pr.Level == form.Missing {
			missing, name = missing+1, lastName(pr.Path)
		}
	}
	if missing == len(all) {
		text := words.Plural(missing, "field") + " required here"
		l.Own(cell.Fg(themes.Warning), "▲ ")
		if missing == 1 {
			room := max(w-k.Width(l)-len(" is required here")-1, 8)
			l.Add(cell.Text(themes.Text, k.Text.Cut(k.Text.Line(name), room)))
			text = " is required here"
		}
		l.Own(cell.Fg(themes.Muted), text)
		if tail := "; Subako does not check"; k.Width(l)+k.Measure(tail) < w {
			l.Own(cell.Fg(themes.Muted), tail)
		}
		return []cell.Line{l}
	}
	n := len(all) + p.now.form.MoreProblems()
	sign, role := "▲ ", themes.Warning
	if slices.ContainsFunc(all, func(pr form.Problem) bool { return pr.Level == form.Wrong }) {
		sign, role = "✗ ", themes.Error
	}
	l.Own(cell.Fg(role), sign+words.Plural(n, "problem")).Own(cell.Fg(themes.Muted), ", ctrl+g next.")
	if tail := " Subako sends as is."; k.Width(l)+k.Measure(tail) < w {
		l.Own(cell.Fg(themes.Muted), tail)
	}
	return []cell.Line{l}
}

// statusLines tell the problem of the text at the caret: in one row, or in as
// many as its words need.
func (p *Pane) statusLines(k *cell.Look, w int) []cell.Line {
	s := p.now.ed.Status()
	if s.Count == 0 {
		return nil
	}
	var l cell.Line
	l.Blank(1)
	place := fmt.Sprintf("✗ %d:%d ", s.Line, s.Column)
	if k.Measure(place)+k.Measure(cutText(s.Text, 1024))+len(" 10,000 problems, ctrl+g") < w {
		return []cell.Line{*l.Add(p.now.ed.StatusLine(k, w-2, "ctrl+g"))}
	}
	l.Own(cell.Fg(themes.Error), place)
	lines := prose.Hanging(k, l, k.Width(l), themes.Error, s.Text, w)
	if len(lines) > 3 {
		lines = lines[:3]
		lines[2].Own(cell.Fg(themes.Error), "…")
	}
	if s.Count > 1 || !s.Here {
		lines[len(lines)-1].Gap().Own(cell.Fg(themes.Muted), " "+words.Plural(s.Count, "problem")+", ctrl+g").Blank(1)
	}
	return lines
}

// lastName is the name that a pointer ends with.
func lastName(pointer string) string {
	i := strings.LastIndexByte(pointer, '/')
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(pointer[i+1:])
}

// Problems is how many problems the arguments have by their schema; what keeps
// them from being sent is one.
func (p *Pane) Problems() int {
	if p.now == nil {
		return 0
	}
	if p.now.sends.of(p.now.ed).err != nil {
		return 1
	}
	return len(p.now.wrong()) + p.now.form.MoreProblems()
}

// Wrong reports whether more is wrong than what is missing.
func (p *Pane) Wrong() bool {
	if p.now == nil {
		return false
	}
	return p.now.sends.of(p.now.ed).err != nil ||
		slices.ContainsFunc(p.now.wrong(), func(pr form.Problem) bool { return pr.Level == form.Wrong })
}

// out is the row that says what is sent, byte for byte.
func (p *Pane) out(w int) cell.Line {
	s := p.now.sends.of(p.now.ed)
	var l cell.Line
	l.Blank(1)
	size := len(s.text)
	if s.err != nil {
		size = len(p.now.ed.Text())
		l.Own(cell.Fg(themes.Error), "cannot send: ").Text(cell.Fg(themes.Error), s.short)
	} else {
		tail := len(words.Bytes(size)) + 3
		room := max(w-tail-7, 1)
		shown := s.text
		if len(shown) > 4*room {
			shown = append(append([]byte(nil), shown[:4*room]...), "…"...)
		}
		l.Own(cell.Fg(themes.Muted), "sends ").TextIn(cell.Fg(themes.ToModule), string(shown), room, cell.CutEnd)
	}
	return *l.Gap().Own(cell.Fg(themes.Muted), words.Bytes(size)).Blank(1)
}

// run is the row Run, in w cells.
func (p *Pane) run(k *cell.Look, w int, focused bool) cell.Line {
	var l cell.Line
	selected := p.OnRun()
	switch {
	case selected && focused:
		l.Own(cell.Fg(themes.BorderFocus), "❯")
		l.Fill = cell.Style{Fg: themes.Text, Bg: themes.Selection}
	case selected:
		l.Own(cell.Fg(themes.Muted), "›")
		l.Fill = cell.Style{Fg: themes.Text, Bg: themes.SelectionQuiet}
	default:
		l.Blank(1)
	}
	role, key := themes.Accent, k.Key("run.call", "ctrl+r")
	if p.reason != "" {
		role = themes.Faint
	}
	l.Blank(2).Own(cell.Fg(role).With(themes.Bold), "Run ").Text(cell.Fg(role), p.tool.Name)
	if p.reason != "" {
		short, _, _ := strings.Cut(p.reason, " · ")
		for _, reason := range []string{" · " + p.reason, " · " + short} {
			if k.Width(l)+k.Measure(reason)+k.Measure(key)+2 <= w {
				l.Own(cell.Fg(themes.Faint), reason)
				break
			}
		}
	}
	return *l.Gap().Own(cell.Fg(themes.Muted), key).Blank(1)
}

// Problem says why the draft cannot be sent, "" when it can.
func (p *Pane) Problem() string {
	if p.now == nil {
		return ""
	}
	return p.now.sends.of(p.now.ed).words
}
