package stream

import (
	"fmt"
	"time"

	"perch/engine/event"
	"perch/inspect/record"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/find"
	"perch/ui/words"
)

// NewEvents is the pane of everything that happened in a run, in one order.
func NewEvents(o Options) Pane {
	c := &events{shared: &shared{Options: o.ready()}}
	c.panel = newPanel(c.shared, c, 8, "Events", "Ev")
	return c.panel
}

// events is all events of a run. Row i is event i.
type events struct {
	*shared
	panel *panel
	n     uint64
	gone  uint64
	kinds kindSet
	heads [headWindow]record.Head // of the rows around the one asked for last
	from  uint64
	have  int
	cache map[uint64]eventRow
	seek  []byte
	tick  uint64 // the newest, for the width of its column
}

// headWindow is how many heads are read at once for the sieve of kinds.
const headWindow = 256

// kindSet is a choice of kinds that makes sense together.
type kindSet uint8

// The choices, in the order in which K goes through them.
const (
	allKinds kindSet = iota
	noWASI
	wireKindsOnly
	wasiOnly
	fileKinds
	httpKinds
	breachKinds
	kindSets
)

func (s kindSet) String() string {
	return [...]string{"all", "all but wasi", "wire and life", "wasi", "files", "http", "breaches"}[s]
}

func (s kindSet) has(k record.Kind) bool {
	switch s {
	case noWASI:
		return k != record.KindWASI
	case wireKindsOnly:
		switch k {
		case record.KindBegin, record.KindRequest, record.KindMessage, record.KindStdinClosed, record.KindOutput,
			record.KindVerdict, record.KindExit, record.KindEnd, record.KindBreach:
			return true
		}
		return false
	case wasiOnly:
		return k == record.KindWASI
	case fileKinds:
		return k == record.KindFile || k == record.KindLink
	case httpKinds:
		return k >= record.KindHTTPRequest && k <= record.KindHTTPRead
	case breachKinds:
		return k == record.KindBreach || k == record.KindVerdict
	}
	return true
}

func (c *events) reset(*record.Run) {
	*c = events{shared: c.shared, panel: c.panel, kinds: c.kinds, cache: map[uint64]eventRow{}}
}

func (c *events) sync() (changed, pending bool) {
	n, gone := c.run.Len(), c.run.Dropped()
	if n == c.n && gone == c.gone && !c.live() {
		return false, false
	}
	changed = n != c.n || gone != c.gone
	if c.n > 0 {
		delete(c.cache, c.n-1) // it may have been repeated
	}
	c.n, c.gone = n, gone
	if n > 0 {
		_ = c.run.Heads(n-1, func(h record.Head) bool {
			c.latest, c.tick = max(c.latest, h.Time), max(c.tick, h.Tick)
			return false
		})
	}
	return changed, false
}

func (c *events) Len() int   { return int(c.n) }
func (c *events) first() int { return int(c.gone) }

func (c *events) facts() (string, themes.Role) { return words.Count(c.n), themes.None }

func (c *events) sieved() bool { return c.kinds != allKinds }

func (c *events) lets(row int) bool {
	h, ok := c.head(uint64(row))
	return ok && c.kinds.has(h.Kind)
}

// head is the head of an event; neighbours cost little.
func (c *events) head(seq uint64) (record.Head, bool) {
	if seq < c.from || seq >= c.from+uint64(c.have) {
		c.from, c.have = seq, 0
		_ = c.run.Heads(seq, func(h record.Head) bool {
			if c.have == 0 {
				c.from = h.Seq
			}
			c.heads[c.have] = h
			c.have++
			return c.have < headWindow
		})
	}
	if seq < c.from || seq >= c.from+uint64(c.have) {
		return record.Head{}, false
	}
	return c.heads[seq-c.from], true
}

func (c *events) moment(row int) (Moment, bool) { return momentOf(c.run, uint64(row)) }

func (c *events) rowsOf(m Moment) (from, to int) {
	from, to = int(max(m.From, c.gone)), int(min(m.To+1, c.n))
	return from, max(from, to)
}

func (c *events) timeOf(row int) (time.Duration, bool) {
	h, ok := c.head(uint64(row))
	return h.Time, ok
}

// budget: each row is decoded.
func (c *events) budget() int { return 1_000 }

func (c *events) text(row int) []byte {
	r, ok := c.row(uint64(row))
	if !ok {
		return nil
	}
	c.seek = append(c.seek[:0], r.kind...)
	c.seek = append(append(c.seek, ' '), r.what...)
	c.seek = append(append(c.seek, ' '), r.then...)
	return c.seek
}

func (c *events) stamp(row int) uint64 {
	if uint64(row)+1 == c.n && c.live() {
		if r, ok := c.row(uint64(row)); ok {
			return r.count
		}
	}
	return 0
}

// eventRow is an event in a row's words.
type eventRow struct {
	time  time.Duration
	tick  uint64
	kind  string
	role  themes.Role // of the kind
	sign  string      // ours, in front of what
	what  string      // may hold text of the module
	own   bool        // what is ours alone
	then  string      // what came of it, never cut
	bad   themes.Role // of then
	count uint64
}

