package stream

import (
	"fmt"
	"strings"
	"time"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/inspect/record"
	"perch/inspect/rules"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/words"
)

// direction says what a row of Wire is.
type direction uint8

const (
	in direction = iota
	out
	life // an event of the run's life, no line
)

// wireRow is a row of Wire, read.
type wireRow struct {
	dir      direction
	seq      uint64
	time     time.Duration
	line     int
	offset   int64
	size     int64 // without the newline
	newline  bool
	partial  bool // no newline yet
	evidence bool
	kind     event.MessageKind
	answers  bool
	id       string
	sign     string // of a row of life
	role     themes.Role
	parts    []string // the summary, the most important first; the first may hold text of the module
	found    []rules.Finding
	subako   signed // verdicts of a line on stdout
	mcp      signed
	says     [2]rules.Verdict
}

func (r *wireRow) stream() event.Stream {
	if r.dir == in {
		return event.Stdin
	}
	return event.Stdout
}

// Limits of what a summary reads of a line, in bytes.
const (
	maxSummary = 1 << 20  // of an answer
	maxNotice  = 16 << 10 // of a notification, of which there may be many
	preview    = 200      // of a line that is no message
)

// row reads a row; nil when it is no longer kept.
func (c *wire) row(i int) *wireRow {
	if i >= len(c.seqs) {
		return c.partialRow()
	}
	seq := uint64(c.seqs[i])
	if r, ok := c.cache[seq]; ok {
		return r
	}
	e, ok := c.run.Event(seq)
	if !ok {
		return nil
	}
	r := &wireRow{seq: seq, time: e.Time, dir: life, sign: "·", role: themes.Muted}
	switch b := e.Body.(type) {
	case event.Request:
		c.request(r, b)
	case event.Message:
		c.message(r, b)
	case event.StdinClosed:
		r.parts = []string{"stdin closed"}
		if b.Experiment {
			r.parts = []string{"stdin closed by us, to see what the module does", "Subako leaves it open"}
		}
	case event.Verdict:
		c.verdict(r, b)
	case event.Exit:
		c.exit(r, b)
	}
	if len(c.cache) >= cachedRows {
		clear(c.cache)
	}
	c.cache[seq] = r
	return r
}

func (c *wire) partialRow() *wireRow {
	p := c.partial
	r := &wireRow{dir: out, time: p.Time, line: int(p.Number), offset: p.Offset, size: p.Len, partial: true, role: themes.Muted}
	text := words.Bytes(p.Len) + ", no newline"
	if c.live() {
		text += " yet"
	}
	r.parts = []string{text, string(c.bytes(r, min(p.Len, preview)))}
	return r
}

func (c *wire) request(r *wireRow, b event.Request) {
	n := int64(len(b.Bytes))
	r.dir, r.line, r.offset, r.id, r.role = in, b.Line, b.Offset, b.ID, themes.Text
	r.newline = n > 0 && b.Bytes[n-1] == '\n'
	if r.newline {
		n--
	}
	r.size, r.found = n, c.book.of(event.Stdin, b.Line)
	first, more := b.Method, ""
	if b.Method == abi.MethodCall {
		if doc, err := jsonread.Parse(b.Bytes[:n]); err == nil {
			params := doc.Root().Get("params")
			first += " " + headOf(params.Get("name").String(), 100)
			more = names(params.Get("arguments"), 8)
		}
	}
	r.parts = append(r.parts, first, "id "+b.ID)
	if more != "" {
		r.parts = append(r.parts, more)
	}
}

// names are the names of the members of an object.
func names(v jsonread.Value, most int) string {
	var all []string
	for name := range v.Members() {
		if len(all) == most {
			all = append(all, "…")
			break
		}
		all = append(all, headOf(name.String(), 40))
	}
	return strings.Join(all, ", ")
}

