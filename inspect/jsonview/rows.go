package jsonview

import (
	"sort"

	"perch/engine/jsonread"
)

// mark is a line of the text with nothing folded, in as little room as it takes:
// a text of 1 MiB may have half a million of them. All else of a line is looked
// up when it is in sight.
type mark struct {
	number uint32 // of the value
	about  int32  // opens, closes, and the depth above depthBit
}

const (
	opens  = 1 << iota // a bracket that rows follow, and one that closes
	closes             // a closing bracket

	depthBit = iota
)

func (m mark) opens() bool  { return m.about&opens != 0 }
func (m mark) closes() bool { return m.about&closes != 0 }

// makeRows makes the row of each value, and of each closing bracket.
func (d *Doc) makeRows(most int) {
	d.rows = make([]mark, 0, most)
	d.json.Walk(func(v jsonread.Value, depth int, closed bool) bool {
		m := mark{v.Number(), int32(depth) << depthBit}
		within := false
		if closed {
			m.about |= closes
		} else if within = nested(v); within {
			m.about |= opens
		}
		d.rows = append(d.rows, m)
		return within
	})
}

// nested reports whether what a value holds stands in rows of its own.
func nested(v jsonread.Value) bool {
	k := v.Kind()
	return (k == jsonread.Array || k == jsonread.Object) && v.Len() > 0 && !flat(v)
}

// flat reports whether a value is a short list of scalars.
func flat(v jsonread.Value) bool {
	if v.Kind() != jsonread.Array || v.End()-v.Start() > flatLen || v.Len() == 0 {
		return false
	}
	for _, e := range v.Elements() {
		if k := e.Kind(); k == jsonread.Array || k == jsonread.Object {
			return false
		}
	}
	return true
}

// value is the value of row n; of a closing bracket that which it closes.
func (d *Doc) value(n int) jsonread.Value { return d.json.Nth(d.rows[n].number) }

// nameOf is the name of a member's value; absent for others.
func (d *Doc) nameOf(v jsonread.Value) jsonread.Value {
	if v.Parent().Kind() != jsonread.Object {
		return jsonread.Value{}
	}
	return d.json.Nth(v.Number() - 1)
}

// start is the first byte of row n.
func (d *Doc) start(n int) int {
	v := d.value(n)
	if d.rows[n].closes() {
		return v.End() - 1
	}
	if name := d.nameOf(v); !name.IsZero() {
		return name.Start()
	}
	return v.Start()
}

// rowAt is the row of the byte at an offset. Bytes between values belong to the
// row before them.
func (d *Doc) rowAt(offset int) int {
	n := sort.Search(len(d.rows), func(n int) bool { return d.start(n) > offset })
	return max(n-1, 0)
}

// partner is the row that closes what row n opens, and the other way round.
func (d *Doc) partner(n int) int {
	if v := d.value(n); !d.rows[n].closes() {
		return d.rowAt(v.End() - 1)
	}
	return d.opener(n)
}

// opener is the row itself, or that which opens what it closes.
func (d *Doc) opener(n int) int {
	if !d.rows[n].closes() {
		return n
	}
	return d.rowAt(d.value(n).Start())
}

// parent is the row of the list or object around row n, -1 for the root.
func (d *Doc) parent(n int) int {
	p := d.value(n).Parent()
	if p.IsZero() {
		return -1
	}
	return d.rowAt(p.Start())
}
