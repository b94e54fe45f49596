package stream

import (
	"fmt"
	"net/url"
	"slices"
	"sort"
	"strings"
	"time"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/record"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/words"
)

// NewHTTP is the pane of what a module asked of subako_http.
func NewHTTP(o Options) Pane {
	c := &web{shared: &shared{Options: o.ready()}}
	c.panel = newPanel(c.shared, c, 6, "HTTP", "HTTP")
	return c.panel
}

// web is the exchanges of a run, in the order of their requests.
type web struct {
	*shared
	panel     *panel
	exchanges []*exchange
	byID      map[int]*exchange
	taken     [4]int // of each of webKinds
	hosts     map[string]bool
	in, out   int64
	files     int64
	mocked    int // answers that mocks gave
	dismissed int // the refused exchanges up to this one were left refused
	reach     []reached
	way       way // how bodies are shown
}

func webKinds() [4]record.Kind {
	return [4]record.Kind{record.KindHTTPRequest, record.KindHTTPHop, record.KindHTTPAnswer, record.KindHTTPRead}
}

// exchange is a request and all that became of it. Bodies are left in the
// record.
type exchange struct {
	id          int
	row         int
	time        time.Duration
	first, last uint64 // its events
	seqs        []uint64
	method      string
	url         string
	where       string // host and path
	host        string
	hops        int // that were sent
	answered    bool
	status      int
	kind        abi.ErrorKind
	took        time.Duration
	mock        string
	request     uint64 // its event; valid when asked
	asked       bool
	answer      uint64 // its event; valid when answered
}

// frameExchanges is how many events of exchanges are read in one frame: each
// may hold bodies.
const frameExchanges = 64

// maxHosts is how many hosts are counted apart.
const maxHosts = 10_000

func (c *web) reset(*record.Run) {
	*c = web{shared: c.shared, panel: c.panel, way: c.way, byID: map[int]*exchange{}, hosts: map[string]bool{}}
}

func (c *web) sync() (changed, pending bool) {
	left := frameExchanges
	for left > 0 {
		// The oldest event first: an answer is told after its request.
		best, at := uint64(0), -1
		for i, k := range webKinds() {
			if seqs := c.run.Of(k); c.taken[i] < len(seqs) {
				if seq := uint64(seqs[c.taken[i]]); at < 0 || seq < best {
					best, at = seq, i
				}
			}
		}
		if at < 0 {
			return changed, false
		}
		c.taken[at]++
		left--
		changed = true
		if e, ok := c.run.Event(best); ok {
			c.take(e)
		}
	}
	return changed, true
}

func (c *web) take(e event.Event) {
	c.latest = max(c.latest, e.Time)
	switch b := e.Body.(type) {
	case event.HTTPRequest:
		x := c.of(b.ID, e)
		x.request, x.asked = e.Seq, true
		c.name(x, b.Method, b.URL)
		c.out += int64(len(b.Body))
	case event.HTTPHop:
		x := c.of(b.ID, e)
		if x.url == "" {
			c.name(x, b.Method, b.URL)
		}
		if b.Status > 0 || b.Address != "" {
			x.hops++
		}
	case event.HTTPAnswer:
		x := c.of(b.ID, e)
		x.answer, x.answered = e.Seq, true
		x.status, x.kind, x.took, x.mock = b.Status, b.Kind, b.Took, b.Mock
		if b.Mock != "" {
			c.mocked++
		}
		if b.File != "" {
			c.files += b.Bytes
		} else {
			c.in += b.Bytes
		}
	case event.HTTPRead:
		if x := c.byID[b.ID]; x != nil {
			c.of(b.ID, e)
		} else if n := len(c.exchanges); n > 0 {
			c.of(c.exchanges[n-1].id, e)
		}
	}
}

// of is the exchange with a number, which this event belongs to.
func (c *web) of(id int, e event.Event) *exchange {
	x := c.byID[id]
	if x == nil {
		x = &exchange{id: id, row: len(c.exchanges), time: e.Time, first: e.Seq}
		c.byID[id] = x
		c.exchanges = append(c.exchanges, x)
	}
	x.last = e.Seq
	c.reaches(x)
	const most = 1000
	if len(x.seqs) < most {
		x.seqs = append(x.seqs, e.Seq)
	}
	return x
}

