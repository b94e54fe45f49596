package stream

import (
	"fmt"
	"slices"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/hexview"
	"perch/inspect/jsonview"
	"perch/inspect/record"
	"perch/inspect/report"
	"perch/inspect/rules"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/excerpt"
	"perch/ui/findings"
	"perch/ui/list"
	"perch/ui/prose"
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
	d.title = cell.Own(themes.Muted, fmt.Sprintf("line %s on %s · %s · at %s", words.Count(r.line), r.stream(), size, c.when(r.time)))
	d.tab = tabOf(d.tabs, a.tab)
	if a.tab == "" && pretty != nil && r.broken() {
		d.tab = 1 // the bytes that are pointed at
	}
	d.head = c.verdictLines(r, a.w)
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

// pointed are the places of the line that findings point at, in bytes of it:
// those of the finding that was gone to come first.
func (c *wire) pointed(r *wireRow) []excerpt.Mark {
	var out []excerpt.Mark
	if r.partial {
		return nil
	}
	found := r.found
	if c.point != nil {
		found = append([]rules.Finding{*c.point}, found...)
	}
	for i, f := range found {
		if i > 0 && c.point != nil && oneFinding(f, *c.point) {
			continue
		}
		for _, w := range append([]event.Where{f.Where}, f.Also...) {
			from, to := w.Offset-r.offset, w.End-r.offset
			if w.Stream != r.stream() || w.Line != r.line || from < 0 || from > r.size+1 || from == 0 && to >= r.size && r.dir == in {
				continue // the whole of a request is not what is wrong
			}
			out = append(out, excerpt.Mark{From: int(from), To: int(min(to, r.size)), Caption: f.Title})
		}
	}
	return out
}

// broken reports whether an error was found in a line.
func (r *wireRow) broken() bool {
	return slices.ContainsFunc(r.found, func(f rules.Finding) bool { return f.Severity == abi.Error })
}

// oneFinding reports whether two findings are one.
func oneFinding(f, g rules.Finding) bool {
	return f.Rule == g.Rule && f.RunID == g.RunID && f.Event == g.Event && f.Where == g.Where
}

// verdictLines say what Subako and MCP make of a line.
func (c *wire) verdictLines(r *wireRow, w int) []cell.Line {
	if r.dir == in || r.partial {
		return nil
	}
	return append(c.subakoLines(r, w), c.mcpLines(r, w)...)
}

func (c *wire) subakoLines(r *wireRow, w int) []cell.Line {
	text := r.says[0].Text
	switch {
	case r.evidence:
		text = "not read: the call was over"
	case r.subako.text == "✗" && c.begin().Kind == event.Upload:
		text = "refuses the package"
	case r.subako.text == "✗":
		text = "breaks the call"
	case r.subako.text == "▲":
		text = "goes on; " + strings.TrimPrefix(text, "accepted, ")
	case r.answers:
		text = strings.Join(append([]string{text}, c.answer(r)...), ", ")
	case r.kind == event.Notification:
		text = "ignores it"
	}
	return verdictLine(c.look, "Subako", r.subako, text, w)
}

// mcpLines name what departs from MCP: its titles, the first ones.
func (c *wire) mcpLines(r *wireRow, w int) []cell.Line {
	if r.evidence || r.mcp.text == "·" {
		return nil
	}
	const most = 2
	var titles []string
	n := 0
	for _, f := range r.found {
		if f.Departs() && !f.Follows {
			if n++; n <= most {
				titles = append(titles, f.Title)
			}
		}
	}
	text := strings.Join(titles, "; ")
	switch {
	case n == 0:
		text = r.says[1].Text
	case n > most:
		text += "; and " + words.Count(n-most) + " more"
	}
	return verdictLine(c.look, "MCP", r.mcp, text, w)
}

func verdictLine(k *cell.Look, side string, s signed, text string, w int) []cell.Line {
	var l cell.Line
	l.Blank(1).OwnIn(cell.Fg(themes.Muted), side, 7).Own(cell.Fg(s.role), s.text+" ")
	out := prose.Hanging(k, l, 10, themes.Text, text, w-1)
	return out[:min(len(out), 2)]
}

func (c *wire) prettyBody(d *document, r *wireRow, a ask, doc *jsonview.Doc, marks []excerpt.Mark) {
	d.json = doc
	if len(marks) > 0 {
		d.reveal = doc.Reveal(marks[0].From)
	}
	d.body = jsonRows(doc)
	if notes := c.foundNotes(r, a, nil); len(notes) > 0 {
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

func (c *wire) hexBody(d *document, r *wireRow, a ask, marks []excerpt.Mark) {
	n := r.size
	if r.newline {
		n++
	}
	var ranges []hexview.Range
	for _, m := range marks {
		ranges = append(ranges, hexview.Range{From: int64(m.From), To: int64(max(m.To, m.From+1))})
	}
	var head cell.Line
	d.body, head, d.reveal = excerpt.Hex(a.look, sectionOf(c.run, r.stream(), r.offset, n), r.offset, ranges, a.w)
	var at cell.Line
	at.Blank(1).Own(cell.Fg(themes.Muted), fmt.Sprintf("bytes %s–%s of %s", words.Count(r.offset), words.Count(r.offset+max(n-1, 0)), r.stream()))
	d.head, d.hex = []cell.Line{at, head}, true
}

func (c *wire) textBody(d *document, r *wireRow, a ask, marks []excerpt.Mark) {
	first := int64(0)
	if len(marks) > 0 {
		first = int64(marks[0].From)
	}
	from, to := excerpt.Part(r.size, first)
	shifted := make([]excerpt.Mark, len(marks))
	for i, m := range marks {
		shifted[i] = excerpt.Mark{From: m.From - int(from), To: m.To - int(from), Caption: m.Caption}
	}
	role := themes.FromModule
	if r.dir == in {
		role = themes.ToModule
	}
	t := excerpt.Text{Look: a.look, Role: role, W: a.w - list.Frame, Marks: shifted, Add: c.find.Add}
	text := string(c.run.Stream(r.stream()).Bytes(r.offset+from, int(to-from)))
	lines := excerpt.Before(from)
	lines = append(lines, t.Rows(text, r.newline && to == r.size)...)
	lines = append(lines, excerpt.After(r.size, to)...)
	d.reveal = max(excerpt.CaretRow(lines)-1, 0)
	lines = append(lines, c.foundNotes(r, a, lines)...)
	d.body = list.Lines(lines)
}

// maxNotes is how many findings of a line are told below it; the pane Findings
// has them all.
const maxNotes = 8

// foundNotes tell of each finding who wrote the bytes, what to do and on whose
// word it stands. Titles that shown has already are not told again.
func (c *wire) foundNotes(r *wireRow, a ask, shown []cell.Line) []cell.Line {
	var out []cell.Line
	for i, f := range c.inOrder(r.found) {
		out = append(out, cell.Line{})
		if i == maxNotes {
			text := fmt.Sprintf("%s more about this line: 0 lists them", words.Plural(len(r.found)-i, "finding"))
			out = append(out, cell.Own(themes.Muted, text))
			break
		}
		if shown == nil || !hasText(shown, f.Title) {
			out = append(out, sentences(a.look, themes.Text, f.Title, a.w-3)...)
		}
		if rest := findings.Rest(f); rest != "" {
			out = append(out, sentences(a.look, themes.Muted, rest, a.w-3)...)
		}
		if by := findings.WrittenBy(f.Stack); by != "" {
			name := "written by"
			if f.Where.Stream == event.Stdin {
				name = "read by"
			}
			out = append(out, label(a.look, name, themes.Text, by, a.w-3)...)
		}
		if f.Fix != "" {
			out = append(out, label(a.look, "fix", themes.Text, f.Fix, a.w-3)...)
		}
		out = append(out, label(a.look, "rule", themes.Muted, a.look.Sign(string(f.Rule)+" · "+report.Whose(f)), a.w-3)...)
	}
	if shown == nil && len(out) > 0 {
		out = out[1:]
	}
	return out
}

// inOrder has the finding that was gone to in front.
func (c *wire) inOrder(all []rules.Finding) []rules.Finding {
	if c.point == nil {
		return all
	}
	for i, f := range all {
		if i > 0 && oneFinding(f, *c.point) {
			out := append([]rules.Finding{f}, all[:i]...)
			return append(out, all[i+1:]...)
		}
	}
	return all
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

// aboutLife tells of a row that is no line.
func (c *wire) aboutLife(r *wireRow, a ask) document {
	var d document
	e, _ := c.run.Event(r.seq)
	w := a.w - 3
	var lines []cell.Line
	switch b := e.Body.(type) {
	case event.StdinClosed:
		d.of, d.title = "stdin", cell.Own(themes.Muted, "stdin closed · at "+c.when(r.time))
		text := "The last request is answered, so Subako closes stdin. The module reads 0 bytes from now on, and is to exit with status 0 within " + words.Duration(abi.ExitTime) + "."
		if b.Experiment {
			text = "Subako does not close stdin here: it waits for the answer until the time is up. perch closes it as an experiment, to see what the module does; what comes now is not judged."
		}
		lines = sentences(a.look, themes.Text, text, w)
	case event.Verdict:
		d.of, d.title = "verdict", cell.Own(themes.Muted, "Subako's verdict · at "+c.when(r.time))
		lines = append(sentences(a.look, themes.Text, "Subako reads no further. What the module still writes is shown, and counts for nothing.", w),
			c.foundNotes(r, a, []cell.Line{{}})...)
	case event.Exit:
		d.of, d.title = "exit", cell.Own(themes.Muted, "the module's end · at "+c.when(r.time))
		lines = sentences(a.look, themes.Text, strings.Join(r.parts, ". ")+".", w)
		if len(b.Stack) > 0 {
			lines = append(append(lines, cell.Line{}), findings.Stack(b.Stack)...)
		}
	}
	d.body = list.Lines(lines)
	return d
}

// rowOf implements pointer: the line that a finding is about.
func (c *wire) rowOf(f rules.Finding) (row int, ok bool) {
	if f.RunID != c.run.ID() || f.Where.Line == 0 {
		return 0, false
	}
	kind := record.KindMessage
	switch f.Where.Stream {
	case event.Stdin:
		kind = record.KindRequest
	case event.Stdout:
	default:
		return 0, false
	}
	if f.Where.Stream == event.Stdout && c.partial.Number == int64(f.Where.Line) {
		return len(c.seqs), true
	}
	all := c.run.Of(kind)
	i, ok := slices.BinarySearchFunc(all, f.Where.Line, func(seq uint32, line int) int {
		e, _ := c.run.Event(uint64(seq))
		switch b := e.Body.(type) {
		case event.Message:
			return b.Line - line
		case event.Request:
			return b.Line - line
		}
		return -1 // it is no longer kept, as all before it
	})
	if !ok {
		return 0, false
	}
	return slices.BinarySearch(c.seqs, all[i])
}

// finding implements pointer.
func (c *wire) finding(row int) (rules.Finding, bool) {
	r := c.row(row)
	if r == nil || len(r.found) == 0 {
		return rules.Finding{}, false
	}
	return r.found[0], true
}
