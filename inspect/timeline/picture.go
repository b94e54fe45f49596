package timeline

import (
	"fmt"
	"math"
	"sort"
	"time"
)

// Window is a span of time that is shown.
type Window struct{ From, To time.Duration }

// least is the shortest window.
const least = 10 * time.Microsecond

// Whole is the window of all of a run that took so long.
func Whole(end time.Duration) Window { return Window{0, max(end, least)} }

// Zoom makes a window longer, or shorter with a factor below 1, around a time.
// It stays within the run, which took so long.
func (w Window) Zoom(around time.Duration, factor float64, end time.Duration) Window {
	end = max(end, least)
	around = min(max(around, w.From), w.To)
	length := float64(w.To-w.From) * factor
	length = min(max(length, float64(least)), float64(end))
	share := 0.5
	if w.To > w.From {
		share = float64(around-w.From) / float64(w.To-w.From)
	}
	from := time.Duration(float64(around) - share*length)
	return Window{from, from + time.Duration(length)}.within(end)
}

// Move shifts a window by a part of its length.
func (w Window) Move(part float64, end time.Duration) Window {
	by := time.Duration(float64(w.To-w.From) * part)
	return Window{w.From + by, w.To + by}.within(max(end, least))
}

// Show moves a window as little as is needed to show a time.
func (w Window) Show(at, end time.Duration) Window {
	switch {
	case at < w.From:
		return Window{at, at + w.To - w.From}.within(max(end, least))
	case at > w.To:
		return Window{at - (w.To - w.From), at}.within(max(end, least))
	}
	return w
}

func (w Window) within(end time.Duration) Window {
	length := min(w.To-w.From, end)
	from := min(max(w.From, 0), end-length)
	return Window{from, from + length}
}

// Picture is a window as cells.
type Picture struct {
	Window
	Cells  int
	Strips []Strip // one for each lane
	Bars   []Bar   // exchanges that are seen as such
	Signs  []Sign
	Ticks  []Tick
}

// Strip is a lane in a picture.
type Strip struct {
	Lane  Lane
	Cells []Cell
}

// Cell is what happens in a lane in the time of one cell.
type Cell struct {
	N      int     // events that begin in it
	Weight int64   // bytes; of WASI nanoseconds; of memory its size at the end of the cell
	Share  float64 // of HTTP and WASI: how much of the time they take, 0 to 1; of the module: how much it computes; of memory: of its peak
	Alive  bool    // of the module: it runs in this cell
	Kinds  Kinds
	First  uint64 // its first event, when Has
	Has    bool
}

// Bar is an exchange across cells, from the first to the last.
type Bar struct {
	Exchange int
	From, To int
	Open     bool // it goes on
}

// Sign is an item at its cell.
type Sign struct {
	Item int
	Cell int
}

// Tick is a mark on the axis.
type Tick struct {
	Cell int
	At   time.Duration
	Text string // "40", the first one with its unit
}

// Cell is the cell of a time; -1 or Cells when it lies outside.
func (p Picture) Cell(at time.Duration) int {
	switch {
	case at < p.From:
		return -1
	case at > p.To:
		return p.Cells
	}
	return min(int(float64(at-p.From)/float64(p.To-p.From)*float64(p.Cells)), p.Cells-1)
}

// Time is when a cell begins.
func (p Picture) Time(cell int) time.Duration {
	return p.From + time.Duration(float64(p.To-p.From)*float64(cell)/float64(p.Cells))
}

// Slice draws a window into so many cells.
func (x *Index) Slice(w Window, cells int) Picture {
	if w.To-w.From < least {
		w.To = w.From + least
	}
	p := Picture{Window: w, Cells: max(cells, 1)}
	for l := range lanes {
		p.Strips = append(p.Strips, Strip{l, make([]Cell, p.Cells)})
	}
	for l := range lanes {
		x.strip(p, l)
	}
	x.bars(&p)
	x.signs(&p)
	p.ticks()
	return p
}

