package stream

import (
	"fmt"
	"slices"
	"time"

	"perch/engine/event"
	"perch/inspect/hexview"
	"perch/inspect/jsonview"
	"perch/inspect/record"
	"perch/inspect/report"
	"perch/inspect/rules"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/excerpt"
	"perch/ui/find"
	"perch/ui/findings"
	"perch/ui/list"
	"perch/ui/words"
)

// NewStderr is the pane of what a module logs, line by line.
func NewStderr(o Options) Pane {
	c := &stderr{shared: &shared{Options: o.ready()}}
	c.panel = newPanel(c.shared, c, 5, "Stderr", "Err")
	return c.panel
}

// stderr is the lines of stderr. Row i is line i+1.
type stderr struct {
	*shared
	panel  *panel
	stream *record.Stream
	reader lineReader // for drawing
	seek   lineReader // for searching
	lines  int64
	size   int64
	gone   int64 // lines that are no longer kept
	goneB  int64
}

func (c *stderr) reset(run *record.Run) {
	*c = stderr{shared: c.shared, panel: c.panel}
	if run != nil {
		c.stream = run.Stream(event.Stderr)
		c.reader.s, c.seek.s = c.stream, c.stream
	}
}

func (c *stderr) sync() (changed, pending bool) {
	lines, size := c.stream.Lines(), c.stream.Len()
	gone, goneB := c.stream.Dropped()
	changed = size != c.size || gone != c.gone || lines != c.lines
	c.lines, c.size, c.gone, c.goneB = lines, size, gone, goneB
	if changed {
		if l, ok := c.stream.Line(lines); ok {
			c.latest = l.Time
		}
	}
	return changed, false
}

func (c *stderr) Len() int   { return int(c.lines) }
func (c *stderr) first() int { return int(min(c.gone, c.lines)) }

func (c *stderr) facts() (string, themes.Role) { return words.Count(c.lines), themes.None }

func (c *stderr) timeOf(row int) (time.Duration, bool) {
	l, ok := c.reader.line(int64(row) + 1)
	return l.Time, ok
}

// Row implements list.Source.
func (c *stderr) Row(i, w int) cell.Line {
	var l cell.Line
	line, ok := c.reader.line(int64(i) + 1)
	if !ok {
		return cell.Own(themes.Faint, " no longer kept")
	}
	l.Blank(1)
	if w >= 30 {
		c.addTime(&l, line.Time, sinceRow(c.timeOf, i))
	}
	l.Pinned()
	n, more := c.inSight(line.Len, w)
	c.add(&l, string(c.reader.bytes(line.Offset, n)), themes.Stderr)
	if more {
		l.Own(cell.Fg(themes.Faint), "…")
	}
	if !line.Newline {
		l.Own(cell.Fg(themes.Muted), fmt.Sprintf("  %s, no newline%s", words.Bytes(line.Len), c.yet()))
	}
	return l
}

// coloured is the tab that shows the colours of a line.
const coloured = "Coloured"

// add adds text of a line: the colours that it chose are shown while the detail
// shows them too.
func (c *stderr) add(l *cell.Line, text string, role themes.Role) {
	if c.panel.det.tab != coloured {
		c.find.Add(l, cell.Fg(role), text)
		return
	}
	inColours(c.look, text, cell.Fg(role), func(part string, st cell.Style) { c.find.Add(l, st, part) })
}

// yet is for a line that may go on.
func (c *stderr) yet() string {
	if c.live() {
		return " yet"
	}
	return ""
}

// inSight is how many bytes of a line of n bytes can come into sight at a
// width. A character takes 4 bytes at most, and most that combine are fewer.
func (c *stderr) inSight(n int64, w int) (int64, bool) {
	need := int64(c.panel.rows.X()+w)*4 + 256
	if c.panel.rows.Wrapping() {
		need = int64(w) * cell.MaxWrap * 4
	}
	if c.panel.det.tab == coloured {
		need *= 2 // what switches colours takes no cell
	}
	if n > need {
		return need, true
	}
	return n, false
}

func (c *stderr) columns(int) []cell.Line { return nil }
func (c *stderr) notes(int) []cell.Line   { return nil }

