package timeline

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"perch/inspect/rules"
)

// mark is one or more events in a row. Numbers and weights are those of all
// marks up to this one, so that a part of a track is the difference of two.
type mark struct {
	from, to time.Duration
	seq      uint64 // of the first event
	n        uint64
	weight   int64 // bytes, or nanoseconds
	events   int   // events that are in this mark
	kinds    Kinds
}

// track is the events of a lane in the order of time. Past maxMarks two
// neighbours become one mark, and from then on twice as many events share one:
// it takes the same memory whatever happens, and what is gone is detail alone.
type track struct {
	marks  []mark
	blocks []Kinds // what is in each blockSize marks
	share  int     // events that share a mark; 0: one
}

const blockSize = 64

func (t *track) add(m mark, n uint64, weight int64, k Kinds) {
	t.share = max(t.share, 1)
	last := len(t.marks) - 1
	if last >= 0 {
		before := t.marks[last]
		m.n, m.weight = before.n, before.weight
		m.from = max(m.from, before.to)
		m.to = max(m.to, m.from)
	}
	m.n, m.weight, m.events, m.kinds = m.n+n, m.weight+weight, 1, k
	if last >= 0 && t.marks[last].events < t.share {
		b := &t.marks[last]
		b.to, b.n, b.weight, b.kinds = m.to, m.n, m.weight, b.kinds|k
		b.events++
		t.blocks[last/blockSize] |= k
		return
	}
	if len(t.marks) == maxMarks {
		t.thin()
	}
	t.marks = append(t.marks, m)
	t.block(len(t.marks)-1, k)
}

func (t *track) block(i int, k Kinds) {
	if i/blockSize == len(t.blocks) {
		t.blocks = append(t.blocks, 0)
	}
	t.blocks[i/blockSize] |= k
}

func (t *track) thin() {
	half := t.marks[:0]
	for i := 0; i+1 < len(t.marks); i += 2 {
		a, b := t.marks[i], t.marks[i+1]
		b.from, b.seq, b.events, b.kinds = a.from, a.seq, a.events+b.events, a.kinds|b.kinds
		half = append(half, b)
	}
	t.marks, t.blocks = half, t.blocks[:0]
	for i, m := range half {
		t.block(i, m.kinds)
	}
	t.share *= 2
}

// extend adds to the newest mark.
func (t *track) extend(to time.Duration, n uint64, weight int64) {
	if last := len(t.marks) - 1; last >= 0 {
		m := &t.marks[last]
		m.to = max(m.to, to)
		m.n += n
		m.weight += weight
	}
}

// note adds a kind to the newest mark.
func (t *track) note(at time.Duration, k Kinds) {
	if last := len(t.marks) - 1; last >= 0 && t.marks[last].to <= at {
		t.marks[last].kinds |= k
		t.block(last, k)
	}
}

// sum is what a track holds before a time. Of a mark around that time it is a
// part, as if its events were spread evenly.
type sum struct {
	n      float64
	weight float64
}

// before returns the sum before a time, and the first mark that ends at or
// behind it. from is a mark that begins before it.
func (t *track) before(at time.Duration, from int) (sum, int) {
	i := from + sort.Search(len(t.marks)-from, func(i int) bool { return t.marks[from+i].to >= at })
	var s sum
	if i > 0 {
		s = sum{float64(t.marks[i-1].n), float64(t.marks[i-1].weight)}
	}
	// Marks that touch this time: each may begin before it.
	for k := i; k < len(t.marks) && t.marks[k].from < at; k++ {
		m := t.marks[k]
		part := 1.0
		if m.to > at {
			part = float64(at-m.from) / float64(m.to-m.from)
		}
		whole := sum{float64(m.n), float64(m.weight)}
		if k > 0 {
			whole.n -= float64(t.marks[k-1].n)
			whole.weight -= float64(t.marks[k-1].weight)
		}
		if whole.n == 1 {
			s.n++ // one event is where it begins
		} else {
			s.n += whole.n * part
		}
		s.weight += whole.weight * part
	}
	return s, i
}

// first is the first mark that lies in a window, from a mark that lies before.
func (t *track) first(since, until time.Duration, from int) (mark, bool) {
	for i := from; i < len(t.marks) && t.marks[i].from < until; i++ {
		if m := t.marks[i]; m.to > since || m.from >= since {
			return m, true
		}
	}
	return mark{}, false
}

// kinds are those of the marks in a window, from a mark that lies before.
func (t *track) kinds(since, until time.Duration, from int) Kinds {
	var k Kinds
	for i := from; i < len(t.marks) && t.marks[i].from < until; {
		if i%blockSize == 0 && i+blockSize <= len(t.marks) && t.marks[i].from >= since && t.marks[i+blockSize-1].from < until {
			k |= t.blocks[i/blockSize]
			i += blockSize
			continue
		}
		if m := t.marks[i]; m.to > since || m.from >= since {
			k |= m.kinds
		}
		i++
	}
	return k
}

// steps is the size of memory as it grows.
type steps struct {
	at    []time.Duration
	size  []uint64
	first uint64 // before the first growth
	share int
	held  int // growths that are in the newest step
	peak  uint64
}

func (s *steps) add(at time.Duration, from, to uint64) {
	s.share = max(s.share, 1)
	if len(s.at) == 0 {
		s.first = from
	}
	s.peak = max(s.peak, from, to)
	last := len(s.at) - 1
	if last >= 0 && (s.size[last] == to || s.held < s.share && s.share > 1) {
		s.size[last] = to
		s.held++
		return
	}
	if len(s.at) == maxMarks {
		for i := range len(s.at) / 2 {
			s.at[i], s.size[i] = s.at[2*i], s.size[2*i+1]
		}
		s.at, s.size = s.at[:len(s.at)/2], s.size[:len(s.size)/2]
		s.share *= 2
	}
	s.at, s.size, s.held = append(s.at, at), append(s.size, to), 1
}

// constant says what the size was all the time, when it never grew.
func (s *steps) constant(size uint64) {
	if len(s.at) == 0 {
		s.first, s.peak = size, size
	}
}

// before is the size just before a time.
func (s *steps) before(at time.Duration) uint64 {
	i := sort.Search(len(s.at), func(i int) bool { return s.at[i] >= at })
	if i == 0 {
		return s.first
	}
	return s.size[i-1]
}

func sortByEvent(all []rules.Finding) {
	slices.SortStableFunc(all, func(a, b rules.Finding) int { return cmp.Compare(a.Event, b.Event) })
}
