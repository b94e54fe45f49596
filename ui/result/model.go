package result

import (
	"fmt"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/jsonview"
	"perch/inspect/model"
	"perch/inspect/record"
	"perch/inspect/report"
	"perch/inspect/rules"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/list"
	"perch/ui/prose"
	"perch/ui/syntax"
	"perch/ui/words"
)

// item is a row of the tab Model.
type item struct {
	line    cell.Line
	text    string // of a block, drawn when it is in sight
	json    bool
	role    themes.Role
	body    bool // text is to be drawn
	block   int  // the block that a copy takes, -1: none
	finding *rules.Finding
}

// Len implements list.Source.
func (p *Pane) Len() int { return len(p.items) }

// Row implements list.Source.
func (p *Pane) Row(i, _ int) cell.Line {
	it := p.items[i]
	if !it.body {
		return it.line
	}
	var l cell.Line
	l.Blank(2).Pinned()
	if it.json && len(it.text) <= 16<<10 {
		for _, t := range jsonview.Tokens(it.text) {
			l.Text(cell.Fg(syntax.JSON(t.Class)), t.Text)
		}
		return l
	}
	l.Text(cell.Fg(it.role), it.text)
	return l
}

// modelRows are the rows for a width; they are made anew when it changes.
func (p *Pane) modelRows(k *cell.Look, w int) *list.List {
	if p.rows == nil || p.items == nil || p.width != w || p.look != k {
		p.width, p.look = w, k
		p.items = p.build(k, w-3)
		if p.rows == nil {
			p.rows = list.New(p)
			p.rows.Wrap(true)
			p.rows.Select(p.firstOfInterest())
		}
	}
	return p.rows
}

// firstOfInterest is the row that is selected at first: the cause of what went
// wrong, else the first block.
func (p *Pane) firstOfInterest() int {
	if o, _ := outcome(p.call.Run); o == event.Broken {
		for i, it := range p.items {
			if it.finding != nil {
				return i
			}
		}
	}
	for i, it := range p.items {
		if it.block >= 0 {
			return i
		}
	}
	return 0
}

func outcome(r *record.Run) (event.Outcome, event.End) {
	end, _ := r.End()
	return end.Outcome, end
}

func (p *Pane) build(k *cell.Look, w int) []item {
	var out []item
	add := func(lines ...cell.Line) {
		for _, l := range lines {
			out = append(out, item{line: unindent(l), block: -1})
		}
	}
	add(p.outcomeLines(k, w)...)
	o, _ := outcome(p.call.Run)
	if p.call.Run.Begin().Kind == event.Upload {
		out = append(out, p.uploadItems(k, w)...)
		return append(out, p.findingItems(k, w)...)
	}
	add(p.verdictLines(k, o, w)...)
	switch {
	case o == event.Cancelled:
		add(cell.Line{})
		add(prose.Own(k, themes.Muted, "You ended the call. What it did until then is in the streams.", w)...)
	case o == event.Broken:
		out = append(out, p.brokenItems(k, w)...)
		return out
	default:
		out = append(out, p.blockItems(k, w)...)
	}
	return append(out, p.findingItems(k, w)...)
}

// unindent takes the first blank off: the list has a cell for its sign.
func unindent(l cell.Line) cell.Line {
	if len(l.Spans) > 0 && l.Spans[0].Text == "" && l.Spans[0].Width == 1 {
		l.Spans = l.Spans[1:]
	}
	return l
}

// outcomeLines are the outcome in a glyph and words, with the numbers beside it
// or, where there is no room, below.
func (p *Pane) outcomeLines(k *cell.Look, w int) []cell.Line {
	o, end := outcome(p.call.Run)
	var l cell.Line
	l.Own(cell.Fg(OutcomeRole(o)).With(themes.Bold), words.Outcome(o))
	parts := []string{words.Duration(end.Usage.Time)}
	if o == event.Broken {
		if f, ok := p.cause(); ok {
			parts = []string{whereText(p.call.Run, f)}
		}
	} else if n := end.Usage.Stdout; n > 0 {
		parts = append(parts, words.Bytes(n))
	}
	if text := exitText(p.call.Run); text != "" && o != event.Broken {
		parts = append(parts, text)
	}
	text := strings.Join(parts, " · ")
	if k.Width(l)+3+k.Measure(text) > w {
		return append([]cell.Line{l}, prose.Hanging(k, cell.Line{}, 2, themes.Muted, k.Sign(text), w)...)
	}
	l.Blank(3).Own(cell.Fg(themes.Muted), text)
	return []cell.Line{l}
}

// OutcomeRole is the colour of an outcome.
func OutcomeRole(o event.Outcome) themes.Role {
	switch o {
	case event.OK:
		return themes.OK
	case event.ToolError:
		return themes.Warning
	case event.Broken, event.Refused:
		return themes.Error
	}
	return themes.Info
}

// whereText says when and where a call broke, in a few words.
func whereText(r *record.Run, f rules.Finding) string {
	text := ""
	if e, ok := r.Event(f.Event); ok {
		text = "at " + words.Moment(e.Time)
	}
	if w := f.Where; w.Stream != "" && w.Stream != event.File && w.Line > 0 {
		text += fmt.Sprintf(", line %s on %s, byte %s", words.Count(w.Line), w.Stream, words.Count(w.Offset))
	}
	return strings.TrimPrefix(text, ", ")
}

