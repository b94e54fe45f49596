package timeline

import (
	"sort"
	"time"

	"perch/engine/abi"
	"perch/engine/event"
)

// What says what an item is.
type What byte

// What items are.
const (
	Asked   What = iota + 1 // a request
	Closed                  // stdin closed
	Said                    // a line on stdout
	Judged                  // the verdict fell
	Refused                 // a growth of memory was refused
	Exited
	Trapped
	Stopped
	Fetched // an exchange, at its request
)

// Item is something that happens seldom, and has a row of its own.
type Item struct {
	What     What
	Lane     Lane
	Time     time.Duration
	Seq      uint64
	Line     int // of stdin or stdout
	Bytes    int64
	Message  event.MessageKind // of a line on stdout
	Outcome  event.Outcome     // of a verdict
	Exchange int               // index of the exchange, of Fetched
}

// Items is the number of items, in the order of their events.
func (x *Index) Items() int { return len(x.items) }

// Item is item i.
func (x *Index) Item(i int) Item { return x.items[i] }

// Dropped is how many items are past our limit.
func (x *Index) Dropped() int { return x.dropped }

// ItemAt is the item of an event, or the last one before it; -1: there is none.
func (x *Index) ItemAt(seq uint64) int {
	return sort.Search(len(x.items), func(i int) bool { return x.items[i].Seq > seq }) - 1
}

// Exchange is a request to subako_http and what became of it.
type Exchange struct {
	ID          int
	Method      string
	From, To    time.Duration // To is that of the newest event while it goes on
	First, Last uint64        // its events
	Done        bool
	Status      int
	Kind        abi.ErrorKind
	Hops        []Hop
}

// Hop is how long the phases of one hop took, one after the other.
type Hop struct{ DNS, Connect, TLS, FirstByte, Body time.Duration }

// maxShown is how much of a method that a module wrote is kept.
const maxShown = 16

// Exchanges is the number of exchanges that are kept.
func (x *Index) Exchanges() int { return len(x.exchanges) }

// Exchange is exchange i.
func (x *Index) Exchange(i int) Exchange { return x.exchanges[i] }

func (x *Index) http(e event.Event) {
	switch b := e.Body.(type) {
	case event.HTTPRequest:
		if q := x.exchange(b.ID, e); q != nil {
			q.Method = b.Method[:min(len(b.Method), maxShown)]
		}
	case event.HTTPHop:
		if q := x.exchange(b.ID, e); q != nil {
			if q.Method == "" {
				q.Method = b.Method[:min(len(b.Method), maxShown)]
			}
			if len(q.Hops) <= abi.MaxHops {
				q.Hops = append(q.Hops, Hop{b.DNS, b.Connect, b.TLS, b.FirstByte, b.Body})
			}
		}
	case event.HTTPAnswer:
		q := x.exchange(b.ID, e)
		if q == nil {
			return
		}
		q.Done, q.Status, q.Kind = true, b.Status, b.Kind
		took := q.To - q.From
		x.tracks[HTTP].extend(q.To, 0, int64(took))
		x.waits.add(mark{from: q.From, to: q.To, seq: q.First}, 1, int64(took), 0)
		x.totals.HTTP += took
		delete(x.open, b.ID)
	}
}

// exchange is the exchange of an event, made when it is its first.
func (x *Index) exchange(id int, e event.Event) *Exchange {
	i, ok := x.open[id]
	if !ok {
		x.tracks[HTTP].add(mark{from: e.Time, to: e.Time, seq: e.Seq}, 1, 0, 0)
		if len(x.exchanges) >= maxExchanges {
			return nil
		}
		i = len(x.exchanges)
		x.open[id] = i
		x.exchanges = append(x.exchanges, Exchange{ID: id, From: e.Time, First: e.Seq})
		x.item(Item{What: Fetched, Lane: HTTP, Time: e.Time, Seq: e.Seq, Exchange: i})
	}
	q := &x.exchanges[i]
	q.To, q.Last = e.Time, e.Seq
	return q
}

// At is the event of a lane that is nearest to a time; false when there is none.
// Of the module itself it is the first event at that time.
func (x *Index) At(l Lane, at time.Duration) (seq uint64, ok bool) {
	if l == Module {
		seq = x.run.At(at)
		return min(seq, x.run.Len()-1), x.run.Len() > 0
	}
	marks := x.tracks[l].marks
	if len(marks) == 0 {
		return 0, false
	}
	i := sort.Search(len(marks), func(i int) bool { return marks[i].from > at })
	switch {
	case i == 0:
	case i == len(marks), marks[i-1].to >= at, at-marks[i-1].to <= marks[i].from-at:
		i--
	}
	return marks[i].seq, true
}

// Touched are the lanes in which something happened in a span of time: those
// that a moment has rows in.
func (x *Index) Touched(since, until time.Duration) []Lane {
	var all []Lane
	for l := range lanes {
		t := &x.tracks[l]
		i := sort.Search(len(t.marks), func(i int) bool { return t.marks[i].to >= since })
		if i < len(t.marks) && t.marks[i].from <= until {
			all = append(all, l)
		}
	}
	return all
}

// ExchangeAt is the exchange that an event lies in, -1 when it lies in none.
func (x *Index) ExchangeAt(seq uint64) int {
	i := sort.Search(len(x.exchanges), func(i int) bool { return x.exchanges[i].First > seq }) - 1
	if i < 0 || seq > x.exchanges[i].Last {
		return -1
	}
	return i
}