func (c *events) row(seq uint64) (eventRow, bool) {
	if r, ok := c.cache[seq]; ok {
		return r, true
	}
	e, ok := c.run.Event(seq)
	if !ok {
		return eventRow{}, false
	}
	r := describe(c.run, e)
	r.time, r.tick = e.Time, e.Tick
	if len(c.cache) >= cachedRows {
		clear(c.cache)
	}
	if seq+1 < c.n { // the newest may still be repeated
		c.cache[seq] = r
	}
	return r, true
}

// eventColumns says which columns there is room for.
type eventColumns struct {
	number, tick int
	time         bool
}

func (c *events) fit(w int) eventColumns {
	p := eventColumns{number: max(5, len(fmt.Sprint(c.n))), tick: max(8, len(words.Count(c.tick))+1), time: true}
	rest := func() int {
		n := w - 3 - p.number - 2 - 8
		if p.tick > 0 {
			n -= p.tick + 1
		}
		if p.time {
			n -= c.timeWidth() + 2
		}
		return n
	}
	if rest() < 22 {
		p.tick = 0
	}
	if rest() < 22 {
		p.time = false
	}
	return p
}

func (c *events) columns(w int) []cell.Line {
	p := c.fit(w)
	var l cell.Line
	faint := cell.Fg(themes.Faint)
	l.Blank(1).NumberIn(faint, "event", p.number+1).Blank(2)
	if p.time {
		c.addTimeHead(&l)
	}
	if p.tick > 0 {
		l.NumberIn(faint, "tick", p.tick-1).Blank(2)
	}
	l.OwnIn(faint, "kind", 8).Own(faint, "what")
	return []cell.Line{l}
}

// Row implements list.Source.
func (c *events) Row(i, w int) cell.Line {
	r, ok := c.row(uint64(i))
	if !ok {
		return cell.Own(themes.Faint, " no longer kept")
	}
	p := c.fit(w + 2)
	var l cell.Line
	l.NumberIn(cell.Fg(themes.Faint), fmt.Sprint(i), p.number+1).Blank(2)
	if p.time {
		c.addTime(&l, r.time, sinceRow(c.timeOf, i))
	}
	if p.tick > 0 {
		l.NumberIn(cell.Fg(themes.Faint), words.Count(r.tick), p.tick-1).Blank(2)
	}
	l.TextIn(cell.Fg(r.role), r.kind, 7, cell.CutEnd).Blank(1)
	l.Pinned()
	if r.then == "" {
		addWhat(&l, r, r.what, &c.find)
		return l
	}
	used := 1 + p.number + 2 + 8
	if p.time {
		used += c.timeWidth() + 2
	}
	if p.tick > 0 {
		used += p.tick + 1
	}
	room := w - used - c.look.Measure(r.then) - c.panel.markRoom(i)
	if n := c.look.Measure(r.what); n > room && room > 4 && !c.panel.rows.Wrapping() && c.panel.rows.X() == 0 {
		l.TextIn(cell.Fg(themes.Text), r.what, room, cell.CutEnd)
	} else {
		addWhat(&l, r, r.what, &c.find)
	}
	return *l.Own(cell.Fg(r.bad), r.then)
}

// addWhat adds what happened.
func addWhat(l *cell.Line, r eventRow, text string, f *find.Finder) {
	l.Own(cell.Fg(themes.Error), r.sign)
	if r.own {
		l.Own(cell.Fg(themes.Text), text)
		return
	}
	f.Add(l, cell.Fg(themes.Text), text)
}

func (c *events) notes(int) []cell.Line { return nil }

func (c *events) losses() []cell.Line {
	var out []cell.Line
	if c.gone > 0 {
		var l cell.Line
		l.Blank(1).Own(cell.Fg(themes.Warning), words.Count(c.gone)+" oldest events dropped")
		out = append(out, l)
	}
	if c.kinds != allKinds {
		var l cell.Line
		l.Blank(1).Own(cell.Fg(themes.Muted), "kinds: "+c.kinds.String()+" · "+words.Count(c.panel.rows.Len())+" of "+words.Count(c.n-c.gone)+" · K others")
		out = append(out, l)
	}
	return out
}

func (c *events) do(id string, _ int) bool {
	if id != "events.kinds" {
		return false
	}
	c.kinds = (c.kinds + 1) % kindSets
	return true
}

func (c *events) copyRow(row int) (string, []byte, bool) {
	e, ok := c.run.Event(uint64(row))
	if !ok {
		return "", nil, false
	}
	if raw := rawOf(c.run, e); raw != nil {
		return safeText(raw), raw, true
	}
	r := describe(c.run, e)
	text := r.kind + " " + r.what + r.then
	return safeText([]byte(text)), []byte(text), true
}

func (c *events) empty() string {
	return "No events yet. A run lists here all it does, WASI calls included, in one order."
}

// rawOf is the bytes that an event brought; nil when it brought none.
func rawOf(run *record.Run, e event.Event) []byte {
	switch b := e.Body.(type) {
	case event.Request:
		return b.Bytes
	case event.Output:
		return run.Stream(b.Stream).Bytes(b.Offset, b.Len)
	case event.Message:
		return run.Stream(event.Stdout).Bytes(b.Offset, b.Len)
	case event.FileEffect:
		return b.Data
	case event.HTTPRequest:
		return b.Raw
	case event.HTTPAnswer:
		return b.Raw
	}
	return nil
}
