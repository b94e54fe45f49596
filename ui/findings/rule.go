package findings

import (
	"strings"

	"perch/engine/abi"
	"perch/inspect/jsonview"
	"perch/inspect/rules"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/prose"
	"perch/ui/syntax"
)

// RuleHead names a rule, whose word it is, what a finding of it counts as, and
// what that does.
func RuleHead(r abi.Rule, about rules.Words) cell.Line {
	_, word, role := Severity(r.Severity())
	var l cell.Line
	l.Own(cell.Fg(themes.Accent).With(themes.Bold), string(r.ID)).Blank(2)
	l.Own(cell.Fg(themes.Muted), about.Side.String()+" · ").Own(cell.Fg(role), word)
	if text := effect(r); text != "" {
		l.Own(cell.Fg(themes.Muted), " · "+text)
	}
	return l
}

func effect(r abi.Rule) string {
	switch r.Effect() {
	case abi.Refuses:
		return "refuses the package"
	case abi.Breaks:
		return "breaks the run"
	}
	return ""
}

// RuleLines are what is said of a rule, for w cells: the statement, why it
// matters, how to keep it, an example of either kind, and where it comes from;
// airy with blank rows between.
func RuleLines(k *cell.Look, about rules.Words, w int, airy bool) []cell.Line {
	var out []cell.Line
	part := func(lines []cell.Line) {
		if len(lines) > 0 && len(out) > 0 && airy {
			out = append(out, cell.Line{})
		}
		out = append(out, lines...)
	}
	part(Label(k, "rule", themes.Text, about.Rule, w))
	part(Label(k, "why", themes.Text, about.Why, w))
	part(Label(k, "keep", themes.Text, about.Fix, w))
	for _, advice := range about.Fixes {
		out = append(out, prose.Indent(cell.Own(themes.Muted, advice.Language), at))
		out = append(out, code(k, advice.Text, advice.Syntax(), at+2, w)...)
	}
	if airy && about.Bad != "" {
		part(prose.Hanging(k, cell.Line{}, at, themes.Muted, about.Medium.String(), w))
		out = append(out, example(k, "bad", themes.Error, about.Bad, about.Medium, w)...)
	} else {
		part(example(k, "bad", themes.Error, about.Bad, about.Medium, w))
	}
	out = append(out, example(k, "good", themes.OK, about.Good, about.Medium, w)...)
	part(Label(k, "from", themes.Muted, about.Source, w))
	return out
}

// RuleText is what is said of a rule as plain text.
func RuleText(r abi.Rule, about rules.Words) string {
	var b strings.Builder
	head := []string{string(r.ID), about.Side.String(), string(r.Severity())}
	if text := effect(r); text != "" {
		head = append(head, text)
	}
	b.WriteString(strings.Join(head, ", ") + "\n" + about.Rule + "\n\n" + about.Why + "\n\n" + about.Fix + "\n")
	for _, advice := range about.Fixes {
		b.WriteString(advice.Language + ":\n" + indented(advice.Text))
	}
	b.WriteString("\nbad:\n" + indented(about.Bad) + "good:\n" + indented(about.Good) + "\n" + about.Source + "\n")
	return b.String()
}

func indented(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  ") + "\n"
}

// example is a small example behind its label.
func example(k *cell.Look, name string, role themes.Role, text string, m rules.Medium, w int) []cell.Line {
	if text == "" {
		return nil
	}
	lines := code(k, text, m.Syntax(), at, w)
	var first cell.Line
	first.Own(cell.Fg(role), name).Blank(at - len(name)).Add(trimmed(lines[0], at))
	lines[0] = first
	return lines
}

// trimmed takes n blanks off the front of a line.
func trimmed(l cell.Line, n int) cell.Line {
	if len(l.Spans) > 0 && l.Spans[0].Text == "" && l.Spans[0].Width == n {
		l.Spans = l.Spans[1:]
	}
	return l
}

// code is lines of code, indented and broken where they are too long.
func code(k *cell.Look, text, language string, in, w int) []cell.Line {
	var out []cell.Line
	for _, row := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		for i, piece := range broken(k, strings.ReplaceAll(row, "\t", "    "), max(w-in, 8)) {
			var l cell.Line
			l.Blank(in)
			if i > 0 {
				l.Own(cell.Fg(themes.Faint), "  ")
			}
			colour(&l, piece, language)
			out = append(out, l)
		}
	}
	return out
}

// colour adds a line of code in the colours of its language.
func colour(l *cell.Line, text, language string) {
	switch {
	case language == "json":
		for _, t := range jsonview.Tokens(text) {
			l.Text(cell.Fg(syntax.JSON(t.Class)), t.Text)
		}
	case strings.HasPrefix(strings.TrimSpace(text), "//"), strings.HasPrefix(strings.TrimSpace(text), ";;"), language == "sh" && strings.HasPrefix(text, "#"):
		l.Text(cell.Fg(themes.Comment), text)
	case strings.HasPrefix(text, "$ "):
		l.Text(cell.Fg(themes.Muted), "$ ").Text(cell.Fg(themes.Text), text[2:])
	default:
		l.Text(cell.Fg(themes.String), text)
	}
}

// broken is a row of code in pieces of at most w cells; those after the first
// are two cells shorter. No character is split.
func broken(k *cell.Look, row string, w int) []string {
	var out []string
	start, cells := 0, 0
	for u := range k.Text.Units(row) {
		room := w
		if len(out) > 0 {
			room -= 2
		}
		if cells+u.Width > room && u.Start > start {
			end := u.Start
			if i := strings.LastIndexByte(row[start:end], ' '); i > room/2 {
				end = start + i + 1
			}
			out = append(out, row[start:end])
			start, cells = end, k.Measure(row[end:u.Start])
		}
		cells += u.Width
	}
	return append(out, row[start:])
}
