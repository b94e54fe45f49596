package list

import "sort"

// Index is the rows that match something: a filter or a search. It is built
// step by step and extended as rows come, so that no step takes long.
type Index struct {
	match func(row int) bool
	rows  []int
	gone  int // rows at the start of rows that are no longer there
	next  int // the first row that was not looked at
}

// NewIndex makes an index of the rows that match says yes to.
func NewIndex(match func(row int) bool) *Index { return &Index{match: match} }

// Step looks at up to budget more rows of src and reports whether all of them
// were looked at. Rows that src dropped leave the index.
func (x *Index) Step(src Source, budget int) (done bool) {
	n := src.Len()
	if d, ok := src.(Dropper); ok {
		first := d.First()
		x.next = max(x.next, first)
		for x.gone < len(x.rows) && x.rows[x.gone] < first {
			x.gone++
		}
		if x.gone > 1024 && x.gone > len(x.rows)/2 {
			x.rows = append([]int(nil), x.rows[x.gone:]...)
			x.gone = 0
		}
	}
	for ; budget > 0 && x.next < n; budget-- {
		if x.match(x.next) {
			x.rows = append(x.rows, x.next)
		}
		x.next++
	}
	return x.next >= n
}

// Len is the number of matches so far.
func (x *Index) Len() int { return len(x.rows) - x.gone }

// Looked is the number of the first row that was not looked at.
func (x *Index) Looked() int { return x.next }

// At is the row of match k, from 0.
func (x *Index) At(k int) int { return x.rows[x.gone+k] }

// Seek is the number of the first match at or after a row; Len when there is
// none.
func (x *Index) Seek(row int) int { return sort.SearchInts(x.rows[x.gone:], row) }

// Has reports whether a row matches.
func (x *Index) Has(row int) bool {
	k := x.Seek(row)
	return k < x.Len() && x.At(k) == row
}

// Next is the first match after a row, or the first of all.
func (x *Index) Next(row int) (int, bool) {
	if x.Len() == 0 {
		return 0, false
	}
	if k := x.Seek(row + 1); k < x.Len() {
		return x.At(k), true
	}
	return x.At(0), true
}

// Prev is the last match before a row, or the last of all.
func (x *Index) Prev(row int) (int, bool) {
	if x.Len() == 0 {
		return 0, false
	}
	if k := x.Seek(row); k > 0 {
		return x.At(k - 1), true
	}
	return x.At(x.Len() - 1), true
}
