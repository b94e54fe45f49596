package wasm

import "sort"

// edge is where the way that new offsets map to old ones changes. Behind a
// copied edge both run on together; behind an inserted one the old one stands.
type edge struct {
	at     uint32 // in the new code
	orig   uint32 // in the original module
	copied bool
}

// offsetMap maps offsets in the new code section to those in the old one.
type offsetMap struct {
	base    int // where the old code section's contents begin in the module
	head    int // length of the count that begins the new section's contents
	starts  []uint32
	end     uint32
	edges   []edge
	firsts  []uint32 // index in edges of each function's first
	lastEnd uint32
}

// add takes a function's edges; at is where its body begins behind the count.
func (o *offsetMap) add(at, length int, edges []edge) {
	o.starts = append(o.starts, uint32(at))
	o.firsts = append(o.firsts, uint32(len(o.edges)))
	for _, e := range edges {
		e.at += uint32(at)
		o.edges = append(o.edges, e)
	}
	o.end = uint32(at + length)
}

// find maps a new offset; fn counts the functions with a body.
func (o *offsetMap) find(offset uint64) (orig uint64, fn int, ok bool) {
	if offset < uint64(o.head) || offset-uint64(o.head) >= uint64(o.end) {
		return 0, 0, false
	}
	at := uint32(offset - uint64(o.head))
	fn = sort.Search(len(o.starts), func(i int) bool { return o.starts[i] > at }) - 1
	i := sort.Search(len(o.edges), func(i int) bool { return o.edges[i].at > at }) - 1
	if fn < 0 || i < 0 || uint32(i) < o.firsts[fn] {
		return 0, 0, false
	}
	e := o.edges[i]
	orig = uint64(int(e.orig) - o.base)
	if e.copied {
		orig += uint64(at - e.at)
	}
	return orig, fn, true
}
