package stream

import (
	"cmp"
	"slices"
	"time"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/record"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/find"
	"perch/ui/words"
)

// NewWire is the pane of the protocol: the lines that went in and came out,
// and what ended the run.
func NewWire(o Options) Pane {
	c := &wire{shared: &shared{Options: o.ready()}}
	c.panel = newPanel(c.shared, c, 4, "Wire", "Wire")
	return c.panel
}

// wire is the lines of stdin and stdout and the marks of the run's life.
type wire struct {
	*shared
	panel    *panel
	seqs     []uint32    // of the rows, in order
	taken    [5]int      // of each of wireKinds
	messages int         // rows that are lines
	last     int         // the newest line that Subako read, a row
	stampOf  uint64      // the book's, when rows were read last
	partial  record.Line // of stdout, without its newline yet
	cache    map[uint64]*wireRow
	columnsW wireColumns
	seek     []byte
}

// wireKinds are the events that are rows.
func wireKinds() [5]record.Kind {
	return [5]record.Kind{record.KindRequest, record.KindMessage, record.KindStdinClosed, record.KindVerdict, record.KindExit}
}

// Bounds of the work of one frame.
const (
	frameSeqs  = 100_000 // rows that are taken over by their number
	cachedRows = 2_048
)

func (c *wire) reset(*record.Run) {
	*c = wire{shared: c.shared, panel: c.panel, cache: map[uint64]*wireRow{}}
}

func (c *wire) sync() (changed, pending bool) {
	n, more := c.take()
	found := c.book.stamp != c.stampOf
	if found {
		c.stampOf = c.book.stamp
		clear(c.cache)
	}
	partial := c.readPartial()
	return n > 0 || found || partial, more
}

// take takes over the rows that came. Only what was there before their lists
// were looked at is sure to be in all of them, so no row comes out of order.
func (c *wire) take() (n int, more bool) {
	end := c.run.Len()
	for i, k := range wireKinds() {
		all := c.run.Of(k)[c.taken[i]:]
		if len(all) > frameSeqs && uint64(all[frameSeqs]) < end {
			end, more = uint64(all[frameSeqs]), true
		}
	}
	from := len(c.seqs)
	for i, k := range wireKinds() {
		for _, seq := range c.run.Of(k)[c.taken[i]:] {
			if uint64(seq) >= end {
				break
			}
			c.taken[i]++
			if k == record.KindVerdict && !c.breaks(uint64(seq)) {
				continue
			}
			c.seqs = append(c.seqs, seq)
			if k == record.KindRequest || k == record.KindMessage {
				c.messages++
			}
		}
	}
	slices.Sort(c.seqs[from:])
	c.newest(from)
	return len(c.seqs) - from, more
}

// newest looks for the newest line among the rows from one on.
func (c *wire) newest(from int) {
	for row := len(c.seqs) - 1; row >= max(from, len(c.seqs)-256); row-- {
		r := c.row(row)
		if r == nil {
			continue
		}
		c.latest = max(c.latest, r.time)
		if r.dir != life && !r.evidence {
			c.last = row
			return
		}
	}
}

// breaks reports whether a verdict ends the run early: the others are told by
// the lines themselves.
func (c *wire) breaks(seq uint64) bool {
	e, _ := c.run.Event(seq)
	v, ok := e.Body.(event.Verdict)
	return ok && (v.Outcome == event.Broken || v.Outcome == event.Refused)
}

// readPartial looks for a line of stdout that no newline ends yet.
func (c *wire) readPartial() (changed bool) {
	s := c.run.Stream(event.Stdout)
	before := c.partial
	c.partial = record.Line{}
	if l, ok := s.Line(s.Lines()); ok && !l.Newline && l.Number > c.judgedLine() {
		c.partial = l
		c.latest = max(c.latest, l.Time)
	}
	return c.partial != before
}

// judgedLine is the newest line of stdout that is a message.
func (c *wire) judgedLine() int64 {
	all := c.run.Of(record.KindMessage)
	if len(all) == 0 {
		return 0
	}
	e, _ := c.run.Event(uint64(all[len(all)-1]))
	m, _ := e.Body.(event.Message)
	return int64(m.Line)
}

func (c *wire) Len() int {
	if c.partial.Number > 0 {
		return len(c.seqs) + 1
	}
	return len(c.seqs)
}

func (c *wire) newestRow() int {
	if c.partial.Number > 0 {
		return len(c.seqs)
	}
	return c.last
}