func (c *wire) message(r *wireRow, m event.Message) {
	r.dir, r.line, r.offset, r.size, r.newline = out, m.Line, m.Offset, int64(m.Len), m.Newline
	r.evidence, r.kind, r.answers, r.id, r.role = m.Evidence, m.Kind, m.Answers > 0, m.ID, themes.Text
	r.found = c.book.of(event.Stdout, m.Line)
	r.judge(c.book.message(m))
	switch m.Kind {
	case event.Result, event.ErrorAnswer:
		r.parts = append([]string{string(m.Kind), "id " + headOf(m.ID, 80)}, c.answer(r)...)
	case event.Notification:
		r.parts = []string{"notification", c.notification(r, m.Method)}
	case event.ServerReq:
		r.parts = []string{"request", headOf(m.Method, 80), "id " + headOf(m.ID, 80)}
	default:
		c.noMessage(r, m.What)
	}
	if r.evidence {
		r.parts[0] = "not read: " + r.parts[0]
		r.role = themes.Faint
	}
}

// parsed is the line of a row as JSON, when it is and is not too long.
func (c *wire) parsed(r *wireRow, most int64) (jsonread.Value, bool) {
	if r.size > most {
		return jsonread.Value{}, false
	}
	doc, err := jsonread.Parse(c.bytes(r, r.size))
	if err != nil {
		return jsonread.Value{}, false
	}
	return doc.Root(), true
}

// answer says what an answer holds.
func (c *wire) answer(r *wireRow) []string {
	root, ok := c.parsed(r, maxSummary)
	if !ok {
		return nil
	}
	if e := root.Get("error"); e.Kind() == jsonread.Object {
		return []string{headOf(string(e.Get("code").Raw()), 20) + " " + headOf(e.Get("message").String(), 200)}
	}
	result := root.Get("result")
	switch {
	case result.Get("tools").Kind() == jsonread.Array:
		text := words.Plural(result.Get("tools").Len(), "tool")
		if result.Get("nextCursor").Kind() == jsonread.String {
			text += ", more follow"
		}
		return []string{text}
	case result.Get("capabilities").Kind() == jsonread.Object:
		return []string{names(result.Get("capabilities"), 4)}
	case result.Get("content").Kind() == jsonread.Array:
		text := words.Plural(result.Get("content").Len(), "block")
		if result.Get("isError").Kind() == jsonread.True {
			return []string{"isError", text}
		}
		return []string{text}
	}
	return nil
}

// notification is what a notification says, in short.
func (c *wire) notification(r *wireRow, method string) string {
	short := strings.TrimPrefix(headOf(method, 80), "notifications/")
	root, ok := c.parsed(r, maxNotice)
	if !ok {
		return short
	}
	params := root.Get("params")
	if p := params.Get("progress"); p.Kind() == jsonread.Number {
		short += " " + headOf(string(p.Raw()), 20)
		if t := params.Get("total"); t.Kind() == jsonread.Number {
			short += "/" + headOf(string(t.Raw()), 20)
		}
	}
	if m := params.Get("message"); m.Kind() == jsonread.String {
		short += " " + headOf(m.String(), preview)
	} else if d := params.Get("data"); d.Kind() == jsonread.String {
		short += " " + headOf(d.String(), preview)
	}
	return short
}

func (c *wire) noMessage(r *wireRow, what string) {
	head := c.bytes(r, min(r.size, maxNotice))
	first := what
	if _, err := jsonread.Parse(head); err != nil && r.size <= maxNotice {
		first = "not JSON: " + what
	} else if !strings.Contains(what, "no message") {
		first = "no message: " + what
	}
	if r.size == 0 {
		first = what
	}
	r.parts = []string{first, headOf(string(head), preview)}
}

func (c *wire) verdict(r *wireRow, v event.Verdict) {
	r.sign, r.role = "■", themes.Error
	text := "broken: the call ends here"
	if v.Outcome == event.Refused {
		text = "refused: the upload ends here"
	}
	if f, ok := c.book.first(v.Rule); ok {
		r.found = []rules.Finding{f}
		text += c.at(f.Where)
	}
	r.parts = []string{text, string(v.Rule)}
}

