// Package prose breaks sentences into lines for panes and boxes. It knows
// nothing of what they say.
package prose

import (
	"strings"

	"perch/inspect/safe"
	"perch/themes"
	"perch/ui/cell"
)

// Own breaks our own words into lines of at most w cells, the first cell
// blank.
func Own(k *cell.Look, role themes.Role, text string, w int) []cell.Line {
	var out []cell.Line
	for _, row := range safe.Wrap(k.Sign(text), max(w-1, 1)) {
		out = append(out, Indent(cell.Own(role, row), 1))
	}
	return out
}

// Text is Own for words that are not ours.
func Text(k *cell.Look, role themes.Role, text string, w int) []cell.Line {
	var out []cell.Line
	for _, row := range safe.Wrap(k.Text.Text(strings.TrimSpace(text)), max(w-1, 1)) {
		out = append(out, Indent(cell.Text(role, row), 1))
	}
	return out
}

// Hanging is Text behind a label: the label stands in front of the first line,
// the others are indented as far. at is where the text begins.
func Hanging(k *cell.Look, label cell.Line, at int, role themes.Role, text string, w int) []cell.Line {
	var out []cell.Line
	for i, row := range safe.Wrap(k.Text.Text(strings.TrimSpace(text)), max(w-at, 1)) {
		var l cell.Line
		if i == 0 {
			l.Add(label)
		}
		l.Blank(max(at-k.Width(l), 0)).Text(cell.Fg(role), row)
		out = append(out, l)
	}
	if out == nil {
		out = []cell.Line{label}
	}
	return out
}

// Indent puts n blanks in front of a line.
func Indent(l cell.Line, n int) cell.Line {
	var out cell.Line
	out.Blank(n).Add(l)
	out.Fill = l.Fill
	return out
}

// Margin draws lines as a block of h rows of w cells, the last cell of each
// blank.
func Margin(k *cell.Look, lines []cell.Line, w, h int) cell.Block {
	out := k.Lines(lines, w-1, h)
	if w < 2 {
		return k.Lines(lines, w, h)
	}
	air := k.Row(cell.Line{}, 1)
	for i := range out {
		out[i] += air
	}
	return out
}