func exitText(r *record.Run) string {
	e, ok := newest(r, record.KindExit)
	if !ok {
		return ""
	}
	x, _ := e.Body.(event.Exit)
	switch {
	case x.Trap != "":
		return "trap"
	case x.Stopped != "":
		return "stopped"
	case x.Code != nil && x.AfterEOF >= 0:
		return fmt.Sprintf("exit %d, %s later", *x.Code, words.Duration(x.AfterEOF))
	case x.Code != nil:
		return fmt.Sprintf("exit %d", *x.Code)
	}
	return ""
}

func (p *Pane) cause() (rules.Finding, bool) {
	for _, f := range p.call.Findings {
		if !f.Follows && f.Severity == abi.Error {
			return f, true
		}
	}
	return rules.Finding{}, false
}

// verdictLines are what Subako makes of the call, and how much was found beside
// it: on a line of its own where there is no room.
func (p *Pane) verdictLines(k *cell.Look, o event.Outcome, w int) []cell.Line {
	var l cell.Line
	l.Own(cell.Fg(themes.Muted), "Subako ")
	switch o {
	case event.OK:
		l.Own(cell.Fg(themes.OK), "✓ reads the answer")
	case event.ToolError:
		l.Own(cell.Fg(themes.OK), "✓ reads the answer")
		if w >= 44 {
			l.Own(cell.Fg(themes.Muted), "; isError, not a crash")
		}
	case event.Broken:
		l.Own(cell.Fg(themes.Error), "✗ breaks the call")
	default:
		l.Own(cell.Fg(themes.Muted), "· no verdict, the call was ended")
	}
	var found cell.Line
	for _, s := range []struct {
		severity abi.Severity
		sign     string
		role     themes.Role
	}{{abi.Warning, "▲", themes.Warning}, {abi.Notice, "◇", themes.Notice}} {
		if n := rules.Count(p.call.Findings, s.severity); n > 0 {
			if len(found.Spans) > 0 {
				found.Blank(2)
			}
			found.Own(cell.Fg(s.role), s.sign+" "+words.Plural(n, string(s.severity)))
		}
	}
	switch n := k.Width(found); {
	case n == 0:
		return []cell.Line{l}
	case k.Width(l)+2+n > w:
		return []cell.Line{l, prose.Indent(found, 2)}
	}
	return []cell.Line{*l.Blank(2).Add(found)}
}

func (p *Pane) uploadItems(k *cell.Look, w int) []item {
	o, _ := outcome(p.call.Run)
	text := "The upload run: Subako asks server/discover, then tools/list. It would take this package."
	if o != event.OK {
		text = "The upload run broke, so Subako would refuse this package. Its module can be called here all the same."
	}
	out := []item{{block: -1}}
	for _, l := range prose.Own(k, themes.Text, text, w) {
		out = append(out, item{line: unindent(l), block: -1})
	}
	return out
}

// blockItems are the content blocks as the model reads them.
func (p *Pane) blockItems(k *cell.Look, w int) []item {
	n := len(p.call.Model)
	head := "The model reads " + words.Plural(n, "block") + ":"
	if n == 0 {
		head = "The model reads nothing: content has no blocks."
	}
	out := []item{{line: cell.Own(themes.Muted, head), block: -1}}
	for i, b := range p.call.Model {
		out = append(out, item{block: -1}, item{line: blockHead(k, i, b, w), block: i})
		if b.Type == model.Image {
			continue
		}
		out = append(out, textItems(b.Text, i, themes.Text)...)
	}
	return out
}

// blockHead names a block; its size stands at the right of w cells.
func blockHead(k *cell.Look, i int, b model.Block, w int) cell.Line {
	var l cell.Line
	l.Own(cell.Fg(themes.Accent), fmt.Sprintf("%d ", i+1)).Own(cell.Fg(themes.Muted), string(b.Type))
	size := len(b.Text)
	if b.Type == model.Image {
		l.Blank(2).Own(cell.Fg(themes.Text), imageWords(b))
		size = len(b.Data)
	}
	text := words.Bytes(size)
	if b.Type == model.Image && b.Path != "" {
		if room := w - k.Width(l) - len(text) - 2 - len("  from "); room >= 8 {
			l.Blank(2).Own(cell.Fg(themes.Muted), "from ").TextIn(cell.Fg(themes.File), b.Path, min(room, k.Measure(b.Path)), cell.CutPath)
		}
	}
	return *l.Blank(max(w-k.Width(l)-len(text), 2)).Own(cell.Fg(themes.Muted), text)
}

// imageWords say what a picture is.
func imageWords(b model.Block) string {
	text := b.MIME
	if b.W > 0 {
		text += fmt.Sprintf(", %d×%d", b.W, b.H)
	}
	if max(b.W, b.H) > abi.MaxImageEdge {
		text += ", scaled to " + words.Count(abi.MaxImageEdge) + " px"
	}
	return text
}

// textItems are the lines of a text, each made ready when it is in sight.
func textItems(text string, block int, role themes.Role) []item {
	trimmed := strings.TrimLeft(text, " \t\r\n")
	looksJSON := strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[")
	lines := strings.Split(text, "\n")
	out := make([]item, 0, len(lines))
	for _, line := range lines {
		out = append(out, item{text: line, body: true, json: looksJSON, role: role, block: block})
	}
	return out
}

// copyItem is the text of the block that a row belongs to.
func (p *Pane) copyItem(i int) (string, bool) {
	if i >= len(p.items) {
		return "", false
	}
	it := p.items[i]
	switch {
	case it.block >= 0 && it.block < len(p.call.Model):
		return p.call.Model[it.block].Text, true
	case it.finding != nil:
		return report.Style{}.Finding(*it.finding, nil), true
	}
	return "", false
}
