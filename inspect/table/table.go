// Package table shows a list of objects as a table: a column for each member
// name, a row for each object. Columns and widths are found once; rows are made
// when they are asked for, so a list of any length is shown at once.
//
// The package knows JSON values and cells of text, and nothing of panes.
package table

import (
	"cmp"
	"slices"
	"strings"

	"perch/engine/jsonread"
	"perch/engine/quote"
	"perch/inspect/safe"
)

// Bounds; all are our own.
const (
	MaxColumns = 64 // more names are counted, not shown
	MaxWidth   = 40 // cells of a column; longer text is cut

	lookAt   = 4 * MaxWidth // bytes of a value that are looked at to show it
	findMost = 10_000       // values that are looked at to find a table
	keepRows = 256          // rows that are kept ready
)

// State tells what stands in a cell: absent, null and "" are three things.
type State byte

// The states of a cell.
const (
	Missing State = iota // the object has no such member
	Null
	Text   // a string
	Number // as it is written
	Bool
	Nested // a list or an object, abbreviated
)

// Cell is what stands in a row below a name.
type Cell struct {
	State State
	Text  string // what to show, safe and at most MaxWidth cells; "" of one that is missing
	Value jsonread.Value
}

// Column is a member name, in the order in which names come first.
type Column struct {
	Name    string // as it is; empty of Whole
	Title   string // what to show, safe and at most MaxWidth cells
	Whole   bool   // of elements that are no objects: their value
	Width   int    // cells, of the title and the widest cell
	Right   bool   // all its values are numbers
	Missing int    // rows without it
	Nulls   int
}

// Table is a list as a table. It is for one goroutine at a time.
type Table struct {
	rows    []jsonread.Value
	columns []Column
	index   map[string]int // of the columns' names
	hidden  int            // names past MaxColumns
	order   []int32        // rows in the order of the sort; nil: as they came
	cache   map[int][]Cell
}

// New makes the table of a list. It is false when the value is no list with an
// object in it.
func New(list jsonread.Value) (*Table, bool) {
	if !tabular(list) {
		return nil, false
	}
	t := &Table{rows: make([]jsonread.Value, 0, list.Len()), index: map[string]int{}, cache: map[int][]Cell{}}
	c := collector{t: t, names: map[string]bool{}}
	for _, e := range list.Elements() {
		t.rows = append(t.rows, e)
		c.row(e)
	}
	c.end()
	return t, true
}

// tabular reports whether a value is a list with an object in it.
func tabular(v jsonread.Value) bool {
	if v.Kind() != jsonread.Array {
		return false
	}
	for _, e := range v.Elements() {
		if e.Kind() == jsonread.Object {
			return true
		}
	}
	return false
}

// Find is the first list of objects of a value, the outer ones before those
// within them; absent when there is none near the top.
func Find(v jsonread.Value) jsonread.Value {
	level := []jsonread.Value{v}
	for seen := 0; len(level) > 0; {
		var next []jsonread.Value
		for _, v := range level {
			if seen++; seen > findMost {
				return jsonread.Value{}
			}
			if tabular(v) {
				return v
			}
			if len(next) > findMost {
				continue
			}
			for _, e := range v.Members() {
				next = append(next, e)
			}
			for _, e := range v.Elements() {
				next = append(next, e)
			}
		}
		level = next
	}
	return jsonread.Value{}
}

// collector finds the columns of a table and their widths.
type collector struct {
	t      *Table
	names  map[string]bool // names past MaxColumns
	seen   []int           // of each column the last row that has it
	plain  []int           // of each column the rows that have a number
	others int             // elements that are no objects
	width  int             // of the widest of them
	at     int             // the row that is read
}

func (c *collector) row(e jsonread.Value) {
	defer func() { c.at++ }()
	if e.Kind() != jsonread.Object {
		c.others++
		c.width = max(c.width, safe.Width(cell(e).Text))
		return
	}
	for name, value := range e.Members() {
		i, ok := c.column(name)
		if !ok {
			continue
		}
		col := &c.t.columns[i]
		v := cell(value)
		col.Width = max(col.Width, safe.Width(v.Text))
		if c.seen[i] == c.at {
			continue // doubled: counted once, though the last one is shown
		}
		c.seen[i] = c.at
		col.Missing--
		switch v.State {
		case Number:
			c.plain[i]++
		case Null:
			col.Nulls++
		}
	}
}

func (c *collector) column(name jsonread.Value) (int, bool) {
	text := name.String()
	i, ok := c.t.index[text]
	switch {
	case ok:
		return i, true
	case len(c.t.columns) == MaxColumns:
		c.names[text] = true
		return 0, false
	}
	i = len(c.t.columns)
	title := shown(text)
	c.t.index[text] = i
	c.t.columns = append(c.t.columns, Column{Name: text, Title: title, Width: max(safe.Width(title), 1)})
	c.seen, c.plain = append(c.seen, -1), append(c.plain, 0)
	return i, true
}

func (c *collector) end() {
	for i := range c.t.columns {
		col := &c.t.columns[i]
		col.Missing += len(c.t.rows) // what was there was taken off
		values := len(c.t.rows) - col.Missing - col.Nulls
		col.Right = values > 0 && c.plain[i] == values
	}
	c.t.hidden = len(c.names)
	if c.others > 0 {
		const title = "value"
		c.t.columns = append(c.t.columns, Column{Title: title, Whole: true, Width: max(c.width, len(title)), Missing: len(c.t.rows) - c.others})
	}
}