func (c *web) name(x *exchange, method, address string) {
	x.method, x.url = headOf(method, 16), headOf(address, 2048)
	x.host, x.where = "", x.url
	if u, err := url.Parse(x.url); err == nil && u.Host != "" {
		x.host = u.Host
		x.where = u.Host + u.EscapedPath()
		if u.RawQuery != "" {
			x.where += "?" + u.RawQuery
		}
	}
	if x.host != "" && len(c.hosts) < maxHosts {
		c.hosts[x.host] = true
	}
}

func (c *web) Len() int { return len(c.exchanges) }

func (c *web) facts() (string, themes.Role) {
	if c.mocked > 0 {
		return words.Count(len(c.exchanges)) + "≠", themes.Changed
	}
	return words.Count(len(c.exchanges)), themes.None
}

func (c *web) moment(row int) (Moment, bool) {
	x := c.exchanges[row]
	return span(c.run, x.first, x.first, x.last)
}

// reached says that the rows up to this one have events up to last.
type reached struct {
	row  int
	last uint64
}

// reaches takes over that an exchange has the newest event of all. Kept are the
// rows that have a later event than all rows before them: an exchange is rarely
// told of when another has begun, but a read of its answer may come late.
func (c *web) reaches(x *exchange) {
	n := len(c.reach)
	for n > 0 && c.reach[n-1].row >= x.row {
		n--
	}
	c.reach = append(c.reach[:n], reached{x.row, x.last})
}

// rowsOf are the rows from the first that goes on in the moment to the last that
// has begun by then; not all between do, see holds.
func (c *web) rowsOf(m Moment) (from, to int) {
	to = sort.Search(len(c.exchanges), func(i int) bool { return c.exchanges[i].first > m.To })
	k := sort.Search(len(c.reach), func(i int) bool { return c.reach[i].last >= m.From })
	if k == len(c.reach) || c.reach[k].row >= to {
		return to, to
	}
	return c.reach[k].row, to
}

// holds implements holder.
func (c *web) holds(row int, m Moment) bool {
	x := c.exchanges[row]
	return x.first <= m.To && x.last >= m.From
}

func (c *web) budget() int { return 1_000 }

func (c *web) text(row int) []byte {
	x := c.exchanges[row]
	mock := ""
	if x.mock != "" {
		mock = "mocked"
	}
	return []byte(strings.Join([]string{x.method, x.url, x.outcome(), mock}, " "))
}

func (c *web) stamp(row int) uint64 { return c.exchanges[row].last<<32 | c.book.stamp&(1<<32-1) }

// outcome is the status, or the kind of the error.
func (x *exchange) outcome() string {
	switch {
	case !x.answered:
		return "no answer yet"
	case x.kind != "":
		return string(x.kind)
	}
	return fmt.Sprint(x.status)
}

func (x *exchange) sign() signed {
	switch {
	case !x.answered:
		return signed{"·", themes.Muted}
	case x.kind != "":
		return signed{"✗", themes.Error}
	}
	return signed{"✓", themes.OK}
}

func (c *web) timeOf(row int) (time.Duration, bool) { return c.exchanges[row].time, true }

// webColumns are the cells of the column of host and path, and what there is
// room for beside it.
type webColumns struct {
	time, method, hops bool
	where, answer      int
}

func (c *web) fit(room int) webColumns {
	p := webColumns{time: true, method: true, hops: true, answer: 18}
	rest := func() int {
		n := room - 1 - p.answer
		if p.time {
			n -= c.timeWidth() + 2
		}
		if p.method {
			n -= 8
		}
		if p.hops {
			return n - 6
		}
		return n - 2
	}
	for _, drop := range []func(){func() { p.hops = false }, func() { p.time = false }, func() { p.method = false }} {
		if rest() >= 16 {
			break
		}
		drop()
	}
	p.where = max(rest(), 0)
	if p.where < 8 {
		p.answer = max(room-1-2-8, 0)
		p.where = 8
	}
	return p
}

func (c *web) columns(w int) []cell.Line {
	p := c.fit(w - 2)
	var l cell.Line
	faint := cell.Fg(themes.Faint)
	l.Blank(2)
	if p.time {
		c.addTimeHead(&l)
	}
	if p.method {
		l.OwnIn(faint, "method", 8)
	}
	l.OwnIn(faint, "host and path", p.where)
	if p.hops {
		l.NumberIn(faint, "hops", 4)
	}
	l.Blank(2)
	if p.answer >= 12 {
		l.OwnIn(faint, "answer", p.answer-4).NumberIn(faint, "took", 4)
	}
	return []cell.Line{l}
}

