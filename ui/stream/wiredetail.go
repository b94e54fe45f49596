package stream

import (
	"fmt"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/hexview"
	"perch/inspect/jsonview"
	"perch/inspect/report"
	"perch/inspect/rules"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/list"
	"perch/ui/words"
)

func (c *wire) about(row int, a ask) document {
	r := c.row(row)
	if r == nil {
		return document{title: cell.Own(themes.Faint, "this line is no longer kept")}
	}
	if r.dir == life {
		return c.aboutLife(r, a)
	}
	name := "out"
	if r.dir == in {
		name = "in"
	}
	d := document{of: fmt.Sprintf("%s %s", name, words.Count(r.line))}
	marks := c.pointed(r)
	d.tabs = []string{"Text", "Hex"}
	pretty := c.pretty(r)
	if pretty != nil {
		d.tabs = []string{"Pretty", "Raw", "Hex"}
	}
	size := lineSize(r.size, r.newline)
	if pretty != nil && r.newline {
		size = words.Bytes(r.size) // a message ends as it should
	}
	d.title = cell.Own(themes.Muted, fmt.Sprintf("line %s on %s · %s · at %s", words.Count(r.line), r.stream(), size, words.Moment(r.time)))
	d.tab = tabOf(d.tabs, a.tab)
	if a.tab == "" && len(marks) > 0 && pretty != nil {
		d.tab = 1 // the bytes that are pointed at
	}
	d.head = c.verdictLines(r)
	switch d.tabs[d.tab] {
	case "Pretty":
		c.prettyBody(&d, r, a, pretty, marks)
	case "Hex":
		c.hexBody(&d, r, a, marks)
	default:
		c.textBody(&d, r, a, marks)
	}
	return d
}

// pretty is a line as JSON; nil when it is none.
func (c *wire) pretty(r *wireRow) *jsonview.Doc {
	most := int64(maxPretty)
	if c.panel.rows.Following() && c.live() {
		most = maxEager // the newest line changes with each frame
	}
	if r.size > most || r.partial {
		return nil
	}
	return jsonBody(c.bytes(r, r.size), maxPretty)
}

// pointed are the places of the line that breaches point at, in bytes of it.
func (c *wire) pointed(r *wireRow) []mark {
	var out []mark
	for _, b := range r.breaches {
		w := b.Where
		from, to := w.Offset-r.offset, w.End-r.offset
		if from < 0 || from > r.size+1 || r.partial || from == 0 && to >= r.size && r.dir == in {
			continue // the whole of a request is not what is wrong
		}
		out = append(out, mark{int(from), int(min(to, r.size)), rules.Of(b).Title})
	}
	return out
}

// verdictLines say what Subako and MCP make of a line.
func (c *wire) verdictLines(r *wireRow) []cell.Line {
	if r.dir == in || r.partial {
		return nil
	}
	subako, mcp := r.verdicts()
	text := "not judged"
	switch {
	case r.evidence:
		text = "not read: the call was over"
	case subako.text == "✗" && c.begin().Kind == event.Upload:
		text = "refuses the package"
	case subako.text == "✗":
		text = "breaks the call"
	case subako.text == "▲":
		text = "goes on, with a warning"
	case r.answers:
		text = strings.Join(append([]string{"reads the answer"}, c.answer(r)...), ", ")
	case r.kind == event.Notification:
		text = "ignores it"
	}
	var l cell.Line
	l.Blank(1).Own(cell.Fg(themes.Muted), "Subako ").Own(cell.Fg(subako.role), subako.text+" ").Text(cell.Fg(themes.Text), text)
	out := []cell.Line{l}
	if mcp.text == "▲" {
		var m cell.Line
		var titles []string
		for _, b := range r.breaches {
			if abi.RuleOf(b.Rule).Class == abi.ClassM {
				titles = append(titles, rules.Of(b).Title)
			}
		}
		m.Blank(1).Own(cell.Fg(themes.Muted), "MCP    ").Own(cell.Fg(mcp.role), "▲ ").Text(cell.Fg(themes.Text), strings.Join(titles, "; "))
		out = append(out, m)
	}
	return out
}