// at is a place in a line: , at out 2, byte 0.
func (c *wire) at(w event.Where) string {
	if w.Line == 0 || w.Stream != event.Stdin && w.Stream != event.Stdout {
		return ""
	}
	if w.Stream == event.Stdin {
		return fmt.Sprintf(", at in %d", w.Line)
	}
	text := fmt.Sprintf(", at out %d", w.Line)
	if l, ok := c.run.Stream(event.Stdout).Line(int64(w.Line)); ok && w.Offset >= l.Offset {
		text += fmt.Sprintf(", byte %s", words.Count(w.Offset-l.Offset))
	}
	return text
}

func (c *wire) exit(r *wireRow, x event.Exit) {
	var text string
	switch {
	case x.Code != nil:
		text = fmt.Sprintf("exit %d", *x.Code)
		if x.AfterEOF >= 0 {
			text += ", " + words.Duration(x.AfterEOF) + " after stdin closed"
		}
		if *x.Code != 0 {
			r.role = themes.Error
		}
	case x.Trap != "":
		r.sign, r.role = "✗", themes.Error
		text = "trap: " + headOf(x.Trap, preview)
	case x.Stopped != "":
		text = "module stopped"
		if x.Stopped != stoppedByVerdict {
			text += ": " + x.Stopped
		}
	default:
		text = "the run ended by a fault in perch"
	}
	if id := c.unanswered(); id != "" {
		text += "; request " + headOf(id, 80) + " has no answer"
	}
	r.parts = []string{text}
}

// stoppedByVerdict is what the engine says of a module that was stopped because
// the call was broken already: the row before says so.
const stoppedByVerdict = "the verdict had fallen"

// unanswered is the id of the last request, when no answer to it came.
func (c *wire) unanswered() string {
	requests := c.run.Of(record.KindRequest)
	if len(requests) == 0 {
		return ""
	}
	e, _ := c.run.Event(uint64(requests[len(requests)-1]))
	q, ok := e.Body.(event.Request)
	if !ok {
		return ""
	}
	messages := c.run.Of(record.KindMessage)
	const most = 1000 // what came after an answer: a module is stopped soon then
	for i := len(messages) - 1; i >= max(len(messages)-most, 0) && uint64(messages[i]) > e.Seq; i-- {
		a, _ := c.run.Event(uint64(messages[i]))
		if m, ok := a.Body.(event.Message); ok && m.Answers == q.Line && !m.Evidence {
			return ""
		}
	}
	return q.ID
}

// Row implements list.Source.
func (c *wire) Row(i, w int) cell.Line {
	var l cell.Line
	r := c.row(i)
	if r == nil {
		return cell.Own(themes.Faint, " no longer kept")
	}
	p := c.columnsW
	if p.line == 0 {
		p = c.fit(w + 2)
	}
	l.Blank(1)
	if p.time {
		c.addTime(&l, r.time, sinceRow(c.timeOf, i))
	}
	if r.dir == life {
		l.Own(cell.Fg(r.role), r.sign).Blank(1)
		c.addParts(&l, r, w-c.before(p)-2)
		return l
	}
	c.addName(&l, r, p)
	l.Pinned()
	c.addParts(&l, r, w-c.before(p)-c.between(p))
	return l
}

// before is how many cells stand in front of a row's sign.
func (c *wire) before(p wireColumns) int {
	if p.time {
		return 1 + c.timeWidth() + 2
	}
	return 1
}

// between is how many cells lie from the sign to the summary.
func (c *wire) between(p wireColumns) int {
	n := p.line + 2 + 3 + 2
	if p.one {
		n -= 2
	}
	if p.bytes {
		n += 9
	}
	return n
}

// addName adds the columns in front of the summary.
func (c *wire) addName(l *cell.Line, r *wireRow, p wireColumns) {
	role, name := themes.FromModule, "← out "
	if r.dir == in {
		role, name = themes.ToModule, "→ in  "
	}
	l.OwnIn(cell.Fg(role), name+words.Count(r.line), p.line).Blank(2)
	s, m := r.verdicts()
	if p.one {
		if s.text == " " {
			s = m
		}
		l.OwnIn(cell.Fg(s.role), s.text, 1)
	} else {
		l.OwnIn(cell.Fg(s.role), s.text, 1).Blank(1).OwnIn(cell.Fg(m.role), m.text, 1)
	}
	if p.bytes {
		l.Blank(1).NumberIn(cell.Fg(themes.Muted), strings.TrimSuffix(columnSize(r.size), " B"), 8)
	}
	l.Blank(2)
}