// Row implements list.Source.
func (c *web) Row(i, w int) cell.Line {
	x := c.exchanges[i]
	p := c.fit(w)
	p.where = max(p.where-c.panel.markRoom(i), 1)
	var l cell.Line
	l.Blank(1)
	if p.time {
		c.addTime(&l, x.time, sinceRow(c.timeOf, i))
	}
	if p.method {
		l.TextIn(cell.Fg(themes.HTTP), x.method, 7, cell.CutEnd).Blank(1)
	}
	l.TextIn(cell.Fg(themes.Text), x.where, p.where, cell.CutEnd)
	if p.hops {
		l.NumberIn(cell.Fg(themes.Muted), words.Count(x.hops), 4)
	}
	l.Blank(2)
	x.addOutcome(c.look, &l, p.answer)
	return l
}

func (c *web) notes(w int) []cell.Line {
	var l cell.Line
	l.Blank(2).Own(cell.Fg(themes.Faint), c.totals())
	if c.mocked > 0 {
		var m cell.Line
		m.Blank(2).Own(cell.Fg(themes.Changed), words.Count(c.mocked)+" "+mockedMark).Own(cell.Fg(themes.Muted), ": no server was asked")
		return []cell.Line{l, m}
	}
	return []cell.Line{l}
}

func (c *web) losses() []cell.Line { return nil }

// do implements content: v shows bodies another way, where there is one.
func (c *web) do(id string, _ int) bool {
	if id != "content.next" {
		return false
	}
	next, ok := c.panel.det.doc.nextWay()
	if ok {
		c.way, c.panel.det.made = next, false
	}
	return ok
}

func (c *web) copyRow(row int) (string, []byte, bool) {
	x := c.exchanges[row]
	if x.asked {
		if e, ok := c.run.Event(x.request); ok {
			if b, ok := e.Body.(event.HTTPRequest); ok {
				return safeText(b.Raw), b.Raw, true
			}
		}
	}
	text := x.method + " " + x.url
	return safeText([]byte(text)), []byte(text), true
}

func (c *web) empty() string {
	return "No HTTP yet. A module calls out through subako_http; sample:orders does."
}

// refused are the exchanges whose host is not in the allowlist and of which
// nobody has said yet that they shall stay refused.
func (c *web) refused() []*exchange {
	var out []*exchange
	for _, x := range c.exchanges {
		if x.kind == abi.ErrHostNotAllowed && x.row >= c.dismissed {
			out = append(out, x)
		}
	}
	return out
}

// question asks what is to be done about a refused host.
func (c *web) question(k *cell.Look, w int) []cell.Line {
	all := c.refused()
	if len(all) == 0 {
		return nil
	}
	x := all[0]
	if row, ok := c.panel.rows.Selected(); ok {
		if at := slices.Index(all, c.exchanges[row]); at >= 0 {
			x = all[at]
		}
	}
	text := x.host + " is not in the allowlist: the module was told host_not_allowed, as Subako would tell it."
	var sign cell.Line
	sign.Blank(1).Own(cell.Fg(themes.Error), "✗ ")
	out := hanging(k, sign, 3, themes.Text, text, w-1)
	var keys cell.Line
	one, more := k.Key("http.allow", "a"), k.Key("http.allow_session", "A")
	once, session, which := one+" allow it, run again", more+" allow for this session, run again", ""
	if len(all) > 1 {
		which = fmt.Sprintf("%d of %d", slices.Index(all, x)+1, len(all))
	}
	if need := 3 + len(once) + 3 + len(session) + len(which); need+min(len(which), 2) > w {
		once, session = one+" allow once, run again", more+" for this session"
	}
	keys.Blank(3).Own(cell.Fg(themes.Muted), once+"   "+session)
	if which != "" {
		keys.Gap().Own(cell.Fg(themes.Muted), which).Blank(1)
	}
	var leave cell.Line
	leave.Blank(3).Own(cell.Fg(themes.Muted), k.Key("change.this", "=")+" answer with a mock    "+k.Key("nav.out", "esc")+" leave it refused")
	return append(out, keys, leave)
}

func (c *web) dismiss() bool {
	if len(c.refused()) == 0 {
		return false
	}
	c.dismissed = len(c.exchanges)
	return true
}

// refusedHost is the host that the question is about.
func (c *web) refusedHost() string {
	all := c.refused()
	if len(all) == 0 {
		return ""
	}
	if row, ok := c.panel.rows.Selected(); ok && slices.Contains(all, c.exchanges[row]) {
		return c.exchanges[row].host
	}
	return all[0].host
}