func (c *wire) prettyBody(d *document, r *wireRow, a ask, doc *jsonview.Doc, marks []mark) {
	d.json = doc
	if len(marks) > 0 {
		d.reveal = doc.Reveal(marks[0].from)
	}
	d.body = jsonRows(doc)
	if notes := c.breachNotes(r, a, nil); len(notes) > 0 {
		d.body = stacked{jsonRows(doc), list.Lines(notes)}
	}
}

// stacked is one source below another, a blank row between them.
type stacked struct{ a, b list.Source }

func (s stacked) Len() int { return s.a.Len() + 1 + s.b.Len() }

func (s stacked) Row(i, w int) cell.Line {
	switch n := s.a.Len(); {
	case i < n:
		return s.a.Row(i, w)
	case i == n:
		return cell.Line{}
	default:
		return s.b.Row(i-n-1, w)
	}
}

func (c *wire) hexBody(d *document, r *wireRow, a ask, marks []mark) {
	n := r.size
	if r.newline {
		n++
	}
	var ranges []hexview.Range
	for _, m := range marks {
		ranges = append(ranges, hexview.Range{From: int64(m.from), To: int64(max(m.to, m.from+1))})
	}
	var head cell.Line
	d.body, head, d.reveal = hexBody(a.look, sectionOf(c.run, r.stream(), r.offset, n), r.offset, ranges, a.w)
	var at cell.Line
	at.Blank(1).Own(cell.Fg(themes.Muted), fmt.Sprintf("bytes %s–%s of %s", words.Count(r.offset), words.Count(r.offset+max(n-1, 0)), r.stream()))
	d.head, d.hex = []cell.Line{at, head}, true
}

func (c *wire) textBody(d *document, r *wireRow, a ask, marks []mark) {
	first := int64(0)
	if len(marks) > 0 {
		first = int64(marks[0].from)
	}
	from, to := window(r.size, first)
	shifted := make([]mark, len(marks))
	for i, m := range marks {
		shifted[i] = mark{m.from - int(from), m.to - int(from), m.caption}
	}
	role := themes.FromModule
	if r.dir == in {
		role = themes.ToModule
	}
	t := fullText{look: a.look, role: role, w: a.w - 3, marks: shifted, find: &c.find}
	text := string(c.run.Stream(r.stream()).Bytes(r.offset+from, int(to-from)))
	lines := noteBefore(from)
	lines = append(lines, t.rows(text, r.newline && to == r.size)...)
	lines = append(lines, noteAfter(r.size, to)...)
	d.reveal = max(caretRow(lines)-1, 0)
	lines = append(lines, c.breachNotes(r, a, lines)...)
	d.body = list.Lines(lines)
}

// caretRow is the first row of ^ in lines, 0 when there is none.
func caretRow(lines []cell.Line) int {
	for i, l := range lines {
		for _, s := range l.Spans {
			if strings.HasPrefix(s.Text, "^") && s.Ours {
				return i
			}
		}
	}
	return 0
}

// breachNotes tell of each breach who wrote the bytes, what to do and on whose
// word it stands. Titles that shown has already are not told again.
func (c *wire) breachNotes(r *wireRow, a ask, shown []cell.Line) []cell.Line {
	var out []cell.Line
	for _, b := range r.breaches {
		f := rules.Of(b)
		f.Run = c.begin().Kind
		out = append(out, cell.Line{})
		if shown == nil || !hasText(shown, f.Title) {
			out = append(out, sentences(a.look, themes.Text, f.Title, a.w-3)...)
		}
		if rest := strings.Trim(strings.TrimPrefix(f.Detail, f.Title), ". "); rest != "" {
			out = append(out, sentences(a.look, themes.Muted, rest, a.w-3)...)
		}
		if by := writtenBy(b.Stack); by != "" {
			out = append(out, label(a.look, "written by", themes.Text, by, a.w-3)...)
		}
		if f.Fix != "" {
			out = append(out, label(a.look, "fix", themes.Text, f.Fix, a.w-3)...)
		}
		out = append(out, label(a.look, "rule", themes.Muted, a.look.Sign(string(b.Rule)+" · "+report.Whose(f)), a.w-3)...)
	}
	if shown == nil && len(out) > 0 {
		out = out[1:]
	}
	return out
}