// Columns are the columns of the table; that of elements that are no objects
// stands last.
func (t *Table) Columns() []Column { return t.columns }

// Hidden is how many names have no column: there are more than MaxColumns.
func (t *Table) Hidden() int { return t.hidden }

// Len is the number of rows.
func (t *Table) Len() int { return len(t.rows) }

// Index is the index in the list of the element that row i shows.
func (t *Table) Index(i int) int {
	if t.order == nil {
		return i
	}
	return int(t.order[i])
}

// Value is the element that row i shows.
func (t *Table) Value(i int) jsonread.Value { return t.rows[t.Index(i)] }

// Row is row i, a cell for each column. It must not be changed.
func (t *Table) Row(i int) []Cell {
	at := t.Index(i)
	if r, ok := t.cache[at]; ok {
		return r
	}
	if len(t.cache) >= keepRows {
		clear(t.cache)
	}
	r := make([]Cell, len(t.columns))
	if e := t.rows[at]; e.Kind() == jsonread.Object {
		// One way through: an object may have any number of members.
		values := make([]jsonread.Value, len(t.columns))
		for name, value := range e.Members() {
			if k, ok := t.index[name.String()]; ok {
				values[k] = value
			}
		}
		for k, v := range values {
			r[k] = cell(v)
		}
	} else {
		r[len(r)-1] = cell(e)
	}
	t.cache[at] = r
	return r
}

// Unsort puts the rows in the order in which they came.
func (t *Table) Unsort() { t.order = nil }

// Sort orders the rows by a column: numbers by their exact value, text by its
// characters, and kinds in the order of JSON filters: null, false, true, numbers,
// text, lists, objects. Lists and objects go by their length. What is missing
// stands last either way, and what is alike stays in its order.
func (t *Table) Sort(column int, down bool) {
	keys := make([]key, len(t.rows))
	col := t.columns[column]
	for i, e := range t.rows {
		switch {
		case col.Whole && e.Kind() != jsonread.Object:
			keys[i] = keyOf(e)
		case !col.Whole && e.Kind() == jsonread.Object:
			keys[i] = keyOf(e.Get(col.Name))
		}
	}
	t.order = make([]int32, len(t.rows))
	for i := range t.order {
		t.order[i] = int32(i)
	}
	slices.SortStableFunc(t.order, func(a, b int32) int {
		x, y := keys[a], keys[b]
		switch {
		case x.rank == 0 || y.rank == 0:
			return cmp.Compare(bool2int(x.rank == 0), bool2int(y.rank == 0))
		case down:
			return y.compare(x)
		}
		return x.compare(y)
	})
}

func bool2int(b bool) int {
	if b {
		return 1
	}
	return 0
}

// key is what a cell is sorted by.
type key struct {
	rank  int // of its kind; 0: missing
	value jsonread.Value
	text  string
}

func keyOf(v jsonread.Value) key {
	switch v.Kind() {
	case jsonread.Absent:
		return key{}
	case jsonread.Null:
		return key{rank: 1}
	case jsonread.False:
		return key{rank: 2}
	case jsonread.True:
		return key{rank: 3}
	case jsonread.Number:
		return key{rank: 4, value: v}
	case jsonread.String:
		return key{rank: 5, text: v.String()}
	case jsonread.Array:
		return key{rank: 6, value: v}
	}
	return key{rank: 7, value: v}
}

func (k key) compare(o key) int {
	if k.rank != o.rank {
		return cmp.Compare(k.rank, o.rank)
	}
	switch k.rank {
	case 4:
		return jsonread.CompareNumbers(k.value, o.value)
	case 5:
		return strings.Compare(k.text, o.text)
	case 6, 7:
		return cmp.Compare(k.value.Len(), o.value.Len())
	}
	return 0
}

// cell is a value as it stands in a cell.
func cell(v jsonread.Value) Cell {
	c := Cell{Value: v}
	switch v.Kind() {
	case jsonread.Absent:
		return c
	case jsonread.Null:
		c.State, c.Text = Null, "null"
	case jsonread.False, jsonread.True:
		c.State, c.Text = Bool, string(v.Raw())
	case jsonread.Number:
		c.State, c.Text = Number, shown(string(head(v.Raw())))
	case jsonread.String:
		c.State, c.Text = Text, shown(head(v.String()))
	default:
		c.State, c.Text = Nested, nested(v)
	}
	return c
}

func head[S string | []byte](s S) S { return s[:min(len(s), lookAt)] }

// shown is text made safe and cut.
func shown(s string) string { return safe.Mode{}.Cut(safe.Line(head(s)), MaxWidth) }

// nested abbreviates a list or an object: as it is when it is short, else by
// its kind and length.
func nested(v jsonread.Value) string {
	if raw := v.Raw(); len(raw) <= MaxWidth/2 {
		return shown(string(jsonread.Compact(nil, raw)))
	}
	if v.Kind() == jsonread.Array {
		return "[ " + quote.Plural(v.Len(), "item") + " ]"
	}
	return "{ " + quote.Plural(v.Len(), "member") + " }"
}