func (x *Index) strip(p Picture, l Lane) {
	t := &x.tracks[l]
	if l == Module {
		t = &x.waits
	}
	out := p.Strips[l].Cells
	was, at := t.before(p.From, 0)
	for i := range out {
		c := &out[i]
		since, until := p.Time(i), p.Time(i+1)
		if i == len(out)-1 {
			until = p.To + 1 // the last moment belongs to it
		}
		is, next := t.before(until, at)
		if m, ok := t.first(since, until, at); ok {
			c.First, c.Has, c.Kinds = m.seq, true, t.kinds(since, until, at)
		}
		c.N = int(math.Round(is.n) - math.Round(was.n))
		c.Weight = int64(is.weight - was.weight)
		x.share(c, l, since, until)
		was, at = is, next
	}
}

// share says how much of a cell's time a lane takes.
func (x *Index) share(c *Cell, l Lane, since, until time.Duration) {
	part := min(max(float64(c.Weight)/float64(until-since), 0), 1)
	switch l {
	case HTTP, WASI:
		c.Share = part
	case Module:
		c.N, c.Weight, c.Kinds, c.Has = 0, 0, 0, false
		if c.Alive = since <= x.end; c.Alive {
			c.Share = 1 - part
		}
	case Memory:
		size := x.memory.before(until)
		c.Weight = int64(size)
		if x.memory.peak > 0 {
			c.Share = float64(size) / float64(x.memory.peak)
		}
	}
}

// bars are the exchanges in a window, at most one for each cell: of several that
// begin in one cell the longest.
func (x *Index) bars(p *Picture) {
	i := sort.Search(len(x.exchanges), func(i int) bool { return x.exchanges[i].To >= p.From || !x.exchanges[i].Done })
	for cell := -1; i < len(x.exchanges) && x.exchanges[i].From <= p.To; {
		q := x.exchanges[i]
		to := q.To
		if !q.Done {
			to = max(to, x.end)
		}
		b := Bar{Exchange: i, From: max(p.Cell(q.From), 0), To: min(p.Cell(to), p.Cells-1), Open: !q.Done}
		if b.From > cell || len(p.Bars) == 0 {
			p.Bars = append(p.Bars, b)
		} else if last := &p.Bars[len(p.Bars)-1]; b.To > last.To {
			*last = b
		}
		cell = b.From
		i++
		if b.To == b.From { // go on with the next cell: there may be thousands in this one
			next := p.Time(cell + 1)
			rest := x.exchanges[i:]
			i += sort.Search(len(rest), func(k int) bool { return rest[k].To >= next || !rest[k].Done })
		}
	}
}

// signs are the items in a window, at most one for each cell and lane, but for
// those that end a run: there is one of each kind.
func (x *Index) signs(p *Picture) {
	var taken [lanes]int
	for l := range taken {
		taken[l] = -1
	}
	i := sort.Search(len(x.items), func(i int) bool { return x.items[i].Time >= p.From })
	for ; i < len(x.items) && x.items[i].Time <= p.To; i++ {
		it := x.items[i]
		cell := p.Cell(it.Time)
		if it.What == Fetched {
			continue
		}
		if taken[it.Lane] < cell || it.What >= Judged {
			taken[it.Lane] = cell
			p.Signs = append(p.Signs, Sign{i, cell})
		}
	}
}

// apart is how many cells lie between two ticks at least.
const apart = 10

// ticks puts round times on the axis.
func (p *Picture) ticks() {
	step := time.Duration(1)
	for _, f := range []time.Duration{1, 2, 5} {
		s := f
		for s < math.MaxInt64/100 && float64(s)/float64(p.To-p.From)*float64(p.Cells) < apart {
			s *= 10
		}
		if step == 1 || s < step {
			step = s
		}
	}
	unit, name := time.Nanosecond, "ns"
	switch {
	case step >= time.Second:
		unit, name = time.Second, "s"
	case step >= time.Millisecond:
		unit, name = time.Millisecond, "ms"
	case step >= time.Microsecond:
		unit, name = time.Microsecond, "µs"
	}
	for at := (p.From + step - 1) / step * step; at <= p.To; at += step {
		text := fmt.Sprint(int64(at / unit))
		if len(p.Ticks) == 0 {
			text += " " + name
		}
		p.Ticks = append(p.Ticks, Tick{p.Cell(at), at, text})
	}
}
