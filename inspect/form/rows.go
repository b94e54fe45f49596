package form

import (
	"slices"

	"perch/engine/jsonread"
	"perch/inspect/schema"
)

// mode says how much of the tree a builder walks.
type mode uint8

const (
	inSight mode = iota // what is unfolded
	present             // what has a value
	search              // all that a filter looks through
)

// builder walks the tree of places.
type builder struct {
	f       *Form
	mode    mode
	rows    []place
	lineage []schema.Part // what the groups around are made of
	left    int           // rows that may still be made
}

// build makes the rows of the tree; with all, as many as can be searched.
func (f *Form) build(m mode) []place {
	b := &builder{f: f, mode: m, left: maxRows, rows: make([]place, 0, len(f.rows)+8)}
	root := f.rootPlace()
	b.lineage = append(b.lineage, root.main())
	b.within(&root, -1)
	return b.rows
}

// Len is the number of rows, of those that the filter leaves.
func (f *Form) Len() int {
	f.arrange()
	return len(f.rows)
}

// Find is the row of a place; where that is folded away, of the nearest group
// around it; -1 when there is none.
func (f *Form) Find(path string) int {
	f.arrange()
	for {
		if i, ok := f.rowOf[path]; ok {
			return i
		}
		parent, _, ok := cut(path)
		if !ok {
			return -1
		}
		path = parent
	}
}

// arrange makes the rows when something has changed since.
func (f *Form) arrange() {
	if f.rowsRev == f.rev {
		return
	}
	f.rowsRev = f.rev
	if f.filter.none() {
		f.rows = f.build(inSight)
	} else {
		f.rows = f.filtered()
	}
	f.rowOf = make(map[string]int, len(f.rows))
	for i := range f.rows {
		if f.rows[i].kind == Field {
			f.rowOf[f.rows[i].path] = i
		}
	}
}

// add makes the row of a value and those within it.
func (b *builder) add(p place, parent int) {
	if b.left <= 0 {
		return
	}
	b.left--
	p.parent = parent
	b.f.resolve(&p)
	at := len(b.rows)
	group := b.f.isGroup(&p)
	p.open = group && b.opens(&p)
	b.rows = append(b.rows, p)
	if !p.open {
		if b.mode == inSight {
			b.pickers(&p, at, 1)
		}
		return
	}
	b.lineage = append(b.lineage, p.main())
	b.within(&b.rows[at], at)
	b.lineage = b.lineage[:len(b.lineage)-1]
}

// main is the schema that a place is mostly about: the last of a chain of
// references.
func (p *place) main() schema.Part {
	if len(p.start) == 0 {
		return schema.Part{}
	}
	return target(p.start[0])
}

// opens reports whether a group is unfolded.
func (b *builder) opens(p *place) bool {
	if b.mode == inSight {
		return b.f.isOpen(p, b.lineage, len(b.rows))
	}
	there := p.value.Kind() == jsonread.Object || p.value.Kind() == jsonread.Array
	switch {
	case p.depth > maxDepth:
		return false
	case b.mode == present || there:
		return there
	}
	return p.depth < 8 && !slices.Contains(b.lineage, p.main())
}

// isOpen reports whether a group is unfolded: as a person left it, else when
// there is something in it, or when it must be filled in.
func (f *Form) isOpen(p *place, lineage []schema.Part, rows int) bool {
	if open, ok := f.folds[p.path]; ok {
		return open
	}
	if rows > maxUnfolded || p.depth > 8 {
		return false
	}
	if n := p.value.Len(); n > 0 {
		return n <= 50
	}
	return (p.required || !p.value.IsZero()) && p.depth < 3 && !slices.Contains(lineage, p.main())
}

// within makes the rows within a group, whose row is at; -1 is no row.
func (b *builder) within(p *place, at int) {
	group := *p // the rows may move
	from := 1
	if at < 0 {
		from = 0
	}
	b.pickers(&group, at, from)
	if b.f.kindOf(&group) == List {
		b.elements(&group, at)
		return
	}
	b.members(&group, at)
}