// addParts adds the summary. Where there is no room for all of it an id is cut
// in its middle, and the last parts are left out.
func (c *wire) addParts(l *cell.Line, r *wireRow, w int) {
	scrolled := c.panel.rows.X() > 0 || c.panel.rows.Wrapping()
	room := w
	for i, part := range r.parts {
		n := c.look.Measure(part)
		if i > 0 {
			if fit := c.partWidth(r, i, room-2); !scrolled && fit < n {
				if fit == 0 {
					return
				}
				l.Blank(2).TextIn(cell.Fg(themes.Muted), part, fit, cutOf(part))
				room -= fit + 2
				continue
			}
			l.Blank(2)
			room -= 2
		}
		role := r.role
		if i > 0 {
			role = themes.Muted
		}
		c.find.Add(l, cell.Fg(role), part)
		room -= n
	}
}

// cutOf keeps both ends of an id.
func cutOf(part string) cell.Cutting {
	if strings.HasPrefix(part, "id ") {
		return cell.CutMiddle
	}
	return cell.CutEnd
}

// partWidth is how many cells part i of a summary gets of a room, 0: none.
func (c *wire) partWidth(r *wireRow, i, room int) int {
	const least = 10
	n := c.look.Measure(r.parts[i])
	if strings.HasPrefix(r.parts[i], "id ") && i+1 < len(r.parts) {
		// A short part behind the id tells more than the middle of the id.
		if next := c.look.Measure(r.parts[i+1]) + 2; next <= least && room-next >= least && n+next > room {
			return min(n, room-next)
		}
	}
	switch {
	case n <= room:
		return n
	case room >= least && (cutOf(r.parts[i]) == cell.CutMiddle || i == len(r.parts)-1 && r.fills()):
		return room
	}
	return 0
}

// fills reports whether the last part is text of the module that may be cut.
func (r *wireRow) fills() bool {
	return r.partial || r.kind == event.NotMessage || r.kind == event.ErrorAnswer || r.kind == event.Notification
}

// signed is a sign in its colour.
type signed struct {
	text string
	role themes.Role
}

// verdicts are the signs of S and M.
func (r *wireRow) verdicts() (subako, mcp signed) {
	if r.dir != out || r.partial {
		return signed{" ", themes.Muted}, signed{" ", themes.Muted}
	}
	return r.subako, r.mcp
}

// judge takes what Subako and MCP say of a line. Of a notification neither says
// anything unless something is wrong with it, and MCP nothing of what is no
// message.
func (r *wireRow) judge(subako, mcp rules.Verdict) {
	r.says = [2]rules.Verdict{subako, mcp}
	r.subako, r.mcp = signOf(subako), signOf(mcp)
	if (r.kind == event.Notification || r.kind == event.NotMessage) && mcp.Severity == "" {
		r.mcp = signed{"·", themes.Muted}
	}
}

// signOf is a verdict as a sign. Notices are our reading and change nothing.
func signOf(v rules.Verdict) signed {
	switch {
	case !v.Judged:
		return signed{"·", themes.Muted}
	case v.Severity == abi.Error || v.Rule != "":
		return signed{"✗", themes.Error}
	case v.Severity == abi.Warning:
		return signed{"▲", themes.Warning}
	}
	return signed{"✓", themes.OK}
}

// copyRow implements content.
func (c *wire) copyRow(row int) (string, []byte, bool) {
	r := c.row(row)
	if r == nil {
		return "", nil, false
	}
	if r.dir == life {
		text := strings.Join(r.parts, "  ")
		return safeText([]byte(text)), []byte(text), true
	}
	raw := c.bytes(r, r.size)
	return safeText(raw), raw, true
}
