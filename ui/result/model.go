package result

import (
	"fmt"
	"sort"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/model"
	"perch/inspect/record"
	"perch/inspect/rules"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/findings"
	"perch/ui/list"
	"perch/ui/prose"
	"perch/ui/words"
)

// item is a row of the tab Model, or all rows of a text.
type item struct {
	line    cell.Line
	body    *body // in place of the line
	block   int   // the block that a copy takes, -1: none
	finding *rules.Finding
}

// count is how many rows an item has.
func (it item) count() int {
	if it.body != nil {
		return len(it.body.rows)
	}
	return 1
}

// Len implements list.Source.
func (p *Pane) Len() int {
	if len(p.starts) == 0 {
		return 0
	}
	return p.starts[len(p.starts)-1]
}

// Row implements list.Source.
func (p *Pane) Row(i, _ int) cell.Line {
	it, sub := p.item(i)
	if it.body == nil {
		return it.line
	}
	var l cell.Line
	l.Blank(2)
	it.body.draw(&l, sub)
	return l
}

// item is the item of a row, and which of its rows that is.
func (p *Pane) item(row int) (item, int) {
	i := sort.SearchInts(p.starts, row+1) - 1
	if i < 0 || i >= len(p.items) {
		return item{block: -1}, 0
	}
	return p.items[i], row - p.starts[i]
}

// modelRows are the rows for a width; they are made anew when it changes.
func (p *Pane) modelRows(k *cell.Look, w int) *list.List {
	if p.rows != nil && p.items != nil && !p.stale && p.width == w && p.look == k {
		return p.rows
	}
	block, at := p.textPlace()
	moved := p.width != w
	p.width, p.look, p.stale = w, k, false
	p.items = p.build(k, w-list.Frame)
	p.starts = append(p.starts[:0], 0)
	for i, it := range p.items {
		p.starts = append(p.starts, p.starts[i]+it.count())
	}
	untouched := p.rows == nil
	if !untouched {
		row, _ := p.rows.Selected()
		untouched = row == p.first
	}
	if p.rows == nil {
		p.rows = list.New(p)
		p.rows.Wrap(true)
	}
	switch {
	case untouched: // what is of interest may have come since, or be another row
		p.first = p.starts[p.firstOfInterest()]
		p.rows.Select(p.first)
	case moved && block >= 0: // the rows of the text are others now
		for i, it := range p.items {
			if it.body != nil && it.block == block {
				p.rows.Select(p.starts[i] + it.body.rowOf(at))
			}
		}
	}
	p.searchAnew(Model)
	return p.rows
}