func hasText(lines []cell.Line, text string) bool {
	for _, l := range lines {
		for _, s := range l.Spans {
			if s.Text == text {
				return true
			}
		}
	}
	return false
}

// writtenBy names the frame of the person's own code, and what it called.
func writtenBy(stack []event.Frame) string {
	at := -1
	for i, f := range stack {
		if strings.HasPrefix(f.Name, "main.") || strings.HasPrefix(f.Name, "main::") {
			at = i
			break
		}
		if at < 0 && f.File != "" {
			at = i
		}
	}
	if at < 0 {
		if len(stack) == 0 {
			return ""
		}
		at = 0
	}
	text := stack[at].Name
	if stack[at].File != "" {
		text += fmt.Sprintf(" at %s:%d", stack[at].File, stack[at].Line)
	}
	if at > 0 {
		text += ", " + stack[at-1].Name
	}
	return text
}

// maxStack is how many frames of a stack a detail tells.
const maxStack = 64

// stackLines are the frames of a stack, the innermost first.
func stackLines(stack []event.Frame) []cell.Line {
	var out []cell.Line
	for i, f := range stack {
		if i == maxStack {
			return append(out, cell.Own(themes.Faint, "… "+words.Count(len(stack)-i)+" frames more"))
		}
		var l cell.Line
		l.NumberIn(cell.Fg(themes.Faint), fmt.Sprint(i), 2).Blank(2).Text(cell.Fg(themes.Text), f.Name)
		if f.File != "" {
			l.Blank(2).Text(cell.Fg(themes.Muted), fmt.Sprintf("%s:%d", f.File, f.Line))
		}
		out = append(out, l)
	}
	return out
}

// aboutLife tells of a row that is no line.
func (c *wire) aboutLife(r *wireRow, a ask) document {
	var d document
	e, _ := c.run.Event(r.seq)
	w := a.w - 3
	var lines []cell.Line
	switch b := e.Body.(type) {
	case event.StdinClosed:
		d.of, d.title = "stdin", cell.Own(themes.Muted, "stdin closed · at "+words.Moment(r.time))
		text := "The last request is answered, so Subako closes stdin. The module reads 0 bytes from now on, and is to exit with status 0 within " + words.Duration(abi.ExitTime) + "."
		if b.Experiment {
			text = "Subako does not close stdin here: it waits for the answer until the time is up. perch closes it as an experiment, to see what the module does; what comes now is not judged."
		}
		lines = sentences(a.look, themes.Text, text, w)
	case event.Verdict:
		d.of, d.title = "verdict", cell.Own(themes.Muted, "Subako's verdict · at "+words.Moment(r.time))
		lines = append(sentences(a.look, themes.Text, "Subako reads no further. What the module still writes is shown, and counts for nothing.", w),
			c.breachNotes(r, a, []cell.Line{{}})...)
	case event.Exit:
		d.of, d.title = "exit", cell.Own(themes.Muted, "the module's end · at "+words.Moment(r.time))
		lines = sentences(a.look, themes.Text, strings.Join(r.parts, ". ")+".", w)
		if len(b.Stack) > 0 {
			lines = append(append(lines, cell.Line{}), stackLines(b.Stack)...)
		}
	}
	d.body = list.Lines(lines)
	return d
}