func (c *wire) facts() (string, themes.Role) { return words.Count(c.messages), themes.None }

func (c *wire) moment(row int) (Moment, bool) {
	if row < len(c.seqs) {
		return momentOf(c.run, uint64(c.seqs[row]))
	}
	m, ok := momentOf(c.run, c.run.At(c.partial.Time))
	return m, ok
}

func (c *wire) rowsOf(m Moment) (from, to int) {
	from, _ = slices.BinarySearchFunc(c.seqs, m.From, orderOf)
	to, _ = slices.BinarySearchFunc(c.seqs, m.To+1, orderOf)
	return from, to
}

func orderOf(s uint32, t uint64) int { return cmp.Compare(uint64(s), t) }

// budget: each row is decoded.
func (c *wire) budget() int { return 1_000 }

func (c *wire) text(row int) []byte {
	r := c.row(row)
	if r == nil {
		return nil
	}
	c.seek = c.seek[:0]
	for _, p := range r.parts {
		c.seek = append(append(c.seek, p...), ' ')
	}
	if r.dir != life {
		c.seek = append(c.seek, c.bytes(r, min(r.size, find.Most))...)
	}
	return c.seek
}

// bytes are the first n bytes of a row's line.
func (c *wire) bytes(r *wireRow, n int64) []byte {
	return c.run.Stream(r.stream()).Bytes(r.offset, int(n))
}

func (c *wire) stamp(row int) uint64 {
	if row == len(c.seqs) {
		return uint64(c.partial.Len)
	}
	return c.book.stamp<<1 | 1
}

func (c *wire) timeOf(row int) (time.Duration, bool) {
	r := c.row(row)
	if r == nil {
		return 0, false
	}
	return r.time, true
}

// wireColumns says which columns there is room for, and how wide they are.
type wireColumns struct {
	time, bytes bool
	line        int  // cells of the column of the line's name
	one         bool // S and M in one
}

func (c *wire) fit(w int) wireColumns {
	p := wireColumns{time: true, bytes: true, line: max(7, 6+len(words.Count(c.messages)))}
	if c.look.ASCII {
		p.line++ // the arrow takes two cells
	}
	const message = 22
	room := func() int {
		n := w - 2 - 1 - p.line - 2
		if p.time {
			n -= c.timeWidth() + 2
		}
		if p.bytes {
			n -= 9
		}
		if p.one {
			return n - 3
		}
		return n - 5
	}
	for _, drop := range []func(){func() { p.bytes = false }, func() { p.time = false }, func() { p.one = true }} {
		if room() >= message {
			break
		}
		drop()
	}
	return p
}

func (c *wire) columns(w int) []cell.Line {
	c.columnsW = c.fit(w)
	p := c.columnsW
	var l cell.Line
	faint := cell.Fg(themes.Faint)
	l.Blank(2)
	if p.time {
		c.addTimeHead(&l)
	}
	l.OwnIn(faint, "line", p.line).Blank(2)
	if p.one {
		l.Own(faint, "S")
	} else {
		l.Own(faint, "S M")
	}
	if p.bytes {
		l.Blank(1).NumberIn(faint, "bytes", 8)
	}
	l.Blank(2).Own(faint, "message")
	return []cell.Line{l}
}

// notes explain the columns S and M.
func (c *wire) notes(w int) []cell.Line {
	if w < 52 {
		return nil
	}
	var a, b cell.Line
	faint, muted := cell.Fg(themes.Faint), cell.Fg(themes.Muted)
	a.Blank(2).Own(muted, "S").Own(faint, " what Subako does    ").Own(muted, "M").Own(faint, " what MCP "+abi.ProtocolVersion+" says")
	b.Blank(2).Own(cell.Fg(themes.OK), "✓").Own(faint, " fits   ").Own(cell.Fg(themes.Warning), "▲").Own(faint, " warning   ").
		Own(cell.Fg(themes.Error), "✗").Own(faint, " breaks   ").Own(muted, "·").Own(faint, " not judged")
	if w >= 59 {
		b.Own(faint, " or not read")
	}
	return []cell.Line{a, b}
}

func (c *wire) losses() []cell.Line { return nil }

func (c *wire) do(string, int) bool { return false }

func (c *wire) empty() string {
	if c.run == nil {
		return "No run yet. Each line to and from the module stands here."
	}
	return "Nothing was sent yet. The first line is Subako's request."
}