// pickers makes rows for the branch pickers that a field's row has no room for.
func (b *builder) pickers(p *place, at, from int) {
	if b.mode == present {
		return
	}
	for i := from; i < len(p.shape.flat.choices); i++ {
		b.rows = append(b.rows, place{kind: Picker, path: p.path, index: -1, depth: p.depth + 1, parent: at, start: p.start, shape: p.shape, value: p.value, choice: i})
	}
}

// members makes the rows of an object: the properties in the order of the
// schema, then what else is there, then one to add a key.
func (b *builder) members(p *place, at int) {
	order := p.shape.order
	values, extra := p.split()
	for i := range len(order) + len(extra) {
		if i == maxChildren {
			b.tail(place{kind: More, more: len(order) + len(extra) - i}, p, at)
			break
		}
		if i >= len(order) {
			x := extra[i-len(order)]
			b.add(p.member(x.name, x.value), at)
			continue
		}
		if b.mode == present && values[i].IsZero() {
			continue
		}
		b.add(p.member(order[i], values[i]), at)
	}
	if p.shape.free == someKeys || p.shape.free == anyKeys && len(p.shape.order) == 0 {
		b.tail(place{kind: AddKey}, p, at)
	}
}

// named is a member that no property names.
type named struct {
	name  string
	value jsonread.Value
}

// split sorts the members of an object: the values of the properties in their
// order, and all others. Of doubled names the last counts.
func (p *place) split() (values []jsonread.Value, extra []named) {
	values = make([]jsonread.Value, len(p.shape.order))
	var at map[string]int
	for name, v := range p.value.Members() {
		text := name.String()
		if rank, known := p.shape.rank[text]; known {
			values[rank] = v
			continue
		}
		if at == nil {
			at = map[string]int{}
		}
		if i, again := at[text]; again {
			extra[i].value = v
			continue
		}
		at[text] = len(extra)
		extra = append(extra, named{text, v})
	}
	return values, extra
}

// elements makes the rows of a list: its elements, the cells of a tuple that
// are not filled in, then one to add an element.
func (b *builder) elements(p *place, at int) {
	n := 0
	for i, v := range p.value.Elements() {
		if i == maxChildren {
			b.tail(place{kind: More, more: p.value.Len() - i}, p, at)
			return
		}
		b.add(p.element(i, v), at)
		n++
	}
	if b.mode == present {
		return
	}
	for ; n < len(p.shape.prefix) && n < maxChildren; n++ {
		b.add(p.element(n, jsonread.Value{}), at)
	}
	if !p.shape.restNever {
		b.tail(place{kind: AddRow}, p, at)
	}
}

// tail makes a row that ends a group.
func (b *builder) tail(row place, p *place, at int) {
	if b.mode != inSight || b.left <= 0 {
		return
	}
	b.left--
	row.path, row.index, row.depth, row.parent, row.start, row.shape, row.value = p.path, -1, p.depth+1, at, p.start, p.shape, p.value
	b.rows = append(b.rows, row)
}

// Fold opens or closes a group. It is no step to undo.
func (f *Form) Fold(path string, open bool) {
	if len(f.folds) > maxRows {
		f.folds = map[string]bool{}
	}
	f.folds[path] = open
	f.rev++
}

// FoldAll opens or closes all groups that are in sight.
func (f *Form) FoldAll(open bool) {
	f.arrange()
	for i := range f.rows {
		if p := &f.rows[i]; p.kind == Field && f.isGroup(p) {
			f.folds[p.path] = open
		}
	}
	f.rev++
}

// Show unfolds the groups around a place, so that it has a row.
func (f *Form) Show(path string) {
	for {
		parent, _, ok := cut(path)
		if !ok || parent == "" {
			return
		}
		f.Fold(parent, true)
		path = parent
	}
}