func (c *stderr) losses() []cell.Line {
	if c.gone == 0 {
		return nil
	}
	var l cell.Line
	l.Blank(1).Own(cell.Fg(themes.Warning), words.Count(c.gone)+" oldest lines dropped, "+words.Size(c.goneB))
	return []cell.Line{l}
}

// budget: a search reads at some hundred million bytes a second. A key that
// begins one has less than half of its 4 ms for this.
func (c *stderr) budget() int { return 10_000 }

func (c *stderr) text(row int) []byte {
	line, ok := c.seek.line(int64(row) + 1)
	if !ok {
		return nil
	}
	return c.seek.bytes(line.Offset, min(line.Len, find.Most))
}

func (c *stderr) stamp(row int) uint64 {
	if int64(row)+1 == c.lines {
		return uint64(c.size) | c.book.stamp<<44
	}
	return c.book.stamp
}

// moment of a line is that of the write that brought its first byte.
func (c *stderr) moment(row int) (Moment, bool) {
	line, ok := c.stream.Line(int64(row) + 1)
	if !ok {
		return Moment{}, false
	}
	seq, found := c.run.At(line.Time), false
	_ = c.run.Range(seq, func(e event.Event) bool {
		o, is := e.Body.(event.Output)
		if is && o.Stream == event.Stderr && line.Offset >= o.Offset && line.Offset < o.Offset+int64(o.Len) {
			seq, found = e.Seq, true
		}
		return !found && e.Time <= line.Time
	})
	if !found {
		return Moment{}, false
	}
	m, ok := momentOf(c.run, seq)
	m.Time = line.Time
	return m, ok
}

func (c *stderr) rowsOf(m Moment) (from, to int) {
	n := int(c.lines)
	from = c.search(c.first(), n, func(t time.Duration) bool { return t >= m.Since })
	to = c.search(from, n, func(t time.Duration) bool { return t > m.Until })
	return from, to
}

