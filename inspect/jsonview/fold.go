package jsonview

import "sort"

// Toggle folds or unfolds the list or object of line i; a closing bracket folds
// its own. It returns the line on which the value now begins, and whether there
// was anything to fold.
func (d *Doc) Toggle(i int) (line int, ok bool) {
	n, ok := d.foldable(i)
	if !ok {
		return i, false
	}
	d.set(n, !d.folded[n])
	d.refresh()
	return d.lineOf(n), true
}

// Fold folds line i, or unfolds it. It reports whether that changed anything.
func (d *Doc) Fold(i int, folded bool) bool {
	n, ok := d.foldable(i)
	if !ok || d.folded[n] == folded {
		return false
	}
	d.set(n, folded)
	d.refresh()
	return true
}

// Parent is the line of the list or object around line i, or i itself at the
// root.
func (d *Doc) Parent(i int) int {
	if d.err != nil || i < 0 || i >= d.Len() {
		return i
	}
	if p := d.parent(d.shown(i)); p >= 0 {
		return d.lineOf(p)
	}
	return d.lineOf(0)
}

// FoldAll folds everything below the root.
func (d *Doc) FoldAll() {
	for n, m := range d.rows {
		if n > 0 && m.opens() {
			d.set(n, true)
		}
	}
	d.refresh()
}

// UnfoldAll unfolds everything.
func (d *Doc) UnfoldAll() {
	clear(d.folded)
	d.refresh()
}

// Fit folds so that at most n lines are shown, the outer and earlier values
// unfolded before the inner and later ones. The root is never folded.
func (d *Doc) Fit(n int) {
	if d.err != nil || len(d.rows) <= n {
		return
	}
	clear(d.folded)
	shown := 1
	level := []int{0}
	for len(level) > 0 {
		var next []int
		for _, at := range level {
			count := d.value(at).Len()
			if at != 0 && shown+count+1 > n {
				d.set(at, true)
				continue
			}
			shown += count + 1
			next = d.children(next, at)
		}
		level = next
	}
	d.refresh()
}

// children appends the rows right below an open row that can be folded.
func (d *Doc) children(dst []int, at int) []int {
	for i, end := at+1, d.partner(at); i < end; i++ {
		if d.rows[i].opens() {
			dst = append(dst, i)
			i = d.partner(i)
		}
	}
	return dst
}

// Reveal unfolds what hides the byte at offset and returns its line.
func (d *Doc) Reveal(offset int) int {
	if d.err != nil {
		return d.LineAt(offset)
	}
	for range d.rows {
		line := d.LineAt(offset)
		n := d.shown(line)
		v := d.value(n)
		inside := offset > v.Start() && offset < v.End()-1
		if !d.folded[n] || !inside {
			return line
		}
		d.set(n, false)
		d.refresh()
	}
	return d.LineAt(offset)
}

// Rows is how many lines there are with nothing folded, for a search that
// looks into what is folded too.
func (d *Doc) Rows() int {
	if d.err != nil {
		return len(d.lines)
	}
	return len(d.rows)
}

// RowText is the text of such a line.
func (d *Doc) RowText(n int) string {
	if d.err != nil {
		return d.plainLine(n).Text()
	}
	return d.rowLine(n, false).Text()
}

// RowAt is the row, with nothing folded, of the byte at an offset. Bytes between
// values belong to the row before them.
func (d *Doc) RowAt(offset int) int {
	if d.err != nil {
		return d.LineAt(offset)
	}
	return d.rowAt(offset)
}

// RevealRow unfolds what hides such a line and returns where it is now.
func (d *Doc) RevealRow(n int) int {
	if d.err != nil {
		return n
	}
	for p := d.parent(n); p >= 0; p = d.parent(p) {
		d.set(p, false)
	}
	if d.rows[n].closes() {
		d.set(d.opener(n), false)
	}
	d.refresh()
	return d.lineOf(n)
}

// RowOf is the number of line i when nothing is folded.
func (d *Doc) RowOf(i int) int {
	if d.err != nil {
		return i
	}
	return d.shown(i)
}

func (d *Doc) foldable(i int) (n int, ok bool) {
	if d.err != nil || i < 0 || i >= d.Len() {
		return 0, false
	}
	n = d.opener(d.shown(i))
	return n, d.rows[n].opens()
}

func (d *Doc) set(n int, folded bool) {
	if folded {
		d.folded[n] = true
	} else {
		delete(d.folded, n)
	}
}

// refresh works out which rows are shown.
func (d *Doc) refresh() {
	if len(d.folded) == 0 {
		d.visible = nil
		return
	}
	d.visible = d.visible[:0]
	for n := 0; n < len(d.rows); n++ {
		d.visible = append(d.visible, int32(n))
		if d.folded[n] {
			n = d.partner(n)
		}
	}
}

// lineOf is the line that shows a row, or hides it.
func (d *Doc) lineOf(n int) int {
	if d.visible == nil {
		return n
	}
	i := sort.Search(len(d.visible), func(i int) bool { return int(d.visible[i]) > n })
	return max(i-1, 0)
}