// textPlace is the block of the selected row of a text, -1 for others, and
// where in the text the row begins.
func (p *Pane) textPlace() (block, at int) {
	if p.rows == nil {
		return -1, 0
	}
	row, ok := p.rows.Selected()
	it, sub := p.item(row)
	if !ok || it.body == nil {
		return -1, 0
	}
	return it.block, int(it.body.rows[sub].at)
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
	if p.call.Run.Begin().Kind == event.Probe {
		add(cell.Line{})
		add(prose.Text(k, themes.Text, "A probe: "+p.call.Run.Begin().Probe+". It is not what Subako does at upload, and decides nothing.", w)...)
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
	l.Own(cell.Fg(findings.OutcomeRole(o)).With(themes.Bold), words.Outcome(o))
	texts := p.numbersTexts(end)
	if o == event.Broken {
		texts = []string{words.Duration(end.Usage.Time)}
		if f, ok := p.cause(); ok {
			texts = whereTexts(p.call.Run, f)
		}
	}
	for _, text := range texts {
		if k.Width(l)+3+k.Measure(text) <= w {
			l.Blank(3).Own(cell.Fg(themes.Muted), text)
			return []cell.Line{l}
		}
	}
	return append([]cell.Line{l}, prose.Hanging(k, cell.Line{}, 2, themes.Muted, k.Sign(texts[0]), w)...)
}

// numbersTexts are what a run that was not broken took and gave, in fewer and
// fewer cells: how long the exit took, which Wire has too, goes first.
func (p *Pane) numbersTexts(end event.End) []string {
	parts := []string{words.Duration(end.Usage.Time)}
	if n := end.Usage.Stdout; n > 0 {
		parts = append(parts, words.Bytes(n))
	}
	exit := exitText(p.call.Run)
	if exit == "" {
		return []string{strings.Join(parts, " · ")}
	}
	short, _, _ := strings.Cut(exit, ",")
	return []string{strings.Join(append(parts[:len(parts):len(parts)], exit), " · "), strings.Join(append(parts, short), " · ")}
}

// whereTexts say when and where a call broke, in fewer and fewer cells: the
// time, which Wire has too, goes before the place.
func whereTexts(r *record.Run, f rules.Finding) []string {
	at := ""
	if e, ok := r.Event(f.Event); ok {
		at = "at " + words.Moment(e.Time)
	}
	w := f.Where
	if w.Stream == "" || w.Stream == event.File || w.Line <= 0 {
		return []string{at}
	}
	line, offset := words.Count(w.Line), words.Count(w.Offset)
	long := fmt.Sprintf("line %s on %s, byte %s", line, w.Stream, offset)
	short := fmt.Sprintf("%s line %s, byte %s", w.Stream, line, offset)
	if at == "" {
		return []string{long, short}
	}
	return []string{at + ", " + long, at + ", " + short, short}
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

// verdictLines are the two verdicts on the call, and how much is our reading:
// in one row where there is room.
func (p *Pane) verdictLines(k *cell.Look, o event.Outcome, w int) []cell.Line {
	subako, mcp := rules.Verdicts(o, p.call.Findings)
	parts := []cell.Line{subakoLine(o, subako, w), mcpLine(o, mcp)}
	ours := 0
	for _, f := range p.call.Findings {
		if f.Side() == rules.OurReading && f.Severity == abi.Notice && !f.Follows {
			ours++
		}
	}
	if ours > 0 {
		parts = append(parts, cell.Own(themes.Notice, "◇ "+words.Plural(ours, "notice")))
	}
	out := parts[:1]
	for _, part := range parts[1:] {
		last := &out[len(out)-1]
		switch n := k.Width(part); {
		case n == 0:
		case k.Width(*last)+3+n <= w:
			last.Blank(3).Add(part)
		default:
			out = append(out, part)
		}
	}
	return out
}

func subakoLine(o event.Outcome, v rules.Verdict, w int) cell.Line {
	var l cell.Line
	l.Own(cell.Fg(themes.Muted), "Subako ")
	switch {
	case o == event.Broken:
		return *l.Own(cell.Fg(themes.Error), "✗ breaks the call")
	case o != event.OK && o != event.ToolError:
		return *l.Own(cell.Fg(themes.Muted), "· no verdict, the call was ended")
	case v.Severity == abi.Warning:
		return *l.Own(cell.Fg(themes.Warning), "▲ reads the answer, with a warning")
	}
	l.Own(cell.Fg(themes.OK), "✓ reads the answer")
	if tail := "; isError, not a crash"; o == event.ToolError && len("Subako ✓ reads the answer")-2+len(tail) <= w {
		l.Own(cell.Fg(themes.Muted), tail)
	}
	return l
}

// mcpLine is MCP's verdict; it has none on a call that was ended.
func mcpLine(o event.Outcome, v rules.Verdict) cell.Line {
	var l cell.Line
	if o == event.Cancelled {
		return l
	}
	l.Own(cell.Fg(themes.Muted), "MCP ")
	switch {
	case v.Rule != "" || v.Severity == abi.Error:
		return *l.Own(cell.Fg(themes.Error), "✗ "+v.Text)
	case v.Severity == abi.Warning:
		return *l.Own(cell.Fg(themes.Warning), "▲ "+v.Text)
	case v.Count > 0:
		return *l.Own(cell.Fg(themes.Notice), "◇ "+v.Text)
	case o == event.Broken:
		return *l.Own(cell.Fg(themes.Muted), "· nothing of its own")
	}
	return *l.Own(cell.Fg(themes.OK), "✓ fits")
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
		role := themes.Text
		if b.OurWords {
			role = themes.Muted
		}
		if b.Type != model.Image {
			out = append(out, item{body: newBody(k, b.Text, w-2, role, true), block: i})
		}
		if b.Type == model.Image {
			out = append(out, p.pictureItems(i, b, w)...)
		}
		out = append(out, aboutItems(k, i, b, w)...)
	}
	return out
}

// aboutItems are what a person should know of a block beside it, which the
// model is not told.
func aboutItems(k *cell.Look, i int, b model.Block, w int) []item {
	var out []item
	add := func(role themes.Role, sign, text string) {
		label := cell.Own(role, "  "+sign+" ")
		for _, l := range prose.Hanging(k, label, 4, themes.Muted, text, w) {
			out = append(out, item{line: l, block: i})
		}
	}
	switch {
	case b.Problem != "" && b.Broken:
		add(themes.Warning, "▲", b.Problem)
	case b.Problem != "":
		add(themes.Info, "·", b.Problem)
	}
	if b.About != "" {
		add(themes.Info, "·", b.About)
	}
	if b.OurWords && b.Type != model.Crash {
		add(themes.Info, "·", "our wording: how Subako says this is not published")
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
	switch {
	case b.ScaledW > 0:
		text += fmt.Sprintf(", scaled to %d×%d", b.ScaledW, b.ScaledH)
	case b.W > 0:
		text += ", as is"
	}
	if b.Frames > 1 {
		text += ", " + words.Plural(b.Frames, "frame")
	}
	return text
}