// search is the first row from lo to before hi whose time is right.
func (c *stderr) search(lo, hi int, right func(time.Duration) bool) int {
	for lo < hi {
		mid := (lo + hi) / 2
		l, ok := c.stream.Line(int64(mid) + 1)
		if !ok || l.Number == int64(mid)+1 && right(l.Time) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

func (c *stderr) about(row int, a ask) document {
	line, ok := c.stream.Line(int64(row) + 1)
	if !ok {
		return document{title: cell.Own(themes.Faint, "this line is no longer kept")}
	}
	d := document{of: fmt.Sprintf("line %s", words.Count(line.Number))}
	d.title = cell.Own(themes.Muted, fmt.Sprintf("line %s on stderr · %s · at %s",
		words.Count(line.Number), lineSize(line.Len, line.Newline), c.when(line.Time)))
	d.tabs = []string{"Text", "Hex"}
	marks := c.pointed(line)
	pretty := c.pretty(line)
	if pretty != nil {
		d.tabs = []string{"Text", "Pretty", "Hex"}
	}
	if hasColours(c.stream.Bytes(line.Offset, int(min(line.Len, textWindow)))) {
		d.tabs = slices.Insert(d.tabs, 1, coloured)
	}
	d.tab = tabOf(d.tabs, a.tab)
	switch d.tabs[d.tab] {
	case "Pretty":
		d.json, d.body = pretty, jsonRows(pretty)
	case coloured:
		var l cell.Line
		from, to := excerpt.Part(line.Len, 0)
		inColours(a.look, string(c.stream.Bytes(line.Offset+from, int(to-from))), cell.Fg(themes.Text),
			func(part string, st cell.Style) { c.find.Add(&l, st, part) })
		lines := append(wrapped(a.look, l, a.w-3-air), excerpt.After(line.Len, to)...)
		d.body = list.Lines(append(lines, c.foundNotes(row, a)...))
	case "Hex":
		n := line.Len
		if line.Newline {
			n++
		}
		var head cell.Line
		var ranges []hexview.Range
		for _, m := range marks {
			ranges = append(ranges, hexview.Range{From: int64(m.From), To: int64(m.To)})
		}
		d.body, head, d.reveal = excerpt.Hex(a.look, section{c.stream, line.Offset, n}, line.Offset, ranges, a.w)
		d.head, d.hex = []cell.Line{head}, true
	default:
		first := int64(0)
		if len(marks) > 0 {
			first = int64(marks[0].From)
		}
		from, to := excerpt.Part(line.Len, first)
		for i := range marks {
			marks[i].From, marks[i].To = marks[i].From-int(from), marks[i].To-int(from)
		}
		t := excerpt.Text{Look: a.look, Role: themes.Text, W: a.w - list.Frame, Marks: marks, Add: c.find.Add}
		text := string(c.stream.Bytes(line.Offset+from, int(to-from)))
		lines := t.Rows(text, line.Newline && to == line.Len)
		lines = append(excerpt.Before(from), append(lines, excerpt.After(line.Len, to)...)...)
		if len(marks) > 0 {
			d.reveal = max(excerpt.CaretRow(lines)-1, 0)
		}
		d.body = list.Lines(append(lines, c.foundNotes(row, a)...))
	}
	return d
}

// pretty is a line that is a JSON object, as logs often are; nil for others.
func (c *stderr) pretty(line record.Line) *jsonview.Doc {
	if line.Len > maxEager {
		return nil
	}
	return jsonBody(c.stream.Bytes(line.Offset, int(line.Len)), maxEager)
}

func (c *stderr) copyRow(row int) (string, []byte, bool) {
	line, ok := c.stream.Line(int64(row) + 1)
	if !ok {
		return "", nil, false
	}
	raw := c.stream.Bytes(line.Offset, int(line.Len))
	return safeText(raw), raw, true
}

func (c *stderr) empty() string {
	if c.run == nil {
		return "No run yet. What a module writes to stderr stands here; Subako shows the end of it when a call breaks."
	}
	return "Nothing on stderr. A module's logs belong here; the model reads none of them unless the call breaks."
}

func (c *stderr) do(string, int) bool { return false }

// pointed are the bytes of a line that the finding which was gone to is about,
// and else those of findings that point into this line alone: the tail that the
// model is told is all of the last lines, and marks would say nothing.
func (c *stderr) pointed(line record.Line) []excerpt.Mark {
	all := c.book.of(event.Stderr, int(line.Number))
	if c.point != nil {
		all = []rules.Finding{*c.point}
	}
	var out []excerpt.Mark
	for _, f := range all {
		from, to := max(f.Where.Offset-line.Offset, 0), min(f.Where.End-line.Offset, line.Len)
		within := f.Where.Line == int(line.Number) && f.Where.End <= line.Offset+line.Len+1
		if f.Where.Stream == event.Stderr && from < to && (within || c.point != nil) {
			out = append(out, excerpt.Mark{From: int(from), To: int(to), Caption: f.Title})
		}
	}
	return out
}

// foundNotes tell what was found about a line.
func (c *stderr) foundNotes(row int, a ask) []cell.Line {
	f, ok := c.finding(row)
	if c.point != nil {
		f, ok = *c.point, true
	}
	if !ok {
		return nil
	}
	out := append([]cell.Line{{}}, sentences(a.look, themes.Text, f.Title, a.w-3)...)
	if rest := findings.Rest(f); rest != "" {
		out = append(out, sentences(a.look, themes.Muted, rest, a.w-3)...)
	}
	return append(out, label(a.look, "rule", themes.Muted, a.look.Sign(string(f.Rule)+" · "+report.Whose(f)), a.w-3)...)
}

// rowOf implements pointer.
func (c *stderr) rowOf(f rules.Finding) (row int, ok bool) {
	row = f.Where.Line - 1
	if f.RunID != c.run.ID() || f.Where.Stream != event.Stderr || row < c.first() || row >= c.Len() {
		return 0, false
	}
	return row, true
}

// finding implements pointer.
func (c *stderr) finding(row int) (rules.Finding, bool) {
	all := c.book.of(event.Stderr, row+1)
	if len(all) == 0 {
		return rules.Finding{}, false
	}
	return all[0], true
}
