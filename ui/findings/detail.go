package findings

import (
	"fmt"
	"strings"

	"perch/engine/event"
	"perch/engine/symbols"
	"perch/inspect/report"
	"perch/inspect/rules"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/list"
	"perch/ui/prose"
	"perch/ui/words"
)

// Ask is for what a detail is made.
type Ask struct {
	Look  *cell.Look
	W     int    // cells of the pane
	Tab   string // "" for the first
	Stack bool   // all frames of the stack, not the first one alone
	Bytes Bytes  // what the finding points at; Source is nil for nothing
}

// Detail is what is told of one finding.
type Detail struct {
	Title  cell.Line // the rule, and on whose word
	Tabs   []string
	Tab    int
	Head   []cell.Line
	Body   list.Source
	Hex    bool // Body is bytes in hexadecimal
	Reveal int  // row of the body to be seen first
	Folds  int  // row that folds the stack, -1: none
}

// at is where texts behind a label begin.
const at = 6

// About tells of a finding: what happened, where, with the bytes marked, what
// it does, who wrote them, what to do, and what is said of the rule.
func About(f rules.Finding, a Ask) Detail {
	d := Detail{Title: heading(f), Folds: -1}
	if a.Bytes.Source != nil {
		d.Tabs = []string{"Text", "Hex"}
		if a.Tab == "Hex" {
			return d.hex(f, a)
		}
	}
	k, w := a.Look, a.W-list.Frame
	lines := plain(k, themes.Text, f.Title, w)
	if rest := Rest(f); rest != "" {
		lines = append(lines, plain(k, themes.Muted, rest, w)...)
	}
	lines = append(lines, cell.Line{})
	lines = append(lines, Label(k, "here", themes.Muted, k.Sign(Place(f)), w)...)
	for _, l := range a.Bytes.Excerpt(k, "", w-at) {
		lines = append(lines, prose.Indent(l, at))
	}
	if len(f.Stack) > 0 {
		if len(f.Stack) > 1 {
			d.Folds = len(lines)
		}
		lines = append(lines, stack(k, f.Stack, a.Stack, w)...)
	}
	lines = append(lines, Label(k, "so", themes.Muted, report.Whose(f), w)...)
	if f.Fix != "" {
		lines = append(lines, Label(k, "fix", themes.Text, f.Fix, w)...)
	}
	if about, ok := rules.WordsOf(f.Rule); ok {
		lines = append(append(lines, cell.Line{}), RuleLines(k, about, w, false)...)
	}
	d.Body = list.Lines(lines)
	return d
}

func (d Detail) hex(f rules.Finding, a Ask) Detail {
	d.Tab, d.Hex = 1, true
	var head, at cell.Line
	d.Body, head, d.Reveal = a.Bytes.Hex(a.Look, a.W)
	at.Blank(1).Text(cell.Fg(themes.Muted), a.Bytes.Name).Own(cell.Fg(themes.Muted), " · "+bytesOf(f.Where))
	d.Head = []cell.Line{at, head}
	return d
}

// heading names the rule, whose word it is, and what the finding counts as.
func heading(f rules.Finding) cell.Line {
	_, word, role := Severity(f.Severity)
	var l cell.Line
	l.Own(cell.Fg(themes.Accent).With(themes.Bold), string(f.Rule)).Blank(2)
	return *l.Own(cell.Fg(themes.Muted), f.Side().String()+" · ").Own(cell.Fg(role), word)
}

// bytesOf says which bytes a place is.
func bytesOf(w event.Where) string {
	if w.End > w.Offset+1 {
		return fmt.Sprintf("bytes %s–%s", words.Count(w.Offset), words.Count(w.End-1))
	}
	return "byte " + words.Count(w.Offset)
}

// Place says where a finding is, in words; where it points at no bytes, it says
// at which event.
func Place(f rules.Finding) string {
	text := report.Place(f)
	if f.Where.Stream == "" && f.RunID != 0 {
		if text != "" {
			text += ", "
		}
		if f.Rule.Group() == "http" && f.Where.Offset > 0 {
			text += "byte " + words.Count(f.Where.Offset) + " of the request, "
		}
		text += "event " + words.Count(f.Event)
	}
	if n := len(f.Also); n > 0 {
		text += fmt.Sprintf(", and %s more", words.Plural(n, "place"))
	}
	return text
}

// Label is a name in its column and a text that wraps behind it.
func Label(k *cell.Look, name string, role themes.Role, text string, w int) []cell.Line {
	var l cell.Line
	l.Own(cell.Fg(themes.Muted), name)
	var out []cell.Line
	for i, row := range strings.Split(text, "\n") {
		if i > 0 {
			l = cell.Line{}
		}
		out = append(out, prose.Hanging(k, l, min(at, max(w/2, 1)), role, row, w)...)
	}
	return out
}

// plain is a text in rows.
func plain(k *cell.Look, role themes.Role, text string, w int) []cell.Line {
	return prose.Hanging(k, cell.Line{}, 0, role, text, w)
}

// maxStack is how many frames of a stack are told at most.
const maxStack = 64

// stack tells who wrote the bytes: the frame of the person's own code, or all
// frames, the innermost first.
func stack(k *cell.Look, frames []event.Frame, all bool, w int) []cell.Line {
	sign := "  "
	if len(frames) > 1 {
		sign = "▸ "
		if all {
			sign = "▾ "
		}
	}
	var l cell.Line
	l.Own(cell.Fg(themes.Muted), "by").Blank(at-4).Own(cell.Fg(themes.Muted), sign)
	if !all {
		text := WrittenBy(frames)
		if n := len(frames) - 1; n > 0 {
			text += fmt.Sprintf("  (+%s)", words.Plural(n, "frame"))
		}
		return prose.Hanging(k, l, at, themes.Text, text, w)
	}
	out := []cell.Line{*l.Own(cell.Fg(themes.Muted), words.Plural(len(frames), "frame")+", the innermost first")}
	for _, row := range Stack(frames) {
		out = append(out, prose.Indent(row, at))
	}
	return out
}

// Stack are the frames of a stack in rows, the innermost first.
func Stack(frames []event.Frame) []cell.Line {
	var out []cell.Line
	for i, f := range frames {
		if i == maxStack {
			return append(out, cell.Own(themes.Faint, "… "+words.Count(len(frames)-i)+" frames more"))
		}
		var l cell.Line
		role := themes.Text
		if symbols.Library(f) {
			role = themes.Muted
		}
		l.NumberIn(cell.Fg(themes.Faint), fmt.Sprint(i), 2).Blank(2).Text(cell.Fg(role), f.Name)
		if f.File != "" {
			l.Blank(2).Text(cell.Fg(themes.Muted), fmt.Sprintf("%s:%d", f.File, f.Line))
		}
		out = append(out, l)
	}
	return out
}

// WrittenBy names the innermost frame of the person's own code, and what it
// called.
func WrittenBy(stack []event.Frame) string {
	if len(stack) == 0 {
		return ""
	}
	own := -1
	for i, f := range stack {
		if strings.HasPrefix(f.Name, "main.") || strings.HasPrefix(f.Name, "main::") {
			own = i
			break
		}
		if own < 0 && f.File != "" && !symbols.Library(f) {
			own = i
		}
	}
	own = max(own, 0)
	text := stack[own].Name
	if stack[own].File != "" {
		text += fmt.Sprintf(" at %s:%d", stack[own].File, stack[own].Line)
	}
	if own > 0 {
		text += ", " + stack[own-1].Name
	}
	return text
}
